"""A record of a network game, checked by somebody who was not there (``lanplay verify``)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.engine.record import Record, from_bytes
from lanplay_protocol.crypto.group import mul
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import Auditor, check_record
from lanplay_protocol.replica.choices import CommitPhase, RevealPhase
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import (
    PhaseMessage,
    SignedMessage,
    StatusMessage,
    parse_signed,
    read,
    sign,
)
from lanplay_protocol.replica.reveals import DealCards, Entropy
from lanplay_protocol.replica.roster import parse_roster
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.shuffling import ShufflePiles
from tests.replica.harness import GAME, Table, identity, parts, roster
from tests.replica.test_card_cheats import CHEAT, cheating, claiming, in_phase, sealed_shares

REAL_CRYPTO = True


def record_of(table, peer=0):
    replica = table.replicas[peer]
    referee, seats = replica.context.referee, table.roster
    header = seats.header
    history, state = tuple(referee.history), referee.table.hash()
    made = Record(header, history, state, finished=replica.over, extra=replica.proof)
    return from_bytes(made.to_bytes())


@pytest.fixture(scope="module")
def whole():
    """The record of a whole honest game."""
    table = Table(roster(3), seed=b"witness")
    table.start()
    table.run(seconds=3000)
    assert table.is_over()
    return record_of(table)


def test_a_whole_game_verifies_from_its_public_record(whole):
    """Everything that was signed is checked again, without any key."""
    verdict = check_record(GAME, whole)
    assert verdict.finding is None
    assert verdict.checked["dice"] >= 30
    assert verdict.checked["shuffles"] >= 6
    assert verdict.checked["messages"] == sum(len(phase) for phase in whole.extra["moves"])


def moved(record, change):
    phases = [list(map(list, phase)) for phase in record.extra["moves"]]
    change(phases)
    extra = {**record.extra, "moves": tuple(tuple(map(tuple, phase)) for phase in phases)}
    return replace(record, extra=extra)


def flip(data, at=-1):
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


def altered_signature(phases):
    phases[20][0][4] = flip(phases[20][0][4])


def altered_body(phases):
    phases[20][0][3] = flip(phases[20][0][3])


def removed(phases):
    del phases[20][0]


def cut_out(phases):
    del phases[20]


def repeated(phases):
    phases[20].append(phases[20][0])


@pytest.mark.parametrize("change", [altered_signature, altered_body, removed, cut_out, repeated])
def test_an_edited_transcript_is_nobodys_word(whole, change):
    """A record changed afterwards blames no peer: from there on it cannot be trusted."""
    finding = check_record(GAME, moved(whole, change)).finding
    assert finding is not None
    assert finding.peer is None
    assert 20 <= finding.phase <= 21


@pytest.mark.parametrize("field", ["history", "state_hash", "header", "finished"])
def test_claims_that_the_messages_do_not_support_are_found(whole, field):
    """Answers, end state, table and ending of a record must follow from what was signed."""
    changed = {
        "history": whole.history[:-1],
        "state_hash": flip(whole.state_hash),
        "header": replace(whole.header, seats=("x", *whole.header.seats[1:])),
        "finished": not whole.finished,
    }[field]
    finding = check_record(GAME, replace(whole, **{field: changed})).finding
    assert finding is not None
    assert finding.peer is None


def test_no_answer_of_a_record_can_be_exchanged(whole):
    """As many answers as there were, one of them another one: nobody has signed that."""
    for place in range(0, len(whole.history), len(whole.history) // 5):
        history = [*whole.history]
        history[place] = ((99,),) if history[place] != ((99,),) else ((98,),)
        finding = check_record(GAME, replace(whole, history=tuple(history))).finding
        assert finding is not None
        assert (finding.peer, "answers" in finding.text) == (None, True)


def reroll(context, phase, move):
    return (mul(5, move.parts[0][0]),), move.parts[1]


def false_share(context, phase, move):
    from lanplay_protocol.crypto.keys import GameKey

    return sealed_shares(context, phase, move, GameKey.derive(b"w" * 32), phase._receiver)


def false_proof(context, phase, move):
    return tuple((deck, flip(proof)) for deck, proof in move.parts)


def other_choice(context, phase, move):
    openings, powers, proof = move.parts
    return tuple((choice, flip(salt)) for choice, salt in openings), powers, proof


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("kind", "change", "code"),
    [
        (Entropy, reroll, Code.BAD_PROOF),
        (DealCards, false_share, Code.BAD_PROOF),
        (ShufflePiles, false_proof, Code.BAD_PROOF),
        (RevealPhase, other_choice, Code.BAD_OPENING),
    ],
)
@pytest.mark.longer_games
def test_the_record_names_who_cheated(kind, change, code):
    """Whoever reads any honest peer's record comes to the verdict that the table came to."""
    table = cheating(b"held", in_phase(kind, change))
    table.start()
    table.run(lambda t: t.is_settled((0, 1)), seconds=600)
    for peer in (0, 1):
        finding = check_record(GAME, record_of(table, peer)).finding
        assert finding is not None
        assert (finding.peer, finding.code, finding.kind) == (CHEAT, code, kind.__name__)


def test_the_record_names_who_made_a_false_claim(monkeypatch):
    """DT-6: the reader of any record sees whose answer it was that a card refuted."""
    table = claiming(monkeypatch)
    table.start()
    table.run(lambda t: t.is_settled((0, 1)), seconds=3000)
    for peer in (0, 1):
        finding = check_record(GAME, record_of(table, peer)).finding
        assert finding is not None
        assert (finding.peer, finding.code) == (CHEAT, Code.FALSE_CLAIM)


def test_two_messages_for_one_slot_are_in_the_record():
    """Evidence of a double signature is kept and found again."""

    def tamper(table, to, move, phase):
        if not isinstance(phase, CommitPhase):
            return None
        (_, sealed), *rest = move.parts
        return [move, parts(move, ((bytes(32), sealed), *rest))]

    table = cheating(b"double", tamper)
    table.start()
    table.run(lambda t: t.is_settled((0, 1)), seconds=600)
    finding = check_record(GAME, record_of(table)).finding
    assert finding is not None
    assert (finding.peer, finding.code) == (CHEAT, Code.EQUIVOCATION)


def contradicted(record, author, how):
    """A true record, and one statement more that contradicts what counts in it."""
    game = begun(record).line.statements.game
    moves = [[parse_signed(each) for each in phase] for phase in record.extra["moves"]]
    said = [read(e) for phase in moves[SETUP:] for e in phase if e.sender == author]
    first, last = said[0], said[-1]
    if how == "two messages":
        said = replace(first, past=replace(first.past, refs=first.past.refs[1:]))
    else:
        said = StatusMessage(author, 1, (0, 1, 2), (0, first.phase), first.past, ())
    assert last.phase > first.phase
    signed = sign(said, identity(author), game)
    return replace(record, extra={**record.extra, "evidence": ((signed.kind, signed.plain()),)})


def begun(record):
    """An auditor that has followed a record to its end."""
    auditor = Auditor(GAME, parse_roster(record.extra["roster"]))
    phases = [[parse_signed(each) for each in phase] for phase in record.extra["moves"]]
    assert auditor.follow(phases) is None
    return auditor


@pytest.mark.parametrize("how", ["two messages", "a denial"])
def test_what_contradicts_a_message_that_counts_convicts_its_author(whole, how):
    """One of the two stands in the game itself, and the other alone among the evidence: whoever
    has kept a second body may add it to a record."""
    finding = check_record(GAME, contradicted(whole, CHEAT, how)).finding
    assert finding is not None
    assert (finding.peer, finding.code) == (CHEAT, Code.EQUIVOCATION)


def test_a_game_in_one_process_has_nothing_to_verify(whole):
    """A record without signed messages is refused with the reason."""
    with pytest.raises(ValueError, match="between peers"):
        check_record(GAME, replace(whole, extra={}))


def test_a_forged_fault_names_nobody_at_the_table(whole):
    """What no peer signed is no evidence against it: whoever wrote the file made it up."""
    forged = ("move", SignedMessage("move", 1, 30, 0, b"anything", bytes(64)).plain())
    found = check_record(GAME, replace(whole, extra={**whole.extra, "evidence": (forged,)})).finding
    assert found is not None
    assert found.peer is None


def test_evidence_of_a_phase_after_the_end_is_not_spoiled():
    """It is named by what others have signed: with another signature it is there no more than if it
    were left out."""
    seats = roster(3, settings=TableSettings(grace=5))
    table = Table(seats, seed=b"witness")
    table.start()
    table.run(lambda t: t.replicas[0].result is not None, seconds=3000)
    last = table.replicas[0].transcript.number
    table = Table(seats, seed=b"witness")
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number == last - 9, seconds=3000)
    line = table.replicas[0].transcript
    for state in (bytes(32), b"s" * 32):
        said = sign(
            PhaseMessage(CHEAT, last + 30, 0, line.past, state, ()),
            identity(CHEAT),
            table.replicas[0].context.game_id,
        )
        for peer in (0, 1):
            table.step(peer, inputs.Received(CHEAT, "move", said.plain()))
    table.run(lambda t: t.is_settled((0, 1)), seconds=3000)
    record = record_of(table)
    assert check_record(GAME, record).finding.peer == CHEAT
    spoiled = [(kind, (*plain[:4], flip(plain[4]))) for kind, plain in record.extra["evidence"]]
    extra = {**record.extra, "evidence": tuple(spoiled)}
    finding = check_record(GAME, replace(record, extra=extra)).finding
    assert finding is not None
    assert (finding.peer, finding.code) == (None, Code.BAD_SIGNATURE)


def test_no_view_that_never_began_hides_what_nobody_signed(whole):
    """All have signed an attempt in which one of them is far beyond the end: no phase comes to it,
    nor to what stands behind it."""
    game = begun(whole).line.statements.game
    past = begun(whole).transcript.past
    said = [
        StatusMessage(peer, 1, (0, 1, 2), (0, 1 << 12), past, (), False, (), ())
        for peer in range(3)
    ]
    waits = tuple(sign(each, identity(each.author), game).plain() for each in said)
    forged = (2, 0, 7, b"anything", bytes(64))
    views = (*whole.extra["views"], waits, (forged,))
    finding = check_record(GAME, replace(whole, extra={**whole.extra, "views": views})).finding
    assert finding is not None
    assert finding.peer is None
