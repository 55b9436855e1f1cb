"""A run that is played in parts and put together is the run that one machine plays."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from lanplay.cli import main, tournaments
from lanplay.errors import UserError
from lanplay.tournament.executor import local
from lanplay.tournament.merging import finished, merge
from lanplay.tournament.plan import make_plan
from lanplay.tournament.running import begin, resume
from lanplay.tournament.storage import FAULTS, Folder, Goal
from tests.tournament.conftest import Refused, bytes_of, concluded, played

WHOLE = Goal(7, records=True)


@pytest.fixture
def parts(plan, tmp_path):
    """Three parts of a run of seven deals, the second interrupted and gone on with."""
    folders = []
    for number in (1, 2, 3):
        goal = replace(WHOLE, shard=(number, 3))
        folders.append(played(plan, tmp_path / f"part-{number}", goal).folder)
    games = folders[1].games
    os.truncate(games, games.stat().st_size - 70)
    with pytest.raises(UserError, match=r"not played to its end: 2 of 4 games"):
        finished(folders)
    run = resume(folders[1])
    run.play(local(1))
    concluded(run)
    return folders


def test_three_parts_are_the_same_bytes_as_one_run(plan, parts, tmp_path):
    """In whatever order they are named, records and faults too, though one was interrupted."""
    whole = played(plan, tmp_path / "whole", WHOLE).folder
    run = merge(finished([parts[2], parts[0], parts[1]]), Folder(tmp_path / "merged"))
    assert run.finished
    concluded(run)
    assert bytes_of(run.folder.path) == bytes_of(whole.path)
    assert list(run.folder.records()) == list(whole.records())
    assert resume(run.folder).tally == run.tally


def test_parts_among_strangers_can_be_put_together_again(plan, tmp_path):
    """Their seed stays known here, should what they were put together in be lost."""
    data, sealed = tmp_path / "data", replace(plan, sealed=True)
    parts = [Folder(tmp_path / part, data) for part in "12"]
    for number, part in enumerate(parts, 1):
        run = begin(sealed, replace(WHOLE, shard=(number, 2)), part)
        run.play(local(1))
        concluded(run)
    for name in ("one", "two"):
        concluded(merge(finished(parts), Folder(tmp_path / name, data)))
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


def test_every_deal_is_in_one_part():
    """However many parts there are, and where there are more of them than deals."""
    for of in (1, 2, 3, 8, 11):
        goals = [Goal(7, shard=(part, of)) for part in range(1, of + 1)]
        assert [deal for each in goals for deal in range(each.first, each.last)] == [*range(7)]


def test_what_does_not_belong_together_is_named(plan, parts, tmp_path):
    """A part that is missing, there twice, of other options or another seed, or no part at all."""

    def refused(folders):
        with pytest.raises(UserError) as told:
            finished(folders)
        return str(told.value)

    assert "These parts are missing: 2/3." in refused([parts[0], parts[2]])
    assert "are the same part: 1/3" in refused([*parts, parts[0]])
    for name, other in (("seed", replace(plan, seed=8)), ("orders", replace(plan, orders="all"))):
        begin(other, replace(WHOLE, shard=(3, 3)), Folder(tmp_path / name))
        told = refused([*parts[:2], Folder(tmp_path / name)])
        assert f"they differ in {name}." in told
    begin(plan, WHOLE, Folder(tmp_path / "one"))
    assert "they differ in shard" in refused([*parts[:2], Folder(tmp_path / "one")])
    assert "holds a whole run" in refused([Folder(tmp_path / "one")])


def test_a_merge_that_is_refused_leaves_no_folder_behind(plan, tmp_path, capsys):
    """The name stays free for the merge of all parts, and nothing looks like a run."""
    part, into = (
        played(plan, tmp_path / "1", replace(WHOLE, shard=(1, 2))).folder,
        tmp_path / "both",
    )
    assert main(["merge", str(into), str(part.path)]) == 2
    assert "These parts are missing: 2/2." in capsys.readouterr().err
    assert not into.exists()


def test_the_commands_say_what_is_to_be_done(tmp_path, capsys, monkeypatch):
    """A part tells how it is put together; what cannot be split is refused before it begins."""
    monkeypatch.setattr(tournaments, "write_report", lambda *said: [])
    monkeypatch.chdir(tmp_path)
    line = ["tournament", "dice-town", "random", "random", "--games", "8", "--jobs", "1"]
    for part in ("1/2", "2/2"):
        assert main([*line, "--shard", part, "--out", part[0]]) == 0
        assert f"part {part} of the run" in capsys.readouterr().out
    assert main(["merge", "1", "1", "2"]) == 2
    assert "1 holds a tournament already" in capsys.readouterr().err
    assert main(["merge", "both", "1", "2"]) == 0
    assert main([*line, "--out", "one"]) == 0
    assert bytes_of(tmp_path / "both") == bytes_of(tmp_path / "one")
    refused = {
        ("--shard", "3/2"): "is not a part of a run",
        ("--shard", "1/2", "--sprt", "elo0=0,elo1=10"): "depends on all games before",
    }
    for more, said in refused.items():
        assert main([*line, *more, "--out", "x"]) == 2
        assert said in capsys.readouterr().err
    assert main(["tournament", "--resume", "1", "--games", "80"]) == 2
    guests = ["tournament", "dice-town", "cmd:true", "random", "--shard", "1/2"]
    assert main(guests) == 2
    assert "--seed" in capsys.readouterr().err


def faults_of(folder):
    return folder.path.joinpath(FAULTS).read_bytes(), list(folder.records())


@pytest.mark.parametrize("refused", ["append_faults", "write_record"])
def test_a_merge_that_is_cut_off_loses_no_faults_and_records(
    faulty, refused, tmp_path, monkeypatch
):
    """``--resume`` of what it left (``merge`` itself names it) gives the bytes of one run."""
    plan = make_plan("charidice", ["random", "beginner"], seed=3)
    goal = Goal(4, records=True)
    whole = played(plan, tmp_path / "whole", goal).folder
    parts = [
        played(plan, tmp_path / f"part-{n}", replace(goal, shard=(n, 2))).folder for n in (1, 2)
    ]
    into = Folder(tmp_path / "merged")

    def refuse(*said):
        raise Refused

    with monkeypatch.context() as patch, pytest.raises(Refused):
        patch.setattr(Folder, refused, refuse)
        merge(finished(parts), into)
    run = resume(into)
    run.play(local(1))
    concluded(run)
    assert bytes_of(into.path) == bytes_of(whole.path)
    assert faults_of(into) == faults_of(whole)
