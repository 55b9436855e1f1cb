"""The end of a game: who was there signs it, and what comes out at the end convicts like anything
else (docs/protocol.md, the end)."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import pytest
import trio

from lanplay.cli import main
from lanplay.games import load
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, complain, read, sign
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode
from tests.replica.harness import Table, identity, roster
from tests.replica.test_audit import flip, record_of
from tests.replica.test_cut_cheats import bring
from tests.shell.test_chat import Room as Programs

GAME = load("charidice")


def at_the_end(table, peer=0):
    return isinstance(table.replicas[peer].transcript.phase, Final)


def near_the_end(peers=3, seed=b"end", grace=45, silent=None):
    """A table whose rules have come to their end, and nobody has signed it yet.

    The final of a ``silent`` peer reaches nobody.
    """
    table = Table(roster(peers, game=GAME, settings=TableSettings(grace)), seed=seed)
    if silent is not None:
        table.tampers[silent] = lambda table, to, move: (
            [] if isinstance(table.replicas[silent].phases[move.phase], Final) else None
        )
    table.start()
    table.run(at_the_end, seconds=3000)
    return table


def final_of(change):
    """Let a liar sign something else in its final, for some."""

    def tamper(table, to, move):
        return [change(to, move)] if at_the_end_of(table, move) else None

    return tamper


def at_the_end_of(table, move):
    return isinstance(move.parts, tuple) and move.phase == table.last


def lying(change, peers=3, seed=b"lie"):
    """A table whose last peer lies in its final."""
    honest = Table(roster(peers, game=GAME), seed=seed)
    honest.start()
    honest.run(at_the_end, seconds=3000)
    table = Table(roster(peers, game=GAME), seed=seed)
    table.last = honest.replicas[0].transcript.number
    table.tampers[peers - 1] = final_of(change)
    table.start()
    table.run(lambda t: all(r.over for r in t.replicas[:-1]), seconds=3000)
    table.run(seconds=30)
    return table


def test_all_who_were_there_have_signed_the_end():
    """The same past, the same state; the record is true and ended."""
    table = near_the_end()
    assert not any(replica.over for replica in table.replicas)
    table.run(seconds=60)
    assert table.is_over()
    for peer in range(3):
        verdict = check_record(GAME, record_of(table, peer))
        assert (verdict.finding, verdict.ended) == (None, True)
        assert verdict.checked["finals"] == 3


def test_a_false_final_convicts_its_author_and_the_others_sign_anew():
    """Another state than the game came to: the others end it without, and the record names it."""
    table = lying(lambda to, move: replace(move, state=flip(move.state)), peers=4)
    for peer in range(3):
        assert table.replicas[peer].over
        assert table.accused(peer) == {(3, Code.DIVERGED)}
        verdict = check_record(GAME, record_of(table, peer))
        assert verdict.finding.peer == 3
        assert verdict.ended


def test_a_final_that_nobody_can_read_convicts_its_author():
    table = lying(lambda to, move: replace(move, parts=((1, 2),)))
    assert [table.accused(peer) for peer in range(2)] == [{(2, Code.MALFORMED)}] * 2
    assert all(table.replicas[peer].over for peer in range(2))


def test_two_finals_convict_their_author_and_the_game_has_ended_for_all():
    """Each of the others has a final of the liar, though not the same."""
    table = lying(lambda to, move: replace(move, parts=named(table_key()) if to == 1 else ()))
    ends = {table.replicas[peer].context.referee.table.hash() for peer in range(2)}
    assert len(ends) == 1
    assert all(table.replicas[peer].over for peer in range(2))
    assert table.accused(1) == {(2, Code.EQUIVOCATION)}
    assert table.accused(0) <= {(2, Code.EQUIVOCATION)}


def test_a_final_stands_though_its_author_is_convicted_meanwhile():
    """Of two bodies in another slot: the end is there once all have signed it, in whatever order
    that is heard."""
    table = near_the_end(silent=2)
    table.silent.add(2)  # nor does it show the end that it has
    table.run(seconds=1)
    judge, said = table.replicas[0], [p[2] for p in table.replicas[2].moves if 2 in p]
    signed, final = said[-2:]
    other = sign(replace(read(signed), state=bytes(32)), identity(2), judge.context.game_id)
    bring(table, "move", other.plain(), (0,), 2)
    assert table.accused(0) == {(2, Code.EQUIVOCATION)}
    assert not judge.over
    bring(table, "move", final.plain(), (0,), 2)
    assert judge.over


def test_finals_without_end_do_not_keep_one_peer_from_the_end():
    """It holds two of the liar's that are of no use; those with which another has ended count.

    Also where it has begun a view without the liar meanwhile, which nobody else will end.
    """
    bad = cycle(range(250))
    table = at_a_liars_mercy(lambda move: replace(move, parts=named(table_key(next(bad)))))
    assert all(table.replicas[peer].over for peer in range(2))
    assert table.accused(1) <= {(2, Code.EQUIVOCATION)}


def at_a_liars_mercy(spoiled):
    """A table whose last peer sends peer 1 two spoiled finals, and peer 0 the true one."""
    honest = Table(roster(3, game=GAME), seed=b"mercy")
    honest.start()
    honest.run(at_the_end, seconds=3000)
    table = Table(roster(3, game=GAME), seed=b"mercy")
    table.last = honest.replicas[0].transcript.number
    table.tampers[2] = lambda table, to, move: (
        [spoiled(move), spoiled(move)] if to == 1 and at_the_end_of(table, move) else None
    )
    table.start()
    table.run(lambda t: all(r.over for r in t.replicas[:-1]), seconds=3000)
    table.run(seconds=30)
    return table


def table_key(number=0):
    return ("move", 0, 0, 5, bytes([number]) * 32)


def named(key):
    return (key,)


def test_evidence_that_nobody_has_does_not_count_and_costs_its_author_the_last_view():
    """A final that names what is not there is one that has not come: no honest record misses it."""
    table = lying(lambda to, move: replace(move, parts=named(table_key())))
    for peer in range(2):
        assert table.replicas[peer].over
        assert not table.accused(peer)
        assert table.replicas[peer].transcript.members == {0, 1}
        verdict = check_record(GAME, record_of(table, peer))
        assert (verdict.finding, verdict.ended) == (None, True)


def without_a_final(grace):
    """A table whose last peer ends before it has signed the end."""
    table = near_the_end(grace=grace)
    last = table.replicas[0].transcript.number
    again = Table(table.roster, seed=b"end")
    again.start()
    again.run(lambda t: t.replicas[2].transcript.number >= last - 1, seconds=3000)
    again.kill(2)
    return again


def test_who_is_lost_at_the_end_is_waited_for_as_long_as_the_grace_says():
    """Then those who are left sign anew, and who comes back has the end from them."""
    table = without_a_final(30)
    table.run(lambda t: t.now > 25, seconds=25)
    assert not any(table.replicas[peer].over for peer in range(2))
    table.run(lambda t: all(t.replicas[p].over for p in range(2)), seconds=20)
    assert all(table.replicas[peer].over for peer in range(2))
    table.restart(2)
    table.run(lambda t: t.replicas[2].over, seconds=60)
    assert table.is_over()
    assert check_record(GAME, record_of(table, 2)).ended


def test_a_grace_of_0_waits_for_ever():
    table = without_a_final(0)
    table.run(seconds=300)
    assert not any(table.replicas[peer].over for peer in range(2))
    table.restart(2)
    table.run(seconds=60)
    assert table.is_over()


@pytest.mark.parametrize("killed", range(3))
def test_who_dies_after_any_message_of_the_end_comes_back_to_it(killed):
    """With what is on its disk it signs nothing else, and learns what it has missed."""
    table = near_the_end(seed=b"killed %d" % killed)
    table.kill_at = (killed, table.sends[killed] + 1, 1)
    table.run(lambda t: killed in t.dead, seconds=3)
    table.restart(killed) if killed in table.dead else None
    table.run(seconds=100)
    assert table.is_over()
    assert not any(table.accused(peer) for peer in range(3))


def test_evidence_that_only_the_finals_name_is_missed_when_it_is_left_out(tmp_path, capsys):
    """4: what came out after the last view is bound by what all signed at the end."""
    table = lying(lambda to, move: replace(move, state=flip(move.state)), peers=4)
    record = record_of(table)
    assert any(table.replicas[0].transcript.finals.values())
    path = tmp_path / "clean.lanplay"
    views = record.extra["views"]
    assert views
    replace(record, extra={**record.extra, "evidence": ()}).save(path)
    assert main(["verify", str(path)]) == 4


def test_a_record_whose_finals_are_left_out_is_true_but_without_an_end(tmp_path, capsys):
    """3: nobody is accused, as a program may have been alone at the end."""
    table = near_the_end()
    table.run(seconds=60)
    record = record_of(table)
    moves = record.extra["moves"]
    last = max(place for place, phase in enumerate(moves) if phase)
    path = tmp_path / "short.lanplay"
    short = tuple(phase if place < last else () for place, phase in enumerate(moves))
    replace(record, extra={**record.extra, "moves": short}).save(path)
    assert main(["verify", str(path)]) == 3
    assert "has signed the end" in capsys.readouterr().out


def test_who_is_left_alone_of_two_has_a_result_that_the_other_has_not_signed():
    """Nothing more is to be waited for: the record is true as far as it goes, and has no end. When
    the other comes back from its disk both sign."""
    table = near_the_end(2, seed=b"two", grace=5, silent=1)
    table.tampers.clear()
    table.kill(1)
    table.run(lambda t: t.replicas[0].ends, seconds=60)
    left = table.replicas[0]
    assert left.ends
    assert left.result is not None
    assert not left.over
    record = replace(record_of(table), finished=True)  # its rules have come to their end
    report = check_record(GAME, record)
    assert (report.finding, report.ended) == (None, False)
    table.restart(1)
    table.run(lambda t: t.is_over(), seconds=60)
    assert table.is_over()
    report = check_record(GAME, record_of(table, 1))
    assert (report.finding, report.ended) == (None, True)


def test_who_lies_when_the_game_is_over_is_convicted_by_all_who_still_run():
    """One hears a false complaint after the end: all name its author, and so does the record."""
    table = near_the_end()
    table.run(seconds=60)
    accused = table.replicas[0].moves[-2][0]
    made = complain(2, accused, b"", table.identity(2), table.roster)
    table.step(0, inputs.Received(2, "complaint", made.plain()))
    table.run(seconds=5)
    for peer in range(2):
        assert table.accused(peer) == {(2, Code.FALSE_CLAIM)}
        assert table.is_over()
        verdict = check_record(GAME, record_of(table, peer))
        assert (verdict.finding.peer, verdict.ended) == (2, True)


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


def test_a_lie_about_the_end_keeps_nobody_from_its_own_end_after_a_restart():
    """The way to a lie is kept as the way to the end is: read again, it was taken for an end of its
    reader's own that is none, and the true one was passed over."""
    reader, others, first, liar = 0, (0, 1, 2, 3), 3, 4
    table = Table(roster(5, game=load("dice-town"), settings=TableSettings(20)), seed=b"end")
    table.tampers[liar] = lambda table, to, move: (
        [] if to != first and isinstance(table.replicas[liar].phases[move.phase], Final) else None
    )
    table.start()
    table.run(at_the_end, seconds=9000)
    post, over = table._post, table.replicas[first]

    def alone(peer, envelope):  # the first to end tells nobody
        if peer != first or not over.over:
            post(peer, envelope)

    table._post = alone
    table.run(lambda t: over.over, seconds=30)
    table.disconnect(*table.pairs(first))
    table.silent.add(liar)

    def late(peer, envelope):  # and one that signs anew in the next view does so late
        if peer != 2 or envelope.kind != "move" or not table.replicas[peer].begun:
            post(peer, envelope)

    table._post = late
    table.run(lambda t: all(t.replicas[p].begun for p in others[:2]), seconds=120)
    replica = table.replicas[reader]
    line, game = replica.transcript, replica.context.game_id
    before = next(past for past, at in line.line.items() if at == (line.number, 0))
    for number in (1, 2):
        said = PhaseMessage(liar, line.number + 1, 0, Past(MOVE, before), bytes([number]) * 32, ())
        bring(table, "move", sign(said, identity(liar), game).plain(), (reader,), liar)
    assert replica.convicted.keys() == {liar}
    table.connect((reader, first))
    table.run(lambda t: replica.over, seconds=30)
    assert replica.over
    again = table.replica(reader)
    for other in (1, 2, 3, 4):
        again.step(inputs.LinkDown(other), 0.0)
    again.step(inputs.Restored(table.kept(reader)), 0.0)
    assert again.over
