"""What docs/bots.md and docs/learning.md show works as it stands there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from argparse import Namespace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import lanplay_ai as ai
from lanplay.cli import main
from lanplay.cli.listing import list_bots
from lanplay.games import NAMES, load
from lanplay.games.dice_town import questions as q
from lanplay.language import TAGS, speaking
from lanplay_ai.dice_town.profiles import PROFILES
from lanplay_ai.guard import First, Guarded
from lanplay_ai.outside.messages import game_message, question_message
from lanplay_ai.outside.program import end_all
from tests.ai.test_bots import view_of
from tests.ai.test_outside import play
from tests.dice_town.script import new_table

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
LEARNING = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
RUN_BY = {"py": ("python3", f'"{sys.executable}"'), "js": ("node", "node")}
"""What runs an example: as its heading calls it, and here."""


def blocks(language, text=TEXT):
    """Return the code blocks in a language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_bot_in_python_answers():
    """The class of the example takes a legal answer."""
    names = {}
    exec(blocks("python")[0], names)
    question = q.Keep(5, 8, (), "free")
    question.check(names["make"](b"key").answer(view_of(new_table(2), 0, "99JQA"), question))


def test_the_bot_of_the_example_that_looks_ahead_plays():
    """It beats who takes the first answer, and needs nothing that the page does not show."""
    names = {}
    exec(blocks("python")[1], names)
    table = play([names["Ahead"](b"key"), First()], "charidice").table
    assert load("charidice").result(table).winners == (0,)


def test_the_environment_of_the_example_can_be_played(capsys):
    """The loop of the example plays a game to its end; the spaces tell in words what they are."""
    pytest.importorskip("pettingzoo")
    names = {}
    for block in blocks("python", LEARNING)[1:]:
        exec(block, names)
    assert not names["table"].agents
    assert "the winner is the 4th seat after you" in capsys.readouterr().out


def test_what_was_learned_plays_as_a_bot(tmp_path, monkeypatch):
    """The weights that the example keeps play whole games, without a fault."""
    pytest.importorskip("gymnasium")
    spec = spec_from_file_location("lanplay.env.learn", ROOT / "docs" / "examples" / "learn.py")
    learn = module_from_spec(spec)  # where a wheel has it
    spec.loader.exec_module(learn)
    monkeypatch.setitem(sys.modules, "lanplay.env.learn", learn)
    monkeypatch.chdir(tmp_path)
    learn.train("charidice", 0, [])
    names = {}
    exec(blocks("python", LEARNING)[0], names)
    learned = Guarded("learned", names["Learned"](b"key"))
    play([learned, First()], "charidice")
    assert learned.faults == []


def test_the_lines_of_the_protocol_have_the_fields_they_have():
    """The lines shown carry exactly what programs are sent."""
    shown = [line.replace("…", "") for line in blocks("json")[0].splitlines()]
    view, question = view_of(new_table(2), 0, "99JQA"), q.Keep(5, 8, (), "free")
    begin = game_message(1, "dice-town", view, b"key")
    ask = question_message(1, 1, view, question)
    assert list(json.loads(shown[0])) == list(begin)
    told = json.loads(shown[1])
    assert list(told) == list(ask)
    assert list(told["view"]) == list(ask["view"])
    assert list(told["question"]) == list(ask["question"])
    assert json.dumps(begin)
    assert json.dumps(ask)


@pytest.mark.parametrize("suffix", RUN_BY)
def test_the_command_in_the_heading_of_an_example_plays(suffix, monkeypatch, capsys):
    """The line that begins with ``lanplay`` runs from the top of the project, without a fault."""
    if suffix == "js" and shutil.which("node") is None:
        pytest.skip("there is no node here")
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "examples" / f"bot.{suffix}").read_text(encoding="utf-8")
    [line] = re.findall(r"^(?://)? *(lanplay .*)$", text, re.MULTILINE)
    _, *args = shlex.split(line)
    command = [arg.replace(f"cmd:{RUN_BY[suffix][0]}", f"cmd:{RUN_BY[suffix][1]}") for arg in args]
    assert main([*command, "--games", "2"]) == 0
    end_all()
    told = capsys.readouterr()
    assert "mean score" in told.out
    assert "failed" not in told.out + told.err
    assert "faults" not in told.out + told.err


def test_every_bot_is_described():
    """The document names every bot of the game."""
    for name in PROFILES:
        assert f"`{name}`" in TEXT
    assert set(PROFILES) <= set(ai.names("dice-town"))


@pytest.mark.parametrize("game", NAMES)
def test_every_bot_says_how_it_thinks(game, capsys):
    """In every language, in English where it lags; the data names no bot that there is not."""
    assert {*ai.explained(game)} == {*ai.ours(game)}, "explained.toml, beside BOTS"
    said = dict.fromkeys(TAGS, "")
    for name in ai.explained(game):
        for tag in TAGS:
            with speaking(tag):
                assert list_bots(Namespace(game=game, explain=name, json=False)) == 0
            told = capsys.readouterr().out
            assert name in told
            assert len(told) > 60
            said[tag] += told
    assert len({*said.values()}) == len(TAGS)


def test_a_bot_that_is_none_explains_nothing(capsys):
    """The bots there are, are named instead."""
    assert main(["bots", "--explain", "nobody"]) == 2
    assert "expert" in capsys.readouterr().err
