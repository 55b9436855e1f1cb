"""Lobby, new table and forming table by keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
import trio.testing

from lanplay.errors import Fault, Mistake
from lanplay.language import speaking
from lanplay.session.settings import TableWish
from lanplay.tui.front_end import FullScreen
from lanplay.ui.lobby import Listing, Offer, Row
from lanplay_protocol.lobby import Guest, Seat, TableInfo
from lanplay_protocol.replica.settings import TableSettings
from tests.tui.golden import ROWS
from tests.tui.harness import GAME, SIZES, sitting

OFFERS = (
    Offer(
        "dice-town",
        range(2, 6),
        {"brute": ("free", "one_extra")},
        {"random": "", "strong": "knows the odds, spends with care"},
    ),
    Offer("charidice", range(2, 5), {}, dict.fromkeys(("random", "beginner"), "")),
)
ME = bytes(32)


def desk(person):
    return FullScreen(person.stage)


async def wish(person, listing, *keys):
    """Return what the keys make the lobby wish for; ``None`` if nothing."""
    wishes = []
    with desk(person).lobby(lambda: listing) as lobby:
        async with trio.open_nursery() as nursery:

            async def ask():
                wishes.append(await lobby.wish())

            nursery.start_soon(ask)
            await person.press(*keys)
            nursery.cancel_scope.cancel()
    return wishes[0] if wishes else None


@pytest.mark.parametrize(
    ("keys", "what", "table"),
    [
        (("enter",), "join", "Ann's table"),
        (("down", "enter"), "watch", "東京"),
        (("w",), "watch", "Ann's table"),
        (("n",), "new", None),
        (("g",), "resume", None),
        (("q",), "leave", None),
        (("row 0", "enter"), "join", "Ann's table"),
    ],
)
async def test_one_or_two_keys_lead_to_a_table(keys, what, table):
    """Enter sits down, or watches where people play already; letters do the rest."""
    rows = (ROWS[0], Row("1" * 32, "東京", "dice-town", 5, 0, False, True, (), watched=True))
    async with sitting() as person:
        wanted = await wish(person, Listing(rows, "A game of yours can go on."), *keys)
    assert wanted.what == what
    assert (wanted.row.table if wanted.row else None) == table


async def test_the_bar_says_what_enter_does_at_this_table():
    """Where people play already it is to watch: nobody sits down there."""
    rows = (ROWS[0], Row("1" * 32, "東京", "dice-town", 5, 0, False, True, (), watched=True))
    async with sitting() as person:
        with desk(person).lobby(lambda: Listing(rows)):
            assert "Enter sit down" in person.text()
            await person.press("down")
            assert "Enter watch" in person.text()


async def test_the_cursor_stays_at_its_table_when_others_come_and_go():
    """Enter means the table pointed at, wherever it stands now; the first if that one is gone."""
    rows = (ROWS[0], replace(ROWS[0], key="2" * 32, table="Ben's table"))
    listing, wishes = Listing(rows[1:]), []
    async with sitting() as person:
        with desk(person).lobby(lambda: listing) as lobby:
            person.text()
            for listing.rows in (rows, rows[:1]):
                async with trio.open_nursery() as nursery:

                    async def ask():
                        wishes.append(await lobby.wish())

                    nursery.start_soon(ask)
                    await person.press("enter")
                    nursery.cancel_scope.cancel()
    assert [each.row.table for each in wishes] == ["Ben's table", "Ann's table"]


async def test_who_cannot_sit_down_is_told_why():
    """A table of another version is grey, and says both versions."""
    async with sitting() as person:
        assert await wish(person, Listing(ROWS[2:]), "enter") is None
        listing = Listing(ROWS[2:])
        with desk(person).lobby(lambda: listing):
            text = person.text()
            roles = {
                s.role for row in person.stage.lines(SIZES[0]) for s in row if "An old" in s.text
            }
    assert "0.0.9" in text
    assert "0.1.0" in text
    assert "off" in roles


@pytest.mark.parametrize(("key", "game"), [("2", "charidice"), ("enter", None), ("n", None)])
async def test_a_first_game_is_of_the_game_that_its_person_names(key, game):
    """``c`` asks which; any key but a number wants none."""
    async with sitting() as person:
        wanted = await wish(person, Listing(()), "c", key)
    assert (None if wanted is None else (wanted.what, wanted.text)) == (
        None if game is None else ("learn", game)
    )


async def test_a_key_that_does_nothing_in_the_lobby_says_so():
    """Also one that would, were there a table or a game of one's own."""
    async with sitting() as person:
        with desk(person).lobby(lambda: Listing(())):
            for key, name in (("z", "z"), ("g", "g"), ("w", "w"), (" ", "Space")):
                await person.press(key)
                assert f"{name} does nothing now; ? lists the keys." in person.text()
            assert person.text().count("does nothing now") == 1


async def test_an_address_is_typed():
    """``j`` asks for HOST:PORT."""
    async with sitting() as person:
        wanted = await wish(person, Listing(()), "j", *"10.0.0.1:4001", "enter")
    assert (wanted.what, wanted.text) == ("address", "10.0.0.1:4001")


async def opened(person, *keys):
    made = []
    async with trio.open_nursery() as nursery:

        async def ask():
            made.append(await desk(person).opening(OFFERS, "dice-town", "strong"))

        nursery.start_soon(ask)
        await person.press(*keys)
    return made[0]


async def test_two_keys_lead_from_the_lobby_to_a_game_against_ai():
    """``n`` in the lobby, then ``a``: the usual game, seats and AI."""
    async with sitting() as person:
        table = await opened(person, "a")
    wish = table.wish
    assert (wish.game, wish.seats, wish.bot, table.alone) == ("dice-town", 4, "strong", True)
    assert wish.options == {"brute": "free"}


async def test_everything_of_a_new_table_can_be_changed():
    """Left and right change what the cursor is at; another game brings its own options."""
    async with sitting() as person:
        changed = await opened(person, "down", "left", "down", "right", "down", "left", "enter")
        other = await opened(person, "right", "enter")
        nothing = await opened(person, "escape")
    assert (changed.wish.seats, changed.wish.bot, changed.alone) == (3, "random", False)
    assert changed.wish.options == {"brute": "one_extra"}
    assert other.wish == TableWish("charidice", 4, "random")
    assert nothing is None


async def test_hints_and_a_password_belong_to_a_new_table():
    """The last two fields forbid hints and announce a password; a game alone has none."""
    async with sitting() as person:
        ours = await opened(person, "up", "right", "up", "right", "enter")
        alone = await opened(person, "up", "right", "up", "right", "a")
        usual = await opened(person, "enter")
    assert (ours.wish.hints, ours.password) == (False, True)
    assert (alone.wish.hints, alone.password) == (False, False)
    assert (usual.wish.hints, usual.password) == (True, False)


async def test_options_are_shown_in_words():
    """A new table and a forming one name the game's options as its players do (DT-6.1)."""
    async with sitting() as person:
        own = desk(person)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(own.opening, OFFERS, "dice-town", "strong")
            await person.press()
            form = person.text()
            nursery.cancel_scope.cancel()
        table = replace(
            info("Ann", ""), options=(("brute", "one_extra"),), settings=TableSettings(hints=False)
        )
        with own.forming():
            own.seats(table)
            forming = person.text()
    assert "The Brute makes free" in form
    assert "[all dice of the reveal]" in form
    assert "The Brute makes free: one more die" in forming
    assert "No hints are given at this table." in forming
    assert "one_extra" not in form + forming


def info(*names):
    seats = tuple(Seat(name, ME if name == "Ann" else bytes([1]) * 32) for name in names)
    seats = tuple(seat if seat.name else Seat() for seat in seats)
    guests = (Guest(ME, "Ann", ()), Guest(bytes([1]) * 32, "Bob", ()))
    return TableInfo("0" * 32, "t", GAME.name, 2, (), seats, guests)


@pytest.mark.parametrize(
    ("keys", "typed"),
    [
        (("enter",), ["start"]),
        (("a",), ["ai 3 random", "ai 4 random"]),
        (("b", "a"), ["ai 3 steady", "ai 4 steady"]),
        (("down", "k", "y"), ["kick Bob"]),
        (("down", "k", "k"), []),
        (("down", "down", "k"), []),
        (("down", "x", "down", "x"), ["move 2 3"]),
        (("c",), ["learn"]),
        (("L",), ["lock"]),
        ((":", *"option brute=free", "enter"), ["option brute=free"]),
        (("t", *"hello", "enter"), ["say hello"]),
        (("t", *"hello", "escape", "t", "enter"), []),
        (("q", "y"), ["q"]),
        (("q", "n"), []),
    ],
)
async def test_a_host_does_by_keys_what_lines_do(keys, typed):
    """Every key is a line of the line interface."""
    lines = []

    def obey(line):
        lines.append(line)
        return line == "start"

    async with sitting() as person:
        own = desk(person)
        with own.forming():
            own.seats(info("Ann", "Bob", "", ""))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(own.host, obey, None)
                await person.press(*keys)
                nursery.cancel_scope.cancel()
    assert lines == typed


async def test_the_key_of_a_first_game_is_shown_to_whoever_sits_alone():
    """With others at the table it is no first thing to do."""
    async with sitting() as person:
        own = desk(person)
        with own.forming():
            for others, shown in (("",), True), (("Bob",), False):
                own.seats(info("Ann", *others, "", ""))
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(own.host, lambda line: False, None)
                    await person.press("down")
                    assert ("c first game" in person.text()) == shown
                    nursery.cancel_scope.cancel()


async def test_one_key_frees_a_seat_whoever_has_it():
    """A guest is asked for once more, an AI is not."""
    lines = []
    async with sitting() as person:
        own = desk(person)
        with own.forming():
            table = info("Ann", "Bob", "", "")
            seats = (*table.seats[:2], Seat("steady 3", ME, "steady"), Seat())
            own.seats(replace(table, seats=seats))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(own.host, lambda line: bool(lines.append(line)), None)
                await person.press("down", "k", "y", "down", "k")
                nursery.cancel_scope.cancel()
    assert lines == ["kick Bob", "free 3"]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault.NO_COMMAND, "no command 'fly'. ?: all commands."),
        (Fault.OWN_SEAT, "x: take another one."),
        (Fault.LOCKED_ALREADY, "L: take guests again."),
        (Fault.SEATS_KEPT, "Enter once more: begin with AI in their seats."),
    ],
)
async def test_what_a_line_gets_wrong_is_shown(fault, told):
    """The reason and what would be right are there to be read, with the key that does it."""

    def obey(line):
        values = {"line": line, "seat": 1, "names": "Bob"}
        raise Mistake(fault, **{name: values[name] for name in fault.fields})

    async with sitting() as person:
        own = desk(person)
        with own.forming():
            own.seats(info("Ann", "", "", ""))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(own.host, obey, None)
                await person.press(":", *"fly", "enter")
                text = person.text()
                nursery.cancel_scope.cancel()
    assert told in " ".join(text.split())


@pytest.mark.parametrize(("hosts", "keys"), [(True, "zz k"), (False, "zza")])
async def test_a_key_that_does_nothing_while_a_table_forms_says_so_once(hosts, keys):
    """Also one that is the host's, or that there is nobody for."""
    async with sitting() as person:
        own = desk(person)
        with own.forming():
            own.seats(info("Ann", "", "", ""))
            async with trio.open_nursery() as nursery:
                sits = own.host if hosts else own.guest
                given = (bool, None) if hosts else (trio.Event(), bool)
                nursery.start_soon(sits, *given)
                await person.press("down", *keys)
                text = person.text()
                nursery.cancel_scope.cancel()
    for key in keys:
        name = "Space" if key == " " else key
        assert text.count(f"{name} does nothing now; ? lists the keys.") == 1


async def test_a_guest_waits_or_leaves():
    """A guest is told who starts; ``q`` and ``y`` leave the table."""
    async with sitting() as person:
        own = desk(person)
        with own.forming():
            own.seats(info("Ann", "Bob", "", ""))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(own.guest, trio.Event(), lambda _: False)
                await person.press("k")
                assert "the host starts the game" in person.text()
                await person.press("q")
                assert len(nursery.child_tasks) == 1
                await person.press("y")
                assert not nursery.child_tasks


async def test_a_guest_talks_too_and_what_is_said_begins_the_log_of_the_game():
    """What was said at a table that was left is not in the log of another."""
    lines = []
    async with sitting() as person:
        own = desk(person)
        rings = []
        person.stage.ringer.call = rings.append
        with own.forming():
            own.heard("Zoe: “elsewhere”")
        with own.forming():
            own.seats(info("Ann", "Bob", "", ""))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(own.guest, trio.Event(), lines.append)
                await person.press("t", *"hello", "enter")
                own.heard("Ann: “hello Bob”")
                assert "Ann: “hello Bob”" in person.text()
                nursery.cancel_scope.cancel()
            with own.table(GAME, ("Ann", "Bob")).showing():
                log = person.text()
    assert lines == ["say hello"]
    assert rings[-1] == "Ann: “hello Bob”"
    assert "hello Bob" in log
    assert "elsewhere" not in log


async def test_a_password_is_typed_unseen():
    """Stars are shown; Esc gives none."""
    given = []
    async with sitting() as person:

        async def ask():
            given.append(await desk(person).secret("Password of the table: "))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask)
            await person.press(*"geheim", "backspace")
            assert "geh" not in person.text()
            assert "*****" in person.text()
            await person.press("enter")
    assert given == ["gehei"]


async def test_a_choice_is_one_key():
    """Only keys that are answers count; ``q`` leaves."""
    answers = {"": "y", "y": "y", "yes": "y", "n": "n"}
    given = []
    async with sitting() as person:

        async def ask():
            given.append(await desk(person).choice("Go on with it?", "y or n", answers))

        for key in ("enter", "n"):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(ask)
                await person.press("x", key)
    assert given == ["y", "n"]


async def test_a_kept_game_is_dropped_only_after_a_second_yes():
    """One key does not delete it; any other leaves it."""
    for key, wanted in (("n", False), ("y", True)):
        given = []
        async with sitting() as person, trio.open_nursery() as nursery:

            async def ask(given=given, person=person):
                given.append(await desk(person).sure("Drop the game for good?"))

            nursery.start_soon(ask)
            await person.press("d", "enter")
            assert "Drop the game for good?" in person.text()
            await person.press(key)
        assert given == [wanted]


async def test_games_are_called_by_their_titles_in_the_language_of_the_person():
    """The name that is typed stands neither in the lobby nor among the choices."""
    listing = Listing((Row("0" * 32, "t", "dogs-life", 4, 3, False, False, ("Ann",)),))
    async with sitting() as person, trio.open_nursery() as nursery:
        with speaking("cs"), desk(person).lobby(lambda: listing):
            lobby = person.text()
            nursery.start_soon(desk(person).opening, OFFERS, "dice-town", "strong")
            await trio.testing.wait_all_tasks_blocked()
            opening = person.text()
        nursery.cancel_scope.cancel()
    assert "Psí život" in lobby
    assert "[Dice Town]" in opening
    assert "silný: zná pravděpodobnosti, utrácí s rozmyslem" in opening
    assert "dogs-life" not in lobby
