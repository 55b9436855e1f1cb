"""How a person gives commands at a table: by a key, or typed; some are asked about first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from lanplay.language import _
from lanplay.told import suggesting
from lanplay.tui.entry import PASTE, Entry
from lanplay.ui.commands import Command, called, found, lacking, reason


class Calling:
    """The commands there are, and the line in which one is typed.

    ``commands`` is asked for whenever it matters. ``reply`` shows what a command came to. ``entry``
    is the line under the cursor, if one is being typed; ``sure`` is the command that waits for a
    yes, if one does.
    """

    def __init__(self, reply: Callable[[str], None]) -> None:
        self.commands: Callable[[], Sequence[Command]] = tuple
        self.entry: Entry | None = None
        self._take: Callable[[str], None] = self.obey
        self._waits: tuple[Command, str] | None = None
        self._reply = reply

    @property
    def sure(self) -> Command | None:
        """The command that waits for a yes."""
        return self._waits[0] if self._waits is not None else None

    def way(self, command: str) -> str:
        """Return how the person gives a command without an argument: by its key, or typed.

        Empty where it has none such.
        """
        keys = [each.key for each in self.commands() if each.name == command]
        if not keys and command != "q":
            return ""
        return next(filter(None, keys), command if command == "q" else f":{command}")

    def press(self, key: str) -> bool:
        """Take a key for the line being typed or for the yes waited for; false if there is none."""
        if self.entry is not None:
            self._typed(self.entry, key)
        elif self._waits is not None:
            self._do_or_not(*self._waits, key)
        else:
            return False
        return True

    def ask(self) -> None:
        """Let a command be typed."""
        self.read(_("Command:"), self.obey)

    def read(self, prompt: str, take: Callable[[str], None], usual: str = "") -> None:
        """Let a line be typed; ``take`` gets it, unless it is empty."""
        self.entry, self._take = Entry(prompt, usual), take

    def key(self, key: str, useless: Callable[[str], None]) -> None:
        """Give the command of a key; what it needs is typed first. A letter of none is useless."""
        for command in self.commands():
            if command.key == key and command.argument:
                take = partial(self._with, command.name)
                self.read(f"{called(command)}:", take, command.usual)
                return
            if command.key == key:
                self.obey(command.name)
                return
        if key.startswith(PASTE):
            self._reply(_("What you pasted is not used: no line is being typed."))
        elif len(key) == 1 and key.isprintable():
            useless(key)

    def _with(self, name: str, argument: str) -> None:
        self.obey(f"{name} {argument}")

    def obey(self, text: str) -> None:
        """Do what a typed command says, once its person is sure; say so if it is none."""
        commands = self.commands()
        call = found(commands, text)
        if call is None:
            told = _("'{text}' is not a command here; ? lists all of them.").format(text=text)
            names = [each.name for each in commands]
            lacks = lacking(commands, text)
            self._reply(lacks or suggesting(told, text.partition(" ")[0], names))
        elif call[0].sure and call[0].now:
            self._waits = call
            self._reply("")
        else:
            self._run(*call)

    def _do_or_not(self, command: Command, argument: str, key: str) -> None:
        """Do what was asked about, or not; ``q`` twice leaves."""
        self._waits = None
        if key == "y" or key == command.name == "q":
            self._run(command, argument)

    def _typed(self, entry: Entry, key: str) -> None:
        if entry.ends(key):
            self.entry = None
            if text := entry.text.strip():
                self._take(text)

    def _run(self, command: Command, argument: str) -> None:
        try:
            command.run(argument)
        except ValueError as error:
            self._reply(reason(error, self.way))
