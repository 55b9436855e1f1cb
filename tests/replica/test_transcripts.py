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
    17: "ca174d9dd3c2a2b5022ac73e",
    27: "e394cb8b47830d2a23fd456d",
    34: "b9f9f2c93e48c0bb4e2641d6",
    35: "afdc1be4273bf9e787dc2401",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
