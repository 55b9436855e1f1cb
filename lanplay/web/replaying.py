"""Games that were kept, in the browser: their list, and each of them again, move by move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from markupsafe import Markup

from lanplay.engine.game import Game
from lanplay.engine.question import Phrase
from lanplay.engine.stepper import Stepper
from lanplay.games.wording import game_title, narrated, words_of
from lanplay.language import N_, _
from lanplay.ui.kept import KeptGame
from lanplay.ui.moments import decided
from lanplay.ui.scene import Scene
from lanplay.web import regions as r
from lanplay.web.board import Taps, board_of
from lanplay.web.elements import choice, el, joined
from lanplay.web.live import Tap
from lanplay.web.lobby import Answers
from lanplay.web.log import LINES
from lanplay.web.pages import PageStack
from lanplay.web.pieces import icon

MOST: Final = 60
"""Games that the list shows, the newest first."""
WAYS: Final = {
    "start": N_("to the beginning"),
    "round-back": N_("to the round before"),
    "back": N_("a move back"),
    "forward": N_("a move forward"),
    "round": N_("to the next round"),
    "end": N_("to the end"),
}
"""What the buttons of a replay do."""


class HistoryPage(Answers[KeptGame | None]):
    """Shows the games that were kept, until the person wants to see one, or none."""

    def __init__(self, pages: PageStack, games: Sequence[KeptGame]) -> None:
        super().__init__(pages, None)
        self._games = games[:MOST]

    def regions(self) -> Mapping[str, Markup]:
        """Return a row for each game."""
        none = el("p", _("No game has been kept yet."), class_="calm") if not self._games else None
        rows = el("ol", *map(_row, range(len(self._games)), self._games), class_="places")
        body = el("div", *self.spoken(), none, rows, class_="paper lobby")
        leave = el("nav", r.button(_("back"), "leave"), aria_label=_("Commands"))
        return r.whole(head=r.head(_("Games that were kept")), board=body, menu=leave)

    def act(self, tap: Tap) -> bool:
        """Take what the person wants."""
        verb, _sep, place = tap.do.partition(".")
        if verb == "see" and place.isdecimal() and int(place) < len(self._games):
            return self.give(self._games[int(place)])
        return verb == "leave" and self.give(None)


def _row(place: int, game: KeptGame) -> Markup:
    told = [el("span", text, class_="dim") for text in (game.when, game.players) if text]
    verdict = el("b", game.verdict) if game.verdict else None
    see = r.button(_("replay"), f"see.{place}", "", "quiet")
    return el("li", el("b", game_title(game.game)), *told, verdict, see, data_key=f"game.{place}")


class ReplayPage(Answers[None]):
    """Shows one position of a record at a time, as everybody or one of the known seats saw it."""

    def __init__(
        self, pages: PageStack, stepper: Stepper, game: Game, names: Sequence[str], seat: int | None
    ) -> None:
        """Begin where the stepper stands, with the eyes of ``seat``, or everybody's."""
        super().__init__(pages, None)
        self._stepper = stepper
        self._game = game
        self._artist = r.BoardArtist(board_of(game.name), words_of(game.name), names)
        self._seat = seat
        self._names = {str(seat): names[seat] for seat in stepper.known}
        self._reply = ""
        self._ways: Mapping[str, Callable[[], bool]] = {
            "start": stepper.to_start,
            "round-back": stepper.previous_round,
            "back": stepper.back,
            "forward": stepper.forward,
            "round": stepper.next_round,
            "end": stepper.to_end,
        }

    def regions(self) -> Mapping[str, Markup]:
        """Return the board as it was, and the ways on."""
        stepper, artist = self._stepper, self._artist
        now, taps = stepper.now, Taps(None, "")
        view = None if self._seat is None else now.views[self._seat]
        scene = Scene(now.public.table, artist.names, view, now.asked)
        own = artist.board.own(scene, taps) if view is not None else None
        place = _("round {round} of {rounds}, move {move} of {moves}").format(
            round=now.round, rounds=stepper.rounds, move=now.move, moves=stepper.moves
        )
        events = self._events()
        told = narrated(self._game.name, [event for _round, event in events])
        lines = [
            r.LogLine(number, "event", text)
            for number, message in enumerate(told)
            if (text := artist.word(message))
        ]
        leave = el("nav", r.button(_("leave"), "leave"), aria_label=_("Commands"))
        return r.whole(
            head=r.head(game_title(self._game.name), el("span", place, class_="dim corner")),
            board=joined([artist.board.board(scene, taps), self._result(scene, events)]),
            **({"own": own} if own else {}),
            ask=self._steps(),
            side=r.side(lines[-LINES:], chat=False),
            menu=leave,
            art=artist.board.art,
        )

    def _events(self) -> list[tuple[int, Phrase]]:
        """Return what has happened up to the present position."""
        passed = self._stepper.positions[: self._stepper.at + 1]
        return [(each.round, event) for each in passed for event in each.events]

    def _result(self, scene: Scene, events: Sequence[tuple[int, Phrase]]) -> Markup | None:
        """Return how the game ended, where it has."""
        stepper = self._stepper
        if stepper.at + 1 < len(stepper.positions) or stepper.now.asked:
            return None
        result = self._game.result(scene.table)
        moments = decided(self._game.name, events, scene.names)
        return r.ended(self._artist, result, self._artist.board.breakdown(scene), moments)

    def _steps(self) -> Markup:
        steps = [
            el(
                "button",
                icon(f"go.{way}"),
                type="button",
                data_do=f"go.{way}",
                data_key=f"go.{way}",
                aria_label=_(text),
                title=_(text),
            )
            for way, text in WAYS.items()
        ]
        seats = {"": _("all"), **self._names}
        whose = el(
            "form",
            el("label", _("As seen by:"), for_="eyes", class_="dim"),
            choice("seat", seats, self._eyes, ident="eyes", key=f"eyes.{self._eyes}"),
            data_do="eyes",
            data_auto=True,
            class_="ways",
        )
        heading = el("h2", _("Replay of a game"), tabindex="-1", id="asked")
        reply = el("p", self._reply, class_="calm", role="status") if self._reply else None
        ways = el("div", *steps, class_="ways")
        return joined([heading, ways, reply, whose if self._names else None])

    @property
    def _eyes(self) -> str:
        return "" if self._seat is None else str(self._seat)

    def act(self, tap: Tap) -> bool:
        """Step, look with other eyes, or leave."""
        verb, _sep, rest = tap.do.partition(".")
        eyes = tap.fields.get("seat", "?")
        self._reply = ""
        if verb == "go" and rest in self._ways:
            if not self._ways[rest]():
                self._reply = _("There is nothing more in that direction.")
        elif verb == "eyes" and eyes in ("", *self._names):
            self._seat = int(eyes) if eyes else None
        else:
            return verb == "leave" and self.give(None)
        return True
