"""What a bot decides hangs on no rounding that differs from one Python or platform to another."""

from __future__ import annotations

import ast
import builtins
import importlib
import re

import pytest

from lanplay.games import NAMES
from lanplay.ui.review import review
from lanplay_ai.charidice import optimum
from scripts.campaigns import sweep
from tests.games.test_review import played
from tests.project.test_structure import ROOT

ROOMS = ("ai/lanplay_ai", "lanplay/games", "lanplay/engine")
IEEE = {"ceil", "comb", "factorial", "fsum", "inf", "perm", "sqrt"}
"""Exact, or rounded once, as IEEE 754 says."""
ROUNDED_AFTERWARDS = {"charidice/prospects.py": {"exp"}}
SHOWN_ONLY = {
    "values.py": {"exp"},
    "charidice/values.py": {"exp"},
    "dice_town/aims.py": {"exp", "log"},
}


@pytest.fixture
def whole_sums(monkeypatch):
    """Let nobody add up floats with ``sum``: from Python 3.12 on it rounds otherwise."""

    def whole(items, start=0):
        items = list(items)
        assert not any(isinstance(each, float) for each in items), "a sum of floats: see fsum"
        return add(items, start)

    add = builtins.sum
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("ai.")
            if re.search(r"\bsum\(", path.read_text()):
                monkeypatch.setattr(importlib.import_module(name), "sum", whole, raising=False)


@pytest.mark.parametrize("game", NAMES)
def test_no_bot_and_no_rule_adds_up_floats_with_sum(game, whole_sums):
    """Each level, with its hints and its words, and a game looked at again."""
    levels = ("beginner", "casual", "strong", "expert")
    for number in range(len(sweep.cells())):
        of = sweep.setting(9, number)
        if of.game == game and set(of.bots) <= set(levels) and len(of.bots) == 2 and not of.options:
            assert sweep.play(9, number).faults == []
    rules, record, _ = played(game, levels[1:3])
    assert [*review(rules, record, ())]


@pytest.mark.parametrize("price", [0.5, 1.0])
def test_the_best_turn_of_charidice_is_the_same_on_every_python(price, whole_sums):
    """With ``sum`` some second rolls went on otherwise from Python 3.12 on."""
    assert optimum.optimum.__wrapped__(price) == optimum.optimum(price)


def test_no_bot_decides_by_a_function_that_each_platform_rounds_as_it_likes():
    """What ``exp`` and the like bring is rounded before it is compared, or only shown."""
    found = {}
    for path in (ROOT / "ai/lanplay_ai").rglob("*.py"):
        for each in ast.walk(ast.parse(path.read_text())):
            if isinstance(each, ast.ImportFrom) and each.module == "math":
                name = path.relative_to(ROOT / "ai/lanplay_ai").as_posix()
                found[name] = {alias.name for alias in each.names} - IEEE
    assert {k: v for k, v in found.items() if v} == ROUNDED_AFTERWARDS | SHOWN_ONLY
