"""A new table while it is put together: what can be chosen, in words, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lanplay.games.wording import option_name, option_value
from lanplay.language import _
from lanplay.session.settings import WINDOWS, TableWish
from lanplay.ui.alerts import seconds
from lanplay.ui.lobby import Offer, Opened, absent_in_words, windows_in_words
from lanplay_ai.characters import called

TIMES: Final = (0, 30, 60, 120, 300)
"""Seconds to think between which one may choose; 0: there is no timer."""
USUAL_SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Field:
    """Something to be chosen: its ``values`` with their words; ``usual`` is chosen at first."""

    label: str
    values: Mapping[str, str]
    usual: str


def fields(offer: Offer, bot: str) -> dict[str, Field]:
    """Return what can be chosen of a game, by name; ``bot`` is the usual AI, if the game has it."""
    counts = {str(count): str(count) for count in offer.seats}
    bots = {each: called(each) for each in offer.bots}
    absent = {each: absent_in_words(each) for each in offer.absent}
    windows = {each: windows_in_words(each) for each in offer.windows}
    times = {str(each): seconds(each) if each else _("no limit") for each in TIMES}
    hints = {"yes": _("allowed"), "no": _("forbidden")}
    password = {"no": _("none"), "yes": _("you will be asked for it")}
    options = {
        f"option.{name}": _field(
            option_name(offer.game, name),
            {value: option_value(offer.game, name, value) for value in values},
        )
        for name, values in offer.options.items()
    }
    return {
        "seats": _field(_("Seats"), counts, str(min(USUAL_SEATS, offer.seats.stop - 1))),
        **options,
        "bot": _field(_("AI in free seats"), bots, bot),
        "absent": _field(_("A lost laptop's seat"), absent),
        **({"windows": _field(_("Reactions"), windows)} if windows else {}),
        "idle": _field(_("Time for an answer"), times),
        "hints": _field(_("Hints"), hints),
        "password": _field(_("Password"), password),
    }


def _field(label: str, values: Mapping[str, str], usual: str = "") -> Field:
    return Field(label, values, usual if usual in values else next(iter(values)))


def opened(offer: Offer, chosen: Mapping[str, str], alone: bool) -> Opened | None:
    """Return the table with what was chosen of each field; ``None`` if that cannot be chosen."""
    if any(chosen.get(name) not in each.values for name, each in fields(offer, "").items()):
        return None
    wish = TableWish(
        game=offer.game,
        seats=int(chosen["seats"]),
        bot=chosen["bot"],
        options={name: chosen[f"option.{name}"] for name in offer.options},
        idle=0 if alone else int(chosen["idle"]),
        absent=chosen["absent"],
        hints=chosen["hints"] == "yes",
        windows=chosen.get("windows", WINDOWS[0]),
    )
    return Opened(wish, alone, password=chosen["password"] == "yes" and not alone)
