"""Bots that fail: simpler ones answer, what was wrong is named, and the game goes on."""

from __future__ import annotations

import asyncio
import re

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.question import Illegal
from lanplay.engine.record import FAILURES, Header, Record, from_bytes
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay_ai.bot import Bot
from lanplay_ai.guard import STRIKES, Failure, First, Guarded, noted


def fails(view, question):
    return [][view.seat]


def breaks_rules(view, question):
    return ((-1,), "no answer")


def breaks_off(view, question):
    raise RecursionError


def raises_what_cannot_be_told(view, question):
    raise Illegal("", "")


def answers_no_number(view, question):
    return 10**5000


def says_what_no_file_takes(view, question):
    raise ValueError("\x1b[31m\udc80" + "x" * 10_000)


def cannot_be_told(view, question):
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

    raise Mute


MORE = [answers_no_number, says_what_no_file_takes, cannot_be_told]


def leaves(view, question):
    raise SystemExit(3)


def is_cancelled(view, question):
    raise asyncio.CancelledError


DEEDS = [fails, breaks_rules, breaks_off, raises_what_cannot_be_told, leaves, is_cancelled]


class Faulty:
    """Does a deed from its third question on; until then it answers at random."""

    def __init__(self, deed, key=b"", game="dice-town", sound=2):
        self.bot, self.deed, self.sound = ai.make("random", key, game), deed, sound
        self.asked = 0

    def answer(self, view, question):
        self.asked += 1
        if self.asked > self.sound:
            return self.deed(view, question)
        return self.bot.answer(view, question)


def plant(monkeypatch, game, name, make):
    """Have ``make`` make one of the own bots of a game."""
    monkeypatch.setitem(ai.ours(game), name, Bot("", make, "strong"))


def play(agents, game="dice-town", seed=b"guard"):
    rules = load(game)
    header = Header(game, {}, ("x",) * len(agents), seed)
    simulation = Simulation(rules, header, agents, Chance(seed), judged=True)
    simulation.run()
    return simulation


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("deed", DEEDS)
def test_a_bot_of_ones_own_that_fails_ends_no_game(monkeypatch, game, deed):
    """Whatever it does wrong, the beginner answers, and after three faults at once."""
    made = []

    def make(key):
        made.append(Faulty(deed, key, game))
        return made[-1]

    plant(monkeypatch, game, "strong", make)
    seats = load(game).seats[0]
    bots = [ai.guarded("strong", b"%d" % seat, game) for seat in range(seats)]
    play(bots, game)
    for seat, bot in enumerate(bots):
        assert made[seat].asked == 2 + STRIKES
        assert [(fault.bot, fault.seat) for fault in bot.faults] == [("strong", seat)] * STRIKES
        assert [fault.step for fault in bot.faults] == sorted(fault.step for fault in bot.faults)


@pytest.mark.parametrize("game", NAMES)
def test_where_the_simplest_bot_fails_too_the_question_gives_an_answer(monkeypatch, game):
    """A game of bots that all fail, whose stand-ins fail as well, comes to its end."""
    for name in ("strong", "beginner"):
        plant(monkeypatch, game, name, lambda key: Faulty(fails, sound=0))
    bots = [ai.guarded("strong", b"", game) for _ in range(load(game).seats[-1])]
    played = play(bots, game)
    first = play([First() for _ in bots], game)
    assert played.referee.history == first.referee.history
    for bot in bots:
        assert [fault.bot for fault in bot.faults] == ["strong", "beginner"] * STRIKES


def test_ctrl_c_is_no_fault_of_the_bot_that_thinks():
    """It ends the run."""

    def interrupted(view, question):
        raise KeyboardInterrupt

    bot = Guarded("x", Faulty(interrupted))
    with pytest.raises(KeyboardInterrupt):
        play([bot, ai.make("random", b"", "dice-town")])
    assert not bot.faults


def test_a_bot_that_cannot_be_made_is_at_fault(monkeypatch):
    """The game begins all the same, also where the stand-in cannot be made either."""

    def make(key):
        raise ZeroDivisionError("no bot")

    plant(monkeypatch, "dice-town", "strong", make)
    plant(monkeypatch, "dice-town", "beginner", make)
    bot = ai.guarded("strong", b"", "dice-town")
    play([bot, ai.make("random", b"", "dice-town")])
    assert {fault.why for fault in bot.faults} == {"ZeroDivisionError: no bot"}


def test_a_fault_says_where_in_the_game_and_in_the_code():
    """Bot, question, seat, step and the lines of code: what is needed to come there again."""
    bot = Guarded("odd", Faulty(fails))
    game = play([ai.make("random", b"", "dice-town"), bot])
    fault = bot.faults[0]
    assert (fault.bot, fault.seat, fault.why) == ("odd", 1, "IndexError: list index out of range")
    assert re.match(r"ai/test_guard.py:\d+ ai/test_guard.py:\d+ ", fault.at)
    entry = game.referee.history[fault.step]
    assert isinstance(entry, tuple)
    assert re.fullmatch(r"\w+, seat 2, step \d+: IndexError: list index .* \[.*\]", str(fault))
    assert bot.told()[0].startswith("The bot odd has failed; a simpler one answers")
    assert bot.told() == []


def test_the_record_names_who_failed_and_is_as_ever_where_nobody_did():
    """Faults stand in ``extra``; the bytes of other records are what they were."""
    bot = Guarded("odd", Faulty(fails))
    game = play([bot, First()])
    record = Record(game.header, game.referee.history, game.table.hash())
    kept = from_bytes(noted(record, bot.faults).to_bytes())
    assert [Failure(**fault) for fault in kept.extra[FAILURES]] == bot.faults
    assert noted(record, []) is record


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("deed", MORE)
def test_what_a_bot_says_of_its_fault_harms_nothing(game, deed):
    """Records keep it, a line of a terminal shows it: bounded, printable text."""
    bots = [ai.guard("odd", Faulty(deed, b"", game), b"", game), First()]
    played = play(bots, game)
    record = Record(played.header, played.referee.history, played.table.hash())
    kept = from_bytes(noted(record, bots[0].faults).to_bytes())
    for fault, told in zip(kept.extra[FAILURES], bots[0].told(), strict=True):
        assert fault["why"].isprintable()
        assert len(told) < 500


def test_a_guard_changes_no_answer(monkeypatch):
    """The same game, guarded and not."""
    for game in NAMES:
        plain = play([ai.make("casual", b"%d" % n, game) for n in range(3)], game)
        guarded = play([ai.guarded("casual", b"%d" % n, game) for n in range(3)], game)
        assert plain.referee.history == guarded.referee.history
