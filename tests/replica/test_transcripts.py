"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "aa76367898a0cb52ada8b425",
    8: "9420edd8024dccdca6d5a254",
    9: "5cb02199d1f33bcf40c1e5aa",
    16: "73f77dc897fcb131f1d18a9e",
    17: "c7bca4a195a7d8438ca97fa1",
    27: "ae292f48fcd3ebb4ab549fe1",
    34: "e6d930b84f38e898e9259652",
    35: "fe07d553b84187e4b1c159a2",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
