"""The folders that the program writes to, and whether another program of its kind is running."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from lanplay.cli.doctor.finding import Examined, Finding, fault, note, ok
from lanplay.language import N_, _
from lanplay.session.profile import FILE, in_use
from lanplay.session.saved import looked
from lanplay_protocol.shell.journal import JournalError, journals

SAMPLE = 1 << 16
"""Bytes that a place has to take: a full disk has room for a name."""


def check(examined: Examined) -> Iterator[Finding]:
    """Tell of each place whether it can be written, without making it, and of unusable games."""
    data = examined.data
    remedy = N_("Let your account write there, or name another folder with --data.")
    yield _place("config", examined.effective.path.parent, N_("Let your account write there."))
    yield _place("data", data, remedy)
    yield _place("records", data / "records", remedy)
    if file := examined.effective.settings.log:
        log = Path(file).expanduser()
        yield _place("log", log.parent, N_("Name another file with --log or in the settings."))
    if in_use(data / FILE):
        text = _("another lanplay is running and uses this installation's identity")
        yield note("running", text, _("A second one has an identity of its own for that run."))
    for path in journals(data / "games"):
        try:
            looked(path)
        except JournalError as error:
            yield note("unfinished", str(error))


def _place(topic: str, folder: Path, remedy: str) -> Finding:
    if _writable(folder):
        return ok(topic, str(folder))
    text = _("{folder} cannot be written").format(folder=folder)
    return fault(topic, text, _(remedy))


def _writable(folder: Path) -> bool:
    """Tell whether files can be made in a folder, or the folder where it is to be."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=there, buffering=0) as file:
            return file.write(bytes(SAMPLE)) == SAMPLE
    except OSError:
        return False
