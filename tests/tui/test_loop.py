"""The loops: keys of a pipe reach the stage; every end leaves trio done and the screen closed."""

from __future__ import annotations

import io
import os
import runpy
import signal

import pytest
import trio
from prompt_toolkit.data_structures import Size as Terminal
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.output.vt100 import Vt100_Output

from lanplay.engine.question import answers
from lanplay.tui import loop
from lanplay.tui.cells import Size, line, plain
from lanplay.tui.loop import run
from lanplay.tui.stage import Stage
from lanplay.tui.theme import LOOKS, PALETTES, depth, style, suiting
from tests.tui.harness import CALM, NAMES, Person, position, scene_of
from tests.tui.test_decision import KINDS


class Board:
    """A screen that shows the keys it was given."""

    def __init__(self):
        self.keys = []
        self.news = trio.Event()

    def lines(self, size):
        keys = f"keys: {' '.join(self.keys)}"
        return [line("no key ", ("cursor", "here", "clicked")), line(keys)]

    def press(self, key):
        self.keys.append(key)
        self.news.set()
        self.news = trio.Event()


class Terminals:
    """A pipe for keys and a string for what is drawn."""

    def __init__(self, pipe):
        self.pipe = pipe
        self.text = io.StringIO()
        self.size = Terminal(rows=24, columns=80)
        self.output = Vt100_Output(self.text, lambda: self.size, enable_cpr=False)

    def run(self, stage, main):
        return run(stage, main, style("dark"), depth("256", {}), self.pipe, self.output)

    @property
    def drawn(self):
        return self.text.getvalue()

    @property
    def restored(self):
        """The alternate screen is left as often as entered, and the cursor is shown."""
        into, out = self.drawn.count("\x1b[?1049h"), self.drawn.count("\x1b[?1049l")
        return into == out == 1 and self.drawn.rindex("\x1b[?25h") > self.drawn.rindex("\x1b[?25l")


@pytest.fixture
def terminal():
    with create_pipe_input() as pipe:
        yield Terminals(pipe)


def board(stage):
    screen = Board()
    stage.push(screen)
    return screen


async def drawn(terminal, text):
    """Wait until a text has been written to the terminal."""
    while text not in terminal.drawn:  # noqa: ASYNC110  # a terminal has no events
        await trio.sleep(0.001)


def test_keys_come_in_order_by_their_names(terminal):
    """Letters, arrows, Enter, Escape, a pasted text and a click are keys."""
    stage = Stage(CALM)

    async def main():
        screen = board(stage)
        terminal.pipe.send_text("a\x1b[A\x1b[6~\r")
        terminal.pipe.send_text("\x1b[200~pq\n\x1b[201~")
        while len(screen.keys) < 5:
            await screen.news.wait()
        terminal.pipe.send_text("\x1b")
        while len(screen.keys) < 6:
            await screen.news.wait()
        return screen.keys

    keys = terminal.run(stage, main)
    assert keys == ["a", "up", "pagedown", "enter", "paste pq\n", "escape"]
    assert terminal.restored


def test_a_click_is_a_key(terminal):
    """What stands for a key is that key when the mouse is released on it."""
    stage = Stage(CALM)

    async def main():
        screen = board(stage)
        await drawn(terminal, "keys:")
        terminal.pipe.send_text("\x1b[<0;2;1M\x1b[<0;2;1m")
        terminal.pipe.send_text("\x1b[<0;10;1M\x1b[<0;10;1m")
        with trio.fail_after(30):
            while not screen.keys:
                await screen.news.wait()
        return screen.keys

    assert terminal.run(stage, main) == ["clicked"]


def test_what_has_changed_is_drawn(terminal):
    """A key that changes the screen is on the terminal, and nobody has to ask for it."""
    stage = Stage(CALM)

    async def main():
        board(stage)
        with trio.fail_after(30):
            await drawn(terminal, "keys:")
            terminal.pipe.send_text("Z")
            await drawn(terminal, "Z")

    terminal.run(stage, main)


def test_results_and_errors_come_out_of_the_loop(terminal):
    """What main raises is what the loop raises, with the terminal restored."""

    async def failing():
        raise ValueError("broken")

    with pytest.RaisesGroup(ValueError):
        terminal.run(Stage(CALM), failing)
    assert terminal.restored


def test_errors_of_keys_come_out_too(terminal):
    """A key that cannot be handled ends the program as any other fault."""
    stage = Stage(CALM)

    class Bad(Board):
        def press(self, key):
            raise RuntimeError(key)

    async def main():
        stage.push(Bad())
        terminal.pipe.send_text("x")
        await trio.sleep_forever()

    with pytest.RaisesGroup(RuntimeError):
        terminal.run(stage, main)
    assert terminal.restored


def test_errors_of_drawing_come_out_too(terminal):
    """A screen that cannot be drawn ends the program: nobody sits before a blank terminal."""
    stage = Stage(CALM)

    class Bad(Board):
        def lines(self, size):
            raise RuntimeError("no lines")

    async def main():
        stage.push(Bad())
        await trio.sleep_forever()

    with pytest.raises(RuntimeError, match="no lines"):
        terminal.run(stage, main)
    assert terminal.restored


def test_ctrl_c_cancels_trio_first(terminal):
    """Main's cleanup has run before KeyboardInterrupt comes out."""
    stage, cleaned = Stage(CALM), []

    async def main():
        board(stage)
        terminal.pipe.send_text("\x03")
        try:
            await trio.sleep_forever()
        finally:
            cleaned.append(True)

    with pytest.raises(KeyboardInterrupt):
        terminal.run(stage, main)
    assert cleaned
    assert terminal.restored


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_sigterm_ends_in_order(terminal):
    """Exit status 143, and the terminal is restored."""

    async def main():
        os.kill(os.getpid(), signal.SIGTERM)
        await trio.sleep_forever()

    with pytest.raises(SystemExit) as end:
        terminal.run(Stage(CALM), main)
    assert end.value.code == 128 + signal.SIGTERM
    assert terminal.restored


def test_ctrl_break_of_windows_ends_in_order(monkeypatch):
    """Left to the system it would end the program amid a screen that nobody takes away."""
    monkeypatch.setattr(signal, "SIGBREAK", 21, raising=False)
    assert 21 in runpy.run_path(loop.__file__)["SIGNALS"]


def test_a_mouse_of_an_older_windows_console_is_no_key(terminal):
    """It comes as a key that is none of a person's, also where the mouse is only moved."""
    stage, board = Stage(CALM), Board()

    async def main():
        stage.push(board)
        keys = stage.redraw.__self__.key_processor
        keys.feed(KeyPress(Keys.WindowsMouseEvent, "NONE;MOUSE_MOVE;3;4"))
        keys.feed(KeyPress("a"))
        keys.process_keys()
        await board.news.wait()

    terminal.run(stage, main)
    assert board.keys == ["a"]


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_a_terminal_that_tells_of_its_size_is_not_looked_at(terminal):
    """A screen at rest wakes for nothing; the signal is all that a resize needs."""
    stage, looks = Stage(CALM), []
    terminal.output.get_size = lambda: looks.append(terminal.size) or terminal.size

    async def main():
        stage.push(Board())
        await trio.sleep(0.3)
        drawn = len(looks)
        await trio.sleep(0.7)
        assert len(looks) == drawn
        terminal.size = Terminal(rows=30, columns=100)
        os.kill(os.getpid(), signal.SIGWINCH)
        for _ in range(600):
            await trio.sleep(0.01 if len(looks) == drawn else 0.0)
        assert looks[-1].columns == 100

    terminal.run(stage, main)


def test_a_resize_is_drawn(terminal):
    """At any size something is shown, and nothing breaks."""
    stage = Stage(CALM)
    played, view, _question = position("keep")

    async def main():
        table = Person.table(type("Seat", (), {"stage": stage})(), NAMES[:4])
        table.sees(lambda: scene_of(played, view))
        stage.push(table)
        for columns, rows in ((80, 24), (40, 10), (1, 1), (200, 60), (80, 24)):
            terminal.size = Terminal(rows=rows, columns=columns)
            stage.redraw()
            for _ in range(20):
                await trio.lowlevel.checkpoint()
            assert len(stage.lines(Size(columns, rows))) <= max(rows, 1)

    terminal.run(stage, main)
    assert terminal.restored


@pytest.mark.parametrize("kind", KINDS)
def test_every_question_is_answered_through_a_terminal(terminal, kind):
    """Bytes of a real key stream lead to a legal answer."""
    stage = Stage(CALM)
    played, view, question = position(kind)

    async def main():
        table = Person.table(type("Seat", (), {"stage": stage})(), NAMES[:4])
        table.sees(lambda: scene_of(played, view))
        given = []

        async def type_away(scope):
            for number in "1234" * 8:
                terminal.pipe.send_text("\r")
                terminal.pipe.send_text(number)
                await trio.sleep(0.001)
            scope.cancel()

        with table.showing():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(type_away, nursery.cancel_scope)
                given.append(await table.answer(view, question))
                nursery.cancel_scope.cancel()
        return given

    (answer,) = terminal.run(stage, main)
    assert answer in set(answers(question, view))
    assert terminal.restored


def test_what_is_said_to_nobody_is_printed_at_the_end(terminal, capsys):
    """Lines for which no screen is open are for the terminal after the end."""
    stage = Stage(CALM)

    async def main():
        stage.say("The game is kept.")

    terminal.run(stage, main)
    assert capsys.readouterr().err == "The game is kept.\n"


def test_what_is_said_is_shown_on_the_topmost_screen_that_hears():
    """Screens that lie under it, and those that hear nothing, do not get it."""

    class Hears:
        def __init__(self):
            self.heard = []

        def say(self, text):
            self.heard.append(text)

        def lines(self, size):
            return []

        def press(self, key):
            pass

    class Deaf:
        lines = press = None

    stage, below, above = Stage(CALM), Hears(), Hears()
    stage.screens = [below, above, Deaf()]
    stage.say("one")
    stage.pop(above)
    stage.say("two")
    assert (below.heard, above.heard, stage.parting) == (["two"], ["one"], [])


@pytest.mark.parametrize("palette", PALETTES)
def test_every_palette_knows_every_role(palette):
    """A role without a colour has its shape."""
    assert {name for name, _look in style(palette).style_rules} == LOOKS.keys()


def test_no_colours_are_one_bit():
    """``none`` leaves weight and reverse video; a wish counts before the environment."""
    assert depth("none", {}).value == "DEPTH_1_BIT"
    assert depth("256", {"NO_COLOR": "1", "TERM": "dumb"}).value == "DEPTH_8_BIT"


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        ({"TERM": "xterm-256color"}, "DEPTH_8_BIT"),
        ({"TERM": "tmux-256color", "COLORTERM": "truecolor"}, "DEPTH_8_BIT"),
        ({"TERM": "linux"}, "DEPTH_4_BIT"),
        ({"TERM": "linux", "COLORTERM": "truecolor"}, "DEPTH_8_BIT"),
        ({"TERM": "vt100"}, "DEPTH_1_BIT"),
        ({"TERM": "screen-mono"}, "DEPTH_1_BIT"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "DEPTH_1_BIT"),
    ],
)
def test_auto_takes_as_many_colours_as_the_terminal_has(environ, colours):
    """NO_COLOR counts before COLORTERM, and that before TERM."""
    assert depth("auto", environ).value == colours


def test_where_nothing_is_told_the_system_decides():
    """Windows sets no TERM: prompt-toolkit knows what its console can."""
    assert depth("auto", {}) is None


@pytest.mark.parametrize(
    ("told", "palette"),
    [
        ("15;0", "dark"),
        ("7;8", "dark"),
        ("0;15", "light"),
        ("0;7", "light"),
        ("0;default;15", "light"),
        ("default;default", "dark"),
        ("", "dark"),
    ],
)
def test_auto_takes_the_palette_for_the_terminals_background(told, palette):
    """A light background is known by COLORFGBG; a chosen theme stays."""
    assert suiting("auto", {"COLORFGBG": told}) == palette
    assert suiting("colour-blind", {"COLORFGBG": told}) == "colour-blind"


def test_plain_text_is_what_is_shown():
    """The text of a line is that of its spans."""
    assert plain(line("a", ("die", "b"))) == "ab"
