"""Bots that are programs of their own."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from pathlib import Path
from queue import Empty

import pytest

import lanplay_ai as ai
from lanplay.cli import main
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay_ai.guard import Guarded
from lanplay_ai.outside import agent as outside
from lanplay_ai.outside.agent import OutsideAgent
from lanplay_ai.outside.messages import question_message
from lanplay_ai.outside.program import SECONDS, BotFault, Program, end_all, lent

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
PYTHON = f'"{sys.executable}"'
NODE = shutil.which("node")

PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "question":
        {deed}
        print(json.dumps({{"id": message["id"], "answer": message["answers"][0]}}), flush=True)
"""


@pytest.fixture(autouse=True)
def _no_program_is_left():
    yield
    end_all()


def program(tmp_path, deed="pass"):
    """Return the command line of a bot that takes the first answer, after some deed."""
    path = tmp_path / "bot.py"
    path.write_text(PROGRAM.format(deed=deed))
    return f'{PYTHON} "{path}"'


def play(agents, game="dice-town", seed=b"outside"):
    rules = load(game)
    options = {name: values[0] for name, values in rules.options.items()}
    header = Header(game, options, ("x",) * len(agents), seed)
    simulation = Simulation(rules, header, agents, Chance(seed))
    simulation.run()
    return simulation


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize(
    "command",
    [
        f'{PYTHON} "{EXAMPLES / "bot.py"}"',
        pytest.param(
            f'node "{EXAMPLES / "bot.js"}"',
            marks=pytest.mark.skipif(NODE is None, reason="there is no node here"),
        ),
    ],
)
def test_the_examples_play_whole_games_of_every_kind(game, command):
    """The programs of the documentation play without a fault, twice alike."""
    ends = []
    for _ in range(2):
        bot = ai.guarded(f"cmd:{command}", b"key", game)
        ends.append(play([bot, ai.make("random", b"other", game)], game).table.hash())
        assert bot.faults == []
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("deed", "cause"),
    [
        ("sys.exit(1)", r"has ended \(exit status 1\)"),
        ("import os; os.abort()", r"has ended \((signal 6|exit status 3)\)"),
        ("import time; time.sleep(60)", "said nothing for 0.4 s"),
        ("print('what?', flush=True); continue", r"JSON: 'what\?'; notes go to standard error"),
        ("print('[]', flush=True); continue", "instead of an answer"),
        ("print(json.dumps({'id': message['id'], 'answer': 1.5}), flush=True)", "whole numbers"),
        (
            "print(json.dumps({'id': message['id'], 'answer': [[9], []]}), flush=True)",
            r"malformed \{'answer': \(\(9,\), \(\)\)",
        ),
        ("print('x' * 100000, flush=True)", "a line of more than 65536 bytes"),
        ("while True: sys.stdout.write('x' * 9999)", "a line of more than 65536 bytes"),
        ("import os, time; os.close(1); time.sleep(60)", "has closed its output"),
        ("print('[' * 50000, flush=True); continue", "no JSON"),
    ],
)
def test_who_fails_is_named_and_a_beginner_answers(tmp_path, deed, cause, monkeypatch):
    """Crash, silence, nonsense, breach: three strikes, then the beginner's answers stand."""
    monkeypatch.setattr(outside, "LOADING", 0.4)
    limit = 0.4 if "0.4" in cause else 60  # on a busy machine a start alone takes seconds
    bot = ai.guarded(f"cmd@{limit}:{program(tmp_path, deed)}", b"key", "dice-town")
    game = play([bot, ai.make("steady", b"", "dice-town")])
    told = bot.told()
    assert len(bot.faults) == len(told) == 3
    assert all("bot.py" in sentence for sentence in told)
    with pytest.raises(AssertionError, match=cause):
        raise AssertionError(bot.faults[0].why)
    beginner = ai.make("beginner", b"key", "dice-town")
    assert (
        game.referee.history
        == play([beginner, ai.make("steady", b"", "dice-town")]).referee.history
    )


def test_a_start_takes_no_time_from_a_decision(tmp_path):
    """A program that loads longer than it may think plays, as a bot of a package does."""
    (tmp_path / "bot.py").write_text("import time; time.sleep(1)\n" + PROGRAM.format(deed="pass"))
    bot = ai.guarded(f'cmd@0.5:{PYTHON} "{tmp_path / "bot.py"}"', b"key", "charidice")
    play([bot, ai.make("random", b"", "charidice")], "charidice")
    assert bot.faults == []


def test_who_has_started_has_no_more_time_than_it_may_think(tmp_path):
    """The minute is for the start alone."""
    late = program(tmp_path, 'import time; time.sleep(1.5 * (message["id"] == 2))')
    bot = ai.guarded(f"cmd@0.5:{late}", b"key", "charidice")
    play([bot, ai.make("random", b"", "charidice")], "charidice")
    assert "said nothing for 0.5 s" in bot.faults[0].why


def test_a_command_that_is_none_is_a_fault():
    """A program that cannot be started is named in the fault."""
    command = "no-such-program-anywhere"
    with pytest.raises(BotFault, match=command), lent(command, 1.0):
        pass


def test_a_command_whose_quotation_is_open_is_told_as_any_that_cannot_be_started(capsys):
    bots = ["random", "cmd:'open", "--games", "2", "--quiet"]
    assert main(["tournament", "charidice", *bots]) == 2
    assert "cmd:'open cannot be used" in capsys.readouterr().err
    assert main(["simulate", "charidice", "--seats", str(10**20)]) == 2
    assert f"not {10**20}" in capsys.readouterr().err


def test_who_does_not_read_holds_nobody_up():
    """A message that does not fit into the pipe is given up with its program."""
    program = Program(f'{PYTHON} -c "import time; time.sleep(60)"', 0.3)
    try:
        with pytest.raises(BotFault, match="said nothing"):
            program.ask({"long": "x" * 1_000_000})
    finally:
        program.close()


def test_a_program_has_as_long_as_it_was_given_a_second_at_a_time():
    """A Ctrl-C that comes just before a wait begins is heard after that second."""
    waits = []

    class Silent:
        def get(self, timeout):
            waits.append(timeout)
            raise Empty

    program = Program(f'{PYTHON} -c "import time; time.sleep(60)"', 2.5)
    program._said = Silent()
    try:
        with pytest.raises(BotFault, match=r"said nothing for 2\.5 s"):
            program.ask({})
    finally:
        program.close()
    assert waits == [1.0, 1.0, 0.5]


def test_one_program_plays_game_after_game(tmp_path):
    """A program is started once: what it writes to a file when it starts is there once."""
    path = tmp_path / "starts"
    begin = f"open({str(path)!r}, 'a').write('.')\nfor line"
    (tmp_path / "bot.py").write_text(PROGRAM.format(deed="pass").replace("for line", begin, 1))
    for _ in range(3):
        bot = ai.guarded(f'cmd:{PYTHON} "{tmp_path / "bot.py"}"', b"key", "dice-town")
        play([bot, ai.make("random", b"", "dice-town")])
        assert bot.faults == []
        del bot
    assert path.read_text() == "."


def test_a_program_is_told_which_games_are_over(tmp_path):
    """So it can forget them, as does who keeps the numbers of its games: a night has many."""
    path = tmp_path / "over"
    hears = f"if message['type'] == 'over': open({str(path)!r}, 'a').write('.')\n    if"
    (tmp_path / "bot.py").write_text(PROGRAM.format(deed="pass").replace("if", hears, 1))
    command = f'{PYTHON} "{tmp_path / "bot.py"}"'
    for _ in range(3):
        bots = [ai.guarded(f"cmd:{command}", b"key", "charidice") for _ in range(2)]
        play(bots, "charidice")
        assert [bot.faults for bot in bots] == [[], []]
        del bots
        gc.collect()
    with lent(command, SECONDS) as running:
        assert running.matches == set()
        running.ask({"type": "question", "id": 1, "answers": [0]})  # what came before is read
    assert path.read_text() == "......"


def test_no_program_is_started_for_a_name_that_comes_over_the_network(tmp_path):
    """Names of bots in a roster never run commands: another bot stands in."""
    with pytest.raises(ValueError, match="no bot"):
        ai.make(f"cmd:{program(tmp_path)}", b"", "dice-town")
    agent = ai.stand_in(f"cmd:{program(tmp_path)}", b"", "dice-town")
    assert isinstance(agent, Guarded)
    assert not isinstance(agent._bot, OutsideAgent)


def test_a_program_is_told_what_its_seat_sees_and_no_more():
    """The message has the public table, the own cup and the own cards, as JSON data."""
    seen = []

    class Spy:
        def __init__(self):
            self.bot = ai.make("steady", b"", "dice-town")

        def answer(self, view, question):
            message = question_message(1, 1, view, question)
            assert set(message["view"]) == {"seat", "table", "cup", "own"}
            assert message["view"]["own"] == {str(c): f for c, f in sorted(view.own.items())}
            assert set(message["view"]["table"]) == set(view.table.public())
            assert message["answers"]
            seen.append(question.name)
            return self.bot.answer(view, question)

    play([Spy(), ai.make("steady", b"", "dice-town")])
    assert {"keep", "store"} <= set(seen)


def test_simulate_counts_and_names_faults(tmp_path, capsys):
    """The command line goes on to the end and says whose answers were replaced."""
    bot = f"cmd:{program(tmp_path, 'sys.exit(1)')}"
    bots = ["--seats", "2", "--games", "2", "--bot", bot, "--bot", "steady"]
    assert main(["simulate", "dice-town", *bots]) == 0
    out, err = capsys.readouterr()
    assert "faults: 6" in out
    assert "has ended" in err


def test_figures_stand_below_each_other_and_a_command_of_many_lines_on_one(tmp_path, capsys):
    """Whatever is typed as a command: its bots have one line each."""
    command = f'{PYTHON} -c "\n{PROGRAM.format(deed="pass").replace(chr(34), chr(39))}"'
    bots = ["--seats", "2", "--games", "1", "--bot", f"cmd:{command}", "--bot", "steady"]
    assert main(["simulate", "dice-town", *bots]) == 0
    _, program, steady, _ = capsys.readouterr().out.splitlines()
    assert program.startswith("  1. cmd:")
    assert program.index("mean score") == steady.index("mean score") > len(command)


def test_what_a_program_complains_of_is_shown_with_its_name(tmp_path, capsys):
    """Standard error comes with the command before each line; the last one stands in the fault."""
    command = program(tmp_path, "print('odd', file=sys.stderr); 1 / 0")
    bot = ai.guarded(f"cmd:{command}", b"key", "dice-town")
    play([bot, ai.make("random", b"", "dice-town")])
    end_all()
    lines = capsys.readouterr().err.splitlines()
    assert f"{command}: odd" in lines
    assert all(line.startswith(f"{command}: ") for line in lines)
    assert all("(exit status 1): ZeroDivisionError" in fault.why for fault in bot.faults)


def test_a_program_that_dies_alike_in_every_game_is_shown_once_and_then_counted(tmp_path, capsys):
    """What is new before a later end is shown, with the lines that led to it."""
    lines = (
        "life = len(open(__file__).read().split('#'))",
        "open(__file__, 'a').write('#')",
        "print('odd', file=sys.stderr)",
        "if life == 7: print('news', file=sys.stderr)",
        "1 / 0",
    )
    command = program(tmp_path, "\n        ".join(lines))
    for _ in range(6):
        with pytest.raises(BotFault), lent(command, 3.0) as running:
            running.ask({"type": "question"})
    end_all()
    shown = [line.removeprefix(f"{command}: ") for line in capsys.readouterr().err.splitlines()]
    assert shown[:2] == ["odd", "Traceback (most recent call last):"]
    assert shown.count("Traceback (most recent call last):") == 1
    first = shown.index("… and 3 more times")
    assert shown[first:] == ["… and 3 more times", "odd", "news", "… and 2 more times"]


def test_what_a_bot_says_cannot_steer_a_terminal(tmp_path, capsys):
    """Control characters in complaints and faults are spelled out; indentation is kept."""
    evil = r"\x1b]0;title\x07\x1b[2J\x9b31m\r\u202e!"
    deed = f"print('  {evil}', file=sys.stderr); sys.exit('{evil}')"
    bot = ai.guarded(f"cmd:{program(tmp_path, deed)}", b"key", "dice-town")
    play([bot, ai.make("random", b"", "dice-town")])
    end_all()
    err = capsys.readouterr().err
    assert f"  {evil}\n" in err
    assert all(letter.isprintable() for letter in err.replace("\n", ""))
    assert all(evil in fault.why and fault.why.isprintable() for fault in bot.faults)


def test_a_complaint_without_end_fills_no_memory(tmp_path, capsys):
    """Of a line that never ends pieces are shown, each cut, as they come."""
    deed = "sys.stderr.write('x' * 300_000); sys.stderr.flush(); sys.exit(1)"
    with pytest.raises(BotFault), lent(program(tmp_path, deed), 5.0) as running:
        running.ask({"type": "question"})
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) < 2000


def test_ctrl_c_in_the_terminal_is_not_for_programs(tmp_path):
    """A program stands apart from the group that a terminal interrupts."""
    with lent(program(tmp_path), 5.0) as running:
        if sys.platform != "win32":
            assert os.getpgid(running._process.pid) != os.getpgrp()
