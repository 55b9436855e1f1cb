"""``lanplay replay --step``: through a record by move and round, forward and back, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from lanplay.engine.game import Game
from lanplay.engine.question import Phrase
from lanplay.engine.stepper import Stepper
from lanplay.engine.view import View
from lanplay.errors import Fault, Mistake
from lanplay.games.wording import narrated, summary_of
from lanplay.language import N_, _
from lanplay.lines.plain import PlainUI, Source

HELP = N_(
    "Enter or n: next move; b: one back; r: next round; R: this round again, or the one before; "
    "g NUMBER: to a round; e: to the end; s NAME, s all, s public: whose hands to show; q: leave."
)


def seats_of(whose: str, stepper: Stepper, names: Sequence[str]) -> Sequence[int]:
    """Return the seats that a name, a number, ``all`` or ``public`` stands for.

    Raises ``Mistake``, which names those that the record shows, for any other.
    """
    if whose in ("all", "public"):
        return stepper.known if whose == "all" else ()
    shown = {names[seat].casefold(): seat for seat in stepper.known}
    shown |= {str(seat + 1): seat for seat in stepper.known}
    if whose.casefold() not in shown:
        known = ", ".join(["public", *(names[seat] for seat in stepper.known)])
        raise Mistake(Fault.NO_HAND, name=whose, known=known)
    return (shown[whose.casefold()],)


class Walk:
    """One person's way through a record. ``seats`` are those whose hidden faces are shown."""

    def __init__(
        self, stepper: Stepper, game: Game, names: Sequence[str], source: Source, out: TextIO
    ) -> None:
        self._stepper = stepper
        self._names = names
        self._game = game.name
        self._source = source
        self._screen = PlainUI(game, names, source, out)
        self._summary = summary_of(game.name)
        self.seats: Sequence[int] = stepper.known
        self._ways: Mapping[str, Callable[[], bool]] = {
            "": stepper.forward,
            "n": stepper.forward,
            "b": stepper.back,
            "r": stepper.next_round,
            "R": stepper.previous_round,
            "e": stepper.to_end,
        }

    def run(self) -> None:
        """Obey lines until q, or the end of the input."""
        self._screen.notice(_(HELP))
        self.show()
        while line := self._source.readline():
            if (word := line.strip()) == "q":
                return
            self.obey(word)

    def obey(self, line: str) -> None:
        """Do what a line says, and show where that led to."""
        word, _space, rest = line.partition(" ")
        if line in self._ways:
            self._go(self._ways[line])
        elif word == "g" and rest.isdecimal():
            self._go(lambda: self._stepper.to_round(int(rest)))
        elif word == "s" and rest:
            self.look(rest)
        else:
            self._screen.notice(_(HELP))

    def look(self, whose: str) -> None:
        """Show from now on the hands of a seat by name or number, of all that are known, or none's.

        What the record does not tell is answered with what it does.
        """
        try:
            self.seats = seats_of(whose, self._stepper, self._names)
        except Mistake as error:
            self._screen.notice(str(error))
        else:
            self.show()

    def _go(self, way: Callable[[], bool]) -> None:
        if way():
            self.show()
        else:
            self._screen.notice(_("There is nothing more in that direction."))

    def show(self) -> None:
        """Show the present position: where it is, what happened, the table, and open hands."""
        now = self._stepper.now
        place = _("Round {round} of {rounds}, move {move} of {moves}").format(
            round=now.round, rounds=self._stepper.rounds, move=now.move, moves=self._stepper.moves
        )
        self._screen.notice(f"\n=== {place} ===")
        for event in self._told():
            self._screen.happened(event)
        self._screen.notice("")
        for line in self._lines():
            self._screen.notice(line)

    def _told(self) -> Sequence[Phrase]:
        """Return what is told of the events since the position before."""
        passed = self._stepper.positions[: self._stepper.at + 1]
        *before, now = [each.events for each in passed]
        earlier = [event for events in before for event in events]
        skipped = len(narrated(self._game, earlier))
        return narrated(self._game, [*earlier, *now])[skipped:]

    def _lines(self) -> Iterator[str]:
        """Yield the table as all see it, then what is known of each seat, and who is to decide."""
        now = self._stepper.now
        seats = range(len(self._names))
        public = [self._situation(now.view(seat)) for seat in seats]
        table = [line for line in public[0] if all(line in each for each in public)]
        yield from table
        for seat in seats:
            lines = self._situation(now.views[seat]) if seat in self.seats else public[seat]
            for line in (line for line in lines if line not in table):
                yield f"{self._names[seat]}: {line}"
        if now.asked:
            names = ", ".join(self._names[seat] for seat in now.asked)
            yield _("To decide: {names}.").format(names=names)

    def _situation(self, view: View[Any]) -> list[str]:
        return list(self._summary.situation(view, self._names))
