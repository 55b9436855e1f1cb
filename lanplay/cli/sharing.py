"""``lanplay share``: which files there are, and for how long they are served."""

from __future__ import annotations

import argparse
import platform
import re
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from lanplay import __version__
from lanplay.cli.bundling import SYSTEMS, bundle_this
from lanplay.cli.packing import MANIFEST, Bundle, sha256
from lanplay.errors import Fault, UserError, told_of
from lanplay.files import plain
from lanplay.language import _
from lanplay.session.storage import data_folder
from lanplay.ui.rulebook import PACKAGE
from lanplay_protocol.shell.addresses import local_addresses, outward, written

PORT: Final = 8642
"""The port that is tried first: shorter to type than any other."""
POLL_SECONDS: Final = 0.3
SUFFIX: Final = ".zip"
PROGRAM: Final = re.compile(r"lanplay-(\d+\.\d+\.\d+)-(linux|macos|windows)-(\w+?)(?:\.exe)?")
"""What a program of one file is called: version, system and machine (``scripts/executable.py``)."""
PLATFORMS: Final = {system.name: each for each, system in SYSTEMS.items()}
"""What Python calls the systems, by their names in such names."""


def share(args: argparse.Namespace) -> int:
    """Run ``lanplay share``; ``UserError`` if there is nothing to give or no port to give it at."""
    from lanplay.cli.serving import serving

    given = bundles(args.bundle, data_folder(args.data))
    with given as found, suppress(KeyboardInterrupt):  # Ctrl-C is the usual end
        for bundle in found:
            print(f"{bundle.name}  {bundle.system}\n    SHA-256 {bundle.digest}")
        told = partial(print, file=sys.stderr, flush=True)
        with ExitStack() as open_servers:
            for host in args.interface or ("0.0.0.0",):
                server = open_servers.enter_context(serving(found, host, args.port, PORT, told))
                for address in addresses(host):
                    url = f"http://{written(address, server)}/"
                    print(_("Open on the other laptop: {url}").format(url=url))
            text = _(
                "It shows the same SHA-256. Ctrl-C stops sharing; otherwise it stops by itself."
            )
            print(text, flush=True)
            end = time.monotonic() + args.minutes * 60
            while time.monotonic() < end:
                time.sleep(POLL_SECONDS)
    return 0


def addresses(host: str) -> Sequence[str]:
    """Return the addresses at which others reach a server that listens at ``host``."""
    if host != "0.0.0.0":
        return (host,)
    return outward(each for each in local_addresses() if ":" not in each)


@contextmanager
def bundles(files: Sequence[str], data: Path) -> Iterator[Sequence[Bundle]]:
    """Find what can be given while the block runs: files named, or made before, or this very copy.

    ``UserError`` says what to do if there is none, or if a file is none.
    """
    named = [Path(each) for each in files]
    folders = (PACKAGE.parent / "dist", data / "bundles")
    files_there = [path for folder in folders for path in sorted(folder.glob("*"))]
    made = [path for path in files_there if path.suffix == SUFFIX or PROGRAM.fullmatch(path.name)]
    if named:
        yield [bundle_of(path) for path in named]
    elif getattr(sys, "frozen", False):
        name = SYSTEMS[sys.platform].name
        yield [_program(Path(sys.executable), __version__, name, platform.machine().lower())]
    elif made:
        yield list({path.name: bundle_of(path) for path in made}.values())
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield [_this_copy(Path(folder))]


def bundle_of(path: Path) -> Bundle:
    """Return what an archive, or the name of a program, says; ``UserError`` if it is neither."""
    try:
        if found := PROGRAM.fullmatch(path.name):
            return _program(path, *found.groups())
        with zipfile.ZipFile(path) as archive:
            about = plain(archive.read(f"{path.stem}/{MANIFEST}"))
        return Bundle(
            path=path,
            name=path.name,
            system=str(about["system"]),
            platform=str(about["platform"]),
            version=str(about["version"]),
            pythons=tuple(map(str, about["pythons"])),
            digest=sha256(path),
            size=path.stat().st_size,
        )
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise UserError(Fault.NO_BUNDLE, path=str(path), why=told_of(error)) from error


def _program(path: Path, version: str, system: str, machine: str) -> Bundle:
    """Return a program of one file, however its owner calls it; ``OSError`` if it is not there."""
    name = f"lanplay-{version}-{system}-{machine}{'.exe' if system == 'windows' else ''}"
    title = f"{SYSTEMS[PLATFORMS[system]].title} ({machine})"
    size = path.stat().st_size
    return Bundle(path, name, title, PLATFORMS[system], version, (), sha256(path), size)


def _this_copy(folder: Path) -> Bundle:
    """Pack the lanplay that runs here, and say for whom it is."""
    try:
        bundle = bundle_of(bundle_this(folder))
    except (OSError, ValueError, KeyError) as error:
        raise UserError(Fault.NO_BUNDLES, why=told_of(error)) from error
    text = _(
        "This is for laptops like this one: same system, not older, with Python {pythons}. "
        "In a checkout, python3 scripts/bundle.py makes bundles for others."
    )
    print(text.format(pythons=", ".join(bundle.pythons)), file=sys.stderr)
    return bundle
