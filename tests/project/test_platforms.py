"""What other systems do otherwise, played here: no test runs on them yet."""

from __future__ import annotations

import ctypes
import errno
import getpass
import os
import socket
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio

from lanplay import files
from lanplay.cli import crash, endings
from lanplay.cli.doctor import network
from lanplay.cli.table_arguments import nickname
from lanplay_protocol.shell import sockets

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


@pytest.mark.parametrize("refusals", [0, 1, 2, 3])
def test_on_windows_a_file_is_replaced_once_nobody_looks_at_it(refusals, monkeypatch, tmp_path):
    """A scanner or a reader is waited for; whoever stays leaves the old file as it was."""
    refused = iter([PermissionError(errno.EACCES, "Access is denied")] * refusals)
    replace = Path.replace

    def replaced(draft, path):
        for error in refused:
            raise error
        return replace(draft, path)

    files.replace(tmp_path / "a", b"old")
    monkeypatch.setattr(files, "PATIENCE", (0.0, 0.0))
    monkeypatch.setattr(Path, "replace", replaced)
    with nullcontext() if refusals < 3 else pytest.raises(PermissionError):
        files.replace(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == (b"new" if refusals < 3 else b"old")
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize(
    ("platform", "error", "status"),
    [
        ("linux", BrokenPipeError(errno.EPIPE, "Broken pipe"), endings.READER_GONE),
        ("win32", BrokenPipeError(errno.EPIPE, "Broken pipe"), endings.READER_GONE),
        ("win32", OSError(errno.EINVAL, "Invalid argument"), endings.READER_GONE),
        ("linux", OSError(errno.EINVAL, "Invalid argument"), endings.FAULT),
    ],
)
def test_on_windows_a_reader_that_has_gone_is_an_invalid_argument(
    platform, error, status, monkeypatch
):
    """``lanplay tournament … | more`` that is left ends without a word there, too."""
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(endings, "_report", lambda *_: "a fault")
    assert endings.ending(error, []) == status


WINSOCK = {10048: "Only one usage of each socket address is permitted.", 10061: "It refused it."}


@pytest.fixture
def winsock(monkeypatch):
    """Let errors of sockets have the numbers of Windows, for which only Windows has words."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "FormatError", WINSOCK.__getitem__, raising=False)


@pytest.mark.usefixtures("winsock")
async def test_on_windows_it_is_told_why_no_connection_is_taken(monkeypatch):
    """``os.strerror``, which trio asks, calls each of its reasons an unknown error."""
    refused = OSError(10061, "Error connecting to ('192.0.2.1', 5): Unknown error")

    async def open_tcp_stream(*_):
        raise OSError("all attempts failed") from ExceptionGroup("", [refused])

    monkeypatch.setattr(trio, "open_tcp_stream", open_tcp_stream)
    with pytest.raises(OSError, match="It refused it") as failed:
        await sockets.connect("192.0.2.1", 5)
    assert (failed.value.errno, failed.value.strerror) == (10061, "It refused it")


@pytest.mark.usefixtures("winsock")
def test_on_windows_doctor_tells_why_a_port_cannot_be_listened_on(monkeypatch):
    """In the system's words, without those that Python adds about the address."""

    def create_server(*_, **__):
        raise OSError(10048, "Only one usage (while attempting to bind on address ('0.0.0.0', 5))")

    monkeypatch.setattr(socket, "create_server", create_server)
    monkeypatch.setattr(network, "_lanplay_listens", lambda *_: False)
    told = network._port("0.0.0.0", 5).text
    assert told.endswith("(Only one usage of each socket address is permitted)")


def test_a_name_that_no_file_can_have_is_told(capsys):
    """Windows calls ``--record score?.json`` an invalid argument, as Linux does on a USB stick."""
    assert endings.ending(OSError(errno.EINVAL, "Invalid argument", "a:b"), []) == endings.USAGE
    assert "a:b" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="links are for administrators there")
def test_a_crash_report_is_told_by_the_place_where_it_really_lies(monkeypatch, tmp_path):
    """Windows keeps elsewhere what Python of its Store writes: no other finds it by name."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "told").symlink_to(tmp_path / "kept")
    monkeypatch.setattr(crash, "user_log_path", lambda *_, **__: tmp_path / "told")
    path = crash.write_crash_log(ValueError("x"), [])
    assert path is not None
    assert path.parent == (tmp_path / "kept").resolve()


@pytest.mark.parametrize("error", [ImportError("pwd"), KeyError("uid"), OSError("no account")])
def test_an_account_without_a_name_is_a_guest(error, monkeypatch):
    """Windows has no list of accounts to ask: before Python 3.13 that is an ``ImportError``."""

    def getuser():
        raise error

    monkeypatch.setattr(getpass, "getuser", getuser)
    assert {nickname(blank) for blank in ("", "   ", "\u200b")} == {"guest"}
    assert nickname("Eva") == "Eva"
