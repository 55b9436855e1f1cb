"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True
pytestmark = pytest.mark.whole_games

PINNED = {
    4: "96e6e2f2907e0bc5afaf3db5",
    8: "044d20513e43a01a55db4a8b",
    9: "50cbe8b12c84435a2722d180",
    16: "c146b688a630d3fde616b570",
    17: "009aed405886e5c8566e5928",
    27: "78bed5ff72de1e412b6f33c3",
    34: "b1c85e6152650d7bc7bfdcf9",
    35: "b5724573d3ce4d7f7ec6cbe7",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
