"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "a07c3e0eb9f3174fdbb0d8c3",
    8: "40f59229e3a0dbb200a89775",
    9: "b27c7812696bae8e991692e6",
    16: "4a9156151bfb810c7750370d",
    17: "80c192bd8cd034e9f9b732a9",
    27: "abf07d3c5cf4644e17a7493c",
    34: "5d0abbab060f2218c7022c3b",
    35: "1432f679e4435d448005ffce",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
