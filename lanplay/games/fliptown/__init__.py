"""Fliptown: rules and nothing else. The numbers cited are those of docs/rules/fliptown.md."""

from lanplay.games.fliptown.rules import Fliptown

GAME = Fliptown()

__all__ = ["GAME", "Fliptown"]
