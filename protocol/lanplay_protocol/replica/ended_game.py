"""A game that has ended, as its record has it: it answers whoever missed the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.catch_up import CHUNK, parse_want
from lanplay_protocol.replica.messages import (
    COMPLAINT,
    DIGEST,
    MOVE,
    PHASES,
    START,
    Complaint,
    Key,
    Past,
    PhaseMessage,
    SignedMessage,
    parse_complaint,
    parse_past,
    parse_phase,
    parse_statement,
    parse_view,
    read,
    refs,
)
from lanplay_protocol.replica.roster import Roster, parse_roster
from lanplay_protocol.replica.start import ACCEPT, of_this_start, parse_accept, signed_twice
from lanplay_protocol.replica.verdicts import MOST, OFFERS
from lanplay_protocol.schema import items
from lanplay_protocol.wire import encode

_MESSAGES = 1 << 20


class EndedGame:
    """Everything that was signed in a game that has ended.

    ``PeerError`` or ``KeyError`` if a record holds no such thing. Nothing is checked here: whoever
    asks checks what it is given.
    """

    def __init__(self, signed: Mapping[str, Any]) -> None:
        self.roster: Roster = parse_roster(signed["roster"])
        self._moves = items(signed["moves"], _MESSAGES, "phases", parse_phase)
        self._views = items(signed["views"], _MESSAGES, "views", parse_view)
        self._evidence = items(signed.get("evidence", ()), _MESSAGES, "evidence", parse_statement)
        heard = items(signed.get("complaints", ()), _MESSAGES, "complaints", parse_complaint)
        self._offers = items(signed.get(OFFERS, ()), 2 * MOST, OFFERS, parse_accept)
        self._complaints: dict[Key, Complaint] = {each.key: each for each in heard}
        known = [each for many in (*self._moves, *self._views, self._evidence) for each in many]
        self._statements: dict[Key, SignedMessage] = {each.key: each for each in known}
        unshown = items(signed.get("pasts", ()), _MESSAGES, "pasts", parse_past)
        shown = (*map(_past, known), *unshown)  # those are true
        self._pasts = {past.hash: past for past in shown if past and past.kind != START}
        finals = next(phase for phase in reversed(self._moves) if phase)
        said, self._last = read(finals[0]), finals[0].phase
        self._end = Past(MOVE, said.past.hash, refs(finals))
        self._state = said.state if isinstance(said, PhaseMessage) else bytes(DIGEST)

    @property
    def here(self) -> bytes:
        """The message that says where the game has ended."""
        number = max((statuses[0].view for statuses in self._views if statuses), default=0)
        return encode(("here", (number, len(self._moves) - 1)))

    @property
    def bye(self) -> bytes:
        """The message that says that whoever shows it has come to the end."""
        return encode(("bye", self._state))

    def _beside(self) -> list[tuple[str, Any]]:
        """What convicts anybody, as whoever is about to come to the end keeps it."""
        heard = [(COMPLAINT, each.plain()) for each in self._complaints.values()]
        twice = of_this_start(self.roster, signed_twice(self._offers))
        offers = [(ACCEPT, each.plain()) for each in twice]
        return [*((each.kind, each.plain()) for each in self._evidence), *heard, *offers]

    def answer(self, payload: Any) -> list[bytes]:
        """Return what a peer asks for; ``PeerError`` if that cannot be read."""
        want = parse_want(payload)
        begun = [each for each in self._views if each and each[0].view > want.view]
        said = [("view", tuple(each.plain() for each in s)) for s in begun[:CHUNK]]
        said.append(("end", self._end.plain()))
        # who stands as far as the end, or further, is on another line: the finals lead it over
        first = min(want.phase, self._last) if want.phase < PHASES - 1 else want.phase
        for moves in self._moves[first : first + CHUNK]:
            if moves and moves[0].phase == self._last:  # it may be of a phase far beyond the others
                said += self._beside()
            said += [(MOVE, each.plain()) for each in moves]
        named = [each for key in want.keys if (each := self._statements.get(key)) is not None]
        said += [(each.kind, each.plain()) for each in named]
        heard = [self._complaints[key] for key in want.keys if key in self._complaints]
        said += [(COMPLAINT, each.plain()) for each in heard]
        said += [("past", self._pasts[past].plain()) for past in want.pasts if past in self._pasts]
        return [*map(encode, said), self.here]


def _past(signed: SignedMessage) -> Past | None:
    try:
        return read(signed).past
    except PeerError:
        return None  # evidence may be what nobody can read
