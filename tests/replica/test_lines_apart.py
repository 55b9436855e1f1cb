"""What was said on a line that the others never saw convicts for all, or for nobody."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.events import AnswerNeeded, ViewChanged
from lanplay_protocol.replica.handover import Handover
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, read, refs, sign
from lanplay_protocol.replica.reveals import DealCards, Entropy
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import GAME, identity, parts
from tests.replica.test_audit import record_of
from tests.replica.test_card_cheats import sealed_shares
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, false_sealing, join, level, status
from tests.replica.test_led_astray import CHEAT, deliver
from tests.replica.test_lines_left import HONEST as ALL_FOUR
from tests.replica.test_lines_left import LIAR, OTHERS, VICTIM, named, view_of_one
from tests.replica.test_lines_left import LIAR as FIFTH

DECEIVER = 2
HONEST = (0, 1, 3)


def comes(wanted, said=True):
    """The first game in which nobody lies that has a phase of some kind after its thirtieth, by its
    seed, and that phase."""
    for seed in (b"left%d" % number for number in range(30)):
        dry = begun(5, seed=seed)
        dry.run(lambda t: t.replicas[1].transcript.number > 160, seconds=600)
        phases = {n: p for r in dry.replicas for n, p in r.phases.items() if n > 30}
        before = {n + 1 for n in dry.replicas[CHEAT].phases}  # it says something there
        found = [n for n, p in phases.items() if wanted(p) and (n in before or not said)]
        if found:
            return seed, min(found)
    raise AssertionError("no game has such a phase")


def sealed_to(victim):
    return lambda phase: isinstance(phase, DealCards) and phase._receiver == victim


@pytest.mark.longer_games
def test_a_false_share_on_a_line_that_the_others_never_saw_convicts_for_all_or_nobody():
    """Its receiver complains of it, and goes over to the line of the others."""
    other = GameKey.derive(b"o" * 32)

    def false(table, phase, move):
        context = table.replicas[CHEAT].context
        return parts(move, sealed_shares(context, phase, move, other, 0))

    apart(sealed_to(0), false, said=False)


def apart(wanted, false, said=True):
    """A liar brings one peer alone a phase further, and lies to it there; both come back."""
    victim, rest = 0, (1, 3, 4)
    seed, place = comes(wanted, said)
    table = begun(5, seed=seed)
    apart = []

    def lies(table, to, move):
        phase = table.replicas[CHEAT].phases.get(move.phase)
        if move.phase == place - 1 and move.view == 0 and to != victim:
            return []
        return [false(table, phase, move)] if move.phase == place and move.view == 0 else None

    table.tampers[CHEAT] = lies
    post = table._post

    def quiet(peer, event):
        if peer == CHEAT and apart and event.kind in ("status", "complaint"):
            return
        post(peer, event)

    table._post = quiet
    table.run(lambda t: t.replicas[victim].transcript.number >= place, seconds=600)
    assert table.replicas[1].transcript.number == place - 1
    apart.append(True)
    table.disconnect(*((p, q) for p in (victim, CHEAT) for q in rest))
    table.run(lambda t: t.replicas[victim].convicted, seconds=2)
    kept = []

    def held(t):
        for each in [e for e in t.queue if e[0] == 1 and isinstance(e[2], AnswerNeeded)]:
            t.queue.remove(each)
            kept.append(each)
        return False

    table.run(lambda t: held(t) or all(t.of(p, ViewChanged) for p in rest), seconds=60)
    apart.clear()
    table.connect(*((p, q) for p in (victim, CHEAT) for q in rest))
    everybody = frozenset(range(5))
    back = lambda t: all(r.transcript.members == everybody for r in t.replicas)  # noqa: E731
    table.run(lambda t: held(t) or back(t), seconds=40)
    table.queue.extend(kept)
    number = table.replicas[1].transcript.number

    def ends(t):
        return t.replicas[1].transcript.number > number + 80 or CHEAT in t.replicas[1].convicted

    table.run(ends, seconds=30)
    assert len({frozenset(table.replicas[p].convicted) for p in (victim, *rest)}) == 1
    assert victim in table.replicas[victim].transcript.members
    honest = (victim, *rest)
    table.run(lambda t: all(CHEAT in t.replicas[p].convicted for p in honest), seconds=900)
    for p in honest:
        assert check_record(GAME, record_of(table, p)).finding.peer == CHEAT


@pytest.mark.longer_games(12, 8)
def test_a_false_message_on_a_line_that_the_others_never_saw_convicts_for_all_or_nobody():
    """Everybody who goes over that line could tell; nobody does."""
    apart(lambda phase: isinstance(phase, Entropy), lambda table, phase, move: parts(move, ()))


def two_takers(seed):
    """A table at which the seats of two who are lost go to two honest peers, who have still to hear
    the cheat; ``None`` where they go to others."""
    table = begun(5, seed=b"takers%d" % seed)
    level(table)
    table.tampers[CHEAT] = lambda table, to, move: (
        [] if isinstance(table.replicas[CHEAT].phases[move.phase], Handover) else None
    )
    table.kill(3)
    table.kill(4)
    lines = [table.replicas[p] for p in (0, 1)]

    def stuck(_):
        phases = [line.transcript.phase for line in lines]
        owed = all(line.transcript.missing == {CHEAT} for line in lines)
        return owed and all(isinstance(phase, Handover) for phase in phases)

    table.run(stuck, seconds=20)
    if not stuck(table) or lines[0].transcript.phase._takers != [0, 1]:
        return None
    return table if all(lines[0].transcript.phase.due(CHEAT).values()) else None


@pytest.mark.longer_games
def test_whom_something_false_was_sealed_to_goes_nowhere_where_nobody_can_follow():
    """What is sealed to the first new holder is false, and to the second it is nothing at all: for
    all others that message breaks the rules, and so it does for the first. One liar is enough: it
    joins a view that all have joined, from a place behind that message."""
    table = next(filter(None, map(two_takers, range(3, 60))))
    deliver(table)
    table.silent.add(CHEAT)
    line = table.replicas[0].transcript
    view, number = line.at
    phase = table.replicas[CHEAT].phases[number]
    own = PhaseMessage(CHEAT, number, view, line.past, line.state, phase.mine())
    to_first, to_second = false_sealing(table, phase, own)
    lie = parts(own, (to_first, bytes(len(to_second))))
    lie = sign(lie, identity(CHEAT), line.context.game_id)
    past = Past(MOVE, line.past.hash, refs([*line.moves[-1].values(), lie]))
    table.restart(3)
    tried = [table.replicas[p].attendance.changes for p in HONEST]

    def asked(_):
        return all(changes.tried[1] == (0, 1, CHEAT, 3) for changes in tried)

    table.run(asked, seconds=30)
    assert asked(table)
    join(table, *tried[0].tried, at=(view, number + 1), past=past, held=())
    bring(table, MOVE, lie.plain())
    assert all(set(table.replicas[p].convicted) == {CHEAT} for p in HONEST)
    assert {table.replicas[p].transcript.at for p in HONEST} == {(view, number)}
    lines = [table.replicas[p] for p in HONEST]
    table.run(lambda _: all(r.transcript.number > number + 30 for r in lines), seconds=60)
    assert all(replica.transcript.number > number + 30 for replica in lines)


def comes_out(table, line):
    """Let it come out for one alone that the liar had claimed what is false, as with a card shown:
    no statement proves that, but the whole line."""
    line.context.late_violations[FIFTH] = (Code.FALSE_CLAIM, "claimed what its cards do not show")
    table.step(VICTIM, inputs.Nudged())


def test_what_came_out_on_a_line_that_was_left_convicts_nobody():
    """Whoever was there alone goes over to the others, who can never tell: it keeps its seat where
    the liar asks back, and its journal says the same."""

    def is_back(t):
        return VICTIM in t.replicas[1].transcript.members

    table = view_of_one(True, is_back, lies=comes_out)
    honest = [table.replicas[p] for p in (0, 1, 2, 3)]
    assert [set(replica.convicted) for replica in honest] == [set()] * 4
    table.silent.clear()
    table.disconnect(*table.pairs(FIFTH))
    table.connect(*table.pairs(FIFTH))

    def all_are_back(_):
        return all(replica.transcript.members == frozenset(range(5)) for replica in honest)

    table.run(all_are_back, seconds=30)
    assert all_are_back(table)
    table.kill(VICTIM)
    table.restart(VICTIM)
    assert not table.replicas[VICTIM].convicted


def test_what_convicts_whom_this_line_alone_had_convicted_stands_as_the_line_is_left():
    """What one alone was shown first falls; that the liar signed two statuses is known to all."""
    said = []

    def lies(table, line):
        comes_out(table, line)
        for members in (range(5), range(1, 5)):
            said.append(status(table, 50, members, FIFTH, FIFTH).plain())
            bring(table, "status", said[-1], (VICTIM,), FIFTH)

    table = view_of_one(True, lambda t: VICTIM in t.replicas[1].transcript.members, lies=lies)
    for each in said:
        bring(table, "status", each, ALL_FOUR, FIFTH)
    assert [set(table.replicas[p].convicted) for p in ALL_FOUR] == [{FIFTH}] * 4


def begin_view_without(table):
    """Let a view of all begin for the others, where the liar owes its message: its status stands at
    another past of this phase, so that it denies nothing. Return what they have said later."""
    line = table.replicas[VICTIM].transcript
    beside = Past(MOVE, line.past.before, ())
    joined = status(table, 1, range(5), LIAR, LIAR, past=beside, held=())
    bring(table, "status", joined.plain(), OTHERS, LIAR)
    later, table.shuffle_order = [], False
    while table.queue and not all(table.replicas[p].transcript.view for p in OTHERS):
        item = table.queue[0][2]
        kind, payload = decode(item) if isinstance(item, bytes) else ("", ())
        before = kind == MOVE and payload[2] == 0
        if before or kind == "want" or (kind == "status" and payload[0] != LIAR):
            table._deliver()
        else:
            later.append(table.queue.popleft())
    table.shuffle_order = True
    assert [table.replicas[p].transcript.at for p in OTHERS] == [(1, line.number)] * 3
    assert line.view == 0
    return later


@pytest.mark.longer_games
def test_all_judge_what_one_was_told_before_a_view_of_the_same_members():
    """It is told something false in the view that is over for the others, who are told what is true
    in the next one: else it alone convicts the liar, with whom they play on."""
    table = begun(5, seed=b"before", settings=TableSettings(grace=5))

    def owing(t):
        mine, line = t.replicas[LIAR].transcript, t.replicas[VICTIM].transcript
        return LIAR in line.missing and LIAR in mine.moves[-1] and line.past.refs

    level(table, owing)
    table.silent.add(LIAR)
    table.queue = deque(each for each in table.queue if LIAR not in each[:2])
    line, game = table.replicas[VICTIM].transcript, table.replicas[VICTIM].context.game_id
    number = line.number
    true = read(table.replicas[LIAR].transcript.moves[-1][LIAR]).parts
    later = begin_view_without(table)
    lie = PhaseMessage(LIAR, number, 0, line.past, line.state, ("nonsense",))
    bring(table, MOVE, sign(lie, identity(LIAR), game).plain(), (VICTIM,), LIAR)
    assert set(table.replicas[VICTIM].convicted) == {LIAR}
    here = table.replicas[1].transcript
    said = sign(PhaseMessage(LIAR, number, 1, here.past, here.state, true), identity(LIAR), game)
    table.queue.extend((LIAR, p, encode((MOVE, said.plain()))) for p in ALL_FOUR)
    table.queue.extend(later)
    table.run(lambda t: all(t.replicas[p].transcript.number > number for p in ALL_FOUR), seconds=5)
    assert [set(table.replicas[p].convicted) for p in ALL_FOUR] == [{LIAR}] * 4
    assert named(table) == [LIAR] * 4


def silence(table, peer):
    """Let a peer stay linked, and say nothing more."""
    table.silent.add(peer)
    table.queue = deque(each for each in table.queue if peer not in each[:2])


@pytest.mark.longer_games
def test_a_record_names_who_had_lied_in_a_view_before_what_counts_of_it():
    """The lie comes to light once a later view has carried what its author said in the next one."""
    table, slow = begun(5, seed=b"before5", settings=TableSettings(grace=5)), 3

    def asked(t, peer):
        return [e for e in t.queue if e[:2] == (peer, peer) and isinstance(e[2], AnswerNeeded)]

    level(table, lambda t: asked(t, LIAR) and asked(t, slow))
    kept, owed = asked(table, slow), asked(table, LIAR)
    silence(table, LIAR)
    table.queue = deque(owed + [each for each in table.queue if each not in kept])
    deliver(table)
    line, game = table.replicas[VICTIM].transcript, table.replicas[VICTIM].context.game_id
    true = read(table.replicas[LIAR].transcript.moves[-1][LIAR])
    join(table, 1, range(5), ALL_FOUR, LIAR, past=Past(MOVE, line.past.before, ()), held=())
    deliver(table)
    again = replace(true, view=1, past=line.past)
    said, lie = (sign(e, identity(LIAR), game) for e in (again, parts(true, ("nonsense",))))
    bring(table, MOVE, said.plain(), ALL_FOUR, LIAR)
    join(table, 2, range(5), ALL_FOUR, LIAR, held=(said.ref,))
    table.queue += kept
    table.run(lambda t: all(t.replicas[p].transcript.number > true.phase for p in ALL_FOUR), 9)
    assert line.moves[true.phase][LIAR] == said
    assert [view.number for view in line.views] == [1, 2]
    bring(table, MOVE, lie.plain(), ALL_FOUR, LIAR)
    assert [set(table.replicas[p].convicted) for p in ALL_FOUR] == [{LIAR}] * 4
    assert named(table) == [LIAR] * 4


def owes(table, peer):
    line = table.replicas[VICTIM].transcript
    return line.phase.prompt and peer in line.missing


@pytest.mark.longer_games(12, 8)
def test_whoever_alone_was_shown_a_view_without_it_is_a_member_again_on_the_line_that_goes_on():
    """The others had joined that attempt while they did not hear it, and have left the liar out
    since. It takes part: a second liar that owes something is late for it, too."""
    table, others, silent = begun(5, seed=b"role", settings=TableSettings(grace=5)), (1, 3, 4), 4
    victim, honest = table.replicas[VICTIM], (VICTIM, 1, 3)

    def tried(peer):
        return table.replicas[peer].attendance.changes.tried

    level(table, lambda t: owes(t, DECEIVER))
    silence(table, DECEIVER)
    table.disconnect(*((VICTIM, p) for p in others))
    table.run(lambda _: all(VICTIM not in tried(p)[1] for p in others), seconds=60)
    number, members = tried(1)
    table.connect(*((VICTIM, p) for p in others))
    tampered, held = table._tampered, []

    def late(peer, to, body):  # the victim has to find out itself
        kind, payload = decode(body)
        if to == VICTIM and kind == "status" and payload[2] > tried(VICTIM)[0]:
            held.append((peer, to, body))
            return []
        return tampered(peer, to, body)

    table._tampered = late
    table.run(lambda _: DECEIVER not in tried(VICTIM)[1], seconds=60)
    table._tampered = tampered
    lie = status(table, number, members, DECEIVER, DECEIVER, held=())
    bring(table, "status", lie.plain(), (VICTIM,), DECEIVER)
    assert victim.transcript.members == {DECEIVER, *others}
    table.queue.extend(held)
    table.kill(DECEIVER)
    table.run(lambda t: all(t.replicas[p].transcript.view > number for p in honest), seconds=20)
    assert victim.transcript.members == {VICTIM, *others}
    assert not victim.status.out
    table.run(lambda t: owes(t, silent), seconds=60)
    silence(table, silent)
    here = victim.transcript.number
    table.run(lambda t: all(t.replicas[p].transcript.number > here + 9 for p in honest), seconds=60)
    assert all(table.replicas[p].transcript.number > here + 9 for p in honest)
    assert not any(table.accused(p) for p in honest)
