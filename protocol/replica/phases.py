"""The phases that answer a request: who owes what, how it is checked, what it brings.

A phase is complete when every peer of ``owing`` has sent its one message. Phases know nothing of
signatures, order or time: those are the replica's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.plain import Plain
from lanplay.engine.question import Answer, Illegal, Question, is_plain_answer
from lanplay.engine.requests import At, Choose, Deal, Show, Uncover
from protocol.crypto.choice import (
    Commitment,
    base_of,
    check_opening,
    commit,
    open_by_gamma,
    opening,
)
from protocol.crypto.errors import BadProof, CryptoError
from protocol.crypto.group import SIZE, Point, mul
from protocol.crypto.hashing import digest
from protocol.crypto.proofs import check_powers, powers_of, prove_powers
from protocol.crypto.schnorr import PROOF
from protocol.crypto.sealing import OVERHEAD, check_sealed, judge, open_sealed, seal
from protocol.errors import Code, PeerError
from protocol.replica.context import Context
from protocol.replica.messages import Move
from protocol.schema import binary, blob, fields, refuse
from protocol.wire import decode, encode

CHOICE_SIZE = 64
"""Sealed choices are padded to a multiple of this, so that their length says little."""
_CHOICE_LIMIT = 4096


class Phase(ABC):
    """One exchange of messages.

    ``owing`` are the peers that send one. ``prompt`` says that they owe it without waiting for a
    person: a program that keeps the table waiting here is suspect.
    """

    owing: frozenset[int]
    prompt = True

    def __init__(self, context: Context) -> None:
        self.context = context

    @abstractmethod
    def mine(self) -> Any:
        """Return the parts of this peer's own message, or ``None`` while an answer is missing."""

    def recall(self, parts: Any) -> None:  # noqa: B027  # most know nothing more
        """Know again what this peer knew when it sent ``parts``, after a restart."""

    @abstractmethod
    def check(self, sender: int, parts: Any) -> Any:
        """Return what a message brings; ``PeerError`` or ``CryptoError`` names a fault in it."""

    @abstractmethod
    def done(self, brought: Mapping[int, Any]) -> Phase | None:
        """Take what all messages brought, by peer; return the phase that follows, if planned."""

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        """Return how many things of which kind the messages have proven."""
        return {}


class SealingFault(CryptoError):
    """What was sealed to this peer is not what its author owed: nobody else has seen it."""


class SealedPhase(Phase):
    """Base of phases whose messages carry parts sealed to single peers.

    Everybody checks that a sealing was made for its place; what is inside, its receiver alone. A
    receiver that finds it false discloses it, and ``guilty`` judges alike for everybody.
    """

    what = "sealed"

    def label(self, previous: bytes, phase: int, sender: int) -> bytes:
        """Return what a sealing is bound to: the game until then, phase, author and purpose."""
        named = encode((phase, sender, self.what))
        return digest("proof", self.context.game_id, previous, named)

    @abstractmethod
    def receives(self, peer: int) -> bool:
        """Tell whether parts are sealed to a peer."""

    @abstractmethod
    def sealing(self, sender: int, receiver: int, parts: Any) -> bytes:
        """Return the part of a message that is sealed to a peer; ``PeerError`` for bad shapes."""

    @abstractmethod
    def inside(self, sender: int, receiver: int, parts: Any, plain: bytes, label: bytes) -> Any:
        """Return what a sealed part brings; ``PeerError`` or ``CryptoError`` if it is false."""

    def received(self, sender: int, parts: Any) -> Any:
        """Return what was sealed to this peer; ``SealingFault`` if it is false."""
        context = self.context
        label = self.label(context.transcript, context.phase, sender)
        sealed = self.sealing(sender, context.me, parts)
        try:
            plain = open_sealed(context.key, sealed, label)
            return self.inside(sender, context.me, parts, plain, label)
        except (PeerError, CryptoError) as error:
            raise SealingFault(f"what it sealed for another peer is false: {error}") from error

    def guilty(self, receiver: int, move: Move, disclosure: bytes) -> int:
        """Return who is at fault when ``receiver`` complains of a move: its author, or itself."""
        if not self.receives(receiver) or move.sender not in self.owing:
            return receiver
        label = self.label(move.previous, move.phase, move.sender)
        try:
            sealed = self.sealing(move.sender, receiver, move.parts)
            plain = judge(self.context.publics[receiver], sealed, disclosure, label)
        except BadProof:
            return receiver
        except (PeerError, CryptoError):
            return move.sender
        try:
            self.inside(move.sender, receiver, move.parts, plain, label)
        except (PeerError, CryptoError):
            return move.sender
        return receiver


class Asking(Phase):
    """Base of phases that wait for answers to the questions of a ``Choose``."""

    prompt = False

    def __init__(self, context: Context, request: Choose) -> None:
        super().__init__(context)
        self.request = request
        self.owing = frozenset(context.roster.host(seat) for seat in request.questions)

    def seats(self, peer: int) -> list[int]:
        """Return the asked seats of a peer, in the order of the request."""
        held = self.context.roster.peers[peer].seats
        return [seat for seat in self.request.questions if seat in held]

    def waiting(self) -> list[tuple[int, Question]]:
        """Return the questions that this peer's own seats have still to answer."""
        questions, answers = self.request.questions, self.context.answers
        return [(s, questions[s]) for s in self.seats(self.context.me) if s not in answers]

    def checked(self, seat: int, answer: Plain) -> Answer:
        """Return an answer that passes the public half of its question."""
        if not is_plain_answer(answer):
            refuse("an answer of a shape that no question has")
        try:
            self.request.questions[seat].check(answer)  # type: ignore[arg-type]  # just checked
        except Illegal as illegal:
            raise PeerError(Code.ILLEGAL_ANSWER, f"seat {seat}: {illegal}") from illegal
        return answer  # type: ignore[return-value]  # just checked


class Answers(Asking):
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
        answers = {s: a for given in brought.values() for s, a in given.items()}
        self.context.answers.clear()
        self.context.referee.chosen({seat: answers[seat] for seat in self.request.questions})


class Commit(Asking):
    """Seats at several peers choose at once: first everybody commits."""

    def slot(self, seat: int) -> bytes:
        """Return the label of a seat's choice: no two choices of any games share one."""
        return self.slot_at(self.context.phase, seat)

    def slot_at(self, phase: int, seat: int) -> bytes:
        """Return the label of a seat's choice in a phase of this game."""
        return encode(("choice", self.context.game_id, phase, seat))

    def mine(self) -> Any:
        if self.waiting():
            return None
        return tuple(self._commitment(seat) for seat in self.seats(self.context.me))

    def recall(self, parts: Any) -> None:
        context = self.context
        for seat, made in self.check(context.me, parts).items():
            gamma = mul(context.key.x, base_of(self.slot(seat)))
            context.answers[seat] = decode(open_by_gamma(made, self.slot(seat), gamma))

    def _commitment(self, seat: int) -> tuple[bytes, bytes]:
        choice = encode(self.context.answers[seat])
        made = commit(self.context.key, self.slot(seat), choice, CHOICE_SIZE)
        return made.digest, made.sealed

    def check(self, sender: int, parts: Any) -> dict[int, Commitment]:
        seats = self.seats(sender)
        given = fields(parts, len(seats), "commitments")
        return {s: _commitment(one) for s, one in zip(seats, given, strict=True)}

    def done(self, brought: Mapping[int, Any]) -> Phase:
        made = {s: c for given in brought.values() for s, c in given.items()}
        slots = {seat: self.slot(seat) for seat in self.request.questions}
        return Open(self.context, self.request, made, slots)


def _commitment(value: Any) -> Commitment:
    made, sealed = fields(value, 2, "commitment")
    return Commitment(
        binary(made, SIZE, "commitment"), blob(sealed, _CHOICE_LIMIT, "sealed choice")
    )


class Open(Asking):
    """All have committed: the choices are opened, with the dice they show.

    Where no further choice can come before the next chance, its entropy rides along.
    """

    prompt = True

    def __init__(
        self,
        context: Context,
        request: Choose,
        commitments: Mapping[int, Commitment],
        slots: Mapping[int, bytes],
    ) -> None:
        super().__init__(context, request)
        self._commitments = commitments
        self.slots = slots
        if request.ahead is not None:
            self.owing = context.everybody

    def mine(self) -> Any:
        context = self.context
        openings = tuple(self._opening(seat) for seat in self.seats(context.me))
        return (openings, *_prove(context, self._bases(context.me, context.answers)))

    def _opening(self, seat: int) -> tuple[bytes, bytes]:
        choice = encode(self.context.answers[seat])
        return choice, opening(self.context.key, self.slots[seat])

    def _bases(self, peer: int, answers: Mapping[int, Answer]) -> list[Point]:
        cups = self.context.cups
        bases = [cups.base(*die) for die in self._dice(peer, answers)]
        if self.request.ahead is not None:
            bases.append(cups.entropy_base(self.request.ahead))
        return bases

    def _dice(self, peer: int, answers: Mapping[int, Answer]) -> list[tuple[int, int]]:
        questions = self.request.questions
        return [(s, place) for s in self.seats(peer) for place in questions[s].shows(answers[s])]

    def check(self, sender: int, parts: Any) -> tuple[dict[int, Answer], tuple[Point, ...]]:
        openings, *proven = fields(parts, 3, "openings")
        seats = self.seats(sender)
        given = fields(openings, len(seats), "openings")
        answers = {s: self._opened(s, one) for s, one in zip(seats, given, strict=True)}
        return answers, _proven(self.context, sender, self._bases(sender, answers), tuple(proven))

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        ahead = len(brought) if self.request.ahead is not None else 0
        proven = sum(len(powers) for _, powers in brought.values())
        return {"dice": proven - ahead, "entropy": ahead, "choices": len(self._commitments)}

    def _opened(self, seat: int, value: Any) -> Answer:
        choice, salt = fields(value, 2, "opening")
        blob(choice, _CHOICE_LIMIT, "choice")
        try:
            check_opening(
                self._commitments[seat], self.slots[seat], choice, binary(salt, SIZE, "salt")
            )
        except CryptoError as error:
            raise PeerError(Code.BAD_OPENING, f"seat {seat}: {error}") from error
        return self.checked(seat, decode(choice))

    def done(self, brought: Mapping[int, Any]) -> None:
        context, ahead = self.context, self.request.ahead
        answers: dict[int, Answer] = {}
        for peer, (given, powers) in brought.items():
            answers |= given
            for die, power in zip(self._dice(peer, given), powers, strict=False):
                context.cups.shown[die] = context.cups.face(power)
        if ahead is not None:
            context.cups.settle(ahead, [brought[peer][1][-1] for peer in sorted(brought)])
        context.answers.clear()
        context.referee.chosen({seat: answers[seat] for seat in self.request.questions})


class Entropy(Phase):
    """Every peer publishes its part of a slot's entropy."""

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"entropy": len(brought)}

    def __init__(self, context: Context, at: At) -> None:
        super().__init__(context)
        self.owing = context.everybody
        self.at = at

    def _bases(self) -> list[Point]:
        return [self.context.cups.entropy_base(self.at)]

    def mine(self) -> Any:
        return _prove(self.context, self._bases())

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        return _proven(self.context, sender, self._bases(), parts)

    def done(self, brought: Mapping[int, Any]) -> None:
        self.context.cups.settle(self.at, [brought[peer][0] for peer in sorted(brought)])


class UncoverDice(Phase):
    """Owners show dice that were not shown with a choice."""

    def __init__(self, context: Context, request: Uncover) -> None:
        super().__init__(context)
        shown = context.cups.shown
        self._dice = [
            (s, place)
            for s, places in request.dice.items()
            for place in places
            if (s, place) not in shown
        ]
        self.owing = frozenset(context.roster.host(seat) for seat, _ in self._dice)

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"dice": len(self._dice)}

    def _of(self, peer: int) -> list[tuple[int, int]]:
        held = self.context.roster.peers[peer].seats
        return [die for die in self._dice if die[0] in held]

    def _bases(self, peer: int) -> list[Point]:
        return [self.context.cups.base(*die) for die in self._of(peer)]

    def mine(self) -> Any:
        return _prove(self.context, self._bases(self.context.me))

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        return _proven(self.context, sender, self._bases(sender), parts)

    def done(self, brought: Mapping[int, Any]) -> None:
        cups = self.context.cups
        for peer, powers in brought.items():
            for die, power in zip(self._of(peer), powers, strict=True):
                cups.shown[die] = cups.face(power)


class ShowCards(Phase):
    """Every peer publishes its decryption shares of cards that all may see."""

    def __init__(self, context: Context, request: Show) -> None:
        super().__init__(context)
        self.owing = context.everybody
        self._cards = request.cards
        self._bases = context.deck.bases(request.cards)

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"shares": len(brought) * len(self._bases)}

    def mine(self) -> Any:
        return _prove(self.context, self._bases)

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        return _proven(self.context, sender, self._bases, parts)

    def done(self, brought: Mapping[int, Any]) -> None:
        self.context.referee.shown(self.context.deck.faces(self._cards, brought))


class DealCards(SealedPhase):
    """Everybody else sends its decryption shares to one peer, sealed to its key."""

    what = "deal"

    def __init__(self, context: Context, request: Deal) -> None:
        super().__init__(context)
        self._receiver = context.roster.host(request.seat)
        self._request = request
        self._bases = context.deck.bases(request.cards)
        self._size = len(self._bases) * SIZE + PROOF
        self.owing = context.everybody - {self._receiver}

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"shares": len(brought) * len(self._bases)}

    def mine(self) -> Any:
        context = self.context
        label = self.label(context.transcript, context.phase, context.me)
        powers = powers_of(context.key, self._bases)
        plain = b"".join(powers) + prove_powers(context.key, self._bases, powers, label)
        return seal(context.publics[self._receiver], plain, label, context.secret_seed("deal"))

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        """Return the shares if they are sealed to this peer, else nothing."""
        context = self.context
        sealed = self.sealing(sender, self._receiver, parts)
        if context.me == self._receiver:
            shares: tuple[Point, ...] = self.received(sender, parts)
            return shares
        if sender != context.me:
            label = self.label(context.transcript, context.phase, sender)
            check_sealed(context.publics[self._receiver], sealed, label)
        return ()

    def receives(self, peer: int) -> bool:
        return peer == self._receiver

    def sealing(self, sender: int, receiver: int, parts: Any) -> bytes:
        return binary(parts, self._size + OVERHEAD, "sealed shares")

    def inside(
        self, sender: int, receiver: int, parts: Any, plain: bytes, label: bytes
    ) -> tuple[Point, ...]:
        powers = tuple(plain[at : at + SIZE] for at in range(0, self._size - PROOF, SIZE))
        public = self.context.publics[sender]
        check_powers(public, self._bases, powers, plain[-PROOF:], label)
        return powers

    def done(self, brought: Mapping[int, Any]) -> None:
        context, request = self.context, self._request
        if context.me == self._receiver:
            own = powers_of(context.key, self._bases)
            faces = context.deck.faces(request.cards, {**brought, context.me: own})
            context.views[request.seat].own.update(zip(request.cards, faces, strict=True))
        context.referee.passed()


def _prove(context: Context, bases: Sequence[Point]) -> tuple[tuple[Point, ...], bytes]:
    """Return this peer's powers of some points with one proof for all."""
    powers = tuple(mul(context.key.x, base) for base in bases)
    if not powers:
        return (), b""
    label = context.proof_context(context.me, "powers")
    return powers, prove_powers(context.key, bases, powers, label)


def _proven(context: Context, sender: int, bases: Sequence[Point], parts: Any) -> tuple[Point, ...]:
    """Return a peer's powers of some points; ``PeerError`` if the proof does not hold."""
    powers, proof = fields(parts, 2, "powers")
    given: tuple[Point, ...] = tuple(
        binary(power, SIZE, "power") for power in fields(powers, len(bases), "powers")
    )
    if not given:
        binary(proof, 0, "proof")
        return ()
    if sender == context.me:
        return given
    label = context.proof_context(sender, "powers")
    check_powers(context.publics[sender], bases, given, binary(proof, PROOF, "proof"), label)
    return given
