"""Whoever holds the same statements convicts the same peers, whatever else it was shown before."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.events import AnswerNeeded, ViewChanged
from lanplay_protocol.replica.messages import MOVE, STATUS, Past, PhaseMessage, read, refs, sign
from lanplay_protocol.replica.other_lines import DEAD_ENDS
from lanplay_protocol.replica.positions import furthest
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.harness import GAME, identity, received, roster
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, finish_alike, level, status
from tests.replica.test_led_astray import deliver
from tests.replica.test_spectator import table_of

LED, OTHERS, HONEST, LIAR = 0, (1, 2, 3), (0, 1, 2, 3), 4


def names_what_was_said_elsewhere(table, liar, told):
    """Let a liar name a past that follows from nothing, as the message that it names was said after
    another one; those who are ``told`` were shown before that what it claims to follow from."""
    transcript = table.replicas[0].transcript
    game, number = table.replicas[0].context.game_id, transcript.number

    def said(phase, view, past):
        signed = PhaseMessage(liar, phase, view, past, transcript.state, ())
        return sign(signed, identity(liar), game)

    before = next(p for p, at in transcript.line.items() if at == (number - 6, 0))
    one = min(transcript.moves[number - 6].values(), key=lambda each: each.sender)
    part = Past(MOVE, before, refs([one]))  # part of a phase, and one in which nobody said anything
    claimed = Past(MOVE, part.hash)
    elsewhere = said(number - 4, 10, Past(MOVE, before))
    false = said(number - 3, 10, Past(MOVE, claimed.hash, refs([elsewhere])))
    bring(table, MOVE, said(number - 4, 9, claimed).plain(), told, liar)
    bring(table, "past", part.plain(), told, liar)
    honest = range(len(table.replicas) - 1)
    for each in (elsewhere, false):
        bring(table, MOVE, each.plain(), honest, liar)


@pytest.mark.parametrize("peers", [3, 4, 5])
def test_a_past_that_follows_from_nothing_convicts_whatever_is_known_of_what_it_claims(peers):
    """One of the honest knows the past that it claims to follow from, as the liar showed it to that
    one alone; it wanted the liar at the table, the others did not, and the game stood still."""
    table = begun(peers, seed=b"split", settings=TableSettings(grace=10))
    level(table)
    liar, honest = peers - 1, range(peers - 1)
    names_what_was_said_elsewhere(table, liar, (0,))
    assert [set(table.replicas[p].convicted) for p in honest] == [{liar}] * (peers - 1)
    finish_alike(table, honest)
    assert not any({*honest} & {*each.lost} for p in honest for each in table.of(p, ViewChanged))
    assert [check_record(GAME, record_of(table, p)).finding.peer for p in honest] == [liar] * len(
        honest
    )


def shows(table, said, to):
    """Let the liar show some a status of its own, and what it names."""
    held = table.replicas[LIAR].line.statements
    for each in (*(held.get(ref.key(MOVE)).signed for ref in read(said).held), said):
        bring(table, each.kind, each.plain(), to, LIAR)


def view_that_nobody_began():
    """A table of five whose honest peers have all signed an attempt with a liar, of whom one alone
    was shown the liar's own status; a later view without the liar has begun first.

    Returns the table, the certificate of the attempt, and where its members stood.
    """
    table = begun(5, seed=b"spent", settings=TableSettings(grace=10))
    level(table)
    table.silent.add(LIAR)
    last = status(table, 1, (*HONEST, LIAR), LIAR, LIAR)
    shows(table, last, (LED,))
    waiting = []
    while table.queue:  # the statuses of the others do not come to it
        sender, to, item = table.queue.popleft()
        if not isinstance(item, bytes):
            waiting.append((sender, to, item))
            continue
        kind, (author, *_) = decode(item)
        liars = LIAR in (sender, to) or (kind, author) == (STATUS, LIAR)
        if not liars and to != LED and kind in (STATUS, MOVE):
            table.step(to, received(sender, item))
    table.queue.extend(waiting)
    table.disconnect(*table.pairs(LED), *table.pairs(LIAR))
    table.run(lambda t: all(t.replicas[p].transcript.view > 1 for p in OTHERS), seconds=60)
    for view in table.replicas[OTHERS[0]].begun:
        plain = tuple(each.plain() for each in view.statuses)
        bring(table, "view", plain, (LED,), OTHERS[0])
    table.connect(*((LED, p) for p in OTHERS))
    number = table.replicas[LED].transcript.number + 5
    table.run(lambda t: all(t.replicas[p].transcript.number > number for p in HONEST), seconds=60)
    assert not any(table.replicas[p].over for p in HONEST)
    held = table.replicas[OTHERS[0]].line.statements.statuses
    first = [k.signed for k in held if k.signed.view == 1 and k.signed.sender != LIAR]
    return table, [*first, last], furthest([read(each) for each in (*first, last)])


@pytest.mark.longer_games
@pytest.mark.parametrize(("victim", "witness"), [(1, 0), (2, 0), (1, 2)])
def test_pasts_of_nothing_shown_to_one_alone_hide_no_later_lie_from_it(victim, witness):
    """The lie stands after a view that nobody began, where nobody but the liar has been: those whom
    it convicts for name it as evidence, one ``witness`` in a status, all of them with the end."""
    table, certificate, ((_, phase), past) = view_that_nobody_began()
    game, transcript = table.replicas[victim].context.game_id, table.replicas[victim].transcript

    def says(number, view, before, to):
        said = PhaseMessage(LIAR, number, view, before, bytes(32), ())
        signed = sign(said, identity(LIAR), game)
        bring(table, MOVE, signed.plain(), to, LIAR)
        return signed

    phases = [n for n in range(10, transcript.number) if len(transcript.moves[n]) > 1]
    for number in phases[:DEAD_ENDS]:
        one = min(transcript.moves[number].values(), key=lambda each: each.sender)
        says(number + 1, 50, Past(MOVE, transcript.bases[number], (one.ref,)), (victim,))
    assert not table.replicas[victim].convicted
    shows(table, certificate[-1], OTHERS)
    lie = says(phase, 1, Past(STATUS, past, refs(certificate)), OTHERS)
    assert [len(table.replicas[p].convicted) for p in OTHERS] == [p != victim for p in OTHERS]
    if witness:
        said = status(table, 9, HONEST, witness, witness, evidence=(lie.key,))
        bring(table, STATUS, said.plain(), (victim,), witness)
    else:
        table.run(lambda t: all(t.replicas[p].over for p in OTHERS), seconds=60)
    assert set(table.replicas[victim].convicted) == {LIAR}


@pytest.mark.longer_games
@pytest.mark.parametrize("comes", ["late", "anew"])
def test_what_a_convicted_peer_says_counts_for_none_who_watches_late_or_follows_anew(comes):
    """Two choices convict it while another one thinks, whose link fails when it has answered: no
    view leaves the liar out, and what who watches is told is what the table has."""
    table, liar, slow = table_of(3, seed=b"ww0"), 1, 2

    def asked(t, peer):
        return [e for e in t.queue if e[:2] == (peer, peer) and isinstance(e[2], AnswerNeeded)]

    level(table, lambda t: asked(t, liar) and asked(t, slow))
    later, owed = asked(table, slow), asked(table, liar)
    table.queue = deque(owed + [each for each in table.queue if each not in later])
    table.silent.add(liar)
    deliver(table)
    peer, true = table.replicas[LED], table.replicas[liar].transcript.moves[-1][liar]
    (choice,) = read(true).parts
    odd = replace(read(true), parts=((bytes(32), choice[1]),))
    if comes == "anew":
        table.watch(peer=LED)
        table.catch_up()
    for each in (true, sign(odd, identity(liar), peer.context.game_id)):
        bring(table, MOVE, each.plain(), (LED,), liar)
    table.deliver()
    assert peer.convicted.keys() == {liar}
    table.kill(liar)
    table.disconnect((LED, slow))
    table.queue.extend(later)
    deliver(table)
    said = table.replicas[slow].transcript.moves[-1][slow]
    bring(table, MOVE, said.plain(), (LED,), slow)
    assert peer.transcript.missing == {liar}
    if comes == "anew":
        table.spectator._begin()
    table.watch(peer=LED)
    table.catch_up()
    assert table.spectator.position == peer.transcript.at
    assert table.spectator.transcript.missing == {liar}


def test_what_a_view_has_carried_stays_for_who_convicts_its_author_in_that_view():
    """All who entered it count the message: who comes back, and is given a proof before the rest,
    stood there for good, though the others had long ended (90510416:102:3)."""
    behind, lost, rest, thinker = 0, 1, (2, 3, LIAR), 3
    with installed():
        table = Thinking(roster(5, 5, TableSettings(grace=5)), b"carried")
        table.shuffle_order = False  # as on a link
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
        table.think = {thinker}
        all_said = [{thinker}] * 5
        table.run(lambda t: not t.queue and [r.transcript.missing for r in t.replicas] == all_said)
        table.disconnect(*table.pairs(behind))
        table.kill(lost)
        table.run(seconds=12)
        line, back = table.replicas[2].transcript, table.replicas[behind]
        (view,) = line.views
        assert LIAR in {signed.sender for signed in line.brought}
        table.answer()
        table.run(lambda t: all(t.replicas[p].over for p in rest))
        bring(table, "view", tuple(signed.plain() for signed in view.statuses), (behind,), 2)
        assert back.transcript.at == (view.number, view.phase)
        there = {"at": (0, view.phase), "past": view.said[0].past, "held": ()}
        for members in (rest, (lost, *rest)):
            word = status(table, 9, members, LIAR, LIAR, **there)
            bring(table, STATUS, word.plain(), (behind,), LIAR)
        assert back.line.convicted == {LIAR}
        assert back.transcript.missing == {thinker}
        table.connect(*(pair for pair in table.pairs(behind) if lost not in pair))
        table.run(lambda t: back.over)
        assert back.over
