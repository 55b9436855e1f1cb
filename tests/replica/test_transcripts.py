"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "013f1f1d724a01f3aa3d14d8",
    8: "9420edd8024dccdca6d5a254",
    9: "65ee6fb8505d149d424c99c3",
    16: "072753c5d25e05b1599a9cfd",
    17: "5b0d0568763376bcca672fb4",
    27: "effd983f80df444feea0abcb",
    34: "e6d930b84f38e898e9259652",
    35: "1b026af703d42f1981fd7f4f",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
