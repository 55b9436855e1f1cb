"""Two liars of five: one tells a peer another choice than the others, with which that one goes on
until the next view; the other one shows an end there to who is out, and there is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.messages import (
    MOVE,
    STATUS,
    Past,
    PhaseMessage,
    StatusMessage,
    refs,
    sign,
)
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.stand_ins import installed
from tests.replica.harness import identity
from tests.replica.test_back_after_farewell import unsigned
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring

STAYS, STRAYED, OUT, FORKER, SHOWS = range(5)
HONEST = (STAYS, STRAYED, OUT)


def told_two():
    """A table with a phase for which the forker tells one honest peer another choice."""
    for number in range(9):  # that one has to get it before it hears of the others'
        table, at = begun(5, seed=b"stale line %d" % number, settings=TableSettings(grace=10)), []

        def two(table, to, move, at=at):
            phase = table.replicas[FORKER].phases[move.phase]
            if not at and move.phase > 13 and isinstance(phase, CommitPhase):
                at.extend([move.phase] if phase.needs >= set(range(5)) else [])
            if at and move.phase == at[0] and to == STRAYED:
                ((_, sealed),) = move.parts
                return [replace(move, parts=((bytes(32), sealed),))]
            return [] if at and move.phase > at[0] else None

        unsigned(table, SHOWS)
        table.tampers[FORKER] = two
        table.tampers[SHOWS] = lambda _, to, move, at=at: [] if at and move.phase > at[0] else None
        lines = [table.replicas[p].transcript for p in HONEST]
        table.run(lambda _: at and all(line.number > at[0] for line in lines), seconds=300)  # noqa: B023
        if at and lines[STRAYED].followed[lines[OUT].past.before] != lines[OUT].past:
            return table, at[0]
    raise AssertionError("nobody was told two choices")


def back_from_below(table, phase):
    """Let the one that shows an end come back from before the fork, when one of three is out."""
    table.kill(SHOWS)
    said = table.replicas[OUT]._exchange.signed
    table.run(lambda _: any(slot[0] == MOVE and slot[2] for slot in said), seconds=100)
    table.kill(FORKER)
    table.disconnect(*table.pairs(OUT))
    table.run(seconds=20)
    line, game = table.replicas[STAYS].transcript, table.replicas[STAYS].context.game_id
    place = next(past for past in line.followed.values() if line.line[past.hash] == (phase, 0))
    own = refs([line.moves[phase][SHOWS]])
    asks = StatusMessage(SHOWS, 9, (STAYS, STRAYED, SHOWS), (0, phase), place, own)
    table.connect(*((SHOWS, peer) for peer in HONEST))
    bring(table, STATUS, sign(asks, identity(SHOWS), game).plain(), (STAYS, STRAYED), SHOWS)
    table.run(lambda t: t.replicas[STAYS].transcript.view == 9, seconds=20)
    assert table.replicas[STAYS].transcript.members == {STAYS, STRAYED, SHOWS}
    assert set(table.replicas[STRAYED].convicted) == {FORKER}


def shows_an_end(table, phase):
    """Let the liar show the one that is out an end where the strayed one had gone on."""
    replica, game = table.replicas[OUT], table.replicas[OUT].context.game_id
    early = [k for k in replica.line.statements.of_phase(phase + 1) if k.signed.view == 0]
    said = next(k.said for k in early if k.signed.sender == STRAYED)
    assert said.previous not in replica.transcript.line
    word = PhaseMessage(SHOWS, phase + 1, 50, said.past, said.state, ())
    word = sign(word, identity(SHOWS), game)
    bring(table, "end", Past(MOVE, bytes(32), refs([word])).plain(), (OUT,), SHOWS)
    bring(table, MOVE, word.plain(), (OUT,), SHOWS)
    return said.past


@pytest.mark.parametrize("restarted", [False, True])
def test_nobody_goes_to_where_an_honest_peer_had_been_before_a_view_brought_it_back(restarted):
    """It could sign nothing there, having gone on since: three linked ones of five stood still."""
    with installed():
        table, phase = told_two()
        back_from_below(table, phase)
        table.connect((OUT, STAYS), (OUT, STRAYED))
        table.run(lambda t: t.replicas[OUT].transcript.view == 9, seconds=10)
        shows_an_end(table, phase)
        if restarted:
            table.kill(OUT)
            table.restart(OUT)
        goal = 6 + table.replicas[STAYS].transcript.number
        table.run(lambda t: all(t.replicas[p].transcript.number > goal for p in HONEST), 100)
        assert all(table.replicas[p].transcript.number > goal for p in HONEST)
        assert all(set(table.replicas[p].convicted) == {FORKER} for p in HONEST)


def turned_away():
    """A table at which the one that is out has turned away from two views as it was shown an end
    that is none."""
    table, phase = told_two()
    back_from_below(table, phase)
    table.restart(SHOWS)
    table.tampers.clear()
    del table._post
    table.disconnect((SHOWS, OUT))
    ended, replica = table.replicas[STAYS], table.replicas[OUT]
    table.run(lambda t: ended.over and t.replicas[STRAYED].over, seconds=3000)
    table.kill(SHOWS)
    for view in ended.begun:
        missed = ended.moves[replica.transcript.number : view.phase]
        moves = [*(m for by in missed for m in by.values()), *(c.signed for c in view.carried)]
        for each in (*moves, *view.statuses):
            bring(table, each.kind, each.plain(), (OUT,), SHOWS)
    assert replica.transcript.view == 9
    assert replica.line.turn(shows_an_end(table, phase))
    table.step(OUT, inputs.Nudged())
    return table


@pytest.mark.parametrize("restarted", [False, True])
def test_who_turned_away_from_views_and_back_enters_them_again(restarted):
    """The others have ended in those; it might have turned before it knew who was where."""
    with installed():
        table = turned_away()
        if restarted:
            table.kill(OUT)
            table.restart(OUT)
        else:
            table.connect((OUT, STAYS), (OUT, STRAYED))
        table.run(lambda t: t.replicas[OUT].over, seconds=100)
        assert table.plays_on(HONEST)


def test_a_journal_has_the_views_that_were_entered_again():
    """It leads there by itself: what is judged as it is read is judged there."""
    with installed():
        table = turned_away()
        table.connect((OUT, STAYS), (OUT, STRAYED))
        line, again = table.replicas[OUT].line, table.replica(OUT)
        table.run(lambda _: line.transcript.view == 9, seconds=100)
        again.line.enter = lambda: None
        again.step(inputs.Restored(table.kept(OUT)), 0.0)
        assert again.transcript.past == line.transcript.past
