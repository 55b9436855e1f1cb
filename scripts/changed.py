"""Which tests concern the files that were changed: those that reach one of them by imports.

Nearly every test reaches the engine in some way: the nearest come, by the number of imports
between, as long as they are not too many. What a program finds by name alone (a game's bots and
screens, a process that is started) is not seen: these tests come first, the whole run decides. A
file that is no Python concerns the modules beside it, and the tests that name it.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"lanplay": ".", "ai": "ai", "protocol": "protocol", "scripts": ".", "tests": "."}
"""Where Python lies, and the folder that its module names begin in."""
MOST = 8
"""So many files of tests for each changed file at most, unless more import it themselves: they see
181 of the 217 bugs of `mutants.toml`; 30 files, which take more than twice as long, see 193."""
_FROM = re.compile(r"^ *from ([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)
_IMPORT = re.compile(r"^ *import (.*)", re.MULTILINE)
_NAME = re.compile(r"[\w.]+")
ALWAYS = ("tests/project/test_structure.py",)
"""Reads every source, and is quick."""


def files_changed(since: str) -> list[str]:
    """Return the paths in which the work tree differs from where it left a commit or branch.

    New files count, those that git ignores do not. Raises ``CalledProcessError`` for an unknown
    commit.
    """
    base = _git("merge-base", since, "HEAD")[0]
    new = _git("ls-files", "--others", "--exclude-standard")
    return sorted({*_git("diff", "--name-only", base), *new})


def selected(changed: Iterable[str], sources: Mapping[str, str]) -> list[str]:
    """Return the paths of the tests that concern some files, of all ``sources``: text by path."""
    modules = {_module(path): path for path in sources}
    reached_from: dict[str, set[str]] = {path: set() for path in sources}
    for path, text in sources.items():
        for name in _imported(text) & modules.keys():
            reached_from[modules[name]].add(path)
    every = {path for each in changed for path in _nearest(_concerned(each, sources), reached_from)}
    return sorted({*ALWAYS, *every})


def _nearest(changed: Iterable[str], reached_from: Mapping[str, set[str]]) -> set[str]:
    """Return the tests that reach some files in the fewest steps."""
    found = set(changed)
    new, tests = found, _tests(found)
    for step in itertools.count():
        new = {path for each in new for path in reached_from[each]} - found
        if not new or (step and len(tests | _tests(new)) > MOST):
            return tests
        found |= new
        tests |= _tests(new)
    raise AssertionError


def _tests(paths: Iterable[str]) -> set[str]:
    return {path for path in paths if Path(path).name.startswith("test_")}


def sources() -> dict[str, str]:
    """Return the text of every Python file of the checkout by its path."""
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def _concerned(changed: str, sources: Mapping[str, str]) -> list[str]:
    if changed.endswith(".py"):
        return [changed] if changed in sources else []
    of_tests = {path for path in sources if path.startswith("tests/")}
    beside = [path for path in sources if Path(path).parent == Path(changed).parent]
    return [*beside, *(path for path in of_tests if Path(changed).name in sources[path])]


def _module(path: str) -> str:
    base = FOLDERS[path.partition("/")[0]]
    return ".".join(Path(path).relative_to(base).with_suffix("").parts).removesuffix(".__init__")


def _imported(text: str) -> set[str]:
    """Return what a source imports, also in functions and in programs that it has as text."""
    found: set[str] = set()
    for module, names in _FROM.findall(text):
        found |= {module, *(f"{module}.{name}" for name in _NAME.findall(names))}
    for names in _IMPORT.findall(text):
        found |= set(_NAME.findall(names))
    return found


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()
