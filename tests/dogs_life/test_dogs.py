"""The dogs: points, decks, characters, and what the rules page says of them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

import lanplay.games.dogs_life
from lanplay.games.dogs_life.dogs import BONE, CARDS, DOGS, FIELDS, NOTHING, SHUFFLE, parse
from lanplay.games.dogs_life.text import BREEDS
from lanplay.games.dogs_life.text import DOGS as NAMES

ROOT = Path(__file__).resolve().parents[2]
TEXT = files(lanplay.games.dogs_life).joinpath("dogs.toml").read_text("utf-8")


def test_every_dog_has_twelve_results_and_a_shuffle_card():
    """DL-1.1, DL-1.2: six dogs, 13 cards, six fields with their values."""
    assert len(DOGS) == 6
    assert SHUFFLE == CARDS - 1 == 12
    for dog in DOGS:
        assert 6 <= dog.points <= 8
        assert all(len(dog.field(name)) == 12 for name in FIELDS)
        assert set(dog.trash) | set(dog.restaurant) <= {NOTHING, 1, 2, 3, BONE}
        assert set(dog.newspaper) <= {1, 2, 3, BONE}
        assert set(dog.fight) <= {1, 2, 3}
        assert set(dog.catcher) == set(dog.pound) == {0, 1}


def test_dogs_keep_their_characters():
    """DL-1.3: who is best and worst at what."""
    belle, fido, rex, grouchy, fang, vagabond = DOGS
    worth = {name: [sum(dog.field(name)) for dog in DOGS] for name in FIELDS}
    order = {name: sorted(values) for name, values in worth.items()}
    assert sum(belle.restaurant) == order["restaurant"][-1]
    assert sum(belle.trash) <= order["trash"][1]
    assert sum(belle.fight) == order["fight"][0]
    assert sum(fido.trash) == order["trash"][-1]
    assert sum(fido.restaurant) <= order["restaurant"][1]
    assert sum(fido.pound) == order["pound"][0]
    assert order["fight"][0] < sum(fido.fight) < order["fight"][-1]
    assert sum(rex.newspaper) == order["newspaper"][-1]
    assert sum(rex.restaurant) < order["restaurant"][3]
    assert sum(rex.fight) >= order["fight"][-3]
    assert sum(grouchy.fight) == order["fight"][-1]
    assert sum(grouchy.trash) >= order["trash"][-3]
    assert sum(grouchy.restaurant) == order["restaurant"][0]
    assert sum(grouchy.catcher) == order["catcher"][0]
    assert sum(vagabond.fight) >= order["fight"][-3]
    assert sum(vagabond.pound) == order["pound"][-1]
    assert sum(vagabond.restaurant) == order["restaurant"][-2]
    assert sum(vagabond.trash) <= order["trash"][1]
    assert [dog.points for dog in (belle, rex, fang)] == [6, 6, 8]
    assert {dog.points for dog in (fido, grouchy, vagabond)} == {7}


def test_the_page_says_what_the_decks_hold():
    """DL-1.3: the table of the rules page."""
    page = (ROOT / "docs" / "rules" / "dogs_life.md").read_text("utf-8")
    for number, dog in enumerate(DOGS):
        counts = [
            f"{dog.points}",
            f"{dog.trash.count(BONE)}, {dog.trash.count(NOTHING)}",
            f"{dog.restaurant.count(BONE)}, {dog.restaurant.count(NOTHING)}",
            f"{dog.newspaper.count(BONE)}",
            f"{sum(dog.fight)}",
            f"{sum(dog.catcher)}",
            f"{sum(dog.pound)}",
        ]
        assert f"| {NAMES[number]}, {BREEDS[number]} | {' | '.join(counts)} |" in page


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("points = 6", "points = 5"),
        ("[fido]", "[belly]\npoints = 6\n[fido]"),
        ('newspaper  = "1', 'newspaper  = "-'),
        ('fight      = "2', 'fight      = "4'),
        ('catcher    = "e', 'catcher    = "e e'),
        ("\npound ", "\nprison "),
    ],
)
def test_a_fault_in_the_decks_is_found(old, new):
    """DL-1.2: signs, their number, points, names of fields."""
    assert old in TEXT
    with pytest.raises(ValueError, match=r"\w"):
        parse(TEXT.replace(old, new, 1))


def test_there_are_six_dogs():
    """DL-1.1: no fewer."""
    with pytest.raises(ValueError, match="six"):
        parse(TEXT[: TEXT.index("[vagabond]")])
