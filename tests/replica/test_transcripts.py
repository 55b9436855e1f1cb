"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "80b8654539b02037359ad793",
    8: "6d0a7fec6297d4f12d83bddf",
    9: "391ce5cb371b5c519258bb19",
    16: "abc06b53ead92a67f0b8042a",
    17: "2e5902f3ff007fdefb241d81",
    27: "9059bbb89b3074f475f92395",
    34: "b9f9f2c93e48c0bb4e2641d6",
    35: "6ae5d6cb30907ebfe09bfeba",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
