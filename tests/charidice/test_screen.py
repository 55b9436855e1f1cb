"""The screen of Charidice: dice told without colours, sheets of all, sets with what they bring."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.engine.question import Option, Phrase
from lanplay.games import load
from lanplay.games.charidice.questions import Demand, Reroll, Score
from lanplay.games.charidice.summary import weight
from lanplay.games.charidice.text import letter
from lanplay.language import TAGS, speaking
from lanplay.tui.cells import Size, plain, width
from lanplay.tui.games import screen_of
from lanplay.tui.games.charidice import HUES, PATTERNS, SCREEN
from lanplay.tui.glyphs import ASCII, UNICODE
from lanplay.tui.theme import LOOKS, PALETTES
from lanplay.ui.changes import Effects
from lanplay.ui.scene import Scene
from tests.charidice import screens
from tests.charidice.script import new_table
from tests.tui.harness import Person

GAME = load("charidice")

ROLL = (1, 2, 3, 4, 5, 6)


def scene(**changed):
    t = new_table(3)
    t.pass_on(0)
    t.dice, t.rolls, t.rolled = ROLL, 2, 0b000111
    return Scene(t, ("Ann", "Ben", "Cid"), **changed)


def text(lines):
    return [plain(spans) for spans in lines]


@pytest.mark.parametrize("tag", TAGS)
def test_every_colour_has_a_letter_and_a_pattern_of_its_own(tag):
    """CH-1.2: without any colour, in every language and in ASCII, no two dice look alike."""
    with speaking(tag):
        letters = [letter(colour) for colour in range(6)]
        assert len(set(letters)) == 6
    assert all(len(each) == 1 and each.isascii() for each in letters)
    for patterns in PATTERNS.values():
        assert len(set(patterns)) == 6
    assert PATTERNS[False].isascii()
    assert set(HUES) <= LOOKS.keys()


@pytest.mark.parametrize("palette", PALETTES)
def test_every_colour_has_a_look_of_its_own(palette):
    """In each palette the six colours differ; one may be that of the terminal."""
    place = 1 + PALETTES.index(palette)
    looks = [LOOKS[hue][place] or LOOKS[hue][1] for hue in HUES]
    assert len(set(looks)) == 6


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("rows", [11, 12, 20, 30])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_board_has_the_dice_and_every_sheet(rows, seats, glyphs):
    """In the least room as in plenty: six dice, every seat's name and its four columns."""
    t = new_table(seats)
    t.round = 2
    t.points, t.bonuses = [[11]] * seats, [[25]] * seats
    t.received, t.given = [[33]] * seats, [[44]] * seats
    t.pass_on(1)
    t.dice, t.rolls = ROLL, 1
    names = ("Ann", "Ben", "Cid", "Dan")[:seats]
    lines = SCREEN.board(Scene(t, names), Size(72, rows), glyphs)
    assert len(lines) <= rows
    assert max(map(width, lines)) <= 72
    shown = "\n".join(text(lines))
    for number, colour in zip(ROLL, (0, 2, 4, 0, 2, 4), strict=True):
        assert f"{number}{letter(colour)}" in shown
    for name in names:
        assert name in shown
    for entry in (11, 25, 33, 44, 69):
        assert shown.count(str(entry)) >= seats


def test_a_large_board_uses_its_room():
    """At 200 x 60: pips twice as large, and the rows of the sheets apart."""
    large, size = scene(), Size(133, 50)
    lines = text(SCREEN.board(large, size, UNICODE))
    assert 40 <= len(lines) <= size.rows
    assert max(map(len, lines)) <= size.columns
    assert any("★★      ★★" in each for each in lines)


@pytest.mark.parametrize("asked", [screens.reroll, screens.demand])
async def test_a_large_terminal_is_full_while_one_decides(asked):
    """At 200 x 60 up to 13 rows were empty: bars compare all seats there."""
    async with asked(Person()) as person:
        rows = [each[:130].strip() for each in person.lines(Size(200, 60))]
    full = max(place for place, row in enumerate(rows[:-1]) if row)
    assert len(rows) - 1 - full <= 5


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_bars_compare_all_seats_in_what_they_have_and_have_given(glyphs):
    """The longest is that of the most points; where there are few rows there are none."""
    large = scene(view=type("View", (), {"seat": 0})())
    large.table.points, large.table.given = [[10], [20], [0]], [[5], [0], [20]]
    own, *bars = text(SCREEN.own(large, Size(133, 8), glyphs))
    longest = max(each.count(glyphs.chosen) for each in bars)
    assert [each.count(glyphs.chosen) * 20 // longest for each in bars] == [15, 20, 20]
    assert max(map(len, [own, *bars])) <= 133
    assert text(SCREEN.own(large, Size(133, 7), glyphs)) == [own]
    counting = replace(large, effects=Effects(lag={("", 0): 8}))
    own, bar, *_ = text(SCREEN.own(counting, Size(133, 8), glyphs))
    assert own.endswith(" 2")
    assert "total 2" in bar, "what is being counted up is the same everywhere"


@pytest.mark.parametrize("active", [-1, 1])
def test_a_board_without_dice_says_so(active):
    """CH-1.1: between rounds, and while peers have not yet rolled a seat's first dice."""
    t = new_table(3)
    t.pass_on(active)
    lines = text(SCREEN.board(Scene(t, ("Ann", "Ben", "Cid")), Size(80, 12), UNICODE))
    assert ("No dice" in lines[0]) if active < 0 else ("rolling" in lines[0])
    assert sum("Ann" in each or "Ben" in each or "Cid" in each for each in lines[1:]) == 3


def test_dice_rolled_last_are_marked():
    """CH-2.1: one can see which dice were rolled again."""
    lines = text(SCREEN.board(scene(), Size(80, 12), UNICODE))
    assert lines[4].split() == ["↑"] * 3
    assert lines[4].rindex("↑") < 24


def test_only_dice_rolled_last_tumble():
    """Those set aside lie still while the others roll; the best sets wait until all lie."""
    still = text(SCREEN.board(scene(), Size(80, 12), UNICODE))
    rolling = text(SCREEN.board(scene(rolling=2), Size(80, 12), UNICODE))
    assert rolling[2][26:] == still[2][26:]
    assert rolling[2][:26] != still[2][:26]
    assert any("→" in each for each in still)
    assert not any("→" in each for each in rolling)
    covered = text(SCREEN.board(scene(effects=Effects(veiled={(0, 1)})), Size(80, 12), UNICODE))
    assert not any("→" in each for each in covered), "the sets would tell what is under the cover"
    assert len(rolling) == len(covered) == len(still), "nothing moves when the dice come to light"


def test_the_sets_are_shown_once():
    """Who is asked for a set has the best ones below, not above as well."""
    t = scene().table
    view = type("View", (), {"seat": 0})()
    asked = {0: Score(ROLL, 1)}
    mine = text(SCREEN.board(Scene(t, ("a", "b", "c"), view, asked), Size(80, 12), UNICODE))
    theirs = text(SCREEN.board(Scene(t, ("a", "b", "c"), None, asked), Size(80, 12), UNICODE))
    assert not any("→" in each for each in mine)
    assert any("→" in each for each in theirs)


def test_a_greatest_gift_that_is_demanded_is_said_and_doubles():
    """CH-3.2: the board says so, and every set shows its doubled gift."""
    here = scene()
    before = text(SCREEN.board(here, Size(80, 12), ASCII))
    here.table.demanded = True
    after = text(SCREEN.board(here, Size(80, 12), ASCII))
    assert "counts double" in after[0]
    gifts = [[int(each[1:]) for each in " ".join(b).split() if each[0] == ">" and each[1:]]
             for b in (before[5:7], after[5:7])]  # fmt: skip
    assert gifts[1] == [2 * gift for gift in gifts[0]]


def test_dice_roll_before_one_rolls_again_or_scores():
    """CH-2.1, CH-3.2: nothing rolls on the screen of who may demand."""
    assert SCREEN.rolls(Reroll(ROLL, 1))
    assert SCREEN.rolls(Score(ROLL, 1))
    assert not SCREEN.rolls(Demand(0, ROLL, 1))


def test_options_show_dice_sets_and_words():
    """A die and a set are drawn; everything else is said."""
    die = SCREEN.option(scene(), Option(0, Phrase("die", {"die": (5, 0)})), UNICODE)
    assert plain(die) == "[5R▲]"
    values = {"dice": ((5, 0), (5, 1)), "points": 10, "bonus": 0, "gift": 7}
    found = SCREEN.option(scene(), Option(3, Phrase("set", values)), ASCII)
    assert plain(found) == "5R^ 5Yo 10 >7"
    assert plain(SCREEN.option(scene(), Option(0, Phrase("wait")), UNICODE)) == "not now"


def test_the_breakdown_adds_up_to_the_score():
    """CH-4.2: dice, bonuses, received and charity are the score."""
    t = new_table(2)
    t.points, t.bonuses, t.received, t.given = [[9], [8]], [[15], [0]], [[3], [4]], [[4], [3]]
    t.charity, t.scores = [20, 0], [47, 12]
    found = SCREEN.breakdown(Scene(t, ("Ann", "Ben")))
    assert [sum(each) for each in found.points] == t.scores
    assert len(found.sources) == 4


def test_what_decides_is_what_brings_points():
    """Sets and gifts weigh what they bring, all else nothing."""
    brings = {"seat": 0, "dice": (), "points": 10, "bonus": 15}
    assert weight(Phrase("scores-set", brings)) == 25
    assert weight(Phrase("gives", {"seat": 0, "other": 1, "gift": 24})) == 24
    assert weight(Phrase("round", {"number": 1})) == 0


def test_the_screen_is_found_by_the_name_of_the_game():
    """Nothing else knows which screen is whose."""
    assert screen_of(GAME.name) is SCREEN
