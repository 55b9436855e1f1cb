"""The menu of a table: what a session offers its person, as commands with names and keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from lanplay.engine.orders import Mode
from lanplay.errors import Fault, Mistake, UserError
from lanplay.language import N_, _
from lanplay.session import commands as c
from lanplay.session.events import Snapshot
from lanplay.told import suggesting
from lanplay.ui.commands import Command
from lanplay.ui.orders import ONWARDS, chosen, holds, listed, rows
from lanplay.ui.rulebook import flowing, matching, text

SPEEDS: Final[Mapping[str, float]] = {"slow": 1.5, "normal": 0.6, "fast": 0.2, "instant": 0.0}
"""Seconds between moves of AI, by what the setting ``ai_speed`` calls them."""
LEAVING: Final = {
    "stays": (
        N_("leave; an AI plays until you come back"),
        N_("Leave the game? An AI plays until you come back."),
    ),
    "waits": (
        N_("leave; the game waits until you come back"),
        N_("Leave the game? It waits until you come back."),
    ),
    "passes": (
        N_("leave; nobody plays for you until you come back"),
        N_("Leave the game? Nobody plays for you until you come back."),
    ),
    "begins": (
        N_("leave; the game does not begin then"),
        N_("Leave the table? The game does not begin then."),
    ),
    "watches": (N_("stop watching"), N_("Stop watching this game?")),
}
"""What leaving means, and what is asked before."""


class Shown(Protocol):
    """Whatever shows what a command came to."""

    def notice(self, text: str) -> None:
        """Show what concerns the table."""

    def reply(self, text: str) -> None:
        """Show what a command came to."""

    def way(self, command: str) -> str:
        """Return how the person gives one of the commands: its key, or what is typed."""


@dataclass(slots=True)
class Menu:
    """The commands of one game. ``submit`` passes on what its person wants.

    ``slow`` is the pace to which ``fast`` goes back; ``more`` returns further commands.
    """

    submit: Callable[[c.Command], None]
    shown: Shown
    pace: float = 0.0
    slow: float = SPEEDS["normal"]
    more: Callable[[], Sequence[Command]] = tuple

    def commands(
        self, snapshot: Snapshot, offers: tuple[c.CommandOffer, ...], listens: bool = True
    ) -> tuple[Command, ...]:
        """Return what the person can do; what is of use just now comes early."""
        offered = {offer.kind: offer for offer in offers}
        owner = c.SetPace in offered
        if not owner and c.SetAway not in offered:
            say = [saying(self.submit)] if c.Say in offered else []
            return (*say, *rules(snapshot.game, self.shown), self._leave("watches"))
        seat = snapshot.own if snapshot.own is not None else 0
        return (
            *self._ways_on(offered, seat, listens or not snapshot.alone),
            *self._advice(offered, seat, snapshot.game),
            *self._orders(offers, seat, snapshot),
            *self._talking(offered, seat, snapshot),
            *self.more(),
            Command("who", WHO[snapshot.alone], lambda _: self._who(snapshot), key="P"),
            *(NOBODY_ELSE if snapshot.alone else ()),
            self._leave(_leaving(snapshot, owner)),
        )

    def _ways_on(self, offered: Offered, seat: int, listens: bool) -> list[Command]:
        """Return what lets the game go on, or wait."""
        go = N_("end your own pause, or vote to end another's")
        more = N_("use time from your reserve for this reaction")
        goes = self._does(c.Unpause(None if c.SetPace in offered else seat))
        anew = N_("where too few are left: continue without them as a new game")
        sure = N_("Go on as a new game, without those who are missing? AI gets their seats.")
        opens = N_("let AI see the hand of who is out, once everybody agrees")
        hurry = N_("do not wait for somebody: a majority lets the game go on at once")
        wait = N_("wait for somebody who is missing, however long it takes")
        back = N_("answer for yourself again")
        every: list[tuple[type[c.Command], Command]] = [
            (c.Unpause, Command("go", go, goes, key="u")),
            (c.MoreTime, Command("more", more, lambda _: self._more_time(seat), key="m")),
            (c.SetAway, Command("back", back, self._goes(offered, seat, False), key="B")),
            (c.OpenHands, Command("open", opens, self._does(c.OpenHands()), key="y")),
            (c.ContinueWithout, Command("anew", anew, self._continue_without, key="G", sure=sure)),
            (c.SkipWait, Command("hurry", hurry, self._named(c.SkipWait), N_("NAME"), key="H")),
            (c.KeepWaiting, Command("wait", wait, self._named(c.KeepWaiting), N_("NAME"), key="W")),
        ]
        return [
            _now(command, offered[kind])
            for kind, command in every
            if kind in offered and (listens or kind is not c.SetAway)
        ]

    def _named(self, kind: Callable[[str], c.Command]) -> Callable[[str], None]:
        return lambda name: self.submit(kind(name))

    def _advice(self, offered: Offered, seat: int, game: str) -> list[Command]:
        """Return what helps at any table: a hint, the rules, the speed of AI."""
        hint = N_("ask the strong bot what it would answer, and why")
        speed = N_("slow, normal, fast or instant moves of AI")
        fast = N_("let AI move at once, or at the usual speed again")
        asks = Command("hint", hint, lambda _: self._hint(seat), key="h")
        paces = (
            Command("speed", speed, self.set_speed, N_("HOW")),
            Command("fast", fast, lambda _: self._fast(), key="f"),
        )
        return [
            *([_now(asks, offered[c.AskHint])] if c.AskHint in offered else []),
            *rules(game, self.shown),
            *(paces if c.SetPace in offered else ()),
        ]

    def _orders(
        self, offers: Sequence[c.CommandOffer], seat: int, snapshot: Snapshot
    ) -> list[Command]:
        """Return what is ordered of cards that react, and the order for good where it is asked."""
        out = []
        for offer in offers:
            if offer.kind is c.FromNowOn:
                mode = Mode(offer.usual)
                does = self._does(c.FromNowOn(seat, mode))
                name, key = ONWARDS[mode]
                out.append(Command(name, FOR_GOOD[mode], does, key=key))
        if all(offer.kind is not c.GiveOrder for offer in offers):
            return out

        def give(text: str) -> None:
            row, order = chosen(rows(snapshot), text, self.shown.way)
            self.submit(c.GiveOrder(seat, row.card, order))
            said = row.choices[row.orders.index(order)]
            self.shown.reply(_("{card}: {order}.").format(card=row.name, order=said))

        show, change = N_("show your orders for reaction cards"), N_("change an order")
        return [
            *out,
            Command(
                "orders",
                show,
                lambda _: self.shown.reply(listed(rows(snapshot), self.shown.way)),
                key="O",
                quiet=not holds(snapshot),
            ),
            Command("orders", change, give, N_("CARD CHOICE")),
        ]

    def _talking(self, offered: Offered, seat: int, snapshot: Snapshot) -> list[Command]:
        """Return what can be said and done among people."""
        pause = N_("stop everybody's clocks, for 5 minutes at most")
        speaker = None if c.SetPace in offered else seat
        out = [saying(self.submit, speaker)] if c.Say in offered else []
        if c.Pause in offered:
            made = Command("pause", pause, self._does(c.Pause(speaker)), key="p")
            out.append(_now(made, offered[c.Pause]))
        if c.SetAway in offered:
            away = self._goes(offered, seat, True)
            here = not offered[c.SetAway].now
            told = N_("let an AI answer for you")
            sure = N_("Let an AI answer for you until you are back?")
            holders = {s for s, each in enumerate(snapshot.holders) if not each.bot}
            if holders <= {seat} | snapshot.away:
                sure = N_("Let an AI answer for you? Only AI is left then: it plays on at once.")
            out.append(Command("away", told, away, key="A", now=here, sure=sure))
        return out

    def _leave(self, how: str) -> Command:
        told, sure = LEAVING[how]
        return Command("q", told, self._does(c.LeaveTable()), sure=sure)

    def _does(self, command: c.Command) -> Callable[[str], None]:
        return lambda _argument: self.submit(command)

    def _goes(self, offered: Offered, seat: int, away: bool) -> Callable[[str], None]:
        """Return what lets AI answer, or the person again; it refuses what is so already."""

        def goes(_argument: str) -> None:
            if offered[c.SetAway].now == away:
                raise ValueError(_("That cannot be done now."))
            self.submit(c.SetAway(seat, away))

        return goes

    def _hint(self, seat: int) -> None:
        self.submit(c.AskHint(seat))
        self.shown.reply(_("The strong bot is thinking about it."))

    def _more_time(self, seat: int) -> None:
        self.submit(c.MoreTime(seat))
        self.shown.reply(_("You have more time."))

    def _continue_without(self, _argument: str) -> None:
        self.submit(c.ContinueWithout())
        self.shown.notice(_("The game continues anew as soon as all who are here agree."))

    def set_speed(self, name: str) -> None:
        """Let AI move at a speed, by its name; ``ValueError`` for one that there is not."""
        if name not in SPEEDS:
            told = _("The speeds are: {known}.").format(known=", ".join(SPEEDS))
            raise ValueError(suggesting(told, name, SPEEDS))
        self._set_pace(SPEEDS[name])

    def _fast(self) -> None:
        if self.pace:
            self.slow = self.pace
            self._set_pace(0.0)
            self.shown.reply(_("AI moves at once."))
        else:
            self._set_pace(self.slow)
            self.shown.reply(_("AI moves at the usual speed again."))

    def _set_pace(self, seconds: float) -> None:
        self.pace = seconds
        self.submit(c.SetPace(seconds))

    def _who(self, snapshot: Snapshot) -> None:
        """Tell who answers for which seat, who is missing and who is waited for."""
        missing = {name.name for name in snapshot.absent}
        told = []
        for seat, holder in enumerate(snapshot.holders):
            peer = snapshot.peers[holder.peer]
            line = _seat_line(snapshot, seat, holder.bot, peer)
            told.append(f"{line} {_('(missing)')}" if peer in missing else line)
        named = {
            _("To decide: {names}."): [snapshot.names[seat] for seat in snapshot.asked or ()],
            _("Still comparing the words of the table: {names}."): snapshot.comparing,
            _("Watching: {names}"): snapshot.spectators,
        }
        for words, names in named.items():
            if names and not snapshot.alone:
                told.append(words.format(names=", ".join(names)))
        self.shown.reply("\n".join(told))


def _leaving(snapshot: Snapshot, owner: bool) -> str:
    """Return what it means that this person leaves: that of its laptop's owner takes it along."""
    if not owner:
        return "stays"
    if snapshot.starting and not snapshot.alone:
        return "begins"
    return "waits" if snapshot.waits else "passes" if snapshot.passes else "stays"


FOR_GOOD: Final = {
    Mode.ALWAYS: N_("play this card from now on without asking"),
    Mode.NEVER: N_("never play this card, and do not ask again"),
}
Offered = Mapping[type[c.Command], c.CommandOffer]
WHO: Final = {
    False: N_("who is here, who is missing, who answers for which seat"),
    True: N_("who answers for which seat"),
}
"""What ``who`` tells, by whether the table is of this machine alone."""


def saying(submit: Callable[[c.Command], None], seat: int | None = None) -> Command:
    """Return the command that says something, as a seat's person; without one, as the first."""
    say = N_("say something to all at the table")
    return Command("say", say, lambda text: submit(c.Say(text, seat)), N_("TEXT"), key="t")


def _seat_line(snapshot: Snapshot, seat: int, bot: str, peer: str) -> str:
    name = snapshot.names[seat]
    bot = bot or (_("AI") if seat in snapshot.away else "")
    if snapshot.alone:
        return f"{name}: {_('AI') if bot else _('person')}"
    who = _("{seat}: {bot} on {name}") if bot else f"{{seat}}: {_('person')} ({{name}})"
    return who.format(seat=name, bot=bot, name=peer)


def _now(command: Command, offer: c.CommandOffer) -> Command:
    """Return a command as it is offered."""
    return replace(command, now=offer.now, usual=offer.usual)


def _nobody_else(_argument: str) -> None:
    raise Mistake(Fault.ALONE)


NOBODY_ELSE: Final = tuple(
    Command(name, "", _nobody_else, argument)
    for name in ("say", "pause", "go", "more", "open", "hurry", "wait", "anew")
    for argument in ("", "TEXT")
)
"""What can be done at a table with other people: alone it is said that there are none."""


def rules(game: str, shown: Shown) -> tuple[Command, Command]:
    """Return the commands that show the rules of a game: those asked for, and all."""

    def show(wanted: str) -> None:
        try:
            page = text(game)
            shown.reply(flowing(matching(page, wanted) if wanted else page).rstrip())
        except UserError as error:
            raise ValueError(str(error)) from error

    some, every = N_("show the rules with a number or a word"), N_("show all rules of the game")
    return Command("rules", some, show, N_("WORD")), Command("rules", every, show)
