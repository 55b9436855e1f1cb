"""What can be looked up at a table: on lines all that the boards of the full screen show."""

from __future__ import annotations

from io import StringIO

import pytest

from lanplay.games import load
from lanplay.games.dogs_life.town import TOWN
from lanplay.games.fliptown.text import ITEMS, card_text
from lanplay.language import TAGS, speaking
from lanplay.lines.plain import MANY, PlainUI
from lanplay.ui.commands import found
from lanplay.ui.lookup import lookups
from tests.tui.harness import NAMES, asked_in, game_of, scene_of

GAMES = ("fliptown", "dogs-life")


def looked(game, line, steps=12, own=True):
    """Return what a line tells in the middle of a game, and the scene."""
    played = game_of(5, name=game)
    for _ in range(steps):
        played.step()
    scene = scene_of(played, played.views[1] if own else None)
    told = []
    call = found(list(lookups(game, lambda: scene, told.append)), line)
    assert call is not None, f"no such command: {line}"
    call[0].run(call[1])
    return "\n".join(told), scene


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tag", TAGS)
def test_every_page_tells_something_in_every_language_to_players_and_onlookers(game, tag):
    with speaking(tag):
        for own in (True, False):
            for command in lookups(game, lambda: None, print):
                line = f"{command.name} {NAMES[2]}" if command.argument else command.name
                assert looked(game, line, own=own)[0]


@pytest.mark.parametrize("steps", [1, 15, 120])
def test_the_town_in_words_has_every_place_once_a_line(steps):
    """DL-1.4: fifteen lines; every dog on the streets and the van are where they are."""
    told, scene = looked("dogs-life", "map", steps)
    assert told.count("\n") == 14
    t = scene.table
    bare = f"{told} ".replace(",", " ").replace(".", " ")
    assert all(f"{TOWN.key(place)} " in bare for place in TOWN.streets)
    assert told.count("the van") == 1
    assert all(told.count(NAMES[seat]) == (t.place[seat] >= 0) for seat in range(1, 4))


def test_what_is_near_comes_first():
    told, _scene = looked("dogs-life", "near", 15)
    costs = [int(line.rpartition(": ")[2]) for line in told.splitlines()]
    assert costs == sorted(costs)


def test_anothers_sheet_is_told_by_the_beginning_of_its_name():
    """FT-5.1: sheets are public."""
    told, scene = looked("fliptown", "sheet ann")
    s = scene.table.sheets[0]
    assert told.startswith("Ann: ")
    assert all(card_text(face) in told for face in s.poker)
    assert all(ITEMS[n] in told for n in range(len(ITEMS)) if s.items >> n & 1)


def test_who_is_unknown_or_could_be_several_is_said():
    with pytest.raises(ValueError, match="called zed"):
        looked("fliptown", "sheet zed")
    with pytest.raises(ValueError, match="or several"):
        looked("fliptown", "map Z")


def test_pages_are_the_same_for_onlookers_where_nothing_is_hidden():
    played = game_of(5, name="fliptown")
    for _ in range(30):
        played.step()
    told = []
    for view in (played.views[0], None):
        scene = scene_of(played, view)
        call = found(list(lookups("fliptown", lambda scene=scene: scene, told.append)), "map Ann")
        call[0].run(call[1])
    assert told[0] == told[1]


def test_many_offers_are_told_in_one_line_and_each_is_explained_if_asked_about():
    """Nobody hears seventeen sites read out with all they give before the question comes."""
    played = game_of(5, name="fliptown")
    while True:
        found_ = asked_in(played, "move", 1)
        view, question = found_
        step = question.dialogue(view)
        pick = next(step)
        try:
            while len(pick.options) <= MANY:
                pick = step.send(pick.options[0].value)
            break
        except StopIteration:
            played.step()
    out = StringIO()
    PlainUI(load("fliptown"), NAMES[:4], StringIO(), out)._offer(pick)
    lines = out.getvalue().splitlines()
    assert not any(line.startswith("  2. ") for line in lines)
    assert f"{len(pick.options)}. " in " ".join(lines)
    assert any("? 3" in line for line in lines)
