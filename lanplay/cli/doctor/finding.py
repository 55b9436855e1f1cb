"""What a check of ``lanplay doctor`` finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How bad it is: all well, good to know, or in the way of playing."""

    OK = "ok"
    NOTE = "note"
    FAULT = "FAULT"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact. ``topic`` is a word of English in every language, for programs that read it.

    ``remedy`` says what to do, and stands with every fault.
    """

    state: State
    topic: str
    text: str
    remedy: str = ""


def ok(topic: str, text: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(State.OK, topic, text)


def note(topic: str, text: str, remedy: str = "") -> Finding:
    """Return something good to know."""
    return Finding(State.NOTE, topic, text, remedy)


def fault(topic: str, text: str, remedy: str) -> Finding:
    """Return a fault and what to do about it."""
    return Finding(State.FAULT, topic, text, remedy)
