"""The screen of A Dog's Life: the map, what is in reach, keys of every question, walks, words."""

from __future__ import annotations

import io
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import permutations

import pytest
import trio
import trio.testing

from lanplay.engine.question import Phrase
from lanplay.games import load
from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life import questions
from lanplay.games.dogs_life.dogs import BONE
from lanplay.games.dogs_life.plan import SIDES
from lanplay.games.dogs_life.questions import Act, Steer
from lanplay.games.dogs_life.reach import reach
from lanplay.games.dogs_life.summary import weight
from lanplay.games.dogs_life.text import place_name
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay.language import TAGS, speaking
from lanplay.lines.plain import PlainUI
from lanplay.tui.cells import Size, plain, width
from lanplay.tui.games import Leaved, Mapped, screen_of
from lanplay.tui.games.dogs_life import SCREEN
from lanplay.tui.games.dogs_life_blocks import MAP_ROWS, door_side, moved, spot_of
from lanplay.tui.games.dogs_life_keys import keyed, lit
from lanplay.tui.games.dogs_life_map import HEADINGS, LARGE_COLUMNS, LARGE_ROWS, MAP_COLUMNS
from lanplay.tui.glyphs import ASCII, UNICODE
from lanplay.tui.stage import Habits
from lanplay.tui.theme import LOOKS
from lanplay.ui.changes import Unfolding
from lanplay.ui.decision import Decision
from lanplay.ui.scene import Scene
from tests.dogs_life.screens import deciding, playing
from tests.dogs_life.script import at, new_table
from tests.tui.harness import CALM, NAMES, Person, scene_of

GAME = load("dogs-life")

WHOLE = Size(80, 30)
"""What the table leaves for the board on a terminal of 120 x 40."""
PLAIN = "D4"
"""A street space without anything."""
SMALL = Size(80, 15)
"""The same on one of 80 x 24: all lines of the town."""
LARGE = Size(120, 31)
"""The same on one of 120 x 40."""
BROAD = Size(152, 50)
"""The same on one of 200 x 60."""


class Seen:
    """A view of a table laid out by hand: nothing is known but what is open."""

    def __init__(self, table, seat=0, faces=None):
        self.table, self.seat, self.faces = table, seat, faces or {}

    def face(self, card):
        return self.faces.get(card, self.table.faces.get(card))


def scene(t, question=None, pointer=(), seat=0, faces=None):
    """Return what a seat sees that is asked a question, by default what it does next."""
    view = Seen(t, seat, faces)
    asked = question or Act(a.legal(t, seat), t.points, tuple(t.papers[seat]))
    return Scene(t, NAMES[: t.seats], view, decision=Decision(view, asked), pointer=pointer)


def put(t, seat, key, points=6):
    """Put a dog somewhere, with points left."""
    t.place[seat] = at(key)
    t.points = points
    return t


def text(lines):
    return "\n".join(plain(spans) for spans in lines)


def board(found, size=WHOLE, glyphs=UNICODE):
    return text(SCREEN.board(found, size, glyphs))


def streets(shown):
    """Return the map alone, as it is on a large screen."""
    return "\n".join(row[:MAP_COLUMNS] for row in shown.split("\n")[:MAP_ROWS])


def said(found, columns=80, rows=9):
    return text(SCREEN.panel(found, Size(columns, rows), UNICODE))


# -- the map -----------------------------------------------------------------------------------


def test_the_screen_is_found_by_the_name_of_the_game():
    """Nothing else knows which screen is whose; this one has a map and no pages."""
    assert screen_of(GAME.name) is SCREEN
    assert isinstance(SCREEN, Mapped)
    assert not isinstance(SCREEN, Leaved)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_whole_town_is_on_a_large_screen(seats, glyphs):
    """DL-1.4: every building by its key, houses as blocks, and every dog."""
    t = new_table(seats)
    lines = SCREEN.board(Scene(t, [f"name {n}" for n in range(seats)]), WHOLE, glyphs)
    shown = text(lines)
    assert len(lines) <= WHOLE.rows
    assert max(map(width, lines)) <= WHOLE.columns
    keys = [b.key for p, b in TOWN.building.items() if p not in TOWN.dens]
    assert [key for key in keys if f"[{key}" not in shown] == []
    assert all(f"@{seat + 1}" in shown for seat in range(seats))
    assert all(f"name {seat}" in shown for seat in range(seats))


@pytest.mark.parametrize("key", ["A9", "H6", "O6", "E3"])
def test_a_small_board_scrolls_around_ones_dog(key):
    """Where rows lack, the line of one's dog is always there; arrows tell where there is more."""
    found = scene(put(new_table(3), 0, key))
    lines = SCREEN.board(found, Size(80, 12), UNICODE)
    assert len(lines) == 12 < MAP_ROWS
    assert any("@1" in plain(spans)[:MAP_COLUMNS] for spans in lines)
    heads = {plain(spans)[0] for spans in lines}
    assert heads & {"↑", "↓"}


async def test_at_80_x_24_the_whole_town_stands_above_the_question():
    """All fifteen lines of DL-1.4, what one's dog has, the question, keys and log."""
    async with sitting() as (person, _given):
        await person.press()
        lines = person.lines()
        assert "".join(row[0] for row in lines[1:16]) == "ABCDEFGHIJKLMNO"
        assert all(word in "\n".join(lines[16:]) for word in ("food", "action points", "Log", "1 "))


async def test_where_one_row_is_left_the_log_shows_what_happened_last():
    """However much a coach says: a heading without a line would tell nothing."""
    async with sitting() as (person, _given):
        await person.press()
        table = person.stage.screens[0]
        table.happened(1, Phrase("drinks", {"seat": 0}))
        last = []
        for lines in (1, 2, 3):
            table.coached("What a coach says here takes a line of the screen, or nearly. " * lines)
            await person.press()
            last.append(person.lines()[-2])
        assert sum("drinks" in row for row in last) >= 2
        assert not any("── Log" in row for row in last)


def test_two_bones_are_counted_and_not_told_twice():
    """DL-3.2: nobody says "a bone, a bone"."""
    t = new_table(2)
    t.bones[0] = 2
    row = text(SCREEN.own(scene(t), Size(80, 1), UNICODE))
    assert "2 bones" in row
    assert "a bone" not in row


@pytest.mark.parametrize("tag", TAGS)
def test_what_a_dog_carries_is_told_whole_where_it_has_one_row(tag):
    """Two newspapers, to any addresses: no name of a building is cut."""
    t = new_table(2)
    t.papers[0] = [0, 1]
    with speaking(tag):
        for one, other in permutations(range(len(TOWN.addresses)), 2):
            found = scene(t, faces={0: one, 1: other})
            row = text(SCREEN.own(found, Size(80, 1), UNICODE))
            names = [place_name(TOWN.addresses[face]) for face in (one, other)]
            assert all(name in row for name in names)
            assert "…" not in row


@pytest.mark.parametrize("columns", [80, 90, 100])
@pytest.mark.parametrize("tag", TAGS)
def test_the_table_of_all_dogs_has_all_its_columns_on_a_narrow_screen(tag, columns):
    """The last ones were cut off, and nothing showed it: a name is shorter there."""
    t = new_table(len(NAMES))
    with speaking(tag):
        rows = board(scene(t), Size(columns, 44)).split("\n")
    head = next(place for place, row in enumerate(rows) if row.startswith(" " * 14))
    for seat, row in enumerate(rows[head + 1 : head + 1 + len(NAMES)]):
        assert row.split()[-8:] == [
            str(each)
            for each in (
                t.dog(seat).points,
                t.hunger[seat],
                t.buried[seat],
                t.bones[seat],
                len(t.papers[seat]),
                t.bladder[seat],
                t.reserve[seat],
                len(t.decks[seat]),
            )
        ]


def test_a_large_town_has_words_and_names():
    """Signs are words there, and broad buildings bear their names (DL-1.4)."""
    lines = SCREEN.board(scene(put(new_table(4), 0, "M6")), LARGE, UNICODE)
    shown = text(lines)
    assert len(lines) <= LARGE.rows
    assert max(map(width, lines)) <= LARGE.columns
    assert all(word in shown for word in (" bin", " lamp", "[11 Barber", "▒▒▒▒▒▒"))
    assert "well" not in shown, "a fountain that has no room for its word is a sign"


@pytest.mark.parametrize("tag", TAGS)
def test_whoever_is_in_a_building_does_not_take_its_name_away(tag):
    """On a broad map a dog stands behind the key, and the name goes on in the rows below."""
    with speaking(tag):
        for building in TOWN.building.values():
            if building.key not in "ABCDEFP":
                inside, outside = put(new_table(2), 0, building.key), put(new_table(2), 0, PLAIN)
                shown, usual = (
                    board(scene(t, pointer=(TOWN.dens.start,)), BROAD) for t in (inside, outside)
                )
                assert f"[{building.key}@1" in shown
                for word in place_name(inside.place[0]).partition(" [")[0].split():
                    assert shown.count(word) == usual.count(word)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_every_entrance_is_a_stroke_towards_its_building(size):
    """DL-1.4: as many strokes as the plan has entrances, each where its building is."""
    t = new_table(2)
    t.place[:], t.van = [TOWN.kiosk] * 2, NOWHERE
    lines = SCREEN.board(Scene(t, NAMES[:2]), size, UNICODE)
    broad = LARGE_COLUMNS if size is LARGE else MAP_COLUMNS
    shown = "\n".join(plain(row)[:broad] for row in lines[: LARGE_ROWS if size is LARGE else 15])
    doors = [place for place in TOWN.streets if TOWN.spaces[place].door]
    assert sum(shown.count(stroke) for stroke in "<>/\\") == len(doors)
    for place in doors:
        right, down = SIDES[door_side(place)]
        x, y = TOWN.cells(place)[0]
        assert (x + right, y + down) in TOWN.building[TOWN.place(TOWN.spaces[place].door)].cells


def test_what_lies_about_is_told_by_letters():
    """DL-3.2, DL-3.6: bins searched or not, piddles with their owner, bones, newspapers, van."""
    t = new_table(2)
    before = streets(board(Scene(t, NAMES[:2])))
    t.searched = 1
    t.marks[TOWN.lamps[0]] = 1
    t.lying[TOWN.fountains[0]] = 2
    t.dropped[TOWN.fountains[0]] = [3]
    after = streets(board(Scene(t, NAMES[:2])))
    assert after.count("x") == before.count("x") + 1
    assert "~2" in after
    assert "~2" not in before
    assert '%"o' in after
    assert any(sign in before for sign in HEADINGS)


def test_a_dog_in_the_cells_of_the_pound_is_nowhere_on_the_map():
    """DL-3.4: not even in a house that nobody can enter; beside the map its cell is told."""
    t = new_table(2)
    t.place[1], t.pound[1] = NOWHERE, 2
    shown = board(Scene(t, NAMES[:2]))
    assert "@2" not in streets(shown)
    assert "P2" in shown


@pytest.mark.parametrize("seats", [2, 5])
def test_every_position_of_a_game_can_be_drawn(seats):
    """Between all steps, for a seat and for onlookers."""
    played = playing(seats, seats, rounds="10")
    steps = 0
    while played.request is not None:
        if steps % 5 == 0:
            for view in (played.views[0], None):
                assert len(SCREEN.board(scene_of(played, view), SMALL, UNICODE)) <= SMALL.rows
                assert len(SCREEN.own(scene_of(played, view), Size(80, 3), UNICODE)) <= 3
        played.step()
        steps += 1
    assert SCREEN.board(scene_of(played, played.views[0]), WHOLE, ASCII)


def test_roles_and_signs_are_known():
    """Every sign has a meaning; every role of the map has a look."""
    t = put(new_table(5), 0, "M6")
    lines = SCREEN.board(scene(t), WHOLE, UNICODE)
    assert {span.role for spans in lines for span in spans} <= LOOKS.keys()
    assert all(sign and meaning for sign, meaning in SCREEN.signs(UNICODE))


# -- the cursor --------------------------------------------------------------------------------


WAYS = ("up", "down", "left", "right")


def every_spot():
    """Return all that arrow keys come to from the first place on."""
    seen, edge = {spot_of(0)}, [spot_of(0)]
    while edge:
        found = {moved(spot, way) for spot in edge for way in WAYS}
        edge = [*(found - seen)]
        seen |= found
    return seen


def test_the_cursor_gets_to_every_place():
    """From anywhere, by arrow keys alone."""
    assert {spot.place for spot in every_spot()} == {*range(TOWN.size)}


def test_left_and_right_stay_in_the_line_and_come_back():
    """A building is one stop, and a closed house none."""
    for spot in every_spot():
        there = moved(spot, "right")
        assert there.line == spot.line
        if there != spot:
            assert moved(there, "left").place == spot.place


def test_up_and_down_come_back_to_the_column_where_one_was():
    """As in an editor of text: the column is that of the last left or right."""
    for place in range(TOWN.size):
        spot = spot_of(place)
        there = moved(spot, "up")
        if there != spot:
            assert moved(there, "down").place == place or place not in TOWN.streets
            assert there.column == spot.column


def test_tab_goes_through_what_is_in_reach_the_nearest_first():
    """Bins, lamp posts, fountains, buildings, what lies about: and shift goes the other way."""
    t = put(new_table(2), 0, "M6", 4)
    ways = reach(t, 0, 4)
    found, pointer = [], ()
    for _ in range(40):
        pointer = keyed(scene(t, pointer=pointer), "tab").pointer
        found.append(pointer[0])
    around = found[: found.index(found[0], 1)]
    costs = [len(ways[place]) for place in around]
    assert costs == sorted(costs)
    assert all(place not in TOWN.streets or TOWN.feature[place] for place in around)
    assert keyed(scene(t, pointer=pointer), "s-tab").pointer[0] == found[-2]


def test_what_is_in_reach_is_marked_and_no_figure_hides_a_place():
    """DL-3.2 a: places where the dog can stop; the points are told where one points."""
    found = scene(put(new_table(2), 0, "M6", 3))
    costs = lit(found).costs
    assert costs == {p: len(way) for p, way in reach(found.table, 0, 3).items()}
    assert max(costs.values()) == 3
    lines = SCREEN.board(found, WHOLE, UNICODE)
    bright = {span.press for row in lines for span in row if span.role in ("good", "die", "found")}
    assert {f"place {place}" for place in costs if place in TOWN.streets} <= bright
    assert "1·" not in streets(text(lines))


def test_what_is_pointed_at_is_said_with_its_cost():
    """The name, what is there, and how many points it takes; or why one cannot go there."""
    t = put(new_table(2), 0, "M6", 3)
    near, far = reach(t, 0, 3), at("A9")
    place, way = next((p, w) for p, w in near.items() if len(w) == 2)
    assert f"points: {len(way)}" in said(scene(t, pointer=(place,)))
    assert "moves away" in said(scene(t, pointer=(far,)))
    assert "may not go" in said(scene(t, pointer=(TOWN.dens[1],)))
    t.van = place
    assert "not stay" in " ".join(said(scene(t, pointer=(place,))).split())


def test_a_bin_tells_how_many_cards_bring_a_bone():
    """DL-3.5: everybody can count what has been drawn; the shuffle card is no result."""
    t = put(new_table(2), 0, "M6")
    assert TOWN.feature[at("M6")] == 1
    bones = t.dog(0).trash.count(BONE)
    assert f"bone: {bones} of 12 cards" in said(scene(t))


# -- actions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_legal_action_has_a_key_of_its_own(seed):
    """DL-3.2: whatever the rules offer, moves by the cursor, all else by its number in the list."""
    played = playing(4, seed, rounds="10")
    asked = 0
    while played.request is not None and asked < 400:
        for seat, question in getattr(played.request, "questions", {}).items():
            if isinstance(question, Act):
                asked += 1
                found = Scene(
                    played.table, NAMES, played.views[seat],
                    decision=Decision(played.views[seat], question),
                )  # fmt: skip
                check_keys(found, question)
        played.step()
    assert asked > 150


def check_keys(found, question):
    touches = [keyed(found, key) for key in "1234567890"]
    given = [touch.answers[0] for touch in touches if touch.answers]
    legal = question.legal(found.view)
    assert sorted(given) == sorted(code for code in legal if code // a.STEP != a.MOVE)
    assert [keyed(found, f"act {n}").answers[0] for n in range(len(given))] == given
    t = found.table
    taken = {t.van, *t.place}  # passed on a longer walk
    steps = {a.parts(code)[1] for code in legal if code // a.STEP == a.MOVE} - taken
    walks = [keyed(replace(found, pointer=(place,)), "enter").answers for place in sorted(steps)]
    assert walks == [(a.action(a.MOVE, place),) for place in sorted(steps)]


def test_a_walk_is_the_shortest_way_around_piddles():
    """DL-3.2 l: others' piddles are gone around, unless one is pointed at: then one is warned."""
    t = put(new_table(2), 0, "M6", 6)
    goal, way = max(reach(t, 0, 4).items(), key=lambda each: len(each[1]))
    t.marks[way[0]] = 1
    touch = keyed(scene(t, pointer=(goal,)), "enter")
    walked = [a.parts(code)[1] for code in touch.answers]
    assert way[0] not in walked
    assert walked == [*reach(t, 0, 6)[goal]]
    assert not touch.note
    warned = keyed(scene(t, pointer=(way[0],)), "enter")
    assert len(warned.answers) == 1
    assert "marker" in warned.note


def test_nobody_goes_where_the_points_do_not_reach():
    """The reason is said, and no answer given."""
    t = put(new_table(2), 0, "M6", 2)
    touch = keyed(scene(t, pointer=(at("A9"),)), "enter")
    assert not touch.answers
    assert touch.note
    assert not keyed(scene(put(t, 0, PLAIN, 2)), "enter").answers


def test_enter_and_space_never_fall_through_to_the_list():
    """No key that picks from a list elsewhere can end the actions here."""
    found = scene(put(new_table(2), 0, PLAIN))
    for key in ("enter", " ", "backspace", "escape", "0", "5", "s-tab"):
        touch = keyed(found, key)
        assert touch is not None
        assert not touch.answers


def test_no_key_of_the_map_does_nothing_in_silence():
    """Who presses one that leads nowhere is told what does."""
    edge = scene(put(new_table(2), 0, PLAIN), pointer=(spot_of(at("A9")).place,))
    assert keyed(edge, "up").note
    inside = scene(put(new_table(2), 0, PLAIN))
    for key in ("backspace", "0", "9", "enter", " "):
        assert keyed(inside, key).note, key
    for key in ("1", "s-tab", "enter", "backspace"):
        assert keyed(steering(), key).note, key


@pytest.mark.parametrize(
    ("text", "key"), [("G6", "G6"), ("g6", "G6"), ("7", "7"), ("k", "k"), ("K", "K"), ("libr", "8")]
)
def test_a_name_points_at_its_place(text, key):
    """As it stands on the map, in small letters where that is clear, or how its name begins."""
    assert keyed(scene(put(new_table(2), 0, "M6")), f"find {text}").pointer == (at(key),)


@pytest.mark.parametrize("text", ["Z9", "restaurant", "zoo"])
def test_a_name_of_no_place_or_of_several_is_refused_in_words(text):
    """The cursor stays where it was."""
    found = scene(put(new_table(2), 0, "M6"), pointer=(at("A9"),))
    touch = keyed(found, f"find {text}")
    assert touch.pointer == found.pointer
    assert touch.note


# -- the van -----------------------------------------------------------------------------------


def steering(die=4, pointer=(), t=None):
    t = t or put(new_table(2), 0, "A9")
    return scene(t, Steer(t.van, t.came, die), pointer)


def test_the_reachable_spaces_are_lit():
    """DL-3.3, DL-3.9: exactly the spaces where the van can stop."""
    found = steering()
    question = found.decision.question
    assert {*lit(found).costs} == {*question.ends()}
    assert max(lit(found).costs.values()) == 4


def test_every_way_of_the_van_can_be_pointed_out():
    """DL-3.9: a click points at a space, Space goes through the ways there; none is left out."""
    question = steering(4).decision.question
    for wanted in question.drives():
        found = {keyed(steering(4), f"place {wanted[-1]}").pointer}
        for _ in range(6):
            found |= {keyed(steering(4, path), " ").pointer for path in found}
        assert wanted in found
        assert keyed(steering(4, wanted), "enter").answers == (wanted,)


def test_arrows_point_at_lit_spaces_alone():
    """From any of them to another one, and another way to the same space by a key."""
    found = steering(6)
    ends = lit(found).costs
    path = keyed(found, "right").pointer or keyed(found, "up").pointer
    assert path[-1] in ends
    for way in ("left", "down", "up", "right"):
        path = keyed(steering(6, path), way).pointer
        assert path[-1] in ends
    other = keyed(steering(6, path), " ").pointer
    assert other[-1] == path[-1]
    assert keyed(steering(6, path), "backspace").pointer == path[:-1]
    assert not keyed(steering(6), "enter").answers


def test_a_name_points_the_van_at_a_lit_space_alone():
    """DL-3.9: elsewhere it cannot stop."""
    path = steering().decision.question.drives()[-1]
    assert keyed(steering(), f"find {TOWN.key(path[-1])}").pointer[-1] == path[-1]
    assert keyed(steering(), "find A9").note


def test_the_van_is_seen_on_its_way_space_by_space():
    """DL-3.9: from where it stood to where it stands, with its head ahead; then as it is."""
    t = put(new_table(2), 0, "A9")
    path = max(Steer(t.van, t.came, 6).drives(), key=len)
    bare, show = Scene(t, NAMES[:2]), Unfolding()
    show.sees(SCREEN.standing(bare), 10.0, 0.6, 0)
    began, (t.came, t.van) = t.van, path[-2:]
    show.sees(SCREEN.standing(bare), 10.0, 0.6, 0)
    states = [show.effects(10.0 + step / 50).on.get(0) for step in range(100)]
    seen = [place for place, _came in dict.fromkeys(filter(None, states))]
    assert seen == [began, *path[:-1]]
    assert states[-1] is None
    shown = streets(board(replace(bare, effects=show.effects(10.0))))
    assert shown != streets(board(bare))
    assert sum(shown.count(head) for head in ("=>", "<=")) <= 1


def test_who_would_be_caught_is_said():
    """DL-3.3: on the space, and next to it; driving at one's own dog is asked about."""
    t = new_table(2)
    path = Steer(t.van, t.came, 2).drives()[0]
    put(t, 0, TOWN.key(path[-1]))
    found = steering(2, path, t)
    assert "catches: Ann" in said(found)
    assert "own dog" in keyed(found, "enter").note


# -- at a table --------------------------------------------------------------------------------


class Told:
    """Gives the answer that it was told."""

    def answer(self, view, question):
        return self.next


@asynccontextmanager
async def sitting(habits=CALM, seed=1, prepare=lambda table: None):
    """A person at seat 0 of a game; yields it and the list of its questions with its answers."""
    told = Told()
    played = playing(2, seed, first=told)
    person = Person(habits)
    table = person.table(NAMES[:2], GAME)
    view = played.views[0]
    table.sees(lambda: scene_of(played, view))
    given = []

    async def play():
        while played.request is not None:
            questions = getattr(played.request, "questions", {})
            if 0 in questions and questions[0].only_answer(view) is None:
                if not given:
                    prepare(played.table)
                told.next = await table.answer(view, questions[0])
                given.append((questions[0], told.next))
            played.step()
            await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as nursery:
        person.stage.push(table)
        nursery.start_soon(person.stage.run)
        nursery.start_soon(play)
        yield person, given
        nursery.cancel_scope.cancel()


def goal_of(t, steps):
    """Return a place that is so many moves away, and the way there."""
    return next((p, way) for p, way in reach(t, 0, t.points).items() if len(way) == steps)


def moves(given):
    return [a.parts(answer)[1] for _, answer in given]


async def test_one_key_walks_all_the_way():
    """A click points, Enter goes: every move of the shortest way is answered, then one is asked."""
    async with sitting() as (person, given):
        await person.press()
        goal, way = goal_of(person.stage.screens[0]._scene().table, 3)
        await person.press(f"place {goal}")
        assert place_name(goal) in person.text()
        await person.press("enter")
        assert moves(given) == [*way]
        assert "What does your dog do next?" in person.text()
        assert [question.points for question, _ in given] == [
            given[0][0].points - step for step in range(3)
        ]


async def test_a_walk_stops_where_newspapers_come_into_sight():
    """DL-3.2 d: what has been seen there may change one's mind; the rest is not walked."""

    def lay(t):
        t.dropped[goal_of(t, 3)[1][1]] = [t.stack.pop()]

    async with sitting(prepare=lay) as (person, given):
        await person.press()
        goal, way = goal_of(person.stage.screens[0]._scene().table, 3)
        await person.press(f"place {goal}", f"place {goal}")
        assert moves(given) == [*way[:2]]
        assert "newspapers: " in person.text()


async def test_any_key_stops_a_walk(autojump_clock):
    """What was to follow is dropped; the step under way is taken."""
    habits = Habits(animation=True, guard=0.0)
    async with sitting(habits) as (person, given):
        await trio.sleep(1)
        goal, way = goal_of(person.stage.screens[0]._scene().table, 3)
        person.stage.feed(f"place {goal}")
        person.stage.feed("enter")
        await trio.sleep(0.05)
        person.stage.feed("escape")
        await trio.sleep(1)
        assert moves(given) == [*way[:1]]


async def test_enter_goes_there_and_does_what_the_place_is_for():
    """DL-3.2: one key goes to what Tab has found, the same key does it; a digit would, too."""
    async with sitting() as (person, given):
        await person.press("tab", "enter")
        t = person.stage.screens[0]._scene().table
        assert TOWN.feature[t.place[0]] or t.place[0] not in TOWN.streets
        before = len(given)
        await person.press("enter")
        assert a.parts(given[before][1])[0] in (a.SEARCH, a.PIDDLE, a.DRINK, a.BEG, a.TAKE)


async def test_the_actions_end_with_the_same_key_twice_and_the_van_is_steered():
    """DL-3.2, DL-3.3: points would be lost; any key between takes the first press back."""
    async with sitting() as (person, given):
        await person.press()
        end = next(n for n in "123456789" if f"{n} end the actions" in person.text())
        await person.press(end)
        assert "same key again" in person.text()
        await person.press("up", end)
        assert not given
        await person.press(end)
        assert given[0][1] == a.STOP
        assert "Where does the van go?" in person.text()
        await person.press("enter")
        assert len(given) == 1
        await person.press("right", "left", "enter", "enter")
        question, path = given[1]
        question.check(path)


async def test_a_question_that_was_not_read_yet_is_not_answered(autojump_clock):
    """Keys that commit are heeded a moment after the question; those that point at once."""
    async with sitting(Habits(animation=False, guard=0.4)) as (person, given):
        await trio.testing.wait_all_tasks_blocked()
        goal, way = goal_of(person.stage.screens[0]._scene().table, 2)
        await person.press(f"place {goal}", "enter")
        assert not given
        await trio.sleep(0.5)
        await person.press("enter")
        await trio.sleep(0.2)
        assert moves(given) == [*way]


# -- words -------------------------------------------------------------------------------------


def test_every_kind_of_question_is_known():
    """A question added to the game belongs into the tests here."""
    classes = [each for each in vars(questions).values() if isinstance(each, type)]
    named = {each.name for each in classes if getattr(each, "rule", "").startswith("DL")}
    assert named == {"act", "steer"}


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("kind", ["act", "steer"])
def test_every_question_can_be_answered_by_lines(kind, tag):
    """Numbers on standard input lead to a legal answer, asked and offered in words."""
    _played, view, question = deciding(kind, nth=3)
    out = io.StringIO()
    with speaking(tag):
        ui = PlainUI(GAME, NAMES[:4], io.StringIO("1\n" * 20), out)
        answer = ui.answer(view, question)
    question.check(answer)
    assert question.rule in out.getvalue()
    assert "{" not in out.getvalue()


def test_what_decides_is_a_buried_bone():
    """More than being caught, or a delivery."""
    assert weight(Phrase("buries", {"seat": 0, "bones": 1})) > weight(Phrase("caught", {"seat": 0}))
    assert weight(Phrase("moves", {"seat": 0, "place": 1})) == 0
