"""Doc Badluck's consolations (DT-3.8)."""

from __future__ import annotations

from typing import Final

from lanplay.engine.requests import Choose, Deal, Rules, Show
from lanplay.games.dice_town.cards import ELIXIR
from lanplay.games.dice_town.poker import ACE, JACK, KING, NINE
from lanplay.games.dice_town.questions import Consolation, DeclareJoe, DocOrder
from lanplay.games.dice_town.questions.town import consolations
from lanplay.games.dice_town.table import DiceTownTable as Table
from lanplay.games.dice_town.town import draw, joe
from lanplay.games.dice_town.windows import window

DOLLARS: Final = 2
WORTHWHILE: Final = 2
"""Nuggets for which an Elixir is worth drinking."""


def doc(t: Table) -> Rules[None]:
    """Let every seat that obtained nothing visit, in the Sheriff's order (DT-3.8, DT-6.10)."""
    visitors = [seat for seat in range(t.seats) if not t.obtained[seat]]
    stakes = {seat: remedy(t, seat) for seat in range(t.seats) if t.obtained[seat]}
    elixirs = yield from window(t, stakes, ELIXIR)
    if elixirs:
        visitors = sorted({*visitors, *[play.seat for play in elixirs]})
    if len(visitors) > 1:
        answers = yield Choose({t.sheriff: DocOrder(tuple(visitors))})
        visitors = list(answers[t.sheriff])
    for seat in visitors:
        yield from visit(t, seat)


def remedy(t: Table, seat: int) -> int:
    """Return 1 where a visit would bring a claim fenced, a Store card or two nuggets, else 0."""
    faces = consolations(t.dice[seat], bool(t.deeds[seat]), bool(t.deck or t.discards))
    givers = [other for other in t.others(seat) if t.nuggets[other]]
    return int(NINE in faces or JACK in faces or (ACE in faces and len(givers) >= WORTHWHILE))


def visit(t: Table, seat: int) -> Rules[None]:
    """Let a seat pick one consolation that its dice allow."""
    offers = consolations(t.dice[seat], bool(t.deeds[seat]), bool(t.deck or t.discards))
    if not offers:
        return
    answers = yield Choose({seat: Consolation(offers, tuple(t.deeds[seat]))})
    if answers[seat] is None:
        t.log_event("no-doc", seat=seat)
        return
    face, claims = answers[seat]
    if face == NINE:
        yield from fence(t, seat, claims)
    elif face == JACK:
        yield from draw_one(t, seat)
    else:
        collect(t, seat, face)


def fence(t: Table, seat: int, claims: tuple[int, ...]) -> Rules[None]:
    """Lay claims face up: they can no longer be stolen, and still score."""
    hidden = [card for card in claims if card not in t.faces]
    if hidden:
        yield Show(hidden)
    for card in claims:
        t.deeds[seat].remove(card)
        t.fences[seat].append(card)
    t.log_event("doc-wire", seat=seat, cards=t.open_faces(claims))


def draw_one(t: Table, seat: int) -> Rules[None]:
    """Draw the top Store card; Nervous Joe comes out at once (DT-6.8)."""
    cards = yield from draw(t, 1)
    yield Deal(cards, seat)
    t.hands[seat] += cards
    t.log_event("doc-store", seat=seat)
    answers = yield Choose({seat: DeclareJoe(cards[0], t.others(seat))})
    yield from joe(t, seat, cards[0], answers[seat])


def collect(t: Table, seat: int, face: int) -> None:
    """Take $2 or one nugget from every other seat that has it."""
    if face == KING:
        got = sum(t.hand_over(other, seat, DOLLARS) for other in t.others(seat))
        t.log_event("doc-dollars", seat=seat, dollars=got)
        return
    givers = [other for other in t.others(seat) if t.nuggets[other]]
    for other in givers:
        t.nuggets[other] -= 1
    t.nuggets[seat] += len(givers)
    t.log_event("doc-nuggets", seat=seat, nuggets=len(givers))
