"""Whom this installation has played with: remembered keys, and what to do about new ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from lanplay import files
from lanplay.errors import Fault, UserError
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import MOVE
from lanplay_protocol.replica.outbox import Entry
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.text import NICKNAME_LIMIT, alike, clean_text

FILE = "known_peers.json"


class KnownKeys:
    """The keys that a person of this installation has agreed to, with the names they had."""

    def __init__(self, folder: Path) -> None:
        """Read the file, if there is one; ``UserError`` if it is damaged (it is not lost)."""
        self._path = folder / FILE
        self._names: dict[str, str] = {}
        try:
            text = self._path.read_text(encoding="utf-8")
            files.close_to_others(self._path)
            self._names = {bytes.fromhex(k).hex(): str(n) for k, n in files.plain(text).items()}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, AttributeError) as error:
            raise UserError(Fault.KNOWN_DAMAGED, path=str(self._path), why=error) from error

    @property
    def names(self) -> Mapping[str, str]:
        """The remembered names, by key in hexadecimal."""
        return self._names

    def strangers(self, roster: Roster, own: bytes) -> list[Peer]:
        """Return the other peers whose keys are not remembered."""
        others = [peer for peer in roster.peers if peer.public != own]
        return [peer for peer in others if peer.public.hex() not in self._names]

    def impostors(self, roster: Roster, own: bytes) -> list[str]:
        """Return the names that are remembered, or alike, with another key than they have now."""
        others = [(shown(peer), peer.public.hex()) for peer in roster.peers if peer.public != own]
        known = {key: alike(name) for key, name in self._names.items()}
        return [
            name
            for name, key in others
            if any(each == alike(name) and of != key for of, each in known.items())
            and known.get(key) != alike(name)
        ]

    def remember(self, roster: Roster, own: bytes) -> None:
        """Keep all keys of a table; ``OSError`` if the disk refuses."""
        self._names |= {p.public.hex(): shown(p) for p in roster.peers if p.public != own}
        files.replace(self._path, json.dumps(self._names, indent=1, ensure_ascii=False).encode())


def agreed(roster: Roster, own: bytes, entries: Sequence[Entry]) -> bool:
    """Tell whether this program has signed that it trusts a table, by what was kept of its game."""
    me = [peer.public for peer in roster.peers].index(own)
    moves = (plain for kind, plain in entries if kind == MOVE)
    return any((plain[0], plain[1]) == (me, SETUP - 1) for plain in moves)


def shown(peer: Peer) -> str:
    """Return a peer's name as it may be shown."""
    return clean_text(peer.name, NICKNAME_LIMIT)
