"""Pages with one question: a few answers, or a line that nobody else is to read."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from lanplay.language import _
from lanplay.web.elements import el, joined
from lanplay.web.live import Tap
from lanplay.web.lobby import Answers
from lanplay.web.pages import PageStack
from lanplay.web.regions import button, head, whole


class ChoicePage(Answers[str]):
    """A question with a few answers, by their keys."""

    def __init__(self, pages: PageStack, question: str, answers: Mapping[str, str]) -> None:
        super().__init__(pages, "")
        self._question = question
        self._answers = answers

    def regions(self) -> Mapping[str, Markup]:
        """Return the question above its answers."""
        first, *more = self._question.split("\n")
        ways = [button(text, f"choose.{key}", "", "main") for key, text in self._answers.items()]
        inside = [el("h2", first), *(el("p", each) for each in more), el("div", *ways)]
        return whole(head=head("lanplay"), board=el("div", *inside, class_="paper lobby"))

    def act(self, tap: Tap) -> bool:
        """Take an answer."""
        verb, _sep, key = tap.do.partition(".")
        return verb == "choose" and key in self._answers and self.give(key)


class SecretPage(Answers[str | None]):
    """Asks for a line that nobody else is to read; ``None`` if its person gives none."""

    def __init__(self, pages: PageStack, prompt: str) -> None:
        super().__init__(pages, None)
        self._prompt = prompt

    def regions(self) -> Mapping[str, Markup]:
        """Return a line for it, and the way out."""
        form = el(
            "form",
            el("label", self._prompt, for_="secret"),
            el("input", id="secret", name="text", type="password", maxlength=240, required=True),
            el("button", _("sit down"), class_="main"),
            button(_("leave"), "leave", "", "quiet"),
            data_do="text",
            class_="form",
        )
        body = joined([el("div", form, class_="paper lobby")])
        return whole(head=head(_("Password")), board=body)

    def act(self, tap: Tap) -> bool:
        """Take the line, or the wish to leave."""
        if tap.do == "text":
            return self.give(tap.fields.get("text", ""))
        return tap.do == "leave" and self.give(None)
