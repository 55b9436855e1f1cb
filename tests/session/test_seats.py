"""A person who is slow, goes away or comes back: who answers for the seat, and what is said."""

from __future__ import annotations

from contextlib import asynccontextmanager
from threading import Event

import pytest
import trio
import trio.testing

from lanplay.engine.agent import Hint
from lanplay.engine.question import Phrase, answers
from lanplay.notices import Notice
from lanplay.tui.cells import Size, plain
from lanplay.tui.glyphs import ASCII
from lanplay.tui.screens.question import waiting
from lanplay_ai.guard import Guarded
from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.key_setup import Ready
from tests.replica.harness import Table, roster
from tests.session.harness import sat_down


@asynccontextmanager
async def asking(person):
    """Ask the person while a block runs."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.answer)
        await trio.testing.wait_all_tasks_blocked(0.01)
        yield
        nursery.cancel_scope.cancel()


@pytest.fixture
async def person(nursery):
    return await sat_down(nursery)


async def test_who_is_asked_anew_at_the_moment_of_a_withdrawal_can_answer(person):
    """Both tasks run in any order then; the later question is shown last, and is the one asked."""
    answered = []

    async def asked(scope):
        with scope:
            answered.append(await person.answer())

    async with trio.open_nursery() as nursery:
        for _ in range(8):
            former, scope = trio.CancelScope(), trio.CancelScope()
            nursery.start_soon(asked, former)
            await trio.testing.wait_all_tasks_blocked(0.01)
            former.cancel()
            nursery.start_soon(asked, scope)
            await trio.testing.wait_all_tasks_blocked(0.01)
            person.type("1\n")
            await trio.testing.wait_all_tasks_blocked(0.05)
            assert answered.pop() == ((0,), ())


async def test_a_persons_line_is_the_answer(person):
    """What is typed while a question is asked goes to it."""
    async with trio.open_nursery() as nursery:
        person.type("1\n")
        assert await person.answer() == ((0,), ())
        nursery.cancel_scope.cancel()


async def test_a_pipe_answers_one_question_after_the_other(person):
    """Lines that an answer has not taken wait for the next question: none is lost."""
    async with trio.open_nursery() as nursery:
        person.type("1\n")
        person.type("2\n")
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert await person.answer() == ((0,), ())
        assert await person.answer() == ((1,), ())
        nursery.cancel_scope.cancel()


async def test_what_a_person_types_unasked_answers_nothing(person, monkeypatch):
    """At a keyboard a line before a question is told to be too early, and is no answer to it."""
    monkeypatch.setattr("lanplay.lines.console.at_keyboard", lambda: True)
    async with trio.open_nursery() as nursery:
        person.type("1\n")
        while "There is no question for you now" not in person.said:
            await trio.testing.wait_all_tasks_blocked(0.01)
        with trio.move_on_after(0.1) as patience:
            await person.answer()
        assert patience.cancelled_caught
        nursery.cancel_scope.cancel()


async def test_an_ai_answers_for_who_is_away_until_it_is_back(person):
    """away answers the open question at once, and the later ones; back asks the person again."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.answer)
        await trio.testing.wait_all_tasks_blocked(0.01)
        assert await person.command("away")
    await person.answer()
    assert person.playing.said == [("away", True)]
    assert await person.command("back")
    with trio.move_on_after(0.05) as patience:
        await person.answer()
    assert patience.cancelled_caught


async def test_an_idle_person_is_answered_for(autojump_clock, nursery):
    """After the table's seconds the person's own program lets an AI answer, and says so."""
    person = await sat_down(nursery, idle=30)
    began = trio.current_time()
    await person.answer()
    assert trio.current_time() - began >= 30
    assert "You have 30 s for this; then AI answers." in person.said
    assert "You have not answered for 30 s" in person.said
    assert person.console.closes() is None
    assert person.playing.said == [("away", True)]


async def test_a_person_has_its_time_without_the_pauses(autojump_clock, nursery):
    """A pause before the question and one while it is asked do not count."""
    person = await sat_down(nursery, idle=30)
    began = trio.current_time()
    person.playing.chat.paused_by = ("peer 1",)
    nursery.start_soon(person.answer)
    await trio.sleep(100)
    person.game.resumed("peer 2")
    await trio.sleep(20)
    person.game.paused("peer 1", 300.0)
    await trio.sleep(1000)
    person.game.resumed("peer 1")
    await trio.sleep(9)
    assert person.playing.said == []
    await trio.sleep(2)
    assert person.playing.said == [("away", True)]
    assert trio.current_time() - began == pytest.approx(1131)
    said = person.said
    assert "peer 1 has paused the game, for 5:00 min at most. go: vote to go on." in said
    assert "peer 2 ends the pause." in said


async def test_what_is_said_is_shown_with_its_author(person):
    """Whoever watches is told apart from those who play, and a name from what the program says."""
    person.playing.missing = {}
    person.game.said(ChatMessage("Ann", "good luck", 1))
    person.game.said(ChatMessage("Cyril", "nice roll", 1, watching=True))
    await trio.testing.wait_all_tasks_blocked()
    person.game.said(ChatMessage("Ann cheated", "It sent a proof", 1))
    await trio.testing.wait_all_tasks_blocked()
    assert str(Notice.ACCUSED.of(name="Ann", why="It sent a proof")) not in person.said
    assert person.said.endswith(
        "Ann: “good luck”\nCyril (watching): “nice roll”\nAnn cheated: “It sent a proof”\n"
    )


async def test_say_and_pause_reach_the_table(person):
    """Text is passed on as it was typed; what cannot be is said."""
    assert await person.command("say  hello there")
    assert await person.command("pause")
    assert person.playing.said == [("say", "hello there"), ("pause",)]
    assert await person.command("go")
    assert "the game is not paused" in person.said
    assert await person.command("say")
    assert "Something is missing: say TEXT." in person.said
    assert person.playing.said == [("say", "hello there"), ("pause",)]


async def test_a_prompt_that_ends_takes_no_line_with_it(person):
    """A question that is withdrawn leaves what is typed afterwards to the next one."""
    async with trio.open_nursery() as nursery:
        with trio.move_on_after(0.05):
            await person.answer()
        person.type("2\n")
        assert await person.answer() == ((1,), ())
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("help", "hurry NAME"),
        ("who", "seat 1: person (peer 1) (missing)"),
        ("who", "To decide: seat 1, seat 2"),
        ("hurry nobody", "Nobody here is called 'nobody'"),
        ("anew", "enough are here"),
    ],
)
async def test_commands_answer_in_words(person, line, said):
    """Every command says what it did or why it could not."""
    assert await person.command(line)
    assert said in person.said


async def test_who_does_not_call_a_person_who_is_away_one_that_answers(person, monkeypatch):
    """It said "person" of a seat for which AI answered."""
    monkeypatch.setattr(type(person.replica), "people", property(lambda self: (0, 2)))
    assert await person.command("who")
    assert "seat 1: AI on peer 1" in person.said


async def test_hurry_and_wait_name_a_peer(person):
    """Names are those that the table shows."""
    assert await person.command("hurry peer 1")
    assert await person.command("wait peer 2")
    assert person.playing.said == [("hurry", 1), ("wait", 2)]


async def test_other_lines_are_no_commands(person):
    """Numbers are answers; q leaves."""
    assert not await person.command("1 2")
    assert not await person.command("hurrah")
    assert not person.left
    assert await person.command("q")
    assert person.left


@pytest.mark.parametrize("hints", [True, False])
async def test_a_table_may_forbid_hints(nursery, hints):
    """The house rules say whether the strong bot may be asked."""
    person = await sat_down(nursery, hints=hints)
    async with asking(person):
        await person.command("hint")
    assert ("This table forbids hints." in person.said) is not hints


async def test_a_hint_is_thought_out_while_the_screen_goes_on(person, monkeypatch):
    """The bot thinks in a thread: it is said that it does, and nothing waits for its hint."""
    goes_on = Event()

    class Slow:
        def explain(self, view, question):
            goes_on.wait(5)
            return Hint(((0,), ()), Phrase("by-lot"))

    monkeypatch.setattr("lanplay_ai.adviser", lambda game, key: Slow())
    async with asking(person):
        await person.command("hint")
        assert "thinking about it" in person.said
        await trio.testing.wait_all_tasks_blocked(0.01)
        assert "Drawn by lot" not in person.said
        hinted = trio.Event()
        person.console.reply = lambda text: hinted.set() if "Drawn by lot" in text else None
        goes_on.set()
        with trio.fail_after(60):
            await hinted.wait()


async def test_a_hint_says_why_before_what(person, monkeypatch):
    """However much is to be picked: where the screen cuts it, the reason is still there."""

    class Quick:
        def explain(self, view, question):
            return Hint(next(answers(question, view)), Phrase("by-lot"))

    monkeypatch.setattr("lanplay_ai.adviser", lambda game, key: Quick())
    async with asking(person):
        hinted, said = trio.Event(), []
        person.console.reply = lambda text: said.append(text) or (len(said) > 1 and hinted.set())
        await person.command("hint")
        with trio.fail_after(60):
            await hinted.wait()
    assert said[1].startswith("Drawn by lot")
    assert ": " in said[1]


class NoHint:
    def explain(self, view, question):
        raise KeyError(25)


@pytest.mark.parametrize("adviser", [lambda game, key: NoHint(), lambda game, key: {}[game]])
async def test_an_adviser_that_fails_ends_no_game(person, monkeypatch, adviser):
    """The person is told that there is no hint, and why; the question stays open."""
    monkeypatch.setattr("lanplay_ai.adviser", adviser)
    async with asking(person):
        hinted, said = trio.Event(), []
        person.console.reply = lambda text: said.append(text) or (len(said) > 1 and hinted.set())
        await person.command("hint")
        with trio.fail_after(60):
            await hinted.wait()
        await trio.testing.wait_all_tasks_blocked(0.01)
    assert said[1].startswith("There is no hint: the strong bot has failed (keep: KeyError: ")


async def test_a_hint_that_comes_too_late_is_dropped(person, monkeypatch):
    """Once the question is answered nobody waits for the bot, nor is its hint shown."""
    goes_on = Event()

    class Slow:
        def explain(self, view, question):
            goes_on.wait(5)
            return Hint(((0,), ()), Phrase("by-lot"))

    monkeypatch.setattr("lanplay_ai.adviser", lambda game, key: Slow())
    async with asking(person):
        await person.command("hint")
        await trio.testing.wait_all_tasks_blocked(0.01)
    goes_on.set()
    assert "Drawn by lot" not in person.said


async def test_the_scene_says_who_is_missing_away_and_has_paused(person):
    """Seconds count down to when AI takes the seats; too few laptops make the game wait."""
    person.playing.missing = {1: 30.0, 2: None}
    person.playing.left = lambda until: until - 10
    person.playing.chat.paused_by = ("peer 2",)
    scene = person.presenter._scene()
    assert [(each.name, each.left) for each in scene.absent] == [("peer 1", 20.0), ("peer 2", None)]
    assert scene.missing == {1: 20.0, 2: None}
    assert scene.stuck
    assert scene.paused_by == ("peer 2",)
    person.playing.missing = {1: 30.0}
    assert not person.presenter._scene().stuck


async def test_lines_say_once_what_can_be_done_where_somebody_is_missing(person):
    """What holds the game up comes with the commands that help, when it begins or changes."""
    person.playing.missing = {1: None, 2: None}
    person.playing.left = lambda until: None
    person.console.sees(person.presenter._scene)
    for text in ("peer 2 is gone.", "something else"):
        person.console.notice(text)
    said = person.said
    assert said.count("Not connected: peer 1, peer 2. anew: go on without them") == 1
    person.playing.missing = {1: None}
    person.console.notice("peer 2 is back.")
    assert "hurry: do not wait" in person.said


async def test_who_comes_back_sees_the_table_before_it_has_its_seat_again(person):
    """While another's AI answers for the seat there is no view of it: the table is drawn anyway."""
    person.playing.missing = {}
    before = person.presenter._scene()
    assert before.seat == person.seat
    person.replica.context.views.pop(person.seat)
    after = person.presenter._scene()
    assert after.seat is None
    assert (before.returning, after.returning) == (False, True)
    assert after.table is before.table


async def test_going_on_anew_ends_the_waiting_for_those_who_are_missing(person):
    """One command is enough where too few are left: nobody has to say hurry first."""
    person.playing.missing = {1: None, 2: None}
    await person.command("anew")
    assert person.playing.said == [("hurry", 1), ("hurry", 2)]


async def test_the_way_on_is_shown_where_a_proven_cheat_would_make_enough(person, monkeypatch):
    """One of three is missing, and one that is linked is convicted: too few are left."""
    person.playing.missing = {1: None}
    assert not person.presenter._scene().stuck
    monkeypatch.setattr(type(person.replica), "convicted", {2: None})
    assert person.presenter._scene().stuck
    await person.command("anew")
    assert person.playing.said == [("hurry", 1)]


async def test_where_only_ai_is_left_it_plays_at_once(person, monkeypatch):
    """With all people away no pause is made; it is said once, and once when somebody is back."""
    people = [0]
    monkeypatch.setattr(type(person.replica), "people", property(lambda self: people))
    person.session.pace.seconds = 0.6
    await person.command("away")
    for here in ([0], [], []):
        people[:] = here
        await person.answer()
        assert person.session.pace.seconds == (0.6 if here else 0.0)
    people[:] = [1]
    await person.answer()
    assert person.session.pace.seconds == 0.6
    assert person.said.count("Only AI is left at the table") == 1
    assert person.said.count("AI moves at the usual speed again.") == 1


async def test_where_nobody_has_answered_for_a_while_ai_plays_no_faster(
    autojump_clock, nursery, monkeypatch
):
    """A game whose only person was called to the door was over when it came back."""
    person, people = await sat_down(nursery, idle=30), [0]
    monkeypatch.setattr(type(person.replica), "people", property(lambda self: people))
    person.session.pace.seconds = 0.6
    await person.answer()
    people.clear()
    await person.answer()
    assert person.playing.said == [("away", True)]
    assert person.session.pace.seconds == 0.6
    assert "Only AI is left at the table" not in person.said


async def test_ai_waits_while_its_person_reads(autojump_clock, person, monkeypatch):
    """A page of rules, or the goal of a first game; not where somebody else is there, too."""
    pace = person.session.pace
    person.console.attends(True)
    with trio.move_on_after(600) as reads:
        await pace.wait()
    assert reads.cancelled_caught
    person.console.attends(True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pace.wait)
        person.console.attends(False)
    await pace.wait()
    both = [*person.game._seats.people] * 2
    monkeypatch.setattr(type(person.game._seats), "people", property(lambda self: both))
    person.console.attends(True)
    with trio.fail_after(1):
        await pace.wait()


class Window:
    """A question about a card that this seat does not have (DT-6.5)."""

    name = "window"

    def pass_answer(self):
        return (0,)

    def only_answer(self, view):
        return (0,)


def taken_by(person, agent):
    """Let an AI answer for the seat of a person."""
    seats = person.game._seats
    seats._controllers[person.seat] = seats._bot(agent)


@pytest.mark.parametrize("people", [(), (0, 1)])
async def test_an_ai_is_never_asked_about_a_card_that_its_seat_lacks(
    person, monkeypatch, people, autojump_clock
):
    """Where only one answer is legal it is given, with people at the table or without."""

    class Agent:
        def answer(self, view, question):
            raise IndexError("there is no such card")

    replica = person.replica
    replica.windows = True
    monkeypatch.setattr(type(replica), "people", property(lambda self: people))
    taken_by(person, Agent())
    assert await person.game.answer(person.seat, person.view, Window(), "") == 0


async def test_a_table_knows_for_whom_people_answer(nursery):
    """Seats of AI and of people who are away do not count."""
    person = await sat_down(nursery)
    replica = person.replica
    assert replica.people == (0, 1, 2)
    replica.step(inputs.AwayChanged(frozenset(range(8))), 600.0)
    assert replica.people == (1, 2)
    replica.step(inputs.AwayChanged(frozenset()), 600.0)
    assert replica.people == (0, 1, 2)


async def test_the_screen_goes_on_while_an_ai_thinks(person, nursery):
    """One AI thinks at a time; meanwhile the loop that draws and takes keys is free."""
    begun, end, thinking = trio.Event(), Event(), []

    class Slow:
        def answer(self, view, question):
            thinking.append(1)
            trio.from_thread.run_sync(begun.set)
            assert end.wait(20)
            assert thinking == [1]
            thinking.clear()
            return ((0,), ())

    taken_by(person, Guarded("slow", Slow()))
    given = []

    async def answer():
        given.append(await person.answer())

    nursery.start_soon(answer)
    nursery.start_soon(answer)
    await begun.wait()
    assert await person.command("who")
    assert given == []
    end.set()
    with trio.fail_after(20):
        while len(given) < 2:
            await trio.testing.wait_all_tasks_blocked(0.01)
    assert given == [((0,), ())] * 2


async def test_an_ai_that_is_no_longer_asked_may_fail(person):
    """The game goes on without a slow AI: what it stumbles over then is nobody's fault."""

    class Late:
        def answer(self, view, question):
            trio.from_thread.run_sync(scope.cancel)
            raise KeyError("gone")

    late = Guarded("late", Late())
    taken_by(person, late)
    with trio.CancelScope() as scope:
        await person.answer()
    assert scope.cancelled_caught
    await person.game._seats._thinking.acquire()  # it has thought to its end
    assert late.faults == []


@pytest.mark.parametrize("ask", [False, True])
async def test_the_words_of_the_table_are_told_once(person, ask):
    """Where keys are new the question tells them; else they are only shown."""
    person.game._asks_words = ask
    async with trio.open_nursery() as nursery:
        person.type("yes\n")
        await person.game.confirm(bytes(32))
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    told = person.said
    assert told.count("The words of this table") == 1
    assert ("Do all screens show these words?" in told) is ask


async def test_a_person_is_waited_for_while_it_is_asked_and_no_longer(person, nursery):
    """Its answer may leave later, as after a pause: the marks and who say so at once."""
    everybody = {0, 1, 2}
    person.playing.missing, drawn = {}, []
    person.console.changed = lambda: drawn.append(waited())

    def waited():
        return set(person.presenter._scene().asked)

    assert waited() == everybody - {person.seat}
    nursery.start_soon(person.answer)
    await trio.testing.wait_all_tasks_blocked(0.01)
    assert waited() == everybody
    person.type("1\n")
    while waited() == everybody:
        await trio.testing.wait_all_tasks_blocked(0.01)
    assert drawn == [everybody, everybody - {person.seat}]
    person.game.changed()
    assert len(drawn) == 2
    await person.command("who")
    assert "To decide: seat 1, seat 2." in person.said


async def test_lines_say_once_after_an_answer_for_whom_the_game_waits(person, nursery):
    """Nothing followed an answer: whoever read lines did not know that others were slow."""
    nursery.start_soon(person.answer)
    await trio.testing.wait_all_tasks_blocked(0.01)
    assert "To decide" not in person.said
    person.type("1\n")
    with trio.fail_after(5):
        while "To decide" not in person.said:
            await trio.testing.wait_all_tasks_blocked(0.01)
    assert "To decide: seat 1, seat 2." in person.said
    person.console.changed()
    assert person.said.count("To decide") == 1


async def test_who_cannot_react_is_not_waited_for(person, nursery, autojump_clock):
    """What passes by itself keeps nobody waiting, though it leaves only when all others do."""
    person.playing.missing, replica = {}, person.replica
    replica.windows = True
    nursery.start_soon(person.game.answer, person.seat, person.view, Window(), "")
    await trio.testing.wait_all_tasks_blocked(0.01)
    assert person.seat in replica.awaited
    assert person.seat not in person.presenter._scene().asked


async def test_those_who_have_still_to_compare_the_words_are_named(nursery):
    """In the panel and by who, until each has; one's own yes is the question at hand."""
    table = Table(roster(3), seed=b"words")
    for replica in table.replicas:
        replica.context.trusted = False
    table.start()
    table.run(lambda t: all(isinstance(r.transcript.phase, Ready) for r in t.replicas))
    person = await sat_down(nursery, replica=table.replicas[0], asks_words=True)
    person.playing.missing = {}

    def panel():
        return plain(sum(waiting(person.presenter._scene(), Size(80, 3), ASCII), ()))

    for names, agrees in ((("peer 1", "peer 2"), 1), (("peer 2",), 0), (("peer 2",), 2)):
        assert person.presenter._scene().comparing == names
        assert panel().startswith("-- Waiting ---")
        assert f" {', '.join(names)}: Do all screens show the same words?" in panel()
        await person.command("who")
        assert f"Still comparing the words of the table: {', '.join(names)}." in person.said
        table.step(agrees, inputs.Trusted())
        while table.queue:
            table._deliver()
    assert person.presenter._scene().comparing == ()
