"""The folder of a run that was cut off, or in which something odd lies: gone on with, or named."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lanplay.cli import main, tournaments
from lanplay.tournament.executor import local
from lanplay.tournament.plan import make_plan
from lanplay.tournament.report import write_report
from lanplay.tournament.running import resume
from lanplay.tournament.storage import FAULTS, Goal
from tests.tournament.conftest import played


@pytest.fixture(autouse=True)
def _quick(monkeypatch, tmp_path):
    """Write no page, and logs aside."""
    monkeypatch.setattr(tournaments, "write_report", lambda *said: [])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_a_run_is_gone_on_with_though_its_list_of_faults_ends_within_a_letter(faulty, tmp_path):
    """A disk that is full cuts off anywhere, also within a letter of two bytes."""
    plan = make_plan("charidice", ["random", "beginner"], seed=3)
    folder = played(plan, tmp_path / "run", Goal(2)).folder
    before = (folder.path / FAULTS).read_bytes()
    letter = "ž".encode()
    cut = before.rindex(letter) + 1
    (folder.path / FAULTS).write_bytes(before[:cut])
    folder.games.write_text(folder.games.read_text().split("3,2,")[0])
    run = resume(folder)
    run.play(local(1))
    assert (folder.path / FAULTS).read_bytes() == before


def test_a_list_of_faults_is_read_by_its_lines_alone(tmp_path, capsys):
    """A bot's command may hold a letter that ends lines for Python, and not in the file."""
    bot = f"cmd:{sys.executable} -c 'import sys; sys.exit(len(sys.stdin.readline())) # \u2028'"
    folder = str(tmp_path / "run")
    said = ["--games", "2", "--jobs", "1", "--quiet", "--out", folder, "--trusted"]
    assert main(["tournament", "charidice", bot, "beginner", *said]) == 0
    status = main(["tournament", "--resume", folder, "--jobs", "1", "--quiet"])
    assert status == 0, capsys.readouterr().err


MULTILINE = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "question":
        print(json.dumps({"id": said["id"], "answer": said["answers"][0]}), flush=True)
"""


@pytest.fixture
def several_lines(tmp_path):
    """A run of three deals with a bot whose command has several lines."""
    bot = f"cmd:{shlex.join([sys.executable, '-c', MULTILINE.rstrip()])}"
    folder = tmp_path / "run"
    said = ["--games", "6", "--seed", "3", "--out", str(folder), "--jobs", "1", "--quiet"]
    assert main(["tournament", "charidice", bot, "beginner", *said, "--trusted"]) == 0
    return folder


def test_a_finished_run_with_a_command_of_several_lines_can_be_resumed(several_lines, capsys):
    """Its table is as it was; nothing is cut off."""
    before = (several_lines / "games.csv").read_bytes()
    status = main(["tournament", "--resume", str(several_lines), "--jobs", "1", "--quiet"])
    assert (several_lines / "games.csv").read_bytes() == before
    assert status == 0, capsys.readouterr().err


def test_a_game_of_a_command_of_several_lines_can_be_replayed(several_lines, capsys):
    status = main(["replay", str(several_lines), "--game", "2", "--no-step"])
    assert status == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    "wanted", [["tournament", "--resume", "run"], ["replay", "run", "--game", "2", "--no-step"]]
)
def test_a_folder_that_somebody_has_sent_starts_no_program(wanted, tmp_path, monkeypatch, capsys):
    """Its plan may name any command: it runs once the person who was sent it says so."""
    monkeypatch.chdir(tmp_path)
    program = f"open('started', 'a').close(){MULTILINE}"
    bot = f"cmd:{shlex.join([sys.executable, '-c', program])}"
    begun = ["tournament", "charidice", bot, "beginner", "--games", "2", "--out", "run"]
    assert main([*begun, "--jobs", "1", "--quiet", "--trusted", "--data", "theirs"]) == 0
    Path("started").unlink()
    assert main([*wanted, "--data", "own"]) == 2
    assert "lanplay tournament --resume run --trusted" in capsys.readouterr().err
    assert not Path("started").exists()
    assert main(["tournament", "--resume", "run", "--quiet", "--trusted", "--data", "own"]) == 0
    assert main([*wanted, "--data", "own"]) == 0


def test_the_seed_of_a_plan_is_looked_for_among_seeds_alone(tmp_path, capsys):
    """What a plan calls its commitment is no way to other files."""
    plan = make_plan("charidice", ["random", "beginner"])
    folder = played(plan, tmp_path / "run", Goal(1)).folder
    there = json.loads((folder.path / "plan.json").read_text())
    there |= {"seed": None, "commitment": "../secret"}
    (folder.path / "plan.json").write_text(json.dumps(there))
    (folder.path / "results.json").unlink()
    (tmp_path / "own" / "seeds").mkdir(parents=True)
    (tmp_path / "own" / "secret").write_text("1")
    own = ["--data", str(tmp_path / "own")]
    assert main(["tournament", "--resume", str(folder.path), *own]) == 2
    assert "is not known here" in capsys.readouterr().err


NONE = {"entrants": (), "versions": ()}


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"seats": 0}, "charidice is for 2 to 4 seats, not 0"),
        ({"seats": 12, "orders": "all"}, "charidice is for 2 to 4 seats, not 12"),
        (NONE, "A tournament needs at least two entrants"),
        ({"schedule": "x"}, "no schedule 'x'"),
        ({"shard": (1, 0)}, "there is no part 1/0"),
    ],
)
def test_a_plan_that_cannot_be_is_told_so(other, why, tmp_path, capsys):
    """Whoever made it: no memory is filled with line-ups, and nothing counts as our fault."""
    plan = make_plan("charidice", ["random", "beginner"])
    folder = played(plan, tmp_path / "run", Goal(1)).folder
    goal = Goal(1, shard=other.get("shard", (1, 1)))
    folder.write_plan(replace(plan, **{k: v for k, v in other.items() if k != "shard"}), goal)
    for command in (["tournament", "--resume"], ["replay", "--game", "1", "--no-step"]):
        assert main([*command, str(folder.path)]) == 2
        assert f"{folder.path / 'plan.json'} cannot be used ({why}" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("name", ["results.json", "report.html", "entrants.csv", "timing.json"])
def test_a_folder_that_somebody_has_sent_reaches_no_file_outside_of_it(name, tmp_path, monkeypatch):
    """A link in it led results to any file of whoever went on with the run."""
    monkeypatch.setattr(tournaments, "write_report", write_report)
    plan = make_plan("charidice", ["random", "beginner"])
    folder = played(plan, tmp_path / "run", Goal(1)).folder
    (tmp_path / "outside").write_text("precious")
    (folder.path / name).unlink(missing_ok=True)
    (folder.path / name).symlink_to(tmp_path / "outside")
    assert main(["tournament", "--resume", str(folder.path), "--quiet"]) == 0
    assert (tmp_path / "outside").read_text() == "precious"
    assert not (folder.path / name).is_symlink()


LONG_NUMBER = "9" * 5000


def test_an_option_of_a_game_without_any_is_told_so(capsys):
    """Not as a list of options that is empty."""
    assert main(["tournament", "charidice", "random", "beginner", "--option", "x=1"]) == 2
    assert "This game has no options." in capsys.readouterr().err


@pytest.mark.parametrize("said", [f"{LONG_NUMBER}/{LONG_NUMBER}", f"1/{LONG_NUMBER}"])
def test_a_part_whose_number_is_too_long_is_told(said, tmp_path, capsys):
    status = main(["tournament", "charidice", "random", "beginner", "--shard", said])
    assert status == 2, capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plan.json", "[" * 100_000),
        ("timing.json", "[" * 100_000),
        ("timing.json", '{"seconds": null}'),
        ("timing.json", '{"seconds": 1e999}'),
        ("games.csv", b"more columns"),
        ("games.csv", b"null"),
        ("games.csv", b"long"),
        ("timing.json", '{"decisions": [1, null], "nanoseconds": [1, 1], "slowest": [1, 1]}'),
        ("games.csv", b"\xff\xfe"),
        ("games.csv", b"entrant 9"),
        ("faults.jsonl", "{}\n"),
    ],
)
def test_odd_files_of_a_run_are_told_or_passed_over(name, content, tmp_path, capsys):
    """``--resume`` says which file cannot be used; it does not call it a fault of lanplay."""
    plan = make_plan("charidice", ["random", "beginner"], seed=3)
    folder = played(plan, tmp_path / "run", Goal(2)).folder
    path = folder.path / name
    if content == b"entrant 9":
        path.write_text(path.read_text().replace("1,1,1,1,random", "1,1,1,9,random"))
    elif content == b"more columns":
        path.write_text(path.read_text().replace("\n1,", ",7\n1,").replace("\n2,", ",7\n2,"))
    elif content == b"long":
        path.write_text(path.read_text().replace("beginner", "b" * 200_000))
    elif content == b"null":
        path.write_text(path.read_text().replace("beginner", "\0"))
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content)
    status = main(["tournament", "--resume", str(folder.path), "--jobs", "1", "--quiet"])
    assert status in (0, 2), capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_a_folder_in_which_nothing_can_be_made_is_named(capsys):
    """The system says that there is no such file."""
    said = ["--games", "2", "--jobs", "1", "--quiet", "--out", "/proc/self/x"]
    status = main(["tournament", "charidice", "random", "beginner", *said])
    assert status == 2, capsys.readouterr().err


def test_a_table_of_games_that_is_empty_is_told_so(tmp_path, capsys):
    """Not even its first line is there: a disk was full, and nothing counts as our fault."""
    plan = make_plan("charidice", ["random", "beginner"])
    folder = played(plan, tmp_path / "run", Goal(1)).folder
    folder.games.write_bytes(b"")
    assert main(["replay", str(folder.path), "--game", "1"]) == 2
    assert "has no game 1" in capsys.readouterr().err
