"""Kept games that lists and statistics are made of."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from tests.replaying.test_stepping import simulated


@pytest.fixture(scope="module")
def games():
    """Three games of three bots on one machine."""
    return [simulated(bytes([luck]) * 32, seats=3)[0] for luck in range(3)]


@pytest.fixture
def data(tmp_path, games, monkeypatch):
    """A data folder with those games, an hour between each, Ann on seat 0 against AI."""
    monkeypatch.setenv("LANPLAY_DATA", str(tmp_path))
    for number, record in enumerate(games):
        header = replace(record.header, seats=("Ann", "steady 2", "steady 3"))
        path = tmp_path / "records" / f"{number}.lanplay"
        replace(record, header=header).save(path)
        os.utime(path, (1e9 + 3600 * number,) * 2)
    return tmp_path
