"""The phases of a ``Choose``: seats answer openly, or all commit first and open then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from lanplay.engine.plain import Plain
from lanplay.engine.question import Answer, Illegal, Question, is_plain_answer
from lanplay.engine.requests import Choose
from lanplay_protocol.crypto.choice import (
    Commitment,
    base_of,
    check_opening,
    commit,
    open_by_gamma,
    opening,
)
from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.crypto.group import SIZE, Point, mul
from lanplay_protocol.crypto.partials import Item, choice_item
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.handover import handover_first
from lanplay_protocol.replica.phases import Phase, Receiver, ThresholdPhase, prove, proven
from lanplay_protocol.schema import binary, blob, fields, refuse
from lanplay_protocol.wire import decode, encode

CHOICE_SIZE = 64
"""Sealed choices are padded to a multiple of this, so that their length says little."""
_CHOICE_LIMIT = 4096


class ChoicePhase(Phase):
    """Base of phases that wait for answers to the questions of a ``Choose``.

    ``given`` are answers that are known already, which are not asked for again.
    """

    prompt = False

    def __init__(
        self, context: Context, request: Choose, given: Mapping[int, Answer] | None = None
    ) -> None:
        super().__init__(context)
        self.request = request
        self.given = dict(given or {})
        holders = context.seating.holders
        self._asked = {s: holders[s].peer for s in request.questions if s not in self.given}
        self.needs = frozenset(self._asked.values())
        self.prescribed = {
            s: context.prescribed(s, peer, request.questions[s]) for s, peer in self._asked.items()
        }

    def seats(self, peer: int) -> list[int]:
        """Return the seats that a peer is asked for, in the order of the request."""
        return [seat for seat, holder in self._asked.items() if holder == peer]

    def settled(self, brought: Mapping[int, Any]) -> frozenset[int]:
        open_ = {seat for seat, peer in self._asked.items() if peer not in brought}
        return frozenset(self.request.questions.keys() - open_)

    def chosen(self, answers: Mapping[int, Answer]) -> None:
        """Hand all answers to the rules."""
        self.authored(answers)
        answers = {**self.given, **answers}
        self.context.answers.clear()
        self.context.referee.chosen({seat: answers[seat] for seat in self.request.questions})

    def authored(self, answers: Mapping[int, Answer]) -> None:
        """Record whose answers these are, whoever holds the seats by now."""
        self.context.answered_by.update((seat, self._asked[seat]) for seat in answers)

    def waiting(self) -> list[tuple[int, Question]]:
        """Return the questions that this peer's own seats have still to answer."""
        questions, answers = self.request.questions, self.context.answers
        for seat in self.seats(self.context.me):
            if (only := self.prescribed[seat]) is not None:
                answers[seat] = only[0]
        return [(s, questions[s]) for s in self.seats(self.context.me) if s not in answers]

    def checked(self, seat: int, answer: Plain) -> Answer:
        """Return an answer that passes the public half of its question."""
        if not is_plain_answer(answer):
            refuse("an answer of a shape that no question has")
        if (only := self.prescribed[seat]) is not None and answer != only[0]:
            raise PeerError(Code.ILLEGAL_ANSWER, f"seat {seat}: nobody may decide that for it")
        try:
            self.request.questions[seat].check(answer)  # type: ignore[arg-type]  # just checked
        except Illegal as illegal:
            raise PeerError(Code.ILLEGAL_ANSWER, f"seat {seat}: {illegal}") from illegal
        return answer  # type: ignore[return-value]  # just checked


class OpenAnswers(ChoicePhase):
    """The asked seats sit at one peer: it answers openly, in one message."""

    def mine(self) -> Any:
        if self.waiting():
            return None
        return tuple(self.context.answers[seat] for seat in self.seats(self.context.me))

    def check(self, sender: int, parts: Any) -> dict[int, Answer]:
        seats = self.seats(sender)
        answers = fields(parts, len(seats), "answers")
        return {s: self.checked(s, answer) for s, answer in zip(seats, answers, strict=True)}

    def done(self, brought: Mapping[int, Any]) -> None:
        self.chosen({s: a for given in brought.values() for s, a in given.items()})

    def rest(self, brought: Mapping[int, Any]) -> None:
        """Ask whoever holds the seats now, as nothing was answered."""


class CommitPhase(ChoicePhase):
    """Seats at several peers choose at once: first everybody commits.

    ``made`` are commitments that stand already: their authors (seat: peer) may be out since.
    """

    def __init__(
        self,
        context: Context,
        request: Choose,
        given: Mapping[int, Answer] | None = None,
        made: Mapping[int, StandingCommitment] | None = None,
    ) -> None:
        super().__init__(context, request, given)
        self.made = dict(made or {})
        self._asked = {s: peer for s, peer in self._asked.items() if s not in self.made}
        self.needs = frozenset(self._asked.values())

    def slot(self, seat: int) -> bytes:
        """Return the label of a seat's choice: no two choices of any games share one."""
        return self.slot_at(self.context.transcript_hash, seat)

    def slot_at(self, previous: bytes, seat: int) -> bytes:
        """Return the label of a seat's choice after everything that a transcript hash stands for.

        Not the phase's number: a game that goes on without some of what a lost peer saw passes the
        same numbers again.
        """
        return encode(("choice", self.context.game_id, previous, seat))

    def mine(self) -> Any:
        if self.waiting():
            return None
        return tuple(self._commitment(seat) for seat in self.seats(self.context.me))

    def recall(self, parts: Any) -> None:
        context = self.context
        for seat, made in self.check(context.me, parts).items():
            gamma = mul(context.key.x, base_of(made.slot))
            context.answers[seat] = decode(open_by_gamma(made.commitment, made.slot, gamma))

    def _commitment(self, seat: int) -> tuple[bytes, bytes]:
        choice = encode(self.context.answers[seat])
        made = commit(self.context.key, self.slot(seat), choice, CHOICE_SIZE)
        return made.digest, made.sealed

    def check(self, sender: int, parts: Any) -> dict[int, StandingCommitment]:
        seats = self.seats(sender)
        given = fields(parts, len(seats), "commitments")
        return {
            seat: StandingCommitment(
                sender, _commitment(one), self.slot(seat), self.prescribed[seat]
            )
            for seat, one in zip(seats, given, strict=True)
        }

    def done(self, brought: Mapping[int, Any]) -> Phase:
        return RevealPhase(self.context, self.request, self.given, self._made(brought))

    def rest(self, brought: Mapping[int, Any]) -> Phase:
        """Ask whoever holds the seats now whose choice did not come."""
        return CommitPhase(self.context, self.request, self.given, self._made(brought))

    def _made(
        self, brought: Mapping[int, Mapping[int, StandingCommitment]]
    ) -> dict[int, StandingCommitment]:
        return {**self.made, **{s: made for given in brought.values() for s, made in given.items()}}


@dataclass(frozen=True, slots=True)
class StandingCommitment:
    """A commitment that stands: its author's peer, and the label it was made under.

    ``prescribed`` is the only answer that it may hold, if so: what was open then may be closed now.
    """

    peer: int
    commitment: Commitment
    slot: bytes
    prescribed: tuple[Answer] | None


@dataclass(frozen=True, slots=True)
class Revealed:
    """What an opening brings: answers by seat, secrets of dice shown, a part of the entropy."""

    answers: Mapping[int, Answer]
    dice: Mapping[tuple[int, int], Point]
    ahead: Point | None


def _commitment(value: Any) -> Commitment:
    made, sealed = fields(value, 2, "commitment")
    return Commitment(
        binary(made, SIZE, "commitment"), blob(sealed, _CHOICE_LIMIT, "sealed choice")
    )


class RevealPhase(ChoicePhase, ThresholdPhase):
    """All have committed: the choices are opened, with the dice they show.

    Where no further choice can come before the next chance, its entropy rides along. A choice whose
    author is out is opened by the quorum; one that was never a choice is asked for again.
    """

    prompt = True

    def __init__(
        self,
        context: Context,
        request: Choose,
        given: Mapping[int, Answer],
        made: Mapping[int, StandingCommitment],
    ) -> None:
        super().__init__(context, request, given)
        self._made = made
        self._asked = {seat: made[seat].peer for seat in self._asked}
        self.prescribed = {seat: made[seat].prescribed for seat in self._asked}
        self.needs = frozenset(self._asked.values())
        self._chance = request.prefetch is not None and request.prefetch not in context.entropy
        if self._chance and request.prefetch is not None:
            self.needs |= context.present
            context.cups.begin(request.prefetch)

    def settled(self, brought: Mapping[int, Any]) -> frozenset[int]:
        return frozenset(self.request.questions)

    def mine(self) -> Any:
        context = self.context
        openings = tuple(self._opening(seat) for seat in self.seats(context.me))
        return (openings, *prove(context, self._bases(context.me, context.answers)))

    def _opening(self, seat: int) -> tuple[bytes, bytes]:
        choice = encode(self.context.answers[seat])
        return choice, opening(self.context.key, self._made[seat].slot)

    def _bases(self, peer: int, answers: Mapping[int, Answer]) -> list[Point]:
        cups = self.context.cups
        return [*(cups.base(*die) for die in self._dice(peer, answers)), *self._ahead()]

    def _ahead(self) -> list[Point]:
        ahead = self.request.prefetch if self._chance else None
        return [] if ahead is None else [self.context.cups.entropy_base(ahead)]

    def _dice(self, peer: int, answers: Mapping[int, Answer]) -> list[tuple[int, int]]:
        """Return the dice that answers show and that hang on their author's own key."""
        questions, cups = self.request.questions, self.context.cups
        own = [seat for seat in self.seats(peer) if cups.owners.get(seat) == peer]
        return [(s, place) for s in own for place in questions[s].reveals(answers[s])]

    def check(self, sender: int, parts: Any) -> Revealed:
        openings, *shown = fields(parts, 3, "openings")
        seats = self.seats(sender)
        given = fields(openings, len(seats), "openings")
        answers = {s: self._opened(s, one) for s, one in zip(seats, given, strict=True)}
        powers = proven(self.context, sender, self._bases(sender, answers), tuple(shown))
        dice = dict(zip(self._dice(sender, answers), powers, strict=False))
        return Revealed(answers, dice, powers[-1] if self._chance else None)

    def verified(self, brought: Mapping[int, Revealed]) -> dict[str, int]:
        dice = sum(len(opened.dice) for opened in brought.values())
        ahead = sum(opened.ahead is not None for opened in brought.values())
        return {"dice": dice, "entropy": ahead, "choices": len(self._asked)}

    def _opened(self, seat: int, value: Any) -> Answer:
        choice, salt = fields(value, 2, "opening")
        blob(choice, _CHOICE_LIMIT, "choice")
        made = self._made[seat]
        try:
            check_opening(made.commitment, made.slot, choice, binary(salt, SIZE, "salt"))
        except CryptoError as error:
            raise PeerError(Code.BAD_OPENING, f"seat {seat}: {error}") from error
        return self.checked(seat, decode(choice))

    def due(self, peer: int) -> Mapping[Receiver, Sequence[Item]]:
        choices = [choice_item(self._made[seat].slot) for seat in self.seats(peer)]
        return {None: [*choices, *(Item("entropy", base) for base in self._ahead())]}

    def reconstructed(self, peer: int, powers: Mapping[Receiver, Sequence[Point]]) -> Revealed:
        seats, given = self.seats(peer), powers[None]
        answers = {}
        for seat, gamma in zip(seats, given, strict=False):
            made = self._made[seat]
            try:
                choice = open_by_gamma(made.commitment, made.slot, gamma)
                answers[seat] = self.checked(seat, decode(choice))
            except (PeerError, CryptoError):
                self.context.late_violations[peer] = (Code.BAD_OPENING, "had committed to nothing")
        return Revealed(answers, {}, given[-1] if self._chance else None)

    def done(self, brought: Mapping[int, Revealed]) -> Phase | None:
        context = self.context
        answers = {seat: a for each in brought.values() for seat, a in each.answers.items()}
        for each in brought.values():
            for die, power in each.dice.items():
                context.cups.show(die, power)
        if self.request.prefetch is not None and self._chance:
            parts = [brought[peer].ahead for peer in sorted(brought)]
            context.cups.settle(self.request.prefetch, [part for part in parts if part is not None])
        if answers.keys() < self._asked.keys():
            self.authored(answers)
            again = CommitPhase(context, self.request, {**self.given, **answers})
            blind = [s for s in context.cups.blind(self.request) if s not in again.given]
            return handover_first(context, blind, again) if blind else again
        self.chosen(answers)
        return None


def awaited(phase: Phase | None, missing: Set[int]) -> dict[int, Question]:
    """Return the questions that a phase waits for, by seat; ``missing`` are the peers that owe.

    Everybody can see as much: empty once all have answered.
    """
    if not isinstance(phase, ChoicePhase) or phase.prompt:
        return {}
    questions = phase.request.questions
    return {seat: questions[seat] for peer in sorted(missing) for seat in phase.seats(peer)}
