"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

REAL_CRYPTO = True
pytestmark = pytest.mark.whole_games

PINNED = {
    4: "033b1c990be3690d35165618",
    8: "7d9e874b7e5a6e00182ac46c",
    9: "46f56005ee0f82a516793a22",
    16: "c81167a3a86692b0d8669f80",
    17: "a278ff5ae1adf0c8330cf909",
    27: "c3b4f004ea8b4143e8a34fca",
    34: "63b321859152500c6cb84a70",
    35: "32878524b74f55b2ad16c776",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
