"""What stands for the rules of a game changes with them, and with nothing else."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lanplay.engine.fingerprint import UnknownSyntaxError, fingerprint, foreign_imports, tokens
from lanplay.engine.manifest import TableOption
from lanplay.games import NAMES, load, manifest

ROOT = Path(__file__).resolve().parents[2]


def syntax(source):
    return tokens(ast.parse(source))


SAME = [
    ("x = 1", "x = 1  # one"),
    ("x = 1", "x=(1)"),
    ("x = 1", '"""About x."""\nx = 1\n"""What it is."""'),
    ("def f(a): return a", "def f(a: int) -> int:\n    '''Return it.'''\n    return a"),
    ("x = 'a' 'b'", 'x = "ab"'),
    ("x = 0x10", "x = 16"),
]
OTHER = [
    ("x = 1", "x = 2"),
    ("x = 1", "x = True"),
    ("x = 1", "x = 1.0"),
    ("x = '1'", "x = b'1'"),
    ("x = 1", "y = 1"),
    ("a, b = b, a", "a, b = a, b"),
    ("f(a, b)", "f(a, b=b)"),
    ("x = a < b", "x = a <= b"),
    ("x = [a, b]", "x = (a, b)"),
    ("class A:\n    b: int", "class A:\n    c: int"),
    ("if a:\n    b()\n    c()", "if a:\n    b()\nc()"),
    ("x = f'{a}'", "x = f'{a!r}'"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_does_not_decide_does_not_count(one, other):
    """Comments, layout, docstrings, annotations, and how a constant is written."""
    assert syntax(one) == syntax(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_decides_counts(one, other):
    """Constants with their types, names, order and structure."""
    assert syntax(one) != syntax(other)


def test_what_is_not_known_is_refused():
    """A kind of node of another Python leads to an error, not to a hash that leaves it out."""

    class Novelty(ast.AST):
        _fields = ("value",)

    tree = ast.parse("x = 1")
    tree.body.append(Novelty())
    with pytest.raises(UnknownSyntaxError, match="Novelty"):
        tokens(tree)


def test_every_game_has_its_own_and_keeps_within_what_it_reads():
    """Nothing that decides is outside: rules import the engine and pure modules only."""
    assert len({load(name).fingerprint for name in NAMES}) == len(NAMES)
    for name in NAMES:
        assert list(foreign_imports(manifest(name))) == []
        assert len(load(name).fingerprint) == 16


def test_what_the_manifest_says_to_the_rules_counts():
    """Options and limits decide; title and screen do not."""
    ours = manifest("charidice")
    option = TableOption("fast", "Fast", {"no": "no", "yes": "yes"})
    for other in (replace(ours, cup=6), replace(ours, seats=range(2, 6))):
        assert fingerprint(other) != fingerprint(ours)
    assert fingerprint(replace(ours, options=(option,))) != fingerprint(ours)
    assert fingerprint(replace(ours, title="Other", screen=None)) == fingerprint(ours)


@pytest.mark.parametrize(
    ("file", "old", "new", "same"),
    [
        ("games/charidice/rules.py", r"CHARITY = (\d+)", r"CHARITY = 1\1", False),
        ("games/charidice/rules.py", r"CHARITY = (\d+)", r"CHARITY = \1  # points", True),
        ("games/charidice/words.toml", r"(\{die\})", r"[\1]", True),
        ("engine/table.py", "self.round = 0", "self.round = 1", False),
        ("games/dogs_life/town.toml", "\n", "\n\n", True),
    ],
)
def test_two_checkouts_differ_where_their_rules_do(tmp_path, file, old, new, same):
    """A number of the rules, or the engine's: seen by a fresh program on a changed copy."""
    shutil.copytree(ROOT / "lanplay", tmp_path / "lanplay", ignore=shutil.ignore_patterns("*.pyc"))
    path = tmp_path / "lanplay" / file
    text = path.read_text("utf-8")
    changed, places = re.subn(old, new, text, count=1)
    assert places
    path.write_text(changed, "utf-8")
    assert (told(tmp_path) == told(ROOT)) == same


def told(root):
    """Return what a program of that checkout takes for the fingerprint of Charidice."""
    program = "from lanplay.games import load; print(load('charidice').fingerprint.hex())"
    path = os.pathsep.join(map(str, (root, ROOT / "ai", ROOT / "protocol")))
    command = [sys.executable, "-P", "-c", program]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
