"""Two lines on each of which nobody has to speak before somebody does who is on the other one."""

from __future__ import annotations

from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.failure_detector import PATIENCE
from lanplay_protocol.replica.messages import MOVE, parse_signed, parse_view
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import received
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, HONEST, leave, level
from tests.replica.test_two_lines import LATE, VICTIM, two_faced

ASKS = 1


def test_a_fork_after_which_nobody_speaks_convicts_before_anybody_is_late():
    """Each side waits for the other: what is asked for shows that they have parted."""
    table, forked = begun(seed=b"a11"), []
    two_faced(table, {VICTIM})
    lies, post = table.tampers[CHEAT], table._post

    def two_lines(table, to, move):
        told = lies(table, to, move)
        forked.extend([move.phase] if told else ())
        return told

    def nobody_goes_on(peer, event):
        kind, payload = decode(event.body)
        if kind != MOVE or not forked or payload[1] <= forked[0]:
            post(peer, event)

    table.tampers[CHEAT], table._post = two_lines, nobody_goes_on
    table.run(lambda t: forked, seconds=600)
    since = table.now
    table.run(lambda t: all(CHEAT in t.replicas[p].convicted for p in HONEST), seconds=PATIENCE)
    assert table.now - since < PATIENCE / 2
    assert all(table.accused(peer) == {(CHEAT, Code.EQUIVOCATION)} for peer in HONEST)


def shown(table, at, past):
    """What a peer shows of its line to one that asks: phases of messages, and attempts."""
    want = encode(("want", (*at, past, (), (), ())))
    sent = table.replicas[VICTIM].step(received(ASKS, want), table.now).send
    found = [(each.kind, each.payload) for each in sent if each.to == ASKS]
    phases = {parse_signed(payload).phase for kind, payload in found if kind == MOVE}
    views = {parse_view(payload)[0].view for kind, payload in found if kind == "view"}
    return phases, views


def test_who_asks_from_another_line_is_shown_what_was_said_last_before_its_place():
    """Also where phases lie between in which nobody had to speak. Who is on this line is not."""
    table = begun(seed=b"asks")
    table.run(lambda t: t.replicas[VICTIM].transcript.number > LATE, seconds=600)
    line = table.replicas[VICTIM].transcript
    here = {place: past for past, place in line.line.items()}
    for phase in (line.number, line.number - 5):
        on_it, _ = shown(table, (0, phase), here[phase, 0])
        beside, _ = shown(table, (0, phase), bytes(32))
        assert beside == on_it | {phase - 1} > on_it
    line.moves[-2].clear()
    assert shown(table, line.at, bytes(32))[0] >= {line.number - 2}
    ahead = (0, line.number + 1)  # it may be on this line nevertheless
    assert shown(table, ahead, bytes(32)) == (set(), set())


def test_who_asks_from_another_line_of_the_same_view_is_shown_how_that_began():
    table = begun(seed=b"asks")
    level(table)
    leave(table)
    table.run(lambda t: t.replicas[VICTIM].transcript.view, seconds=60)
    line = table.replicas[VICTIM].transcript
    assert shown(table, line.at, line.past.hash)[1] == set()
    assert shown(table, line.at, bytes(32))[1] == {line.view}


def test_a_question_names_the_past_of_whoever_asks():
    """With any other one it would be shown again and again what it has."""
    table = begun(seed=b"asks")
    level(table)
    replica = table.replicas[VICTIM]
    sent = replica.step(inputs.Woken(), table.now).send
    asked = [each.payload[:3] for each in sent if each.kind == "want"]
    assert asked == [(*replica.transcript.at, replica.transcript.past.hash)]
