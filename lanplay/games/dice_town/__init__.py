"""Dice Town: rules and nothing else. The numbers cited are those of docs/rules/dice_town.md."""

from lanplay.games.dice_town.rules import DiceTown

GAME = DiceTown()

__all__ = ["GAME", "DiceTown"]
