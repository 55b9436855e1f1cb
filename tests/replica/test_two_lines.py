"""False parts and double messages late in a game: no honest peer contradicts itself."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import pytest

from lanplay_protocol.crypto.sealing import seal
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.handover import Handover
from lanplay_protocol.replica.messages import (
    MOVE,
    STATUS,
    Past,
    PhaseMessage,
    StatusMessage,
    complain,
    parse_signed,
    refs,
    sign,
)
from lanplay_protocol.replica.positions import AHEAD
from lanplay_protocol.replica.reveals import DealCards
from lanplay_protocol.wire import decode, encode
from tests.replica.faults import steps
from tests.replica.harness import identity, received
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, HONEST, false_sealing, finish_alike, spoiling

VICTIM = 0
LATE = 60
SEEDS = 12
"""Games that are tried until one has what a test is about."""


def overhear(table):
    """Collect what every peer signs, by slot."""
    said = defaultdict(set)
    post = table._post

    def listen(peer, event):
        kind, payload = decode(event.body)
        if kind == "move":
            signed = parse_signed(payload)
            said[signed.sender, signed.slot].add(signed.body)
        post(peer, event)

    table._post = listen
    return said


def false_shares(monkeypatch, guilty):
    """Let the peers of ``guilty`` each seal one false set of shares to the victim; return when."""
    honest, done = DealCards.mine, {}

    def mine(self):
        context = self.context
        late = context.phase > guilty.get(context.me, 1 << 20)
        if not late or context.me in done or self._receiver != VICTIM:
            return honest(self)
        done[context.me] = context.phase
        label = self.label(context.transcript_hash, context.phase, context.me)
        seed = context.secret_seed("deal")
        return seal(context.publics[VICTIM], bytes(self._size), label, seed)

    monkeypatch.setattr(DealCards, "mine", mine)
    return done


def two_faced(table, odd, after=LATE):
    """Let the cheat commit to one thing towards ``odd`` and to another towards all others."""

    def tamper(table, to, move):
        phase = table.replicas[CHEAT].phases[move.phase]
        if move.phase <= after or not isinstance(phase, CommitPhase) or to not in odd:
            return None
        (_, sealed), *rest = move.parts
        return [replace(move, parts=((bytes(32), sealed), *rest))]

    table.tampers[CHEAT] = tamper


def test_who_had_the_odd_one_of_two_messages_signs_nothing_twice():
    """Whoever has to go over to the others' line says there what it has said before."""
    table = begun(seed=b"a11")
    said = overhear(table)
    two_faced(table, {0})
    finish_alike(table, HONEST)
    assert all(table.accused(peer) == {(CHEAT, Code.EQUIVOCATION)} for peer in HONEST)
    assert all(len(bodies) == 1 for (peer, _), bodies in said.items() if peer in HONEST)


def test_who_was_dealt_a_false_part_restarts_where_it_was(monkeypatch):
    """The message that held it counts, and is kept on disk."""
    table = begun(seed=b"a21")
    done = false_shares(monkeypatch, {3: 0})
    said = overhear(table)
    table.run(lambda t: done and t.replicas[1].transcript.number > done[3] + LATE, seconds=600)
    number = table.replicas[VICTIM].transcript.number
    table.kill(VICTIM)
    table.restart(VICTIM)
    assert table.replicas[VICTIM].transcript.number == number
    finish_alike(table, (0, 1, 2))
    assert all(len(bodies) == 1 for (peer, _), bodies in said.items() if peer != 3)


def shared_falsely(monkeypatch, seed):
    """Return a table where 1 has the message with a false part for the victim, which has not."""
    monkeypatch.undo()
    table = begun(seed=seed)
    done = false_shares(monkeypatch, {3: 20})
    table.tampers[3] = lambda table, to, move: (
        [] if move.phase == done.get(3) and to == VICTIM else None
    )

    def another_has_it(_):
        return 3 in done and 3 in table.replicas[1].moves[-1]

    table.run(another_has_it, seconds=100)
    return table if another_has_it(table) else None


def test_a_false_part_that_its_receiver_learns_of_from_a_cut_counts_for_all(monkeypatch):
    """Its author shows it to all others and leaves: the receiver is not the odd one out."""
    table = next(filter(None, (shared_falsely(monkeypatch, b"d%d" % n) for n in range(SEEDS))))
    table.step(3, inputs.Leaving())
    table.kill(3, lost=False)
    finish_alike(table, (0, 1, 2))
    assert all(table.accused(peer) == {(3, Code.BAD_PROOF)} for peer in (0, 1, 2))


def test_every_false_part_is_complained_of(monkeypatch):
    """Two peers spoil one victim's cards, one after the other: both are named and cut off."""
    table = begun(5, seed=b"a10b")
    false_shares(monkeypatch, {3: 0, 4: LATE})
    finish_alike(table, (0, 1, 2))
    guilty = {(3, Code.BAD_PROOF), (4, Code.BAD_PROOF)}
    assert all(table.accused(peer) == guilty for peer in (0, 1, 2))


def test_a_false_handover_is_judged_once_and_named():
    """What was sealed to a new holder is false: judged before the cards it is about are mixed."""

    def hidden(table):
        return table.replicas[1].context.deck.known(1)

    games = (
        spoiling(Handover, false_sealing, hidden, b"spoil%d" % n, absent="play")
        for n in range(3, 3 + SEEDS)
    )
    # what it says anew after a view is spoiled anew: some may hear both before they can judge one
    by_proof = {(CHEAT, Code.BAD_PROOF)}
    for accused in filter(None, games):
        assert all(len(names) == 1 for names in accused.values())
        assert {peer for names in accused.values() for peer, _ in names} == {CHEAT}
        if all(names == by_proof for names in accused.values()):
            return
    pytest.fail("it never was judged by everybody")


def test_who_complains_of_a_true_part_is_cut_off_and_the_table_plays_on():
    """A false complaint in the middle of the game is its author's fault, and nobody else's."""
    table = begun(seed=b"a09")

    def dealt(_):
        phases = table.replicas[0].transcript._sealed.values()
        return any(isinstance(phase, DealCards) and phase.receives(CHEAT) for phase in phases)

    table.run(dealt, seconds=600)
    transcript = table.replicas[0].transcript
    number = max(
        n for n, p in transcript._sealed.items() if isinstance(p, DealCards) and p.receives(CHEAT)
    )
    made = complain(
        CHEAT, transcript.moves[number][0], bytes(96), table.identity(CHEAT), table.roster
    )
    for peer in HONEST:
        body = encode(("complaint", made.plain()))
        table.step(peer, received(CHEAT, body))
    finish_alike(table, HONEST)
    assert all(table.accused(peer) == {(CHEAT, Code.FALSE_CLAIM)} for peer in HONEST)


def test_who_was_dealt_a_false_part_knows_its_cards_once_the_author_is_out(monkeypatch):
    """What was sealed falsely is given again by the others: no seat plays on without its cards."""
    table = begun(seed=b"a21")
    done = false_shares(monkeypatch, {3: 0})
    table.run(lambda t: done and all(t.replicas[p].begun for p in (0, 1, 2)), seconds=600)
    after = table.replicas[VICTIM].transcript.number + 12
    table.run(lambda t: t.replicas[VICTIM].transcript.number > after, seconds=600)
    context = table.replicas[VICTIM].context
    assert not context.handover_incomplete
    dealt = context.deck.known(VICTIM)
    assert dealt
    assert set(dealt) <= context.views[VICTIM].own.keys()


def test_a_view_begins_although_one_had_signed_another_status_that_leads_nowhere():
    """Who hears the odd one first enters the view with the one that the others have, too."""
    table = begun(seed=b"odd first")
    steps(table, 60)
    late, liar, everybody = table.replicas[0], 3, (0, 1, 2, 3)
    number, past = late.transcript.number, late.transcript.past

    def heard(author, names, at):
        held = refs([each for each in late.transcript.brought if each.sender == author])
        said = StatusMessage(author, 1, everybody, (0, at), names, held)
        signed = sign(said, identity(author), late.line.statements.game_id(-1))
        table.step(0, inputs.Received(1, STATUS, signed.plain()))

    heard(liar, Past(MOVE, bytes(32), ()), number + 1)
    for author in everybody:
        assert late.transcript.view == 0
        heard(author, past, number)
    assert late.transcript.view == 1
    assert set(late.convicted) == {liar}


def test_what_is_named_from_too_far_ahead_to_be_kept_is_not_asked_for():
    """It is asked for once this line is nearer."""
    table = begun(seed=b"far ahead")
    steps(table, 60)
    line, number, other = table.replicas[0].line, table.replicas[0].transcript.number, 1
    past, game = line.transcript.past, line.statements.game_id(number)
    for attempt, far in enumerate((AHEAD, AHEAD + 1), 1):
        said = PhaseMessage(other, number + far, 0, past, line.transcript.state, ())
        names = Past(MOVE, past.hash, refs([sign(said, identity(other), game)]))
        at = (0, number + far + 1)
        status = StatusMessage(other, attempt, (0, 1, 2, 3), at, names, ())
        signed = sign(status, identity(other), line.statements.game_id(-1))
        table.step(0, inputs.Received(other, STATUS, signed.plain()))
        assert [key[3] for key in line.lacking()[0]] == [number + AHEAD]


def test_where_others_went_on_with_a_convicted_peer_is_asked_for_although_nobody_had_to_speak():
    """The next message of anybody names a past that this laptop, which has been away, lacks."""
    table = begun(seed=b"gone on")
    steps(table, 60)
    behind, cheat, other = table.replicas[0], 3, 1
    line, number = behind.line, behind.transcript.number
    assert cheat in behind.transcript.missing
    their = Past(MOVE, Past(MOVE, bytes(31) + b"1", ()).hash, ())  # a phase without messages
    said = PhaseMessage(other, number + 2, 0, their, behind.transcript.state, ())
    move = sign(said, identity(other), line.statements.game_id(number))
    table.step(0, inputs.Received(other, MOVE, move.plain()))
    assert line.lacking() == ([], [])
    line.convicted.add(cheat)
    assert line.lacking() == ([], [their.before])


def test_a_line_that_parts_under_phases_without_messages_is_asked_for_to_where_it_parts():
    """An honest peer's message names nothing, after a phase in which nobody said anything, after a
    view that another status of the liar began: it is the other half of the proof against it."""
    table = begun(seed=b"apart")
    steps(table, 60)
    judge, liar, victim = table.replicas[0], 3, 1
    line, number = judge.line, judge.transcript.number
    here = next(p for p, place in judge.transcript.line.items() if place == (number - 1, 0))
    past, everybody = line.statements.pasts[here], (0, 1, 2, 3)

    def signed(said):
        return sign(said, identity(said.author), line.statements.game_id(-1))

    def status(peer, again=False):
        return signed(StatusMessage(peer, 1, everybody, (0, number), past, (), again=again))

    begins = Past(STATUS, here, refs([*map(status, everybody[:3]), status(liar, again=True)]))
    silent = Past(MOVE, begins.hash, ())
    said = PhaseMessage(victim, number, 1, silent, judge.transcript.state, ())
    move = sign(said, identity(victim), line.statements.game_id(number))
    for kind, payload in (
        (STATUS, status(liar).plain()),
        (MOVE, move.plain()),
        ("past", begins.plain()),
        (STATUS, status(liar, again=True).plain()),
    ):
        assert not judge.convicted
        table.step(0, inputs.Received(victim, kind, payload))
        if kind == MOVE:
            assert line.lacking()[1] == [begins.hash]
        if kind == "past":
            assert status(liar, again=True).key in line.lacking()[0]
    assert set(judge.convicted) == {liar}


def test_what_a_message_names_is_asked_for_until_it_is_judged():
    """Though nothing else has come since: nobody asks on for what convicts nobody any more. The
    newest comes first, and hides none before it."""
    table = begun(seed=b"judged")
    steps(table, 60)
    line, number, other = table.replicas[0].line, table.replicas[0].transcript.number, 1
    named = {}
    for phase in (number - 2, number - 1):
        there = Past(MOVE, bytes([phase]) * 32, ())
        said = PhaseMessage(other, phase, 0, there, line.transcript.state_at(phase), ())
        move = sign(said, identity(other), line.statements.game_id(phase))
        table.step(0, inputs.Received(other, MOVE, move.plain()))
        named[move.key] = there.before
    earlier, newest = named
    assert line.lacking()[1] == [named[newest], named[earlier]]
    del line.positions.odd[newest]
    assert line.lacking()[1] == [named[earlier]]


@pytest.mark.longer_games(12, 8)
def test_whoever_was_told_something_false_is_asked_once_it_has_been_told_anew(monkeypatch):
    """DT-6.8: a cheat seals false shares of two cards to the victim, which has to say what they are
    in the next phase. Asked before it knows, it hid Nervous Joe, and was convicted of that."""
    asked = []
    for seed in (101, 102, 108):  # it is asked for such cards in few games, at once in the first
        table = shared_falsely(monkeypatch, b"d%d" % seed)
        honest = table.answerer

        def answerer(peer, ask, table=table, honest=honest):
            if peer == ask.seat == VICTIM and ask.question.name == "store":
                own = table.replicas[VICTIM].views[VICTIM].own
                asked.append(set(ask.question.cards) <= own.keys())
            return honest(peer, ask)

        table.answerer = answerer
        table.step(3, inputs.Leaving())
        table.kill(3, lost=False)
        finish_alike(table, (0, 1, 2))
        assert all(table.accused(peer) <= {(3, Code.BAD_PROOF)} for peer in (0, 1, 2))
    assert asked
    assert all(asked)
