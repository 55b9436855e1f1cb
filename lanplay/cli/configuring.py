"""``lanplay config``: what counts, and why."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from lanplay.columns import aligned
from lanplay.config.declared import SETTINGS, shown
from lanplay.config.loading import Effective
from lanplay.language import _
from lanplay.told import worded

WRONG = 2
"""Exit status if a setting cannot be used."""


def show(args: argparse.Namespace) -> int:
    """Run ``lanplay config``: what is wrong goes to standard error."""
    effective: Effective = args.effective
    if args.json:
        print(json.dumps(_plain(effective)))
    elif args.path:
        print(effective.path)
    else:
        print(_("The settings' file: {path}").format(path=effective.path))
        print("\n".join(aligned(_rows(effective))))
    for text in (*map(worded, effective.faults), *effective.settings.notices):
        print(text, file=sys.stderr)
    return WRONG if effective.faults else 0


def _rows(effective: Effective) -> list[list[str]]:
    pairs = {name: f"{name} = {shown(getattr(effective.settings, name))}" for name in SETTINGS}
    return [[pair, worded(effective.origins[name])] for name, pair in pairs.items()]


def _plain(effective: Effective) -> dict[str, Any]:
    return {
        "path": str(effective.path),
        "settings": {
            name: {"value": getattr(effective.settings, name), "from": effective.origins[name]}
            for name in SETTINGS
        },
        "faults": [worded(fault) for fault in effective.faults],
        "notices": list(effective.settings.notices),
    }
