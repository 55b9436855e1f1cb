"""The page on which this laptop's person changes its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from lanplay.errors import Problem
from lanplay.language import _, current
from lanplay.told import inside, worded
from lanplay.ui.settings import SettingRow
from lanplay.web.elements import choice, el
from lanplay.web.live import Tap
from lanplay.web.lobby import Answers
from lanplay.web.pages import PageStack
from lanplay.web.regions import button, head, whole


class SettingsPage(Answers[None]):
    """Shows settings, each of which counts as soon as it is changed: see ``ShowsSettings``."""

    def __init__(
        self,
        pages: PageStack,
        rows: Callable[[], Sequence[SettingRow]],
        change: Callable[[str, str], None],
    ) -> None:
        super().__init__(pages, None)
        self._rows = rows
        self._change = change

    def regions(self) -> Mapping[str, Markup]:
        """Return a form for each setting."""
        kept = el("p", _("Each change takes effect at once and is kept."), class_="calm")
        rows = el("div", *map(_row, self._rows()), class_="form")
        ways = el("div", button(_("back"), "leave", "", "main"), class_="ways")
        body = el("div", kept, rows, *self.spoken(), ways, class_="paper lobby")
        return whole(head=head(_("Settings")), board=body)

    def act(self, tap: Tap) -> bool:
        """Take another value, or the way back."""
        verb, _sep, name = tap.do.partition(".")
        if verb == "leave":
            return self.give(None)
        row = next((each for each in self._rows() if each.name == name), None)
        text = tap.fields.get("value", "")
        if verb != "set" or row is None or (row.choices and text not in row.choices):
            return False
        self.said.clear()
        try:
            self._change(name, text)
        except Problem as error:
            self.say(worded(error.told, inside))
        return True


def _row(row: SettingRow) -> Markup:
    name = f"s.{row.name}"
    if row.choices:
        entry = choice("value", row.choices, row.value, ident=name, key=f"{name}.{current()}")
    else:
        entry = el("input", id=name, name="value", value=row.value, maxlength=80)
    label = el("p", el("label", row.told, for_=name), entry)
    return el("form", label, data_do=f"set.{row.name}", data_auto=True, data_key=row.name)
