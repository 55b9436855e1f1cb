"""What a fresh machine gets: lock files, package data, and the two commands of the README."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import lanplay
from lanplay.cli import bundling
from scripts import release

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ["requirements.lock", "requirements-test.lock", "requirements-release.lock"]
LOCKS += ["requirements-browser.lock"]


def pins(lock: str) -> dict[str, str]:
    """Return the version of each package that a lock file names."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9][a-z0-9.-]*)==([^ ;\\]+)", text, re.MULTILINE))


def required(lock: str) -> list[Requirement]:
    """Return what ``pyproject.toml`` asks of a lock file."""
    named = PROJECT["project"]["dependencies"]
    extra = lock.removeprefix("requirements").removeprefix("-").removesuffix(".lock")
    return [*map(Requirement, named), *(optional(extra) if extra else [])]


def optional(extra: str) -> list[Requirement]:
    """Return what an extra asks for, also by other extras of the project."""
    found = []
    for requirement in map(Requirement, PROJECT["project"]["optional-dependencies"][extra]):
        if requirement.name == PROJECT["project"]["name"]:
            found += [line for other in sorted(requirement.extras) for line in optional(other)]
        else:
            found.append(requirement)
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_every_dependency_is_locked(lock: str) -> None:
    """Each dependency of the project is pinned to a version that the project allows."""
    locked = pins(lock)
    for requirement in required(lock):
        assert locked[canonicalize_name(requirement.name)] in requirement.specifier


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_hashes(lock: str) -> None:
    """Each package of a lock file is pinned and carries hashes."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    packages = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert packages
    for package in packages:
        assert re.match(r"[a-z0-9.-]+==\S+ ", package)
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", package)


@pytest.mark.parametrize("lock", LOCKS)
def test_no_index_is_named(lock: str) -> None:
    """A lock file names no index, so that each machine uses its own."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"https?:|file:|--(extra-)?index-url|--find-links|--trusted-host", text)


def test_tests_run_on_what_is_shipped() -> None:
    """The other lock files hold every runtime package in the very same version."""
    for lock in LOCKS[1:]:
        assert pins(LOCKS[0]).items() <= pins(lock).items()


def test_what_makes_a_release_stands_beside_what_tests_it() -> None:
    """Both may be installed in one environment: no package is locked in two versions."""
    tests, release = pins(LOCKS[1]), pins(LOCKS[2])
    both = tests.keys() & release.keys()
    assert {name: release[name] for name in both} == {name: tests[name] for name in both}


def test_the_version_stands_in_one_place() -> None:
    """The package's version is read from ``lanplay.__version__`` and written nowhere else."""
    assert re.fullmatch(r"\d+\.\d+\.\d+", lanplay.__version__)
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "lanplay/__init__.py"


def test_a_wheel_carries_the_rules_and_the_examples() -> None:
    """The program looks for them in the wheel, and there for what starts a copy elsewhere."""
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {
        "docs/rules": "lanplay/rules",
        "docs/examples/liars-dice": "lanplay/check/example",
        "docs/examples/learn.py": "lanplay/env/learn.py",
        "scripts/bundled": "lanplay/scripts/bundled",
        **{f"scripts/{each}": f"lanplay/scripts/{each}" for each in bundling.STARTERS},
    }
    assert wheel["packages"] == ["lanplay", "ai/lanplay_ai", "protocol/lanplay_protocol"]
    assert wheel["exclude"] == ["*.po"]  # what is read is compiled


HOME = "https://example.org/lanplay"


@pytest.fixture
def metadata(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the hook that fills in metadata, without the build backend that calls it."""
    base = ModuleType("hatchling.metadata.plugin.interface")
    monkeypatch.setattr(base, "MetadataHookInterface", object, raising=False)
    for name in ("hatchling", "hatchling.metadata", "hatchling.metadata.plugin", base.__name__):
        monkeypatch.setitem(sys.modules, name, base)
    return import_module("scripts.metadata")


def test_links_of_the_readme_work_on_a_package_index(metadata: ModuleType) -> None:
    """Pictures and pages are those of the version's tag; none is left relative."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = metadata.absolute(readme, HOME, "v1.2.3")
    links = re.findall(r"\]\(([^)]+)\)", told)
    assert len(links) == len(re.findall(r"\]\(", readme)) > 20
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert f"]({HOME}/raw/v1.2.3/docs/images/dice-town.svg)" in told
    assert f"]({HOME}/blob/v1.2.3/docs/protocol.md#people-with-phones)" in told


def test_no_address_is_made_up(metadata: ModuleType) -> None:
    """Without the address of a repository there are no URLs, and links stay as they are."""
    assert metadata.absolute("[a](b.md)", "", "v1") == "[a](b.md)"
    assert metadata.urls("", "v1") == {}
    assert all(url.startswith(HOME) for url in metadata.urls(HOME, "v1").values())


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_what_a_page_links_to_is_there(page: str) -> None:
    """Every relative link of the pages at the root names a file of the checkout."""
    text = (ROOT / page).read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text)
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("package", ["lanplay", "ai/lanplay_ai", "protocol/lanplay_protocol"])
def test_packages_are_typed(package: str) -> None:
    """Each package says that it carries types."""
    assert (ROOT / package / "py.typed").exists()


def test_readme_is_short_and_names_both_commands() -> None:
    """The README has 50 to 170 lines; the demonstration is its first command, the tests follow."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL)
    assert 50 <= len(text.splitlines()) <= 170
    assert blocks[0] == "python3 scripts/lanplay.py demo"
    assert "python3 scripts/test.py" in blocks
    assert r"py scripts\lanplay.py demo" in blocks


def test_readme_says_whose_the_names_are() -> None:
    """The README says that names belong to their publishers and that nothing of theirs is here."""
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "belong to their publishers" in text
    assert "None of their text or art is included" in text


def test_ci_runs_the_readme_command() -> None:
    """What decides in CI is the README's test command, and nothing else."""
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["exec python3 scripts/test.py"]


@pytest.mark.parametrize(
    ("before", "here", "faults"),
    [
        ("v0.1.9", "v0.2.0", []),
        ("v0.2.0", "v0.1.9", ["0.2.0 is not above v0.2.0"]),
        ("v0.1.9", "v0.10.0", ["0.2.0 is not above v0.10.0"]),
    ],
)
def test_the_tag_that_began_a_release_does_not_stop_it(
    before: str, here: str, faults: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A version may have its tag on the very commit that is released, and on no other."""
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "__version__", "0.2.0")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    release.git("init", "--quiet")
    for tag in (before, here):
        author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        release.git(*author, "commit", "--quiet", "--allow-empty", "--message", tag)
        release.git("tag", tag)
    assert list(release.version()) == faults


def test_what_a_workflow_runs_is_a_program() -> None:
    """A script that only holds functions would end at once, and look as if it had passed."""
    folder = ROOT / ".github/workflows"
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yml")))
    named = set(re.findall(r"\bscripts/[\w/]+\.py", text))
    assert len(named) > 5
    assert [each for each in named if "__main__" not in (ROOT / each).read_text("utf-8")] == []


def test_the_program_that_learns_is_what_its_page_runs() -> None:
    """It is installed under the name that docs/learning.md types, and has at most 150 lines."""
    page = (ROOT / "docs/learning.md").read_text("utf-8")
    assert "python -m lanplay.env.learn charidice 12 random beginner" in page
    assert (ROOT / "docs/examples/learn.py").read_text("utf-8").count("\n") <= 150


def test_workflows_take_what_is_locked():
    """What a workflow installs by itself has the version of the lock file."""
    lock = (ROOT / "requirements-release.lock").read_text()
    flows = "".join(path.read_text() for path in (ROOT / ".github/workflows").glob("*.yml"))
    assert [each for each in re.findall(r"[\w-]+==[\d.]+", flows) if f"\n{each} " not in lock] == []
