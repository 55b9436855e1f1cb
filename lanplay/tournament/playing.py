"""Playing deals: what a worker does, in whatever process of whatever machine it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.record import AUTO, Header, Record
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.garbage import seldom_collected
from lanplay.tournament.bots import Contestant, Hidden, seated
from lanplay.tournament.income import income_of, listen, sources_of
from lanplay.tournament.outcome import FinishedGame, to_csv
from lanplay.tournament.plan import TournamentPlan
from lanplay.tournament.schedule import LineUp, deal_size, line_ups
from lanplay.tournament.tally import Tally
from lanplay.tournament.timing import DecisionTimes
from lanplay_ai.guard import Failure, noted
from lanplay_ai.outside.program import Words, kept


@dataclass(frozen=True, slots=True)
class Task:
    """Deals to play: ``first`` to ``last`` - 1. ``records`` asks for the record of every game.

    With ``hidden`` folders bots from outside are within walls.
    """

    plan: TournamentPlan
    first: int
    last: int
    records: bool = False
    hidden: Hidden | None = None


@dataclass(slots=True)
class Batch:
    """What became of a task: the rows of each deal, and everything added up.

    ``records`` holds the records asked for and those of games with faults, by game number (from 0);
    ``faults`` each fault with its game and entrant (from 0). ``complaints`` are what was not shown
    where it was played. ``seconds`` says how long it took.
    """

    task: Task
    rows: list[str]
    tally: Tally
    timing: DecisionTimes
    records: dict[int, bytes] = field(default_factory=dict)
    faults: list[tuple[int, int, Failure]] = field(default_factory=list)
    complaints: list[Words] = field(default_factory=list)
    seconds: float = 0.0


@seldom_collected()
def play(task: Task) -> Batch:
    """Play the deals of a task; the same task, the same batch but for its timing."""
    begun = perf_counter()
    plan = task.plan
    game = load(plan.game)
    empty = Tally.empty(plan, sources_of(game))
    batch = Batch(task, [], empty, DecisionTimes.empty(len(plan.entrants)))
    for deal in range(task.first, task.last):
        outcomes = []
        for place, line_up in enumerate(line_ups(plan, deal)):
            number = deal * deal_size(plan) + place
            outcomes.append(_one_game(batch, game, number, deal, line_up))
        batch.rows.append(to_csv(outcomes, plan.labels))
        batch.tally.add(outcomes)
    batch.complaints = [kept.popleft() for _ in range(len(kept))]
    batch.seconds = perf_counter() - begun
    return batch


def _one_game(batch: Batch, game: Game, number: int, deal: int, line_up: LineUp) -> FinishedGame:
    plan = batch.task.plan
    agents = seated(plan, deal, line_up, batch.task.hidden)
    simulation = simulate(plan, game, plan.luck(deal, number), line_up, agents)
    outcome = outcome_of(game, simulation, number, deal, line_up, agents)
    for seat, entrant in enumerate(line_up):
        batch.timing.add(entrant, agents[seat])
        batch.faults += [(number, entrant, fault) for fault in agents[seat].faults]
    if batch.task.records or any(outcome.faults):
        faults = [fault for agent in agents for fault in agent.faults]
        batch.records[number] = noted(record_of(simulation), faults).to_bytes()
    return outcome


def simulate(
    plan: TournamentPlan, game: Game, luck: bytes, line_up: LineUp, agents: Sequence[Contestant]
) -> Simulation:
    """Play one game to its end by its luck (see ``TournamentPlan.luck``)."""
    names = tuple([plan.labels[entrant] for entrant in line_up])
    header = Header(game.name, dict(plan.options), names, luck, rules=bytes.fromhex(plan.rules))
    simulation = Simulation(game, header, agents, Chance(luck), judged=True)
    listen(game, simulation.table)
    simulation.run()
    return simulation


def outcome_of(
    game: Game,
    simulation: Simulation,
    number: int,
    deal: int,
    line_up: LineUp,
    agents: Sequence[Contestant],
) -> FinishedGame:
    """Return how a finished game ended."""
    table = simulation.table
    result = game.result(table)
    return FinishedGame(
        number=number,
        deal=deal,
        line_up=line_up,
        scores=result.scores,
        places=result.places,
        rounds=table.round,
        decisions=tuple([agent.decisions for agent in agents]),
        faults=tuple([len(agent.faults) for agent in agents]),
        state=table.hash().hex()[:16],
        income=income_of(game, table),
    )


def record_of(simulation: Simulation) -> Record:
    """Return the record of a finished game."""
    header, history = simulation.header, tuple(simulation.referee.history)
    return Record(header, history, simulation.table.hash(), extra={AUTO: header.seats[0]})
