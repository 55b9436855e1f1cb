"""Settings are changed inside the program, at once: in the full screen and in lines."""

from __future__ import annotations

from contextlib import redirect_stdout

import pytest
import trio.testing

from lanplay.cli.place import Place
from lanplay.cli.settings import OFFERED, preferences_of, settle
from lanplay.config.declared import Settings
from lanplay.language import TAGS, _, current, use
from lanplay.session.client import Client
from lanplay.session.settings import Profile, Store
from lanplay.tui.front_end import FullScreen
from lanplay.tui.glyphs import UNICODE
from lanplay.tui.loop import Spoken
from tests.tui.harness import sitting


@pytest.fixture
def place_of(tmp_path, monkeypatch):
    """What makes a place of a front end; its file of settings lies in the test's folder."""
    monkeypatch.setenv("LANPLAY_CONFIG", str(tmp_path / "config.toml"))

    def made(front):
        client = Client(Profile("Ann"), Store(tmp_path), None, print)
        return Place(client, front, Settings())

    yield made
    use("en")


async def test_what_is_changed_in_the_full_screen_counts_at_once_and_is_kept(place_of, tmp_path):
    """Up and down choose, left and right change; the next line is drawn in the new language."""
    async with sitting() as person, trio.open_nursery() as nursery:
        place = place_of(FullScreen(person.stage))
        nursery.start_soon(settle, place)
        await trio.testing.wait_all_tasks_blocked()
        names = list(OFFERED)
        assert "Settings" in person.text()
        await person.press(*["down"] * names.index("call"), "right")
        assert person.stage.ringer.how == place.settings.call == "notify"
        await person.press(*["up"] * (names.index("call") - names.index("theme")), "right")
        assert place.front.palette == place.settings.theme == "dark"
        await person.press("up", "right", "right")
        assert current() == "cs"
        assert "Nastavení" in person.text()
        await person.press("up", "enter", *["backspace"] * 9, *"Eva", "enter")
        assert place.client.profile.name == "Eva"
        await person.press("escape")
    kept = (tmp_path / "config.toml").read_text("utf-8")
    for line in ('name = "Eva"', 'lang = "cs"', 'theme = "dark"', 'call = "notify"'):
        assert line in kept


async def test_a_change_leaves_the_letters_that_the_terminal_has(place_of):
    """While the full screen runs it stands in the place of the output, and has no encoding: after
    any change all was drawn in ASCII, frames as question marks."""
    async with sitting() as person:
        preferences = preferences_of(place_of(FullScreen(person.stage)))
        with redirect_stdout(Spoken(person.stage)):
            preferences.typed("call off")
        assert person.stage.glyphs is UNICODE


@pytest.mark.parametrize("tag", TAGS)
async def test_no_setting_is_cut_off_at_80_columns(place_of, tag):
    """What has no room goes on in the next row."""
    async with sitting() as person, trio.open_nursery() as nursery:
        use(tag)
        nursery.start_soon(settle, place_of(FullScreen(person.stage)))
        await trio.testing.wait_all_tasks_blocked()
        text = person.text()
        await person.press("escape")
    assert "…" not in text
    assert _("Each change takes effect at once and is kept.") in text


def test_a_typed_change_says_what_could_stand_there(place_of):
    class Front:
        async def settings(self, rows, change):
            raise AssertionError

        def settled(self, settings):
            self.now = settings

    front = Front()
    preferences = preferences_of(place_of(front))
    preferences.typed("ai_speed instant")
    assert front.now.ai_speed == "instant"
    with pytest.raises(ValueError, match="slow, normal, fast, instant"):
        preferences.typed("ai_speed quick")
    with pytest.raises(ValueError, match="theme"):
        preferences.typed("colour red")
