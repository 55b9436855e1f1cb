"""Lies on lines that were left, floods and ends: who convicts, what records and watchers have."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay_protocol.replica import spectator
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.ended_game import EndedGame
from lanplay_protocol.replica.events import AnswerNeeded, ViewChanged
from lanplay_protocol.replica.evidence import SPARE
from lanplay_protocol.replica.messages import (
    BODY,
    MOVE,
    Past,
    PhaseMessage,
    parse_past,
    parse_position,
    read,
    refs,
    sign,
)
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.spectator import Spectator, answer
from lanplay_protocol.replica.status import Change
from lanplay_protocol.wire import decode
from tests.byzantine.stand_ins import installed
from tests.replica.harness import GAME, identity
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level, status
from tests.replica.test_false_ends import unsigned

LIAR, VICTIM, OTHERS, HONEST = 4, 0, (1, 2, 3), (0, 1, 2, 3)


def harmless(table, number, liar=LIAR):
    """A message of a liar's that convicts nobody: of a view that never was."""
    replica = table.replicas[VICTIM]
    true = read(next(iter(replica.transcript.moves[number].values())))
    said = PhaseMessage(liar, number, 9, true.past, true.state, ())
    return sign(said, identity(liar), replica.context.game_id)


def tells_another_state(table, line):
    """Let the liar sign another public state than there is, for the victim alone."""
    game = table.replicas[VICTIM].context.game_id
    lie = PhaseMessage(LIAR, line.number, 1, line.past, bytes(32), ())
    bring(table, "move", sign(lie, identity(LIAR), game).plain(), (VICTIM,), LIAR)


def view_of_one(due=True, until=None, named=False, lies=tells_another_state, silent=False):
    """A table at which a liar begins a view of all with one honest peer alone, loses that one its
    links, and lies to it there: nobody else has held what the view hangs on, and they go on without
    both."""
    table = begun(5, seed=b"beyond0", settings=TableSettings(grace=5))
    everybody = tuple(range(5))

    def waits(table):
        """All wait for the same answers of people, and nothing is on its way."""
        phase = table.replicas[0].transcript.phase
        missing = {r.transcript.missing for r in table.replicas}
        thinks = phase is not None and not phase.prompt and len(missing) == 1
        return thinks and (LIAR in missing.pop()) == due

    level(table, waits)
    table.silent.add(LIAR)
    beside = [harmless(table, 10)] if named else []
    keys = tuple(each.key for each in beside)
    line = table.replicas[0].transcript
    before = next(past for past, at in line.line.items() if at == (line.number - 2, 0))
    nothing = Past(MOVE, before)  # a phase in which nobody said anything
    there = {"past": Past(MOVE, nothing.hash)} if silent else {}
    joined = status(table, 1, everybody, LIAR, LIAR, evidence=keys, **there)
    bring(table, "status", joined.plain(), (VICTIM,), LIAR)
    bring(table, "past", nothing.plain(), (VICTIM,), LIAR)
    for each in beside:
        bring(table, MOVE, each.plain(), (VICTIM,), LIAR)
    later, table.shuffle_order = [], False
    while table.queue and not table.replicas[VICTIM].transcript.view:
        sender, to, item = table.queue[0]
        kind, (author, *_) = decode(item) if isinstance(item, bytes) else ("", (LIAR,))
        if kind == "status" and LIAR not in (author, sender, to):
            table._deliver()
        else:
            later.append(table.queue.popleft())
    line = table.replicas[VICTIM].transcript
    assert line.view == 1
    assert not any(table.replicas[p].transcript.view for p in OTHERS)
    table.queue.extend(each for each in later if LIAR not in each[:2])
    table.disconnect(*((VICTIM, p) for p in OTHERS))
    lies(table, line)
    assert set(table.replicas[VICTIM].convicted) == {LIAR}
    table.shuffle_order = True
    number = line.number
    table.run(lambda t: all(t.replicas[p].transcript.number > number + 3 for p in OTHERS), 200)
    assert all(set(table.replicas[p].transcript.members) == set(OTHERS) for p in OTHERS)
    table.connect(*((VICTIM, p) for p in OTHERS))
    known = until or (lambda t: all(set(t.replicas[p].convicted) == {LIAR} for p in HONEST))
    table.run(known, seconds=60)
    return table


def named(table, peers=HONEST):
    """Whom the records of some convict."""
    found = [check_record(GAME, record_of(table, p)).finding for p in peers]
    return [None if each is None else each.peer for each in found]


def test_a_record_names_who_lied_on_a_line_beyond_a_view():
    """All have convicted the liar, and the record has what leads there; ``verify`` names nobody."""
    table = view_of_one()
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    assert named(table) == [LIAR] * 4


@pytest.mark.parametrize("silent", [False, True])
def test_a_record_that_lacks_what_leads_to_a_lie_is_altered(silent):
    """The lie itself is there, as the finals name it; nobody can tell where it was said."""
    table = view_of_one(silent=silent)
    table.run(lambda t: all(t.replicas[p].over for p in HONEST), seconds=3000)
    record = record_of(table)
    assert check_record(GAME, record).finding.peer == LIAR
    evidence = [each for each in record.extra["evidence"] if each[0] == MOVE]
    for name, kept in (("evidence", tuple(evidence)), ("pasts", ())):
        extra = {**record.extra, name: kept}
        finding = check_record(GAME, replace(record, extra=extra)).finding
        assert finding is not None
        assert finding.peer in (None, LIAR)


@pytest.mark.parametrize("hides", [0, 1, 70])
def test_a_lie_beyond_a_place_that_no_statement_leads_to_convicts_for_all(hides):
    """The liar's status in the view of its lie stands on a phase in which nobody said anything: it
    is asked for by its hash. A record and a watcher ask nobody, nor did those who asked for what
    newer messages of the liar's name, which hang nowhere."""

    def lies(table, line):
        tells_another_state(table, line)
        for view in range(9, 9 + hides):
            nowhere = Past(MOVE, bytes([view] * 32))
            odd = PhaseMessage(LIAR, line.number - 1, view, nowhere, bytes(32), ())
            odd = sign(odd, identity(LIAR), table.replicas[VICTIM].context.game_id)
            bring(table, MOVE, odd.plain(), OTHERS, LIAR)

    table = view_of_one(lies=lies, silent=True)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    assert named(table) == [LIAR] * 4
    assert set(watched(table, 1)._verdicts.convicted) == {LIAR}


def test_what_all_odd_messages_of_an_author_hang_on_is_asked_for():
    """The newest first: a newer one that hangs nowhere hides no older one."""
    table = begun(5, seed=b"beyond0", settings=TableSettings(grace=5))
    level(table)
    line, game = table.replicas[VICTIM].transcript, table.replicas[VICTIM].context.game_id
    unknown = [bytes([view] * 32) for view in range(9, 12)]
    for view, before in enumerate(unknown, 9):
        odd = PhaseMessage(LIAR, line.number - 1, view, Past(MOVE, before), bytes(32), ())
        bring(table, MOVE, sign(odd, identity(LIAR), game).plain(), (VICTIM,), LIAR)
    assert table.replicas[VICTIM].line.lacking()[1] == unknown[::-1]


def test_all_convict_for_another_state_on_a_line_that_was_left():
    """Where nothing was due of its author: who was on that line has convicted it."""
    table = view_of_one(due=False)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4


def thinking(table):
    """Let everybody think from now on: time passes."""
    handle = table.handle

    def handled(peer, output):
        handle(peer, output)
        table.queue = deque(each for each in table.queue if not isinstance(each[2], AnswerNeeded))

    table.handle = handled


@pytest.mark.parametrize("over", [False, True])
def test_what_leads_to_a_lie_is_asked_for_before_time_passes(over):
    """A whole game of AI may end within a second of the return of who has the proof."""
    with installed():
        table = view_of_one(False, lambda t: True, named=True)
        for p in OTHERS if over else ():
            table.replicas[p].status.on(Change.ENDED)
        thinking(table)
        table.queue = deque(e for e in table.queue if not isinstance(e[2], AnswerNeeded))
        begins = table.now
        table.run(lambda t: not t.queue)
    assert table.now == begins
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4


def view_that_names():
    """A table at which the view of a lie hangs on a message that counts nowhere, which all get."""
    table = view_of_one(True, lambda t: VICTIM in t.replicas[1].transcript.members, named=True)
    thinking(table)
    table.run(seconds=60)
    return table


@pytest.mark.longer_games
def test_what_the_statuses_of_a_line_that_was_left_name_comes_late():
    """Whoever holds the statuses, but not yet what one of them names, tries to go there in vain,
    and never again."""
    table = view_that_names()
    key = harmless(table, 10).key
    assert not any(table.replicas[p].over for p in HONEST)
    assert all(table.replicas[p].line.statements.holds(key) for p in HONEST)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4


@pytest.mark.longer_games
def test_records_and_watchers_have_what_the_view_of_a_lie_names():
    """All at the table have asked for it; whoever has their record, or watches late, cannot."""
    table = view_that_names()
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    assert named(table) == [LIAR] * 4
    assert set(watched(table, 1)._verdicts.convicted) == {LIAR}


def test_who_convicts_for_another_state_on_its_own_line_keeps_its_seat():
    """Its author asks back: who alone has convicted it joins no view of both, and is left out,
    though all links are there."""
    table = view_of_one(False, lambda t: VICTIM in t.replicas[1].transcript.members)
    before = len(table.of(1, ViewChanged))
    table.silent.clear()
    table.disconnect(*table.pairs(LIAR))
    table.connect(*table.pairs(LIAR))
    table.run(seconds=20)
    assert table.down == set()
    lost = [each.lost for each in table.of(1, ViewChanged)[before:]]
    assert not any(VICTIM in each for each in lost)


def test_a_record_names_who_signed_another_state_where_nothing_was_due():
    """All convict it while they play."""
    table = begun(5, seed=b"beyond0", settings=TableSettings(grace=5))
    level(table, lambda t: LIAR not in t.replicas[0].transcript.phase.needs)
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    lie = PhaseMessage(LIAR, line.number, 0, line.past, bytes(32), ())
    bring(table, "move", sign(lie, identity(LIAR), game).plain(), HONEST, LIAR)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    number = line.number
    table.run(lambda t: all(t.replicas[p].transcript.number > number + 3 for p in HONEST), 100)
    assert named(table) == [LIAR] * 4


def watched(table, place, watcher=None):
    """Who comes to a peer of a table when all that there is has been said, and asks it."""
    watcher, peer = watcher or Spectator(GAME, table.roster), table.replicas[place]
    events = deque(watcher.linked(table.now))
    while events:
        event = events.popleft()
        if isinstance(event, Envelope):
            for body in answer(peer, parse_position(decode(event.body)[1])):
                events += watcher.receive(body, table.now)
    return watcher


@pytest.mark.parametrize("silent", [False, True])
def test_who_was_restarted_keeps_what_leads_to_a_lie(silent):
    """Its journal has the lie alone: its record, and whoever asks it, cannot follow there. Where
    the way leads over a phase in which nobody said anything, no statement shows it."""
    table = view_of_one(silent=silent)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    before = {plain[:3] for _, plain in record_of(table, 1).extra["evidence"]}
    table.kill(1)
    table.restart(1)
    assert set(table.replicas[1].convicted) == {LIAR}
    after = {plain[:3] for _, plain in record_of(table, 1).extra["evidence"]}
    assert after == before
    assert named(table, (1,)) == [LIAR]


def test_who_watches_late_convicts_for_a_lie_on_a_line_that_was_left(monkeypatch):
    """It is shown the lie, and nothing that leads there. It is level with its peer after a whole
    chunk of phases, and asks no more."""
    table = view_of_one()
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    monkeypatch.setattr(spectator, "CHUNK", table.replicas[1].transcript.number)
    late = watched(table, 1)
    assert late.position == table.replicas[1].transcript.at
    assert set(late._verdicts.convicted) == {LIAR}


def begin_view(table, attempt, liar, honest, **changes):
    """Let a liar's status begin a view of all; what is said otherwise comes after."""
    joined = status(table, attempt, range(len(table.replicas)), liar, liar, **changes)
    bring(table, "status", joined.plain(), honest, liar)
    later, table.shuffle_order = [], False
    while table.queue and not all(table.replicas[p].transcript.view == attempt for p in honest):
        item = table.queue[0][2]
        kind, payload = decode(item) if isinstance(item, bytes) else ("", ())
        if kind in ("status", "want", "past") or (kind == MOVE and payload[2] < attempt):
            table._deliver()
        else:
            later.append(table.queue.popleft())
    table.queue.extend(later)
    table.shuffle_order = True
    assert [table.replicas[p].transcript.view for p in honest] == [attempt] * len(honest)


@pytest.mark.longer_games
def test_a_record_leads_over_silent_phases_after_a_status_from_further_on():
    """A liar stands, in a view before, one phase further than where the next one begins."""
    table = begun(5, seed=b"further", settings=TableSettings(grace=5))
    level(table, lambda t: LIAR in t.replicas[LIAR].transcript.missing)
    table.silent.add(LIAR)
    table.queue = deque(each for each in table.queue if LIAR not in each[:2])
    line = table.replicas[0].transcript
    number, past = line.number, line.past
    begin_view(table, 1, LIAR, HONEST)
    beyond = Past(MOVE, past.hash, ())
    begin_view(table, 2, LIAR, HONEST, at=(0, number + 1), past=beyond, held=())
    assert table.replicas[0].transcript.number == number
    table.kill(LIAR)
    table.run(lambda t: t.replicas[0].transcript.number > number + 9, seconds=200)
    line = table.replicas[0].transcript
    assert line.number > number + 9
    game = EndedGame(record_of(table).extra)
    lacking = []
    passed = [each for each in line.followed.values() if each.hash != line.past.hash]
    for past in [each for each in passed if line.line[each.hash][0] > 4]:
        said = [
            decode(body) for body in game.answer((99, 1 << 20, bytes(32), (), (past.hash,), ()))
        ]
        shown = {parse_past(payload).hash for kind, payload in said if kind == "past"}
        lacking += [] if past.hash in shown else [line.line[past.hash]]
    assert lacking == []


def flood(table, liar=LIAR):
    """More of the liar's than is kept beside what counts; none of it convicts anybody."""
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    bodies = []
    for number in range(10, line.number):
        true = read(next(iter(line.moves[number].values()))) if line.moves[number] else None
        if true is not None and len(bodies) < 20:
            long = PhaseMessage(liar, number, 9, true.past, true.state, bytes(BODY - 4096))
            bodies.append(sign(long, identity(liar), game))
    assert sum(len(each.body) for each in bodies) > SPARE
    return bodies


def test_whoever_is_flooded_alone_keeps_its_seat():
    """It takes nothing more of its author; the others go on with what that says to all."""
    table = begun(5, seed=b"flood", settings=TableSettings(grace=5))
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 80, seconds=600)
    level(table)
    for each in flood(table):
        bring(table, MOVE, each.plain(), (VICTIM,), LIAR)
    table.run(lambda t: t.is_over(), seconds=300)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [set()] * 4
    lost = {each for e in table.of(1, ViewChanged) for each in e.lost}
    assert VICTIM not in lost


def test_whoever_is_flooded_by_the_only_other_one_goes_on_with_what_is_due():
    """Nobody else is there who would name it."""
    table, liar = begun(2, seed=b"flood", settings=TableSettings(grace=5)), 1
    table.run(lambda t: t.replicas[VICTIM].transcript.number > 50, seconds=600)
    level(table)
    for each in flood(table, liar):
        bring(table, MOVE, each.plain(), (VICTIM,), liar)
    table.run(lambda t: t.is_over(), seconds=60)
    assert table.replicas[VICTIM].over


def test_what_a_liar_names_of_its_own_alters_no_record():
    """It names more of its own, of phases long ago, than is kept of one author: who reads the
    record has it before what counts."""
    table = begun(5, seed=b"flood", settings=TableSettings(grace=5))
    level(table)
    table.silent.add(LIAR)
    line, bodies = table.replicas[0].transcript, flood(table)
    keys = tuple(sorted(each.key for each in bodies))
    joined = status(table, 1, range(5), LIAR, LIAR, evidence=keys)
    bring(table, "status", joined.plain(), HONEST, LIAR)
    for each in bodies:
        bring(table, MOVE, each.plain(), HONEST, LIAR)
    table.run(lambda t: all(t.replicas[p].transcript.view == 1 for p in HONEST), seconds=60)
    number = line.number
    table.run(lambda t: all(t.replicas[p].transcript.number > number + 9 for p in HONEST), 200)
    assert table.replicas[0].transcript.views[0].number == 1
    found = [check_record(GAME, record_of(table, p)).finding for p in HONEST]
    assert [set(table.replicas[p].convicted) for p in HONEST] == [set()] * 4
    assert found == [None] * 4


def test_who_watches_when_all_is_over_convicts_whom_the_table_convicts():
    """The liar was out when it lied, so that no view names the proof: it is shown after the end,
    when nothing is judged any more."""
    table = begun(5, seed=b"out", settings=TableSettings(grace=5))
    level(table)
    table.kill(LIAR)
    table.run(lambda t: LIAR not in t.replicas[0].transcript.members, seconds=60)
    table.run(lambda t: t.replicas[0].transcript.number > 100, seconds=100)
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    lie = PhaseMessage(LIAR, line.number, 0, line.past, bytes(32), ())
    bring(table, "move", sign(lie, identity(LIAR), game).plain(), HONEST, LIAR)
    table.run(lambda t: all(t.replicas[p].over for p in HONEST), seconds=2000)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    late = watched(table, 1)
    assert late.over
    assert set(late._verdicts.convicted) == {LIAR}


@pytest.mark.longer_games
def test_a_status_that_names_what_counts_alters_no_record():
    """As evidence it names an honest message that counts: the record has that among the moves."""
    table = begun(5, seed=b"counts", settings=TableSettings(grace=5))
    level(table, lambda t: LIAR in t.replicas[LIAR].transcript.missing)
    table.silent.add(LIAR)
    table.queue = deque(each for each in table.queue if LIAR not in each[:2])
    line = table.replicas[0].transcript
    begin_view(table, 1, LIAR, HONEST, evidence=(line.moves[10][1].key,))
    table.kill(LIAR)
    number = line.number
    table.run(lambda t: all(t.replicas[p].transcript.number > number + 5 for p in HONEST), 200)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [set()] * 4
    found = [check_record(GAME, record_of(table, p)).finding for p in HONEST]
    assert [None if each is None else each.text for each in found] == [None] * 4


def test_whoever_is_shown_the_end_has_what_the_finals_name():
    """A liar's final names what one honest peer has not got: that is shown the end first, has
    ended with it, and its record lacks what was signed."""
    cheat, late = 3, 2
    table = unsigned(4, (cheat,), b"shown")
    replica = table.replicas[0]
    line, game = replica.transcript, replica.context.game_id
    true = read(line.moves[10][min(line.moves[10])])
    beside = PhaseMessage(cheat, 10, 9, true.past, true.state, ())
    beside = sign(beside, identity(cheat), game)
    for peer in (0, 1):
        bring(table, MOVE, beside.plain(), (peer,), cheat)
    final = PhaseMessage(cheat, line.number, 0, line.past, line.state, (beside.key,))
    final = sign(final, identity(cheat), game)
    end = Past(MOVE, line.past.hash, refs([*(line.moves[-1][p] for p in (0, 1, late)), final]))
    bring(table, MOVE, final.plain(), (0, 1, late), cheat)
    bring(table, "end", end.plain(), (late,), cheat)
    table.run(lambda t: t.replicas[late].over, seconds=20)
    assert table.replicas[late].over
    reports = [check_record(load("charidice"), record_of(table, p)) for p in (0, 1, late)]
    assert [None if r.finding is None else r.finding.text for r in reports] == [None] * 3
