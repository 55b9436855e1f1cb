"""What is observed: all that a seat can tell apart, and nothing that it cannot."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from random import Random

import pytest

pytest.importorskip("numpy")
pytest.importorskip("gymnasium")

import numpy as np

from lanplay.engine.fields import shown
from lanplay.engine.question import answers
from lanplay.engine.view import View
from lanplay.env.declared import Choice, Declared, Observer
from lanplay.env.match import Match, declared
from lanplay.env.places import SEATS, Bits
from lanplay.env.setting import EnvSetting
from lanplay.games import NAMES, load

HANDLES = {
    "dice-town": {"deck", "discards", "row", "claims", "hands", "deeds", "fences"},
    "charidice": set(),
    "fliptown": {"deck", "discards", "flipped", "stolen", "sheriff", "hole"},
    "dogs-life": {"stack", "papers", "dropped", "known"},
}
"""The fields of each game's table that hold handles of cards."""
ASKED = {"hand", "cards", "targets", "layable", "deeds", "papers"}
"""What of a question does."""
OPTIONS = {
    "dice-town": [{}, {"claim_row": "slide", "brute": "one_extra"}],
    "charidice": [{}],
    "fliptown": [{}, {"characters": "random", "holdem": "each"}],
    "dogs-life": [{"bones": "2"}, {"rounds": "10"}],
}


def told(view, value):
    """Return a value with handles as what the seat knows of them: a face, or a hidden card."""
    if isinstance(value, dict):
        return tuple((key, told(view, each)) for key, each in sorted(value.items()))
    if isinstance(value, list | tuple):
        return tuple(told(view, each) for each in value)
    if value is None:
        return None
    face = view.face(value)
    return "hidden" if face is None else face


def state(game, view, choice):
    """Return all that a seat can tell of the present, written without the environment."""
    t = view.table
    found = {"seats": t.seats, "round": t.round}
    for name in type(t).__slots__:
        value = getattr(t, name)
        found[name] = told(view, value) if name in HANDLES[game] else shown(value)
    if game == "dogs-life":
        found["known"] = known(t)
        found["begged"] = sorted(t.begged)
    if game == "fliptown":
        sheets = list(t.sheets)
        if choice is not None and choice.working is not None:
            sheets[view.seat] = choice.working
        found["sheets"] = [sheet(each) for each in sheets]
    found["cup"] = sorted(view.cup)
    if choice is not None:
        question = choice.question
        found["asked"] = question.name
        found["legal"] = tuple(choice.legal)
        if question.name == "doc-order":
            found["picked"] = tuple(choice.picked)
        elif question.name not in ("move", "cheat"):
            found["picked"] = tuple(sorted(choice.picked))
        for name in type(question).__slots__:
            value = getattr(question, name)
            if name in ASKED:
                found[f"asked {name}"] = sorted(map(str, told(view, value)))
            elif name == "offers":
                kinds = {
                    seat: (d, n, sum(c in t.hands[seat] for c in cards), len(cards))
                    for seat, (d, n, cards) in value.items()
                }
                found["asked offers"] = str(sorted(kinds.items()))
            elif name not in ("sheet", "turn", "_last"):
                found[f"asked {name}"] = str(value)
    return repr(found)


def known(t):
    """Return where the newspapers lie that each seat has been dealt."""
    where = {}
    for seat, papers in enumerate(t.papers):
        where |= {paper: ("carried", seat, number) for number, paper in enumerate(papers)}
    for place, papers in t.dropped.items():
        where |= {paper: ("lies", place, number) for number, paper in enumerate(papers)}
    return [sorted(str(where.get(paper)) for paper in own if paper in where) for own in t.known]


def sheet(s):
    state = dict(zip(type(s).__slots__, s.plain(), strict=True))
    return {**state, "pool": sorted(s.pool), "circled": list(s.circled), "poker": sorted(s.poker)}


def positions(game, seats, games=3, every=1):
    """Yield (match, seat) all along some games; of its actions a seat takes what was done least."""
    lot, done = Random(seats), Counter()
    for number in range(games):
        for options in OPTIONS[game]:
            if seats == 1 and "characters" in options:
                options = {**options, "cowbot": "random"}
            match = Match(game, seats, options, b"%d" % number)
            step = 0
            while match.choices and step < 400:
                seat = lot.choice(list(match.choices))
                if step % every == 0:
                    for each in range(seats):
                        yield match, each
                legal = list(match.choices[seat].legal)
                action = min(legal, key=lambda each: (done[each], lot.random()))
                done[action] += 1
                match.act(seat, action)
                step += 1
            for each in range(seats):
                yield match, each


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_states_differ_in_the_observation_exactly_if_a_seat_can_tell_them_apart(game, seats):
    """Over games by lot: one observation for each state that it can tell, one state for each."""
    states, sights = {}, {}
    for match, seat in positions(game, seats, 2):
        view, choice = match.simulation.views[seat], match.choices.get(seat)
        key = seat, match.look(seat).tobytes()
        here = seat, state(game, view, choice)
        assert states.setdefault(key, here) == here
        assert sights.setdefault(here, key) == key
    assert len(states) > 100


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_every_field_of_the_table_is_observed(game, seats):
    """A field that is put in from another state changes what is seen if the seat can tell."""
    lot = Random(1)
    names = ["round", *declared(game)[0].table(seats, {}).__slots__]
    found = list(islice(positions(game, seats, 1, every=7), 200))
    kept = [(match.simulation.views[seat].table.copy(), seat, match) for match, seat in found]
    changed = Counter()
    for _ in range(700):
        (table, seat, match), (other, _, _) = lot.choice(kept), lot.choice(kept)
        name = lot.choice([each for each in names if each not in HANDLES[game]])
        view = View(seat, table.copy(), match.simulation.views[seat].header, [])
        before = state(game, view, None), Observer(match.declared, view).look(None).tobytes()
        setattr(view.table, name, getattr(other.copy(), name))
        try:
            after = state(game, view, None), Observer(match.declared, view).look(None).tobytes()
        except KeyError:
            continue  # what is put in names a card that is no longer there
        assert (before[0] == after[0]) == (before[1] == after[1]), name
        changed[name] += before[0] != after[0]
    assert len(changed) > len(names) - len(HANDLES[game]) - 12, changed


@pytest.mark.parametrize("game", ["dice-town", "fliptown", "dogs-life"])
def test_hidden_cards_are_alike_and_known_ones_are_not(game):
    """Other handles for hidden cards change nothing; a face that the seat learns does."""
    learned = 0
    for match, seat in islice(positions(game, 3, 1, every=11), 300):
        view = match.simulation.views[seat]
        table = view.table.copy()
        piles = [name for name in HANDLES[game] if name in type(table).__slots__]
        hidden = sorted(set(handles([getattr(table, name) for name in piles])))
        hidden = [card for card in hidden if view.face(card) is None]
        twin = View(seat, table, view.header, [])
        twin.own = dict(view.own)
        before = Observer(match.declared, twin).look(None).tobytes()
        new = {card: 10_000 + number for number, card in enumerate(hidden)}
        for name in piles:
            setattr(table, name, renamed(getattr(table, name), new))
        assert Observer(match.declared, twin).look(None).tobytes() == before
        stack = getattr(table, "stack", [])
        for card in new.values():
            if card not in stack:  # A Dog's Life: nobody knows a newspaper of the stack
                free = set(range(match.game.cards)) - {*table.faces.values(), *view.own.values()}
                twin.own = {**view.own, card: min(free, default=0)}
                if not free:
                    continue
                assert Observer(match.declared, twin).look(None).tobytes() != before
                learned += 1
                break
    assert learned


def handles(value):
    if isinstance(value, int):
        yield value
    elif value is not None:
        for each in value.values() if isinstance(value, dict) else value:
            yield from handles(each)


def renamed(value, new):
    if isinstance(value, dict):
        return {key: renamed(each, new) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(renamed(each, new) for each in value)
    return new.get(value, value)


@pytest.mark.parametrize("game", NAMES)
def test_what_is_seen_is_within_its_ranges_and_the_same_afresh(game):
    """What is brought up to date step by step is what a new observer sees."""
    match = Match(game, load(game).seats[-1], {}, b"x")
    space = EnvSetting(game, 2, None, "win", None)
    least = np.array([place.least for place in space.declared.places])
    most = np.array([place.most for place in space.declared.places])
    for match, seat in positions(game, load(game).seats[-1], 1, every=5):
        seen = match.look(seat)
        view, choice = match.simulation.views[seat], match.choices.get(seat)
        assert np.array_equal(Observer(match.declared, view).look(choice), seen)
        assert (seen >= least).all()
        assert (seen <= most).all()


def test_who_knows_a_hidden_newspaper_is_seen():
    """In A Dog's Life all can see who has looked at one, though not what it says."""
    match = Match("dogs-life", 3, {}, b"x")
    view = View(0, match.simulation.table.copy(), match.simulation.views[0].header, [])
    paper = view.table.stack.pop()
    view.table.papers[1] = [paper]
    observer = Observer(match.declared, view)
    before = observer.look(None).tobytes()
    view.table.known[2] = [paper]
    assert observer.look(None).tobytes() != before


PRIVATE = re.compile(r"cards: (?!cards in).* in (hands|deeds|hole) of|papers|sheets")
WHO = re.compile(r"the next seat|the \d\w\w seat after you|\byou$|\byou:")


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_the_own_seat_comes_first_and_the_others_follow_in_turn_order(game, seats):
    """What all can see of a seat is at the places of that seat, whoever looks."""
    places = [
        (number, words[: who.start()] + words[who.end() :], SEATS.index(who.group().rstrip(":")))
        for number, words in enumerate(place.words for place in declared(game)[1].places)
        if number < declared(game)[1].at["you_choose"] and not PRIVATE.match(words)
        if (who := WHO.search(words))
    ]
    assert len(places) > 5
    for match, _ in islice(positions(game, seats, 1, every=9), 0, 300, seats):
        seen = {}
        for seat in range(seats):
            numbers = match.look(seat)
            for number, what_, turn in places:
                if turn < seats:
                    key = what_, (seat + turn) % seats
                    assert seen.setdefault(key, numbers[number]) == numbers[number], key


def test_the_own_points_come_first():
    match = Match("charidice", 3, {}, b"x")
    for _ in range(20):
        seat, choice = next(iter(match.choices.items()))
        match.act(seat, choice.legal[-1])
    places = match.declared.places
    for seat in range(3):
        seen = match.look(seat)
        for turn, who in enumerate(("you", "the next seat", "the 2nd seat after you")):
            points = [
                n for n, each in zip(seen, places, strict=True) if f"points: {who}:" in each.words
            ]
            own = match.simulation.table.points[(seat + turn) % 3]
            assert points == [*own, *[-1] * (7 - len(own))]


def test_a_field_that_is_not_declared_is_refused():
    """Neither a field of the table can be forgotten, nor one be declared that is not there."""

    class Table:
        __slots__ = ("bank",)

    catalog = declared("charidice")[1].catalog
    with pytest.raises(TypeError, match=r"Table: not declared.*bank"):
        Declared(Table, 2, catalog, {}, {})
    from lanplay.env.places import FLAG

    with pytest.raises(TypeError, match=r"vault"):
        Declared(Table, 2, catalog, {}, {"round": FLAG, "bank": FLAG, "vault": FLAG})


@pytest.mark.parametrize("game", NAMES)
def test_every_kind_of_question_can_be_answered(game):
    """Whatever a game may ask has its steps, but for what leaves no choice."""
    from lanplay.engine.question import Question

    module = load(game).manifest.rules.target.rpartition(".")[0]
    kinds, left = set(), [Question]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        if kind.__module__.startswith(f"{module}.") and "name" in vars(kind):
            kinds.add(kind)
    assert {kind.__name__ for kind in kinds - set(declared(game)[1].steps)} <= {"Denounce"}


def alike(game, view, question, answer):
    """Return an answer without what makes no difference: which of two cards or dice alike."""
    if question.name == "keep":
        dice, brutes = answer
        return sorted(view.cup[place] for place in dice), len(brutes)
    if game != "dice-town" or answer is None or isinstance(answer, int):
        cards = getattr(question, "cards", ()) if question.name != "winner" else ()
        return what(view, answer) if answer in cards or question.name == "play" else answer
    if question.name == "wanted":
        # the card stopped: who played it, and what it is
        t = view.table
        by = question.by[question.targets.index(answer[1])]
        return by, t.faces[answer[1]] if what(view, answer[1]) != "brute" else "brute"
    if question.name in ("store", "keep-loot"):
        return [what(view, answer[0]), *answer[1:-1], answer[-1] is not None]
    if question.name == "doc":
        return answer[0], sorted(what(view, card) for card in answer[1])
    if question.name == "offer":
        return answer[0], answer[1], sorted(what(view, card) for card in answer[2])
    return answer


def what(view, card):
    from lanplay.env.games.dice_town_actions import what as kind

    return card if card is None else kind(view.face(card))


def by_actions(match_declared, view, question, path=()):
    """Yield every answer that the actions can give."""
    choice = Choice(match_declared, view, question)
    for action in path:
        choice.take(action)
    if not choice.legal:
        yield choice.answer
        return
    assert len(set(choice.legal)) == len(choice.legal)
    assert list(choice.legal) == sorted(choice.legal) or question.name == "move"
    for action in choice.legal:
        yield from by_actions(match_declared, view, question, (*path, action))


MANY = 150
"""Questions with more answers than that are left out."""


@pytest.mark.parametrize("game", NAMES)
def test_the_actions_give_every_answer_once_that_differs(game):
    """The catalogue leads to all answers of the dialogue, each of those that are alike but once."""
    seen = Counter()
    for match, seat in positions(game, 3, 2, every=3):
        choice = match.choices.get(seat)
        if choice is None or choice.picked or seen[choice.question.name] > 7:
            continue
        view, question = match.simulation.views[seat], choice.question
        if question.name == "cheat":
            continue  # a die may be turned twice by the rules: the second turn counts
        listed = list(islice(answers(question, view), MANY))
        if len(listed) == MANY:
            continue
        expected = {repr(alike(game, view, question, each)) for each in listed}
        given = [
            alike(game, view, question, each) for each in by_actions(match.declared, view, question)
        ]
        for answer in by_actions(match.declared, view, question):
            question.check(answer)
            question.check_own(answer, view)
        assert Counter(map(repr, given)) == Counter(expected)
        seen[question.name] += 1
    assert len(seen) >= {"dice-town": 8, "charidice": 3, "fliptown": 2, "dogs-life": 2}[game], seen


@pytest.mark.parametrize("last", [None, 0b01])
def test_a_flag_that_was_not_declared_is_an_error_and_not_the_next_field(last):
    """Whether a mask is shown for the first time or has changed."""
    bits, into = Bits(["a", "b"]), [0.0] * 4
    with pytest.raises(ValueError, match="more flags than the 2"):
        if last is None:
            bits.write(into, 0, 0b101, 0, 2)
        else:
            bits.update(into, 0, 0b101, last, 0, 2)
    assert into[2:] == [0.0, 0.0]
