"""What the program loads before it does anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lanplay.cli.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"asyncio", "nacl", "prompt_toolkit", "trio", "zeroconf"}

REPORT = """
import sys
from lanplay.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print()
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def run(*arguments: str, folder: Path) -> str:
    """Return the standard output of a new Python that finds the checkout from ``folder``."""
    done = subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["rules", "dice-town", "2.3"]])
def test_nothing_heavy_is_loaded(arguments: list[str], tmp_path: Path) -> None:
    """The version, the help of all commands and the rules come without any big library."""
    loaded = run("-c", REPORT, *arguments, folder=tmp_path).splitlines()[-1].split()
    assert "lanplay" in loaded
    assert not HEAVY & set(loaded)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_loads_nothing_heavy(name: str, tmp_path: Path) -> None:
    """Each command's own help comes without any big library."""
    loaded = run("-c", REPORT, name, "--help", folder=tmp_path).splitlines()[-1].split()
    assert not HEAVY & set(loaded)


def test_a_command_loads_no_other(tmp_path: Path) -> None:
    """One command's module is imported without those of the other commands."""
    code = REPORT.replace('name.partition(".")[0]', "name")
    loaded = run("-c", code, "rules", folder=tmp_path).splitlines()[-1].split()
    homes = {command.run.partition(":")[0] for command in COMMANDS.values()}
    assert homes & set(loaded) == {"lanplay.cli.rules"}


SLOW = {"email", "json", "tempfile"}
"""Of these each takes some hundredth of the time of a short run."""


def test_a_simulation_loads_little(tmp_path: Path) -> None:
    """A game of AI against AI needs no network, no screen, and none of what is slow to load."""
    words = ["simulate", "dice-town", "--games", "1", "--seats", "3"]
    loaded = run("-c", REPORT, *words, folder=tmp_path).splitlines()[-1].split()
    assert "lanplay_ai" in loaded
    assert not (HEAVY | SLOW) & set(loaded)


def test_version_names_program_protocol_and_python(tmp_path: Path) -> None:
    """``--version`` is one line with the program's, the protocol's and Python's version."""
    line = run("-m", "lanplay", "--version", folder=tmp_path)
    assert re.fullmatch(r"lanplay \d+\.\d+\.\d+ \(protocol \d+, python 3\.\d+\)\n", line)


def test_foreign_modules_of_the_current_folder_are_ignored(tmp_path: Path) -> None:
    """A file of the same name in the current folder does not stand in for the program's own."""
    (tmp_path / "lanplay_protocol.py").write_text("raise SystemExit('wrong module')")
    assert "(protocol " in run("-m", "lanplay", "--version", folder=tmp_path)
