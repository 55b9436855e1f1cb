#!/usr/bin/env python3
"""Build the optional wheel in which engine, games and bots are compiled by mypyc.

``python scripts/compile.py`` writes it to dist/; ``--into FOLDER`` installs it there too, alone, so
that ``scripts/bench.py --against FOLDER`` can measure it. What is compiled stands in pyproject.toml
under ``hooks.mypyc``. The build needs a C compiler and some minutes. It happens in a copy of the
checkout: the compiler puts its products beside the sources, where they would hide later changes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
SWITCH = "HATCH_BUILD_HOOK_ENABLE_MYPYC"
"""The variable that turns the build of a wheel into one with the compiler."""
FLAGS = "-ffp-contract=off -fvisibility=hidden"
"""What C compilers are told, save Microsoft's: to round every product and sum as Python does, also
where the machine could do both in one step; and that nobody else calls what is in the module."""
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "dist", "tests", "*.so", "*.pyd")


def main() -> int:
    """Build the wheel, and install it if asked to; return pip's exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the wheel goes")
    parser.add_argument("--into", type=Path, help="a folder to install the wheel in, alone")
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        wheels = Path(folder) / "wheels"
        code = build(Path(folder) / "lanplay", wheels)
        for wheel in wheels.glob("*.whl"):
            args.out.mkdir(parents=True, exist_ok=True)
            print(shutil.copy(wheel, args.out))
            if args.into is not None:
                code = code or install(wheel, args.into)
    return code


def build(copy: Path, wheels: Path) -> int:
    """Build the wheel of a ``copy`` of the checkout that is made for it; return pip's status."""
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    flags = f"{os.environ.get('CFLAGS', '')} {FLAGS}".strip()
    arguments = ["wheel", "--no-deps", "--wheel-dir", str(wheels), str(copy)]
    return pip(arguments, {SWITCH: "1", "CFLAGS": flags})


def install(wheel: Path, folder: Path) -> int:
    """Install a wheel into a folder of its own; return pip's exit status."""
    return pip(["install", "--no-deps", "--upgrade", "--target", str(folder), str(wheel)])


def pip(arguments: list[str], variables: Mapping[str, str] | None = None) -> int:
    """Run pip with some variables set; return its exit status."""
    environment = {**os.environ, **(variables or {})}
    return subprocess.call([sys.executable, "-m", "pip", *arguments], env=environment)


if __name__ == "__main__":
    sys.exit(main())
