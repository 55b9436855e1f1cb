"""What a check of ``lanplay doctor`` finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lanplay.language import N_, pgettext

if TYPE_CHECKING:
    from lanplay.config.loading import Effective
    from lanplay.session.settings import Network


@dataclass(frozen=True, slots=True)
class Examined:
    """What is looked at: the settings, the folder of data, and the network to play on."""

    effective: Effective
    data: Path
    network: Network


class State(StrEnum):
    """How bad it is: all well, good to know, or in the way of playing."""

    OK = "ok"
    NOTE = "note"
    FAULT = "FAULT"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact. ``topic`` is an English word for programs that read it: ``TOPICS`` has the others.

    ``remedy`` says what to do, and stands with every fault.
    """

    state: State
    topic: str
    text: str
    remedy: str = ""


TOPICS: Final = {
    "packages": N_("packages"),
    "optional": N_("optional"),
    "game": N_("game"),
    "settings": N_("settings"),
    "config": N_("settings in"),
    "data": N_("data in"),
    "records": N_("records in"),
    "unfinished": N_("kept game"),
    "log": N_("log in"),
    "running": N_("other lanplay"),
    "language": N_("language"),
    "terminal": N_("terminal"),
    "letters": N_("letters"),
    "colours": N_("colours"),
    "interface": N_("network"),
    "multicast": N_("multicast"),
    "port": N_("port"),
}
"""What a topic is called for people; proper names stand for themselves."""


def state_word(state: State) -> str:
    """Return what a state is called in the language of the process."""
    words = {
        State.OK: pgettext("doctor", "ok"),
        State.NOTE: pgettext("doctor", "note"),
        State.FAULT: pgettext("doctor", "FAULT"),
    }
    return words[state]


def ok(topic: str, text: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(State.OK, topic, text)


def note(topic: str, text: str, remedy: str = "") -> Finding:
    """Return something good to know."""
    return Finding(State.NOTE, topic, text, remedy)


def fault(topic: str, text: str, remedy: str) -> Finding:
    """Return a fault and what to do about it."""
    return Finding(State.FAULT, topic, text, remedy)
