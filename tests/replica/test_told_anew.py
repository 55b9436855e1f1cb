"""Who was told something false is told anew, for a complaint, and not without end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.messages import (
    COMPLAINT,
    PhaseMessage,
    StatusMessage,
    complain,
    refs,
    sign,
)
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.transcript import RETELLINGS
from tests.replica.harness import identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, finish_alike
from tests.replica.test_led_astray import CHEAT, deliver, owes, waiting
from tests.replica.test_two_lines import VICTIM, false_shares, shared_falsely


def by(author, table, of, attempt, members, again=False):
    """A status of a liar's where another peer stands."""
    replica = table.replicas[of]
    at, past = replica.transcript.at, replica.transcript.past
    held = [each for each in replica.transcript.brought if each.sender == author]
    held = [each for each in held if each.view == at[0]]
    said = StatusMessage(author, attempt, tuple(members), at, past, refs(held), again)
    return sign(said, identity(author), replica.context.game_id).plain()


@pytest.mark.parametrize("every", [4, 8])
def test_who_wants_to_be_told_anew_without_a_complaint_still_owes_its_choice(every):
    """Most do not want to wait for it: it begins views, and is left out all the same."""
    table = begun(seed=b"anew", settings=TableSettings(grace=0))
    honest = (0, 1, 3)
    table.run(owes, seconds=600)
    assert owes(table)
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


def test_who_has_been_told_anew_and_is_restarted_wants_no_further_view(monkeypatch):
    """Its complaint is judged once more then: each restart took one of the eight times."""
    table = begun(seed=b"a21")
    false_shares(monkeypatch, {3: 0})
    line = table.replicas[0].transcript
    table.run(lambda _: line.told[VICTIM] and line.number > line.views[0].phase + 9, seconds=600)
    assert line.told[VICTIM] == 1
    table.kill(VICTIM)
    table.restart(VICTIM)
    again = table.replicas[VICTIM]
    assert set(again.convicted) == {3}
    table.run(lambda t: t.is_over(), seconds=600)
    assert again.over
    assert again.transcript.told[VICTIM] == 1


def test_who_has_to_be_told_once_more_and_is_restarted_is_asked_nothing_before(monkeypatch):
    """It was told anew before the deal came to its end: it lacks cards, and would be convicted of
    what it says of them blindly."""
    table = shared_falsely(monkeypatch, b"d103")
    table.step(3, inputs.Leaving())
    table.kill(3, lost=False)
    victim, saw, honest = table.replicas[VICTIM], [], table.answerer
    table.run(lambda _: victim._verdicts.wronged and victim.transcript.told[VICTIM], seconds=30)
    assert victim.context.handover_incomplete

    def answerer(peer, ask):
        context = table.replicas[VICTIM].context
        if peer == ask.seat == VICTIM:
            saw.append({*context.deck.known(VICTIM)} <= context.views[VICTIM].own.keys())
        return honest(peer, ask)

    table.answerer = answerer
    table.kill(VICTIM)
    (*entries, (kind, _)), sync = table.disks[VICTIM].pop()
    assert kind == "status"  # the power failed before the disk had it
    table.disks[VICTIM].append((entries, sync))
    table.restart(VICTIM)
    finish_alike(table, (0, 1, 2))
    assert saw
    assert all(saw)
