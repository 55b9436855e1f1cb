"""Whole games of many replicas are played in a cheap group, where the crypto is not the point."""

from __future__ import annotations

import pytest

from tests.byzantine.stand_ins import installed


@pytest.fixture(scope="module", autouse=True)
def cheap_crypto(request):
    """Replace group and signatures, except where a module has ``REAL_CRYPTO``."""
    if getattr(request.module, "REAL_CRYPTO", False):
        yield
    else:
        with installed():
            yield
