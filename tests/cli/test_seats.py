"""A person who is slow, goes away or comes back: who answers for the seat, and what is said."""

from __future__ import annotations

import io
from queue import SimpleQueue

import pytest
import trio
import trio.testing

from lanplay.cli.console import Console
from lanplay.cli.lines import Lines
from lanplay.cli.plain import PlainUI
from lanplay.cli.seats import Seats
from lanplay.errors import UserError
from protocol.replica.house import House
from tests.replica.harness import GAME, Table, roster


class Playing:
    """What a person's commands reach."""

    def __init__(self):
        self.said = []
        self.missing = {1}
        self.watchers = ("Cyril",)

    def set_away(self, away):
        self.said.append(("away", away))

    def hurry(self, place):
        self.said.append(("hurry", place))

    def wait(self, place):
        self.said.append(("wait", place))

    def anew(self):
        raise ValueError("enough are here")


class Keyboard:
    """A stream whose lines come when they are typed."""

    def __init__(self):
        self.lines = SimpleQueue()

    def readline(self):
        return self.lines.get()


def keeps(replica):
    return any(question.name == "keep" for _, question in replica._questions())


class Person:
    """A seat whose person types into a pipe, at its first question."""

    def __init__(self, idle=0):
        table = Table(roster(3, house=House(bot="steady", idle=idle)), seed=b"seat")
        table.start()
        replica = table.replicas[0]
        table.run(lambda t: keeps(replica), seconds=600)
        ((self.seat, self.question),) = replica._questions()
        self.view = replica.views[self.seat]
        self.keyboard = Keyboard()
        lines = Lines(self.keyboard)
        self.out = io.StringIO()
        ui = PlainUI(GAME, replica.roster.names, lines, self.out)
        self.console = Console(lines, ui)
        self.seats = Seats(replica, {}, self.console, False)
        self.playing = Playing()
        commands = self.seats.commands(self.playing)
        self.console.commands = lambda: commands

    def type(self, text):
        self.keyboard.lines.put(text)

    def command(self, line):
        return self.console.obey(line)

    async def answer(self):
        answer = await self.seats.answer(self.seat, self.view, self.question, "")
        self.question.check(answer)
        return answer


@pytest.fixture
def person():
    return Person()


async def test_a_persons_line_is_the_answer(person):
    """What is typed while a question is asked goes to it."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.seats.listen)
        person.type("1\n")
        assert await person.answer() == ((0,), ())
        nursery.cancel_scope.cancel()


async def test_an_ai_answers_for_who_is_away_until_it_is_back(person):
    """away answers the open question at once, and the later ones; back asks the person again."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.answer)
        await trio.testing.wait_all_tasks_blocked(0.01)
        assert person.command("away")
    await person.answer()
    assert person.playing.said == [("away", True)]
    assert person.command("back")
    with trio.move_on_after(0.05) as patience:
        await person.answer()
    assert patience.cancelled_caught


async def test_an_idle_person_is_answered_for(autojump_clock):
    """After the table's seconds the person's own program lets an AI answer, and says so."""
    person = Person(idle=30)
    began = trio.current_time()
    await person.answer()
    assert trio.current_time() - began >= 30
    assert "You have not answered for 30 s" in person.out.getvalue()


async def test_a_prompt_that_ends_takes_no_line_with_it(person):
    """A question that is withdrawn leaves what is typed afterwards to the next one."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.seats.listen)
        with trio.move_on_after(0.05):
            await person.answer()
        person.type("2\n")
        assert await person.answer() == ((1,), ())
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("help", "hurry NAME"),
        ("who", "seat 1: peer 1 (missing)"),
        ("hurry nobody", "Nobody here is called 'nobody'"),
        ("anew", "enough are here"),
    ],
)
def test_commands_answer_in_words(person, line, said):
    """Every command says what it did or why it could not."""
    assert person.command(line)
    assert said in person.out.getvalue()


def test_hurry_and_wait_name_a_peer(person):
    """Names are those that the table shows."""
    assert person.command("hurry peer 1")
    assert person.command("wait peer 2")
    assert person.playing.said == [("hurry", 1), ("wait", 2)]


def test_other_lines_are_no_commands(person):
    """Numbers are answers; q leaves."""
    assert not person.command("1 2")
    assert not person.command("hurry")
    with pytest.raises(UserError, match="left the game"):
        person.command("q")
