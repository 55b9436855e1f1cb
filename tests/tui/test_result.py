"""The end of a game in words and figures: who won stands first, and what decided it in order."""

from __future__ import annotations

from types import SimpleNamespace

import trio

from lanplay.engine.game import Result
from lanplay.engine.question import Phrase
from lanplay.games import NAMES, load
from lanplay.games.dogs_life.town import TOWN
from lanplay.tui.cells import plain
from lanplay.tui.glyphs import UNICODE
from lanplay.tui.screens.result import score_table
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.moments import MOMENTS, ahead, decided, decisive, titled
from lanplay.ui.scene import Scene
from lanplay.ui.story import told_events
from tests.fliptown.script import new_table
from tests.games.test_review import played
from tests.tui.harness import sitting

ARTIST = SimpleNamespace(
    glyphs=UNICODE,
    word=lambda message: message.id,
)


def listed(scores, winners):
    """The names of the score table from top to bottom."""
    names = [f"name{seat}" for seat in range(len(scores))]
    breakdown = Breakdown(("all",), tuple((score,) for score in scores), ())
    rows = score_table(names, breakdown, Result(scores, winners), ARTIST, 80)
    return [int(plain(row).split("name")[1][0]) for row in rows[1:]]


def test_who_won_stands_first_and_then_the_best():
    """Of equal scores a tie-break may have made the later seat the winner; none may have won."""
    assert listed((3, 9, 5), (1,)) == [1, 2, 0]
    assert listed((7, 7, 9), (1, 0)) == [0, 1, 2]
    assert listed((8, 8, 2), (1,)) == [1, 0, 2]
    assert listed((1, 4, 4), ()) == [1, 2, 0]


def test_what_decided_a_game_is_told_in_the_order_of_play():
    """The events that moved most points, the earlier of equal ones, and none that moved none."""
    points = [0, 5, 1, 9, 0, 3, 5, 2, 7]
    events = [(at, Phrase(f"event {at}", {"points": each})) for at, each in enumerate(points)]
    found = decisive(events, lambda message: message.values["points"])
    assert [place for place, _ in found] == [1, 3, 5, 6, 8]
    assert len(found) == MOMENTS
    few = decisive(events[:3], lambda message: message.values["points"])
    assert [place for place, _ in few] == [1, 2]


def test_a_loss_does_not_win_and_what_a_winner_got_counts_twice():
    """Being fined last is no winning move; of equal gains the winner's are named before others'."""
    gained = [Phrase("gains", {"seat": seat, "points": 5}) for seat in (0, 1)]
    fined = Phrase("fined", {"seat": 1, "points": -9})
    events = [(1, gained[0]), (2, gained[1]), (3, fined)]
    found = decisive(events, lambda event: event.values["points"], winners=(1,))
    assert [number for number, _event in found] == [1, 2, 3]
    many = [(n, Phrase(f"e{n}", {"seat": n % 2, "points": 5})) for n in range(20)]
    named = decisive(many, lambda event: event.values["points"], winners=(1,))
    assert all(event.values["seat"] == 1 for _number, event in named)


def test_by_how_much_and_by_what_a_game_was_won():
    """The source that made most of the difference to the second; nothing where nobody is ahead."""
    breakdown = Breakdown(("Mine", "Claims"), ((2, 30), (9, 10)))
    told = ahead(("Ann", "Bo"), Result((32, 19), (0,)), breakdown)
    assert told == "Ann is 13 ahead of Bo, by this above all: Claims, 30 against 10."
    assert ahead(("Ann", "Bo"), Result((19, 19), (0,)), breakdown) == ""
    assert ahead(("Ann", "Bo"), Result((19, 19), (0, 1)), breakdown) == ""


def test_where_points_came_from_is_not_told_of_a_game_that_does_not_say():
    """A game without a screen says it nowhere: the end was none, but a fault, in the browser."""
    assert ahead(("Ann", "Bo"), Result((32, 19), (0,)), Breakdown((), ((), ()))) == ""


def test_the_greatest_robbery_is_told_and_who_did_something_most_often():
    events = [
        (2, Phrase("bank", {"seat": 1, "dollars": 9})),
        (3, Phrase("bank", {"seat": 0, "dollars": 4})),
        (3, Phrase("robs", {"seat": 0, "other": 1, "count": 2})),
        (4, Phrase("robs", {"seat": 0, "other": 1, "count": 1})),
        (4, Phrase("badge", {"seat": 0})),
    ]
    told = titled("dice-town", events, ("Ann", "Bo"))
    assert told == [
        "The greatest robbery: Bank: Bo takes $9. (round 2)",
        "Most often in the Saloon: Ann (2)",
    ]


async def test_what_a_tie_was_lost_by_stands_above_what_decided_the_game():
    """Two have 31 points, and one of them has won: whoever reads on is told at once why."""
    table = new_table(2)
    for sheet, wanted in zip(table.sheets, (9, 14), strict=True):
        sheet.stars, sheet.wanted = 30, wanted
    table.scores = [31, 31]
    async with sitting() as person, trio.open_nursery() as nursery:
        shown = person.table(("Ann", "Bo"), load("fliptown"))
        shown.sees(lambda: Scene(table, ("Ann", "Bo")))
        nursery.start_soon(shown.over, Result((31, 31), (0,)), False, None)
        await person.press()
        lost, decides = "but more WANTED: 14 against 9", "What decided it"
        assert 0 < person.text().find(lost) < person.text().find(decides)
        nursery.cancel_scope.cancel()


def test_the_best_set_is_the_one_that_brought_most_with_its_bonus():
    """Four sixes bring 24 points and 15: they beat five dice of 24 points that came before."""
    dice = {"seat": 0, "dice": ((6, 0), (6, 1), (6, 2), (6, 3)), "points": 24}
    events = [(2, Phrase("scores-set", {**dice, "bonus": 0}))]
    events.append((4, Phrase("scores-set", {**dice, "bonus": 15})))
    (told,) = titled("charidice", events, ("Ann", "Bo"))
    assert told.startswith("The best set: Ann scores ")
    assert told.endswith("24 points, and 15 as a bonus. (round 4)")


def test_what_decided_a_game_names_the_place_that_brought_it():
    """A gain is told after the last event of its seat that may have brought it, in that round."""
    of = {"seat": 0}
    events = [
        (1, Phrase("robs", {**of, "value": 12, "card": 3})),
        (1, Phrase("visits", {"seat": 1, "site": 0})),
        (1, Phrase("gains-stars", {**of, "amount": 8})),
        (1, Phrase("settles", {"seat": 1, "amount": 8})),
    ]
    (_one, robbed), (_other, bought) = decided("fliptown", events, ("Ann", "Bo"))
    assert robbed.startswith("Ann robs target Q")
    assert robbed.endswith("Ann gains 8 stars.")
    assert bought == "Bo buys land: 8 stars."
    dogs = [
        (2, Phrase("fights", {"seat": 1, "other": 0, "own": 5, "its": 3})),
        (2, Phrase("beaten", of)),
    ]
    ((_round, beaten),) = decided("dogs-life", dogs, ("Ann", "Bo"))
    assert beaten.startswith("Bo attacks: Ann. Paws: 5 against 3; whoever has fewer loses. Ann ")
    bones = [
        (2, Phrase("searches", {**of, "place": 0})),
        (5, Phrase("delivers", {**of, "address": 3, "place": TOWN.addresses[3]})),
        (5, Phrase("gets-bone", of)),
    ]
    assert decided("dogs-life", bones, ("Ann", "Bo"))[0][1].startswith("Ann delivers")


def test_no_gain_stands_in_what_decided_a_game_without_its_cause():
    """In whole games stars, cash and bones come from somewhere."""
    for game in NAMES:
        rules, record, result = played(game)
        events, _replay = told_events(rules, record)
        for _round, text in decided(game, events, record.header.seats, result.winners):
            first = text.partition(". ")[0]
            assert not any(each in first for each in ("gains", "gets a bone")), text
