"""Whole games in a page, with real sessions: taps go up, pages come down."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
import trio

from lanplay.cli import place
from lanplay.config.declared import Settings
from lanplay.games import NAMES
from lanplay.session.settings import TableWish
from lanplay.web import front_end, gate
from tests.session.harness import SHORT, client_of
from tests.web.harness import Browser
from tests.web.walker import whole_game

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", NAMES)
async def test_a_whole_game_is_played_by_taps_alone(name, tmp_path, monkeypatch):
    monkeypatch.setattr(gate, "BURST", 10_000)
    monkeypatch.setattr(gate, "RATE", 10_000)
    with trio.fail_after(110):
        wish = TableWish(name, 2, "random", SHORT.get(name, {}))
        outcome, walker = await whole_game(client_of(tmp_path), wish, seed=3)
    assert outcome.result is not None
    assert set(walker.taps) <= {204, 409}
    assert walker.taps[204] > 5


def test_the_page_that_logs_in_is_gone_when_the_program_ends(monkeypatch):
    """It holds the token: it is there while the browser may read it, and no longer."""
    opened = []

    async def seated(settings, main, shown, again):
        await shown("http://127.0.0.1:1/login?token=secret")

    def open_(uri):
        opened.append(Path(url2pathname(urlsplit(uri).path)))
        assert "token=secret" in opened[0].read_text(encoding="utf-8")

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(front_end, "seated", seated)
    monkeypatch.setattr("webbrowser.open", open_)
    front_end.sit(None, None)
    [page] = opened
    assert not page.parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links are for administrators there")
async def test_the_browser_is_told_where_the_page_that_logs_in_really_lies(monkeypatch, tmp_path):
    """Windows keeps elsewhere what Python of its Store writes: no other finds it by name."""
    opened = []
    (tmp_path / "kept").mkdir()
    (tmp_path / "told").symlink_to(tmp_path / "kept")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", opened.append)
    await front_end.show(tmp_path / "told", "http://127.0.0.1:1/login?token=secret")
    assert opened == [(tmp_path / "kept" / "login.html").resolve().as_uri()]


async def test_a_disk_that_takes_no_page_leaves_the_link_that_is_printed(
    tmp_path, monkeypatch, capsys
):
    """Enter for another link ended the game."""
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", lambda link: pytest.fail(link))
    (tmp_path / "full").write_text("")
    await front_end.show(tmp_path / "full", "http://127.0.0.1:1/login?token=x")
    assert "http://127.0.0.1:1/login?token=x" in capsys.readouterr().err


async def test_whoever_has_closed_the_page_comes_back_by_another_link():
    """Each Enter at the terminal shows one, and it lets one browser in."""
    enter, pressed = trio.open_memory_channel(1)
    entered, twice = [], trio.Event()

    async def shown(link):
        port, token = link.partition("127.0.0.1:")[2].split("/login?token=")
        browser = Browser(int(port), token)
        entered.append([await browser.login(), await browser.login()])
        if len(entered) == 2:
            twice.set()

    async def main(front):
        enter.send_nowait(None)
        with trio.fail_after(60):
            await twice.wait()

    await front_end.seated(Settings(), main, shown, pressed.receive)
    assert entered == [[200, 403], [200, 403]]


@pytest.mark.skipif(sys.platform == "win32", reason="there it ends at once")
def test_whoever_ends_the_program_from_outside_finds_nothing_of_it(tmp_path):
    """SIGTERM ends it as Ctrl-C does: the folder of the page that logs in goes, too."""
    command = [sys.executable, "-m", "lanplay", "play", "charidice", "--web"]
    run = subprocess.Popen(
        [*command, "--data", str(tmp_path / "data")],
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    assert run.stderr.readline().startswith(b"Play in a browser")
    assert list(tmp_path.glob("lanplay-*"))
    run.terminate()
    run.communicate(timeout=60)
    assert run.returncode == 130
    assert not list(tmp_path.glob("lanplay-*"))


def test_nothing_of_it_is_imported_unless_somebody_plays_in_a_browser():
    code = (
        "import sys, lanplay.tui.front_end, lanplay.lines.front_end, lanplay.cli.place;"
        "print([m for m in ('h11', 'markupsafe', 'lanplay.web') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_setting_makes_the_browser_the_default(monkeypatch):
    monkeypatch.setattr(front_end, "sit", lambda settings, main: 7)
    monkeypatch.setattr(place.trio, "run", lambda main, front: 0)
    assert place.run(None, Settings(web=True)) == 7
    assert place.run(None, Settings(plain=True)) == 0
