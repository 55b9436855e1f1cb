"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "5dc94171285720ed408b442c",
    8: "39f10a81cb139ab289dd88b3",
    9: "fe7dfdf66f7ee70d7db8cfee",
    16: "d690d770d45f413ffa963c53",
    17: "9d5bb492f619482ea5bbd327",
    27: "63c97cb06302cd0af8cdcc4f",
    34: "10c1326ad9f080eb1f36a10e",
    35: "fe28b624c1ce5e1c07ece38e",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
