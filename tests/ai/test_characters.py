"""Bots as company: names and levels, all different, and remarks that tell nothing."""

from __future__ import annotations

import pytest

import lanplay_ai as ai
from lanplay.check.tables import options_of
from lanplay.engine.chance import Chance
from lanplay.engine.question import Phrase
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.language import TAGS, speaking
from lanplay_ai.characters import Company, cast, characters, known_as
from lanplay_protocol.text import NICKNAME_LIMIT

LEVELS = ("beginner", "casual", "strong", "expert")


@pytest.mark.parametrize("game", NAMES)
def test_every_level_has_company_whose_seats_tell_it_and_fit(game):
    """A full table has a name for every seat, beside its person's."""
    others = load(game).seats[-1] - 1
    for level in LEVELS:
        found = cast(game, level, others)
        assert len({name for name, _bot in found}) == others
        for name, bot in found:
            assert name.endswith(f"({level})")
            assert len(name) <= min(NICKNAME_LIMIT, 20)
            assert ai.bots(game)[bot].level == level


@pytest.mark.parametrize("game", NAMES)
def test_names_are_one_seat_each_and_what_is_no_level_is_itself(game):
    names = [each.name for each in characters(game)]
    assert len(names) == len(set(names))
    assert cast(game, "random", 3) == []
    assert cast(game, "strong", 3, 1)[0] == cast(game, "strong", 3)[1]


def finished(game: str, bots: list[str]) -> Simulation:
    rules = load(game)
    header = Header(game, options_of(rules, 0), tuple(map(str, range(len(bots)))), b"company")
    agents = [ai.make(bot, b"%d" % seat, game) for seat, bot in enumerate(bots)]
    simulation = Simulation(rules, header, agents, Chance(b"company"))
    simulation.table.log = []
    simulation.run()
    return simulation


@pytest.mark.parametrize("game", NAMES)
def test_they_speak_now_and_then_the_same_in_every_replica_and_language(game):
    company = cast(game, "casual", 2)
    names = [name for name, _bot in company]
    log = finished(game, [bot for _name, bot in company]).table.log
    said = {}
    for tag in TAGS:
        with speaking(tag):
            one, other = (Company(game, names, (0, 1)) for _ in range(2))
            said[tag] = [one.hears(event) for event in log]
            assert said[tag] == [other.hears(event) for event in log]
    lines = [[bool(line) for line in each] for each in said.values()]
    assert lines[0] == lines[1] == lines[2]
    assert 2 <= sum(lines[0]) <= len(log) / 3
    assert said["en"] != said["cs"] != said["hu"]


def test_people_and_programs_without_a_character_say_nothing():
    company = Company("dice-town", ["Rusty (strong)", "strong 2"], [1])
    for event in (Phrase("round", {"number": 1}), *[Phrase("mine", {"seat": 0})] * 9):
        assert company.hears(event) == ""


def test_two_strong_seats_of_fliptown_do_not_play_alike():
    """FT-10.1: they had the same tally in a quarter of all games."""
    (_one, first), (_two, second) = cast("fliptown", "strong", 2)
    tables = [finished("fliptown", [first, second]).table]
    assert all(t.sheets[0].circled != t.sheets[1].circled for t in tables)


def test_a_level_is_told_in_the_language_of_whoever_reads_it():
    """What a person calls itself stays."""
    with speaking("hu"):
        assert known_as("Pip (beginner)") == "Pip (kezdő)"
        assert known_as("beginner") == "beginner"  # a bot in a record of bots alone
        assert known_as("Eva (the first)") == "Eva (the first)"
