"""Input lines that can be waited for."""

from __future__ import annotations

import io
from threading import Event
from types import SimpleNamespace

import trio

from lanplay.engine.game import Result
from lanplay.games import load
from lanplay.lines import front_end
from lanplay.lines.source import Lines
from lanplay.prose import broken


def test_waiting_takes_no_line():
    """Whoever waits and gives up leaves the line to the next reader; the end stays the end."""
    lines = Lines(io.StringIO("one\ntwo\n"))
    lines.wait()
    assert lines.readline() == "one\n"
    lines.wait()
    lines.wait()
    assert lines.readline() == "two\n"
    assert [lines.readline(), lines.readline()] == ["", ""]


async def test_what_is_typed_at_the_end_of_a_game_is_left_to_what_is_asked_there(monkeypatch):
    """The table's commands listened still, and took it: y or Enter had to be typed twice."""
    typed, ended = Event(), trio.Event()
    monkeypatch.setattr(front_end, "at_keyboard", lambda: True)
    desk = front_end.LineFrontEnd()
    desk._lines = Lines(SimpleNamespace(readline=lambda: str(typed.wait() or "")))
    table = desk.table(load("charidice"), ("Ann", "Bob"))

    async def choice(question, how, answers):
        await ended.wait()
        return answers["y"]

    async def listens():
        await table.run()
        ended.set()

    monkeypatch.setattr(front_end, "choice", choice)
    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listens)
            await trio.sleep(0.05)  # its thread waits for a line
            assert await desk.over(Result((1, 0), (0,)), True, None)
    typed.set()


async def test_what_was_typed_before_the_end_does_not_answer_what_is_asked_there(monkeypatch):
    """Enter once too often for the last question ended a host's program: its phones saw no end."""
    monkeypatch.setattr(front_end, "at_keyboard", lambda: True)
    desk = front_end.LineFrontEnd()
    desk._lines = Lines(io.StringIO("\ny\n"))
    desk._lines.wait()

    async def choice(question, how, answers):
        return answers["y" if desk._lines.readline() == "" else ""]

    monkeypatch.setattr(front_end, "choice", choice)
    await trio.sleep(0.05)  # its thread reads on
    assert await desk.over(Result((1, 0), (0,)), True, None)


def test_a_long_line_breaks_between_words_alone(monkeypatch):
    """What is typed elsewhere, an address say, stays in one piece."""
    monkeypatch.setenv("COLUMNS", "40")
    line = "Others on this network: lanplay join   (or: lanplay join 192.168.100.200:41234)"
    parts = broken(line)
    assert all(len(part) < 40 for part in parts)
    assert any("192.168.100.200:41234" in part for part in parts)
    assert broken("") == [""]


def test_what_is_broken_in_a_table_stays_in_its_column(monkeypatch):
    """Help in Czech and Hungarian is broader than in English; prose begins at the left."""
    monkeypatch.setenv("COLUMNS", "40")
    assert broken("new GAME SEATS    open a table; what you leave out") == [
        "new GAME SEATS    open a table; what",
        "                  you leave out",
    ]
    assert broken("The games are: dice-town, charidice, fliptown")[1] == "fliptown"
