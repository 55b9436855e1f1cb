"""Fixtures for tests that need the LAN laboratory; they skip where it cannot run, saying why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from scripts.campaigns.lan_lab import Lab, available
from scripts.campaigns.lossy_switch import Link

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All laboratory tests run in one worker of pytest-xdist: a lab wants the cores for itself."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("lan"))


@pytest.fixture
def needs_lan() -> None:
    """Skips the test where no laboratory can run."""
    if reason := available():
        pytest.skip(reason)


@pytest.fixture
def lan(needs_lan: None, tmp_path: Path) -> Iterator[Callable[..., Lab]]:
    """Makes running labs: `lan(laptops=2, link=None, seed=1, default_route=False) -> Lab`.

    They end with the test; their outputs and homes stay in the test's `tmp_path` as `lan0`, ...
    """
    with ExitStack() as labs:
        count = 0

        def make(
            laptops: int = 2, link: Link | None = None, seed: int = 1, default_route: bool = False
        ) -> Lab:
            nonlocal count
            place = tmp_path / f"lan{count}"
            count += 1
            lab = Lab(laptops, link, seed, default_route=default_route, directory=place)
            return labs.enter_context(lab)

        yield make
