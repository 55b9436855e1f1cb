"""The referee takes no face that there is not, whoever names it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.engine.game import Game
from lanplay.engine.record import Header, Record, RecordError
from lanplay.engine.referee import Referee, RulesError
from lanplay.engine.replay import Replay
from lanplay.engine.requests import OpenRoll, Show, Uncover
from lanplay.engine.table import Table
from tests.games import liars_dice

CARDS = 4
SIDES = 3


class Shown:
    """A game of one request, whose answer stays on its table."""

    name, seats, options, cards, cup = "shown", range(1, 3), {}, CARDS, 5

    def __init__(self, request):
        self.request = request

    def plays(self, rules):
        return rules == b""

    def table(self, seats, options, start=None):
        return Table(seats)

    def rules(self, table):
        table.round = 1
        yield self.request


REQUESTS = [
    (Uncover({1: (0, 4)}), 6, lambda referee, faces: referee.uncovered({1: faces})),
    (OpenRoll((1,), 2, SIDES), SIDES, lambda referee, faces: referee.rolled(faces)),
    (Show([2, 3]), CARDS, lambda referee, faces: referee.shown(faces)),
]


def opened(request):
    game = Shown(request)
    return Referee(game, game.table(2, {}))


@pytest.mark.parametrize(("request_", "limit", "answer"), REQUESTS)
def test_every_face_that_there_is_may_come(request_, limit, answer):
    """From 0 to one below the sides of the die, or the cards of the game."""
    for face in range(limit):
        referee = opened(request_)
        answer(referee, (face, 0))
        assert referee.request is None
        assert len(referee.history) == 1


@pytest.mark.parametrize(("request_", "limit", "answer"), REQUESTS)
@pytest.mark.parametrize("wrong", ["limit", -1, 2**64, True, 1.0, "1", None, (1,)])
@pytest.mark.parametrize("place", [0, 1])
def test_no_other_face_comes_in(request_, limit, answer, wrong, place):
    """It is refused at any place; nothing is written down, and the question stays."""
    face = limit if wrong == "limit" else wrong
    faces = (0, face) if place else (face, 0)
    referee = opened(request_)
    with pytest.raises(ValueError, match="are not 2 faces below"):
        answer(referee, faces)
    assert referee.history == []
    assert referee.request is request_
    assert not referee.table.faces
    entry = (faces,) if isinstance(request_, Uncover) else faces
    record = Record(Header("shown", {}, ("a", "b")), (entry,), b"", finished=True)
    with pytest.raises(RecordError):
        Replay(Shown(request_), record).run()


@pytest.mark.parametrize(("request_", "limit", "answer"), REQUESTS)
@pytest.mark.parametrize("faces", [(), (0,), (0, 0, 0)])
def test_as_many_faces_come_as_were_asked_for(request_, limit, answer, faces):
    """Neither fewer nor more."""
    referee = opened(request_)
    with pytest.raises(ValueError, match="are not 2 faces below"):
        answer(referee, faces)
    assert referee.history == []


def test_more_dice_than_a_cup_holds_are_a_fault_of_the_rules():
    """The manifest says how many lie under one cup; more of them are refused on every driver."""
    manifest = replace(liars_dice.MANIFEST, cup=6)
    Referee(Game(manifest), rolled(6)).go_on(None)
    with pytest.raises(RulesError, match="7 dice are rolled under a cup that holds 6"):
        Referee(Game(manifest), rolled(7)).go_on(None)


def rolled(dice):
    return liars_dice.GAME.table(2, {"dice": str(dice)})
