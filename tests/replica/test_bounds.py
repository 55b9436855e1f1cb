"""What anybody can send costs a bounded check and bounded memory, whatever stands in its fields."""

from collections import Counter

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl import bindings

from lanplay.games import load
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.evidence import SPARE
from lanplay_protocol.replica.key_setup import SETUP, UNNAMED
from lanplay_protocol.replica.messages import MOVE, STATUS, SignedMessage
from lanplay_protocol.replica.positions import AHEAD
from lanplay_protocol.wire import FRAME_LIMIT, decode, encode
from tests.byzantine.fuzz import ODD, Batch, Recording, eventful, everything
from tests.byzantine.lies import found, leaves, replaced
from tests.byzantine.stand_ins import installed
from tests.replica.harness import identity, roster

CHEAT, HONEST = 2, 1
CHECKS = 9
"""Signatures that are checked of one false input at most: a view has eight statuses."""

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.binary() | st.text(),
    lambda inner: st.lists(inner, max_size=9).map(tuple),
    max_leaves=9,
) | st.sampled_from(ODD)


@pytest.fixture(scope="module")
def table():
    """A game a few phases old, with everything that was sent in it, and a view change."""
    with installed(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(trio, "current_time", lambda: 0.0)
        table = Recording(roster(3, game=load("charidice")), seed=b"bounds")
        table.start()
        eventful(table)
        assert not table.is_over()
        yield table


def messages(table):
    """Return one message of each kind, of the richest ones."""
    kinds = {}
    for _, body in everything(table):
        kind, payload = decode(body)
        if len(body) > len(encode((kind, kinds.get(kind, ())))):
            kinds[kind] = payload
    return kinds


def test_all_kinds_of_messages_are_tried(table):
    common = {"move", "status", "presence", "here", "want", "past", "end", "complaint", "anew"}
    assert common | {"leave", "alive", "waits"} <= messages(table).keys()


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_stands_in_a_field_of_a_message_is_taken_or_refused(table, data):
    """By a peer, by one who watches, by a lobby, by the chat: and nobody honest is convicted."""
    batch = Batch(0, table, everything(table), None)
    kinds = messages(table)
    kinds |= {decode(body)[0]: decode(body)[1] for body in (*batch.words, *batch.asks)}
    kind = data.draw(st.sampled_from(sorted(kinds)))
    places = [at for at, _ in leaves(kinds[kind])]
    at = data.draw(st.sampled_from(places))
    payload = replaced(kinds[kind], at, data.draw(PLAIN))
    batch.body = lambda bodies: encode((kind, payload))
    for way in (batch.peer_says, batch.watch, batch.talk, batch.join):
        batch.one(way)
    assert batch.faults == []


def counted(monkeypatch, work):
    """Return how many signatures were checked meanwhile."""
    count, check = Counter(), bindings.crypto_sign_open

    def open_(*given):
        count["checks"] += 1
        return check(*given)

    with monkeypatch.context() as patch:
        patch.setattr(bindings, "crypto_sign_open", open_)
        try:
            work()
        except PeerError:
            count["refused"] += 1
    return count["checks"]


def test_a_false_message_costs_a_bounded_number_of_checks(table, monkeypatch):
    """Whatever it names beside: as many as a view has statuses, for most of them one or none."""
    replica = table.replicas[0]
    worst = {}
    for kind, payload in messages(table).items():
        for at, value in leaves(payload):
            if isinstance(value, bytes):
                false = replaced(payload, at, bytes(len(value)))
                given_ = inputs.Received(HONEST, kind, false)
                checks = counted(monkeypatch, lambda g=given_: replica.step(g, table.now))
                worst[kind] = max(worst.get(kind, 0), checks)
    assert max(worst.values()) <= CHECKS, worst
    assert worst["move"] == 1
    assert set(replica.convicted) <= {CHEAT}


def signed(table, kind, phase, view, size):
    """Return a genuine statement of the cheat with a body of a size."""
    replica = table.replicas[0]
    body = encode((b"x" * size,))
    bare = SignedMessage(kind, CHEAT, phase, view, body, b"")
    game = replica.line.statements.game_id(phase if kind == MOVE else -1)
    return (CHEAT, phase, view, body, identity(CHEAT).sign(kind, encode((game, *bare.key))))


def test_what_a_cheat_signs_takes_bounded_memory_and_keeps_nobody_elses_from_being_held(table):
    """Sixty kilobytes for every slot there is: of all that no more is kept than ``SPARE``."""
    replica, line = table.replicas[0], table.replicas[0].line
    size = FRAME_LIMIT - 4096
    for number in range(3 * SPARE // size):
        kind = (MOVE, STATUS)[number % 2]
        phase = 0 if kind == STATUS else SETUP + number % 60
        given_ = inputs.Received(HONEST, kind, signed(table, kind, phase, number // 2, size))
        replica.step(given_, table.now)
    held = [each for slot in line.statements._slots.values() for each in slot.values()]
    kept = sum(len(each.signed.body) for each in held if each.signed.sender == CHEAT)
    assert SPARE // 2 < kept <= 2 * SPARE
    assert set(replica.convicted) <= {CHEAT}
    assert not replica.over
    table.run(lambda t: all(t.replicas[p].over for p in (0, HONEST)), seconds=900)
    assert table.replicas[0].over
    assert table.replicas[HONEST].over


def test_what_cannot_be_checked_yet_crowds_out_nothing_that_another_peer_brings():
    """A flood of made-up messages before the game has its id is bounded, in number and in size; the
    one true message of that time is there once it can be checked."""
    with installed():
        table = Recording(roster(3), seed=b"early")
        table.tampers[CHEAT] = lambda t, to, move: [] if (to, move.phase) == (0, 1) else None
        replica, line = table.replicas[0], table.replicas[0].line
        for number in range(1000):
            size = (1, FRAME_LIMIT - 4096)[number % 2]
            made_up = (number % 3, UNNAMED + number % 60, number // 60, bytes(size), bytes(64))
            table.step(0, inputs.Received(CHEAT, MOVE, made_up))
        table.start()
        table.run(lambda t: any(by == HONEST for by, _ in line.unchecked), seconds=5)
        waiting = [signed for _, signed in line.unchecked]
        assert len(waiting) <= 3 * AHEAD
        assert sum(len(signed.body) for signed in waiting) <= 3 * SPARE
        asked = [want for want in table.corpus if decode(want[1])[0] == "want"]
        sent = next(e for e in table.kept(CHEAT) if e[0] == MOVE and e[1][:2] == (CHEAT, 1))
        table.step(0, inputs.Received(CHEAT, *sent))  # its keys, which it had kept back
        assert line.statements.of((MOVE, HONEST, 0, UNNAMED))
        assert asked == [want for want in table.corpus if decode(want[1])[0] == "want"]
        assert not replica.convicted


def test_places_of_messages_are_found_again():
    plain = (1, (b"a", (2, "b")), ())
    assert all(found(plain, at) == value for at, value in leaves(plain))
