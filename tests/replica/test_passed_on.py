"""What a liar says costs whoever passes it on, judges it or remembers it no more than it should."""

from __future__ import annotations

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs, verdicts
from lanplay_protocol.replica.messages import (
    MOVE,
    STATUS,
    Past,
    PhaseMessage,
    SignedMessage,
    complain,
    sign,
)
from lanplay_protocol.wire import FRAME_LIMIT, encode
from tests.replica.harness import identity, received
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level
from tests.replica.test_led_astray import CHEAT, stands, waiting


def unreadable(table, size):
    """A status of the cheat's that nobody can read, as long as one likes."""
    game, body = table.replicas[0].context.game_id, bytes(size)
    bare = SignedMessage(STATUS, CHEAT, 0, 1, body, b"")
    signature = identity(CHEAT).sign(STATUS, encode((game, *bare.key)))
    return SignedMessage(STATUS, CHEAT, 0, 1, body, signature)


def test_what_fits_a_frame_is_passed_on_in_frames_that_fit():
    """Whatever is taken of what a peer could send, whoever shows it to others can send it, too."""
    table = begun(3, seed=b"frame")
    level(table)
    size = FRAME_LIMIT
    while len(encode(("view", (unreadable(table, size).plain(),)))) > FRAME_LIMIT:
        size -= 1
    body = encode(("view", (unreadable(table, size).plain(),)))
    assert len(body) == FRAME_LIMIT  # a peer can send it
    try:
        output = table.replicas[0].step(received(CHEAT, body), table.now)
    except PeerError:
        return  # it is not taken: the connection is closed
    assert max(len(envelope.body) for envelope in output.send) <= FRAME_LIMIT


def test_complaints_that_nobody_can_judge_are_not_tried_without_end(monkeypatch):
    """However many a liar's statuses name, a step that brings nothing new tries few of them."""
    table = waiting()
    replica = table.replicas[0]
    game, number = replica.context.game_id, replica.transcript.number
    said = PhaseMessage(CHEAT, number, 0, Past(MOVE, bytes(32), ()), bytes(32), ())
    junk = sign(said, identity(CHEAT), game)
    view = replica.transcript.view
    for n in range(6):  # attempts of others than anybody here wants: nobody joins them
        words = [
            complain(CHEAT, junk, bytes([n, k]), identity(CHEAT), table.roster) for k in range(32)
        ]
        names = sorted(word.key for word in words)
        bring(table, "status", stands(table, 0, view + 1 + n, (1, 2), names), (0,))
        for word in words:
            bring(table, "complaint", word.plain(), (0,))
    tried, judged = [], verdicts.judged
    monkeypatch.setattr(verdicts, "judged", lambda *given: tried.append(given) or judged(*given))
    replica.step(inputs.Nudged(), table.now)
    assert CHEAT not in replica.convicted
    assert len(tried) < 64, len(tried)
    assert len(replica.line.statements.complaints) <= verdicts.NAMED + 1  # one that was heard first


def test_views_that_nobody_begins_leave_nothing_behind():
    """What is not kept is not remembered either: a liar may sign as many names as it likes."""
    table = waiting()
    replica = table.replicas[0]
    line = replica.line
    before = len(line.statements._checked)
    for n in range(300):
        true = stands(table, 0, 1000 + n, (0, 1, 2))
        forged = [(p, *true[1:4], bytes(64)) for p in (0, 1)]
        bring(table, "view", (true, *forged), (0,))
    assert len(line.statements._checked) < before + 100
