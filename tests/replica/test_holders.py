"""Who holds a seat: what a change of peers takes, gives back, and leaves to be told."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay_protocol.crypto.proofs import powers_of
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import AnswerNeeded, SeatReassigned
from lanplay_protocol.replica.jobs import Job
from lanplay_protocol.replica.restart import continues, restarted_roster
from lanplay_protocol.replica.seating import Holder, Seating
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.shuffling import MixPiles
from tests.replica.harness import GAME, Table, roster
from tests.replica.own_hands import Game
from tests.replica.test_cut import begun

BOTS = ("", "own bot", "", "")
SEATS = replace(roster(3, seats=4), bots=BOTS)
"""Peer 0 has the seats 0 and 3, peer 1 an AI on seat 1, peer 2 seat 2."""


def test_what_a_seat_knows_is_owed_to_its_last_holder_alone():
    """A new holder may be lost before it was told: then whoever has the seat after it is told."""
    seating = Seating(SEATS)
    seating.leave(frozenset({0}))
    seating.seat(0, Holder(1, "steady"))
    seating.seat(3, Holder(2, "steady"))
    assert seating.handover_due == {0: 1, 3: 2}
    seating.leave(frozenset({2}))
    assert seating.unheld == [2, 3]
    seating.seat(3, Holder(1, "steady"))
    assert seating.handover_due == {0: 1, 3: 1}


def test_who_comes_back_has_its_seats_as_at_the_start():
    """A person on those of a person, the same AI on those of an AI; what they know is owed."""
    seating = Seating(SEATS)
    seating.leave(frozenset({1, 2}))
    seating.seat(1, Holder(0, "own bot"))
    seating.seat(2, Holder(0, "steady"))
    assert seating.of(0) == (0, 1, 2, 3)
    seating.come_back(frozenset({1, 2}))
    assert seating.holders == [Holder(0), Holder(1, "own bot"), Holder(2), Holder(0)]
    assert seating.handover_due == {1: 1, 2: 2}
    assert seating.present == {0, 1, 2}


def test_it_is_known_who_has_ever_held_a_seat():
    """Whoever did may have said something for it that comes out as false only later."""
    seating = Seating(SEATS)
    assert seating.ever == [{0}, {1}, {2}, {0}]
    seating.leave(frozenset({2}))
    seating.seat(2, Holder(0, "steady"))
    seating.seat(2, Holder(1, "steady"))
    seating.come_back(frozenset({2}))
    assert seating.ever == [{0}, {1}, {0, 1, 2}, {0}]


def test_the_same_holder_is_told_nothing_anew():
    """Unless it had not been told yet; and whoever is out is told nothing again."""
    seating = Seating(SEATS)
    seating.seat(3, Holder(0, "steady"))
    assert seating.handover_due == {}
    seating.leave(frozenset({2}))
    seating.reveal_again(frozenset({0, 2}))
    assert seating.handover_due == {0: 0, 3: 0}


def test_a_seat_keeps_its_own_ai_wherever_it_goes_and_comes_back():
    """The table's AI is for the seats of people alone; whoever held the seat sees no more of it."""
    table = Table(replace(roster(4, settings=TableSettings(grace=2)), bots=BOTS), seed=b"own bot")
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 0, seconds=600)
    table.kill(1)
    table.run(lambda t: t.of(0, SeatReassigned), seconds=120)
    taken = [event.holder for event in table.of(0, SeatReassigned) if event.seat == 1]
    assert [holder.bot for holder in taken] == ["own bot"]
    taker = taken[0].peer
    assert taker != 1
    table.run(lambda t: 1 in t.replicas[taker].views, seconds=120)
    assert 1 in table.replicas[taker].views
    table.restart(1)
    table.run(lambda t: len([e for e in t.of(0, SeatReassigned) if e.seat == 1]) > 1, seconds=120)
    assert [e.holder for e in table.of(0, SeatReassigned) if e.seat == 1][-1] == Holder(
        1, "own bot"
    )
    home = [False, True, False, False]
    table.run(lambda t: [1 in each.views for each in t.replicas] == home, seconds=120)
    assert [1 in replica.views for replica in table.replicas] == home


@pytest.fixture
def played():
    """A table of three in its fourth round."""
    table = Table(roster(3), seed=b"rounds")
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 3, seconds=3000)
    return table


def new(table, **known):
    """The roster of those who continue a game, each with the last round it knows."""
    here = {int(peer[1:]): (bytes(32), number) for peer, number in known.items()}
    context = table.replicas[0].context
    return restarted_roster(
        GAME, table.roster, context.referee.history, context.seating.holders, here
    )


@pytest.mark.longer_games
def test_a_game_is_continued_from_the_last_round_that_all_know(played):
    """Whoever knows less cannot be asked to believe the others."""
    both, first, last = new(played, p0=3, p2=1), new(played, p0=1), new(played, p0=3)
    assert both.start == first.start
    assert both.start != last.start
    assert [peer.name for peer in both.peers] == ["peer 0", "peer 2"]


@pytest.mark.longer_games
def test_a_game_continues_another_one_of_the_same_seats_alone(played):
    """Its rules, options, names and house are the old game's, its start a round of it."""
    history = played.replicas[0].context.referee.history
    roster_ = new(played, p0=3, p2=2)
    assert continues(GAME, played.roster, history, roster_)
    stranger = replace(roster_.peers[0], public=bytes(32))
    for other in (
        replace(roster_, names=("x", *roster_.names[1:])),
        replace(roster_, options={**roster_.options, "brute": "x"}),
        replace(roster_, settings=TableSettings(grace=1)),
        replace(roster_, rules=bytes(16)),
        replace(roster_, start=None),
        replace(roster_, peers=roster_.peers[::-1]),
        replace(roster_, peers=(stranger, *roster_.peers[1:])),
    ):
        assert not continues(GAME, played.roster, history, other)


THINKS = 3
"""Whose person takes its time."""


@pytest.mark.parametrize("seed", [b"early", b"later"])
def test_a_cup_stays_closed_once_its_seat_has_chosen(seed):
    """DT-2.2: a seat has committed, others still think, and its peer is lost: whoever takes the
    seat over learns nothing of the dice, as the choice stands."""
    table, victim = begun(seed=seed), 1

    def chosen(_):
        phases = [replica.transcript.phase for replica in table.replicas]
        if not all(isinstance(each, CommitPhase) and victim in each.needs for each in phases):
            return False
        keeps = phases[0].request.questions[victim].name == "keep"
        known = all(victim in r.transcript.moves[-1] for r in table.replicas)
        return keeps and known and all(THINKS in r.transcript.missing for r in table.replicas)

    table.run(chosen, seconds=3000)
    assert chosen(table)
    asked = [
        each for each in table.queue if isinstance(each[2], AnswerNeeded) and each[1] == THINKS
    ]
    table.queue = deque(each for each in table.queue if each not in asked)
    assert asked
    at = table.replicas[0].context.cups.at
    table.kill(victim)
    table.run(lambda t: all(each.begun for each in t.alive), seconds=60)
    table.queue.extend(asked)
    seen = []

    def look(_):
        seen.extend(
            each.views[victim].cup
            for each in table.alive
            if each.context.cups.at == at and victim in each.views
        )
        return all(each.context.cups.at != at for each in table.alive)

    table.run(look, seconds=900)
    assert seen
    assert not any(seen)


def test_who_mixes_its_hand_while_somebody_leaves_knows_its_cards():
    """The lot for the seat that is free comes before what follows from the mix, whose order hangs
    on where the game was as it began: else its owner claims what its cards do not show."""
    table = Table(roster(4), seed=b"mixes1", offload=True)
    table.start()

    def mixing():
        """Who mixes a hand of several cards, by long work that has still to be done."""
        for replica in table.replicas:
            phase, mine = replica.transcript.phase, replica.me in replica.transcript.missing
            if mine and isinstance(phase, MixPiles) and max(map(len, phase._piles.values())) > 1:
                return replica
        return None

    table.run(lambda _: mixing(), seconds=3000)
    owner = mixing()
    number, leaver = owner.transcript.number, (owner.me + 1) % 4
    rest = [replica for replica in table.replicas if replica.me not in (owner.me, leaver)]

    def begins(t):
        """The work is not done before the view has begun."""
        t.queue = deque(each for each in t.queue if not isinstance(each[2], Job))
        return all(leaver not in r.transcript.members for r in (owner, *rest))

    table.run(lambda t: begins(t) or all(r.transcript.number == number for r in rest), seconds=5)
    table.step(leaver, inputs.Leaving())
    table.kill(leaver, lost=False)
    table.run(begins, seconds=60)
    assert owner.transcript.at == (1, number)
    table.step(owner.me, inputs.JobDone(owner.jobs.next, owner.jobs.next.run()))
    table.run(lambda _: owner.transcript.number > number + 4, seconds=60)
    deck, own = owner.context.deck, owner.views[owner.me].own
    assert deck.known(owner.me)
    for card in deck.known(owner.me):
        shares = {r.me: powers_of(r.context.key, deck.bases([card])) for r in table.replicas}
        assert own[card] == deck.faces([card], shares)[0]


@pytest.mark.parametrize("seed", [3, 20, 35, 41])
def test_every_seat_sees_its_own_cards_and_dice_whatever_phase_a_view_begins_in(seed):
    """Some games of the campaign (``tests.replica.own_hands``)."""
    game = Game(seed)
    assert not game.play(), game.log
