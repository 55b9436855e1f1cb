"""Archives for laptops that have nothing yet: packed alike on every machine, down to the byte.

A bundle is one folder in a zip file: the program, the wheels that it needs, and something to
double-click. ``bundle.json`` in it names every other file with its SHA-256, so that a bundle that
was unpacked can be packed again, by whoever got it, into the very same archive.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lanplay.files import COMMON, plain, whole
from lanplay.language import _

MANIFEST: Final = "bundle.json"
EPOCH: Final = (2020, 1, 1, 0, 0, 0)
"""The time of every file: archives of equal content are equal."""


@dataclass(frozen=True, slots=True)
class BundleFile:
    """A file of a bundle."""

    content: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Bundle:
    """A file that can be given: for which system it is, and what it needs.

    An archive needs one of ``pythons``; a program of one file none. It comes as ``name``.
    """

    path: Path
    name: str
    system: str
    platform: str
    version: str
    pythons: tuple[str, ...]
    digest: str
    size: int


def pack(path: Path, name: str, entries: Mapping[str, BundleFile], about: Mapping[str, Any]) -> str:
    """Write a bundle called ``name`` to ``path``, whole or not at all; return its SHA-256.

    ``entries`` are its files by their names inside, ``about`` is what else its manifest says.
    Nothing is compressed, because libraries differ in how; wheels are compressed already.
    """
    listed = {
        each: (hashlib.sha256(entry.content).hexdigest(), entry.executable)
        for each, entry in sorted(entries.items())
    }
    manifest = json.dumps({"name": name, **about, "files": listed}, indent=1, sort_keys=True)
    every = {**entries, MANIFEST: BundleFile(f"{manifest}\n".encode())}
    with whole(path, COMMON) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for inside, entry in sorted(every.items()):
            archive.writestr(_info(f"{name}/{inside}", entry), entry.content)
    return sha256(path)


def pack_again(folder: Path, path: Path) -> str:
    """Write the bundle that was unpacked into ``folder`` to ``path`` again; return its SHA-256.

    Raises ``ValueError`` if a file of it is missing or was changed.
    """
    about = manifest_of(folder)
    name, files = about.pop("name"), about.pop("files")
    entries = {}
    for inside, (digest, executable) in files.items():
        try:
            content = (folder / inside).read_bytes()
        except OSError as error:
            raise ValueError(_("{path} is missing").format(path=folder / inside)) from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise ValueError(_("{path} was changed").format(path=folder / inside))
        entries[inside] = BundleFile(content, executable)
    return pack(path, name, entries, about)


def manifest_of(folder: Path) -> dict[str, Any]:
    """Return the manifest of an unpacked bundle; ``OSError`` if it is none."""
    about: dict[str, Any] = plain((folder / MANIFEST).read_text(encoding="utf-8"))
    return about


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _info(name: str, entry: BundleFile) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, EPOCH)
    info.create_system = 3  # so that the mode is heeded on Linux and macOS
    info.external_attr = (0o755 if entry.executable else 0o644) << 16 | 0x8000 << 16
    return info
