"""Somebody is missing, away or has paused the game: what all see of it, and what can be done."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import trio

from lanplay.errors import Fault, Mistake
from lanplay.language import TAGS, speaking
from lanplay.notices import Notice
from lanplay.session.events import Snapshot, TableStage
from lanplay.told import worded
from lanplay.tui.cells import plain
from lanplay.tui.drawing import seat_name
from lanplay.tui.glyphs import UNICODE
from lanplay.ui.alerts import alerts, awaited, paused
from lanplay.ui.commands import Command, reason
from lanplay.ui.scene import Absence
from lanplay_protocol.reasons import packed
from tests.tui.harness import GAME, NAMES, SIZES, position, scene_of, sitting

GAMES = ("dice-town", "charidice")
COMMANDS = (
    Command("hurry", "do not wait", print, "NAME", key="H", usual=NAMES[1]),
    Command("wait", "wait", print, "NAME", key="W", usual=NAMES[1]),
    Command("anew", "go on without", print, key="G"),
    Command("go", "go on", print, key="u"),
    Command("back", "back", print, key="B", now=False),
    Command("pause", "pause", print, key="p", now=False),
)


def scene(**how):
    played, view, _question = position("keep")
    return replace(scene_of(played, view), **how)


def shown(person, scene, size=SIZES[0]):
    table = person.table(NAMES[:4])
    table.commands = lambda: COMMANDS
    table.sees(lambda: scene)
    person.stage.push(table)
    return person.text(size)


async def test_where_nobody_is_asked_the_missing_are_waited_for():
    """The panel does not say that the game goes on while a laptop is missing."""
    async with sitting() as person:
        assert "The game goes on" in shown(person, replace(scene(), asked={}))
    async with sitting() as person:
        absent = [Absence(NAMES[1], frozenset({1}), 31.2)]
        text = shown(person, replace(scene(absent=absent), asked={}))
    assert "The game goes on" not in text
    assert f"{NAMES[1]}: not connected" in text


async def test_a_paused_game_is_not_said_to_go_on():
    """Whoever has answered saw that the game goes on below who had paused it."""
    async with sitting() as person:
        paused = scene(paused_by=[NAMES[1]], pause_left=99.0)
        text = shown(person, replace(paused, asked={}))
    assert "── Paused ──" in text
    assert "The game goes on" not in text


@pytest.mark.parametrize("size", SIZES)
async def test_whoever_comes_back_to_the_screen_sees_that_ai_answers(size):
    """The line of the log that said so had gone out of sight, and with it the key."""
    async with sitting() as person:
        away = shown(person, replace(scene(), away={scene().seat}), size)
        here = shown(person, scene(), size)
    assert "An AI answers for you until you are back: B." in away
    assert "An AI answers" not in here


async def test_the_bar_ends_no_phrase_with_a_preposition():
    """The keys for somebody who is missing were called "do not wait for" and "wait for"."""
    async with sitting() as person:
        text = shown(person, scene(absent=[Absence(NAMES[1], frozenset({1}), 31.2)]))
    assert "H do not wait  W wait  " in text


@pytest.mark.parametrize("size", SIZES)
async def test_a_countdown_says_when_ai_takes_a_missing_seat(size):
    """At the seat, in the corner and in a sentence, with the keys to shorten it or to wait."""
    absent = [Absence(NAMES[1], frozenset({1}), 31.2)]
    async with sitting() as person:
        text = shown(person, scene(absent=absent), size)
    seat = next(row for row in text.splitlines() if "2 Běla" in row)
    assert "!2 " in seat
    assert "32 s" in seat
    assert f"{NAMES[1]} is missing, 32 s" in text.splitlines()[0]
    assert f"{NAMES[1]} is gone: AI plays in 32 s. H: at once. W: wait." in text


def test_nobody_is_told_to_wait_for_itself():
    """While changes are shown before one's question; but for whom AI answers that is said."""
    played, view, question = position("keep", 3)
    mine = replace(scene_of(played, view), asked={0: question, 1: question})
    own, other = NAMES[view.seat], NAMES[1 - view.seat]
    assert [*awaited(mine).values()] == [[other]]
    assert [*awaited(replace(mine, away={view.seat})).values()] == [sorted([own, other])]


async def test_of_several_missing_the_first_to_be_replaced_is_counted_down():
    """The corner says how many are missing, and when AI takes the first seat of them."""
    lefts = (40.0, None, 12.3, 25.0)
    absent = [Absence(name, frozenset({n}), lefts[n]) for n, name in enumerate(NAMES[:4])]
    async with sitting() as person:
        corner = shown(person, scene(absent=absent)).splitlines()[0]
    assert "missing: 4, 13 s" in corner
    async with sitting() as person:
        corner = shown(person, scene(absent=[absent[1]])).splitlines()[0]
    assert f"{NAMES[1]} is missing" in corner
    assert " s " not in corner.split("is missing")[1]


async def test_what_counts_down_is_drawn_anew(autojump_clock):
    """Nobody has to press a key to see how much time there is left."""
    drawn = []
    async with sitting() as person, trio.open_nursery() as nursery:
        table = person.table(NAMES[:4])
        end = trio.current_time() + 30
        still = scene()

        def now():
            left = end - trio.current_time()
            return replace(still, absent=[Absence(NAMES[1], frozenset({1}), left)])

        table.sees(now)
        person.stage.push(table)
        person.stage.redraw = lambda: drawn.append(person.lines()[0].split()[-5:-3])
        person.stage.redraw()
        nursery.start_soon(table.run)
        await trio.sleep(3)
        nursery.cancel_scope.cancel()
    assert len({tuple(each) for each in drawn}) >= 3


async def test_where_nothing_counts_down_nothing_is_drawn(autojump_clock):
    """A screen at which nothing happens costs nothing."""
    drawn = []
    async with sitting() as person, trio.open_nursery() as nursery:
        table = person.table(NAMES[:4])
        still = scene(absent=[Absence(NAMES[1], frozenset({1}))])
        table.sees(lambda: still)
        person.stage.redraw = lambda: drawn.append(1)
        nursery.start_soon(table.run)
        await trio.sleep(10)
        nursery.cancel_scope.cancel()
    assert drawn == []


async def test_where_too_few_are_left_the_ways_on_are_named():
    """With two laptops nothing counts down: wait, go on anew, or leave and resume later."""
    absent = [Absence(NAMES[1], frozenset({1}))]
    async with sitting() as person:
        text = " ".join(shown(person, scene(absent=absent, stuck=True)).split())
    told = f"Not connected: {NAMES[1]}. G: go on without them; q: leave for now; or wait."
    assert told in text


async def test_who_is_waited_for_without_end_is_named():
    """A table may wait for ever, or somebody wants to: that can be ended."""
    async with sitting() as person:
        text = shown(person, scene(absent=[Absence(NAMES[1], frozenset({1}))]))
    assert f"{NAMES[1]} is gone; the game waits. H: do not wait." in text


async def test_who_comes_back_is_told_when_the_seat_is_its_own_again():
    """Until then it sees what all see, and is no onlooker."""
    async with sitting() as person:
        text = shown(person, scene(view=None, returning=True))
    assert "coming back" in text.splitlines()[0]
    assert "AI is playing for you; you take over again" in text


async def test_who_has_paused_is_named_with_the_key_that_goes_on():
    """In the corner and in a sentence; the key bar has the key for it, and none to pause."""
    async with sitting() as person:
        text = shown(person, scene(paused_by=["Běla"], pause_left=244.2))
    assert "paused by Běla" in text.splitlines()[0]
    assert "Paused by Běla, for 4:10 min at most. u: vote to go on; most have to." in text
    assert "u go on" in text
    assert "p pause" not in text


@pytest.mark.parametrize(
    ("left", "stands"), [(244.25, 4.25), (70.5, 0.5), (59.5, 0.5), (8.75, 0.75), (None, math.inf)]
)
def test_a_pause_is_drawn_anew_when_it_shows_another_time(left, stands):
    """Ten seconds at a time before the last minute: a paused table rests."""
    assert scene(paused_by=["Běla"], pause_left=left).stands == stands


def test_a_seat_for_which_ai_answers_is_marked():
    """Who is away is known by name; the seat says that AI plays there meanwhile."""
    name = plain(seat_name(scene(away=frozenset({0})), 0, 15, UNICODE))
    assert name.rstrip() == "Ann (AI)"
    assert len(name) == 15


def test_a_long_name_gives_way_to_the_seconds():
    """However long a name is, the countdown is seen whole."""
    absent = [Absence(NAMES[1], frozenset({1}), 44.0)]
    name = plain(seat_name(scene(absent=absent), 1, 10, UNICODE))
    assert name == "Běla… 44 s"


async def test_a_command_about_a_missing_one_is_typed_already():
    """Its key and Enter are enough; another name can be typed instead."""
    said = []
    hurry = Command("hurry", "do not wait", said.append, "NAME", key="H", usual="Běla")
    async with sitting() as person:
        table = person.table(NAMES[:4])
        table.commands = lambda: (hurry,)
        person.stage.push(table)
        await person.press("H", "enter", "H", "c-u", *"Ann", "enter")
    assert said == ["Běla", "Ann"]


async def test_a_way_is_a_key_or_what_is_typed():
    """Sentences name what this person presses: a command without a key is typed after a colon."""
    async with sitting() as person:
        table = person.table(NAMES[:4])
        table.commands = lambda: (*COMMANDS, Command("who", "who is here", print))
        assert [table.way("go"), table.way("who")] == ["u", ":who"]


async def test_no_star_before_a_sheriff_is_drawn():
    """The first Sheriff is drawn when the decks are laid (DT-1.2): nobody has the badge before."""
    async with sitting() as person:
        table = person.table(NAMES[:4])
        fresh = GAME.table(4, {name: values[0] for name, values in GAME.options.items()})
        table.sees(lambda: replace(scene(), table=fresh, view=None))
        person.stage.push(table)
        assert UNICODE.badge not in person.text()
        assert "not drawn" in person.text()


@pytest.mark.parametrize("name", GAMES)
def test_every_game_brings_its_own_signs(name):
    """What the help page explains is on this board, in either set of glyphs."""
    from lanplay.tui.games import screen_of
    from lanplay.tui.glyphs import ASCII

    signs = {sign for sign, _text in screen_of(name).signs(UNICODE)}
    assert signs
    others = {s for each in GAMES if each != name for s, _text in screen_of(each).signs(UNICODE)}
    assert signs - others
    assert all(sign.isascii() for sign, _text in screen_of(name).signs(ASCII))


async def test_a_reason_names_the_key_of_the_command_that_helps():
    """A second pause is refused on the screen with the key that ends it; on lines with its word."""

    def refuse(_argument):
        raise Mistake(Fault.PAUSED_ALREADY)

    pause = Command("pause", "pause", refuse, key="p")
    async with sitting() as person:
        table = person.table(NAMES[:4])
        table.commands = lambda: (*COMMANDS[:-1], pause)
        table.sees(scene)
        person.stage.push(table)
        await person.press("p")
        text = person.text()
        table.notice(Notice.WILLING.of(name="Eva"))
        assert "G: agree." in person.text(SIZES[1])
    assert "u: continue." in text
    assert reason(Mistake(Fault.PAUSED_ALREADY)).endswith("go: continue.")


def test_commands_in_what_is_told_are_no_values():
    """They cross no network, whoever reads says how they are given, also within a sentence."""
    told = Fault.PAUSED_ALREADY.of()
    assert (Fault.PAUSED_ALREADY.fields, packed(told)) == (frozenset(), ("PAUSED_ALREADY", ()))
    held = Notice.HELD.of(why=told)
    with speaking("cs"):
        assert "“jdeme”: pokračovat" in worded(held, lambda _command: "“jdeme”")


@pytest.mark.parametrize(("name", "way"), [("Ann", "u: continue."), ("Bob", "u: vote to go on.")])
def test_who_has_paused_too_only_votes_on_anothers_pause(name, way):
    """One's own key ends one's own pause alone."""
    seen = Snapshot(TableStage.PLAYING, names=("Ann", "Bob"), own=0, pauses=frozenset({0, 1}))
    assert paused(seen, name, 300.0, "u").endswith(way)


@pytest.mark.parametrize("tag", TAGS)
def test_whose_pause_it_is_and_what_ends_it_are_one_row_of_80(tag):
    """On the smallest screen a question leaves an alert no other."""
    with speaking(tag):
        for own in (True, False):
            held = scene(paused_by=["Alexandra"], pause_left=300.0, own_pause=own)
            (told,) = alerts(held, lambda _command: "u")
            assert len(f" ! {told}") <= SIZES[0].columns
