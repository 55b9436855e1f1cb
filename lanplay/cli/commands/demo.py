"""``lanplay demo``: a table of several peers on this machine, AI in every seat."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("watch AI play over the network of this machine, each peer a process of its own")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument(
        "game", nargs="?", default="dice-town", help=_("the game (default: dice-town)")
    )
    parser.add_argument(
        "--peers", type=int, default=3, help=_("processes at the table (default: 3)")
    )
    parser.add_argument("--seats", type=int, default=4, help=_("seats at the table (default: 4)"))
    parser.add_argument("--bot", default="strong", help=_("the AI in every seat (default: strong)"))
    parser.add_argument(
        "--no-discovery", action="store_true", help=_("join by address instead of through mDNS")
    )
    parser.add_argument("--json", action="store_true", help=_("end with one line of JSON"))
    parser.add_argument("--record", metavar="FILE", help=_("where to keep the game's record"))


def run(args: argparse.Namespace) -> int:
    """Run the demonstration; 0 if every peer ends with the same scores and state."""
    import trio

    from lanplay.cli.demonstration import Demo, demonstrate

    discovery = not args.no_discovery
    kept = args.record or ""
    demo = Demo(args.game, args.seats, args.peers, args.bot, discovery, kept, args.json)
    return trio.run(demonstrate, demo)
