"""What a liar fills, at one peer or at all, keeps nobody from what the others hold."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace

import pytest

from lanplay_protocol.replica import evidence
from lanplay_protocol.replica.allowance import NAMED
from lanplay_protocol.replica.attendance import PACE
from lanplay_protocol.replica.context import OBSERVER
from lanplay_protocol.replica.events import AnswerNeeded
from lanplay_protocol.replica.line import NAMED as BYTES
from lanplay_protocol.replica.messages import (
    BODY,
    COMPLAINT,
    MOVE,
    Past,
    PhaseMessage,
    SignedMessage,
    StatusMessage,
    complain,
    sign,
)
from lanplay_protocol.replica.roster import PEERS
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.spectator import answer
from lanplay_protocol.shell.node import WAITING
from lanplay_protocol.wire import encode
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.harness import identity, roster
from tests.replica.test_bounded_work import at_the_end
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, join, leave, level
from tests.replica.test_false_ends import say, unsigned
from tests.replica.test_far_ahead import status_of
from tests.replica.test_led_astray import CHEAT, deliver, owes, seat_is_lost
from tests.replica.test_led_far_up import thinking
from tests.replica.test_told_anew import by

VICTIM, OTHER, LIAR, SILENT = 0, 1, 2, 4
LONG = 70
"""More names than are asked for at once."""
HONEST = (0, 1, 3)
ALL = (0, 1, 2, 3, 4)


def chain(table, before=bytes(32)):
    """Messages of the cheat, one on the other, each of which names what nobody has."""
    replica, past = table.replicas[OTHER], Past(MOVE, before)
    for n in range(LONG):
        said = PhaseMessage(CHEAT, 4, 20 + n, past, bytes(32), n)
        named = sign(said, identity(CHEAT), replica.context.game_id).ref
        past = Past(MOVE, past.hash, (named,))
        said = PhaseMessage(CHEAT, 5 + n % 30, 100 + n // 30, past, bytes(32), ())
        yield sign(said, identity(CHEAT), replica.context.game_id)


@pytest.mark.longer_games
def test_a_chain_of_names_of_what_is_nowhere_keeps_nobody_from_asking_for_what_another_holds():
    """Messages that hang nowhere are asked about first; they take no more than their author's
    share of the questions."""
    table = begun(3, seed=b"starve")
    level(table)
    table.silent.add(CHEAT)
    leave(table, to=(VICTIM, OTHER))
    table.run(lambda t: all(t.replicas[p].begun for p in (VICTIM, OTHER)), seconds=60)
    for each in chain(table):
        bring(table, "move", each.plain(), (VICTIM,))
    assert not table.replicas[VICTIM].convicted
    assert len(table.replicas[VICTIM].line.lacking()[0]) >= LONG
    assert not seat_is_lost(table)


def test_a_chain_of_names_of_what_is_nowhere_keeps_nobody_from_the_end():
    """The liar's final names evidence that one of two holds: the other has to ask for it."""
    table = unsigned(3, (CHEAT,), b"nowhere")
    for each in chain(table):
        bring(table, "move", each.plain(), (VICTIM,))
    line = table.replicas[OTHER].transcript
    here = line.past, line.state
    junk = say(table, PhaseMessage(CHEAT, line.number, 110, *here, ()), (OTHER,))
    say(table, PhaseMessage(CHEAT, line.number, 0, *here, (junk.key,)), (VICTIM, OTHER))
    table.run(lambda t: t.replicas[VICTIM].over, seconds=60)
    assert table.replicas[OTHER].over
    assert table.replicas[VICTIM].over


@pytest.mark.parametrize("flooded", [False, True])
def test_a_third_final_of_a_liar_with_which_another_has_ended_is_taken(flooded):
    """Two false ones are held, and convict; nothing but the end that the other shows names the
    third. Nor does another end, which the liar shows again and again, take its place."""
    cheat, other = 2, 1
    table = unsigned(3, (cheat,), b"one place")
    line = table.replicas[other].transcript
    number, past, game = line.number, line.past, table.replicas[VICTIM].context.game_id
    nowhere = sign(PhaseMessage(cheat, number, 0, past, bytes(32), ()), identity(cheat), game)
    end, deliver = Past(MOVE, past.hash, (nowhere.ref,)), table._deliver

    def shows():
        if flooded and not table.replicas[VICTIM].over:
            bring(table, "end", end.plain(), (VICTIM,), cheat)

    def delivered():
        deliver()
        shows()

    shows()  # first of all, too
    say(table, PhaseMessage(cheat, number, 0, past, line.state, ()), (other,))
    assert table.replicas[other].over
    for body in (1, 2):
        say(table, PhaseMessage(cheat, number, 0, past, bytes([body]) * 32, ()), (VICTIM,))

    table._deliver = delivered
    table.run(lambda t: t.replicas[VICTIM].over, seconds=30)
    assert table.replicas[VICTIM].over
    assert len({table.replicas[p].transcript.past.hash for p in (VICTIM, other)}) == 1


def complaints(table, count, parts=(), phase=None):
    """Complaints of the liar about itself that nobody can judge: of what hangs nowhere."""
    replica = table.replicas[VICTIM]
    game, far = replica.context.game_id, replica.transcript.number + 30
    said = PhaseMessage(LIAR, phase or far, 50, Past(MOVE, bytes(32), ()), bytes(32), parts)
    accused = sign(said, identity(LIAR), game)
    me = identity(LIAR)
    return [complain(LIAR, accused, n.to_bytes(2, "big"), me, table.roster) for n in range(count)]


def spend_complaints(table):
    """Let the victim hold all complaints that it keeps for the liar; return one more."""
    *made, last = complaints(table, NAMED + 2)
    line = table.replicas[VICTIM].transcript
    for attempt in range(1, 4):
        keys = tuple(sorted(each.key for each in made[(attempt - 1) * 32 : attempt * 32]))
        beside = Past(MOVE, bytes(32), ())
        word = StatusMessage(LIAR, attempt, (VICTIM, LIAR), line.at, beside, (), False, keys)
        say(table, word, (VICTIM,))
    for each in made:
        bring(table, COMPLAINT, each.plain(), (VICTIM,), LIAR)
    bring(table, COMPLAINT, last.plain(), (VICTIM,), LIAR)
    held = table.replicas[VICTIM].line.statements.complaints
    assert len(held) == NAMED + 1
    return COMPLAINT, last


def spend_bytes(table):
    """Let the victim hold all bytes that it keeps for the liar; return one statement more."""
    replica = table.replicas[VICTIM]
    line, game, me = replica.transcript, replica.context.game_id, identity(LIAR)
    named = []
    for n in range(4 + 2 * BYTES // BODY):
        past = Past(MOVE, bytes(32), ())
        at = (line.number + 1 + n % 60, 90 + n // 60)
        said = PhaseMessage(LIAR, *at, past, bytes(32), b"x" * (BODY - 256))
        named.append(sign(said, me, game))
    *named, last = named
    beside = Past(MOVE, bytes(32), ())
    for attempt, n in enumerate(range(0, len(named), 32), start=1):
        keys = tuple(sorted(each.key for each in named[n : n + 32]))
        word = StatusMessage(LIAR, attempt, (VICTIM, LIAR), line.at, beside, (), False, keys)
        say(table, word, (VICTIM,))
    for each in named:
        bring(table, MOVE, each.plain(), (VICTIM,), LIAR)
    bring(table, MOVE, last.plain(), (VICTIM,), LIAR)
    assert not replica.line.statements.holds(last.key)
    assert sum(size for size, by in replica.line._named.values() if LIAR in by) > BYTES
    return MOVE, last


@pytest.mark.parametrize("spend", [spend_complaints, spend_bytes])
def test_what_the_final_of_a_liar_names_is_kept_for_whoever_shows_an_end_with_it(spend):
    table = unsigned(3, (LIAR,), b"spent end")
    line = table.replicas[OTHER].transcript
    kind, last = spend(table)
    table.queue.clear()
    bring(table, kind, last.plain(), (OTHER,), LIAR)
    say(table, PhaseMessage(LIAR, line.number, 0, line.past, line.state, (last.key,)), (OTHER,))
    assert table.replicas[OTHER].over
    table.run(lambda t: t.replicas[VICTIM].over, seconds=300)
    assert not table.replicas[OTHER].convicted
    assert table.replicas[VICTIM].over


@pytest.mark.longer_games(12, 8)
@pytest.mark.parametrize(("spend", "attempt"), [(spend_complaints, 9), (spend_bytes, 80)])
def test_what_a_liars_status_names_is_kept_for_whoever_has_gone_on_in_its_view(spend, attempt):
    """Of a liar's statuses that are too many one far above them is kept."""
    table = begun(3, seed=b"spent view", settings=TableSettings(grace=5))
    level(table)
    table.silent.add(LIAR)
    kind, last = spend(table)
    line = table.replicas[OTHER].transcript
    number = line.number
    bring(table, kind, last.plain(), (OTHER,), LIAR)
    word = StatusMessage(LIAR, attempt, (0, 1, 2), line.at, line.past, (), False, (last.key,))
    say(table, word, (VICTIM, OTHER))
    table.run(lambda t: t.replicas[OTHER].transcript.view == attempt, seconds=5)
    assert table.replicas[OTHER].transcript.at == (attempt, number)
    table.kill(LIAR)
    table.run(lambda t: all(t.replicas[p].over for p in (0, 1)), seconds=900)
    assert all(table.replicas[p].over for p in (VICTIM, OTHER))


def test_what_liars_make_the_honest_sign_in_vain_is_not_counted_against_them(monkeypatch):
    """One leads from attempt to attempt, as fast as others follow, and the other signs every third:
    that takes three quarters of an hour for a megabyte."""
    monkeypatch.setattr(evidence, "SPARE", 1 << 13)
    table = thinking(b"spare")
    table.silent |= {LIAR, SILENT}
    deliver(table)
    for attempt in range(1, 15):
        for p in HONEST:
            bring(table, "status", status_of(table, p, attempt, ALL, CHEAT), (p,))
        table.queue = deque(e for e in table.queue if e[1] not in (LIAR, SILENT))
        table.run(seconds=0.2)
    table.kill(LIAR)
    table.kill(SILENT)
    table.run(lambda t: all(t.replicas[p].begun for p in HONEST), seconds=100)
    assert all(table.replicas[p].transcript.members == set(HONEST) for p in HONEST)
    table.answer()
    table.run(lambda t: all(t.replicas[p].over for p in HONEST), seconds=300)
    assert all(table.replicas[p].over for p in HONEST)


def test_names_in_an_end_that_nobody_holds_are_not_kept():
    """Their author may sign as many as it likes, and shows one end after the other."""
    table, line, _ = at_the_end()
    kept, number = len(line.statements._checked), line.transcript.number
    for n in range(20):
        bare = SignedMessage(MOVE, CHEAT, number, 0, b"%d" % n, b"")
        signature = identity(CHEAT).sign(MOVE, encode((line.statements.game, *bare.key)))
        past = Past(MOVE, line.transcript.past.hash, (replace(bare, signature=signature).ref,))
        bring(table, "end", past.plain(), (VICTIM,))
        assert line._ends[CHEAT] == past
    assert len(line.statements._checked) == kept


@pytest.mark.parametrize("spare", [1 << 17])
def test_two_liars_do_not_fill_what_is_held_of_the_honest(spare, monkeypatch):
    """One leads from attempt to attempt, the other signs the last one alone: view after view."""
    monkeypatch.setattr(evidence, "SPARE", spare)
    table = begun(5, seed=b"led", settings=TableSettings(grace=20))
    table.run(owes, seconds=600)
    assert owes(table)
    table.silent.update((CHEAT, 4))
    deliver(table)
    honest, everybody = (0, 1, 3), (0, 1, 2, 3, 4)
    held = [table.replicas[p].line for p in honest]

    def full(line):
        return any(line.statements.full(q, OBSERVER, line.transcript.signed_by) for q in honest)

    for _ in range(spare >> 14):
        view = table.replicas[0].transcript.view
        for attempt in range(view + 1, view + 15):
            for p in honest:
                bring(table, "status", by(CHEAT, table, p, attempt, everybody), (p,))
            deliver(table)
        for p in honest:
            bring(table, "status", by(4, table, p, attempt, everybody), (p,), 4)
        deliver(table)
        table.now += 0.05
        if any(map(full, held)):
            break
    table.silent.clear()  # from now on nobody lies
    for liar in (CHEAT, 4):
        table.queue += [(liar, liar, asked) for asked in table.of(liar, AnswerNeeded)[-1:]]
    before, begins = table.replicas[0].transcript.number, time.monotonic()

    def ends(t):
        return t.replicas[0].transcript.number > before + 20 or time.monotonic() > begins + 20

    table.run(ends, seconds=60)
    assert table.replicas[0].transcript.number > before + 10
    assert not any(map(full, held))


def test_what_views_name_is_written_once_and_told_once_to_who_begins_to_watch():
    """A liar begins view after view, each of which names the same two megabytes: the links of who
    came to watch were closed, as more waited on them than may, and each view took as much disk."""
    table = begun(3, seed=b"big")
    level(table)
    table.silent.add(LIAR)
    made = complaints(table, 4 * PEERS, bytes(60_000))
    keys = tuple(sorted(each.key for each in made))
    for view in range(1, 11):
        table.now += PACE
        join(table, view, range(3), (VICTIM, OTHER), LIAR, evidence=keys)
        for each in made if view == 1 else ():
            bring(table, COMPLAINT, each.plain(), (VICTIM, OTHER), LIAR)
        deliver(table)
    replica = table.replicas[VICTIM]
    assert (replica.transcript.view, set(replica.convicted)) == (10, set())
    told = sum(map(len, answer(replica, (0, 0))))
    kept = sum(len(encode(each)) for each in table.kept(VICTIM))
    assert told < WAITING // 4
    assert kept < WAITING // 4


def test_a_liar_of_whom_one_peer_keeps_a_megabyte_has_it_left_out_by_no_status_that_it_drops():
    """The liar falls out and asks back, twice: both honest peers take what it signs, and join."""
    with installed():
        table = Thinking(roster(3, settings=TableSettings(grace=5)), b"status", shuffle_order=False)
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 20, seconds=600)
        table.asks(VICTIM)
        replica = table.replicas[VICTIM]
        line, game = replica.transcript, replica.context.game_id
        past = next(p for p in line.followed.values() if line.line[p.hash] == (15, 0))
        for n in range(20):
            said = PhaseMessage(LIAR, 15, 20 + n, past, line.state_at(15), bytes(BODY - 4096))
            bring(table, MOVE, sign(said, identity(LIAR), game).plain(), (VICTIM,), LIAR)
        table.replicas[LIAR]._has_signed = lambda *_: None  # it asks back from where it is
        for _ in range(2):
            table.disconnect(*table.pairs(LIAR))
            table.run(lambda t: all(LIAR not in r.transcript.members for r in t.replicas[:2]), 60)
            table.connect(*table.pairs(LIAR))
            table.run(lambda t: all(len(r.transcript.members) == 3 for r in t.replicas), 60)
            assert all(len(r.transcript.members) == 3 for r in table.replicas)
        assert not table.replicas[OTHER].transcript.falls[VICTIM]
