"""The folder of a tournament: what a run that goes on finds there counts once, and whole."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from lanplay.errors import UserError
from lanplay.games import load
from lanplay.tournament.executor import local
from lanplay.tournament.plan import TournamentPlan, make_plan
from lanplay.tournament.playing import Task
from lanplay.tournament.running import begin, resume
from lanplay.tournament.schedule import deal_size
from lanplay.tournament.storage import FAULTS, GAMES, PLAN, RECORDS, Folder, Goal
from lanplay_ai.guard import Failure
from tests.tournament.conftest import Refused, played


def fault(game):
    return json.dumps({"game": game, "bot": "b", "fault": f"of game {game}"}) + "\n"


@pytest.mark.parametrize("games", [0, 3, 4, 6])
def test_the_faults_of_whole_deals_are_kept(tmp_path, games):
    """Up to and with the last game that counts; what is half written goes."""
    folder = Folder(tmp_path)
    folder.append_faults([*map(fault, (1, 3, 3, 4, 6)), fault(7)[:-5]])
    folder.mend_faults(games)
    kept = (tmp_path / FAULTS).read_text().splitlines(keepends=True)
    assert kept == [fault(game) for game in (1, 3, 3, 4, 6) if game <= games]


@pytest.mark.parametrize("odd", ["x\n", "{}\n", "5\n", "\n"])
def test_a_damaged_list_of_faults_says_which_lines_to_delete(odd, tmp_path):
    folder = Folder(tmp_path)
    folder.append_faults([fault(1), fault(1), odd, fault(2)])
    with pytest.raises(UserError, match=r"faults\.jsonl was altered: from line 3 on.*Delete"):
        folder.mend_faults(9)


def test_what_comes_after_a_clear_answer_leaves_no_trace(plan, tmp_path):
    """Where a batch makes the test clear, records and faults of its later games do not count."""
    run = begin(plan, Goal(8, records=True), Folder(tmp_path))
    size = deal_size(plan)
    numbers = (0, 2 * size - 1, 2 * size, 3 * size)
    batch = SimpleNamespace(
        task=Task(plan, 0, 4),
        records={number: b"%d" % number for number in numbers},
        faults=[(number, 0, Failure("random", "keep", 0, 1, "late")) for number in numbers],
    )
    run._write(batch, ["one\n", "two\n"])
    told = [json.loads(line)["game"] for line in (tmp_path / FAULTS).read_text().splitlines()]
    assert told == [1, 2 * size]
    assert sorted(each.read_bytes() for each in (tmp_path / RECORDS).iterdir()) == sorted(
        b"%d" % number for number in numbers[:2]
    )


@pytest.mark.parametrize("rules", [3, "7d02aa10" * 4])
def test_a_run_of_other_rules_is_not_gone_on_with(plan, tmp_path, rules):
    """Neither of older nor of newer ones: its games could not be compared. Both are named."""
    played(plan, tmp_path, Goal(1))
    data = {**json.loads((tmp_path / PLAN).read_text()), "rules": rules}
    data["commitment"] = TournamentPlan.of(data).commitment
    (tmp_path / PLAN).write_text(json.dumps(data))
    ours = load(plan.game).rules_name
    with pytest.raises(UserError, match=f"{plan.game}/{str(rules)[:8]};.* {ours}.*version"):
        resume(Folder(tmp_path))


def test_a_deal_that_is_missing_is_noticed(plan, tmp_path):
    """A table of which rows were taken out is not gone on with."""
    played(plan, tmp_path, Goal(3))
    rows = plan.seats * deal_size(plan)
    head, *lines = (tmp_path / GAMES).read_text().splitlines(keepends=True)
    (tmp_path / GAMES).write_text("".join([head, *lines[:rows], *lines[2 * rows :]]))
    with pytest.raises(UserError, match=f"from line {rows + 2} on"):
        resume(Folder(tmp_path))


def test_another_goal_holds_from_when_it_is_given(plan, tmp_path):
    """Also if the run is interrupted before it comes to anything, and gone on with again."""
    played(plan, tmp_path, Goal(1))
    assert resume(Folder(tmp_path)).goal == Goal(1)
    assert resume(Folder(tmp_path), Goal(3, records=True)).goal == Goal(3, records=True)
    assert resume(Folder(tmp_path)).goal == Goal(3, records=True)


def test_what_was_kept_of_games_that_are_played_again_is_gone_before(tmp_path, monkeypatch):
    """Records come before rows: a bot could read there the luck of a game that it plays again.

    And what such a game was the first time is not what the table says of it.
    """
    data = tmp_path / "data"
    plan = make_plan("charidice", ["random", "beginner"], seed=1 << 100, sealed=True)
    folder = Folder(tmp_path / "run", data)

    def refuse(*said):
        raise Refused

    run = begin(plan, Goal(2, records=True), folder)
    with monkeypatch.context() as patch, pytest.raises(Refused):
        patch.setattr(Folder, "append", refuse)
        run.play(local(1))
    run = resume(folder)
    assert run.tally.games == 0
    (folder.path / RECORDS / "game-0000001.lanplay.4711.part").touch()
    resume(folder)
    assert list((folder.path / RECORDS).iterdir()) == []
