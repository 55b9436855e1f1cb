"""The commands of lanplay: what each does and takes, and the function that it is.

Cheap to import: the function, ``module:name``, is loaded when its command is used. It is given the
arguments that were read, and returns the exit status.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from lanplay.cli.numbers import minutes, port, seconds, whole
from lanplay.cli.usage import OneBot
from lanplay.language import N_


class Argument(NamedTuple):
    """An argument: its name, what it is for, and what else ``argparse`` is told of it."""

    name: str
    help: str
    how: Mapping[str, Any]


class Subcommand(NamedTuple):
    """A command. Text among its arguments names a setting that it takes as a flag.

    ``place`` is a setting that it takes without a flag. With ``any_settings`` it runs whatever is
    wrong with the settings.
    """

    help: str
    run: str
    arguments: Sequence[Argument | str] = ()
    place: str = ""
    any_settings: bool = False


def _arg(name: str, help: str, **how: Any) -> Argument:
    return Argument(name, help, how)


def _flag(name: str, help: str) -> Argument:
    return Argument(name, help, {"action": "store_true"})


GAME: Final = _arg("game", N_("the game: dice-town, charidice, fliptown, dogs-life, or another"))
SEATS: Final = _arg("--seats", N_("seats at the table (default: 4)"), type=whole, default=4)
OPTION: Final = _arg(
    "--option", N_("a table option"), metavar="NAME=VALUE", action="append", default=[]
)
SEED: Final = _arg(
    "--seed",
    N_("same seed, same games (default: 1; random where bots from outside play)"),
    type=whole,
)
NO_HINTS: Final = _flag("--no-hints", N_("allow no hints"))
AUTO: Final = _arg("--auto", N_("let a bot answer for you"), metavar="BOT")
PORT: Final = _arg("--port", N_("port to listen on (default: any)"), type=port, default=0)
INTERFACE: Final = _arg(
    "--interface", N_("network address to use (default: all)"), metavar="ADDRESS", action="append"
)
QUIET: Final = _flag("--quiet", N_("do not show the game"))
PASSWORD_FILE: Final = _arg(
    "--password-file", N_("read the table's password from a file (-: stdin)"), metavar="FILE"
)
RECORD: Final = _arg("--record", N_("where to keep the game's record"), metavar="FILE")
JSON: Final = _flag("--json", N_("end with one line of JSON"))
JSON_ALONE: Final = _flag("--json", N_("one line of JSON"))

SCREEN: Final = ("plain", "ascii", "colours", "theme", "animation", "confirm", "ai_speed")
"""The settings of how everything looks."""
TABLE: Final = (
    *("name", "data", "web", "guests", *SCREEN, AUTO, PORT, INTERFACE, QUIET, JSON),
    _flag("--password", N_("the table has a password: ask for it")),
    PASSWORD_FILE,
    _flag("--trust-new", N_("sit down with unknown keys without comparing words")),
    _arg("--timing", N_("note when each step was complete"), metavar="FILE"),
    RECORD,
)
"""What every command takes that sits down at a network table."""

COMMANDS: Final[Mapping[str, Subcommand]] = {
    "bots": Subcommand(
        N_("list the AI players of a game, with one line on each"),
        "lanplay.cli.listing:list_bots",
        (
            _arg("game", N_("the game, for example dice-town (default: all)"), nargs="?"),
            _arg("--explain", N_("say how a bot thinks"), metavar="NAME"),
            _flag("--json", N_("one line of JSON for each")),
        ),
    ),
    "check-game": Subcommand(
        N_("check that a game works in every mode: for authors of games"),
        "lanplay.cli.authoring:check_game",
        (GAME,),
    ),
    "config": Subcommand(
        N_("show the settings in force, where each comes from, and their file"),
        "lanplay.cli.configuring:show",
        (_flag("--path", N_("print the path of the file alone")), JSON_ALONE),
        any_settings=True,
    ),
    "demo": Subcommand(
        N_("watch AI play over the network of this machine, each peer a process of its own"),
        "lanplay.cli.demonstration:demo",
        (
            _arg("game", N_("the game (default: dice-town)"), nargs="?", default="dice-town"),
            _arg("--peers", N_("processes at the table (default: 3)"), type=whole, default=3),
            SEATS,
            _arg("--bot", N_("the AI in every seat (default: strong)"), action=OneBot),
            _flag("--no-discovery", N_("join by address instead of through mDNS")),
            JSON,
            RECORD,
        ),
    ),
    "doctor": Subcommand(
        N_("check this machine and say what to do about each fault"),
        "lanplay.cli.doctor:doctor",
        (INTERFACE, PORT, JSON_ALONE, "data"),
        any_settings=True,
    ),
    "history": Subcommand(
        N_("list the games that were kept, and how everybody did in them"),
        "lanplay.cli.history:show",
        (
            _arg(
                "folder", N_("where records lie (default: your own)"), metavar="FOLDER", nargs="?"
            ),
            _arg(
                "--limit",
                N_("newest games to list (default: 20)"),
                metavar="N",
                type=whole,
                default=20,
            ),
            _arg("--player", N_("only games with this player"), metavar="NAME"),
            JSON_ALONE,
            "data",
        ),
    ),
    "host": Subcommand(
        N_("open a table on this network"),
        "lanplay.cli.table_commands:host",
        (
            GAME,
            SEATS,
            _arg(
                "--people",
                N_(
                    "start when so many people sit; AI takes the other seats (default: when you "
                    "say so)"
                ),
                type=whole,
            ),
            "bot",
            _arg("--table", N_("the table's name (default: made of yours)")),
            OPTION,
            _arg(
                "--grace",
                N_(
                    "how long to wait for a lost laptop before AI plays on (default: 45; 0: for "
                    "ever)"
                ),
                type=whole,
                default=45,
                metavar="SECONDS",
            ),
            "absent",
            "windows",
            _arg(
                "--idle",
                N_("how long a person may think before AI answers instead (default: 0, no limit)"),
                type=whole,
                default=0,
                metavar="SECONDS",
            ),
            _flag("--no-watching", N_("allow no spectators")),
            NO_HINTS,
            *TABLE,
        ),
    ),
    "join": Subcommand(
        N_("sit down at a table of this network"),
        "lanplay.cli.table_commands:join",
        (
            _arg(
                "table",
                N_("HOST:PORT, or part of a table's name (default: the first open one)"),
                nargs="?",
            ),
            _arg(
                "--wait",
                N_("seconds to try to find a seat (default: 30)"),
                type=seconds,
                default=30.0,
            ),
            _flag("--new", N_("a new game, also if one of yours can go on")),
            *TABLE,
        ),
    ),
    "lobby": Subcommand(
        N_("the tables of this network: sit down at one, or open one (lanplay alone does this)"),
        "lanplay.cli.table_commands:lobby",
        ("name", "data", "web", "guests", *SCREEN, INTERFACE),
    ),
    "new-game": Subcommand(
        N_("write the package of a new game, which can be played at once"),
        "lanplay.cli.authoring:new_game",
        (
            _arg("game", N_("what the game is to be called, for example liars-dice")),
            _arg("--folder", N_("where its folder goes (default: here)"), default="."),
        ),
    ),
    "merge": Subcommand(
        N_("put together the parts of a tournament that were played with --shard"),
        "lanplay.cli.tournaments:merge",
        (
            _arg("out", N_("where the complete tournament goes"), metavar="OUT"),
            _arg("parts", N_("the folders of all parts"), metavar="PART", nargs="+"),
            "data",
            JSON,
        ),
    ),
    "play": Subcommand(
        N_("play on this machine against AI"),
        "lanplay.cli.table_commands:play",
        (
            *("name", "bot", "data", "web", *SCREEN, SEATS, AUTO),
            _arg("--seed", N_("same seed, same luck (default: fresh luck)"), type=whole),
            _flag("--learn", N_("a first game: a coach explains it")),
            *(OPTION, NO_HINTS, JSON, RECORD),
        ),
        place="game",
    ),
    "replay": Subcommand(
        N_("step through a recorded game, forward and back, or show it in words"),
        "lanplay.cli.replaying:replay",
        (
            _arg("file", N_("a record (lanplay history lists yours), or a tournament's folder")),
            _arg("--game", N_("the number of a tournament's game"), type=whole),
            _arg("--page", N_("write a page to share: who won, and how"), metavar="FILE"),
            _flag(
                "--review",
                N_("tell what luck and decisions brought, and which decisions cost most"),
            ),
            _arg("--from", N_("first round to show"), dest="first", type=whole, default=1),
            _arg(
                "--step",
                N_("go through it move by move, forward and back (default: on a terminal)"),
                action=argparse.BooleanOptionalAction,
            ),
            _arg(
                "--seat",
                N_(
                    "with --step, whose hands to show: a name, a number, public, all (default: all "
                    "that the record shows)"
                ),
                metavar="NAME",
                default="all",
            ),
            JSON,
            "data",
            "web",
            *SCREEN,
        ),
    ),
    "resume": Subcommand(
        N_("go on with a game that was left, or that a crash cut off"),
        "lanplay.cli.table_commands:resume",
        (
            _arg("file", N_("the game's file (default: the newest)"), nargs="?"),
            _flag("--list", N_("list the games that can go on")),
            _arg("--forget", N_("delete a game for good: an AI keeps your seat"), metavar="FILE"),
            *TABLE,
        ),
    ),
    "rules": Subcommand(
        N_("print the rules of a game, or those with a number or a word"),
        "lanplay.cli.rules:rules",
        (
            _arg("game", N_("the game, for example dice-town (default: list)"), nargs="?"),
            _arg(
                "filter",
                N_("a rule's number (DT-2.3, 2.3, 2) or words"),
                metavar="NUMBER|WORD",
                nargs="*",
            ),
        ),
    ),
    "share": Subcommand(
        N_("give lanplay to other laptops: this copy, or bundles that were made for them"),
        "lanplay.cli.sharing:share",
        (
            _arg(
                "bundle",
                N_("bundles to give (default: those that scripts/bundle.py made, or this copy)"),
                metavar="FILE",
                nargs="*",
            ),
            _arg("--minutes", N_("how long at most (default: 30)"), type=minutes, default=30.0),
            INTERFACE,
            _arg("--port", N_("port to listen on (default: 8642, or any free one)"), type=port),
            "data",
        ),
    ),
    "simulate": Subcommand(
        N_("play many games, AI against AI, and report rates and one hash over all"),
        "lanplay.cli.simulating:simulate",
        (
            GAME,
            _arg("--games", N_("how many (default: 100)"), type=whole, default=100),
            SEATS,
            SEED,
            _arg(
                "--bot",
                N_("a line-up: repeat for each seat (strong)"),
                metavar="BOT",
                action="append",
            ),
            OPTION,
            _arg("--record", N_("keep a record of every game there"), metavar="FOLDER"),
            JSON,
        ),
    ),
    "tables": Subcommand(
        N_("list the tables of this network"),
        "lanplay.cli.listing:tables",
        (
            _arg("--seconds", N_("how long to look (default: 3)"), type=seconds, default=3.0),
            INTERFACE,
            _flag("--json", N_("one line of JSON for each table")),
        ),
    ),
    "tournament": Subcommand(
        N_("let bots play many games and say who is better, with confidence intervals"),
        "lanplay.cli.tournaments:tournament",
        (
            _arg("game", N_("the game, for example dice-town"), nargs="?"),
            _arg("bots", N_("the entrants; a bot may enter twice"), metavar="BOT", nargs="*"),
            _arg(
                "--games",
                N_("how many at least; whole deals are played (default: 200)"),
                type=whole,
            ),
            _arg("--seats", N_("seats at each table (default: what fits)"), type=whole),
            SEED,
            OPTION,
            _arg(
                "--schedule",
                N_(
                    "all tables; those of the first entrant; each entrant alone against the last "
                    "in all other seats (default: round-robin)"
                ),
                choices=["round-robin", "gauntlet", "field"],
            ),
            _arg(
                "--orders",
                N_(
                    "the games of one deal, all under the same luck: the rotations of a line-up, "
                    "all its orders, or a single game (default: rotations)"
                ),
                choices=["rotations", "all", "single"],
            ),
            _arg(
                "--sprt",
                N_("stop as soon as it is clear whether entrant 1 is better than entrant 2"),
                metavar="elo0=0,elo1=10",
            ),
            _arg(
                "--jobs",
                N_("processes that play (default: auto, one for each core)"),
                default="auto",
            ),
            _arg("--scheduler", N_("play on a Dask cluster instead"), metavar="ADDRESS"),
            _arg("--out", N_("where results go (tournament/)"), metavar="FOLDER"),
            _arg("--resume", N_("continue a run, with more --games if you like"), metavar="FOLDER"),
            _arg(
                "--shard",
                N_("play one part of so many, to be put together by lanplay merge"),
                metavar="3/8",
            ),
            _flag(
                "--trusted",
                N_(
                    "run bots from outside without a sandbox, and give all games of a deal the "
                    "same luck; with --resume: start programs that another's folder names"
                ),
            ),
            _flag("--records", N_("keep the record of every game")),
            "data",
            _flag("--quiet", N_("show no progress")),
            JSON,
        ),
    ),
    "verify": Subcommand(
        N_("check every roll, shuffle, share and move of a network game's record"),
        "lanplay.cli.verifying:verify",
        (
            _arg("file", N_("a record of a network game (lanplay history lists yours)")),
            "data",
            JSON,
        ),
    ),
    "watch": Subcommand(
        N_("watch a game of this network without a seat"),
        "lanplay.cli.table_commands:watch",
        (
            _arg(
                "table",
                N_("HOST:PORT, or part of a table's name (default: the first one found)"),
                nargs="?",
            ),
            _arg(
                "--wait",
                N_("seconds to look for a table (default: 30)"),
                type=seconds,
                default=30.0,
            ),
            *("name", "data", "web", *SCREEN, INTERFACE, PASSWORD_FILE, QUIET, JSON, RECORD),
        ),
    ),
}
"""Every command by its name."""
