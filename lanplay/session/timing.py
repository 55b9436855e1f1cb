"""How long the phases of a game took, in a file for who measures that."""

from __future__ import annotations

import json
import time
from pathlib import Path

from lanplay import files
from lanplay.errors import Fault, UserError
from lanplay_protocol.replica.events import PhaseCompleted


class Timing:
    """Notes when each phase was complete: kind, seconds, and this process's CPU seconds."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def stepped(self, event: PhaseCompleted) -> None:
        """Note a phase."""
        self.lines.append(json.dumps([event.kind, time.monotonic(), time.process_time()]))

    def save(self, path: Path, lost: list[UserError]) -> None:
        """Write the notes; what is ``lost`` says so if the disk refuses."""
        try:
            files.replace(path, "\n".join(self.lines).encode(), files.COMMON)
        except OSError as error:
            lost.append(UserError(Fault.DISK, path=str(path), why=error.strerror))
