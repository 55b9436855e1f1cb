"""The table's keys: every question is answered with them, and every command is in reach."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
import trio.testing

from lanplay.engine.question import Phrase, answers
from lanplay.errors import Fault, UserError
from lanplay.language import speaking
from lanplay.notices import Notice
from lanplay.session import commands as c
from lanplay.tui.cells import Size
from lanplay.tui.stage import Habits
from lanplay.ui.commands import Command, described, found
from tests.tui.harness import CALM, GAME, NAMES, SIZES, Person, position, scene_of, sitting
from tests.tui.test_decision import KINDS
from tests.tui.test_orders import Face


async def ask(person, kind, given, seats=4):
    """Show a table at which a question is open; its answer goes to ``given``."""
    played, view, question = position(kind, seats)
    table = person.table(NAMES[:seats])
    table.sees(lambda: scene_of(played, view))
    person.stage.push(table)

    async def answer():
        given.append(await table.answer(view, question))

    return table, question, view, answer


@pytest.mark.parametrize("kind", KINDS)
async def test_every_question_is_answered_by_keys(kind):
    """Numbers and Enter are enough for any question, and what comes of it is legal."""
    async with sitting() as person, trio.open_nursery() as nursery:
        given = []
        _table, question, view, answer = await ask(person, kind, given)
        nursery.start_soon(answer)
        await trio.testing.wait_all_tasks_blocked()
        assert question.rule in person.text()
        for number in "1234" * 8:
            await person.press("enter")
            if given:
                break
            await person.press(number)
        assert given[0] in set(answers(question, view))


async def test_escape_goes_back_and_nothing_is_given_before_enter():
    """An answer is looked at once more where nothing was picked; Esc leads back to the dice."""
    async with sitting() as person, trio.open_nursery() as nursery:
        given = []
        _table, _question, _view, answer = await ask(person, "keep", given)
        nursery.start_soon(answer)
        await person.press("enter")
        assert "cannot be taken back" in person.text()
        await person.press("escape", "2", "enter")
        assert given == [((1,), ())]


async def test_without_confirmation_enter_is_enough():
    """Who does not want to be asked again is not."""
    habits = replace(CALM, confirm=False)
    async with sitting(habits=habits) as person, trio.open_nursery() as nursery:
        given = []
        _table, _question, _view, answer = await ask(person, "keep", given)
        nursery.start_soon(answer)
        await person.press("enter")
        assert given == [((), ())]


async def test_a_new_question_is_not_answered_by_a_key_meant_for_another(autojump_clock):
    """For a moment Enter does nothing."""
    habits = Habits(animation=False, guard=0.4)
    async with sitting(habits=habits) as person, trio.open_nursery() as nursery:
        given = []
        _table, _question, _view, answer = await ask(person, "rob", given)
        nursery.start_soon(answer)
        await trio.lowlevel.checkpoint()
        person.stage.feed("enter")
        await trio.sleep(0.2)
        assert not given
        await trio.sleep(0.3)
        person.stage.feed("enter")
        await trio.sleep(0.2)
        assert given


async def test_enter_held_down_is_pressed_once(autojump_clock):
    """It neither confirms what it has picked nor answers what comes next, until it is let go."""
    habits = Habits(animation=False, guard=0.4)
    async with sitting(habits=habits) as person, trio.open_nursery() as nursery:
        given = []
        _table, _question, _view, answer = await ask(person, "keep", given)
        nursery.start_soon(answer)
        await trio.sleep(1)
        person.stage.feed("enter")
        await trio.sleep(0.5)
        for _repeat in range(40):
            person.stage.feed("enter")
            await trio.sleep(0.03)
        assert "cannot be taken back" in person.text()
        assert not given
        await trio.sleep(0.2)
        person.stage.feed("enter")
        await trio.sleep(0.2)
        assert given == [((), ())]


async def test_enter_twice_in_haste_confirms_nothing(autojump_clock):
    """Whoever is asked once more has a moment to read that."""
    habits = Habits(animation=False, guard=0.4)
    async with sitting(habits=habits) as person, trio.open_nursery() as nursery:
        given = []
        _table, _question, _view, answer = await ask(person, "keep", given)
        nursery.start_soon(answer)
        await trio.sleep(1)
        person.stage.feed("enter")
        await trio.sleep(0.2)
        person.stage.feed("enter")
        await trio.sleep(0.2)
        assert not given
        for key in ("escape", "2", "enter"):
            person.stage.feed(key)
        await trio.sleep(0.2)
        assert given == [((1,), ())]


async def test_dice_roll_before_they_are_kept(autojump_clock):
    """The roll is shown for less than half a second, and comes to rest on what was rolled."""
    async with sitting(habits=Habits(guard=0.0)) as person, trio.open_nursery() as nursery:
        given = []
        _table, _question, view, answer = await ask(person, "keep", given)
        nursery.start_soon(answer)
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        rolling = person.text()
        await trio.sleep(0.49)
        assert "You decide" in person.text()
        cup = next(line for line in person.lines() if line.startswith("Your cup"))
        assert cup not in rolling
        assert len(view.cup) == 5
        nursery.cancel_scope.cancel()


async def test_dice_of_a_roll_that_was_broken_off_do_not_go_on_rolling():
    """Where somebody else answers meanwhile, they show what they are."""
    async with sitting(habits=Habits(guard=0.0)) as person, trio.open_nursery() as nursery:
        table, _question, _view, answer = await ask(person, "keep", [])
        nursery.start_soon(answer)
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        assert table._rolling
        nursery.cancel_scope.cancel()
    assert not table._rolling


@pytest.mark.parametrize("then", [("enter",), ("2", "enter")])
async def test_enter_after_a_number_of_no_option_is_asked_about_once(then):
    """Whoever meant another option does not answer with the one at the cursor."""
    async with sitting() as person, trio.open_nursery() as nursery:
        given = []
        _table, _question, _view, answer = await ask(person, "rob", given)
        nursery.start_soon(answer)
        await person.press("9", "enter")
        assert "9 was no choice. Enter once more goes on all the same." in person.text()
        assert not given
        await person.press("9", *then[:-1], "enter", *then[-1:])
        assert given


async def test_enter_after_a_hint_is_not_asked_about_for_a_wrong_number_before():
    """Whoever did something else since is in no hurry."""
    async with sitting() as person, trio.open_nursery() as nursery:
        given = []
        _table, _question, _view, answer = await ask(person, "rob", given)
        nursery.start_soon(answer)
        await person.press("9", "h", "enter")
        assert "no choice" not in person.text()
        await person.press("enter", "enter", "enter")
        assert given


async def test_a_letter_that_does_nothing_says_so():
    """And so does a number of no option, with the keys that choose one; until the next key."""
    async with sitting() as person, trio.open_nursery() as nursery:
        _table, _question, _view, answer = await ask(person, "keep", [])
        nursery.start_soon(answer)
        for key in ("z", "9"):
            await person.press(key)
            assert f"{key} does nothing: arrows and 1–5 choose" in person.text()
        await person.press("right")
        assert "does nothing" not in person.text()
        nursery.cancel_scope.cancel()


async def test_space_ends_what_is_being_shown_and_picks_nothing(autojump_clock):
    """Any other key is taken as well; the next Space picks."""
    async with sitting(habits=Habits(guard=0.0)) as person, trio.open_nursery() as nursery:
        table, _question, view, answer = await ask(person, "keep", [])
        nursery.start_soon(table.run)
        nursery.start_soon(answer)
        await trio.sleep(1)
        scene = table._scene()
        table.sees(lambda: replace(scene, pace=0.6))
        view.table.dollars[1] += 30
        assert table._moment().scene.effects.lag
        person.stage.feed(" ")
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        assert not table._moment().scene.effects.lag
        assert not table._asked.decision.chosen
        table.press(" ")
        assert table._asked.decision.chosen == [0]
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
async def test_a_long_hint_hides_neither_the_question_nor_its_options(kind, size):
    """It takes its rows from the board: question, step and two options at least stay in sight."""
    async with sitting() as person, trio.open_nursery() as nursery:
        table, question, _view, answer = await ask(person, kind, [])
        nursery.start_soon(answer)
        await trio.testing.wait_all_tasks_blocked()
        table.reply("and so on " * 60)
        text = person.text(size)
        assert question.rule in text
        assert "▸" in text.split(question.rule, 1)[1]
        assert text.count("and so on") > 40
        nursery.cancel_scope.cancel()


async def test_a_question_that_is_withdrawn_is_gone():
    """Where an AI takes over, the panel says for whom the game waits."""
    async with sitting() as person, trio.open_nursery() as nursery:
        _table, _question, _view, answer = await ask(person, "keep", [])
        nursery.start_soon(answer)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert "You decide" not in person.text()
    assert "Waiting" in person.text()


async def test_whose_question_it_is_that_one_waits_for_is_said():
    """With its rule, of all but oneself; the question itself would say "you" to the wrong one."""
    async with sitting() as person:
        await ask(person, "keep", [])
        text = " ".join(person.text(SIZES[1]).split())
    assert "Běla Příšerná, 東京の人, steady 4: to decide (DT-2.2)" in text
    assert "Which dice" not in text


async def test_what_a_key_came_to_goes_with_what_it_was_pressed_at():
    """With the question, and without one as soon as the game goes on; another's move leaves it."""
    async with sitting() as person, trio.open_nursery() as nursery:
        table, _question, _view, answer = await ask(person, "keep", [])
        await person.press("z")
        assert "z does nothing now" in person.text()
        table.notice("Bob is gone")
        await trio.lowlevel.checkpoint()
        assert "z does nothing" not in person.text()
        await person.press("z")
        assert "z does nothing now" in person.text()
        table.changed()
        assert "z does nothing" not in person.text()
        nursery.start_soon(answer)
        await person.press("z")
        table.changed()
        assert "z does nothing: arrows" in person.text()
        nursery.cancel_scope.cancel()
    assert "z does nothing" not in person.text()


async def test_help_has_the_question_its_rule_and_all_commands():
    """``?`` explains the question at hand, the keys, the signs and the commands."""
    async with sitting() as person, trio.open_nursery() as nursery:
        table, question, _view, answer = await ask(person, "offer", [])
        table.commands = lambda: (Command("who", "who is here", print, key="w"),)
        nursery.start_soon(answer)
        await person.press("?")
        text = person.text(SIZES[1])
        assert "the Sheriff decides" in text
        assert "who is here" in text
        await person.press("right")
        assert f"{question.rule} So it is." in person.text(SIZES[1])
        await person.press("escape", "escape")
        assert "You decide" in person.text()
        nursery.cancel_scope.cancel()


async def test_the_rules_can_be_searched():
    """``R`` shows the page, ``/`` finds in it, Esc leads back."""
    async with sitting() as person:
        person.stage.push(person.table())
        await person.press("R")
        assert "Keep some dice" in person.text()
        await person.press("/", *"bribes", "enter")
        spans = [span for line in person.stage.lines(SIZES[0]) for span in line]
        assert [span.text for span in spans if span.role == "found"] == ["Bribes"]
        await person.press("n", "escape")
        assert "Log" in person.text()


async def test_commands_are_typed_and_have_keys():
    """``:`` takes any command, a key calls its own; one that needs more is asked for it."""
    said = []
    commands = (
        Command("who", "who is here", lambda text: said.append(("who", text)), key="w"),
        Command("say", "say", lambda text: said.append(("say", text)), "TEXT", "t"),
    )
    async with sitting() as person:
        table = person.table()
        table.commands = lambda: commands
        person.stage.push(table)
        await person.press("w", ":", *"say hallo", "enter", "t", *"hi", "left", "o", "enter")
        assert said == [("who", ""), ("say", "hallo"), ("say", "hoi")]
        await person.press(":", *"fly", "enter")
        assert "'fly' is not a command here" in person.text()


def test_a_command_is_called_with_what_it_needs():
    """Without its argument, or with one too many, it is not called."""
    commands = (Command("who", "a", print), Command("say", "b", print, "TEXT"))
    assert found(commands, "say hello you")[1] == "hello you"
    assert found(commands, "say") is None
    assert found(commands, "who else") is None
    assert described(commands).splitlines() == ["who       a", "say TEXT  b"]


async def test_help_lists_the_keys_that_do_something_there():
    """A key of a command that is of no use now is not listed; a quiet one is, but has no hint."""
    commands = (
        Command("more", "use time from your reserve", print, key="m", now=False),
        Command("settings", "the settings of this place", print, key="S", quiet=True),
    )
    async with sitting() as person:
        table = (await ask(person, "keep", []))[0]
        table.commands = lambda: commands
        assert "S settings" not in person.text()
        await person.press("?")
        text = person.text(Size(120, 90))
    assert "the settings of this place" in text
    assert "use time" not in text


async def test_leaving_is_asked_once_more():
    """``q`` twice leaves; any other key stays."""

    def leave(_text):
        raise UserError(Fault.LEFT_GAME)

    with pytest.RaisesGroup(UserError):
        async with sitting() as person:
            table = person.table()
            table.commands = lambda: (Command("q", "leave", leave, sure="Leave the game?"),)
            person.stage.push(table)
            await person.press("q", "n")
            assert "Leave the game?" not in person.text()
            await person.press("q")
            assert "Leave the game?" in person.text()
            await person.press("q")


async def test_an_ai_gets_ones_seat_only_after_a_yes():
    """What it answers cannot be taken back, also where nobody else plays."""
    face = Face()
    async with sitting() as person:
        table = person.table()
        table.commands = lambda: face.commands(c.CommandOffer(c.SetAway, now=False))
        person.stage.push(table)
        await person.press("A")
        assert "Let an AI answer for you" in person.text()
        assert not face.sent
        await person.press("y")
    assert [command.away for command in face.sent] == [True]


async def test_what_cannot_be_undone_is_asked_about_whether_by_key_or_typed():
    """``y`` does it; the key itself, pressed once more, does not."""
    done = []
    async with sitting() as person:
        table = person.table()
        anew = Command("anew", "go on", done.append, key="n", sure="Go on as a new game?")
        table.commands = lambda: (anew,)
        person.stage.push(table)
        await person.press("n")
        assert "Go on as a new game?" in person.text()
        await person.press("n")
        assert "Go on as a new game?" not in person.text()
        assert not done
        await person.press(":", *"anew", "enter")
        assert not done
        await person.press("y")
    assert done == [""]


async def test_the_words_stay_in_the_log_once_all_have_them():
    """Who wants to compare them later finds them there."""
    async with sitting() as person, trio.open_nursery() as nursery:
        table = person.table()
        person.stage.push(table)
        nursery.start_soon(table.agree, "The words: thumb kind\nAll the same?")
        await person.press("y")
        assert "* The words: thumb kind" in person.text()
        assert "All the same?" not in person.text()


async def test_the_words_of_the_table_want_a_yes():
    """Nothing but ``y`` agrees."""
    async with sitting() as person, trio.open_nursery() as nursery:
        table = person.table()
        person.stage.push(table)
        agreed = trio.Event()

        async def agree():
            await table.agree("Do all screens show these words?")
            agreed.set()

        nursery.start_soon(agree)
        await person.press("enter", "n")
        assert not agreed.is_set()
        await person.press("y")
        assert agreed.is_set()


async def test_the_lines_of_a_reply_stand_below_each_other():
    """Who answers for which seat is a line each, none of them further left."""
    async with sitting() as person:
        table = person.table()
        person.stage.push(table)
        table.reply("Ann: a person\nBo: AI")
        assert {" Ann: a person", " Bo: AI"} <= set(person.text().splitlines())


async def test_the_log_is_scrolled_and_read_whole():
    """PgUp shows what went by, new lines do not move it, ``l`` shows all of it."""
    async with sitting() as person:
        table = person.table()
        person.stage.push(table)
        for number in range(60):
            table.notice(f"line {number}")
        assert "line 59" in person.text()
        await person.press(*["pageup"] * 8)
        assert "line 59" not in person.text()
        before = person.text()
        table.notice("news")
        assert person.text() == before
        await person.press("l")
        assert "news" in person.text()


async def test_the_log_is_in_the_language_that_is_chosen_meanwhile():
    """Events and notices of before, too; what was words already stays as it is."""
    person = Person()
    table = person.table()
    person.stage.push(table)
    with speaking("en"):
        table.happened(1, Phrase("round", {"number": 1}))
        table.notice(Notice.HERE.of(name="Ann"))
        table.notice("as it is")
        assert "Ann is here." in person.text()
    with speaking("cs"):
        text = person.text()
    assert "Ann is here." not in text
    assert "Kolo 1" in text
    assert text.count("as it is") == 1


async def test_a_time_limit_is_shown(autojump_clock):
    """Where the time runs out, the panel counts down and says how to get more."""
    async with sitting() as person, trio.open_nursery() as nursery:
        given = []
        table, _question, _view, answer = await ask(person, "play", given)
        closes = trio.current_time() + 5
        table.closes = lambda: closes
        nursery.start_soon(answer)
        await trio.sleep(0.1)
        assert "5 s left" in person.text()
        await trio.sleep(3)
        assert "2 s left" in person.text()
        assert "more time" not in person.text()
        table.commands = lambda: (Command("more", "more time", print, key="m"),)
        assert "2 s left; m: more time" in person.text()
        nursery.cancel_scope.cancel()


async def test_the_result_has_every_source_and_a_rematch():
    """Scores by source as in DT-7.2, the winner first, and the person's choice."""
    played, _view, _question = position("keep")
    played.run()
    async with sitting() as person, trio.open_nursery() as nursery:
        table = person.table(NAMES[:4])
        table.sees(lambda: scene_of(played, played.views[0]))
        table.happened(1, Phrase("mine", {"seat": 1, "nuggets": 4}))
        chosen = []

        async def over():
            chosen.append(await table.over(GAME.result(played.table), True, None))

        nursery.start_soon(over)
        await trio.testing.wait_all_tasks_blocked()
        text = person.text()
        for score in played.table.scores:
            assert f" {score}" in text
        assert "Nuggets" in text
        assert "takes 4 nuggets" in text
        await person.press("l", "escape", "escape")
        assert person.text() == text, "Esc leaves the log, and not the result"
        await person.press("r")
        assert chosen == [True]


async def test_the_result_tells_luck_from_decisions_when_asked():
    """Worked out once, in a thread, and shown each time; without a record nothing offers it."""
    played, _view, _question = position("keep")
    played.run()
    worked = []

    def review():
        worked.append(True)
        return ["Ann: 25 at first, luck +60"]

    for given, offered in ((review, True), (None, False)):
        async with sitting() as person, trio.open_nursery() as nursery:
            table = person.table(NAMES[:4])
            table.sees(lambda: scene_of(played, played.views[0]))
            nursery.start_soon(table.over, GAME.result(played.table), False, given)
            await trio.testing.wait_all_tasks_blocked()
            assert ("luck and decisions" in person.text()) is offered
            for _ in range(2):
                await person.press("c")
                for _ in range(100):
                    await trio.sleep(0.01)
                    if not offered or "luck +60" in person.text():
                        break
                assert ("luck +60" in person.text()) is offered
                await person.press("escape" if offered else "l")
            nursery.cancel_scope.cancel()
    assert worked == [True]


async def test_space_says_that_it_does_nothing_where_one_alone_is_picked():
    """Enter takes what is pointed at; the bar names no Space."""
    async with sitting() as person, trio.open_nursery() as nursery:
        *_, answer = await ask(person, "decide", [])
        nursery.start_soon(answer)
        await trio.testing.wait_all_tasks_blocked()
        await person.press(" ")
        assert "Space does nothing: arrows and" in person.text()
        assert "Space" not in person.lines()[-1]
        nursery.cancel_scope.cancel()
