"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True
pytestmark = pytest.mark.whole_games

PINNED = {
    4: "d3cc0d888a2b7080fea9e741",
    8: "21583e38d8158f9c3d0b3c2c",
    9: "aad7c2cf504aff088dc5924f",
    16: "15d0bb7138de4cb563705b75",
    17: "cffba101a02c80fc62fbeef9",
    27: "2088a4cce8da75d3ab79a2cb",
    34: "f3de7d8dd73bbe72b2b9d4ae",
    35: "643fb01d8e2d9831260b7d66",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
