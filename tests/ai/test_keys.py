"""What bots from outside are told says nothing of the luck."""

from __future__ import annotations

import json
import re
import sys
from hashlib import blake2b
from importlib.metadata import EntryPoint

import pytest

from lanplay.cli import main
from lanplay.engine.chance import Chance
from lanplay.engine.plain import encode
from lanplay.engine.record import Header
from lanplay.engine.requests import Roll
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.tournament import bots
from lanplay.tournament.executor import local
from lanplay.tournament.plan import make_plan
from lanplay.tournament.storage import Folder, Goal
from lanplay_ai import plugins
from lanplay_ai.outside.program import end_all
from tests.tournament.conftest import played

TRIED = 100_000
"""A bot tries all seeds up to this one."""

SPY = """
import json, os, sys
own = [os.environ.copy(), sys.argv]
try:
    own += [open("/proc/%d/%s" % (os.getppid(), name)).read() for name in ("cmdline", "environ")]
except OSError:
    pass
with open({path!r}, "a") as log:
    print(json.dumps({{"type": "self", "own": repr(own)}}), file=log, flush=True)
    for line in sys.stdin:
        print(line, end="", file=log, flush=True)
        message = json.loads(line)
        if message["type"] == "question":
            print(json.dumps({{"id": message["id"], "answer": message["answers"][0]}}), flush=True)
"""
"""A bot that notes whatever it is told and finds lying about."""


@pytest.fixture(autouse=True)
def _no_program_is_left():
    yield
    end_all()


class Spy:
    """A program that notes what it sees, and what can be made of it."""

    def __init__(self, folder):
        path, self._log = folder / "spy.py", folder / "seen"
        path.write_text(SPY.format(path=str(self._log)))
        self.bot = f'cmd:"{sys.executable}" "{path}"'

    def seen(self, kind):
        lines = map(json.loads, self._log.read_text().splitlines())
        return [line for line in lines if line["type"] == kind]

    def cups(self):
        """Return the seat and the dice of the first question of each game, in their order."""
        firsts = {}
        for question in self.seen("question"):
            firsts.setdefault(question["match"], question["view"])
        return [(view["seat"], tuple(view["cup"])) for view in firsts.values()]

    def keys(self):
        return {bytes.fromhex(game["key"]) for game in self.seen("game")}

    def text(self):
        return self._log.read_text()


@pytest.fixture
def spy(tmp_path):
    return Spy(tmp_path)


def keyed(label, key):
    return blake2b(label.encode(), key=key, digest_size=32).digest()


def simulated(seed, *purpose):
    """Return what ``simulate`` derives from a seed, worked out anew."""
    secret = blake2b(str(seed).encode(), digest_size=32).digest()
    return keyed("/".join(map(str, purpose)), secret)


def planned(seed, *purpose):
    """Return what ``tournament`` derives from a seed, worked out anew."""
    return blake2b(encode((str(seed), *purpose)), digest_size=32).digest()


def seeds_of(keys, derive, places):
    """Return the seeds, of those tried, that make one of the keys for a bot at these places."""
    assert keys
    return [
        seed
        for seed in range(TRIED + 1)
        if any(derive(seed, "bot", *place) in keys for place in places)
    ]


def seeds_of_dice(cups):
    """Return the seeds, of those tried, under which ``simulate`` rolls these cups first."""
    game = load("dice-town")
    options = {name: values[0] for name, values in game.options.items()}
    header = Header(game.name, options, ("a", "b"))
    begun = Simulation(game, header, [None, None], Chance(b""))
    while not isinstance(begun.request, Roll):
        begun.step()
    at = begun.request.at
    found = range(TRIED + 1)
    for number, (seat, cup) in enumerate(cups):
        lucks = ((seed, simulated(seed, "game", number)) for seed in found)
        found = [seed for seed, luck in lucks if Chance(luck).cups(at, {seat: 5})[seat] == cup]
    return found


PLACES = [(0, 0), (1, 1), (2, 0)]
"""Games and seats of the first bot, whose seat moves on with every game."""
DEAL = [(0, 0), (0, 1)]
"""The first deal and its seats."""


def simulate(spy, *more):
    bots = ["--bot", spy.bot, "--bot", "strong", "--seats", "2", "--games", "3", "--json"]
    assert main(["simulate", "dice-town", *bots, *more]) == 0


def test_the_key_does_not_tell_a_typed_seed_though_the_dice_do(spy, capsys):
    """In ``simulate`` no seed fits the keys; that one fits the dice is what the docs say."""
    simulate(spy, "--seed", "4711")
    assert seeds_of(spy.keys(), simulated, PLACES) == []
    assert seeds_of_dice(spy.cups()) == [4711]
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["seed"] == 4711


def test_without_a_seed_nothing_tells_it_and_the_run_can_be_repeated(spy, capsys):
    """The seed of ``simulate`` is the system's: no key, no dice, no environment has it."""
    simulate(spy)
    out, err = capsys.readouterr()
    told = json.loads(out.splitlines()[-1])
    assert told["seed"] > 1 << 80
    assert f"--seed {told['seed']}" in err
    assert str(told["seed"]) not in spy.text()
    assert seeds_of(spy.keys(), simulated, PLACES) == []
    assert seeds_of_dice(spy.cups()) == []
    hashes = []
    for more in (["--seed", str(told["seed"])], []):
        simulate(spy, *more)
        hashes.append(json.loads(capsys.readouterr().out.splitlines()[-1])["hash"])
    assert (hashes[0] == told["hash"], hashes[1] == told["hash"]) == (True, False)


def test_a_run_that_breaks_off_tells_its_seed_too(spy, capsys, monkeypatch):
    """Whatever ends ``simulate``, it can be repeated."""

    def fail(*_values):
        raise KeyboardInterrupt

    monkeypatch.setattr(Simulation, "run", fail)
    assert main(["simulate", "dice-town", "--bot", spy.bot, "--seats", "2"]) == 130
    assert re.search(r"--seed \d{20,}", capsys.readouterr().err)


def test_own_bots_play_under_the_seed_they_always_had(capsys):
    """Runs of lanplay's own bots have seed 1 if no other is asked for, and say nothing more."""
    assert main(["simulate", "dice-town", "--games", "2", "--seats", "2", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[-1])["seed"] == 1
    assert err == ""


@pytest.mark.parametrize("typed", [["--seed", "4711"], []])
def test_a_tournament_tells_its_seed_to_no_program(typed, spy, tmp_path, capsys):
    """Key, environment and arguments have nothing of the seed, which is kept to go on with."""
    folder = tmp_path / "run"
    jobs = ["--jobs", "1" if typed else "2", "--trusted"]  # it writes down what it sees
    line_up = ["dice-town", spy.bot, "strong", "--games", "2", *jobs]
    assert main(["tournament", *line_up, *typed, "--out", str(folder), "--quiet"]) == 0
    plan, _goal = Folder(folder).read_plan()
    assert json.loads((folder / "results.json").read_text())["seed"] == plan.seed
    assert len(spy.keys()) == 2
    assert seeds_of(spy.keys(), planned, DEAL) == []
    if typed:
        assert plan.seed == 4711
        return
    assert plan.seed > 1 << 80
    assert str(plan.seed) not in spy.text()
    assert main(["tournament", "--resume", str(folder), "--games", "4", "--quiet"]) == 0
    assert Folder(folder).read_plan()[0].seed == plan.seed
    fresh = ["--seed", str(plan.seed), "--out", str(tmp_path / "again"), "--quiet"]
    assert main(["tournament", *line_up, "--games", "4", *fresh]) == 0
    games = [(path / "games.csv").read_bytes() for path in (folder, tmp_path / "again")]
    assert games[0] == games[1]


@pytest.mark.parametrize(("typed", "fixed"), [(["--seed", "4711"], True), ([], False)])
def test_play_tells_its_seed_to_no_program(typed, fixed, spy, tmp_path, capsys):
    """At a table on this machine the key has nothing of a typed seed."""
    table = ["--seats", "2", "--bot", spy.bot, "--auto", "strong", "--plain"]
    assert main(["play", "dice-town", *table, *typed, "--data", str(tmp_path / "data")]) == 0
    assert seeds_of(spy.keys(), simulated, [(1,)]) == []
    assert (spy.keys() == {keyed("bot/1", b"")}) == fixed


PACKAGE = """
import lanplay_ai as ai

def make(key):
    with open({path!r}, "a") as log:
        print(key.hex(), file=log)
    return Bot()

class Bot:
    def answer(self, view, question):
        assert view.header.seed is None
        return ai.make("random", b"", "dice-town").answer(view, question)
"""
"""A bot of another package: notes its keys, and that its views have no seed."""


def test_bots_of_other_packages_are_told_no_more(tmp_path, monkeypatch, capsys):
    """Neither the keys of games nor that of the trial fits a seed; views have no seed."""
    log = tmp_path / "keys"

    def keys():
        found = {bytes.fromhex(line) for line in log.read_text().split()}
        log.unlink()
        return found

    (tmp_path / "package_that_spies.py").write_text(PACKAGE.format(path=str(log)))
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("dice-town.spy", "package_that_spies:make", plugins.GROUP)
    monkeypatch.setattr(plugins, "_found", lambda game: (("spy", entry),))
    table = ["--bot", "spy", "--bot", "strong", "--seats", "2", "--games", "2"]
    assert main(["simulate", "dice-town", *table, "--seed", "4711"]) == 0
    assert seeds_of(keys(), simulated, PLACES) == []
    plan = make_plan("dice-town", ["spy", "strong"], seed=4711)
    assert played(plan, tmp_path / "run", Goal(1), local(1)).tally.entrants[0].faults == 0
    bots.check(plan, Folder(tmp_path / "run"))
    made = keys()
    assert len(made) == 3
    assert seeds_of(made, planned, DEAL) == []
    assert planned(4711, "check") not in made


@pytest.mark.parametrize("game", ["outside", "..", "a.b.c"])
@pytest.mark.parametrize("command", ["simulate", "tournament"])
def test_no_seed_is_drawn_for_a_game_that_is_none(command, game, tmp_path, capsys):
    """Whatever stands where the game should, the games there are are named."""
    bots = ["strong", "random"] if command == "tournament" else []
    assert main([command, game, *bots]) == 2
    assert "The games are: dice-town" in capsys.readouterr().err
