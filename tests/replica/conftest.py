"""Whole games of many replicas are played in a cheap group, where the crypto is not the point."""

from __future__ import annotations

from functools import lru_cache

import pytest

from lanplay_protocol.replica import evidence
from tests.byzantine.stand_ins import installed


@pytest.fixture(scope="package", autouse=True)
def read_once():
    """Let the replicas of one process read a statement once: it says the same to all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evidence, "read", lru_cache(1 << 12)(evidence.read))
        yield


@pytest.fixture(scope="module", autouse=True)
def cheap_crypto(request):
    """Replace group and signatures, except where a module has ``REAL_CRYPTO``."""
    if getattr(request.module, "REAL_CRYPTO", False):
        yield
    else:
        with installed():
            yield
