"""Reaction windows where people play: orders answer, and the time of an answer tells nothing."""

from __future__ import annotations

from random import Random

import pytest
import trio

from lanplay.engine.orders import Foreseen, Mode, Order, WindowPace
from lanplay.engine.question import Illegal, answers
from lanplay.games import order_book
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.cards import STORE
from lanplay.session import commands as c
from lanplay.session.events import Asked
from lanplay.session.habits import USUAL, HabitStore, PersonHabits, Thinking
from lanplay.session.reaction import BACK, BANK, HOLD, PAUSE, READING, Bank, Hold
from lanplay.session.standing import StandingOrders, taken
from lanplay.ui.decision import Decision
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.settings import TableSettings, parse_settings
from tests.dice_town.script import dice
from tests.session.harness import Seated, at_keep
from tests.tui.harness import position

BEAT, LOOK = PAUSE[WindowPace.BEAT], PAUSE[WindowPace.LOOK]
FORMS = order_book("dice-town").forms


def holding(view, *kinds, dice_of=None):
    """Let a view's seat hold cards of these kinds and no other; return its hand."""
    hand = tuple(9000 + n for n in range(max(1, len(kinds))))
    faces = [STORE.index(kind) for kind in kinds or ("equipment",)]
    view.own = dict(zip(hand, faces, strict=True))
    view.table.hands[view.seat] = list(hand)
    for seat, text in (dice_of or {}).items():
        view.table.dice[seat] = dice(text)
    return hand


class Sat:
    """A person at a table where others wait, without a screen: ``told`` is what it was told.

    ``answers`` are what it picks when it is asked, each after so many seconds.
    """

    def __init__(self, kind="play", answers=()):
        at = Seated(at_keep())
        at.replica.windows = True
        self.game, self.told, self._answers = at.game, [], list(answers)
        _game, self.view, self.question = position(kind, 3)
        self.person = self.game._seats.people[0]
        self.seat = self.view.seat = self.person.seat
        self.person._tell = self._tell
        self._come = trio.Event()
        self.standing = self.person.standing

    def _tell(self, event):
        self.told.append(event)
        if isinstance(event, Asked):
            self._come.set()

    @property
    def asked(self):
        return [each for each in self.told if isinstance(each, Asked)]

    async def _think(self):
        while self._answers:
            await self._come.wait()
            self._come = trio.Event()
            seconds, picks = self._answers.pop(0)
            await trio.sleep(seconds)
            decision = Decision(self.view, self.person.asked.question)
            for place in picks:
                decision.point(place)
                decision.settle()
            self.game.submit(c.GiveAnswer(self.seat, decision.answer))

    async def left_after(self, question):
        """Return what is answered, and after how many seconds."""
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._think)
            answer = await self.game.answer(self.seat, self.view, question, "")
            left = trio.current_time() - began
            nursery.cancel_scope.cancel()
        return answer, left


@pytest.fixture
def seated(monkeypatch):
    """A person that takes no time over nothing."""
    monkeypatch.setattr("lanplay.session.standing.taken", lambda share: 0.0)
    return Sat


CARDS = [(), ("marshal",), ("marshal", "wanted", "cheater"), ("dynamite", "elixir")]


@pytest.mark.parametrize("order", ["always", "never", "ask"])
@pytest.mark.parametrize("cards", CARDS)
async def test_at_a_beat_every_answer_leaves_at_the_same_time(seated, cards, order, autojump_clock):
    """DT-6.13: whatever is held and ordered, the answer leaves after one constant, unasked."""
    sat = seated()
    hand = holding(sat.view, *cards)
    sat.standing.give("marshal", Order(Mode(order)))
    answer, seconds = await sat.left_after(q.Play("marshal", hand, 0, 0))
    assert seconds == pytest.approx(BEAT)
    plays = order == "always" and "marshal" in cards
    assert answer == (hand[cards.index("marshal")] if plays else None)
    assert sat.told == []


@pytest.mark.parametrize("cards", [(), ("corruption",), ("dynamite", "elixir")])
async def test_a_look_leaves_at_the_same_time_where_nothing_is_to_decide(
    seated, cards, autojump_clock
):
    """DT-6.13: for whoever holds nothing that matters, and for whoever has ordered it all."""
    sat = seated()
    hand = holding(sat.view, *cards, dice_of={0: "999TT", 1: "JJJQQ", 2: "JJJQK"})
    answer, seconds = await sat.left_after(q.DiceTownCheat((), hand, True))
    assert (answer, seconds) == ((), pytest.approx(LOOK))
    assert sat.told == []


@pytest.mark.parametrize("pick", [0, 1])
async def test_the_look_asks_for_what_lies_ahead_and_the_beat_plays_it(
    seated, pick, autojump_clock
):
    """DT-6.13: the Marshal is asked for with the look; what is said is an order for the round."""
    sat = seated(answers=[(2, [pick])])
    sat.view.table.sheriff = 0
    hand = holding(sat.view, "marshal", dice_of={0: "999TT", 1: "KKKQQ", 2: "JJJQ9"})
    answer, seconds = await sat.left_after(q.DiceTownCheat((), hand, True))
    assert (answer, seconds) == ((), pytest.approx(2, abs=0.01))
    answer, seconds = await sat.left_after(q.Play("marshal", hand, 0, 1))
    assert (answer, seconds) == (hand[0] if pick else None, pytest.approx(BEAT))
    assert len(sat.asked) == 1
    other = q.Play("marshal", hand, 0, 1)
    sat.view.table.round += 1
    assert (await sat.left_after(other))[0] is None  # the next round has to be asked anew


@pytest.mark.parametrize(
    ("order", "answers", "share"),
    [
        ("ask", [(2, [0])], 1.98 / 2.96),
        ("ask", [(2, [1])], 1 / 2),
        ("never", [], 0.98 / 2.96),
        ("always", [], 1 / 2),
    ],
)
async def test_only_who_plays_no_card_counts_for_how_often_time_is_taken(
    seated, order, answers, share, autojump_clock
):
    """Whoever plays one is seen to have held it: what is to look alike are those who play none."""
    sat = seated(answers=answers)
    sat.view.table.sheriff = 0
    hand = holding(sat.view, "marshal", dice_of={0: "999TT", 1: "KKKQQ", 2: "JJJQ9"})
    sat.standing.give("marshal", Order(Mode(order)))
    look = q.DiceTownCheat((), hand, True)
    await sat.left_after(look)
    assert sat.standing.thinking(look).share == pytest.approx(share)


async def test_a_quick_person_is_no_faster_than_who_cannot_react(seated, autojump_clock):
    """An answer that comes at once leaves when an automatic one would; it counts as a thought."""
    sat = seated("wanted", [(0.1, [0])])
    answer, seconds = await sat.left_after(sat.question)
    assert (answer, seconds) == (None, pytest.approx(LOOK))
    assert sat.standing.thinking(sat.question).share == pytest.approx(1.98 / 2.96)


async def test_whoever_could_react_has_fifteen_seconds_and_then_has_passed(seated, autojump_clock):
    """Nobody is held up by who is away, and not twice: the next window passes by itself."""
    sat = seated("wanted")
    assert await sat.left_after(sat.question) == (None, pytest.approx(LOOK + HOLD))
    assert "The time for this reaction is over." in str(sat.told)
    assert await sat.left_after(sat.question) == (None, pytest.approx(LOOK))
    sat.game.submit(c.GiveOrder(sat.seat, "corruption", Order(Mode.NEVER)))
    assert await sat.left_after(sat.question) == (None, pytest.approx(LOOK + HOLD))


async def test_an_order_told_in_a_window_leaves_no_trace_in_what_is_sent(seated, autojump_clock):
    """DT-6.13: the answer to the network is the Cheater's alone, in the form that all can check."""
    sat = seated(answers=[(1, [0, 1])])
    sat.view.table.sheriff = 0
    dice_of = {0: "999TT", 1: "KKKQQ", 2: "JJJQ9"}
    ask = q.DiceTownCheat(
        dice("TT"), holding(sat.view, "cheater", "marshal", dice_of=dice_of), True
    )
    answer, _ = await sat.left_after(ask)
    assert answer == ()
    ask.check(answer)


async def test_the_bank_counts_for_who_has_touched_a_key(autojump_clock):
    """15 s are followed by the bank alone for a person that is there; what is spent is gone."""
    bank, spent = Bank(), []
    for touches in (False, True, True, False):
        hold, began = Hold(LOOK + HOLD, bank), trio.current_time()
        if touches:
            hold.touch()
        with hold.scope:
            await trio.sleep(LOOK + HOLD + 20)
        hold.end()
        spent.append(trio.current_time() - began - LOOK - HOLD)
    assert spent == pytest.approx([0, 20, 20, 0], abs=1e-6)
    assert bank.left == pytest.approx(BANK - 40)
    bank.new_round()
    assert bank.left == pytest.approx(BANK - 40 + BACK)
    for _ in range(20):
        bank.new_round()
    assert bank.left == BANK


async def test_reading_a_rule_costs_no_time(autojump_clock):
    """The clock stands still while it is read, up to what a game allows; the bank is not spent."""
    bank = Bank()
    hold, began = Hold(HOLD, bank), trio.current_time()

    async def read():
        await trio.sleep(10)
        hold.read(True)
        await trio.sleep(40)
        hold.read(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        with hold.scope:
            await trio.sleep_forever()
    hold.end()
    assert trio.current_time() - began == pytest.approx(HOLD + 40)
    assert (bank.left, bank.reading) == (BANK, pytest.approx(READING - 40))
    hold, began = Hold(HOLD, bank), trio.current_time()
    hold.read(True)
    with hold.scope:
        await trio.sleep_forever()
    assert trio.current_time() - began == pytest.approx(HOLD + READING - 40)


async def test_a_pause_costs_no_time(autojump_clock):
    """Nobody's time runs while the game stands still."""
    hold, began = Hold(HOLD, Bank()), trio.current_time()
    hold.run(False)
    await trio.sleep(500)
    hold.run(True)
    with hold.scope:
        await trio.sleep_forever()
    assert trio.current_time() - began == pytest.approx(HOLD + 500)


@pytest.mark.parametrize("first", ["pause", "rule"])
async def test_a_rule_that_is_read_while_the_game_is_paused_gives_no_time_twice(
    first, autojump_clock
):
    """The pause counted as reading as well: the others waited longer, and the time to read went."""
    hold, began = Hold(HOLD, bank := Bank()), trio.current_time()
    hold.run(False) if first == "pause" else hold.read(True)
    await trio.sleep(2)
    hold.read(True) if first == "pause" else hold.run(False)
    await trio.sleep(30)
    hold.run(True)
    await trio.sleep(3)
    hold.read(False)
    with hold.scope:
        await trio.sleep_forever()
    paused, read = (32, 3) if first == "pause" else (30, 5)
    assert trio.current_time() - began == pytest.approx(HOLD + paused + read)
    assert bank.reading == pytest.approx(READING - read)


async def test_a_rule_that_is_read_to_its_end_while_the_game_is_paused_costs_no_time_to_read(
    autojump_clock,
):
    """Only what was read before the pause did."""
    hold, began = Hold(HOLD, bank := Bank()), trio.current_time()
    hold.read(True)
    await trio.sleep(2)
    hold.run(False)
    await trio.sleep(30)
    hold.read(False)
    hold.run(True)
    with hold.scope:
        await trio.sleep_forever()
    assert trio.current_time() - began == pytest.approx(HOLD + 30 + 2)
    assert bank.reading == pytest.approx(READING - 2)


async def test_an_answer_that_is_given_while_the_game_is_paused_costs_no_bank(autojump_clock):
    """It waits until the game goes on; the pause before it was nobody's time either."""
    hold = Hold(HOLD, bank := Bank())
    hold.touch()
    hold.run(False)
    await trio.sleep(500)
    hold.end()
    assert bank.left == BANK


def test_orders_go_by_what_is_at_stake_and_whom_it_hits():
    """DT-6.13: from an amount, against a seat, for oneself; what has no such order refuses it."""
    _game, view, _ = position("play", 3)
    standing = StandingOrders(FORMS, "dice-town", PersonHabits())
    hand = holding(view, "dynamite", "wanted")
    for stake, plays in ((1, False), (2, True), (3, True)):
        verdict = standing.verdict(q.Play("dynamite", hand, stake), view)
        assert (verdict.answer == hand[0], verdict.asks) == (plays, None)
    stop = q.Stop((50, 51), hand, (1, 2), (None, view.seat))
    assert standing.verdict(stop, view).asks == Foreseen(stop, ("cheater", "marshal", "wanted"))
    for order, target in (
        (Order(Mode.NEVER), None),
        (Order(Mode.AGAINST, 0, (1,)), 50),
        (Order(Mode.OWN), 51),
        (Order(Mode.ALWAYS), 51),
    ):
        standing.give("wanted", order)
        verdict = standing.verdict(stop, view)
        assert verdict.asks is None
        assert verdict.answer == (None if target is None else (hand[1], target))
    for card, order in (
        ("cheater", Order(Mode.ALWAYS)),
        ("dynamite", Order(Mode.FROM, 7)),
        ("brute", Order(Mode.NEVER)),
    ):
        with pytest.raises(ValueError, match=card):
            standing.give(card, order)


def test_where_nobody_waits_only_what_was_ordered_answers():
    """A person that plays with AI is asked at every window, until it orders otherwise."""
    _game, view, _ = position("play", 3)
    habits = PersonHabits()
    standing = StandingOrders(FORMS, "dice-town", habits)
    ask = q.Play("corruption", holding(view, "corruption"), 1)
    assert standing.alone(ask, view) is None
    standing.give("corruption", Order(Mode.NEVER))
    assert standing.alone(ask, view) == (None,)
    again = StandingOrders(FORMS, "dice-town", habits)
    assert again.alone(ask, view) == (None,)
    again.give("corruption", Order(Mode.ASK))
    assert again.alone(ask, view) is None


def test_an_order_against_a_seat_ends_with_its_game():
    """Others sit there next time; all other orders are kept."""
    habits = PersonHabits()
    first = StandingOrders(FORMS, "dice-town", habits)
    first.give("marshal", Order(Mode.AGAINST, 0, (2,)))
    first.give("wanted", Order(Mode.OWN))
    second = StandingOrders(FORMS, "dice-town", habits)
    assert second.order("marshal") == FORMS["marshal"].default
    assert second.order("wanted") == Order(Mode.OWN)


def test_what_is_armed_answers_that_question_alone():
    """DT-6.2: a die turned ahead is turned at the next reveal if it is as foreseen, else not."""
    _game, view, _ = position("play", 3)
    standing = StandingOrders(FORMS, "dice-town", PersonHabits())
    hand = holding(view, "cheater")
    ask, other = q.DiceTownCheat((0, 1), hand), q.DiceTownCheat((0,), hand)
    standing.verdict(other, view)
    standing.arm(ask, ((hand[0], 1, 0),))
    assert standing.verdict(other, view).answer == ()
    assert standing.verdict(ask, view).answer == ((hand[0], 1, 0),)
    assert standing.verdict(ask, view).answer == ()
    with pytest.raises(Illegal):
        standing.arm(ask, ((hand[0], 2, 0),))


def test_a_look_can_be_answered_in_every_way_its_dialogue_has():
    """What lies ahead follows from the die that is turned: a nine more brings the mine."""
    _game, view, _ = position("play", 2)
    view.table.sheriff = view.seat
    hand = holding(view, "cheater", "dynamite", dice_of={0: "99JQK", 1: "99JQK"})
    standing = StandingOrders(FORMS, "dice-town", PersonHabits())
    standing.give("dynamite", Order(Mode.ASK))
    ask = standing.verdict(q.DiceTownCheat(dice("QK"), hand, True), view).asks
    found = 0
    for answer in answers(ask, view):
        ask.check(answer)
        ask.check_own(answer, view)
        found += 1
    leads = 1 + 2 * 6  # the nines are tied, and no turn of Q or K loses that
    assert found == 2 * leads
    for wrong in (None, 1, (), ((),), ((), 1), (((1, 2, 3),), ())):
        with pytest.raises(Illegal):
            ask.check(wrong)


# -- decoys --------------------------------------------------------------------------------------


def test_who_cannot_react_takes_time_nine_times_in_ten_as_often_as_who_can():
    """The hand has no part in it: the person's own share and own times alone."""
    standing = StandingOrders(FORMS, "dice-town", PersonHabits(), luck=Random(5))
    stop = q.Stop((50,), (1,), (1,), (None,))
    thinking = standing.thinking(stop)
    for number in range(200):
        thinking.note(4.0 if number % 2 else None)
    share = thinking.share
    assert share == pytest.approx(0.5, abs=0.02)
    times = [standing.decoy(stop) for _ in range(4000)]
    drawn = [each for each in times if each is not None]
    assert len(drawn) / 4000 == pytest.approx(0.9 * share, abs=0.03)
    assert sorted(drawn)[len(drawn) // 2] == pytest.approx(4.0, rel=0.1)
    assert len(set(drawn)) == len(drawn)  # none is seen twice
    assert standing.decoy(q.Play("marshal", (1,))) is None


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.8, 0.95, 1.0])
def test_neither_a_hold_nor_its_absence_changes_the_odds_by_more_than_a_ninth(share):
    """Also of who always thinks when it could react: a quiet look told of it before."""
    decoys = taken(share)
    assert 0.9 * share - 1e-9 <= decoys <= 1
    assert 1 - share >= 0.9 * (1 - decoys) - 1e-9


def test_an_open_table_takes_no_time_over_nothing():
    """``windows=open``: whoever takes time can react, and all know it."""
    standing = StandingOrders(FORMS, "dice-town", PersonHabits(), decoys=False)
    assert all(standing.decoy(q.Stop((50,), (1,), (1,), (None,))) is None for _ in range(200))


def test_of_a_stranger_usual_times_are_drawn():
    """Nothing is known of it yet: log-normal times around the usual."""
    luck = Random(1)
    times = [Thinking().draw(luck) for _ in range(4000)]
    assert sum(times) / len(times) == pytest.approx(USUAL, rel=0.05)


async def test_a_decoy_holds_the_look_as_long_as_it_was_drawn(monkeypatch, autojump_clock):
    """Whoever cannot react is shown nothing; its answer leaves later, as if it had thought."""
    sat = Sat()
    hand = holding(sat.view)
    monkeypatch.setattr(StandingOrders, "decoy", lambda self, question: 3.5)
    assert await sat.left_after(q.DiceTownCheat((), hand, True)) == ((), pytest.approx(3.5))
    assert sat.told == []


@pytest.mark.parametrize("cards", [(), ("wanted",)])
async def test_nobody_can_tell_what_is_held_where_an_ai_stands_in(
    monkeypatch, cards, autojump_clock
):
    """DT-6.13: it takes time over nothing as often with the card as without it."""
    sat = Sat()
    hand = holding(sat.view, *cards)
    sat.person.away = True
    monkeypatch.setattr(StandingOrders, "decoy", lambda self, question: 3.5)
    _, seconds = await sat.left_after(q.Stop((50,), hand, (1,), (None,)))
    assert seconds == pytest.approx(3.5)


def test_the_house_rules_say_only_that_windows_are_open():
    """Tables where they are hidden are the same bytes as before there was a choice."""
    hidden, shown = TableSettings(), TableSettings(hide_windows=False)
    assert len(shown.plain()) == len(hidden.plain()) + 1
    for each in (hidden, shown):
        assert parse_settings(each.plain()) == each
    for wrong in ((*hidden.plain(), 0), (*hidden.plain(), True), (*shown.plain(), 1)):
        with pytest.raises(PeerError):
            parse_settings(wrong)


# -- what is kept --------------------------------------------------------------------------------


def test_habits_outlive_the_program(tmp_path):
    """Orders and times of each person come back; what was damaged is forgotten, not fatal."""
    store = HabitStore(tmp_path)
    standing = StandingOrders(FORMS, "dice-town", store.of("Ann"))
    standing.give("dynamite", Order(Mode.FROM, 3))
    standing.thinking(q.Stop((50,), (1,), (1,), (None,))).note(2.25)
    assert store.save() == ""
    again = HabitStore(tmp_path)
    assert again.of("Ann") == store.of("Ann")
    assert again.of("Bo") == PersonHabits()
    path = tmp_path / "habits.json"
    whole = path.read_text()
    for damaged in ("", "[", "[]", whole.replace("from", "sometimes"), whole.replace("2.25", "-1")):
        path.write_text(damaged)
        assert HabitStore(tmp_path).of("Ann") == PersonHabits()


def test_habits_that_cannot_be_kept_are_told(tmp_path):
    (tmp_path / "habits.json").mkdir()
    store = HabitStore(tmp_path)
    store.of("Ann")
    assert "Your standing orders and your pace could not be saved: " in store.save()
    assert "habits.json: Is a directory. Make room there, let your account" in store.save()
