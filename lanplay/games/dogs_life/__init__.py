"""A Dog's Life: rules and nothing else. The numbers cited are those of docs/rules/dogs_life.md."""

from lanplay.games.dogs_life.rules import DogsLife

GAME = DogsLife()

__all__ = ["GAME", "DogsLife"]
