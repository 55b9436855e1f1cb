"""What pages cost: ``python -m tests.web.measure [GAME ...]`` prints figures and their targets.

The laptop is a process of its own; a tap is drawn when its page has come and is unpacked here.
"""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import time
import tracemalloc
import zlib
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import trio

from lanplay.games import NAMES
from lanplay.session import commands as c
from lanplay.session.audience import EVERYBODY
from lanplay.web import gate
from tests.session.test_commands import until
from tests.web.guests import laptop
from tests.web.harness import Browser, Chunks, options, parsed

GUESTS, TAPS, IDLE = 12, 20, 10.0
IMPORTS = (
    "import trio, lanplay.session.client, lanplay.ui.presenter, time; at = time.process_time();"
    "import lanplay.web.front_end, lanplay.web.inviting; print(time.process_time() - at)"
)


# -- the laptop -----------------------------------------------------------------------------------


async def _serve(folder, game):
    """Serve a table: a line to standard output for each thing that standard input asks for."""
    gate.BURST = gate.RATE = 10_000
    tracemalloc.start()
    async with laptop(folder, game, 3) as eva:
        _tell(eva.phones.invitation.address)
        async for line in trio.wrap_file(sys.stdin):
            match line.strip():
                case "start":
                    eva.session.submit(c.StartGame())
                    await until(lambda: eva.session.snapshot(EVERYBODY).asked)
                    first = eva.seat("Guest 0")
                    eva.session.submit(c.SetAway(eva.seat("Guest 1"), True))
                    await until(lambda first=first: first in eva.session.snapshot(EVERYBODY).asked)
                    _tell("started")
                case "cpu":
                    use = resource.getrusage(resource.RUSAGE_SELF)
                    _tell(use.ru_utime + use.ru_stime)
                case "memory":
                    _tell(tracemalloc.get_traced_memory()[0])
                case "plain":
                    tracemalloc.stop()
                    _tell("ok")
                case "end":
                    break
        at = time.perf_counter()
    _tell(time.perf_counter() - at)


def _tell(what):
    print(what, flush=True)


class Laptop:
    """The process of the laptop, and what is said with it."""

    def __init__(self, folder, game):
        command = [sys.executable, "-P", "-m", "tests.web.measure", "--serve", str(folder), game]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.address = self._line()

    def ask(self, what):
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        return self._line()

    def _line(self):
        return self.process.stdout.readline().strip()


# -- the phones -----------------------------------------------------------------------------------


class Phone:
    """Follows its page; ``at`` is when the last change had come."""

    def __init__(self, browser):
        self.browser, self.page = browser, {}
        self.at, self.sizes = 0.0, []

    async def follow(self, task_status):
        stream = await trio.open_tcp_stream("127.0.0.1", self.browser.port)
        async with stream:
            path = f"{self.browser.path}events"
            await stream.send_all(self.browser.request("GET", path, Accept_Encoding="gzip"))
            chunks, unpacker = Chunks(stream), zlib.decompressobj(16 + 15)
            await chunks.upto(b"\r\n\r\n")
            while True:
                chunk = await chunks.raw_next()
                text = unpacker.decompress(chunk).decode()
                if "event: page" in text:
                    self.at = time.perf_counter()
                    self.sizes.append(len(chunk))
                    data = json.loads(text.partition("event: page\ndata: ")[2].partition("\n")[0])
                    self.page |= data["regions"]
                    task_status.started()
                    task_status = trio.TASK_STATUS_IGNORED


async def _figures(game):
    with TemporaryDirectory() as folder:
        table = Laptop(folder, game)
        port, code = int(table.address.split(":")[2].partition("/")[0]), table.address[-9:]
        browsers = [Browser(port) for _ in range(GUESTS)]
        async with trio.open_nursery() as nursery:
            for number, browser in enumerate(browsers):
                if number == 2:
                    table.ask("start")
                    before = int(table.ask("memory"))
                status, said = await browser.join(code, f"Guest {number}")
                assert status == 200, said
            phones = [Phone(browser) for browser in browsers]
            for phone in phones:
                await nursery.start(phone.follow)
            await trio.sleep(2)
            each = (int(table.ask("memory")) - before) / (GUESTS - 2) / 1024
            table.ask("plain")
            own, load = await _own_taps(phones[0]), float(table.ask("cpu"))
            found = {
                "memory of each guest, KiB (200)": round(each),
                "own tap, ms, p95 (50)": own,
                "tap to the last of 12, ms, median, p95 (100)": await _for_all(phones),
                "the same, ms of the laptop's core": _each(table, load),
                "first message, KB (80)": round(max(p.sizes[0] for p in phones) / 1000, 1),
                "update, KB, median (10)": round(
                    median([s for p in phones for s in p.sizes[1:]]) / 1000, 2
                ),
            }
            load = float(table.ask("cpu"))
            await trio.sleep(IDLE)
            idle = (float(table.ask("cpu")) - load) / IDLE
            found["12 guests idle, % of a core (1)"] = round(100 * idle, 2)
            found["exit with 12 streams, s (0.5)"] = round(float(table.ask("end")), 2)
            nursery.cancel_scope.cancel()
        table.process.wait(10)
        return found


async def _own_taps(phone):
    """Pick and give back: how long each takes until the page shows it."""
    took = []
    for _ in range(TAPS):
        every = options(parsed("".join(phone.page.values())))
        able = [
            (do, b["data-rev"])
            for do, b in every.items()
            if b["data-rev"] and do.startswith(("pick.", "back")) and b["aria-disabled"] != "true"
        ]
        toggled = [each for each in able if every[each[0]]["aria-pressed"]] or able[-1:]
        if not toggled:
            await trio.sleep(0.2)
            continue
        before, begun = phone.at, time.perf_counter()
        await phone.browser.tap(*toggled[0])
        with trio.move_on_after(2):
            await until(lambda before=before: phone.at != before)
            took.append(1000 * (phone.at - begun))
        await trio.sleep(0.1)
    return _p95(took) if len(took) > 2 else "-"


async def _for_all(phones):
    """Pause and go on: how long it takes until the last page shows it."""
    took = []
    for number in range(TAPS):
        begun = time.perf_counter()
        assert await phones[0].browser.tap("do.go" if number % 2 else "do.pause") == 204
        with trio.move_on_after(2):
            await until(lambda begun=begun: min(phone.at for phone in phones) > begun)
            took.append(1000 * (max(phone.at for phone in phones) - begun))
        await trio.sleep(0.3)
    return round(median(took), 1), _p95(took)


def _p95(took):
    return round(quantiles(took, n=20)[-1], 1)


def _each(table, before):
    return round(1000 * (float(table.ask("cpu")) - before) / TAPS, 1)


def _static():
    folder = Path(__file__).parents[2] / "lanplay/web/static"
    every = [folder / name for name in ("client.js", "style.css")]
    return round(sum(len(gzip.compress(each.read_bytes())) for each in every) / 1000, 1)


LOADED = (
    "import trio, lanplay.session.client, lanplay.ui.presenter, tracemalloc; tracemalloc.start();"
    "import lanplay.web.front_end, lanplay.web.inviting, segno;"
    "from lanplay.games import NAMES; from lanplay.web.board import board_of;"
    "[board_of(name) for name in NAMES]; print(tracemalloc.get_traced_memory()[0] / 2**20)"
)


def _loaded():
    command = [sys.executable, "-P", "-c", LOADED]
    return round(float(subprocess.run(command, capture_output=True, check=True).stdout), 1)


def _imports():
    runs = [
        float(
            subprocess.run(
                [sys.executable, "-P", "-c", IMPORTS], capture_output=True, text=True, check=True
            ).stdout
        )
        for _ in range(7)
    ]
    return round(1000 * min(runs))


def main(games):
    print(f"script and style on their way, KB (20): {_static()}")
    print(f"importing the web side, ms of a core, best of 7 (120): {_imports()}")
    print(f"the web side loaded, all boards, MiB (12): {_loaded()}")
    for game in games:
        print(game)
        for name, value in trio.run(_figures, game).items():
            print(f"  {name}: {value}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        trio.run(_serve, Path(sys.argv[2]), sys.argv[3])
    else:
        main(sys.argv[1:] or NAMES)
