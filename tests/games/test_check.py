"""The kit for games: our own pass it, and the example, and what new-game writes."""

from __future__ import annotations

import errno
import shutil
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from threading import Event

import pytest

import lanplay_ai as ai
from lanplay import games
from lanplay.check import CHECKS, CheckReport, check, learned, peers, problems, scaffold
from lanplay.cli import authoring
from lanplay.errors import Mistake
from lanplay.games.charidice.questions import Demand
from tests.games.packages import install, one_file_game, put_on_path

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "liars-dice"
OWN = [(name, what) for name in games.NAMES for what in CHECKS]


@pytest.fixture(autouse=True)
def _forgotten():
    """Leave no game of another package behind."""
    path, modules = list(sys.path), set(sys.modules)
    forget()
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.split(".")[0] in ("liars_dice", "coin_flip", "coin_game"):
            del sys.modules[name]
    forget()


def forget():
    for cached in (games.manifest, games.load, games._installed, ai.ours):
        cached.cache_clear()


@pytest.mark.parametrize(("name", "what"), OWN)
def test_our_own_games_pass_every_check(name, what):
    """The same kit as for everybody's."""
    assert list(problems(CHECKS[what], games.load(name))) == []


@pytest.mark.parametrize("what", CHECKS)
def test_the_example_passes_every_check(monkeypatch, tmp_path, what):
    """Liar's Dice is a package outside the tree."""
    put_on_path(monkeypatch, tmp_path, EXAMPLE, "liars-dice", "liars-dice = liars_dice:MANIFEST")
    assert list(problems(CHECKS[what], games.load("liars-dice"))) == []


def test_a_problem_that_comes_again_is_told_once_and_hides_no_other():
    """Of one event without words three lines alike filled the list."""
    found = ["a", *["b"] * 20, *"cdefg"]
    assert list(problems(lambda game: iter(found), games.load("charidice"))) == [*"abcde"]


def test_a_new_game_passes_every_check(monkeypatch, tmp_path):
    """What ``lanplay new-game`` writes can be played as it is, under its own name."""
    home = scaffold.write("coin-flip", tmp_path)
    forget()
    put_on_path(monkeypatch, tmp_path, home, "coin-flip", "coin-flip = coin_flip:MANIFEST")
    game = games.load("coin-flip")
    assert game.manifest.title == "Coin Flip"
    assert {what: list(problems(each, game)) for what, each in CHECKS.items()} == {
        what: [] for what in CHECKS
    }
    everything = "".join(
        path.read_text("utf-8") for path in home.rglob("*.*") if path.suffix != ".pyc"
    )
    assert "iar" not in everything.replace("CoinFlip", "").replace("a liar", "").replace(
        "liar!", ""
    )


def test_a_new_game_that_a_disk_cuts_short_leaves_nothing(tmp_path, monkeypatch):
    """So the same command can be given again."""
    write, written = scaffold.replace, []

    def refused(*arguments):
        if len(written) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(write(*arguments))

    monkeypatch.setattr(scaffold, "replace", refused)
    with pytest.raises(OSError, match="No space"):
        scaffold.write("coin-flip", tmp_path)
    assert len(written) == 3
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["Coin", "coin flip", "../coin", "", "dice-town", "here", "class", "random"]
)
def test_a_name_that_cannot_be_is_refused(tmp_path, name):
    """Nothing is written then."""
    (tmp_path / "here").mkdir()
    with pytest.raises(Mistake):
        scaffold.write(name, tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["here"]
    assert not list((tmp_path / "here").iterdir())


BROKEN = {
    "an income that is none": (
        "__init__.py",
        "screen=Ref(",
        'income=Ref("liars_dice.text"), screen=Ref(',
        "income: liars_dice.text has no sources",
    ),
    "lessons that are none": (
        "__init__.py",
        "screen=Ref(",
        'lessons=Ref("liars_dice.text"), screen=Ref(',
        "lessons: liars_dice.text has no goal",
    ),
    "a narrator of events without words": (
        "__init__.py",
        "MANIFEST = GameManifest(",
        "class Talker:\n"
        "    def tell(self, event):\n"
        "        from lanplay.engine.question import Phrase\n"
        "        return [event, Phrase('yawns')]\n"
        "    def closing(self, table):\n"
        "        return ()\n"
        'MANIFEST = GameManifest(narrator=Ref("liars_dice:Talker"),',
        "yawns: there are no words for it",
    ),
    "a narrator that is none": (
        "__init__.py",
        "MANIFEST = GameManifest(",
        "class Talker:\n"
        "    def tell(self, event):\n"
        "        return [event]\n"
        'MANIFEST = GameManifest(narrator=Ref("liars_dice:Talker"),',
        "has no attribute 'closing'",
    ),
    "an income of one seat alone": (
        "__init__.py",
        "MANIFEST = GameManifest(",
        'INCOME = __import__("lanplay").engine.manifest.Income(["calls"], lambda t: [[1]])\n'
        'MANIFEST = GameManifest(income=Ref("liars_dice:INCOME"),',
        "are not a figure for each seat by calls",
    ),
    "a slot twice": ("rules.py", "Roll((t.round,)", "Roll((0,)", "is used twice"),
    "a missing word": (
        "text.py",
        '    "calls": N_("{seat} calls {other} a liar."),\n',
        "",
        "calls",
    ),
    "a rule that is no number": ("questions.py", '"LD-2.1"', '"bids"', "refused by the rule"),
    "an answer that is not judged": (
        "questions.py",
        "if type(answer) is not int or not",
        "if not",
        "not Illegal",
    ),
    "a dialogue that leads astray": ("questions.py", "max(0, least - ", "max(0, 0 * ", "refused"),
    "a question that needs the cup and hides it": (
        "questions.py",
        "for n in range(",
        "for n in range(0 if not view.cup else ",
        "",
    ),
    "a copy that is shared": (
        "table.py",
        "    def after(",
        "    def copy(self):\n        return self\n\n    def after(",
        "a copy is",
    ),
    "a snapshot that is not judged": (
        "rules.py",
        "    SCHEMA.from_snapshot(t, data)\n",
        "    if not data:\n        return\n    SCHEMA.from_snapshot(t, data)\n",
        "is taken for",
    ),
    "chance of its own": (
        "rules.py",
        "    t.active = t.first\n",
        "    import random\n\n    t.active = random.choice(seats)\n",
        "rules may use the engine",
    ),
    "a board that does not fit": ("screen.py", "<22.22", "<92.92", "does not fit"),
    "a bot that touches the table": (
        "bots.py",
        "        t = view.table\n",
        "        t = view.table\n        t.shown = (*t.shown, ())\n",
        "changes the table that it looks at",
    ),
    "a board for the browser that is none": (
        "__init__.py",
        "screen=Ref(",
        'web=Ref("liars_dice.screen:SCREEN"), screen=Ref(',
        "LiarsScreen.board()",
    ),
    "a snapshot that forgets what lasts": (
        "rules.py",
        "result, SCHEMA.snapshot",
        'result, lambda t: {**SCHEMA.snapshot(t), "first": 0 if t.round else -1}',
        "misses something",
    ),
    "a hint that cannot be told": (
        "questions.py",
        "else divmod(answer, FACES)",
        "else (1,)",
        "path",
    ),
    "a reason without its value": ("bots.py", 'Phrase("bid", {"bid": best})', 'Phrase("bid")', ""),
    "a rule that is nowhere": ("questions.py", 'rule = "LD-2.1"', 'rule = "LD-2.9"', "on no page"),
    "a default that is not wrapped": (
        "questions.py",
        "    def values(",
        "    def default_answer(self):\n        return CALL\n\n    def values(",
        "default_answer says 0, not an answer in a tuple",
    ),
    "a request that is not yielded": (
        "rules.py",
        "    yield Roll(",
        "    Roll(",
        "Roll() alone does nothing: yield it",
    ),
    "a yield without a request": (
        "rules.py",
        "    t.active = t.first\n",
        "    yield\n    t.active = t.first\n",
        "yield None, which is no request",
    ),
    "dice that are not there": ("rules.py", "range(t.dice[seat]))", "range(9))", "under its cup"),
    "a slot with a bool": ("rules.py", "Roll((t.round,)", "Roll((t.round, True)", "its slot is"),
    "a question without a rule": ("questions.py", 'rule = "LD-2.1"', "", "not state its rule"),
    "nothing to pick": ("questions.py", "[*call, *counts]", "[]", "has nothing to pick"),
    "a number with a point for a while": (
        "rules.py",
        "    t.active = t.first\n",
        "    t.active, t.bidder = t.first, -1.0\n",
        "bidder is no plain data",
    ),
    "an order that only this process has": (
        "rules.py",
        "    t.active = t.first\n",
        "    t.active = int(next(iter({str(seat) for seat in seats})))\n",
        "two processes came to two ends",
    ),
    "a number that only this laptop has": (
        "rules.py",
        "    t.active = t.first\n",
        "    t.active = t.first if id(t) else 0\n",
        "calls id(), which may differ",
    ),
    "a round that is not told": (
        "rules.py",
        '    t.log_event("round", number=t.round)\n',
        "",
        "the log",
    ),
    "halves of points": ("rules.py", "order.index(seat) for", "order.index(seat) / 2 for", "whole"),
    "a table that a question changes": (
        "questions.py",
        "        least = ",
        "        view.table.bid += 1\n        least = ",
        "changes the table",
    ),
    "a set on the table": ("table.py", "self.out: tuple[int, ...] = ()", "self.out = {1}", "plain"),
    "a bot that breaks the rules": (
        "bots.py",
        "question.last + 1)",
        "question.last)",
        "is refused",
    ),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("fault", BROKEN)
def test_what_is_wrong_with_a_game_is_named(monkeypatch, tmp_path, fault):
    """Each of these is found by some check, in words that say what it is."""
    file, old, new, said = BROKEN[fault]
    home = tmp_path / "liars-dice"
    shutil.copytree(EXAMPLE, home)
    path = home / "liars_dice" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    put_on_path(monkeypatch, tmp_path, home, "liars-dice", "liars-dice = liars_dice:MANIFEST")
    game = games.load("liars-dice")
    found = [
        problem
        for what, each in CHECKS.items()
        if each is not peers.together
        for problem in problems(each, game)
    ]
    assert any(said in problem for problem in found), found


def test_what_a_program_that_learns_does_is_judged(monkeypatch):
    """The environment itself plays without judging: an answer that is none would be played."""
    declared = games.load("charidice").manifest.env.load()

    def demand(choice):
        return (yield (1, 2)) + 7

    monkeypatch.setitem(declared.steps, Demand, demand)
    found = list(problems(learned.learned, games.load("charidice")))
    assert ["refused: CH-3.2" in problem for problem in found] == [True], found


def test_what_a_program_that_learns_sees_keeps_to_its_ranges(monkeypatch):
    """A network is given the ranges; what is beyond them is told by its place."""
    declared = games.load("charidice").manifest.env.load()
    monkeypatch.setattr(declared, "places", tuple(replace(p, most=1) for p in declared.places))
    found = list(problems(learned.learned, games.load("charidice")))
    assert "seats: 2.0, not 0 to 1" in found


def test_rules_that_are_made_and_not_run_are_named(monkeypatch, tmp_path):
    """Python says nothing of a coroutine that is called like a function."""
    source = one_file_game("coin-flip").replace("def rules(t):", "def night(t):")
    source = source.replace("def result(", "def rules(t):\n    night(t)\n    yield\n\ndef result(")
    install(tmp_path, monkeypatch, "coin-house", "coin-flip", source, module="coin_game")
    (found,) = problems(CHECKS["its rules yield what they ask"], games.load("coin-flip"))
    assert found.endswith("night() alone does nothing: yield from it")


SHUFFLED = 'deck = (yield Shuffle((t.round, 0), {"deck": [0, 1]}))["deck"]'
CARDS = {
    "a peek at a hidden card": (f"{SHUFFLED}; t.face(deck[0])", "is not public"),
    "a card that was shuffled since": (f"{SHUFFLED}; yield Show([0])", "there are no cards [0]"),
    "a card that nobody has shuffled": ("yield Deal([0], 0)", "card 0 was never shuffled"),
    "a card too many": ("yield Show([2])", "too many for cards=2 in the manifest"),
    "a list that is not copied": (f"{SHUFFLED}; deck.pop()", "change a list of cards that Shuffle"),
}


@pytest.mark.parametrize("fault", CARDS)
def test_what_is_wrong_with_cards_is_named(monkeypatch, tmp_path, fault):
    """Of these, networks alone noticed some, by an error far away from its cause."""
    line, said = CARDS[fault]
    source = one_file_game("coin-flip").replace(
        "        called = yield", f"        {line}\n        called = yield"
    )
    source = source.replace("OpenRoll, Round", "Deal, OpenRoll, Round, Show, Shuffle")
    source = source.replace('title="Coin Flip",', 'title="Coin Flip",\n    cards=2,')
    install(tmp_path, monkeypatch, "coin-house", "coin-flip", source, module="coin_game")
    found = list(problems(CHECKS["its rules ask for what there is"], games.load("coin-flip")))
    assert any(said in problem for problem in found), found


def test_a_question_that_needs_the_hand_to_be_seen_is_named(monkeypatch, tmp_path):
    """An AI answers it for a laptop that is lost, and the hand stays closed."""
    source = one_file_game("coin-flip").replace(
        "        called = yield",
        f"        {SHUFFLED}; yield Deal(deck, 1)\n        called = yield",
    )
    source = source.replace("OpenRoll, Round", "Deal, OpenRoll, Round, Shuffle")
    source = source.replace('title="Coin Flip",', 'title="Coin Flip",\n    cards=2,')
    seen = '        assert view.seat != 1 or view.own, "no card"\n        sides ='
    source = source.replace("        sides =", seen)
    install(tmp_path, monkeypatch, "coin-house", "coin-flip", source, module="coin_game")
    what = "every question can be answered without seeing the hand"
    (found,) = problems(CHECKS[what], games.load("coin-flip"))
    assert found.startswith("call: nobody answers it without seeing the hand: AssertionError")


def test_one_fault_is_told_of_the_first_check_that_meets_it(monkeypatch, tmp_path):
    """With where the game was; fifteen checks said the same."""
    source = one_file_game("coin-flip").replace("t.round += 1", "t.round += 1 // 0")
    install(tmp_path, monkeypatch, "coin-house", "coin-flip", source, module="coin_game")
    said = [problem for report in check("coin-flip") for problem in report.problems]
    told = [each for each in said if "ZeroDivisionError" in each and "in coin-flip, a" not in each]
    assert len(told) == 1
    assert "coin_game.py:" in told[0]
    assert told[0].endswith("; 2 seats, round 0, Round")
    assert said.count("as above") > 9


def test_a_check_that_does_not_end_says_where_it_is(monkeypatch):
    """Rules that never ask again stopped it without a word."""
    said = StringIO()
    told = Event()
    monkeypatch.setattr(said, "flush", told.set, raising=False)
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setattr(authoring, "LONG", 0.01)

    def reports():
        told.wait()
        yield CheckReport("it ends", ())

    assert [each.check for each in authoring._waited_for(reports())] == ["it ends"]
    assert "still checking, at " in said.getvalue()
