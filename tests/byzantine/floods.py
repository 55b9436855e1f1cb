"""So much of what one liar makes up that whoever takes it must not care: it costs each a bounded
time, and leaves bounded memory, messages, notices and entries on the disk behind."""

from __future__ import annotations

import gc
import time
from collections import Counter
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.messages import (
    MOVE,
    OPEN,
    Past,
    PhaseMessage,
    refs,
    sign,
)
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.wire import encode
from tests.byzantine.draws import Draws
from tests.byzantine.lies import forged
from tests.replica.harness import identity, received

if TYPE_CHECKING:
    from tests.byzantine.world import World

MANY = 300
"""Messages that come at once."""
SECONDS = 2.0
"""Of a processor, that they may take altogether."""
LIMITS = {"events": 40, "messages": 20_000, "entries": 40, "objects": 100, "begun": 15}
"""What they may bring, leave behind, and how often have the game gone over from its beginning."""
SOME, AGAIN = 4000, 10
KEPT = (MOVE, OPEN, "status", "view", "complaint", "past")
"""Kinds of which some are kept: a past, of which it is 64, has two dozen objects; and a line that
is gone over once more has ``AGAIN`` for each phase that was played, however much came."""
_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)


def flood(world: World, liar: int, target: int, kind: str) -> list[str]:
    """Let a liar send a peer many things of one kind; return what that costs too much."""
    actor, draws = world.actors[target], world.draws
    author = world.actors[liar].replica
    if kind == "past":
        said = chain(author, liar, draws)
    else:
        said = [forged(author, liar, draws, (kind,)) for _ in range(MANY)]
    world.told.append(f"{world.now:.1f}: {liar} floods {target}: {kind}")
    counts, before, spent = Counter[str](), objects(actor.replica), 0.0
    made = actor.replica.made
    for each in said:
        try:
            given = received(liar, encode(each))
        except (PeerError, TypeError, ValueError, OverflowError):
            continue  # nothing that can be sent
        began = time.process_time()
        try:
            output = actor.replica.step(given, world.now)
        except PeerError as error:
            world.refuse(actor, given, error)
            break
        spent += time.process_time() - began
        counts.update(events=len(output.events), messages=len(output.send))
        counts["entries"] += len(output.persist)
        world.handle(actor, output)
        if actor.dead:
            return []
    counts["objects"] = objects(actor.replica) - before
    counts["begun"] = actor.replica.made - made
    kept = any(each in KEPT for each, _ in said)
    some = {"objects": SOME + AGAIN * actor.replica.transcript.number} if kept else {}
    limits = {**LIMITS, **some}
    found = [f"{n} {what}" for what, n in counts.items() if n > limits[what]]
    found += [f"{spent:.1f} s"] if spent > SECONDS else []
    return [f"{len(said)} times {kind} of {liar} cost {target} {each}" for each in found]


def chain(replica: Replica, me: int, draws: Draws) -> list[tuple[str, Any]]:
    """Return a message that hangs on a chain of pasts that nobody has been through, and these."""
    transcript, statements = replica.transcript, replica.line.statements
    number = transcript.number
    names = refs(transcript.moves[max(0, number - 1)].values())
    pasts = [Past(MOVE, draws.pick((bytes(32), transcript.past.hash)), names)]
    while len(pasts) < MANY:
        pasts.append(Past(MOVE, pasts[-1].hash, names))
    view = transcript.view + draws.pick((0, 1, 9))
    said = PhaseMessage(me, number, view, pasts[-1], transcript.state, ())
    signed = sign(said, identity(me), statements.game_id(number))
    return [(MOVE, signed.plain()), *(("past", each.plain()) for each in pasts[-2::-1])]


def objects(replica: Replica) -> int:
    """Return how many things a program keeps in memory."""
    known, waiting = set[int](), [replica.__dict__]
    while waiting:
        for each in gc.get_referents(waiting.pop()):
            if id(each) not in known and not isinstance(each, _CODE):
                known.add(id(each))
                waiting.append(each)
    return len(known)
