"""The four cowbots."""

from __future__ import annotations

import pytest

from lanplay.engine.requests import Show, Shuffle
from lanplay.games import load
from lanplay.games.fliptown import rules
from lanplay.games.fliptown.cowbot import rival_score
from lanplay.games.fliptown.deck import gather
from lanplay.games.fliptown.ending import ending, winners
from lanplay.games.fliptown.map import ALL_CIRCLED, ITEMS, MINE, TOWN, TRAIL
from tests.fliptown.script import new_table, run, stack

GAME = load("fliptown")


def duel(cowbot, flipped, picks, options=None, **values):
    t = new_table(1, cowbot=cowbot, **(options or {}))
    t.cowbot = {"jane": 0, "kid": 1, "bart": 2, "earp": 3}[cowbot]
    stack(t, flipped)
    for name, each in values.items():
        setattr(t.sheets[0], name, each)
    run(t, rules.one_turn(t), turns={0: picks})
    return len(t.stolen)


@pytest.mark.parametrize(
    ("cowbot", "flipped", "site", "stolen"),
    [
        ("bart", "2d 3h 4c", "mine 1a", 1),
        ("bart", "2c 3h 4s", "town 3", 0),
        ("bart", "2c 3h 4d", "town 3", 0),
        ("earp", "2c 5h 4d", "town 5", 1),
        ("earp", "2c 3h 4d", "town 3", 0),
        ("earp", "2h 6s 4d", "trail 6", 0),
        ("jane", "2h Ac 4d", "trail A", 1),
        ("jane", "2c 3s 4d", "town 3", 0),
        ("jane", "2h 5c 4d", "trail 5", 0),
        ("kid", "2s 5c 4d", "cemetery TL", 1),
        ("kid", "2h 5c 4d", "cemetery TL", 0),
        ("kid", "2s 5c 4d", "none", 0),
    ],
)
def test_what_calls_each_cowbot(cowbot, flipped, site, stolen):
    """FT-9.4: gold, a bonus action, a star, a WANTED, with its suit among the flipped cards."""
    picks = [] if site == "none" else [("site", site)]
    assert duel(cowbot, flipped, picks) == stolen


def test_what_has_been_seen_lies_first_whatever_a_cowbot_holds():
    """FT-2.1, FT-9.4: between the rounds known cards lie in order, the king of clubs too."""
    t = new_table(1, cowbot="bart")
    t.deck, t.stolen = t.deck[5:], t.deck[:5]
    for face in (*t.stolen, 10, 20):
        del t.faces[face]
    gather(t)
    assert t.deck == [*sorted(t.faces), 10, 20]


def test_the_suit_the_card_was_changed_to_counts():
    """FT-9.6: it can call the cowbot, or keep it away."""
    assert duel("bart", "2h 3h 4c", [("suit", 2), ("site", "mine 1a")]) == 1
    assert duel("kid", "2s 5c 4d", [("suit", 0), ("site", "cemetery TL")]) == 0


def test_bank_and_bail_bonds_call_too_and_only_once_a_turn():
    """FT-9.6, FT-9.4: gold at the start and in the Mine, one card stolen."""
    own_hunt = 1 << ITEMS.index("hunt-jack")
    picks = [("bail", 1), ("site", "mine 1a")]
    assert duel("bart", "2d 3h Jc", picks[:1], items=own_hunt) == 1
    assert duel("bart", "2d 3h Jc", picks, items=own_hunt) == 1


def test_stolen_cards_are_unseen_and_gone_for_good():
    """FT-9.4, FT-2.1: later rounds are shuffled without them."""
    t = new_table(1, cowbot="kid")
    t.cowbot = 1
    stone = [("site", f"cemetery {each}") for each in ("TL", "TC", "TR", "BL", "BR")]
    script = run(t, rules.one_round(t), turns={0: stone})
    stolen = len(t.stolen)
    assert stolen
    assert not {*t.stolen} & {each for one in script.of(Show) for each in one.cards}
    assert len(t.deck) == 52 - stolen
    t.round = 2
    again = run(t, rules.one_round(t))
    assert len(again.of(Shuffle)[0].piles["deck"]) == 52 - stolen


ROWS = {
    "bart": (14, 13, 12, 13),
    "earp": (13, 14, 13, 12),
    "jane": (13, 12, 13, 14),
    "kid": (12, 13, 14, 13),
}


@pytest.mark.parametrize("cowbot", ROWS)
@pytest.mark.parametrize(("level", "rows"), [("easy", 2), ("normal", 3), ("hard", 4)])
def test_the_score_of_each_cowbot_at_each_level(cowbot, level, rows):
    """FT-9.4: coefficients 4, 3, 2, 1 per uncircled site, points per card, 5 for each extra."""
    for character, holdem, extra in (
        (None, "none", 0),
        ("miner", "none", 5),
        ("miner", "each", 10),
    ):
        t = new_table(1, characters=(character,), cowbot=cowbot, level=level, holdem=holdem)
        t.cowbot = {"jane": 0, "kid": 1, "bart": 2, "earp": 3}[cowbot]
        t.stolen = [1, 2, 3, 4]
        empty = sum(f * n for f, n in list(zip((4, 3, 2, 1), ROWS[cowbot], strict=True))[:rows])
        assert rival_score(t) == empty + 4 * (rows - 1) + extra
    best = {"bart": MINE, "earp": TOWN, "jane": TRAIL, "kid": 1}[cowbot]
    t.sheets[0].circled[best] = ALL_CIRCLED[best]
    assert rival_score(t) == empty + 4 * (rows - 1) + extra - 4 * ROWS[cowbot][0]


@pytest.mark.parametrize(
    ("flipped", "site", "star", "cash"),
    [("2h Ac 4d", "trail A", 1, 0), ("2h 5c 4d", "trail 5", 0, 1), ("2c 3s 4d", "town 3", 0, 0)],
)
def test_calamity_jane_steals_on_stars_or_on_dollars(flipped, site, star, cash):
    """FT-9.4: the table option `jane`; her suit has to lie there either way."""
    assert duel("jane", flipped, [("site", site)]) == star
    assert duel("jane", flipped, [("site", site)], options={"jane": "cash"}) == cash


def test_rows_count_printed_stars_where_the_table_wants_it():
    """FT-9.4, `rows`: Trail A gives 2, Badlands K 3 stars; what is circled counts nothing."""
    t = new_table(1, cowbot="jane", level="easy", rows="points")
    t.cowbot = 0
    before = rival_score(t)
    t.sheets[0].circled[TRAIL] |= 1 << 1
    assert rival_score(t) == before - 4 * 2
    t.sheets[0].circled[1] = ALL_CIRCLED[1]
    t.sheets[0].circled[TRAIL] = ALL_CIRCLED[TRAIL]
    assert rival_score(t) == 0
    t.sheets[0].circled[MINE] = ALL_CIRCLED[MINE]
    assert rival_score(t) == 0, "the Mine is no row of hers on easy"


def test_a_cowbot_is_beaten_only_by_more_points():
    """FT-9.4, FT-10.4: as many are not enough, and then nobody has won."""
    t = new_table(1, cowbot="kid", level="easy")
    t.cowbot = 1
    for points, won in ((87, ()), (88, (0,))):
        t.sheets[0].cash = t.sheets[0].gold = 0
        t.sheets[0].stars = points
        ending(t)
        assert t.rival == 87
        assert winners(t) == won
        assert GAME.result(t).winners == won
