"""A Dog's Life between peers: lots that nobody can choose, newspapers that nobody can peek at."""

from __future__ import annotations

import pytest

from lanplay.engine.record import Record, from_bytes
from lanplay.engine.replay import Replay
from lanplay.games import load
from lanplay.games.dogs_life.actions import DELIVER, STEP
from lanplay.games.dogs_life.questions import Act
from lanplay.games.dogs_life.town import TOWN
from lanplay_protocol.errors import Code
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import OpenAnswers
from lanplay_protocol.replica.events import GameOver, Logged
from tests.dogs_life.plain_bot import PlainBot, answering
from tests.replica import harness

GAME = load("dogs-life")

CHEAT = 2
HONEST = (0, 1)


@pytest.fixture
def table_of(monkeypatch):
    """Make tables of peers in memory, at which plain bots play a game of ten rounds."""
    monkeypatch.setattr(harness, "load", lambda name: GAME)

    def make(peers, seats, seed=b"dogs"):
        roster = harness.roster(peers, seats, game=GAME, rounds="10")
        table = harness.Table(roster, seed=seed)
        table.bots = [PlainBot(seed + b"%d" % seat) for seat in range(seats)]
        return answering(table, table.bots)

    return make


@pytest.mark.parametrize(("peers", "seats"), [(2, 2), (3, 4)])
def test_replicas_agree_after_every_step(table_of, peers, seats):
    """DL-3.2, DL-3.3: all peers go through equal transcripts and states to equal results."""
    table = table_of(peers, seats)
    table.start()
    table.run(seconds=9000)
    assert table.is_over()
    assert len({tuple(table.trace(peer)) for peer in range(peers)}) == 1
    assert len({table.of(peer, GameOver)[0].result for peer in range(peers)}) == 1
    assert not any(table.accused(peer) for peer in range(peers))


def test_no_replica_has_an_address_that_its_seats_have_not_seen(table_of):
    """DL-3.2 d, i: the carrier knows it, and whoever has been where it lies."""
    table = table_of(3, 3, b"peek")
    seen = set()

    def watch(table):
        for replica in table.replicas:
            t = replica.context.referee.table
            for seat, view in replica.context.views.items():
                hidden = {*t.stack, *[c for p in (*t.papers, *t.dropped.values()) for c in p]}
                assert hidden & view.own.keys() <= {*t.known[seat]}
                seen.update(hidden & view.own.keys())
        return False

    table.start()
    table.run(watch, seconds=9000)
    assert table.is_over()
    assert seen


def test_an_action_that_the_rules_refuse_is_named(table_of):
    """DL-3.2: what is not open here and now."""
    table = table_of(3, 3, b"rules")
    tried = []

    def tamper(table, to, move):
        phase = table.replicas[CHEAT].phases[move.phase]
        if not isinstance(phase, OpenAnswers):
            return None
        (question,) = phase.request.questions.values()
        if not isinstance(question, Act):
            return None
        tried.append(question)
        return [harness.parts(move, ((255,),))]

    table.tampers[CHEAT] = tamper
    table.start()
    table.run(lambda t: all(t.accused(peer) for peer in HONEST), seconds=900)
    assert tried
    for peer in HONEST:
        assert table.accused(peer) == {(CHEAT, Code.ILLEGAL_ANSWER)}


def test_the_rest_play_on_when_a_laptop_is_lost(table_of):
    """DL-3.2: in the middle of a game, its last message seen by some; all others end alike."""
    table = table_of(3, 3, b"lost")
    table.kill_at = (1, 40, 1)
    table.start()
    table.run(seconds=9000)
    assert table.plays_on([0, 2])
    assert not table.accused(0) | table.accused(2)


class Liar(PlainBot):
    """Carries newspapers to the next address, and delivers them there."""

    def goals(self, view):
        faces = [view.face(card) for card in view.table.papers[view.seat]]
        return [TOWN.addresses[(face + 1) % 12] for face in faces] or [TOWN.kiosk]

    def answer(self, view, question):
        options = getattr(question, "options", ())
        claims = [code for code in options if code // STEP == DELIVER]
        return claims[0] if claims else super().answer(view, question)


def test_a_newspaper_delivered_elsewhere_names_its_carrier(table_of, monkeypatch):
    """DL-3.2 j: the show that follows exposes it; nothing else happens."""
    table = table_of(3, 3, b"false")
    table.bots[CHEAT] = Liar(b"liar")
    monkeypatch.setattr(Act, "check_own", lambda self, answer, view: None)

    def only_answer(self, view):
        return None if view.seat == CHEAT else (self.options if len(self.options) == 1 else None)

    monkeypatch.setattr(Act, "only_answer", only_answer)
    table.start()
    table.run(lambda t: all(t.accused(peer) for peer in HONEST), seconds=9000)
    told = [event.message.id for event in table.of(0, Logged)]
    assert [table.accused(peer) for peer in HONEST] == [{(CHEAT, Code.FALSE_CLAIM)}] * 2
    assert told[told.index("refuted") - 1] != "delivers"


@pytest.mark.parametrize(("peers", "seats"), [(1, 2), (2, 6)])
def test_a_record_is_verified_and_replayed(table_of, peers, seats):
    """DL-3.2 j, DL-3.3, DL-3.5: every die, card and newspaper shown is checked again from the
    record alone; altered ones are found."""
    table = table_of(peers, seats, b"record")
    table.start()
    table.run(seconds=9000)
    assert table.is_over()
    replica, roster = table.replicas[0], table.roster
    referee = replica.context.referee
    header = roster.header
    state = referee.table.hash()
    made = Record(header, tuple(referee.history), state, finished=True, extra=replica.proof)
    record = from_bytes(made.to_bytes())
    verdict = check_record(GAME, record)
    assert verdict.finding is None
    assert verdict.checked["entropy"] >= 20 * peers
    replay = Replay(GAME, record)
    replay.run()
    assert replay.table.hash() == state
    history = list(record.history)
    history[2] = ((history[2][0] + 1) % seats,)
    altered = Record(header, tuple(history), state, finished=True, extra=replica.proof)
    assert check_record(GAME, altered).finding is not None
