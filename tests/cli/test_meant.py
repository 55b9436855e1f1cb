"""A slip of the keyboard: what was probably meant is named, wherever it was typed."""

from __future__ import annotations

import contextlib
import io
import shlex
import sys

import pytest

from lanplay import language
from lanplay.cli import main
from lanplay.errors import Fault, Mistake
from lanplay.lines.lobby import LobbyLines
from lanplay.lines.source import Lines
from lanplay.told import meant, suggesting, worded
from lanplay.ui.forming import parsed
from lanplay.ui.lobby import Listing


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("hots", "host"),
        ("play --lnag cs", "--lang"),
        ("play --boot=random", "--bot"),
        ("play --lang hun", "hu"),
        ("--lagn cs", "--lang"),
        ("host charidice --absent pas", "pass"),
        ("play dice-twon", "dice-town"),
        ("rules dice-twon", "dice-town"),
        ("bots dice-twon", "dice-town"),
        ("bots --explain stong", "strong"),
        ("simulate dice-town --bot stong", "strong"),
        ("tournament dice-town random stong", "strong"),
        ("check-game dice-twon", "dice-town"),
        ("play fliptown --option leevl=easy", "level"),
        ("play fliptown --option level=esy", "easy"),
        ("simulate fliptown --option level=esy", "easy"),
    ],
)
def test_the_command_line_suggests_what_was_meant(typed, near, capsys):
    """A command, an option, a choice, a game, a bot, a table option, its value: status 2."""
    try:
        status = main(typed.split())
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    assert f"Did you mean {near}?" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    "typed", ["xyzzy", "play --xyzzy", "play xyzzy", "play fliptown --bot xyzzy"]
)
def test_nothing_is_suggested_where_nothing_is_near(typed, capsys):
    """Then the list of what there is has to do."""
    with contextlib.suppress(SystemExit):
        main(typed.split())
    said = capsys.readouterr().err
    assert "xyzzy" in said
    assert "mean" not in said


@pytest.mark.parametrize(
    ("line", "near"),
    [("setings", "settings"), ("bots dice-twon", "dice-town"), ("learn dice-twon", "dice-town")],
)
async def test_the_lobby_suggests_what_was_meant(line, near, capsys):
    """A command, or the game behind it."""
    lobby = LobbyLines(Lines(io.StringIO(f"{line}\nq\n")), Listing)
    assert (await lobby.wish()).what == "leave"
    assert f"Did you mean {near}?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("kik Ann", "no command 'kik'. Did you mean kick?"),
        ("move 1", "no command 'move 1'. help: all commands."),
    ],
)
def test_a_forming_table_suggests_what_was_meant(line, said):
    """Not where the command is right, and what belongs to it is not."""
    with pytest.raises(Mistake) as wrong:
        parsed(line, "charidice")
    assert said in str(wrong.value)


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("en", "Did you mean dice-town?"),
        ("cs", "Nemělo to být dice-town?"),
        ("hu", "Nem ez akart lenni: dice-town?"),
    ],
)
def test_it_is_asked_in_each_language(tag, said):
    """Behind the cause and before the list, also where the sentence was made in another one."""
    told = Fault.NO_GAME.of(game="dice-twon", known="charidice, dice-town")
    with language.speaking(tag):
        assert worded(told).split(". ", 1)[1].startswith(said)


def test_a_name_that_would_write_elsewhere_is_spelled_out():
    """A suggestion may be somebody's name."""
    assert "\x1b" not in meant("Ann", ["An\x1b"])
    assert suggesting("So.", "Ann", ["Ann"]) == "So."


@pytest.mark.skipif(sys.platform == "win32", reason="quoted in another way there")
@pytest.mark.parametrize("fault", [Fault.JOURNAL_INCONSISTENT, Fault.JOURNAL_LEFT])
def test_a_command_with_a_folder_can_be_pasted(fault):
    """A blank in it does not cut it in two, and the sentence has it as it is."""
    path = "/home/Eva N/it's/1.game"
    told = str(fault.of(path=path, why="so"))
    assert told.startswith(f"{path}")
    assert shlex.split(told.partition("resume ")[2]) == ["--forget", path]


@pytest.mark.skipif(sys.platform == "win32", reason="quoted in another way there")
def test_new_game_prints_commands_that_can_be_pasted(tmp_path, capsys):
    """Also from a folder with a blank."""
    folder = tmp_path / "Eva N"
    assert main(["new-game", "coin-toss", "--folder", str(folder)]) == 0
    said = shlex.split(capsys.readouterr().out)
    assert said[:5] == ["pip", "install", "-e", str(folder / "coin-toss"), "&&"]
