"""What other systems do otherwise, played here: no test runs on them yet."""

from __future__ import annotations

import errno
import getpass
import os
import sys
from types import SimpleNamespace

import pytest

from lanplay import files
from lanplay.cli import endings
from lanplay.cli.table_arguments import nickname

FULL = 51


@pytest.mark.parametrize("knows", [True, False])
def test_on_macos_a_file_is_flushed_through_the_drive(knows, monkeypatch, tmp_path):
    """``fsync`` does not promise it there; a file system that knows no more gets that."""
    asked = []

    def fcntl(_descriptor, command):
        asked.append(command)
        if not knows:
            raise OSError(errno.ENOTSUP, "not supported")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setitem(sys.modules, "fcntl", SimpleNamespace(fcntl=fcntl, F_FULLFSYNC=FULL))
    monkeypatch.setattr(os, "fsync", lambda _descriptor: asked.append("fsync"))
    files.replace(tmp_path / "a", b"content")
    assert asked == ([FULL] if knows else [FULL, "fsync"])
    assert (tmp_path / "a").read_bytes() == b"content"


@pytest.mark.parametrize(
    ("platform", "error", "status"),
    [
        ("linux", BrokenPipeError(errno.EPIPE, "Broken pipe"), endings.READER_GONE),
        ("win32", BrokenPipeError(errno.EPIPE, "Broken pipe"), endings.READER_GONE),
        ("win32", OSError(errno.EINVAL, "Invalid argument"), endings.READER_GONE),
        ("linux", OSError(errno.EINVAL, "Invalid argument"), endings.FAULT),
        ("win32", OSError(errno.EINVAL, "Invalid argument", "a:b"), endings.FAULT),
    ],
)
def test_on_windows_a_reader_that_has_gone_is_an_invalid_argument(
    platform, error, status, monkeypatch
):
    """``lanplay tournament … | more`` that is left ends without a word there, too."""
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(endings, "_report", lambda *_: "a fault")
    assert endings.ending(error, []) == status


@pytest.mark.parametrize("error", [ImportError("pwd"), KeyError("uid"), OSError("no account")])
def test_an_account_without_a_name_is_a_guest(error, monkeypatch):
    """Windows has no list of accounts to ask: before Python 3.13 that is an ``ImportError``."""

    def getuser():
        raise error

    monkeypatch.setattr(getpass, "getuser", getuser)
    assert {nickname(blank) for blank in ("", "   ", "\u200b")} == {"guest"}
    assert nickname("Eva") == "Eva"
