"""How a peer that is behind, or lacks something, comes to where the others are.

Any holder gives any statement to whoever asks. What a phase lacks is asked of everybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from lanplay_protocol.replica.line import COUNTED, GameLine
from lanplay_protocol.replica.messages import (
    COMPLAINT,
    DIGEST,
    PHASES,
    STATUS,
    VIEWS,
    Key,
    parse_key,
    parse_position,
)
from lanplay_protocol.replica.outbox import Outbox
from lanplay_protocol.replica.roster import PEERS
from lanplay_protocol.schema import binary, fields, items, uint

CHUNK = 64
"""Phases and statements that are sent at once to a peer that is behind."""
RESENDS = 32
"""Times that one peer may ask for messages again in ``WHILE`` seconds, for a few phases each."""
WHILE = 2.0
FEW = 16
"""Phases and statements that count as one time more: they cost whoever gives them as much."""
LATER = 32
"""Statuses of later views that are sent at once to whoever asks: of more the next ones then."""
NAMED = 12
"""Times that one peer is asked for what is named, before what a phase lacks is asked for again."""
FIRST = 0.3
"""Seconds after which what a phase lacks is asked of everybody."""
AGAIN = 1.0
"""Seconds after which it is asked for again: of one peer in turn while people think."""


class Want(NamedTuple):
    """What somebody asks for: what is after its position, but for ``held`` peers' messages of its
    phase, and statements and pasts by name. ``past`` is the transcript hash that it is there with.
    """

    view: int
    phase: int
    past: bytes
    keys: tuple[Key, ...]
    pasts: tuple[bytes, ...]
    held: tuple[int, ...]


def parse_want(payload: Any) -> Want:
    """Return what somebody asks for."""
    view, phase, here, wanted, hashes, held = fields(payload, 6, "want")
    place = uint(view, VIEWS, "view"), uint(phase, PHASES, "phase")
    keys = items(wanted, CHUNK, "statements", parse_key)
    pasts = items(hashes, CHUNK, "pasts", lambda past: binary(past, DIGEST, "past"))
    peers = items(held, PEERS, "held", lambda peer: uint(peer, PEERS, "peer"))
    return Want(*place, binary(here, DIGEST, "transcript hash"), keys, pasts, peers)


class CatchUp:
    """Who asked how often, and for what this peer has asked."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        # what others asked for lately, so that nobody makes this peer send without end
        self._wants: dict[int, list[float]] = {}
        # the position in which each was asked for what it is ahead by: once is enough
        self._asked_of: dict[int, tuple[int, int]] = {}
        self._named = Counter[int]()  # so that no liar has all of them asked for what is nowhere
        self._turns = 0
        self._later = Counter[int]()  # how many statuses of later views each has been sent

    def want_of_next(self, line: GameLine, peers: Sequence[int]) -> None:
        """Ask one of some peers, if there are any, for what this peer lacks: each in turn."""
        self._turns += 1
        for peer in peers[self._turns % max(1, len(peers)) :][:1]:
            self.want(line, peer)

    def want(
        self, line: GameLine, to: int | None = None, at: tuple[int, int] | None = None
    ) -> None:
        """Ask for what is after a position, this peer's own, and for what is named and not here."""
        if at is None:
            self._named.clear()
        keys, pasts = line.lacking()
        view, phase = at or line.transcript.at
        held = tuple(peer for moves in line.transcript.moves[phase:][:1] for peer in sorted(moves))
        here = line.transcript.past.hash
        self._outbox.post("want", (view, phase, here, keys[:CHUNK], pasts[:CHUNK], held), to)

    def want_named(self, line: GameLine, peer: int) -> None:
        """Ask a peer for what is named and not here."""
        self._named[peer] += 1
        if self._named[peer] <= NAMED:
            self._want_later(line, peer)

    def _want_later(self, line: GameLine, peer: int) -> None:
        """Ask a peer for what is named; for later messages once in a position."""
        view, phase = mine = line.transcript.at
        asked = self._asked_of.get(peer) == mine
        self._asked_of[peer] = mine
        self.want(line, peer, (view, PHASES - 1 if asked else phase))

    def here(self, line: GameLine, to: int | None = None) -> None:
        """Say how far this peer is."""
        self._outbox.post("here", line.transcript.at, to)

    def stands(self, line: GameLine, peer: int, payload: Any) -> None:
        """Ask a peer for what it is ahead by, once."""
        mine = line.transcript.at
        if parse_position(payload) > mine and self._asked_of.get(peer) != mine:
            self._want_later(line, peer)

    def answer(self, line: GameLine, peer: int, now: float, payload: Any) -> bool:
        """Give what a peer asks for, unless it asks faster than anybody needs to."""
        want = parse_want(payload)
        recent = [at for at in self._wants.get(peer, ()) if now - at < WHILE]
        if len(recent) >= RESENDS:
            return False
        phases = len(line.transcript.moves[want.phase : want.phase + CHUNK])
        times = 1 + (phases + len(want.keys) + len(want.pasts)) // FEW
        self._wants[peer] = [*recent, *[now] * times]
        self._show_game(line, peer, want)
        for key in want.keys:
            found = line.statements.get(key)
            if found is not None:
                self._outbox.post(found.signed.kind, found.signed.plain(), peer)
            elif key in line.statements.complaints:
                self._outbox.post(COMPLAINT, line.statements.complaints[key].plain(), peer)
        for past in want.pasts:
            if past in line.statements.pasts:
                self._outbox.post("past", line.statements.pasts[past].plain(), peer)
        if line.transcript.at > (want.view, want.phase):
            self.here(line, peer)
        return True

    def _show_game(self, line: GameLine, peer: int, want: Want) -> None:
        """Send what came after a position: views, what was said of later ones, and messages.

        Who asks from another line is shown what was said last on this one before its place: where
        each side waits for what nobody has to say on the other, no message would show it in time.
        """
        transcript = line.transcript
        apart = (want.view, want.phase) <= transcript.at and want.past not in transcript.line
        for each in [v for v in transcript.views if v.number > want.view - apart][:CHUNK]:
            self._outbox.post("view", tuple(s.plain() for s in each.statuses), peer)
        since = max(want.view, transcript.view)
        later = [known.signed for known in line.statements.statuses if known.signed.view > since]
        upwards = sorted(later, key=lambda each: each.view)
        steps = {(each.sender, each.view // COUNTED): each for each in upwards}
        # of the convicted as few as lead as far up as what convicts them
        few = {*steps.values()}
        due = [each for each in later if each in few or each.sender not in line.convicted]
        first = self._later[peer] % len(due) if len(due) > LATER else 0
        for signed in [*due[first:], *due[:first]][:LATER]:
            self._outbox.post(STATUS, signed.plain(), peer)
        self._later[peer] += LATER
        if transcript.phase is None:
            self._outbox.post("end", transcript.past.plain(), peer)
        before = transcript.moves[: want.phase if apart else 0]
        said = [number for number, moves in enumerate(before) if moves]
        for number in (*said[-1:], *range(want.phase, want.phase + CHUNK)):
            same = (want.view, want.phase) == (transcript.view, number)
            self.resend(line, peer, number, want.held if same else ())

    def resend(self, line: GameLine, peer: int, phase: int, held: Sequence[int] = ()) -> None:
        """Send the messages of a phase that count, but for those of peers that are held there."""
        if phase < len(line.transcript.moves):
            for sender, signed in sorted(line.transcript.moves[phase].items()):
                if sender not in held:
                    self._outbox.post("move", signed.plain(), peer)
