"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True
pytestmark = pytest.mark.whole_games

PINNED = {
    4: "368a0fbe9f4a36246f30461a",
    8: "282d25565e709373e2974fdc",
    9: "df3ec13eb12faa83b7de0b68",
    16: "b13d958a44345d39ffa1abef",
    17: "4954c422f6ecb43aadef7549",
    27: "d9662af3c9b42632ce89b4f0",
    34: "591dc2c92a4d49fd57da98f0",
    35: "47d988719f3aed52f0609537",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
