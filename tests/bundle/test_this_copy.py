"""Whoever has lanplay can give it away: out of a checkout, or out of what pip installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from lanplay import __version__
from lanplay.cli import bundling, main, sharing
from lanplay.cli.bundling import bundle_this
from lanplay.cli.packing import manifest_of

PYTHON = "{}.{}".format(*sys.version_info[:2])
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
SHARE = ["share", "--interface", "127.0.0.1", "--port", "0", "--minutes", "0.001"]


def install(site, name, files, requires=()):
    """Lay a package into a folder as pip does, with the list of its files."""
    about = f"{name}-1.0.dist-info"
    head = [f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"]
    files = {
        f"{about}/METADATA": "".join([*head, *(f"Requires-Dist: {r}\n" for r in requires)])
    } | {
        f"{about}/direct_url.json": '{"url": "file:///home/eva/wheels"}',
        **files,
    }
    rows = [f"../../../bin/{name},,", f"{about}/RECORD,,", f"{name}/__pycache__/x.pyc,,"]
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(text.encode())
        digest = urlsafe_b64encode(sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(text)}")
    (site / about / "RECORD").write_text("\n".join(rows))


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages: lanplay, which needs one, which needs another."""
    site = tmp_path / "site"
    starting = ["__init__.py", "python_version.py", "unpacked.py"]
    starting += [f"bundled/{path.name}" for path in (SCRIPTS / "bundled").iterdir()]
    texts = {f"lanplay/scripts/{each}": (SCRIPTS / each).read_text() for each in starting}
    texts |= {"lanplay/__init__.py": "", "lanplay/__main__.py": "import one; print(one.TWO)"}
    wanted = ["one>=1", 'none; python_version < "3"', 'plots; extra == "tournament"']
    install(site, "lanplay", texts, wanted)
    install(site, "one", {"one.py": "from two import TWO"}, ["two"])
    install(site, "two", {"two/__init__.py": "TWO = 'two'"})
    install(site, "plots", {"plots.py": ""})
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(bundling, "ROOT", site)
    monkeypatch.setattr(sharing, "PACKAGE", site / "lanplay")
    return site


def unpacked(path, folder):
    """Return the folder of an unpacked bundle."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    return folder / path.stem


def start(folder, *words):
    """Start a bundle with this Python and nothing else; return what it prints."""
    command = [sys.executable, "-I", folder / "start.py", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_was_installed_starts_elsewhere(site, tmp_path):
    """The program and what it needs, by the lists of its packages."""
    path = bundle_this(tmp_path)
    shutil.move(site, tmp_path / "away")
    folder = unpacked(path, tmp_path / "there")
    assert start(folder) == "two\n"
    names = manifest_of(folder)["files"]
    assert [name for name in names if "plots" in name or "RECORD" in name or ".pyc" in name] == []


def test_nothing_says_where_it_was_installed_from(site, tmp_path):
    """What pip notes of that is its owner's own."""
    with zipfile.ZipFile(bundle_this(tmp_path)) as archive:
        assert [name for name in archive.namelist() if b"eva" in archive.read(name)] == []


def test_equal_installations_give_equal_bundles(site, tmp_path):
    """Notes of the installer and compiled files make no difference."""
    first = bundle_this(tmp_path / "1")
    (site / "one-1.0.dist-info" / "INSTALLER").write_text("uv")
    (site / "one-1.0.dist-info" / "direct_url.json").unlink()
    record = site / "one-1.0.dist-info" / "RECORD"
    rows = [row for row in record.read_text().splitlines() if "direct_url" not in row]
    record.write_text("\n".join([*rows, "one-1.0.dist-info/INSTALLER,sha256=x,2"]))
    assert bundle_this(tmp_path / "2").read_bytes() == first.read_bytes()


def test_whoever_got_it_passes_on_the_same(site, tmp_path, monkeypatch):
    """Byte for byte, as any other bundle."""
    path = bundle_this(tmp_path)
    monkeypatch.setattr(bundling, "ROOT", unpacked(path, tmp_path / "there") / "program")
    assert bundle_this(tmp_path / "again").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda site: (site / "one.py").write_text("changed"), "one.py was changed"),
        (lambda site: (site / "one.py").unlink(), "one.py is missing"),
        (lambda site: shutil.rmtree(site / "two-1.0.dist-info"), "the package two is missing"),
        (
            lambda site: (site / "two-1.0.dist-info" / "RECORD").unlink(),
            "the files of two are not listed",
        ),
        (
            lambda site: install(site, "two", {"__editable__.two.pth": "/home/eva/two"}),
            "the files of two are not listed",
        ),
    ],
)
def test_what_is_not_whole_is_not_given(change, why, site, tmp_path, capsys):
    """It says what is in the way, and what to do: status 2."""
    change(site)
    assert main([*SHARE, "--data", str(tmp_path)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert why in said
    assert "scripts/bundle.py" in said


def test_an_unusual_python_gives_nothing(site, tmp_path, monkeypatch):
    """Its packages would be compiled for itself alone."""
    monkeypatch.setattr(bundling.sysconfig, "get_config_var", lambda _name: 1)
    with pytest.raises(ValueError, match="usual Python"):
        bundle_this(tmp_path)


def test_a_checkout_gives_what_it_runs(tmp_path):
    """All that a game takes, in an archive that says for whom it is, without any index."""
    path = bundle_this(tmp_path)
    folder = unpacked(path, tmp_path / "there")
    assert start(folder, "--version").startswith(f"lanplay {__version__} ")
    said = start(folder, "simulate", "charidice", "--games", "2", "--json", "--seats", "2")
    assert json.loads(said.splitlines()[-1])["games"] == 2
    assert manifest_of(folder)["pythons"] == {PYTHON: []}
    names = manifest_of(folder)["files"]
    for name in ("lanplay/rules/dice_town.md", "lanplay/check/example/pyproject.toml", "LICENSE"):
        assert f"program/{name}" in names
    assert [name for name in names if name.endswith((".po", ".pyc"))] == []
    home = start(folder, "new-game", "pig", "--folder", str(tmp_path / "mine"))
    assert "pig" in home


def test_what_is_needed_is_found_by_what_packages_ask_for():
    """What ``requirements.lock`` names; what a condition asks for comes along if it is here."""
    lock = (SCRIPTS.parent / "requirements.lock").read_text()
    locked = set(re.findall(r"^([a-z0-9-]+)==", lock, re.MULTILINE))
    needed = bundling._needed(bundling._requirements())
    assert locked <= {re.sub("[-_.]+", "-", each.name).lower() for each in needed}


def test_the_screen_says_for_whom_it_is(site, tmp_path, capsys):
    """Same system, same Python; and where bundles for others come from."""
    assert main([*SHARE, "--data", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert f"py{PYTHON}.zip" in told.out
    assert f"with Python {PYTHON}" in told.err
    assert "scripts/bundle.py" in told.err
