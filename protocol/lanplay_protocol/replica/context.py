"""What a replica knows at one moment: shared by all its phases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lanplay.engine.knowledge import PrivateKnowledge
from lanplay.engine.question import Answer, Question
from lanplay.engine.referee import Referee
from lanplay.engine.requests import At
from lanplay.engine.view import View
from lanplay_protocol.crypto.group import Point, Scalar
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code
from lanplay_protocol.replica.cups import Cups
from lanplay_protocol.replica.deck import Deck
from lanplay_protocol.replica.jobs import JobQueue
from lanplay_protocol.replica.messages import Key
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.seating import Seating
from lanplay_protocol.replica.settings import PASS
from lanplay_protocol.wire import encode

OBSERVER = -1
"""The place of whoever follows a game without taking part: an auditor, a spectator."""


class Context:
    """One peer's side of one game; or an observer's, who holds no seat and no secret.

    ``game_id`` and ``transcript_hash`` are T0 until the first phase is complete; before the keys
    are known both are the roster's hash. ``commitments`` and ``shares`` are what each peer's key
    was shared with, and this peer's own parts. ``trusted`` is false until this program's person has
    agreed to who sits here. ``answers`` collects what this peer's own seats have answered to the
    questions at hand; ``entropy`` holds the joint entropy of slots known so far.
    ``handover_incomplete`` says that something sealed to this peer was false, so that its view
    misses it. ``late_violations`` are those that broke the rules as came out later, with what they
    did: a commitment to nothing that the quorum opened, a card shown that is not what it was
    claimed to be. ``answered_by`` is the peer that answered for each seat last. ``seating`` says
    who sits where now, ``views`` what this peer's seats see, ``seen`` everything that those which
    it began with ever saw while it held them. While it is ``replaying`` what it had checked before,
    what was found true is not checked again. ``jobs`` knows what long work of the present phase
    came to; ``evidence`` names all by which this peer has convicted anybody.
    """

    def __init__(self, roster: Roster, me: int, key: GameKey, referee: Referee) -> None:
        self.roster = roster
        self.me = me
        self.key = key
        self.referee = referee
        self.everybody = frozenset(range(len(roster.peers)))  # those that are out included
        self.game_id = self.transcript_hash = roster.digest()
        self.phase = 0
        self.trusted = True
        self.replaying = False
        self.handover_incomplete = False
        self.late_violations: dict[int, tuple[Code, str]] = {}
        self.answered_by: dict[int, int] = {}
        self.publics: tuple[Point, ...] = ()
        self.commitments: tuple[tuple[Point, ...], ...] = ()
        self.shares: tuple[Scalar, ...] = ()
        self.answers: dict[int, Answer] = {}
        self.entropy: dict[At, bytes] = {}
        self.seating = Seating(roster)
        seats = roster.peers[me].seats if self.seated else ()
        self.views: dict[int, View[Any]] = {seat: self.view(seat) for seat in seats}
        self.seen = PrivateKnowledge(seats)
        self.jobs = JobQueue()
        self.evidence: Callable[[], tuple[Key, ...]] = tuple
        self.cups = Cups(self)
        self.deck = Deck(self)

    def view(self, seat: int) -> View[Any]:
        """Return a seat's view that knows nothing hidden yet."""
        return View(seat, self.referee.table, self.roster.header, self.referee.history)

    @property
    def seated(self) -> bool:
        """Tell whether this is one of the peers, and not an observer."""
        return self.me != OBSERVER

    @property
    def present(self) -> frozenset[int]:
        """The peers that take part now."""
        return self.seating.present

    def is_sealed(self, seat: int, peer: int) -> bool:
        """Tell whether a person's hand stays closed to a peer that stands in for it.

        Nobody's secret is in the hand of an AI that sat there from the start.
        """
        stands_in = self.roster.host(seat) != peer and not self.roster.bot(seat)
        return stands_in and self.seating.opened.get(seat) != peer

    def is_closed(self, seat: int, peer: int) -> bool:
        """Tell whether the dice under a seat's cup hang on another's key than a peer's, to which
        they stay closed."""
        owner = self.cups.owners.get(seat, peer)
        return owner != peer and self.is_sealed(seat, peer)

    def prescribed(self, seat: int, peer: int, question: Question) -> tuple[Answer] | None:
        """Return the only answer that a peer may give for a seat, wrapped in a tuple, if so.

        It follows from what all know: nobody decides for a seat that passes, nor about closed dice.
        """
        if self.roster.settings.absent == PASS and self.is_sealed(seat, peer):
            return question.default_answer()
        if question.needs_cup and self.is_closed(seat, peer):
            return question.unseen_answer()
        return None

    def proof_context(self, sender: int, what: str) -> bytes:
        """Return what a proof is bound to: game, everything before, phase, author and purpose."""
        return digest(
            "proof", self.game_id, self.transcript_hash, encode((self.phase, sender, what))
        )

    def secret_seed(self, what: str) -> bytes:
        """Return 32 secret bytes of this peer, the same again after a restart at this phase."""
        secret = self.key.x.to_bytes(32, "little")
        return digest("seed", secret, self.transcript_hash, encode((self.phase, what)))
