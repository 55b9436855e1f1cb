"""Dice under the cups of laptops: whoever answers for a seat sees those it may, and no other."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay_protocol.crypto.group import hash_to_point, mul
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.cups import Cups
from lanplay_protocol.replica.events import AnswerNeeded
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import encode
from tests.games.liars_dice import GAME
from tests.replica.fairness import SIDES, digest, judge, seed, under_cup
from tests.replica.harness import Table, roster
from tests.replica.test_audit import record_of
from tests.replica.test_cut import die_in, finish

REAL_CRYPTO = True

GRACE = 5
PEERS = 4
LOST = 1


class Patient(Table):
    """A table of Liar's Dice at which nobody calls a low bid.

    ``asked`` notes who is asked what, with the cup it sees. Seats that are ``thinking`` bid once
    they ``decide``.
    """

    def __post_init__(self):
        super().__post_init__()
        self.asked, self.thinking, self.later = [], set(), []
        self.walk, self.answerer = self.answerer, self.noted

    def noted(self, peer, ask):
        question = ask.question
        self.asked.append((peer, ask.seat, question, self.replicas[peer].views[ask.seat].cup))
        if question.name == "bid":
            return question.last + 1 if question.last < min(2 * PEERS, question.dice) else 0
        return self.walk(peer, ask)

    def handle(self, peer, output):
        events = output.events
        bids = [e for e in events if isinstance(e, AnswerNeeded) and e.question.name == "bid"]
        aside = [event for event in bids if event.seat in self.thinking]
        self.later += [(peer, event) for event in aside]
        rest = tuple(event for event in events if event not in aside)
        super().handle(peer, replace(output, events=rest))

    def decide(self, *seats):
        """Let some of those bid who were thinking."""
        self.thinking -= set(seats)
        for peer, event in [one for one in self.later if one[1].seat in seats]:
            self.later.remove((peer, event))
            self.queue.append((peer, peer, event))


def begun(game=GAME, dice=5, sealed=False, thinking=(), peers=PEERS):
    options = {"dice": str(dice)} if game is GAME else {}
    bots = () if sealed else ("random",) * peers  # in whose seats nothing is closed
    made = roster(peers, None, TableSettings(grace=GRACE), game, bots, **options)
    table = Patient(made, seed=b"liars", game=game)
    table.thinking.update(thinking)
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    return table


def wants(table, peer, name):
    """Run until a peer's own seat is asked a question of this name."""

    def asked(_):
        return any(q.name == name for _, q in table.replicas[peer]._questions())

    table.run(asked, seconds=3000)
    assert asked(table)


def level(replicas, table):
    """Run until some stand at one phase."""
    table.run(lambda _: len({r.transcript.number for r in replicas}) == 1, seconds=10)


def stand_in(table, name):
    """Run until somebody else is asked a question for the lost seat; return the cup it sees."""

    def found():
        return [c for p, s, q, c in table.asked if s == LOST != p and q.name == name]

    table.run(lambda _: found(), seconds=3000)
    return found()[0]


def verified(table):
    peer = next(p for p in range(len(table.replicas)) if p not in table.dead)
    verdict = check_record(table.game, record_of(table, peer))
    assert verdict.finding is None
    return verdict


@pytest.mark.parametrize("dice", [1, 5, 6, 12])
def test_a_table_plays_with_as_many_dice_as_a_game_wants(dice):
    """Every seat is asked with all of its dice, and shows them all at the end."""
    table = begun(dice=dice)
    finish(table)
    bids = [(seat, cup) for _, seat, question, cup in table.asked if question.name == "bid"]
    assert bids
    assert all(len(cup) == dice for _, cup in bids)
    assert [len(shown) for shown in table.replicas[0].context.referee.table.shown] == PEERS * [dice]
    assert verified(table).checked["dice"] == 3 * PEERS * dice


@pytest.mark.parametrize("dice", range(1, 13))
def test_dice_of_laptops_are_even_however_many_lie_under_a_cup(dice):
    """Chi-square over fixed keys, by the protocol's own functions."""
    keys = [GameKey.derive(seed(dice, peer)) for peer in range(3)]
    game = digest("game", *(key.X for key in keys))
    faces = Counter()
    for slot in range(600 // dice):
        powers = [mul(key.x, hash_to_point("entropy", game, encode(slot))) for key in keys]
        faces.update(under_cup(game, slot, keys[0], powers, dice))
    assert judge("dice", [faces[face] for face in range(SIDES)])


@pytest.mark.parametrize("dice", [5, 12])
def test_a_stand_in_is_asked_with_the_dice_of_the_seat(dice):
    """The question shows no die, and says that it needs them: the AI bids with the same dice."""
    table = begun(dice=dice)
    wants(table, LOST, "bid")
    cup = table.replicas[LOST].views[LOST].cup
    table.kill(LOST)
    assert stand_in(table, "bid") == cup
    assert len(cup) == dice
    finish(table)
    verified(table)


def test_a_stand_in_is_told_of_the_dice_when_it_is_first_asked_about_them():
    """The laptop is lost while another seat bids: before that question nobody needs its dice."""
    table = begun(thinking=[2, 3])
    wants(table, 2, "bid")
    cup = table.replicas[LOST].views[LOST].cup
    table.kill(LOST)
    table.run(lambda t: t.replicas[2].begun, seconds=60)
    table.decide(2)
    wants(table, 3, "bid")
    level(table.alive, table)
    assert [r.views[LOST].cup for r in table.alive if LOST in r.views] == [()]
    table.decide(3)
    assert stand_in(table, "bid") == cup
    finish(table)
    verified(table)


def test_a_question_that_does_not_need_the_dice_is_asked_without_them():
    """Nobody is told more than it needs: the stakes are doubled with nothing known."""
    table = begun()
    wants(table, LOST, "double")
    table.kill(LOST, lost=False)
    assert stand_in(table, "double") == ()
    finish(table)
    verified(table)


def test_who_comes_back_sees_its_own_dice_at_once():
    """Not only when it is asked about them: it has rolled them itself."""
    table = begun(thinking=[2, 3, 0])
    wants(table, 2, "bid")
    back = table.replicas[LOST]
    cup = back.views[LOST].cup
    table.disconnect(*table.pairs(LOST))
    table.run(lambda t: t.replicas[2].begun, seconds=60)
    table.decide(2)
    wants(table, 3, "bid")
    level([r for r in table.replicas if r is not back], table)
    assert [r.me for r in table.replicas if LOST in r.views and r is not back]
    table.connect(*table.pairs(LOST))
    table.run(lambda t: len(t.replicas[3].begun) == 2, seconds=60)
    table.decide(3)
    wants(table, 0, "bid")
    level(table.replicas, table)
    assert [r.me for r in table.replicas if LOST in r.views] == [LOST]
    assert back.views[LOST].cup == cup
    table.decide(0)
    finish(table)
    verified(table)


@pytest.fixture
def peeked(monkeypatch):
    """The secrets of dice of which each peer worked out the face before all could."""
    face, show, found, open_ = Cups.face, Cups.show, defaultdict(set), []

    def watched(self, power):
        if not open_:
            found[self._context.me].add(power)
        return face(self, power)

    def shown(self, die, power):
        open_.append(die)
        show(self, die, power)
        open_.pop()

    monkeypatch.setattr(Cups, "face", watched)
    monkeypatch.setattr(Cups, "show", shown)
    return found


DICE_TOWN = load("dice-town")
SEALED = [
    (GAME, "bid", "asked"),
    (GAME, "bid", "before"),
    (GAME, "bid", "rolling"),
    (DICE_TOWN, "keep", "asked"),
    (DICE_TOWN, "keep", "rolling"),
]


def lose(table, name, when):
    if when == "rolling":
        die_in(table, LOST, Entropy, PEERS - 1)
    else:
        wants(table, LOST if when == "asked" else 2, name)
        table.kill(LOST)


@pytest.mark.parametrize(("game", "name", "when"), SEALED)
def test_where_hands_stay_sealed_a_stand_in_sees_no_die_that_it_did_not_roll(
    game, name, when, peeked
):
    """Lost when it is asked about its dice, before that, or when they are rolled: nobody else
    learns them. The AI answers all the same, and sees those that it rolls itself."""
    table = begun(game, sealed=True)
    lose(table, name, when)
    if name == "keep":  # it keeps nothing that it does not see, and is asked of its own dice
        assert stand_in(table, name)
    else:
        assert stand_in(table, name) == ()
        assert table.alive[0].context.cups.owners.get(LOST, LOST) == LOST
    finish(table)
    verified(table)
    taken = [(p, q, cup) for p, s, q, cup in table.asked if s == LOST != p and q.name == name]
    assert any(cup for _, _, cup in taken)
    assert not any(peeked[peer] & peeked[LOST] for peer in range(PEERS) if peer != LOST)


def test_who_comes_back_to_a_sealed_hand_sees_what_was_rolled_for_it():
    """It is its own seat: the dice that the AI rolled meanwhile are told to it, as cards are."""
    table = begun(sealed=True)
    wants(table, LOST, "bid")
    table.disconnect(*table.pairs(LOST))
    here, back = table.replicas[3], table.replicas[LOST]
    table.run(lambda _: here.context.referee.table.round == 2, seconds=60)
    table.thinking.add(3)
    wants(table, 3, "bid")
    owner = table.replicas[here.context.cups.owners[LOST]]
    cup = owner.views[LOST].cup
    assert owner is not back
    assert cup
    table.connect(*table.pairs(LOST))
    table.run(lambda _: len(here.begun) == 2, seconds=60)
    table.decide(3)
    table.run(lambda _: back.asked(LOST) and back.context.cups.at == (2,), seconds=60)
    assert back.views[LOST].cup == cup
    finish(table)
    verified(table)


@pytest.mark.parametrize(("game", "name", "when"), SEALED)
def test_where_they_are_not_sealed_the_same_watch_finds_them(game, name, when, peeked):
    """So it would see whoever learned them at a table with sealed hands."""
    table = begun(game)
    lose(table, name, when)
    assert stand_in(table, name)
    if when != "rolling":
        assert any(peeked[peer] & peeked[LOST] for peer in range(PEERS) if peer != LOST)
