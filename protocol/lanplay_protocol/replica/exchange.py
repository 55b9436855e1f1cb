"""This peer's own part in a game: what it is asked, and what it signs, one body for each slot."""

from __future__ import annotations

from lanplay.engine.question import Answer, Question
from lanplay_protocol.crypto.hashing import digest, number
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.choices import ChoicePhase
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.events import AnswerNeeded, TrustNeeded
from lanplay_protocol.replica.key_setup import Ready
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import (
    WAITS,
    Key,
    PhaseMessage,
    SignedMessage,
    SignedWish,
    Slot,
    StatusMessage,
    refs,
    sign,
    wish,
)
from lanplay_protocol.replica.outbox import Outbox
from lanplay_protocol.replica.view_change import Attempt


class Exchange:
    """What this peer says.

    ``signed`` is what it has ever signed for a slot: it signs nothing else there, and says the same
    again when it comes by once more. ``asked`` is what the shell has been asked in this phase:
    seats to answer, ``None`` for its trust. With ``windows`` reaction windows are asked of seats,
    too, without a choice.
    """

    def __init__(self, me: int, identity: Identity, seed: bytes, outbox: Outbox) -> None:
        self.signed: dict[Slot, SignedMessage] = {}
        self.asked: set[int | None] = set()
        self.windows = False
        self._me = me
        self._identity = identity
        self._seed = seed
        self._outbox = outbox

    def bot_key(self, seat: int) -> bytes:
        """Return 32 secret bytes for an AI of this peer at a seat, the same after a restart."""
        return digest("bot", self._seed, number(seat))

    def questions(self, line: GameLine) -> list[tuple[int, Question]]:
        """Return the questions that this peer's own seats have still to answer."""
        phase = line.transcript.phase
        if isinstance(phase, ChoicePhase) and not phase.prompt:
            return phase.waiting()
        return []

    def answer(self, line: GameLine, seat: int, answer: Answer) -> None:
        """Take the answer of a seat; ``Illegal`` where it breaks the rules."""
        question = dict(self.questions(line)).get(seat)
        if question is None:
            raise ValueError(f"seat {seat} is not asked")
        context = line.transcript.context
        question.check(answer)
        question.check_own(answer, context.views[seat])
        context.answers[seat] = answer

    def send(self, line: GameLine) -> bool:
        """Sign and send the message of this phase once it can be made."""
        transcript = line.transcript
        phase, context = transcript.phase, transcript.context
        if phase is None:
            return False
        said = self.signed.get(("move", self._me, *transcript.at))
        if said is None:
            # a choice made in another view of this phase stands: it has the same pad
            for each in line.statements.of_phase(transcript.number) if transcript.here else ():
                if isinstance(each.said, PhaseMessage):
                    transcript.recall(each.said)
            self._ask(line, context)
            if context.jobs.pending(phase.making()):
                return False
            parts = phase.mine()
            if parts is None:
                return False
            at = (self._me, transcript.number, transcript.view)
            said = self._sign(line, PhaseMessage(*at, transcript.past, transcript.state, parts))
        else:
            known = line.statements.get(said.key)
            if known is None or known.said is None or known.said.past.hash != transcript.past.hash:
                return False  # what it signed there is of another line: there is no second body
            if isinstance(known.said, PhaseMessage):
                transcript.recall(known.said)
        known = line.statements.get(said.key)
        if known is not None and isinstance(known.said, PhaseMessage):
            transcript.bring(said, known.said)
        self._outbox.persist("move", said.plain(), binding=True)
        self._outbox.post("move", said.plain())
        return True

    def join(
        self,
        line: GameLine,
        attempt: Attempt,
        again: bool,
        evidence: tuple[Key, ...],
        consents: tuple[SignedWish, ...],
    ) -> StatusMessage:
        """Sign and send the status with which this peer joins an attempt, and show why: a liar may
        have told this peer alone that it asks back."""
        transcript = line.transcript
        held = [each for each in transcript.brought if each.sender not in line.convicted]
        for each in held:
            self._outbox.post("move", each.plain())
        number, members = attempt
        last = dict[int, tuple[bool, bool, int, SignedMessage]]()
        for known, said in line.later():
            if said.author in members and said.author != self._me:
                same = said.members == members
                found = (same and said.attempt == number, same, said.attempt, known.signed)
                last[said.author] = max(last.get(said.author, found), found, key=lambda f: f[:3])
        for *_, each in last.values():
            self._outbox.post("status", each.plain())
        at, past = transcript.at, transcript.past
        told = refs(held), again, evidence, consents
        status = StatusMessage(self._me, number, members, at, past, *told)
        signed = self._sign(line, status)
        self._outbox.persist("status", signed.plain(), binding=True)
        self._outbox.post("status", signed.plain())
        return status

    def _sign(self, line: GameLine, said: PhaseMessage | StatusMessage) -> SignedMessage:
        phase = said.phase if isinstance(said, PhaseMessage) else -1
        game = line.statements.game_id(phase)
        signed = sign(said, self._identity, game)
        self.signed[signed.slot] = signed
        line.statements.made(signed)
        line.add(signed)
        return signed

    def sign(self, label: str, body: bytes) -> bytes:
        """Return this peer's signature of a word that is no evidence."""
        return self._identity.sign(label, body)

    def wish(self, line: GameLine, kind: str, about: int) -> SignedWish:
        """Send a wish of this peer; who waits for whom is said before a game has its id, too."""
        game = line.roster.digest() if kind == WAITS else line.statements.game
        made = wish(kind, self._me, about, self._identity, game)
        self._outbox.post(kind, made.plain())
        return made

    def _ask(self, line: GameLine, context: Context) -> None:
        if isinstance(line.transcript.phase, Ready) and None not in self.asked:
            self.asked.add(None)
            self._outbox.tell(TrustNeeded(context.game_id))
        for seat, question in self.questions(line):
            left = self.windows and question.pass_answer() is not None
            only_answer = None if left else question.only_answer(context.views[seat])
            if only_answer is not None:
                context.answers[seat] = only_answer[0]
            elif seat not in self.asked:
                self.asked.add(seat)
                bot = context.seating.holders[seat].bot
                self._outbox.tell(AnswerNeeded(seat, question, bot))
