"""A record is anybody's file: it is checked in time, however much of a liar stands in it."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay_protocol.replica.audit import Auditor, check_record
from lanplay_protocol.replica.denials import Denials
from lanplay_protocol.replica.evidence import Statement, Statements, between
from lanplay_protocol.replica.key_setup import UNNAMED
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import (
    MOVE,
    Past,
    PhaseMessage,
    StatusMessage,
    complain,
    sign,
)
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.fuzz import Drawn
from tests.byzantine.stand_ins import installed
from tests.replica.harness import Table, identity, roster
from tests.replica.test_audit import record_of

GAME, LIAR, MANY = load("charidice"), 2, 300
NOWHERE = Past(MOVE, b"n" * 32)


@pytest.fixture(scope="module")
def played():
    """A table whose game has ended, and its record."""
    with installed():
        table = Table(roster(3, game=GAME), seed=b"large")
        table.start()
        table.run(lambda t: t.is_over(), seconds=3000)
        yield table.replicas[0], record_of(table)


def statement(replica, said):
    return sign(said, identity(LIAR), replica.context.game_id)


def message(replica, number, past, phase=1000):
    return statement(replica, PhaseMessage(LIAR, phase + number, 0, past, bytes(32), ()))


def status(replica, number, past, phase=1 << 20):
    said = StatusMessage(LIAR, number + 1, (0, 1, 2), (0, phase + number), past, ())
    return statement(replica, said)


def chained(first, count):
    """Pasts of phases in which nobody said anything, each after the one before."""
    pasts = [first]
    while len(pasts) < count:
        pasts.append(Past(MOVE, pasts[-1].hash))
    return pasts


def a_line_that_begins_nowhere(replica, count):
    return [message(replica, n, past) for n, past in enumerate(chained(NOWHERE, count))]


def a_line_beside_this_one(replica, count):
    first = Past(MOVE, replica.transcript.bases[20])
    return [message(replica, n, past) for n, past in enumerate(chained(first, count))]


def messages_below_statuses(replica, count):
    halves = [(message(replica, n, NOWHERE), status(replica, n, NOWHERE)) for n in range(count)]
    return [each for both in halves for each in both]


def statuses_of_one_place(replica, count):
    return [status(replica, n, NOWHERE, -n) for n in range(count)]


def bodies(replica, count):
    """Messages of one slot."""
    said = (PhaseMessage(LIAR, 1 << 20, 0, NOWHERE, bytes(32), (n,)) for n in range(count))
    return [statement(replica, each) for each in said]


def statuses_and_bodies_of_one_place(replica, count):
    said = [StatusMessage(LIAR, n + 1, (0, 1, 2), (0, 1 << 20), NOWHERE, ()) for n in range(count)]
    return [*(statement(replica, each) for each in said), *bodies(replica, count)]


def calls(record):
    """Return how many functions are called as a record is checked."""
    found = [0]

    def count(frame, event, _):
        found[0] += event == "call"

    sys.setprofile(count)
    try:
        check_record(GAME, record)
    finally:
        sys.setprofile(None)
    return found[0]


def alike(record, made):
    """Tell whether twice as much as was made costs about twice as much to check."""
    few, some, many = (calls(made(count)) for count in (0, MANY, 2 * MANY))
    return many - few < 2.3 * (some - few)


@pytest.mark.parametrize(
    "signed",
    [
        a_line_that_begins_nowhere,
        a_line_beside_this_one,
        messages_below_statuses,
        statuses_of_one_place,
        statuses_and_bodies_of_one_place,
    ],
)
def test_each_statement_of_a_liar_costs_no_more_where_there_are_more(played, signed):
    replica, record = played

    def made(count):
        plain = tuple((each.kind, each.plain()) for each in signed(replica, count))
        return replace(record, extra={**record.extra, "evidence": plain})

    assert alike(record, made)


def test_who_names_a_further_body_of_a_slot_is_one_proof_however_many_are_held(played):
    """Others may have named all of them, so that they are kept."""
    replica, _ = played
    held = Statements(replica.roster, UNNAMED)
    held.game = replica.context.game_id
    *many, another = bodies(replica, 10)
    for each in many:
        held.add(each, lambda _: True)
    held.proven()
    named = StatusMessage(LIAR, 1, (0, 1, 2), (0, 1 << 20), NOWHERE, (another.ref,))
    held.add(statement(replica, named))
    (proof,) = held.proven()
    assert proof.peer == LIAR


def test_each_complaint_costs_no_more_where_there_are_more(played):
    replica, record = played

    def made(count):
        about = [message(replica, number, NOWHERE) for number in range(count)]
        heard = [complain(LIAR, each, b"", identity(LIAR), replica.roster) for each in about]
        return replace(
            record, extra={**record.extra, "complaints": tuple(c.plain() for c in heard)}
        )

    assert alike(record, made)


def test_phases_without_messages_after_the_end_are_passed_over(played, monkeypatch):
    _, record = played
    followed, phase = [], Auditor._phase
    monkeypatch.setattr(Auditor, "_phase", lambda *given: followed.append(1) or phase(*given))
    check_record(GAME, record)
    there = len(followed)
    more = (*record.extra["moves"], *((),) * 500)
    found = check_record(GAME, replace(record, extra={**record.extra, "moves": more}))
    assert (found.finding, found.ended) == (None, True)
    assert len(followed) == 2 * there


def drawn(replica, draws):
    """A few statements at few places, so that many of them contradict each other."""
    pasts = [NOWHERE, Past(MOVE, b"o" * 32)]
    said = []
    for number in range(1 + draws.below(7)):
        past, at = draws.pick(pasts), (draws.below(3), draws.below(3))
        if draws.below(2):
            said.append(PhaseMessage(LIAR, at[1], at[0], past, bytes(32), (number,)))
        else:
            named = (sign(said[0], identity(LIAR), b"g").ref,) if said and draws.below(2) else ()
            held = named if said and isinstance(said[0], PhaseMessage) else ()
            said.append(StatusMessage(LIAR, 1 + draws.below(4), (0, 1, 2), at, past, held))
    return [Statement(statement(replica, each), each) for each in said]


def test_whoever_contradicts_itself_is_found_beside_few_as_beside_all(played):
    """In whatever order its statements come."""
    replica, _ = played
    told = set()
    for number in range(4000):
        given = drawn(replica, Drawn(number))
        every = any(between(one, other) for one in given for other in given)
        held, few = Denials(), False
        for each in given:
            few = few or any(between(other, each) for other in held.of(each))
            held.add(each)
        assert every == few, (number, given)
        told.add(every)
    assert told == {True, False}


def left_out(goal):
    """A table whose first view has left two out, before that view, and those who owed nothing."""
    table = Table(roster(5, settings=TableSettings(grace=3)), seed=b"dupe")
    table.start()
    me = table.replicas[0]
    table.run(lambda t: me.transcript.number > goal, seconds=3000)
    table.disconnect(*table.pairs(3), *(p for p in table.pairs(4) if 3 not in p))
    table.run(lambda t: bool(me.transcript.views), seconds=60)
    view = me.transcript.views[0]
    there = me.line.other((view.phase, 0), [])[0].transcript
    return table, there, view.lost - there.phase.needs


def test_what_a_record_holds_many_times_is_gone_over_once(monkeypatch):
    """A message that came when its view had passed without its author costs to go over the line."""
    with installed():
        table, there, idle = next(each for each in map(left_out, range(28, 90)) if each[2])
        said = PhaseMessage(min(idle), there.number, 0, there.past, there.state, ())
        late = sign(said, identity(min(idle)), table.replicas[0].context.game_id)
        record, gone, other = record_of(table), [], GameLine.other
        monkeypatch.setattr(GameLine, "other", lambda *given: (gone.append(1), other(*given))[1])
        more = (*record.extra["evidence"], *((late.kind, late.plain()),) * 9)
        made = replace(record, extra={**record.extra, "evidence": more})
        assert check_record(load(table.roster.game), made).finding is None
    assert len(gone) == 1
