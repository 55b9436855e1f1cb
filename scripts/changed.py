"""Which tests concern the files that were changed: those that reach one of them by imports.

Nearly every test reaches the engine in some way: the nearest come, by the number of imports
between, as long as they are not too many. A ``Ref`` is an import; and what a manifest names is
found by the name of its game alone, so that it concerns every test of all games that uses the
package above. A file that is no Python concerns the modules beside it, or those that read it, and
the tests that name it. Processes that are started are not seen: these tests come first, the whole
run decides.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"lanplay": ".", "ai": "ai", "protocol": "protocol", "scripts": ".", "tests": "."}
"""Where Python lies, and the folder that its module names begin in."""
MOST = 8
"""So many files of tests for each changed file at most, unless more import it themselves: they see
272 of the 422 bugs of `mutants.toml`; 30 files, which are twice as many in all, see 293."""
_FROM = re.compile(r"^ *from ([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)
_IMPORT = re.compile(r"^ *import (.*)", re.MULTILINE)
_REF = re.compile(r'\bRef\("(?![\w.]+:MANIFEST)([\w.]+)')
"""What a manifest names; not the manifest itself, which everything reaches by its game's name."""
_LATE = re.compile(r'\b(?:importorskip|import_module)\("([\w.]+)')
_NAME = re.compile(r"[\w.]+")
ALWAYS = ("tests/project/test_structure.py",)
"""Reads every source, and is quick."""
OF_ALL_GAMES = {"lanplay.games.NAMES", "lanplay.ui.rulebook.games"}
"""The names of all games: a test that takes them is one of all games."""
KEPT = "tests/replaying/test_rules.py"
"""Plays again what was recorded once."""
BROWSER = "tests/web/"
"""Takes long: of its tests of all games those run that concern the pages themselves."""
READ_BY = {"docs/rules": "lanplay/ui/rulebook.py", "lanplay/locale": "scripts/catalogs.py"}
"""Folders of data, and what reads them."""


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
    imported = {path: _imported(text) for path, text in sources.items()}
    reached_from: dict[str, set[str]] = {path: set() for path in sources}
    for path, names in imported.items():
        for name in names & modules.keys():
            reached_from[modules[name]].add(path)
    own = [text for path, text in sources.items() if not path.startswith("tests/")]
    named = {name for text in own for name in _REF.findall(text)}
    homes = {Path(modules[name]).parent for name in named & modules.keys()}
    every = set(ALWAYS)
    for path in changed:
        every |= _nearest(_concerned(path, sources), reached_from)
        for home in homes & {*Path(path).parents}:
            every |= _of_all_games(_module(home.as_posix()).rpartition(".")[0], imported)
    return sorted(every)


def _of_all_games(package: str, imported: Mapping[str, frozenset[str]]) -> set[str]:
    """Return the tests of all games that use the package in which parts of games lie."""
    inside = re.compile(rf"{package}(\.|$)")
    tests = {path for path in _tests(imported) if imported[path] & OF_ALL_GAMES}
    if package != "lanplay.web":
        tests = {path for path in tests if not path.startswith(BROWSER)}
    kept = {KEPT} & imported.keys() if package == "lanplay.games" else set()
    return {path for path in tests if any(map(inside.match, imported[path]))} | kept


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
    reading = [each for folder, each in READ_BY.items() if changed.startswith(folder)]
    return [*beside, *reading, *(path for path in of_tests if Path(changed).name in sources[path])]


def _module(path: str) -> str:
    base = FOLDERS[path.partition("/")[0]]
    return ".".join(Path(path).relative_to(base).with_suffix("").parts).removesuffix(".__init__")


@cache
def _imported(text: str) -> frozenset[str]:
    """Return what a source imports, also in functions and in programs that it has as text."""
    found = {*_REF.findall(text), *_LATE.findall(text)}
    for module, names in _FROM.findall(text):
        found |= {module, *(f"{module}.{name}" for name in _NAME.findall(names))}
    for names in _IMPORT.findall(text):
        found |= set(_NAME.findall(names))
    return frozenset(found)


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()
