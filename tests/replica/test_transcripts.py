"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True
pytestmark = pytest.mark.whole_games

PINNED = {
    4: "d3cc0d888a2b7080fea9e741",
    8: "ddae9e58a940e5f827eeb245",
    9: "37612d5235141578ce63900a",
    16: "15d0bb7138de4cb563705b75",
    17: "785ec742c6b2ace9f826924f",
    27: "2088a4cce8da75d3ab79a2cb",
    34: "ecd0233ed5d10e856e031659",
    35: "15c0b28110110d77106bdfb7",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
