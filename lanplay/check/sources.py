"""Checks of the source of rules: what they import and call, and what they forget to yield."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

from lanplay.engine import requests
from lanplay.engine.fingerprint import foreign_imports
from lanplay.engine.game import Game

REQUESTS: Final = frozenset(each.__name__ for each in requests.Request.__subclasses__())
IMPURE: Final = frozenset(("__import__", "eval", "exec", "id", "input", "open"))
"""Built-in functions that answer otherwise in another process, or that nobody can follow."""


def pure(game: Game) -> Iterator[str]:
    """Follow the imports of the rules, and look at what they call."""
    for module, imported in foreign_imports(game.manifest):
        yield f"{module} imports {imported}: rules may use the engine and pure modules only"
    for module, tree in _trees(game).items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (name := _called(node)) in IMPURE:
                yield f"{module}:{node.lineno} calls {name}(), which may differ between laptops"


def yielded(game: Game) -> Iterator[str]:
    """Look for requests, and for rules that ask them, that are made and thrown away."""
    trees = _trees(game)
    rules = {
        node.name
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and _yields(node)
    }
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                name = _called(node.value)
                if name in REQUESTS | rules:
                    meant = "yield" if name in REQUESTS else "yield from"
                    yield f"{module}:{node.lineno}: {name}() alone does nothing: {meant} it"


def _trees(game: Game) -> dict[str, ast.Module]:
    """Return the syntax of the rules' module, and of those of its package that it uses."""
    rules = game.manifest.rules.target.partition(":")[0]
    package = rules.rpartition(".")[0] or rules
    found: dict[str, ast.Module] = {}
    left = [rules]
    while left:
        name = left.pop()
        module = sys.modules.get(name)
        if name not in found and module is not None and f"{name}.".startswith(f"{package}."):
            found[name] = ast.parse(inspect.getsource(module))
            left += [_home(value) for value in vars(module).values()]
    return found


def _home(value: Any) -> str:
    return value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _yields(function: ast.FunctionDef) -> bool:
    left: list[ast.AST] = [*function.body]
    while left:
        node = left.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            left += ast.iter_child_nodes(node)
    return False
