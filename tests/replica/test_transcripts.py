"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True
pytestmark = pytest.mark.whole_games

PINNED = {
    4: "368a0fbe9f4a36246f30461a",
    8: "d12917fc5a7bae9900ce0848",
    9: "50cbe8b12c84435a2722d180",
    16: "b13d958a44345d39ffa1abef",
    17: "009aed405886e5c8566e5928",
    27: "d4b7f8962a376ead3c48919e",
    34: "591dc2c92a4d49fd57da98f0",
    35: "611d1f39bfff2500cb95e86a",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
