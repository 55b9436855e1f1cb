"""Modified peers and cuts: what they say of who takes part moves nobody, and buys them nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.crypto.group import hash_to_point
from lanplay_protocol.crypto.sealing import OVERHEAD, seal
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.choices import CommitPhase, RevealPhase
from lanplay_protocol.replica.cut import (
    Cut,
    Decided,
    Leave,
    Prepare,
    Propose,
    Return,
    Vote,
    check_decided,
    parse_ballots,
    sign_word,
)
from lanplay_protocol.replica.events import PeerUnreachable, ViewChanged
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.replica.handover import Handover, SeatLottery
from lanplay_protocol.replica.roster import PEERS
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.threshold import ThresholdOpening
from lanplay_protocol.wire import decode, encode
from tests.replica.faults import steps
from tests.replica.harness import Table, identity, parts, received
from tests.replica.test_cut import begun, finish

CHEAT = 2
VICTIM = 1
HONEST = (0, 1, 3)
BALLOT = 5 * PEERS + CHEAT


def say(table: Table, word, to=HONEST, author=CHEAT, signer=CHEAT):
    """Bring a word of ``author``, signed by ``signer``, to some; return what they answer."""
    game = table.replicas[0].context.game_id
    ballots = replace(sign_word(word, author, identity(signer), game), sender=author)
    answers = {}
    for peer in to:
        given = received(CHEAT, encode(("cut", ballots.plain())))
        output = table.replicas[peer].step(given, table.now)
        answers[peer] = [kind for kind in map(kind_of, output.send) if kind]
        table.handle(peer, output)
    return answers


def kind_of(envelope):
    """Return the kind of the word that is sent; empty for anything else."""
    cut = envelope.kind == "cut"
    return decode(parse_ballots(envelope.payload).body)[2] if cut else ""


def cut(table: Table, **changes):
    """A cut of nobody, where peer 0 stands; with some fields changed."""
    replica = table.replicas[0]
    plain = {"number": len(replica.decided), "lost": (), "back": (), "again": (), "moves": ()}
    where = {"phase": replica.transcript.number, "transcript": replica.context.transcript_hash}
    return Cut(**{**plain, **where, **changes})


def level(table: Table, ready=lambda table: True):
    """Run until all stand at one phase, in the middle of the game."""

    def same(_):
        alike = len({r.transcript.number for r in table.replicas}) == 1
        return alike and middle(table) and ready(table)

    table.run(same, seconds=600)
    assert same(table)


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


def test_nobody_promises_to_cut_off_whom_it_hears():
    """A preparation to cut an honest peer gets no promise of those who hear it."""
    table = begun(seed=b"prepare")
    level(table)
    answers = say(table, Prepare(0, BALLOT, (VICTIM,)))
    assert not any("promise" in kinds for kinds in answers.values())
    finish(table)
    assert not changes(table)


def test_a_vote_in_the_name_of_another_is_refused():
    """What another did not sign closes the connection that brought it, and counts for nothing."""
    table = begun(seed=b"forged")
    level(table)
    with pytest.raises(PeerError) as error:
        say(table, Vote(0, BALLOT, bytes(32)), to=(0,), author=VICTIM)
    assert error.value.code is Code.BAD_SIGNATURE
    finish(table)


def test_a_vote_for_another_game_is_refused():
    """Words hang on the game's id: none of another game of the same people counts."""
    table = begun(seed=b"other")
    ballots = sign_word(Vote(0, BALLOT, bytes(32)), CHEAT, identity(CHEAT), bytes(32))
    with pytest.raises(PeerError, match="another game"):
        table.replicas[0].step(received(CHEAT, encode(("cut", ballots.plain()))), table.now)


def test_votes_under_different_ballots_are_no_decision():
    """A quorum has voted only if it did so under one ballot."""
    table = begun(seed=b"ballots")
    game, chosen = table.replicas[0].context.game_id, cut(table)
    ballots = (BALLOT, BALLOT, BALLOT + PEERS)
    votes = tuple(
        sign_word(Vote(0, ballot, chosen.digest()), peer, identity(peer), game)
        for peer, ballot in enumerate(ballots)
    )
    with pytest.raises(PeerError, match="no quorum"):
        check_decided(Decided(chosen, votes), table.roster, game)


def test_nobody_proposes_under_the_ballot_of_another():
    """Every ballot has one owner, so that no two cuts are proposed under one."""
    table = begun(seed=b"owner")
    level(table)
    answers = say(table, Propose(5 * PEERS + VICTIM, cut(table)))
    assert not any("vote" in kinds for kinds in answers.values())
    finish(table)


@pytest.mark.parametrize("what", ["behind", "here", "left out"])
def test_a_cut_that_takes_back_what_a_voter_holds_gets_no_vote(what):
    """Not of a phase that is past, not of a member again, not without a message of the lost."""
    table = begun(seed=b"unsound")
    if what == "left out":
        commits(table, VICTIM)
        proposed = cut(table, lost=(VICTIM,))
    else:
        level(table)
        past = table.replicas[0].transcript.number - 1
        proposed = cut(table, phase=past) if what == "behind" else cut(table, back=(VICTIM,))
    answers = say(table, Propose(BALLOT, proposed))
    assert not any("vote" in kinds for kinds in answers.values())
    finish(table)
    assert not changes(table)


def test_an_old_farewell_is_no_farewell():
    """Who left and is back is not sent away by whoever kept its word: it was for that cut."""
    table, others = begun(seed=b"replay"), (0, CHEAT, 3)
    level(table)
    say(table, Leave(0), author=VICTIM, signer=VICTIM, to=others)
    table.run(lambda t: VICTIM in t.replicas[0].context.present and changes(t), seconds=60)
    table.run(lambda t: len({len(r.decided) for r in t.replicas}) == 1, seconds=60)
    before = len(table.replicas[0].decided)
    say(table, Leave(0), author=VICTIM, signer=VICTIM, to=others)
    finish(table)
    assert not any(d.cut.lost for d in table.replicas[0].decided[before:])


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
    table.run(lambda t: all(r.decided for p, r in enumerate(t.replicas) if p != CHEAT), seconds=600)
    table.tampers.clear()
    for _ in range(3):
        say(table, Return(1))
        steps(table, 20)
    finish_alike(table, HONEST)
    assert CHEAT not in table.replicas[0].context.present
    assert not any(CHEAT in event.back for event in changes(table))


def test_one_that_hears_nobody_loses_nobody():
    """A peer's word that it hears nobody makes nobody missing: the others do hear each other."""
    table = begun(seed=b"deaf")
    level(table)
    word = Liveness(frozenset(HONEST), skip_wait=frozenset(HONEST))
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
    say(table, Leave(0))
    table.run(lambda t: len(t.replicas[0].context.referee.history) > before, seconds=60)
    assert changes(table)
    assert table.replicas[0].context.referee.history[before][asked.index(CHEAT)] == mine
    finish(table)


def spoiling(kind, spoil, ready=lambda table: True, seed=b"spoil"):
    """Play with five, of whom peer 1 is lost and the cheat spoils its part of a phase.

    Returns what each honest peer accuses others of; nothing if there was no such phase.
    """
    table = begun(peers=5, seed=seed, settings=TableSettings(grace=3))
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
    table.kill(VICTIM)
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
    label = phase.label(move.previous, move.phase, CHEAT)

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


def test_who_withholds_its_part_of_the_lot_is_cut_off_as_well():
    """Nobody can keep the table from drawing who takes a seat over."""
    table = begun(peers=5, seed=b"lot", settings=TableSettings(grace=3))
    level(table)
    table.tampers[CHEAT] = lambda table, to, move: (
        [] if isinstance(table.replicas[CHEAT].phases[move.phase], SeatLottery) else None
    )
    table.kill(VICTIM)
    table.run(lambda t: len(t.replicas[0].decided) > 1, seconds=60)
    assert [d.cut.lost for d in table.replicas[0].decided[:2]] == [(VICTIM,), (CHEAT,)]
    assert all(table.accused(peer) == {(CHEAT, Code.WITHHOLDS)} for peer in (0, 3, 4))
    table.tampers.clear()
    finish_alike(table, (0, 3, 4))
