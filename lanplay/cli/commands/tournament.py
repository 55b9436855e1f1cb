"""``lanplay tournament``: bots against bots, with intervals that can be trusted."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("let bots play many games and say who is better, with intervals")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("game", nargs="?", help=_("the game, for example dice-town"))
    parser.add_argument(
        "bots", metavar="BOT", nargs="*", help=_("the entrants; a bot may enter twice")
    )
    parser.add_argument(
        "--games", type=int, help=_("how many at least; whole deals are played (default: 200)")
    )
    parser.add_argument("--seats", type=int, help=_("seats at each table (default: what fits)"))
    parser.add_argument(
        "--seed",
        type=int,
        help=_("same seed, same games (default: 1; drawn where bots from outside play)"),
    )
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help=_("a table option")
    )
    parser.add_argument(
        "--schedule",
        choices=["round-robin", "gauntlet", "field"],
        help=_(
            "all tables; those of the first entrant; each entrant alone against the last in all "
            "other seats (default: round-robin)"
        ),
    )
    parser.add_argument(
        "--orders",
        choices=["rotations", "all", "single"],
        help=_(
            "the games of one deal, all under the same luck: the rotations of a line-up, all its "
            "orders, or a single game (default: rotations)"
        ),
    )
    parser.add_argument(
        "--sprt",
        metavar="elo0=0,elo1=10",
        help=_("stop as soon as it is clear whether entrant 1 is better than entrant 2"),
    )
    parser.add_argument(
        "--jobs", default="auto", help=_("processes that play (default: auto, one for each core)")
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help=_("play on a Dask cluster instead"))
    parser.add_argument("--out", metavar="FOLDER", help=_("where results go (tournament/)"))
    parser.add_argument(
        "--resume", metavar="FOLDER", help=_("go on with a run, or with more --games")
    )
    parser.add_argument("--records", action="store_true", help=_("keep the record of every game"))
    parser.add_argument("--quiet", action="store_true", help=_("show no progress"))
    parser.add_argument("--json", action="store_true", help=_("end with one line of JSON"))


def run(args: argparse.Namespace) -> int:
    """Play a tournament; 0 when it is finished, 130 if it was stopped and can go on."""
    from lanplay.cli.tournaments import tournament

    return tournament(args)
