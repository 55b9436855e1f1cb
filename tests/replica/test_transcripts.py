"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "a225cedd24dc24b7dfae7370",
    8: "6d0a7fec6297d4f12d83bddf",
    9: "daf9cb05f9410a342350b50d",
    16: "0bc7c62d0edf3377f67232d6",
    17: "bd50a3cf0d2a36f9243d1228",
    27: "acc06240f775bcb598136a14",
    34: "369eeaff5f8e72c6ec9ac5dc",
    35: "6ae5d6cb30907ebfe09bfeba",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
