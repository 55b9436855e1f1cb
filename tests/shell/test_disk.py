"""A disk that fails in the middle of a game, and a program that vanishes: the table plays on."""

from __future__ import annotations

import errno
import os
from contextlib import closing, suppress

import pytest
import trio

from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.journal import INCOMPLETE, Journal, JournalError, SavedGame, journals
from lanplay_protocol.shell.node import BEAT, Node, open_node
from lanplay_protocol.shell.runner import GameRunner
from tests.shell.life_cycle import lie, play
from tests.shell.test_table import GAME, LOOPBACK, VERSION, Player

PEERS = 3


class FullDisk(Journal):
    """A journal whose disk is full after so many entries."""

    left = 60

    def append(self, entry):
        self.left -= 1
        if self.left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().append(entry)


class Watched(Player):
    """A player that remembers being urged, and calls ``stop`` after so many answers."""

    def __init__(self, key, answers=10**9):
        super().__init__(key)
        self.left = answers
        self.stop = trio.CancelScope()

    async def answer(self, seat, view, question, bot):
        self.left -= 1
        if self.left < 0:
            self.stop.cancel()
            await trio.sleep_forever()
        return await super().answer(seat, view, question, bot)

    def asked_to_yield(self):
        self.notices.append("urged")


class Laptops:
    """Programs of one table, all in this process, over real sockets."""

    def __init__(self, folder, settings):
        self.folder = folder
        self.identities = [Identity(os.urandom(32)) for _ in range(PEERS)]
        peers = tuple(
            Peer(identity.public, f"peer {place}", (place,))
            for place, identity in enumerate(self.identities)
        )
        names = tuple(f"seat {place}" for place in range(PEERS))
        options = {name: values[0] for name, values in GAME.options.items()}
        self.roster = Roster(GAME.name, GAME.fingerprint, options, names, peers, (), settings)
        self.players = [Watched(b"%d" % place) for place in range(PEERS)]
        self.outcomes = {}
        self.addresses = {}
        self.all_listen = trio.Event()

    async def run(self, place, kind=Journal):
        async with open_node(self.identities[place], VERSION) as node:
            port = await node.listen(0, LOOPBACK)
            self.addresses[self.identities[place].public] = ((LOOPBACK, port),)
            if len(self.addresses) == PEERS:
                self.all_listen.set()
            await self.all_listen.wait()
            kept = SavedGame(self.roster, self.addresses, os.urandom(32), {})
            journal = kind.create(self.folder / str(place), kept)
            replica = Replica(GAME, self.roster, node.identity, kept.seed)
            player = self.players[place]
            playing = GameRunner(
                node, replica, self.roster, self.addresses, player, journal=journal
            )
            with closing(journal), player.stop:
                self.outcomes[place] = await playing.run()


async def test_a_full_disk_stops_nobody_and_everybody_is_told(tmp_path):
    """The game goes on in memory; what is on the disk is not gone on with as if it were whole."""
    laptops = Laptops(tmp_path, TableSettings())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(laptops.run, 0, FullDisk)
        for place in (1, 2):
            nursery.start_soon(laptops.run, place)
    ends = {outcome.trace for outcome in laptops.outcomes.values()}
    assert len(laptops.outcomes) == PEERS
    assert len(ends) == 1
    own, *others = (" ".join(player.notices) for player in laptops.players)
    assert "can no longer be kept in " in own
    assert ".game (No space left on device)" in own
    assert all("peer 0 can no longer keep the game on its disk" in told for told in others)
    (left,) = journals(tmp_path / "0")
    assert left.suffix == INCOMPLETE
    with suppress(JournalError):
        journal, kept, _ = Journal.open(left)
        journal.close()
        assert kept.roster == laptops.roster


async def test_what_binds_is_on_the_disk_before_anybody_is_told(tmp_path, monkeypatch):
    """A power failure at any moment loses no message that its author could not say again alike."""
    forced, bound, checked = {}, {}, []
    fsync, persist, send = os.fsync, GameRunner._persist, Node.send

    def force(descriptor):
        fsync(descriptor)
        forced[os.fstat(descriptor).st_ino] = os.fstat(descriptor).st_size

    def kept(play, output):
        persist(play, output)
        if output.sync:
            state = play._journal.path.stat()
            bound[play._node.identity.public] = (state.st_ino, state.st_size)

    def told(node, identity, body):
        if body != BEAT and node.identity.public in bound:
            file, size = bound[node.identity.public]
            checked.append(forced[file] >= size)
        send(node, identity, body)

    monkeypatch.setattr(os, "fsync", force)
    monkeypatch.setattr(GameRunner, "_persist", kept)
    monkeypatch.setattr(Node, "send", told)
    laptops = Laptops(tmp_path, TableSettings())
    async with trio.open_nursery() as nursery:
        for place in range(PEERS):
            nursery.start_soon(laptops.run, place)
    assert len(bound) == PEERS
    assert len(checked) > 100
    assert all(checked)


async def test_a_folder_that_cannot_be_written_is_an_error_before_the_game(tmp_path):
    """Whoever begins a journal where there can be none is told at once."""
    (tmp_path / "file").write_text("in the way")
    kept = SavedGame(Laptops(tmp_path, TableSettings()).roster, {}, bytes(32), {})
    try:
        Journal.create(tmp_path / "file" / "games", kept)
    except OSError as error:
        assert error.strerror
    else:
        raise AssertionError("a journal was made below a file")


async def test_a_program_that_vanishes_is_missed_replaced_and_the_game_ends(tmp_path):
    """That it is gone is said, then AI plays there to the end."""
    laptops = Laptops(tmp_path, TableSettings(grace=1))
    laptops.players[2].left = 3
    async with trio.open_nursery() as nursery:
        for place in range(PEERS):
            nursery.start_soon(laptops.run, place)
    assert laptops.outcomes.keys() == {0, 1}
    assert len({outcome.record.state_hash for outcome in laptops.outcomes.values()}) == 1
    for place in (0, 1):
        told = " ".join(laptops.players[place].notices)
        assert "peer 2 is gone" in told
        assert "peer 2 is out: AI plays instead." in told
        assert "seat 2: the AI random on" in told


@pytest.mark.parametrize("call", ["append", "sync"])
def test_a_verdict_that_the_disk_does_not_take_is_not_gone_on_with_as_if_it_were_kept(
    call, monkeypatch
):
    """The journal is stale from there on, the person and the others are told; the game goes on, and
    every record convicts the liar."""
    hit, left = [], []
    append, sync, persist = Journal.append, Journal.sync, GameRunner._persist

    def refuse(journal):
        raise OSError(errno.EIO, "Input/output error", str(journal.path))

    def appended(journal, entry):
        if entry[0] == "verdict" and not hit:
            hit.append(journal)
            refuse(journal) if call == "append" else None
        append(journal, entry)

    def synced(journal):
        refuse(journal) if hit == [journal] and call == "sync" else sync(journal)

    def persisted(runner, output):
        journal = runner._journal
        persist(runner, output)
        if journal in hit:
            left.append((runner._journal, journal.path.suffix))

    monkeypatch.setattr(Journal, "append", appended)
    monkeypatch.setattr(Journal, "sync", synced)
    monkeypatch.setattr(GameRunner, "_persist", persisted)
    assert play(2, "middle", lie) == []
    assert left[-1] == (None, INCOMPLETE)
