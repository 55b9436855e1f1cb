"""What only a part needs is advised in a way that works where lanplay runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from lanplay import extras
from lanplay.cli.doctor import program
from lanplay.told import worded

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder in which lanplay lies, and another Python's environment."""
    monkeypatch.setattr(extras, "ROOT", tmp_path / "lanplay")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    monkeypatch.setattr(sys, "executable", "/some where/python")
    monkeypatch.setattr(sys, "platform", "linux")
    (tmp_path / "lanplay").mkdir()
    return tmp_path / "lanplay"


def have(monkeypatch, *present):
    monkeypatch.setattr(extras, "find_spec", lambda name: name if name in present else None)
    monkeypatch.setattr(extras, "has_pip", lambda: "pip" in present)


def test_the_extras_are_those_of_the_project():
    """Every package of an extra that people use is named, and no other."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    names = {extra: {each.partition(">")[0] for each in declared[extra]} for extra in extras.EXTRAS}
    assert names == {extra: set(packages) for extra, packages in extras.EXTRAS.items()}


@pytest.mark.parametrize("part", extras.PARTS)
def test_a_package_of_others_that_is_called_like_a_part_is_named(part, tmp_path, monkeypatch):
    """Whatever is asked for: status 2, the package, where it is from, and what to do."""
    assert extras.foreign_parts() == {}
    (tmp_path / part).mkdir()
    (tmp_path / part / "__init__.py").touch()
    paths = os.pathsep.join(map(str, (tmp_path, *sys.path)))
    for command in ("rules", "doctor"):
        done = subprocess.run(
            [sys.executable, "-m", "lanplay", command],
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert done.returncode == 2
        assert f"takes the package {part} from {tmp_path / part}" in done.stderr


def test_a_part_that_is_missing_is_named(monkeypatch):
    """Nothing is found, or a folder without code: there is no place to name."""
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    assert extras.foreign_parts() == dict.fromkeys(extras.PARTS, "")


def test_in_any_environment_with_pip_its_pip_brings_them(place, monkeypatch):
    """Also in a checkout that another environment runs: never by the name of lanplay."""
    have(monkeypatch, "pip")
    assert extras.missing("env") == ["pettingzoo", "gymnasium", "numpy"]
    told = extras.installing(["matplotlib", "distributed"])
    assert told == "'/some where/python' -m pip install matplotlib distributed"


def test_without_pip_uv_brings_them(place, monkeypatch):
    """``uv tool install`` makes environments without pip."""
    have(monkeypatch)
    assert (
        extras.installing(["matplotlib"])
        == "uv pip install --python '/some where/python' matplotlib"
    )


@pytest.mark.parametrize("single", [False, True])
def test_a_bundle_and_a_single_file_take_nothing_in(single, place, monkeypatch):
    """They say where else to go."""
    if single:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
    else:
        (place.parent / "bundle.json").touch()
    have(monkeypatch, "pip")
    assert "nothing can be added to this one" in worded(extras.installing(["matplotlib"]))


def test_doctor_names_every_package_that_is_missing(monkeypatch):
    """Each with the part that needs it, and how it is installed."""
    have(monkeypatch, "pip")
    real = program.find_spec
    optional = set(program.OPTIONAL)
    monkeypatch.setattr(program, "find_spec", lambda n: None if n in optional else real(n))
    notes = [each for each in program._packages() if each.topic == "optional"]
    assert {note.text.split()[0] for note in notes} == optional
    every = {name for packages in extras.EXTRAS.values() for name in packages}
    assert optional == every
    assert all(note.text.split()[0] in note.remedy for note in notes)


def test_nothing_advises_what_no_index_has():
    """No text, page or program tells to install lanplay with an extra by its name."""
    files = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    files += [
        path for room in ("lanplay", "ai", "protocol") for path in (ROOT / room).rglob("*.py")
    ]
    advice = re.compile(r"pip install '?lanplay\[")
    assert not [path for path in files if advice.search(path.read_text("utf-8"))]


@pytest.mark.parametrize(
    "kind", ["bots-1.dist-info", "bots.egg-info", "bots.egg/EGG-INFO", "a.zip"]
)
def test_entry_points_are_found_wherever_packages_lie(kind, tmp_path, monkeypatch):
    """In folders of either kind, in eggs and in archives."""
    said = "[lanplay.bots]\ndice-town.bold = bots:Bold\n"
    if kind.endswith(".zip"):
        with ZipFile(tmp_path / kind, "w") as archive:
            archive.writestr("bots-1.dist-info/entry_points.txt", said)
            archive.writestr("bots-1.dist-info/METADATA", "Name: bots\n")
    else:
        (tmp_path / kind).mkdir(parents=True)
        (tmp_path / kind / "entry_points.txt").write_text(said)
        (tmp_path / kind / "PKG-INFO").write_text("Name: bots\n")
        (tmp_path / kind / "METADATA").write_text("Name: bots\n")
    name = kind.partition("/")[0]
    place = tmp_path / name if name.endswith((".zip", ".egg")) else tmp_path
    assert extras.entry_points("lanplay.bots") == ()
    monkeypatch.syspath_prepend(place)
    assert [each.name for each in extras.entry_points("lanplay.bots")] == ["dice-town.bold"]
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "gone"), str(ROOT)])
    assert len(extras.entry_points("lanplay.other")) == 0
