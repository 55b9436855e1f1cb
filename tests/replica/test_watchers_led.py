"""Who watches comes to the end of the table, whatever liars show it, or a peer gone astray."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import pairwise

import pytest

from lanplay.games import load
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import line, spectator
from lanplay_protocol.replica.allowance import NAMED
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import Accused, PhaseCompleted, ViewChanged
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import (
    COMPLAINT,
    MOVE,
    Past,
    PhaseMessage,
    StatusMessage,
    complain,
    read,
    refs,
    sign,
)
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.spectator import NUDGE, VAIN, Spectator
from lanplay_protocol.replica.start import accept, certified
from lanplay_protocol.replica.verdicts import MOST
from lanplay_protocol.wire import decode, encode
from tests.byzantine.draws import Draws
from tests.byzantine.run import ROUND, liars_of
from tests.byzantine.run import begun as begun_world
from tests.byzantine.stand_ins import installed
from tests.byzantine.witnesses import watched as faults_watched
from tests.replica.harness import GAME, identity, received, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, join, leave, level, status
from tests.replica.test_false_ends import say
from tests.replica.test_kept_for_others import complaints
from tests.replica.test_led_astray import deliver
from tests.replica.test_lines_apart import comes_out
from tests.replica.test_lines_left import LIAR as FIFTH
from tests.replica.test_lines_left import VICTIM, harmless, view_of_one, watched
from tests.replica.test_offers import offer, other
from tests.replica.test_spectator import Watched, record_of, table_of
from tests.replica.test_two_lines import two_faced

OTHER, LIAR, SILENT, FIRST, DECEIVER, CHEAT = 1, 2, 4, 0, 2, 1
CHARIDICE = load("charidice")


@pytest.mark.parametrize("again", [False, True])
def test_who_watches_follows_over_a_view_whatever_its_statuses_say_they_hold(again):
    """A liar's names a message that never counted: the table has asked for it, who watches does
    not. Who is started again still has it."""
    table = begun(5, seed=b"watch")
    level(table)
    line, honest = table.replicas[0].transcript, (0, 1, 2, 3)
    beside = harmless(table, 10)
    bring(table, MOVE, beside.plain(), honest, FIFTH)
    table.silent.add(FIFTH)
    held = (beside.ref, *(each.ref for each in line.brought if each.sender == FIFTH))
    join(table, 1, range(5), honest, FIFTH, held=held)
    table.run(lambda t: all(t.replicas[p].begun for p in honest), seconds=5)
    assert not any(table.replicas[p].convicted for p in honest)
    if again:
        table.kill(0)
        table.restart(0)
    deliver(table)
    assert table.replicas[0].transcript.view == 1
    assert watched(table, 0).position == table.replicas[0].transcript.at


@pytest.mark.parametrize("anew", [False, True])
def test_what_came_out_on_a_line_that_was_left_convicts_nobody_for_who_watches(anew):
    """It goes back with its peer, or follows the game anew."""
    seen = []

    def comes_out_too(table, line):
        comes_out(table, line)
        seen.append(watched(table, VICTIM))
        seen[0].context.late_violations[FIFTH] = line.context.late_violations[FIFTH]
        watched(table, VICTIM, *seen)
        assert set(seen[0]._verdicts.convicted) == {FIFTH}

    table = view_of_one(
        True, lambda t: VICTIM in t.replicas[1].transcript.members, lies=comes_out_too
    )
    if anew:
        seen[0]._begin()
    watched(table, VICTIM, *seen)
    assert seen[0].position == table.replicas[VICTIM].transcript.at
    assert not seen[0]._verdicts.convicted


def test_who_watches_is_shown_no_past_with_false_names_under_a_true_hash():
    """Of the liar's second body, on which one peer alone had gone on before it was lost: whoever
    follows that line back would find that this peer has named what nobody signed."""
    table = table_of(3, seed=b"forged")

    def parts(t):
        line = t.replicas[VICTIM].transcript
        return OTHER in line.missing and LIAR in line.moves[-2]

    level(table, parts)
    table.kill(OTHER)
    table.run(lambda t: t.replicas[VICTIM].begun, seconds=60)
    line, game = table.replicas[VICTIM].transcript, table.replicas[VICTIM].context.game_id
    number = line.views[0].phase
    assert (LIAR in line.moves[number - 1], OTHER in line.moves[number]) == (True, False)
    table.run(lambda t: t.replicas[VICTIM].transcript.number > number + 3, seconds=60)
    table.watch(peer=LIAR)
    table.catch_up()
    line = table.replicas[VICTIM].transcript
    true = read(line.moves[number - 1][LIAR])
    lie = sign(replace(true, parts=("other",)), identity(LIAR), game)
    led = {**line.moves[number - 1], LIAR: lie}
    there = Past(MOVE, true.previous, refs(led.values()))

    def said(author, phase, past):
        move = PhaseMessage(author, phase, 0, past, line.state_at(number), ())
        return sign(move, identity(author), game)

    names = tuple(replace(ref, signature=bytes(64)) for ref in there.refs)
    further = Past(MOVE, there.hash, refs([said(LIAR, number, there)]))
    asked = (MOVE, said(LIAR, number + 1, further).plain())
    forged = ("past", Past(MOVE, there.before, names).plain())
    for each in (asked, forged, (MOVE, said(OTHER, number, there).plain())):
        table.spectator.receive(encode(each), table.now)
    assert table.spectator._verdicts.convicted.keys() == {LIAR}


@pytest.mark.longer_games
def test_who_watches_is_told_of_both_views_that_have_one_number():
    """Two liars have begun one with each of two halves, and shown the other one first."""
    table = table_of(5, seed=b"number")
    level(table)
    table.watch(peer=VICTIM)
    table.catch_up()
    table.kill(VICTIM)
    table.kill(SILENT)
    table.run(lambda t: t.replicas[OTHER].begun, seconds=60)
    number = table.replicas[OTHER].begun[0].number
    halves = (VICTIM, LIAR, SILENT)
    first = [status(table, number, halves, peer, peer).plain() for peer in halves]
    table.show(table.spectator.receive(encode(("view", tuple(first))), table.now))
    table.watch(peer=OTHER)
    table.catch_up()
    lost = [event.lost for event in table.seen_of(ViewChanged)]
    assert lost[:2] == [(1, 3), table.of(OTHER, ViewChanged)[0].lost]


def test_who_watches_follows_its_peer_back_from_a_view_to_the_end():
    """A liar is convicted at the end, and gives its final to one, which has ended by it: the other
    one has begun the view without the liar, alone, and ends with what it is shown, below."""
    table = Watched(roster(3, game=CHARIDICE), seed=b"back")
    table.tampers[LIAR] = lambda t, to, move: (
        [] if isinstance(t.replicas[LIAR].phases[move.phase], Final) else None
    )
    table.start()
    honest = [table.replicas[p] for p in (FIRST, OTHER)]
    table.run(lambda t: all(isinstance(r.transcript.phase, Final) for r in honest), 3000)
    table.spectator = Spectator(CHARIDICE, table.roster)
    table.watch(peer=OTHER)
    deliver(table)
    table.silent.add(LIAR)
    line, game = honest[0].transcript, honest[0].context.game_id
    true = PhaseMessage(LIAR, line.number, 0, line.past, line.state, ())
    beyond = replace(true, phase=line.number + 1)
    for said in (beyond, replace(beyond, state=bytes(32))):
        bring(table, MOVE, sign(said, identity(LIAR), game).plain(), (FIRST, OTHER), LIAR)
    assert [set(r.convicted) for r in honest] == [{LIAR}] * 2
    for each in [each for each in table.queue if each[1] == OTHER]:
        table.queue.remove(each)
        table.step(OTHER, received(each[0], each[2]))
    table.deliver()
    assert table.spectator.position == (1, line.number)
    bring(table, MOVE, sign(true, identity(LIAR), game).plain(), (FIRST,), LIAR)
    assert honest[0].over
    table.run(lambda t: t.is_over(), seconds=30)
    assert honest[1].over
    assert table.ended_alike()
    assert check_record(CHARIDICE, record_of(table)).ended


def led_astray():
    """A table whose liar has shown whoever watches at it another commitment than the others."""
    table = table_of(3, seed=b"astray")

    def committed(t):
        line = t.replicas[DECEIVER].transcript
        known = line.moves[-1].get(DECEIVER)
        return line.number > 40 and isinstance(line.phase, CommitPhase) and known

    table.run(committed, seconds=600)
    replica = table.replicas[DECEIVER]
    number = replica.transcript.number
    true = read(replica.transcript.moves[-1][DECEIVER])
    (_, sealed), *rest = true.parts
    lie = replace(true, parts=((bytes(32), sealed), *rest))
    lie = encode((MOVE, sign(lie, identity(DECEIVER), replica.context.game_id).plain()))
    table.watch(peer=DECEIVER)

    def shown(body):
        kind, payload = decode(body)
        return kind != MOVE or payload[:2] != (DECEIVER, number)

    deliver = table.deliver

    def delivered():
        table.waiting = [body if shown(body) else lie for body in table.waiting]
        deliver()

    table.deliver = delivered
    table.run(lambda t: t.replicas[0].transcript.number > number + 2, seconds=60)
    assert table.spectator.transcript.moves[number][DECEIVER].digest != (
        table.replicas[0].transcript.moves[number][DECEIVER].digest
    )
    table.deliver = deliver
    return table


def test_who_watched_at_a_liar_is_brought_on_by_the_next_peer():
    """It had been led onto a line of its own; the honest peer that it asks next, and would never
    ask again once it had left that, shows it the game."""
    table = led_astray()
    table.watch(peer=0)
    table.catch_up()
    assert table.stands_alike()
    assert {event.peer for event in table.seen_of(Accused)} == {DECEIVER}


def test_two_offers_of_another_table_hide_none_of_this_one_from_who_watches():
    """The liar shows those first to whoever comes to watch at it: two of one key are kept."""
    liar = identity(DECEIVER)
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    table = Watched(agreed, seed=b"offers")
    table.watch(peer=DECEIVER)
    twice = accept(offer(), liar), accept(other(), liar)
    elsewhere = accept(offer(table="e" * 32), liar), accept(other(table="e" * 32), liar)
    for both in (elsewhere, twice):
        told = encode(("offers", tuple(each.plain() for each in both)))
        table.spectator.receive(told, table.now)
    found = check_record(GAME, record_of(table)).finding
    assert found is not None
    assert (found.peer, found.key) == (DECEIVER, liar.public)


def test_what_a_liars_status_names_is_kept_by_who_watched_at_the_liar_first():
    table = table_of(3, seed=b"spent watch")
    level(table)
    table.silent.add(LIAR)
    *made, last = complaints(table, NAMED + 2, phase=SETUP)  # who watches will be near that
    line, game = table.replicas[OTHER].transcript, table.replicas[OTHER].context.game_id
    for peer in (VICTIM, OTHER):
        bring(table, COMPLAINT, last.plain(), (peer,), LIAR)
    own = [each for each in table.replicas[LIAR].transcript.brought if each.sender == LIAR]
    rest = refs(own), False, (last.key,)
    say(table, StatusMessage(LIAR, 9, (0, 1, 2), line.at, line.past, *rest), (VICTIM, OTHER))
    table.run(lambda t: t.replicas[OTHER].transcript.view >= 9, seconds=5)
    table.watch(peer=LIAR)
    table.waiting.clear()
    told = [(MOVE, each.plain()) for by in table.replicas[LIAR].moves[:3] for each in by.values()]
    for attempt in (1, 2, 3):
        keys = tuple(sorted(each.key for each in made[(attempt - 1) * 32 : attempt * 32]))
        beside = Past(MOVE, bytes(32), ())
        word = StatusMessage(LIAR, 20 + attempt, (1, 2), line.at, beside, (), False, keys)
        told.append(("status", sign(word, identity(LIAR), game).plain()))
    told += [(COMPLAINT, each.plain()) for each in made]
    for each in told:
        table.spectator.receive(encode(each), table.now)
    assert len(table.spectator.line.statements.complaints) == NAMED + 1
    assert 9 in {view.number for view in table.replicas[OTHER].begun}
    table.kill(LIAR)
    number = line.number
    table.run(lambda t: t.replicas[OTHER].transcript.number > number + 3, seconds=300)
    assert table.replicas[OTHER].transcript.number > number + 3
    table.watch(peer=OTHER)
    table.catch_up()
    assert not any(r.convicted for r in table.replicas)
    assert table.stands_alike()


@pytest.mark.parametrize("strangers", [MOST - 1, 2 * MOST])
def test_two_offers_of_strangers_hide_none_of_whoever_sits_at_the_table(strangers):
    """The liar makes up keys that have signed two offers of this table, and shows those first."""
    liar = identity(LIAR)
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    table = Watched(agreed, seed=b"offers")
    table.watch(peer=LIAR)
    made_up = [identity(100 + n) for n in range(strangers)]
    for who in (*made_up, liar):
        both = accept(offer(), who), accept(other(), who)
        told = encode(("offers", tuple(each.plain() for each in both)))
        table.spectator.receive(told, table.now)
    assert liar.public in table.spectator._verdicts.offers
    assert len(table.spectator._verdicts.offers) <= MOST


@pytest.mark.parametrize("place", [(25, 107, 0), (30, 11, 0), (30, 16, 0)])
def test_who_watches_late_follows_over_a_view_of_lines_that_had_parted(place):
    """Members of the view had stood on another line: what they name there counts for nobody, and
    no message of the line that went on shows it."""
    number, steps, _ = place
    world = begun_world(number)
    if number // ROUND % 2:
        world.lose(number % len(world.actors))
    for _ in range(steps):
        world.turn()
    world.schedule(Draws(b"%d %d %d" % place), liars_of(number, len(world.actors)))
    assert world.faults == []
    peer = world.honest[0].replica
    assert [*faults_watched(peer, world.now)] == []


def test_a_complaint_that_came_before_the_game_was_followed_anew_is_judged():
    """It was told that first by one who showed nothing else, and left it for another."""
    with installed():
        table = table_of(2, seed=b"held")
        table.run(lambda t: t.replicas[0].transcript.number > 30, seconds=300)
        true = table.replicas[0].moves[10][0]
        false = complain(CHEAT, true, b"", identity(CHEAT), table.roster)
        table.watch(peer=CHEAT)
        table.waiting.clear()
        spectator = table.spectator
        spectator.receive(encode(("complaint", false.plain())), table.now)
        with pytest.raises(PeerError, match="cannot be verified"):
            for _ in range(VAIN + 2):
                table.now += NUDGE
                spectator.tick(table.now)
        bring(table, "complaint", false.plain(), (0,), CHEAT)
        assert set(table.replicas[0].convicted) == {CHEAT}
        table.watch(peer=0)
        table.catch_up()
        assert table.stands_alike()
        assert {event.peer for event in table.seen_of(Accused)} == {CHEAT}


@pytest.mark.parametrize("seed", [3, 16, 30])
def test_who_watches_is_told_no_phase_that_its_peer_never_had(seed):
    """Its peer is the one that got the liar's odd body. What others go on with names the true one:
    the odd one counts for neither of the two from then on."""
    with installed():
        settings = TableSettings(grace=10)
        table = Watched(roster(4, settings=settings), seed=b"w%d" % seed)
        table.start()
        two_faced(table, {0}, 12)
        table.watch(0)
        peer = table.replicas[0]
        table.run(lambda t: peer.convicted and peer.transcript.number > 60)
    assert set(peer.convicted) == {DECEIVER}
    told = [(e.phase, e.transcript) for e in table.seen if isinstance(e, PhaseCompleted)]
    assert set(told) <= {(phase, past) for phase, past, _ in table.trace(0)}
    assert len(told) > 60


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("comes", ["in turn", "proofs first", "late"])
def test_what_a_view_has_carried_counts_for_who_watches_though_its_author_is_convicted(
    comes, before
):
    """A liar says its message of a phase, leaves, and lies: after the view without it has begun, or
    ``before``, when the statuses that name the message are signed."""
    table, honest = table_of(4, seed=b"carried"), (VICTIM, OTHER, 3)

    def thinks(t):
        line = t.replicas[OTHER].transcript
        return t.replicas[OTHER]._questions() and LIAR in line.phase.owing

    level(table, thinks)
    asked = [each for each in table.queue if each[:2] == (OTHER, OTHER)]
    table.queue = deque(each for each in table.queue if each not in asked)
    line, game = table.replicas[VICTIM].transcript, table.replicas[VICTIM].context.game_id
    number, told = line.number, table.deliver
    if comes != "late":
        table.watch(peer=VICTIM)
    table.run(seconds=1)
    table.deliver = lambda: None
    assert (line.number, line.missing) == (number, {OTHER})
    leave(table, author=LIAR, to=honest)
    table.silent.add(LIAR)
    lie = sign(PhaseMessage(LIAR, number, 0, line.past, bytes(32), ()), identity(LIAR), game)
    if not before:
        deliver(table)
    bring(table, MOVE, lie.plain(), honest, LIAR)
    assert (LIAR in line.moves[number]) is not before
    deliver(table)
    assert line.view == 1
    assert LIAR in line.moves[number]
    table.deliver = told
    if comes == "late":
        table.watch(peer=VICTIM)
    elif comes == "proofs first":
        table.waiting.reverse()
    table.deliver()
    assert {event.peer for event in table.seen_of(Accused)} == {LIAR}
    assert LIAR in table.spectator.transcript.moves[number]
    table.queue.extend(asked)
    table.run(lambda t: line.number > number + 5)
    assert table.stands_alike()


@pytest.mark.parametrize("late", [False, True])
def test_the_record_of_who_watches_holds_what_the_finals_name(late):
    """A liar's names a message that convicts nobody and counted nowhere: who came late was not
    shown it, and had a record from which it was left out."""
    table, shown = table_of(3, seed=b"names"), []
    level(table)
    beside = harmless(table, 10, LIAR)
    table.tampers[LIAR] = lambda t, to, move: (
        [replace(move, parts=(beside.key,))]
        if isinstance(t.replicas[LIAR].phases[move.phase], Final)
        else None
    )
    if not late:
        table.watch(peer=VICTIM)

    def over(t):
        if not shown and isinstance(t.replicas[VICTIM].transcript.phase, Final):
            shown.append(bring(t, MOVE, beside.plain(), (VICTIM, OTHER), LIAR))
        return t.is_over()

    table.run(over, seconds=3000)
    assert beside.key in table.replicas[VICTIM].transcript.finals[LIAR]
    if late:
        table.watch(peer=VICTIM)
    assert table.ended_alike()
    assert check_record(GAME, record_of(table)).finding is None


def test_of_a_cheat_known_before_the_game_is_followed_counts_what_others_have_gone_on_from(
    monkeypatch,
):
    """Its final counts, and convicts it: it names the past rightly, under false signatures. Who
    begins to watch reads it with all else, before an earlier view; and where nobody has to speak in
    a phase, no message shows what that goes on from."""
    table = table_of(5, seed=b"final")
    table.shuffle_order = False
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    table.kill(SILENT)
    table.run(lambda t: t.replicas[FIRST].begun)

    def lie(t, to, move):
        names = tuple(replace(ref, signature=bytes(64)) for ref in move.past.refs)
        final = isinstance(t.replicas[LIAR].phases[move.phase], Final)
        return [replace(move, past=replace(move.past, refs=names))] if final else None

    table.tampers[LIAR] = lie
    honest = [table.replicas[p] for p in (FIRST, OTHER, 3)]
    table.run(lambda _: all(replica.over for replica in honest), seconds=300)
    moves = honest[0].transcript.moves
    assert LIAR in moves[-2]
    for module, name in ((spectator, "CHUNK"), (line, "AHEAD")):
        monkeypatch.setattr(module, name, len(moves))  # however long it was, it is told at once
    assert any(LIAR in before and not by for before, by in pairwise(moves[:-1]))
    for replica in honest:
        assert set(replica.convicted) == {LIAR}
        assert list(faults_watched(replica, table.now)) == []
