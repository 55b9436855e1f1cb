"""A rating is worth something among strangers: a bot that tries everything plays as its twin."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from lanplay.cli import main, tournaments
from lanplay.errors import UserError
from lanplay.tournament.executor import local
from lanplay.tournament.outcome import from_csv
from lanplay.tournament.plan import make_plan
from lanplay.tournament.playing import Task, play
from lanplay.tournament.running import Run, begin, resume
from lanplay.tournament.storage import Folder, Goal
from lanplay_ai import plugins
from lanplay_ai.outside import walls
from lanplay_ai.outside.program import BotFault, Program, end_all
from tests.tournament.conftest import played

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/examples/bot.py"
SECRET = (1 << 100) + 4711
"""A seed as the system draws it."""
shut = pytest.mark.skipif(not walls.able(), reason="no walls can be built here")

THIEF = r"""
import ctypes, gc, json, os, pathlib, resource, signal, socket, subprocess, sys

from lanplay.engine.chance import Chance
from lanplay.engine.plain import digest
from lanplay.engine.question import answers
from lanplay.engine.requests import Roll
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load

FOLDER, DATA, LANPLAY = pathlib.Path({folder!r}), pathlib.Path({data!r}), {lanplay}
GAMES, SEEDS = [], list(range(1500))
LIBC = ctypes.CDLL(None, use_errno=True)


def seed_of_key(bot, view):
    return [n for n in range(3000) if digest((str(n), "bot", 0, view.seat)) == bot.key]

def seed_of_dice(bot, view):
    begun = Simulation(load("dice-town"), view.header, [None, None], Chance(b""))
    while not isinstance(begun.request, Roll):
        begun.step()
    at, game = begun.request.at, len(GAMES)
    GAMES.append(1)
    SEEDS[:] = [
        n for n in SEEDS
        if Chance(digest((str(n), "game", game))).cups(at, {{view.seat: 5}})[view.seat] == view.cup
    ]
    return game == 3 and SEEDS

def others_views(bot, view):
    known = [o for o in gc.get_objects() if type(o).__name__ in ("Simulation", "TournamentPlan")]
    return known or [o for o in gc.get_objects() if isinstance(o, View) and o.seat != view.seat]

def frames(bot, view):
    frame = sys._getframe()
    while frame:
        if "seed" in frame.f_locals or "simulation" in frame.f_locals:
            return frame.f_code.co_name
        frame = frame.f_back

def header(bot, view):
    return view.header.seed

def memory(bot, view):
    return open(f"/proc/{{LANPLAY}}/mem", "rb").fileno()

def memory_by_call(bot, view):
    class Part(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
    into = ctypes.create_string_buffer(8)
    parts = Part(ctypes.addressof(into), 8), Part(id(gc), 8)
    call = LIBC.process_vm_readv
    call.restype = ctypes.c_ssize_t
    return call(LANPLAY, ctypes.byref(parts[0]), 1, ctypes.byref(parts[1]), 1, 0) > 0 or (
        ctypes.get_errno() == 14 and "the address alone is wrong")

def tracing(bot, view):
    return LIBC.ptrace(0x4206, LANPLAY, None, None) == 0  # seizes, and stops nobody

def files_of_lanplay(bot, view):
    pidfd = LIBC.syscall(434, LANPLAY, 0)
    return pidfd >= 0 and any(LIBC.syscall(438, pidfd, n, 0) >= 0 for n in range(3, 9))

def environment(bot, view):
    return open(f"/proc/{{LANPLAY}}/environ").read() or "SEED" in str(os.environ)

def arguments(bot, view):
    return open(f"/proc/{{LANPLAY}}/cmdline").read()

def plan(bot, view):
    return json.loads((FOLDER / "plan.json").read_text())["seed"]

def results(bot, view):
    return json.loads((FOLDER / "results.json").read_text())["seed"]

def games_of_others(bot, view):
    return (FOLDER / "games.csv").read_text()

def kept_seed(bot, view):
    return [path.read_text() for path in DATA.rglob("*") if path.is_file()]

def kept_seed_by_another(bot, view):
    return subprocess.run(f"cat {{DATA}}/seeds/*", shell=True, capture_output=True).stdout

def kept_seed_by_a_link(bot, view):
    os.symlink(DATA, FOLDER / "link")
    return True

def moving_it(bot, view):
    os.rename(DATA, FOLDER / "moved")
    return True

def changing_results(bot, view):
    return (FOLDER / "games.csv").open("a")

def closing_results(bot, view):
    (FOLDER / "games.csv").chmod(0)
    return True

def leaving_notes(bot, view):
    return (pathlib.Path(__file__).parent / "notes").open("w")

def network(bot, view):
    return socket.socket()

def datagrams(bot, view):
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

def local_sockets(bot, view):
    return socket.socket(socket.AF_UNIX)

def rings(bot, view):
    return LIBC.syscall(425, 4, ctypes.create_string_buffer(120)) >= 0

def signals(bot, view):
    os.kill(LANPLAY, 0)
    return True

def slowing(bot, view):
    os.sched_setaffinity(LANPLAY, os.sched_getaffinity(LANPLAY))
    return True

def nicing(bot, view):
    os.setpriority(os.PRIO_PROCESS, LANPLAY, os.getpriority(os.PRIO_PROCESS, LANPLAY))
    return True

def limiting(bot, view):
    return resource.prlimit(LANPLAY, resource.RLIMIT_CPU)

def leaving_the_group(bot, view):
    if not (child := os.fork()):
        try:
            os.setsid()
        except OSError:
            os._exit(0)
        os._exit(1)
    return os.waitpid(child, 0)[1]

def memory_without_end(bot, view):
    return len(bytearray(walls_memory + 1))

def all_cores(bot, view):
    return len(os.sched_getaffinity(0)) > 1

walls_memory = {memory}
ATTACKS = [each for each in list(globals().values()) if getattr(each, "__module__", "") == __name__]
TRIED = []


class Twin:
    def __init__(self, key):
        self.key = key
        self.asked = 0

    def answer(self, view, question):
        return next(iter(answers(question, view)))


class Thief(Twin):
    ways = ATTACKS

    def answer(self, view, question):
        self.asked += 1
        if self.asked == 1:
            loot = []
            for attack in [seed_of_dice] if TRIED else self.ways:
                try:
                    found = attack(self, view)
                except Exception:
                    found = None
                if found:
                    loot.append(attack.__name__)
            TRIED.append(True)
            if loot:
                raise ValueError(" ".join(loot))
        return super().answer(view, question)


class Burglar(Thief):
    ways = [seed_of_dice, games_of_others, kept_seed, leaving_notes, network, signals]
"""
OPEN = {"seed_of_dice", "games_of_others", "kept_seed", "leaving_notes", "network", "signals"}
"""What a bot can do that nothing shuts in, whoever it runs as."""


@pytest.fixture
def run(place, monkeypatch):
    """A folder in which a tournament is under way, its seed kept apart, and a thief beside it."""
    folder, data, bots = place / "run", place / "data", place / "bots"
    bots.mkdir()
    said = {"folder": str(folder), "data": str(data), "lanplay": os.getpid()}
    (bots / "thief_of_tests.py").write_text(THIEF.format(**said, memory=walls.MEMORY))
    monkeypatch.syspath_prepend(bots)
    found = [
        (name.lower(), EntryPoint(f"dice-town.{name.lower()}", f"thief_of_tests:{name}", "bots"))
        for name in ("Thief", "Twin", "Burglar")
    ]
    monkeypatch.setattr(plugins, "_found", lambda game: tuple(found))
    yield Folder(folder, data)
    end_all()


def batch_of(bot, folder, hidden, seed=SECRET):
    plan = make_plan("dice-town", [bot, "beginner"], seed=seed, sealed=True)
    if not folder.path.exists():
        begin(plan, Goal(2), folder)
    batch = play(Task(plan, 0, 2, hidden=folder.hidden(plan) if hidden else None))
    games = [each for rows in batch.rows for each in from_csv(rows.splitlines())]
    return batch, [(each.scores, each.state) for each in games]


@shut
def test_a_bot_that_tries_everything_plays_as_its_honest_twin(run):
    """It finds nothing, in 32 ways, and no game of it ends otherwise than those of its twin."""
    thief, games = batch_of("thief", run, hidden=True)
    assert [fault.why for *_, fault in thief.faults] == []
    assert games == batch_of("twin", run, hidden=True)[1]


def test_what_is_not_shut_in_finds_a_lot(run):
    """Some of the same ways, where nothing is shut in: the test above would notice what is open.

    And a seed that is short is found from the dice.
    """
    burglar, _ = batch_of("burglar", run, hidden=False, seed=77)
    assert set(" ".join(fault.why for *_, fault in burglar.faults).split()) >= OPEN


def test_the_seed_is_told_once_all_is_played(run):
    """Until then plan and results have its commitment alone; then it fits, and games replay."""
    plan = make_plan("dice-town", ["twin", "beginner"], seed=SECRET, sealed=True)
    half = begin(plan, Goal(2), run)
    half.goal = Goal(2, shard=(1, 2))
    half.play(local(1))
    half.goal = Goal(2)
    half.write(half.found())
    assert str(SECRET) not in "".join(path.read_text() for path in run.path.glob("*.json"))
    whole = resume(run)
    whole.play(local(1))
    whole.write(whole.found())
    results = json.loads((run.path / "results.json").read_text())
    assert results["seed"] == SECRET
    assert run.read_plan()[0] == plan
    assert [results["commitment"]] == [plan.commitment]
    run._seed(plan.commitment).unlink()  # elsewhere it is known from the results alone
    assert run.read_plan()[0] == plan
    (run.path / "results.json").write_text(json.dumps({**results, "seed": SECRET + 1}))
    with pytest.raises(UserError, match="its commitment"):
        run.read_plan()


def test_a_commitment_is_to_bots_options_and_seed():
    """Whatever results depend on is bound by it."""
    plans = [
        make_plan("dice-town", [*bots], seed=seed, options={"brute": brute})
        for bots in (("strong", "casual"), ("casual", "strong"))
        for seed in (1, 2)
        for brute in ("free", "one_extra")
    ]
    assert len({plan.commitment for plan in plans}) == len(plans)


@shut
def test_the_walls_hide_no_more_than_they_say():
    """All files but those hidden are read, and a folder that comes to be there is none of them."""
    found = set(walls.spared(["/usr/lib", "/proc"]))
    assert "/usr" not in found
    assert "/usr/lib" not in found
    assert {"/usr/bin", "/etc"} <= found
    assert not any(path.startswith("/proc") for path in found)


@shut
def test_all_of_a_program_within_walls_ends_with_it():
    """What it starts stays in its group, and stands still while nobody asks."""
    deed = "import os,sys; os.fork(); [print(1, flush=True) for line in sys.stdin]"
    program = Program(f'"{sys.executable}" -c "{deed}"', 20.0, hidden=())
    group = program._process.pid
    assert program.ask({}) == 1
    assert soon(lambda: states(group) == ["T", "T"])
    assert program.ask({}) == 1
    program.close()
    assert soon(lambda: set(states(group)) <= {"Z"})


def soon(condition):
    """Tell whether something is so within some seconds: a signal takes its time."""
    until = time.monotonic() + 10
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


def states(group):
    """Return the states of the processes of a group."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _parent, its, *_ = path.read_text().rpartition(")")[2].split()
            found += [state] if its == str(group) else []
    return found


def test_no_two_games_among_strangers_have_the_same_luck():
    """Who remembers one game of a deal knows nothing of the next; and none has the deal's luck."""
    plan = make_plan("dice-town", ["random", "random"], sealed=True)
    lucks = {plan.luck(deal, 2 * deal + game) for deal in range(3) for game in range(2)}
    assert len(lucks | {replace(plan, sealed=False).luck(deal, 0) for deal in range(3)}) == 9


@shut
def test_a_program_that_is_none_is_told_as_ever():
    """Walls change nothing of what is said of a command that cannot be started."""
    with pytest.raises(BotFault, match="cannot be started"):
        Program("nosuchprogram", 1.0, hidden=())


def test_a_run_among_strangers_is_sealed_by_itself(run, tmp_path, capsys, monkeypatch):
    """The command line draws the seed, tells its commitment first, and the seed at the end."""
    monkeypatch.setattr(tournaments, "write_report", lambda *said: [])
    out = str(tmp_path / "out")
    line = ["tournament", "dice-town", "twin", "beginner", "--games", "2", "--jobs", "1", "--quiet"]
    assert main([*line, "--out", out, "--data", str(tmp_path / "data")]) == 0
    results = json.loads((Path(out) / "results.json").read_text())
    assert results["sealed"]
    assert results["seed"] > 1 << 64
    assert f"seed: {results['commitment']}" in capsys.readouterr().out.splitlines()[0]
    assert main(["replay", out, "--game", "2", "--no-step"]) == 0


@shut
def test_a_bot_may_lie_in_the_folder_of_its_run(place, monkeypatch):
    """What is told there is hidden from it, its own file is not."""
    monkeypatch.setattr(tournaments, "write_report", lambda *said: [])
    monkeypatch.chdir(place)
    Path("bot.py").write_text(EXAMPLE.read_text())
    line = ["tournament", "dice-town", f"cmd:{sys.executable} bot.py", "beginner", "--games", "2"]
    assert main([*line, "--jobs", "1", "--quiet", "--out", ".", "--data", "data"]) == 0
    assert not Path("faults.jsonl").exists()


def test_a_bot_that_has_changed_is_another_one(run, tmp_path, capsys):
    """A run is not gone on with by another version of a bot."""
    bot = tmp_path / "bot.py"
    bot.write_text("pass")
    plan = make_plan("dice-town", ["random", "beginner"])
    before = make_plan("dice-town", [f"cmd:{sys.executable} {bot}", "beginner"]).versions
    bot.write_text("pass ")
    assert before != make_plan("dice-town", [f"cmd:{sys.executable} {bot}", "beginner"]).versions
    played(plan, tmp_path / "own", Goal(1))
    path = tmp_path / "own" / "plan.json"
    path.write_text(path.read_text().replace("lanplay 0.", "lanplay 9."))
    assert main(["tournament", "--resume", str(path.parent)]) == 2


def test_the_files_of_a_package_tell_one_bot_from_another(guests):
    """Whoever changes a bot seldom gives its package a new version, too."""
    before = make_plan("dice-town", ["first", "beginner"]).versions
    assert before[0].startswith("guests_of_tests 1 ")
    assert before == make_plan("dice-town", ["first", "beginner"]).versions
    with (guests / "guests_of_tests.py").open("a") as file:
        file.write("# changed\n")
    assert before != make_plan("dice-town", ["first", "beginner"]).versions


@pytest.mark.parametrize("of", ["a package", "a program"])
def test_a_bot_that_was_changed_while_it_played_is_told(of, guests, tmp_path, capsys, monkeypatch):
    """Its games are those of both, unless its old code ran to the end: nobody knows which."""
    bot, file = "first", guests / "guests_of_tests.py"
    if of == "a program":
        file = tmp_path / "bot.py"
        file.write_text(EXAMPLE.read_text())
        bot = f"cmd:{sys.executable} {file}"
    line = ["dice-town", bot, "beginner", "--games", "2", "--jobs", "1", "--quiet", "--trusted"]
    assert main(["tournament", *line, "--out", str(tmp_path / "same")]) == 0
    assert "was changed" not in capsys.readouterr().err
    play = Run.play

    def edited(run, workers):
        play(run, workers)
        file.write_text(file.read_text() + "# changed\n")

    monkeypatch.setattr(Run, "play", edited)
    out = str(tmp_path / "other")
    assert main(["tournament", *line, "--out", out]) == 0
    assert f"{bot} was changed while its games were played" in capsys.readouterr().err
    assert main(["tournament", "--resume", out]) == 2
    assert f"begun with another {bot}" in capsys.readouterr().err
