"""``scripts/change_rule.py``: a number of the rules is one thing in code and pages."""

from __future__ import annotations

import pytest

from scripts.change_rule import ROOT, Unclear, changed

PLACES = [
    "lanplay/games/charidice/rules.py",
    "docs/rules/charidice.md",
    "docs/rules/cs/charidice.md",
    "docs/rules/hu/charidice.md",
]


def test_a_number_changes_in_the_code_and_on_its_page_in_all_languages():
    """Each file differs from what it was in that number alone (CH-4.1)."""
    files = changed(ROOT, "charidice", "CHARITY", 25, "CH-4.1")
    assert sorted(path.relative_to(ROOT).as_posix() for path in files) == sorted(PLACES)
    for path, content in files.items():
        old = path.read_text(encoding="utf-8")
        differ = [i for i, (a, b) in enumerate(zip(old, content, strict=True)) if a != b]
        assert len(differ) == 1
        assert (old[differ[0] - 1 :][:2], content[differ[0] - 1 :][:2]) == ("20", "25")


@pytest.mark.parametrize(
    ("constant", "rule", "why"),
    [
        ("CHARITIES", "CH-4.1", "CHARITIES: found 0 times"),
        ("CHARITY", "CH-9.9", "CH-9.9 in .*: found 0 times"),
        ("CHARITY", "CH-4.2", "20 in CH-4.2 of .*: found 0 times"),
    ],
)
def test_where_a_number_is_not_clear_a_person_has_to_look(constant, rule, why):
    """The place is named, and no file is changed."""
    with pytest.raises(Unclear, match=why):
        changed(ROOT, "charidice", constant, 25, rule)
