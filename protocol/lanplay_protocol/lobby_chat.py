"""Table talk before there is a game: what people say to each other while a table forms. Sans-I/O.

Each word is signed by the program of its author for this table, in a sequence of its own, as in the
talk of a game (see ``chat``): its host, who passes it on to all, can make up none. ``("chat",
words)`` goes from a guest to the host with one word, and from the host with what is new; who sits
down gets the last ones, or none: so it knows that this host passes words on. An older one sends
none, and takes none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from lanplay.errors import Fault, Mistake
from lanplay_protocol.chat import NUMBERS, RECENT, TEXT, ChatMessage, harmless
from lanplay_protocol.identity import SIGNATURE, Identity, check_signature
from lanplay_protocol.rates import PASSED_ON, Bucket, speaking
from lanplay_protocol.replica.roster import NAME
from lanplay_protocol.schema import binary, fields, items, refuse, text, uint
from lanplay_protocol.table import TableInfo
from lanplay_protocol.text import clean_text
from lanplay_protocol.wire import encode

KIND: Final = "chat"
AUTHORS: Final = 64
"""Authors that are remembered, as a host may show any number of guests; of more the one who has
been silent longest is forgotten."""


@dataclass(frozen=True, slots=True)
class _Word:
    author: bytes
    number: int
    name: str
    text: str
    signature: bytes = b""

    @property
    def shown(self) -> str:
        return clean_text(self.name, NAME)

    def plain(self) -> tuple[Any, ...]:
        return (self.author, self.number, self.name, self.text, self.signature)

    def signed(self, table: str) -> bytes:
        return encode((table, *self.plain()[:-1]))


@dataclass(slots=True)
class _Author:
    last: int = -1
    rate: Bucket = field(default_factory=lambda: Bucket(*PASSED_ON))


class LobbyChat:
    """What is said at one forming table after the other, as one program hears it.

    ``told`` gets each word once. ``first`` is above every number that this program has used: a
    clock's milliseconds. ``now`` are seconds of any clock that never goes back.
    """

    def __init__(
        self, told: Callable[[ChatMessage], None] = lambda _: None, first: int = 0
    ) -> None:
        self.passed_on = False
        """Whether the host of the table has shown that it passes words on."""
        self._told = told
        self._first = first
        self._table = ""
        self._recent: deque[_Word] = deque(maxlen=RECENT)
        self._authors: dict[bytes, _Author] = {}
        self._own: dict[str, Bucket] = {}

    def say(
        self, info: TableInfo, identity: Identity, words: str, now: float, name: str = ""
    ) -> bytes:
        """Say something as a person of this program, the first unless named; return the message.

        Raises ``Mistake`` if it is nothing, too long, comes too fast, or from nobody at the table.
        """
        people = info.persons(identity.public)
        speaker = name or next(iter(people), "")
        if speaker not in people:
            raise Mistake(Fault.NOT_SEATED)
        harm = harmless(words)
        if not self._own.setdefault(speaker, speaking()).take(now):
            raise Mistake(Fault.SAY_FAST)
        me = identity.public
        number = max(self._first, self._author(me).last + 1)
        word, self._first = _Word(me, number, speaker, harm), number + 1
        word = replace(word, signature=identity.sign(KIND, word.signed(info.table)))
        self._take(info, word)
        return _message([word])

    def receive(self, info: TableInfo, payload: object, now: float, sender: bytes = b"") -> bytes:
        """Take words, only of a ``sender`` if it is named; return the message of what is new.

        It is empty if nothing is. Passed over is what is known, comes too fast, or is of nobody
        who sits there now. Raises ``PeerError`` if it is malformed or its author has not signed it.
        """
        new = []
        for word in items(payload, 1 if sender else RECENT, "words", _word):
            if sender and word.author != sender:
                refuse("a word of another program")
            if word.shown not in info.persons(word.author):
                continue
            author = self._author(word.author)
            if word.number > author.last and author.rate.take(now):
                check_signature(word.author, KIND, word.signed(info.table), word.signature)
                self._take(info, word)
                new.append(word)
        return _message(new) if new else b""

    def recent(self, info: TableInfo) -> bytes:
        """Return what to tell who sits down at a table: the last things said there."""
        return _message(self._recent if info.table == self._table else ())

    def _author(self, identity: bytes) -> _Author:
        author = self._authors[identity] = self._authors.pop(identity, _Author())
        if len(self._authors) > AUTHORS:
            del self._authors[next(iter(self._authors))]
        return author

    def _take(self, info: TableInfo, word: _Word) -> None:
        if info.table != self._table:
            self._table = info.table
            self._recent.clear()
        self._recent.append(word)
        self._author(word.author).last = word.number
        peer = next(p for p, each in enumerate(info.guests) if each.identity == word.author)
        place = next(p for p, seat in enumerate(info.seats) if seat.name == word.shown)
        laptop = info.guests[peer].name
        said = ChatMessage(word.shown, clean_text(word.text, TEXT), peer, seat=place)
        self._told(said if laptop == word.shown else replace(said, laptop=laptop))


def _message(words: Iterable[_Word]) -> bytes:
    return encode((KIND, tuple(word.plain() for word in words)))


def _word(value: Any) -> _Word:
    author, number, name, said, signature = fields(value, 5, "word")
    return _Word(
        binary(author, 32, "author"),
        uint(number, NUMBERS, "number"),
        text(name, NAME, "name"),
        text(said, TEXT, "text"),
        binary(signature, SIGNATURE, "signature"),
    )
