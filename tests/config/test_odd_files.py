"""Files of ours in which somebody else has written: nothing in them ends a program."""

from __future__ import annotations

import zipfile

import pytest

from lanplay.cli.packing import MANIFEST
from lanplay.cli.sharing import bundle_of
from lanplay.config.file import ConfigFile, FileError
from lanplay.errors import UserError
from lanplay.session.habits import HabitStore
from lanplay.session.trust import KnownKeys
from lanplay.tournament.storage import FAULTS, PLAN, RESULTS, TIMING, Folder
from lanplay.web import keeping
from tests.replica.harness import roster

ENDLESS = "[" * 60_000


@pytest.mark.parametrize(
    "content",
    [
        ENDLESS.encode(),
        b'{"port": 1, "guests": [{"name": [1], "taste": "", "sessions": []}]}',
    ],
)
def test_a_file_that_is_none_of_ours_ends_nothing(content, tmp_path):
    """Nested without end, or with a name that is no text: nobody comes back."""
    path = tmp_path / "x.guests"
    path.write_bytes(content)
    assert keeping.load(path) is None


def test_a_path_of_half_a_letter_ends_nothing(tmp_path):
    """JSON may spell half a surrogate pair; what is kept is written again."""
    path = tmp_path / "x.guests"
    key = b"ab" * 32
    path.write_bytes(
        b'{"port": 1, "guests": [{"name": "T", "taste": "", "sessions": [["'
        + key
        + b'", "/\\ud800/"]]}]}'
    )
    kept = keeping.load(path)
    if kept is not None:
        kept.save(path)


def test_known_keys_nested_without_end_are_damaged(tmp_path):
    (tmp_path / "known_peers.json").write_text(ENDLESS)
    with pytest.raises(UserError):
        KnownKeys(tmp_path)


def test_known_keys_with_half_a_letter_are_damaged_or_kept(tmp_path):
    """A program that has read them can write them, in the middle of a game."""
    (tmp_path / "known_peers.json").write_text('{"%s": "\\ud800"}' % ("ab" * 32))
    try:
        known = KnownKeys(tmp_path)
    except UserError:
        return
    known.remember(roster(2), b"")


@pytest.mark.parametrize(
    "content",
    [
        ENDLESS,
        '{"Me": {"orders": {"g": {"c": ["always", Infinity]}}, "thinking": {}}}',
        '{"Me": {"orders": {}, "thinking": {"g": {"w": [1%s, 1]}}}}' % ("0" * 400),
    ],
)
def test_habits_that_cannot_be_read_are_as_if_they_were_not_there(content, tmp_path):
    """Numbers without end, or lists in lists: nothing in the file is worth a question."""
    (tmp_path / "habits.json").write_text(content)
    assert HabitStore(tmp_path).of("Me").plain() == HabitStore().of("Me").plain()


@pytest.mark.parametrize("text", ["x = " + "[" * 5000 + "]" * 5000, "x = " + "1" * 5000])
def test_settings_without_end_are_no_toml(text, tmp_path):
    """Neither lists in lists nor digits after digits: the file is named as one that is none."""
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(FileError):
        ConfigFile(path)


def test_a_folder_of_nested_lists_is_no_tournament(tmp_path):
    """Neither its plan nor its results are any; what is said of its timing is not there."""
    for name in (PLAN, RESULTS, TIMING):
        (tmp_path / name).write_text(ENDLESS)
    folder = Folder(tmp_path, tmp_path)
    with pytest.raises(UserError):
        folder.read_plan()
    assert folder.read_timing() == {}


@pytest.mark.parametrize("line", [ENDLESS, "{}", "no JSON"])
def test_faults_that_nobody_wrote_so_are_named_as_altered(line, tmp_path):
    """Whoever shows a tournament, or goes on with it, is told which of its files it is."""
    (tmp_path / FAULTS).write_text(f"{line}\n")
    folder = Folder(tmp_path)
    with pytest.raises(UserError, match=FAULTS):
        folder.first_faults()
    with pytest.raises(UserError, match=FAULTS):
        folder.mend_faults(1)


def test_an_archive_of_nested_lists_is_no_bundle(tmp_path):
    """Whoever gives programs to others is told which file is none."""
    path = tmp_path / "x.pyz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"x/{MANIFEST}", ENDLESS)
    with pytest.raises(UserError):
        bundle_of(path)
