"""Many games, AI against AI, in this process."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from threading import Event
from typing import Any

import lanplay_ai as ai
from lanplay.cli.endings import INTERRUPTED, USAGE, stopping
from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.record import SUFFIX, Header, Record
from lanplay.engine.simulation import Simulation
from lanplay.errors import Fault, UserError
from lanplay.garbage import seldom_collected
from lanplay.language import _, figure
from lanplay.session.requests import (
    SEED,
    TableSetup,
    bot_key,
    derived,
    options_of,
    run_seed,
    seed_bytes,
    table_setup,
)
from lanplay.told import harmless, worded
from lanplay.tournament.progress import shown
from lanplay_ai import plugins
from lanplay_ai.guard import BotsFailed, Failure, Guarded, noted


@dataclass(slots=True)
class LineUpTally:
    """Sums over all games, by place in the line-up."""

    games: int = 0
    decisions: int = 0
    picks: int = 0
    wins: list[float] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    """The first fault of each bot that has one, with the number of its game."""


@seldom_collected()
def simulate(args: argparse.Namespace) -> int:
    """Run ``lanplay simulate``."""
    if args.games < 1:
        raise UserError(Fault.GAMES, count=args.games)
    bots = args.bot or [ai.usual(args.game)]
    table = table_setup(args.game, args.seats, options_of(args.option), bots)
    line_up = line_up_of(bots, args.seats)
    warn(args.game, line_up)
    seed = run_seed(args.seed, line_up, args.game)
    secret = seed_bytes(seed)
    zeros = [0] * args.seats
    tally = LineUpTally(wins=[0.0] * args.seats, scores=zeros[:], faults=zeros)
    everything, unkept, stop = blake2b(digest_size=32), "", Event()
    told = _("Finishing the game under way; Ctrl-C again ends at once.")
    begun = time.perf_counter()
    try:
        with stopping(stop, told), shown(quiet=not sys.stderr.isatty()) as watch:
            for number in range(args.games):
                game = one_game(table, line_up, secret, number)
                count(tally, game, table, number)
                everything.update(game.table.hash())
                if args.record and not unkept:
                    unkept = keep(game, Path(args.record), number + 1)
                watch(tally.games, args.games, sum(tally.faults))
                if stop.is_set():
                    break
    finally:
        if seed not in (args.seed, SEED):
            drawn = _("The seed of this run was random; to repeat the run: --seed {seed}")
            print(drawn.format(seed=seed), file=sys.stderr)
    seconds = time.perf_counter() - begun
    if stopped := tally.games < args.games:
        cut = _("Stopped after {games} of {of} games.")
        print(cut.format(games=tally.games, of=args.games))
    report(table, seed, line_up, tally, everything.hexdigest(), seconds, args.json)
    own = [f"{bot}: {fault}" for bot, fault in tally.said.items() if ai.own(bot, args.game)]
    if unkept:
        print(f"lanplay: {worded(unkept)}", file=sys.stderr)
    if stopped:
        return INTERRUPTED
    if own:
        raise BotsFailed(*own)
    return USAGE if unkept else 0


def warn(game: str, bots: Iterable[str]) -> None:
    """Tell of bots of other packages that are not used, as one of these has their name."""
    for told in plugins.astray([f"{game}.{bot}" for bot in bots]):
        print(worded(told), file=sys.stderr)


def line_up_of(bots: list[str], seats: int) -> list[str]:
    """Return a bot for each seat: one for all, or one named for each."""
    if len(bots) == 1:
        return bots * seats
    if len(bots) != seats:
        raise UserError(Fault.LINE_UP, bots=len(bots), seats=seats)
    return bots


def one_game(table: TableSetup, line_up: list[str], seed: bytes, number: int) -> Simulation:
    """Play game ``number``: the line-up moves on by one seat with every game."""
    seats = table.seats
    names = tuple(line_up[(seat + number) % seats] for seat in range(seats))
    luck = derived(seed, "game", number)
    header = Header(table.game.name, table.options, names, luck)
    agents = []
    for seat, name in enumerate(names):
        key = bot_key(seed, name, header.game, "bot", number, seat)
        agents.append(ai.guarded(name, key, header.game))
    game = Simulation(table.game, header, agents, Chance(luck), judged=True)
    game.run()
    return game


def faults(agent: Agent) -> list[Failure]:
    """Return what was wrong with a bot in a game."""
    return agent.faults if isinstance(agent, Guarded) else []


def count(tally: LineUpTally, game: Simulation, table: TableSetup, number: int) -> None:
    """Add a game to the sums."""
    result = table.game.result(game.table)
    tally.games += 1
    tally.decisions += game.decisions
    tally.picks += game.picks
    for seat, score in enumerate(result.scores):
        place = (seat + number) % table.seats
        tally.scores[place] += score
        tally.wins[place] += result.share(seat)
        for fault in faults(game.agents[seat]):
            tally.faults[place] += 1
            tally.said.setdefault(fault.bot, f"game {number + 1}, {fault}")


def keep(game: Simulation, folder: Path, number: int) -> str:
    """Write the record of a game; return what to tell if the disk refuses."""
    path = folder / f"game-{number:06d}{SUFFIX}"
    header = replace(game.header, rules=game.referee.game.fingerprint)
    record = Record(header, game.referee.history, game.table.hash())
    try:
        noted(record, [each for agent in game.agents for each in faults(agent)]).save(path)
    except OSError as error:
        return Fault.RECORDS_LOST.of(number=number, path=str(path), why=error.strerror)
    return ""


def report(
    table: TableSetup,
    seed: int,
    line_up: list[str],
    tally: LineUpTally,
    digest: str,
    seconds: float,
    as_json: bool,
) -> None:
    """Print rates, scores and the hash over all games."""
    rates: dict[str, Any] = {
        "game": table.game.name,
        "games": tally.games,
        "seats": table.seats,
        "seed": seed,
        "bots": line_up,
        "games_per_second": round(tally.games / seconds, 1),
        "decisions_per_second": round(tally.decisions / seconds),
        "picks_per_second": round(tally.picks / seconds),
        "mean_scores": [round(score / tally.games, 3) for score in tally.scores],
        "win_shares": [round(wins / tally.games, 4) for wins in tally.wins],
        "faults": tally.faults,
        "hash": digest,
    }
    pace = _("Games: {games} in {seconds} s: {rate} games/s, {decisions} decisions/s")
    print(
        pace.format(
            games=tally.games,
            seconds=figure(seconds),
            rate=figure(rates["games_per_second"]),
            decisions=rates["decisions_per_second"],
        )
    )
    if tally.picks > tally.decisions:
        turns = _("A decision here is a whole turn, {mean} picks on the average: {picks} picks/s")
        mean = figure(tally.picks / tally.decisions, ".2f")
        print(turns.format(mean=mean, picks=rates["picks_per_second"]))
    names = [harmless(bot) for bot in line_up]
    width = max(map(len, names))
    for place, bot in enumerate(names):
        mean, share = rates["mean_scores"][place], rates["win_shares"][place]
        row = _("mean score {mean}   wins {share}")
        told = row.format(mean=figure(mean, "7.2f"), share=figure(share, "6.1%"))
        print(f"  {place + 1}. {bot:<{width}}  {told}")
        if tally.faults[place]:
            stood_in = _("faults: {count}; a beginner answered instead")
            print(f"     {stood_in.format(count=tally.faults[place])}")
    for bot, fault in tally.said.items():
        text = _("first fault of {bot}: {fault}").format(bot=bot, fault=fault)
        print(text, file=sys.stderr)
    print(_("Hash over all games: {hash}").format(hash=digest))
    if as_json:
        import json

        print(json.dumps(rates))
