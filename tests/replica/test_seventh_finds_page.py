"""What a seventh reader, of docs/protocol.md alone, found: a wish to wait that outlives the
conviction of its author, and an end that is hidden by a pause."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import trio

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.failure_detector import Wait
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.messages import MOVE, WAITS, PhaseMessage, sign
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, leave
from tests.replica.test_led_astray import deliver
from tests.replica.test_waits import word
from tests.shell.test_chat import Room as Programs

LIAR, LOST, GRACE, HONEST = 2, 4, 10, (0, 1, 3)


def lie(table):
    """Let the liar sign another state than the game has: all convict it."""
    line = table.replicas[0].transcript
    said = PhaseMessage(LIAR, line.number, line.view, line.past, bytes(32), ())
    signed = sign(said, identity(LIAR), table.replicas[0].context.game_id)
    bring(table, MOVE, signed.plain(), HONEST, LIAR)
    assert all(LIAR in table.replicas[p].convicted for p in HONEST)


@pytest.mark.parametrize(
    ("how", "skips"), [("convicted", ()), ("left", ()), ("convicted", (0, 1)), ("left", (0, 1))]
)
def test_a_wish_to_wait_ends_with_its_authors_conviction_or_farewell(how, skips):
    """An accomplice has no link any more; the liar wants to wait for it, and then convicts itself,
    or leaves. The wish counts until a view is without its author, and none begins while the
    accomplice is not gone: three honest ones of five reach each other, and stand still."""
    table = begun(5, seed=b"wish", settings=TableSettings(grace=GRACE))
    table.run(lambda t: t.replicas[0].transcript.number > 20, 60)
    table.kill(LOST)
    bring(table, WAITS, word(table, LIAR, {LOST: Wait.KEEP}), HONEST, LIAR)
    deliver(table)
    if how == "convicted":
        lie(table)
    else:
        leave(table, author=LIAR, to=HONEST)
    table.silent.add(LIAR)
    for p in skips:  # most of the honest
        table.step(p, inputs.SkipWait(LOST))
    number = max(table.replicas[p].transcript.number for p in HONEST)

    def on(t):
        return min(t.replicas[p].transcript.number for p in HONEST) > number + 9

    table.run(on, seconds=3 * GRACE)
    assert on(table)


@pytest.mark.parametrize("pauses", [False, True])
async def test_an_end_that_one_alone_has_reaches_the_others_before_it_goes(
    autojump_clock, nursery, pauses
):
    """A liar pauses as the end is signed, and gives its final to one: that one stays for 5 s, and
    in a pause the others ask every 10 s. They never have the signed end, though it was there."""
    liar, one, others = 3, 1, (0, 2)
    room = Programs(4)
    for person in room.people:
        person.waits = False
    play, said = room.plays[liar], []
    node, key = play._node, room.table.peers[one].public
    send = node.send

    def lying(to, body):
        kind, payload = decode(body)
        line = play._replica.transcript
        final = isinstance(line.phase, Final) and kind == "move"
        final = final and tuple(payload[:2]) == (liar, line.number)
        if final and not said:
            said.append(trio.current_time())
            if pauses:
                play.pause()
        if not said or kind == "talk" or (final and to == key):
            send(to, body)

    node.send = lying
    for place in range(4):
        nursery.start_soon(room.run, place)
    with trio.move_on_after(3000):
        await room.ends[one].wait()
    room.lose(one)
    room.scopes[liar].cancel()
    with trio.move_on_after(1000):
        for p in others:
            await room.ends[p].wait()
    over = [room.plays[p]._replica.over for p in (one, *others)]
    nursery.cancel_scope.cancel()
    assert over == [True, True, True]


def test_a_farewell_that_is_said_again_makes_nobody_ask_again():
    """Its author may say it without end."""
    shell, steps = object.__new__(GameRunner), []
    shell._done, shell._clock = {}, SimpleNamespace(goes=False)
    shell._replica, shell._step = SimpleNamespace(over=False), steps.append
    for _ in range(3):
        shell._heard(LIAR, encode(("bye", bytes(32))))
    assert steps == [inputs.Nudged()]
