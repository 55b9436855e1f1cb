"""What Dice Town tells of a round beside its log: who was beaten, and who went without."""

from __future__ import annotations

from collections import Counter

import pytest

from lanplay.check.tables import options_of
from lanplay.engine.chance import Chance
from lanplay.engine.question import Phrase
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.games.dice_town.narration import DiceTownNarrator
from lanplay.games.dice_town.poker import ACE, JACK, KING, NINE, QUEEN, TEN
from lanplay.games.dice_town.text import hand_name, word
from lanplay_ai import make

NAMES = ("Ann", "Bo")


def told(*events: Phrase) -> list[str]:
    """Return in words what a narrator tells of a round of two seats."""
    narrator = DiceTownNarrator()
    return [word(each, NAMES) for event in events for each in narrator.tell(event)]


def hands(*dice: tuple[int, ...]) -> list[Phrase]:
    return [Phrase("hand", {"seat": seat, "faces": faces}) for seat, faces in enumerate(dice)]


@pytest.mark.parametrize(
    ("faces", "name"),
    [
        ((NINE, TEN, QUEEN, KING, ACE), "highest die A"),
        ((NINE, TEN, JACK, QUEEN, KING), "a straight"),
        ((NINE, NINE, TEN, TEN, ACE), "two pairs, 10 and 9"),
        ((KING, KING, TEN, TEN, TEN), "a full house, 10 over K"),
        ((JACK, JACK, JACK, JACK, NINE), "four J"),
        ((ACE,) * 5, "five A"),
    ],
)
def test_a_hand_is_named_as_it_is_ranked(faces: tuple[int, ...], name: str) -> None:
    """DT-5.1."""
    assert hand_name(faces) == name


def test_the_best_hand_is_told_with_the_one_that_it_beats() -> None:
    """DT-3.7."""
    four, full = (NINE, JACK, JACK, JACK, JACK), (TEN, TEN, TEN, KING, KING)
    lines = told(*hands(four, full), Phrase("hall", {"seat": 0, "cards": ()}))
    assert "Ann has the best hand, four J; next comes Bo, a full house, 10 over K." in lines[-2]


def offers(*seats: int) -> list[Phrase]:
    none = {"dollars": 0, "nuggets": 0, "count": 0}
    return [Phrase("offers", {"seat": seat, **none}) for seat in seats]


def test_a_tie_is_told_before_what_is_offered_for_it_and_once() -> None:
    """Who reads the log knows for what the Sheriff is bribed (DT-4)."""
    dice = (NINE, NINE, ACE, KING, KING), (NINE, NINE, TEN, QUEEN, JACK)
    decides = Phrase("decides", {"seat": 0, "other": 1, "place": "mine"})
    lines = told(*hands(*dice), *offers(0, 1), decides)
    assert lines[2:] == [
        "Gold Mine: Ann 9 9, Bo 9 9.",
        "Gold Mine (Ann, Bo): a tie; the Sheriff decides.",
        "Ann offers the Sheriff nothing.",
        "Bo offers the Sheriff nothing.",
        "Gold Mine: Sheriff Ann decides for Bo.",
    ]


def test_a_tie_that_may_be_one_for_what_is_empty_is_not_told_ahead() -> None:
    """Nobody is asked about an empty Bank: the next tie may be the one (DT-3.3)."""
    dice = (TEN, TEN, ACE, KING, KING), (TEN, TEN, NINE, KING, KING)
    lines = told(*hands(*dice), *offers(1))
    assert lines[2:] == ["Bo offers the Sheriff nothing."]


@pytest.mark.parametrize(
    ("faces", "dollars", "line"),
    [
        ((ACE,), 0, "Ann keeps A."),
        ((ACE, ACE), 1, "Ann keeps A A for $1."),
        ((), 1, "Ann keeps no dice, for $1."),
        ((), 0, "Ann keeps no dice."),
    ],
)
def test_nothing_is_kept_for_no_dollars(faces: tuple[int, ...], dollars: int, line: str) -> None:
    """What costs nothing has no price."""
    assert told(Phrase("keeps", {"seat": 0, "faces": faces, "dollars": dollars})) == [line]


def test_why_the_store_is_visited_twice_is_told_in_the_first_round_alone() -> None:
    """Later only a card brings a second action, and that is told by itself (DT-3.4)."""
    draws = Phrase("draws", {"seat": 0, "count": 2})
    again = "General Store: Ann shops a second time, as always in the first round."
    first = told(Phrase("round", {"number": 1}), draws, draws)
    assert first.index(again) == len(first) - 2
    assert again not in told(Phrase("round", {"number": 2}), draws, draws)


def test_whoever_leads_for_an_empty_bank_or_an_idle_saloon_is_told_why() -> None:
    """DT-3.2, DT-3.5."""
    dice = hands((TEN, TEN, QUEEN, QUEEN, KING), (NINE, NINE, NINE, TEN, ACE))
    lines = told(
        *dice,
        Phrase("mine", {"seat": 1, "nuggets": 3}),
        Phrase("coach", {"dollars": 0}),
        Phrase("badge", {"seat": 0}),
    )
    assert "Bank (Ann): it is empty." in lines
    assert "Saloon (Ann): nobody else holds a card." in lines
    assert not any("General Store" in each for each in lines), "nobody had a Jack"


def test_who_obtained_nothing_and_gets_nothing_from_the_doc_is_named() -> None:
    """DT-3.8."""
    dice = hands((NINE,) * 5, (QUEEN,) * 5)
    lines = told(
        *dice,
        Phrase("mine", {"seat": 0, "nuggets": 5}),
        Phrase("hall", {"seat": 0, "cards": ()}),
        Phrase("round", {"number": 2}),
    )
    assert lines[-2] == "Doc Badluck (Bo): nothing for these dice."


@pytest.fixture(scope="module")
def game() -> Simulation:
    """Return a whole game of four seats with its log."""
    dice_town, seed = load("dice-town"), b"why"
    agents = [make("strong", b"%d" % seat, "dice-town") for seat in range(4)]
    header = Header("dice-town", options_of(dice_town, 0), ("a", "b", "c", "d"), seed)
    simulation = Simulation(dice_town, header, agents, Chance(seed))
    simulation.table.log = []
    simulation.run()
    return simulation


def test_a_whole_game_is_told_with_every_event_once_and_in_order(game: Simulation) -> None:
    narrator, log = DiceTownNarrator(), game.table.log
    said = [each for event in log for each in narrator.tell(event)]
    assert [each for each in said if any(each is event for event in log)] == log
    assert Counter(each.id for each in said)["best-hand"] >= game.table.round // 2


def test_whoever_is_told_to_get_nothing_from_the_doc_got_nothing_that_round(
    game: Simulation,
) -> None:
    """DT-3.9, against the events that bring something."""
    narrator, got = DiceTownNarrator(), set()
    for event in game.table.log:
        for each in narrator.tell(event):
            if each.id == "doc-empty":
                assert not got & set(each.values["seats"])
        if event.id == "round":
            got = set()
        elif event.id in ("mine", "bank", "draws", "badge", "hall", "doc-store", "doc-nuggets"):
            got.add(event.values["seat"])


class Heard(list[Phrase]):
    """A log that is told each seat as it is written, with what the seat alone is told."""

    def __init__(self) -> None:
        super().__init__()
        self.simulation: Simulation | None = None
        self.narrators = [DiceTownNarrator() for _seat in range(4)]
        self.confided: list[tuple[int, int, int]] = []
        self.kept: list[tuple[int, int, int]] = []
        self._robs: tuple[int, int, set[int]] | None = None

    def append(self, event: Phrase) -> None:
        super().append(event)
        assert self.simulation is not None
        table, views = self.simulation.table, self.simulation.views
        if self._robs is not None:
            thief, victim, before = self._robs
            gained = set(table.loot(thief)) - before
            self.kept += [(thief, victim, views[thief].face(card)) for card in gained]
        robs = event.id == "robs" and (event.values["seat"], event.values["other"])
        self._robs = (*robs, set(table.loot(robs[0]))) if robs else None
        for seat, narrator in enumerate(self.narrators):
            for each in narrator.confide(event, views[seat]):
                (card,) = each.values["cards"]
                self.confided.append((each.values["seat"], seat, card))


def test_whoever_is_robbed_is_told_alone_which_card_is_gone() -> None:
    """DT-3.5: of each robbery one seat hears, its victim, and of the card that is kept."""
    dice_town, seed, log = load("dice-town"), b"loot", Heard()
    agents = [make("strong", b"%d" % seat, "dice-town") for seat in range(4)]
    header = Header("dice-town", options_of(dice_town, 0), ("a", "b", "c", "d"), seed)
    log.simulation = simulation = Simulation(dice_town, header, agents, Chance(seed))
    simulation.table.log = log
    simulation.run()
    assert log.confided == log.kept
    assert len(log.kept) > 3
    told = word(Phrase("robbed", {"seat": 0, "cards": [log.kept[0][2]]}), NAMES)
    assert told.startswith("Ann keeps this card of yours: ")


def test_a_card_that_is_dealt_and_not_yet_known_is_never_told_as_robbed() -> None:
    """DT-3.5: between laptops a card has no face until all have sent their shares of it."""
    dice_town = load("dice-town")
    header = Header("dice-town", options_of(dice_town, 0), ("a", "b"))
    view = View(0, dice_town.table(2, header.options, None), header, [])
    narrator, known, dealt = DiceTownNarrator(), 103, 105
    view.table.hands[0], view.own[known] = [known, dealt], 1
    robs = Phrase("robs", {"seat": 1, "other": 0, "count": 1})
    assert list(narrator.confide(Phrase("draws", {"seat": 0}), view)) == []
    view.own[dealt] = 2
    assert list(narrator.confide(robs, view)) == []
    view.table.hands[0] = [known]
    told = narrator.confide(Phrase("decides", {"seat": 1, "place": "hall"}), view)
    assert [each.values["cards"] for each in told] == [[2]]


def test_at_the_end_every_hand_lies_face_up(game: Simulation) -> None:
    """DT-7.2: equipment, claims and fenced claims of every seat."""
    table = game.table
    shown = DiceTownNarrator().closing(table)
    assert [each.values["seat"] for each in shown] == list(range(4))
    for seat, each in enumerate(shown):
        cards = [*table.hands[seat], *table.deeds[seat], *table.fences[seat]]
        assert sorted(each.values["held"]) == sorted(table.faces[card] for card in cards)


def test_the_best_hands_are_told_without_brackets_in_brackets() -> None:
    """A name may end with a level in brackets, as ``Hazel (strong)`` does."""
    best = {"seat": 0, "hand": (JACK,) * 5, "other": 1, "next": (NINE, NINE, TEN, TEN, TEN)}
    told = word(Phrase("best-hand", best), ("Hazel (strong)", "Bo"))
    assert told.startswith("Town Hall: Hazel (strong) has the best hand, five J; ")
    assert told.endswith("; next comes Bo, a full house, 10 over 9.")
