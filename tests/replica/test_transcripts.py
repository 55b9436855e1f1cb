"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True

PINNED = {
    4: "885869b258b6ace9235559aa",
    8: "a909afbca8dfbf2e1323119f",
    9: "46315fd7aff4489693971e3a",
    16: "52b976f8e3f4d2a768ce3115",
    17: "280550001b1c4706455d6705",
    27: "b6621ecbe8858dd0177138ab",
    34: "e8cbf07942726d1530f11968",
    35: "b6e42a3d612dffab02cc00ad",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
