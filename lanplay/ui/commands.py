"""What a person can do at a table beside answering: one table for lines and for keys.

The line interface takes a command by its name; the full screen too, after ``:``, and by its key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lanplay.columns import aligned
from lanplay.errors import Mistake
from lanplay.language import _, pgettext
from lanplay.told import Way, worded


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, what it does, and how.

    ``help`` is a sentence marked for translation; a command without it is obeyed, but not listed.
    ``argument`` names what comes after the name; such a command is typed, and ``usual`` is what is
    likely to be typed. ``key`` is its key in the full screen. Help lists a command while it would
    do something (``now``); then key bar and buttons have it too, unless it is ``quiet``. ``sure``
    asks, in a sentence marked for translation, whether what cannot be undone is to be done: the
    full screen asks it first. ``run`` gets the argument; it raises
    ``ValueError`` for one that is wrong, and ``UserError`` to end the program.
    """

    name: str
    help: str
    run: Callable[[str], None]
    argument: str = ""
    key: str = ""
    now: bool = True
    quiet: bool = False
    usual: str = ""
    sure: str = ""

    @property
    def offered(self) -> bool:
        """Whether key bar and buttons have it."""
        return self.now and not self.quiet


def called(command: Command) -> str:
    """Return what a command is called beside its key; it is typed by its name."""
    words = {
        "hint": pgettext("key", "hint"),
        "fast": pgettext("key", "fast"),
        "say": pgettext("key", "say"),
        "pause": pgettext("key", "pause"),
        "go": pgettext("key", "go on"),
        "more": pgettext("key", "more time"),
        "orders": pgettext("key", "orders"),
        "always": pgettext("key", "always"),
        "never": pgettext("key", "never"),
        "who": pgettext("key", "people"),
        "away": pgettext("key", "away"),
        "back": pgettext("key", "I am back"),
        "open": pgettext("key", "open the hand"),
        "hurry": pgettext("key", "do not wait"),
        "wait": pgettext("key", "wait"),
        "anew": pgettext("key", "go on without"),
        "invite": pgettext("key", "invite phones"),
        "admit": pgettext("key", "let in"),
        "coach": pgettext("key", "coach"),
    }
    return words.get(command.name, command.name)


def found(commands: Sequence[Command], text: str) -> tuple[Command, str] | None:
    """Return the command that a line calls, and its argument; ``None`` if it calls none.

    A command that needs an argument is not called without one, unless there is a usual one, nor
    one without any with one.
    """
    name, _sep, argument = text.strip().partition(" ")
    argument = argument.strip()
    own = [each for each in commands if each.name == name]
    for command in own:
        if bool(command.argument) == bool(argument):
            return command, argument
    return next(((each, each.usual) for each in own if each.usual and not argument), None)


def lacking(commands: Sequence[Command], text: str) -> str:
    """Return the sentence that a command lacks what comes after its name; empty if it does not."""
    for command in commands:
        if command.name == text.strip() and command.argument:
            usage = f"{command.name} {_(command.argument)}"
            return _("Something is missing: {usage}.").format(usage=usage)
    return ""


def reason(error: ValueError, way: Way = str) -> str:
    """Return why a command did nothing; ``way`` says how commands are given there."""
    return worded(error.told, way) if isinstance(error, Mistake) else str(error)


def described(commands: Sequence[Command]) -> str:
    """Return what the commands do that would do something now, a line for each."""
    listed = [each for each in commands if each.help and each.now]
    rows = [[f"{each.name} {_(each.argument)}".strip(), _(each.help)] for each in listed]
    return "\n".join(aligned(rows))
