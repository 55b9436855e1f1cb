"""Leaving when a card or a newspaper displeases: it stays, and what was in hand is in hand."""

from __future__ import annotations

import pytest

from lanplay.engine.requests import OpenRoll
from lanplay.games import load
from lanplay.games.dogs_life.actions import ATTACK, SEARCH, STEP
from lanplay.games.dogs_life.dogs import CARDS
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay.games.dogs_life.van import SIDES
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import OpeningAsked
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode
from tests.dogs_life.plain_bot import PlainBot, answering
from tests.replica import harness

GAME = load("dogs-life")

CHEAT = 2
GRACE = 5


class Hunter(PlainBot):
    """Goes where it can attack, and does."""

    def answer(self, view, question):
        fights = [code for code in getattr(question, "options", ()) if code // STEP == ATTACK]
        return fights[0] if fights else super().answer(view, question)

    def goals(self, view):
        t, seat = view.table, view.seat
        others = [place for place in t.place if place not in (t.place[seat], NOWHERE)]
        return [near for place in others for near in TOWN.beside[place]] or [TOWN.kiosk]


def begun(seed, bot=PlainBot, peers=3, seats=3):
    """Return a table at which bots play ten rounds, after its set-up."""
    roster = harness.roster(peers, seats, TableSettings(grace=GRACE), GAME, rounds="10")
    table = harness.Table(roster, seed=seed)
    answering(table, [bot(seed + b"%d" % seat) for seat in range(seats)])
    table.start()
    table.run(lambda t: all(state(r).round > 1 for r in t.replicas), seconds=900)
    return table


def state(replica):
    return replica.context.referee.table


def history(replica):
    return replica.context.referee.history


def leave(table, peer):
    """Let a peer leave and be gone; return the replicas of all others."""
    table.step(peer, inputs.Leaving())
    table.kill(peer)
    return table.alive


def is_search(t, answer):
    return answer // STEP == SEARCH


def is_attack(t, answer):
    return answer // STEP == ATTACK


def is_pound(t, answer):
    return t.pound[t.active] > 0


def is_die(t, answer):
    return True


def last_to_know(table, kind, sides, whose):
    """Run until the cheat knows a lot of some kind that it has kept from all others.

    The lot has so many sides and is drawn in a turn of ``whose``, for what the dog does there.
    ``None`` if this game has none.
    """
    cheat, post, held = table.replicas[CHEAT], table._post, []

    def is_wanted(entropy):
        referee = cheat.context.referee
        t, request = referee.table, referee.request
        if not isinstance(request, OpenRoll) or request.at != entropy.at or t.active not in whose:
            return False
        answer = referee.history[-1][0]
        return request.sides in sides and kind(t, answer if type(answer) is int else 0)

    def tell(author, event):
        said, payload = decode(event.body)
        if author == CHEAT and said == "move" and payload[0] == CHEAT:
            phase = cheat.phases[payload[1]]
            if held or (isinstance(phase, Entropy) and is_wanted(phase)):
                held.append(len(history(cheat)))
                return
        post(author, event)

    table._post = tell
    table.run(lambda t: held and len(history(cheat)) > held[0], seconds=900)
    if not held:
        return None
    assert all(len(history(r)) == held[0] for r in table.replicas[:CHEAT])
    return history(cheat)[held[0]]


KINDS = {
    "bin": (is_search, range(2, CARDS + 1)),
    "fight": (is_attack, range(2, CARDS + 1)),
    "pound": (is_pound, range(2, CARDS + 1)),
    "van": (is_die, (SIDES,)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("whose", [(CHEAT,), (0, 1)], ids=["own", "other"])
def test_who_sees_a_lot_first_and_leaves_does_not_draw_it_again(kind, whose):
    """DL-3.2 b, k, DL-3.3, DL-3.4, DL-3.5: the last to give its part knows the card or the die
    before all others and leaves: the same one comes, in its own turn and in another's."""
    for game in range(9):  # not every game has such a lot
        table = begun(b"leave%d" % game, Hunter if kind == "fight" else PlainBot)
        if (known := last_to_know(table, *KINDS[kind], whose)) is not None:
            break
    others = leave(table, CHEAT)
    place = len(history(others[0]))
    table.run(lambda t: all(len(history(r)) > place for r in t.alive), seconds=90)
    assert [history(replica)[place] for replica in others] == [known] * 2


def test_who_dislikes_a_newspaper_and_leaves_has_it_when_it_is_back():
    """DL-3.2 i: it stays with the dog, whoever plays it, and with the address it had.

    Whoever plays learns that address only once all others agree.
    """

    def dealt(t):
        replica = t.replicas[CHEAT]
        return any(card in replica.views[CHEAT].own for card in state(replica).papers[CHEAT])

    for game in range(9):  # not in every game does the dog get one
        table = begun(b"paper%d" % game)
        table.run(dealt, seconds=900)
        if dealt(table):
            break
    (card, *_) = state(table.replicas[CHEAT]).papers[CHEAT]
    face = table.replicas[CHEAT].views[CHEAT].own[card]
    table.step(CHEAT, inputs.Leaving())
    table.kill(CHEAT, lost=False)
    others = table.alive
    table.run(lambda t: any(CHEAT in r.views for r in t.alive), seconds=90)
    (taker,) = [replica for replica in others if CHEAT in replica.views]
    table.run(lambda t: all(t.of(r.me, OpeningAsked) for r in others), seconds=90)
    assert card not in taker.views[CHEAT].own
    for replica in others:
        table.step(replica.me, inputs.OpenHands())
    table.run(lambda t: card in taker.views[CHEAT].own, seconds=90)
    assert card in state(taker).papers[CHEAT]
    assert taker.views[CHEAT].own[card] == face
