"""How the program ends: an exit status and at most a sentence, never a traceback."""

from __future__ import annotations

import argparse
import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from lanplay.cli import crash, main, rules
from lanplay.errors import UserError

ROOT = Path(__file__).resolve().parents[2]

Raise = Callable[[BaseException], int]


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Raise:
    """Run a command that raises the given error; return the exit status."""

    def run(error: BaseException) -> int:
        def raising(_: argparse.Namespace) -> int:
            raise error

        monkeypatch.setattr(rules, "rules", raising)
        return main(["rules"])

    monkeypatch.setattr(crash, "user_log_path", lambda *_, **__: tmp_path / "logs")
    return run


def test_user_error_is_printed_as_it_is(ending: Raise, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake of the person ends with status 2 and its own text on standard error."""
    assert ending(UserError("No such table. It may be full. Try: lanplay tables")) == 2
    assert capsys.readouterr() == (
        "",
        "lanplay: No such table. It may be full. Try: lanplay tables\n",
    )


def test_ctrl_c_is_silent(ending: Raise, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends with status 130 and says nothing."""
    assert ending(KeyboardInterrupt()) == 130
    assert capsys.readouterr() == ("", "")


def test_ctrl_c_in_a_group_counts(ending: Raise, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C that comes out of several tasks together with their errors is still Ctrl-C."""
    inner = BaseExceptionGroup("tasks", [ValueError("half done"), KeyboardInterrupt()])
    assert ending(BaseExceptionGroup("tasks", [inner])) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.sweep(3)
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise on Windows")
@pytest.mark.parametrize(
    "command",
    [
        "simulate dice-town --bot casual --games 100000",
        "tournament dice-town random casual --seats 2 --games 100000 --jobs 2 --out run",
    ],
)
@pytest.mark.parametrize("delay", [0.1, 0.4, 0.7, 1.0, 2.0])
def test_ctrl_c_pressed_again_and_again_ends_with_130(
    command: str, delay: float, tmp_path: Path
) -> None:
    """Whatever it interrupts, in this process or in those it has started: no traceback."""
    begun = "import sys; from lanplay.__main__ import program; print('begun', flush=True)"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", f"{begun}; sys.exit(program())", *command.split()],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"  # before that, Python itself would be interrupted
    time.sleep(delay)
    with suppress(ProcessLookupError):
        for _ in range(3):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.02)
    _, errors = process.communicate()
    assert "Traceback" not in errors
    assert process.returncode == 130


def test_user_error_in_a_group_counts(ending: Raise, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake of the person that comes out of a task is printed like any other."""
    assert ending(ExceptionGroup("tasks", [UserError("The file is missing.")])) == 2
    assert capsys.readouterr().err == "lanplay: The file is missing.\n"


def test_fault_is_one_line_and_a_log(
    ending: Raise, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A fault of lanplay ends with status 70 and one line that names a file with the traceback."""
    assert ending(RuntimeError("seat 3 is gone")) == 70
    out, err = capsys.readouterr()
    [log] = (tmp_path / "logs").iterdir()
    assert out == ""
    assert err.count("\n") == 1
    assert str(log) in err
    assert "a fault of lanplay" in err
    text = log.read_text(encoding="utf-8")
    assert "RuntimeError: seat 3 is gone" in text
    assert "['rules']" in text


def test_fault_beside_a_mistake_is_a_fault(ending: Raise) -> None:
    """A mistake of the person does not hide a fault that comes with it."""
    assert ending(ExceptionGroup("tasks", [UserError("no table"), RuntimeError("lost")])) == 70


def test_a_task_that_was_only_cancelled_does_not_make_a_mistake_a_fault(
    ending: Raise, capsys: pytest.CaptureFixture[str]
) -> None:
    """trio ends the other tasks of a nursery: that says nothing of whose fault it was."""
    cancelled = trio.Cancelled._create()
    group = BaseExceptionGroup("tasks", [cancelled, UserError("The file is missing.")])
    assert ending(BaseExceptionGroup("more", [group, cancelled])) == 2
    assert capsys.readouterr().err == "lanplay: The file is missing.\n"
    assert ending(BaseExceptionGroup("tasks", [cancelled, RuntimeError("lost")])) == 70


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_what_a_disk_refuses_is_told_with_the_file(
    number: int, ending: Raise, capsys: pytest.CaptureFixture[str]
) -> None:
    """A full or broken disk is no fault of lanplay: status 2, and what can be done."""
    assert ending(OSError(number, os.strerror(number), "/some/file")) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"lanplay: /some/file cannot be used ({os.strerror(number)}).")
    assert ending(ExceptionGroup("tasks", [OSError(number, os.strerror(number))])) == 2
    assert "The output cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--data", "--out"])
@pytest.mark.parametrize("name", ["file", "file/folder", "x" * 300])
def test_a_folder_that_cannot_be_there_is_told_with_its_name(
    option: str, name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A file is in its way, or its name is too long: no fault of lanplay either."""
    (tmp_path / "file").write_text("")
    program = f'cmd:"{sys.executable}" -c "import time; time.sleep(9)"'
    line = ["tournament", "charidice", "random", program, "--games", "2", "--quiet"]
    other = "--out" if option == "--data" else "--data"
    where = str(tmp_path / name)
    assert main([*line, option, where, other, str(tmp_path / "good")]) == 2
    assert f"lanplay: {where}" in capsys.readouterr().err


def test_a_missing_file_of_lanplay_itself_is_a_fault(ending: Raise) -> None:
    """What nobody has to put right is not told as if somebody had."""
    assert ending(FileNotFoundError(errno.ENOENT, "No such file", "rules.md")) == 70


def test_fault_log_goes_elsewhere_if_it_must(
    ending: Raise,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Where the place for logs cannot be written, the log lies in the temporary folder."""
    (tmp_path / "logs").write_text("a file is in the way")
    spare = tmp_path / "spare"
    spare.mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(spare))
    assert ending(RuntimeError("lost")) == 70
    [log] = spare.iterdir()
    assert str(log) in capsys.readouterr().err


def test_fault_without_any_disk_is_still_told(
    ending: Raise,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Where nothing can be written, the one line says so."""
    (tmp_path / "logs").write_text("a file is in the way")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "logs"))
    assert ending(RuntimeError("lost")) == 70
    assert "could not be written" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["no-such-command"], [], ["rules", "--no-such-option"]])
def test_wrong_usage_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Unknown commands and options end with status 2 and a usage line."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("usage: lanplay")


def start(*arguments: str, output: int, **variables: str) -> tuple[int, str]:
    """Run lanplay with its standard output in ``output``; return its status and standard error."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "lanplay", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        stdout=output,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="closed pipes are told otherwise on Windows")
@pytest.mark.parametrize("arguments", [["rules", "dice-town"], ["rules", "dice-town", "2.3"]])
def test_a_reader_that_has_gone_is_no_fault(arguments: list[str]) -> None:
    """Output into a pipe that nobody reads any more ends with status 141 and says nothing."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert start(*arguments, output=writing) == (141, "")
    finally:
        os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full device is Linux's")
def test_an_output_that_takes_nothing_is_told() -> None:
    """A full disk behind standard output is the person's to mend, like any other."""
    with Path("/dev/full").open("wb") as full:
        status, told = start("rules", "dice-town", output=full.fileno())
    assert status == 2
    assert told.startswith("lanplay: The output cannot be written (No space left on device).")
    assert told.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full device is Linux's")
def test_messages_that_cannot_be_written_end_nothing(tmp_path: Path) -> None:
    """A full disk behind standard error, and one for the record: the result is there, the record
    where records usually are, and the status says that it is not where it was wanted."""
    command = ["play", "dice-town", "--auto", "random", "--bot", "random", "--json"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "lanplay", *command, "--record", "/dev/full/x.lanplay"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
        )
    assert done.returncode == 2
    assert Path(json.loads(done.stdout.splitlines()[-1])["record"]).is_file()


def test_a_poor_encoding_is_no_fault(tmp_path: Path) -> None:
    """Letters that the output's encoding lacks lose their accents; dashes become hyphens."""
    with (tmp_path / "out").open("wb") as output:
        assert start("rules", "dice-town", output=output.fileno(), PYTHONIOENCODING="ascii") == (
            0,
            "",
        )
    text = (tmp_path / "out").read_text(encoding="ascii")
    assert text.startswith("# Dice Town")
    assert "| 2-5 |" in text


@pytest.mark.skipif(sys.platform == "win32", reason="uses a shell")
@pytest.mark.parametrize("arguments", ["--version", "rules dice-town", "bots charidice"])
def test_an_output_that_was_closed_beforehand_is_no_fault(arguments: str) -> None:
    """``>&-``: whoever closes it does not want to read it; the status is that of the command."""
    command = f'exec "$0" -P -m lanplay {arguments} >&-'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="uses a shell")
def test_a_program_without_any_stream_ends_as_one_whose_input_has_ended(tmp_path: Path) -> None:
    """Standard error may have been closed as well: that is no fault."""
    command = f'exec "$0" -P -m lanplay play charidice --data {tmp_path} <&- >&- 2>&-'
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run(["sh", "-c", command, sys.executable], env=environment).returncode == 2
