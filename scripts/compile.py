#!/usr/bin/env python3
"""Build the optional wheel in which engine, games and bots are compiled by mypyc.

``python scripts/compile.py`` writes it to dist/; ``--into FOLDER`` installs it there too, alone, so
that ``scripts/campaigns/bench.py --against FOLDER`` can measure it. What is compiled stands in
pyproject.toml under ``hooks.mypyc``. The build needs a C compiler and some minutes. It happens in
a copy of the checkout: the compiler puts its products beside the sources, where they
would hide later changes.

With ``--profile`` it is built twice: the first build plays games and notes which ways they take
through the code, and the second one puts these together and all others aside. That takes GCC.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
SWITCH = "HATCH_BUILD_HOOK_ENABLE_MYPYC"
"""The variable that turns the build of a wheel into one with the compiler."""
OBJECTS = "HATCH_MYPYC_BUILD_DIR"
"""The variable that names the folder for what the compiler makes on its way."""
FLAGS = "-ffp-contract=off -fvisibility=hidden -fno-plt"
"""What C compilers are told, save Microsoft's: to round every product and sum as Python does, also
where the machine could do both in one step; that nobody else calls what is in the module; and to
call Python's own functions straight away."""
NOTE = "-fprofile-generate={folder}"
USE = (
    "-fprofile-use={folder} -fprofile-partial-training -fprofile-correction"
    " -Wno-missing-profile -Wno-coverage-mismatch"
)
"""What GCC is told to note which ways games take, and to build by that."""
PLAYED: Final = (
    ("dice-town", "strong", "5", "200"),
    ("dice-town", "expert", "4", "40"),
    ("charidice", "strong", "4", "400"),
    ("charidice", "expert", "4", "10"),
    ("fliptown", "random", "4", "100"),
    ("fliptown", "strong", "2", "20"),
    ("dogs-life", "strong", "4", "10"),
)
"""The games that a profile is made of: game, bot, seats, number."""
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "tests", "*.so", "*.pyd")


def main() -> int:
    """Build the wheel, and install it if asked to; return the status of what failed, or 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the wheel goes")
    parser.add_argument("--into", type=Path, help="a folder to install the wheel in, alone")
    parser.add_argument("--profile", action="store_true", help="build by what games use (GCC)")
    parser.add_argument("--source", type=Path, help="only lay sources for cibuildwheel there")
    args = parser.parse_args()
    if args.source is not None:
        shutil.copytree(ROOT, args.source, ignore=LEFT_OUT)
        side_by_side(args.source)
        return 0
    with TemporaryDirectory() as folder:
        work = Path(folder)
        copy, wheels = work / "lanplay", work / "wheels"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        side_by_side(copy)
        code = profiled(copy, wheels, work) if args.profile else build(copy, wheels)
        for wheel in wheels.glob("*.whl"):
            args.out.mkdir(parents=True, exist_ok=True)
            print(shutil.copy(wheel, args.out))
            if args.into is not None:
                code = code or install(wheel, args.into)
    return code


def side_by_side(copy: Path) -> None:
    """Lay the packages of a copy side by side: the hook knows one folder of sources alone."""
    for folder in ("ai", "protocol"):
        (copy / folder / f"lanplay_{folder}").rename(copy / f"lanplay_{folder}")
    project = copy / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    project.write_text(re.sub(r"(?:ai|protocol)/lanplay_", "lanplay_", text), encoding="utf-8")


def profiled(copy: Path, wheels: Path, work: Path) -> int:
    """Build the wheel of a copy by a profile that is made in ``work``; return a status."""
    profile, draft, objects = work / "profile", work / "draft", work / "objects"
    code = build(copy, draft, NOTE.format(folder=profile), objects)
    for wheel in draft.glob("*.whl"):
        code = code or install(wheel, draft) or play(draft)
    return code or build(copy, wheels, USE.format(folder=profile), objects)


def play(folder: Path) -> int:
    """Play the games of a profile with what is installed in a folder; return a status."""
    code = 0
    for game, bot, seats, number in PLAYED:
        words = ["simulate", game, "--bot", bot, "--seats", seats, "--games", number]
        command = [sys.executable, "-m", "lanplay", *words]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        code = code or subprocess.call(command, env=environment, cwd=folder)
    return code


def build(copy: Path, wheels: Path, more: str = "", objects: Path | None = None) -> int:
    """Build the wheel of a ``copy`` of the checkout that is made for it; return pip's status.

    ``objects`` is the folder for what the compiler makes on its way. Profiles know code by it.
    """
    flags = f"{os.environ.get('CFLAGS', '')} {FLAGS} {more}".strip()
    variables = {SWITCH: "1", "CFLAGS": flags}
    if objects is not None:
        shutil.rmtree(objects, ignore_errors=True)
        objects.mkdir()
        variables[OBJECTS] = str(objects)
    arguments = ["wheel", "--no-deps", "--wheel-dir", str(wheels), str(copy)]
    return pip(arguments, variables)


def install(wheel: Path, folder: Path) -> int:
    """Install a wheel into a folder of its own; return pip's exit status."""
    return pip(["install", "--no-deps", "--upgrade", "--target", str(folder), str(wheel)])


def pip(arguments: list[str], variables: Mapping[str, str] | None = None) -> int:
    """Run pip with some variables set; return its exit status."""
    environment = {**os.environ, **(variables or {})}
    return subprocess.call([sys.executable, "-m", "pip", *arguments], env=environment)


if __name__ == "__main__":
    sys.exit(main())
