"""Every message of every game with nothing, one, two and five things, with every card and place."""

from __future__ import annotations

import ast
import io
import re
from functools import cache
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.engine.chance import Chance
from lanplay.engine.question import Phrase
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.games.fliptown.cards import CARDS, SIGNS, card
from lanplay.games.fliptown.text import card_text
from lanplay.games.wording import NONE
from lanplay.language import BARE, OBJECT, TAGS, figure, speaking
from lanplay.lines.plain import PlainUI
from lanplay.notices import Notice
from lanplay.told import NOUNS, worded
from lanplay.tui.glyphs import ASCII, spelled
from lanplay_ai.random_agent import RandomAgent
from tests.language.reading import (
    COUNTS,
    PEOPLE,
    VALUES,
    faults,
    fields,
    hints_of,
    messages,
    misplaced,
    nouns,
    said,
    texts_of,
)
from tests.language.test_errors import FAULTS, counted, example

TRANSLATED = TAGS[1:]


@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("game", NAMES)
def test_every_message_reads_well(game, tag):
    """Events, questions, prompts, options, reasons, hints: nothing that rules can find is wrong."""
    with speaking(tag):
        wrong = [(message.id, words, faults(words, tag)) for message, words in said(game)]
    assert [each for each in wrong if each[2]] == []


@pytest.mark.parametrize("game", NAMES)
def test_every_value_of_a_message_is_rendered(game):
    """What is not a plain number is listed with all that it can be, so that nothing is left out."""
    for module in (texts_of(game), hints_of(game)):
        for template in module.WORDING.templates.values():
            shown = {name for name in fields(template) if name in module.WORDING.shown}
            assert shown - {"seat", "other", "seats"} <= VALUES[game].keys() | {"bribe"}


@cache
def told(game: str) -> tuple[Phrase, ...]:
    """Return each event of a game's log once, from games of random bots with all options."""
    rules, found = load(game), {}
    for number in range(4):
        seats = list(rules.seats)[number % len(rules.seats)]
        options = {name: every[number % len(every)] for name, every in rules.options.items()}
        header = Header(game, options, PEOPLE[:seats], b"told %d" % number)
        agents = [RandomAgent(b"%d %d" % (number, seat)) for seat in range(seats)]
        played = Simulation(rules, header, agents, Chance(b"told %d" % number))
        log = played.table.log = []
        played.run()
        found |= {repr(message): message for message in log}
    return tuple(found.values())


@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("game", NAMES)
def test_every_event_of_whole_games_reads_well(game, tag):
    """What the rules really say, with the values that they really say it with."""
    word = texts_of(game).word
    with speaking(tag):
        wrong = [(words, faults(words, tag)) for m in told(game) for words in [word(m, PEOPLE)]]
    assert len(wrong) > 100
    assert [each for each in wrong if each[1]] == []


@pytest.mark.parametrize("tag", TAGS)
def test_notices_and_faults_read_well_with_any_number(tag):
    """None, one, two and five of whatever is counted; one of them, where nothing is."""
    for saying in (*FAULTS, *Notice):
        numbers = counted(saying)
        for count in COUNTS if numbers else COUNTS[:1]:
            values = example(saying).values | dict.fromkeys(numbers, count)
            with speaking(tag):
                assert misplaced(worded(saying.of(**values)), tag) == [], saying


# -- the classes, one by one -----------------------------------------------------------------------


def test_a_counted_noun_has_its_own_form_as_the_object_of_a_verb():
    """Hungarian: with -t, but with -val where one throws it; Czech: most feminine nouns differ."""
    feminine = {"card", "Store card", "star", "silver star", "bone", "pan", "second"}
    for noun in nouns():
        name = noun.one.partition(" ")[2]
        with speaking("hu"):
            alone, taken = noun.of(1), noun.of(1, OBJECT)
        assert alone != taken, name
        assert taken.endswith("val" if name == "die" else "t"), taken
        with speaking("cs"):
            alone, taken = noun.of(1), noun.of(1, OBJECT)
        if name in feminine - {"bone", "pan"}:  # these are the same in Czech
            assert alone != taken, name


TAKES = r"(?:kap|húz|\w*néz\w*|\w*veszít|begyűjt|\w*oszt\w*|\w*kever\w*|lop|Válassz|és) "
TAKEN = r" (?:tegyél ki|tartalmaz|őriz|vesztesz|fizetsz|dobsz)"


def test_hungarian_verbs_take_the_object_and_colons_do_not():
    """Where a verb stands beside a counted noun the noun is its object; after a colon it is not."""
    catalogs = pytest.importorskip("scripts.catalogs", reason="needs babel")
    alone, taken = r"\{\w+:[\w-]+\}", r"\{\w+:[\w-]+/object\}"
    for message in catalogs.current("hu", catalogs.extract()):
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        for form in filter(None, forms):
            assert not re.search(rf"(?:{TAKES}{alone}|{alone}{TAKEN})", form), form
            assert not re.search(rf": {taken}", form), form


def test_hungarian_dollars_are_objects_too():
    """``$5-t``, where somebody takes, gets or pays them."""
    catalogs = pytest.importorskip("scripts.catalogs", reason="needs babel")
    for message in catalogs.current("hu", catalogs.extract()):
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        form = forms[0] or ""
        assert not re.search(r"(kap|fizet|elvisz|begyűjt|Kap) \$\{\w+\}(?!-t)", form), form


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("en", ("8.7", "0.0", "-1.5", "45%")),
        ("cs", ("8,7", "0,0", "-1,5", "45\u00a0%")),
        ("hu", ("8,7", "0,0", "-1,5", "45%")),
    ],
)
def test_a_number_is_written_as_the_language_writes_it(tag, said):
    """The decimal sign, the percent sign; no minus before a zero."""
    with speaking(tag):
        assert (figure(8.7), figure(-0.04), figure(-1.46), figure(0.454, ".0%")) == said


def test_nothing_is_kept_with_its_own_sentence():
    """Who keeps no die: negated in Czech and Hungarian, never "keeps: nothing"."""
    keeps = Phrase("keeps", {"seat": 0, "faces": (), "dollars": 1})
    offers = Phrase("offers", {"seat": 0, "dollars": 0, "nuggets": 0, "count": 0})
    word = texts_of("dice-town").word
    found = []
    for tag in TRANSLATED:
        with speaking(tag):
            found += [word(keeps, PEOPLE), word(offers, PEOPLE)]
    assert found == [
        "Ann si nenechává nic, za 1\u00a0$.",
        "Ann nenabízí šerifovi nic.",
        "Ann nem tart meg semmit, ára 1\u00a0$.",
        "Ann nem ajánl semmit a seriffnek.",
    ]


def test_a_sentence_for_nothing_is_taken_only_where_there_is_nothing():
    """All that it leaves out has to be nothing: a bonus alone keeps the longer sentence."""
    for game in NAMES:
        for module in (texts_of(game), hints_of(game)):
            templates = module.WORDING.templates
            for id in (each for each in templates if each.endswith(NONE)):
                left_out = {*fields(templates[id.rpartition("/")[0]])} - {*fields(templates[id])}
                assert left_out
                assert not {*fields(templates[id])} - {*fields(templates[id.rpartition("/")[0]])}
                assert left_out & {"seat", "other"} == set(), "a seat's number may be 0"


def test_a_card_is_spelled_with_the_sign_of_its_suit_everywhere():
    """``9♣`` in every language; its letter stands in where there is nothing but ASCII."""
    for face in range(CARDS):
        texts = set()
        for tag in TAGS:
            with speaking(tag):
                texts.add(card_text(face))
        [text] = texts
        assert text[-1] in SIGNS
        assert spelled(text, ASCII) == text[:-1] + BARE[text[-1]]
        assert text.encode("ascii", "nearest").decode() == spelled(text, ASCII)


def rendered(tag: str) -> list[tuple[str, str]]:
    """Return every message of every game, those that are words in English, as a language has it."""
    found = []
    with speaking(tag):
        for game in NAMES:
            for module in (texts_of(game), hints_of(game)):
                templates = module.WORDING.templates
                for message in messages(game, templates):
                    plain = re.sub(r"\{[^}]*\}|WANTED", "", templates[message.id])
                    if re.search(r"[a-z]{2}", plain):
                        found.append((f"{game} {message.id}", module.word(message, PEOPLE)))
    return found


@pytest.mark.parametrize(
    ("locale", "encoding", "said"),
    [("C.UTF-8", "utf-8", "9♣"), ("C.UTF-8", "ascii", "9c"), ("C", "utf-8", "9c")],
)
def test_lines_fall_back_to_ascii_only_where_there_is_nothing_else(
    locale, encoding, said, monkeypatch
):
    """A stream that lacks the signs, and the C locale, which promises no more than ASCII."""
    for name in ("LC_ALL", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", locale)
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    ui = PlainUI(load("fliptown"), PEOPLE, io.StringIO(), out)
    ui.happened(Phrase("sheriff", {"card": card("9c")}))
    assert out.buffer.getvalue().decode(encoding) == f"The sheriff card: {said}.\n"


@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("tag", TRANSLATED)
def test_no_message_of_a_game_is_left_in_english(tag):
    """A template that says something is another one in each language."""
    pairs = zip(rendered("en"), rendered(tag), strict=True)
    assert [english for english, translated in pairs if english == translated] == []


@pytest.mark.parametrize(
    ("tag", "text", "fault"),
    [
        ("cs", "Ann si nechává nic za $1.", "negated"),
        ("cs", "Ann bere 2 kartu.", "another form"),
        ("cs", "Ann bere 5 karty a jde.", "another form"),
        ("cs", "Očekávaný přínos v bodech: 8.7.", "decimal"),
        ("hu", "Ann megtart semmit.", "negated"),
        ("hu", "Ann megtartja: semmit, ára $1.", "colon"),
        ("hu", "Várható haszon: 28.2 pont.", "decimal"),
        ("hu", "Ann takes 2 cards.", "English"),
        ("en", "Ann takes 1 cards.", "another form"),
        ("en", "Expected: 28.2 points. .", "mark"),
        ("en", "Ann takes {nuggets}.", "brace"),
        ("en", "Dice:  none.", "blanks"),
        ("en", "It promises most. Take (3, 5).", "raw"),
    ],
)
def test_what_is_wrong_is_found(tag, text, fault):
    """Each class of fault is seen in a sentence that has it."""
    assert any(fault in each for each in faults(text, tag)), faults(text, tag)


def test_nouns_are_those_of_all_texts():
    """No noun of the notices is left out."""
    assert {*NOUNS.values()} <= {*nouns()}


DECIMALS = re.compile(r"\.[1-9]\d*f|\.\d+%|%$|g$")
"""Ends a format that may show a decimal sign."""
ENGLISH_ONLY = {
    "lanplay/tournament/report.py": "equal results, equal page",
    "lanplay/tournament/plots.py": "drawings of the same page",
    "lanplay/tournament/outcome.py": "a table for programs",
    "ai/lanplay_ai/outside/program.py": "the same",
    "protocol/lanplay_protocol/shell/echo.py": "the same, of a socket",
}
"""Where numbers are not for the person at the table, and why."""


def _format(node: ast.AST) -> str:
    """Return the format that an f-string, or a template for ``format``, shows a value in."""
    if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
        return ast.unparse(node.format_spec)[2:-1]
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    found = re.search(r"\{\w*:([-+<>^ \d]*\.\d+[f%])\}", text)
    return found.group(1) if found else ""


def test_one_function_writes_all_numbers_with_decimals():
    """No other part of the program formats a number that may have decimals for people to read."""
    root = Path(__file__).resolve().parents[2]
    wrong = []
    for folder in ("lanplay", "ai", "protocol"):
        for path in sorted((root / folder).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            wrong += [f"{name}:{node.lineno}" for node in nodes if DECIMALS.search(_format(node))]
    assert [each for each in wrong if each.partition(":")[0] not in ENGLISH_ONLY] == []


@pytest.mark.parametrize(("tag", "sign"), [("en", "."), ("cs", ","), ("hu", ",")])
def test_tables_of_figures_are_written_as_the_language_writes_them(tag, sign, capsys):
    """What a simulation prints: rates, means, shares."""
    with speaking("en"):
        simulated = ["simulate", "charidice", "--games", "3", "--seats", "2", "--bot", "beginner"]
        assert main([*simulated, "--lang", tag]) == 0
        said = capsys.readouterr().out
    assert set(re.findall(r"\d([.,])\d", said)) == {sign}
