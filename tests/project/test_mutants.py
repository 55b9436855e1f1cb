"""The list of planted bugs fits the program, and planting one finds out what the tests see."""

from __future__ import annotations

import ast

import pytest

from scripts import mutants
from scripts.mutants import LIST, ROOT, ListError, Mutant, load, tried

BUGS = load()
FILE = "code_under_test.py"


def test_every_bug_fits_the_program():
    """Its text stands there exactly once, its tests exist, and what it makes is still Python."""
    assert {each.name: why for each in BUGS if (why := each.misfit(ROOT))} == {}
    for mutant in BUGS:
        text = (ROOT / mutant.file).read_text(encoding="utf-8")
        ast.parse(text.replace(mutant.old, mutant.new))


def bug(**changes):
    plain = {"name": "bug", "room": "r", "bug": "b", "file": FILE, "tests": ("test_code.py",)}
    return Mutant(**{**plain, "old": "<", "new": "<=", **changes})


@pytest.fixture
def tree(tmp_path):
    """A program of one line, and a test that sees whether it is right in one place."""
    root = tmp_path / "tree"
    root.mkdir()
    (root / "conftest.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--all', action='store_true')\n"
    )
    (root / FILE).write_text("def small(number):\n    return number < 5\n")
    (root / "test_code.py").write_text(
        "import code_under_test\n\n\ndef test_it():\n    assert not code_under_test.small(5)\n"
    )
    return root


def test_a_bug_is_planted_in_a_copy_and_the_test_that_sees_it_is_named(tree):
    """The tree itself stays as it is; a bug that no test sees goes unnoticed."""
    before = {path: path.read_bytes() for path in tree.iterdir()}
    assert tried(bug(), tree) == (mutants.NOTICED, "test_code.py::test_it")
    assert tried(bug(old="5", new="4"), tree) == (mutants.UNNOTICED, "")
    assert {path: path.read_bytes() for path in tree.iterdir()} == before


def test_a_test_that_fails_without_the_bug_notices_nothing(tree):
    """A list whose tests are broken is not taken for one whose bugs are seen."""
    (tree / "test_code.py").write_text("def test_it():\n    assert False\n")
    assert tried(bug(), tree) == (mutants.BROKEN, "test_code.py::test_it")


def test_tests_that_never_end_are_ended(tree):
    """With all that they have started; what they would have found is not known."""
    (tree / "test_code.py").write_text(
        "import subprocess, sys, time\n\n\ndef test_it():\n"
        "    subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "    time.sleep(60)\n"
    )
    assert tried(bug(), tree, limit=2.0).verdict == mutants.LATE


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"file": "gone.py"}, "there is no gone.py"),
        ({"tests": ("gone.py",)}, "there is no gone.py"),
        ({"tests": ()}, "there is no test"),
        ({"old": "no such text"}, "stands 0 times"),
        ({"old": "number"}, "stands 2 times"),
        ({"new": "<"}, "write it anew"),
    ],
)
def test_a_bug_that_does_not_fit_says_why(tree, changes, why):
    """A list that is not kept true is refused before anything is tried."""
    assert why in bug(**changes).misfit(tree)
    assert bug().misfit(tree) == ""


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace('room = "', 'place = "', 1), "place"),
        (lambda text: text + text[text.index("[[mutant]]") :], "two bugs are called"),
        (lambda text: text + "[[", "mutants.toml"),
    ],
)
def test_a_list_that_is_wrong_in_itself_is_refused(tmp_path, change, why):
    """Unknown fields, doubled names and what is no TOML are named."""
    path = tmp_path / "mutants.toml"
    path.write_text(change(LIST.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ListError, match=why):
        load(path)
