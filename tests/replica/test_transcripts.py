"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "fe8814d1512abdb8db4f1885",
    8: "6398d03b7fd08ef28ed6a20b",
    9: "46315fd7aff4489693971e3a",
    16: "ca068682132964a9890390d0",
    17: "280550001b1c4706455d6705",
    27: "b6621ecbe8858dd0177138ab",
    34: "6477c5fff852fa0f617168f9",
    35: "a3611d59fdf758cea4178f69",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
