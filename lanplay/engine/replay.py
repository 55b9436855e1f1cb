"""The replay driver: answers come from a record; no hidden face is known here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lanplay.engine.game import Game, check_table, rules_name
from lanplay.engine.record import Entry, Header, Record, RecordError, RulesId
from lanplay.engine.referee import IllegalAnswerError, Referee
from lanplay.engine.requests import Choose, Mix, OpenRoll, Request, Round, Show, Shuffle, Uncover
from lanplay.errors import Fault, told_of
from lanplay.notices import Notice
from lanplay.told import Told


class Replay:
    """A recorded game played again from its public answers alone.

    Rules that looked at a hidden face would fail here with ``HiddenFaceError``: this driver never
    knows one.

    A record of other rules is tried: it is judged step by step, and by its end.
    """

    def __init__(self, game: Game, record: Record) -> None:
        """Open the record at its first request.

        Raises ``RecordError`` if the record is of a table that the game does not know.
        """
        header = record.header
        try:
            options = check_table(game, len(header.seats), header.options)
            self.table = game.table(len(header.seats), options, header.start)
        except ValueError as error:
            raise RecordError(Fault.RECORD_TABLE, why=told_of(error)) from error
        self.record = record
        self._game = game
        self.referee = Referee(game, self.table)
        self._next = 0

    @property
    def request(self) -> Request | None:
        """What the rules ask now; ``None`` at the end of the game."""
        return self.referee.request

    def step(self) -> bool:
        """Answer one request; return ``False`` at the end of the record.

        Raises ``RecordError`` if an answer breaks the rules or the end does not match.
        """
        going_on = self.advance()
        if not going_on:
            self._check_end()
        return going_on

    def advance(self) -> bool:
        """Answer one request; return ``False``, whatever state that is, if no answer is left.

        Raises ``RecordError`` if an answer breaks the rules.
        """
        try:
            if not replay_step(self.referee, self.record.history, self._next):
                return False
        except (IllegalAnswerError, ValueError, TypeError, KeyError) as error:
            raise self._broken(Fault.RECORD_BREAKS.of(number=self._next, why=str(error))) from error
        self._next = len(self.referee.history)
        return True

    def run(self) -> None:
        """Play to the end of the record, checking everything on the way."""
        while self.step():
            pass

    def _check_end(self) -> None:
        if self.record.finished != (self.request is None):
            raise self._broken(Fault.RECORD_UNENDED.of())
        if self._next != len(self.record.history) or self.table.hash() != self.record.state_hash:
            raise self._broken(Fault.RECORD_STATE.of())

    def _broken(self, told: Told) -> RecordError:
        """Return what is wrong with the record, or that other rules have made it, if they have."""
        if not self._game.plays(self.record.header.rules):
            return RecordError(rules_part(self._game, self.record.header.rules, self.referee))
        return RecordError(told)


def boundary(
    game: Game, header: Header, history: Sequence[Entry], number: int | None = None
) -> Any:
    """Return the table as it was when ``Round(number)`` was asked, or the last ``Round`` at all.

    ``history`` may stop anywhere. ``None`` if there is no such boundary in it; ``RecordError`` if
    header or history break the rules.
    """
    replay = Replay(game, Record(header, history, b"", finished=False))
    found = None
    while True:
        request = replay.request
        if isinstance(request, Round) and number in (None, request.number):
            found = replay.table.copy()
        if not replay.advance():
            return found


def rules_note(game: Game, made: RulesId) -> Told | None:
    """Return what to say of a game that holds although it was made with other rules, if it was."""
    if game.plays(made):
        return None
    return Notice.OTHER_RULES.of(theirs=rules_name(game.name, made), ours=game.rules_name)


def rules_part(game: Game, made: RulesId, referee: Referee) -> Told:
    """Return that a game was made with other rules, which part from those here where it stands."""
    where = {"round": referee.table.round, "number": len(referee.history) + 1}
    theirs = rules_name(game.name, made)
    return Fault.RULES_PART.of(theirs=theirs, ours=game.rules_name, **where)


def replay_step(referee: Referee, history: Any, place: int) -> bool:
    """Answer the request at hand from ``history[place]``; return ``False`` if nothing is left."""
    request = referee.request
    if request is None:
        return False
    if isinstance(request, (Shuffle, Mix)):
        referee.renewed()
    elif not isinstance(request, (Choose, Uncover, OpenRoll, Show)):
        referee.passed()
    elif place >= len(history):
        return False
    else:
        _answer(referee, request, history[place])
    return True


def _answer(referee: Referee, request: Request, entry: Entry) -> None:
    if not isinstance(entry, tuple):
        raise TypeError(f"{entry!r} is no answer")
    values: Any = entry
    if isinstance(request, Choose):
        referee.chosen(dict(zip(request.questions, values, strict=True)))
    elif isinstance(request, Uncover):
        referee.uncovered(dict(zip(request.dice, values, strict=True)))
    elif isinstance(request, OpenRoll):
        referee.rolled(values)
    else:
        referee.shown(values)
