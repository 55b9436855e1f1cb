"""Settings changed in the lobby of a browser: they count at once, and are in their file."""

from __future__ import annotations

import tomllib

import pytest

from lanplay import language
from lanplay.cli.lobby import lobby
from lanplay.cli.place import Place
from lanplay.cli.settings import OFFERED, settle
from lanplay.config.declared import SETTINGS, Settings
from lanplay.config.file import ConfigFile, FileError, commented
from lanplay.config.loading import inspect
from lanplay.web.front_end import OwnPages, WebFrontEnd
from lanplay.web.live import Tap
from tests.session.harness import client_of
from tests.session.test_commands import until
from tests.web.harness import options, parsed


@pytest.fixture
def path(tmp_path, monkeypatch):
    """The settings' file of a test, and the language of before after it."""
    monkeypatch.setenv("LANPLAY_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.delenv("LANPLAY_LANG", raising=False)
    before = language.current()
    yield tmp_path / "config.toml"
    language.use(before)


def text_of(pages):
    return parsed("".join(pages.regions().values())).text


async def test_what_is_changed_in_the_lobby_counts_at_once_and_at_the_next_start(
    tmp_path, path, nursery
):
    pages = OwnPages("")
    place = Place(client_of(tmp_path, "Eva"), WebFrontEnd(pages), Settings())
    nursery.start_soon(lobby, place)
    await until(lambda: "settings" in options(parsed("".join(pages.regions().values()))))
    assert pages.act(Tap("settings"))
    await until(lambda: "set.lang" in "".join(pages.regions().values()))
    assert pages.act(Tap("set.lang", fields={"value": "cs"}))
    assert "Nastavení" in text_of(pages)
    assert pages.act(Tap("set.name", fields={"value": 'Eva "E" \\ Nová'}))
    assert pages.act(Tap("set.animation", fields={"value": "false"}))
    assert pages.act(Tap("set.game", fields={"value": "fliptown"}))
    assert not pages.act(Tap("set.game", fields={"value": "chess"}))
    assert not pages.act(Tap("set.data", fields={"value": "/elsewhere"}))
    assert not pages.act(Tap("set.lang", fields={"value": "xx"}))
    assert place.client.profile.name == 'Eva "E" \\ Nová'
    assert pages.taste.still
    kept = inspect({}, {"LANPLAY_CONFIG": str(path)})
    assert not kept.faults
    assert kept.settings == place.settings
    assert (kept.settings.lang, kept.settings.game) == ("cs", "fliptown")
    assert pages.act(Tap("leave"))
    await until(lambda: "new" in options(parsed("".join(pages.regions().values()))))
    assert pages.act(Tap("new"))
    await until(lambda: "open" in "".join(pages.regions().values()))
    pressed = list(parsed("".join(pages.regions().values())).all("button"))
    assert [b["data-do"] for b in pressed if b["aria-pressed"] == "true"] == ["game.fliptown"]


async def test_a_file_that_cannot_be_written_is_told_and_nothing_has_changed(
    tmp_path, path, nursery
):
    path.mkdir()
    pages = OwnPages("")
    place = Place(client_of(tmp_path, "Eva"), WebFrontEnd(pages), Settings())
    nursery.start_soon(settle, place)
    await until(lambda: pages._stack)
    assert pages.act(Tap("set.game", fields={"value": "charidice"}))
    assert str(path) in text_of(pages)
    assert place.settings == Settings()


def test_every_setting_that_is_offered_is_one():
    assert set(OFFERED) <= set(SETTINGS)


@pytest.mark.parametrize(
    "before",
    ["", commented(), '# mine\nname = "Ann" # who\n', "#name = 1\r\nbot = 'expert'\r\n"],
)
def test_a_value_is_put_into_the_file_and_all_else_stays(before, path):
    path.write_text(before, encoding="utf-8")
    old = tomllib.loads(before)
    for value in ("Tom", "Éva\t\"'\\", ""):
        ConfigFile(path).store(SETTINGS["name"], value)
        assert tomllib.loads(path.read_text(encoding="utf-8")) == {**old, "name": value}
    ConfigFile(path).store(SETTINGS["web"], True)
    kept = path.read_text(encoding="utf-8")
    assert tomllib.loads(kept) == {**old, "name": "", "web": True}
    assert kept.count("name =") == 1 + kept.count("# name =")


@pytest.mark.parametrize("odd", ['name = """\nAnn\n"""\n', '"name" = "Ann"\n'])
def test_what_cannot_be_changed_safely_is_left_as_it_is(odd, path):
    path.write_text(odd, encoding="utf-8")
    with pytest.raises(FileError):
        ConfigFile(path).store(SETTINGS["name"], "Tom")
    assert path.read_text(encoding="utf-8") == odd
