"""``lanplay doctor``: what could keep this machine from playing."""

from __future__ import annotations

import argparse

from lanplay.language import N_, _

HELP = N_("check this machine and say what to do about each fault")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from lanplay.cli.arguments import add_settings, port

    parser.add_argument(
        "--interface",
        metavar=_("ADDRESS"),
        action="append",
        help=_("network address to check (default: all)"),
    )
    parser.add_argument("--port", type=port, default=0, help=_("port to listen on (default: any)"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    add_settings(parser, "data")
    parser.set_defaults(any_settings=True)


def run(args: argparse.Namespace) -> int:
    """Check everything; 0 if there is no fault, else 2."""
    from lanplay.cli.doctor import examine
    from lanplay.cli.doctor.finding import Examined
    from lanplay.cli.reading import network_of
    from lanplay.session.storage import data_folder

    examined = Examined(args.effective, data_folder(args.data), network_of(vars(args)))
    return examine(examined, args.json)
