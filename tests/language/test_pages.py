"""Rules pages and game messages say the same in every language."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.question import Phrase, Pick, PickSome
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.games.wording import summary_of, words_of
from lanplay.language import TAGS, speaking
from lanplay.ui.rulebook import games, matching, passages, text

ROOT = Path(__file__).resolve().parents[2]
TRANSLATED = TAGS[1:]


def numbers(page: str) -> list[str]:
    """Return the numbers of the rules that a page states, in their order."""
    return re.findall(r"\*\*([A-Z]{2}-\d+\.\d+)", page)


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("tag", TRANSLATED)
def test_a_translated_page_states_the_same_rules(game, tag):
    """The same rules in the same order, citing the same numbers, with as many passages."""
    english = text(game)
    with speaking(tag):
        page = text(game)
    assert page != english
    assert numbers(page) == numbers(english)
    cited = re.compile(r"[A-Z]{2}-\d+(?:\.\d+)?")
    assert Counter(cited.findall(page)) == Counter(cited.findall(english))
    assert len(list(passages(page))) == len(list(passages(english)))


@pytest.mark.parametrize("game", games())
def test_what_no_source_settles_has_a_mark_that_the_end_of_the_page_explains(game):
    """Rules say what is played; why, and that it is this page's choice, is the last heading's."""
    marked = []
    for tag in TAGS:
        with speaking(tag):
            rules, _, end = text(game).rpartition("\n## ")
        assert not re.search(r"\*\*(ours|vlastní|saját)\*\*", rules + end)
        assert "(°)" in end.partition("\n")[0]
        assert "(°)" in end.partition("\n")[2]
        marked.append(
            [numbers(each)[:1] for each in passages(rules) for _ in range(each.count("°"))]
        )
    assert marked[0]
    assert marked == [marked[0]] * len(TAGS)


@pytest.mark.parametrize("tag", TRANSLATED)
def test_figures_are_the_same_on_every_page(tag):
    """Every rule of a page names the same figures as in English, or writes them out."""
    for game in games():
        english = text(game)
        with speaking(tag):
            page = text(game)
        for number in numbers(english):
            dollars = re.findall(r"\$\d+", matching(english, number))
            there = re.findall(r"(\d+)\u00a0\$", matching(page, number))
            assert [f"${amount}" for amount in there] == dollars, number


class Curious:
    """A bot that words all that it is asked and may pick, and remembers what could not be."""

    def __init__(self, bot, words, names):
        self.bot, self.words, self.names = bot, words, names

    def answer(self, view, question):
        """Word the question and every option of its first step, then answer like the bot."""
        asked = [Phrase(f"ask-{question.name}", question.values())]
        try:
            step = next(question.dialogue(view))
        except StopIteration:
            step = None
        if isinstance(step, Pick | PickSome):
            asked += [step.prompt, *(option.label for option in step.options)]
            asked += [o.why_not.message for o in step.options if o.why_not is not None]
        for message in asked:
            assert self.words(message, self.names)
        return self.bot.answer(view, question)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("name", NAMES)
def test_every_message_of_whole_games_has_words(name, tag):
    """Questions, prompts, options and events of random games are worded, with nothing left open."""
    game = load(name)
    word, situation = words_of(name).word, summary_of(name).situation
    names = ("Ann", "Bob", "Cat")
    said = set()
    with speaking(tag):
        for seed in range(3):
            luck = bytes([seed]) * 32
            options = {
                option: values[seed % len(values)] for option, values in game.options.items()
            }
            header = Header(game.name, options, names, luck)
            bots = [
                Curious(ai.make("random", luck + bytes([n]), name), word, names) for n in range(3)
            ]
            played = Simulation(game, header, bots, Chance(luck))
            played.table.log = []
            played.run()
            said |= {word(message, names) for message in played.table.log}
            assert all(situation(view, names) for view in played.views)
    assert not [sentence for sentence in said if "{" in sentence or "  " in sentence]
    assert len(said) > 50


@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("tag", TRANSLATED)
@pytest.mark.parametrize("name", NAMES)
def test_every_template_of_a_game_is_translated(name, tag):
    """All ids of a game have words that differ from English wherever there is a word in them."""
    wording = words_of(name).WORDING
    from lanplay.language import _

    with speaking(tag):
        same = [
            template
            for template in wording.templates.values()
            if _(template) == template and re.search(r"[a-z]", re.sub(r"\{.*?\}", "", template))
        ]
    assert same == []


PLACE = {"cs": r"\b[Mm]íst(?:o|a|u|em|ě|ům|ech|y)?\b", "hu": r"\b[Hh]ely(?!zet|es|ett|ezé|szín)\w*"}
"""What is called a place."""
PLACES = {
    "cs": (
        r"místo (peněz|minut|dámy|toho)|pes (má )?místo|Místo ve městě|více míst\. Remíza"
        r"|ať z místa|jako místo, jehož|místa 1 \(to je|z místa 1 a k tomu"
        r"|v pořadí míst,? ?(nejvýš|\(°)"
        r"|nižší místa|[Nn]avštívené místo|na místo v ní|vybranému místu|zakroužkovan\w+ míst"
        r"|volné místo|čtyřech místech|všechna místa jedné"
    ),
    "hu": (
        r"az 1\. helytől \(ez|1\. hely ingatlana|a helyek sorrendjében(, legfeljebb| \(°)"
        r"|felszabadult helyeket|választja a helyet|meglátogatott hely|egy helyére"
        r"|választott helyre|négy-négy hely|bekarikázott hely|szabad hely"
        r"|be nem karikázott hely|összes helye"
    ),
}
"""Where the pages mean one: of the town, of a map, of a row; or say ``instead of``."""


@pytest.mark.parametrize("tag", TRANSLATED)
@pytest.mark.parametrize("game", games())
def test_a_place_is_never_a_player(game, tag):
    """Who plays is ``hráč`` and ``játékos``; ``místo`` and ``hely`` are places and nothing else."""
    with speaking(tag):
        page = " ".join(text(game).split())
    known = [match.span() for match in re.finditer(PLACES[tag], page)]
    strange = [
        page[max(0, match.start() - 40) : match.end() + 40]
        for match in re.finditer(PLACE[tag], page)
        if not any(start <= match.start() < end for start, end in known)
    ]
    assert strange == []


SEATED = re.compile(
    r"\b(?:každé|každého|jedno|toto|dalšího|které) míst\w+|\b(?:minden|egy|e|ez a) hely\b"
)
AT_TABLES = re.compile(r"míst\w* (?:u stol|jen|zbyl)|\bzvol|oblast|vidék|AI", re.IGNORECASE)


@pytest.mark.parametrize("tag", TRANSLATED)
def test_screens_of_a_game_call_nobody_a_place(tag):
    """What screens, hints and results of games say of players; a free seat of a table is one."""
    catalogs = pytest.importorskip("scripts.catalogs", reason="needs babel")
    wrong = []
    for message in catalogs.current(tag, catalogs.extract()):
        folders = {name.rpartition("/")[0] for name, _line in message.locations}
        if message.id and folders & {"lanplay/tui/games", "lanplay/tui/screens"}:
            forms = message.string if isinstance(message.string, tuple) else (message.string,)
            form = forms[0] or ""
            if SEATED.search(form) and not AT_TABLES.search(form):
                wrong.append(form)
    assert wrong == []
