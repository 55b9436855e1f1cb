"""The table of Dice Town: eight places, every seat's dice and goods, one's own cup and hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from lanplay.engine.question import Option, Phrase
from lanplay.games.dice_town.cards import CLAIM_FACES, STORE, kind, points
from lanplay.games.dice_town.poker import ACE, DICE, JACK, KING, NINE, QUEEN, TEN
from lanplay.games.dice_town.questions import Keep
from lanplay.games.dice_town.table import DiceTownTable
from lanplay.games.dice_town.text import card_name, word
from lanplay.games.teaching import lessons_of
from lanplay.language import _
from lanplay.ui.games import dice_town as dt
from lanplay.ui.scene import Scene
from lanplay.web.board import Taps, seat_name
from lanplay.web.elements import NOTHING, Kid, el, joined, some
from lanplay.web.pieces import amount, card, emblem, hidden_die, icon, poker_die


class DiceTownBoard:
    """See ``lanplay.web.board.WebBoard``."""

    art = NOTHING

    @property
    def emblem(self) -> Markup:
        """Return three poker dice."""
        return emblem(map(_die, (QUEEN, ACE, KING)))

    def board(self, scene: Scene, taps: Taps) -> Markup:
        """Return the town above the seats."""
        town = el("ul", *_town(scene), class_="town")
        seats = [_seat(scene, seat) for seat in range(scene.table.seats)]
        return el("div", town, el("ol", *seats, class_="seats"), class_="felt desert")

    def own(self, scene: Scene, taps: Taps) -> Markup:
        """Return the cup, the hand and the score as it stands of the person's seat."""
        view = scene.view
        if view is None:
            return NOTHING
        score = el("output", dt.score_now(scene), class_="total", data_count="own")
        told = el("span", _("Your score"), class_="dim")
        return el("div", _cup(scene, taps), _hand(scene), el("p", told, score), class_="mine-row")

    def option(self, scene: Scene, option: Option) -> Markup:
        """Return a die as a face, a card with what it is worth, all else in words."""
        values = option.label.values
        if option.label.id == "die":
            return _die(values["face"])
        if option.label.id == "card":
            return card(kind(values["card"]), card_name(values["card"]))
        return joined([word(option.label, scene.names)])

    breakdown = staticmethod(dt.breakdown)
    standing = staticmethod(dt.standing)


BOARD: Final = DiceTownBoard()


# -- pieces ---------------------------------------------------------------------------------------


def _die(face: int) -> Markup:
    return poker_die(face, dt.LETTERS[face])


def _claim(scene: Scene, handle: int) -> Markup:
    """Return a claim with its points; while it is being turned nobody knows them yet."""
    face = scene.table.faces.get(handle)
    worth = "?" if face is None else str(points(face))
    return el("span", icon("claim"), el("b", worth), class_="deed", data_key=f"claim.{handle}")


def _amount(kind_: str, count: Kid, label: str, has: str | None = None) -> Markup:
    """Return how much there is of something: a token and a number; ``has`` says whose it is."""
    mark = {"dollars": "$", "nuggets": ""}.get(kind_)
    token = icon(kind_) if mark is None else el("i", mark, class_="token")
    return amount(token, count, label, kind_, has)


# -- the town -------------------------------------------------------------------------------------


def _town(scene: Scene) -> list[Markup]:
    t: DiceTownTable = scene.table
    held = sum(map(len, t.hands)) + sum(map(len, t.deeds))
    hands = _("{count} in hands").format(count=held)
    sheriff = scene.names[t.sheriff] if t.round else _("not drawn yet")
    row = [_claim(scene, each) for each in t.row]
    claims = el("span", *row, class_="row", data_has=f"{dt.CLAIM}.-1")
    unlucky = [seat for seat in range(t.seats) if not t.obtained[seat]] if any(t.obtained) else []
    rest = _who(scene, unlucky) if unlucky else None
    stock = _amount("back", f"{len(t.deck)}/{len(STORE)}", _("cards to be had"), f"{dt.STORE}.-1")
    return [
        _place("mine", _("Gold Mine"), NINE, _nuggets(t.mine, -1), _leads(scene, NINE)),
        _place("bank", _("Bank"), TEN, _dollars(t.bank, -1), _leads(scene, TEN)),
        _place("coach", _("Stagecoach"), None, _dollars(t.coach), None),
        _place("store", _("General Store"), JACK, stock, _leads(scene, JACK)),
        _place("saloon", _("Saloon"), QUEEN, el("span", hands), _leads(scene, QUEEN)),
        _place("sheriff", _("Sheriff"), KING, el("b", sheriff), _leads(scene, KING)),
        _place("hall", _("Town Hall"), None, claims, _best(scene)),
        _place("doc", _("Doc Badluck"), None, el("span", _("helps the unlucky")), rest),
    ]


def _nuggets(count: int, seat: int) -> Markup:
    return _amount("nuggets", count, _("Nuggets"), f"{dt.NUGGET}.{seat}")


def _dollars(count: int, seat: int | None = None) -> Markup:
    return _amount("dollars", count, _("Dollars"), None if seat is None else f"$.{seat}")


def _place(sign: str, name: str, face: int | None, stake: Markup, leads: Markup | None) -> Markup:
    """Return a place: its sign, the face that counts there, what is to be had, who leads."""
    counts = el("span", _die(face), class_="mini") if face is not None else None
    return el(
        "li",
        el("header", icon(sign), el("h2", name), counts),
        el("p", stake, class_="stake"),
        el("p", leads, class_="leads", data_late=True),
        class_=f"paper place {sign}",
        data_key=f"place.{sign}",
    )


def _leads(scene: Scene, face: int) -> Markup | None:
    """Return who shows the most of a face, and how many."""
    most, seats = dt.leaders(scene, face)
    count = el("span", f"{most}×", class_="count")
    return joined([count, _who(scene, seats)]) if seats else None


def _best(scene: Scene) -> Markup | None:
    """Return who shows the best hand, and how many aces are in it."""
    seats, aces = dt.best_hands(scene)
    count = el("span", f"+{aces} A", class_="count") if aces else None
    return joined([_who(scene, seats), count]) if seats else None


def _who(scene: Scene, seats: Sequence[int]) -> Markup:
    """Return seats by name; a tie is marked as such."""
    chips = [el("span", scene.names[seat], class_="chip") for seat in seats]
    between: list[Kid] = []
    for place, each in enumerate(chips):
        between += [" = " if place else None, each]
    return el("span", *between, class_=f"who{some(len(seats) > 1, 'tie')}")


def _deed(face: int) -> Markup:
    """Return a claim of one's own, small: of these one has many."""
    name = el("span", card_name(face), class_="unseen")
    worth = el("b", points(face), aria_hidden="true")
    return el("span", icon("claim"), name, worth, class_="deed", title=card_name(face))


# -- the seats ------------------------------------------------------------------------------------


def _seat(scene: Scene, seat: int) -> Markup:
    t: DiceTownTable = scene.table
    badge = el("span", icon("sheriff", _("Sheriff")), class_="star")
    sheriff = bool(t.round) and seat == t.sheriff
    kept = sorted(enumerate(t.dice[seat]), key=lambda each: each[1])
    under = hidden_die(_("under the cup"))
    dice = [
        el("li", _die(face), data_key=f"{t.round}.{place}", data_seen=f"{seat}.{place}")
        for place, face in kept
    ]
    dice += [el("li", under, data_key=f"u{place}") for place in range(DICE - len(kept))]
    goods = (
        _dollars(t.dollars[seat], seat),
        _nuggets(t.nuggets[seat], seat),
        _amount("back", len(t.hands[seat]), _("Store"), f"{dt.STORE}.{seat}"),
        _amount("claim", len(t.deeds[seat]), _("Claims"), f"{dt.CLAIM}.{seat}"),
    )
    fenced = [_claim(scene, each) for each in t.fences[seat]]
    fence = el("span", *fenced, class_="fence", title=_("Fenced")) if fenced else None
    waits = seat in scene.asked
    return el(
        "li",
        el("header", badge if sheriff else None, seat_name(scene, seat)),
        el("ul", *dice, class_="dice five", data_way="cup"),
        el("p", *goods, fence, class_="goods"),
        class_=f"seat{some(waits, 'active')}{some(seat == scene.seat, 'mine')}",
        data_key=f"seat.{seat}",
    )


def _cup(scene: Scene, taps: Taps) -> Markup:
    """Return the dice under the person's cup; where they can be kept, as buttons."""
    view, t = scene.view, scene.table
    assert view is not None
    head = el("h2", _("Your cup"))
    if not view.cup or len(t.dice[view.seat]) >= DICE:
        empty = el("p", _("nothing to roll now"), class_="dim")
        return el("div", head, empty, class_="cup")
    rolled = f"{t.round}.{len(t.dice[view.seat])}.{len(view.history)}"
    keeps = taps.decision is not None and isinstance(taps.decision.question, Keep)
    dice = [
        el(
            "li",
            taps.thing("die", place, _die(face)) if keeps else _die(face),
            data_key=f"{rolled}.{place}",
            class_="new" if scene.pace else None,
        )
        for place, face in enumerate(view.cup)
    ]
    return el("div", head, el("ul", *dice, class_="dice five"), class_="cup")


def _hand(scene: Scene) -> Markup:
    t, seat = scene.table, scene.seat
    assert seat is not None
    known = sorted(face for each in t.loot(seat) if (face := scene.face(each)) is not None)
    head = el("h2", _("Your hand"))
    if not known:
        return el("div", head, el("p", _("no cards"), class_="dim"), class_="hand")
    tell = lessons_of("dice-town").effect
    cards = []
    for face in known:
        says_all = kind(face) == "equipment"  # by its name
        does = "" if says_all else tell(Phrase("card", {"card": face}))
        told = _deed(face) if face in CLAIM_FACES else card(kind(face), card_name(face), does)
        cards.append(el("li", told, data_key=f"c{face}"))
    return el("div", head, el("ul", *cards), class_="hand")
