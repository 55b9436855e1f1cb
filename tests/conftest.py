"""No test reads or writes what the person who runs it has set and kept."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory):
    """Give this session settings and data of its own, which started programs inherit."""
    folder = tmp_path_factory.mktemp("settings")
    with pytest.MonkeyPatch.context() as patch:
        for name in [*os.environ]:
            if name.startswith("LANPLAY_"):
                patch.delenv(name)
        patch.setenv("LANPLAY_CONFIG", str(folder / "config.toml"))
        patch.setenv("LANPLAY_DATA", str(folder / "data"))
        patch.setenv("LANGUAGE", "en")
        yield
