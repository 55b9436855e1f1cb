"""A change of the table is told to a page step by step: what the terminal shows happening too."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lanplay.games import NAMES, load
from lanplay.session import commands as c
from lanplay.session.audience import EVERYBODY
from lanplay.web.live import Tap
from lanplay.web.pages import PageStack
from lanplay.web.table import WebTable
from tests.session.test_commands import until
from tests.web.guests import laptop
from tests.web.harness import parsed
from tests.web.test_pages import PEOPLE, scene_of, simulated

PACE = 0.6


class Shown:
    """A game of AI as a page without a seat sees it."""

    def __init__(self, name, pace=PACE):
        self.played, self.pace = simulated(name, b"stage"), pace
        self.page = WebTable(PageStack(), load(name), PEOPLE, confirm=True)
        self.page.sees(lambda: replace(scene_of(self.played, None), pace=self.pace))

    def steps(self):
        """Return what is to be seen of the last change, and the page."""
        drawn = self.page.regions()
        steps = parsed(drawn["stage"]).kids[0]["data-steps"]
        return json.loads(steps) if steps else None, drawn

    def changes(self, most=600):
        """Yield the steps of each change until the game ends, and the page."""
        last, _drawn = self.steps()
        while self.played.request is not None and most:
            self.played.step()
            now, drawn = self.steps()
            if now != last:
                yield (*now, drawn)
            last, most = now, most - 1


@pytest.mark.longer_games
@pytest.mark.parametrize("name", NAMES)
async def test_what_is_to_be_seen_is_drawn_and_one_thing_follows_the_other(name, autojump_clock):
    """Each die, card and number of a step is on the page by its name, but for what has no place."""
    seen, had = set(), set()
    for reveals, moves, drawn in Shown(name).changes():
        root = parsed(drawn["board"])
        things = {each["data-seen"] for each in root.all() if each["data-seen"]}
        numbers = {each["data-has"] for each in root.all() if each["data-has"]}
        assert {where for where, _at in reveals} <= things
        ends = [at for _where, at in reveals] + [till for *_what, till in moves]
        assert ends == sorted(ends)
        seen |= {where for where, _at in reveals}
        for sign, _amount, giver, taker, *_times in moves:
            had |= {f"{sign}.{seat}" for seat in (giver, taker) if seat >= 0 and sign != "F"}
            assert had <= numbers
    assert had
    assert seen or name == "dogs-life"


async def test_dice_come_to_light_seat_by_seat(autojump_clock):
    for reveals, _moves, _drawn in Shown("dice-town").changes():
        seats = [where.partition(".")[0] for where, _at in reveals]
        assert seats == sorted(seats)


async def test_where_ai_moves_at_once_there_is_nothing_to_be_seen():
    assert list(Shown("dice-town", pace=0.0).changes(60)) == []


async def test_a_tap_brings_the_present_so_that_the_next_change_is_seen_at_once(autojump_clock):
    shown = Shown("charidice")
    every = shown.changes()
    first, *_rest = next(every)
    assert shown.page.act(Tap("present"))
    second, *_rest = next(every)
    assert min(at for _where, at in second) <= min(at for _where, at in first)


async def test_a_phone_sees_changes_at_the_speed_of_its_laptop(tmp_path):
    async with laptop(tmp_path) as eva:
        await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        # a phone may still be at the forming table for a moment, which has nothing to show
        await until(lambda: 'id="asked"' in eva.guest("Tom").regions()["ask"])
        for pace, moves in ((0.6, True), (0.0, False)):
            eva.session.pace.seconds = pace
            assert ("data-steps" in eva.guest("Tom").regions()["stage"]) == moves
