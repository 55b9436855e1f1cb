"""Files that are written whole, for their owner alone, whatever the umask and the old file say."""

from __future__ import annotations

import ast
import errno
import os
import stat
from functools import partial
from pathlib import Path

import pytest

from lanplay import files
from lanplay.engine.knowledge import PrivateKnowledge
from lanplay.engine.record import Header, Record
from lanplay.session.profile import FILE, own_identity
from lanplay.session.storage import save_record
from lanplay.session.trust import KnownKeys
from lanplay.ui.coach import Coach
from lanplay.web.keeping import KeptGuests
from tests.replica.harness import roster

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")

RECORD = Record(Header("dice-town", {}, ("A", "B")), (), bytes(32))


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@posix
def test_records_keys_and_identity_are_their_owners_alone(umask, tmp_path):
    """Whatever the umask is, and also where a file of everybody's was there before."""
    kept = PrivateKnowledge((0,))
    kept.dealt(0, {1: 2})
    targets = [tmp_path / "known_peers.json", tmp_path / "x.lanplay", tmp_path / "x.private"]
    for path in targets:
        path.write_text("{}")
        path.chmod(0o644)
    KnownKeys(tmp_path).remember(roster(2), b"")
    assert save_record(RECORD, tmp_path / "x.lanplay", tmp_path, kept)
    own_identity(tmp_path, print)
    assert [mode(path) for path in (*targets, tmp_path / FILE)] == [0o600] * 4


@posix
def test_known_keys_of_an_older_version_are_closed_to_others_when_they_are_read(tmp_path):
    """Nobody has to play with somebody new for that."""
    path = tmp_path / "known_peers.json"
    path.write_text("{}")
    path.chmod(0o644)
    KnownKeys(tmp_path)
    assert mode(path) == 0o600


@posix
def test_nobody_else_sees_what_an_older_version_kept(tmp_path):
    """The folder of the own records is its owner's: what lies there from before is closed too."""
    (tmp_path / "records").mkdir(mode=0o755)
    assert save_record(RECORD, None, tmp_path)
    assert mode(tmp_path / "records") == 0o700


@posix
def test_what_is_no_secret_has_the_mode_that_the_umask_says(umask, tmp_path):
    """Settings and the results of tournaments are shown to whom their owner wants."""
    files.replace(tmp_path / "x", b"x", files.COMMON)
    assert mode(tmp_path / "x") == 0o666 & ~umask


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_disk_that_refuses_leaves_the_old_file_and_no_draft(step, tmp_path, monkeypatch):
    """The error names the file, not its draft."""
    path = tmp_path / "kept"
    path.write_bytes(b"old")

    def refused(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    if step == "write":
        with pytest.raises(OSError) as caught, files.whole(path) as file:
            file.write(b"ne")
            refused()
    else:
        monkeypatch.setattr(os, step, refused)
        with pytest.raises(OSError) as caught:
            files.replace(path, b"new")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
    assert [each.name for each in tmp_path.iterdir()] == ["kept"]
    assert path.read_bytes() == b"old"


@posix
def test_what_is_no_file_is_written_into_and_not_replaced(tmp_path):
    """A pipe or a device, as ``--record /dev/null`` names one: nothing is kept beside it either."""
    pipe = tmp_path / "pipe.lanplay"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert save_record(RECORD, pipe, tmp_path, PrivateKnowledge((0,))) == pipe
    assert os.read(end, 1 << 16) == RECORD.to_bytes()
    os.close(end)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [each.name for each in tmp_path.iterdir()] == [pipe.name]


@posix
@pytest.mark.parametrize("written", [KeptGuests(1).save, partial(Coach, "charidice")])
def test_what_is_written_beside_a_game_that_somebody_has_sent_is_written_nowhere_else(
    written, tmp_path
):
    """A link beside it led to any file of whoever went on with it, and a pipe kept it waiting."""
    beside, precious = tmp_path / "beside", tmp_path / "precious"
    precious.write_text("precious")
    beside.symlink_to(precious)
    written(beside)
    assert not beside.is_symlink()
    assert precious.read_text() == "precious"
    beside.unlink()
    os.mkfifo(beside)
    written(beside)
    assert beside.is_file()


@posix
@pytest.mark.parametrize("old", [b"old", None])
def test_a_link_stays_and_what_it_leads_to_is_replaced(old, tmp_path):
    """So settings may lie in another folder, be they there yet or not."""
    link, kept = tmp_path / "link", tmp_path / "kept"
    link.symlink_to(kept.name)
    if old:
        kept.write_bytes(old)
    files.replace(link, b"new")
    assert link.is_symlink()
    assert kept.read_bytes() == b"new"
    assert mode(kept) == files.PRIVATE


def test_no_module_replaces_a_file_in_its_own_way():
    """Whoever writes a file goes through ``lanplay.files``, or adds to one, locks or makes one."""
    known = {
        "lanplay/files.py": {"fdopen", "open", "replace"},
        "ai/lanplay_ai/outside/host.py": {"fdopen"},
        "lanplay/cli/crash.py": {"fdopen"},
        "lanplay/session/profile.py": {"open"},
        "lanplay/tournament/storage.py": {"open"},
        "protocol/lanplay_protocol/shell/journal.py": {"replace", "rename", "FileIO"},
    }
    found = {}
    for room in ("lanplay", "ai", "protocol"):
        for path in (ROOT / room).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and (what := writing(node)):
                    found.setdefault(name, set()).add(what)
    assert found == known


def writing(call):
    """What a call that makes or changes the content of a file is called; nothing for others."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in ("write_text", "write_bytes", "fdopen", "FileIO", "rename"):
        return name
    if name == "replace" and len(call.args) == 1 and not call.keywords:
        return name
    modes = [each.value for each in call.args if isinstance(each, ast.Constant)]
    plain = [each for each in modes if isinstance(each, str) and set(each) <= set("rwaxbt+")]
    return name if name == "open" and any(set(each) & set("wax+") for each in plain) else ""
