"""The stage in prompt-toolkit: one window, every key, the mouse as keys."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import BaseStyle

from lanplay.tui.cells import Size, Span, clip
from lanplay.tui.entry import PASTE
from lanplay.tui.glyphs import spelled
from lanplay.tui.stage import Stage

NAMES = {
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlI: "tab",
    Keys.BackTab: "s-tab",
    Keys.ControlH: "backspace",
    Keys.Backspace: "backspace",
    Keys.Escape: "escape",
    Keys.ScrollUp: "pageup",
    Keys.ScrollDown: "pagedown",
}
"""Keys whose names here differ from prompt-toolkit's."""
SIZE_SECONDS = 0.5
"""How often a terminal that does not tell of another size is looked at."""
ESCAPE_SECONDS = 0.05
"""How long an escape waits for what would make it the beginning of another key."""


def application(
    stage: Stage,
    style: BaseStyle,
    depth: ColorDepth | None,
    interrupt: Callable[[], None],
    source: Input | None = None,
    output: Output | None = None,
) -> Application[None]:
    """Return the application that shows a stage; ``interrupt`` is called on Ctrl-C."""
    control = FormattedTextControl(lambda: fragments(stage), focusable=True, show_cursor=False)
    app: Application[None] = Application(
        layout=Layout(Window(control, wrap_lines=False, always_hide_cursor=True)),
        key_bindings=bindings(stage, interrupt),
        style=style,
        color_depth=depth,
        full_screen=True,
        mouse_support=True,
        terminal_size_polling_interval=None if hasattr(signal, "SIGWINCH") else SIZE_SECONDS,
        input=source,
        output=output,
    )
    app.ttimeoutlen = app.timeoutlen = ESCAPE_SECONDS
    stage.redraw = app.invalidate
    return app


def bindings(stage: Stage, interrupt: Callable[[], None]) -> KeyBindings:
    """Return bindings that feed every key to the stage."""
    keys = KeyBindings()

    def press(event: KeyPressEvent) -> None:
        for each in event.key_sequence:
            key = each.key
            stage.feed(NAMES.get(key, key.value) if isinstance(key, Keys) else key)

    def paste(event: KeyPressEvent) -> None:
        stage.feed(f"{PASTE}{event.data}")

    mice = {Keys.Vt100MouseEvent, Keys.WindowsMouseEvent}
    for key in set(Keys) - {Keys.Any, Keys.Ignore, Keys.CPRResponse, *mice}:
        keys.add(key)(press)
    keys.add(Keys.Any)(press)
    keys.add(Keys.BracketedPaste)(paste)
    keys.add(Keys.ControlC)(lambda event: interrupt())
    return keys


def fragments(stage: Stage) -> StyleAndTextTuples:
    """Return what the stage shows now, for the terminal as large as it is now."""
    size = get_app().output.get_size()
    try:
        lines = stage.lines(Size(size.columns, size.rows))[: size.rows]
    except Exception as error:  # whatever it is: the loop ends with it, the terminal restored
        stage.failed(error)
        return []
    out: StyleAndTextTuples = []
    for number, spans in enumerate(lines):
        if number:
            out.append(("", "\n"))
        out += [_fragment(stage, span) for span in clip(spans, size.columns)]
    return out


def _fragment(stage: Stage, span: Span) -> Any:
    text = spelled(span.text, stage.glyphs)
    if not span.press:
        return (f"class:{span.role}", text)
    return (f"class:{span.role}", text, _clicker(stage, span.press))


def _clicker(stage: Stage, key: str) -> Callable[[MouseEvent], object]:
    def clicked(event: MouseEvent) -> object:
        if event.event_type is not MouseEventType.MOUSE_UP:
            return NotImplemented
        stage.feed(key)
        return None

    return clicked
