"""How the program starts: the list of commands costs little, and options alone mean the lobby."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lanplay import cli
from lanplay.cli import main
from lanplay.cli.commands import COMMANDS


def test_the_list_of_commands_loads_nothing_heavy():
    """``lanplay --help`` needs no settings, no network, no screen and no dataclasses."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "lanplay", "--help"],
        env={**os.environ, "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rsplit("|", 1)[-1].strip() for line in run.stderr.splitlines()}
    assert "lanplay.cli" in loaded
    heavy = {"lanplay.config.declared", "dataclasses", "tomllib", "trio", "prompt_toolkit", "nacl"}
    assert not heavy & loaded
    for name in COMMANDS:
        assert name in run.stdout


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["--lang", "cs"], True),
        (["--plain"], True),
        (["play"], False),
        (["--help"], False),
        (["--version"], False),
    ],
)
def test_options_without_a_command_are_the_lobbys(given, meant):
    """``lanplay --lang cs`` is ``lanplay lobby --lang cs``."""
    assert cli._for_lobby(given) is meant


def test_an_unknown_command_is_told_with_those_there_are(capsys):
    """A slip is answered in words, with status 2."""
    with pytest.raises(SystemExit) as ended:
        main(["paly"])
    assert ended.value.code == 2
    assert "play" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["simulate", "dice-town", "--games", "1e3"], "1e3 is not a whole number"),
        (["play", "dice-town", "--seed", "x"], "x is not a whole number"),
        (["join", "--wait", "soon"], "soon is not a number of seconds from 0 to 86400"),
        (["join", "--wait", "nan"], "nan is not a number of seconds"),
    ],
)
def test_a_number_that_is_none_is_told_with_what_would_be(capsys, given, told):
    """No word of Python's own types reaches a person."""
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == 2
    assert told in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("given", "right"),
    [
        (["--data", "there", "play"], "lanplay play --data there"),
        (["--plain", "host", "dice-town"], "lanplay host --plain dice-town"),
        (["--seats", "5", "host", "dice-town"], "lanplay host --seats 5 dice-town"),
        (["--data", "play", "play"], "lanplay play --data play"),
        (["--data", "a b", "--foo", "play", "charidice"], "play --data 'a b' --foo charidice"),
    ],
)
@pytest.mark.parametrize("tag", ["en", "cs", "hu"])
def test_whoever_gives_options_before_the_command_is_told_the_order(given, right, tag, capsys):
    """In a sentence and what to type: no list of the lobby's options, which was not meant."""
    assert main(["--lang", tag, *given]) == 2
    told = capsys.readouterr().err
    assert (
        right.replace("play --", f"play --lang {tag} --", 1).replace(
            "host --", f"host --lang {tag} --", 1
        )
        in told
    )
    assert told.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_a_message_on_a_terminal_breaks_between_words_and_leaves_a_path_whole(tmp_path):
    """The terminal would cut both at its edge; a path that is longer has a line of its own."""
    path = tmp_path / "of-a-folder" / "with-a-long-name" / "and-of-a-game-that-is-not-there.lanplay"
    ours, theirs = os.openpty()
    with os.fdopen(ours, "rb") as terminal:
        command = [sys.executable, "-m", "lanplay", "replay", str(path)]
        env = {**os.environ, "PYTHONPATH": ".", "COLUMNS": "60"}
        subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        lines = terminal.read1().decode().splitlines()
    assert str(path) in lines
    assert all(len(line) < 60 for line in lines if line != str(path))
    assert "whether your account may read it." in " ".join(lines)


@pytest.mark.skipif(sys.platform == "win32", reason="Python ends by the signal elsewhere")
def test_ctrl_c_while_a_module_is_imported_ends_with_130(tmp_path):
    """A dataclass is made by ``exec``: once Ctrl-C has gone through one, Python ends by the signal,
    whether it was caught or not."""
    (tmp_path / "pressed.py").write_text(
        "import sys, lanplay.cli\n"
        "from lanplay.__main__ import program\n"
        "lanplay.cli.main = lambda: exec('raise KeyboardInterrupt')\n"
        "sys.exit(program())\n"
    )
    path = os.pathsep.join((str(tmp_path), *sys.path))
    run = subprocess.run(
        [sys.executable, "-m", "pressed"], env={**os.environ, "PYTHONPATH": path}, check=False
    )
    assert run.returncode == 130
