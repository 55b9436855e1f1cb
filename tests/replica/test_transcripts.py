"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "9a618d75737f407a3af8a8d6",
    8: "0ea326d0647b4179614938fd",
    9: "61a9e07e1c6ea1f0d833aa1d",
    16: "aad3f5b5828b4486a14c620c",
    17: "81a3dc26963f218d73dcfcd0",
    27: "7de00c44ee0c419e065636ae",
    34: "f080fa5fbd839e003335aeb8",
    35: "b7f4c4037ce3e1124cc7fcb0",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
