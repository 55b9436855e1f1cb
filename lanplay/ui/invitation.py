"""Inviting people with phones to a table: the address they come to, and what its owner may do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Protocol

from lanplay.language import N_, _
from lanplay.ui.commands import Command

HALVES: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
"""Two modules of a QR code in one cell, the upper one first."""
MARGIN: Final = 2
"""Light cells at each side of a code in a terminal."""
HELP: Final = {
    "invite": N_("invite phones: show the code to scan"),
    "uninvite": N_("let no more phones join; those that are here stay"),
    "admit": N_("let a phone take the seat it asks for"),
    "remove": N_("take a phone's seat away, for good"),
}
"""What the owner may do about phones, by the name of the command."""


@dataclass(frozen=True, slots=True)
class PhoneGuest:
    """Somebody with a phone: ``asks`` for a seat that was another page's, or ``sleeps``."""

    name: str
    asks: bool = False
    sleeps: bool = False


@dataclass(frozen=True, slots=True)
class Invitation:
    """How phones come: ``address`` is typed, ``code`` scanned, a QR code of dark modules by row.

    Both are empty while no phone may come. ``guests`` have come so far. ``others`` are further
    addresses of the laptop, on its other networks. ``fingerprint`` is that of its certificate, by
    which a careful guest knows it; empty without encryption.
    """

    address: str = ""
    code: tuple[tuple[bool, ...], ...] = ()
    guests: tuple[PhoneGuest, ...] = ()
    others: tuple[str, ...] = ()
    fingerprint: str = ""

    def drawn(self) -> list[str]:
        """Return the QR code as lines of text whose letters are the dark modules.

        Around it are light ones, without which no camera finds it.
        """
        pairs = zip_longest(self.code[::2], self.code[1::2], fillvalue=())
        rows = [
            "".join(HALVES[each] for each in zip_longest(upper, lower, fillvalue=False))
            for upper, lower in pairs
        ]
        blank = " " * (len(self.code) + 2 * MARGIN)
        return [blank, *(f"{row:^{len(blank)}}" for row in rows), blank] if rows else []

    def told(self) -> list[str]:
        """Return what to do, and who is there, in words."""
        if not self.address:
            return [_("No phone can join now.")]
        ways = _("Phones on this network scan the code, or type this address: {address}")
        who = [_("with a phone: {name}").format(name=each.name) for each in self.guests]
        tv = _("On a big screen, for all to see: {address}").format(address=f"{self.address}/tv")
        more = [_("or, on another network: {address}").format(address=a) for a in self.others]
        return [ways.format(address=self.address), *more, *self.warned(), tv, *who]

    def warned(self) -> list[str]:
        """Return what to do about the warning that an encrypted page begins with."""
        if not self.fingerprint:
            return []
        press = _(
            "The browser warns once, because nobody else vouches for this laptop: choose "
            "“advanced” and continue. A careful guest first compares the certificate's fingerprint "
            "(SHA-256):"
        )
        return [press, self.fingerprint]


class Phones(Protocol):
    """The people with phones at this laptop, as its owner decides about them."""

    @property
    def invitation(self) -> Invitation:
        """How phones come now, and who has come."""

    def invite(self) -> None:
        """Let phones come from now on; ``UserError`` says why they cannot."""

    def uninvite(self) -> None:
        """Let no more come."""

    def admit(self, name: str) -> None:
        """Let a phone take the seat that it asks for; ``Mistake`` if none does."""

    def remove(self, name: str, asks: bool | None = None) -> None:
        """Take the seat of a phone away, or refuse the one that asks for it; ``Mistake`` if none.

        Where both have the name, the one that asks is meant, unless ``asks`` says which.
        """


def commands(phones: Phones, show: Callable[[], None]) -> Sequence[Command]:
    """Return what the owner may do about phones; ``show`` shows the invitation."""

    def invite(_argument: str) -> None:
        phones.invite()
        show()

    invited, guests = bool(phones.invitation.address), phones.invitation.guests
    asks = next((each.name for each in guests if each.asks), "")
    return (
        Command("invite", HELP["invite"], invite),
        Command("uninvite", HELP["uninvite"], lambda _: phones.uninvite(), now=invited, quiet=True),
        Command("admit", HELP["admit"], phones.admit, N_("NAME"), usual=asks, now=bool(asks)),
        Command(
            "remove",
            HELP["remove"],
            phones.remove,
            N_("NAME"),
            now=bool(guests),
            quiet=True,
            usual=asks,
        ),
    )
