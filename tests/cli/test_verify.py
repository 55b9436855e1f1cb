"""``lanplay verify``: what it says, and its exit status."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from lanplay.cli import main
from lanplay.cli.verifying import verified
from tests.replica.harness import Table, roster
from tests.replica.test_audit import altered_signature, moved, record_of


@pytest.fixture(scope="module")
def record():
    """The record of a game that was broken off after its first round."""
    table = Table(roster(2), seed=b"verify")
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 1, seconds=600)
    return record_of(table)


def test_a_record_that_holds_is_counted(record, tmp_path, capsys):
    """0, how many dice and shuffles were checked, and that the game was not finished."""
    path = tmp_path / "game.lanplay"
    record.save(path)
    assert main(["verify", str(path), "--json"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert "dice and" in said[0]
    assert "ends before" in said[1]
    assert json.loads(said[-1])["holds"] is True


def test_a_game_of_open_rolls_counts_what_it_has():
    """Where all dice lie open, nothing is said of cups, shuffles and cards."""
    said = verified(Counter(messages=239, entropy=128))
    assert said == "All rolls verified: 239 signed messages, 128 parts of rolls."
    assert "shuffles" in verified(Counter(dice=3, messages=9))


def test_an_altered_record_says_from_where_on_it_cannot_be_trusted(record, tmp_path, capsys):
    """1, the phase, and that no peer is to blame."""
    path = tmp_path / "game.lanplay"
    moved(record, altered_signature).save(path)
    assert main(["verify", str(path), "--json"]) == 1
    said = capsys.readouterr().out
    assert "phase 20" in said
    assert json.loads(said.splitlines()[-1])["culprit"] is None


def test_a_record_without_messages_has_nothing_to_verify(record, tmp_path, capsys):
    """2: a game in one process is no game between peers."""
    path = tmp_path / "game.lanplay"
    replace(record, extra={}).save(path)
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().err
    assert "between peers" in said
    assert said.endswith("lanplay replay checks and shows it.\n")
