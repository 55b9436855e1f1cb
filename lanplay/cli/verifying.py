"""Checking a network game again, offline, by its signed messages alone."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from lanplay.engine.record import RecordError, load
from lanplay.engine.replay import rules_note
from lanplay.errors import Fault, UserError, by_code, told_of
from lanplay.games import load as load_game
from lanplay.language import N_, _
from lanplay.session.profile import kept_key
from lanplay.session.storage import data_folder
from lanplay.session.trust import KnownKeys
from lanplay.told import Told, harmless, worded
from lanplay_protocol.advert import fingerprint
from lanplay_protocol.replica.audit import AuditFinding, check_record
from lanplay_protocol.replica.roster import UNSIGNED, Roster
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text

CONVICTED = 1
"""Exit status of a record that is true, and convicts a key."""
UNENDED = 3
"""Exit status of a record that is true, as far as it goes: the game did not end there."""
ALTERED = 4
"""Exit status of a record that is not what was signed."""
_TABLE = (Fault.SEATS, Fault.NO_OPTION, Fault.NO_OPTIONS, Fault.OPTION_VALUE)
"""What is said of a table that is not possible, as if its person could choose another one."""
_ALTERED = (
    N_("a message of peer {number} is missing"),
    N_("a message stands where none is due"),
    N_("a view of another game"),
    N_("a view that has not begun"),
    N_("a view that not all have signed"),
    N_("the record was altered: a message names another past than the others make"),
    N_("the record was altered: evidence that those who signed it name is left out"),
    N_("the record was altered: its answers is not what the signed messages lead to"),
    N_("the record was altered: its ending is not what the signed messages lead to"),
    N_("the record was altered: its final state is not what the signed messages lead to"),
    N_("the record was altered: its header is not what the signed messages lead to"),
    N_("the record was altered: not all have signed the table that they play at"),
)
"""What the auditor says of a record that is altered; any other text of it is a detail."""


def verify(args: argparse.Namespace) -> int:
    """Run ``lanplay verify``: name the culprit, the phase and the rule, or say that all holds."""
    path = Path(args.file)
    try:
        record = load(path)
        game = load_game(record.header.game)
        verdict = check_record(game, record)
    except (RecordError, ValueError) as error:
        raise unusable(path, error) from error
    finding = verdict.finding
    print(verified(verdict.checked))
    if told := rules_note(game, record.header.rules):
        print(worded(told))
    if verdict.roster.protocol <= UNSIGNED:
        print(_("It is of an older version, and judged by its rules: nobody had to sign its end."))
    known = _known(data_folder(args.data))
    altered = finding is not None and not _culprit(finding, verdict.roster)
    for line in signers(verdict.roster, known, altered):
        print(line)
    if finding is not None:
        print(described(finding, verdict.roster, known))
    elif not record.finished:
        print(_("The record ends before the game does; up to there everything is in order."))
    elif not verdict.ended:
        print(_("Not everybody who played has signed the end; up to there everything is in order."))
    if args.json:
        print(json.dumps(_plain(finding, verdict.roster, verdict.checked)))
    if finding is not None:
        return ALTERED if altered else CONVICTED
    return 0 if verdict.ended else UNENDED


def _known(folder: Path) -> dict[str, str]:
    """Return the names by key, in hexadecimal, that this installation knows, its own too.

    A file of keys that is damaged alters no verdict.
    """
    names: Mapping[str, str] = {}
    try:
        names = KnownKeys(folder).names
    except UserError as error:
        print(f"lanplay: {error}", file=sys.stderr)
    return {**names, kept_key(folder).hex(): _("this computer")}


def signers(roster: Roster, known: Mapping[str, str], altered: bool) -> Iterator[str]:
    """Give a line for each peer: its name, its key, and whose that is, as far as is known here."""
    for peer in roster.peers:
        name = clean_text(peer.name, NICKNAME_LIMIT)
        told = _whose(peer.public, known)
        key = fingerprint(peer.public)
        yield _("{name}: key {key}, {told}").format(name=name, key=key, told=told)
    if not altered and not any(peer.public.hex() in known for peer in roster.peers):
        yield _("It is consistent in itself; whose keys these are, this computer cannot tell.")


def unusable(path: Path, error: Exception) -> UserError:
    """Return the error of a record that cannot be used: what was told of it, else its file."""
    told = told_of(error)
    if not isinstance(told, Told):
        return UserError(Fault.IN_FILE, path=str(path), why=told)
    if told.saying in _TABLE:
        return UserError(Fault.RECORD_TABLE, why=told)
    folder = told.saying is Fault.CANNOT_OPEN and path.is_dir()
    return UserError(Fault.FOLDER.of(path=str(path)) if folder else told)


def verified(checked: Counter[str]) -> str:
    """Return one sentence that counts what was checked, as far as the game has any of it."""
    if not any(checked[kind] for kind in ("dice", "shuffles", "shares")):
        told = _("All rolls verified: {messages} signed messages, {entropy} parts of rolls.")
        return told.format_map(defaultdict(int, checked))
    return _(
        "All verified: {dice} dice, {shuffles} shuffles, {messages} signed messages, {entropy} "
        "parts of rolls, {shares} shares of cards, {choices} sealed choices."
    ).format_map(defaultdict(int, checked))


def _culprit(finding: AuditFinding, roster: Roster) -> bytes:
    """Return the key that a finding convicts, if it does."""
    return finding.key if finding.peer is None else roster.peers[finding.peer].public


def _whose(key: bytes, known: Mapping[str, str]) -> str:
    """Return whose a key is, as far as is known here."""
    whose = harmless(known.get(key.hex(), ""))
    return _("known here as {name}").format(name=whose) if whose else _("not known here")


def described(finding: AuditFinding, roster: Roster, known: Mapping[str, str]) -> str:
    """Return one sentence that names who did what, and where."""
    where = {"phase": finding.phase, "kind": finding.kind}
    why = worded(by_code(finding.code, finding.text))
    key = _culprit(finding, roster)
    if not key:
        unsound = _("From phase {phase} ({kind}) on the record cannot be trusted: {why}")
        return unsound.format(why=harmless(_altered(finding.text)), **where)
    if finding.peer is None:
        before = _("Before the game the key {key}, {told}, cheated: {why}")
        return before.format(key=fingerprint(key), told=_whose(key, known), why=why)
    name = clean_text(roster.peers[finding.peer].name, NICKNAME_LIMIT)
    broken = _("Then, in phase {phase} ({kind}), {name} (key {key}) cheated: {why}")
    return broken.format(name=name, key=fingerprint(key), why=why, **where)


def _altered(text: str) -> str:
    """Return what the auditor says of an altered record in the person's language."""
    number = "".join(filter(str.isdecimal, text))
    known = text.replace(number, "{number}") if number else text
    return _(known).format(number=number) if known in _ALTERED else worded(text)


def _plain(
    finding: AuditFinding | None, roster: Roster, checked: Counter[str]
) -> dict[str, object]:
    plain: dict[str, object] = {"holds": finding is None, "checked": dict(sorted(checked.items()))}
    if finding is not None:
        peer = None if finding.peer is None else roster.peers[finding.peer]
        key = _culprit(finding, roster).hex() or None
        plain |= {"culprit": peer and peer.name, "key": key}
        plain |= {"phase": finding.phase, "code": str(finding.code)}
        plain["text"] = finding.text
    return plain
