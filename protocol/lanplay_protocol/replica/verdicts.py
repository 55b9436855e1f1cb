"""Who is convicted: proofs as they come out, and complaints about what was sealed to one peer.

Whoever convicts tells everybody, with the proof, before anything else, and goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.crypto.sealing import disclose
from lanplay_protocol.errors import Code
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica import evidence
from lanplay_protocol.replica.allowance import Allowance
from lanplay_protocol.replica.evidence import Proof, Statement
from lanplay_protocol.replica.key_setup import UNNAMED
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import (
    COMPLAINT,
    MOVE,
    STATUS,
    Complaint,
    Key,
    Past,
    PhaseMessage,
    Said,
    SignedMessage,
    StatusMessage,
    check_complaint,
    complain,
    parse_complaint,
    parse_signed,
    parse_statement,
)
from lanplay_protocol.replica.other_lines import (
    another_state,
    beside,
    judge,
    judge_beside,
    judge_passed,
    passed,
    unplaced,
)
from lanplay_protocol.replica.outbox import Outbox
from lanplay_protocol.replica.positions import names_of
from lanplay_protocol.replica.roster import PEERS, UNSIGNED, Roster
from lanplay_protocol.replica.start import (
    ACCEPT,
    Accept,
    accepts_of,
    of_this_start,
    parse_accept,
    signed_twice,
)
from lanplay_protocol.replica.transcript import Transcript
from lanplay_protocol.schema import fields, items, refuse, text, uint

OFFERS = "offers"
MOST = 32
"""Keys that a record convicts of two offers."""
_TEXT = 512


def parse_verdict(value: Any) -> Proof:
    """Return the proof that this peer had kept of a conviction."""
    peer, said, why, phase, statements, complaint = fields(value, 6, "verdict")
    code = next((each for each in Code if each == text(said, 32, "code")), None)
    if code is None:
        refuse("a verdict of an unknown kind")
    return Proof(
        uint(peer, PEERS, "peer"),
        code,
        text(why, _TEXT, "text"),
        phase,
        items(statements, PEERS, "statements", parse_statement),
        parse_complaint(complaint) if complaint else None,
    )


class Verdicts:
    """Whom this peer has ``convicted``, with the proofs, and the ``complaints`` that it knows.

    ``offers`` convict, by key, who has signed two offers of this table in one term: whoever plays
    has accepted the same one, so that nobody is left out for it.
    ``wronged``: something that was sealed to this peer was false, and it has to be told anew.
    """

    def __init__(self, roster: Roster, identity: Identity | None, outbox: Outbox) -> None:
        self.convicted: dict[int, Proof] = {}
        self.complaints: dict[tuple[int, int], Complaint] = {}
        self.offers: dict[bytes, tuple[Accept, Accept]] = {}
        self.wronged = False
        places = {peer.public: place for place, peer in enumerate(roster.peers)}
        self._me = None if identity is None else places[identity.public]
        self._allowance = Allowance()
        self._accused: dict[Key, Said | None] = {}
        self._found = (-1, b"", 0)  # the moment of which all has been judged
        self._judged: dict[Key, tuple[int, int]] = {}
        # messages of a view that has passed without them
        self._passed: list[Statement] = []
        self._roster = roster
        self._identity = identity
        self._outbox = outbox

    def convict(self, proof: Proof, line: GameLine) -> bool:
        """Keep a proof, and send it to everybody; tell whether it is the first against a peer, or
        the first by statements: what came out on this line alone may fall with it."""
        known = self.convicted.get(proof.peer)
        if known is not None and (proven(known) or not proven(proof)):
            return False
        self._outbox.hold(leading_to(proof, line))
        keep_way(_said_in(proof, line), line, self._outbox)
        self.convicted[proof.peer] = proof
        said = (proof.peer, str(proof.code), proof.text[:_TEXT], proof.phase)
        statements = tuple((signed.kind, signed.plain()) for signed in proof.statements)
        complaint = proof.complaint.plain() if proof.complaint else ()
        self._outbox.persist("verdict", (*said, statements, complaint), binding=True)
        self.show(proof, line)
        return True

    def went_back(self, line: GameLine) -> None:
        """Convict nobody any more by what came out on a line that was left alone: who was not there
        cannot tell."""
        there = line.transcript.context.late_violations.keys()
        bare = (p for p, proof in self.convicted.items() if not proven(proof))
        for peer in [peer for peer in bare if peer not in there]:
            del self.convicted[peer]
            line.convicted.discard(peer)

    def offered(self, accepts: Iterable[Accept]) -> dict[bytes, tuple[Accept, Accept]]:
        """Keep what convicts anybody of two offers, with what all here have signed; return what of
        it is new, by key."""
        here = (each for each in accepts if each.table == self._roster.table)
        twice = signed_twice((*accepts_of(self._roster), *here))
        new = {key: both for key, both in twice.items() if key not in self.offers}
        seated = {peer.public for peer in self._roster.peers}  # whom no stranger crowds out
        places = MOST - PEERS - len(self.offers.keys() - seated)
        strangers = [key for key in new if key not in seated][: max(0, places)]
        new = {key: both for key, both in new.items() if key in {*seated, *strangers}}
        self.offers |= new
        for both in new.values():
            self._outbox.persist(OFFERS, tuple(each.plain() for each in both), binding=True)
        return new

    def show(self, proof: Proof, line: GameLine, to: int | None = None) -> None:
        """Send the statements of a proof, and the pasts that lead to them."""
        for kind, plain in proven(proof):
            self._outbox.post(kind, plain, to)
        for past in pasts_beside(_said_in(proof, line), line):  # nobody asks for all that is odd
            self._outbox.post("past", past.plain(), to)

    def greet(self, to: int, line: GameLine) -> None:
        """Send a peer that is reached again all that convicts anybody."""
        for _, proof in sorted(self.convicted.items()):
            self.show(proof, line, to)
        for _, complaint in sorted(self.complaints.items()):
            self._outbox.post(COMPLAINT, complaint.plain(), to)
        for given in of_this_start(self._roster, self.offers):
            self._outbox.post(ACCEPT, given.plain(), to)

    @property
    def evidence(self) -> tuple[Key, ...]:
        """Which statements and complaints convict whom this peer has convicted, and what it was
        told falsely while it has to be told anew."""
        keys = set[Key]()
        for proof in self.convicted.values():
            keys.update(signed.key for signed in proof.statements)
            keys.update([proof.complaint.key] if proof.complaint else ())
        keys.update(key for key, (by, _) in self._judged.items() if self.wronged and by == self._me)
        return tuple(sorted(keys))

    def proofs(self, line: GameLine) -> list[tuple[str, Any]]:
        """What convicts those whom this peer has convicted, and what leads there, as plain data
        with its kind."""
        found: list[tuple[str, Any]] = []
        for _, proof in sorted(self.convicted.items()):
            found += [*leading_to(proof, line), *proven(proof)]
            found += [("past", p.plain()) for p in pasts_beside(_said_in(proof, line), line)]
        twice = (tuple(each.plain() for each in both) for _, both in sorted(self.offers.items()))
        return [*found, *((OFFERS, both) for both in twice)]

    def record(self, line: GameLine) -> dict[str, Any]:
        """What convicts anybody, what views name beside, and pasts that nothing here shows."""
        proofs = [proof for _, proof in sorted(self.convicted.items())]
        kept = {s.key: (s.kind, s.plain()) for proof in proofs for s in proof.statements}
        heard = {each.key: each.plain() for _, each in sorted(self.complaints.items())}
        heard |= {p.complaint.key: p.complaint.plain() for p in proofs if p.complaint}
        views = line.transcript.views
        said = [each for view in views for each in view.said]
        said += [each for proof in proofs for each in _said_in(proof, line)]
        named = named_beside(said, line)
        named += [key for final in line.transcript.finals.values() for key in final]
        for kind, plain in evidence_of(line, named):
            if kind == COMPLAINT:
                heard[parse_complaint(plain).key] = plain
            else:
                kept[parse_signed(plain, kind).key] = (kind, plain)
        offers = tuple(each.plain() for _, both in sorted(self.offers.items()) for each in both)
        keys = [*kept, *(signed.key for by in line.transcript.moves for signed in by.values())]
        found = [known.said for key in keys if (known := line.statements.get(key)) and known.said]
        shown = {line.transcript.past.hash, *(each.past.hash for each in (*said, *found))}
        # nor does what names anything that nobody signed, of whatever hash that is
        shown -= {s.past.hash for s in (*said, *found) if not line.statements.shows_past(s.past)}
        pasts = {p.hash: p for p in (*line.transcript.followed.values(), *pasts_beside(said, line))}
        return {
            **({OFFERS: offers} if offers else {}),
            "pasts": tuple(past.plain() for key, past in pasts.items() if key not in shown),
            "complaints": tuple(plain for _, plain in sorted(heard.items())),
            "evidence": tuple(each for _, each in sorted(kept.items())),
        }

    def weigh(self, known: Statement, line: GameLine) -> None:
        """Keep a message that says something else of the past than this peer has seen, or that
        comes when its view has passed without it."""
        move, transcript = known.said, line.transcript
        if isinstance(move, PhaseMessage) and move.phase <= transcript.number:
            if passed(line, known) and move.sender not in self.convicted:
                self._passed.append(known)
            if not _agrees(move, transcript):
                line.positions.odd[known.signed.key] = known

    def weigh_again(self, line: GameLine) -> None:
        """Weigh what had come early of the phase that begins, and of the one that has ended: a view
        may have ended it without a message that was held before."""
        for phase in (line.transcript.number - 1, line.transcript.number):
            for known in line.statements.of_phase(phase):
                self.weigh(known, line)

    def find(self, line: GameLine) -> list[Proof]:
        """Return whom all that is held now convicts."""
        transcript = line.transcript
        proofs = [
            Proof(v.peer, v.code, v.text, v.signed.phase, (v.signed,)) for v in line.violations
        ]
        line.violations.clear()
        proofs += line.statements.proven()
        for signed, move in transcript.unsealed:
            self.complain(line, signed, move)
        transcript.unsealed.clear()
        came_out = sorted(transcript.context.late_violations.items())
        proofs += [Proof(peer, *what, transcript.number) for peer, what in came_out]
        anew, self._found = self._found != line.moment, line.moment
        proofs += self._judge(line) if anew else []
        proofs += [proof for each in self._passed if (proof := judge_passed(line, each))]
        self._passed.clear()
        vain, nowhere = set[bytes](), set[bytes]()
        for key, known in list(line.positions.odd.items()) if anew else ():
            proof = _of_another_past(known, line, vain, nowhere)
            if proof is not None:
                proofs.append(proof)
            if proof is not None and proof.peer != known.signed.sender:  # is it a lie there, too?
                there = judge_beside(line, known, nowhere)
                proofs += [] if there is None else [there]
                if there is None and unplaced(line, known, nowhere):
                    continue
            if proof is not None or _agrees(known.said, transcript):
                del line.positions.odd[key]
        return proofs

    def complain(self, line: GameLine, signed: SignedMessage, move: PhaseMessage) -> None:
        """Show everybody what was sealed to this peer and false, and let all judge it alike."""
        transcript, phase = line.transcript, line.transcript.sealed_phase(signed.phase)
        context = transcript.context
        assert self._identity is not None  # nothing is sealed to who only watches
        if phase is None or (context.me, signed.sender) in self.complaints:
            return
        label = phase.label(transcript.bases[signed.phase], move.phase, move.sender)
        sealed = phase.sealing(move.sender, context.me, move.parts)
        try:
            disclosure = disclose(context.key, sealed, label)
        except CryptoError:
            disclosure = b""  # malformed: everybody sees that without
        self.hear(complain(context.me, signed, disclosure, self._identity, self._roster), line)

    def hear(self, complaint: Complaint, line: GameLine) -> None:
        """Take a complaint; ``PeerError`` unless its author signed it.

        One of each author about another, and what is named beside: an honest peer names few. None
        about what cannot be held, as of a view far ahead: nor could be what it convicts by.
        """
        check_complaint(complaint, self._roster)
        accused, statements = complaint.accused, line.statements
        if statements.get(accused.key) is None and statements.genuine(accused.ref, MOVE):
            return
        about = (complaint.author, complaint.accused.sender)
        if about not in self.complaints:
            self.complaints[about] = complaint
            line.statements.complain(complaint)
            self._outbox.persist(COMPLAINT, complaint.plain(), binding=True)
            self._outbox.post(COMPLAINT, complaint.plain())
        elif complaint.key in line.lacking()[0]:
            named, all_ = (line.naming(complaint.key, beyond) for beyond in (False, True))
            if self._allowance.grants(named, all_ - named):
                statements.complain(complaint)
        elif line.transcript.phase is None and self._allowance.grants({complaint.author}):
            statements.complain(complaint)  # nobody names anything any more

    def recall(self, kind: str, plain: Any, line: GameLine) -> None:
        """Take a complaint, or two offers, that were kept."""
        if kind == OFFERS:
            self.offers |= signed_twice(items(plain, 2, OFFERS, parse_accept))
            return
        complaint = parse_complaint(plain)
        self.complaints.setdefault((complaint.author, complaint.accused.sender), complaint)
        line.statements.complain(complaint)

    def _judge(self, line: GameLine) -> list[Proof]:
        """Judge the complaints about messages of this line, each once."""
        held = sorted(line.statements.complaints.items())  # those that others name, too
        waiting = [each for key, each in held if key not in self._judged]
        for each in waiting:
            if each.key not in self._accused:
                self._accused[each.key] = evidence.known(each.accused).said
        found = [(each, judged(each, self._accused[each.key], line)) for each in waiting]
        proofs = [proof for _, proof in found if proof is not None]
        self._judged.update((c.key, (c.author, c.accused.sender)) for c, proof in found if proof)
        told = max((v.phase for v in line.transcript.views if self._me in v.again), default=-1)
        self.wronged = self.wronged or any(
            p.complaint and p.peer != p.complaint.author == self._me and p.phase > told
            for p in proofs
        )
        context, here = line.transcript.context, line.transcript.here
        due = context.seating.handover_due or any(self._me in v.again | v.back for v in here)
        # it may have been told anew before a deal came to its end, and be restarted since
        lacks = context.handover_incomplete and not due
        self.wronged |= lacks and any(by == self._me for by, _ in self._judged.values())
        return proofs


def proven(proof: Proof) -> list[tuple[str, Any]]:
    """Return the statements of a proof as plain data, each with its kind."""
    complaint = [(COMPLAINT, proof.complaint.plain())] if proof.complaint is not None else []
    return [*((signed.kind, signed.plain()) for signed in proof.statements), *complaint]


def pasts_beside(said: Sequence[Said], line: GameLine) -> list[Past]:
    """Return the pasts that lead from this line to where some statements were said, and those of
    views over which they lead, the last first."""
    found, waiting = dict[bytes, Past](), [*said]
    for each in waiting:  # it grows
        _, nodes = line.positions.path(each.past.hash, line.transcript) or (b"", [])
        new = [node for node in nodes[::-1] if node.hash not in found]
        found |= {node.hash: node for node in new}
        held = (
            line.statements.get(key) for node in new if node.kind == STATUS for key in node.keys
        )
        waiting += [known.said for known in held if known and known.said]
    return [*found.values()]


def keep_way(said: Sequence[Said], line: GameLine, outbox: Outbox) -> None:
    """Keep the pasts that lead to where some statements were said: nothing that is kept shows
    those of phases without messages."""
    for past in pasts_beside(said, line):
        outbox.persist("past", past.plain())


def named_beside(said: Sequence[Said], line: GameLine) -> list[Key]:
    """Return what some statements name and does not count, as what leads to where they were said
    does: a status counts for who holds the evidence, the messages, and the way there."""
    found = [key for past in pasts_beside(said, line) for key in past.keys]
    held = (known.said for key in found if (known := line.statements.get(key)))
    statuses = [s for s in (*said, *held) if isinstance(s, StatusMessage)]
    found += [key for status in statuses for key in names_of(status)]
    moves = line.transcript.moves
    same = (by.get(key[1]) for key in found for by in moves[key[3] : key[3] + 1])
    counts = {each.key for each in same if each is not None}
    return [key for key in found if key not in counts]


def evidence_of(line: GameLine, named: Iterable[Key]) -> list[tuple[str, Any]]:
    """Return the evidence of these names that is held, as plain data with its kind."""
    found: dict[Key, tuple[str, Any]] = {}
    for key in named:
        known = line.statements.get(key)
        if known is not None:
            found[key] = (key[0], known.signed.plain())
        elif key in line.statements.complaints:
            found[key] = (COMPLAINT, line.statements.complaints[key].plain())
    return [each for _, each in sorted(found.items())]


def leading_to(proof: Proof, line: GameLine) -> list[tuple[str, Any]]:
    """Return what leads to the statements of a proof, as plain data with its kind."""
    return evidence_of(line, named_beside(_said_in(proof, line), line))


def _said_in(proof: Proof, line: GameLine) -> list[Said]:
    """Return the messages of a proof, which may be of a line that was left."""
    accused = (proof.complaint.accused,) if proof.complaint else ()
    held = (line.statements.get(signed.key) for signed in (*proof.statements, *accused))
    return [known.said for known in held if known and isinstance(known.said, PhaseMessage)]


def _agrees(said: Said | None, transcript: Transcript) -> bool:
    """Tell whether a message names this line's past of its phase, and the state there."""
    if not isinstance(said, PhaseMessage):
        return True
    there = transcript.line.get(said.previous, (-1,))[0] == said.phase
    return there and said.state == transcript.state_at(said.phase)


def _of_another_past(
    known: Statement, line: GameLine, vain: set[bytes], nowhere: set[bytes]
) -> Proof | None:
    """Return whom a message convicts that says something else of the past."""
    move, transcript = known.said, line.transcript
    if not isinstance(move, PhaseMessage):
        return None
    if transcript.line.get(move.previous, (-1,))[0] == move.phase:
        return another_state(known, transcript)
    return judge(line, known, vain) or judge_beside(line, known, nowhere)


def judged(complaint: Complaint, move: Said | None, line: GameLine) -> Proof | None:
    """Return whom a complaint convicts, at the table and by a record alike; ``None`` while that
    cannot be told. ``move`` is what it is about; what nobody can read convicts by that alone."""
    accused, transcript = complaint.accused, line.transcript
    if transcript.number < UNNAMED:
        return None
    if not line.statements.genuine(accused.ref, MOVE):  # nobody holds that as evidence
        if line.roster.protocol <= UNSIGNED:
            return None  # it names no game, and may be about another one
        return replace(_verdict(complaint.author, complaint), statements=())
    if not isinstance(move, PhaseMessage):
        return None
    if transcript.line.get(move.previous, (-1,))[0] == move.phase:
        phase, base = transcript.sealed_phase(move.phase), transcript.bases[move.phase]
    else:
        there = beside(line, move.previous, move.sender)
        if there is None or there.number != move.phase:
            return None
        phase, base = there.sealed_phase(move.phase), there.bases[move.phase]
    if phase is None or not phase.receives(complaint.author):
        return _verdict(complaint.author, complaint)  # nothing was sealed to it
    culprit = phase.guilty(complaint.author, move, base, complaint.disclosure)
    return _verdict(culprit, complaint)


def _verdict(culprit: int, complaint: Complaint) -> Proof:
    code, why = Code.BAD_PROOF, "what it sealed for another peer is false"
    if culprit == complaint.author:
        code, why = Code.FALSE_CLAIM, "complains of a message that is true"
    accused = complaint.accused
    return Proof(culprit, code, why, accused.phase, (accused,), complaint)
