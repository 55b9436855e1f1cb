"""This peer's part in opening a lost person's hand: what it is asked, and what it has agreed to."""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import partial

from lanplay import errors
from lanplay_protocol.replica.consent import HandOpening, agreed, opening_of, people, possible
from lanplay_protocol.replica.events import OpeningAsked
from lanplay_protocol.replica.exchange import Exchange
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import OPEN, SignedWish
from lanplay_protocol.replica.outbox import Outbox
from lanplay_protocol.replica.settings import FOREVER, PLAY

SETTLED = 0.0
"""Since when a loss is beyond dispute that no time has to settle."""


class HandOpenings:
    """What one peer knows of hands that may be opened.

    Its person is asked once a loss is beyond dispute: the owner left and nobody hears it, is
    convicted, or has been out for the table's grace, and a view without it, the next one, opens the
    hand. ``ahead``: this laptop remembers all keys, so that ``--absent play`` is its person's yes.
    """

    def __init__(self, me: int, line: GameLine, exchange: Exchange, outbox: Outbox) -> None:
        self.ahead = False
        self._me = me
        self._line = line
        self._exchange = exchange
        self._outbox = outbox
        self._out: dict[int, float] = {}
        self._settled: set[int] = set()
        self._heard = frozenset[int]()
        self._consents: dict[tuple[int, int, int], SignedWish] = {}
        self._asked: frozenset[HandOpening] = frozenset()

    # --- who is out, and for how long ---

    def lost(self, out: Set[int], left: Set[int], now: float) -> None:
        """Take note of all who are ``out``, on whatever line they came to be; nobody disputes it of
        those that ``left``."""
        self._settled = (self._settled | left) & out
        self._out = {peer: self._out.get(peer, now) for peer in out}

    def back(self, peers: Set[int]) -> None:
        """Take note of who takes part again."""
        self._out = {peer: since for peer, since in self._out.items() if peer not in peers}
        self._settled -= peers

    def restart(self, now: float) -> None:
        """Begin all waits again: this program stood still."""
        self._out = dict.fromkeys(self._out, now)

    def _ends(self, peer: int) -> float | None:
        """Return since when the loss of a peer is beyond dispute; ``None``: it is not yet known."""
        since, grace = self._out.get(peer), self._line.roster.settings.grace
        gone = peer in self._settled - self._heard  # a farewell may be shown late
        if gone or peer in self._line.convicted:
            return SETTLED
        return None if since is None or grace == FOREVER else since + grace

    # --- what is asked, and agreed ---

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats whose hands this peer's person is asked to open."""
        return tuple(each.seat for each in sorted(self._asked.intersection(self._possible())))

    def _possible(self) -> list[HandOpening]:
        transcript, context = self._line.transcript, self._line.transcript.context
        members, phase = transcript.members, transcript.phase
        plays = phase is not None and not phase.anew and context.referee.game.manifest.hides
        if not (plays and self._me in members < context.everybody):
            return []
        due = {each for view in transcript.here for each in view.opened}
        found = possible(context, members, transcript.settled)
        return [each for each in found if each not in due]

    def _due(self) -> dict[HandOpening, float]:
        """Return what this peer's person may be asked, and since when."""
        roster = self._line.roster
        found = self._possible()
        if not found or self._me not in people(roster, {self._me}):
            return {}
        agreed_to = {opening_of(w.number) for (a, *_), w in self._consents.items() if a == self._me}
        rest = (each for each in found if each not in agreed_to)
        ends = {each: self._ends(roster.host(each.seat)) for each in rest}
        return {each: end for each, end in ends.items() if end is not None}

    def look(self, now: float, unread: bool, heard: frozenset[int]) -> None:
        """Ask this peer's person about what is beyond dispute; agree where it has in advance.

        Time alone settles nothing while something is ``unread``. Of those that left some are
        ``heard``: asked is the same, whoever of all hears them.
        """
        self._heard = heard
        asked = frozenset(
            each
            for each, end in self._due().items()
            if end <= now and (end == SETTLED or not unread or each in self._asked)
        )
        if asked and self.ahead and self._line.roster.settings.absent == PLAY:
            self._agree(asked)
        elif asked != self._asked:
            self._asked = asked
            self._outbox.tell(OpeningAsked(tuple((o.seat, o.holder) for o in sorted(asked))))

    def deadline(self, now: float, unread: bool) -> float | None:
        """Return when a loss comes to be beyond dispute next; ``now`` if one is, but not all is
        read."""
        ends = (end for each, end in self._due().items() if each not in self._asked)
        return min((max(end, now) for end in ends if unread or end > now), default=None)

    def agree(self) -> None:
        """Agree, as this peer's person wishes, to all that it is asked; ``Mistake`` if nothing."""
        if not self.asked:
            raise errors.Mistake(errors.Fault.NOTHING_TO_OPEN)
        self._agree(self._asked)

    def _agree(self, openings: Iterable[HandOpening]) -> None:
        for each in sorted(openings):
            wish = self._exchange.wish(self._line, OPEN, each.number)
            self._consents[self._me, each.seat, each.holder] = wish

    def said(self, wish: SignedWish, now: float) -> None:
        """Take a consent that its author has signed, and pass on what is new."""
        opening = opening_of(wish.number)
        about = (wish.author, opening.seat, opening.holder)
        known = self._consents.get(about)
        if known is None or known.number < wish.number:  # of a later absence
            self._consents[about] = wish
            say = partial(self._outbox.post, OPEN, wish.plain())
            self._outbox.pass_on(wish.author, OPEN, now, say, about)

    def greet(self, peer: int) -> None:
        """Tell a peer what it may have missed."""
        for wish in self._consents.values():
            self._outbox.post(OPEN, wish.plain(), peer)

    @property
    def consents(self) -> tuple[SignedWish, ...]:
        """The consents that a status of this peer carries: to what could be opened now."""
        wanted = {each.number for each in self._possible()}
        return tuple(w for _, w in sorted(self._consents.items()) if w.number in wanted)

    @property
    def due(self) -> bool:
        """Tell whether all have agreed to what no view has opened yet."""
        transcript = self._line.transcript
        wanted = set(self._possible()) if self._consents else set[HandOpening]()
        if not wanted:
            return False
        context, consents = transcript.context, self._consents.values()
        return bool(wanted & set(agreed(context, transcript.members, transcript.settled, consents)))
