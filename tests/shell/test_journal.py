"""The journal of a game in progress: what is written is read again, and damage is noticed."""

from __future__ import annotations

import os
import stat

import pytest

from protocol.shell.journal import Journal, JournalError, Kept, journals
from tests.replica.harness import roster

KEPT = Kept(roster(2), {b"k" * 32: (("10.0.0.1", 5),)}, b"s" * 32, {1: ("steady", b"b" * 32)})
MOVES = [("move", (n % 2, n, b"body %d" % n, bytes(64))) for n in range(5)]


def written(folder):
    journal = Journal.create(folder, KEPT)
    for move in MOVES:
        journal.append(move)
    journal.sync()
    journal.close()
    return journal.path


def read(path):
    journal, kept, moves = Journal.again(path)
    journal.close()
    return kept, moves


def test_what_was_written_is_read_again(tmp_path):
    """Roster, secrets, bots, addresses and every message come back as they were."""
    path = written(tmp_path)
    kept, moves = read(path)
    assert kept == KEPT
    assert moves == MOVES
    assert journals(tmp_path) == [path]


@pytest.mark.parametrize("cut", [1, 20, 80])
def test_an_entry_cut_off_by_a_crash_is_dropped_and_the_journal_goes_on(tmp_path, cut):
    """What a power failure left half-written is cut; new messages follow the whole ones."""
    path = written(tmp_path)
    size = path.stat().st_size
    os.truncate(path, size - cut)
    journal, _, moves = Journal.again(path)
    assert moves == MOVES[:-1]
    journal.append(MOVES[-1])
    journal.close()
    assert read(path)[1] == MOVES


def test_a_journal_changed_in_the_middle_is_refused_by_name(tmp_path):
    """A flipped byte is not skipped over: the file is named, and kept."""
    path = written(tmp_path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(JournalError, match=path.name):
        read(path)
    assert path.exists()


def test_a_file_that_is_no_journal_is_refused(tmp_path):
    """An empty file, or another one, is named with what to do."""
    path = tmp_path / "x.game"
    for content in (b"", b"something else altogether, long enough"):
        path.write_bytes(content)
        with pytest.raises(JournalError, match="move it away"):
            read(path)


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_the_owner_alone_can_read_it(tmp_path):
    """It holds the game's secret key."""
    assert stat.S_IMODE(written(tmp_path).stat().st_mode) == 0o600


def test_it_is_deleted_with_the_end_of_the_game(tmp_path):
    """Nothing secret stays behind."""
    path = written(tmp_path)
    journal, _, _ = Journal.again(path)
    journal.close(delete=True)
    assert not path.exists()
