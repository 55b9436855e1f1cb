"""The last phase of every game: all who are there sign how it ended, and what convicts anybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.messages import Key, parse_key
from lanplay_protocol.replica.phases import Phase
from lanplay_protocol.replica.roster import PEERS
from lanplay_protocol.schema import items

EVIDENCE = 4 * PEERS
"""Statements at most by which one peer has convicted others."""


class Final(Phase):
    """Every member signs the whole game, as a message of a phase names all before it and the state.

    Its parts are the names of all by which its author has convicted anybody: whoever leaves that
    out of a record alters what was signed. The finals of all members of a view are the end of the
    game. Where a member is lost, those who are left sign anew in another view.
    """

    anew = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.needs = context.everybody

    def mine(self) -> Any:
        return self.context.evidence()

    def names(self, parts: Any) -> tuple[Key, ...]:
        return items(parts, EVIDENCE, "evidence", parse_key)

    def check(self, sender: int, parts: Any) -> tuple[Key, ...]:
        return self.names(parts)

    def done(self, brought: Mapping[int, Any]) -> None:
        """Nothing follows."""

    def rest(self, brought: Mapping[int, Any]) -> Phase | None:
        raise AssertionError("who is left signs in another view")

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"finals": len(brought)}
