"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True
pytestmark = pytest.mark.whole_games

PINNED = {
    4: "12a6856ad5856c67c1a839cc",
    8: "8d011336f7fa8efcff77bbcf",
    9: "30b4f791cfa26553d11b9308",
    16: "a5da0f01fa55cd64e4a2fd3f",
    17: "8614fba73c508b800ea35e23",
    27: "1195ba1bf24a148538cd6c24",
    34: "591dc2c92a4d49fd57da98f0",
    35: "78d6fb4ba6c02f51602a287d",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
