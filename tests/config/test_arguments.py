"""Options and all else may stand in any order, for every command."""

from __future__ import annotations

import argparse
from itertools import chain

import pytest

from lanplay.cli import _parsers, _read
from lanplay.cli.commands import COMMANDS

OPTION = ["--lang", "cs"]
"""An option that every command has."""


def words(name):
    """As many words as a command takes at most, two for "any number"."""
    parser = _parsers([name], filled=True)[1][name]
    places = [each for each in parser._actions if not each.option_strings]
    some = {None: 1, "?": 1, "*": 2, "+": 2}
    return list(
        chain.from_iterable(
            [next(iter(each.choices)) if each.choices else each.dest] * some[each.nargs]
            for each in places
        )
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_may_stand_anywhere(name):
    """Before, between and after the words of a command it means the same."""
    given = words(name)
    read = [_read([name, *given[:at], *OPTION, *given[at:]]) for at in range(len(given) + 1)]
    assert all(vars(each) == vars(read[0]) for each in read)
    assert read[0].lang == "cs"
    assert isinstance(read[0], argparse.Namespace)


def test_the_entrants_of_a_tournament_may_come_last():
    """As people write it."""
    line = "tournament dice-town --games 4 --jobs 1 expert strong"
    args = _read(line.split())
    assert (args.game, args.bots, args.games) == ("dice-town", ["expert", "strong"], 4)


def test_what_follows_two_dashes_is_no_option():
    """A file may be called like one."""
    assert _read(["replay", "--", "--step"]).file == "--step"


@pytest.mark.parametrize("line", ["play --seats", "rules --no-such", "simulate", "verify"])
def test_wrong_usage_names_the_command(line, capsys):
    """What is missing or unknown is said with the usage of that command."""
    with pytest.raises(SystemExit) as left:
        _read(line.split())
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith(f"usage: lanplay {line.split()[0]}")


@pytest.mark.parametrize("command", ["play", "host dice-town", "demo"])
def test_a_second_ai_for_the_free_seats_is_refused(command, capsys):
    """Whoever names two there means a line-up, and would play against the last of them alone."""
    with pytest.raises(SystemExit) as left:
        _read(f"{command} --bot casual --bot=strong".split())
    assert left.value.code == 2
    assert "argument --bot: one AI plays in all free seats" in capsys.readouterr().err
    assert _read(f"{command} --bot casual".split()).bot == "casual"


def test_a_simulation_takes_a_line_up():
    """There each is for a seat."""
    line = "simulate dice-town --bot casual --bot strong"
    assert _read(line.split()).bot == ["casual", "strong"]
