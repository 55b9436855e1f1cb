"""``lanplay share``: a page and the archives, read-only, bounded, on the interface asked for."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import zipfile
from base64 import b64encode
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from queue import Queue

import pytest

from lanplay.cli import bundling, main, sharing
from lanplay.cli.packing import BundleFile, manifest_of, pack, pack_again
from lanplay.cli.serving import CONNECTIONS, SCRIPT, serving
from lanplay.cli.sharing import bundle_of

ROOT = Path(__file__).resolve().parents[2]
LANPLAY = [sys.executable, "-m", "lanplay"]
ABOUT = {"system": "Windows (x86-64)", "platform": "win32", "version": "1.2.3", "pythons": ["3.11"]}


@pytest.fixture
def bundle(tmp_path):
    """A bundle with a single file."""
    path = tmp_path / "dist" / "lanplay-1.2.3-windows.zip"
    pack(path, path.stem, {"x.txt": BundleFile(b"x" * 100_000)}, ABOUT)
    return bundle_of(path)


@pytest.fixture
def served(bundle):
    """Serve it on loopback; return the port and the sentences told about takers."""
    told = Queue()
    with serving([bundle], "127.0.0.1", 0, 0, told.put) as port:
        yield port, told


def asked(port, path, method="GET"):
    """Return status, headers and content of an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), content


def test_no_name_server_is_asked_who_this_laptop_is(monkeypatch, request):
    """Where there is no internet, none answers for half a minute, and no page would come."""
    asked_for = []
    monkeypatch.setattr(socket, "getfqdn", asked_for.append)
    port, _told = request.getfixturevalue("served")
    assert asked(port, "/")[0] == 200
    assert asked_for == []


def test_the_page_tells_what_to_take_check_and_start(served, bundle):
    """System, link, SHA-256, how to check and start it, and that Python is needed."""
    status, headers, content = asked(served[0], "/")
    text = content.decode()
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert bundle.digest in text
    assert f'href="/{bundle.path.name}"' in text
    assert "Windows (x86-64)" in text
    assert "certutil -hashfile" in text
    assert "3.11" in text


def test_the_archive_comes_as_it_is(served, bundle):
    """Byte for byte, and the sharing screen says who took it."""
    port, told = served
    status, headers, content = asked(port, f"/{bundle.path.name}")
    assert (status, headers["Content-Length"]) == (200, str(len(content)))
    assert hashlib.sha256(content).hexdigest() == bundle.digest
    assert told.get(timeout=30) == f"127.0.0.1 has taken {bundle.path.name}."


def test_head_sends_no_content(served, bundle):
    """The headers alone, and nobody has taken anything."""
    port, told = served
    for path in ("/", f"/{bundle.path.name}"):
        status, headers, content = asked(port, path, "HEAD")
        assert (status, content) == (200, b"")
        assert int(headers["Content-Length"]) > 0
    assert told.empty()


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/../pyproject.toml", "GET", 404),
        ("/..%2f..%2fetc/passwd", "GET", 404),
        ("//etc/passwd", "GET", 404),
        ("/x.txt", "GET", 404),
        ("/?x", "GET", 404),
        ("/", "POST", 501),
        ("/", "PUT", 501),
        ("/", "DELETE", 501),
        ("/" + "x" * 70_000, "GET", 414),
    ],
)
def test_nothing_else_can_be_had_or_done(path, method, status, served):
    """Other paths and methods are refused, whatever they name."""
    assert asked(served[0], path, method)[0] == status


def test_names_of_the_page_are_escaped(tmp_path):
    """What an archive says of its system cannot write into the page."""
    path = tmp_path / "x.zip"
    pack(path, "x", {}, {**ABOUT, "system": "<script>alert(1)</script>"})
    with serving([bundle_of(path)], "127.0.0.1", 0, 0, print) as port:
        assert b"<script>alert" not in asked(port, "/")[2]


def test_a_crowd_of_silent_clients_blocks_nobody_for_ever(served):
    """Beyond the limit connections are closed at once; once one ends, another is served."""
    port, _ = served
    crowd = [
        socket.create_connection(("127.0.0.1", port), 10, (f"127.0.0.{2 + number % 2}", 0))
        for number in range(CONNECTIONS)
    ]
    with socket.create_connection(("127.0.0.1", port), 10) as late:
        late.sendall(b"GET / HTTP/1.0\r\n\r\n")
        with contextlib.suppress(ConnectionResetError):
            assert late.recv(100) == b""
    for each in crowd:
        each.sendall(b"GET /none HTTP/1.0\r\n\r\n")
        while each.recv(10_000):
            pass
        each.close()
    assert asked(port, "/")[0] == 200


def test_one_machine_that_says_little_keeps_nobody_else_out(served):
    """A letter now and then held all connections, for as long as it liked."""
    port, _ = served
    with contextlib.ExitStack() as stack:
        for _ in range(2 * CONNECTIONS):
            slow = socket.create_connection(("127.0.0.1", port), 10, ("127.0.0.2", 0))
            stack.enter_context(slow).sendall(b"GET / HTTP/1.1\r\nX: ")
        assert asked(port, "/")[0] == 200


def test_it_ends_by_itself(bundle, capsys):
    """After --minutes it ends with 0; screen and page show the same SHA-256."""
    arguments = ["--interface", "127.0.0.1", "--minutes", "0.001", "--port", "0"]
    assert main(["share", str(bundle.path), *arguments]) == 0
    out = capsys.readouterr().out
    assert bundle.digest in out
    assert "http://127.0.0.1:" in out


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_is_the_usual_end(bundle):
    """Ctrl-C ends it with 0 and no word on standard error."""
    process = subprocess.Popen(
        [*LANPLAY, "share", str(bundle.path), "--interface", "127.0.0.1", "--port", "0"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stdout:
        if "Ctrl-C" in line:
            break
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")


def test_what_is_no_bundle_is_refused(tmp_path, capsys):
    """A missing file, another archive, or another file: status 2 and its name."""
    (tmp_path / "note.zip").write_text("no archive")
    for name in ("note.zip", "missing.zip"):
        assert main(["share", str(tmp_path / name), "--minutes", "0.001"]) == 2
        assert name in capsys.readouterr().err


def test_a_bundle_gives_itself(tmp_path, monkeypatch, capsys):
    """A program that runs from a bundle passes on the same archive; a changed one does not."""
    path = tmp_path / "lanplay-1-linux.zip"
    about = {**ABOUT, "system": "Linux"}
    digest = pack(path, path.stem, {"program/lanplay/x.py": BundleFile(b"1")}, about)
    root = tmp_path / "there" / path.stem
    with zipfile.ZipFile(path) as archive:
        archive.extractall(root.parent)
    assert manifest_of(root)["system"] == "Linux"
    monkeypatch.setattr(bundling, "ROOT", root / "program")
    monkeypatch.setattr(sharing, "PACKAGE", root / "program" / "lanplay")
    arguments = ["share", "--data", str(tmp_path / "d"), "--interface", "127.0.0.1", "--port", "0"]
    assert main([*arguments, "--minutes", "0.001"]) == 0
    assert digest in capsys.readouterr().out
    (root / "program" / "lanplay" / "x.py").write_text("2")
    assert main([*arguments, "--minutes", "0.001"]) == 2
    assert "x.py" in capsys.readouterr().err
    with pytest.raises(ValueError, match=r"x\.py"):
        pack_again(root, tmp_path / "again.zip")


def test_a_port_in_use_is_told(bundle, capsys):
    """A port that was asked for and is taken ends with status 2."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        arguments = ["--interface", "127.0.0.1", "--port", port, "--minutes", "0.001"]
        assert main(["share", str(bundle.path), *arguments]) == 2
    assert port in capsys.readouterr().err


# -- programs of one file, and the check that nobody skips -----------------------------------------

PROGRAM = "lanplay-1.2.3-linux-x86_64"


@pytest.fixture
def program(tmp_path):
    """A program of one file, which says that it was started."""
    path = tmp_path / "given" / PROGRAM
    path.parent.mkdir()
    path.write_text("#!/bin/sh\necho started\n", newline="\n")
    return path


def test_a_program_of_one_file_needs_nothing_else(program, monkeypatch, tmp_path):
    """It is found in dist, told by its name, and the page asks for no Python."""
    (dist := tmp_path / "dist").mkdir()
    program = program.rename(dist / PROGRAM)
    monkeypatch.setattr(sharing, "PACKAGE", tmp_path / "lanplay")
    with sharing.bundles([], tmp_path) as [found]:
        assert found == bundle_of(program)
    assert (found.system, found.platform, found.pythons) == ("Linux (x86_64)", "linux", ())
    with serving([found], "127.0.0.1", 0, 0, print) as port:
        text = asked(port, "/")[2].decode()
    assert "needs nothing else" in text
    assert "python.org" not in text


def test_a_program_is_given_away_under_its_own_name(program, monkeypatch, tmp_path):
    """A browser that fetched it twice has called the second one otherwise: nobody could take it."""
    program = program.rename(tmp_path / "lanplay (1)")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    with (
        sharing.bundles([], tmp_path) as [found],
        serving([found], "127.0.0.1", 0, 0, print) as port,
    ):
        [link] = re.findall('href="(/[^"]*)', asked(port, "/")[2].decode())
        assert re.fullmatch(sharing.PROGRAM, link[1:])
        assert asked(port, link)[2] == program.read_bytes()


@pytest.mark.skipif(sys.platform == "win32" or not shutil.which("curl"), reason="needs a shell")
def test_what_does_everything_at_once_starts_nothing_that_is_not_what_the_page_says(
    program, tmp_path
):
    """The line to paste compares the SHA-256 before it starts what came."""
    with serving([bundle_of(program)], "127.0.0.1", 0, 0, print) as port:
        text = " ".join(unescape(asked(port, "/")[2].decode()).split())  # as a browser shows it
        line = re.search(r"curl .*?(?=</p>)", text).group()
        for content, status in ((None, 0), ("#!/bin/sh\necho evil12\n", 1)):
            folder = tmp_path / f"visitor-{status}"
            folder.mkdir()
            if content is not None:
                program.write_text(content)  # of the same length, as its length was told before
            done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True)
            assert bool(done.returncode) == bool(status), done.stderr
            assert ("started" in done.stdout, "evil" in done.stdout) == (not status, False)


@pytest.mark.skipif(not shutil.which("node"), reason="needs a JavaScript engine")
def test_the_page_works_out_the_sha256_of_a_file_by_itself():
    """Equal to hashlib's at every length around a block and a piece."""
    sizes = [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, (1 << 20) - 1, 1 << 20, (1 << 20) + 57]
    data = "new Blob([Uint8Array.from({length: size}, (_, i) => i * 131)])"
    code = f"(async () => {{ for (const size of {sizes}) console.log(await sha256({data})) }})()"
    done = subprocess.run(["node", "-e", SCRIPT + code], capture_output=True, text=True, check=True)
    wanted = [hashlib.sha256(bytes(i * 131 & 255 for i in range(n))).hexdigest() for n in sizes]
    assert done.stdout.split() == wanted


def test_the_page_runs_its_own_script_and_no_other(served):
    """The policy names the script by its hash: nothing that an archive says of itself can run."""
    _status, headers, content = asked(served[0], "/")
    script = re.search(r"<script>(.*)</script>", content.decode(), re.DOTALL).group(1)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert headers["Content-Security-Policy"].endswith(f"script-src 'sha256-{digest}'")
    assert "unsafe-inline" not in headers["Content-Security-Policy"].partition("script-src")[2]
