"""The page of a tournament: one HTML file that needs nothing else, with drawings if it can."""

from __future__ import annotations

from typing import Any

from lanplay.tournament.storage import Folder
from lanplay.tournament.timing import Timing


def write_report(folder: Folder, found: dict[str, Any], timing: Timing) -> list[str]:
    """Write ``report.html``; return sentences on what it lacks."""
    return []
