"""A failing disk ends no game, destroys nothing: part of ``scripts/campaigns/disk_faults.py``."""

from __future__ import annotations

import json
import os
import re

import pytest

from lanplay_protocol.shell.journal import read_journal
from scripts.campaigns.disk_faults import (
    AGREED,
    BLOWS,
    SCENARIOS,
    Ended,
    closing_line,
    run,
    tried,
    wrong,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the errors are those of POSIX")

NAMED = {scenario.name: scenario for scenario in SCENARIOS}
FULL, SHORT, EIO, *_ = BLOWS


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("name", "blow", "kind", "suffix"),
    [
        ("play, new here", SHORT, "write", ".toml"),
        ("play, new here", EIO, "rename", ".lanplay"),
    ],
)
def test_a_game_on_a_failing_disk_ends_with_its_result(name, blow, kind, suffix):
    """Status 0, result and JSON are there, what was not kept is named, and all else is whole."""

    def here(found, path):
        return found == kind and suffix in path

    runs = list(tried(NAMED[name], 1, 1, [blow], here))
    assert runs
    assert [found for _, found in runs] == [[]] * len(runs)


def test_a_disk_that_is_full_in_the_middle_of_a_game_between_laptops_costs_no_result(tmp_path):
    """Journal, end and record cannot be kept: all are said, and the game ends like any other.

    As its end is not on the disk, what is whole of the journal stays there, marked as stale.
    """
    template = tmp_path / "template" / "home"
    template.mkdir(parents=True)
    plan = {"at": 40, "errno": FULL.errno, "ever": True, "only": FULL.only}
    ended = run(NAMED["host, new here"], template, plan)
    assert ended.status == 2, ended.err  # for --timing, which has nowhere else to go
    assert ended.json is not None
    assert {name: ended.json[name] for name in AGREED} == {
        name: value for name, value in closing_line(ended.other).items() if name in AGREED
    }
    assert ended.json["record"] is None
    assert ".game (No space left on device)" in " ".join(ended.out.split())
    assert "The record could not be saved: /data/records" in ended.err
    assert "Traceback" not in ended.err
    assert "Who missed the end cannot be shown it: /data/ended" in ended.err
    folders = ("data/games/", "data/records/", "data/ended/")
    [left] = [name for name in ended.files if name.startswith(folders)]
    assert re.fullmatch(r"data/games/[0-9a-f]+\.stale", left)
    (tmp_path / "left.stale").write_bytes(ended.files[left])
    kept, entries = read_journal(tmp_path / "left.stale")
    assert kept.roster.names == tuple(ended.json["seats"])
    assert entries


def test_the_oracle_sees_what_is_wrong():
    """A fault of lanplay, a lost result, a silent loss and a destroyed file are all noticed."""
    result = json.dumps(dict.fromkeys(("scores", "winners", "state_hash", "rounds"), 1))
    before = {"data/known_peers.json": b"{}"}
    files = {**before, "data/records/x.lanplay": b"x"}
    calls = [("write", "/data/records/x.lanplay.1.part")]
    calm = Ended(0, result, "", files, calls)

    def found(**changed):
        fields = {"status": 0, "out": result, "err": "", "files": files, "calls": calls} | changed
        return list(wrong(NAMED["play"], calm, before, Ended(**fields), 1))

    assert found() == []
    assert found(err="The record could not be saved: /data/records/x: full", files=before) == []
    assert "status 70" in found(status=70, err="lanplay: This is a fault of lanplay")
    assert found(out="") == ["its result is lost"]
    assert "not said" in found(files=before)[0]
    assert "is destroyed" in found(files={**files, "data/known_peers.json": b"{"})[0]
