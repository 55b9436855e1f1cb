"""The line interface as the place where a person sits: see ``lanplay.cli.desk``."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence

from lanplay.cli.console import Console, Lined, Turns
from lanplay.cli.lines import STDIN, Lines
from lanplay.cli.plain import PlainUI
from lanplay.engine.game import Game


class PlainDesk:
    """Talks with the person in lines: the game on standard output, all else on standard error."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._quiet = getattr(args, "quiet", False)
        self._lines = STDIN if STDIN.source is sys.stdin else Lines(sys.stdin)

    def say(self, text: str) -> None:
        """Print what belongs to no game."""
        print(text, file=sys.stderr, flush=True)

    def table(self, game: Game, names: Sequence[str], alone: bool = False) -> Lined:
        """Return the screen of a table; ``alone``: everything there waits for its person."""
        ui = PlainUI(game, names, self._lines, io.StringIO() if self._quiet else sys.stdout)
        return Turns(ui) if alone else Console(self._lines, ui)
