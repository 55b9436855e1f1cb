"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

PINNED = {
    4: "c61a3079540702e03dfcb948",
    8: "14604041c7e25b29f3995791",
    9: "8224dd28925423cd978f27b6",
    16: "3afe0aec62c3e3ee96bccdd7",
    17: "351661fad12524cbd1c0f405",
    27: "1ad9f77070d667f296ef702e",
    34: "ffae6ded06b87de469524be2",
    35: "c1043a09ed0cf51d4f8fbd32",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
