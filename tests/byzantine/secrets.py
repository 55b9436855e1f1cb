"""What an honest program must not say: its key, dice that it does not show, choices that are not
due, its own shares of cards that are for nobody else. All that it says is searched for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lanplay_protocol.crypto.choice import opening
from lanplay_protocol.crypto.group import encode, mul
from lanplay_protocol.replica.choices import CommitPhase, RevealPhase
from lanplay_protocol.replica.jobs import Job
from lanplay_protocol.replica.messages import SignedMessage, parse_signed, read
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.phases import Phase
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.reveals import RevealCards, RevealDice
from lanplay_protocol.replica.transcript import Transcript
from lanplay_protocol.wire import decode

KEPT = 128
"""Secrets of one program that are looked for, the newest: of old dice nobody has any use."""


class Recorded(Replica):
    """A replica that remembers, of each of its own messages, the phase and the roll before it.

    And what long work it has done in this phase (`worked`), and how often it has `made` the game
    from its beginning.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.said: dict[int, tuple[Phase | None, Any]] = {}
        self.worked: set[Job] = set()
        self.made = 0
        make = self.line._make

        def counted() -> Transcript:
            self.made += 1
            return make()

        self.line._make = counted

    def _rewound(self) -> None:
        super()._rewound()
        self.worked.clear()

    def _completed(self) -> None:
        super()._completed()
        self.worked.clear()

    def _send_mine(self) -> bool:
        number, at = self.transcript.number, (self.transcript.phase, self.context.cups.at)
        sent = super()._send_mine()
        if sent:
            self.said[number] = at
        return sent


class Secrets:
    """The secrets of one program so far, each with what it is; ``due`` are those that it may say.

    Secrets are the 32 bytes from which others could work out a face or an answer.
    """

    def __init__(self) -> None:
        self.known: dict[bytes, str] = {}
        self.due: set[bytes] = set()
        self._roll: Any = None
        self._dice: dict[tuple[Any, int, int], bytes] = {}
        self._cards: set[bytes] = set()
        self._choices: set[bytes] = set()

    def collect(self, replica: Recorded) -> None:
        """Add what a program knows now and nobody else may."""
        context, cups, deck = replica.context, replica.context.cups, replica.context.deck
        key, me = context.key, context.me
        self.known.setdefault(encode(key.x), "its key")
        roll = (cups.at, tuple(sorted(cups.owners.items())))
        if roll != self._roll:
            self._roll = roll
            for seat in (seat for seat, owner in cups.owners.items() if owner == me):
                for place, base in enumerate(cups.bases(seat)):
                    self._dice[cups.at, seat, place] = secret = mul(key.x, base)
                    self._add(secret, f"die {place} of seat {seat} at {cups.at}")
        for seat in replica.views:
            for base in deck.bases([c for c in deck.known(seat) if c in deck._masked]):
                if base not in self._cards:
                    self._cards.add(base)
                    self._add(mul(key.x, base), f"a card of seat {seat}")
        phase = replica.transcript.phase
        if isinstance(phase, CommitPhase):
            for slot in map(phase.slot, phase.seats(me)):
                if slot not in self._choices:
                    self._choices.add(slot)
                    self._add(opening(key, slot), "a choice")

    def _add(self, secret: bytes, what: str) -> None:
        self.known[secret] = what
        while len(self.known) > KEPT:
            _, oldest, *_ = self.known  # the key comes first
            del self.known[oldest]

    def let_out(self, replica: Recorded, said: Envelope, body: bytes) -> list[str]:
        """Return what a program says that it must not, in the bytes of a message."""
        if said.kind == "move":
            signed = parse_signed(said.payload)
            if signed.sender == replica.me:
                self._allow(replica, signed)
        return [what for key, what in self.known.items() if key in body and key not in self.due]

    def _allow(self, replica: Recorded, signed: SignedMessage) -> None:
        """Note what the message of a phase has to show: the answers in it say which dice."""
        context, key = replica.context, replica.context.key
        # the power may have failed between the disk and the wire: then it comes from the journal
        here = signed.phase == replica.transcript.number
        now = (replica.transcript.phase, context.cups.at) if here else (None, ())
        phase, at = replica.said.get(signed.phase, now)
        if isinstance(phase, RevealPhase):
            openings = read(signed).parts[0]
            for seat, (choice, salt) in zip(phase.seats(context.me), openings, strict=True):
                self.due.add(salt)
                shown = phase.request.questions[seat].reveals(decode(choice))
                self._show_dice((at, seat, place) for place in shown)
        elif isinstance(phase, RevealDice):
            self._show_dice((at, *die) for die in phase._dice)
        elif isinstance(phase, RevealCards):
            self.due.update(mul(key.x, base) for base in phase._bases)

    def _show_dice(self, dice: Iterable[tuple[Any, int, int]]) -> None:
        self.due.update(self._dice[die] for die in dice if die in self._dice)
