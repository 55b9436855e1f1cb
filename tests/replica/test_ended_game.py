"""Who missed the end has it from the record of anybody who has it, the next day too."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import pairwise

import pytest

from lanplay.games import load
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.ended_game import EndedGame
from lanplay_protocol.replica.key_setup import SETUP, UNNAMED
from lanplay_protocol.replica.messages import (
    MOVE,
    START,
    STATUS,
    Past,
    PhaseMessage,
    StatusMessage,
    complain,
    read,
    sign,
)
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.archive import WEEK, Archive, asking
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import identity, received
from tests.replica.test_audit import flip, record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring
from tests.replica.test_finals import GAME, lying, near_the_end, without_a_final


def ended(grace=20):
    """A table whose last peer was away as the others came to the end, in a view without it."""
    table = without_a_final(grace)
    table.run(lambda t: all(t.replicas[p].over for p in range(2)), seconds=100)
    assert not table.replicas[2].over
    return table


def alone(table, peer=2):
    """Start a program again on another day: nobody of its game runs any more."""
    replica = table.replica(peer)
    for other in range(len(table.replicas)):
        if other != peer:
            replica.step(inputs.LinkDown(other), 0.0)
    replica.step(inputs.Restored(table.kept(peer)), 0.0)
    return replica


def shown(replica, answer, seconds=30):
    """Link a replica to somebody who only answers from a record."""
    waiting = list(replica.step(inputs.LinkUp(0), 1.0).send)
    now = 1.0
    for _ in range(seconds * 4):
        now += 0.5
        for envelope in waiting:
            for body in answer(envelope.body) or ():
                waiting += replica.step(received(0, body), now).send
        waiting = list(replica.step(inputs.Ticked(), now).send)
        if replica.over:
            return True
    return False


def kept(folder):
    """Return a table that has ended, the archive that keeps it for one who missed that, and the
    list of what its clock shows."""
    table = near_the_end()
    table.run(seconds=60)
    now = [folder.stat().st_mtime]
    archive = Archive(folder, lambda: now[0])
    archive.keep(record_of(table), missed=True)
    return table, archive, now


def test_who_missed_the_end_has_it_from_a_record():
    """It checks all of it itself, ends with the same state, and its own record is whole."""
    table = ended()
    game = EndedGame(record_of(table).extra)
    replica = alone(table)

    def answer(body):
        kind, payload = decode(body)
        return [game.here, *game.answer(payload)] if kind == "want" else [game.here]

    assert shown(replica, answer)
    assert replica.result == table.replicas[0].result
    table.replicas[2] = replica
    assert check_record(GAME, record_of(table, 2)).ended


def test_who_missed_the_end_learns_who_was_convicted():
    table = lying(lambda to, move: replace(move, state=flip(move.state)), peers=4)
    table.disks[1] = table.disks[1][:-6]
    replica = alone(table, 1)
    assert not replica.over
    game = EndedGame(record_of(table).extra)
    assert shown(replica, lambda body: said(game, body))
    assert set(replica.convicted) == {3}


@pytest.mark.parametrize("kind", ["move", "complaint"])
def test_who_missed_the_end_learns_who_lied_after_it(kind):
    """No view and no final names that: it is told with the rest of the game, from wherever on that
    is asked for."""
    liar, late, there = 3, 1, (0, 2)
    table = near_the_end(peers=4)
    before = table.disks[late][:-3]
    table.run(seconds=60)
    judge = table.replicas[0]
    if kind == "move":
        said_before = read(judge.moves[SETUP - 1][liar])
        other = replace(said_before, state=bytes(32))
        lie = sign(other, identity(liar), judge.context.game_id)
    else:
        true = judge.moves[UNNAMED][late]
        lie = complain(liar, true, b"", identity(liar), table.roster)
    bring(table, kind, lie.plain(), there, liar)
    assert [set(table.replicas[p].convicted) for p in there] == [{liar}] * 2
    table.disks[late] = before
    replica, game = alone(table, late), EndedGame(record_of(table).extra)
    assert not replica.over
    assert shown(replica, lambda body: said(game, body))
    assert set(replica.convicted) == {liar}


@pytest.mark.parametrize("lag", [5, 60])
def test_who_missed_the_end_learns_who_lied_for_a_phase_far_beyond_it(lag):
    """Who still has to go over many phases keeps nothing of so far ahead: it is told at the end."""
    liar, late, there = 3, 1, (0, 2)
    table = near_the_end(peers=4)
    table.run(seconds=60)
    judge = table.replicas[0]
    number, first = judge.transcript.number, read(judge.moves[SETUP - 1][liar])
    for state in (bytes(32), bytes([1]) * 32):
        lie = replace(first, phase=number + 20, state=state)
        lie = sign(lie, identity(liar), judge.context.game_id)
        bring(table, MOVE, lie.plain(), there, liar)
    assert [set(table.replicas[p].convicted) for p in there] == [{liar}] * 2
    kept = table.kept(late)
    end = next(n for n, (kind, e) in enumerate(kept) if kind == MOVE and e[1] == number - lag)
    table.disks[late] = [(kept[:end], True)]
    replica, game = alone(table, late), EndedGame(record_of(table).extra)
    assert shown(replica, lambda body: said(game, body))
    assert set(replica.convicted) == {liar}


def said(game, body):
    kind, payload = decode(body)
    return [game.here, *game.answer(payload)] if kind == "want" else [game.here]


LIAR, LOST, REST = 3, 4, (0, 1, 2)


def without_two():
    """A table of five at which three play on without one that is lost, and a liar."""
    table = begun(5, seed=b"archive", settings=TableSettings(grace=5))
    table.kill(LOST)
    table.kill(LIAR)
    on(table, lambda line: line.members == {*REST})
    return table


def on(table, there):
    table.run(lambda t: all(there(t.replicas[p].transcript) for p in REST), seconds=100)


def asks_back(table, at, past, leads):
    """Let the liar ask back from below the others, who ask for the pasts that lead there; tell
    whether it was let back."""
    on(table, lambda line: line.number > at[1] + 1)
    game = table.replicas[0].context.game_id
    back = StatusMessage(LIAR, table.replicas[0].transcript.view + 1, (*REST, LIAR), at, past, ())
    for peer in REST:
        table.step(peer, inputs.LinkUp(LIAR))
        table.step(peer, inputs.SkipWait(LIAR))  # nobody waits for its person
        bring(table, STATUS, sign(back, identity(LIAR), game).plain(), (peer,), LIAR)
        for each in leads:
            bring(table, "past", each.plain(), (peer,), LIAR)

    def is_back(t):
        return any(LIAR in view.back for view in t.replicas[0].begun)

    table.run(is_back, seconds=60)
    return is_back(table)


def ends(table, restarted=False):
    """Play to the end; return whom records convict, and whether one of them shows it to the lost
    peer. Who shows its record may be ``restarted`` before."""
    table.run(lambda t: all(t.replicas[p].over for p in REST), seconds=900)
    if restarted:
        table.replicas[0] = alone(table, 0)
    found = [check_record(load(table.roster.game), record_of(table, p)).finding for p in REST]
    game = EndedGame(record_of(table).extra)
    named = [each and each.peer for each in found]
    return named, shown(alone(table, LOST), lambda body: said(game, body))


@pytest.mark.parametrize("restarted", [False, True])
def test_whoever_missed_the_end_is_shown_where_those_stood_that_began_the_views(restarted):
    """A liar that is out asks back from a place below the others', that hangs on a phase in which
    nobody said anything: no statement shows it, and no record had it, as nothing counts there, nor
    the journal of whoever is restarted before it shows its record."""
    table = without_two()
    (view, number), here = table.replicas[0].transcript.at, table.replicas[0].transcript.past.hash
    silent = Past(MOVE, here)
    assert asks_back(table, (view, number + 2), Past(MOVE, silent.hash), [silent])
    assert ends(table, restarted) == ([None] * 3, True)


def test_a_status_with_a_past_without_names_keeps_nobody_from_the_end():
    """It showed under its hash what no statement shows, and what records left out as shown."""
    table = without_two()
    (view, number), here = table.replicas[0].transcript.at, table.replicas[0].transcript.past.hash
    silent = Past(MOVE, here)
    assert not asks_back(table, (view, number + 1), Past(START, silent.hash), [silent])
    assert ends(table) == ([LIAR] * 3, True)


def test_a_past_with_false_names_under_a_true_hash_keeps_nobody_from_the_end():
    """A hash has no signatures in it: the liar names the past that leads to where it stood once
    more, with a false one, and is convicted by that. The record holds that message, and had left
    the true past out as shown."""
    table = without_two()
    on(table, lambda line: line.number > 40)
    line = table.replicas[0].transcript
    passed = [line.followed[past] for past in [*line.line][5:-1] if past in line.followed]
    before, last = next(
        (one, two)
        for one, two in pairwise(passed)
        if one.kind == two.kind == MOVE
        and len(one.refs) > 1
        and line.place(one.before)[0] == line.view
    )
    nowhere, at = replace(before, refs=before.refs[1:]), line.place(last.hash)
    there = replace(last, before=nowhere.hash)
    assert asks_back(table, at, there, [nowhere, there])
    forged = replace(nowhere.refs[0], signature=flip(nowhere.refs[0].signature))
    spoiled = replace(nowhere, refs=(forged, *nowhere.refs[1:]))
    assert spoiled.hash == nowhere.hash
    lie = PhaseMessage(LIAR, at[1] - 1, 60, spoiled, bytes(32), ())
    lie = sign(lie, identity(LIAR), table.replicas[0].context.game_id)
    bring(table, MOVE, lie.plain(), REST, LIAR)
    assert ends(table) == ([LIAR] * 3, True)


def test_a_past_without_names_hides_no_true_one_in_a_record():
    """A liar's first message may name any hash, as if nothing had been before."""
    table = near_the_end()
    table.run(seconds=60)
    extra, past = record_of(table).extra, read(table.replicas[0].moves[SETUP][0]).past
    odd = PhaseMessage(2, 0, 0, Past(START, past.hash), bytes(32), ())
    odd = sign(odd, identity(2), table.roster.digest())
    game = EndedGame({**extra, "evidence": ((MOVE, odd.plain()),)})
    answers = game.answer((0, 0, bytes(32), (), (past.hash,), ()))
    assert ("past", past.plain()) in map(decode, answers)


def test_a_false_record_shows_nobody_an_end():
    """Finals that were altered are nobody's word: the game waits on."""
    table = ended()
    extra = dict(record_of(table).extra)
    moves = [list(map(list, phase)) for phase in extra["moves"]]
    last = max(n for n, phase in enumerate(moves) if phase)
    for signed in moves[last]:
        signed[4] = flip(signed[4])
    game = EndedGame({**extra, "moves": tuple(tuple(map(tuple, phase)) for phase in moves)})
    assert not shown(alone(table), lambda body: said(game, body), seconds=5)


def test_an_archive_answers_whose_seat_it_was_and_nobody_else(tmp_path):
    """Found by the hash of the roster; what concerns another table is not for it."""
    table = near_the_end()
    table.run(seconds=60)
    archive, record = Archive(tmp_path), record_of(table)
    archive.keep(record, missed=True)
    ask = asking(table.roster)
    own, stranger = table.roster.peers[1].public, os.urandom(32)
    assert archive.answers(stranger, ask) is None
    assert archive.answers(own, encode(("want", (0, 0, bytes(32), (), (), ())))) is None
    assert [decode(body)[0] for body in archive.answers(own, ask)] == ["here", "bye"]
    answered = archive.answers(own, encode(("want", (0, 0, bytes(32), (), (), ()))))
    assert {decode(body)[0] for body in answered} == {"move", "end", "here"}
    assert archive.answers(own, encode(("presence", ()))) == ()
    assert archive.answers(own, encode(("join", ("x", 1, b"", "")))) is None
    assert archive.answers(own, encode(("want", (0, 0, bytes(32), (), (), ())))) is None
    archive.playing = table.roster.digest()
    assert archive.answers(own, ask) is None


def test_an_archive_shows_for_a_week_and_announces_only_what_was_missed(tmp_path):
    """What is a week older than the newest is deleted."""
    table, archive, now = kept(tmp_path)
    own, ask = table.roster.peers[1].public, asking(table.roster)
    assert [roster.digest() for roster in archive.missed()] == [table.roster.digest()]
    archive.keep(record_of(table), missed=False)
    assert archive.missed() == []
    assert archive.answers(own, ask)
    now[0] += WEEK + 60
    assert archive.answers(own, ask) is None
    newer = tmp_path / "newer.ended"
    newer.touch()
    os.utime(newer, (now[0], now[0]))
    archive.missed()
    assert [*tmp_path.iterdir()] == [newer]


def test_a_clock_that_is_ahead_for_once_costs_nobody_the_end_it_missed(tmp_path):
    """It was deleted at the first look, and gone when the clock was right again."""
    table, archive, now = kept(tmp_path)
    now[0] += 2 * WEEK
    assert archive.missed() == []
    now[0] -= 2 * WEEK
    assert [roster.digest() for roster in archive.missed()] == [table.roster.digest()]


def test_a_game_that_ends_while_the_clock_is_ahead_deletes_none_that_end_later(tmp_path):
    """It was the newest while the clock had been ahead: all others went at the next look."""
    table, archive, now = kept(tmp_path)
    ahead = tmp_path / "ahead.ended"
    ahead.touch()
    os.utime(ahead, (now[0] + 52 * WEEK, now[0] + 52 * WEEK))
    assert [roster.digest() for roster in archive.missed()] == [table.roster.digest()]


def test_a_clock_that_is_set_back_keeps_nobody_from_the_end_it_missed(tmp_path):
    """Whoever had asked often right before heard nothing until the clock had caught up."""
    table, archive, now = kept(tmp_path)
    own, ask = table.roster.peers[1].public, asking(table.roster)
    while archive.answers(own, ask):
        pass
    now[0] -= 3600
    assert archive.answers(own, ask)


@pytest.mark.parametrize("body", [5, (), (1, 2, (), 7), (1 << 60, 0, (), ()), (0, 0, (5,), ())])
def test_a_malformed_question_about_an_end_is_refused(body):
    table = near_the_end()
    table.run(seconds=60)
    with pytest.raises(PeerError):
        EndedGame(record_of(table).extra).answer(body)
