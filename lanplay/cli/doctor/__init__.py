"""``lanplay doctor``: looks at everything that a game needs, and changes nothing."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

from lanplay.cli.doctor import network, places, program, terminal
from lanplay.cli.doctor.finding import TOPICS, Examined, Finding, State, state_word
from lanplay.cli.table_arguments import network_of
from lanplay.language import _
from lanplay.session.storage import data_folder

FAULTY = 2
"""Exit status if anything is at fault."""

Check = Callable[[Examined], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    program.check,
    places.check,
    terminal.check,
    network.check_interfaces,
    network.check_multicast,
    network.check_port,
)
"""What is looked at, in this order; each takes a few seconds at most."""


def doctor(args: argparse.Namespace) -> int:
    """Run ``lanplay doctor``; return 0 if there is no fault."""
    examined = Examined(args.effective, data_folder(args.data), network_of(vars(args)))
    return examine(examined, args.json)


def examine(examined: Examined, as_json: bool) -> int:
    """Look at everything and print what is found; return the exit status."""
    found = []
    for check in CHECKS:
        for finding in check(examined):
            found.append(finding)
            if not as_json:
                _show(finding)
    faults = sum(finding.state is State.FAULT for finding in found)
    if as_json:
        print(json.dumps({"fine": not faults, "findings": [asdict(each) for each in found]}))
    elif not faults:
        print(_("No fault was found."))
    return FAULTY if faults else 0


def _show(finding: Finding) -> None:
    states = max(len(state_word(state)) for state in State) + 1
    topics = max(len(_(topic)) for topic in TOPICS.values()) + 2
    topic = _(TOPICS.get(finding.topic, finding.topic))
    print(f"{state_word(finding.state):<{states}}{topic:<{topics}}{finding.text}", flush=True)
    if finding.remedy:
        told = _("What to do: {remedy}").format(remedy=finding.remedy)
        print(f"{'':{states + topics}}{told}", flush=True)
