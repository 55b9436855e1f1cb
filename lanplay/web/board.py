"""What a game brings for the browser, and how options become buttons where things lie."""

from __future__ import annotations

from typing import Any, Protocol

from markupsafe import Markup

from lanplay.engine.manifest import Ref
from lanplay.engine.question import Option
from lanplay.engine.view import View
from lanplay.games import manifest
from lanplay.games.wording import summary_of, words_of
from lanplay.language import _
from lanplay.ui.alerts import seconds
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.changes import Visible
from lanplay.ui.decision import Decision
from lanplay.ui.scene import Scene
from lanplay.web.elements import NOTHING, el, joined


class Taps:
    """The options of the step at hand. ``placed`` are those that a board has drawn as buttons."""

    def __init__(self, decision: Decision | None, revision: str) -> None:
        self.decision = decision if decision is not None and not decision.ready else None
        self.revision = revision
        self.placed: set[int] = set()

    def offers(self, label: str) -> bool:
        """Tell whether the step is about things with this label, which lie on the board."""
        options = self.decision.options if self.decision is not None else ()
        return any(option.label.id == label for option in options)

    def option(self, place: int, inside: Markup, classes: str = "thing") -> Markup:
        """Return the option at a place as a button around what it is."""
        assert self.decision is not None
        pressed = str(place in self.decision.chosen).lower() if self.decision.several else None
        return el(
            "button",
            inside,
            type="button",
            class_=classes,
            data_do=f"pick.{place}",
            data_rev=self.revision,
            data_key=f"pick.{place}",
            aria_pressed=pressed,
            aria_disabled="true" if self.decision.why_not(place) is not None else None,
        )

    def spot(self, place: int, inside: Markup) -> Markup:
        """Return the option at a place as what is tapped in a picture."""
        assert self.decision is not None
        self.placed.add(place)
        return el(
            "g",
            inside,
            role="button",
            tabindex=0,
            class_="spot",
            data_do=f"pick.{place}",
            data_rev=self.revision,
            data_key=f"pick.{place}",
        )

    def thing(self, label: str, value: object, inside: Markup) -> Markup:
        """Return a thing on the board: as a button where it can be picked, else as it is."""
        if not self.offers(label) or self.decision is None:
            return inside
        for place, option in enumerate(self.decision.options):
            if option.label.id == label and option.value == value:
                self.placed.add(place)
                return self.option(place, inside)
        return inside


class WebBoard(Protocol):
    """How one game is drawn. Every method is a pure function of what it is given.

    ``art`` is what the board's pictures refer to: a page is sent it once.
    """

    @property
    def art(self) -> Markup:
        """Return what never changes."""

    @property
    def emblem(self) -> Markup:
        """Return a small picture that stands for the game: an ornament."""

    def board(self, scene: Scene, taps: Taps) -> Markup:
        """Return what lies on the table for all to see."""

    def standing(self, scene: Scene) -> Visible:
        """Return what can be seen to change: see ``Unfolding``.

        What is drawn of it says so: a thing by ``data_seen`` (``pile.place``), a number by
        ``data_has`` (``sign.seat``, seat -1 for its source).
        """

    def own(self, scene: Scene, taps: Taps) -> Markup:
        """Return the person's own things; called only where ``scene.view`` is there."""

    def option(self, scene: Scene, option: Option) -> Markup:
        """Return an option of a question."""

    def breakdown(self, scene: Scene) -> Breakdown:
        """Return the score of a finished game by source."""


class WordyBoard:
    """Any game in words: its own summary of what lies on the table."""

    art = emblem = NOTHING

    def __init__(self, name: str) -> None:
        self._words = words_of(name)
        self._summary = summary_of(name)

    def board(self, scene: Scene, taps: Taps) -> Markup:
        """Return the game's summary; an onlooker's is that of a seat that has seen nothing."""
        nobody: Any = None  # summaries look at the table alone
        view = scene.view or View(0, scene.table, nobody, [])
        lines = [el("li", text) for text in self._summary.situation(view, scene.names)]
        return el("ol", *lines, class_="wordy paper")

    def standing(self, scene: Scene) -> Visible:
        """Return nothing: words do not move."""
        return Visible()

    def own(self, scene: Scene, taps: Taps) -> Markup:
        """Return nothing: the summary has it."""
        return NOTHING

    def option(self, scene: Scene, option: Option) -> Markup:
        """Return the option's wording."""
        return joined([self._words.word(option.label, scene.names)])

    def breakdown(self, scene: Scene) -> Breakdown:
        """Return no source: where points came from is not known here."""
        return Breakdown((), ((),) * len(scene.names))


def board_of(name: str) -> WebBoard:
    """Return the board of a game; the wordy one for a game that brings none."""
    ref: Ref[WebBoard] | None = manifest(name).web
    return ref.load() if ref is not None else WordyBoard(name)


def seat_name(scene: Scene, seat: int) -> Markup:
    """Return who sits on a seat, and what there is to know of it besides."""
    marks = []
    if seat in scene.missing:
        left = scene.missing[seat]
        marks.append(el("i", seconds(left) if left is not None else "!", class_="mark bad"))
    elif seat in scene.away:
        marks.append(el("i", _("(AI)"), class_="mark"))
    if seat in scene.laptops:
        with_ = _("with {laptop}").format(laptop=scene.laptops[seat])
        marks.append(el("i", with_, class_="mark with"))
    if seat in scene.asked:
        marks.append(el("i", "…", class_="mark asked", title=_("the game waits for this seat")))
    own = " own-name" if seat == scene.seat else ""
    return joined([el("b", scene.names[seat], class_=f"name{own}"), *marks])
