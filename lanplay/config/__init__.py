"""What a person can set once and for all: one declaration per setting, see `declared`.

From each declaration follow the key of the file, the environment variable ``LANPLAY_...``, the
flag, and the text of the commented file that is written at first start. A flag counts before the
environment, the environment before the file, the file before the default.

    from lanplay.config import load

    settings = load({"ascii": True})    # what the command line says; frozen: settings.ascii

`load` reads the file and the environment for all settings that the flags leave open.
``settings.notices`` are sentences to show in passing. `inspect` tells in addition where each value
comes from, and never raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lanplay.config.declared import SETTINGS, Settings
    from lanplay.config.loading import Effective, inspect, load

__all__ = ["SETTINGS", "Effective", "Settings", "inspect", "load"]

_HOMES = {
    "SETTINGS": "declared",
    "Settings": "declared",
    "Effective": "loading",
    "inspect": "loading",
    "load": "loading",
}


def __getattr__(name: str) -> object:
    """Import what is asked for (PEP 562): the list of commands is printed without settings."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
