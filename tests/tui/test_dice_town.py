"""The table of Dice Town: what is drawn is what the rules say lies there, and no more."""

from __future__ import annotations

import pytest

from lanplay.engine.question import Option, Phrase
from lanplay.games.dice_town.ending import sources
from lanplay.games.dice_town.questions import Keep
from lanplay.games.dice_town.summary import weight
from lanplay.tui.cells import Size, plain
from lanplay.tui.games import screen_of
from lanplay.tui.games.dice_town import SCREEN
from lanplay.tui.games.wordy import Wordy
from lanplay.tui.glyphs import UNICODE
from lanplay.ui.games.dice_town import score_now
from tests.tui.harness import NAMES, game_of, position, scene_of

ROOMY, TIGHT = Size(100, 30), Size(80, 11)


def board(played, size=ROOMY, view=None):
    lines = SCREEN.board(scene_of(played, view), size, UNICODE)
    return "\n".join(plain(spans).rstrip() for spans in lines)


@pytest.fixture
def played():
    """A game of four at its first question."""
    return position("keep")[0]


def test_all_eight_locations_have_their_stakes(played):
    """Mine, Bank, Stagecoach, Store, Saloon, Sheriff, Town Hall and the Doc lie open."""
    t = played.table
    t.bank, t.coach, t.mine = 17, 9, 23
    shown = board(played)
    for text in ("Gold Mine", "General Store", "Saloon", "Doc Badluck", "$17", "$9", "23"):
        assert text in shown
    assert NAMES[t.sheriff] in shown
    assert len(shown.splitlines()) <= ROOMY.rows


def test_who_leads_for_a_location_is_named(played):
    """Most of a face leads, equal numbers are a tie (DT-3.0); the best hand once all dice lie there
    (DT-3.7)."""
    t = played.table
    t.dice = [(0, 0, 1), (0, 0, 2), (1, 1, 1), ()]
    assert f"2x {NAMES[0]}={NAMES[1]}" in board(played)
    assert "2x #1=#2" in board(played, TIGHT)
    assert "3x #3" in board(played, TIGHT)
    t.dice = [(0, 0), (0, 0), (0, 0), (0, 0)]
    assert "2x #1=#2=#3=#4" in board(played), "the names have no room"
    t.dice = [(0, 0, 1, 2, 3), (5, 5, 5, 1, 2), (1, 1, 2, 2, 3), (0, 1, 2, 3, 5)]
    assert f"{NAMES[1]} +3A" in board(played)


def test_a_claim_that_is_being_turned_has_no_points_yet(played):
    """Between laying a card and showing it nobody knows its face."""
    played.table.row = [999, *played.table.row[1:]]
    assert "(?)" in board(played)


def test_nobody_sees_more_than_its_view():
    """Hands of others are backs and numbers; an onlooker sees nobody's cup or hand."""
    played, view, _question = position("keep-loot")
    onlooker = board(played)
    assert SCREEN.own(scene_of(played), Size(80, 3), UNICODE) == ()
    other = next(v for v in played.views if v.seat != view.seat)
    for card in (card for card in view.own if card not in played.table.faces):
        assert scene_of(played, other).face(card) == other.own.get(card)
    assert onlooker == board(played, view=None)


def test_the_score_is_what_the_game_would_end_with():
    """The own score counts goods, badge and known cards as the end does (DT-7.2)."""
    played = game_of(5)
    played.run()
    for view in played.views:
        assert score_now(scene_of(played, view)) == sum(sources(played.table, view.seat).values())
    breakdown = SCREEN.breakdown(scene_of(played))
    assert [sum(points) for points in breakdown.points] == played.table.scores


def test_dice_are_faces_with_letters(played):
    """No die is told by its colour alone."""
    shown = [
        plain(SCREEN.option(scene_of(played), Option(0, Phrase("die", {"face": face})), UNICODE))
        for face in range(6)
    ]
    assert shown == ["[ 9]", "[10]", "[ J]", "[ Q]", "[ K]", "[ A]"]
    assert SCREEN.rolls(Keep(5, 8, (), "free"))


def test_events_are_weighed_in_points():
    """What moved most points decided the game: a nugget is one, two dollars are one (DT-7.2)."""
    assert weight(Phrase("mine", {"nuggets": 4})) == 4
    assert weight(Phrase("bank", {"dollars": 6})) == 3
    assert weight(Phrase("hall", {"cards": (19, 43)})) == 6
    assert weight(Phrase("round", {"number": 3})) == 0


def test_a_game_without_a_screen_is_shown_in_words():
    """Every game can be played in the full screen from its first day on."""
    assert screen_of("dice-town") is SCREEN
    played, view, _question = position("keep")
    screen = Wordy("dice-town")
    shown = screen.board(scene_of(played, view), TIGHT, UNICODE)
    assert "Mine 30" in plain(shown[0])
    assert all(len(plain(spans)) <= TIGHT.columns for spans in shown)
    played.run()
    assert screen.breakdown(scene_of(played)).sources == ()


@pytest.mark.parametrize("seats", range(2, 6))
def test_a_large_screen_is_filled(seats):
    """At 200 x 60: dice as large as they fit, and each place says what is to be had there."""
    size = Size(133, 43)
    lines = [plain(each) for each in SCREEN.board(scene_of(game_of(3, seats)), size, UNICODE)]
    assert size.rows - 8 <= len(lines) <= size.rows
    assert "a nugget for each 9" in lines[2]
    assert "decides ties" in " ".join(lines)
