"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "0861b394f94f67e073d89c24",
    8: "60a71f2daff2c5a75824cb4a",
    9: "9ebb18892b20d7c01d71d974",
    16: "50e105c2af89aa78c8e97fa8",
    17: "6ebffa3ac3d74b4831fc0846",
    27: "fab31f08184ced93d7ddd04a",
    34: "df0d63b2a4f4989013c3cc67",
    35: "87fa472cc2153a3b28608c6a",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
