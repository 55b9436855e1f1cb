"""What is known of the offers of tables: those accepted here, and who has signed two at once."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from lanplay.files import PRIVATE, locked, naming, replace, to_disk
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.roster import Roster, parse_roster
from lanplay_protocol.replica.start import Accept, accept, parse_accept, signed_twice
from lanplay_protocol.schema import fields
from lanplay_protocol.wire import encode

SPARE: Final = 64
"""Lines beyond two of each table that the file has before it is written anew."""
TRIES: Final = 100


class Offers:
    """The offers that this installation has accepted, kept in a file at ``path``: for each term of
    a table it signs one, also when it was restarted. And the ``proofs`` against others.

    ``refused`` is told where the disk does not take one: it holds for this process alone then.
    """

    def __init__(
        self, path: Path | None = None, refused: Callable[[OSError], None] = lambda _: None
    ) -> None:
        self._path, self._refused = path, refused
        self._accepted: dict[str, tuple[int, bytes]] = {}
        self._twice: dict[bytes, tuple[Accept, Accept]] = {}
        if self._read() > 2 * len(self._accepted) + SPARE:
            with suppress(OSError):
                self._shorten()

    def _read(self) -> int:
        """Take what the file holds; return how many lines it has."""
        try:
            lines = [] if self._path is None else self._path.read_bytes().split(b"\n")
        except OSError:
            return 0
        for line in lines:
            with suppress(ValueError):  # where one was cut off the next begins a line of its own
                table, term, digest = line.decode().split()
                self._note(table, int(term), bytes.fromhex(digest))
        return len(lines)

    def _note(self, table: str, term: int, digest: bytes) -> None:
        self._accepted[table] = max(self.accepted(table), (term, digest))

    def accepted(self, table: str) -> tuple[int, bytes]:
        """Return the highest term of a table in which an offer was accepted here, and which."""
        return self._accepted.get(table, (-1, b""))

    def accept(self, offer: Roster, identity: Identity) -> Accept | None:
        """Sign an offer, which is on the disk then; ``None`` if another one has made it void."""
        known, digest = self.accepted(offer.table), offer.digest()
        if offer.term <= known[0] and digest != known[1]:
            return None
        if digest != known[1]:
            self._note(offer.table, offer.term, digest)
            try:
                self._keep(_line(offer.table, offer.term, digest))
            except OSError as error:
                self._refused(error)
        return accept(offer, identity)

    def _shorten(self) -> None:
        """Keep the last offer of each table alone, with what others have added by now."""
        assert self._path is not None
        with self._opened(self._path):
            self._read()
            each = self._accepted.items()
            replace(self._path, b"".join(_line(t, n, digest) for t, (n, digest) in each))

    def _keep(self, line: bytes) -> None:
        if self._path is None:
            return
        with naming(self._path), self._opened(self._path) as file:
            if os.write(file, line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            to_disk(file)

    @contextmanager
    def _opened(self, path: Path) -> Iterator[int]:
        """Open the file for this program alone: another one may be about to shorten it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(TRIES):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE)
            try:
                if locked(file) and os.path.samestat(os.fstat(file), path.stat()):
                    yield file
                    return
            finally:
                os.close(file)
            time.sleep(0.01)
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    def found(self, accepts: Iterable[Accept]) -> None:
        """Keep what convicts somebody of two offers, until a record holds it."""
        self._twice |= signed_twice(accepts)

    def proofs(self, table: str) -> tuple[Accept, ...]:
        """Return the accepts that convict those who have signed two offers of one term."""
        return tuple(a for both in self._twice.values() for a in both if a.table == table)


def _line(table: str, term: int, digest: bytes) -> bytes:
    return f"\n{table} {term} {digest.hex()}\n".encode()


def parse_offer(payload: object, host: bytes) -> tuple[Roster, Accept]:
    """Return what a host offers, and its own signature of that."""
    plain, signature = fields(payload, 2, "offer")
    roster = parse_roster(plain)
    if encode(roster.plain()) != encode(plain):
        raise PeerError(Code.MALFORMED, "an offer that says something twice")
    given = Accept(host, roster.table, roster.term, roster.digest(), signature)
    return roster, parse_accept(given.plain())
