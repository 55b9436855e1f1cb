"""The manual page and the completion scripts are made of the commands' own arguments."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lanplay.cli import command_names, main, whole_parser
from lanplay.cli.commands.completion import SHELLS
from lanplay.cli.completing import actions, script
from lanplay.cli.manual import page
from lanplay.config import SETTINGS

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_in_step_with_the_commands() -> None:
    """The page of the checkout is what is made of the arguments: python3 scripts/manual.py."""
    assert (ROOT / "docs" / "lanplay.1").read_text(encoding="utf-8") == page()


def test_the_page_names_every_command_and_setting(capsys: pytest.CaptureFixture[str]) -> None:
    """``lanplay man`` prints it: all commands, options, variables."""
    assert main(["man"]) == 0
    text = capsys.readouterr().out.replace("\\-", "-")
    for name in command_names():
        assert f'.SS "lanplay {name}' in text
    for setting in SETTINGS.values():
        assert setting.variable in text
    for action in actions(whole_parser()):
        for flag in action.option_strings:
            assert flag == "-h" or f"{flag}" in text


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not here")
def test_the_page_is_sound_for_man() -> None:
    """groff, which man uses, has nothing to complain about."""
    done = subprocess.run(
        ["groff", "-man", "-ww", "-z", "-Tutf8", "-Kutf8"],
        input=page(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_a_script_that_knows_the_commands(shell: str) -> None:
    """Commands, and the games there are, stand in the script."""
    text = script(shell)
    for word in ("host", "doctor", "dice-town"):
        assert word in text


@pytest.mark.skipif(sys.platform == "win32", reason="bash is not at home there")
def test_bash_completes_commands_options_and_values(tmp_path: Path) -> None:
    """What bash offers after a few words is what could stand there."""
    (tmp_path / "completion").write_text(script("bash"), encoding="utf-8")
    for words, wanted in (
        (["lanplay", "do"], "doctor"),
        (["lanplay", "host", "--abs"], "--absent"),
        (["lanplay", "host", "dice-town", "--absent", "se"], "sealed"),
        (["lanplay", "rules", "di"], "dice-town"),
        (["lanplay", "host", "dice-town", "--record", "comp"], "completion"),
    ):
        ask = (
            f"source ./completion; COMP_WORDS=({' '.join(words)}); "
            f"COMP_CWORD={len(words) - 1}; _shtab_lanplay; echo ${{COMPREPLY[*]}}"
        )
        done = subprocess.run(
            ["bash", "-c", ask], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert wanted in done.stdout.split(), (words, done.stdout, done.stderr)


def test_a_missing_library_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without shtab the command says what to install."""
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "pip install shtab" in capsys.readouterr().err
