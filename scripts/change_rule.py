#!/usr/bin/env python3
"""Change a number of the rules: in the code, on its page in all languages, and in the golden games.

    python scripts/change_rule.py charidice CHARITY 25 CH-4.1

sets the constant of that name in the game's folder, writes the new number in the entry CH-4.1 of
each page, and plays the golden games again. Nothing is written unless the old number stands exactly
once in each of these places. Other lines of the pages, and of what the game teaches, that have it
are printed: a person reads whether this rule is meant.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent


class Unclear(Exception):
    """A place that has the number not at all, or more than once; it tells which."""


def changed(root: Path, game: str, constant: str, value: int, rule: str) -> dict[Path, str]:
    """Return the new text of all files that have the number; ``Unclear`` if a person must look."""
    path, found = assigned(root, game, constant)
    old, new = found[1], str(value)
    files = {path: found.string[: found.start(1)] + new + found.string[found.end(1) :]}
    for page in sorted((root / "docs/rules").glob(f"**/{game.replace('-', '_')}.md")):
        entry, start = passage(text(page), rule, page)
        number = re.compile(rf"(?<![\d.,-]){old}(?![\d])").finditer(entry)
        at = only(number, f"{old} in {rule} of {page}").start() + start
        files[page] = f"{text(page)[:at]}{new}{text(page)[at + len(old) :]}"
    return files


def assigned(root: Path, game: str, constant: str) -> tuple[Path, re.Match[str]]:
    """Return where a game's code gives a constant its number, which is the match's group 1."""
    code = sorted((root / "lanplay/games" / game.replace("-", "_")).glob("*.py"))
    assignment = re.compile(rf"^{constant}(?:: Final)? = (\d+)$", re.MULTILINE)
    return only(((p, m) for p in code for m in assignment.finditer(text(p))), constant)


def mentions(root: Path, game: str, number: str) -> list[str]:
    """Return the lines of a game's pages, and of what it teaches, that have a number."""
    name = game.replace("-", "_")
    told = [*root.glob(f"docs/rules/**/{name}.md"), *root.glob(f"lanplay/games/{name}/*.toml")]
    return [
        f"{path.relative_to(root).as_posix()}:{line}: {content}"
        for path in sorted(told)
        for line, content in enumerate(text(path).splitlines(), 1)
        if re.search(rf"(?<![\d.]){number}(?![\d])", content)
    ]


def passage(page: str, rule: str, path: Path) -> tuple[str, int]:
    """Return an entry of a page without its own number, and where it begins."""
    entries = re.finditer(rf"^- \*\*{re.escape(rule)}\*\*(.*(?:\n {{2}}.*)*)", page, re.MULTILINE)
    entry = only(entries, f"{rule} in {path}")
    return entry[1], entry.start(1)


def only(found: Iterable[T], what: str) -> T:
    """Return the only one there is."""
    every = list(found)
    if len(every) != 1:
        raise Unclear(f"{what}: found {len(every)} times, expected once; change it by hand")
    return every[0]


def text(path: Path) -> str:
    """Return what a file holds."""
    return path.read_text(encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Change the files, play the golden games, and name what to read again."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("constant")
    parser.add_argument("value", type=int)
    parser.add_argument("rule")
    given = parser.parse_args(arguments)
    try:
        old = assigned(ROOT, given.game, given.constant)[1][1]
        files = changed(ROOT, given.game, given.constant, given.value, given.rule)
    except Unclear as unclear:
        print(unclear, file=sys.stderr)
        return 1
    for path, content in files.items():
        path.write_text(content, encoding="utf-8", newline="\n")
        print(path.relative_to(ROOT))
    for line in mentions(ROOT, given.game, old):
        print(f"read again: {line}")
    return subprocess.call([sys.executable, str(ROOT / "scripts/golden.py")])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
