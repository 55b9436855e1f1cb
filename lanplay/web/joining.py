"""The pages by which phones come: where a name is given, and the owner's with the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from markupsafe import Markup

from lanplay.language import N_, _, pgettext
from lanplay.ui.commands import reason
from lanplay.ui.invitation import PhoneGuest, Phones
from lanplay.web.elements import el, joined
from lanplay.web.live import Tap
from lanplay.web.pages import PageStack
from lanplay.web.regions import button, head, tile, whole
from lanplay.web.site import document
from lanplay_protocol.text import NICKNAME_LIMIT

HONEST: Final = (
    N_("You play through {laptop}'s laptop, which could see your dice and cards."),
    N_("So could anybody who listens in on this Wi-Fi: use a network that you trust."),
)
"""What everybody is told before it sits down."""
INVITATION: Final = "paper lobby invitation"
QUIET: Final = 4
"""Light modules around a code, without which no camera finds it."""


def join_page(
    laptop: str,
    table: str,
    game: str,
    code: str,
    names: Sequence[str],
    said: str = "",
    tls: bool = False,
    late: bool = False,
) -> bytes:
    """Return where somebody gives a name; ``names`` are people whose seats may be asked for.

    ``game`` is what is played there, ``tls``: nobody reads on the way what is given. ``late``: the
    game has begun, and whoever comes now watches.
    """
    again = [
        el("button", _("I am {name}").format(name=name), name="name", value=name, class_="quiet")
        for name in names
    ]
    entry = el(
        "input",
        id="name",
        name="name",
        maxlength=NICKNAME_LIMIT,
        autocomplete="nickname",
        required=True,
        autofocus=True,
    )
    played = el("p", tile(game), class_="played") if game else None
    form = el(
        "form",
        el("p", el("label", _("Your name"), for_="name"), entry),
        el(
            "div", el("button", _("watch") if late else _("sit down"), class_="main"), class_="ways"
        ),
        method="post",
        action=f"/{code}",
        class_="form",
    )
    sure = el("input", type="hidden", name="again", value="1")
    way = {"method": "post", "action": f"/{code}", "class_": "ways"}
    back = el("form", sure, *again, **way) if again else None
    told = () if late and not names else HONEST[:1] if tls else HONEST
    honest = [el("p", _(text).format(laptop=laptop)) for text in told]
    inside = joined(
        [
            el("h1", table),
            played,
            el("p", said, class_="said", role="alert") if said else None,
            el("p", _("The game has begun: you can watch it.")) if late else None,
            form,
            back,
            *honest,
        ]
    )
    page = el("main", el("div", inside, class_="paper lobby"), id="join")
    return document(page, el("script", src="/static/client.js", defer=True))


def code_page(wrong: bool) -> bytes:
    """Return where the code is typed."""
    said = _("That is not the code, or it has changed: look at the laptop.")
    form = el(
        "form",
        el("h1", "lanplay"),
        el("p", said, class_="said", role="alert") if wrong else None,
        el(
            "p",
            el("label", _("The code that the laptop shows"), for_="code"),
            el("input", id="code", name="code", maxlength=20, required=True, autocomplete="off"),
        ),
        el("div", el("button", _("Go on"), class_="main"), class_="ways"),
        method="get",
        action="/",
        class_="form",
    )
    return document(el("main", el("div", form, class_="paper lobby"), id="join"))


def link(address: str) -> Markup:
    """Return an address to be typed; its code is never broken."""
    where, slash, code = address.rpartition("/")
    return el("b", where, slash, el("span", code), class_="link")


class InvitationPage:
    """Shows the owner how phones come, and who has come."""

    def __init__(self, pages: PageStack, phones: Phones) -> None:
        self._pages = pages
        self._phones = phones
        self._said = ""
        self._address = ""

    def regions(self) -> Mapping[str, Markup]:
        """Return the code, the address, and everybody with what can be done."""
        shown = self._phones.invitation
        every = (shown.address, *shown.others) if shown.address else ()
        address = self._address if self._address in every else shown.address
        how = [el("p", _("No phone can join now."), class_="calm")]
        if shown.address:
            scan = _("Scan this code with a phone on the same network, or type the address:")
            tv = _("On a big screen, for all to see: {address}")
            how = [
                el("p", scan),
                el("p", link(address)),
                *(el("p", each, class_="dim") for each in shown.warned()),
                el("p", tv.format(address=f"{address}/tv"), class_="dim"),
            ]
            other = [button(a, f"show.{a}", "", "quiet") for a in every if a != address]
            if other:
                how.append(el("p", _("The laptop's addresses on other networks:")))
                how.append(el("div", *other, class_="ways"))
        honest = [el("p", _(text), class_="dim") for text in (TOLD, HONEST[1])]
        if shown.fingerprint:
            del honest[1]
        shut = button(_("no more phones"), "uninvite", "", "quiet")
        ways = el(
            "div",
            button(_("done"), "close", "", "main"),
            button(_("another code"), "invite", "", "quiet"),
            shut if shown.address else None,
            class_="ways",
        )
        said = el("p", self._said, class_="said", role="status") if self._said else None
        guests = el("ul", *map(_row, shown.guests), class_="places")
        beside = el("div", said, *how, guests, ways, *honest)
        inside = el("div", qr(address) if address else None, beside, class_=INVITATION)
        return whole(head=head(_("Phones")), board=inside)

    def act(self, tap: Tap) -> bool:
        """Do what the owner wants."""
        verb, _sep, name = tap.do.partition(".")
        self._said = ""
        try:
            match verb:
                case "invite":
                    self._phones.uninvite()
                    self._phones.invite()
                case "uninvite":
                    self._phones.uninvite()
                case "admit":
                    self._phones.admit(name)
                case "remove" | "refuse":
                    self._phones.remove(name, asks=verb == "refuse")
                case "show":
                    self._address = name
                case "close":
                    self._pages.pop(self)
                case _:
                    return False
        except ValueError as error:
            self._said = reason(error)
        return True


TOLD: Final = N_(
    "Whoever joins this way plays through this laptop, which could see their dice and cards; "
    "everybody at the table is told."
)


def _row(guest: PhoneGuest) -> Markup:
    note = _("asleep") if guest.sleeps else ""
    admit = button(pgettext("key", "let in"), f"admit.{guest.name}", "", "main")
    refuse = button(_("refuse"), f"refuse.{guest.name}", "", "quiet")
    remove = button(_("remove"), f"remove.{guest.name}", "", "quiet")
    asks = el("span", _("asks for this seat with another phone"), class_="dim")
    return el(
        "li",
        el("b", guest.name),
        asks if guest.asks else el("span", note, class_="dim"),
        admit if guest.asks else None,
        refuse if guest.asks else remove,
        data_key=f"{'asks' if guest.asks else 'guest'}.{guest.name}",
    )


@lru_cache(64)
def modules(address: str) -> tuple[tuple[bool, ...], ...]:
    """Return the dark modules of a QR code, row by row."""
    import segno

    rows = segno.make(address, error="m", micro=False).matrix
    return tuple(tuple(map(bool, row)) for row in rows)


@lru_cache(64)
def qr(address: str) -> Markup:
    """Return the code of an address as a picture."""
    code = modules(address)
    side = len(code) + 2 * QUIET
    dark = "".join(
        f"M{x + QUIET} {y + QUIET}h1v1h-1z"
        for y, row in enumerate(code)
        for x, each in enumerate(row)
        if each
    )
    return el(
        "svg",
        el("rect", width=side, height=side, fill="#fff"),
        el("path", d=dark, fill="#000"),
        class_="qr",
        viewBox=f"0 0 {side} {side}",
        role="img",
        aria_label=address,
        shape_rendering="crispEdges",
    )
