"""Numbers among the arguments of a command; argparse shows the sentence that refuses one."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TypeVar

from lanplay.language import _

Number = TypeVar("Number", int, float)


def seconds(text: str) -> float:
    """Return a number of seconds, 0 to a day; argparse says what is wrong with any other text."""
    return _number(text, float, _("{text} is not a number of seconds from 0 to {most}"), 0, 86400)


def minutes(text: str) -> float:
    """Return a number of minutes, above 0 to a day."""
    least = math.ulp(0.0)
    return _number(text, float, _("{text} is not a number of minutes up to {most}"), least, 1440)


def port(text: str) -> int:
    """Return a port to listen on, 0 (any) to 65535."""
    return _number(text, int, _("{text} is not a port from 0 to {most}"), 0, 65535)


def whole(text: str) -> int:
    """Return a whole number; what takes it says which ones will do."""
    wrong = _("{text} is not a whole number. Write it in digits, such as 1000.")
    return _number(text, int, wrong, -math.inf, math.inf)


def _number(
    text: str, kind: Callable[[str], Number], wrong: str, least: float, most: float
) -> Number:
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not least <= value <= most:
        raise argparse.ArgumentTypeError(wrong.format(text=text, most=most))
    return value
