"""When peers disagree: everybody reports one phase, and the reports name who is at fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lanplay.engine.plain import digest
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.messages import DIGEST, PHASES, SignedMessage, parse_signed, verify
from lanplay_protocol.replica.roster import PEERS, Roster
from lanplay_protocol.schema import binary, fields, items, text, uint

_FIELD = 8
_FIELDS = 64


@dataclass(frozen=True, slots=True)
class Report:
    """What a peer holds of a phase: its hashes, a hash per field of the state, the messages."""

    phase: int
    transcript: bytes
    state: bytes
    fields: tuple[tuple[str, bytes], ...]
    moves: tuple[SignedMessage, ...]

    def plain(self) -> tuple[Any, ...]:
        """Return the report as plain data."""
        moves = tuple(move.plain() for move in self.moves)
        return (self.phase, self.transcript, self.state, self.fields, moves)


def field_hashes(state: Mapping[str, Any]) -> tuple[tuple[str, bytes], ...]:
    """Return a short hash of every field of a public state."""
    return tuple((name, digest(value)[:_FIELD]) for name, value in state.items())


def parse_report(value: Any) -> Report:
    """Return the report of ``Report.plain``; ``PeerError`` for any other shape."""
    phase, transcript, state, hashes, moves = fields(value, 5, "report")
    return Report(
        uint(phase, PHASES, "phase"),
        binary(transcript, DIGEST, "transcript hash"),
        binary(state, DIGEST, "state hash"),
        items(hashes, _FIELDS, "fields", _field),
        items(moves, PEERS, "moves", parse_signed),
    )


def _field(value: Any) -> tuple[str, bytes]:
    name, short = fields(value, 2, "field")
    return text(name, 64, "field name"), binary(short, _FIELD, "field hash")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who is at fault, by peer, and what the others saw. Empty: nobody can tell."""

    culprits: Mapping[int, tuple[Code, str]]


def equivocators(reports: Sequence[Report], roster: Roster, game: bytes) -> dict[int, str]:
    """Return the peers that signed two different messages for one phase."""
    bodies: dict[tuple[int, int, int, bytes], set[bytes]] = {}
    for report in reports:
        for signed in report.moves:
            try:
                move = verify(signed, roster, game)
            except PeerError:
                continue
            slot = (move.sender, move.phase, move.epoch, move.previous)
            bodies.setdefault(slot, set()).add(signed.body)
    return {
        sender: f"signed two different messages for phase {phase}"
        for (sender, phase, _, _), different in bodies.items()
        if len(different) > 1
    }


def judge(reports: Mapping[int, Report], roster: Roster, game: bytes) -> Verdict:
    """Return the verdict on one phase: double signatures first, then the view of a quorum."""
    double = equivocators(list(reports.values()), roster, game)
    if double:
        return Verdict({peer: (Code.EQUIVOCATION, why) for peer, why in double.items()})
    views = Counter((report.transcript, report.state) for report in reports.values())
    view, votes = views.most_common(1)[0]
    if votes < roster.quorum:
        return Verdict({})
    right = next(r for r in reports.values() if (r.transcript, r.state) == view)
    odd = {p: r for p, r in reports.items() if (r.transcript, r.state) != view}
    return Verdict({p: (Code.DIVERGED, difference(right, r)) for p, r in odd.items()})


def difference(right: Report, wrong: Report) -> str:
    """Return one line that names the phase and the fields in which two reports differ."""
    theirs = dict(wrong.fields)
    names = [name for name, short in right.fields if theirs.get(name) != short]
    what = ", ".join(names) if names else "the transcript"
    return f"phase {right.phase}: differs in {what}"
