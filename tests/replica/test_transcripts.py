"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "0eb24a3bfaa5ee9c37f2a17c",
    8: "9420edd8024dccdca6d5a254",
    9: "bbfebb12bdb0dbee77235a12",
    16: "fb76b88abcacb7972e53209e",
    17: "b3094099971b3606456d0817",
    27: "51787f9a21b5525f5fbe89d5",
    34: "e6d930b84f38e898e9259652",
    35: "81aadcaa8d4f7f544bfa2541",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
