"""What a modified program may do to a message: everything that its own key can sign."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import (
    COMPLAINT,
    LEAVE,
    MOVE,
    OPEN,
    STATUS,
    WAITS,
    Past,
    PhaseMessage,
    SignedMessage,
    StatusMessage,
    complain,
    refs,
    sign,
    wish,
)
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.waits import CHANGES, WISHES
from lanplay_protocol.wire import decode, encode
from tests.byzantine.draws import Draws
from tests.replica.harness import identity, vote

Path = tuple[int, ...]


def leaves(plain: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Give every place of plain data, containers too, with what stands there."""
    yield at, plain
    if isinstance(plain, tuple | list):
        for number, each in enumerate(plain):
            yield from leaves(each, (*at, number))


def replaced(plain: Any, at: Path, new: Any) -> Any:
    """Return plain data with something else at a place."""
    if not at:
        return new
    changed = list(plain)
    changed[at[0]] = replaced(changed[at[0]], at[1:], new)
    return tuple(changed)


def found(plain: Any, at: Path) -> Any:
    """Return what stands at a place of other plain data, None where there is no such place."""
    for number in at:
        if not isinstance(plain, tuple | list) or number >= len(plain):
            return None
        plain = plain[number]
    return plain


def _flipped(value: Any, draws: Draws) -> Any:
    at = draws.below(len(value) * 8)
    changed = bytearray(value)
    changed[at // 8] ^= 1 << at % 8
    return bytes(changed)


def _spoils(value: Any) -> list[Callable[[Any, Draws], Any]]:
    """Return the ways in which something of this type can be spoiled."""
    if isinstance(value, bytes):
        some = [lambda v, d: b"", lambda v, d: v + b"\0", lambda v, d: bytes(len(v))]
        return [_flipped, *some, lambda v, d: v[:-1]] if value else some[1:2]
    if isinstance(value, bool) or value is None:
        return [lambda v, d: not v]
    if isinstance(value, int):
        steps = (1, -1, 7, 1 << 20, 1 << 62)
        return [lambda v, d: v + d.pick(steps), lambda v, d: 0, lambda v, d: -1 - v]
    if isinstance(value, str):
        return [lambda v, d: v + "x", lambda v, d: ""]
    if isinstance(value, tuple | list) and value:
        without = lambda v, d: (lambda at: (*v[:at], *v[at + 1 :]))(d.below(len(v)))  # noqa: E731
        return [
            without,
            lambda v, d: (*v, v[d.below(len(v))]),
            lambda v, d: tuple(reversed(v)),
            lambda v, d: (),
            lambda v, d: v * 50,
        ]
    return [lambda v, d: (0,)]


def spoiled(plain: Any, draws: Draws, older: list[Any]) -> Any:
    """Return plain data with one place changed: spoiled, or taken from an older message."""
    places = list(leaves(plain))
    at, value = places[draws.below(len(places))]
    if older and draws.one_in(3):
        other = found(draws.pick(older), at)
        if other is not None and other != value:
            return replaced(plain, at, other)
    ways = _spoils(value)
    return replaced(plain, at, ways[draws.below(len(ways))](value, draws))


@lru_cache(1 << 12)
def _body(body: bytes) -> Any:
    """Return what a message says, for the next lie; nothing where a liar said what is no data."""
    with suppress(PeerError):
        return decode(body)
    return ()


def resigned(
    replica: Replica, me: int, kind: str, payload: Any, draws: Draws, older: list[Any]
) -> Any:
    """Return one's own statement with something else in its body, signed; None if it is none."""
    if kind not in (MOVE, STATUS) or payload[0] != me:
        return None
    sender, phase, view, body, _ = payload
    bodies = [_body(each[3]) for each in older if isinstance(each[3], bytes)]
    view, phase = draws.pick(((view, phase), (view, phase), (view + 1, phase), (view, phase + 1)))
    try:
        new = encode(spoiled(decode(body), draws, bodies))
    except (PeerError, TypeError, ValueError, OverflowError):
        return None
    bare = SignedMessage(kind, sender, phase, view, new, b"")
    game = replica.line.statements.game_id(phase if kind == MOVE else -1)
    signature = identity(me).sign(kind, encode((game, *bare.key)))
    return (sender, phase, view, new, signature)


AHEAD = (0, 0, 1, 2, 9, 70, 1 << 20)
"""How far beyond what is due a false number is."""


GAME = (STATUS, COMPLAINT, LEAVE)
"""What can be said once the game has begun."""
STEPS = (0, 1, -1, 2, 40)
"""How far a false phase is from the one that is due."""
SAID = (
    *GAME,
    *(MOVE, "past", "end", "view", "presence", "here", "held", "want", "anew", OPEN, WAITS),
)
"""What can be made up; but for what needs a game at any time, before it and after it, too."""


def forged(replica: Replica, me: int, draws: Draws, kinds: Sequence[str]) -> tuple[str, Any]:
    """Return what no program of its author was about to say, validly signed where it is signed."""
    kind = draws.pick(kinds)
    if kind in GAME and replica.transcript.number < SETUP:
        kind = MOVE
    transcript, statements = replica.transcript, replica.line.statements
    if kind not in GAME:
        return kind, _made_up(kind, replica, me, draws)
    if kind == STATUS:
        said = _false_status(replica, me, draws)
        return kind, sign(said, identity(me), statements.game_id(-1)).plain()
    phase = draws.pick(range(len(transcript.moves))[::-1])
    moves = sorted(transcript.moves[phase].items())
    if kind == COMPLAINT and moves:
        disclosure = draws.pick((bytes(96), b"", b"1" * 128))
        accused = draws.pick(moves)[1] if draws.below(3) else _of_before(replica, me, draws)
        return kind, complain(me, accused, disclosure, identity(me), replica.roster).plain()
    view = transcript.view + draws.pick(AHEAD)
    return LEAVE, wish(LEAVE, me, view, identity(me), statements.game_id(-1)).plain()


def _of_before(replica: Replica, me: int, draws: Draws) -> SignedMessage:
    """Return a message of a phase that was, of any view: others may not keep it."""
    transcript = replica.transcript
    past = draws.pick(list(transcript.followed.values())[-40:][::-1])
    number, view = transcript.line[past.hash][0], transcript.view + draws.pick(AHEAD)
    said = PhaseMessage(me, number, view, past, transcript.state_at(number), ())
    return sign(said, identity(me), replica.line.statements.game_id(number))


def _made_up(kind: str, replica: Replica, me: int, draws: Draws) -> Any:
    """Return words of any kind: finals and ends before the end, certificates, places, wishes."""
    transcript, statements = replica.transcript, replica.line.statements
    number, past = _place(replica, draws)
    some = [each.signed for each in statements.of_phase(number) if draws.below(2)]
    keys = tuple(each.key for each in some)
    view = transcript.view + draws.pick(AHEAD)
    parts = (*keys, draws.below(1 << 16)) if draws.below(3) else keys
    said = PhaseMessage(me, number, transcript.view, past, transcript.state, parts)
    own = sign(said, identity(me), statements.game_id(number))
    if kind == MOVE:
        return own.plain()
    if kind in ("past", "end"):
        before = draws.pick((past.hash, past.hash, past.before))
        some += [own] if draws.below(2) else []
        names = refs({each.sender: each for each in some}.values())
        return Past(draws.pick((MOVE, MOVE, STATUS)), before, names).plain()
    if kind == "view":
        status = sign(_false_status(replica, me, draws), identity(me), statements.game_id(-1))
        others = [each.signed for each in statements.statuses if draws.below(2)]
        return tuple(each.plain() for each in [status, *others][: draws.below(8) + 1])
    if kind == "presence":
        peers = range(len(replica.roster.peers))
        sets = (tuple(p for p in peers if draws.below(2)) for _ in range(3))
        return (*sets, draws.below(2))
    if kind == "here":
        return (view, number)
    if kind == "held":
        return tuple(tuple(e.ref.plain() for e in some[:1] if e.kind == k) for k in (MOVE, STATUS))
    if kind == "want":
        return (
            0,
            draws.pick((0, number)),
            draws.pick((past.hash, bytes(32))),
            keys,
            (past.hash, bytes(32)),
            tuple(range(draws.below(5))),
        )
    if kind == "anew":
        players = {me, *transcript.members} if draws.below(2) else {me}
        rounds = ((draws.below(3), transcript.state),)
        return vote(replica.roster, me, bytes([me]) * 32, rounds, tuple(sorted(players)))
    if kind == WAITS:
        number = (view * CHANGES + draws.below(CHANGES)) * WISHES + draws.below(WISHES)
        return wish(WAITS, me, number, identity(me), replica.roster.digest()).plain()
    return wish(OPEN, me, draws.below(1 << 12), identity(me), statements.game_id(-1)).plain()


def _place(replica: Replica, draws: Draws) -> tuple[int, Past]:
    """Return a phase and what came before it: those that are true, or others.

    A past may be made up of true names, so that whoever hears of it passes it on.
    """
    transcript, statements = replica.transcript, replica.line.statements
    number = max(0, transcript.number + (0 if draws.below(3) else draws.pick(STEPS)))
    if draws.below(3):
        return number, transcript.past
    said = {e.signed.sender: e.signed for e in statements.of_phase(number) if draws.below(2)}
    made_up = Past(MOVE, transcript.past.hash, refs(said.values()))
    recent = list(statements.pasts.values())[-40:][::-1]
    return number, made_up if draws.below(2) else draws.pick([transcript.past, *recent])


def _false_status(replica: Replica, me: int, draws: Draws) -> StatusMessage:
    """Return a status, of which something is not as its author would have said."""
    transcript, statements = replica.transcript, replica.line.statements
    everybody = range(len(replica.roster.peers))
    members = tuple(sorted(transcript.members))
    if draws.below(2):
        members = tuple(p for p in everybody if p == me or draws.below(2))
    number, past = _place(replica, draws)
    at = (transcript.view + (draws.pick(AHEAD) if draws.below(2) else 0), number)
    held = [each.signed for each in statements.of_phase(number)]
    few = {each.sender: each for each in held if each.sender == me or not draws.below(3)}
    attempt = transcript.view + 1 + draws.pick(AHEAD)
    return StatusMessage(me, attempt, members, at, past, refs(few.values()))
