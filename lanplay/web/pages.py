"""The stack of pages of one person: the topmost is shown and gets the taps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import trio
from markupsafe import Markup

from lanplay.language import _, current
from lanplay.web.elements import el
from lanplay.web.live import Page, Tap
from lanplay.web.regions import head, region, whole
from lanplay.web.taste import Taste


class PageStack:
    """What a person sees now: see ``lanplay.web.live.Person``. ``kind`` is a class of the document.

    ``retold`` is called when another language is wanted.
    """

    def __init__(self, kind: str = "", taste: Taste | None = None) -> None:
        self.taste = taste or Taste()
        self.changed = trio.Event()
        self._kind = kind
        self._stack: list[Page] = []
        self._over: dict[Page, Page] = {}

    @property
    def look(self) -> str:
        """The classes of the whole document."""
        return f"{self._kind} {self.taste.look}".strip()

    def retold(self) -> None:
        """Speak another language from now on."""

    def redraw(self) -> None:
        """Show the page anew wherever it is shown."""
        changed, self.changed = self.changed, trio.Event()
        changed.set()

    def push(self, page: Page, over: Page | None = None) -> None:
        """Show a page on top of all others; one ``over`` another goes with it."""
        self._stack.append(page)
        if over is not None:
            self._over[page] = over
        self.redraw()

    def pop(self, page: Page) -> None:
        """Take a page away, wherever it lies; one that is not there stays away."""
        for each in [p for p in self._stack if page in (p, self._over.get(p))]:
            self._stack.remove(each)
            self._over.pop(each, None)
        self.redraw()

    @contextmanager
    def showing(self, page: Page) -> Iterator[None]:
        """Show a page on top of all others while a block runs."""
        self.push(page)
        try:
            yield
        finally:
            self.pop(page)

    def regions(self) -> Mapping[str, Markup]:
        """Return the topmost page."""
        drawn = self._stack[-1].regions() if self._stack else whole(head=head("lanplay"))
        return {**drawn, "taste": region("taste", self.taste.form(current()))}

    def act(self, tap: Tap) -> bool:
        """Hand a tap to the topmost page."""
        if tap.do == "taste":
            before, self.taste = self.taste, self.taste.changed(tap.fields)
            if before.lang != self.taste.lang:
                self.retold()
            self.redraw()
            return True
        done = bool(self._stack) and self._stack[-1].act(tap)
        self.redraw()
        return done


class Sentence(Page):
    """A page that says one thing, and on which nothing is to be done; ``over``: it is the last.

    ``text`` is marked for translation, and has ``values``; ``role`` is that of its element.
    """

    def __init__(
        self,
        text: str,
        values: Mapping[str, str] | None = None,
        over: bool = True,
        role: str | None = None,
    ) -> None:
        self._text = text
        self._over = over
        self._values = values or {}
        self._role = role

    def regions(self) -> Mapping[str, Markup]:
        """Return a sentence."""
        text = _(self._text).format(**self._values)
        said = el("p", text, class_="sentence", role=self._role)
        return whole(head=head("lanplay", over=self._over), board=said)
