"""Modified peers and cuts: what they say of who takes part moves nobody, and buys them nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.crypto.group import hash_to_point
from lanplay_protocol.crypto.sealing import OVERHEAD, seal
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase, RevealPhase
from lanplay_protocol.replica.events import PeerUnreachable, ViewChanged
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.replica.handover import Handover, SeatLottery
from lanplay_protocol.replica.messages import LEAVE, StatusMessage, refs, sign, wish
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.threshold import ThresholdOpening
from lanplay_protocol.wire import encode
from tests.replica.faults import steps
from tests.replica.harness import Table, identity, parts, received
from tests.replica.test_cut import begun, finish

CHEAT = 2
VICTIM = 1
HONEST = (0, 1, 3)


def bring(table: Table, kind, payload, to=HONEST, by=CHEAT):
    """Let the connection of a peer bring a message to some; return the kinds that each sends."""
    answers = {}
    for peer in to:
        output = table.replicas[peer].step(received(by, encode((kind, payload))), table.now)
        answers[peer] = [envelope.kind for envelope in output.send]
        table.handle(peer, output)
    return answers


def leave(table: Table, view=None, to=HONEST, author=CHEAT, bringer=None):
    """Say to some that a peer leaves, as it or a ``bringer`` does."""
    replica = table.replicas[0]
    number = replica.transcript.view if view is None else view
    made = wish(LEAVE, author, number, identity(author), replica.context.game_id)
    bring(table, LEAVE, made.plain(), to, author if bringer is None else bringer)


def status(table: Table, attempt, members, author=CHEAT, signer=CHEAT, **changes):
    """A status where peer 0 stands, which names what its author has said there, signed; with some
    fields changed."""
    replica = table.replicas[0]
    said = (each for r in (replica, table.replicas[author]) for each in r.transcript.brought)
    view, number = at = replica.transcript.at
    own = [each for each in said if (each.sender, each.view, each.phase) == (author, view, number)]
    here = {"at": at, "past": replica.transcript.past, "held": refs(own[:1])}
    made = StatusMessage(author, attempt, tuple(members), **{**here, **changes})
    return sign(made, identity(signer), replica.context.game_id)


def join(table: Table, attempt, members, to=HONEST, author=CHEAT, **changes):
    """Let the cheat join an attempt; return the kinds of what each sends then."""
    signed = status(table, attempt, members, author, author, **changes)
    return bring(table, "status", signed.plain(), to)


def level(table: Table, ready=lambda table: True):
    """Run until all stand at one phase, in the middle of the game."""

    def same(_):
        alike = len({r.transcript.number for r in table.replicas}) == 1
        return alike and middle(table) and ready(table)

    table.run(same, seconds=600)
    assert same(table)


def withholds_entropy(table: Table):
    """Let the cheat send nothing from its first entropy on; return the phases of what it keeps."""
    withheld = []

    def withhold(table, to, move):
        if isinstance(table.replicas[CHEAT].phases[move.phase], Entropy):
            withheld.append(move.phase)
        return [] if withheld and move.phase >= withheld[0] else None

    table.tampers[CHEAT] = withhold
    return withheld


def middle(table: Table):
    return table.replicas[0].transcript.number > 40


def commits(table: Table, peer):
    """Run until all stand at one commitment of this peer's, which some have and some still owe."""

    def half(_):
        phase = table.replicas[peer].transcript.phase
        same = len({r.transcript.number for r in table.replicas}) == 1
        brought = [set(r.transcript.moves[-1]) for r in table.replicas]
        others = isinstance(phase, CommitPhase) and phase.needs - {peer}
        return same and others and all(peer in b for b in brought) and not others <= brought[0]

    table.run(half, seconds=3000)
    assert half(table)


def changes(table: Table):
    return [event for peer in HONEST for event in table.of(peer, ViewChanged)]


def test_nobody_joins_an_attempt_without_whom_it_hears():
    """An attempt that leaves an honest peer out gets no status of those who hear it."""
    table = begun(seed=b"prepare")
    level(table)
    answers = join(table, 1, (0, CHEAT, 3))
    assert not any("status" in kinds for kinds in answers.values())
    finish_alike(table, HONEST)
    assert not any(VICTIM in event.lost for event in changes(table))


def test_a_status_in_the_name_of_another_is_ignored():
    """What another did not sign counts for nothing, whoever brings it."""
    table = begun(seed=b"forged")
    level(table)
    forged = status(table, 1, (0, 2, 3), author=VICTIM, signer=CHEAT)
    bring(table, "status", forged.plain())
    assert not table.replicas[0].line.statements.statuses
    finish(table)
    assert not changes(table)


def test_a_status_of_another_game_is_ignored():
    """Statements hang on the game's id: none of another game of the same people counts."""
    table = begun(seed=b"other")
    replica = table.replicas[0]
    said = StatusMessage(CHEAT, 1, (0, 1, 2, 3), replica.transcript.at, replica.transcript.past, ())
    bring(table, "status", sign(said, identity(CHEAT), bytes(32)).plain(), (0,))
    assert not replica.line.statements.statuses


@pytest.mark.longer_games(12, 8)
def test_a_quorum_of_statuses_is_no_certificate_without_all_members():
    """A view begins when every member has signed the same attempt, and not before."""
    table = begun(seed=b"q2")
    level(table)
    for author in (0, 1, 3):
        signed = status(table, 1, (0, 1, 2, 3), author, author)
        table.replicas[0].line.statements.add(signed)
    assert table.replicas[0].line.certificates() == []
    table.replicas[0].line.statements.add(status(table, 1, (0, 1, 2, 3)))
    assert len(table.replicas[0].line.certificates()) == 1


def test_who_stands_where_nobody_can_follow_joins_nothing():
    """A status at a past that nobody can show counts for nothing: its author is late."""
    table = begun(seed=b"a03")
    level(table)
    number = table.replicas[0].transcript.number
    past = replace(table.replicas[0].transcript.past, before=bytes(32))
    join(table, 1, (0, 1, 2, 3), at=(0, number + 3), past=past)
    finish_alike(table, HONEST)
    assert all(table.accused(peer) <= {(CHEAT, Code.EQUIVOCATION)} for peer in HONEST)


def test_who_begins_an_attempt_and_goes_on_in_the_view_before_is_named():
    """E3: whoever has joined an attempt has nothing more to say in earlier views."""
    table = begun(seed=b"denial")
    level(table)
    join(table, 9, (0, 1, 2, 3), at=(0, 5), past=table.replicas[0].transcript.past)
    finish_alike(table, HONEST)
    assert all(table.accused(peer) == {(CHEAT, Code.EQUIVOCATION)} for peer in HONEST)


def test_attempts_far_above_all_others_are_not_heard():
    """Nobody can use the numbers up."""
    table = begun(seed=b"a04")
    level(table)
    join(table, (1 << 24) - 1, (0, 1, 2, 3))
    assert not table.replicas[0].line.statements.statuses
    finish(table)


def test_an_old_farewell_is_no_farewell():
    """Who left and is back is not sent away by whoever kept its word: it was for that cut."""
    table, others = begun(seed=b"replay"), (0, CHEAT, 3)
    level(table)
    leave(table, author=VICTIM, to=others)
    table.run(lambda t: VICTIM in t.replicas[0].context.present and changes(t), seconds=60)
    table.run(lambda t: len({len(r.begun) for r in t.replicas}) == 1, seconds=60)
    before = len(table.replicas[0].begun)
    leave(table, 0, author=VICTIM, to=others)
    finish(table)
    assert not any(view.lost for view in table.replicas[0].begun[before:])


def test_who_broke_the_rules_does_not_come_back():
    """A banned peer that asks to return, and has its own return proposed, stays out."""
    table = begun(seed=b"banned")

    def tamper(table, to, move):
        phase = table.replicas[CHEAT].phases[move.phase]
        if move.phase < 40 or not isinstance(phase, RevealPhase) or not move.parts[0]:
            return None
        (_, salt), *rest = move.parts[0]
        return [parts(move, (((encode(((), ())), salt), *rest), *move.parts[1:]))]

    table.tampers[CHEAT] = tamper
    table.run(lambda t: all(r.begun for p, r in enumerate(t.replicas) if p != CHEAT), seconds=600)
    table.tampers.clear()
    for _ in range(3):
        join(table, table.replicas[0].transcript.view + 1, range(4))
        steps(table, 20)
    finish_alike(table, HONEST)
    assert CHEAT not in table.replicas[0].context.present
    assert not any(CHEAT in event.back for event in changes(table))


def test_one_that_hears_nobody_loses_nobody():
    """A peer's word that it hears nobody makes nobody missing: the others do hear each other."""
    table = begun(seed=b"deaf")
    level(table)
    word = Liveness(frozenset(HONEST))
    for peer in HONEST:
        body = encode(("presence", word.plain()))
        table.step(peer, received(CHEAT, body))
    finish(table)
    assert not changes(table)
    assert not any(table.of(peer, PeerUnreachable) for peer in HONEST)


def test_who_leaves_after_its_commitment_keeps_its_choice():
    """DT-2.2: a peer that commits, leaves and is back at once has chosen: it is not asked again."""
    table = begun(seed=b"again")
    commits(table, CHEAT)
    (mine,) = table.replicas[CHEAT].context.answers.values()
    asked = list(table.replicas[CHEAT].transcript.phase.request.questions)
    before = len(table.replicas[0].context.referee.history)
    leave(table)
    table.run(lambda t: len(t.replicas[0].context.referee.history) > before, seconds=60)
    assert changes(table)
    assert table.replicas[0].context.referee.history[before][asked.index(CHEAT)] == mine
    finish(table)


def spoiling(kind, spoil, ready=lambda table: True, seed=b"spoil", absent="sealed"):
    """Play with five, of whom peer 1 is lost and the cheat spoils its part of a phase.

    Returns what each honest peer accuses others of; nothing if there was no such phase.
    """
    table = begun(peers=5, seed=seed, settings=TableSettings(grace=3, absent=absent))
    for replica in table.replicas:
        replica.openings.ahead = True
    done = []

    def tamper(table, to, move):
        phase = table.replicas[CHEAT].phases[move.phase]
        if not isinstance(phase, kind) or (done and done[0] != move.phase):
            return None
        spoiled = spoil(table, phase, move)
        done.extend([move.phase] if spoiled != move.parts else [])
        return [parts(move, spoiled)]

    level(table, ready)
    table.tampers[CHEAT] = tamper
    table.step(VICTIM, inputs.Leaving())  # beyond dispute: its hand may be opened at once
    table.kill(VICTIM, lost=False)
    finish_alike(table, (0, 3, 4))
    return {peer: table.accused(peer) for peer in (0, 3, 4) if done}


def finish_alike(table, peers):
    table.run(lambda t: all(t.replicas[peer].over for peer in peers), seconds=900)
    assert all(table.replicas[peer].over for peer in peers)
    assert len({table.replicas[peer].context.transcript_hash for peer in peers}) == 1


def other(move):
    """Return something else of the same shape as the parts of a message."""
    if isinstance(move, tuple):
        return tuple(other(part) for part in move)
    return hash_to_point("any", move) if isinstance(move, bytes) and len(move) == 32 else move


def false_sealing(table, phase, move):
    """Return the parts of a message with nothing true inside those that are sealed to others."""
    context = table.replicas[CHEAT].context
    bases = table.replicas[CHEAT].transcript.bases
    label = phase.label(bases[move.phase], move.phase, CHEAT)

    def spoiled(receiver, part):
        if not part or receiver in (None, CHEAT):
            return part
        inside = bytes(len(part) - OVERHEAD)
        return seal(context.publics[receiver], inside, label, bytes(32))

    receivers = phase._takers if isinstance(phase, Handover) else phase._items
    return tuple(map(spoiled, receivers, move.parts))


@pytest.mark.parametrize("kind", [SeatLottery, ThresholdOpening])
def test_a_false_part_after_a_cut_is_named(kind):
    """A part of the lot, or a partial, that is no power of its author's key has no proof."""
    accused = spoiling(kind, lambda table, phase, move: other(move.parts))
    assert accused
    assert all(names == {(CHEAT, Code.BAD_PROOF)} for names in accused.values())


def test_a_false_sealed_partial_is_shown_and_named():
    """Whom a card is dealt to shows what was sealed to it and false."""
    accused = spoiling(ThresholdOpening, false_sealing)
    assert accused
    assert all(names == {(CHEAT, Code.BAD_PROOF)} for names in accused.values())


def test_who_withholds_its_part_of_the_lot_is_left_out_as_well():
    """Nobody can keep the table from drawing who takes a seat over."""
    table = begun(peers=5, seed=b"lot", settings=TableSettings(grace=3))
    level(table)
    table.tampers[CHEAT] = lambda table, to, move: (
        [] if isinstance(table.replicas[CHEAT].phases[move.phase], SeatLottery) else None
    )
    table.kill(VICTIM)
    table.run(lambda t: len(t.replicas[0].begun) > 1, seconds=60)
    assert [view.lost for view in table.replicas[0].begun[:2]] == [{VICTIM}, {CHEAT}]
    assert all(table.accused(peer) == set() for peer in (0, 3, 4))
    table.tampers.clear()
    finish_alike(table, (0, 3, 4))
