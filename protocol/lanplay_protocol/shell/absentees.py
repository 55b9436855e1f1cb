"""Whom a running game does not hear, and what its people are told of who goes and comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import trio

from lanplay.notices import Notice
from lanplay.told import Told
from lanplay_protocol.rates import Bucket, speaking
from lanplay_protocol.replica.events import Event, PeerReachable, PeerUnreachable, ViewChanged
from lanplay_protocol.shell.links import Links
from lanplay_protocol.shell.notices import sentences


class Absentees:
    """The peers that nobody hears: ``until`` when each is waited for, ``None`` for ever.

    ``unmet`` are those that a program which goes on with a game has still to meet: whom it meets
    was not away. That somebody goes and comes is told as often as a person may speak.
    """

    def __init__(
        self, links: Links, unmet: Iterable[int], clock: Callable[[], float] = trio.current_time
    ) -> None:
        self.until: dict[int, float | None] = {}
        self._links = links
        self._unmet = set(unmet)
        self._why: dict[int, str] = {}
        self._clock = clock
        self._paces: dict[int, Bucket] = {}
        self._untold: set[int] = set()

    def linked(self, place: int) -> None:
        """Note that there is a link to a peer."""
        self._why.pop(place, None)

    def lost(self, place: int, why: str) -> None:
        """Note why there is none any more."""
        self._why[place] = why

    def told(self, event: Event) -> Sequence[Told]:
        """Return what to say of an event, and keep account of it."""
        said = self._said(event)
        match event:
            case PeerUnreachable(peer=peer, until=until):
                self.until[peer] = until
            case PeerReachable(peer=peer):
                self.until.pop(peer, None)
            case ViewChanged(lost=lost, back=back):
                for peer in (*lost, *back):
                    self.until.pop(peer, None)
                    self._untold.discard(peer)
        return said

    def _said(self, event: Event) -> Sequence[Told]:
        roster, why = self._links.roster, ""
        if isinstance(event, PeerReachable) and event.peer in self._untold:
            self._untold.discard(event.peer)
            return []
        if isinstance(event, PeerReachable) and event.peer in self._unmet:
            if not self._links.up(event.peer):
                return []  # another one is linked, and has not said yet whom it hears
            self._unmet.discard(event.peer)
            return [Notice.HERE.of(name=roster.shown(event.peer))]
        if isinstance(event, PeerUnreachable):
            if event.peer in self.until:
                return []  # a wait begins again where this program stalls
            if event.peer in self._unmet and event.until is None:
                return [Notice.NOT_HERE_YET.of(name=roster.shown(event.peer))]
            if not self._paces.setdefault(event.peer, speaking()).take(self._clock()):
                self._untold.add(event.peer)
                return []
            why = self._why.get(event.peer, "")
        return sentences(roster, event, why)
