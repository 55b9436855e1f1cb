"""Attempts to frame an honest peer, or to shut it out, by what a liar says of the past."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay_protocol.crypto.group import L
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import check_signature
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import AnswerNeeded
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import (
    MOVE,
    START,
    Citation,
    Past,
    PhaseMessage,
    complain,
    sign,
)
from lanplay_protocol.replica.roster import UNSIGNED, parse_roster
from lanplay_protocol.wire import encode
from tests.replica.harness import Table, identity, received, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, HONEST, VICTIM, bring, join, level
from tests.replica.test_evidence import ESCROW
from tests.replica.test_two_lines import LATE, two_faced

ALL = (0, 1, 2, 3)


def said(table, phase, view, past, author=CHEAT, parts=()):
    """A message as its author may sign it at any time."""
    game = table.replicas[0].line.statements.game_id(phase)
    state = table.replicas[0].transcript.state
    return sign(PhaseMessage(author, phase, view, past, state, parts), identity(author), game)


def undecided(table):
    """Run until all stand before a choice that neither the victim nor the cheat has made."""

    def open_(t):
        at = [replica.transcript for replica in t.replicas]
        return isinstance(at[0].phase, CommitPhase) and all(
            {VICTIM, CHEAT} <= each.missing for each in at
        )

    level(table, open_)
    table.queue = deque(each for each in table.queue if each[0] != each[1])
    table.silent.add(CHEAT)  # what it says is said for it
    return table.replicas[0].transcript


@pytest.mark.longer_games(12, 8)
def test_a_true_message_of_another_line_convicts_nobody_where_a_liar_names_it():
    """The victim had gone on with a second body, and went back: what it said there is of there."""
    table = begun(4, seed=b"lines")
    undecided(table)
    join(table, 1, ALL)
    table.run(lambda t: all(t.replicas[p].begun for p in HONEST), seconds=5)
    transcript = table.replicas[0].transcript
    view, number = transcript.at
    assert view == 1
    there = said(table, number, 0, Past(MOVE, bytes(32)), author=VICTIM, parts=(bytes(9),))
    bring(table, "move", there.plain())
    past = Past(MOVE, transcript.past.hash, (there.ref,))
    join(table, 2, ALL, at=(1, number + 1), past=past)
    table.run(seconds=2)
    assert not any(table.replicas[p].convicted for p in HONEST)


@pytest.mark.longer_games
def test_a_message_for_a_view_to_come_is_not_carried_into_it():
    """Who then names it among what was said in that view would name what follows from nothing."""
    table = begun(4, seed=b"ahead")
    transcript = undecided(table)
    made = tuple((bytes(32), bytes(64)) for _ in transcript.phase.seats(CHEAT))
    early = said(table, transcript.number, 1, transcript.past, parts=made)
    bring(table, "move", early.plain())
    join(table, 1, ALL, held=(early.ref,))
    table.run(lambda t: all(t.replicas[p].begun for p in HONEST), seconds=5)
    for peer in HONEST:
        assert table.replicas[peer].transcript.view == 1
        assert CHEAT in table.replicas[peer].transcript.missing
        assert not table.replicas[peer].convicted


def goes_on(table, peers, phases):
    """Run until a view has begun for some peers, and they are some phases on."""

    def on(_):
        all_ = [table.replicas[peer] for peer in peers]
        return all(r.begun and r.transcript.number > r.begun[0].phase + phases for r in all_)

    table.run(on, seconds=60)
    assert on(table)


class Foreseen(Table):
    """A table at which the cheat tells ``odd`` of every past before anybody else can show it."""

    odd = 0

    def handle(self, peer, output):
        super().handle(peer, output)
        past, number = self.replicas[peer].transcript.past, self.replicas[peer].transcript.number
        fresh = past.hash not in self.replicas[self.odd].line.statements.pasts
        if peer != self.odd and past.kind == MOVE and fresh and number > LATE:
            # the first phases are signed for the roster, whatever comes of them
            lie = said(self, number % 2, number, Past(START, past.hash))
            self.replicas[self.odd].step(received(CHEAT, encode((MOVE, lie.plain()))), self.now)


def test_who_hears_a_false_past_first_follows_the_true_one():
    """The victim has the odd one of two bodies, and must go over to a line that a liar described
    to it in advance, under its true hash and as if nothing had been before: it keeps its seat."""
    table = begun(4, seed=b"a11")
    table.__class__ = Foreseen
    two_faced(table, {0})

    goes_on(table, HONEST, 4)
    for peer in HONEST:
        assert set(table.replicas[peer].convicted) == {CHEAT}
        assert all(view.lost == {CHEAT} for view in table.replicas[peer].begun)


@pytest.mark.longer_games
def test_who_names_nothing_before_its_message_is_convicted():
    """Only the first phase has nothing before it: else a past would be whatever its author says."""
    table = begun(4, seed=b"unnamed")
    transcript = undecided(table)
    lie = said(table, transcript.number, 0, Past(START, transcript.past.hash))
    bring(table, MOVE, lie.plain())
    assert all(table.accused(p) == {(CHEAT, Code.MALFORMED)} for p in HONEST)


@pytest.mark.longer_games
def test_who_names_what_nobody_signed_is_convicted_wherever_lines_part():
    """In a status too, and by everybody who hears it, not by those alone whose past is another."""
    table = begun(4, seed=b"names")
    past = undecided(table).past
    forged = tuple(replace(ref, signature=bytes(64)) for ref in past.refs)
    join(table, 1, ALL, past=replace(past, refs=forged))
    assert all(table.accused(p) == {(CHEAT, Code.DIVERGED)} for p in HONEST)


@pytest.mark.longer_games(12, 8)
def test_a_past_that_was_asked_for_is_taken_with_what_was_signed_alone():
    """Nobody signs what it is asked for by its hash, and the hash has no signatures in it: whoever
    names that past truly would be convicted of false names that a liar had put there."""
    table = begun(4, seed=b"asked")
    undecided(table)
    table.disconnect(*table.pairs(VICTIM))
    table.silent.discard(CHEAT)
    others = [p for p in ALL if p != VICTIM]
    table.queue.extend((p, p, e) for p in ALL for e in table.of(p, AnswerNeeded)[-1:])
    table.run(
        lambda t: all(
            t.replicas[p].begun
            and t.replicas[p].transcript.number > t.replicas[p].begun[0].phase + 2
            for p in others
        ),
        seconds=60,
    )
    transcript, victim = table.replicas[0].transcript, table.replicas[VICTIM]
    join(table, transcript.view + 1, ALL, to=(VICTIM,))
    past = transcript.past.before
    assert past in victim.line.lacking()[1]
    true = table.replicas[0].line.statements.pasts[past]
    forged = tuple(replace(ref, signature=bytes(64)) for ref in true.refs)
    bring(table, "past", replace(true, refs=forged).plain(), to=(VICTIM,))
    assert past not in victim.line.statements.pasts
    bring(table, "past", true.plain(), to=(VICTIM,))
    assert past in victim.line.statements.pasts


def test_a_true_complaint_of_another_game_is_nobodys_word():
    """The same people play again, and what one of them complained of before is brought once more:
    it is about a message that nobody has signed here, and would convict who had complained."""
    table = begun(3, seed=b"again")
    accused = table.replicas[0].moves[ESCROW][CHEAT]
    before = replace(table.roster, peers=tuple(replace(p, nonce=b"1") for p in table.roster.peers))
    made = complain(VICTIM, accused, b"", identity(VICTIM), before)
    with pytest.raises(PeerError):
        table.step(0, received(CHEAT, encode(("complaint", made.plain()))))
    assert not table.replicas[0].convicted


@pytest.mark.parametrize(("name", "start"), [("kitchen", None), ("", ())])
def test_a_record_cannot_be_passed_off_as_one_of_before_the_signed_end(name, start):
    """In protocol 2 nobody signed the end, nor of what all had evidence: a game that is continued
    anew, too, is signed as one of today."""
    here = replace(begun(3, seed=b"older").roster, table=name, start=start)
    assert here.digest() != replace(here, protocol=UNSIGNED, table="").digest()
    with pytest.raises(PeerError):
        parse_roster((*here.plain()[:8], UNSIGNED, *here.plain()[9:]))


def test_a_false_word_that_waits_for_the_games_id_closes_nobody_elses_connection():
    """It is found false while another peer's message is taken, which is true."""
    table = Table(roster(3), seed=b"waits")
    table.start()
    ref = Citation(CHEAT, 0, SETUP, bytes(32), bytes(64)).plain()
    table.step(0, received(CHEAT, encode(("held", ((ref,), ())))))
    table.run(lambda t: all(r.transcript.number > SETUP for r in t.replicas), seconds=20)
    assert all(r.transcript.number > SETUP for r in table.replicas)


def test_a_signature_cannot_be_changed_into_another_that_holds():
    """Else two names of one statement could be made by whoever passes it on; and a key of small
    order would have signed everything."""
    author = identity(VICTIM)
    good = author.sign(MOVE, b"body")
    more = (int.from_bytes(good[32:], "little") + L).to_bytes(32, "little")
    small = (1).to_bytes(32, "little")
    for public, made in ((author.public, good[:32] + more), (small, small + bytes(32))):
        with pytest.raises(PeerError):
            check_signature(public, MOVE, b"body", made)
    check_signature(author.public, MOVE, b"body", good)
