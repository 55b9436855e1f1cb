"""What a liar fills at one honest peer alone keeps it from nothing that others hold."""

from __future__ import annotations

from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, sign
from tests.replica.harness import identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, leave, level
from tests.replica.test_false_ends import say, unsigned
from tests.replica.test_led_astray import CHEAT, stands

VICTIM, OTHER = 0, 1
LONG = 70
"""More names than are asked for at once."""


def chain(table, before=bytes(32)):
    """Messages of the cheat, one on the other, each of which names what nobody has."""
    replica, past = table.replicas[OTHER], Past(MOVE, before)
    for n in range(LONG):
        said = PhaseMessage(CHEAT, 4, 20 + n, past, bytes(32), n)
        named = sign(said, identity(CHEAT), replica.context.game_id).ref
        past = Past(MOVE, past.hash, (named,))
        said = PhaseMessage(CHEAT, 5 + n % 30, 100 + n // 30, past, bytes(32), ())
        yield sign(said, identity(CHEAT), replica.context.game_id)


def seat_is_lost(table):
    """Let the cheat ask back with evidence that only the other holds; tell whether the victim,
    who cannot ask for that, is left out."""
    line = table.replicas[OTHER].transcript
    said = PhaseMessage(CHEAT, line.number, 110, line.past, line.state, ())
    junk = sign(said, identity(CHEAT), table.replicas[OTHER].context.game_id)
    bring(table, "move", junk.plain(), (OTHER,))
    view, answered = line.view, {line.view + 1}

    def joins(t):
        for known in list(t.replicas[OTHER].line.statements.statuses):
            status = known.said
            theirs = known.signed.sender == OTHER and CHEAT in status.members
            if theirs and status.attempt not in answered:
                answered.add(status.attempt)
                same = stands(t, OTHER, status.attempt, status.members, [junk.key])
                bring(t, "status", same, (VICTIM, OTHER))
        return any(VICTIM in event.lost for event in t.of(OTHER, ViewChanged))

    back = stands(table, OTHER, view + 1, (0, 1, 2), [junk.key])
    bring(table, "status", back, (VICTIM, OTHER))
    for more in (3, 4, 5):
        alone = stands(table, OTHER, view + more, (1, 2), [junk.key])
        bring(table, "status", alone, (OTHER,))
    table.run(joins, seconds=120)
    return any(VICTIM in event.lost for event in table.of(OTHER, ViewChanged))


def test_a_chain_of_names_of_what_is_nowhere_keeps_nobody_from_asking_for_what_another_holds():
    """Messages that hang nowhere are asked about first; they take no more than their author's
    share of the questions."""
    table = begun(3, seed=b"starve")
    level(table)
    table.silent.add(CHEAT)
    leave(table, to=(VICTIM, OTHER))
    table.run(lambda t: all(t.replicas[p].begun for p in (VICTIM, OTHER)), seconds=60)
    for each in chain(table):
        bring(table, "move", each.plain(), (VICTIM,))
    assert not table.replicas[VICTIM].convicted
    assert len(table.replicas[VICTIM].line.lacking()[0]) >= LONG
    assert not seat_is_lost(table)


def test_a_chain_of_names_of_what_is_nowhere_keeps_nobody_from_the_end():
    """The liar's final names evidence that one of two holds: the other has to ask for it."""
    table = unsigned(3, (CHEAT,), b"nowhere")
    for each in chain(table):
        bring(table, "move", each.plain(), (VICTIM,))
    line = table.replicas[OTHER].transcript
    here = line.past, line.state
    junk = say(table, PhaseMessage(CHEAT, line.number, 110, *here, ()), (OTHER,))
    say(table, PhaseMessage(CHEAT, line.number, 0, *here, (junk.key,)), (VICTIM, OTHER))
    table.run(lambda t: t.replicas[VICTIM].over, seconds=60)
    assert table.replicas[OTHER].over
    assert table.replicas[VICTIM].over
