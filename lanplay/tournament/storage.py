"""The folder of a tournament.

================  ==============================================================================
``plan.json``     what is played: enough to go on, and to play any game again
``games.csv``     a row for each seat of each game; whole deals are appended in order
``results.json``  everything that was found out
``entrants.csv``  the table of entrants
``report.html``   the page
``records/``      records of games with faults, and of all games if asked for
``faults.jsonl``  a line for each fault of a bot
``timing.json``   how long bots took and where: the only file that differs from run to run
================  ==============================================================================

``games.csv`` is its own journal. A run that was killed leaves at most one deal half written, which
is cut off when it goes on; everything else is worked out again from the rows.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from lanplay import files
from lanplay.engine.game import SHOWN
from lanplay.engine.record import SUFFIX
from lanplay.errors import UserError, told_of
from lanplay.extras import command_line
from lanplay.tournament.faults import Wrong
from lanplay.tournament.outcome import FinishedGame, from_csv, header, to_csv
from lanplay.tournament.plan import FORMAT, TournamentPlan
from lanplay.tournament.schedule import LineUp, deal_size, line_ups
from lanplay.tournament.sprt import Sprt
from lanplay_ai.guard import Failure

PLAN: Final = "plan.json"
GAMES: Final = "games.csv"
RESULTS: Final = "results.json"
FAULTS: Final = "faults.jsonl"
TIMING: Final = "timing.json"
RECORDS: Final = "records"
LOCK: Final = "lock"
SEEDS: Final = "seeds"
NAMED: Final = "named"
_UNREADABLE: Final = (ValueError, KeyError, TypeError, AttributeError, OverflowError)
"""What comes of a file that is none of ours."""


@dataclass(frozen=True, slots=True)
class Goal:
    """How far to play: up to so many deals, or until the test is clear; which records to keep.

    ``shard`` is a part of it, and of how many, from 1.
    """

    deals: int
    sprt: Sprt | None = None
    records: bool = False
    shard: tuple[int, int] = (1, 1)

    @property
    def first(self) -> int:
        """The first deal of this part."""
        part, of = self.shard
        return self.deals * (part - 1) // of

    @property
    def last(self) -> int:
        """The first deal after it."""
        part, of = self.shard
        return self.deals * part // of

    @property
    def part(self) -> str:
        """The part in words of the command line."""
        return "{}/{}".format(*self.shard)


class Folder:
    """A tournament's folder; ``OSError`` of its methods means that the disk refused.

    ``data`` is where this program keeps what is its owner's alone: seeds that nobody is to know
    yet. No bot from outside sees anything of it, or of what the run has told so far.
    """

    def __init__(self, path: Path, data: Path | None = None) -> None:
        self.path = path
        self._data = data or path

    def hidden(self, plan: TournamentPlan) -> tuple[str, ...] | None:
        """Return what is hidden from bots from outside; ``None`` if they are trusted."""
        told = [str(self.path / each) for each in (PLAN, GAMES, RESULTS, FAULTS, RECORDS)]
        return (str(self._data), *told) if plan.sealed else None

    def named(self, plan: TournamentPlan) -> Path:
        """Return the file that is there once this machine's person has named a plan's programs."""
        return self._data / NAMED / plan.commitment

    @property
    def going_on(self) -> str:
        """The command that goes on with its run."""
        return command_line("lanplay", "tournament", "--resume", str(self.path))

    @property
    def games(self) -> Path:
        """The table of all games."""
        return self.path / GAMES

    def begin(self, plan: TournamentPlan, goal: Goal, sources: Iterable[str]) -> None:
        """Make the folder of a new run; ``UserError`` if there is one in it already."""
        if (self.path / PLAN).exists():
            raise UserError(Wrong.TAKEN, folder=str(self.path), command=self.going_on)
        self.write(GAMES, header(tuple(sources)))
        (self.path / FAULTS).unlink(missing_ok=True)
        self.write_plan(plan, goal)

    def write_plan(self, plan: TournamentPlan, goal: Goal) -> None:
        """Write what is played and how far."""
        sprt = goal.sprt.plain() if goal.sprt else None
        more = {"deals": goal.deals, "sprt": sprt, "records": goal.records, "shard": goal.shard}
        said = plan.plain()
        if plan.sealed:
            files.replace(self._seed(plan.commitment), str(plan.seed).encode())
            said["seed"] = None
        self.write(PLAN, to_json({"format": FORMAT, **said, **more}))

    def _seed(self, commitment: str) -> Path:
        return self._data / SEEDS / Path(commitment).name  # it may be a stranger's

    def _told_seed(self, commitment: str) -> int:
        """Return the seed that is not in the plan: it is kept apart, or told by the results."""
        try:
            return int(self._seed(commitment).read_text())
        except FileNotFoundError:
            found = files.plain((self.path / RESULTS).read_text(encoding="utf-8"))
            return int(found["seed"])

    def read_plan(self) -> tuple[TournamentPlan, Goal]:
        """Return what is played; ``UserError`` for a folder that holds no tournament."""
        path = self.path / PLAN
        try:
            data = files.plain(path.read_text(encoding="utf-8"))
            if data["format"] != FORMAT:
                theirs = f"{data['game']}/{str(data['rules'])[:SHOWN]}"
                raise UserError(Wrong.OTHER_VERSION, folder=str(self.path), theirs=theirs)
            sprt = Sprt.of(data["sprt"]) if data["sprt"] else None
            part, of = data["shard"]
            goal = Goal(int(data["deals"]), sprt, bool(data["records"]), (int(part), int(of)))
            plan = self._plan(data)
            if plan.commitment != data["commitment"]:
                raise ValueError("it is not what its commitment says")
            if not 1 <= goal.shard[0] <= goal.shard[1]:
                raise ValueError(f"there is no part {goal.part}")
            if sprt is not None:
                sprt.check(plan)
            return plan, goal
        except (FileNotFoundError, NotADirectoryError):
            raise UserError(Wrong.NO_TOURNAMENT, folder=str(self.path), file=PLAN) from None
        except (OSError, *_UNREADABLE) as error:
            raise UserError(Wrong.PLAN, path=str(path), why=told_of(error)) from error

    def _plan(self, data: dict[str, Any]) -> TournamentPlan:
        if data["seed"] is None:
            try:
                data = {**data, "seed": self._told_seed(str(data["commitment"]))}
            except (OSError, *_UNREADABLE):
                raise UserError(Wrong.NO_SEED, folder=str(self.path)) from None
        return TournamentPlan.of(data)

    def mend(self, plan: TournamentPlan, sources: tuple[str, ...]) -> int:
        """Cut off what a killed run left half written; return the number of whole deals.

        ``UserError`` if the table is of something else.
        """
        rows = plan.seats * deal_size(plan)
        try:
            with self.games.open("rb+") as file:
                if file.readline() != header(sources).encode():
                    raise UserError(Wrong.OTHER_COLUMNS, path=str(self.games))
                deals, whole = 0, file.tell()
                while size := _whole_deal(file, rows):
                    deals, whole = deals + 1, whole + size
                file.truncate(whole)
        except FileNotFoundError:
            raise UserError(Wrong.NO_GAMES, path=str(self.games)) from None
        return deals

    def lines(self) -> Iterator[str]:
        """Yield the rows of the table of all games; ``UserError`` if it is missing."""
        try:
            with self.games.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
                next(file, "")
                yield from file
        except FileNotFoundError:
            raise UserError(Wrong.NO_GAMES, path=str(self.games)) from None

    def deals(self, plan: TournamentPlan, first: int = 0) -> Iterator[list[FinishedGame]]:
        """Yield the games of each deal in the table, from deal ``first`` on.

        ``UserError`` says from which line on it is not what a run of the plan has written.
        """
        size = deal_size(plan)
        lines, line = self.lines(), 2
        for deal in count(first):
            rows = list(islice(lines, plan.seats * size))
            if not rows:
                return
            numbers = range(deal * size, deal * size + size)
            yield self.read(plan, rows, zip(numbers, line_ups(plan, deal), strict=True), line)
            line += len(rows)

    def read(
        self,
        plan: TournamentPlan,
        rows: Sequence[str],
        games: Iterable[tuple[int, LineUp]],
        line: int,
    ) -> list[FinishedGame]:
        """Return what rows from ``line`` on say of these games; ``UserError`` if it is no such."""
        try:
            outcomes = list(from_csv(rows))
            said = [(outcome.number, outcome.line_up) for outcome in outcomes]
            if said != list(games) or to_csv(outcomes, plan.labels) != "".join(rows):
                raise ValueError
        except (ValueError, IndexError, csv.Error):
            raise self._altered(GAMES, line) from None
        return outcomes

    def append(self, rows: Iterable[str]) -> None:
        """Add whole deals to the table of all games."""
        self._append(GAMES, rows)

    def append_faults(self, lines: Iterable[str]) -> None:
        """Add to the list of faults."""
        self._append(FAULTS, lines)

    def _append(self, name: str, lines: Iterable[str]) -> None:
        path = self.path / name
        with files.naming(path), path.open("a", encoding="utf-8", newline="") as file:
            file.writelines(lines)

    def first_faults(self) -> dict[str, str]:
        """Return the first fault of each bot that has one in the list, with its game."""
        found: dict[str, str] = {}
        for number, line in enumerate(self.fault_lines(), 1):
            with self._fault_read(number):
                fault = files.plain(line)
                found.setdefault(fault["bot"], _told(fault))
        return found

    @contextmanager
    def _fault_read(self, line: int) -> Iterator[None]:
        try:
            yield
        except _UNREADABLE:
            raise self._altered(FAULTS, line) from None

    def _altered(self, name: str, line: int) -> UserError:
        path = str(self.path / name)
        return UserError(Wrong.ALTERED_FROM, path=path, line=line, command=self.going_on)

    def fault_lines(self) -> Iterator[str]:
        """Yield the lines of the list of faults."""
        path = self.path / FAULTS
        if path.exists():
            with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
                yield from file

    def mend_faults(self, games: int) -> None:
        """Keep the faults of the first ``games`` games alone."""
        path = self.path / FAULTS
        if not path.exists():
            return
        kept = []
        for number, line in enumerate(path.read_bytes().split(b"\n")[:-1], 1):
            with self._fault_read(number):
                if files.plain(line)["game"] <= games:
                    kept.append(line + b"\n")
        files.replace(path, b"".join(kept), files.COMMON)

    def mend_records(self, games: range) -> None:
        """Keep the records of these games (from 0) alone, and nothing that is half written."""
        for path in (self.path / RECORDS).glob(f"game-*{SUFFIX}*"):
            number = path.name.removeprefix("game-").removesuffix(SUFFIX)
            if not number.isdecimal() or int(number) - 1 not in games:
                path.unlink()

    def write_record(self, number: int, content: bytes) -> None:
        """Keep the record of game ``number`` (from 0)."""
        files.replace(self.record(number), content)

    def records(self) -> Iterator[tuple[int, bytes]]:
        """Yield the numbers (from 0) and records of the games of which they are kept."""
        for path in sorted((self.path / RECORDS).glob(f"game-*{SUFFIX}")):
            yield int(path.stem.removeprefix("game-")) - 1, path.read_bytes()

    def record(self, number: int) -> Path:
        """Return where the record of game ``number`` (from 0) is kept, if it is."""
        return self.path / RECORDS / f"game-{number + 1:07d}{SUFFIX}"

    def write(self, name: str, text: str) -> None:
        """Write a file whole or not at all; one that is a link, to anywhere, is one no more."""
        files.renew(self.path / name, text.encode(), files.COMMON)

    def read_timing(self) -> dict[str, Any]:
        """Return what ``timing.json`` says; nothing if it cannot be read."""
        try:
            data = files.plain((self.path / TIMING).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def hash(self) -> str:
        """Return the BLAKE2b hash (32 bytes, hexadecimal) of the table of all games."""
        hasher = blake2b(digest_size=32)
        with self.games.open("rb") as file:
            while block := file.read(1 << 20):
                hasher.update(block)
        return hasher.hexdigest()


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other processes out; the system lets them in again however this one ends.

    Makes the folder if it is missing. ``UserError`` if another process is in there.
    """
    with files.naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("ab") as file:
        if not files.locked(file.fileno()):
            raise UserError(Wrong.IN_USE, folder=str(folder))
        yield


def _told(line: dict[str, Any]) -> str:
    """Return a line of the list of faults in words; those of older versions say less."""
    question, step, at = line.get("question", ""), line.get("step", 0), line.get("at", "")
    fault = Failure(line["bot"], question, line["seat"] - 1, step, line["fault"], at)
    return f"game {line['game']}, {fault}"


def to_json(data: Any) -> str:
    """Return JSON text: equal data, equal text."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _whole_deal(file: BinaryIO, rows: int) -> int:
    """Read the rows of a deal; return their size in bytes, 0 if they are not all there."""
    lines = list(islice(file, rows))
    whole = len(lines) == rows and lines[-1].endswith(b"\n")
    return sum(map(len, lines)) if whole else 0
