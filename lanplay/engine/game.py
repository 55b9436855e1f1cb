"""A game as all drivers see it: what its manifest says, and its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lanplay.engine.manifest import GameManifest
from lanplay.engine.plain import Plain
from lanplay.engine.record import RulesId
from lanplay.engine.requests import Rules
from lanplay.engine.rules import Result, RuleSet
from lanplay.errors import Fault, Mistake

SHOWN: Final = 8
"""Hexadecimal digits of a fingerprint that are shown."""


class Game:
    """A game that can be played. ``options`` maps each table option to its values."""

    __slots__ = ("_fingerprint", "_rule_set", "manifest", "options")

    def __init__(self, manifest: GameManifest, rule_set: RuleSet | None = None) -> None:
        """Load the rules, unless they are given."""
        self.manifest = manifest
        self.options: Mapping[str, tuple[str, ...]] = {
            each.name: tuple(each.values) for each in manifest.options
        }
        self._rule_set = rule_set or manifest.rules.load()
        self._fingerprint = b""

    @property
    def name(self) -> str:
        """The game's name."""
        return self.manifest.name

    @property
    def fingerprint(self) -> bytes:
        """What stands for its rules, worked out when it is first asked for (some 0.1 s).

        Raises ``Mistake`` where their source is not there, or holds what nobody can read.
        """
        from lanplay.engine.fingerprint import NoSourceError, UnknownSyntaxError, fingerprint

        try:
            self._fingerprint = self._fingerprint or fingerprint(self.manifest)
        except (NoSourceError, UnknownSyntaxError) as error:
            raise Mistake(Fault.NO_FINGERPRINT, game=self.name, why=error) from error
        return self._fingerprint

    @property
    def rules_name(self) -> str:
        """How its rules are called: ``dice-town/bf59e31c``."""
        return rules_name(self.name, self.fingerprint)

    @property
    def shown_rules(self) -> frozenset[str]:
        """The first digits of its fingerprint, and of those whose rules play the same."""
        every = (self.fingerprint.hex(), *self.manifest.same_rules)
        return frozenset(each[:SHOWN] for each in every)

    def plays(self, rules: RulesId) -> bool:
        """Tell whether rules are its own (not named: a game in memory alone) or play the same."""
        same = isinstance(rules, bytes) and rules.hex() in self.manifest.same_rules
        return not rules or same or rules == self.fingerprint

    @property
    def seats(self) -> range:
        """How many seats a table may have."""
        return self.manifest.seats

    @property
    def cards(self) -> int:
        """How many cards the game has."""
        return self.manifest.cards

    @property
    def cup(self) -> int:
        """How many dice may lie under one cup."""
        return self.manifest.cup

    def table(self, seats: int, options: Mapping[str, str], snapshot: Plain = None) -> Any:
        """Return the table before round 1, or a new one at the round boundary of ``snapshot``.

        ``snapshot`` is what ``snapshot()`` returned in a game with as many seats, also after
        ``encode`` and ``decode`` (see ``RuleSet``). Raises ``ValueError`` for an unknown count or
        option or an impossible ``snapshot``: it may come from a stranger.
        """
        table = self._rule_set.table(seats, check_table(self, seats, options))
        if snapshot is not None:
            self._rule_set.from_snapshot(table, snapshot)
        return table

    def snapshot(self, table: Any) -> Plain:
        """Return what a new game can start from (see ``RuleSet``)."""
        return self._rule_set.snapshot(table)

    def rules(self, table: Any) -> Rules[None]:
        """Return the rules from the table's round boundary (or the set-up) to the end."""
        return self._rule_set.rules(table)

    def result(self, table: Any) -> Result:
        """Return how the game ended; only after the rules have run to their end."""
        return self._rule_set.result(table)


def rules_name(game: str, rules: RulesId) -> str:
    """Return how the rules of a game are called: ``dice-town/bf59e31c``, of old ``dice-town/3``."""
    return f"{game}/{rules if isinstance(rules, int) else rules.hex()[:SHOWN] or '?'}"


def check_table(game: Game, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """Return all options with their values, defaults filled in, in the game's own order.

    Raises ``Mistake``, a ``ValueError`` that names what is wrong and what would be right.
    """
    if seats not in game.seats:
        limits = {"least": game.seats.start, "most": game.seats.stop - 1}
        raise Mistake(Fault.SEATS, game=game.name, seats=seats, **limits)
    for name, value in options.items():
        if name not in game.options:
            fault = Fault.NO_OPTION if game.options else Fault.NO_OPTIONS
            known = ", ".join(game.options)
            raise Mistake(fault, game=game.name, option=name, known=known)
        if value not in game.options[name]:
            known = ", ".join(game.options[name])
            asked = {"game": game.name, "option": name, "value": value}
            raise Mistake(Fault.OPTION_VALUE, known=known, **asked)
    return {name: options.get(name, values[0]) for name, values in game.options.items()}


__all__ = ["Game", "Result", "check_table", "rules_name"]
