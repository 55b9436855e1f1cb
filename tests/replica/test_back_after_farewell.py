"""Who has said farewell and is back asks to take part, where too few are left without it."""

from __future__ import annotations

import pytest

from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from tests.byzantine.stand_ins import installed
from tests.replica.harness import Table, received, roster
from tests.replica.test_cut_cheats import join, leave
from tests.replica.test_led_astray import deliver

GRACE = 5
GONE = (3, 4)


def begun(grace=GRACE):
    """Return a table of five that plays."""
    table = Table(roster(5, 5, TableSettings(grace=grace), load("dice-town")), seed=b"back")
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 13, seconds=600)
    return table


def unsigned(table, liar, *others):
    """Let a liar sign no view from now on, nor send ``others``."""
    post = table._post

    def posts(peer, envelope):
        if peer != liar or envelope.kind not in ("status", "view", *others):
            post(peer, envelope)

    table._post = posts


@pytest.mark.parametrize(
    ("back", "out"), [((1,), True), ((1, 2), True), ((1, 2), False), ((0, 1, 2), False)]
)
def test_three_linked_of_five_play_on_however_many_of_them_had_said_farewell(back, out):
    """The two others are gone for good; a third may have fallen out before (rule 6b)."""
    with installed():
        table = begun()
        if out:
            table.kill(0)
            table.run(lambda t: t.replicas[1].transcript.view > 0, seconds=10 * GRACE)
        for peer in GONE:
            table.kill(peer)
        for peer in back:
            table.step(peer, inputs.Leaving())
            deliver(table)
            table.kill(peer, lost=False)
        table.run(seconds=1)
        for peer in sorted(table.dead.difference(GONE)):
            table.restart(peer)
            table.run(seconds=1)
        goal = 6 + max(replica.transcript.number for replica in table.alive)
        table.run(lambda t: min(r.transcript.number for r in t.alive) > goal, seconds=150)
        assert min(replica.transcript.number for replica in table.alive) > goal
        assert not any(replica.attendance.detector.left for replica in table.alive)
        assert not any(table.accused(peer) for peer in table.running)


def test_two_who_have_left_twice_say_again_that_they_are_back():
    """The first word of each, that it is there with too few, was over with its second farewell."""
    with installed():
        table = begun()
        for peer in GONE:
            table.kill(peer)
        for peer in (1, 2, 1, 2):
            if peer in table.dead:
                table.restart(peer)
                table.run(seconds=3 * GRACE)
            table.step(peer, inputs.Leaving())
            deliver(table)
            table.kill(peer, lost=False)
        table.run(seconds=1)
        for peer in (1, 2):
            table.restart(peer)
        goal = 6 + max(replica.transcript.number for replica in table.alive)
        table.run(lambda t: min(r.transcript.number for r in t.alive) > goal, seconds=150)
        assert min(replica.transcript.number for replica in table.alive) > goal


def test_a_farewell_counts_in_a_view_that_its_author_had_signed_before():
    """Nobody waits for who has said that it goes, though the next view begins with it."""
    with installed():
        table = begun()
        table.kill(4)
        table.run(lambda t: t.replicas[1].attendance.promised, seconds=10 * GRACE)
        assert not table.replicas[1].begun
        table.shuffle_order = False  # what it has signed comes first
        table.step(1, inputs.Leaving())
        table.kill(1, lost=False)
        table.run(seconds=GRACE / 2)
        assert all(r.transcript.members == {0, 2, 3} for r in table.alive)


def test_who_is_back_is_taken_back_though_it_waits_for_a_liar_that_others_have_given_up():
    """The liar signs no view. Those who had begun one without whoever had left know that, and who
    is back does not: it wants the liar, too, and they are too few without it."""
    stay, left, liar = (0, 1), 2, 3
    with installed():
        table = Table(roster(4, 4, TableSettings(grace=GRACE), load("dice-town")), seed=b"wants")
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 13, seconds=600)
        unsigned(table, liar)
        table.step(left, inputs.Leaving())
        deliver(table)
        table.kill(left, lost=False)
        table.run(lambda t: all(t.replicas[p].attendance.detector.late for p in stay), seconds=60)
        table.restart(left)
        goal = 6 + max(replica.transcript.number for replica in table.alive)
        table.run(lambda t: all(t.replicas[p].transcript.number > goal for p in (*stay, left)), 300)
        assert all(table.replicas[p].transcript.number > goal for p in (*stay, left))


def test_who_is_shown_its_own_farewell_by_a_liar_alone_tells_the_others():
    """It counts itself as gone then, and so do they: else they want other members than it does,
    of three of five that are linked each time again."""
    with installed():
        table = begun()
        left, liar = 1, 4
        table.kill(left)
        table.restart(left)
        deliver(table)
        assert not table.replicas[0].attendance.detector.left
        leave(table, author=left, to=(left,), bringer=liar)
        deliver(table)
        assert all(left in table.replicas[p].attendance.detector.left for p in (0, 1, 2, 3))


def test_the_newest_farewell_of_somebody_counts():
    """The one before it is over once a view has begun that its author had signed between them."""
    with installed():
        table = begun()
        for number in (0, 2, 1):
            leave(table, number, (0, 2, 3), author=1)
        assert all(table.replicas[p].attendance.detector.left == {1: 2} for p in (0, 2, 3))


def test_who_was_out_comes_back_together_with_one_that_had_left():
    """Beside one member that has stayed, and a liar that says nothing more: three of five, and each
    sees of the liar what it was itself to be paid."""
    stays, left, liar, out, gone = range(5)
    with installed():
        table = begun()
        table.kill(out)
        table.kill(gone)
        table.run(lambda t: len(t.replicas[stays].transcript.members) == 3, seconds=20 * GRACE)
        unsigned(table, liar, "move")
        table.step(left, inputs.Leaving())
        deliver(table)
        table.kill(left, lost=False)
        table.run(seconds=1)
        for peer in (out, left):
            table.restart(peer)
        goal, honest = 6 + table.replicas[stays].transcript.number, (stays, left, out)
        table.run(lambda t: all(t.replicas[p].transcript.number > goal for p in honest), 300)
        assert all(table.replicas[p].transcript.number > goal for p in honest)


def goes(table, peer):
    """Let a peer say farewell to all, and be gone before anything else happens."""
    table.step(peer, inputs.Leaving())
    for each in [each for each in table.queue if each[0] == peer]:
        table.queue.remove(each)
        if each[1] not in (peer, *table.dead):
            table.step(each[1], received(peer, each[2]))
    table.kill(peer)


def test_who_asks_back_and_says_farewell_again_is_not_waited_for():
    """Three of five are linked, at a table that waits for ever; the fourth had asked before."""
    honest, asks, gone = (0, 2, 3), 4, 1
    with installed():
        table = begun(grace=FOREVER)
        for peer in (3, asks):
            goes(table, peer)
        table.run(lambda t: all(r.transcript.members == {0, 1, 2} for r in t.alive), seconds=60)
        for peer in (gone, 2):
            goes(table, peer)
        table.restart(asks)
        table.run(seconds=1)
        assert any(said.author == asks for said in table.replicas[0].line.said())
        goes(table, asks)
        goal = 6 + table.replicas[0].transcript.number
        for peer in (2, 3):
            table.restart(peer)
            table.run(seconds=1)
        table.run(lambda t: all(t.replicas[p].transcript.number > goal for p in honest), 300)
        assert all(table.replicas[p].transcript.number > goal for p in honest)


@pytest.mark.parametrize("how", ["was cut off", "had left", "is back at once"])
def test_three_honest_ones_of_five_play_on_while_two_liars_sign_no_view(how):
    """Two of the three are in and the third asks back. What the two want no more have signed than
    may lie, and yet the liars owe it; and the third may come though enough seem to stay."""
    stay, back, silent, sly = (2, 4), 0, 1, 3
    with installed():
        table = begun()
        if how == "was cut off":
            table.kill(back)
            table.run(lambda t: t.replicas[stay[0]].transcript.view > 0, seconds=10 * GRACE)
        unsigned(table, sly)
        table.silent.add(silent)
        if how != "was cut off":
            table.step(back, inputs.Leaving())
            deliver(table)
            table.kill(back, lost=False)
        if how != "is back at once":
            table.run(seconds=3)
        table.restart(back)
        honest = (*stay, back)
        goal = 6 + max(table.replicas[p].transcript.number for p in stay)
        table.run(lambda t: all(t.replicas[p].transcript.number > goal for p in honest), 150)
        assert all(table.replicas[p].transcript.number > goal for p in honest)
        assert not any(table.accused(peer) for peer in honest)


@pytest.mark.parametrize("silent", [False, True])
def test_one_member_and_two_that_ask_back_go_on_without_two_members_that_lie(silent):
    """Three of five. What the liars owe is owed to the member alone: it wants those that ask, and
    these want the liars, too, of which each attempt asks something that too few have signed."""
    stays, liars, out = 0, (1, 2), (3, 4)
    with installed():
        table = begun()
        table.shuffle_order = False  # as on a connection: the newest word of who hears whom counts
        for peer in out:
            table.kill(peer)
        table.run(lambda t: all(r.transcript.members == {0, 1, 2} for r in t.alive), seconds=200)
        assert not table.replicas[stays].over
        for liar in liars:
            unsigned(table, liar, "move")
        table.silent.update(liars if silent else ())
        table.run(seconds=3)
        for peer in out:
            table.restart(peer)
        goal, honest = 6 + table.replicas[stays].transcript.number, (stays, *out)
        table.run(lambda t: all(t.replicas[p].transcript.number > goal for p in honest), 300)
        assert all(table.replicas[p].transcript.number > goal for p in honest)


def test_who_has_left_and_is_back_forgives_whom_too_few_have_answered_like_any_member():
    """Two of five sign with a liar that signs nothing, and one of the two had said farewell."""
    left, liar, gone = 1, 2, (3, 4)
    with installed():
        table = begun()
        for peer in gone:
            table.kill(peer)
        table.run(
            lambda t: all(len(r.transcript.members) == 3 for r in t.alive), seconds=20 * GRACE
        )
        unsigned(table, liar, "move")
        table.step(left, inputs.Leaving())
        deliver(table)
        table.kill(left, lost=False)
        table.run(seconds=1)
        table.restart(left)
        detector = table.replicas[left].attendance.detector
        table.run(lambda _: liar in detector.forgiven, seconds=100)
        assert liar in detector.forgiven
        assert left in detector.left


def test_who_asks_to_be_left_out_first_has_said_all_else_before():
    """A hole is in its journal, and an attempt that it had signed is no wish to come back: the two
    others of five take part with one that does, and do not wait for it."""
    holed, back = 2, 3
    with installed():
        table = begun()
        for peer in GONE:
            table.kill(peer)
            table.run(lambda t, p=peer: all(p not in r.transcript.members for r in t.alive), 60)
        assert not table.replicas[0].over
        join(table, 9, (0, 1, holed, 4), to=(0, 1), author=holed)
        table.kill(holed)
        table.restart(holed, incomplete=True)
        table.restart(back)
        line = table.replicas[0].transcript
        table.run(lambda _: back in line.members, seconds=GRACE)
        assert back in line.members
        assert holed in line.views[-2].lost | line.views[-1].lost  # it may be back by now


def test_four_linked_of_six_play_on_whatever_two_liars_have_told_each_of_them_alone():
    """Two have left, each heard by one alone, and are back; the liars signed attempts to some, and
    then nothing more. Who asks back wants others than the members do, who forgive in the end: in
    the model questions without a pause between them had kept them from it for ever."""
    silent = (4, 5)
    with installed():
        table = Table(roster(6, 6, TableSettings(grace=GRACE), load("dogs-life")), seed=b"mute0")
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 13, seconds=600)
        for liar in silent:
            unsigned(table, liar, "move", "here", "past")
        table.run(seconds=0.5)
        view = table.replicas[0].transcript.view
        told = [(1, (0, 1, 2, 4, 5), 3, 5), (2, (0, 1, 2, 3, 5), 3, 5), (1, (0, 1, 2, 4, 5), 3, 4)]
        for attempt, members, to, author in [*told, (3, (0, 1, 3, 4, 5), 0, 4)]:
            join(table, view + attempt, members, (to,), author=author)
        for left, hears in ((2, 0), (3, 1)):
            table.step(left, inputs.Leaving())
            table.queue.clear()
            table.kill(left, lost=False)
            leave(table, view, (hears,), author=left, bringer=4)
        for left in (2, 3):
            table.restart(left)
        goal = 6 + max(replica.transcript.number for replica in table.alive)
        table.run(lambda t: min(t.replicas[p].transcript.number for p in range(4)) > goal, 150)
        assert min(table.replicas[p].transcript.number for p in range(4)) > goal
        assert all(table.replicas[p].transcript.members == {0, 1, 2, 3} for p in range(4))


def test_who_is_out_forgives_where_too_few_answer_its_return():
    """It may hold somebody for late that others do not: as it never forgave, one of three honest
    ones asked for all, two for all but one, for good (90530024:340:0)."""
    out, others = 1, {0, 2, 3, 4}
    table = begun()
    table.kill(out)
    lines = [table.replicas[peer].transcript for peer in sorted(others)]
    table.run(lambda t: all(out not in line.members for line in lines), seconds=60)
    post = table._post

    def posts(peer, envelope):
        answer = envelope.kind == "status" and envelope.payload[2] > lines[0].view
        if peer == out or not (answer or (peer == 4 and envelope.kind == "move")):
            post(peer, envelope)

    table._post = posts
    table.restart(out)
    detector = table.replicas[out].attendance.detector
    table.run(lambda t: detector.forgiven, seconds=4 * GRACE)
    assert len(others & detector.forgiven) > 2
