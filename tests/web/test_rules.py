"""The rules in the browser: formatted, in place, and a tap away wherever one waits."""

from __future__ import annotations

import re

import pytest

from lanplay.games import NAMES
from lanplay.language import TAGS, speaking
from lanplay.ui import rulebook
from lanplay.ui.lobby import Listing
from lanplay.web.live import Tap
from lanplay.web.lobby import LobbyPage
from lanplay.web.pages import PageStack
from lanplay.web.rules import drawn
from tests.web.harness import options, parsed


@pytest.mark.parametrize("tag", TAGS)
def test_every_page_of_rules_is_drawn_with_all_its_words_and_none_of_its_marks(tag):
    with speaking(tag):
        for name in NAMES:
            page = rulebook.text(name)
            root = parsed(drawn(page))
            assert "**" not in root.text
            assert "|" not in root.text
            assert len(list(root.all("h3"))) == page.count("\n## ")
            assert len(list(root.all("table"))) == len(re.findall(r"(?m)^ *\|---", page))
            assert all(each.text.strip() for each in root.all("th")), "a heading without a word"
            words = page.replace("*", " ").replace("|", " ").replace("`", " ").split()
            told = root.text.replace(" ", "")
            assert all(w.strip("#-") in told for w in words)


def test_what_looks_like_an_element_in_a_page_is_text():
    assert parsed(drawn("- **DT-1** <b onclick=x>&amp;*it*")).text == "DT-1 <b onclick=x>&amp;it"


def test_rules_open_over_the_lobby_and_go_with_it():
    pages = PageStack()
    lobby = LobbyPage(pages, lambda: Listing((), "", False, ""))
    with pages.showing(lobby):
        assert pages.act(Tap("rules"))
        found = options(parsed("".join(pages.regions().values())))
        assert {f"read.{name}" for name in NAMES} <= found.keys()
        assert pages.act(Tap("read.fliptown"))
        assert "Fliptown" in pages.regions()["board"]
        assert pages.act(Tap("close"))
        assert pages.act(Tap("rules"))
    assert "read." not in "".join(pages.regions().values())
