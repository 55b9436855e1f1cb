"""The house's own measures: ceilings and lists that only get shorter."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("lanplay", "ai/lanplay_ai", "protocol/lanplay_protocol")
OWN = ("lanplay/engine", "lanplay/games", "lanplay/tournament", "lanplay/env", "ai/lanplay_ai")
OLD_NAME = "# old name"
"""Marks a line that keeps a name of before for bots of other packages, for one release."""


def sources(*folders):
    return {
        path.relative_to(ROOT): path.read_text()
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


# -- names of the engine, the games, the bots and the tournaments -------------------------------

NOT_YET_ONE = {
    *("Ask", "Asking", "Command", "Entry", "Fault", "Finding", "Keep", "Kept", "Move", "Opened"),
    *("Play", "Player", "Screen", "Search", "Table", "Tally", "Verdict", "Witness"),
}
"""Names of classes that still mean two things: the front ends and the protocol get their own."""


def test_a_class_name_means_one_thing():
    """No two public classes have one name, but for those that are listed; nothing is added."""
    homes = defaultdict(list)
    for path, text in sources(*ROOMS).items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(path))
    assert {name for name, files in homes.items() if len(files) > 1} <= NOT_YET_ONE
    assert not {name for name, files in homes.items() if sum(map(_own, files)) > 1}


def _own(path):
    return path.startswith(OWN)


GONE = (
    r"put_to|sole|weighty|Refuted|Seen|load_seen|spots|class Driver|Choose\.ahead",
    r"engine[./](?:anew|seen|steps|stepping|value|struct)\b(?!\s*=)",
    r"(?<=\.)(?:passing|shows)\(|(?<=\bt\.)say\(",
)


@pytest.mark.parametrize("pattern", GONE)
def test_names_of_before_are_gone(pattern):
    """Where the glossary has another word, the old one is in no code of these rooms and no page."""
    texts = sources(*OWN)
    texts |= {path: path.read_text() for path in (ROOT / "docs").glob("*.md")}
    wrong = [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(rf"(?<![\w-])(?:{pattern})(?!\w)", line) and OLD_NAME not in line
    ]
    assert not wrong
