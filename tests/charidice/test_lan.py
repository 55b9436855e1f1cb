"""Charidice between peers: open dice that nobody can bias, choices that are judged by all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack

import pytest

from lanplay.cli import main
from lanplay.engine.plain import decode, encode
from lanplay.engine.record import Record
from lanplay.engine.replay import Replay, boundary
from lanplay.games import load
from lanplay.games.charidice.questions import Demand, Reroll, Score
from lanplay_protocol.crypto.group import mul
from lanplay_protocol.errors import Code
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import OpenAnswers
from lanplay_protocol.replica.events import AnswerNeeded, GameOver
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import Table, lies_once, parts, roster
from tests.replica.test_audit import record_of
from tests.replica.test_cut import die_in

GAME = load("charidice")

CHEAT = 2
HONEST = (0, 1)
GRACE = 5


def table_of(peers, seats=None, seed=b"charidice", settings=None):
    return Table(roster(peers, seats, settings, game=GAME), seed=seed)


def finished(table):
    table.start()
    table.run(seconds=3000)
    assert table.is_over()
    return table


@pytest.fixture(scope="module")
def whole():
    """A whole honest game of three peers with four seats."""
    return finished(table_of(3, 4))


@pytest.mark.parametrize(("peers", "seats"), [(1, 2), (2, 2), (2, 3)])
def test_replicas_agree_after_every_step(peers, seats):
    """CH-2.1: all peers go through equal transcripts and states to equal results."""
    table = finished(table_of(peers, seats, b"%d%d" % (peers, seats)))
    assert len({tuple(table.trace(peer)) for peer in range(peers)}) == 1
    assert len({table.of(peer, GameOver)[0].result for peer in range(peers)}) == 1


def test_a_network_game_replays_from_its_public_record(whole):
    """What a replica recorded leads to the same sheets, and scores."""
    record = record_of(whole)
    replay = Replay(GAME, record)
    replay.run()
    assert replay.table.scores == whole.replicas[2].context.referee.table.scores


def test_a_record_is_verified_by_whoever_was_not_there(whole):
    """CH-2.1: every part of every roll is checked again, offline; an altered one is found."""
    record = record_of(whole)
    verdict = check_record(GAME, record)
    assert verdict.finding is None
    assert verdict.checked["entropy"] > 3 * 28
    history = list(record.history)
    history[1] = tuple(5 - face for face in history[1])
    altered = Record(record.header, tuple(history), record.state_hash, extra=record.extra)
    assert check_record(GAME, altered).finding is not None


def test_the_greatest_gift_is_asked_of_the_neighbour_alone(whole):
    """CH-3.2: only the peer of the seat that receives is asked, and of the active one."""
    for peer in range(3):
        for ask in whole.of(peer, AnswerNeeded):
            assert ask.seat % 3 == peer
            if isinstance(ask.question, Demand):
                assert ask.seat == (ask.question.giver + 1) % 4


def test_nobody_knows_a_roll_before_all_have_contributed():
    """CH-2.1: while one peer's part is missing no die has fallen, whoever asks for it."""
    table = table_of(3, seed=b"early")

    def withhold(table, to, move):
        phase = table.replicas[CHEAT].phases[move.phase]
        return [] if isinstance(phase, Entropy) and phase.at[-1] == 2 else None

    table.tampers[CHEAT] = withhold
    table.start()
    table.run(seconds=5)
    for peer in HONEST:
        replica = table.replicas[peer]
        assert isinstance(replica.transcript.phase, Entropy)
        assert replica.transcript.missing == {CHEAT}
        assert replica.context.referee.table.rolls == 1
        at = replica.transcript.phase.at
        assert at not in replica.context.entropy


def cheated(tamper, code, seed):
    table = table_of(3, seed=seed)
    table.tampers[CHEAT] = lies_once(tamper)
    table.start()
    table.run(lambda t: t.is_settled(HONEST), seconds=900)
    assert table.plays_on(HONEST)
    for peer in HONEST:
        assert table.accused(peer) == {(CHEAT, code)}


def test_a_part_of_a_roll_cannot_be_chosen():
    """CH-2.1: a peer that publishes another part than its own for a roll is named."""

    def tamper(table, to, move):
        if not isinstance(table.replicas[CHEAT].phases[move.phase], Entropy):
            return None
        powers, proof = move.parts
        return [parts(move, ((mul(7, powers[0]),), proof))]

    cheated(tamper, Code.BAD_PROOF, b"biased")


@pytest.mark.parametrize(
    ("kind", "answer"), [(Score, 0), (Score, 64), (Reroll, -1), (Reroll, (0, 1)), (Demand, 2)]
)
def test_an_answer_that_the_rules_refuse_is_named(kind, answer):
    """CH-2.2, CH-2.1, CH-3.2: no set, dice that there are not, a demand that is none."""

    def tamper(table, to, move):
        phase = table.replicas[CHEAT].phases[move.phase]
        if not isinstance(phase, OpenAnswers):
            return None
        asked = phase.request.questions.values()
        return [parts(move, (answer,))] if isinstance(next(iter(asked)), kind) else None

    cheated(tamper, Code.ILLEGAL_ANSWER, b"illegal")


@pytest.mark.parametrize("kind", [Entropy, OpenAnswers])
@pytest.mark.parametrize("reach", [0, 2])
def test_a_lost_laptop_is_replaced_in_the_middle_of_a_turn(kind, reach):
    """Whoever is lost over a roll or an answer, seen by some or none: the rest end it alike."""
    table = table_of(4, seed=b"lost", settings=TableSettings(grace=GRACE))
    table.start()
    die_in(table, 1, kind, reach)
    table.run(seconds=3000)
    assert table.is_over()
    assert len({table.replicas[peer].context.transcript_hash for peer in (0, 2, 3)}) == 1
    assert all(table.accused(peer) == set() for peer in (0, 2, 3))


def test_a_restarted_program_comes_back_into_its_game():
    """A program that ends and starts again goes on from what it had kept."""
    table = table_of(3, seed=b"again")
    table.start()
    table.run(lambda t: t.replicas[1].transcript.number > 60, seconds=3000)
    table.kill(1)
    table.restart(1, flushed=False)
    table.run(seconds=3000)
    assert table.is_over()
    assert len({replica.context.transcript_hash for replica in table.replicas}) == 1


def test_a_network_game_can_continue_anew_from_a_round(whole):
    """CH-1.1: what peers agree on at a boundary gives a table with its sheets, and no dice."""
    record = record_of(whole)
    t = boundary(GAME, record.header, record.history[: len(record.history) // 2])
    again = GAME.table(4, {}, decode(encode(GAME.snapshot(t))))
    assert again.hash() == t.hash()
    assert (again.active, again.dice) == (-1, ())


# -- programs ------------------------------------------------------------------------------------

COMMON = ["--interface", "127.0.0.1", "--trust-new", "--quiet", "--json", "--auto", "strong"]


def started(stack, folder, name, *arguments):
    command = [sys.executable, "-m", "lanplay", *arguments, *COMMON, "--name", name]
    process = subprocess.Popen(
        [*command, "--data", str(folder / name)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.curdir},
    )
    stack.callback(process.communicate)
    stack.callback(lambda: process.poll() is None and process.kill())
    return process


def test_programs_play_on_loopback_and_the_record_is_verified(tmp_path, capsys):
    """Host and guest end alike; what each has kept replays and verifies."""
    with ExitStack() as stack:
        host = started(stack, tmp_path, "ann", "host", "charidice", "--seats", "3", "--people", "2")
        port = None
        for line in host.stderr:
            if " is open on port " in line:
                port = line.rsplit(" ", 1)[1].strip(".\n")
                break
        assert port is not None
        guest = started(stack, tmp_path, "ben", "join", f"127.0.0.1:{port}")
        ends = []
        for process in (host, guest):
            out, errors = process.communicate()
            assert process.returncode == 0, errors
            ends.append(json.loads(out.splitlines()[-1]))
    assert ends[0]["state_hash"] == ends[1]["state_hash"]
    assert ends[0]["scores"] == ends[1]["scores"]
    for end in ends:
        assert main(["verify", end["record"]]) == 0
        assert main(["replay", end["record"], "--json"]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["scores"] == end["scores"]
