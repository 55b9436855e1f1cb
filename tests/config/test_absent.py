"""What becomes of lost laptops' seats, as a person sets it."""

from __future__ import annotations

import pytest

from lanplay.cli.lobby import offers
from lanplay.config.loading import inspect
from lanplay.errors import UserError
from lanplay.lines.lobby import LobbyLines
from lanplay.session.hosting import new_table
from lanplay.session.settings import Profile, TableWish
from lanplay.ui.lobby import Listing, agreed
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.settings import ABSENT, TableSettings, parse_settings


@pytest.mark.parametrize("where", ["flag", "environment", "file"])
@pytest.mark.parametrize(
    ("value", "meant"),
    [("sealed", "sealed"), ("play", "play"), ("pass", "pass"), ("plays", "play")],
)
def test_what_is_set_counts_and_its_old_name_is_read_with_a_line(where, value, meant, tmp_path):
    path = tmp_path / "config.toml"
    path.write_text(f'absent = "{value}"\n' if where == "file" else "")
    environ = {"LANPLAY_CONFIG": str(path)}
    if where == "environment":
        environ["LANPLAY_ABSENT"] = value
    found = inspect({"absent": value} if where == "flag" else {}, environ)
    assert found.usable().absent == meant
    told = [text for text in found.settings.notices if "absent = plays is now called play" in text]
    assert len(told) == (value != meant)


def test_without_a_word_hands_stay_closed(tmp_path):
    """Nobody has to know the setting to be safe."""
    found = inspect({}, {"LANPLAY_CONFIG": str(tmp_path / "config.toml")})
    assert found.usable().absent == TableSettings().absent == TableWish("x").absent == "sealed"


@pytest.mark.parametrize("absent", ABSENT)
def test_the_terms_of_a_table_hold_it_for_all(absent):
    """They are what all sign, and what every forming table shows in words."""
    settings = TableSettings(absent=absent)
    assert parse_settings(settings.plain()) == settings
    info = new_table(TableWish("charidice", absent=absent), Profile("Ann"))
    assert info.settings.absent == absent
    assert any("lost laptop" in line for line in agreed(info))


@pytest.mark.parametrize("value", [3, -1, True, "play", None])
def test_other_terms_are_refused(value):
    plain = TableSettings().plain()
    with pytest.raises(PeerError):
        parse_settings((*plain[:2], value, *plain[3:]))


def test_a_table_of_old_that_played_on_with_hands_is_read_as_play():
    """Its terms were 0 where they are ``play`` now, and 1 where they are ``sealed``."""
    old = (45, "strong", 0, 1, 0, 1)
    assert parse_settings(old).absent == "play"
    assert parse_settings(old).plain() == old
    assert parse_settings((45, "strong", 1, 1, 0, 1)).absent == "sealed"


def test_nobody_passes_where_the_rules_know_no_pass():
    """The refusal says why, and what there is instead; no form offers it."""
    with pytest.raises(UserError, match=r"pass is not possible with dice-town.*sealed"):
        new_table(TableWish("dice-town", absent="pass"), Profile("Ann"))
    for offer in offers("pass"):
        assert ("pass" in offer.absent) == (offer.absent[0] == "pass")
        assert ("pass" in offer.absent) == (offer.game != "dice-town")


@pytest.mark.parametrize(
    ("typed", "absent"),
    [
        ("new charidice 3", "sealed"),
        ("new charidice 3 absent=pass", "pass"),
        ("new dice-town absent=play idle=30", "play"),
    ],
)
def test_lines_take_it_with_a_new_table(typed, absent):
    lobby = LobbyLines(None, lambda: Listing(()))
    assert lobby._wish(typed).what == "new"
    assert lobby.opened(offers(), "dice-town", "strong").wish.absent == absent


def test_lines_say_what_it_may_be(capsys):
    lobby = LobbyLines(None, lambda: Listing(()))
    lobby._wish("new dice-town absent=pass")
    assert lobby.opened(offers(), "dice-town", "strong") is None
    assert "absent is one of: sealed, play." in capsys.readouterr().err
