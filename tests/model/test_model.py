"""The law of blame in the abstract: random games keep it, and each of its rules is needed."""

from __future__ import annotations

import pytest

from tests.model.explore import CASES, COVERED, NEEDED, SPARE, replay, shrink, walk
from tests.model.statements import Rule

NAMED = {case.name: case for case in CASES}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", NAMED)
def test_liars_crashes_and_delays_break_no_promise(name: str) -> None:
    """No honest peer is convicted, verdicts agree, no line parts unproven, no game stands still."""
    for seed in range(12):
        assert walk(NAMED[name], seed).wrong == ""


def test_every_rule_has_a_game_that_breaks_without_it() -> None:
    assert NEEDED.keys() == set(Rule) - SPARE


@pytest.mark.parametrize("rule", NEEDED, ids=lambda rule: rule.name)
def test_a_rule_switched_off_is_found_out(rule: Rule) -> None:
    """The explorer would see a design that forgot the rule; with it the same game ends well."""
    name, seed = NEEDED[rule]
    covered = frozenset({Rule.BACKED} if rule in COVERED else ())
    assert walk(NAMED[name], seed, covered | {rule}).wrong
    assert walk(NAMED[name], seed, covered).wrong == ""


def test_a_counterexample_shrinks_to_steps_that_show_the_same() -> None:
    name, seed = NEEDED[Rule.MISSING]
    off = frozenset([Rule.MISSING])
    found = walk(NAMED[name], seed, off)
    short = shrink(NAMED[name], found, off)
    assert len(short.steps) < len(found.steps)
    assert replay(NAMED[name], short.steps, off) == short


def test_a_seed_is_the_same_game_each_time() -> None:
    some = CASES[::3]
    assert [walk(c, 7).steps for c in some] == [walk(c, 7).steps for c in some]
