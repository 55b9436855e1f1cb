"""What is known of the offers of tables: those accepted here, and who has signed two at once."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from lanplay.files import PRIVATE, naming, to_disk
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.start import Accept, accept, signed_twice


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
        for line in self._kept():
            with suppress(ValueError):  # where one was cut off the next begins a line of its own
                table, term, digest = line.split()
                self._note(table, int(term), bytes.fromhex(digest))

    def _kept(self) -> list[str]:
        try:
            return [] if self._path is None else self._path.read_text(encoding="utf-8").split("\n")
        except (OSError, ValueError):
            return []

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
                self._keep(f"\n{offer.table} {offer.term} {digest.hex()}\n")
            except OSError as error:
                self._refused(error)
        return accept(offer, identity)

    def _keep(self, line: str) -> None:
        if self._path is None:
            return
        with naming(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE)
            try:
                if os.write(file, line.encode()) != len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                to_disk(file)
            finally:
                os.close(file)

    def found(self, accepts: Iterable[Accept]) -> None:
        """Keep what convicts somebody of two offers, until a record holds it."""
        self._twice |= signed_twice(accepts)

    def proofs(self, table: str) -> tuple[Accept, ...]:
        """Return the accepts that convict those who have signed two offers of one term."""
        return tuple(a for both in self._twice.values() for a in both if a.table == table)
