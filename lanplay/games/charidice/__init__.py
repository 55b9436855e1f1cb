"""Charidice: rules and nothing else. The numbers cited are those of docs/rules/charidice.md."""

from lanplay.games.charidice.rules import Charidice

GAME = Charidice()

__all__ = ["GAME", "Charidice"]
