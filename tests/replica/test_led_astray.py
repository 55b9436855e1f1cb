"""What liars keep from some, lead honest peers to say or forge convicts and removes nobody honest.

Found by readers of the code and of docs/protocol.md who tried to frame an honest peer.
"""

from __future__ import annotations

import pytest

from lanplay_protocol.crypto.sealing import disclose
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import evidence, inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.ended_game import EndedGame
from lanplay_protocol.replica.events import AnswerNeeded, ViewChanged
from lanplay_protocol.replica.handover import Handover
from lanplay_protocol.replica.messages import (
    MOVE,
    Past,
    PhaseMessage,
    StatusMessage,
    complain,
    parse_signed,
    read,
    sign,
)
from lanplay_protocol.replica.reveals import DealCards
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.threshold import ThresholdOpening
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import GAME, Table, Walker, identity, received, roster
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, leave, level

VICTIM, OTHER, CHEAT = 0, 1, 2


def deliver(table):
    while table.queue:
        table._deliver()


def stands(table, of, attempt, members, evidence=()):
    """A status of the cheat's where another peer stands."""
    replica = table.replicas[of]
    at, past = replica.transcript.at, replica.transcript.past
    said = StatusMessage(CHEAT, attempt, tuple(members), at, past, (), False, tuple(evidence))
    return sign(said, identity(CHEAT), replica.context.game_id).plain()


def owes(table):
    """Tell whether all wait for the cheat's choice."""
    lines = [replica.transcript for replica in table.replicas]
    alike = len({line.number for line in lines}) == 1 and lines[0].number > 40
    return (
        alike
        and isinstance(lines[0].phase, CommitPhase)
        and all(CHEAT in line.missing for line in lines)
    )


def waiting():
    for number in range(9):  # with other dice the game may end before
        table = begun(3, seed=b"starve %d" % number)
        table.run(owes, seconds=600)
        if owes(table):
            break
    assert owes(table)
    table.silent.add(CHEAT)
    deliver(table)
    return table


# --- complaints -----------------------------------------------------------------------------------


def opened_to_cheat():
    """A table of five at which partials were sealed to the cheat; and in which phase."""
    table = begun(peers=5, seed=b"partials", settings=TableSettings(grace=3))
    post, kept, lost = table._post, [], 1

    def withheld(peer, event):
        here = table.replicas[lost].transcript
        deals = isinstance(here.phase, DealCards) and here.phase._receiver == CHEAT
        if peer == lost and event.kind == "move" and deals and here.number > 20:
            kept.append(here.number)
        else:
            post(peer, event)

    table._post = withheld
    table.run(lambda t: kept, seconds=900)
    table._post = post
    table.step(lost, inputs.Leaving())
    table.kill(lost)

    def opened(_):
        phases = table.replicas[0].phases.items()
        found = [
            n for n, p in phases if isinstance(p, ThresholdOpening) and set(p._items) == {CHEAT}
        ]
        return [n for n in found if n < table.replicas[0].transcript.number]

    table.run(opened, seconds=60)
    number = opened(table)[0]
    everybody = (0, 2, 3, 4)
    table.run(lambda t: all(t.replicas[p].transcript.number > number for p in everybody), 60)
    return table, number


@pytest.mark.parametrize("restarted", [False, True])
def test_a_true_partial_is_judged_alike_by_who_was_there_and_who_went_over_it_again(restarted):
    """A phase is bound to where it began, whoever asks, and when: the complaint is false."""
    table, number = opened_to_cheat()
    if restarted:
        table.kill(4)
        table.restart(4)
    line = table.replicas[CHEAT].transcript
    signed, phase = line.moves[number][0], line.sealed_phase(number)
    sealed = phase.sealing(0, CHEAT, read(signed).parts)
    label = phase.label(line.bases[number], number, 0)
    opened = disclose(table.replicas[CHEAT].context.key, sealed, label)
    word = complain(CHEAT, signed, opened, identity(CHEAT), table.roster)
    bring(table, "complaint", word.plain(), (0, 3, 4))
    table.run(lambda t: False, seconds=8)
    assert [table.accused(p) for p in (0, 3, 4)] == [{(CHEAT, Code.FALSE_CLAIM)}] * 3


def handed_over_in_vain(seed, owner, leaver, honest):
    """A table at which a hand-over asks nothing of somebody, and its phase; none: an empty list."""
    table, kept = begun(4, seed=seed, settings=TableSettings(grace=5)), []
    table.run(lambda t: t.replicas[0].transcript.number > 150, seconds=60)
    table.kill(owner)
    others = (0, 1, 2)
    table.run(lambda t: all(owner not in t.replicas[p].transcript.members for p in others), 60)

    def held(t):
        for each in [e for e in t.queue if e[0] == CHEAT and isinstance(e[2], AnswerNeeded)]:
            t.queue.remove(each)
            kept.append(each)
        return False

    table.run(lambda t: any(a == CHEAT and isinstance(i, AnswerNeeded) for a, _, i in t.queue), 60)
    table.restart(owner)
    table.run(lambda t: held(t) or all(owner in r.transcript.members for r in t.replicas), 60)
    table.step(leaver, inputs.Leaving())
    rest = (honest, CHEAT, owner)
    table.run(
        lambda t: held(t) or all(leaver not in t.replicas[p].transcript.members for p in rest), 60
    )
    table.kill(leaver)
    table.queue.extend(kept)
    where = []

    def empty(t):
        for line in (t.replicas[p].transcript for p in (owner, CHEAT)):
            phase = line.phase
            if isinstance(phase, Handover) and CHEAT in phase._takers and honest in phase.needs:
                where.extend([] if phase.due(honest)[CHEAT] else [line.number])
        return where

    table.run(empty, seconds=60)
    return table, where


@pytest.mark.longer_games
def test_a_complaint_of_a_part_in_which_nothing_was_due_is_false():
    """An honest part of a hand-over is empty for who stands in for a hand that stays closed."""
    owner, leaver, honest = 3, 1, 0
    games = (handed_over_in_vain(b"nothing%d" % n, owner, leaver, honest) for n in range(11, 40))
    table, where = next(game for game in games if game[1])
    line = table.replicas[CHEAT].transcript
    table.run(lambda t: line.number >= where[0] and honest in line.moves[where[0]], seconds=30)
    word = complain(CHEAT, line.moves[where[0]][honest], b"", identity(CHEAT), table.roster)
    bring(table, "complaint", word.plain(), (honest, owner))
    table.run(lambda t: t.replicas[owner].transcript.number > where[0] + 4, seconds=30)
    assert set(table.replicas[owner].convicted) == {CHEAT}
    assert check_record(GAME, record_of(table, owner)).finding.peer == CHEAT


@pytest.mark.longer_games
def test_a_record_with_many_complaints_of_one_liar_is_read_as_any_other():
    """Statuses name complaints: as many as there are belong to what all have signed."""
    table = waiting()
    replica = table.replicas[0]
    game, number = replica.context.game_id, replica.transcript.number
    said = PhaseMessage(CHEAT, number, 0, Past(MOVE, bytes(32), ()), bytes(32), ())
    junk = sign(said, identity(CHEAT), game)
    for n in range(3):
        words = [
            complain(CHEAT, junk, bytes([n, k]), identity(CHEAT), table.roster) for k in range(32)
        ]
        for p in (0, 1):
            attempt = table.replicas[p].transcript.view + 1
            names = sorted(word.key for word in words)
            bring(table, "status", stands(table, p, attempt, (0, 1, 2), names), (p,))
        for word in words:
            bring(table, "complaint", word.plain(), (0, 1))
        deliver(table)
    record = record_of(table, 0)
    assert len(record.extra["complaints"]) >= 64  # of each who names them
    EndedGame(record.extra)
    assert check_record(GAME, record).finding is None


# --- what is unsaid, or said to one ---------------------------------------------------------------


def test_a_commitment_that_one_alone_had_cannot_be_taken_back():
    """Who sees it open, and then leaves it out of its status, is convicted when it comes back."""
    table = begun(4, seed=b"u0")
    victim, at, first, opened = 0, [], [], []
    post, step = table._post, table.step

    def tamper(table, to, move):
        phase = table.replicas[CHEAT].phases.get(move.phase)
        here = isinstance(phase, CommitPhase) and len(phase.needs) == 4
        if not at and move.phase > 60 and here:
            at.append(move.phase)
            first.append(move)
        if at and move.phase == at[0] and move.view == 0:
            return None if to == victim and not opened else []
        return [] if at and move.view == 0 and move.phase > at[0] else None

    def listen(peer, event):
        kind, payload = decode(event.body)
        if peer == victim and kind == "move" and payload[0] == victim and at and not opened:
            signed = parse_signed(payload)
            if signed.phase == at[0] + 1:
                opened.append(signed)
                table.kill_at = (victim, table.sends[victim] + 1, 3)
        post(peer, event)

    table._post, table.tampers[CHEAT] = listen, tamper
    table.run(lambda t: victim in t.dead, seconds=900)
    table.run(lambda t: not t.queue, seconds=0.2)
    kept = table.kept(CHEAT)
    own = ("move", CHEAT, at[0])
    place = next(n for n, each in enumerate(kept) if (each[0], *each[1][:2]) == own)
    table.kill(CHEAT)
    table.disks[CHEAT] = [(tuple(kept[:place]), True)]
    table.walkers[CHEAT] = Walker(b"otherwise")
    held = []

    def late(peer, given):
        there = table.replicas[CHEAT].transcript.view
        if peer == CHEAT and isinstance(given, inputs.Answered) and not there:
            held.append(given)
            return
        step(peer, given)
        while peer == CHEAT and held and table.replicas[CHEAT].transcript.view:
            step(CHEAT, held.pop(0))

    table.step = late
    table.restart(CHEAT)
    liar = table.replicas[CHEAT]
    liar._doubt._until, liar._doubt.furthest = {}, (-1, -1)
    there = (1, 2, 3)
    table.run(lambda t: all(t.replicas[p].transcript.number > at[0] + 2 for p in there), seconds=60)
    now = read(table.replicas[1].transcript.moves[at[0]][CHEAT])
    assert now.parts != first[0].parts
    table.restart(victim)
    table.run(lambda t: t.is_over(), seconds=900)
    assert [set(table.replicas[p].convicted) for p in (0, 1, 3)] == [{CHEAT}] * 3


class Unnamed(Table):
    """The last peer signs its escrow for no game at all towards the first, before there is one."""

    kept = None

    def _post(self, peer, event):
        kind, payload = decode(event.body)
        liar = len(self.replicas) - 1
        if peer != liar or kind != "move" or payload[:1] != (liar,) or payload[1] not in (1, 2):
            return super()._post(peer, event)
        if payload[1] == 1:
            self.kept = event.body if self.kept is None else self.kept
        elif event.to in (None, 0):
            true = parse_signed(payload)
            bad = sign(read(true), identity(liar), b"")
            carrier = PhaseMessage(liar, 1, 1, Past(MOVE, bytes(32), (bad.ref,)), bytes(32), ())
            game = self.replicas[liar].line.roster.digest()
            said = encode(("move", sign(carrier, identity(liar), game).plain()))
            for body in (said, self.kept, encode(("move", bad.plain()))):
                self.step(0, received(liar, body))
        for to in range(1, liar):
            if event.to in (None, to):
                self.queue.append((liar, to, event.body))
        return None


@pytest.mark.parametrize("count", [3, 4])
def test_a_name_that_is_signed_for_no_game_is_not_taken_for_genuine(count):
    """What cannot be checked yet is checked once the game has its id."""
    table = Unnamed(roster(count), shuffle_order=False)
    table.start()
    table.run(lambda t: t.replicas[1].transcript.number > 8, seconds=30)
    honest = set(range(count - 1))
    assert not any(honest & set(table.replicas[p].convicted) for p in honest)


# --- what fills up --------------------------------------------------------------------------------


def seat_is_lost(table):
    """Let the cheat ask back with evidence that only the other holds; tell whether the victim,
    who cannot ask for that, is left out."""
    line = table.replicas[OTHER].transcript
    said = PhaseMessage(CHEAT, line.number, 110, line.past, line.state, ())
    junk = sign(said, identity(CHEAT), table.replicas[OTHER].context.game_id)
    bring(table, "move", junk.plain(), (OTHER,))
    view, answered = line.view, {line.view + 1}

    def joins(t):
        for known in list(t.replicas[OTHER].line.statements.statuses):
            status = known.said
            theirs = known.signed.sender == OTHER and CHEAT in status.members
            if theirs and status.attempt not in answered:
                answered.add(status.attempt)
                same = stands(t, OTHER, status.attempt, status.members, [junk.key])
                bring(t, "status", same, (VICTIM, OTHER))
        return any(VICTIM in event.lost for event in t.of(OTHER, ViewChanged))

    back = stands(table, OTHER, view + 1, (0, 1, 2), [junk.key])
    bring(table, "status", back, (VICTIM, OTHER))
    for more in (3, 4, 5):
        alone = stands(table, OTHER, view + more, (1, 2), [junk.key])
        bring(table, "status", alone, (OTHER,))
    table.run(joins, seconds=120)
    return any(VICTIM in event.lost for event in table.of(OTHER, ViewChanged))


@pytest.mark.longer_games
def test_names_of_what_is_nowhere_keep_nobody_from_asking_for_what_another_holds():
    """A liar that comes back leaves nobody out by filling its questions."""
    table = begun(3, seed=b"starve")
    level(table)
    table.silent.add(CHEAT)
    leave(table, to=(VICTIM, OTHER))
    table.run(lambda t: all(t.replicas[p].begun for p in (VICTIM, OTHER)), seconds=60)
    for n in range(3):
        nowhere = [(MOVE, CHEAT, 0, 5, bytes([n, k]) * 16) for k in range(32)]
        bring(table, "status", stands(table, 0, 60 + n, (0, 1, 2), nowhere), (VICTIM,))
    assert not seat_is_lost(table)


@pytest.mark.longer_games
def test_statuses_of_views_that_began_are_nobodys_waste(monkeypatch):
    """A liar that owes a choice and begins one view after the other freezes no table."""
    monkeypatch.setattr(evidence, "SPARE", 1 << 16)
    table = waiting()
    for _ in range(50):
        for p in (0, 1):
            attempt = table.replicas[p].transcript.view + 1
            bring(table, "status", stands(table, p, attempt, (0, 1, 2)), (p,))
        deliver(table)
        table.now += 0.05
    assert table.replicas[0].line.statements.sizes[1] > evidence.SPARE
    table.silent.discard(CHEAT)
    table.queue += [(CHEAT, CHEAT, asked) for asked in table.of(CHEAT, AnswerNeeded)[-1:]]
    before = table.replicas[CHEAT].transcript.number
    table.run(lambda t: t.replicas[0].transcript.number > before + 20, seconds=60)
    assert table.replicas[0].transcript.number > before + 10
    assert not any({0, 1} & set(e.lost) for p in (0, 1) for e in table.of(p, ViewChanged))


def test_two_liars_do_not_lead_the_others_from_attempt_to_attempt_for_ever():
    """One begins attempts of the same members again and again, the other signs none: the others
    follow ever more slowly, until whoever signs nothing is late."""
    table = begun(5, seed=b"led", settings=TableSettings(grace=20))
    table.run(owes, seconds=600)
    assert owes(table)
    table.silent.update((CHEAT, 4))
    deliver(table)
    honest, everybody = (0, 1, 3), (0, 1, 2, 3, 4)
    made = dict.fromkeys(honest, 0)

    def leads(t):
        for p in honest:
            line = t.replicas[p].line
            led = {who: [s.attempt for s in line.said() if s.author == who] for who in (p, CHEAT)}
            made[p] = max(made[p], len(led[p]))
            goes_on = t.now < 5 and len(led[CHEAT]) < 60
            if goes_on and max(led[CHEAT], default=0) <= max(led[p], default=0):
                attempt = 1 + max([line.transcript.view, *led[p], *led[CHEAT]])
                bring(t, "status", stands(t, p, attempt, everybody), (p,))
        return all(any(4 in e.lost for e in t.of(p, ViewChanged)) for p in honest)

    table.run(leads, seconds=300)
    assert [table.of(p, ViewChanged)[0].lost for p in honest] == [(CHEAT, 4)] * 3
    assert 16 < max(made.values()) < 50
    assert not any(set(honest) & set(e.lost) for p in honest for e in table.of(p, ViewChanged))
