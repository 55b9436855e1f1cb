"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "96a5008fefab9135293410f9",
    8: "0eeec5b6b3329774dfd84b5f",
    9: "61a9e07e1c6ea1f0d833aa1d",
    16: "b26e14ba452c0c1e13466461",
    17: "81a3dc26963f218d73dcfcd0",
    27: "7de00c44ee0c419e065636ae",
    34: "f080fa5fbd839e003335aeb8",
    35: "b7f4c4037ce3e1124cc7fcb0",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
