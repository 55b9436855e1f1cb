"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

PINNED = {
    4: "2bba7b49964a268652c4eff2",
    8: "30d18959e2590980c5c99b5a",
    9: "7aadc4d56dcdab54d873520e",
    16: "9ba5bc7fa3a7d251d64f9623",
    17: "cf6f50aa58a298a64059fd06",
    27: "1a4798e673bb6882c07a5428",
    34: "40309743f04d85491aa46262",
    35: "55aff29eded23003a066924c",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
