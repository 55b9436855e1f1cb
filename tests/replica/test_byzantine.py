"""Some schedules of the simulator: ``python -m tests.byzantine.run`` plays them for hours."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pytest

from lanplay.games import load
from lanplay_protocol.crypto.choice import opening
from lanplay_protocol.crypto.group import mul
from lanplay_protocol.rates import Bucket
from lanplay_protocol.replica import attendance, events, inputs
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.hand_openings import HandOpenings
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.settings import ABSENT
from lanplay_protocol.replica.spectator import answer
from tests.byzantine import floods, witnesses
from tests.byzantine import world as byzantine
from tests.byzantine.draws import Draws
from tests.byzantine.floods import flood
from tests.byzantine.post import Parcel, Post
from tests.byzantine.run import GAMES, LEDGER, ROUND, begun, ledger
from tests.byzantine.secrets import Recorded
from tests.byzantine.witnesses import checked, read_again, watched
from tests.byzantine.world import World

MOST = 30
"""Schedules of each game or so: their number ends the test, not the time that a machine needs."""
EACH = 12
"""As many at least, on average: with the whole games they are a hundred."""

WHOLE = ("0", "1", "2", "5", "6", "57", "58", "62", "69", "70")
"""Whole games: most of the two that are short; the last five at tables as people have them."""
DRAWN = range(ROUND, 10 * ROUND)
"""Numbers whose tables are drawn."""


def campaign(*arguments):
    command = (sys.executable, "-m", "tests.byzantine.run", *arguments, "--seconds", "inf")
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_what_a_link_brings_comes_in_turn_once_it_is_due():
    """Of each link the first that is due, in the order in which all were posted; a sleeper's waits.
    What is late on a link holds up nothing behind it."""
    post = Post()
    late, first, second, other, asleep = (
        Parcel(0, 1, "late", 5.0),
        Parcel(0, 1, "first"),
        Parcel(0, 1, "second"),
        Parcel(2, 1, "other"),
        Parcel(0, 3, "asleep"),
    )
    for parcel in (late, first, second, other, asleep):
        post.append(parcel)
    assert post.due(0.0, {3}) == [first, other]
    assert post.due(5.0, set()) == [late, other, asleep]
    assert post.remove(first)
    assert not post.remove(first)
    assert post.due(0.0, {3}) == [second, other]
    assert post.take(lambda parcel: parcel.to == 1) == [late, second, other]
    assert list(post) == [asleep]


@pytest.mark.parametrize("game", GAMES)
def test_tables_are_drawn_as_people_have_them(game):
    """Several seats at a laptop, AI at some of them, each value of each option, each way to
    treat who is absent, words that people compare or not, from the beginning or a later round."""
    worlds = [begun(n, start=False) for n in DRAWN if GAMES[n % len(GAMES)] == game]
    rosters = [world.roster for world in worlds]
    ours = [[seat for peer in each.peers for seat in peer.seats] for each in rosters]
    assert all(sorted(seats) == list(range(len(seats))) for seats in ours)
    counts = [[len(peer.seats) for peer in each.peers] for each in rosters]
    assert any(first > 2 and max(others) == 1 for first, *others in counts)
    assert any(max(others) > 1 for _, *others in counts)
    manned = {frozenset(map(bool, each.bots)) for each in rosters}
    assert frozenset({False, True}) in manned
    for name, values in load(game).options.items():
        assert {dict(each.options)[name] for each in rosters} == set(values)
    assert {each.settings.absent for each in rosters} == set(ABSENT)
    assert {world.trusting for world in worlds} == {False, True}
    assert {each.start is None for each in rosters} == {False, True}


def test_people_compare_words_open_hands_and_go_on_in_a_new_game(monkeypatch):
    """Liars neither open a hand nor go on; who is not asked about a hand any more, opens none."""
    world, given, chosen = begun(1), [], [0]
    world.liars = frozenset({1})
    monkeypatch.setattr(world, "step", lambda actor, what: given.append((actor.place, type(what))))
    monkeypatch.setattr(world, "draws", SimpleNamespace(below=lambda _: chosen[0]))

    def asked(item):
        given.clear()
        for place in (0, 1):
            world._deliver(Parcel(place, place, item))
        return given.copy()

    assert asked(events.TrustNeeded(b"")) == [(0, inputs.Trusted), (1, inputs.Trusted)]
    vote, hand = events.RestartVote(2), events.OpeningAsked(())
    assert asked(vote) == asked(hand) == []
    chosen[0] = 1
    assert asked(vote) == [(0, inputs.ContinueWithout)]
    assert asked(hand) == []
    monkeypatch.setattr(HandOpenings, "asked", (2,))
    assert asked(hand) == [(0, inputs.OpenHands)]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("games", [("1", "2", "9", "3"), ("53", "58", "37", "39")])
def test_no_schedule_of_lies_and_faults_hurts_an_honest_peer(games):
    """None is convicted or loses its seat, verdicts agree, secrets stay, and every game goes on."""
    told = campaign("--games", *games, "--most", str(MOST))
    assert told.startswith("group: a cheap stand-in")
    played = re.search(r"^(\d+) schedules, 0 wrong", told, re.MULTILINE)
    assert played
    assert int(played[1]) >= EACH * len(games)
    [row] = tomllib.loads(told[told.index("[[run]]") :])["run"]
    assert row.keys() == tomllib.loads(LEDGER.read_text())["run"][-1].keys()
    assert 0 < row["schedules"] <= int(played[1])


def test_liars_lead_one_honest_peer_to_where_no_other_is():
    told = campaign("--games", "1", "6", "--most", "18", "--led", "--report")
    assert re.search(r"^\d+ schedules, 0 wrong", told, re.MULTILINE)
    assert "leads by" in told


def test_what_others_see_of_a_table_is_looked_at(monkeypatch):
    """A journal that lacks something, a watcher that is shown half, a record that names nobody."""
    world = begun(1)
    for _ in range(900):
        world.turn()
    seen, disk = world.actors[0].replica, [e for es, _ in world.actors[0].disk for e in es]
    assert not [*read_again(seen, disk, world._replica(0)), *checked(seen), *watched(seen, 0.0)]
    assert [*read_again(seen, disk[: len(disk) // 2], world._replica(0))]
    with monkeypatch.context() as patch:
        patch.setattr(witnesses, "answer", lambda peer, at: answer(peer, at)[:40])
        assert [*watched(seen, 0.0)]
    monkeypatch.setattr(Recorded, "convicted", {1: None})
    assert [*checked(seen)] == ["its record names nobody; [1] are convicted"]


def test_who_watches_is_to_see_what_the_table_sees_while_most_play_there(monkeypatch):
    """Once most have gone on in a new game, no view tells of what a liar showed it alone."""
    world = begun(1)
    world.draws = Draws(b"who is looked at")
    monkeypatch.setattr(World, "_watchers_apart", lambda _: ["apart"])
    world._see()
    assert world.faults.pop() == "apart"
    world.anew = dict.fromkeys((1, 2))
    world._see()
    assert not world.faults


def test_words_without_end_that_cost_others_too_much_are_found(monkeypatch):
    """Of each kind some hundreds: here of people who are said to come and go."""
    world = begun(1)
    for _ in range(300):
        world.turn()
    world.liars = frozenset({0})
    assert not flood(world, 0, 1, "presence")
    monkeypatch.setattr(attendance, "speaking", lambda: Bucket(1 << 20, 1.0))
    assert [*flood(world, 0, 2, "presence")]


def test_what_a_flood_may_leave_behind_grows_with_the_game_alone(monkeypatch):
    """A line that is gone over once more has so much for each phase, and one thing more is told."""
    world = begun(1)
    while world.actors[1].replica.transcript.number < 20:
        world.turn()
    world.liars = frozenset({0})
    most = floods.SOME + floods.AGAIN * world.actors[1].replica.transcript.number
    for more in (0, 1):
        counted = iter((0, most + more))
        monkeypatch.setattr(floods, "objects", lambda _, counted=counted: next(counted))
        told = [each for each in flood(world, 0, 1, "status") if each.endswith("objects")]
        assert len(told) == more


def test_where_too_few_play_on_nothing_has_to_follow(monkeypatch):
    """Two of three have given the start up: the third is not watched for long, nor found stuck."""
    world = begun(1)
    for _ in range(300):
        world.turn()
    for place in (1, 2):
        world.crash(world.actors[place])
        world.actors[place].held = world.now
    monkeypatch.setattr(byzantine, "TURNS", 1000)
    before = world.turns
    world._quiet(whole=False)
    assert not world.faults
    assert world.turns - before < 200


def test_a_laptop_that_is_away_is_not_waited_for_in_steps_without_end(monkeypatch):
    """Those who talk much meanwhile have talked enough after a tenth of the steps."""
    world = begun(1)
    for _ in range(300):
        world.turn()
    world.draws = Draws(b"who is away")
    monkeypatch.setattr(byzantine, "TURNS", 100)
    before = world.turns
    world._go_away()
    assert world.turns - before == 100 // 10 + 1
    assert not world.down


def test_the_ledger_of_the_campaigns_counts_no_schedule_twice():
    rows = tomllib.loads(LEDGER.read_text())["run"]
    for one, other in combinations(rows, 2):
        if (one["law"], one["kind"]) == (other["law"], other["kind"]):
            assert one["games"][1] < other["games"][0] or other["games"][1] < one["games"][0]
    assert len(list(ledger())) == len({(row["law"], row["kind"]) for row in rows})


@pytest.mark.timeout(1800)
def test_no_whole_game_with_the_real_crypto_hurts_an_honest_peer():
    told = campaign("--whole", "--real", "--games", *WHOLE)
    assert told.startswith("group: libsodium's")
    assert re.search(r"^10 schedules, 0 wrong", told, re.MULTILINE)


def die(context, phase):
    """The secret of a die under its owner's cup."""
    bases = [base for s, owner in context.cups.owners.items() for base in context.cups.bases(s)
             if owner == context.me]  # fmt: skip
    return mul(context.key.x, bases[0]) if bases else None


def card(context, phase):
    """The own share of a card that one seat alone knows."""
    known = [c for seat in context.views for c in context.deck.known(seat)]
    return mul(context.key.x, context.deck.bases(known[:1])[0]) if known else None


def choice(context, phase):
    """What opens a choice, before all have committed."""
    return opening(context.key, phase.slot(0)) if isinstance(phase, CommitPhase) else None


@pytest.mark.parametrize(
    ("game", "secret"), [("dice-town", die), ("dice-town", card), ("dice-town", choice)]
)
def test_the_search_for_secrets_finds_one_that_is_let_out(game, secret):
    world = begun(GAMES.index(game))
    replica, step, planted = world.actors[0].replica, world.actors[0].replica.step, []

    def leaky(given, now):
        output = step(given, now)
        found = secret(replica.context, replica.transcript.phase)
        if found is None or planted or not isinstance(given, inputs.Received):
            return output
        planted.append(found)
        return replace(
            output, send=(*output.send, Envelope("want", (0, 0, bytes(32), (), (found,), ())))
        )

    replica.step = leaky
    while world.turn() and not planted:
        assert not world.faults
    assert planted
    assert any("0 lets out" in fault for fault in world.faults), world.faults
