"""The screen of Fliptown: the whole map, sites that light up with their prices, pages, words."""

from __future__ import annotations

import io
import re
from functools import cache, partial

import pytest
import trio

import lanplay_ai as ai
from lanplay.cli import main
from lanplay.engine.question import Option, Phrase, picked
from lanplay.engine.record import Header
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.games.fliptown import questions
from lanplay.games.fliptown.characters import CHARACTERS as START_OF
from lanplay.games.fliptown.codes import BY_ABILITY, NO
from lanplay.games.fliptown.ending import sources
from lanplay.games.fliptown.map import ALL_CIRCLED, NAMES, PLACES, REGIONS, site
from lanplay.games.fliptown.summary import weight
from lanplay.games.fliptown.text import (
    ABILITIES,
    BUILDINGS,
    CAUSES,
    CHALLENGES,
    CHARACTERS,
    site_offer,
    word,
)
from lanplay.language import TAGS, speaking
from lanplay.lines.plain import PlainUI
from lanplay.tui.cells import Size, plain, width
from lanplay.tui.games import Leaved, screen_of
from lanplay.tui.games.fliptown import SCREEN, rank_so_far
from lanplay.tui.games.fliptown_map import SIGNS, site_gives
from lanplay.tui.glyphs import ASCII, UNICODE
from lanplay.tui.screens.opening import _values
from lanplay.tui.screens.question import asked
from lanplay.tui.theme import LOOKS
from lanplay.ui.decision import Decision
from lanplay.ui.fliptown_plan import preview, price_text
from lanplay.ui.scene import Scene
from tests.fliptown.screens import planning, showing
from tests.fliptown.script import at, cards, new_table, own
from tests.tui.harness import Person, asked_in, game_of, scene_of

GAME = load("fliptown")

NAMES_4 = ("Ann", "Ben", "Cid", "Dan")
WHOLE = Size(100, 18)
"""What the table leaves for the board on a terminal of 100 x 30."""
PAGE = Size(80, 12)
"""The same on one of 80 x 24."""
CHARACTER_KEYS = tuple(START_OF)
PANEL = Size(80, 5)
"""A panel that is too low for all steps of a turn."""


def text(lines):
    return "\n".join(plain(spans) for spans in lines)


def deciding(found, *picks):
    """Return the scene of a person that has picked these options and points at the last one."""
    played, view, question = found
    decision = Decision(view, question)
    for number, place in enumerate(picks):
        decision.point(place)
        if number < len(picks) - 1:
            assert decision.settle()
    plain_scene = scene_of(played, view)
    return Scene(plain_scene.table, plain_scene.names, view, plain_scene.asked, decision=decision)


def test_the_screen_is_found_by_the_name_of_the_game():
    """Nothing else knows which screen is whose; this one has pages."""
    assert screen_of(GAME.name) is SCREEN
    assert isinstance(SCREEN, Leaved)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_the_whole_map_is_on_a_screen_of_100_columns(seats, glyphs):
    """Trail, Badlands, Mine, Town, Cemetery, what one plays for and everybody's total at once."""
    t = new_table(seats)
    t.bounties = (0, 6, 10) if seats > 1 else ()
    lines = SCREEN.board(Scene(t, NAMES_4[:seats]), WHOLE, glyphs)
    shown = text(lines)
    assert len(lines) <= WHOLE.rows
    assert max(map(width, lines)) <= WHOLE.columns
    assert all(f" {room} " in shown for room in NAMES)
    assert all(name[:7] in shown for name in BUILDINGS)
    assert shown.count(SIGNS[glyphs.unicode][4]) >= 9
    assert all(name in shown for name in NAMES_4[:seats])
    assert seats == 1 or "tombstones" in shown


@pytest.mark.parametrize("seats", [1, 4])
def test_a_large_screen_says_what_is_for_sale_and_what_one_has(seats):
    """What players look up most stands below the map where there is room, and never in part."""
    t = new_table(seats, characters=("cheat", "mayor"))
    t.bounties = (0, 6, 10) if seats > 1 else ()
    scene = Scene(t, NAMES_4[:seats])
    every = text(SCREEN.board(scene, Size(132, 48), UNICODE))
    assert " Hotel: a night for $2" in every
    assert " Prospector's Club: stars for 1 gold each" in every
    assert " Land  3  1  1 " in every
    for rows in range(30, 48):
        lines = SCREEN.board(scene, Size(132, rows), UNICODE)
        told = [name in text(lines) for name in (" Bank: pay", " Prospector's Club: stars")]
        assert told[0] == told[1]
        assert len(lines) <= rows


@pytest.mark.parametrize("columns", [77, 80, 100, 140])
@pytest.mark.parametrize("rows", [11, 12, 18, 30])
def test_every_page_fits(columns, rows):
    """Wherever there is not room for all, each of the pages fits."""
    t = new_table(4, characters=("cheat", "mayor"), holdem="each")
    t.bounties = (0, 1, 7)
    own(t.sheets[0], "bandana", "pickaxe", "rifle")
    for leaf in range(3):
        lines = SCREEN.board(Scene(t, NAMES_4, leaf=leaf), Size(columns, rows), UNICODE)
        assert len(lines) <= rows
        assert max(map(width, lines)) <= columns


def test_the_pages_of_a_small_screen_have_the_whole_map():
    """At 80 x 24 three pages follow one another: above ground, below, and what a seat has."""
    t = new_table(2)
    t.bounties = (0, 6, 10)
    pages = [
        text(SCREEN.board(Scene(t, NAMES_4[:2], leaf=leaf), PAGE, UNICODE)) for leaf in range(4)
    ]
    assert pages[3] == pages[0]
    assert "Undertaker" in pages[0]
    assert "1a H1g" in pages[1]
    assert "tombstones" in pages[2]


def test_every_seats_map_can_be_looked_at():
    """The one wanted is shown, by its owner's name, with what it has."""
    t = new_table(3)
    own(t.sheets[2], "bandana")
    shown = [
        text(SCREEN.board(Scene(t, NAMES_4[:3], focus=seat), Size(80, 30), UNICODE))
        for seat in range(3)
    ]
    for seat, each in enumerate(shown):
        assert f"map: {NAMES_4[seat]}" in each
        assert ("bandana" in each) == (seat == 2)


@pytest.mark.parametrize("character", CHARACTER_KEYS)
def test_every_ability_can_be_read(character):
    """FT-9.2: beside the poker hand, but for "once", where there are no pages, else on its page."""
    t = new_table(1, characters=(character,))
    t.sheets[0].poker = cards("4h 4c")
    view = View(0, t, Header(GAME.name, {}, ("Ann",)), [])
    ability = ABILITIES[CHARACTER_KEYS.index(character)]
    assert ability.removesuffix(", once") in text(
        SCREEN.own(Scene(t, ("Ann",), view), Size(100, 4), UNICODE)
    )
    page = text(SCREEN.board(Scene(t, ("Ann",), view, leaf=2), PAGE, UNICODE))
    assert ability in " ".join(page.split())


def test_sites_in_reach_light_up_with_their_prices():
    """FT-2.5: exactly the sites that can be picked are marked, each with its price in gold."""
    scene = deciding(planning(2, 3, 5, characters="random", holdem="each"), 0, 0, 0, 0)
    (step,) = [scene.decision.step]
    assert step.prompt.id == "pick-site"
    shown = preview(scene, 0)
    assert {*shown.lit} == {option.value for option in step.options} - {NO}
    assert any(shown.lit.values())
    drawn = text(SCREEN.board(scene, Size(80, 30), ASCII))
    for where, price in shown.lit.items():
        if where // 16 == 3:
            place = where % 16
            name = "A" if place == 1 else str(place)
            marked = f"<{name}>" if where == shown.pointed else f"[{name}]"
            assert f"{marked}{price_text(price)}" in drawn


def test_a_value_card_pointed_at_shows_what_it_would_reach():
    """Before it is picked, the sites it leads to light up; nothing is pressed by a click there."""
    found = planning(2, 3, 5, characters="random", holdem="each")
    scenes = [deciding(found, 0, place) for place in range(2)]
    lit = [preview(scene, 0).lit for scene in scenes]
    assert lit[0] != lit[1]
    assert all(lit)
    assert not preview(scenes[0], 0).places


def test_what_is_picked_is_paid_on_the_screen_and_comes_back():
    """FT-2.5: 2 gold for a suit are gone at once, and there again after a step back."""
    scene = deciding(planning(2, 3, 5, characters="random", holdem="each"), 0, 0, 1, 0)
    gold = scene.table.sheets[0].gold
    assert preview(scene, 0).sheet.gold == gold - 2
    assert scene.decision.back()
    assert preview(scene, 0).sheet.gold == gold
    assert scene.table.sheets[0].gold == gold


def test_a_click_on_a_lit_site_points_at_it():
    """Its mark stands for the option of the list."""
    found = planning(2, 3, 5, characters="random", holdem="each")

    async def main():
        async with showing(Person(), found, ("enter", "enter", "enter")) as person:
            table = person.stage.screens[-1]
            spans = [span for row in table.lines(Size(100, 30)) for span in row]
            marks = [span for span in spans if span.press and span.text.startswith("[")]
            assert marks
            table.press(marks[-1].press)
            assert table._asked.decision.cursor == int(marks[-1].press.split()[1])

    trio.run(main)


def test_prices_are_told_by_gold_and_ability():
    """FT-9.2: ``!`` marks the ability; nothing is shown for nothing."""
    assert [price_text(each) for each in (0, 3, BY_ABILITY, BY_ABILITY + 2)] == [
        "",
        "-3",
        "!",
        "!-2",
    ]


def test_every_site_tells_what_it_gives():
    """FT-4 to FT-8: every site of a fresh map but buildings visited and far tombstones."""
    s = new_table(1).sheets[0]
    for region in REGIONS[:4]:
        for place in PLACES[region]:
            assert site_gives(s, site(region, place), ASCII)
    s.circled[3] = ALL_CIRCLED[3]
    assert not site_gives(s, site(3, 1), ASCII)
    assert site_gives(s, site(4, 1), ASCII) == "H"
    assert site_gives(s, site(4, 0), ASCII) == ""


def test_options_show_cards_regions_and_words():
    """The suit card says where it leads; everything that is no card or site is said."""
    scene = deciding(planning(2, 1), 0)
    assert plain(SCREEN.option(scene, scene.decision.options[0], UNICODE)).endswith(
        ("Trail", "Badlands", "Mine", "Town")
    )
    assert plain(SCREEN.option(scene, Option(NO, Phrase("forgo")), UNICODE)) == "no action"
    gold = Option(1, Phrase("suit-gold", {"suit": 1, "gold": 2}))
    assert plain(SCREEN.option(scene, gold, ASCII)) == "s Badlands -2g"


@pytest.mark.parametrize(
    ("hand", "rank"),
    [("2h", 0), ("2h 2s", 1), ("2h 2s 3d 3c", 2), ("2h 2s 2d 3c", 3), ("2h 2s 2d 2c", 7),
     ("2h 3h 4h 5h 6h", 8)],
)  # fmt: skip
def test_the_poker_hand_is_ranked_while_it_grows(hand, rank):
    """FT-3.1: pairs, threes and fours count from the second card on."""
    assert rank_so_far(cards(hand)) == rank


def test_the_breakdown_adds_up_and_names_the_titles():
    """FT-10.1, FT-10.2, FT-9.4, FT-10.3: sources are the score; titles, cowbot, challenges said."""
    t = new_table(1, cowbot="bart")
    t.cowbot, t.rival, t.scores = 2, 66, [sum(sources(t.sheets[0]).values())]
    found = SCREEN.breakdown(Scene(t, ("Ann",)))
    assert [sum(each) for each in found.points] == t.scores
    assert any("Greenhorn Deputy" in note for note in found.notes)
    assert any("66" in note for note in found.notes)
    assert any("no WANTED at the end" in note for note in found.notes)


def test_what_decides_is_what_moves_points():
    """Stars count whole, dollars a quarter; what is lost is negative."""
    assert weight(Phrase("bounty", {"seat": 0, "bounty": 0, "amount": 7})) == 7
    assert weight(Phrase("poker", {"seat": 0, "rank": 1, "cash": 2, "stars": 1})) == 1.5
    assert weight(Phrase("fined-cash", {"seat": 0, "amount": 10})) == -2.5
    assert weight(Phrase("round", {"number": 1})) == 0


def test_signs_and_texts_are_complete():
    """Five signs that differ, in both sets of glyphs; a text for every character and challenge."""
    for signs in SIGNS.values():
        assert len(set(signs)) == 5
    assert SIGNS[False].isascii()
    assert len(ABILITIES) == len(CHARACTERS) == 14
    assert (len(CHALLENGES), len(CAUSES)) == (20, 4)
    assert {"red", "die", "good", "cursor", "kept", "off"} <= LOOKS.keys()


@pytest.mark.parametrize(("seats", "cowbot"), [(1, "card"), (3, "none")])
def test_every_position_of_a_game_can_be_drawn(seats, cowbot):
    """Between all steps, cards not yet flipped included, for a seat and for onlookers."""
    played = game_of(seats, seats, GAME.name, {"characters": "random", "cowbot": cowbot})
    while played.request is not None:
        for view in (played.views[0], None):
            scene = scene_of(played, view)
            assert len(SCREEN.board(scene, PAGE, UNICODE)) <= PAGE.rows
            assert len(SCREEN.own(scene, Size(80, 3), UNICODE)) <= 3
        played.step()
    assert SCREEN.board(scene_of(played, played.views[0]), WHOLE, ASCII)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("trail 3", "Trail 3 (1 star, bonus action Cemetery)"),
        ("trail J", "Trail J (cross out up to 6 WANTED)"),
        ("badlands 9", "Badlands 9 (6 stars, $4, 3 WANTED)"),
        ("mine 4b", "Mine 4b (2 WANTED, silver stars by the region Town)"),
        ("town 6", "Church"),
        ("cemetery TL", "Cemetery top left"),
    ],
)
def test_sites_say_in_words_what_they_give(name, said):
    """FT-4, FT-5, FT-7: for those who have no map before them."""
    assert site_offer(at(name)) == said


def test_a_long_turn_shows_how_it_ends_before_it_is_given():
    """FT-2.7: where the panel cuts what was picked, the last steps and the way back are left."""
    _played, view, question = planning(1, 2, 5, cowbot="jane", characters="random")
    decision = Decision(view, question)
    while not decision.ready:
        decision.settle()
    assert len(decision.picked) > 3
    said = partial(word, names=NAMES_4)
    drawn = [text([each]) for each in asked(decision, lambda option: (), said, PANEL, UNICODE)[0]]
    assert len(drawn) == PANEL.rows
    assert drawn[0].startswith("── You decide")
    assert "Esc changes it" in drawn[-1]
    assert said(decision.picked[-1][0]) in drawn[-2]


def test_a_hint_of_many_steps_is_followed_and_not_searched(monkeypatch):
    """FT-2.7: one dialogue leads to the bot's answer, however long the chain."""
    _played, view, question = planning(1, 2, 5, cowbot="jane", characters="random")
    answer = ai.adviser(GAME.name, bytes(32)).explain(view, question).answer
    begun, dialogue = [], questions.Move.dialogue
    monkeypatch.setattr(questions.Move, "dialogue", lambda *q: begun.append(q) or dialogue(*q))
    steps = picked(question, view, answer)
    assert tuple(chosen[0].value for _prompt, chosen in steps) == answer
    assert len(begun) == 1
    assert len(answer) > 3


# -- lines ----------------------------------------------------------------------------------------

KINDS = ("move", "replace", "cheat", "preach", "bribe", "redraw", "fine")


@cache
def open_question(kind):
    """Return a game in which this question is open, and whose it is."""
    for seed in range(1, 200):
        played = game_of(seed, 4, GAME.name, {"characters": "random"})
        if (found := asked_in(played, kind)) is not None:
            return found
    raise AssertionError(f"no game asks {kind}")


def test_every_kind_of_question_is_known():
    """A question added to the game belongs into the tests below."""
    classes = [each for each in vars(questions).values() if isinstance(each, type)]
    named = {each.name for each in classes if getattr(each, "rule", "").startswith("FT")}
    assert named == {*KINDS}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_question_can_be_answered_by_lines(kind, tag):
    """Numbers on standard input lead to a legal answer, asked and offered in words."""
    view, question = open_question(kind)
    out = io.StringIO()
    with speaking(tag):
        ui = PlainUI(GAME, NAMES_4, io.StringIO("1\n" * 40), out)
        answer = ui.answer(view, question)
    question.check(answer)
    said = out.getvalue()
    assert question.rule in said
    assert "{" not in said
    assert re.search(r"^  1\b", said, re.MULTILINE)


def test_a_person_alone_plays_to_the_end_by_lines(monkeypatch, capsys, tmp_path):
    """FT-9.4, FT-10.3: one seat against a cowbot; the profile's history knows its challenges."""
    monkeypatch.setenv("LANPLAY_DATA", str(tmp_path))
    option = ["--option", "cowbot=card", "--option", "level=hard"]
    for seed in range(1, 40):  # until a game meets a challenge
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 400))
        game = ["play", "fliptown", "--seats", "1", "--plain", "--seed", str(seed), *option]
        assert main(game) == 0
        said = capsys.readouterr().out
        assert "The opponent: " in said
        assert "wins" in said
        assert main(["history"]) == 0
        if "Challenges of Fliptown" in capsys.readouterr().out:
            return
    raise AssertionError("no game meets a challenge")


@pytest.mark.parametrize("columns", [20, 30, 60])
@pytest.mark.parametrize("at", range(5))
def test_the_value_chosen_is_always_shown(at, columns):
    """However few values of an option fit when a table is opened."""
    words = ["without", "drawn", "Black Bart", "Calamity Jane", "drawn with the character"]
    assert f"[{words[at]}]" in plain(_values(words, at, columns))
