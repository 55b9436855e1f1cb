"""The fingerprint of a game's rules: equal where the rules are, whatever else differs.

It is a hash of the syntax of all modules that the rules import within their own package and
``lanplay.engine``, of the data files that the manifest names, and of what the manifest says to the
rules. Docstrings, comments, layout and annotations do not count; nor do words, screens and bots.

Of a syntax tree it reads named fields of known kinds of nodes, so that it is the same on every
Python that has them; whatever else there is it refuses (``UnknownSyntaxError``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.machinery import ModuleSpec
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from lanplay.engine.manifest import GameManifest
from lanplay.engine.plain import Plain, encode

ENGINE: Final = "lanplay.engine"
_PURE: Final = """
__future__ abc array base64 binascii bisect collections copy dataclasses decimal enum fractions
functools hashlib heapq importlib.resources itertools json math numbers operator re statistics
string struct textwrap tomllib types typing
"""
PURE: Final = frozenset(_PURE.split())
"""Modules of the standard library that answer alike everywhere."""
SIZE: Final = 16

_GRAMMAR: Final = """
Module body
FunctionDef name args body decorator_list
AsyncFunctionDef name args body decorator_list
ClassDef name bases keywords body decorator_list
Lambda args body
arguments posonlyargs args vararg kwonlyargs kw_defaults kwarg defaults
arg arg
keyword arg value
Return value
Delete targets
Assign targets value
AugAssign target op value
AnnAssign target value simple
For target iter body orelse
While test body orelse
If test body orelse
With items body
withitem context_expr optional_vars
Raise exc cause
Try body handlers orelse finalbody
TryStar body handlers orelse finalbody
ExceptHandler type name body
Assert test msg
Import names
ImportFrom module names level
alias name asname
Global names
Nonlocal names
Expr value
Match subject cases
match_case pattern guard body
MatchValue value
MatchSingleton value
MatchSequence patterns
MatchMapping keys patterns rest
MatchClass cls patterns kwd_attrs kwd_patterns
MatchStar name
MatchAs pattern name
MatchOr patterns
BoolOp op values
NamedExpr target value
BinOp left op right
UnaryOp op operand
IfExp test body orelse
Dict keys values
Set elts
ListComp elt generators
SetComp elt generators
DictComp key value generators
GeneratorExp elt generators
comprehension target iter ifs is_async
Await value
Yield value
YieldFrom value
Compare left ops comparators
Call func args keywords
FormattedValue value conversion format_spec
JoinedStr values
Constant value
Attribute value attr
Subscript value slice
Starred value
Name id
List elts
Tuple elts
Slice lower upper step
"""
"""The kinds of nodes that are known, and their fields that count: no contexts, no annotations."""
_BARE: Final = """
Pass Break Continue And Or Not Invert UAdd USub Add Sub Mult MatMult Div FloorDiv Mod Pow
LShift RShift BitOr BitXor BitAnd Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn
"""
"""Kinds of nodes whose name is all."""
_FIELDS: Final = {
    kind: tuple(fields) for kind, *fields in map(str.split, _GRAMMAR.split("\n")[1:-1])
}
_FIELDS.update(dict.fromkeys(_BARE.split(), ()))


_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields of a statement that hold statements."""


class UnknownSyntaxError(Exception):
    """Rules use what this version of the fingerprint does not know."""


class NoSourceError(Exception):
    """The source of a module of the rules is not there."""


def fingerprint(manifest: GameManifest) -> bytes:
    """Return the 16 bytes that stand for the rules of a game."""
    _tree.cache_clear()
    found = blake2b(digest_size=SIZE)
    options = tuple((each.name, tuple(each.values)) for each in manifest.options)
    seats = (manifest.seats.start, manifest.seats.stop)
    found.update(encode((manifest.name, seats, options, manifest.cards, manifest.cup)))
    for name in sorted(_modules(manifest)):
        found.update(encode(name))
        found.update(encode(tokens(_tree(name))))
    package = _package(manifest)
    for name in sorted(manifest.data):
        found.update(encode((name, files(package).joinpath(name).read_bytes())))
    return found.digest()


def foreign_imports(manifest: GameManifest) -> Iterator[tuple[str, str]]:
    """Yield what modules of the rules import that the fingerprint does not reach."""
    _tree.cache_clear()
    for name in sorted(_modules(manifest)):
        if not _within(name, ENGINE):
            for imported in sorted(set(_imports(name))):
                if not _counts(imported, _package(manifest)) and not _is_pure(imported):
                    yield name, imported


def _modules(manifest: GameManifest) -> set[str]:
    """Return the modules that count: those of the rules, and all that they import of them."""
    package = _package(manifest)
    found: set[str] = set()
    left = [manifest.rules.target.partition(":")[0]]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [each for each in _imports(name) if _counts(each, package)]
    return found


def _package(manifest: GameManifest) -> str:
    module = manifest.rules.target.partition(":")[0]
    return module.rpartition(".")[0] or module


def _counts(name: str, package: str) -> bool:
    return _within(name, package) or _within(name, ENGINE)


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _is_pure(name: str) -> bool:
    return name in PURE or name.rpartition(".")[0] in PURE


def _imports(name: str) -> Iterator[str]:
    """Yield the modules that a module imports, for more than the checker of types."""
    for node in _statements(_tree(name).body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(name, node)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if _is_module(inner) else base


def _statements(body: list[Any]) -> Iterator[Any]:
    """Yield statements, and those within them, but for what only the checker of types reads."""
    for node in body:
        yield node
        test = node.test if isinstance(node, ast.If) else None
        if not (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"):
            for field in _BLOCKS:
                yield from _statements(getattr(node, field, []))


def _base(name: str, node: ast.ImportFrom) -> str:
    """Return the module that ``from … import`` names, also where dots do."""
    if not node.level:
        return node.module or ""
    spec = _spec(name)
    parts = name.split(".") if spec.submodule_search_locations else name.split(".")[:-1]
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, AttributeError, ValueError):
        return False


def _spec(name: str) -> ModuleSpec:
    spec = find_spec(name)
    if spec is None:
        raise NoSourceError(f"there is no module {name}")
    return spec


@cache
def _tree(name: str) -> ast.Module:
    """Return the syntax of a module; the source of a compiled one lies beside it."""
    spec = _spec(name)
    get: Any = getattr(spec.loader, "get_source", None)
    text: str | None = get(name) if get is not None else None
    if text is None and spec.origin:
        beside = Path(spec.origin).parent / f"{name.rpartition('.')[2]}.py"
        text = beside.read_text(encoding="utf-8") if beside.is_file() else None
    if text is None:
        raise NoSourceError(f"the source of {name} is not there")
    return ast.parse(text)


def tokens(tree: ast.AST) -> list[Plain]:
    """Return a syntax tree as plain values, without what does not count."""
    found: list[Plain] = []
    _tell(tree, found)
    return found


def _tell(node: Any, found: list[Plain]) -> None:
    if isinstance(node, ast.AST):
        kind = type(node).__name__
        if kind not in _FIELDS:
            raise UnknownSyntaxError(f"{kind} in line {getattr(node, 'lineno', '?')}")
        found.append(kind)
        for field in _FIELDS[kind]:
            _tell(getattr(node, field), found)
    elif isinstance(node, list):
        kept = [each for each in node if not _says_nothing(each)]
        found.append(len(kept))
        for each in kept:
            _tell(each, found)
    else:
        found += (type(node).__name__, _value(node))


def _value(value: Any) -> Plain:
    """Return a constant, or a name, as it is told behind its type: 1, True and 1.0 are equal."""
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, int | complex) or value is Ellipsis:
        return repr(value)
    raise UnknownSyntaxError(f"a constant of type {type(value).__name__}")


def _says_nothing(node: object) -> bool:
    """Tell whether a statement is a docstring, or another text that nobody uses."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
