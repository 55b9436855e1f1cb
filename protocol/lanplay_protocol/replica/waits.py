"""Whom each peer's person wants to wait for, and whom not: signed words that everybody passes on.

So who tells some only tells everybody, and whoever is lost is given up by all alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from functools import partial

from lanplay_protocol.rates import Bucket, speaking
from lanplay_protocol.replica.events import WaitDisputed
from lanplay_protocol.replica.exchange import Exchange
from lanplay_protocol.replica.failure_detector import Wait
from lanplay_protocol.replica.line import COUNTED, GameLine
from lanplay_protocol.replica.messages import WAITS, SignedWish
from lanplay_protocol.replica.outbox import Outbox
from lanplay_protocol.replica.roster import PEERS

CHANGES = 64
"""Times that one may change its mind in a view: what it says more is nothing."""
_DIGITS: list[int] = [len(Wait) ** peer for peer in range(PEERS)]
WISHES = _DIGITS[-1] * len(Wait)
"""What a word may say of all peers."""


class Waits:
    """Who wants to wait for whom, as one peer has heard; of each author the newest word counts.

    A word is a number: the view in which it was said, how often its author had changed its mind
    there, and a wish for each peer, as digits. What was said before a view has left a peer out, or
    let it back, is over. ``up`` tells to whom a link leads, ``lost`` whom nobody hears, ``votes``
    how many do not want to wait for somebody, and how many have to.
    """

    def __init__(self, me: int, line: GameLine, exchange: Exchange, outbox: Outbox) -> None:
        self.up: Callable[[int], bool] = lambda _: False
        self.lost: Callable[[int], bool] = lambda _: True
        self.votes: Callable[[int], tuple[int, int]] = lambda _: (0, 1)
        self._me = me
        self._line = line
        self._exchange = exchange
        self._outbox = outbox
        self._words: dict[int, SignedWish] = {}
        self._speaks: dict[int, Bucket] = {}  # how often each may say what it wants
        self._losses: set[int] = set()  # who was lost as this person wished something of it

    def wanting(self, wait: Wait, about: int) -> Set[int]:
        """Return who wants this of a peer."""
        words, digit, base = self._words.items(), _DIGITS[about], len(Wait)
        since = self._line.transcript.settled(about) if words else 0
        return {a for a, w in words if _view(w) >= since and w.number // digit % base == wait}

    def _of(self, author: int, about: int) -> Wait:
        wishes = (wait for wait in (Wait.SKIP, Wait.KEEP) if author in self.wanting(wait, about))
        return next(wishes, Wait.AS_SETTLED)

    def wish(self, about: int, wait: Wait) -> None:
        """Say what this program's person wants of a peer."""
        (self._losses.add if self.lost(about) else self._losses.discard)(about)
        before = self._wishes(self._me)
        self._say([wait if p == about else self._of(self._me, p) for p in range(PEERS)])
        self._tell(self._me, before)

    def renew(self) -> None:
        """Say anew what this person still wants, once a view has ended some of it: else who comes
        back, and does not know of that view yet, is put away by the votes that it has ended."""
        word, wishes = self._words.get(self._me), self._wishes(self._me)
        if word is not None and word.number % WISHES != _number(wishes):
            self._say(wishes)

    def _wishes(self, author: int) -> list[Wait]:
        return [self._of(author, peer) for peer in range(PEERS)]

    def _tell(self, author: int, before: list[Wait]) -> None:
        """Tell the people here what somebody wants now, and did not before."""
        for about, (old, new) in enumerate(zip(before, self._wishes(author), strict=True)):
            if new not in (old, Wait.AS_SETTLED):
                keep, (votes, needed) = new is Wait.KEEP, self.votes(about)
                lacks = votes < needed and self._of(self._me, about) != new
                asks = lacks and self._me not in (author, about)
                self._outbox.tell(WaitDisputed(author, about, keep, votes, needed, asks))

    def link_up(self, peer: int) -> None:
        """End this person's wish about a peer that a link leads to again: but for one not to wait
        for who was there, which could end it by cutting one link after the other."""
        wish = self._of(self._me, peer)
        if wish is Wait.KEEP or (wish is Wait.SKIP and peer in self._losses):
            self.wish(peer, Wait.AS_SETTLED)

    def _say(self, wishes: list[Wait]) -> None:
        word, view, change = self._words.get(self._me), self._line.transcript.view, 0
        if word is not None and _view(word) >= view:
            view, change = _view(word), word.number // WISHES % CHANGES + 1
        if change < CHANGES:
            number = (view * CHANGES + change) * WISHES + _number(wishes)
            self._words[self._me] = self._exchange.wish(self._line, WAITS, number)

    def said(self, word: SignedWish, now: float) -> None:
        """Take a word that its author has signed, and pass on what is new."""
        known = self._words.get(word.author)
        old = known is not None and known.number >= word.number
        if old or _view(word) > self._line.ground + 2 * COUNTED:
            return  # what is too new is told again once this peer has caught up
        since, before = self._wishes(self._me), self._wishes(word.author)
        self._words[word.author] = word
        say = partial(self._outbox.post, WAITS, word.plain())
        self._outbox.pass_on(word.author, WAITS, now, say)
        if word.author == self._me:  # said before a restart: all links have come up since
            told = (Wait.AS_SETTLED if self.up(p) else self._of(self._me, p) for p in range(PEERS))
            self._say([new or each for new, each in zip(since, told, strict=True)])
        elif self._speaks.setdefault(word.author, speaking()).take(now):
            self._tell(word.author, before)

    def greet(self, to: int) -> None:
        """Tell a peer what it may have missed."""
        for _, word in sorted(self._words.items()):
            self._outbox.post(WAITS, word.plain(), to)


def _view(word: SignedWish) -> int:
    return word.number // (WISHES * CHANGES)


def _number(wishes: Iterable[Wait]) -> int:
    return sum(wait * digit for wait, digit in zip(wishes, _DIGITS, strict=True))
