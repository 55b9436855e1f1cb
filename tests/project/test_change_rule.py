"""``scripts/change_rule.py``: a number of the rules is one thing in code and pages."""

from __future__ import annotations

import re

import pytest

from lanplay.language import TAGS
from scripts.change_rule import ROOT, Unclear, assigned, changed, mentions

OLD = int(assigned(ROOT, "charidice", "CHARITY")[1][1])
NEW = OLD + 5

PLACES = [
    "lanplay/games/charidice/rules.py",
    "docs/rules/charidice.md",
    *(f"docs/rules/{tag}/charidice.md" for tag in TAGS[1:]),
]


def test_a_number_changes_in_the_code_and_on_its_page_in_all_languages():
    """Each file differs from what it was in that number alone (CH-4.1)."""
    files = changed(ROOT, "charidice", "CHARITY", NEW, "CH-4.1")
    assert sorted(path.relative_to(ROOT).as_posix() for path in files) == sorted(PLACES)
    for path, content in files.items():
        old = path.read_text(encoding="utf-8")
        parts = zip(re.split(r"(\d+)", old), re.split(r"(\d+)", content), strict=True)
        assert [(a, b) for a, b in parts if a != b] == [(str(OLD), str(NEW))]


def test_what_a_game_teaches_and_its_pages_say_of_the_old_number_is_shown():
    """Goal, coach and the screen that a page begins with speak of the charity bonus, too."""
    *on_pages, goal, coach = mentions(ROOT, "charidice", str(OLD))
    assert goal.startswith("lanplay/games/charidice/teaching.toml:")
    assert f"gets {OLD} at the end" in goal
    assert f"worth {OLD} at the end" in coach
    places = {each.partition(":")[0] for each in on_pages}
    assert places == set(PLACES[1:])
    assert any(f"gets the charity bonus: {OLD}" in each for each in on_pages)


@pytest.mark.parametrize(
    ("constant", "rule", "why"),
    [
        ("CHARITIES", "CH-4.1", "CHARITIES: found 0 times"),
        ("CHARITY", "CH-9.9", "CH-9.9 in .*: found 0 times"),
        ("CHARITY", "CH-4.2", f"{OLD} in CH-4.2 of .*: found 0 times"),
    ],
)
def test_where_a_number_is_not_clear_a_person_has_to_look(constant, rule, why):
    """The place is named, and no file is changed."""
    with pytest.raises(Unclear, match=why):
        changed(ROOT, "charidice", constant, NEW, rule)
