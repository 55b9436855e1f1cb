"""Checking a network game again, offline, by its signed messages alone."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from lanplay.engine.record import RecordError, load
from lanplay.errors import UserError
from lanplay.games import load as load_game
from protocol.replica.roster import Roster
from protocol.replica.witness import Finding, check_record
from protocol.text import NICKNAME_LIMIT, clean_text

BROKEN = 1
"""Exit status of a record in which somebody broke the rules."""


def verify(args: argparse.Namespace) -> int:
    """Run ``lanplay verify``: name the culprit, the phase and the rule, or say that all holds."""
    path = Path(args.file)
    try:
        record = load(path)
        verdict = check_record(load_game(record.header.game), record)
    except (RecordError, ValueError) as error:
        text = str(error)
        raise UserError(text if str(path) in text else f"{path}: {text}") from error
    finding = verdict.finding
    print(verified(verdict.checked))
    if finding is not None:
        print(described(finding, verdict.roster))
    elif not record.finished:
        print("The record ends before the game does; until there everything holds.")
    if args.json:
        print(json.dumps(_plain(finding, verdict.roster, verdict.checked)))
    return BROKEN if finding else 0


def verified(checked: Counter[str]) -> str:
    """Return one sentence that counts what was checked."""
    return (
        f"All {checked['dice']} dice and {checked['shuffles']} shuffles verified: "
        f"{checked['messages']} signed messages, {checked['entropy']} parts of rolls, "
        f"{checked['shares']} shares of cards, {checked['choices']} sealed choices."
    )


def described(finding: Finding, roster: Roster) -> str:
    """Return one sentence that names who did what, and where."""
    where = f"phase {finding.phase} ({finding.kind})"
    if finding.peer is None:
        return f"From {where} on the record cannot be trusted: {finding.text}."
    name = clean_text(roster.peers[finding.peer].name, NICKNAME_LIMIT)
    return (
        f"Then, in {where}, {name} broke the rules of the table [{finding.code}]: {finding.text}."
    )


def _plain(finding: Finding | None, roster: Roster, checked: Counter[str]) -> dict[str, object]:
    plain: dict[str, object] = {"holds": finding is None, "checked": dict(sorted(checked.items()))}
    if finding is not None:
        culprit = None if finding.peer is None else roster.peers[finding.peer].name
        plain |= {"culprit": culprit, "phase": finding.phase, "code": str(finding.code)}
        plain["text"] = finding.text
    return plain
