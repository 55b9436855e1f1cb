"""The lobby as lines: what can be typed for a new table."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio

import lanplay_ai as ai
from lanplay.cli.lobby import _run, _sitting, follow, opening, row_of
from lanplay.cli.place import Place
from lanplay.errors import Fault, UserError
from lanplay.language import speaking
from lanplay.lines.lobby import LobbyLines
from lanplay.lines.source import Lines
from lanplay.notices import Notice
from lanplay.session.client import Client
from lanplay.session.finding import FoundTable
from lanplay.session.settings import Network, Profile, Store, TableWish
from lanplay.told import inside, worded
from lanplay.ui.lobby import Listing, Offer, Opened, Wish
from tests.discovery.test_discovery import new_advert

OFFERS = [
    Offer(
        "dice-town",
        range(2, 6),
        {"brute": ("free", "one_extra")},
        dict.fromkeys(("random", "strong"), ""),
    ),
    Offer("charidice", range(2, 5), {}, dict.fromkeys(("random", "beginner"), "")),
]


@pytest.mark.parametrize(
    ("line", "table"),
    [
        ("new", Opened(TableWish("dice-town", 4, "strong"))),
        ("play charidice 2", Opened(TableWish("charidice", 2, "random"), alone=True)),
        (
            "new dice-town 3 random brute=one_extra no-hints password",
            Opened(
                TableWish("dice-town", 3, "random", {"brute": "one_extra"}, hints=False),
                password=True,
            ),
        ),
        ("new idle=60", Opened(TableWish("dice-town", 4, "strong", idle=60))),
        ("new idle=x", Opened(TableWish("dice-town", 4, "strong", {"idle": "x"}))),
        ("new no-hints", Opened(TableWish("dice-town", 4, "strong", hints=False))),
        ("play password", Opened(TableWish("dice-town", 4, "strong"), alone=True)),
    ],
)
async def test_a_line_describes_a_new_table(line, table):
    """What is left out is as usual; a game alone has no password."""
    lobby = LobbyLines(Lines(io.StringIO(f"{line}\n")), Listing)
    assert (await lobby.wish()).what == "new"
    assert lobby.opened(OFFERS, "dice-town", "strong") == table


def test_a_table_is_opened_as_it_was_described():
    """Its host is asked for the password when it is needed; alone there is none."""
    place = Place(Client(Profile("Ann"), Store(Path()), Network(), print), None, None)
    wish = TableWish("dice-town", 3, "random", {}, idle=60, hints=False)
    table = Opened(wish, password=True)
    hosts = opening(table, place)
    assert (hosts.func, hosts.args[0], hosts.args[1].wanted) == (place.host, wish, True)
    plays = opening(replace(table, alone=True), place)
    assert (plays.func, plays.args) == (place.play, (wish,))


async def test_help_names_the_games_and_their_options_in_words(capsys):
    """Whoever opens a table by typing need not know what may be chosen."""
    lobby = LobbyLines(Lines(io.StringIO("help\nq\n")), Listing)
    assert (await lobby.wish()).what == "leave"
    said = capsys.readouterr().err
    assert "charidice" in said
    assert f"AI: {', '.join(ai.names('charidice'))}" in said
    assert "brute=one_extra" in said
    assert "The Brute makes free: one more die" in said


async def test_bots_tells_what_each_ai_of_a_game_is_like(capsys):
    """Whoever names an AI for a table can read a line on each."""
    lobby = LobbyLines(Lines(io.StringIO("bots charidice\nq\n")), Listing)
    assert (await lobby.wish()).what == "leave"
    said = capsys.readouterr().err
    for name, bot in ai.bots("charidice").items():
        assert f"  {name} " in said
        assert bot.summary in said


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault.LEFT_TABLE, "You have left the table."),
        (Fault.LEFT_GAME, "You have left the game."),
        (Fault.LINK_BROKEN, "The connection broke. Check the address, the Wi-Fi and firewalls."),
        (Fault.NO_NETWORK, "only its own tables can be found. Connect it to the others' Wi-Fi"),
    ],
)
def test_the_lobby_names_no_command_of_the_shell_for_what_it_has_keys_for(fault, told):
    async def ends():
        raise UserError(fault)

    assert told in trio.run(_run, ends)[0]
    with speaking("hu"):
        assert "lanplay" not in trio.run(_run, ends)[0]


@pytest.mark.parametrize("saying", [*Fault, *Notice], ids=str)
def test_a_command_of_the_shell_that_the_program_has_keys_for_is_named_in_a_shell_alone(saying):
    """Its sentence is marked with ``:shell``, and left out inside the program."""
    told = saying.of(**dict.fromkeys(saying.fields, 1))
    shell = re.compile(r"lanplay (host|join|resume|tables|watch)(?! --)\b")
    assert not shell.search(worded(told, inside) or "lanplay join")


async def test_a_number_means_the_table_that_was_printed_with_it(capsys):
    """Tables that come and go meanwhile had others take its number, and one sat down there."""
    ann, bob = (
        row_of(FoundTable(new_advert(table_id=each * 16, table=each), ())) for each in ("aa", "bb")
    )
    listed = [[ann, bob]]
    lobby = LobbyLines(Lines(io.StringIO("join 2\njoin 1\nq\n")), lambda: Listing(listed[-1]))
    lobby.changed()
    listed.append([bob])
    lobby.changed = lambda: None  # it is printed again a moment later
    assert (await lobby.wish()).row is bob
    assert (await lobby.wish()).what == "leave"
    assert "There is no table 1." in capsys.readouterr().err


async def test_a_table_opened_anew_that_looks_as_before_has_its_number(capsys):
    """Its line was not printed again, and for its number there was no table any more."""
    first, again = (
        row_of(FoundTable(new_advert(table_id=each * 16, table="T"), ())) for each in ("aa", "bb")
    )
    listed = [first]
    lobby = LobbyLines(Lines(io.StringIO("join 1\n")), lambda: Listing([listed[-1]]))
    lobby.changed()
    listed.append(again)
    lobby.changed()
    assert (await lobby.wish()).row is again
    assert capsys.readouterr().err.count("1. ") == 1


async def test_tables_are_shown_again_no_oftener_than_they_can_be_read(autojump_clock):
    """A stranger that sat down and got up forty times a second had the lobbies of all flicker."""

    async def changed():
        await trio.sleep(1 / 40)

    shown = []
    with trio.move_on_after(10):
        await follow(SimpleNamespace(changed=changed), lambda: shown.append(trio.current_time()))
    assert 5 <= len(shown) <= 10


def test_the_table_of_an_own_game_is_sat_down_at_by_going_on_with_it():
    """Enter there had asked to watch: "you have a seat at this table"."""
    gone_on = []
    playing = replace(new_advert(table_id="ab" * 16), state="running")
    found = FoundTable(playing, [("127.0.0.1", 1)], closed="They play already.")
    place = SimpleNamespace(front=None, resume=lambda access, file: gone_on.append(file))
    row, other = row_of(found, own=True), row_of(found)
    assert (row.note, row.closed, row.watched) == ("Your seat here is kept for you.", "", False)
    assert (other.closed, other.watched) == ("They play already.", True)
    _sitting(Wish("join", row), found, {"ab" * 16: Path("game")}, place)()
    _sitting(Wish("resume"), None, {"ab" * 16: Path("game")}, place)()
    assert gone_on == [Path("game"), None]
