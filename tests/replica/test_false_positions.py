"""A status says where its author stands: what it claims is compared with what lies there."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.messages import (
    MOVE,
    Past,
    PhaseMessage,
    StatusMessage,
    read,
    refs,
    sign,
)
from lanplay_protocol.replica.phases import prove
from lanplay_protocol.replica.positions import furthest
from lanplay_protocol.replica.reveals import Entropy, RevealCards
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import encode
from tests.replica.harness import GAME, identity
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, HONEST, bring, join, level, status

ALL = (0, 1, 2, 3)


def goes_on(table):
    """Assert that honest peers go on together, and that nobody is convicted."""
    before = min(table.replicas[p].transcript.number for p in HONEST)
    for peer in HONEST:  # its person is not waited for
        table.step(peer, inputs.SkipWait(CHEAT))
    table.run(
        lambda t: min(t.replicas[p].transcript.number for p in HONEST) > before + 6, seconds=120
    )
    assert min(table.replicas[p].transcript.number for p in HONEST) > before + 6
    assert not any(table.replicas[p].convicted for p in HONEST)


@pytest.mark.parametrize("ahead", [(0, 1), (0, 40), (1, 0), (7, 0)])
def test_a_position_whose_past_does_not_lie_there_is_in_no_certificate(ahead):
    """The past is of this game, and shorter or longer than claimed: nobody goes back there."""
    table = begun(4, seed=b"positions")
    level(table, lambda t: isinstance(t.replicas[0].transcript.phase, Entropy))
    table.silent.add(CHEAT)  # what it says is said for it
    transcript = table.replicas[0].transcript
    number = transcript.number
    past = next(iter(transcript.followed.values())) if ahead[1] else transcript.past
    old = [p for p in transcript.followed.values() if transcript.line[p.hash][0] == number - 5]
    join(table, 1, ALL, at=(ahead[0], number + ahead[1]), past=old[0] if ahead[1] else past)
    table.run(seconds=2)
    assert not any(table.replicas[p].begun for p in HONEST)
    assert min(table.replicas[p].transcript.number for p in HONEST) >= number
    goes_on(table)


def test_a_true_position_counts():
    table = begun(4, seed=b"positions")
    level(table)
    table.silent.add(CHEAT)  # after this status it may say nothing of the view before
    join(table, 1, ALL)
    table.run(lambda t: all(t.replicas[p].begun for p in HONEST), seconds=5)
    assert all(table.replicas[p].begun[0].number == 1 for p in HONEST)


def test_of_two_pasts_at_one_place_the_one_that_most_name_counts():
    """Whoever made the second one stands alone there: the others need not go back."""
    table = begun(4, seed=b"positions")
    level(table)
    transcript = table.replicas[0].transcript
    other = next(iter(transcript.followed.values()))
    said = [read(status(table, 1, ALL, author=p, signer=p)) for p in HONEST]
    false = [read(status(table, 1, ALL, past=other))]
    assert furthest(false + said) == (transcript.at, transcript.past.hash)
    assert furthest(said + false) == (transcript.at, transcript.past.hash)
    assert furthest([*false, said[0]])[1] == min(other.hash, transcript.past.hash)


def test_a_line_that_leads_nowhere_is_tried_beside_ones_own():
    """What is found false on the way costs its author its word, and nobody its line."""
    table = begun(4, seed=b"positions")
    level(table)
    replica = table.replicas[0]
    at = replica.transcript
    node = at.followed[next(h for h, place in at.line.items() if place == (at.number - 3, 0))]
    assert not replica.line._go(node.before, [node, node])
    assert replica.transcript is at
    assert CHEAT not in replica.convicted
    assert replica.line.other(at.line[node.before], [node])[1]


def of_one_that_is_out(seed):
    """Two of three have shown cards while the third was out: return their table, one phase later,
    the message that it now signs for that phase, and the past that names all three."""
    table, shown = begun(3, seed=seed, settings=TableSettings(grace=5)), []
    table.kill(CHEAT)
    replica = table.replicas[0]

    def has_shown(_):
        line = replica.transcript
        if line.views and isinstance(line.phase, RevealCards):
            shown.append((line.phase, line.past, line.state))
        return line.views and shown and not isinstance(line.phase, RevealCards)

    table.run(has_shown, seconds=60)
    line, context, (phase, past, state) = replica.transcript, replica.context, shown[-1]
    key = GameKey.derive(digest("game key", (table.seed * 32)[:31] + bytes([CHEAT])))
    place = encode((line.number - 1, CHEAT, "powers"))
    label = digest("proof", context.game_id, past.hash, place)
    by = SimpleNamespace(key=key, me=CHEAT, proof_context=lambda *_: label)
    parts = prove(by, context.deck.bases(phase._cards))
    own = PhaseMessage(CHEAT, line.number - 1, line.view, past, state, parts)
    own = sign(own, identity(CHEAT), context.game_id)
    return table, own, Past(MOVE, past.hash, refs([*line.moves[-2].values(), own]))


def test_what_whoever_is_out_says_later_leads_nowhere():
    """It is true, and not due: who followed it, by a status of its author's, had a record that
    nobody could read any more."""
    seeds = (b"out %d" % number for number in range(20))
    found = map(of_one_that_is_out, seeds)
    smaller = (f for f in found if f[2].hash < f[0].replicas[0].transcript.past.hash)
    table, own, past = next(smaller)  # of two pasts at one place it counts
    line = table.replicas[0].transcript
    table.kill(1)
    table.step(0, inputs.LinkUp(CHEAT))
    back = StatusMessage(CHEAT, 2, (0, CHEAT), line.at, past, ())
    for said in (own, sign(back, identity(CHEAT), table.replicas[0].context.game_id)):
        bring(table, said.kind, said.plain(), (0,))
    table.run(lambda t: t.replicas[0].transcript.view > 1, seconds=60)
    assert CHEAT not in table.replicas[0].moves[own.phase]
    assert check_record(GAME, record_of(table)).finding is None
