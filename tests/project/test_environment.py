"""When the environment of a checkout is made, topped up, or left alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts import environment, python_version

CHECKOUT = Path(__file__).resolve().parents[2]
RUNTIME, TEST = "requirements.lock", "requirements-test.lock"

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="uses shell scripts as programs")


class Checkout:
    """A checkout whose environments are made in no time; ``did`` says what was done."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.did: list[str] = []
        self.fails = False
        for lock in (RUNTIME, TEST):
            self.change(lock, "first")

    def change(self, lock: str, text: str) -> None:
        (self.root / lock).write_text(text)

    def make(self, folder: Path) -> None:
        self.did.append("make")
        environment.python(folder).parent.mkdir(parents=True, exist_ok=True)
        environment.python(folder).touch()

    def install(self, _: Path, locks: Sequence[str]) -> None:
        self.did += locks
        if self.fails:
            sys.exit("no network")

    def ensured(self, *locks: str) -> list[str]:
        """Return what was done to hold ``locks``."""
        self.did = []
        assert environment.ensure(locks).exists()
        return self.did


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Checkout:
    """An empty checkout with two lock files."""
    made = Checkout(tmp_path)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "_make", made.make)
    monkeypatch.setattr(environment, "_install", made.install)
    return made


def test_made_once(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    """The first use makes the environment and says so in a line; the second does nothing."""
    assert checkout.ensured(RUNTIME) == ["make", RUNTIME]
    assert capsys.readouterr().err.count("\n") == 1
    assert checkout.ensured(RUNTIME) == []
    assert capsys.readouterr() == ("", "")


def test_an_environment_finds_the_packages_of_its_checkout(checkout: Checkout) -> None:
    """A path file in it names their folders, also after another version's was left there."""
    checkout.ensured(RUNTIME)
    [file] = checkout.root.rglob(environment.PATHS)
    root = checkout.root.resolve()
    for _ in range(2):
        found = [(file.parent / line).resolve() for line in file.read_text().splitlines()]
        assert found == [root, root / "ai", root / "protocol"]
        file.write_text("..\n")
        assert checkout.ensured(RUNTIME) == []


def test_topped_up_by_another_lock_file(checkout: Checkout) -> None:
    """What the tests need is added to the environment that is there, and stays."""
    checkout.ensured(RUNTIME)
    assert checkout.ensured(RUNTIME, TEST) == [TEST]
    assert checkout.ensured(RUNTIME) == []
    assert checkout.ensured(RUNTIME, TEST) == []


def test_changed_lock_file_is_installed(checkout: Checkout) -> None:
    """A changed lock file is installed, and changed back it is installed again."""
    checkout.ensured(RUNTIME, TEST)
    checkout.change(RUNTIME, "second")
    assert checkout.ensured(RUNTIME, TEST) == [RUNTIME]
    checkout.change(RUNTIME, "first")
    assert checkout.ensured(RUNTIME, TEST) == [RUNTIME]


def test_failed_installation_starts_anew(checkout: Checkout) -> None:
    """An environment whose installation broke off is made again from the start."""
    checkout.ensured(RUNTIME)
    checkout.change(RUNTIME, "second")
    checkout.fails = True
    with pytest.raises(SystemExit):
        checkout.ensured(RUNTIME)
    checkout.fails = False
    assert checkout.ensured(RUNTIME) == ["make", RUNTIME]


def test_vanished_python_starts_anew(checkout: Checkout) -> None:
    """An environment whose Python was removed from the system is made again."""
    checkout.ensured(RUNTIME)
    environment.python(environment.environment()).unlink()
    assert checkout.ensured(RUNTIME) == ["make", RUNTIME]


def test_spoilt_stamp_starts_anew(checkout: Checkout) -> None:
    """An environment with an unreadable stamp is made again."""
    checkout.ensured(RUNTIME)
    (environment.environment() / environment.STAMP).write_text("nonsense")
    assert checkout.ensured(RUNTIME) == ["make", RUNTIME]


def test_each_python_has_its_own(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of Python gets an environment of its own and leaves the first alone."""
    checkout.ensured(RUNTIME)
    with monkeypatch.context() as other:
        other.setattr(sys, "version_info", (3, 99, 0))
        assert checkout.ensured(RUNTIME) == ["make", RUNTIME]
    assert checkout.ensured(RUNTIME) == []


def test_unwritable_checkout_is_told(checkout: Checkout) -> None:
    """A folder that cannot be made ends with a sentence."""
    (checkout.root / ".venv").write_text("a file is in the way")
    with pytest.raises(SystemExit, match="cannot be made"):
        checkout.ensured(RUNTIME)


def test_missing_venv_names_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A Python without its venv parts, as on Debian, is told with the package that brings them."""

    def failing(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, stdout="ensurepip is not available")

    monkeypatch.setattr(subprocess, "run", failing)
    package = "python{}.{}-venv".format(*sys.version_info[:2])
    with pytest.raises(SystemExit, match=f"apt install {package}"):
        environment._make(tmp_path / "made")


def test_a_second_process_waits(tmp_path: Path) -> None:
    """While one process sets up, a second says that it waits and goes on afterwards."""
    lock = tmp_path / "lock"
    code = "import sys; from pathlib import Path; from scripts import environment as e\n"
    code += "with e.alone(Path(sys.argv[1])): print('mine')"
    with environment.alone(lock):
        second = begin(code, lock)
        assert second.stderr is not None
        assert second.stderr.readline().startswith("lanplay: waiting")
        assert second.poll() is None
    assert second.communicate() == ("mine\n", "")


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    """The lock of a process that was killed is free at once."""
    lock = tmp_path / "lock"
    code = "import sys; from pathlib import Path; from scripts import environment as e\n"
    code += "with e.alone(Path(sys.argv[1])): print('mine', flush=True); sys.stdin.read()"
    first = begin(code, lock)
    assert first.stdout is not None
    assert first.stdout.readline() == "mine\n"
    first.kill()
    first.communicate()
    with environment.alone(lock):
        pass


def begin(code: str, lock: Path) -> subprocess.Popen[str]:
    """Start a Python that runs ``code`` with the lock's path as its argument."""
    return subprocess.Popen(
        [sys.executable, "-c", code, str(lock)],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_variables_that_mislead_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an active environment nor Python's or pip's own variables reach the program."""
    for name in environment.MISLEADING:
        monkeypatch.setenv(name, "/elsewhere")
    monkeypatch.setenv("HOME", "")
    monkeypatch.setenv("LANG", "cs_CZ.UTF-8")
    passed = environment.variables()
    assert "/elsewhere" not in passed.values()
    assert "PYTHONPATH" not in passed
    assert passed["LANG"] == "cs_CZ.UTF-8"
    assert "HOME" not in passed


@posix_only
def test_a_shim_without_a_python_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of the Pythons on PATH the newest that really runs is taken."""
    program(tmp_path / "python3.14", "exit 127")
    program(tmp_path / "python3.12", f'exec {sys.executable} "$@"')
    monkeypatch.setenv("PATH", str(tmp_path))
    assert python_version.newer_python() == [str(tmp_path / "python3.12")]


@posix_only
def test_no_python_is_new_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An old Python alone on PATH ends with a sentence that says what to install."""
    program(tmp_path / "python3", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "version_info", (3, 8, 1))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer; this is 3\.8\."):
        python_version.require_new_python()


@posix_only
def test_a_newer_python_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    """Nobody is left who hears Ctrl-C as well, and kills it a quarter of a second later."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\nfrom scripts import python_version as wanted\n"
        "if 'newer' not in os.environ:\n"
        "    os.environ['newer'] = 'yes'\n"
        "    sys.version_info = (3, 9, 6)\n"
        "    wanted.newer_python = lambda: [sys.executable]\n"
        "    wanted.require_new_python()\n"
        "print(os.getpid(), *sys.argv[1:])\n"
    )
    environ = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    command = [sys.executable, str(script), "doctor"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as started:
        assert started.communicate()[0] == f"{started.pid} doctor\n"


@pytest.mark.parametrize("presses", [0, 1, 3])
def test_on_windows_a_program_is_waited_for_however_often_ctrl_c_is_pressed(
    presses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hears each by itself, and its exit status is that of whoever started it."""
    waits = iter([KeyboardInterrupt] * presses)

    def wait() -> int:
        for press in waits:
            raise press
        return 3

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: SimpleNamespace(wait=wait))
    with pytest.raises(SystemExit) as left:
        python_version.become(["py", "-3"], {})
    assert left.value.code == 3


def program(path: Path, line: str) -> None:
    """Write a program of one shell line."""
    path.write_text(f"#!{shutil.which('sh')}\n{line}\n")
    path.chmod(0o755)


def test_scripts_can_be_read_by_old_pythons() -> None:
    """What runs before the version is checked holds nothing newer than Python 3.7's grammar."""
    import ast

    for name in ("lanplay.py", "test.py", "python_version.py", "__init__.py"):
        text = (CHECKOUT / "scripts" / name).read_text(encoding="utf-8")
        assert "from __future__ import annotations" not in text
        ast.parse(text, feature_version=(3, 7))


HELPED = ("test.py", "dependencies.py", "release.py", "docs_site.py")


@pytest.mark.parametrize("name", [*HELPED, "golden.py", "screenshots.py", "values.py"])
def test_help_is_all_that_a_script_does_when_it_is_asked_for_help(name: str) -> None:
    """It says what the script is for, installs nothing, and checks or writes nothing."""
    command = [sys.executable, str(CHECKOUT / "scripts" / name), "--help"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stderr) == (0, "")
    assert len(said.stdout.splitlines()) < 40


@pytest.mark.parametrize("name", ["golden.py", "catalogs.py"])
def test_a_script_that_needs_packages_says_which_python_has_them(name: str) -> None:
    """Where another one runs it: in a sentence, and nothing is done."""
    command = [sys.executable, "-I", "-S", str(CHECKOUT / "scripts" / name), "check"]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 1
    assert str(environment.python(environment.environment())) in said.stderr
    assert "Traceback" not in said.stderr


def test_an_environment_can_be_made_anew_from_within(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The Python that makes it is not the one in it, which has just been removed."""
    made: list[str] = []

    def run(command: list[str], **_how: object) -> subprocess.CompletedProcess[str]:
        made.extend(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    environment._make(tmp_path / "made")
    assert Path(made[0]).exists()


@pytest.mark.parametrize("name", [*HELPED, "lanplay.py", "clean_machine.py"])
def test_what_makes_the_environment_needs_no_package(name: str) -> None:
    """A script that any Python may start in a fresh clone finds its way without packages."""
    command = [sys.executable, "-I", "-S", str(CHECKOUT / "scripts" / name)]
    said = subprocess.run([*command, "--help"], capture_output=True, text=True)
    assert "No module named" not in said.stderr
    assert said.returncode == 0, said.stderr
