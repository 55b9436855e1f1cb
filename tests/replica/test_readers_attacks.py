"""What a reader of the code tried to hold tables up, to have seats lost and programs spin."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.replica import evidence, inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.context import OBSERVER
from lanplay_protocol.replica.events import AnswerNeeded, ViewChanged
from lanplay_protocol.replica.messages import (
    COMPLAINT,
    MOVE,
    Past,
    PhaseMessage,
    StatusMessage,
    complain,
    refs,
    sign,
)
from lanplay_protocol.replica.reveals import DealCards, Entropy
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.transcript import RETELLINGS
from tests.replica.harness import GAME, identity, parts
from tests.replica.test_audit import record_of
from tests.replica.test_card_cheats import sealed_shares
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level
from tests.replica.test_led_astray import CHEAT, deliver, owes, stands, waiting


def by(author, table, of, attempt, members, again=False):
    """A status of a liar's where another peer stands."""
    replica = table.replicas[of]
    at, past = replica.transcript.at, replica.transcript.past
    held = [each for each in replica.transcript.brought if each.sender == author]
    held = [each for each in held if each.view == at[0]]
    said = StatusMessage(author, attempt, tuple(members), at, past, refs(held), again)
    return sign(said, identity(author), replica.context.game_id).plain()


@pytest.mark.parametrize("spare", [1 << 17])
def test_two_liars_do_not_fill_what_is_held_of_the_honest(spare, monkeypatch):
    """One leads from attempt to attempt, the other signs the last one alone: view after view."""
    monkeypatch.setattr(evidence, "SPARE", spare)
    table = begun(5, seed=b"led", settings=TableSettings(grace=20))
    table.run(owes, seconds=600)
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


def test_a_paced_peer_is_not_late_to_those_who_are_not():
    """A liar leads one peer ahead of the others, so that it waits, and they need not."""
    table = begun(5, seed=b"led", settings=TableSettings(grace=45))
    table.run(owes, seconds=600)
    table.silent.update((CHEAT, 4))
    deliver(table)
    honest, everybody, victim = (0, 1, 3), (0, 1, 2, 3, 4), 0
    view = table.replicas[0].transcript.view
    for p in honest:
        if p != victim:
            bring(table, "status", by(CHEAT, table, p, view + 30, everybody), (p,))
    for n in range(16):
        bring(table, "status", by(CHEAT, table, victim, view + 1 + n, everybody), (victim,))
    deliver(table)
    numbers = iter(range(view + 31, view + 60))
    made = [0]

    def leads(t):
        heard = [t.replicas[p].line.said() for p in (1, 3)]  # no sooner than all others hear it
        own = min(sum(s.author == victim for s in said) for said in heard)
        if own > made[0] and own < 22:  # it has signed one more: another one at once
            made[0] = own
            number = next(numbers)
            for p in honest:
                bring(t, "status", by(CHEAT, t, p, number, everybody), (p,))
        for p in honest:  # and join what they want without it
            for s in t.replicas[p].line.said():
                if s.author == p and victim not in s.members and (p, s.attempt) not in joined:
                    joined.add((p, s.attempt))
                    for q in honest:
                        if (q, s.attempt, CHEAT) not in joined:
                            joined.add((q, s.attempt, CHEAT))
                            for liar in (CHEAT, 4):
                                if liar in s.members:
                                    body = by(liar, t, p, s.attempt, s.members)
                                    bring(t, "status", body, (q,), liar)
        return any(victim in e.lost for p in honest for e in t.of(p, ViewChanged))

    joined = set()
    table.run(leads, seconds=60)
    assert not any(victim in e.lost for p in honest for e in table.of(p, ViewChanged))


def test_one_liar_does_not_begin_views_without_end():
    """While a person thinks: each costs everybody signatures, memory and disk, and ever more."""
    table = waiting()
    took = []
    for _ in range(6):
        begins = time.monotonic()
        for _ in range(50):
            for p in (0, 1):
                attempt = table.replicas[p].transcript.view + 1
                bring(table, "status", stands(table, p, attempt, (0, 1, 2)), (p,))
            while table.queue:
                table.queue = type(table.queue)(i for i in table.queue if i[1] != CHEAT)
                if table.queue:
                    table._deliver()
            table.now += 0.01
        took.append(time.monotonic() - begins)
    assert len(table.replicas[0].transcript.views) < 100


def test_a_chain_of_messages_of_no_past_makes_nobody_spin(monkeypatch):
    """Each names a past that follows from the one before, and the first from nothing: no step goes
    over the chain once for each of them."""
    table = begun(3, seed=b"chain")
    level(table)
    table.run(lambda t: t.replicas[0].transcript.number > 150, seconds=600)
    deliver(table)
    replica, past = table.replicas[0], Past(MOVE, bytes(32), ())
    for n in range(900):
        past = Past(MOVE, past.hash, ())
        # slots in which it signs nothing else
        said = PhaseMessage(CHEAT, 10 + n % 100, 1 + n // 100, past, bytes(32), ())
        signed = sign(said, identity(CHEAT), replica.context.game_id)
        bring(table, "move", signed.plain(), (0,))
    gone_over, lacks = [], evidence.Statements.lacks
    count = lambda self, past: gone_over.append(past) or lacks(self, past)  # noqa: E731
    monkeypatch.setattr(evidence.Statements, "lacks", count)
    replica.step(inputs.Nudged(), table.now)
    assert len(gone_over) < 5_000


def test_who_owes_and_cuts_its_links_now_and_then_does_not_hold_up_the_table():
    """Entropy that its program owes never comes; its links go and come again."""
    table = begun(4, seed=b"flap", settings=TableSettings(grace=20))
    level(table)
    withheld = []

    def withhold(table, to, move):
        if isinstance(table.replicas[CHEAT].phases[move.phase], Entropy):
            withheld.append(move.phase)
        return [] if withheld and move.phase >= withheld[0] else None

    table.tampers[CHEAT] = withhold
    table.run(lambda t: withheld, seconds=60)
    begins = table.now
    honest = (0, 1, 3)
    while table.now < begins + 300:
        table.disconnect(*table.pairs(CHEAT))
        table.run(seconds=1)
        table.connect(*table.pairs(CHEAT))
        table.run(seconds=6)
        if all(table.of(p, ViewChanged) for p in honest):
            break
        table.now = max(table.now, begins)
    assert all(table.of(p, ViewChanged) for p in honest)


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


def test_a_false_share_on_a_line_that_the_others_never_saw_convicts_for_all_or_nobody():
    """Its receiver complains of it, and goes over to the line of the others."""
    other = GameKey.derive(b"o" * 32)

    def false(table, phase, move):
        context = table.replicas[CHEAT].context
        return parts(move, sealed_shares(context, phase, move, other, 0))

    apart(sealed_to(0), false, said=False)


@pytest.mark.longer_games
def test_a_false_message_on_a_line_that_the_others_never_saw_convicts_for_all_or_nobody():
    """Everybody who goes over that line could tell; nobody does."""
    apart(lambda phase: isinstance(phase, Entropy), lambda table, phase, move: parts(move, ()))


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


@pytest.mark.parametrize("every", [4, 8])
def test_who_wants_to_be_told_anew_without_a_complaint_still_owes_its_choice(every):
    """Most do not want to wait for it: it begins views, and is left out all the same."""
    table = begun(seed=b"anew", settings=TableSettings(grace=0))
    honest = (0, 1, 3)
    table.run(owes, seconds=600)
    table.silent.add(CHEAT)
    deliver(table)
    for peer in honest:
        table.step(peer, inputs.SkipWait(CHEAT))
    for _ in range(40 // every):
        top = max(table.replicas[peer].attendance.changes.top for peer in honest)
        for peer in honest:
            bring(table, "status", by(CHEAT, table, peer, top + 1, range(4), again=True), (peer,))
        table.run(seconds=every)
    assert all(CHEAT not in table.replicas[peer].transcript.members for peer in honest)
    assert not any(table.accused(peer) for peer in honest)


def test_who_has_complained_is_told_anew_eight_times():
    """More often by falling, and coming back: a liar that was told something false owes on."""
    transcript = waiting().replicas[0].transcript
    at, past, word = transcript.at, transcript.past, (COMPLAINT, CHEAT, 1, 0, bytes(32))
    said = StatusMessage(CHEAT, 1, (0, 1, 2), at, past, (), True, (word,))
    others = replace(said, evidence=((COMPLAINT, 0, 1, 0, bytes(32)),))
    assert transcript.may_be_told(said)
    assert not transcript.may_be_told(others)
    transcript.told[CHEAT] = RETELLINGS
    assert not transcript.may_be_told(said)


def test_who_has_to_be_told_anew_names_its_complaint_whatever_convicts_its_author():
    """Others may have convicted it by another proof first, and tell nobody anew without one."""
    table = waiting()
    replica = table.replicas[0]
    move = next(said[CHEAT] for said in reversed(replica.moves[:-1]) if CHEAT in said)
    body = PhaseMessage(CHEAT, move.phase, move.view, replica.transcript.past, bytes(32), ())
    twice = sign(body, identity(CHEAT), replica.context.game_id)
    bring(table, "move", twice.plain(), (0,))
    assert set(replica.convicted) == {CHEAT}
    mine = complain(0, move, bytes(64), identity(0), table.roster)
    replica._verdicts._judged[mine.key] = (0, CHEAT)
    assert mine.key not in replica._verdicts.evidence
    replica._verdicts.wronged = True
    assert mine.key in replica._verdicts.evidence
