"""Input lines that can be waited for."""

from __future__ import annotations

import io

from lanplay.cli.lines import Lines


def test_waiting_takes_no_line():
    """Whoever waits and gives up leaves the line to the next reader; the end stays the end."""
    lines = Lines(io.StringIO("one\ntwo\n"))
    lines.wait()
    assert lines.readline() == "one\n"
    lines.wait()
    lines.wait()
    assert lines.readline() == "two\n"
    assert [lines.readline(), lines.readline()] == ["", ""]
