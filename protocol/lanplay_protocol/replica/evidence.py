"""Who is at fault: two messages for one slot, another past than the others', false sealed parts."""

from __future__ import annotations

from collections import Counter

from lanplay import errors
from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.crypto.sealing import disclose
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.disputes import Report, field_hashes, judge
from lanplay_protocol.replica.events import (
    Accused,
)
from lanplay_protocol.replica.following import Following
from lanplay_protocol.replica.messages import (
    Complaint,
    PhaseMessage,
    SignedMessage,
    check_complaint,
    complain,
)
from lanplay_protocol.replica.status import Change


class Evidence(Following):
    """A peer that names whoever breaks the rules; the table plays on without them where it can."""

    def _compare(self, signed: SignedMessage) -> None:
        """Judge a second message for a slot: the same is fine, another is a double signature."""
        if signed.phase > self.transcript.number or self.status.halted:
            return
        known = self.transcript.moves[signed.phase].get(signed.sender)
        if known is not None and self.transcript.is_equivocation(signed):
            self._outbox.post("move", known.plain())
            self._outbox.post("move", signed.plain())
            text = f"signed two messages for phase {signed.phase}"
            self._accuse(signed.sender, Code.EQUIVOCATION, text, signed.phase)

    def _show_false(self) -> None:
        """Show everybody what was sealed to this peer and false, and let all judge it alike."""
        while self.transcript.unsealed:
            self._complain(*self.transcript.unsealed.pop(0))

    def _complain(self, signed: SignedMessage, move: PhaseMessage) -> None:
        context, phase = self.context, self.transcript.sealed_phase(signed.phase)
        if phase is None or (context.me, signed.sender) in self._complaints:
            return
        label = phase.label(move.previous, move.phase, move.sender)
        sealed = phase.sealing(move.sender, context.me, move.parts)
        try:
            disclosure = disclose(context.key, sealed, label)
        except CryptoError:
            disclosure = b""  # malformed: everybody sees that without
        made = complain(context.me, signed, disclosure, self._identity)
        self._complained(made)

    def _complained(self, complaint: Complaint) -> None:
        check_complaint(complaint, self.context.roster)
        about = (complaint.author, complaint.accused.sender)
        if about in self._complaints:
            return
        self._complaints[about] = complaint
        self._outbox.post("complaint", complaint.plain())
        self._judge_complaints()

    def _judge_complaints(self) -> None:
        for about, complaint in sorted(self._complaints.items()):
            author, phase = complaint.author, self.transcript.sealed_phase(complaint.accused.phase)
            if phase is None or self.status.halted or about in self._judged:
                continue
            try:
                move = self.transcript.verified(complaint.accused)
            except PeerError:
                culprit = author
            else:
                if not self.transcript.agrees(move):
                    continue  # a game that is not this one: the move itself begins the dispute
                culprit = phase.guilty(author, move, complaint.disclosure)
            self._judged.add(about)
            if culprit == author:
                text = "complains of a message that is true"
                self._accuse(author, Code.FALSE_CLAIM, text, complaint.accused.phase)
            else:
                self._wronged.add(author)
                text = "what it sealed for another peer is false"
                self._accuse(culprit, Code.BAD_PROOF, text, complaint.accused.phase)

    @property
    def complaints(self) -> list[Complaint]:
        """What receivers have said against sealed parts, by author."""
        return [complaint for _, complaint in sorted(self._complaints.items())]

    def _disagree(self, signed: SignedMessage, move: PhaseMessage, now: float) -> None:
        """Pass on a message whose author signed another past, and find out who is at fault.

        All others come to see it: those who hold another message of that author for this slot have
        the proof, and so has this peer once it is sent that one.
        """
        odd = self._divergent.get(signed.sender, (signed, move))
        if odd[1].slot != move.slot:
            odd = (signed, move)
        self._divergent[signed.sender] = odd
        if odd[0].body != signed.body:
            self.transcript.equivocations += [odd[0], signed]
            text = f"signed two messages for phase {signed.phase}"
            self._accuse(signed.sender, Code.EQUIVOCATION, text, signed.phase)
        elif odd[0] is signed:
            self._outbox.post("move", signed.plain())
            self._dispute_begins(now)

    def _dispute_begins(self, now: float) -> None:
        if not self.status.disputed and self.context.phase:
            self.status.on(Change.WRONG_PAST)
            self._since = now
            self._report(self.context.phase - 1)

    def _report(self, phase: int) -> None:
        context = self.context
        hashes = field_hashes(context.referee.table.public())
        moves = tuple(signed for _, signed in sorted(self.moves[phase].items()))
        mine = Report(phase, context.transcript_hash, self.transcript.state, hashes, moves)
        self._reports[context.me] = mine
        if self._reported != context.transcript_hash:
            self._reported = context.transcript_hash
            self._outbox.post("report", mine.plain())

    def _take_report(self, peer: int, report: Report, now: float) -> None:
        if report.phase >= self.transcript.number:
            self._early_reports[peer] = report
        if self.status.stands:
            return
        for signed in report.moves:
            self._compare(signed)
        if self.status.halted or report.phase != self.transcript.number - 1:
            return
        same = {p: r for p, r in self._reports.items() if r.phase == report.phase}
        self._reports = {**same, peer: report}
        if len(self._reports.keys() - {self.context.me}) < len(self.context.roster.peers) - 1:
            if not self.status.disputed:
                return  # one unsigned word holds no game; a message that differs will come
        else:
            self._dispute_begins(now)
        self._judge(final=len(self._reports) == len(self.context.roster.peers))

    def _judge(self, final: bool) -> None:
        context = self.context
        verdict = judge(self._reports, context.roster, self.transcript.game_id(context.phase - 1))
        double = [p for p, (code, _) in verdict.culprits.items() if code is Code.EQUIVOCATION]
        for report in self._reports.values() if double else ():
            for move in report.moves:
                self.transcript.is_equivocation(move)
        if not final and not double:
            return
        for peer, (code, text) in sorted(verdict.culprits.items()):
            self._accuse(peer, code, text)
        if verdict.culprits.keys() & self._excluded:
            self.status.on(Change.GOES_ON)
        if not verdict.culprits and not self._accuse_divergent():
            self._halt(errors.Fault.NO_MAJORITY.of(), Change.NO_MAJORITY)

    def _accuse_divergent(self) -> bool:
        """Name those who signed another past than a quorum reports; tell whether there are any."""
        views = Counter((r.transcript, r.state) for r in self._reports.values())
        view, votes = views.most_common(1)[0]
        odd = [p for p, (_, move) in self._divergent.items() if (move.previous, move.state) != view]
        if votes < self.context.roster.quorum:
            return False
        for peer in sorted(odd):
            text = f"phase {self.transcript.number}: signed another past than the others"
            self._accuse(peer, Code.DIVERGED, text)
        return bool(odd)

    def _accuse(self, peer: int, code: Code, text: str, phase: int | None = None) -> None:
        """Name a peer that broke the rules; the table plays on without it where it can.

        It cannot before the game has begun, nor where no quorum would be left.
        """
        if peer in self._excluded or (code is Code.WITHHOLDS and peer in self._withholders):
            return
        self._outbox.tell(
            Accused(peer, code, text, self.transcript.number if phase is None else phase)
        )
        name = self.context.roster.shown(peer)
        if code is Code.WITHHOLDS and self._begun:
            self._detector.link_down(peer, self._since)
            self._withholders.add(peer)
        elif self.transcript.phase is None:
            self._excluded.add(peer)  # the game has ended: nobody has to be cut off any more
        elif self._begun and peer != self.me and self._enough:
            self._excluded.add(peer)
            self._detector.suspect(peer, text)
            self.status.on(Change.GOES_ON)
            self._divergent.clear()
        else:
            why = errors.by_code(code, text)
            self._halt(errors.Fault.WAS_CLOSED.of(name=name, why=why))

    @property
    def _enough(self) -> bool:
        """Tell whether the table could play on without one of its peers."""
        return len(self.roster.peers) > self.roster.quorum
