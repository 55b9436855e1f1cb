"""Whoever holds the same statements convicts the same peers, whatever else it was shown before."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, refs, sign
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import GAME, identity
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, finish_alike, level


def names_what_was_said_elsewhere(table, liar, told):
    """Let a liar name a past that follows from nothing, as the message that it names was said after
    another one; those who are ``told`` were shown before that what it claims to follow from."""
    transcript = table.replicas[0].transcript
    game, number = table.replicas[0].context.game_id, transcript.number

    def said(phase, view, past):
        signed = PhaseMessage(liar, phase, view, past, transcript.state, ())
        return sign(signed, identity(liar), game)

    before = next(p for p, at in transcript.line.items() if at == (number - 6, 0))
    one = min(transcript.moves[number - 6].values(), key=lambda each: each.sender)
    part = Past(MOVE, before, refs([one]))  # part of a phase, and one in which nobody said anything
    claimed = Past(MOVE, part.hash)
    elsewhere = said(number - 4, 10, Past(MOVE, before))
    false = said(number - 3, 10, Past(MOVE, claimed.hash, refs([elsewhere])))
    bring(table, MOVE, said(number - 4, 9, claimed).plain(), told, liar)
    bring(table, "past", part.plain(), told, liar)
    honest = range(len(table.replicas) - 1)
    for each in (elsewhere, false):
        bring(table, MOVE, each.plain(), honest, liar)


@pytest.mark.parametrize("peers", [3, 4, 5])
def test_a_past_that_follows_from_nothing_convicts_whatever_is_known_of_what_it_claims(peers):
    """One of the honest knows the past that it claims to follow from, as the liar showed it to that
    one alone; it wanted the liar at the table, the others did not, and the game stood still."""
    table = begun(peers, seed=b"split", settings=TableSettings(grace=10))
    level(table)
    liar, honest = peers - 1, range(peers - 1)
    names_what_was_said_elsewhere(table, liar, (0,))
    assert [set(table.replicas[p].convicted) for p in honest] == [{liar}] * (peers - 1)
    finish_alike(table, honest)
    assert not any({*honest} & {*each.lost} for p in honest for each in table.of(p, ViewChanged))
    assert [check_record(GAME, record_of(table, p)).finding.peer for p in honest] == [liar] * len(
        honest
    )
