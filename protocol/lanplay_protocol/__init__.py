"""How the peers of one table talk: a sans-I/O core and a thin shell that moves its bytes."""

from typing import Final

PROTOCOL: Final = 3
"""The protocol number this program speaks; only equal numbers can sit at one table."""
