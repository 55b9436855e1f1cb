"""``--guests tls`` where the package that makes certificates is not installed."""

from __future__ import annotations

import pytest

from lanplay import extras
from lanplay.errors import Mistake
from lanplay.web.certificate import certificate


def test_without_its_package_the_flag_says_what_to_install(monkeypatch, tmp_path):
    """Nothing is made, and the sentence names package and command."""
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(Mistake, match="cryptography") as told:
        certificate(tmp_path)
    assert "install" in str(told.value)
    assert list(tmp_path.iterdir()) == []
