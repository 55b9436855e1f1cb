"""Liars begin two views where one goes on: who is in the other one goes to the end of the first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.ended_game import EndedGame
from lanplay_protocol.replica.evidence import guilty
from lanplay_protocol.replica.messages import (
    MOVE,
    STATUS,
    Past,
    PhaseMessage,
    StatusMessage,
    read,
    refs,
    sign,
)
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.stand_ins import installed
from tests.byzantine.witnesses import Watcher
from tests.replica.harness import GAME, Walker, identity
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level, status
from tests.replica.test_ended_game import alone, said, shown

HOST, LIAR, OUT = 0, 1, 2


def led_astray():
    """A table of three that has ended without one, to which a liar has shown another view."""
    table = begun(3, seed=b"two views", settings=TableSettings(grace=10))
    level(table)
    table.disconnect(*table.pairs(OUT))
    table.run(lambda t: t.replicas[HOST].begun, seconds=60)
    (view,) = table.replicas[HOST].begun
    said = view.said[1]
    odd = status(table, view.number, (HOST, LIAR), LIAR, LIAR, at=said.at, past=said.past, held=())
    carried = [each.signed for each in view.carried]
    table.run(lambda t: t.replicas[HOST].over, seconds=3000)
    for signed in (*carried, view.statuses[0], odd):
        bring(table, signed.kind, signed.plain(), (OUT,), LIAR)
    assert table.replicas[OUT].transcript.views[0].statuses[1] == odd
    assert odd != view.statuses[1]
    table.kill(LIAR)
    return table


@pytest.mark.parametrize("restarted", [False, True])
def test_who_is_out_has_the_end_though_a_liar_began_another_view_of_that_number_for_it(restarted):
    """The other two have played on to the end: no later view leads it back."""
    table = led_astray()
    if restarted:
        table.kill(OUT)
        table.restart(OUT)
    else:
        table.connect((HOST, OUT))
    table.run(lambda t: t.replicas[OUT].over, seconds=60)
    assert table.replicas[OUT].result == table.replicas[HOST].result
    assert table.replicas[OUT].over
    assert check_record(GAME, record_of(table, OUT)).finding.peer == LIAR
    table.kill(OUT)
    table.restart(OUT)
    assert table.replicas[OUT].over


@pytest.mark.parametrize("restarted", [False, True])
def test_who_was_left_alone_in_its_view_has_the_end_of_the_other_one(restarted):
    """A liar has begun one with each of two that cannot reach each other, and played on in both."""
    table = begun(3, seed=b"two views", settings=TableSettings(grace=10))
    level(table)
    before = [*table.disks[LIAR]]
    table.disconnect(*table.pairs(HOST))
    number = table.replicas[OUT].transcript.number + 9
    table.run(lambda t: t.replicas[OUT].transcript.number > number, seconds=60)
    table.kill(LIAR)
    table.dead.add(OUT)
    table.disks[LIAR] = before
    table.restart(LIAR)
    table.run(lambda t: t.replicas[HOST].over, seconds=3000)
    assert [table.replicas[p].transcript.view for p in (HOST, OUT)] == [1, 1]
    assert not table.replicas[OUT].over
    table.kill(LIAR)
    table.dead.discard(OUT)
    if restarted:
        table.restart(OUT)
    else:
        table.connect((HOST, OUT))
    table.run(lambda t: t.replicas[OUT].over, seconds=60)
    assert table.replicas[OUT].over
    assert table.replicas[OUT].result == table.replicas[HOST].result
    assert [set(table.replicas[p].convicted) for p in (HOST, OUT)] == [{LIAR}, {LIAR}]
    table.kill(OUT)
    table.restart(OUT)
    assert table.replicas[OUT].over


@pytest.mark.parametrize("phases", [15, 18])
def test_who_was_led_as_far_as_the_end_or_beyond_has_it_from_a_record(phases):
    """Nobody runs any more, and what it asks for lies behind the end: the finals lead it there."""
    with installed():
        table, before = apart(3, (HOST,), (OUT,), (LIAR,), seed=b"w14", phases=phases)
        in_both_halves(table, (HOST,), (OUT,), (LIAR,), before)
        assert table.replicas[OUT].transcript.at >= table.replicas[HOST].transcript.at
        game = EndedGame(record_of(table, HOST).extra)
        replica = alone(table, OUT)
        assert shown(replica, lambda body: said(game, body))
        assert replica.result == table.replicas[HOST].result
        assert set(replica.convicted) == {LIAR}


def in_both_halves(table, one, other, liars, before):
    """Let some liars play with the ``other`` half of a table for a while, and then, as it had been
    ``before``, with ``one`` half to the end; these two halves cannot reach each other."""
    for liar in liars:
        table.kill(liar)
    table.dead.update(other)
    for liar in liars:
        table.disks[liar] = before[liar]
        table.restart(liar)
    table.run(lambda t: all(t.replicas[p].over for p in one), seconds=3000)
    assert all(table.replicas[p].over for p in one)
    for liar in liars:
        table.kill(liar)
    table.dead.difference_update(other)


def meet(table, one, other, restarted=False):
    """Let two halves reach each other: all have the end, and keep it."""
    if restarted:
        for peer in other:
            table.kill(peer)
            table.restart(peer)
    table.connect(*((a, b) for a in other for b in (*one, *other) if a != b))
    table.run(lambda t: all(t.replicas[p].over for p in other), seconds=300)
    assert table.plays_on((*one, *other))
    for peer in other:
        table.kill(peer)
        table.restart(peer)
        assert table.replicas[peer].over
        finding = check_record(GAME, record_of(table, peer)).finding
        assert finding.peer in table.replicas[one[0]].convicted


def apart(peers, one, other, liars, seed=b"halves", phases=9):
    """A table of which some liars have played on with one of two halves."""
    table = begun(peers, seed=seed, settings=TableSettings(grace=10))
    level(table)
    before = {liar: [*table.disks[liar]] for liar in liars}
    table.disconnect(*((a, b) for a in one for b in (*other, *liars)))
    number = table.replicas[other[0]].transcript.number + phases
    table.run(lambda t: all(t.replicas[p].transcript.number > number for p in other), seconds=200)
    assert all(table.replicas[p].transcript.number > number for p in other)
    return table, before


@pytest.mark.longer_games
@pytest.mark.parametrize("restarted", [False, True])
def test_a_half_that_one_liar_of_five_played_on_with_has_the_end_of_the_other_half(restarted):
    """Nobody is alone there: the two had each other, and stood still when they met the end."""
    one, other, liars = (0, 1), (2, 3), (4,)
    table, before = apart(5, one, other, liars)
    in_both_halves(table, one, other, liars, before)
    meet(table, one, other, restarted)
    assert all(set(table.replicas[p].convicted) == {4} for p in (*one, *other))


@pytest.mark.longer_games
@pytest.mark.parametrize("restarted", [False, True])
def test_who_was_led_on_to_one_more_view_has_the_end_of_an_earlier_one(restarted):
    """One liar of three: the number of the view that has ended is lower than the other one's."""
    one, other, liars = (HOST,), (OUT,), (LIAR,)
    table, before = apart(3, one, other, liars, seed=b"two views")
    table.run(lambda t: t.replicas[LIAR].transcript.at == t.replicas[OUT].transcript.at, seconds=30)
    line, game = table.replicas[LIAR].transcript, table.replicas[LIAR].context.game_id
    held = refs(m for m in line.brought if (m.sender, m.view) == (LIAR, line.view))
    again = StatusMessage(LIAR, line.view + 1, (LIAR, OUT), line.at, line.past, held)
    bring(table, "status", sign(again, identity(LIAR), game).plain(), (OUT, LIAR), LIAR)
    table.run(lambda t: t.replicas[OUT].transcript.view == 2, seconds=30)
    number = table.replicas[OUT].transcript.number + 9
    table.run(lambda t: t.replicas[OUT].transcript.number > number, seconds=60)
    in_both_halves(table, one, other, liars, before)
    assert [table.replicas[p].transcript.view for p in (HOST, OUT)] == [1, 2]
    meet(table, one, other, restarted)


@pytest.mark.parametrize("phases", [15, 18])
def test_who_watches_one_that_was_led_as_far_as_the_end_or_beyond_comes_to_it_with_that_one(phases):
    """A liar has led the two to the place where the others have ended, on another line, or past."""
    with installed():
        table, before = apart(3, (HOST,), (OUT,), (LIAR,), seed=b"w14", phases=phases)
        replica = table.replicas[OUT]
        watcher = Watcher(table.roster, 3, -1)
        assert not [*watcher.comes_to({OUT: replica}, table.now)]
        in_both_halves(table, (HOST,), (OUT,), (LIAR,), before)
        assert table.replicas[HOST].transcript.at <= watcher.spectator.position
        meet(table, (HOST,), (OUT,))
        watcher.spectator.linked(table.now)
        watcher.at = -1
        assert not [*watcher.comes_to({OUT: table.replicas[OUT]}, table.now)]
        assert watcher.spectator.over


def with_another_status(out, forker):
    """A table of five in the view that has left one out, that view, and another status with which
    a liar could have begun it."""
    table = begun(5, seed=b"pinned", settings=TableSettings(grace=10))
    level(table)
    table.disconnect(*table.pairs(out))
    table.run(lambda t: t.replicas[HOST].begun, seconds=60)
    (view,) = table.replicas[HOST].begun
    said = {each.author: each for each in view.said}[forker]
    where = {"at": said.at, "past": said.past, "held": ()}
    return table, view, status(table, view.number, said.members, forker, forker, **where)


@pytest.mark.longer_games
def test_a_member_that_lies_pins_nobody_to_a_view_that_another_liar_began_twice():
    """Two liars of five: one signs two statuses, the other a message after the view that is none;
    nothing convicts that one."""
    out, forker, pins = 2, 3, 4
    table, view, odd = with_another_status(out, forker)
    table.run(lambda t: all(t.replicas[p].over for p in (HOST, 1)), seconds=3000)
    replica = table.replicas[out]
    missed = range(replica.transcript.number, view.phase)
    moves = [m for n in missed for m in table.replicas[HOST].moves[n].values()]
    others = [each for each in view.statuses if each.sender != forker]
    for each in (*moves, *(c.signed for c in view.carried), *others, odd):
        bring(table, each.kind, each.plain(), (out,), forker)
    line = replica.transcript
    assert odd in line.views[0].statuses
    word = PhaseMessage(pins, line.number, 50, line.past, line.state, ())
    word = sign(word, identity(pins), replica.context.game_id)
    bring(table, "move", word.plain(), (out,), pins)
    table.kill(forker)
    table.kill(pins)
    meet(table, (HOST, 1), (out,))
    assert set(replica.convicted) == {forker}


@pytest.mark.longer_games
def test_who_is_out_has_the_end_though_a_member_of_its_view_had_gone_on_there():
    """Two liars of five play on with one, in a view to which they lead another one that is out, and
    to the end with a third: the first goes over alone, and what it had said stays."""
    ended, alone, out, liars = 0, 1, 2, (3, 4)
    table = begun(5, seed=b"stale", settings=TableSettings(grace=10))
    level(table)
    before = {liar: [*table.disks[liar]] for liar in liars}
    table.disconnect(*table.pairs(out), *table.pairs(ended))
    number = table.replicas[alone].transcript.number + 9
    table.run(lambda t: t.replicas[alone].transcript.number > number, seconds=100)
    table.dead.add(ended)
    table.kill(alone)
    table.connect(*((out, liar) for liar in liars))
    table.run(lambda t: t.replicas[out].transcript.number > number - 3, seconds=5)
    assert table.replicas[out].transcript.views
    table.dead.discard(ended)
    in_both_halves(table, (ended,), (alone, out), liars, before)
    meet(table, (ended,), (alone, out))


def test_who_goes_over_signs_nothing_below_what_it_had_signed():
    """The rest of the line that it goes to is late: where it stands then it would deny its own."""
    table, before = apart(3, (HOST,), (OUT,), (LIAR,), seed=b"two views")
    in_both_halves(table, (HOST,), (OUT,), (LIAR,), before)
    post, limit = table._post, table.replicas[OUT].transcript.number - 5

    def late(peer, envelope):
        if envelope.kind != "move" or envelope.payload[1] < limit:
            post(peer, envelope)

    table._post = late
    table.connect((HOST, OUT))
    for moves in table.replicas[HOST].moves[limit - 4 : limit]:
        for signed in moves.values():
            bring(table, "move", signed.plain(), (OUT,), HOST)
    table.run(seconds=120)
    replica = table.replicas[OUT]
    assert replica.transcript.number < limit + 5
    assert replica.me not in replica.transcript.members
    held = replica.line.statements
    said = [k.signed for n in range(limit + 9) for k in held.of_phase(n)] + [
        k.signed for k in held.statuses
    ]
    assert OUT not in guilty(said, table.roster, held.game_id)


@pytest.mark.longer_games
def test_one_liar_that_shows_an_end_leads_nobody_to_a_view_that_another_began_twice():
    """Two liars of five: more than may still lie have to have gone on there."""
    out, forker, other = 2, 3, 4
    table, view, odd = with_another_status(out, forker)
    replica = table.replicas[out]
    missed = range(replica.transcript.number, view.phase)
    moves = [m for n in missed for m in table.replicas[HOST].moves[n].values()]
    for each in (*moves, *(c.signed for c in view.carried), *view.statuses):
        bring(table, each.kind, each.plain(), (out,), HOST)
    line = replica.transcript
    assert [v.statuses for v in line.views] == [view.statuses]
    true = next(past for past in line.followed.values() if past.kind == STATUS)
    others = [each for each in view.statuses if each.sender != forker]
    false = Past(STATUS, true.before, refs([*others, odd]))
    word = PhaseMessage(other, line.number, view.number, false, line.state, ())
    word = sign(word, identity(other), replica.context.game_id)
    for each in (odd, word):
        bring(table, each.kind, each.plain(), (out,), other)
    bring(table, "end", Past(MOVE, bytes(32), refs([word])).plain(), (out,), other)
    bring(table, word.kind, word.plain(), (out,), other)
    assert set(replica.convicted) == {forker}
    assert replica.line.ended.keys() == {other}
    assert [v.statuses for v in replica.transcript.views] == [view.statuses]


@pytest.mark.longer_games
@pytest.mark.parametrize("restarted", [False, True])
def test_who_is_out_has_the_end_though_a_liar_told_it_another_message_of_a_phase(restarted):
    """One liar of three; the other honest one has ended with what it had told that one."""
    table = begun(3, seed=b"two views", settings=TableSettings(grace=10))
    level(table)
    table.disconnect(*table.pairs(OUT))
    table.run(lambda t: t.replicas[HOST].begun, seconds=60)
    line = table.replicas[LIAR].line
    last = lambda _: (  # noqa: E731
        isinstance(line.transcript.phase, CommitPhase) and line.transcript.missing == {LIAR}
    )
    table.run(last, seconds=200)
    place, before = line.transcript.past, {LIAR: [*table.disks[LIAR]]}
    table.run(lambda t: t.replicas[HOST].over, seconds=3000)
    table.dead.add(HOST)
    table.walkers[LIAR] = Walker(b"answers otherwise")
    table.disks[LIAR] = before[LIAR]
    table.restart(LIAR)
    replica = table.replicas[OUT]
    table.run(lambda _: place.hash in replica.transcript.followed, seconds=60)
    assert replica.transcript.past.hash not in table.replicas[HOST].transcript.line
    table.kill(LIAR)
    table.dead.discard(HOST)
    meet(table, (HOST,), (OUT,), restarted)


@pytest.mark.parametrize("restarted", [False, True])
def test_who_was_told_another_message_and_then_another_status_has_the_end(restarted):
    """One liar of three. Who is out turns back at the phase, where the line ends for it: the liar's
    status that it was shown first makes the view that it has left, and no other."""
    table = begun(3, seed=b"another 0", settings=TableSettings(grace=10))
    level(table)
    table.disconnect(*table.pairs(OUT))
    table.run(lambda t: t.replicas[HOST].begun, seconds=60)
    line = table.replicas[HOST].transcript
    commits = lambda _: isinstance(line.phase, CommitPhase) and LIAR in line.moves[-1]  # noqa: E731
    table.run(commits, seconds=200)
    number, said = line.number, line.moves[-1][LIAR]
    table.run(lambda _: line.number > number, seconds=60)
    known = [each for view in line.views for each in view.statuses]
    known += [each for moves in line.moves[:number] for each in moves.values()]
    known += [each for each in line.moves[number].values() if each != said]
    here, game = line.past, table.replicas[HOST].context.game_id
    for byte in range(256):  # of two places that as many name the smaller hash counts
        ((commitment, *rest), *others) = read(said).parts
        other = ((bytes([byte]) + commitment[1:], *rest), *others)
        odd = sign(replace(read(said), parts=other), identity(LIAR), game)
        there = Past(MOVE, here.before, refs({**line.moves[number], LIAR: odd}.values()))
        if there.hash < here.hash:
            break
    word = status(table, 2, (HOST, LIAR), LIAR, LIAR)
    bring(table, STATUS, word.plain(), (LIAR,), HOST)
    bring(table, STATUS, word.plain(), (HOST,), LIAR)
    odd_word = status(table, 2, (HOST, LIAR), LIAR, LIAR, past=there, held=(), at=(1, number + 1))
    table.run(lambda t: t.replicas[HOST].over, seconds=3000)
    held = [each.signed for each in line.views[1].carried]
    known += [odd, odd_word, said, *held, line.views[1].statuses[0]]
    for each in known:
        bring(table, each.kind, each.plain(), (OUT,), LIAR)
    assert table.replicas[OUT].transcript.views[1].statuses[1] == odd_word
    table.kill(LIAR)
    meet(table, (HOST,), (OUT,), restarted)


@pytest.mark.longer_games
@pytest.mark.parametrize("restarted", [False, True])
def test_who_was_led_to_a_view_of_its_own_has_the_end_of_the_view_before(restarted):
    """One liar of three: the other two go on without a third in the view that the third has left;
    no view leads there from its own."""
    table = begun(3, seed=b"two views", settings=TableSettings(grace=10))
    level(table)
    table.disconnect(*table.pairs(OUT))
    table.run(lambda t: t.replicas[HOST].begun, seconds=60)
    (view,) = table.replicas[HOST].begun
    host = table.replicas[HOST]
    number = host.transcript.number + 9
    at = lambda _: host.transcript.number > number and HOST not in host.transcript.missing  # noqa: E731
    table.run(at, seconds=60)
    before = [*table.disks[LIAR]]
    table.dead.add(HOST)
    table.connect((LIAR, OUT))
    table.run(lambda t: t.replicas[OUT].transcript.view > view.number, seconds=100)
    assert OUT in table.replicas[OUT].transcript.members
    number = table.replicas[OUT].transcript.number + 9
    table.run(lambda t: t.replicas[OUT].transcript.number > number, seconds=100)
    table.kill(LIAR)
    table.dead.add(OUT)
    table.dead.discard(HOST)
    table.disks[LIAR] = before
    table.restart(LIAR)
    table.run(lambda _: host.over, seconds=3000)
    assert host.over
    assert [each.number for each in host.begun] == [view.number]
    table.kill(LIAR)
    table.dead.discard(OUT)
    meet(table, (HOST,), (OUT,), restarted)


def test_a_journal_that_ends_where_a_line_was_left_is_gone_on_with():
    """The power fails between the turn at a phase and the view that follows: what this peer had
    said on the line that it has left is no hole."""
    with installed():
        table, before = apart(3, (HOST,), (OUT,), (LIAR,))
        in_both_halves(table, (HOST,), (OUT,), (LIAR,), before)
        table.connect((HOST, OUT))
        table.run(lambda t: t.replicas[OUT].over, seconds=60)
        entries = table.kept(OUT)
        cut = [kind for kind, _ in entries].index("turn") + 1
        table.kill(OUT)
        table.disks[OUT] = [(entries[:cut], True)]
        table.restart(OUT)
        table.run(lambda t: t.replicas[OUT].over, seconds=60)
        assert table.plays_on((HOST, OUT))
