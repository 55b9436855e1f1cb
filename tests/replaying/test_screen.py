"""Stepping on the full screen: the keys, whose eyes, and what is drawn."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from lanplay.cli import main, replaying
from lanplay.engine.stepper import Stepper
from lanplay.language import speaking
from lanplay.tui.cells import Size, cells, plain
from lanplay.tui.screens.replay import ReplayScreen
from lanplay.tui.stage import Habits, Stage
from tests.replaying.test_stepping import GAME, public, simulated

NAMES = ("Ann", "Ben", "Cyd")


@pytest.fixture(scope="module")
def whole():
    """A game of three bots, and what they saw."""
    return simulated(seats=3)


def screen(record, seen=None, seat=None):
    stepper = Stepper(GAME, record, seen)
    return ReplayScreen(Stage(Habits()), stepper, GAME, NAMES, seat), stepper


def drawn(shown):
    return [plain(spans) for spans in shown.lines(Size(80, 24))]


@pytest.mark.parametrize("size", [Size(80, 24), Size(120, 40)])
def test_every_position_fits_the_screen(whole, size):
    """At each move, with the eyes of each, every line is at most as wide as the terminal."""
    shown, stepper = screen(whole[0], seat=0)
    for place in range(0, len(stepper.positions), 3):
        stepper.at = place
        shown.press("s")
        lines = shown.lines(size)
        assert len(lines) == size.rows
        assert all(cells(plain(spans)) <= size.columns for spans in lines)


async def test_keys_step_by_move_and_round(whole):
    """Arrows, pages, home and end; beyond the end a sentence says so; q leaves."""
    shown, stepper = screen(whole[0])
    for key, place in (
        ("right", (1, 1)),
        ("enter", (1, 2)),
        ("left", (1, 1)),
        ("down", (2, 1)),
        (" ", (2, 2)),
        ("pageup", (2, 1)),
        ("up", (1, 1)),
        ("home", (0, 1)),
    ):
        shown.press(key)
        assert (stepper.now.round, stepper.now.move) == place, key
        assert f"round {place[0]} of {stepper.rounds}, move {place[1]} of" in drawn(shown)[0]
    shown.press("left")
    assert "nothing more" in "\n".join(drawn(shown))
    assert "The game is over" not in "\n".join(drawn(shown))
    shown.press("end")
    assert stepper.at == len(stepper.positions) - 1
    assert "The game is over" in "\n".join(drawn(shown))
    shown.press("q")
    with trio.fail_after(60):
        await shown.answered()


@pytest.mark.parametrize(("tag", "word"), [("cs", "tah"), ("hu", "lépés")])
def test_the_arrow_that_goes_a_move_on_is_not_called_as_one_that_moves_a_player(whole, tag, word):
    with speaking(tag):
        assert f"→ {word}  " in drawn(screen(whole[0])[0])[-1]


def test_eyes_go_from_everybody_to_each_known_seat(whole):
    """s shows the game as everybody saw it, as Ann, as Ben, as Cyd, and again as everybody."""
    shown, _ = screen(whole[0])
    shown.press("down")
    corners = []
    for _turn in range(4):
        corners.append(drawn(shown)[0].split("  ")[-1].strip())
        shown.press("s")
    assert corners == ["as everybody saw it", *(f"as {name} saw it" for name in NAMES)]
    assert "as everybody saw it" in drawn(shown)[0]


def test_between_laptops_without_a_private_file_there_are_no_eyes(whole):
    """s says why nothing else can be seen."""
    shown, _ = screen(public(whole[0]))
    shown.press("s")
    assert "between laptops" in "\n".join(drawn(shown))


def test_the_log_has_what_happened_up_to_here(whole):
    """It grows with each step forward and shrinks on the way back; l shows all of it."""
    shown, _ = screen(whole[0])
    stage = shown._stage
    shown.press("down")
    shown.press("right")
    before = "\n".join(drawn(shown))
    assert "keeps" in before
    shown.press("left")
    assert "keeps" not in "\n".join(drawn(shown))
    shown.press("l")
    assert len(stage.screens) == 1


@pytest.mark.parametrize(
    ("arguments", "full", "steps"),
    [
        ([], True, True),
        ([], False, False),
        (["--step"], False, True),
        (["--no-step"], True, False),
        (["--json"], True, False),
        (["--from", "2"], True, False),
    ],
)
def test_on_a_terminal_one_steps_elsewhere_all_is_told(
    arguments, full, steps, whole, tmp_path, monkeypatch
):
    """Flags decide first; without them the full screen steps, and pipes get the whole game."""
    whole[0].save(tmp_path / "x.lanplay")
    stepped = []
    monkeypatch.setattr(replaying, "full_screen", lambda _: full)
    monkeypatch.setattr(replaying, "step_through", lambda *_: bool(stepped.append(1)))
    assert main(["replay", str(tmp_path / "x.lanplay"), *arguments]) == 0
    assert bool(stepped) == steps


async def test_a_move_forward_is_seen_happening_and_a_jump_is_not(whole, autojump_clock):
    """What changes hands moves, as in the game; Space comes to its end and goes no further."""
    shown, stepper = screen(whole[0])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shown.answered)
        await trio.sleep(1)
        drawn(shown)
        shown.press("down")
        drawn(shown)
        assert not shown._staged().effects.veiled
        while not (seen := shown._staged().effects).veiled:
            shown.press("right")
        place = stepper.at
        shown.press(" ")
        assert seen.veiled
        assert not shown._staged().effects.veiled
        assert stepper.at == place
        shown.press(" ")
        assert stepper.at == place + 1
        shown.press("q")


async def test_a_key_tells_luck_from_decisions(whole):
    """It is worked out once, while the screen goes on; without it the key does nothing."""
    stage, stepper, looked = Stage(Habits()), Stepper(GAME, whole[0]), []
    pages, come = [], trio.Event()
    stage.push = lambda page: (pages.append(page), come.set())

    def review():
        looked.append(1)
        return ["Ann: luck +5"]

    shown = ReplayScreen(stage, stepper, GAME, NAMES, None, review=review)
    assert "c luck" in "".join(shown_keys(shown))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shown.answered)
        for _ in range(2):
            await trio.testing.wait_all_tasks_blocked()
            shown.press("c")
            await come.wait()
            page, come = pages.pop(), trio.Event()
            assert "Ann: luck +5" in "".join(plain(row) for row in page.lines(Size(80, 24)))
        shown.press("q")
    assert len(looked) == 1
    assert "c luck" not in "".join(shown_keys(screen(whole[0])[0]))


def shown_keys(shown):
    return [plain(spans) for spans in shown.lines(Size(200, 24))[-1:]]
