"""Table talk: what people say to each other, and the pause of the game. Sans-I/O.

Every word is signed in a sequence of its author's own, outside the game's transcript: it may be
lost, come late or twice, and the game does not notice. Whoever hears a word first passes it on, so
that a broken link hides nothing, and shows it to those who watch. What a spectator says goes under
the name of the peer at which it watches. ``("talk", (author, number, kind, value, signature))``:

| kind | value |
|---|---|
| ``say`` | text |
| ``heard`` | name and text of a spectator |
| ``pause`` | a pause, for which its seat's person asks: that the clocks of the game stand still |
| ``go`` | a seat, and pauses: its person wants these to end |
| ``over`` | pauses whose time is over for its author's laptop |

How long a pause lasts, and who ends it, is in ``pausing``: words may come in any order. There are
only so many pauses, and ends of them: each is passed on once, and crowded out by nothing.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from lanplay.errors import Fault, Mistake
from lanplay_protocol.identity import SIGNATURE, Identity, check_signature
from lanplay_protocol.pausing import MOST, PauseName, Pauses
from lanplay_protocol.rates import PASSED_ON, Bucket, speaking
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.roster import NAME, SEATS, Roster
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
    is that of its author, if it has one; ``laptop`` whose it is at a forming table, if another's.
    """

    name: str
    text: str
    peer: int
    watching: bool = False
    seat: int | None = None
    laptop: str = ""


@dataclass(frozen=True, slots=True)
class Paused:
    """Somebody has paused the game, for so many seconds at most."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Resumed:
    """Somebody has ended the last pause; without a name its time is over."""

    name: str


@dataclass(frozen=True, slots=True)
class WantsOn:
    """Somebody wants a pause of another to end, as so many do by now; ``needed`` have to."""

    name: str
    votes: int
    needed: int


@dataclass(frozen=True, slots=True)
class Public:
    """A word that is new here: those who watch at this peer are to be sent it."""

    body: bytes


ChatEvent: TypeAlias = ChatMessage | Paused | Resumed | WantsOn | Public | Envelope


def harmless(words: str) -> str:
    """Return what a person typed as it is sent; ``ValueError`` if it is nothing, or too long."""
    if not words.strip():
        raise Mistake(Fault.SAY_WHAT)
    if cells(clean_text(words, 8 * TEXT)) > TEXT:
        raise Mistake(Fault.SAY_LONG, most=TEXT)
    return clean_text(words, TEXT)


_Clock: TypeAlias = tuple[str, int, PauseName]


@dataclass(frozen=True, slots=True)
class _Word:
    author: int
    number: int
    kind: str
    value: Any
    signature: bytes

    @property
    def clocks(self) -> list[_Clock]:
        """What it says of clocks; nothing if it is talk."""
        match self.kind:
            case "pause":
                return [("pause", self.value[0], self.value)]
            case "go":
                return [("go", self.value[0], name) for name in self.value[1]]
            case "over":
                return [("over", self.author, name) for name in self.value]
        return []

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
        self._clocks: dict[_Clock, _Word] = {}
        self.pauses = Pauses(roster)
        self._paused = False

    def shown(self, seat: int) -> str:
        """Return the name of a seat's person as it may be shown."""
        return clean_text(self._roster.names[seat], NAME)

    def paused_by(self, now: float) -> tuple[str, ...]:
        """Return the names of those who have paused the game; none while it goes on."""
        running = self.pauses.running(now)
        return tuple(dict.fromkeys(self.shown(each.seat) for each in running))

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

    def pause(self, now: float, seat: int | None = None) -> list[ChatEvent]:
        """Let the clocks stand still, as a seat's person asks, the first one here if none is named.

        ``ValueError`` if it has paused the game already, or may not any more.
        """
        asker = self._person if seat is None else seat
        if any(each.seat == asker for each in self.pauses.running(now)):
            raise Mistake(Fault.PAUSED_ALREADY)
        if (name := self.pauses.next(asker)) is None:
            raise Mistake(Fault.PAUSES_SPENT, most=MOST)
        return self._speak("pause", name, now)

    def go(self, now: float, seat: int | None = None) -> list[ChatEvent]:
        """End a pause that a seat's person has asked for, or want others to end.

        ``ValueError`` if there is none.
        """
        asker, running = self._person if seat is None else seat, self.pauses.running(now)
        if not running:
            raise Mistake(Fault.NOT_PAUSED)
        return self._speak("go", (asker, tuple(each.name for each in running)), now)

    def leave(self, now: float) -> list[ChatEvent]:
        """End the pauses of this peer's people: nobody should have to wait for them."""
        mine = self._roster.peers[self._me].seats
        own = [each for each in self.pauses.running(now) if each.seat in mine]
        return [e for each in own for e in self._speak("go", (each.seat, (each.name,)), now)]

    def look(self, now: float) -> list[ChatEvent]:
        """Take notice of the time: pauses end by themselves, for who hears of them later, too."""
        ended = self._over("", now)
        over = () if self._identity is None else self.pauses.over(now, self._me)
        names = tuple(each.name for each in over)
        return [*ended, *(self._speak("over", names, now) if names else ())]

    def _speak(self, kind: str, value: Any, now: float = 0.0) -> list[ChatEvent]:
        assert self._identity is not None
        number, self._next = self._next, self._next + 1
        body = _signed(self._table, self._me, number, kind, value)
        word = _Word(self._me, number, kind, value, self._identity.sign(_LABEL, body))
        return [Envelope(KIND, word.plain()), *self._take(word, now)]

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
        rate = self._rates.setdefault(word.author, Bucket(*PASSED_ON))
        if word.author == self._me:
            self._next = max(self._next, word.number + 1)
        elif not word.clocks and not rate.take(now):
            return []
        others = set(range(len(self._roster.peers))) - {self._me, peer, word.author}
        passed_on = (Envelope(KIND, word.plain(), other) for other in sorted(others))
        return [*passed_on, *self._take(word, now)]

    def told_again(self) -> list[bytes]:
        """Return what to tell who has just come: the last things said, and all that is known of
        pauses, their ends first."""
        known = sorted(self._clocks.items(), key=lambda each: (each[0][0] == "pause", each[0]))
        return [word.body() for word in (*self._recent, *dict.fromkeys(w for _, w in known))]

    def _parsed(self, payload: object) -> _Word:
        author, number, kind, value, signature = fields(payload, 5, "word")
        uint(author, len(self._roster.peers), "author")
        uint(number, NUMBERS, "number")
        word = _Word(
            author, number, kind, _value(kind, value), binary(signature, SIGNATURE, "signature")
        )
        seated = kind not in ("heard", "over")
        if seated and word.value[0] not in self._roster.peers[author].seats:
            refuse("a word of somebody who sits elsewhere")
        return word

    def _new(self, word: _Word) -> bool:
        if word.kind in ("pause", "go", "over"):
            return not self._clocks.keys() >= set(word.clocks)
        seen = self._seen.get(word.author, ())
        return word.number not in seen and (len(seen) < _SEEN or word.number > min(seen))

    def _take(self, word: _Word, now: float) -> list[ChatEvent]:
        if not word.clocks:
            self._seen.setdefault(word.author, deque(maxlen=_SEEN)).append(word.number)
        return [Public(word.body()), *self._meant(word, now)]

    def _meant(self, word: _Word, now: float) -> list[ChatEvent]:
        match word.kind:
            case "say":
                self._recent.append(word)
                seat, words = word.value
                said = clean_text(words, TEXT)
                return [ChatMessage(self.shown(seat), said, word.author, seat=seat)]
            case "heard":
                self._recent.append(word)
                name, words = word.value
                shown = clean_text(name, NICKNAME_LIMIT)
                return [ChatMessage(shown, clean_text(words, TEXT), word.author, True)]
            case _:
                return self._of_clocks(word, now)

    def _of_clocks(self, word: _Word, now: float) -> list[ChatEvent]:
        """Take a pause, or what ends it; they may come in any order."""
        pauses, before = self.pauses, self.pauses.running(now)
        for kind, by, name in word.clocks:
            self._clocks.setdefault((kind, by, name), word)
            match kind:
                case "pause":
                    pauses.ask(name, now)
                case "go":
                    pauses.go(by, name)
                case _:
                    pauses.say_over(by, name)
        running = pauses.running(now)
        if word.kind == "pause":
            self._paused = bool(running)
            fresh = [each for each in running if each not in before]
            return [Paused(self.shown(each.seat), each.until - now) for each in fresh]
        if word.kind == "over":
            return self._over("", now)
        seat, named = word.value
        votes = [pauses.votes(each) for each in running if each.name in named]
        told = [WantsOn(self.shown(seat), max(votes), pauses.needed)] if votes else []
        return [*self._over(self.shown(seat), now), *told]

    def _over(self, name: str, now: float) -> list[ChatEvent]:
        """Return that the game goes on, if it was paused and is not any more."""
        paused, self._paused = self._paused, bool(self.pauses.running(now))
        return [Resumed(name)] if paused and not self._paused else []


def _signed(table: bytes, author: int, number: int, kind: str, value: Any) -> bytes:
    return encode((table, author, number, kind, value))


def _value(kind: object, value: object) -> Any:
    if kind == "say":
        seat, words = fields(value, 2, "speech")
        return uint(seat, SEATS, "seat"), text(words, 4 * TEXT, "text")
    if kind == "heard":
        name, words = fields(value, 2, "quotation")
        return text(name, 256, "name"), text(words, 4 * TEXT, "text")
    if kind == "pause":
        return _pause(value)
    if kind == "over":
        return items(value, MOST * SEATS, "pauses", _pause)
    if kind != "go":
        refuse("a word of no known kind")
    seat, named = fields(value, 2, "go")
    return uint(seat, SEATS, "seat"), items(named, MOST * SEATS, "pauses", _pause)


def _pause(value: object) -> PauseName:
    seat, turn = fields(value, 2, "pause")
    return uint(seat, SEATS, "seat"), uint(turn, MOST, "turn")
