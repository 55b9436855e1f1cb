"""What a program asks its person, and what it does with peers that send nonsense."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from lanplay.games.dice_town.questions import Winner
from lanplay.told import worded
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import AnswerNeeded, SeatReassigned
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.shell.node import PeerMessage
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.wire import encode
from tests.replica.harness import Table, identity, roster
from tests.shell.test_links import Node

SEAT = 1
ONE, OTHER = Winner((0, 1)), Winner((1, 2))


class Person:
    """Thinks about every question for ever; ``mind`` is what it thinks about now, by seat."""

    def __init__(self):
        self.mind = {}
        self.asked = []

    def notice(self, text):
        pass

    def changed(self):
        pass

    happened = notice

    async def answer(self, seat, view, question, bot):
        self.asked.append(question)
        self.view = view
        self.mind.setdefault(seat, []).append(question)
        try:
            await trio.sleep_forever()
        finally:
            self.mind[seat].remove(question)


@pytest.fixture
def playing(nursery):
    """Peer 1 of a game of three that has begun, with a person that never answers."""
    table = Table(roster(3), seed=b"ask")
    table.start()
    table.run(lambda t: t.replicas[1].transcript.number > 10 and t.replicas[1].asked(1))
    node = Node()
    node.events, node.closed = None, []
    node.close = lambda to, error: node.closed.append((to, error.code))
    play = GameRunner(node, table.replicas[1], table.roster, {}, Person())
    play._nursery = nursery
    play.node = node
    return play


async def asked(play, *events):
    for event in events:
        play._handle(event)
    await trio.testing.wait_all_tasks_blocked()
    return play._player.mind.get(SEAT, [])


async def test_a_question_that_replaces_another_is_the_only_one(playing):
    """The game has gone another way: what was asked before is not asked any more."""
    assert await asked(playing, AnswerNeeded(SEAT, ONE, "")) == [ONE]
    assert await asked(playing, AnswerNeeded(SEAT, OTHER, "")) == [OTHER]


async def test_a_question_that_is_asked_already_is_not_asked_again(playing):
    """The person goes on thinking where it was."""
    assert await asked(playing, AnswerNeeded(SEAT, ONE, ""), AnswerNeeded(SEAT, ONE, "")) == [ONE]
    assert playing._player.asked == [ONE]


@pytest.mark.parametrize("late", [False, True])
async def test_an_answer_on_its_way_is_of_the_question_that_was_asked(playing, late):
    """A view may begin while it is, as this laptop's person no longer wants to wait: the same seat
    is asked something else then."""
    given = []
    playing._replica.asked, playing._step = lambda seat: ONE, given.append

    async def answer(*of):
        return 7

    playing._player.answer = answer
    playing._handle(AnswerNeeded(SEAT, ONE, ""))
    item = await playing._inbox.receive()
    if late:
        playing._player.answer = Person().answer
        playing._handle(AnswerNeeded(SEAT, OTHER, ""))
    playing._take(item)
    assert given == ([] if late else [inputs.Answered(SEAT, 7)])
    assert (SEAT in playing._asking) == late


async def test_no_answer_is_taken_for_another_question_that_nobody_was_asked_yet(playing):
    """Who has joined an attempt follows the game, and asks nobody before its view has begun."""
    given = []
    playing._replica.asked, playing._step = lambda seat: OTHER, given.append

    async def answer(*of):
        return 7

    playing._player.answer = answer
    playing._handle(AnswerNeeded(SEAT, ONE, ""))
    playing._take(await playing._inbox.receive())
    assert given == []


async def test_who_is_asked_the_same_on_another_line_of_the_game_sees_that_line(playing):
    """A view may go back, and come by the same question: with other dice, maybe."""
    replica = playing._replica
    assert replica.asked(SEAT)
    await asked(playing, AnswerNeeded(SEAT, replica.asked(SEAT), ""))
    before = playing._player.view
    assert before is replica.views[SEAT]
    replica.line.rewind(replica.transcript.number - 3, 0)
    playing._step(inputs.Nudged())
    assert len(await asked(playing)) == 1
    assert replica.views[SEAT] is not before
    assert playing._player.view is replica.views[SEAT]


async def test_nobody_is_asked_for_a_seat_that_another_laptop_has_by_now(playing):
    """Its AI answers there; while the seat stays here, the person is still asked."""
    await asked(playing, AnswerNeeded(SEAT, ONE, ""))
    assert await asked(playing, SeatReassigned(SEAT, Holder(1))) == [ONE]
    assert await asked(playing, SeatReassigned(0, Holder(2, "casual"))) == [ONE]
    assert await asked(playing, SeatReassigned(SEAT, Holder(2, "casual"))) == []
    assert await asked(playing, AnswerNeeded(SEAT, ONE, "")) == [ONE]


@pytest.mark.parametrize("body", [b"\xc1", encode(("nope", 0)), encode(("want", "x")), b""])
async def test_a_peer_that_sends_what_no_honest_program_sends_is_closed(playing, body):
    """It is told why, and its person's table is told whose connection was closed."""
    told = []
    playing._player.notice = told.append
    playing._take(PeerMessage(identity(2).public, body))
    assert [to for to, _ in playing.node.closed] == [identity(2).public]
    assert "peer 2" in worded(told[0])
    playing._take(PeerMessage(identity(2).public, encode(("want", (0, 0, bytes(32), (), (), ())))))
    assert len(playing.node.closed) == 1
