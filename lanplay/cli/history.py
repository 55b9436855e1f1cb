"""``lanplay history``: kept records as a list of games, statistics by player, challenges met.

A player is known by name and, in games between laptops, by the key of its installation: another
Ann is another player. AI counts by its bot's name. Scores of different games are never mixed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from lanplay.cli.challenges import Met, Standing, followed, lines, standings
from lanplay.cli.identity import FILE
from lanplay.cli.settings import data_folder
from lanplay.engine.record import SUFFIX, Record, RecordError, load
from lanplay.engine.replay import Replay
from lanplay.games import load as load_game
from lanplay.games.wording import game_title
from lanplay.language import _

AUTO = "auto"
"""The note in a record that a bot had the person's seat, and which."""
KEY = 8
"""Hexadecimal digits of a key that are shown."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat on a seat: a name, the start of a key (empty on one machine), or a bot."""

    name: str
    key: str = ""
    bot: bool = False

    def __str__(self) -> str:
        if self.bot:
            return _("AI {bot}").format(bot=self.name)
        return f"{self.name} ({self.key})" if self.key else self.name


@dataclass(frozen=True, slots=True)
class Played:
    """One kept game. ``scores`` and ``winners`` are empty if it was not finished.

    ``own`` are the seats of this installation's person, ``met`` the challenges that it met.
    """

    path: Path
    when: datetime
    game: str
    players: tuple[Player, ...]
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


@dataclass(slots=True)
class Tally:
    """How a player did in one game's finished plays."""

    player: Player
    game: str
    wins: int = 0
    scores: list[int] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean score."""
        return sum(self.scores) / len(self.scores)


def show(args: argparse.Namespace) -> int:
    """Run ``lanplay history``; files that cannot be used are named and left out."""
    data = data_folder(args.data)
    folder = Path(args.folder) if args.folder else data / "records"
    games, unusable = read(folder, _own_key(data / FILE))
    if args.player:
        games = [game for game in games if _took_part(game, args.player)]
    tallies = statistics(games)
    goals = challenges(games)
    if args.json:
        print(json.dumps(_plain(games, tallies, goals, unusable)))
    elif not games:
        print(_("No games are kept in {folder}.").format(folder=folder))
    else:
        _print(games[: args.limit], tallies)
        for game, standing in goals.items():
            print("\n" + "\n".join(lines(game, standing)))
    for text in unusable:
        print(text, file=sys.stderr)
    return 0


def read(folder: Path, own: bytes = b"") -> tuple[list[Played], list[str]]:
    """Return the games of a folder, the newest first, and a sentence on each unusable file.

    ``own`` is the public key of this installation, empty if it has none.
    """
    games, unusable = [], []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            games.append(_played(path, own))
        except (RecordError, ValueError) as error:
            text = str(error)
            unusable.append(text if str(path) in text else f"{path}: {text}")
    return sorted(games, key=lambda game: (game.when, game.path.name), reverse=True), unusable


def statistics(games: Iterable[Played]) -> list[Tally]:
    """Return one tally for each player and game, by game, the best mean score first."""
    tallies: dict[tuple[str, Player], Tally] = {}
    for game in games:
        for seat, score in enumerate(game.scores):
            player = game.players[seat]
            tally = tallies.setdefault((game.game, player), Tally(player, game.game))
            tally.scores.append(score)
            tally.wins += seat in game.winners
    return sorted(tallies.values(), key=lambda each: (each.game, -each.mean, str(each.player)))


def challenges(games: Iterable[Played]) -> dict[str, list[Standing]]:
    """Return how far the own person is with the challenges of each game that it has met any of."""
    found: dict[str, list[Met]] = {}
    for game in games:
        if game.met:
            found.setdefault(game.game, []).append(game.met)
    return {game: standings(game, found[game]) for game in sorted(found)}


def _played(path: Path, own: bytes) -> Played:
    record = load(path)
    game = load_game(record.header.game)
    replay = Replay(game, record)
    replay.run()
    result = game.result(replay.table) if record.finished else None
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


def _seats(record: Record, own: bytes) -> tuple[tuple[Player, ...], tuple[int, ...]]:
    """Return who sat where, and which seats the own person had."""
    if "roster" in record.extra:
        return _between_peers(record, own)
    names = record.header.seats
    if record.header.seed is None:
        return tuple(map(Player, names)), ()
    bots = [Player(re.sub(r" \d+$", "", name), bot=True) for name in names[1:]]
    if AUTO in record.extra:
        return (Player(names[0]), *bots), ()
    return (Player(names[0]), *bots), (0,)


def _between_peers(record: Record, own: bytes) -> tuple[tuple[Player, ...], tuple[int, ...]]:
    from protocol.errors import PeerError
    from protocol.replica.roster import parse_roster
    from protocol.text import NICKNAME_LIMIT, clean_text

    try:
        roster = parse_roster(record.extra["roster"])
    except PeerError as error:
        raise ValueError(error.text) from error
    players, mine = [], []
    for seat, name in enumerate(roster.names[: len(record.header.seats)]):
        peer = roster.peers[roster.host(seat)]
        bot = roster.bot(seat)
        shown = Player(clean_text(name, NICKNAME_LIMIT), peer.public.hex()[:KEY])
        players.append(Player(bot, bot=True) if bot else shown)
        if peer.public == own and not bot:
            mine.append(seat)
    if len(players) != len(record.header.seats):
        raise ValueError("its roster has other seats than its game")
    return tuple(players), tuple(mine)


def _own_key(path: Path) -> bytes:
    """Return the public key of this installation without making one; empty if there is none."""
    from protocol.identity import SEED, Identity

    try:
        seed = path.read_bytes()
    except OSError:
        return b""
    return Identity(seed).public if len(seed) == SEED else b""


def _took_part(game: Played, name: str) -> bool:
    return any(name.casefold() == player.name.casefold() for player in game.players)


def _print(games: Sequence[Played], tallies: Sequence[Tally]) -> None:
    for game in games:
        print(f"{game.when:%Y-%m-%d %H:%M}  {game_title(game.game)}  {_result(game)}")
        print(f"    {game.path}")
    print()
    head = (_("player"), _("game"), _("games"), _("wins"), _("mean"), _("best"))
    rows = [head, *(_row(tally) for tally in tallies)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(head))]
    for row in rows:
        left = f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}"
        print("  ".join([left, *(f"{row[n]:>{widths[n]}}" for n in range(2, len(head)))]))


def _result(game: Played) -> str:
    """Return who sat there, with scores and a star for whoever won, and how the person did."""
    parts = [str(player) for player in game.players]
    for seat, score in enumerate(game.scores):
        parts[seat] += f" {score}{'*' if seat in game.winners else ''}"
    verdict = f"  [{game.verdict}]" if game.verdict else ""
    return ", ".join(parts) + verdict


def _row(tally: Tally) -> tuple[str, ...]:
    numbers = (len(tally.scores), tally.wins, f"{tally.mean:.1f}", max(tally.scores))
    return (str(tally.player), game_title(tally.game), *map(str, numbers))


def _plain(
    games: Sequence[Played],
    tallies: Sequence[Tally],
    followed: Mapping[str, Sequence[Standing]],
    unusable: Sequence[str],
) -> dict[str, Any]:
    return {
        "games": [
            {**asdict(game), "path": str(game.path), "when": game.when.isoformat()}
            for game in games
        ],
        "players": [
            {
                **asdict(tally.player),
                "game": tally.game,
                "games": len(tally.scores),
                "wins": tally.wins,
                "mean": tally.mean,
                "best": max(tally.scores),
            }
            for tally in tallies
        ],
        "challenges": {
            game: [{**asdict(each), "met": each.met} for each in standing]
            for game, standing in followed.items()
        },
        "unusable": list(unusable),
    }
