"""What a stream shows: the page as it is now, only the regions that differ from what it has sent.

Nothing queues: who reads slowly skips what lay between.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

import trio
from markupsafe import Markup

from lanplay.language import current, speaking_here
from lanplay.web.http import Send
from lanplay.web.taste import Taste

BEAT_SECONDS: Final = 10.0
"""How often a page hears that its stream is alive; scripts do not see comments."""
GAP_SECONDS: Final = 0.05
"""The least time between two drawings of a page."""
RETRY: Final = b"retry: 2000\n\n"


@dataclass(frozen=True, slots=True)
class Tap:
    """What a person wants: a verb with what it is about, on the page as it was at ``revision``."""

    do: str
    revision: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


class Page(Protocol):
    """What fills the browser."""

    def regions(self) -> Mapping[str, Markup]:
        """Return the page as it is now, by the ids of its regions."""

    def act(self, tap: Tap) -> bool:
        """Take a tap; false if it is about what is no more, is refused, or nothing is done."""
        return False


class Person(Page, Protocol):
    """Somebody in front of a page."""

    @property
    def taste(self) -> Taste:
        """How the person likes pages."""

    @property
    def look(self) -> str:
        """The classes of the whole document."""

    @property
    def changed(self) -> trio.Event:
        """Set when the page is next another one."""


async def follow(person: Person, send: Send) -> None:
    """Show the page of a person for as long as a stream lasts."""
    shown: Mapping[str, int] = {}
    await send(RETRY)
    while True:
        changed = person.changed
        shown = await _show(person, shown, send)  # nothing of the page is kept meanwhile
        await trio.sleep(GAP_SECONDS)
        while not changed.is_set():
            with trio.move_on_after(BEAT_SECONDS) as quiet:
                await changed.wait()
            if quiet.cancelled_caught:
                await send(event("beat"))


async def _show(person: Person, shown: Mapping[str, int], send: Send) -> Mapping[str, int]:
    """Send what is new on a page; return the hashes of its regions."""
    with speaking_here(person.taste.lang):
        drawn, how = person.regions(), {"look": person.look, "lang": current()}
    now = {key: hash(each) for key, each in drawn.items()}
    new = {key: each for key, each in drawn.items() if shown.get(key) != now[key]}
    if new:
        await send(event("page", json.dumps({"regions": new, "first": not shown, **how})))
    else:
        await send(event("beat"))
    return now


def event(name: str, data: str = "") -> bytes:
    """Return an event of a stream; ``data`` is one line."""
    return f"event: {name}\ndata: {data}\n\n".encode()
