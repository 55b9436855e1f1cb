"""Input lines that can be waited for."""

from __future__ import annotations

import io

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
