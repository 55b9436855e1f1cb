"""Round, part II: the town up to the Town Hall (DT-3.1 to DT-3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lanplay.engine.requests import Card, Choose, Deal, OpenRoll, Rules, Show, Shuffle
from lanplay.games.dice_town.cards import CORRUPTION, CREDIT, DYNAMITE, GIRLS, JOE, MARSHAL, SPLIT
from lanplay.games.dice_town.lookout import LEAST_LOOT, out
from lanplay.games.dice_town.poker import ACE, JACK, KING, NINE, QUEEN, TEN, rank
from lanplay.games.dice_town.questions import Buy, KeepLoot, Rob, Take
from lanplay.games.dice_town.refuted import denounced
from lanplay.games.dice_town.sheriff import mix_hand, winner
from lanplay.games.dice_town.table import ROW
from lanplay.games.dice_town.table import DiceTownTable as Table
from lanplay.games.dice_town.windows import PlayedCard, plays, take_effect, window

JOE_DOLLARS: Final = 4


def mine(t: Table) -> Rules[None]:
    """DT-3.1: one nugget per 9, twice as many with Dynamite (DT-6.3)."""
    seat = yield from winner(t, "mine", t.leaders(NINE))
    if seat is None:
        return
    nuggets = t.dice[seat].count(NINE)
    if (yield from plays(t, seat, DYNAMITE, min(nuggets, t.mine))):
        nuggets *= 2
    nuggets = min(nuggets, t.mine)
    t.mine -= nuggets
    t.nuggets[seat] += nuggets
    t.obtained[seat] = True
    t.log_event("mine", seat=seat, nuggets=nuggets)


def bank(t: Table) -> Rules[None]:
    """DT-3.2: all dollars in the Bank; half of it goes on with Even Split (DT-6.9)."""
    seat = yield from winner(t, "bank", t.leaders(TEN), void=not t.bank)
    if seat is None or not t.bank:
        return
    loot, t.bank = t.bank, 0
    t.dollars[seat] += loot
    t.log_event("bank", seat=seat, dollars=loot)
    splits: list[PlayedCard] = []
    if loot >= LEAST_LOOT:
        splits = yield from window(t, dict.fromkeys(t.others(seat), loot // 2), SPLIT, seat)
    for split in splits:
        t.hand_over(seat, split.seat, loot // 2)
        t.obtained[split.seat] = True
        t.log_event("splits", seat=split.seat, other=seat, dollars=loot // 2)
    t.obtained[seat] = True


def stagecoach(t: Table) -> None:
    """DT-3.3: every dollar on the Stagecoach moves to the Bank."""
    t.bank += t.coach
    t.log_event("coach", dollars=t.coach)
    t.coach = 0


def store(t: Table) -> Rules[None]:
    """DT-3.4: the Store action, twice in the first round, once more with Credit (DT-6.4)."""
    seat = yield from winner(t, "store", t.leaders(JACK), void=not (t.deck or t.discards))
    if seat is None or not (t.deck or t.discards):
        return
    actions = 2 if t.round == 1 else 1
    credit = True
    while actions:
        actions -= 1
        card = yield from shop(t, seat, credit)
        if card is not None:
            credit = False
            actions += bool((yield from take_effect(t, [PlayedCard(seat, card, CREDIT)])))


def shop(t: Table, seat: int, credit: bool) -> Rules[Card | None]:
    """Draw as many Store cards as Jacks, keep one, discard the rest face down (DT-3.4).

    Returns the Credit that its holder lays for one more action, if it may and does (DT-6.4).
    """
    cards = yield from draw(t, t.dice[seat].count(JACK))
    if not cards:
        return None
    yield Deal(cards, seat)
    t.log_event("draws", seat=seat, count=len(cards))
    credit = credit and not out(t, CREDIT)
    layable = (*t.hands[seat], *cards) if credit else ()
    answers = yield Choose({seat: Buy(tuple(cards), t.others(seat), layable)})
    card, victim, laid = _bought(answers[seat])
    t.hands[seat].append(card)
    t.discards += [other for other in cards if other != card]
    t.obtained[seat] = True
    yield from joe(t, seat, card, victim)
    return laid


def _bought(answer: Any) -> tuple[Card, int | None, Card | None]:
    """Return a checked answer to ``Buy`` with its type."""
    card, victim, credit = answer
    return card, victim, credit


def draw(t: Table, number: int) -> Rules[list[int]]:
    """Take cards off the deck, made anew from the discards when it is short (DT-3.4)."""
    cards, t.deck = t.deck[:number], t.deck[number:]
    missing = number - len(cards)
    if missing and t.discards:
        yield from shuffle_discards(t)
        cards += t.deck[:missing]
        t.deck = t.deck[missing:]
    return cards


def shuffle_discards(t: Table) -> Rules[None]:
    """Shuffle the discards into a new deck."""
    t.shuffles += 1
    fresh = yield Shuffle((t.round, "deck", t.shuffles), {"store": t.discards})
    t.deck, t.discards = fresh["store"], []
    t.log_event("reshuffles", count=len(t.deck))


def joe(t: Table, seat: int, card: int, victim: int | None) -> Rules[None]:
    """DT-6.8: Nervous Joe, as soon as he enters a hand, makes the victim hand over $4."""
    if victim is None:
        return
    if (yield from take_effect(t, [PlayedCard(seat, card, JOE, victim)])):
        dollars = t.hand_over(victim, seat, JOE_DOLLARS)
        t.log_event("joe", seat=seat, other=victim, dollars=dollars)
        t.obtained[seat] |= dollars > 0


def saloon(t: Table) -> Rules[None]:
    """DT-3.5: the Saloon action, twice with the Girls (DT-6.5)."""
    void = not any(t.hands) and not any(t.deeds)  # of two tied seats one can rob a lone holder
    seat = yield from winner(t, "saloon", t.leaders(QUEEN), void)
    if seat is None or not t.victims(seat):
        return
    girls = yield from rob(t, seat, True)
    if girls is not None and (yield from take_effect(t, [PlayedCard(seat, girls, GIRLS)])):
        yield from rob(t, seat, False)


def rob(t: Table, seat: int, girls: bool) -> Rules[Card | None]:
    """Take cards, blind, from an opponent's hand and keep one of them (DT-3.5).

    Returns the Girls that the thief lays for one more robbery, if it may and does (DT-6.5).
    """
    victims = t.victims(seat)
    if not victims:
        return None
    number = t.dice[seat].count(QUEEN)
    answers = yield Choose({seat: Rob(tuple(victims), number)})
    victim = answers[seat]
    loot = yield from blind_take(t, seat, victim, number)
    hidden = [card for card in loot if card not in t.faces]
    if hidden:
        yield Deal(hidden, seat)
    t.log_event("robs", seat=seat, other=victim, count=len(loot))
    card, laid = yield from keep_loot(t, seat, victim, loot, girls and not out(t, GIRLS))
    if card is None:
        return None
    home, away = (t.hands, t.hands) if card in t.hands[victim] else (t.deeds, t.deeds)
    home[victim].remove(card)
    away[seat].append(card)
    t.obtained[seat] = True
    return laid


def keep_loot(
    t: Table, seat: int, victim: int, loot: list[Card], girls: bool
) -> Rules[tuple[Card | None, Card | None]]:
    """Ask a thief for the card it keeps and, if it may lay them, for the Girls.

    Nervous Joe is none, nor is one that it calls so.
    """
    while loot:
        stolen = [card for card in loot if card in t.hands[victim]]
        layable = (*t.hands[seat], *stolen) if girls else ()
        answers = yield Choose({seat: KeepLoot(tuple(loot), layable)})
        answer: Any = answers[seat]  # a card alone is called Nervous Joe; else the Girls, or None
        if len(answer) > 1:
            return answer[0], answer[1]
        if not (yield from denounced(t, answer[0], victim, seat)):
            break
        loot.remove(answer[0])
    return None, None


def blind_take(t: Table, seat: int, victim: int, number: int) -> Rules[list[int]]:
    """Return the cards the thief looks at: the whole hand, or as many of each back as it says.

    A whole hand is mixed too, so that nobody else can tell which of its cards is kept.
    """
    yield from mix_hand(t, victim)
    hand, deeds = t.hands[victim], t.deeds[victim]
    if len(hand) + len(deeds) <= number:
        return t.loot(victim)
    answers = yield Choose({seat: Take(victim, len(hand), len(deeds), number)})
    store: int = answers[seat]
    return (yield from draw_blind(t, seat, [(hand, store), (deeds, number - store)]))


def draw_blind(
    t: Table, seat: int, takes: Sequence[tuple[Sequence[Card], int]]
) -> Rules[list[Card]]:
    """Let a seat draw so many cards of each pile by open dice: none can be laid in wait.

    The dice make a number of 64 bits, so that no card is favoured by more than 2**-37.
    """
    number = 0
    if any(0 < count < len(pile) for pile, count in takes):
        t.takes[seat] += 1
        for die in (yield OpenRoll((t.round, "take", seat, t.takes[seat]), 4, 1 << 16)):
            number = number << 16 | die
    drawn = []
    for pile, count in takes:
        rest = list(pile)
        for _ in range(count):
            number, place = divmod(number, len(rest))
            drawn.append(rest.pop(place))
    return drawn


def badge(t: Table) -> Rules[None]:
    """DT-3.6: the badge goes to the most Kings, unless the Marshal keeps it (DT-6.6)."""
    seat = yield from winner(t, "badge", t.leaders(KING))
    if seat is None:
        return
    if seat != t.sheriff and (
        yield from window(t, dict.fromkeys(range(t.seats), 0), MARSHAL, seat)
    ):
        t.log_event("marshal", seat=t.sheriff, other=seat)
        return
    t.sheriff = seat
    t.obtained[seat] = True
    t.log_event("badge", seat=seat)


def town_hall(t: Table) -> Rules[None]:
    """DT-3.7: the best hand takes claims of the row, one and one more for each ace."""
    ranks = [rank(dice) for dice in t.dice]
    best = max(ranks)
    seat = yield from winner(t, "hall", [s for s in range(t.seats) if ranks[s] == best])
    if seat is None:
        return
    number = 1 + t.dice[seat].count(ACE)
    taken, t.row = t.row[:number], t.row[number:]
    t.deeds[seat] += taken
    t.obtained[seat] = True
    t.log_event("hall", seat=seat, cards=t.open_faces(taken))
    if t.claims and (yield from plays(t, seat, CORRUPTION, 1)):
        card = t.claims.pop(0)
        t.deeds[seat].append(card)
        t.log_event("corruption", seat=seat)
        if card not in t.faces:
            yield Deal([card], seat)
    yield from refill(t)


def refill(t: Table) -> Rules[None]:
    """Refill the row to three claims, as far as the deck goes (DT-3.7)."""
    if t.options.claim_row == "recycle":
        t.claims += t.row
        t.row = []
    free = ROW - len(t.row)
    turned, t.claims = t.claims[:free], t.claims[free:]
    t.row += turned
    hidden = [card for card in turned if card not in t.faces]
    if hidden:
        yield Show(hidden)
    t.log_event("row", cards=t.open_faces(t.row))
