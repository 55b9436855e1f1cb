"""Records name the rules they were made with, and are tried with others; format 1 is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.engine.game import Game
from lanplay.engine.record import from_bytes, load
from lanplay.engine.replay import Replay, rules_note
from lanplay.games import load as load_game
from lanplay.games import manifest
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.roster import parse_roster
from tests.replica.harness import Table, roster
from tests.replica.test_audit import record_of

OLD = Path(__file__).parent / "records_1"
"""What the last program of protocol 1 wrote: a game of one process, and one of two laptops."""
ROSTER_1 = "d8534a4f2871690248b52f4f163d30c4ce41634ddd209974328239d1737e6861"
GAME = load_game("charidice")
THEIRS = bytes.fromhex("7d02aa10" * 4)


@pytest.mark.parametrize("name", ["local", "network"])
def test_a_record_of_format_1_is_read_tried_and_written_as_it_was(name, capsys):
    """Its rules have a number, which is named beside those that it replays with."""
    path = OLD / f"{name}.lanplay"
    record = load(path)
    assert record.header.rules == 1
    assert record.to_bytes() == path.read_bytes()
    assert main(["replay", str(path), "--plain"]) == 0
    note = f"made with the rules charidice/1; with {GAME.rules_name} it plays the same"
    assert note in capsys.readouterr().err


def test_verify_says_that_a_network_game_of_format_1_is_judged_by_older_rules(capsys):
    """It names nobody; that it plays as it did is for replay to say."""
    path = OLD / "network.lanplay"
    assert parse_roster(load(path).extra["roster"]).digest().hex() == ROSTER_1
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().err
    assert "older protocol" in said
    assert "lanplay replay" in said


def test_a_record_of_format_2_is_judged_by_the_rules_of_its_version(capsys):
    """Nobody had to sign the end then: it is true and ended, and verify says by which rules."""
    path = Path(__file__).parent / "records_2/network.lanplay"
    record = load(path)
    verdict = check_record(GAME, record)
    assert (verdict.finding, verdict.ended, verdict.roster.protocol) == (None, True, 2)
    assert main(["verify", str(path)]) == 0
    assert "older version" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["local", "network"])
@pytest.mark.parametrize("rules", [1, THEIRS])
def test_a_record_that_other_rules_lead_elsewhere_is_refused_with_both_named(
    name, rules, tmp_path, capsys
):
    """With the place where they part; nobody is accused of what other rules allowed."""
    record = load(OLD / f"{name}.lanplay")
    history = [*record.history]
    place = next(at for at, entry in enumerate(history) if at > 9 and None not in entry)
    history[place] = (99,)
    path = tmp_path / "other.lanplay"
    header = replace(record.header, rules=rules)
    replace(record, header=header, history=tuple(history)).save(path)
    theirs = f"charidice/{rules if rules == 1 else '7d02aa10'}"
    assert main(["replay", str(path)]) == 2
    said = capsys.readouterr().err
    assert (
        f"made with the rules {theirs}; here are {GAME.rules_name}. They differ from round" in said
    )
    assert f"answer {place + 1} on." in said


def test_an_altered_record_of_these_rules_is_not_called_one_of_others(tmp_path, capsys):
    """What its own rules forbid is broken, as ever; also another end is."""
    record = load(OLD / "local.lanplay")
    header = replace(record.header, rules=GAME.fingerprint)
    path = tmp_path / "x.lanplay"
    replace(record, header=header, state_hash=bytes(32)).save(path)
    assert main(["replay", str(path)]) == 2
    assert "leads to another state" in capsys.readouterr().err
    replace(record, state_hash=bytes(32)).save(path)
    assert main(["replay", str(path)]) == 2
    assert "They differ from round" in capsys.readouterr().err


def test_a_record_of_these_rules_or_of_equal_ones_needs_no_note():
    """The manifest lists earlier fingerprints whose rules play the same."""
    assert rules_note(GAME, GAME.fingerprint) is None
    assert rules_note(GAME, THEIRS)
    equal = Game(replace(manifest("charidice"), same_rules=(THEIRS.hex(),)))
    assert rules_note(equal, THEIRS) is None
    assert rules_note(equal, 1)
    assert equal.fingerprint == GAME.fingerprint


def test_who_checks_a_network_game_of_other_rules_accuses_nobody():
    """What these rules forbid may have been allowed."""
    table = Table(replace(roster(2, game=GAME), rules=THEIRS), seed=b"theirs")
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number > 20, seconds=60)
    record = record_of(table)
    assert check_record(GAME, record).finding is None
    shorter = replace(record, history=record.history[:-1])
    with pytest.raises(ValueError, match=r"charidice/7d02aa10; here are .*differ from round"):
        check_record(GAME, shorter)


def test_a_record_of_format_2_comes_back_with_its_rules():
    """The fingerprint, whole."""
    record = load(OLD / "local.lanplay")
    new = replace(record, header=replace(record.header, rules=GAME.fingerprint))
    assert new.to_bytes().startswith(b"lanplay record 2\n")
    assert from_bytes(new.to_bytes()) == new
    Replay(GAME, new).run()
