#!/usr/bin/env python3
"""Play with what is handed out as on a machine that has nothing else.

``python3 scripts/clean_machine.py --wheel FILE`` installs a wheel into an environment of its own
with pip, in an empty home, and uses it as a person would; then it uninstalls it, and looks for what
is left. ``--beside`` installs the package index's ``ai`` and ``protocol`` too, which once had the
names of parts of lanplay, and plays before and after these are taken away again. ``--program FILE``
does without Python: it plays with a single file. Needs the package index to install; plays without
any network where the system can do that (Linux). Ends with 1 and a sentence if anything fails.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.request import urlopen

FOREIGN = ("ai", "protocol")
WINDOWS = sys.platform == "win32"
KEPT = ("lanplay", "matplotlib")
"""Whose folders may be in a home afterwards: settings and records are a person's own."""
ALONE = ("unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
SECONDS = 600
"""How long one command may take at most, on a machine that is busy with others too."""


class Failed(Exception):
    """Something did not go as it should; the text says what."""


def main() -> int:
    """Do what the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--wheel", type=Path, help="install this one")
    what.add_argument("--program", type=Path, help="a single file that needs no Python")
    what.add_argument("--play", nargs="+", help=argparse.SUPPRESS)  # as --program, here and now
    parser.add_argument("--beside", action="store_true", help="with the index's ai and protocol")
    parser.add_argument("--extras", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    try:
        if args.play:
            play(args.play, args.extras)
            return 0
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=WINDOWS) as folder:
            machine = Machine(Path(folder).resolve())
            if args.program:
                machine.play([str(args.program.resolve())])
            else:
                installed(machine, args.wheel.resolve(), args.beside)
            machine.look_for(machine.home, KEPT)
    except Failed as failure:
        print(f"clean machine: {failure}", file=sys.stderr)
        return 1
    print("clean machine: all of it works")
    return 0


def installed(machine: Machine, wheel: Path, beside: bool) -> None:
    """Install a wheel, play, and uninstall it."""
    machine.pip("install", f"{wheel}[tournament]")
    program = [str(machine.programs / ("lanplay.exe" if WINDOWS else "lanplay"))]
    if beside:
        machine.pip("install", "--no-deps", "--ignore-requires-python", *FOREIGN)
        machine.play(program)
        machine.pip("uninstall", "--yes", *FOREIGN)
    machine.play(program, extras=True)
    machine.pip("uninstall", "--yes", "lanplay")
    left = [path for path in machine.environment.rglob("*") if "lanplay" in path.name]
    if left:
        raise Failed(f"uninstalling leaves {', '.join(map(str, left))}")
    _say("uninstalled: nothing is left")


class Machine:
    """An environment of Python with pip alone, an empty home, and no variable of this machine."""

    def __init__(self, folder: Path) -> None:
        self.environment, self.home = folder / "environment", folder / "home"
        self.programs = self.environment / ("Scripts" if WINDOWS else "bin")
        self.home.mkdir()
        passed = ("PATH", "SYSTEMROOT", "TERM", "COMSPEC", "PATHEXT")
        self.variables = {name: os.environ[name] for name in passed if name in os.environ}
        homes = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP")
        self.variables |= dict.fromkeys(homes, str(self.home))

    def pip(self, *words: str) -> None:
        """Run pip in the environment, which is made first; it may use the network."""
        if not self.environment.exists():
            venv.create(self.environment, with_pip=True)
        named = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        command = [str(self.programs / "python"), "-m", "pip", "--no-input", *words]
        done = subprocess.run(
            command, env=os.environ | named, cwd=self.home, capture_output=True, text=True
        )
        if done.returncode:
            raise Failed(f"pip {' '.join(words)}:\n{done.stdout}{done.stderr}")
        _say(f"pip {' '.join(map(_name, words))}")

    def play(self, program: list[str], extras: bool = False) -> None:
        """Play with an installed program; on Linux without any network."""
        alone = ALONE if sys.platform == "linux" and _works([*ALONE, "true"]) else ()
        command = [*alone, sys.executable, str(Path(__file__).resolve()), "--play", *program]
        more = ["--extras"] if extras else []
        if subprocess.call([*command, *more], env=self.variables, cwd=self.home):
            raise Failed("see above")

    def look_for(self, folder: Path, kept: tuple[str, ...]) -> None:
        """Fail if a folder holds files in no folder of what may be kept."""
        files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
        strange = [path for path in files if not any(name in str(path) for name in kept)]
        if strange:
            raise Failed(f"left in the home: {', '.join(map(str, strange))}")


def play(program: list[str], extras: bool) -> None:
    """Use a program in the current folder as a person would; ``Failed`` at the first odd thing."""
    for step in steps(program, extras):
        start = time.monotonic()
        said = step()
        _say(f"{said} ({time.monotonic() - start:.1f} s)")


def steps(program: list[str], extras: bool) -> Iterator[Callable[[], str]]:
    """Yield what is done, one after the other; each says in a line what came of it."""
    here = Path.cwd()
    yield lambda: run(program, "--version").strip()
    yield lambda: doctor(program)
    demo = ("demo", "charidice", "--json")
    yield lambda: f"demo: all peers at {told(run(program, *demo))['state_hash']}"
    yield lambda: hosted_and_joined(program, here / "lanplay-record.lanplay")
    games = ("simulate", "dice-town", "--games", "20", "--json")
    yield lambda: f"simulate: {told(run(program, *games))['games']} games"
    yield lambda: tournament(program, here / "lanplay-tournament", extras)
    if not WINDOWS:  # there a visitor does by hand what is one line elsewhere
        yield lambda: shared(program, here / "lanplay-visitor")


def doctor(program: list[str]) -> str:
    """Ask the program what is wrong here: faults of this network alone are none of its own."""
    done = _run([*program, "doctor", "--json"])
    if done.returncode not in (0, 2) or not done.stdout.strip():
        raise Failed(f"doctor ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    found = told(done.stdout)["findings"]
    return f"doctor: {len(found)} findings"


def hosted_and_joined(program: list[str], record: Path) -> str:
    """Let two processes play a game over the network of this machine, and verify its record."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    common = ("--auto", "beginner", "--trust-new", "--plain", "--json", "--ai-speed", "instant")
    host = ("host", "charidice", "--seats", "3", "--people", "2", "--port", str(port))
    commands = [
        [*program, *host, "--name", "Ann", "--record", str(record), *common],
        [*program, "join", f"127.0.0.1:{port}", "--wait", "60", "--name", "Bob", *common],
    ]
    for command, name in zip(commands, ("host", "guest"), strict=True):
        command += ["--data", str(record.parent / f"lanplay-{name}")]
    both = [
        subprocess.Popen(each, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for each in commands
    ]
    try:
        ends = [process.communicate(timeout=SECONDS) for process in both]
    except subprocess.TimeoutExpired:
        for process in both:
            process.kill()
        raise Failed(f"host and join: no end after {SECONDS} s") from None
    if any(process.returncode for process in both):
        raise Failed("host and join:\n" + "\n".join(out + err for out, err in ends))
    hashes = {told(out)["state_hash"] for out, _ in ends}
    if len(hashes) != 1:
        raise Failed(f"host and guest ended differently: {hashes}")
    run(program, "verify", str(record))
    return "host and join: the same end on both sides, and the record is true"


def tournament(program: list[str], out: Path, extras: bool) -> str:
    """Play a small tournament; with the extra its page has drawings."""
    shutil.rmtree(out, ignore_errors=True)
    bots = ("charidice", "strong", "beginner", "--games", "20", "--jobs", "2", "--quiet")
    run(program, "tournament", *bots, "--out", str(out))
    pictures = (out / "report.html").read_text(encoding="utf-8").count("<figure")
    if extras and not pictures:
        raise Failed("the tournament's page has no drawings, though the extra is installed")
    return f"tournament: a page with {pictures} drawings"


def shared(program: list[str], folder: Path) -> str:
    """Give the program away, fetch it by the line that its page shows, and play with what came."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    giving = [*program, "share", "--interface", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(giving, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            found = (re.search(r"http://\S+", line) for line in process.stdout)
            url = next((each.group() for each in found if each), None)
            if url is None:
                raise Failed("share ended without an address")
            with urlopen(url) as answer:  # as a browser shows it
                page = " ".join(unescape(answer.read().decode()).split())
            [line] = re.findall(r"curl .*?(?=</p>)", page)
            run(["sh", "-c", f'{line} "$@"', "sh"], "demo", "charidice", "--json", folder=folder)
        finally:
            process.terminate()
    return f"share: {line.split()[2].rpartition('/')[2]} was fetched, checked, and plays"


def run(program: list[str], *words: str, folder: Path | None = None) -> str:
    """Return what a command prints; ``Failed`` if it does not end with 0."""
    done = _run([*program, *words], folder)
    if done.returncode:
        raise Failed(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def told(output: str) -> dict[str, Any]:
    """Return the line of JSON that an output ends with."""
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found


def _run(command: list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(command)}: no end after {SECONDS} s") from None


def _works(command: list[str]) -> bool:
    try:
        return not subprocess.run(command, capture_output=True, check=False).returncode
    except OSError:
        return False


def _name(word: str) -> str:
    return Path(word).name if os.sep in word else word


def _say(text: str) -> None:
    print(f"clean machine: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
