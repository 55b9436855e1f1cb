"""Finished games on disk: for a week they are shown to whoever had a seat and missed the end."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from lanplay.engine.record import Record, RecordError, load
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.catch_up import RESENDS, WHILE
from lanplay_protocol.replica.ended_game import EndedGame
from lanplay_protocol.replica.roster import Roster, parse_roster
from lanplay_protocol.schema import binary, message
from lanplay_protocol.shell.beginning import KINDS
from lanplay_protocol.wire import encode

WEEK = 7 * 24 * 60 * 60.0
KEPT = 4
"""Games that are not read anew from the disk."""
SEEN, MISSED = ".ended", ".missed"
"""Games whose end everybody has seen, and those whose end somebody missed."""
_GAME = encode(("game", 0))[:-1]
_OTHERS = (KINDS - {"game"}) | {"password", "watch"}
"""What a program says that wants something else than the end of a game."""


def asking(roster: Roster) -> bytes:
    """Return the message that says for which game a peer is here."""
    return encode(("game", roster.digest()))


class Archive:
    """The finished games of one folder. ``playing`` is the game that is shown live: not from here.

    A game is kept under the hash of its roster, as its record.
    """

    def __init__(self, folder: Path, now: Callable[[], float] = time.time) -> None:
        self.playing = b""
        self._folder = folder
        self._now = now
        self._shown: dict[bytes, EndedGame] = {}
        self._games: dict[bytes, EndedGame | None] = {}
        self._asked: dict[bytes, deque[float]] = {}

    def keep(self, record: Record, missed: bool) -> None:
        """Keep a game that has ended; ``OSError`` if the disk refuses."""
        digest = parse_roster(record.extra["roster"]).digest()
        name = digest.hex()
        self._games.pop(digest, None)
        record.save(self._folder / f"{name}{MISSED if missed else SEEN}")
        (self._folder / f"{name}{SEEN if missed else MISSED}").unlink(missing_ok=True)

    def missed(self) -> list[Roster]:
        """Return the games whose end somebody missed, the newest first.

        Deleted is what is a week older than now, and than the newest: a clock that is ahead for
        once hides games, and a game that ended meanwhile deletes none that end later.
        """
        ended: dict[Path, float] = {}
        for path in self._folder.glob("*") if self._folder.is_dir() else ():
            with suppress(OSError):
                ended[path] = path.stat().st_mtime
        found, now = [], self._now()
        newest = min(now, max(ended.values(), default=now))
        for path, at in sorted(ended.items(), key=lambda each: (-each[1], each[0])):
            with suppress(OSError):
                if newest - at > WEEK:
                    path.unlink()
                elif path.suffix == MISSED and now - at <= WEEK:
                    found.append(self._load(path))
        return [game.roster for game in found if game is not None]

    def _recent(self, path: Path) -> bool:
        """Tell whether a game is there, and has ended within a week."""
        with suppress(OSError):
            return self._now() - path.stat().st_mtime <= WEEK
        return False

    def _read(self, digest: bytes, path: Path) -> EndedGame | None:
        """Return a game, read once while it is asked for: each time would keep all else waiting."""
        if digest not in self._games:
            self._games[digest] = self._load(path)
            for old in list(self._games)[:-KEPT]:
                del self._games[old]
        return self._games[digest]

    def _load(self, path: Path) -> EndedGame | None:
        try:
            return EndedGame(load(path).extra)
        except (RecordError, PeerError, KeyError, StopIteration):
            return None  # nothing of it can be shown

    def answers(self, identity: bytes, body: bytes) -> Sequence[bytes] | None:
        """Return what to say to a program about a game whose end it missed.

        ``None``: it wants something else. Who it is was proven on the connection.
        """
        if identity not in self._shown and not body.startswith(_GAME):
            return None
        try:
            kind, payload = message(body)
            if kind == "game":
                return self._begin(identity, binary(payload, 32, "game"))
            if kind in _OTHERS:
                del self._shown[identity]
                return None
            return self._more(identity, payload) if kind == "want" else ()
        except PeerError:
            return None

    def _begin(self, identity: bytes, digest: bytes) -> Sequence[bytes] | None:
        if not self._may_ask(identity):
            return ()
        self._shown.pop(identity, None)
        names = [self._folder / f"{digest.hex()}{suffix}" for suffix in (SEEN, MISSED)]
        path = next(filter(self._recent, names), None)
        game = None if path is None or digest == self.playing else self._read(digest, path)
        if game is None or identity not in {peer.public for peer in game.roster.peers}:
            return None
        self._shown[identity] = game
        return [game.here, game.bye]

    def _more(self, identity: bytes, payload: object) -> Sequence[bytes]:
        return self._shown[identity].answer(payload) if self._may_ask(identity) else ()

    def _may_ask(self, identity: bytes) -> bool:
        now = self._now()
        # a clock that was set back forgets what was asked before
        self._asked = {key: a for key, a in self._asked.items() if abs(now - a[-1]) < WHILE}
        asked = self._asked.setdefault(identity, deque(maxlen=RESENDS))
        if len(asked) == RESENDS and now - asked[0] < WHILE:
            return False
        asked.append(now)
        return True
