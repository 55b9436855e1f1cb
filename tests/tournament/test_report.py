"""What people read of a tournament: the page, the tables, the terminal."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.tournament import plots, report
from lanplay.tournament.plan import make_plan
from lanplay.tournament.progress import ProgressLines, duration
from lanplay.tournament.report import page, write_report
from lanplay.tournament.storage import Folder, Goal, alone
from lanplay.tournament.tables import summary
from tests.tournament.conftest import concluded, played

DRAWN = True
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
STARTED, NOBODY = "URL_REQUEST_START_JOB", "not an origin"
BROWSER = os.environ.get("LANPLAY_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), "")


class Page(HTMLParser):
    """Collects what a page refers to, its headings and its text."""

    def __init__(self, text):
        super().__init__()
        self.links, self.tags, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "srcset", "data")]

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    plan = make_plan("dice-town", ["random", "random", "random"], seats=2, seed=7)
    return played(plan, tmp_path_factory.mktemp("run"), Goal(6))


@pytest.fixture(scope="module")
def found(run):
    return concluded(run)


def test_the_page_has_everything_inside(run, found):
    """The page refers to nothing outside itself, runs no script, and forbids both."""
    write_report(run.folder, found)
    text = (run.folder.path / "report.html").read_text(encoding="utf-8")
    shown = Page(text)
    assert all(link.startswith("data:") for link in shown.links)
    assert not {"script", "iframe", "object", "embed"} & set(shown.tags)
    assert "default-src 'none'" in text
    assert found["games_hash"] in shown.text
    for heading in ("Entrants", "One against another", "The seats", "Again"):
        assert heading in shown.text


@pytest.mark.skipif(not plots.available(), reason="matplotlib is not installed")
def test_names_however_long_leave_room_for_the_drawings(found):
    """A bot may be a path: matplotlib would warn that nothing is left, and draw nothing."""
    entrants = [
        each | {"label": f"cmd:python3 {'/a-long-folder' * 10}/{each['label']}"}
        for each in found["entrants"]
    ]
    drawn = list(plots.plots({**found, "entrants": entrants}))
    assert "/random#2" in drawn[0].svg
    assert all("long-folder/a-long-folder" not in each.svg for each in drawn)


@pytest.mark.skipif(not plots.available(), reason="matplotlib is not installed")
def test_the_drawings_need_nothing_else(run, found):
    """Each drawing is SVG that refers to itself alone, with the entrants' names as text."""
    drawn = list(plots.plots(found))
    assert [plot.title for plot in drawn] == [
        "Ratings",
        "Scores",
        "Income by source",
        "Seats",
        "Game length",
    ]
    for plot in drawn:
        assert ET.fromstring(plot.svg).tag == "{http://www.w3.org/2000/svg}svg"
        links = [part.split('"')[0] for part in plot.svg.split('xlink:href="')[1:]]
        assert all(link.startswith(("#", "data:")) for link in links)
    assert "random#2" in drawn[0].svg
    assert page(found, drawn) == page(found, list(plots.plots(found)))


def test_without_the_drawing_library_there_is_a_page(run, found, monkeypatch):
    """Without matplotlib the page has its tables, and a sentence says what is missing."""
    monkeypatch.setattr(report, "available", lambda: False)
    notes = write_report(run.folder, found)
    assert "install" in notes[0]
    assert "img" not in Page((run.folder.path / "report.html").read_text()).tags


def test_names_cannot_break_the_page(found):
    """Whatever a bot is called, it is shown as text."""
    evil = json.loads(json.dumps(found).replace("random#2", "<script>x</script>"))
    assert "script" not in Page(page(evil, [])).tags


def requested(log):
    """What a page asked for, by Chromium's log of the network: its own services have no origin."""
    [started] = [n for name, n in log["constants"]["logEventTypes"].items() if name == STARTED]
    jobs = [e["params"] for e in log["events"] if e["type"] == started and "params" in e]
    return [job["url"] for job in jobs if job.get("initiator", NOBODY) != NOBODY]


def seen(page, folder):
    """Show a page in headless Chromium: its picture's size, its console, what it asked for."""
    shot, log = folder / "page.png", folder / "net.json"
    done = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={folder / 'profile'}",
            "--enable-logging=stderr",
            f"--log-net-log={log}",
            f"--screenshot={shot}",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return shot.stat().st_size, done.stderr, requested(json.loads(log.read_text()))


@pytest.mark.skipif(not BROWSER, reason="no Chromium here; LANPLAY_CHROMIUM can name one")
def test_a_browser_shows_it_without_network(run, found, tmp_path):
    """Headless Chromium draws the page, logs no console message, and the page asks for nothing."""
    write_report(run.folder, found)
    page = run.folder.path / "report.html"
    shot, said, asked = seen(page, tmp_path)
    assert shot > 20_000
    assert "CONSOLE" not in said
    assert asked == []


@pytest.mark.skipif(not BROWSER, reason="no Chromium here; LANPLAY_CHROMIUM can name one")
def test_what_a_page_asks_for_is_noticed(tmp_path):
    """The test above would see a picture from elsewhere, and the console's words."""
    page = tmp_path / "page.html"
    page.write_text('<img src="http://127.0.0.1:9/x.png"><script>console.log("x")</script>')
    _, said, asked = seen(page, tmp_path)
    assert "CONSOLE" in said
    assert asked == ["http://127.0.0.1:9/x.png"]


def test_the_summary_names_everybody(run, found):
    """The terminal's table has a line for each entrant, best first, and the hash."""
    text = summary(found, run.timing)
    assert len(text.splitlines()) == 6
    assert all(entrant["label"] in text for entrant in found["entrants"])
    assert found["games_hash"] in text


def test_results_add_up(found):
    """Win shares of all entrants make one for each seat's share; counts make all games."""
    shares = [each["win_share"]["mean"] for each in found["entrants"]]
    assert sum(shares) / len(shares) == pytest.approx(1 / 2)
    assert sum(found["rounds"].values()) == found["games"] == 12
    for entrant in found["entrants"]:
        assert sum(entrant["scores"].values()) == entrant["played"] == 8
    assert sum(each["rating"]["mean"] for each in found["entrants"]) == pytest.approx(0, abs=0.2)


def test_lines_come_once_in_a_while(capsys):
    """Without a terminal a line comes at once and at the end, not for every deal."""
    lines = ProgressLines()
    for games in range(0, 101, 2):
        lines.at(games, 100, 0)
    shown = capsys.readouterr().err.splitlines()
    assert shown[0] == "Games: 0 of 100"
    assert shown[-1].startswith("Games: 100 of 100")
    assert len(shown) == 2
    live = ProgressLines(live=True)
    live.at(100, 100, 120)
    live.at(100, 100, 0)
    live.end()
    told = capsys.readouterr().err
    assert "\x1b" not in told, "not every console of Windows obeys it"
    first, second = told.removeprefix("\r").split("\r")
    assert "faults: 120" in first
    assert second.removesuffix("\n") == "Games: 100 of 100".ljust(len(first))
    ProgressLines().at(4, 100, 12)
    assert capsys.readouterr().err == "Games: 4 of 100, faults: 12\n", (
        "so nobody plays on for a night"
    )
    assert [duration(seconds) for seconds in (0, 61, 3661)] == ["0:00", "1:01", "1:01:01"]


def test_the_command(tmp_path, capsys, monkeypatch):
    """A tournament from the command line: rounding is said, files are there, it is not redone."""
    monkeypatch.setattr(report, "available", lambda: False)
    out = str(tmp_path / "out put")
    command = ["tournament", "dice-town", "random", "random", "--games", "3", "--jobs", "1"]
    assert main([*command, "--out", out, "--quiet", "--json"]) == 0
    shown = capsys.readouterr().out
    assert "4 games will be played" in shown
    assert json.loads(shown.splitlines()[-1])["games"] == 4
    written = {path.name for path in Path(out).iterdir()}
    assert {"results.json", "games.csv", "entrants.csv", "report.html", "timing.json"} <= written
    assert main([*command, "--out", out]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main(["tournament", "--resume", out, "--quiet"]) == 0
    assert main(["tournament", "--resume", out, "--games", "2"]) == 2
    assert "already has 4 games" in capsys.readouterr().err
    assert main(["replay", out, "--game", "4", "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["seats"] == ["random#2", "random"]


def test_one_process_at_a_time(tmp_path, capsys):
    """A folder in which another process plays is left alone."""
    with alone(tmp_path):
        assert main(["tournament", "dice-town", "random", "random", "--out", str(tmp_path)]) == 2
    assert "Another lanplay" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ([], "No game is named"),
        (["dice-town", "random", "random", "--jobs", "none"], "auto or a number"),
        (["dice-town", "random", "random", "--games", "0"], "--games"),
        (["dice-town", "random", "nobody"], "nobody"),
        (["dice-town", "random", "random", "--option", "x"], "NAME=VALUE"),
        (["dice-town", "random", "random", "--sprt", "a=1,b=3"], "from 1 to 2"),
        (["dice-town", *["random"] * 3, "--schedule", "field", "--sprt", "elo1=5"], "never play"),
        (["--resume", "nowhere"], "holds no tournament"),
        (["dice-town", "--resume", "nowhere"], "Do not name a game or bots"),
        *(
            (["--resume", "nowhere", *each.split()], f"{each.split()[0]} cannot be changed")
            for each in (
                "--seats 2",
                "--seed 1",
                "--option a=b",
                "--schedule field",
                "--orders all",
                "--sprt elo1=5",
                "--out elsewhere",
                "--records",
            )
        ),
    ],
)
def test_what_cannot_be_leaves_nothing_behind(arguments, hint, tmp_path, monkeypatch, capsys):
    """Wrong arguments end with status 2 and a sentence; no folder is made."""
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", *arguments]) == 2
    assert hint in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_page_holds_its_drawings(found):
    """What was drawn stands in the page as it was drawn."""
    drawing = plots.Plot("T", "C", "<svg/>")
    assert base64.b64encode(b"<svg/>").decode() in page(found, [drawing])


def test_a_folder_without_games_has_no_such_game(tmp_path, capsys):
    """A replay from a folder that is no tournament says so."""
    assert main(["replay", str(tmp_path), "--game", "1"]) == 2
    assert "holds no tournament" in capsys.readouterr().err
    assert Folder(tmp_path).read_timing() == {}


def test_the_report_of_a_sealed_run_does_not_speak_of_the_same_luck(tmp_path):
    """Among strangers no two games have it, and the seed is told once all is played."""
    plan = make_plan("charidice", ["random", "beginner"], seed=3, sealed=True)
    found = played(plan, tmp_path / "run", Goal(2)).found()
    assert "under the same luck" not in page(found, [])
    assert f"seed 3 (commitment {plan.commitment})" in page(found, [])
    assert f"seed still secret (commitment {plan.commitment})" in page({**found, "seed": None}, [])
