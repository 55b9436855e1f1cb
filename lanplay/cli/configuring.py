"""``lanplay config``: what counts, and why."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

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
        for line in _table(effective):
            print(line)
    for text in (*map(worded, effective.faults), *effective.settings.notices):
        print(text, file=sys.stderr)
    return WRONG if effective.faults else 0


def _table(effective: Effective) -> list[str]:
    pairs = [f"{name} = {shown(getattr(effective.settings, name))}" for name in SETTINGS]
    width = max(len(pair) for pair in pairs)
    return [
        f"{pair:<{width}}  {worded(effective.origins[name])}"
        for name, pair in zip(SETTINGS, pairs, strict=True)
    ]


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
