"""How long the names are that peers tell, and what makes them harmless to show."""

from typing import Final

from lanplay.text import PLACEHOLDER, alike, cells, clean_text

__all__ = ["NICKNAME_LIMIT", "PLACEHOLDER", "TABLE_NAME_LIMIT", "alike", "cells", "clean_text"]

NICKNAME_LIMIT: Final = 20
"""Characters and terminal cells of a nickname."""

TABLE_NAME_LIMIT: Final = 32
"""Characters and terminal cells of a table's name."""
