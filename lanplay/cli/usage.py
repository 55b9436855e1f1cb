"""The words of ``argparse`` in the language of the process.

They are looked up in the domain of the program instead of that of the interpreter, which has no
catalogs. Those that another version of Python words otherwise stay English.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from lanplay.language import N_, Plural, _, ngettext
from lanplay.told import suggesting

WORDS = (
    N_("usage: "),
    N_("options"),
    N_("positional arguments"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("not allowed with argument %s"),
    N_("ignored explicit argument %r"),
    N_("one of the arguments %s is required"),
)
COUNTED = (Plural("expected %s argument", "expected %s arguments"),)


class Parser(argparse.ArgumentParser):
    """Suggests, where a word is not known, the known one that was probably meant."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message = suggesting(error.message, str(value), action.choices or ())
            raise

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Return the arguments read, options and all else in any order, up to ``--``."""
        split = "--" in words
        args, odd = (self.parse_known_args if split else self.parse_known_intermixed_args)(words)
        if odd:
            told = _("unrecognized arguments: %s") % " ".join(odd)
            known = re.findall(r"--[a-z][a-z-]+", self.format_help())
            self.error(suggesting(told, odd[0].partition("=")[0], known))
        return args


class OneBot(argparse.Action):
    """Takes the AI of all free seats, and no second one: a line-up is for ``simulate`` alone."""

    def __call__(self, parser: object, given: object, name: object, option: object = None) -> None:
        """Take a name; ``ArgumentError`` if there is one already."""
        if getattr(given, self.dest) is not None:
            raise argparse.ArgumentError(self, _("one AI plays in all free seats: name only one"))
        setattr(given, self.dest, name)


def translate() -> None:
    """Let ``argparse`` speak the language of the process from now on."""
    for name, function in (("_", _), ("ngettext", ngettext)):
        setattr(argparse, name, function)
