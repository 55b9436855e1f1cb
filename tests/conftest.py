"""No test depends on what the person who runs it has set and kept, or on how it was started."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections import Counter

import pytest
from hypothesis import settings

from lanplay import language
from lanplay.garbage import SELDOM
from lanplay.tournament import report
from tests.short_games import LONGER, short

settings.register_profile("unhurried", deadline=None)  # other work beside is no fault of a test
settings.load_profile("unhurried")

MEMORY = "/dev/shm"
ROOM = 4 << 30

SHORT = ("replica", "session", "shell", "web")


def pytest_configure(config: pytest.Config):
    """Look for garbage seldom; keep in memory what tests write, thousands of files, where it has
    room and may hold programs.

    It is gone at the end; a ``TMPDIR`` of one's own is kept.
    """
    gc.set_threshold(*SELDOM)
    if "TMPDIR" not in os.environ and in_memory():
        folder = tempfile.TemporaryDirectory(dir=MEMORY)
        os.environ["TMPDIR"], tempfile.tempdir = folder.name, None
        config.add_cleanup(folder.cleanup)


def pytest_addoption(parser: pytest.Parser):
    parser.addoption("--all", action="store_true", help="with what is left for the night, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]):
    """Leave to the night what is ``nightly``, and of a ``sweep(n)`` all but every n-th case.

    Whatever is asked for by its name runs, and everything with ``--all``.
    """
    if config.getoption("--all") or any("::" in each for each in config.args):
        return
    seen, kept, left = Counter[str](), list[pytest.Item](), list[pytest.Item]()
    for item in items:
        sweep, name = item.get_closest_marker("sweep"), item.nodeid.partition("[")[0]
        later = seen[name] % sweep.args[0] if sweep else item.get_closest_marker("nightly")
        (left if later else kept).append(item)
        seen[name] += 1
    items[:] = kept
    config.hook.pytest_deselected(items=left)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Look for no garbage among the thousands of tests, which stay."""
    gc.freeze()


def in_memory():
    if sys.platform != "linux" or not os.access(MEMORY, os.W_OK):
        return False
    found = os.statvfs(MEMORY)
    return found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC


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


@pytest.fixture(scope="session", autouse=True)
def interruptible():
    """Let started programs obey Ctrl-C and SIGHUP even where a shell or nohup has them ignored."""
    usual = {signal.SIGINT: signal.default_int_handler}
    if sys.platform != "win32":
        usual[signal.SIGHUP] = signal.SIG_DFL
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="module", autouse=True)
def undrawn(request):
    """Let the pages of tournaments have no drawings, except where a module has ``DRAWN``."""
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "DRAWN", False):
            patch.setattr(report, "plots", lambda found: ())
        yield


@pytest.fixture(autouse=True)
def english():
    """Let no test leave its language to the next one."""
    with language.speaking("en"):
        yield


@pytest.fixture(scope="module", autouse=True)
def short_games(request):
    """Let two games end early where programs or replicas play whole ones (see ``short_games``)."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.parent.name in SHORT and not request.node.get_closest_marker("whole_games"):
            short(patch.setattr)
        yield


@pytest.fixture(autouse=True)
def longer_games(request):
    """Let them end later for a test that says so."""
    with pytest.MonkeyPatch.context() as patch:
        if (wanted := request.node.get_closest_marker("longer_games")) is not None:
            short(patch.setattr, *(wanted.args or LONGER))
        yield
