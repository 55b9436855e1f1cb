"""How long a table waits, on a clock of its own, and how people go on where it waits in vain."""

from __future__ import annotations

import pytest

from lanplay.engine.replay import boundary
from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import QuorumLost, Restarted, ViewChanged
from lanplay_protocol.replica.failure_detector import PATIENCE
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.restart import boundaries, last_common
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.replica.settings import FOREVER, GRACE, TableSettings
from tests.replica.harness import Table, parts, roster, vote

LOST = 1
LONG = 120.0


def begun(peers=4, grace=GRACE, seed=b"waits"):
    table = Table(roster(peers, settings=TableSettings(grace=grace)), seed)
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP + 8 for r in t.replicas))
    return table


def goes_on(table, since, seconds):
    """Return after how many seconds the others have completed a phase without the lost one."""
    here = [r for r in table.replicas if r.me != LOST]
    number = max(r.transcript.number for r in here)
    table.run(lambda t: all(r.transcript.number > number + 1 for r in here), seconds=seconds)
    moved = all(r.transcript.number > number + 1 for r in here)
    return table.now - since if moved else None


@pytest.mark.parametrize("grace", [5, GRACE])
@pytest.mark.parametrize("ends", ["killed", "unplugged", "stuck"])
def test_play_goes_on_within_the_grace_and_a_second(grace, ends):
    """A program that ended, one without a link, and one that has links and says nothing."""
    table = begun(grace=grace)
    began = table.now
    if ends == "killed":
        table.kill(LOST)
    elif ends == "unplugged":
        table.disconnect(*table.pairs(LOST))
    else:
        table.silent.add(LOST)
    took = goes_on(table, began, 400)
    assert took is not None
    wait = PATIENCE if ends == "stuck" else grace
    assert wait <= took <= wait + 1


def test_who_goes_on_and_owes_one_thing_is_waited_for_ten_seconds():
    """It talks, and asks, and sends everything but its entropy to anybody."""
    table = begun()
    table.tampers[LOST] = lambda t, to, move: (
        [] if isinstance(t.replicas[LOST].phases.get(move.phase), Entropy) else None
    )
    table.run(lambda t: isinstance(t.replicas[0].transcript.phase, Entropy), seconds=60)
    took = goes_on(table, table.now, 100)
    assert took is not None
    assert PATIENCE - 1 <= took <= PATIENCE + 3


def test_at_grace_0_a_table_waits_for_ever():
    """Until a majority does not want to."""
    table = begun(grace=FOREVER)
    table.kill(LOST)
    assert goes_on(table, table.now, LONG) is None
    for peer in (0, 2):
        table.step(peer, inputs.SkipWait(LOST))
    assert goes_on(table, table.now, 10) is not None


def test_people_are_waited_for_while_their_programs_answer():
    """A question that nobody answers makes nobody late, whatever the grace."""
    table = begun(grace=5)
    table.run(lambda t: isinstance(t.replicas[0].transcript.phase, CommitPhase), seconds=60)
    own, table.answerer = table.answerer, None
    handle = table.handle

    def unasked(peer, output):
        handle(peer, output)
        table.queue = type(table.queue)(
            each for each in table.queue if isinstance(each[2], bytes) or each[0] != LOST
        )

    table.handle, table.answerer = unasked, own
    table.run(seconds=200)
    assert not any(event.lost for peer in range(4) for event in table.of(peer, ViewChanged))


def test_too_few_continue_as_a_new_game_without_who_is_convicted():
    """Two of whom one cheats: the game is held; resumed, the other goes on without the cheat,
    though that is there and would like to."""
    table = Table(roster(2), seed=b"anew")
    table.start()
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=600)

    def cheats(t, to, move):
        if not isinstance(t.replicas[LOST].phases.get(move.phase), Entropy):
            return None
        _, proof = move.parts
        return [parts(move, ((t.replicas[LOST].context.key.X,), proof))]

    table.tampers[LOST] = cheats
    table.run(lambda t: t.replicas[0].halted, seconds=600)
    assert table.accused(0)
    table.restart(0)
    table.run(lambda t: t.of(0, QuorumLost), seconds=60)
    table.step(0, inputs.ContinueWithout(bytes(32)))
    table.run(lambda t: t.of(0, Restarted), seconds=10)
    (event,) = table.of(0, Restarted)
    assert [peer.name for peer in event.roster.peers] == ["peer 0"]
    assert event.roster.peers[0].seats == (0, 1)
    assert event.roster.bots[1]


@pytest.mark.longer_games
def test_who_is_left_alone_says_at_once_that_it_goes_on_anew():
    """The screen offers it as soon as too few are here; it was refused until the grace ended."""
    table = Table(roster(3), seed=b"alone")
    table.start()
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=600)
    for peer in (1, 2):
        table.kill(peer)
    table.run(seconds=1)
    table.step(0, inputs.ContinueWithout(bytes(32)))
    table.run(lambda t: t.of(0, Restarted), seconds=100)
    (event,) = table.of(0, Restarted)
    assert [peer.name for peer in event.roster.peers] == ["peer 0"]


@pytest.mark.longer_games(12, 8)
def test_after_a_fork_they_continue_from_the_last_round_that_began_alike_for_all():
    """The other side has played the third round otherwise; who stood in for whom plays no part."""
    table = Table(roster(4), seed=b"fork")
    table.start()
    table.run(lambda t: all(r.context.referee.table.round > 3 for r in t.replicas), seconds=600)
    here = table.replicas[0]
    history, game = here.context.referee.history, load(here.roster.game)
    for peer in (1, 3):
        table.kill(peer)
    table.run(lambda t: t.of(0, QuorumLost), seconds=200)
    known = boundaries(game, here.roster, history)
    assert list(known)[:4] == [1, 2, 3, 4]
    other = tuple((n, each if n < 3 else bytes(32)) for n, each in known.items())
    here.context.seating.holders[1] = Holder(0, "random")
    table.step(0, inputs.Received(2, "anew", vote(table.roster, 2, bytes(32), other, (0, 2))))
    table.step(0, inputs.ContinueWithout(bytes(32)))
    (event,) = table.of(0, Restarted)
    start = game.snapshot(boundary(game, here.roster.header, history, 2))
    assert event.roster.start == start
    assert [peer.name for peer in event.roster.peers] == ["peer 0", "peer 2"]


@pytest.mark.parametrize("others", [[{1: b"a"}, {1: b"b"}], [{}, {1: b"a"}]])
def test_without_a_common_round_nothing_is_continued(others):
    assert last_common(others) is None


def test_only_who_has_waited_in_vain_calls_the_lost_one_slow():
    """Whoever was away meanwhile knows that it is out, and not why: it may have said farewell."""
    table = begun(peers=5)
    table.kill(0)
    table.silent.add(LOST)
    table.run(lambda t: all(r.transcript.view for r in t.alive if r.me != LOST), seconds=200)
    assert {event.slow for event in table.of(2, ViewChanged) if LOST in event.lost} == {(LOST,)}
    table.restart(0)
    table.run(lambda t: t.replicas[0].transcript.view, seconds=60)
    assert {event.slow for event in table.of(0, ViewChanged) if LOST in event.lost} == {()}


@pytest.mark.parametrize(("peers", "here"), [(2, 1), (3, 1), (4, 2), (5, 2)])
def test_too_few_continue_as_a_new_game_where_nobody_is_given_up_by_time(peers, here):
    """All who are here say that they do not want to wait: who is missing has no say in that."""
    table = Table(roster(peers, settings=TableSettings(grace=FOREVER)), seed=b"for ever")
    table.start()
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=600)
    gone = range(here, peers)
    for peer in gone:
        table.kill(peer)
    table.run(seconds=10)
    for peer in range(here):
        for each in gone:
            table.step(peer, inputs.SkipWait(each))
        table.step(peer, inputs.ContinueWithout(bytes([peer]) * 32))
    table.run(seconds=10)
    assert all(table.of(peer, Restarted) for peer in range(here))
