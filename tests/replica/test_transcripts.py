"""The transcripts of seeded tables stay the same bytes (see ``tests.replica.transcripts``)."""

from __future__ import annotations

import pytest

from tests.replica.transcripts import transcript

PINNED = {
    4: "0207ebd8c2d1da0723e9c0a7",
    8: "cb9d14b544497f13876c2800",
    9: "2caa138877d93acf932a6097",
    16: "7ef9f344eb1d94d0c435d386",
    17: "89dcf455f689f539d01f490e",
    27: "e6b83f23658fa4762dab4a7d",
    34: "3ec34ddd0c2b3acd2faba134",
    35: "0aa3679c7a41ad2fc1d9dae7",
}


@pytest.mark.parametrize("seed", PINNED)
def test_the_transcripts_of_seeded_tables_stay_the_same_bytes(seed):
    assert transcript(seed) == PINNED[seed]
