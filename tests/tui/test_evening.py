"""What somebody who has never played meets on the smallest screen."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from lanplay.engine.question import Phrase, answers
from lanplay.games import load, names
from lanplay.games.fliptown.text import BOUNTIES
from lanplay.games.wording import summary_of, words_of
from lanplay.tui.cells import Size, plain
from lanplay.tui.games.dice_town import SCREEN
from lanplay.tui.glyphs import UNICODE
from lanplay.ui import rulebook
from lanplay.ui.coach import Coach
from lanplay.ui.scene import scene_of as seen
from tests.tui.golden import keep
from tests.tui.harness import NAMES, SIZES, Person, asked_in, game_of, scene_of, sitting
from tests.tui.test_orders import Face

TWO_LINES = "This is said under a question, and so long that it takes two lines of the screen."
KINDS = {"dice-town": "keep", "dogs-life": "act"}


@pytest.mark.parametrize(("game", "seats"), [("dice-town", 5), ("dogs-life", 4)])
async def test_what_a_coach_says_hides_no_seat_and_no_street(game, seats):
    """At 80 x 24 all seats of Dice Town, and all lines of the town of A Dog's Life."""
    played = game_of(3, seats, name=game)
    view, question = asked_in(played, KINDS[game], 0)
    async with sitting() as person:
        table = person.table(NAMES[:seats], load(game))
        table.sees(lambda: scene_of(played, view))
        person.stage.push(table)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.answer, view, question)
            table.coached(TWO_LINES)
            await trio.testing.wait_all_tasks_blocked()
            lines = person.lines()
            table.coached("")
            bare = person.lines()
            nursery.cancel_scope.cancel()
    at, rows = (2, "12345"[:seats]) if game == "dice-town" else (0, "ABCDEFGHIJKLMNO")
    for each in rows:
        assert any(line[at:].startswith(f"{each} ") for line in lines), each
    assert TWO_LINES in " ".join(" ".join(lines).split())
    assert len(bare) == len(lines) == SIZES[0].rows


async def test_advice_says_its_next_step_alone_and_who_strays_is_told_where():
    """The whole of a long plan takes the screen away; h takes what is named."""
    played = game_of(3, name="fliptown")
    view, question = asked_in(played, "move", 0)
    wanted = list(answers(question, view))[7]
    path = tuple(question.path(view, wanted))
    async with sitting() as person:
        table = person.table(NAMES[:4], load("fliptown"))
        table.sees(lambda: scene_of(played, view))
        person.stage.push(table)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.answer, view, question)
            await trio.testing.wait_all_tasks_blocked()
            table.reply("It is being thought about.")
            table.advised("Because.", question, path)
            first = person.text()
            await person.press("h")
            second = person.text()
            nursery.cancel_scope.cancel()
    assert "thought about" not in first
    assert "Because. Suit card:" in first
    assert "h: do that" in first
    assert "Because. Value card:" in second


def test_a_hand_shows_what_is_ordered_for_its_cards_and_counts_equal_ones():
    face = Face()
    scene = seen(face.snapshot)
    for size in (Size(80, 3), Size(120, 7)):
        text = "\n".join(plain(each) for each in SCREEN.own(scene, size, UNICODE))
        for row in (each for each in scene.orders() if each.held):
            assert row.says in text.replace("\u00a0", " ")


@pytest.mark.parametrize("game", ["dice-town", "charidice", "fliptown", "dogs-life"])
async def test_a_first_game_begins_with_the_game_on_one_screen(game):
    """The goal, a round, the end and the score; Enter begins, and the page has room at 80 x 24."""
    person = Person()
    table = person.table(NAMES[:2], load(game))
    table._page = lambda: rulebook.text(game)
    attended = []
    table.attends = attended.append
    person.stage.push(table)
    table.introduced(Coach(game).goal())
    text = person.text()
    for word in ("Goal.", "A round.", "End.", "Scoring.", "Enter begin"):
        assert word.replace(" ", "") in text.replace(" ", "")
    person.stage.screens[-1].press("enter")
    assert person.stage.screens == [table]
    assert attended == [True]
    person.text()
    assert attended == [True, False], "AI goes on once the goal has been read"


@pytest.mark.parametrize("pasted", ["1 2\n3\nq\ny\n", "x" * 10_000])
async def test_a_pasted_text_answers_nothing_and_leaves_no_game(pasted):
    """Whoever pastes by mistake is told so; a line that is being typed takes it."""
    played = game_of(3)
    view, question = asked_in(played, "keep", 0)
    async with sitting() as person:
        table = person.table(NAMES[:4])
        table.sees(lambda: scene_of(played, view))
        person.stage.push(table)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.answer, view, question)
            before = table._asked.decision
            await person.press(f"paste {pasted}")
            assert table._asked.decision.chosen == []
            assert table._asked.decision is not before
            assert "What you pasted is not used" in person.text()
            await person.press(":", "paste who\nis", "left")
            assert "whois" in person.text()
            nursery.cancel_scope.cancel()


async def test_what_is_drawn_in_signs_is_said_in_words_where_one_points():
    """A place of Fliptown is ``1★+∩`` on the map, and a sentence under the options."""
    played = game_of(3, name="fliptown")
    view, question = asked_in(played, "move", 0)
    async with sitting() as person:
        table = person.table(NAMES[:4], load("fliptown"))
        table.sees(lambda: scene_of(played, view))
        person.stage.push(table)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.answer, view, question)
            for _step in range(9):
                await person.press("enter")
                step = table._asked.decision.step
                if step is not None and step.prompt.id in ("pick-site", "pick-bonus"):
                    break
            assert step is not None
            text = " ".join(person.text().split())
            nursery.cancel_scope.cancel()
    assert table._artist.word(step.options[0].label) in text


async def test_the_rule_of_a_question_stands_below_it_where_there_is_room():
    """On a large screen one need not look it up; on a smaller one ``?`` has it."""
    rule = "Only you see your dice."
    with_sizes = {Size(200, 60): True, SIZES[1]: False, SIZES[0]: False}
    async with sitting() as person, keep(person):
        for size, told in with_sizes.items():
            rows = person.text(size).split("\n")
            assert len(rows) == size.rows
            assert any(rule in row for row in rows) == told
        person.stage.screens[-1].press("?")
        assert rule in person.text(SIZES[0])


def test_what_lines_show_of_seats_has_no_sign_that_nothing_explains():
    """DT-3.6, CH-3.2: the Sheriff is named, and what ``x2`` stands for."""
    told = {
        name: list(summary_of(name).situation(game_of(3, name=name).views[0], NAMES))
        for name in names()
    }
    assert not [line for lines in told.values() for line in lines if line.startswith(" *")]
    assert told["dice-town"][1].startswith("Sheriff: ")
    assert "x2: greatest gift to come" in told["charidice"][0]


def test_what_is_nothing_is_not_counted():
    """DT-2.3: one die is free. FT-3.2: who has pans alone, or hammers alone, gets that."""
    assert words_of("dice-town").word(Phrase("costs", {"dollars": 0}), NAMES) == "costs nothing"
    word = words_of("fliptown").word
    works = [
        Phrase("works", {"seat": 0, "gold": g, "cash": c}) for g, c in ((1, 0), (0, 2), (1, 2))
    ]
    assert [word(each, NAMES).partition("gains ")[2] for each in works] == [
        "1 gold from pans.",
        "$2 from hammers.",
        "1 gold and $2 from pans and hammers.",
    ]


async def test_keys_answer_nothing_while_the_terminal_is_too_small_to_show_the_question():
    """They count again once there is room."""
    async with sitting() as person, keep(person):
        decision = person.stage.screens[-1]._asked.decision
        picked = list(decision.chosen)
        assert "80 x 24" in person.text(Size(60, 18))
        await person.press("1", "enter")
        assert decision.chosen == picked
        person.text()
        await person.press("1")
        assert decision.chosen != picked


def test_a_bounty_of_fliptown_says_what_it_wants_and_sends_nobody_to_the_rules():
    """FT-9.1: the tools of the tenth are named, in a line of 80 columns."""
    assert not [text for text in BOUNTIES if "FT-" in text or len(text) > 76]
