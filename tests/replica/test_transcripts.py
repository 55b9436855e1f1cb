"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "b83790e6be4a116aaebf403d",
    8: "d9b0206f62e877b65f01f3b2",
    9: "391ce5cb371b5c519258bb19",
    16: "abc06b53ead92a67f0b8042a",
    17: "ca174d9dd3c2a2b5022ac73e",
    27: "e394cb8b47830d2a23fd456d",
    34: "96cb474ce5d886cd4ba6d31e",
    35: "afdc1be4273bf9e787dc2401",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
