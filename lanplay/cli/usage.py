"""The words of ``argparse`` in the language of the process.

They are looked up in the domain of the program instead of that of the interpreter, which has no
catalogs. Those that another version of Python words otherwise stay English.
"""

from __future__ import annotations

import argparse

from lanplay.language import N_, Plural, _, ngettext

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


def translate() -> None:
    """Let ``argparse`` speak the language of the process from now on."""
    for name, function in (("_", _), ("ngettext", ngettext)):
        setattr(argparse, name, function)
