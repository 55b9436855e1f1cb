"""Why a bot does what it does, and which bots there are."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint

import pytest

import lanplay_ai as ai
from lanplay.cli import main
from lanplay.cli.doctor import program as doctor
from lanplay.cli.doctor.finding import Examined
from lanplay.config.loading import inspect
from lanplay.engine.agent import Hint
from lanplay.engine.chance import Chance
from lanplay.engine.question import Phrase
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.games.dice_town import questions as q
from lanplay_ai import plugins
from lanplay_ai.dice_town.profiles import PROFILES
from tests.ai.test_bots import view_of
from tests.dice_town.script import claim, new_table

PEOPLE = ("Ann", "Bea", "Cy", "Dan")


class Explaining:
    """Plays as its bot does and checks every hint."""

    def __init__(self, bot, game, seen):
        self.bot, self.game, self.seen = bot, game, seen

    def answer(self, view, question):
        before = self.bot.explain(view, question)
        answer = self.bot.answer(view, question)
        assert before.answer == answer
        sentence = ai.worded(before, self.game, PEOPLE)
        assert "{" not in sentence
        assert sentence.endswith(".")
        assert before.odds is None or 0 <= before.odds <= 1
        self.seen.add(before.reason.id)
        return answer


@pytest.mark.parametrize("name", PROFILES)
def test_every_answer_is_explained_in_a_sentence(name):
    """``explain`` gives the answer of ``answer``, a worded reason and odds from 0 to 1."""
    game = "dice-town"
    rules, seen = load(game), set()
    options = {key: values[0] for key, values in rules.options.items()}
    bots = [Explaining(ai.make(name, b"%d" % seat, "dice-town"), game, seen) for seat in range(3)]
    header = Header(game, options, PEOPLE[:3], b"why")
    Simulation(rules, header, bots, Chance(b"why")).run()
    assert len(seen) > 5


@pytest.mark.parametrize("game", NAMES)
def test_every_bot_can_say_why(game):
    """Those that think little too: they tell the simple rule they follow."""
    rules, seen = load(game), set()
    options = {key: values[0] for key, values in rules.options.items()}
    every = list(ai.ours(game))
    names = [*every, *every[: -len(every) % 3]]
    for first in range(0, len(names), 3):
        bots = [Explaining(ai.make(name, b"", game), game, seen) for name in names[first:][:3]]
        header = Header(game, options, PEOPLE[:3], b"why")
        simulation = Simulation(rules, header, bots, Chance(b"why"))
        for _ in range(60):
            if simulation.request is not None:
                simulation.step()
    assert seen > {"by-lot"}


UNWEIGHED = {
    "by-lot": "a level that guesses now and then has weighed nothing",
    "winner": "the game is over when the Sheriff picks who has won",
    "drive-empty": "the van is driven at nobody",
    "drive-off": "the van is driven at nobody, and how far away it stays is told",
    "idle": "there is nothing to do, so that nothing is expected of it",
}
"""Reasons without a figure, and why."""
GAMES = {"dice-town": 3, "charidice": 1, "fliptown": 2, "dogs-life": 1}
"""How many games are enough to be asked all that the bots are usually asked."""
KINDS = {
    "dice-town": {
        "Keep",
        "DiceTownCheat",
        "Play",
        "Stop",
        "Buy",
        "Rob",
        "Take",
        "KeepLoot",
        "SheriffOffer",
    },
    "charidice": {"Demand", "Reroll", "Score"},
    "fliptown": {"Move", "Fine"},
    "dogs-life": {"Act", "Steer"},
}
LEVELS = ("casual", "strong", "expert")


class Weighed(Explaining):
    """Plays as its bot does and looks for a figure in every hint."""

    def answer(self, view, question):
        hint = self.bot.explain(view, question)
        bare = hint.odds is None and hint.worth is None and "gain" not in hint.reason.values
        assert not bare or hint.reason.id in UNWEIGHED, hint
        self.seen.add(type(question).__name__)
        return hint.answer


@pytest.mark.parametrize("game", NAMES)
def test_every_reason_comes_with_a_figure(game):
    """Bots from casual to expert name a chance, what is expected or what it is weighed against."""
    rules, seen = load(game), set()
    options = {key: values[-1] for key, values in rules.options.items()}
    levels = [name for name, bot in ai.bots(game).items() if bot.level in LEVELS]
    for number in range(GAMES[game]):
        key = b"figures %d" % number
        names = [levels[(seat + number) % len(levels)] for seat in range(4)]
        bots = [Weighed(ai.make(name, key, game), game, seen) for name in names]
        header = Header(game, options, PEOPLE, key)
        Simulation(rules, header, bots, Chance(key)).run()
    assert seen >= KINDS[game]


def test_reasons_of_dice_town_are_told_with_odds():
    """A hint for the dice names their price, what they are after and the chance of it."""
    t = new_table(2)
    t.row, t.deeds[1] = [claim(3), claim(2), claim(4)], [claim(5), claim(1), claim(2, 1)]
    hint = ai.adviser("dice-town", b"").explain(view_of(t, 0, "QQQ9J"), q.Keep(5, 8, (), "free"))
    assert ai.worded(hint, "dice-town", PEOPLE).startswith("Costs $2")
    assert "Saloon" in ai.worded(hint, "dice-town", PEOPLE)
    assert hint.odds > 0.5


@pytest.mark.parametrize(("mine", "reason"), [(5, "offer-kept"), (0, "offer-spurned")])
def test_a_place_that_brings_the_sheriff_nothing_is_told_as_that(mine, reason):
    """DT-4.2: the Sheriff is tied as well; an empty mine costs it the Doc's visit."""
    t = new_table(2, ["99JQA", "99JQA"])
    t.sheriff, t.mine = 1, mine
    ask = q.SheriffOffer("mine", (0, 1), 8, 0, ())
    assert ai.adviser("dice-town", b"").explain(view_of(t, 0), ask).reason.id == reason


@pytest.mark.parametrize("dollars", [0, 1])
def test_a_hint_to_keep_nothing_names_what_its_chance_is_of(dollars):
    """Three nines lie there: the chance is that of the Gold Mine, not that of a better roll."""
    why = Phrase("keep-none", {"faces": (), "dollars": dollars, "place": "mine"})
    assert "Gold Mine" in ai.worded(Hint(((), ()), why, 0.97), "dice-town", PEOPLE)


def test_random_explains_what_it_would_answer_and_still_answers_it():
    """Asking the random bot for a reason does not change what it draws next."""
    ask, view = q.Keep(5, 8, (), "free"), view_of(new_table(2), 0, "99JQA")
    one, other = ai.make("random", b"k", "dice-town"), ai.make("random", b"k", "dice-town")
    first = one.explain(view, ask).answer
    assert [one.answer(view, ask) for _ in range(3)] == [other.answer(view, ask) for _ in range(3)]
    assert first == ai.make("random", b"k", "dice-town").answer(view, ask)


def test_every_game_has_bots_with_a_line_on_each(capsys):
    """``lanplay bots`` lists them by game; random plays them all."""
    assert main(["bots"]) == 0
    out = capsys.readouterr().out
    for game in NAMES:
        assert f"{game}:" in out
        assert ai.names(game)[0] == "random"
    for name, bot in ai.bots("dice-town").items():
        assert f"  {name} " in out
        assert bot.summary in out


def test_dice_town_has_four_levels_and_four_characters():
    """The names that the lobby offers."""
    bots = ai.bots("dice-town")
    assert {"beginner", "casual", "strong", "expert"} <= {bot.level for bot in bots.values()}
    assert {"miner", "banker", "sheriff", "mayor"} <= {bot.character for bot in bots.values()}


def test_other_packages_bring_bots(monkeypatch, capsys, tmp_path):
    """An entry point of the group is a bot of its game, loaded when it is made.

    One whose game is not here, or whose name is taken, is told by ``lanplay bots`` and ``lanplay
    doctor``; the latter also where that name is used.
    """
    entries = [
        EntryPoint("dice-town.mine", "lanplay_ai.random_agent:RandomAgent", plugins.GROUP),
        EntryPoint("dice-town.broken", "no_such_module:bot", plugins.GROUP),
        EntryPoint("dice-town.odd", "lanplay_ai.bot:Bot", plugins.GROUP),
        EntryPoint("chess.deep", "no_such_module:bot", plugins.GROUP),
        EntryPoint("dice-town.strong", "no_such_module:bot", plugins.GROUP),
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda group: entries)
    plugins._found.cache_clear()
    try:
        assert ai.names("dice-town")[-3:] == ("broken", "mine", "odd")
        assert type(ai.make("mine", b"", "dice-town")).__name__ == "PackageBot"
        with pytest.raises(ValueError, match=r"dice-town\.broken"):
            ai.make("broken", b"", "dice-town")
        with pytest.raises(ValueError, match=r"dice-town\.odd"):
            ai.make("odd", b"", "dice-town")
        assert "no_such_module" not in sys.modules
        assert ai.bots("dice-town")["strong"].level == "strong"  # a name that is taken stays ours
        with pytest.raises(ValueError, match="deep"):
            ai.make("deep", b"", "dice-town")
        with pytest.raises(ValueError, match="strong@1"):  # nor is it another's with a time
            ai.make("strong@1", b"", "dice-town")
        ai.check_anywhere("mine@0.5")  # as ``join`` asks, which does not know the game yet
        for none in ("strong@0.5", "mine@x", "deep@1"):
            with pytest.raises(ValueError, match=none):
                ai.check_anywhere(none)
        assert main(["bots", "dice-town", "--lang", "cs"]) == 0
        out = capsys.readouterr().out
        assert "náhodně vylosovaná povolená odpověď" in out
        assert "z balíčku no_such_module" in out
        assert main(["bots", "dice-town"]) == 0
        said = capsys.readouterr().err
        assert said.startswith("The bot chess.deep of no_such_module is for no game here.")
        taken = "lanplay has a bot dice-town.strong, too: that of no_such_module is not used."
        assert taken in said
        assert said.count("\n") == 2
        findings = list(doctor.check(Examined(inspect({}), tmp_path, None)))
        told = [finding.text for finding in findings]
        assert set(said.splitlines()) <= set(told)
        for bot, warned in (("strong", True), ("random", False)):
            play = ["simulate", "dice-town", "--games", "1", "--bot", bot]
            assert main(play) == 0
            assert (taken in capsys.readouterr().err) is warned
    finally:
        plugins._found.cache_clear()


def test_a_seat_from_elsewhere_never_lacks_a_bot():
    """A bot that is not installed here is stood in for by the plainest one."""
    assert ai.stand_in("not-here", b"", "dice-town").answer
    assert ai.plainest("dice-town") == "beginner"
