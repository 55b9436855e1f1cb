"""A bundle starts in an empty folder, for a person who has nothing, without the internet."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

MAKE = Path(__file__).resolve().parents[2] / "scripts" / "bundle.py"
PYTHON = "{}.{}".format(*sys.version_info[:2])
SYSTEMS = {"x86_64": "linux", "aarch64": "linux-arm64"}

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in SYSTEMS,
    reason="only bundles for this machine can be started",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make the bundle for this machine and this Python, and unpack it with its modes."""
    place = tmp_path_factory.mktemp("bundle")
    system = SYSTEMS[platform.machine()]
    done = subprocess.run(
        [sys.executable, MAKE, f"--system={system}", f"--python={PYTHON}", f"--out={place}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and "cannot be had" in done.stderr:
        pytest.skip("no index has the wheels")
    assert done.returncode == 0, done.stderr
    [path] = place.glob("*.zip")
    assert str(path) in done.stdout
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            target = Path(archive.extract(info, place / "there"))
            target.chmod(info.external_attr >> 16 & 0o777)
    return place / "there" / path.stem


def started(folder, tmp_path, *arguments):
    """Run the starter with an empty home and nothing else in the environment, without network."""
    (tmp_path / "home").mkdir(exist_ok=True)
    alone = ["unshare", "--map-root-user", "--net"] if shutil.which("unshare") else []
    if alone and subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        alone = []
    path = f"{Path(sys.executable).parent}:{os.defpath}"
    return subprocess.run(
        [*alone, folder / "start.sh", *arguments],
        cwd=tmp_path,
        env={"HOME": str(tmp_path / "home"), "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_starts_in_an_empty_folder_without_internet(folder, tmp_path):
    """``--version`` and a simulation run from the unpacked archive alone."""
    version = started(folder, tmp_path, "--version")
    assert version.returncode == 0, version.stderr
    assert version.stdout.startswith("lanplay ")
    games = started(folder, tmp_path, "simulate", "dice-town", "--games", "2", "--json")
    assert games.returncode == 0, games.stderr
    assert json.loads(games.stdout.splitlines()[-1])["games"] == 2


def test_its_modules_are_its_own(folder, tmp_path):
    """Program and packages come from the bundle, whatever the machine has installed."""
    said = started(folder, tmp_path, "doctor", "--json", "--interface", "127.0.0.9")
    found = {each["topic"]: each["text"] for each in json.loads(said.stdout)["findings"]}
    assert str(folder / "program") in found["lanplay"]
    assert "missing" not in found["packages"]
    assert (folder / "packages" / f"py{PYTHON}" / "trio" / "__init__.py").exists()


def test_a_folder_that_cannot_be_written_is_a_sentence(folder, tmp_path):
    """A bundle on a read-only disk says to copy it."""
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    shutil.rmtree(copy / "packages", ignore_errors=True)
    (copy / "packages").write_text("in the way")
    done = started(copy, tmp_path, "--version")
    assert done.returncode == 1
    assert "Copy the folder" in done.stderr
    assert "Traceback" not in done.stderr
