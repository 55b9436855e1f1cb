"""Kinds of arguments that several commands take; cheap to import."""

from __future__ import annotations

import argparse

from lanplay.language import _


def seconds(text: str) -> float:
    """Return a number of seconds, 0 to a day; argparse says what is wrong with any other text."""
    value = float(text)
    if not 0 <= value <= 86400:
        wrong = _("{text} is not a number of seconds from 0 to {most}")
        raise argparse.ArgumentTypeError(wrong.format(text=text, most=86400))
    return value


def port(text: str) -> int:
    """Return a port to listen on, 0 (any) to 65535."""
    value = int(text)
    if not 0 <= value <= 65535:
        wrong = _("{text} is not a port from 0 to {most}")
        raise argparse.ArgumentTypeError(wrong.format(text=text, most=65535))
    return value


def minutes(text: str) -> float:
    """Return a number of minutes, above 0 to a day."""
    value = float(text)
    if not 0 < value <= 1440:
        wrong = _("{text} is not a number of minutes up to {most}")
        raise argparse.ArgumentTypeError(wrong.format(text=text, most=1440))
    return value
