"""What tests of languages share."""

from __future__ import annotations

from functools import cache

import pytest

from lanplay.language import TAGS


@cache
def lag(tag: str) -> int:
    """Return how many texts a language lacks."""
    if tag == TAGS[0]:
        return 0
    catalogs = pytest.importorskip("scripts.catalogs", reason="needs babel")
    return catalogs.lacking(tag, catalogs.extract())


@pytest.fixture
def whole(tag):
    """Judge sentences only where none of them is still in English; a release has to be whole."""
    if missing := lag(tag):
        pytest.skip(f"{tag}: {missing} texts are not translated yet")
