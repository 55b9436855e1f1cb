"""``lanplay replay --step``: keys as lines, forward and back."""

from __future__ import annotations

import io

import pytest

from lanplay.cli import main, replaying
from lanplay.engine.knowledge import PrivateKnowledge
from lanplay.lines.source import Lines
from tests.replaying.test_stepping import public, simulated


@pytest.fixture(scope="module")
def whole():
    """A game of three bots, and what they saw."""
    return simulated(seats=3)


@pytest.fixture
def walked(whole, tmp_path, monkeypatch, capsys):
    """Step through the game with these lines; return what was shown after each, and the help."""

    def walk(*lines, record=whole[0], seen=None, arguments=()):
        path = tmp_path / "game.lanplay"
        record.save(path)
        if seen is not None:
            seen.save(path, record.state_hash)
        text = "".join(f"{line}\n" for line in lines)
        monkeypatch.setattr(replaying, "STDIN", Lines(io.StringIO(text)))
        assert main(["replay", str(path), "--step", *arguments]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return [part.strip() for part in out.split("===")][1:]

    return walk


def places(parts):
    """Return (round, move) of each position that was shown."""
    words = [part.split() for part in parts if part.startswith("Round") and " of " in part]
    return [(int(each[1]), int(each[5])) for each in words if each[4] == "move"]


def test_keys_go_by_move_and_round(walked):
    """Enter and n forward, b back, r and R by round, g to a round."""
    parts = walked("", "n", "b", "r", "", "R", "R", "g 3", "b", "q")
    found = places(parts)
    assert found[:5] == [(0, 1), (1, 1), (1, 2), (1, 1), (2, 1)]
    assert found[5:9] == [(2, 2), (2, 1), (1, 1), (3, 1)]
    assert found[9][0] == 2


def test_a_walk_begins_at_the_round_that_from_names(walked):
    """``--step --from 3`` shows the first move of round 3; from there it goes back as well."""
    found = places(walked("b", "q", arguments=("--from", "3")))
    assert found[0] == (3, 1)
    assert found[1][0] == 2


def test_there_is_an_end_either_way(walked):
    """Beyond the start and the end a sentence says so, and nothing else is shown."""
    parts = walked("b", "e", "n", "r", "q")
    assert len(places(parts)) == 2
    assert "\n".join(parts).count("nothing more") == 3
    assert "wins with" in parts[-1]


def test_a_game_of_one_machine_shows_all_hands(walked):
    """The dice of every seat stand there, unless only one's, or the public's view, is asked for."""
    first = walked("r", "q")[-1]
    assert [f"{name}: Your dice" in first for name in "ABC"] == [True] * 3
    one = walked("r", "s b", "q")[-1]
    assert [f"{name}: Your dice" in one for name in "ABC"] == [False, True, False]
    none = walked("r", "q", arguments=["--seat", "public"])[-1]
    assert "Your dice" not in none


def test_between_peers_only_own_hands_can_be_shown(walked, whole):
    """Others' hands are refused by name; with the private file the own ones are there at once."""
    record, seen = whole
    own = PrivateKnowledge([1])
    own.cards, own.cups = seen.cards, seen.cups
    parts = walked("r", "s A", "q", record=public(record), seen=own)
    text = "\n".join(parts)
    assert "B: Your dice" in text
    assert "A: Your dice" not in text
    assert "It can be seen as: public, B." in text


def test_without_a_private_file_a_game_between_peers_is_public(walked, whole):
    """Nobody's dice are shown, and the sentence says whose could be."""
    text = "\n".join(walked("r", "s 1", "q", record=public(whole[0])))
    assert "Your dice" not in text
    assert "It can be seen as: public." in text


def test_other_lines_are_answered_with_help(walked):
    """What is no key says what the keys are."""
    text = "\n".join(walked("x", "g x", "?"))
    assert text.count("next move") == 3


def test_a_damaged_private_file_is_told(walked, whole, tmp_path, capsys):
    """A private file that was altered ends with status 2 and its name."""
    walked("q", record=public(whole[0]), seen=whole[1])
    path = tmp_path / "game.private"
    path.write_bytes(path.read_bytes()[:-1])
    assert main(["replay", str(tmp_path / "game.lanplay"), "--step"]) == 2
    assert "game.private" in capsys.readouterr().err


@pytest.mark.parametrize("what", [[], ["--step"]])
def test_a_seat_that_nobody_has_is_refused(what, whole, tmp_path, capsys):
    """So it is where no hands are shown at all: a mistyped name does not pass in silence."""
    whole[0].save(tmp_path / "game.lanplay")
    assert main(["replay", str(tmp_path / "game.lanplay"), "--seat", "nobody", *what]) == 2
    assert "nobody" in capsys.readouterr().err


@pytest.mark.parametrize("what", [[], ["--step"]])
def test_no_record_is_told(what, tmp_path, capsys):
    """A file that is no record ends with status 2 and its name."""
    (tmp_path / "x.lanplay").write_bytes(b"no record")
    assert main(["replay", str(tmp_path / "x.lanplay"), *what]) == 2
    assert "x.lanplay" in capsys.readouterr().err
