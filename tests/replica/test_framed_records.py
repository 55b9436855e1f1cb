"""Attempts to make ``lanplay verify`` accuse who is honest, or nobody where somebody was named."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay_protocol.errors import Code
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import MOVE, SignedMessage, complain
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.fuzz import Drawn
from tests.byzantine.stand_ins import installed
from tests.replica.harness import Table, identity, roster
from tests.replica.test_audit import moved, record_of
from tests.replica.test_bounded_work import unreadable
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, HONEST, VICTIM, bring, level
from tests.replica.test_framed import complaint_about

GAME = load("dice-town")


def phase_on(table, by=4):
    """Let the honest play on for some phases."""
    after = table.replicas[0].transcript.number + by
    table.run(lambda t: all(t.replicas[p].transcript.number > after for p in HONEST), seconds=60)


@pytest.mark.parametrize("place", [(500, 0), (0, 1 << 20), (1 << 20, 1 << 20)])
def test_a_message_that_nobody_has_signed_accuses_nobody(place):
    """It is of a view, or a phase, so far ahead that nobody would keep it: nobody checks its
    signature either, and it is no more than what somebody wrote into a file."""
    table = begun(4, seed=b"unsigned")
    level(table)
    view, ahead = place

    def forge(phases):
        said = [move for moves in phases[SETUP:] for move in moves if move[0] == VICTIM]
        said[-1][1:] = [said[-1][1] + ahead, view, b"\x90", bytes(64)]

    finding = check_record(GAME, moved(record_of(table), forge)).finding
    assert finding is not None
    assert finding.peer is None


@pytest.mark.parametrize("kind", ["forged", "nothing", "early"])
def test_a_false_complaint_convicts_its_author_in_the_record_too(kind):
    """What all convicted it for while they played is what ``verify`` says."""
    table = begun(4, seed=b"complains")
    level(table)
    if kind == "nothing":
        made = complaint_about(table, CommitPhase)
    else:
        number = 2 if kind == "forged" else 0
        forged = SignedMessage(MOVE, VICTIM, number, 0, b"\x90", bytes(64))
        made = complain(CHEAT, forged, bytes(96), table.identity(CHEAT), table.roster)
    bring(table, "complaint", made.plain())
    phase_on(table)
    assert all(table.accused(p) == {(CHEAT, Code.FALSE_CLAIM)} for p in HONEST)
    for peer in HONEST:
        finding = check_record(GAME, record_of(table, peer)).finding
        assert finding is not None
        assert (finding.peer, finding.code) == (CHEAT, Code.FALSE_CLAIM)


def old(nonce):
    """A game of protocol 2 that has begun, and what keeps it apart from others of these people."""
    peers = tuple(replace(peer, nonce=nonce) for peer in roster(3).peers)
    table = Table(replace(roster(3), protocol=2, peers=peers), seed=b"old")
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number > SETUP + 9, seconds=3000)
    return table


def test_a_complaint_of_another_old_game_convicts_nobody():
    """Those of protocol 2 name no game: what somebody once said with reason of a message there is
    put into the record of a game in which that message has another body."""
    with installed():
        here, there = old(b"a" * 16), old(b"b" * 16)
        said = complain(0, there.replicas[0].moves[2][2], bytes(96), identity(0), there.roster)
        record = record_of(here)
        extra = {**record.extra, "complaints": (said.plain(),)}
        assert check_record(GAME, replace(record, extra=extra)).finding is None


def test_who_has_signed_a_view_that_nobody_can_read_is_named():
    """No version ever signed such a status; a record that has one was called altered."""
    table = begun(4, seed=b"unread")
    level(table)
    table.kill(3)
    table.run(lambda t: all(t.replicas[p].begun for p in (0, VICTIM, CHEAT)), seconds=60)
    phase_on(table)
    record = record_of(table)
    (view,) = record.extra["views"]
    said = tuple(unreadable(table, 9).plain() if each[0] == CHEAT else each for each in view)
    finding = check_record(GAME, replace(record, extra={**record.extra, "views": (said,)})).finding
    assert finding is not None
    assert (finding.peer, finding.code) == (CHEAT, Code.MALFORMED)


@pytest.fixture(scope="module")
def eventful():
    """A record with several views, one of which went back, and all that anybody has ever signed."""
    with installed():
        settings = TableSettings(grace=3)
        game = load("charidice")
        table = Table(roster(4, game=game, settings=settings), seed=b"eventful1")
        table.start()
        for turn in range(9):
            peer, other = turn % 4, (turn + 1) % 4
            goal, views = 8 + 5 * turn, len(table.replicas[other].begun)
            table.run(lambda t, n=goal: t.replicas[0].transcript.number >= n, seconds=900)
            for _ in range(turn):  # in the middle of a phase, now here, now there
                table._deliver()
            table.disconnect(*table.pairs(peer))
            table.run(
                lambda t, o=other, v=views: len(t.replicas[o].begun) > v,
                seconds=20,
            )
            table.connect(*table.pairs(peer))
        table.run(seconds=900)
        assert table.is_over()
        record = record_of(table)
        said = [s for r in table.replicas for s in r._exchange.signed.values()]
        counted = {s.key for moves in table.replicas[0].moves for s in moves.values()}
        beside = [s for s in said if s.key not in counted]
        assert len(record.extra["views"]) > 4
        assert sum(s.kind == MOVE for s in beside) > 2
        yield game, record, said, beside


def rewritten(record, said, beside, draws):
    """The record with some of its statements taken out, changed for others, or put elsewhere."""
    extra = {name: list(record.extra[name]) for name in ("evidence", "views")}
    moves = [list(phase) for phase in record.extra["moves"]]
    for _ in range(1 + draws.below(3)):
        some = draws.pick(beside if draws.below(2) else said)
        at = draws.below(len(moves)) if draws.below(3) else min(some.phase, len(moves) - 1)
        way = draws.below(7)
        if way == 0:
            moves[at] = [m for m in moves[at] if m[0] != some.sender] + [some.plain()]
        elif way == 1:
            moves[at].insert(0, some.plain())
        elif way == 2:
            del moves[at][draws.below(len(moves[at]) or 1) :]
        elif way == 3:
            extra["evidence"].append((some.kind, some.plain()))
        elif way == 4:
            del extra["views"][draws.below(len(extra["views"]))]
        elif way == 5:
            extra["views"].insert(draws.below(len(extra["views"])), (some.plain(),))
        else:
            moves[at : at + 1] = []
        if not extra["views"] or not all(moves):
            break
    new = {name: tuple(value) for name, value in extra.items()}
    made = {**record.extra, **new, "moves": tuple(map(tuple, moves))}
    return replace(record, extra=made)


def test_no_record_made_of_what_honest_peers_have_signed_accuses_one(eventful):
    """Messages of lines that were left, of other views, twice, elsewhere, and views left out: what
    is true of nobody is altered at most."""
    game, record, said, beside = eventful
    told = Counter()
    with installed():
        assert check_record(game, record).finding is None
        for number in range(70):
            made = rewritten(record, said, beside, Drawn(number))
            finding = check_record(game, made).finding
            told[None if finding is None else finding.text] += 1
            assert finding is None or finding.peer is None, (number, finding)
    assert told[None] > 3
    assert len(told) > 3
