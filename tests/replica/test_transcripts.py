"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "e4fa88623bcac64488f8c1bb",
    8: "c6cebe85b0fa9fdae67a7b3b",
    9: "21caaf855c5249bf24ef848f",
    16: "58dfe0481d2441add310dcfd",
    17: "80c192bd8cd034e9f9b732a9",
    27: "49c8b0acf768407dbdd6cc71",
    34: "7fb559092666692180fb0e49",
    35: "1432f679e4435d448005ffce",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
