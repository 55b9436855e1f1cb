"""Table talk: what people say to each other, and the pause of the game. Sans-I/O.

Every word is signed in a sequence of its author's own, outside the game's transcript: it may be
lost, come late or twice, and the game does not notice. Whoever hears a word first passes it on, so
that a broken link hides nothing, and shows it to those who watch. What a spectator says goes under
the name of the peer at which it watches. ``("talk", (author, number, kind, value, signature))``:

| kind | value |
|---|---|
| ``say`` | text |
| ``heard`` | name and text of a spectator |
| ``pause`` | nothing: from now on the clocks of the game stand still |
| ``go`` | peers, each with the signature of its last pause: these pauses are over |

The game is paused while a pause of anybody has not been ended by anybody, in whatever order the
words come. Nobody knows the signature of a pause that has not been made, so that nobody can end it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from lanplay.errors import Fault, Mistake
from lanplay_protocol.identity import SIGNATURE, Identity, check_signature
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.roster import NAME, PEERS, SEATS, Roster
from lanplay_protocol.schema import binary, fields, items, refuse, text, uint
from lanplay_protocol.text import NICKNAME_LIMIT, cells, clean_text
from lanplay_protocol.wire import encode

KIND: Final = "talk"
TEXT: Final = 200
"""Characters, and terminal cells, of what is said at once."""
RECENT: Final = 32
"""Things said that are told again to whoever comes."""
NUMBERS: Final = 1 << 53
_SEEN: Final = 128
_LABEL: Final = "talk"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Somebody said something; ``name`` and ``text`` are harmless to show.

    ``peer`` is who signed it: the author, or, where its author is ``watching``, its host. ``seat``
    is that of its author, if it has one.
    """

    name: str
    text: str
    peer: int
    watching: bool = False
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Paused:
    """A peer has paused the game."""

    peer: int


@dataclass(frozen=True, slots=True)
class Resumed:
    """A peer has ended every pause."""

    peer: int


@dataclass(frozen=True, slots=True)
class Public:
    """A word that is new here: those who watch at this peer are to be sent it."""

    body: bytes


ChatEvent: TypeAlias = ChatMessage | Paused | Resumed | Public | Envelope


class Bucket:
    """How often something may be done: ``burst`` times at once, ``per_second`` in the long run."""

    def __init__(self, burst: float, per_second: float) -> None:
        self._burst = self._left = burst
        self._per_second = per_second
        self._at = 0.0

    def take(self, now: float) -> bool:
        """Do it once, if it may be done now."""
        grown = self._left + max(0.0, now - self._at) * self._per_second
        self._left, self._at = min(self._burst, grown), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def speaking() -> Bucket:
    """Return how often one person may speak."""
    return Bucket(8, 0.5)


def harmless(words: str) -> str:
    """Return what a person typed as it is sent; ``ValueError`` if it is nothing, or too long."""
    if not words.strip():
        raise Mistake(Fault.SAY_WHAT)
    if cells(clean_text(words, 8 * TEXT)) > TEXT:
        raise Mistake(Fault.SAY_LONG, most=TEXT)
    return clean_text(words, TEXT)


@dataclass(frozen=True, slots=True)
class _Word:
    author: int
    number: int
    kind: str
    value: Any
    signature: bytes

    def plain(self) -> tuple[Any, ...]:
        return (self.author, self.number, self.kind, self.value, self.signature)

    def body(self) -> bytes:
        return encode((KIND, self.plain()))


class Chat:
    """The talk at one table as one peer hears it; ``me`` is no peer's place for a spectator.

    ``first`` is above every number this peer has used in this game: a clock's milliseconds.
    ``now`` are seconds of any clock that never goes back. All methods return events in order.
    """

    def __init__(
        self, roster: Roster, me: int, identity: Identity | None = None, first: int = 0
    ) -> None:
        self._roster = roster
        self._me = me
        self._identity = identity
        self._table = roster.digest()
        self._next = first
        self._own = speaking()
        self._watchers = Bucket(8, 0.5)
        self._rates: dict[int, Bucket] = {}
        self._seen: dict[int, deque[int]] = {}
        self._recent: deque[_Word] = deque(maxlen=RECENT)
        self._last: dict[tuple[int, str], _Word] = {}
        self._ended: dict[int, bytes] = {}

    @property
    def paused_by(self) -> tuple[int, ...]:
        """The peers whose pause has not been ended; none while the game goes on."""
        return tuple(peer for peer, made in self._pauses if self._ended.get(peer) != made)

    @property
    def _pauses(self) -> tuple[tuple[int, bytes], ...]:
        """The last pause of every peer that has made one, by its signature."""
        pauses = (word for word in self._last.values() if word.kind == "pause")
        return tuple(sorted((word.author, word.signature) for word in pauses))

    def shown(self, peer: int) -> str:
        """Return a peer's name as it may be shown."""
        return self._roster.shown(peer)

    # -- what this peer says ----------------------------------------------------------------------

    def say(self, words: str, now: float, seat: int | None = None) -> list[ChatEvent]:
        """Say something as the person of a seat, the first one here if none is named.

        Raises ``ValueError`` if it is nothing, too long, or comes too fast.
        """
        harm = harmless(words)
        if not self._own.take(now):
            raise Mistake(Fault.SAY_FAST)
        return self._speak("say", (self._person if seat is None else seat, harm))

    @property
    def _person(self) -> int:
        """The first seat of this peer's people, or its first at all."""
        mine = self._roster.peers[self._me].seats
        return next((seat for seat in mine if not self._roster.bot(seat)), mine[0])

    def quote(self, name: str, words: str, now: float) -> list[ChatEvent]:
        """Pass on what a spectator of this peer says, unless spectators say too much."""
        if not self._watchers.take(now):
            return []
        value = (clean_text(name, NICKNAME_LIMIT), clean_text(words, TEXT))
        return self._speak("heard", value)

    def pause(self) -> list[ChatEvent]:
        """Let the clocks stand still; ``ValueError`` if this peer has paused the game already."""
        if self._me in self.paused_by:
            raise Mistake(Fault.PAUSED_ALREADY)
        return self._speak("pause", ())

    def go(self) -> list[ChatEvent]:
        """End every pause; ``ValueError`` if there is none."""
        if not self.paused_by:
            raise Mistake(Fault.NOT_PAUSED)
        return self._speak("go", self._pauses)

    def leave(self) -> list[ChatEvent]:
        """End this peer's own pause, if there is one: nobody should have to wait for it."""
        if self._me not in self.paused_by:
            return []
        return self._speak("go", tuple(each for each in self._pauses if each[0] == self._me))

    def _speak(self, kind: str, value: Any) -> list[ChatEvent]:
        assert self._identity is not None
        number, self._next = self._next, self._next + 1
        body = _signed(self._table, self._me, number, kind, value)
        word = _Word(self._me, number, kind, value, self._identity.sign(_LABEL, body))
        return [Envelope(KIND, word.plain()), *self._take(word)]

    # -- what others say --------------------------------------------------------------------------

    def receive(self, peer: int, payload: object, now: float) -> list[ChatEvent]:
        """Take a word that a peer brought, its own or another's.

        What is known, or comes too fast, is passed over. Raises ``PeerError`` if it is malformed or
        its author has not signed it: then the connection has to be closed.
        """
        word = self._parsed(payload)
        if not self._new(word):
            return []
        body = _signed(self._table, word.author, word.number, word.kind, word.value)
        check_signature(self._roster.peers[word.author].public, _LABEL, body, word.signature)
        if word.author == self._me:
            self._next = max(self._next, word.number + 1)
        elif not self._rates.setdefault(word.author, Bucket(3 * RECENT, 1.0)).take(now):
            return []
        others = set(range(len(self._roster.peers))) - {self._me, peer, word.author}
        passed_on = (Envelope(KIND, word.plain(), other) for other in sorted(others))
        return [*passed_on, *self._take(word)]

    def told_again(self) -> list[bytes]:
        """Return what to tell who has just come: the last things said, and a pause that lasts."""
        paused = self.paused_by
        clocks = (w for w in self._last.values() if w.kind != "pause" or w.author in paused)
        return [word.body() for word in (*self._recent, *clocks)]

    def _parsed(self, payload: object) -> _Word:
        author, number, kind, value, signature = fields(payload, 5, "word")
        uint(author, len(self._roster.peers), "author")
        uint(number, NUMBERS, "number")
        word = _Word(
            author, number, kind, _value(kind, value), binary(signature, SIGNATURE, "signature")
        )
        if kind == "say" and word.value[0] not in self._roster.peers[author].seats:
            refuse("a word of somebody who sits elsewhere")
        return word

    def _new(self, word: _Word) -> bool:
        seen = self._seen.get(word.author, ())
        return word.number not in seen and (len(seen) < _SEEN or word.number > min(seen))

    def _take(self, word: _Word) -> list[ChatEvent]:
        self._seen.setdefault(word.author, deque(maxlen=_SEEN)).append(word.number)
        return [Public(word.body()), *self._meant(word)]

    def _meant(self, word: _Word) -> list[ChatEvent]:
        match word.kind:
            case "say":
                self._recent.append(word)
                seat, words = word.value
                name = clean_text(self._roster.names[seat], NAME)
                return [ChatMessage(name, clean_text(words, TEXT), word.author, seat=seat)]
            case "heard":
                self._recent.append(word)
                name, words = word.value
                shown = clean_text(name, NICKNAME_LIMIT)
                return [ChatMessage(shown, clean_text(words, TEXT), word.author, True)]
            case _:
                return self._clocks(word)

    def _clocks(self, word: _Word) -> list[ChatEvent]:
        """Take a pause, or its end; they may come in any order."""
        before = self.paused_by
        known = self._last.get((word.author, word.kind))
        if known is None or known.number < word.number:
            self._last[word.author, word.kind] = word
        pauses = set(self._pauses)
        for go in [word, *self._last.values()]:
            self._ended.update(set(go.value) & pauses if go.kind == "go" else ())
        now = self.paused_by
        if word.author in now and word.author not in before:
            return [Paused(word.author)]
        return [Resumed(word.author)] if before and not now else []


def _signed(table: bytes, author: int, number: int, kind: str, value: Any) -> bytes:
    return encode((table, author, number, kind, value))


def _value(kind: object, value: object) -> Any:
    if kind == "say":
        seat, words = fields(value, 2, "speech")
        return uint(seat, SEATS, "seat"), text(words, 4 * TEXT, "text")
    if kind == "heard":
        name, words = fields(value, 2, "quotation")
        return text(name, 256, "name"), text(words, 4 * TEXT, "text")
    if kind not in ("pause", "go"):
        refuse("a word of no known kind")
    return items(value, PEERS if kind == "go" else 0, "pauses", _pause)


def _pause(value: object) -> tuple[int, bytes]:
    peer, signature = fields(value, 2, "pause")
    return uint(peer, PEERS, "peer"), binary(signature, SIGNATURE, "signature")
