#!/usr/bin/env python3
"""Renew the tables of docs/dependencies.md: what the program needs, its age, its size, and why.

Versions are those of the lock files; dates and sizes come from the package index, through uv. Ends
with 1 if a package has no reason, or a reason has no package.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import environment  # noqa: E402

PAGE = ROOT / "docs/dependencies.md"
EXTRAS = ("", "tournament", "cluster", "env", "tls", "browser")
WHY = {
    "trio": "structured concurrency: every socket and timer of a table ends with it",
    "msgpack": "the encoding of everything that is sent, signed and kept",
    "zeroconf": "mDNS: tables find each other without a server",
    "prompt-toolkit": "keys, resizing and drawing on terminals of all systems",
    "pynacl": "libsodium: Ed25519, its group, X25519, ChaCha20-Poly1305, BLAKE2b",
    "cryptography": "the laptop's own certificate for `--guests tls`",
    "platformdirs": "where each system keeps settings and data",
    "ifaddr": "the addresses of all interfaces (see below)",
    "h11": "HTTP/1.1 of `--web` and phones, as a parser without sockets",
    "markupsafe": "HTML in which a name is text, whatever stands in it",
    "segno": "the code that phones scan",
    "matplotlib": "the drawings of a tournament's page",
    "distributed": "tournaments on several machines (Dask)",
    "pettingzoo": "the environment for learning agents",
    "gymnasium": "spaces of that environment",
    "numpy": "its observations",
    "playwright": "the browser tests: a real browser",
    "axe-playwright-python": "what they find inaccessible",
}
"""Why each package that the project names is there; all others come with one of these."""
SYSTEMS = {
    "Linux x86-64": r"manylinux.*x86_64",
    "Linux ARM": r"manylinux.*aarch64",
    "macOS Intel": r"macosx.*(x86_64|universal2)",
    "macOS ARM": r"macosx.*(arm64|universal2)",
    "Windows x86-64": r"win_amd64",
    "Windows ARM": r"win_arm64",
}
SIZED = re.compile(r"-(?:cp311-cp311|cp\d+-abi3|(?:py2\.)?py3-none)-(?:any|manylinux.*x86_64)")
"""The wheel whose size is told: that for Python 3.11 on Linux x86-64, or the one for all."""


def main() -> int:
    """Write the page; return the exit status."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {"": project["dependencies"], **project["optional-dependencies"]}
    lock = locked(named)
    text = PAGE.read_text(encoding="utf-8")
    for extra in EXTRAS:
        table = "\n".join(rows(lock, list(map(_name, named[extra]))))
        mark = f"<!-- table: {extra or 'always'} -->"
        text = re.sub(rf"{mark}\n(?:\|.*\n)*", f"{mark}\n{table}\n", text)
    PAGE.write_text(text, encoding="utf-8")
    direct = {_name(each) for extra in EXTRAS for each in named[extra]}
    odd = sorted(direct ^ WHY.keys())
    print(f"no reason, or no such package: {', '.join(odd)}" if odd else f"{PAGE} is renewed")
    return 1 if odd else 0


def locked(named: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return what uv knows of each package, in the versions of the lock files; by its name."""
    python = environment.ensure(["requirements.lock", "requirements-release.lock"])
    text = (ROOT / "requirements-test.lock").read_text(encoding="utf-8")
    pins = re.findall(r"^([a-z0-9.-]+==[^\\\n]+?) *\\?$", text, re.MULTILINE)
    wanted = [each for extra in EXTRAS for each in named[extra]]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pyproject.toml").write_text(
            f'project = {{ name = "all", version = "0", requires-python = ">=3.11", '
            f"dependencies = {wanted} }}\ntool.uv.constraint-dependencies = {pins}\n"
        )
        uv = [str(python.with_name("uv")), "lock", "--quiet", "--directory", folder]
        subprocess.run(uv, check=True, env=environment.variables())
        lock = tomllib.loads((Path(folder) / "uv.lock").read_text(encoding="utf-8"))
    return {each["name"]: each for each in sorted(lock["package"], key=_size)}


def rows(lock: Mapping[str, Any], direct: Iterable[str]) -> list[str]:
    """Return the lines of a table: each package with those that come with it behind."""
    lines = ["| package | version | released | download | lacks wheels for | why |"]
    lines.append("|---|---|---|---|---|---|")
    seen = set[str]()
    for name in direct:
        lines.append(_row(lock[name], WHY.get(name, "?")))
        with_it = [each["name"] for each in lock[name].get("dependencies", ())]
        while with_it:
            other = with_it.pop(0)
            if other not in seen and other not in WHY:
                seen.add(other)
                lines.append(_row(lock[other], f"comes with {name}"))
                with_it += [each["name"] for each in lock[other].get("dependencies", ())]
    return lines


def _row(package: Mapping[str, Any], why: str) -> str:
    wheels, size = _wheels(package), _size(package)
    for_all = any(name.endswith("-none-any.whl") for name in wheels)
    every = "\n".join(wheels)
    lacks = [] if for_all else [s for s, tag in SYSTEMS.items() if not re.search(tag, every)]
    day = min(each["upload-time"] for each in wheels.values())[:10]
    told = f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"
    cells = (package["name"], package["version"], day, told, ", ".join(lacks), why)
    return f"| {' | '.join(cells)} |"


def _wheels(package: Mapping[str, Any]) -> dict[str, Any]:
    return {each["url"].rpartition("/")[2]: each for each in package.get("wheels", ())}


def _size(package: Mapping[str, Any]) -> int:
    sizes = (each["size"] for name, each in _wheels(package).items() if SIZED.search(name))
    return max(sizes, default=0)


def _name(requirement: str) -> str:
    return re.split(r"[^a-z0-9-]", requirement, maxsplit=1)[0]


if __name__ == "__main__":
    sys.exit(main())
