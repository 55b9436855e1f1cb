"""``lanplay rules``: pages and passages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.errors import UserError
from lanplay.prose import paragraphs
from lanplay.ui import rulebook

RULES = Path(__file__).resolve().parents[2] / "docs/rules"
PAGE = (RULES / "dice_town.md").read_text("utf-8")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what ``lanplay rules`` prints."""
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_without_a_game_the_games_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """``lanplay rules`` lists the games that have a page."""
    assert "dice-town" in printed(capsys).splitlines()


def test_a_game_alone_prints_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    """``lanplay rules dice-town`` prints the page as it lies in the documentation."""
    assert printed(capsys, "dice-town") == PAGE


def test_on_a_terminal_lines_are_as_long_as_it_is_wide(capsys, monkeypatch) -> None:
    """A terminal breaks longer ones within words; the words stay."""
    whole = printed(capsys, "dice-town", "gold")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    broken = printed(capsys, "dice-town", "gold")
    assert max(map(len, whole.splitlines())) > 80 > max(map(len, broken.splitlines())) > 60
    assert broken.split() == whole.split()


@pytest.mark.parametrize("page", sorted(RULES.rglob("*.md")), ids=str)
def test_numbered_examples_stand_each_for_itself(page: Path) -> None:
    """They ran into one another; and no line within a sentence begins like one."""
    text = page.read_text("utf-8")
    found = [int(m[1]) for each in paragraphs(text) if (m := re.match(r" *(\d+)\. ", each))]
    assert found == list(range(1, len(re.findall(r"^\d+\. ", text, re.MULTILINE)) + 1))


@pytest.mark.parametrize("number", ["2.3", "DT-2.3", "dt-2.3"])
def test_a_number_prints_that_rule(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A rule's number, with or without the game's letters, prints that rule whole (DT-2.3)."""
    text = printed(capsys, "dice-town", number)
    assert text.startswith("- **DT-2.3** A seat pays $1")
    assert text.endswith("(keeping one never is).\n")


def test_a_number_is_not_taken_for_a_longer_one(capsys: pytest.CaptureFixture[str]) -> None:
    """DT-6.1 prints neither DT-6.10 nor rules that only mention it."""
    text = printed(capsys, "dice-town", "6.1")
    assert text.startswith("| **DT-6.1** The Brute")
    assert text.count("\n") == 1


def test_a_section_prints_all_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """A section's number prints all of its rules, in order, and no other (DT-7)."""
    text = printed(capsys, "dice-town", "7")
    starts = [line[4:10] for line in text.splitlines() if line.startswith("- **")]
    assert starts == ["DT-7.1", "DT-7.2", "DT-7.3"]


def test_words_print_what_contains_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Words are found whatever their case, in whole passages."""
    text = printed(capsys, "dice-town", "nervous", "joe")
    assert "**DT-6.8** Nervous Joe" in text
    assert "DT-7.1" not in text


def test_every_item_of_a_rule_begins_a_line() -> None:
    """What a dog may do (DL-3.2) is a list on every screen, an action a line."""
    page = rulebook.text("dogs-life")
    lines = rulebook.flowing(rulebook.matching(page, "DL-3.2")).split("\n")
    assert [line[:5] for line in lines[1:13]] == [f"  - {letter}" for letter in "abcdefghijkl"]
    assert lines[0].startswith("- DL-3.2 Then the dog")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["no-such-game"], "dice-town"),
        (["dice-town", "zzz"], "DT-2.3"),
        (["dice-town", "99"], "99"),
    ],
)
def test_what_is_not_there_is_refused(
    arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown game, number or word ends with status 2 and says what there is."""
    assert main(["rules", *arguments]) == 2
    assert hint in capsys.readouterr().err


def test_an_installed_package_brings_its_pages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without a checkout the pages are read from inside the package."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/dice_town.md").write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(rulebook, "FOLDERS", (tmp_path / "docs", tmp_path / "rules"))
    rulebook.folder.cache_clear()
    try:
        assert rulebook.text("dice-town") == PAGE
    finally:
        rulebook.folder.cache_clear()


def test_a_torn_copy_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where no pages lie at all, the error says that the copy is not whole."""
    monkeypatch.setattr(rulebook, "FOLDERS", (tmp_path,))
    rulebook.folder.cache_clear()
    try:
        with pytest.raises(UserError, match="install it again"):
            rulebook.games()
    finally:
        rulebook.folder.cache_clear()


def test_no_passage_is_lost() -> None:
    """The passages of a page are its text without the blank lines."""
    lines = [line for line in PAGE.splitlines() if line.strip()]
    assert "\n".join(rulebook.passages(PAGE)).splitlines() == lines
