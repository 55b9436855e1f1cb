"""The journal of a game in progress: what is written is read again, and damage is noticed."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from lanplay.session.saved import all_games
from lanplay_protocol.shell import journal
from lanplay_protocol.shell.journal import (
    INCOMPLETE,
    Damaged,
    Journal,
    JournalError,
    SavedGame,
    journals,
    read_journal,
)
from tests.replica.harness import roster

KEPT = SavedGame(
    roster(2),
    {b"k" * 32: (("10.0.0.1", 5),)},
    b"s" * 32,
    {1: ("steady", b"b" * 32)},
    "Ann's table",
    True,
)
MOVES = [("move", (n % 2, n, b"body %d" % n, bytes(64))) for n in range(5)]


def written(folder):
    journal = Journal.create(folder, KEPT)
    for move in MOVES:
        journal.append(move)
    journal.sync()
    journal.close()
    return journal.path


def read(path):
    journal, kept, moves = Journal.open(path)
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
    journal, _, moves = Journal.open(path)
    assert moves == MOVES[:-1]
    journal.append(MOVES[-1])
    journal.close()
    assert read(path)[1] == MOVES


def test_zeros_where_the_file_had_grown_already_are_dropped(tmp_path):
    """A power failure may leave a longer file without what was to be in it."""
    path = written(tmp_path)
    with path.open("ab") as file:
        file.write(bytes(300))
    assert read(path)[1] == MOVES
    assert read_journal(path)[1] == MOVES


class Power:
    """A power supply that may fail: what was forced onto the disk stays, all else is lost."""

    def __init__(self, patch):
        self._forced = {}
        self._moved = []
        self._fsync, self._replace = os.fsync, Path.replace
        patch.setattr(os, "fsync", self._force)
        patch.setattr(Path, "replace", lambda path, to: self._move(path, to))

    def _force(self, descriptor):
        self._fsync(descriptor)
        state = os.fstat(descriptor)
        self._forced[state.st_ino] = state.st_size

    def _move(self, path, to):
        self._moved.append((path.stat().st_size, self._kept(path)))
        return self._replace(path, to)

    def _kept(self, path):
        return self._forced.get(path.stat().st_ino, 0)

    def fail(self, path):
        """Lose what was not forced onto the disk."""
        os.truncate(path, self._kept(path))

    @property
    def moved(self):
        """How much of each file that took another's place was on the disk: (size, of it)."""
        return self._moved


def test_what_was_synced_outlives_a_power_failure(tmp_path, monkeypatch):
    """All that was added before is read again; what came after may be lost."""
    power = Power(monkeypatch)
    journal = Journal.create(tmp_path, KEPT)
    for move in MOVES[:3]:
        journal.append(move)
    journal.sync()
    for move in MOVES[3:]:
        journal.append(move)
    journal.close()
    power.fail(journal.path)
    assert read(journal.path) == (KEPT, MOVES[:3])


def test_a_game_outlives_a_power_failure_as_soon_as_its_journal_is_there(tmp_path, monkeypatch):
    """Its roster and secrets are on the disk before its first message is signed."""
    power = Power(monkeypatch)
    journal = Journal.create(tmp_path, KEPT)
    journal.close()
    power.fail(journal.path)
    assert read(journal.path) == (KEPT, [])


def test_what_is_whole_of_a_damaged_journal_is_on_the_disk_before_it_takes_its_place(
    tmp_path, monkeypatch
):
    """A power failure while it is set aside loses nothing."""
    path = written(tmp_path)
    content = bytearray(path.read_bytes())
    content[places(path)[3] + 20] ^= 1
    path.write_bytes(content)
    power = Power(monkeypatch)
    with pytest.raises(Damaged) as caught:
        read(path)
    _, whole = caught.value.set_aside()
    assert power.moved[-1] == (whole.stat().st_size, whole.stat().st_size)
    power.fail(whole)
    assert read(whole) == (KEPT, MOVES[:2])


def test_the_newest_game_in_progress_comes_first(tmp_path):
    """It is the one that is gone on with."""
    for number in range(3):
        kept = SavedGame(KEPT.roster, {}, bytes([number]) * 32, {})
        journal = Journal.create(tmp_path, kept)
        journal.close()
        os.utime(journal.path, ns=(0, (5, 9, 7)[number] * 10**9))
    assert [read_journal(path)[0].seed[0] for path in journals(tmp_path)] == [1, 2, 0]


def places(path):
    """Where the entries of a journal begin."""
    content, at, found = path.read_bytes(), 0, []
    while at < len(content):
        found.append(at)
        at += 16 + int.from_bytes(content[at : at + 4], "big")
    return found


@pytest.mark.parametrize("offset", [0, 2, 3, 5, 13, 20])
@pytest.mark.parametrize("entry", [2, 5])
def test_a_flipped_bit_loses_nothing_without_a_word(tmp_path, entry, offset):
    """In a length, a checksum or a body, in the middle or the last entry: the place is named, the
    damaged file is kept aside, and what comes before goes on as a journal that misses something."""
    path = written(tmp_path)
    at = places(path)[entry]
    content = bytearray(path.read_bytes())
    content[at + offset] ^= 0x80
    path.write_bytes(content)
    with pytest.raises(Damaged, match=f"{path.name}: .* at byte {at}") as caught:
        read(path)
    assert path.read_bytes() == content
    aside, whole = caught.value.set_aside()
    assert aside.read_bytes() == content
    assert whole.suffix == INCOMPLETE
    assert journals(tmp_path) == [whole]
    assert read(whole) == (KEPT, MOVES[: entry - 1])


def test_a_journal_without_its_beginning_is_refused(tmp_path):
    """Without the game itself there is nothing to go on with: the file is named, and stays."""
    path = written(tmp_path)
    content = bytearray(path.read_bytes())
    content[30] ^= 1
    path.write_bytes(content)
    with pytest.raises(JournalError, match=path.name) as caught:
        read(path)
    assert not isinstance(caught.value, Damaged)
    assert path.read_bytes() == content


def test_looking_at_a_journal_that_is_being_written_changes_nothing(tmp_path):
    """The half of an entry that another program is just writing is not cut off."""
    path = written(tmp_path)
    os.truncate(path, path.stat().st_size - 10)
    before = path.read_bytes()
    assert read_journal(path) == (KEPT, MOVES[:-1])
    assert path.read_bytes() == before


def test_a_file_that_is_no_journal_is_refused(tmp_path):
    """An empty file, or another one, is named with what to do."""
    path = tmp_path / "x.game"
    for content in (b"", b"something else altogether, long enough"):
        path.write_bytes(content)
        with pytest.raises(JournalError, match="not a game in progress"):
            read(path)


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_the_owner_alone_can_read_it(tmp_path):
    """It holds the game's secret key."""
    assert stat.S_IMODE(written(tmp_path).stat().st_mode) == 0o600


def test_a_journal_that_was_given_up_is_closed_again_without_harm(tmp_path):
    """Its descriptor may be another file's by then: that one stays open, and gets no entry."""
    journal = Journal.create(tmp_path, KEPT)
    journal.give_up()
    with (tmp_path / "other").open("w+b") as other:
        journal.close()
        with pytest.raises(ValueError):
            journal.append(MOVES[0])
        other.write(b"whole")
        other.seek(0)
        assert other.read() == b"whole"
    assert journals(tmp_path) == [journal.path]
    journal.close(delete=True)
    assert journals(tmp_path) == []


@pytest.mark.parametrize("step", ["write", "fsync"])
def test_a_journal_that_cannot_be_begun_leaves_nothing(tmp_path, monkeypatch, step):
    """A file without its game would only be in the way; what is stale beside it stays."""
    stale = tmp_path / "x.stale"
    stale.write_bytes(b"stale")

    def refused(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*((Journal, "_add") if step == "write" else (os, "fsync")), refused)
    with pytest.raises(OSError):
        Journal.create(tmp_path, KEPT)
    assert list(tmp_path.iterdir()) == [stale]


@pytest.mark.parametrize("end", [".new", ".game", ".part"])
def test_a_damaged_journal_stays_where_it_is_if_it_cannot_be_set_aside(end, tmp_path, monkeypatch):
    """Whatever fails on the way, the game can be gone on with later, and no copy is left behind."""
    path = written(tmp_path)
    content = bytearray(path.read_bytes())
    content[places(path)[3] + 20] ^= 1
    path.write_bytes(content)
    with pytest.raises(Damaged) as caught:
        read(path)
    real = os.replace

    def second_fails(source, target):
        if str(source).endswith(end):
            raise OSError(errno.EIO, "Input/output error")
        real(source, target)

    def no_links(path, target):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "replace", second_fails)
    if end == ".part":
        monkeypatch.setattr(Path, "hardlink_to", no_links)
    with pytest.raises(OSError):
        caught.value.set_aside()
    assert path.read_bytes() == content
    assert [*tmp_path.iterdir()] == [path]


def test_it_is_deleted_with_the_end_of_the_game(tmp_path):
    """Nothing secret stays behind."""
    path = written(tmp_path)
    journal, _, _ = Journal.open(path)
    journal.close(delete=True)
    assert not path.exists()


@pytest.mark.parametrize("written_half", [0, 20])
def test_what_another_program_adds_until_it_ends_is_kept(written_half, tmp_path, monkeypatch):
    """It ends between the look for the file and the lock, also with an entry half written."""
    path, late = written(tmp_path), ("move", (1, 9, b"late", bytes(64)))
    other, _, before = Journal.open(path)
    other.append(late)
    whole, real = path.read_bytes(), journal.locked
    os.truncate(path, places(path)[-1] + written_half)

    def ends(descriptor):
        path.write_bytes(whole)
        other.close()
        return real(descriptor)

    monkeypatch.setattr(journal, "locked", ends)
    assert read(path)[1] == [*before, late]


class Killed(BaseException):
    """The program ends here."""


@pytest.mark.parametrize("call", range(1, 3))
def test_a_program_killed_while_it_sets_a_damaged_journal_aside_loses_no_game(
    call, tmp_path, monkeypatch
):
    """At any moment the game is found again when lanplay is started the next time."""
    path = written(tmp_path)
    content = bytearray(path.read_bytes())
    content[-200] ^= 1
    path.write_bytes(content)
    with pytest.raises(Damaged) as caught:
        Journal.open(path)
    real, calls = Path.replace, []

    def replace_(self, target):
        calls.append(self)
        if len(calls) == call:
            raise Killed
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace_)
    with pytest.raises(Killed):
        caught.value.set_aside()
    monkeypatch.undo()
    assert all_games(tmp_path)


def test_a_game_that_another_program_ends_meanwhile_ends_no_list(tmp_path, monkeypatch):
    """Its file goes between the look into the folder and the look at the file."""
    path = written(tmp_path)
    gone = written(tmp_path)
    real = Path.stat

    def stat(self, **how):
        if self == gone:
            gone.unlink(missing_ok=True)
        return real(self, **how)

    monkeypatch.setattr(Path, "stat", stat)
    assert [each for each, _ in all_games(tmp_path)] == [path]


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": b"s"},
        {"seed": 7},
        {"addresses": {b"k" * 32: ((None, 5),)}},
        {"addresses": {b"k" * 32: (5,)}},
        {"bots": {1: (None, b"b" * 32)}},
    ],
    ids=str,
)
def test_a_journal_whose_head_has_odd_fields_is_none(wrong, tmp_path):
    """Its entries are whole, and what they hold is no game: who goes on with it is told so."""
    journal = Journal.create(tmp_path, replace(KEPT, **wrong))
    journal.close()
    with pytest.raises(JournalError):
        read_journal(journal.path)
