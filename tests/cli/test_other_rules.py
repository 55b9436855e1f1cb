"""Two laptops whose rules differ: they refuse each other before a game, and name both."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from lanplay.cli import listing
from lanplay.errors import UserError
from lanplay.games import load
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.client import NO_PASSWORD
from lanplay.session.joining import closed, playable
from lanplay.session.settings import TableWish
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.shell.journal import journals
from tests.discovery.test_discovery import new_advert
from tests.session.harness import client_of
from tests.session.test_commands import Watched, following, until

ROOT = Path(__file__).resolve().parents[2]
AUTO = ["--interface", "127.0.0.1", "--auto", "random", "--trust-new", "--json"]


@pytest.fixture
def checkout(tmp_path):
    """Another laptop's lanplay, with one line of Charidice's rules otherwise."""

    def make(old, new):
        for room in ("lanplay", "ai", "protocol"):
            ignored = shutil.ignore_patterns("*.pyc", "locale")
            shutil.copytree(ROOT / room, tmp_path / "theirs" / room, ignore=ignored)
        rules = tmp_path / "theirs" / "lanplay" / "games" / "charidice" / "rules.py"
        text = rules.read_text("utf-8")
        changed, places = re.subn(old, new, text, count=1)
        assert places
        rules.write_text(changed, "utf-8")
        return tmp_path / "theirs"

    return make


def program(root, folder, *arguments):
    path = os.pathsep.join(map(str, (root, root / "ai", root / "protocol")))
    command = [sys.executable, "-P", "-m", "lanplay", *arguments, *AUTO, "--data", str(folder)]
    env = {**os.environ, "PYTHONPATH": path, "LANPLAY_LANGUAGE": "en"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    return subprocess.Popen(command, text=True, env=env, **pipes)


def port_of(host):
    for line in host.stderr:
        if found := re.search(r"is open on port (\d+)", line):
            return found[1]
    raise AssertionError("it is not open")


@pytest.mark.parametrize("host", ["ours", "theirs"])
def test_laptops_whose_rules_differ_in_one_number_refuse_each_other(checkout, tmp_path, host):
    """Whoever comes is told both fingerprints and what to do; its seat is free again."""
    roots = {"ours": ROOT, "theirs": checkout(r"CHARITY = (\d+)", r"CHARITY = 1\1")}
    first = program(roots.pop(host), tmp_path / "a", "host", "charidice", "--people", "2")
    (other,) = roots.values()
    try:
        guest = program(other, tmp_path / "b", "join", f"127.0.0.1:{port_of(first)}")
        _, said = guest.communicate()
    finally:
        first.kill()
        first.communicate()
    assert guest.returncode == 2
    names = re.search(r"rules (charidice/\w{8}), the table plays (charidice/\w{8})\.", said)
    assert names, said
    assert names[1] != names[2]
    assert load("charidice").rules_name in names.groups()
    assert "Use the same lanplay on all laptops" in said


def test_laptops_whose_rules_differ_in_a_comment_play(checkout, tmp_path):
    """Also in layout; both come to the same end."""
    theirs = checkout(r"CHARITY = (\d+)\n", r"CHARITY = (\n    \1  # points\n)\n")
    first = program(ROOT, tmp_path / "a", "host", "charidice", "--people", "2", "--seats", "2")
    ends = []
    try:
        guest = program(theirs, tmp_path / "b", "join", f"127.0.0.1:{port_of(first)}")
        for each in (guest, first):
            out, errors = each.communicate()
            assert each.returncode == 0, errors
            ends.append(json.loads(out.splitlines()[-1])["state_hash"])
    finally:
        first.kill()
        first.communicate()
    assert ends[0] == ends[1]


def test_who_lacks_the_game_of_a_package_is_told_that_lanplay_alone_does_not_bring_it():
    """``lanplay share`` passes on lanplay, and no package of somebody else."""
    with pytest.raises(UserError, match=r"no game 'hay-market'.*comes in a package"):
        playable(Roster("hay-market", b"", {}, ("ann",), ()))


def test_a_table_of_other_rules_is_listed_as_closed():
    """In words and in ``lanplay tables``; one of a game that is not here is not judged."""
    ours, theirs = load("dice-town"), "7d02aa10"
    advert = new_advert()
    assert closed(advert) == ""
    other = replace(advert, rules=theirs)
    said = f"rules dice-town/7d02aa10; here are {ours.rules_name}"
    assert closed(other) == f"'Kitchen' plays by the {said}."
    assert f"({said})" in listing._line(Namespace(advert=other, addresses=()))
    assert closed(replace(other, game="chess")) == ""


async def left_after(answers, folder, game="charidice"):
    """A game of this machine alone that its person leaves; where it is kept."""
    client = client_of(folder)
    played = Watched(client.local(TableWish(game, 2, "random")))
    played.most = answers
    async with following(played):
        await until(lambda: played.left)
    (path,) = journals(client.store.games)
    return client, path


@pytest.mark.parametrize("game", ["charidice", "dice-town"])
async def test_a_game_in_progress_goes_on_under_rules_that_play_the_same(
    tmp_path, monkeypatch, game
):
    """It is compared with every state that was signed; its record names what began it. Cards that
    are dealt to one's own hand come without a message: no game with such went on."""
    client, path = await left_after(9, tmp_path, game)
    began = load(game).fingerprint
    monkeypatch.setattr(load(game), "_fingerprint", bytes(16))
    again = Watched(client.resume(path, NO_PASSWORD))
    async with following(again):
        await until(lambda: again.of(e.Ended))
        again.session.submit(c.LeaveTable())
        await until(lambda: again.outcome)
    assert again.outcome.result
    assert again.outcome.record.header.rules == began


async def test_a_game_in_progress_of_rules_that_part_is_refused(tmp_path, monkeypatch):
    """Both are named, and the game stays on disk for the program that began it."""
    client, path = await left_after(9, tmp_path)
    game = load("charidice")
    name, content, rules = game.rules_name, path.read_bytes(), game._rule_set.rules

    def changed(table):
        source = rules(table)
        request, number = next(source), 0
        while True:
            if number == 20:
                table.scores = (1,)
            number += 1
            try:
                request = source.send((yield request))
            except StopIteration:
                return

    monkeypatch.setattr(game, "_rule_set", replace(game._rule_set, rules=changed))
    monkeypatch.setattr(game, "_fingerprint", bytes(16))
    with pytest.raises(UserError, match=f"rules {name}; here are charidice/00000000. They differ"):
        await client.resume(path, NO_PASSWORD).run()
    assert path.read_bytes() == content
