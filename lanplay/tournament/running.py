"""The conductor: plays what is missing, merges it in order, and writes what was found out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event
from time import perf_counter
from typing import Any, TypeAlias

from lanplay.engine.game import SHOWN
from lanplay.errors import UserError
from lanplay.games import load
from lanplay.tournament.executor import Feed, Line, Workers
from lanplay.tournament.faults import Wrong
from lanplay.tournament.income import sources_of
from lanplay.tournament.outcome import from_csv
from lanplay.tournament.plan import TournamentPlan
from lanplay.tournament.playing import Batch, Task
from lanplay.tournament.results import results, table, unit_of
from lanplay.tournament.schedule import deal_size
from lanplay.tournament.storage import RESULTS, TIMING, Folder, Goal, to_json
from lanplay.tournament.tally import Tally
from lanplay.tournament.timing import DecisionTimes
from lanplay_ai.guard import Failure
from lanplay_ai.outside.program import hear

Watcher: TypeAlias = Callable[[int, int, int], None]
"""Whoever shows how far a run is: so many games played and written, of so many; faults so far."""


@dataclass(slots=True)
class Run:
    """A tournament under way: what is played, where it is kept, and what is counted so far."""

    plan: TournamentPlan
    goal: Goal
    folder: Folder
    tally: Tally
    timing: DecisionTimes
    seconds: float = 0.0
    watcher: Watcher = lambda games, of, faults: None
    stop: Event = field(default_factory=Event)

    @property
    def finished(self) -> bool:
        """Whether all deals have been played, or the test is clear."""
        return self.tally.deals >= self.goal.last - self.goal.first or self._clear()

    def play(self, workers: Workers) -> None:
        """Play what is missing, until it is finished or ``stop`` is set."""
        begun = perf_counter()
        self._show()
        if not self.finished:
            line = Line(workers, self._feed(workers), self.stop, self.folder.going_on)
            batches = line.batches()
            try:
                for batch in batches:
                    self._merge(batch)
                    self._show()
                    if self.finished:
                        break
            except BaseException as error:
                batches.throw(error)  # nobody waits for the workers
            batches.close()
        self.seconds += perf_counter() - begun

    def found(self) -> dict[str, Any]:
        """Return the results of what was played."""
        return results(self.plan, self.goal, self.tally, self.folder.hash())

    def write(self, found: dict[str, Any]) -> None:
        """Write the results to all files but the page."""
        self.folder.write(RESULTS, to_json(found))
        self.folder.write("entrants.csv", table(found))
        timing = {"seconds": round(self.seconds, 3), **self.timing.plain()}
        self.folder.write(TIMING, to_json(timing))

    def _feed(self, workers: Workers) -> Feed:
        def task(first: int, last: int) -> Task:
            hidden = self.folder.hidden(self.plan)
            return Task(self.plan, first, last, self.goal.records, hidden)

        goal = self.goal
        most = max(1, (goal.last - goal.first) // (4 * workers.jobs))
        return Feed(task, goal.first + self.tally.deals, goal.last, most)

    def _merge(self, batch: Batch) -> None:
        """Add a batch, or what comes before the deal that makes the test clear."""
        for words in batch.complaints:
            hear(*words)
        if self.goal.sprt is None:
            self._write(batch, batch.rows)
            self.tally.merge(batch.tally)
        else:
            self._write(batch, list(self._until_clear(batch.rows)))
        self.timing.merge(batch.timing)

    def _until_clear(self, deals: Sequence[str]) -> Iterator[str]:
        for rows in deals:
            self.tally.add(list(from_csv(rows.splitlines())))
            yield rows
            if self._clear():
                return

    def _write(self, batch: Batch, deals: Sequence[str]) -> None:
        """Write records and faults first: rows in the table say that a deal is done."""
        end = (batch.task.first + len(deals)) * deal_size(self.plan)
        for number, content in batch.records.items():
            if number < end:
                self.folder.write_record(number, content)
        faults = [_fault(*fault) for fault in batch.faults if fault[0] < end]
        if faults:
            self.folder.append_faults(faults)
        self.folder.append(deals)

    def _clear(self) -> bool:
        if self.goal.sprt is None:
            return False
        duel = self.tally.duels[self.goal.sprt.pair]
        return self.goal.sprt.verdict(duel.above, unit_of(duel)) is not None

    def _show(self) -> None:
        games = (self.goal.last - self.goal.first) * deal_size(self.plan)
        self.watcher(self.tally.games, games, sum(each.faults for each in self.tally.entrants))


def begin(plan: TournamentPlan, goal: Goal, folder: Folder) -> Run:
    """Start a run in a folder that holds none yet."""
    sources = sources_of(load(plan.game))
    folder.begin(plan, goal, sources)
    return Run(
        plan, goal, folder, Tally.empty(plan, sources), DecisionTimes.empty(len(plan.entrants))
    )


def check_rules(plan: TournamentPlan, folder: Folder) -> None:
    """Raise ``UserError`` if the rules of the run in a folder are others than those here."""
    game = load(plan.game)
    if plan.rules not in (game.fingerprint.hex(), *game.manifest.same_rules):
        names = {"theirs": f"{plan.game}/{plan.rules[:SHOWN]}", "ours": game.rules_name}
        raise UserError(Wrong.RULES_VERSION, folder=str(folder.path), **names)


def resume(folder: Folder, goal: Goal | None = None) -> Run:
    """Go on with a run, to another goal if one is given.

    ``UserError`` if the folder holds none that this program can go on with.
    """
    plan, old = folder.read_plan()
    check_rules(plan, folder)
    sources = sources_of(load(plan.game))
    deals = folder.mend(plan, sources)
    goal = goal or old
    size = deal_size(plan)
    folder.mend_faults((goal.first + deals) * size)
    folder.mend_records(range(goal.first * size, (goal.first + deals) * size))
    told = folder.read_timing()
    timing = DecisionTimes.of(told, len(plan.entrants))
    seconds = told.get("seconds")
    seconds = seconds if isinstance(seconds, float) else 0.0
    run = Run(plan, goal, folder, Tally.empty(plan, sources), timing, seconds)
    for outcomes in folder.deals(plan, goal.first):
        run.tally.add(outcomes)
    if goal != old:
        folder.write_plan(plan, goal)
    return run


def _fault(number: int, entrant: int, fault: Failure) -> str:
    line = {
        "game": number + 1,
        "seat": fault.seat + 1,
        "entrant": entrant + 1,
        "bot": fault.bot,
        "question": fault.question,
        "step": fault.step,
        "fault": fault.why,
        "at": fault.at,
    }
    return json.dumps(line, ensure_ascii=False) + "\n"


__all__ = ["Run", "Watcher", "begin", "resume"]
