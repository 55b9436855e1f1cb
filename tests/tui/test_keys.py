"""The bar of keys: whole keys, the first ones first, and where the rest is."""

from __future__ import annotations

import ast
import re
from inspect import getsource
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay.language import TAGS, _, pgettext, speaking
from lanplay.tui.cells import plain, width
from lanplay.tui.drawing import key_bar, key_rows
from lanplay.tui.screens import forming, lobby, replay
from lanplay.ui import menu, presenter
from lanplay.ui.commands import called
from lanplay.ui.orders import ONWARDS
from tests.tui.golden import SCREENS
from tests.tui.harness import Person

IMPORTED = (menu, presenter)
"""Where commands are added: so ``scripts/test.py --changed`` runs these tests for them."""
SOURCES = [page.read_text("utf-8") for page in Path(menu.__file__).parent.glob("*.py")]

keys = st.lists(st.sampled_from("abcdefghijk"), unique=True, max_size=11)
hints = st.tuples(keys, st.lists(st.sampled_from(["go", "the rules", "東京", "ěščř"]), min_size=11))
bars = hints.map(lambda pair: list(zip(*pair, strict=False)))
columns = st.integers(20, 90)


@given(bars, st.integers(0, 11), columns)
def test_a_bar_shows_whole_keys_and_says_where_the_rest_is(bar, place, columns):
    """The first keys that have room stand there; if one has none, ``?`` comes last with "more"."""
    bar.insert(min(place, len(bar)), ("?", "help"))
    shown = key_bar(bar, columns)
    assert width(shown) <= columns
    parts = [f" {key} {text} " for key, text in bar]
    others = [part for part in parts if not part.startswith(" ? ")]
    text = plain(shown)
    if text == "".join(parts):
        return
    assert text.endswith(" ? more ")
    head = text.removesuffix(" ? more ")
    assert "".join(others).startswith(head)
    assert head in ["".join(others[:count]) for count in range(len(others))]


@given(bars, columns)
def test_rows_show_every_key(bar, columns):
    """What has no room in a row stands in the next one."""
    rows = key_rows(bar, columns)
    assert "".join(map(plain, rows)) == "".join(f" {key} {text} " for key, text in bar)
    assert all(width(row) <= columns for row in rows)


async def test_what_must_be_found_is_in_the_bar_of_every_table():
    """At 80 columns, in every language: how one answers, leaves, and finds the rest."""
    for tag in ("en", "cs", "hu"):
        with speaking(tag):
            async with SCREENS["keep"](Person()) as person:
                bar = person.lines()[-1]
        assert " 1–5 " in bar  # digits do as Space does where several are picked
        assert " Enter " in bar
        assert " ? " in bar
        assert " q " in bar


@pytest.mark.parametrize("tag", TAGS)
def test_no_two_keys_of_the_bar_are_called_the_same(tag):
    """Orders for cards and commands to type were, in Czech."""
    named = set(re.findall(r'pgettext\("key", "(.*?)"\)', getsource(called)))
    with speaking(tag):
        words = [*(pgettext("key", each) for each in named), _("commands"), _("rules"), _("log")]
    assert len(words) > 20
    assert sorted(words) == sorted(set(words))


def keys_of_commands():
    """The keys of the commands of a table, each as often as it stands there."""
    named = [each for source in SOURCES for each in re.findall(r'key="(.)"', source)]
    return [*named, *(key for _name, key in ONWARDS.values())]


def test_a_letter_means_one_thing_on_all_screens_between_which_a_person_goes():
    """Shared are those that do the same: say, coach, settings, rules, log, page, others, leave."""
    letters = [{*keys_of_commands(), *"Rlqvo"}, set("rcl")]  # at a table, and at its end
    for screen in (lobby, forming, replay):
        names = {name for keys, _text in screen.KEYS for name in keys.split()}
        letters.append({name for name in names if len(name) == 1 and name.isalpha()})
    both = [one & other for one, other in combinations(letters, 2)]
    assert set().union(*both) <= set("tcSRlvoq")


def named_with_keys():
    """The names of the commands of a table that have a key and may be in its bar."""
    for node in [each for source in SOURCES for each in ast.walk(ast.parse(source))]:
        match node:
            case ast.Call(func=ast.Name("Command"), args=[ast.Constant(name), *_], keywords=more):
                given = {each.arg: ast.unparse(each.value) for each in more}
                if "key" in given and given.get("quiet") != "True":
                    yield name
    yield from (name for name, _key in ONWARDS.values())


def test_every_command_of_the_bar_is_called_by_a_word_of_each_language():
    """Its name is typed, and the same in all of them."""
    words = set(re.findall(r'"(\w+)": pgettext', getsource(called)))
    assert words == words | {*named_with_keys()}


def test_no_two_commands_have_one_key():
    """Nor has one a key of the table's own screen: the first of two would hide the other."""
    keys = [*keys_of_commands(), *"?:/Rlqvo"]
    assert sorted(keys) == sorted(set(keys))
