"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True
pytestmark = pytest.mark.whole_games

PINNED = {
    4: "216944797c560f2c8bb0f41d",
    8: "597c02eec5379ddb9666520f",
    9: "50cbe8b12c84435a2722d180",
    16: "6cbe05cfc9cdb0cac43ac475",
    17: "009aed405886e5c8566e5928",
    27: "d4b7f8962a376ead3c48919e",
    34: "44104dc8283bd3d48f726b2d",
    35: "611d1f39bfff2500cb95e86a",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
