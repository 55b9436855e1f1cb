"""Who this installation is, whom it knows, and what happens when a name comes with a new key."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from lanplay.errors import Fault, UserError
from lanplay.session import playing
from lanplay.session.client import NO_PASSWORD
from lanplay.session.events import TableStage, WordsShown
from lanplay.session.profile import FILE, own_identity
from lanplay.session.table import TableSession
from lanplay.session.trust import KnownKeys
from lanplay.ui.presenter import Presenter
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import TrustNeeded
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.shell.journal import SavedGame
from tests.replica.harness import Table, identity
from tests.replica.harness import roster as seats
from tests.session.harness import client_of

ME, ANN, EVE, BOB = (Identity(bytes([n]) * 32).public for n in (1, 2, 3, 4))


def roster(*peers):
    entries = tuple(Peer(key, name, (place,)) for place, (key, name) in enumerate(peers))
    return Roster("dice-town", bytes(16), {}, tuple(name for _, name in peers), entries)


def test_a_new_installation_gets_a_key_that_its_owner_alone_can_read(tmp_path):
    """The identity is made once, kept, and not readable by other accounts."""
    program = (
        "import sys; from pathlib import Path; from lanplay.session.profile import own_identity; "
        "print(own_identity(Path(sys.argv[1]), print).public.hex())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": "."},
        ).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_second_program_of_one_installation_is_somebody_else(tmp_path, capsys):
    """While the identity is in use, another program gets one for its run, and says so."""
    one, two = own_identity(tmp_path, print), own_identity(tmp_path, print)
    assert one.public != two.public
    assert "another lanplay" in capsys.readouterr().out


def test_a_damaged_identity_is_refused_and_kept(tmp_path):
    """A file of another length is named, with what to do; it is not written over."""
    path = tmp_path / FILE
    path.write_bytes(b"short")
    with pytest.raises(UserError, match=r"move it away"):
        own_identity(tmp_path, print)
    assert path.read_bytes() == b"short"


def test_keys_are_remembered_with_their_names(tmp_path):
    """After a table was trusted nobody at it is a stranger, in later runs too."""
    table = roster((ME, "me"), (ANN, "Ann"))
    known = KnownKeys(tmp_path)
    assert [peer.name for peer in known.strangers(table, ME)] == ["Ann"]
    known.remember(table, ME)
    assert KnownKeys(tmp_path).strangers(table, ME) == []


def test_a_known_name_with_another_key_is_a_loud_warning(tmp_path):
    """Eve under Ann's name is found, whatever invisible letters she adds."""
    KnownKeys(tmp_path).remember(roster((ME, "me"), (ANN, "Ann")), ME)
    known = KnownKeys(tmp_path)
    assert known.impostors(roster((ME, "me"), (EVE, "Ann\u200b")), ME) == ["Ann"]
    assert known.impostors(roster((ME, "me"), (EVE, "Eve")), ME) == []
    for name in ("Ａnn", "ANN", "ᴬⁿⁿ"):
        assert known.impostors(roster((ME, "me"), (EVE, name)), ME) == [name]
        assert known.impostors(roster((ME, "me"), (ANN, name)), ME) == []


def test_a_known_key_under_another_known_name_is_a_warning_too(tmp_path):
    """Who is remembered as Eve cannot sit down as Ann without a word."""
    KnownKeys(tmp_path).remember(roster((ME, "me"), (ANN, "Ann"), (EVE, "Eve")), ME)
    assert KnownKeys(tmp_path).impostors(roster((ME, "me"), (EVE, "Ann")), ME) == ["Ann"]
    assert KnownKeys(tmp_path).impostors(roster((ME, "me"), (ANN, "Ann")), ME) == []


def test_two_laptops_of_one_name_are_both_known(tmp_path):
    """Ann at home and Ann at work were both agreed to: neither is warned of, a third one is."""
    home, work = ANN, Identity(b"w" * 32).public
    KnownKeys(tmp_path).remember(roster((ME, "me"), (home, "Ann")), ME)
    KnownKeys(tmp_path).remember(roster((ME, "me"), (work, "Ann")), ME)
    known = KnownKeys(tmp_path)
    for key in (home, work):
        assert known.impostors(roster((ME, "me"), (key, "Ann")), ME) == []
        assert known.strangers(roster((ME, "me"), (key, "Ann")), ME) == []
    assert known.impostors(roster((ME, "me"), (EVE, "Ann")), ME) == ["Ann"]
    assert known.impostors(roster((ME, "me"), (home, "Ann"), (work, "Ann")), ME) == []
    assert known.names == {home.hex(): "Ann", work.hex(): "Ann"}


def test_ones_own_key_is_not_remembered(tmp_path):
    """The file has the keys of others; a namesake with a key of its own is a stranger, no fraud."""
    known = KnownKeys(tmp_path)
    known.remember(roster((ME, "Ann"), (EVE, "Eve")), ME)
    assert KnownKeys(tmp_path).names == {EVE.hex(): "Eve"}
    table = roster((ME, "me"), (ANN, "Ann"))
    assert known.impostors(table, ME) == []
    assert [peer.public for peer in known.strangers(table, ME)] == [ANN]


def test_a_known_name_is_guarded_among_many(tmp_path):
    """That other names are known, too, does not make Eve an Ann."""
    KnownKeys(tmp_path).remember(roster((ME, "me"), (ANN, "Ann"), (BOB, "Bob")), ME)
    assert KnownKeys(tmp_path).impostors(roster((ME, "me"), (EVE, "Ann")), ME) == ["Ann"]


@pytest.mark.parametrize("size", [1, 31, 33, 64])
def test_a_file_of_another_length_is_no_identity(tmp_path, size):
    """Neither cut off nor grown: it is named, with what to do, and stays as it is."""
    path = tmp_path / FILE
    path.write_bytes(bytes(size))
    with pytest.raises(UserError, match=r"move it away"):
        own_identity(tmp_path, print)
    assert path.read_bytes() == bytes(size)


def test_an_identity_is_on_the_disk_before_it_is_used(tmp_path, monkeypatch):
    """Others remember it: a power failure must not make its owner a stranger."""
    forced = []
    fsync = os.fsync

    def force(descriptor):
        fsync(descriptor)
        forced.append(os.pread(descriptor, 64, 0) if os.name == "posix" else None)

    monkeypatch.setattr(os, "fsync", force)
    own_identity(tmp_path, print)
    assert forced[-1:] == [(tmp_path / FILE).read_bytes() if os.name == "posix" else None]


def test_a_damaged_file_of_known_keys_is_named_and_kept(tmp_path):
    """Remembered keys are not thrown away over a damaged file."""
    path = tmp_path / "known_peers.json"
    path.write_text("{")
    with pytest.raises(UserError, match="known_peers"):
        KnownKeys(tmp_path)
    assert path.read_text() == "{"


def test_a_program_without_a_person_says_what_to_do():
    """New keys and nobody to ask: the names, and the two ways out."""
    text = Fault.STRANGERS.of(names="Ann")
    assert "Ann" in text
    assert "--trust-new" in text
    assert "password" in text


def test_who_had_another_key_is_named_with_the_question_that_wants_a_yes():
    """The warning stood in the log alone, and the question at the other end of the screen."""
    asked = []
    presenter = Presenter(None, None, print)
    presenter._start = lambda _task, _display, told: asked.append(told)
    for changed in ("", "Ann"):
        presenter._trust(None, WordsShown("thumb kind", True, changed))
    words = "The words of this table: thumb kind"
    warned = "WARNING: Ann had another key last time: this may be somebody else."
    assert asked == [words, f"{words}\n{warned}"]


@pytest.fixture
def resumed(monkeypatch, tmp_path):
    """Go on with what a table's first peer had kept, as its program does when it is started again;
    returns what answers for its seats, whose replica has taken the place of the one before."""

    async def go_on(table, bots=None, **profile):
        caught = []

        class Run:
            def __init__(self, node, replica, kept, game, *_):
                caught.append((replica, game))

            async def play(self, journal, entries):
                return entries

        monkeypatch.setattr(playing, "GameRun", Run)
        offered = replace(table.roster, table="7" * 32)
        kept = SavedGame(offered, {}, (table.seed * 32)[:31] + bytes([0]), bots or {}, "a table")
        session = TableSession(client_of(tmp_path, **profile), NO_PASSWORD, None)
        entries = table.kept(0)
        await playing.go_on(SimpleNamespace(identity=identity(0)), None, kept, entries, session)
        ((replica, game),) = caught
        game.playing = SimpleNamespace(missing={})
        table.replica = lambda place: replica
        table.restart(0)
        return game

    return go_on


def setting_up(until):
    """A table of three whose first person has yet to say whether it trusts the others."""
    table = Table(replace(seats(3), table="7" * 32), seed=b"trust")
    table.replicas[0]._trusted = table.replicas[0].context.trusted = False
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number >= until, seconds=5)
    table.kill(0)
    return table


async def test_who_is_restarted_while_words_are_compared_is_asked_for_a_yes_again(resumed):
    """Its program said that it trusts the table, for a person who had said nothing."""
    for at in (1, 2, 3):
        table = setting_up(at)
        game = await resumed(table)
        table.run(seconds=5)
        assert table.replicas[0].transcript.number == SETUP - 1
        assert (game.stage, len(table.of(0, TrustNeeded))) == (TableStage.TRUSTING, 1 + (at == 3))
        table.step(0, inputs.Trusted())
        table.run(lambda t: t.replicas[0].transcript.number >= SETUP, seconds=5)
        assert table.replicas[0].transcript.number >= SETUP


async def test_who_had_said_yes_and_is_restarted_is_not_asked_again(resumed):
    table = setting_up(3)
    table.restart(0)
    table.step(0, inputs.Trusted())
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas), seconds=5)
    table.kill(0)
    assert (await resumed(table)).stage is TableStage.PLAYING


async def test_a_program_without_a_person_that_is_restarted_trusts_no_new_keys(resumed):
    with pytest.raises(UserError, match="--trust-new"):
        await resumed(setting_up(3), auto="casual")
