"""Journals with holes, and links that come and go, frame nobody and hold nothing up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.messages import (
    ALIVE,
    MOVE,
    VIEWS,
    PhaseMessage,
    complain,
    sign,
    wish,
)
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.start import ACCEPT, accept, certified
from tests.replica.absences import Thinking
from tests.replica.harness import Table, Walker, identity, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level

OTHER, VICTIM, LIAR = 0, 1, 2


# --- complaints about what nobody holds ---


def complains_of_a_view_far_ahead(table, liar):
    """Let a liar show the others a complaint about a message of its own that it has truly signed:
    it is of a view so far ahead that nobody keeps it."""
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    number = line.number - 3
    past = next(each for each in line.followed.values() if line.line[each.hash] == (number, 0))
    move = PhaseMessage(liar, number, VIEWS - 1, past, line.state_at(number), ())
    signed = sign(move, identity(liar), game)
    made = complain(liar, signed, bytes(96), identity(liar), table.roster)
    bring(table, "complaint", made.plain(), range(liar), liar)


@pytest.mark.parametrize("peers", [3, 5])
def test_a_complaint_about_what_nobody_keeps_holds_no_game_up(peers):
    """Whoever was convicted by it was named by what nobody can hold: no status that named it
    counted, so that no view without the liar could ever begin."""
    table = begun(peers, seed=b"far", settings=TableSettings(grace=5))
    level(table)
    complains_of_a_view_far_ahead(table, peers - 1)
    honest = [table.replicas[peer] for peer in range(peers - 1)]
    goal = honest[0].transcript.number + 9
    table.run(lambda t: all(r.transcript.number > goal for r in honest), seconds=120)
    assert all(replica.transcript.number > goal for replica in honest)


@pytest.mark.parametrize("peers", [3, 5])
def test_a_complaint_about_what_nobody_keeps_holds_no_end_up(peers):
    """The last messages name it, too: none of them counted."""
    table = begun(peers, seed=b"far end", settings=TableSettings(grace=5))
    honest = [table.replicas[peer] for peer in range(peers - 1)]

    def ends(_):
        return any(isinstance(replica.transcript.phase, Final) for replica in honest)

    table.run(ends, seconds=9000)
    assert ends(table)
    complains_of_a_view_far_ahead(table, peers - 1)
    table.run(lambda t: all(r.over for r in honest), seconds=120)
    assert all(replica.over for replica in honest)


# --- a peer that is restarted, and answers otherwise ---


def playing(peers=3, grace=45, seed=b"let back"):
    """A table of people in the middle of a game."""
    table = Thinking(roster(peers, settings=TableSettings(grace=grace)), seed)
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, seconds=600)
    return table


def forgets(table, holder):
    """Let a person answer, and lose the program and its answer, which one other peer has got."""
    kept = table.kept(VICTIM)
    others = {*range(len(table.replicas))} - {VICTIM, holder}
    table.disconnect(*((peer, other) for other in others for peer in (VICTIM, holder)))
    table.answer()
    number = table.replicas[VICTIM].transcript.number
    table.run(lambda t: VICTIM in t.replicas[holder].transcript.moves[number], seconds=3)
    table.kill(VICTIM)
    table.disks[VICTIM] = [(kept, True)]
    table.walkers[VICTIM] = Walker(b"otherwise")


def plays_on(table, seconds=120):
    """Tell whether all play on, and nobody accuses anybody."""
    goal = max(replica.transcript.number for replica in table.replicas) + 9

    def on(t):
        return all(r.transcript.number > goal and r.status.member for r in t.replicas)

    table.run(on, seconds)
    return on(table) and not any(table.accused(peer) for peer in range(len(table.replicas)))


def test_who_is_linked_for_a_moment_is_waited_for_as_if_it_had_not_been():
    """Honest people alone: what their disk has lost the other one could not say before their link
    broke, and says as soon as it is back."""
    table = playing(peers=2)
    table.asks(VICTIM)
    forgets(table, OTHER)
    table.restart(VICTIM)
    table.disconnect((OTHER, VICTIM))
    table.run(seconds=12)
    table.connect((OTHER, VICTIM))
    assert plays_on(table)


def test_signs_of_life_that_a_liar_brings_shorten_no_wait():
    """It brings them, and nothing of what their author holds, which has no link."""
    table = playing()
    table.asks(VICTIM)
    forgets(table, OTHER)
    table.silent.add(LIAR)
    table.restart(VICTIM)
    table.disconnect((OTHER, VICTIM))
    bring(table, "held", ((), ()), (VICTIM,), LIAR)
    game = table.replicas[OTHER].line.statements.game
    for beat in range(20, 28):
        alive = wish(ALIVE, OTHER, beat, identity(OTHER), game)
        bring(table, ALIVE, alive.plain(), (VICTIM,), LIAR)
        table.run(seconds=2)
    table.silent.clear()
    table.connect((OTHER, VICTIM), (OTHER, LIAR))
    assert plays_on(table)


# --- a journal with a hole ---


def comes_back(table, falls):
    """Run until a peer has been left out some times, and takes part again."""

    def back(t):
        fell = all(r.transcript.falls[VICTIM] == falls for r in t.replicas)
        return fell and all(r.status.member for r in t.replicas)

    table.run(back, seconds=60)
    assert back(table)


@pytest.mark.parametrize(
    ("peers", "seed", "asked"),
    [
        (3, b"let back", False),
        (4, b"let back", False),
        (3, b"k1", False),
        (3, b"k4", False),
        (4, b"k0", False),
        (3, b"let back", True),
        (4, b"let back", True),
    ],
)
def test_who_finds_in_a_view_that_it_had_come_back_is_left_out_before_it_plays_on(
    peers, seed, asked
):
    """Its disk refused what it signed from before that: it would take itself for one that has
    signed nothing since, and answer a second time, or deny its answer as it asks back. A liar alone
    has got that answer."""
    table = playing(peers, grace=5, seed=seed)
    stale = table.kept(VICTIM)
    table.disconnect(*table.pairs(VICTIM))
    table.run(lambda t: VICTIM not in t.replicas[OTHER].transcript.members, seconds=30)
    table.connect(*table.pairs(VICTIM))
    if asked:  # that, and nothing that came of it, is in its journal
        changes = table.replicas[VICTIM].attendance.changes
        table.run(lambda t: changes.top > t.replicas[VICTIM].transcript.view > 0, seconds=10)
        stale = table.kept(VICTIM)
        assert table.replicas[VICTIM].status.out
    comes_back(table, 1)
    table.asks(VICTIM)
    slot = (MOVE, VICTIM, *table.replicas[VICTIM].transcript.at)
    forgets(table, LIAR)
    first = table.replicas[VICTIM]._exchange.signed[slot]
    table.silent.add(LIAR)  # it shows that answer to nobody yet
    table.disks[VICTIM] = [(stale, True)]
    table.restart(VICTIM, incomplete=True)
    table.connect(*table.pairs(LIAR))
    bring(table, "held", ((), ()), (VICTIM,), LIAR)
    table.run(seconds=8)
    again = table.replicas[VICTIM]
    assert again.transcript.at == slot[2:]
    assert slot not in again._exchange.signed
    honest = [peer for peer in range(peers) if peer not in (VICTIM, LIAR)]
    table.think = {OTHER}  # else the game is over before it is back
    bring(table, MOVE, first.plain(), honest, LIAR)
    table.silent.clear()
    comes_back(table, 2)
    table.answer()
    assert plays_on(table)


@pytest.mark.parametrize("shown", [False, True])
def test_a_journal_that_misses_something_of_the_start_is_of_no_start_that_came_to_nothing(shown):
    """Its game may be in full swing, whoever is not reached for long, and whatever a liar has
    signed of a later start: whoever took it for void deleted the journal."""
    bare = replace(roster(3), table="t" * 32, term=1)
    agreed = certified(bare, [accept(bare, identity(place)) for place in range(3)])
    table = Table(agreed, seed=b"void")
    table.start()
    table.run(lambda t: t.replicas[OTHER].transcript.number > 60, seconds=600)
    kept = table.kept(VICTIM)
    for peer in range(3):
        table.kill(peer)
    table.disks[VICTIM] = [(kept[:3], True)]
    table.restart(VICTIM, incomplete=True)
    if shown:
        later = accept(replace(bare, term=2), identity(LIAR))
        bring(table, ACCEPT, later.plain(), (VICTIM,), LIAR)
    else:
        table.run(seconds=2 * table.roster.settings.grace)
    assert not table.replicas[VICTIM].halted
    for peer in (OTHER, LIAR):
        table.restart(peer)
    assert plays_on(table)
