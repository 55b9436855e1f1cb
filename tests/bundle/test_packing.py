"""Bundles are packed alike everywhere, and again from what was unpacked."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from lanplay import files
from lanplay.cli import bundling
from lanplay.cli.packing import BundleFile, manifest_of, pack, pack_again, sha256
from scripts import bundle, unpacked

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "{}.{}".format(*sys.version_info[:2])
ELSEWHERE = ("/usr/local/bin/python3", "/opt/homebrew/bin/python3")
ENTRIES = {
    "b/x.py": BundleFile(b"1\n"),
    "a.txt": BundleFile(b"2\n"),
    "start.sh": BundleFile(b"3\n", True),
}


def wheel(name, **files):
    """Return the bytes of a wheel of pure Python modules."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for module, text in files.items():
            archive.writestr(f"{module}.py", text)
    return {f"{name}-1.0-py3-none-any.whl": content.getvalue()}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Make a bundle with a single wheel, unpack it; return the folder and the archive."""
    python = "{}.{}".format(*sys.version_info[:2])
    monkeypatch.setattr(bundle, "download", lambda *_: wheel("one", one="ONE = 1"))

    def make(system="linux"):
        path, digest = bundle.bundle(system, [python], tmp_path / "dist")
        assert digest == sha256(path)
        with zipfile.ZipFile(path) as archive:
            archive.extractall(tmp_path / "there")
        return tmp_path / "there" / path.stem, path

    return make


def test_equal_content_equal_archives(tmp_path):
    """Neither the order of files nor the time of packing changes a byte."""
    first = pack(tmp_path / "1.zip", "x", ENTRIES, {"version": "1"})
    second = pack(tmp_path / "2.zip", "x", dict(reversed(ENTRIES.items())), {"version": "1"})
    assert first == second == hashlib.sha256((tmp_path / "2.zip").read_bytes()).hexdigest()
    assert pack(tmp_path / "3.zip", "x", ENTRIES, {"version": "2"}) != first


def test_what_starts_it_is_executable(tmp_path):
    """The mode of a starter survives unpacking; everything lies in one folder."""
    pack(tmp_path / "1.zip", "x", ENTRIES, {})
    with zipfile.ZipFile(tmp_path / "1.zip") as archive:
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in archive.infolist()}
    assert modes == {
        "x/a.txt": 0o644,
        "x/b/x.py": 0o644,
        "x/bundle.json": 0o644,
        "x/start.sh": 0o755,
    }


def test_an_unpacked_bundle_packs_into_the_same_archive(small, tmp_path):
    """Whoever got a bundle can pass it on, byte for byte, also after it has been used."""
    folder, path = small()
    (folder / "packages").mkdir()
    (folder / "packages" / "x.py").write_text("")
    assert pack_again(folder, tmp_path / "again.zip") == sha256(path)


@pytest.mark.parametrize("change", ["alter", "remove"])
def test_a_changed_bundle_is_not_passed_on(change, small, tmp_path):
    """A file that was altered or removed is named, and no archive is written."""
    folder, _ = small()
    file = folder / "program" / "lanplay" / "__init__.py"
    file.write_text("print(1)") if change == "alter" else file.unlink()
    with pytest.raises(ValueError, match=r"__init__\.py"):
        pack_again(folder, tmp_path / "again.zip")
    assert not (tmp_path / "again.zip").exists()


@pytest.mark.parametrize("system", bundle.SYSTEMS)
def test_each_system_gets_what_it_needs(system, small):
    """Program, rules pages, wheels, instructions, and something to double-click."""
    folder, _ = small(system)
    about = manifest_of(folder)
    for name in (
        "READ ME.txt",
        "start.py",
        "program/lanplay/cli/__init__.py",
        "program/lanplay/rules/dice_town.md",
        "program/scripts/unpacked.py",
        "program/LICENSE",
        "wheels/one-1.0-py3-none-any.whl",
    ):
        assert name in about["files"]
    starters = [name for name, (_, executable) in about["files"].items() if executable]
    assert starters
    for name in starters:
        assert b"\r\n" in (folder / name).read_bytes() or not system.startswith("windows")
        assert b"\r\n" not in (folder / name).read_bytes() or system.startswith("windows")
    text = (folder / "READ ME.txt").read_text(encoding="utf-8")
    assert bundle.SYSTEMS[system].title in text
    assert "{" not in text


def test_nothing_but_the_program_is_in_it(small):
    """No tests, no caches, no history, no settings of whoever packed it."""
    files = manifest_of(small()[0])["files"]
    names = [name for name in files if "/check/example/" not in name]  # has tests of its own
    for word in ("tests/", "__pycache__", ".pyc", ".git", ".venv", "config.toml", "identity.key"):
        assert not [name for name in names if word in name], word


@pytest.mark.parametrize("name", ["bundled/start.py", "python_version.py"])
def test_old_pythons_can_read_how_to_get_a_newer_one(name):
    """The starter parses on Python 3.6, which then says what to install."""
    ast.parse((ROOT / "scripts" / name).read_text(encoding="utf-8"), feature_version=(3, 6))


def about(**changes):
    """Return the manifest of a bundle for this machine."""
    system = "win32" if sys.platform == "win32" else sys.platform.rstrip("0123456789")
    return {
        "system": "Plan 9",
        "platform": system,
        "machines": [platform.machine().lower()],
        "pythons": {PYTHON: ["one-1.0-py3-none-any.whl"]},
        **changes,
    }


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({"platform": "plan9"}, "Plan 9"),
        ({"machines": ["vax"]}, "Plan 9"),
        ({"pythons": {"3.1": []}}, "Install one of those"),
    ],
)
def test_the_wrong_bundle_is_told(changes, hint, tmp_path):
    """Another system, machine or version of Python is a sentence that says what to get."""
    with pytest.raises(SystemExit) as left:
        unpacked.ensure(tmp_path, about(**changes))
    assert hint in str(left.value)


def test_on_windows_a_bundle_suits_the_python_and_not_the_laptop(monkeypatch):
    """An ARM laptop runs a Python for x86-64, as most people install it; it loads such wheels."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(platform, "machine", lambda: "ARM64")
    monkeypatch.setattr(sysconfig, "get_platform", lambda: "win-amd64")
    x86_64 = about(machines=["amd64", "x86_64"])
    assert unpacked._wheels(x86_64) == x86_64["pythons"][PYTHON]
    with pytest.raises(SystemExit, match="Get the bundle for this system"):
        unpacked._wheels(about(machines=["arm64"]))


def test_wheels_are_unpacked_once_and_checked(tmp_path, capsys):
    """The packages lie ready from the first start on; a wheel that was changed is refused."""
    [(name, content)] = wheel("one", one="ONE = 1").items()
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / name).write_bytes(content)
    files = {f"wheels/{name}": [hashlib.sha256(content).hexdigest(), False]}
    packages = unpacked.ensure(tmp_path, about(files=files))
    assert (packages / "one.py").read_text() == "ONE = 1"
    assert "once" in capsys.readouterr().err
    (tmp_path / "wheels" / name).write_bytes(content + b"?")
    assert unpacked.ensure(tmp_path, about(files=files)) == packages
    assert capsys.readouterr().err == ""
    (packages / "one.py").unlink()
    packages.rmdir()
    with pytest.raises(ValueError, match="was changed"):
        unpacked.ensure(tmp_path, about(files=files))


def test_a_damaged_copy_is_a_sentence(tmp_path):
    """Without its manifest a copy says that it must be unpacked again."""
    with pytest.raises(SystemExit) as left:
        unpacked.run(str(tmp_path), [])
    assert "Unpack the archive again" in str(left.value)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands in for a Python")
def test_another_python_that_is_here_is_used(tmp_path, monkeypatch):
    """If the wheels are for another version, and that one is on PATH, it runs the program."""
    other = tmp_path / "python3.99"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    wanted = about(pythons={"3.98": [], "3.99": []})
    (tmp_path / "bundle.json").write_text(json.dumps(wanted))
    became = []

    def become(command, _variables):
        became.extend(command)
        sys.exit()

    monkeypatch.setattr(unpacked, "become", become)
    with pytest.raises(SystemExit):
        unpacked.run(str(tmp_path), ["--version"])
    assert became == [str(other), str(tmp_path / "start.py"), "--version"]


def test_a_folder_that_a_scanner_looks_into_is_named_once_it_lets_go(tmp_path, monkeypatch):
    """Windows refuses to rename a folder while a file in it is open, as each new one soon is."""
    (tmp_path / "wheels").mkdir()
    refusals = [PermissionError("Access is denied")] * 4
    rename = Path.replace

    def replace(draft, path):
        if refusals:
            raise refusals.pop()
        return rename(draft, path)

    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(files, "PATIENCE", (0.0,))
    packages = unpacked.ensure(tmp_path, about(pythons={PYTHON: []}))
    assert packages.is_dir()


def test_how_to_start_on_macos_is_what_macos_still_offers():
    """Since version 15 the menu of a right click opens nothing that is not signed."""
    how = bundling.SYSTEMS["darwin"].how
    assert "Open Anyway" in how
    assert "ight-click" not in how


def test_the_starter_of_windows_takes_no_python_that_does_not_run():
    """What is called so may only lead to the Store; and it leaves the console's letters alone."""
    text = (ROOT / "scripts" / "bundled" / "Start lanplay.cmd").read_text(encoding="utf-8")
    tried, taken = text.split(":found")
    assert re.findall(r'set "python=(.+)"\ncall %python% -c', tried) == ["py -3", "python"]
    assert "start.py" not in tried
    assert '%python% "%~dp0start.py" %*' in taken
    assert "chcp" not in text


@pytest.mark.skipif(
    sys.platform == "win32" or any(Path(each).exists() for each in ELSEWHERE),
    reason="no shell here, or a Python that the starter always finds",
)
def test_without_a_python_the_starter_says_what_to_install(small, tmp_path):
    """It ends with 1 and a sentence."""
    folder, _ = small()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "dirname").symlink_to(shutil.which("dirname"))
    done = subprocess.run(
        ["/bin/sh", folder / "start.sh"],
        env={"PATH": str(tmp_path / "bin")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("lanplay needs Python 3.11 or newer")


@pytest.mark.skipif(
    not Path("/usr/bin/python3").exists() or any(Path(each).exists() for each in ELSEWHERE),
    reason="no such Python here, or one that the starter always finds",
)
@pytest.mark.parametrize("installed", [True, False])
def test_on_macos_a_python_that_only_asks_for_developer_tools_is_left_alone(
    installed, small, tmp_path
):
    """Whoever agreed would get a gigabyte, and a Python that is too old."""
    folder, _ = small()
    (folder / "start.py").write_text("print('runs')")
    select = tmp_path / "xcode-select"
    select.write_text(f"#!/bin/sh\n[ $1 = -p ] && exit {0 if installed else 2}\n")
    select.chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", folder / "start.sh"],
        env={"PATH": f"{tmp_path}:/usr/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ("runs\n" if installed else "")
    assert ("lanplay needs Python" in done.stderr) != installed
