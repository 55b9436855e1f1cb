"""Kept games: who played, and how it ended. What lists and statistics are made of.

A player is known by name and, in games between laptops, by the key of its installation: another
Ann is another player. AI counts by its bot's name, on whatever seat it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lanplay.cli.challenges import Met, followed
from lanplay.engine.record import ALONE, AUTO, SUFFIX, Record, RecordError, load
from lanplay.engine.replay import Replay
from lanplay.games import OWN
from lanplay.games import load as load_game
from lanplay.language import _
from lanplay.session.profile import kept_key
from lanplay.told import harmless
from lanplay_ai.characters import LEVELS

KEY = 8
"""Hexadecimal digits of a key that are shown."""


@dataclass(frozen=True, slots=True)
class Participant:
    """Who sat on a seat: a name, the start of a key (empty on one machine), or a bot."""

    name: str
    key: str = ""
    bot: bool = False

    def __str__(self) -> str:
        name = harmless(self.name)
        if self.bot:
            return _("AI {bot}").format(bot=_(name) if name in LEVELS else name)
        return f"{name} ({self.key})" if self.key else name


@dataclass(frozen=True, slots=True)
class Played:
    """One kept game. ``scores`` and ``winners`` are empty if it was not finished.

    ``own`` are the seats of this installation's person, ``met`` the challenges that it met.
    """

    path: Path
    when: datetime
    game: str
    players: tuple[Participant, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    own: tuple[int, ...]
    met: Met = ()

    @property
    def verdict(self) -> str:
        """How the own person did, in one word."""
        if not self.scores:
            return _("broken off")
        if not self.own:
            return ""
        return _("won") if set(self.own) & set(self.winners) else _("lost")


def kept(data: Path, chosen: str = "") -> tuple[Path, list[Played], list[str]]:
    """Return the folder that was chosen, or that of the own data, and what is in it.

    Its games and the sentences on unusable files are those of ``read``.
    """
    folder = Path(chosen) if chosen else data / "records"
    return folder, *read(folder, kept_key(data))


def read(folder: Path, own: bytes = b"") -> tuple[list[Played], list[str]]:
    """Return the games of a folder, the newest first, and a sentence on each unusable file.

    ``own`` is the public key of this installation, if it has one. A pipe or a device is no file.
    """
    games, unusable = [], []
    for path in sorted(p for p in folder.glob(f"*{SUFFIX}") if p.is_file() or p.is_dir()):
        try:
            games.append(_played(path, own))
        except FileNotFoundError:
            continue  # it was deleted just now
        except (RecordError, ValueError) as error:
            text, name = str(error), harmless(str(path))
            unusable.append(text if name in text else f"{name}: {harmless(text)}")
    return sorted(games, key=lambda game: (game.when, game.path.name), reverse=True), unusable


def _played(path: Path, own: bytes) -> Played:
    record = load(path)
    game = load_game(record.header.game)
    replay = Replay(game, record)
    try:
        replay.run()
        result = game.result(replay.table) if record.finished else None
    except Exception as error:  # whatever another package's rules do, the others are listed
        if game.name in OWN or isinstance(error, RecordError | ValueError):
            raise
        raise ValueError(f"{game.rules_name}: {type(error).__name__}: {error}") from error
    players, mine = _seats(record, own)
    goals = followed(game.name) if result and mine else None
    return Played(
        path=path,
        when=datetime.fromtimestamp(path.stat().st_mtime).astimezone(),
        game=record.header.game,
        players=players,
        scores=result.scores if result else (),
        winners=result.winners if result else (),
        own=mine,
        met=goals.met(replay.table) if goals else (),
    )


def _seats(record: Record, own: bytes) -> tuple[tuple[Participant, ...], tuple[int, ...]]:
    """Return who sat where, and which seats the own person had."""
    if "roster" in record.extra:
        return _between_peers(record, own)
    names = record.header.seats
    if record.header.seed is None and ALONE not in record.extra:
        return tuple(map(Participant, names)), ()
    bots = [_bot(name) for name in names[1:]]
    if AUTO in record.extra:
        return (_bot(str(record.extra[AUTO])), *bots), ()
    return (Participant(names[0]), *bots), (0,)


def _bot(name: str) -> Participant:
    """Return the bot of a seat of one machine.

    ``strong 2``, ``strong#2`` and ``Rusty (strong)`` are ``strong``.
    """
    level = re.fullmatch(r".* \((\w+)\)", name)
    return Participant(level[1] if level else re.sub(r"[ #]\d+$", "", name), bot=True)


def _between_peers(record: Record, own: bytes) -> tuple[tuple[Participant, ...], tuple[int, ...]]:
    from lanplay_protocol.errors import PeerError
    from lanplay_protocol.replica.roster import parse_roster
    from lanplay_protocol.text import NICKNAME_LIMIT, clean_text

    try:
        roster = parse_roster(record.extra["roster"])
    except PeerError as error:
        raise ValueError(error.text) from error
    players, mine = [], []
    for seat, name in enumerate(roster.names[: len(record.header.seats)]):
        peer = roster.peers[roster.host(seat)]
        bot = roster.bot(seat)
        shown = Participant(clean_text(name, NICKNAME_LIMIT), peer.public.hex()[:KEY])
        players.append(Participant(bot, bot=True) if bot else shown)
        if peer.public == own and not bot:
            mine.append(seat)
    if len(players) != len(record.header.seats):
        raise ValueError("its roster has other seats than its game")
    return tuple(players), tuple(mine)
