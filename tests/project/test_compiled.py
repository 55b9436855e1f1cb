"""The optional build with mypyc: a part of it, compiled, plays the same games."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from inspect import getfile
from pathlib import Path
from typing import Any

import pytest

from lanplay.engine.fast_value import FastValue
from lanplay.engine.fields import Column
from lanplay.engine.table import Table
from lanplay.games import NAMES, load
from lanplay_ai import bots, make

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]
PACKAGES = ("lanplay", "ai", "protocol")
COMPILED_HERE = re.compile(
    r"lanplay/engine/|games/charidice/|games/dogs_life/town|ai/lanplay_ai/deciding"
    r"|games/\w+/(questions|snapshot|table|windows)\b"
)
"""What cannot be left plain once the engine is compiled, a game, and the town that was slow so; the
compiler would take too long for more."""
SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify([{arguments}], opt_level="0", debug_level="0")
folders = {{"lanplay_ai": "ai/lanplay_ai"}}
setup(name="compiled", version="0", packages=[], package_dir=folders, ext_modules=modules)
"""
PLAY = ("-m", "lanplay", "simulate", "--bot", "random", "--seats", "4", "--games", "3")


SHOWN = """
import pickle
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.engine.chance import Chance
from lanplay.games import load
import lanplay_ai

class Shown:
    def answer(self, view, question):
        assert pickle.loads(pickle.dumps(question)) == question
        assert view.table.copy().hash() == view.table.hash()
        return bot.answer(view, question)

game, bot = load("charidice"), lanplay_ai.make("random", b"", "charidice")
header = Header("charidice", {}, ("a", "b"))
Simulation(game, header, [Shown(), Shown()], Chance(b"")).run()
"""
"""Tables are copied, and a bot of another package is shown questions that pickle copied."""


def compiled_files() -> list[str]:
    """Return every file of the checkout that the build compiles."""
    found = [path for pattern in HOOK["include"] for path in ROOT.glob(pattern.lstrip("/"))]
    names = {p.relative_to(ROOT).as_posix() for p in found if p.name not in HOOK["exclude"]}
    return sorted(names)


def can_compile() -> bool:
    """Tell whether a C compiler, Python's headers, mypyc and setuptools are here."""
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    compiler = shutil.which("cl" if sys.platform == "win32" else "cc")
    return (
        headers.exists() and compiler is not None and all(map(find_spec, ("mypyc", "setuptools")))
    )


def python(folder: Path, *arguments: str) -> str:
    """Run Python on the sources of a folder; return what it prints."""
    variables = {
        **os.environ,
        "PYTHONPATH": f"{folder}:{folder}/ai:{folder}/protocol",
        "LANPLAY_LANG": "en",
    }
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def hash_over_games(folder: Path, game: str) -> str:
    """Return the hash that the program in a folder prints over some games."""
    found = re.search(r"\b[0-9a-f]{64}\b", python(folder, *PLAY, game))
    assert found is not None
    return found[0]


@pytest.mark.nightly
@pytest.mark.skipif(not can_compile(), reason="no C compiler, mypyc or setuptools")
def test_compiled_modules_play_the_same_games(tmp_path: Path) -> None:
    """All games have the same hash with compiled modules, and the sources stay beside these."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package)
    files = [file for file in compiled_files() if COMPILED_HERE.search(file)]
    arguments = ["--ignore-missing-imports", "--config-file=", *files]
    setup = SETUP.format(arguments=", ".join(map(repr, arguments)))
    (tmp_path / "setup.py").write_text(setup, encoding="utf-8")
    python(tmp_path, "setup.py", "--quiet", "build_ext", "--inplace")
    for name in files:
        assert (tmp_path / name).exists()
        assert list((tmp_path / name).parent.glob(f"{Path(name).stem}*{EXTENSION_SUFFIXES[0]}"))
    for game in NAMES:
        assert hash_over_games(tmp_path, game) == hash_over_games(ROOT, game), game
    python(tmp_path, "-c", SHOWN)


def derived(base: type) -> Iterator[type]:
    """Yield every class that is derived from a base, at any distance."""
    for kind in base.__subclasses__():
        yield kind
        yield from derived(kind)


def test_all_that_is_derived_from_compiled_bases_is_compiled() -> None:
    """Nothing derived in a game or a bot is left to the interpreter: it could not be made."""
    for game in NAMES:
        load(game)
        for bot in bots(game):
            make(bot, b"", game)
    all_kinds = {*derived(FastValue), *derived(Table), *derived(Column)}
    kinds = {each for each in all_kinds if each.__module__ in sys.modules}  # not of games let go of
    files = {Path(getfile(kind)) for kind in kinds}
    own = {file.relative_to(ROOT).as_posix() for file in files if file.is_relative_to(ROOT)}
    assert own
    assert {file for file in own if not file.startswith("tests/")} <= set(compiled_files())


def test_a_plain_build_is_the_default() -> None:
    """Nobody needs a compiler: the hook is off, and on for one variable alone."""
    assert HOOK["enable-by-default"] is False
    assert [name for name in compiled_files() if not (ROOT / name).exists()] == []
    assert len(compiled_files()) > 30
