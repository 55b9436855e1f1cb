"""Checks of how a game is played: by every driver alike, from every round, by any answer."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from lanplay.check.random_games import few, finish, questions, requests, table_of, unworded, walked
from lanplay.check.seen import phrases
from lanplay.engine.fork import fork
from lanplay.engine.game import Game
from lanplay.engine.plain import Plain, decode, encode
from lanplay.engine.question import Illegal, Question, answers, is_plain_answer, picked
from lanplay.engine.record import Record, RecordError, from_bytes
from lanplay.engine.replay import Replay, boundary
from lanplay.engine.requests import Choose, Deal, Mix, OpenRoll, Roll, Round, Shuffle
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.tournament.income import income_of, listen, sources_of
from lanplay_ai.random_agent import RandomAgent

ODD: Final[tuple[Any, ...]] = (
    *(None, True, -1, 2**63, 1.5, "1", b"1"),
    *((), (1,), ((),), (0, 0), ((0,), ())),
)
"""Answers of a modified program."""
WALKS: Final = 5
SOME: Final = 80
"""Answers that are compared, of questions that have more."""


def repeats(game: Game) -> Iterator[str]:
    """Play twice with one key, at every number of seats."""
    for seats in game.seats:
        ends = [finish(table_of(game, seats, b"twice", turn=seats)).table for _ in range(2)]
        if ends[0].hash() != ends[1].hash():
            yield f"{seats} seats: one key led to two ends: something in the rules is not theirs"
        result = game.result(ends[0])
        parts = (result.scores, result.winners)
        if len(result.scores) != seats or not set(result.winners) <= set(range(seats)):
            yield f"{seats} seats: {result} has not a score for each seat and winners among them"
        elif not all(type(part) is tuple and {*map(type, part)} <= {int} for part in parts):
            yield f"{seats} seats: {result} has no tuples of whole numbers"


def income(game: Game) -> Iterator[str]:
    """Ask what the seats got where, as a tournament does."""
    sources = sources_of(game)
    for seats in game.seats if sources else ():
        simulation = table_of(game, seats, b"income", turn=seats)
        listen(game, simulation.table)
        amounts = income_of(game, finish(simulation).table)
        if [*map(len, amounts)] != [seats] * len(sources):
            yield f"{seats} seats: {amounts} are not a figure for each seat by {', '.join(sources)}"


def elsewhere(game: Game) -> Iterator[str]:
    """Play in two processes, in which sets of text lie in other orders."""
    finish(table_of(game, game.seats[-1], b"here"))  # what fails here as well is told of here
    command = [sys.executable, "-m", "lanplay", "simulate", game.name, "--json", "--games", "3"]
    command += ["--seed", "7", "--bot", "random", "--seats", str(game.seats[-1])]
    here = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    pipe = subprocess.PIPE
    under_way = [
        subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=here | hashed)
        for hashed in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"})
    ]
    hashes, failed = set(), ""
    for process in under_way:
        out, errors = process.communicate()
        if process.returncode:
            failed = errors.strip().rpartition("\n")[2]
        else:
            hashes.add(json.loads(out.splitlines()[-1])["hash"])
    if failed:
        yield failed
    if len(hashes) > 1:
        yield "two processes came to two ends: the rules hang on the order of a set, say, or hash()"


def replays(game: Game) -> Iterator[str]:
    """Play again from what was public."""
    for seats in game.seats:
        played = finish(table_of(game, seats, b"replay", turn=seats))
        record = Record(played.header, tuple(played.referee.history), played.table.hash())
        replay = Replay(game, from_bytes(record.to_bytes()))
        replay.run()
        if game.result(replay.table) != game.result(played.table):
            yield f"{seats} seats: a replay ended with another result"


def forks(game: Game) -> Iterator[str]:
    """Go on from what a seat can see, at the first question of the second round."""
    simulation = table_of(game, game.seats[-1], b"fork")
    for request in requests(simulation):
        if isinstance(request, Choose) and simulation.table.round == 2:
            break
    agents = [RandomAgent(b"f%d" % seat) for seat in range(len(simulation.views))]
    twin = fork(game, simulation.views[0], b"key", agents)
    if twin.table.hash() != simulation.table.hash():
        yield "a fork does not begin with the state that it forks"
    game.result(finish(twin).table)


def copies(game: Game) -> Iterator[str]:
    """Copy at every round, and play on."""
    simulation = table_of(game, game.seats[-1], b"copy")
    t = simulation.table
    kept = [
        (t.copy(), t.hash(), request.number)
        for request in requests(simulation)
        if isinstance(request, Round)
    ]
    for twin, before, number in kept:
        if twin.hash() != before:
            yield f"round {number}: a copy is another state, or changes with its original"


def told(game: Game) -> Iterator[str]:
    """Look whether every round begins in the log, which is headed and dated by that."""
    simulation = table_of(game, game.seats[0], b"told")
    log = simulation.table.log = []
    begun = [each.number for each in requests(simulation) if isinstance(each, Round)]
    said = [event.values.get("number") for event in log if event.id == "round"]
    if said != begun:
        yield f"the rounds {begun} begin, the log has {said}: log_event('round', number=…) in each"


def rounds(game: Game) -> Iterator[str]:
    """Begin a new game at every round."""
    for seats in {game.seats[0], game.seats[-1]}:
        simulation = table_of(game, seats, b"rounds", turn=seats)
        numbers = []
        points: list[tuple[Plain, int]] = []
        for request in requests(simulation):
            if isinstance(request, Round):
                numbers.append(request.number)
                yield from _redealt(game, simulation, request.number, seats)
                points.append((game.snapshot(simulation.table), len(simulation.referee.history)))
        if not game.cards:  # where cards are dealt anew, another game follows
            yield from _complete(game, simulation, points)
        if numbers != list(range(1, len(numbers) + 1)) or not numbers:
            yield f"{seats} seats: rounds are numbered {numbers}, not 1, 2, 3 …"


def _redealt(game: Game, simulation: Any, number: int, seats: int) -> Iterator[str]:
    where = f"{seats} seats, round {number}"
    snapshot = decode(encode(game.snapshot(simulation.table)))
    found = boundary(game, simulation.header, simulation.referee.history, number)
    if found.hash() != simulation.table.hash():
        yield f"{where}: a replay comes to another state"
    anew = table_of(game, seats, b"anew", turn=seats, snapshot=snapshot)
    for request in requests(anew):
        if isinstance(request, Round):
            if request.number != number or game.snapshot(anew.table) != snapshot:
                yield f"{where}: a game begun from its snapshot is somewhere else"
            break
        if not isinstance(request, Shuffle | Deal):
            yield f"{where}: a game begun from its snapshot asks {type(request).__name__} first"
    game.result(finish(anew).table)


def _complete(game: Game, ended: Simulation, points: Sequence[tuple[Plain, int]]) -> Iterator[str]:
    """Play the rest of a game from each snapshot by the same answers: it comes to the same end."""
    history = tuple(ended.referee.history)
    for number, (snapshot, at) in enumerate(points, 1):
        header = replace(ended.header, start=snapshot)
        try:
            Replay(game, Record(header, history[at:], ended.table.hash())).run()
        except RecordError as error:
            yield f"round {number}: a snapshot misses something that the game hangs on: {error}"


def slots(game: Game) -> Iterator[str]:
    """Look at the slot of every roll, shuffle and mix."""
    used: set[tuple[str, Any]] = set()
    for request in requests(table_of(game, game.seats[-1], b"slots")):
        if isinstance(request, Roll | OpenRoll | Shuffle | Mix):
            kind = "dice" if isinstance(request, Roll | OpenRoll) else "cards"
            if (kind, request.at) in used:
                yield f"the slot {request.at} of {kind} is used twice: its luck is the same"
            used.add((kind, request.at))


def odd_answers(game: Game) -> Iterator[str]:
    """Give each kind of question what nobody would."""
    words = game.manifest.words.load()
    prefix = game.manifest.pages.prefix if game.manifest.pages is not None else r"[A-Z]{2}"
    for _view, question in few(table_of(game, game.seats[-1], b"odd"), 1):
        for answer in ODD:
            try:
                question.check(answer)
            except Illegal as illegal:
                if not re.fullmatch(rf"{prefix}-\d+\.\d+", illegal.rule):
                    yield f"{question.name}: {answer!r} is refused by the rule {illegal.rule!r}"
                yield from unworded(words, illegal.message, ["a"] * game.seats[-1])
            except Exception as error:
                yield f"{question.name}: check({answer!r}) raises {error!r}, not Illegal"


def dialogues(game: Game) -> Iterator[str]:
    """Walk through dialogues in several ways."""
    for seats in {game.seats[0], game.seats[-1]}:
        for view, question in few(table_of(game, seats, b"paths", turn=seats)):
            yield from followed(question, view)


def followed(question: Question, view: View[Any]) -> Iterator[str]:
    """Yield what is wrong with the ways through a dialogue."""
    before = view.table.hash()
    only = question.only_answer(view)
    ends = [walked(question, view, turn) for turn in range(WALKS)]
    for answer in {*ends, *(only or ())}:
        if not is_plain_answer(answer):
            yield f"{question.name}: {answer!r} is no answer: a number, None, or a tuple of these"
        try:
            question.check(answer)
            question.check_own(answer, view)
        except Illegal as illegal:
            yield f"{question.name}: the dialogue ends with {answer!r}, refused: {illegal}"
        else:
            yield from _way_back(question, view, answer)
    if view.table.hash() != before:
        yield f"{question.name}: whoever looks at its answers changes the table"
    if only is not None and set(ends) != set(only):
        yield f"{question.name}: only_answer says {only[0]!r}, the dialogue ends with {ends}"
    if only is None and len(set(islice(answers(question, view), 2))) == 1:
        yield f"{question.name}: there is one answer, and only_answer does not tell it"


def _way_back(question: Question, view: View[Any], answer: Any) -> Iterator[str]:
    """Look whether ``path`` leads through the dialogue to an answer: hints are told by it."""
    path = question.path(view, answer)
    try:
        picked(question, view, answer)
        dialogue = question.dialogue(view)
        next(dialogue)
        for value in path:
            dialogue.send(value)
    except StopIteration as end:
        if end.value == answer:
            return
    except (KeyError, TypeError, ValueError):
        pass
    yield f"{question.name}: path says {path!r}, which does not lead to the answer {answer!r}"


def defaults(game: Game) -> Iterator[str]:
    """Look at the answers that nobody decides, of lost seats and of dice that stay closed."""
    for _view, question in questions(table_of(game, game.seats[0], b"defaults")):
        default, unseen = question.default_answer(), question.unseen_answer()
        if game.manifest.passes and default is None:
            yield f"{question.name}: the game passes, and there is no default_answer"
        for name, found in (("default_answer", default), ("unseen_answer", unseen)):
            if found is not None and (type(found) is not tuple or len(found) != 1):
                yield f"{question.name}: {name} says {found!r}, not an answer in a tuple"
                continue
            try:
                for answer in found or ():
                    question.check(answer)
            except Illegal as illegal:
                yield f"{question.name}: {name} {found!r} is refused: {illegal}"


def cups(game: Game) -> Iterator[str]:
    """Ask without the dice, as whoever takes over a seat is asked whose hand stays hidden."""
    for view, question in questions(table_of(game, game.seats[0], b"cups")):
        cup = view.cup
        if not cup:
            continue
        before = list(islice(answers(question, view), SOME))
        view.cup = ()
        try:
            if not question.needs_cup and list(islice(answers(question, view), SOME)) != before:
                yield f"{question.name}: needs_cup is False, and its answers hang on the dice"
            yield from followed(question, view)
        finally:
            view.cup = cup


def hands(game: Game) -> Iterator[str]:
    """Ask without the cards, as whoever takes over a seat is asked whose hand stays hidden."""
    words, names = game.manifest.words.load(), ["x"] * game.seats[-1]
    told: set[str] = set()
    for view, question in questions(table_of(game, game.seats[-1], b"hands")):
        if not view.own or question.name in told:
            continue
        own, view.own = view.own, {}
        try:
            for turn in range(WALKS):
                question.check(walked(question, view, turn))
            for phrase in phrases(view, question):
                words.word(phrase, names)
        except Exception as error:
            told.add(question.name)
            yield f"{question.name}: nobody answers it without seeing the hand: {error!r}"
        finally:
            view.own = own
