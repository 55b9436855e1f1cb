"""Changes are seen happening: in order, at the person's speed, over the truth, never before it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from lanplay.tui.cells import Size, plain, width
from lanplay.tui.games import Staged, screen_of
from lanplay.tui.glyphs import ASCII, UNICODE
from lanplay.tui.screens.staging import Staging, strip
from lanplay.ui.changes import (
    LONGEST,
    NONE,
    Effects,
    Figure,
    Transfer,
    Unfolding,
    Visible,
    counted,
)
from tests.tui.harness import NAMES, game_of, position, scene_of

PACE = 0.6
NOTHING = Visible(((), (), ()), (Figure("$", (5, 5, 5), "Bank"),))


def shown(after, before=NOTHING, pace=PACE, own=1):
    show = Unfolding()
    show.sees(before, 10.0, pace, own)
    show.sees(after, 10.0, pace, own)
    return show


def order(show):
    """Return the places of piles in the order in which they come to light."""
    first = {}
    for step in range(400):
        for where in show.effects(10.0 + step / 100).veiled:
            first[where] = step
    return sorted(first, key=first.get)


def test_dice_come_to_light_seat_by_seat_the_own_ones_first():
    assert order(shown(NOTHING._replace(piles=((3, 4), (5,), (6,))))) == [
        (1, 0),
        (0, 0),
        (0, 1),
        (2, 0),
    ]


def test_dice_that_lay_there_before_are_never_covered():
    before = NOTHING._replace(piles=((3,), (5,), ()))
    assert order(shown(NOTHING._replace(piles=((3, 4), (5,), ())), before)) == [(0, 1)]


def test_what_one_loses_and_another_gets_moves_from_the_one_to_the_other():
    show = shown(NOTHING._replace(figures=(Figure("$", (2, 8, 5), "Bank"),)))
    move, done = show.effects(10.1).move
    assert (move.amount, move.giver, move.taker) == (3, 0, 1)
    assert 0 < done < 1


def test_what_nobody_loses_comes_from_its_source_and_what_nobody_gets_goes_there():
    got = shown(NOTHING._replace(figures=(Figure("$", (7, 5, 5), "Bank"),))).effects(10.1).move[0]
    paid = shown(NOTHING._replace(figures=(Figure("$", (5, 5, 1), "Bank"),))).effects(10.1).move[0]
    assert (got.giver, got.taker, got.source) == (-1, 0, "Bank")
    assert (paid.giver, paid.taker, paid.amount) == (2, -1, 4)


amounts = st.tuples(*[st.integers(0, 30)] * 3)


@given(amounts, amounts, st.sampled_from([0.2, 0.6, 1.5]))
def test_figures_begin_at_what_was_and_end_within_moments_at_what_is(before, after, pace):
    old, new = (NOTHING._replace(figures=(Figure("$", each, "Bank"),)) for each in (before, after))
    show = shown(new, old, pace)

    def seen(now):
        return tuple(show.effects(now).shown("$", seat, after[seat]) for seat in range(3))

    end = 10.0 + LONGEST * 1.5 + 0.01
    assert seen(10.0) == before
    assert seen(end) == after
    assert not show.lasts(end)
    changes = [new - old for old, new in zip(before, after, strict=True)]
    told = [f"{'+' if change > 0 else '-'}${abs(change)}" for change in changes]
    gains = {seat: [text] for seat, text in enumerate(told) if changes[seat]}
    assert show.effects(end).gains == gains


def test_whoever_comes_late_sees_soon_what_is():
    """A watcher was shown all totals of the game that it had missed, one after the other."""
    show = Unfolding()
    for each in range(0, 300, 10):
        show.sees(NOTHING._replace(figures=(Figure("$", (each,) * 3, "Bank"),)), 10.0, PACE, None)
    assert not show.lasts(10.0 + 3 * LONGEST)


def test_a_key_brings_the_present_and_leaves_the_gains_until_one_has_answered():
    show = shown(Visible(((1,), (), ()), (Figure("$", (7, 5, 5)),)))
    show.finish()
    assert show.effects(10.0) == Effects(gains={0: ["+$2"]})
    show.forget()
    assert show.effects(10.0) == NONE


def test_at_instant_nothing_is_to_be_seen():
    assert not shown(Visible(((1,), (), ()), (Figure("$", (7, 5, 5)),)), pace=0.0).lasts(10.0)


def test_slow_takes_longer_than_fast():
    after = NOTHING._replace(piles=((3,), (5,), (6,)))
    ends = [shown(after, pace=pace)._end for pace in (0.2, 0.6, 1.5)]
    assert ends == sorted(set(ends))


GAMES = ("dice-town", "charidice", "fliptown", "dogs-life")


@pytest.mark.parametrize("game", GAMES)
def test_a_game_tells_the_same_piles_and_figures_at_every_moment(game):
    """Else changes could not be told; and the figures are those of its seats."""
    played, screen = game_of(3, name=game), screen_of(game)
    assert isinstance(screen, Staged)
    found = set()
    for _ in range(150):
        if played.request is None:
            break
        standing = screen.standing(scene_of(played))
        assert {len(figure.seats) for figure in standing.figures} == {4}
        found.add((len(standing.piles), tuple(figure.sign for figure in standing.figures)))
        played.step()
    assert len(found) == 1


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("columns", [72, 80, 133])
def test_what_moves_stays_within_the_line(glyphs, columns):
    played, view, _question = position("decide", 5)
    for done in (0.0, 0.5, 1.0):
        move = Transfer("$", 30, 2, 1, "Bank", 0.0, 1.0)
        scene = replace(scene_of(played, view), effects=Effects(move=(move, done)))
        spans = strip(scene, columns, glyphs)
        assert width(spans) <= columns
        assert NAMES[1] in plain(spans)


def test_others_dice_that_are_not_seen_yet_do_not_lead_for_a_place():
    """Who leads would give away what is still covered."""
    played, view, _question = position("decide", 4)
    screen = screen_of("dice-town")
    bare = scene_of(played, view)
    every = frozenset((seat, place) for seat in range(4) for place in range(5))
    dark = replace(bare, effects=Effects(veiled=every))
    for size in (Size(80, 14), Size(80, 30), Size(133, 48)):
        board = "\n".join(plain(row) for row in screen.board(dark, size, UNICODE))
        assert "1x " not in board
        assert "2x " not in board
        assert "▒" in board


async def test_the_screen_is_drawn_only_while_something_is_to_be_seen(autojump_clock):
    """An idle table costs nothing: once all is seen, nothing is drawn until something changes."""
    played, drawn = game_of(3), []
    staging = Staging(
        screen_of("dice-town"), lambda: True, lambda: drawn.append(trio.current_time())
    )

    def now():
        return replace(scene_of(played), pace=PACE)

    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(staging.run)
        await trio.sleep(1)
        staging.sees(now())
        played.table.dollars[2] += 3
        assert staging.effects(now()).lag == {("$", 2): 3}, "as it was, before it is told"
        await trio.sleep(60)
        assert staging.effects(now()) == Effects(gains={2: ["+$3"]})
        nursery.cancel_scope.cancel()
    assert 3 <= len(drawn) <= 10
    assert drawn[-1] - began < 3


@pytest.mark.parametrize("animation", [True, False])
def test_nothing_is_covered_where_nothing_runs_or_motion_is_off(animation):
    staging = Staging(screen_of("dice-town"), lambda: animation, print)
    played = game_of(3)
    staging.sees(replace(scene_of(played), pace=PACE))
    played.table.dice[1] = (1, 2)
    staging.sees(replace(scene_of(played), pace=PACE))
    assert staging.effects(scene_of(played)) == NONE


@pytest.mark.parametrize(
    ("sign", "amount", "told"), [("%", 2, "%%"), ('"', 1, '"'), ("", 3, "3"), ("g", 2, "2g")]
)
def test_bones_that_are_gained_are_no_percentage(sign, amount, told):
    """``-2%`` stood beside a dog that had lost two bones."""
    assert counted(sign, amount) == told
