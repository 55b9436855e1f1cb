"""What a page shows, at every kind of question of every game."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.fork import fork
from lanplay.engine.question import Phrase, PickSome, answers
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.errors import Fault, Mistake
from lanplay.games import NAMES, load
from lanplay.language import speaking
from lanplay.notices import Notice
from lanplay.session import commands as c
from lanplay.tui.games import screen_of
from lanplay.ui import orders as ui_orders
from lanplay.ui import scene as ui_scene
from lanplay.ui.commands import Command
from lanplay.ui.scene import Scene
from lanplay.web import table
from lanplay.web.board import Taps, WordyBoard, board_of
from lanplay.web.games import fliptown
from lanplay.web.live import Tap
from lanplay.web.log import GameLog
from lanplay.web.pages import PageStack
from lanplay.web.regions import REGIONS, BoardArtist, menu
from lanplay.web.table import WebTable
from tests.tui.test_orders import Face
from tests.web.harness import options, parsed

pytestmark = pytest.mark.whole_games

SEATS = 3
PEOPLE = ("Ann", "Běla Příšerná", "東京の人")
HOSTILE = (
    "<script>alert(1)</script>",
    "\" onclick='x' a=\"",
    "&lt;b&gt; %s {name} </section><h1>",
)
EACH = 4
"""Moments that are looked at for each kind of question."""


def simulated(name, seed, people=PEOPLE):
    game = load(name)
    chosen = {option: values[0] for option, values in game.options.items()}
    header = Header(name, chosen, people, seed)
    agents = [ai.make("random", seed + bytes([seat]), name) for seat in range(len(people))]
    return Simulation(game, header, agents, Chance(seed))


def moments(name, games=3):
    """Yield (simulation, seat, question) of games in which a seat has a choice, a few of a kind."""
    seen = {}
    for number in range(games):
        played = simulated(name, b"page%d" % number)
        while (request := played.request) is not None:
            if isinstance(request, Choose):
                for seat, question in request.questions.items():
                    open_ = question.only_answer(played.views[seat]) is None
                    if open_ and seen.get(question.name, 0) < EACH:
                        seen[question.name] = seen.get(question.name, 0) + 1
                        yield played, seat, question
            played.step()
    assert seen


def scene_of(played, view, names=PEOPLE):
    request = played.request
    asked = dict(request.questions) if isinstance(request, Choose) else {}
    return Scene(played.table, names, view, asked)


@asynccontextmanager
async def shown(played, seat, question, names=PEOPLE):
    """Show a question to a seat; yield its page."""
    page = WebTable(PageStack(), load(played.header.game), names, confirm=True)
    view = played.views[seat]
    page.sees(lambda: scene_of(played, view, names))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(page.answer, view, question)
        await trio.testing.wait_all_tasks_blocked()
        yield page
        nursery.cancel_scope.cancel()


def drawn(page):
    return "".join(page.regions().values())


@pytest.mark.parametrize("name", NAMES)
async def test_a_page_is_well_formed_and_offers_every_option(name):
    for played, seat, question in moments(name):
        async with shown(played, seat, question) as page:
            assert tuple(page.regions()) == REGIONS
            root = parsed(drawn(page))
            decision = page._decision
            wanted = {f"pick.{place}" for place in range(len(decision.options))}
            found = options(root)
            assert wanted <= set(found), question.name
            assert ("ok" in found) == isinstance(decision.step, PickSome)
            for place in range(len(decision.options)):
                shut = decision.why_not(place) is not None
                assert (found[f"pick.{place}"]["aria-disabled"] == "true") == shut
            revisions = {each["data-rev"] for each in root.all("button") if each["data-rev"]}
            assert revisions == {page._revision}


@pytest.mark.parametrize("name", NAMES)
async def test_other_hidden_faces_give_the_same_page(name):
    """No page has what its seat may not know: its bytes do not depend on what others hold."""
    others = 0
    for number, (played, seat, question) in enumerate(moments(name)):
        if load(name).name != "charidice":  # nothing is hidden there
            view = played.views[seat]
            agents = [ai.make("random", bytes([each]), name) for each in range(SEATS)]
            guessed = fork(load(name), view, b"other%d" % number, agents)
            async with shown(played, seat, question) as page:
                known = drawn(page)
            async with shown(guessed, seat, question) as page:
                assert drawn(page) == known, question.name
            others += any(
                (a.cup, a.own) != (b.cup, b.own)
                for a, b in zip(played.views, guessed.views, strict=True)
                if a.seat != seat
            )
    assert others > 5 or name != "dice-town"  # only there seats hold what others do not know


@pytest.mark.parametrize("name", NAMES)
async def test_a_spectator_is_shown_no_hand(name):
    for played, seat, question in moments(name, games=1):
        page = WebTable(PageStack(), load(name), PEOPLE, confirm=True)
        page.sees(lambda played=played: scene_of(played, None))
        root = parsed(drawn(page))
        assert not [each for each in options(root) if each.startswith("pick.")]
        assert page.regions()["own"].startswith("<section")
        assert "hidden" in page.regions()["own"].partition(">")[0]
        assert question.name
        assert seat in range(SEATS)


@pytest.mark.parametrize("name", NAMES)
async def test_a_first_game_begins_with_the_game_on_one_screen_and_ai_waits_for_who_reads(name):
    """The first question does not hide it; a tap does, and AI goes on."""
    played, seat, question = next(moments(name))
    page, attended = WebTable(PageStack(), load(name), PEOPLE, confirm=True), []
    page.attends = attended.append
    page.introduced(["This is the goal."])
    page.sees(lambda: scene_of(played, played.views[seat]))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(page.answer, played.views[seat], question)
        await trio.testing.wait_all_tasks_blocked()
        assert all(word in drawn(page) for word in ("This is the goal.", "Scoring."))
        assert attended == [True]
        page.act(Tap("close"))
        assert "This is the goal." not in drawn(page)
        assert attended == [True, False]
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("name", NAMES)
async def test_a_name_is_text_whatever_it_is(name):
    for played, seat, question in moments(name, games=1):
        async with shown(played, seat, question) as page:
            plain = parsed(drawn(page))
        async with shown(played, seat, question, HOSTILE) as page:
            hostile = parsed(drawn(page))
            assert hostile.shape == plain.shape
            page.notice(HOSTILE[0])
            page.reply(HOSTILE[1])
            again = parsed(drawn(page))
        assert not list(again.all("script"))
        assert not [each for each in again.all() if "onclick" in each.attributes]


async def test_a_tap_about_another_question_or_step_changes_nothing():
    played, seat, question = next(moments("dice-town"))
    async with shown(played, seat, question) as page:
        before = drawn(page)
        for revision in ("", "1.7", "0.0", "2.0", "x"):
            assert not page.act(Tap("pick.0", revision))
        for do in ("pick.99", "pick.-1", "pick.x", "pick.", "nothing", "", "sure.yes"):
            assert not page.act(Tap(do, page._revision))
        assert drawn(page) == before


async def test_dice_are_picked_where_they_lie_and_the_answer_is_looked_at_once_more():
    played, seat, question = next(m for m in moments("dice-town") if m[2].name == "keep")
    async with shown(played, seat, question) as page:
        root = parsed(page.regions()["own"])
        assert [each["aria-pressed"] for each in root.all("button")] == ["false"] * 5
        assert "tap what glows" in page.regions()["ask"]  # it says that they lie above
        assert page.act(Tap("pick.2", page._revision))
        pressed = [each["aria-pressed"] for each in parsed(page.regions()["own"]).all("button")]
        assert pressed == ["false", "false", "true", "false", "false"]
        assert page.act(Tap("pick.2", page._revision))
        assert page.act(Tap("ok", page._revision))
        assert "yes" in options(parsed(page.regions()["ask"]))
        assert page.act(Tap("back", page._revision))
        assert "ok" in options(parsed(page.regions()["ask"]))


async def test_a_page_says_whose_turn_it_is():
    played, seat, question = next(moments("charidice"))
    async with shown(played, seat, question) as page:
        (head,) = parsed(page.regions()["head"]).all("header")
        assert (head["data-turn"], head["data-title"][0]) == ("1", "●")
    (head,) = parsed(page.regions()["head"]).all("header")
    assert head["data-turn"] is None


@pytest.mark.parametrize("name", NAMES)
async def test_a_page_with_its_script_and_style_is_small(name):
    sizes = []
    for played, seat, question in moments(name):
        async with shown(played, seat, question) as page:
            sizes.append(len(drawn(page).encode()))
    assert max(sizes) < 80_000


async def test_a_game_that_is_paused_says_so_and_what_to_do():
    played, seat, question = next(moments("charidice"))
    async with shown(played, seat, question) as page:
        scene = page._scene()
        page.sees(lambda: replace(scene, paused_by=("Ann",), pause_left=100.0))
        page.commands = lambda: [Command("go", "end your own pause", print, key="u")]
        page.regions()
        alerts = parsed(page.regions()["alerts"])
        assert "Ann" in alerts.text
        assert "do.go" in options(alerts)
        assert [each["aria-live"] for each in alerts.all("p")] == ["off"]  # it counts down


@pytest.mark.parametrize(
    ("left", "drawings"), [(None, 0), (30.3, 5), (108.3, 0), (73.3, 1)], ids=str
)
async def test_a_page_is_drawn_anew_when_what_counts_down_shows_another_number(
    left, drawings, autojump_clock, monkeypatch
):
    """Each second in the last minute of a pause, every ten seconds before; a page at rest never."""
    monkeypatch.setattr(table, "monotonic", trio.current_time)
    played, seat, question = next(moments("charidice"))
    async with shown(played, seat, question) as page:
        begun, redrawn = trio.current_time(), []

        def scene():
            now = None if left is None else left - (trio.current_time() - begun)
            return replace(scene_of(played, played.views[seat]), pause_left=now)

        def redraw():
            redrawn.append(trio.current_time())
            page.regions()

        page.sees(scene)
        page.regions()
        page._pages.redraw = redraw
        with trio.move_on_after(5.3):
            await page.run()
        assert len(redrawn) == drawings


async def test_standing_orders_are_given_by_taps_and_stay_in_sight():
    """The button opens them, a tap on a choice is the order, and what holds now is marked."""
    face = Face()
    page = WebTable(PageStack(), load("dice-town"), face.snapshot.names, confirm=True)
    face.reply = page.reply
    page.sees(lambda: ui_scene.scene_of(face.snapshot))
    page.commands = lambda: face.commands(c.CommandOffer(c.GiveOrder))
    assert page.act(Tap("do.orders"))
    dynamite, wanted = (each.number for each in ui_orders.rows(face.snapshot)[:2])
    assert options(parsed(drawn(page)))[f"order.{dynamite}.3"].text == "never"
    for row in (dynamite, wanted):
        assert page.act(Tap("present"))  # a finger came down while something still moved
        assert page.act(Tap(f"order.{row}.3"))
        assert options(parsed(drawn(page)))[f"order.{row}.3"]["aria-pressed"] == "true"
    assert [each.card for each in face.sent] == ["dynamite", "wanted"]
    page.act(Tap("order.1.99"))
    assert "Give two numbers" in parsed(drawn(page)).text
    assert len(face.sent) == 2


async def test_what_is_asked_and_what_has_happened_is_read_out():
    """Whoever cannot see it hears the question and the last line of a log that is closed."""
    played, seat, question = next(moments("charidice"))
    async with shown(played, seat, question) as page:
        page.notice("Ann is back.")
        live = [each for each in parsed(drawn(page)).all() if each["aria-live"] == "polite"]
        spoken = {each["id"] or each["class"]: each for each in live}
        assert "?" in spoken["asked"].text
        assert spoken["last dim"].text == "Ann is back."
        assert not any(each.all("button") and options(each) for each in live)


async def test_a_card_in_the_hand_says_what_it_does():
    for played, seat, question in moments("dice-town", 8):
        async with shown(played, seat, question) as page:
            own = parsed(page.regions()["own"])
        held = [each for each in own.all("details") if "k-dynamite" in each["class"]]
        if held:
            assert "twice the nuggets" in held[0].text
            return
    raise AssertionError("nobody ever had it")


async def test_a_dog_stands_over_the_name_of_its_owner():
    played, seat, question = next(each for each in moments("dogs-life", 1) if each[0].table.dogs)
    async with shown(played, seat, question) as page:
        board = page.regions()["board"]
    dogs = re.findall(r"<title>([^<]*): [^<]*</title>.*?class=\"owner\">([^<]*)<", board)
    assert {name for name, _owner in dogs} <= {*PEOPLE}
    assert len({owner for _name, owner in dogs}) > 1
    assert all(owner in (name.split()[0], f"{name[:7]}…") for name, owner in dogs)
    assert {"A9", "B10"} <= {*re.findall('class="lot">([^<]*)<', str(board_of("dogs-life").art))}


async def test_a_hint_goes_with_the_question_it_is_about():
    played, seat, question = next(moments("charidice"))
    async with shown(played, seat, question) as page:
        page.reply("Keep the sixes.")
        assert "Keep the sixes." in drawn(page)
    assert "Keep the sixes." not in drawn(page)


async def test_a_hint_of_several_steps_has_a_line_for_each():
    played, seat, question = next(moments("fliptown"))
    view = played.views[seat]
    answer = next(iter(answers(question, view)))
    path = question.path(view, answer)
    async with shown(played, seat, question) as page:
        page.advised("It brings most.", question, path)
        why, *steps = parsed(page.regions()["reply"]).text.splitlines()
    assert why == "It brings most."
    assert len(steps) == len(path) > 1
    page.advised("It came too late.", question, path)
    assert "too late" not in drawn(page)


async def test_a_die_of_charidice_lies_over_what_log_and_hints_call_it():
    played, seat, question = next(m for m in moments("charidice") if m[0].table.dice)
    async with shown(played, seat, question) as page:
        tray = parsed(page.regions()["board"])
    names = [each.text for each in tray.all("small")]
    assert [name for name in names if re.fullmatch("[1-6][RYGBVW]", name)] == names[:6]


async def test_who_waits_reads_for_whom_and_not_a_question_that_says_you():
    played, _seat, question = next(moments("charidice"))
    page = WebTable(PageStack(), load("charidice"), PEOPLE, confirm=True)
    page.sees(lambda: scene_of(played, None))
    told = parsed(page.regions()["ask"]).text
    assert re.search("Ann|Běla|東", told)
    assert f"to decide ({question.rule})" in told


async def test_what_gives_up_a_dogs_other_actions_is_below_them():
    played, last = simulated("dogs-life", b"bins"), []
    while played.request is not None and len(last) < 5:
        for seat, question in getattr(played.request, "questions", {}).items():
            if question.name != "act" or question.options[0] != 0 or len(question.options) == 1:
                continue
            async with shown(played, seat, question) as page:
                lists = parsed(page.regions()["ask"]).all("ul")
                asks = next(each for each in lists if each["class"] == "options")
                ways = [each["data-do"] for each in asks.all("button")]
                if len(ways) > 1:
                    last.append(page._decision.options[int(ways[-1][5:])].value)
        played.step()
    assert last
    assert last == [0] * len(last)


def test_who_has_no_seat_sees_everybodys_map_of_fliptown_in_turn():
    played, seen = simulated("fliptown", b"maps"), set()
    while played.request is not None:
        seen |= {*re.findall('class="whose">map: ([^<]*)<', str(_board_seen(played)))}
        played.step()
    assert seen == {*PEOPLE}


def _board_seen(played):
    return board_of("fliptown").board(scene_of(played, None), Taps(None, ""))


async def test_what_a_place_of_fliptown_gives_is_read_out_in_words():
    """Its signs of gold and WANTED are pictures: without a role their title is not read."""
    played, seat, question = next(moments("fliptown"))
    async with shown(played, seat, question) as page:
        spans = parsed(drawn(page)).all("span")
        given = [each for each in spans if "good " in (each["class"] or "")]
        assert len(given) > 30
        assert all(each["role"] == "img" and each["title"] for each in given)


async def test_who_is_away_is_told_so_and_comes_back_by_a_tap():
    page = WebTable(PageStack(), load("charidice"), PEOPLE, confirm=True)
    played, seat, _question = next(moments("charidice"))
    scene = scene_of(played, played.views[seat])
    page.sees(lambda: replace(scene, away=frozenset({seat})))
    root = parsed(page.regions()["ask"])
    assert "do.back" in options(root)
    assert "An AI answers for you" in root.text
    page.sees(lambda: replace(scene, away=frozenset({seat + 1})))
    assert "do.back" not in options(parsed(page.regions()["ask"]))


async def test_a_game_without_a_board_is_played_by_the_list(monkeypatch):
    monkeypatch.setattr(table, "board_of", WordyBoard)
    for name in NAMES:
        for played, seat, question in moments(name, games=1):
            async with shown(played, seat, question) as page:
                wanted = {f"pick.{place}" for place in range(len(page._decision.options))}
                assert wanted <= set(options(parsed(page.regions()["ask"])))


@pytest.mark.parametrize("name", NAMES)
def test_points_are_broken_down_alike_in_the_browser_and_on_the_terminal(name):
    assert board_of(name).breakdown is screen_of(name).breakdown


def test_a_round_without_its_number_is_told_as_any_event():
    """A game of another package may log one so; its page went away with that."""

    class Words:
        def word(self, message, names):
            return f"[{message.id}]"

    log = GameLog(BoardArtist(board_of("dice-town"), Words(), ("Ann", "Bo")))
    log.add(1, Phrase("round"))
    assert [(kind, word()) for _number, kind, word in log._said] == [("event", "[round]")]


def test_a_map_on_which_nothing_can_be_tapped_is_drawn_once_in_each_language():
    played = simulated("fliptown", b"map")
    board, scene = board_of("fliptown"), scene_of(played, None)

    def seen(tag):
        with speaking(tag):
            return board.board(scene, Taps(None, ""))

    fliptown._untapped.cache_clear()
    english, czech = seen("en"), seen("cs")
    assert "Cemetery" in english
    assert "Cemetery" not in czech
    assert (seen("en"), seen("cs")) == (english, czech)
    assert fliptown._untapped.cache_info().misses == 2


def test_a_menu_has_no_buttons_for_what_the_board_shows():
    every = [Command(name, "help", print, key=key) for name, key in (("map", ""), ("hint", "h"))]
    every += [Command(name, "help", print) for name in ("rules", "q")]
    assert options(parsed(menu(every))).keys() == {"do.hint", "do.rules", "do.q"}


async def test_the_result_tells_luck_from_decisions_when_asked():
    """A tap shows it; who has no record of it, as a guest, is not offered it."""
    played = simulated("charidice", b"luck")
    played.run()
    for review in (lambda: ["Ann: luck +60"], None):
        page = WebTable(PageStack(), load("charidice"), PEOPLE, confirm=True)
        page.sees(lambda: scene_of(played, None))
        result = load("charidice").result(played.table)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(page.over, result, False, review)
            await trio.testing.wait_all_tasks_blocked()
            assert ("look" in options(parsed(drawn(page)))) is (review is not None)
            assert page.act(Tap("look")) is (review is not None)
            for _ in range(500 if review else 5):
                if "luck +60" in drawn(page):
                    break
                await trio.sleep(0.01)
            assert ("luck +60" in drawn(page)) is (review is not None)
            nursery.cancel_scope.cancel()


def test_what_is_told_names_the_button_of_a_command():
    """In the log, in the reader's language, and where a command is refused."""

    def refuse(_argument):
        raise Mistake(Fault.PAUSED_ALREADY)

    with speaking("en"):
        page = WebTable(PageStack(), load("charidice"), PEOPLE, confirm=True)
        page.commands = lambda: (
            Command("go", "go on", print),
            Command("anew", "go on without", print),
            Command("pause", "pause", refuse),
        )
        page.notice(Notice.WILLING.of(name="Ann"))
        assert [each.text for each in page._log.lines] == [
            "Ann wants to continue without the others. “go on without”: agree."
        ]
        assert not page.act(Tap("do.pause"))
        assert "“go on”: continue." in drawn(page)
    with speaking("cs"):
        (line,) = page._log.lines
        assert "„" in line.text


def test_another_language_words_the_log_anew_and_keeps_what_people_said():
    """On the owner's page, too, where nothing is shown anew; the newest sixty lines are kept."""
    with speaking("en"):
        page = WebTable(PageStack(), load("charidice"), PEOPLE, confirm=True)
        page.notice("Ann: “hello”")
        page.recalled(1, Phrase("round", {"number": 1}))
        page.notice(Notice.REACHED.of(name="Ann"))
        assert [each.text for each in page._log.lines][1:] == ["round 1", "Ann is back."]
    with speaking("cs"):
        lines = page._log.lines
        assert [each.text for each in lines] == ["Ann: “hello”", "kolo 1", "Ann je zpět."]
        assert [each.number for each in lines] == [1, 2, 3]
        for number in range(80):
            page.notice(str(number))
        assert [each.text for each in page._log.lines] == [str(n) for n in range(20, 80)]
