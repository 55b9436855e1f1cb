"""The regions of a page that all games share: pure functions of a moment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from lanplay.engine.game import Result
from lanplay.engine.manifest import Words
from lanplay.engine.question import Phrase
from lanplay.games.teaching import NO_LESSONS, Lessons
from lanplay.games.wording import game_title
from lanplay.language import _, pgettext
from lanplay.ui.alerts import awaited, standing
from lanplay.ui.breakdown import Breakdown, ranked, who_won
from lanplay.ui.changes import Happening
from lanplay.ui.commands import Command, called
from lanplay.ui.decision import Decision, nothing, refusal
from lanplay.ui.orders import OrderRow
from lanplay.ui.scene import Scene
from lanplay.web.board import Taps, WebBoard, board_of
from lanplay.web.elements import Kid, el, joined, some

REGIONS: Final = (
    "head",
    "alerts",
    "board",
    "own",
    "ask",
    "reply",
    "side",
    "menu",
    "taste",
    "art",
    "stage",
)
"""The ids of the regions, in the order in which they are read."""
DOCK: Final = ("own", "ask", "reply")
"""Regions that stay in sight: what is one's own, and what is asked."""
KEYLESS: Final = ("rules", "invite", "admit", "q")
"""Commands without a key that are buttons; the others look up what the board shows."""
TROPHY: Final = (
    "M14 6H34V10H42C42 19 38 24 31 25 29 28 27 29 26 30V36H33V42H15V36H22V30C21 29 19 28 17 25"
    " 10 24 6 19 6 10H14zM10 13C10 17 12 20 15 21L14 13zM38 13H34L33 21C36 20 38 17 38 13z"
)
"""The cup of who has won, on 48 by 48."""
LIVE: Final = {"alerts": "assertive", "reply": "polite"}
"""Regions that are read out when they change."""


@dataclass(frozen=True, slots=True)
class BoardArtist:
    """What draws a game: its board and its words."""

    board: WebBoard
    words: Words
    names: Sequence[str]
    lessons: Lessons = NO_LESSONS

    def word(self, message: Phrase) -> str:
        """Return a message in words."""
        return self.words.word(message, self.names)


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log: its number, and what it is (``round``, ``event`` or ``note``)."""

    number: int
    kind: str
    text: str

    @property
    def drawn(self) -> Markup:
        """The line as an item of a list."""
        return el("li", self.text, class_=self.kind, data_key=f"line.{self.number}")


def whole(**regions: Markup) -> dict[str, Markup]:
    """Return all regions of a page; those that are not given are empty."""
    return {name: region(name, regions.get(name)) for name in REGIONS}


def region(name: str, inside: Markup | None) -> Markup:
    """Return a region; a hidden one where there is nothing in it."""
    if name in ("head", "stage") and inside:
        return inside
    hidden = not inside
    return el(
        "section", inside, id=name, class_=f"region {name}", hidden=hidden, aria_live=LIVE.get(name)
    )


def head(title: str, *more: Kid, turn: bool = False, over: bool = False) -> Markup:
    """Return the head of a page, which also says whether it is the person's turn."""
    named = _("Your turn") if turn else ""
    return el(
        "header",
        el("h1", title),
        *more,
        id="head",
        class_=f"region head{some(turn, 'turn')}",
        data_title=f"● {named} · {title}" if turn else f"{title} · lanplay",
        data_turn="1" if turn else None,
        data_over="1" if over else None,
    )


def stage(show: Happening, now: float) -> Markup:
    """Return what is to be seen of a change, for the script of the page: it moves what is drawn.

    Each step is in milliseconds from ``now``; without any there is nothing to be seen but the
    present. A page that is new is told of nothing.
    """

    def after(at: float) -> int:
        return round(1000 * (at - now))

    reveals = [[f"{pile}.{place}", after(at)] for (pile, place), at in show.reveals.items()]
    moves = [
        [each.sign, each.amount, each.giver, each.taker, after(each.start), after(each.end)]
        for each in show.moves
    ]
    steps = json.dumps([reveals, moves], separators=(",", ":"))
    return el("section", id="stage", hidden=True, data_from=round(1000 * now), data_steps=steps)


def button(
    text: Kid, do: str, revision: str = "", classes: str = "", key: str = "", title: str = ""
) -> Markup:
    """Return a button that does something."""
    return el(
        "button",
        text,
        type="button",
        class_=classes or None,
        data_do=do,
        data_rev=revision or None,
        data_key=key or do,
        title=title or None,
    )


def tile(name: str) -> Markup:
    """Return a game as one picks it: its emblem and its title."""
    return joined([board_of(name).emblem, el("b", game_title(name))])


def game_button(verb: str, name: str, picked: str) -> Markup:
    """Return a button that picks a game; ``picked`` is the one that is so far."""
    do, pressed = f"{verb}.{name}", str(name == picked).lower()
    kind = {"type": "button", "class_": "game"}
    return el("button", tile(name), **kind, data_do=do, data_key=do, aria_pressed=pressed)


# -- the question ---------------------------------------------------------------------------------


def asking(text: str, classes: str = "") -> Markup:
    """Return what is asked, as a heading that is read out when it changes."""
    return el("h2", text, tabindex="-1", id="asked", aria_live="polite", class_=classes or None)


def asked(scene: Scene, taps: Taps, artist: BoardArtist, ruling: Markup, left: str) -> Markup:
    """Return the question at hand: what is asked, the options, and how it goes on."""
    decision = scene.decision
    assert decision is not None
    step, question = decision.step, decision.question
    text = artist.word(decision.asks)
    plain = artist.lessons.plain(question, step.prompt if step is not None else None)
    numbered = el("details", el("summary", question.rule), ruling) if plain else ""
    told = el("p", plain) if plain else ruling
    named = "?" if plain else question.rule
    rule = el("details", el("summary", named), told, numbered, class_="ruling")
    timer = el("b", left, class_="timer", role="timer") if left else None
    inside: list[Kid] = [el("div", asking(text), timer, rule, class_="question")]
    if decision.ready:
        inside += _summary(scene, decision, taps.revision, artist)
    else:
        inside += _step(scene, decision, taps, artist)
    if decision.refused is not None:
        inside.append(
            el("p", refusal(decision.refused, artist.word), class_="refused", role="alert")
        )
    return joined(inside)


def _step(scene: Scene, decision: Decision, taps: Taps, artist: BoardArtist) -> list[Kid]:
    """Return the step at hand; what the board shows already is a list to be opened."""
    assert decision.step is not None
    rest = [place for place in range(len(decision.options)) if place not in taps.placed]
    told = artist.word(decision.step.prompt)
    if taps.placed:
        told = _("{what}: tap what glows").format(what=told)
        idle = decision.question.default_answer()  # below all else: a finger seldom meets it
        rest.sort(key=lambda place: (decision.options[place].value,) == idle)
    prompt = el("p", told, class_=f"prompt{some(taps.placed, 'lit')}")
    out: list[Kid] = [prompt, *([_options(scene, rest, taps, artist)] if rest else [])]
    ways: list[Kid] = []
    if decision.several:
        note = decision.note
        said = artist.word(note) if note is not None else decision.count
        least = getattr(decision.step, "at_least", 0)
        classes = "main" if least <= len(decision.chosen) else "main early"
        ways.append(button(f"{_('OK')} · {said}", "ok", taps.revision, classes, "ok"))
    if decision.begun:
        ways.append(button(_("back"), "back", taps.revision, "quiet"))
    if taps.placed:
        listed = _options(scene, sorted(taps.placed), taps, artist, words=True)
        summary = el("summary", _("as a list"))
        ways.append(el("details", summary, listed, class_="listed", data_key="listed"))
    return [*out, el("div", *ways, class_="ways")] if ways else out


def _options(
    scene: Scene, places: Iterable[int], taps: Taps, artist: BoardArtist, words: bool = False
) -> Markup:
    decision = scene.decision
    assert decision is not None
    items = []
    for place in places:
        option = decision.options[place]
        drawn = joined([artist.word(option.label)]) if words else artist.board.option(scene, option)
        refused = decision.why_not(place)
        why = el("small", artist.word(refused.message)) if refused is not None else None
        effect = artist.lessons.effect(option.label)
        does = el("small", effect, class_="effect") if effect else None
        items.append(el("li", taps.option(place, joined([drawn, does, why]), "option")))
    return el("ul", *items, class_="options")


def _summary(scene: Scene, decision: Decision, revision: str, artist: BoardArtist) -> list[Kid]:
    """Return what is picked, to be looked at once more."""
    rows: list[Kid] = []
    for prompt, chosen in decision.picked:
        options: list[Kid] = [
            el("span", artist.board.option(scene, each), class_="option") for each in chosen
        ]
        rows.append(el("dt", artist.word(prompt)))
        rows.append(el("dd", *(options or [nothing()])))
    ways = [
        button(_("Give this answer"), "yes", revision, "main"),
        button(_("back"), "back", revision, "quiet"),
    ]
    sure = el("p", _("It cannot be taken back."), class_="prompt late")
    return [el("dl", *rows, class_="picked"), sure, el("div", *ways, class_="ways")]


def waiting(scene: Scene) -> Markup:
    """Return for whom the game waits, and why."""
    groups = awaited(scene)
    rows = [
        el("p", el("b", ", ".join(names)), ": ", el("span", text, class_="dim"))
        for text, names in groups.items()
    ]
    return joined([asking(_("Waiting") if groups else standing(scene), "calm"), *rows])


def sure(text: str, yes: str, no: str) -> Markup:
    """Return a question for a plain yes; without ``no`` it is the only answer."""
    first, *more = text.split("\n")
    ways = [button(_("yes"), yes, "", "main")]
    if no:
        ways.append(button(_("no"), no, "", "quiet"))
    return joined(
        [asking(first), *(el("p", each) for each in more), el("div", *ways, class_="ways")]
    )


# -- beside the board -----------------------------------------------------------------------------


def side(log: Sequence[LogLine], chat: bool) -> Markup:
    """Return the log, and where something can be said."""
    say = el(
        "form",
        el("label", _("say something to all at the table"), for_="say", class_="unseen"),
        el("input", id="say", name="text", maxlength=240, autocomplete="off", required=True),
        el("button", pgettext("key", "say"), class_="quiet"),
        data_do="say",
        class_="say",
    )
    text = log[-1].text if log else ""
    last = el("span", text, class_="last dim", data_late=True, aria_live="polite")
    how = {"class_": "lines", "role": "log", "aria_label": _("Log")}
    lines = el("div", el("ol", *(each.drawn for each in log)), **how, tabindex="0", data_end=True)
    closed = el("summary", el("h2", _("Log")), last)
    return el("details", closed, lines, say if chat else None, class_="log", data_wide=True)


def menu(commands: Sequence[Command]) -> Markup:
    """Return what can be done beside answering: buttons of what is of use now."""
    shown = []
    for each in commands:
        ready = each.offered and each.help and (not each.argument or each.usual)
        if ready and each.name != "say" and (each.key or each.name in KEYLESS):
            label = f"{called_here(each)} {each.usual}".strip()
            key = f"do.{each.name}.{each.argument}"
            shown.append(button(label, f"do.{each.name}", key=key, title=_(each.help)))
    return el("nav", *shown, aria_label=_("Commands"))


def called_here(command: Command) -> str:
    """Return what a command is called on its button, where there is more room than for a key."""
    words = {
        "q": _("leave"),
        "rules": _("rules"),
        "fast": _("AI at once"),
        "who": _("who is here"),
        "away": _("AI plays for me"),
        "orders": _("orders for cards"),
        "always": _("always yes"),
        "never": _("always no"),
        "remove": _("remove"),
        "hurry": pgettext("key", "do not wait for"),
        "wait": pgettext("key", "wait for"),
    }
    return words.get(command.name) or called(command)


def orders(rows: Sequence[OrderRow], said: str) -> Markup:
    """Return what is ordered for cards that react, each choice a button, and what was just said."""
    shown = []
    for row in rows:
        ways = [_choice(row, place, text) for place, text in enumerate(row.choices)]
        name = el("strong" if row.held else "span", row.name)
        shown.append(
            el("li", name, el("p", row.effect, class_="dim"), el("div", *ways, class_="ways"))
        )
    told = el("p", _("Your orders stay here, and their answers do not give away what you hold."))
    done = el("p", said, role="status") if said else None
    return joined([told, done, el("ul", *shown), button(_("close"), "close", "", "quiet")])


def _choice(row: OrderRow, place: int, text: str) -> Markup:
    do, holds = f"order.{row.number}.{place + 1}", str(place == row.at).lower()
    return el("button", text, type="button", data_do=do, data_key=do, aria_pressed=holds)


def reply(text: str | Markup) -> Markup:
    """Return what a command came to, until it is closed."""
    shown = text if isinstance(text, Markup) else el("pre", text)
    return joined(
        [el("div", shown, tabindex="0", class_="told"), button(_("close"), "close", "", "quiet")]
    )


# -- the end --------------------------------------------------------------------------------------


def ended(
    artist: BoardArtist, result: Result, breakdown: Breakdown, moments: Sequence[tuple[str, str]]
) -> Markup:
    """Return how a game ended: who won, the score by source, what decided it."""
    names = artist.names
    order = ranked(result)
    sources = [*breakdown.sources, _("Total")]
    columns: list[list[Kid]] = [
        [*breakdown.points[seat], el("b", result.scores[seat])] for seat in order
    ]
    marks = ["winner" if seat in result.winners else None for seat in order]
    heads = [
        el("th", names[seat], scope="col", class_=mark)
        for seat, mark in zip(order, marks, strict=True)
    ]
    rows = [
        el(
            "tr",
            el("th", source, scope="row"),
            *(el("td", own[place], class_=mark) for own, mark in zip(columns, marks, strict=True)),
        )
        for place, source in enumerate(sources)
    ]
    heads.insert(0, el("th", _("Points"), scope="col"))
    table = el("table", el("thead", el("tr", *heads)), el("tbody", *rows))
    told = [el("li", el("b", round_), " ", text) for round_, text in moments]
    trophy = el("svg", el("path", d=TROPHY), viewBox="0 0 48 48", aria_hidden="true")
    decided = [el("h3", _("What decided it")), el("ol", *told)] if told else []
    notes = [el("p", note) for note in breakdown.notes]
    return el(
        "article",
        el("h2", trophy if result.winners else None, who_won(result, names), class_="won"),
        table,
        *notes,
        *decided,
        class_="paper result",
    )
