"""A game in Firefox, driven over WebDriver BiDi: ``python -m tests.web.firefox [GAME]``.

Tom joins on a phone's viewport and plays to the end by touch, Eva on a laptop's by the keyboard
alone; in the middle Tom's page goes away, as when a phone sleeps, and comes back by the browser's
history. Exit status 1 with what is wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from base64 import b64decode
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web.chromium import FITS, SIZES, TAPS, TINY, program

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
KEYS = {"Tab": "\ue004", "Enter": "\ue006"}
STUCK_SECONDS = 400.0


class WebSocket:
    """Texts to and from a server of RFC 6455, one after the other."""

    def __init__(self, port, path):
        self._socket = socket.create_connection(("127.0.0.1", port), 60)
        heads = f"Host: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        heads += "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n"
        self._socket.sendall(f"GET {path} HTTP/1.1\r\n{heads}\r\n".encode())
        self._stream = self._socket.makefile("rb")
        assert b" 101 " in self._stream.readline()
        while self._stream.readline().strip():
            pass

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))
        self._socket.sendall(b"\x81" + size + mask + masked)

    def receive(self):
        whole = b""
        while True:
            first, size = self._stream.read(2)
            if size > 125:
                size = int.from_bytes(self._stream.read(2 if size == 126 else 8))
            data = self._stream.read(size)
            if first & 15 in (0, 1):
                whole += data
            if first & 0x80 and first & 15 in (0, 1):
                return whole.decode()


class Firefox:
    """Commands of WebDriver BiDi."""

    def __init__(self, port):
        self._socket, self._numbers = WebSocket(port, "/session"), count(1)
        self.ask("session.new", capabilities={})

    def ask(self, method, **params):
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self._socket.receive())).get("id") != number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def window(self, size):
        return Window(self, self.ask("browsingContext.create", type="window")["context"], size)


class Window:
    """A page of Firefox, as large as one of ``SIZES``."""

    def __init__(self, browser, context, size):
        self._browser, self._at = browser, {"context": context}
        viewport = dict(zip(("width", "height"), SIZES[size], strict=True))
        browser.ask("browsingContext.setViewport", **self._at, viewport=viewport)

    def go(self, url):
        self._browser.ask("browsingContext.navigate", **self._at, url=url, wait="complete")

    def back(self):
        self._browser.ask("browsingContext.traverseHistory", **self._at, delta=-1)

    def evaluate(self, expression):
        """Return what an expression of JavaScript is, by way of JSON."""
        text = f"JSON.stringify({expression}) ?? null"
        how = {"expression": text, "target": self._at, "awaitPromise": True}
        result = self._browser.ask("script.evaluate", **how)
        assert result["type"] == "success", result
        return json.loads(result["result"].get("value") or "null")

    def until(self, expression, seconds=60.0):
        end = time.monotonic() + seconds
        while not (found := self.evaluate(expression)):
            assert time.monotonic() < end, (
                f"never: {expression}\n{self.evaluate('document.body.innerText')}"
            )
            time.sleep(0.05)
        return found

    def tap(self, selector):
        """Touch an element with a finger."""
        found = json.dumps(selector)
        self.evaluate(f"document.querySelector({found}).scrollIntoView({{block: 'center'}})")
        x, y = self.evaluate(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
            f"(document.querySelector({found}).getBoundingClientRect())"
        )
        finger = [
            {"type": "pointerMove", "x": int(x), "y": int(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        how = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}}
        self._browser.ask("input.performActions", **self._at, actions=[{**how, "actions": finger}])

    def press(self, key):
        value = KEYS.get(key, key)
        actions = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        keys = {"type": "key", "id": "keys", "actions": actions}
        self._browser.ask("browsingContext.activate", **self._at)
        self._browser.ask("input.performActions", **self._at, actions=[keys])

    def picture(self, path):
        shot = self._browser.ask("browsingContext.captureScreenshot", **self._at)
        path.write_bytes(b64decode(shot["data"]))


@contextmanager
def firefox():
    """Run Firefox without a screen; yield what drives it."""
    with TemporaryDirectory() as home:
        calm = 'user_pref("ui.prefersReducedMotion", 1);\n'
        Path(home, "user.js").write_text(calm)
        flags = ("--headless", "--remote-debugging-port=0", "--no-remote", "--profile", home)
        env = {**os.environ, "HOME": home, "MOZ_DISABLE_CONTENT_SANDBOX": "1"}
        process = subprocess.Popen(
            [FIREFOX, *flags], env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        try:
            line = next(line for line in process.stderr if "ws://" in line)
            yield Firefox(int(line.rsplit(":", 1)[1].split("/")[0]))
        finally:
            process.terminate()
            process.communicate(timeout=30)


# -- the game -------------------------------------------------------------------------------------


def next_tap(page, picked):
    """Return what answers the question that a page asks, if any."""
    pick, way, revision = page.evaluate(f"({TAPS})()")
    do = way if way and (not pick or revision in picked) else pick
    if do is None:
        return None
    picked.add(revision)
    return do, revision


def by_touch(page, do, revision):
    time.sleep(0.4)  # taps on what is new are ignored for a moment
    selector = f"[data-do='{do}'][data-rev='{revision}']"
    if page.evaluate(f"!!document.querySelector({json.dumps(selector)})"):
        page.tap(selector)


def by_keys(page, do, revision):
    for _ in range(150):
        here = page.evaluate("(d => [d.do ?? null, d.rev ?? null])(document.activeElement.dataset)")
        if here == [do, revision]:
            page.press("Enter")
            time.sleep(0.1)
            return
        if not page.evaluate(f"!!document.querySelector(\"[data-rev='{revision}']\")"):
            return  # the game went on meanwhile
        page.press("Tab")
    raise AssertionError(f"{do} is not reached by the keyboard")


def play(eva, tom):
    """Play to the end; return how often each has answered."""
    taps, picked = {eva: 0, tom: 0}, {eva: set(), tom: set()}
    end = time.monotonic() + STUCK_SECONDS
    while not eva.evaluate("!!document.querySelector('[data-do=done]')"):
        assert time.monotonic() < end, "stuck"
        for page, way in ((eva, by_keys), (tom, by_touch)):
            if (todo := next_tap(page, picked[page])) is not None:
                way(page, *todo)
                taps[page] += 1
                assert page.evaluate(FITS)
                assert page.evaluate(TINY) == []
        if taps[tom] == 5:
            asked = tom.evaluate("location.pathname")
            tom.go("about:blank")
            time.sleep(2)
            tom.back()
            tom.until("!!document.getElementById('asked')")
            assert tom.evaluate("location.pathname") == asked
            taps[tom] += 1
        time.sleep(0.05)
    tom.until("!!document.querySelector('[data-do=done]')")
    return taps[eva], taps[tom]


def main(game, folder=None):
    began = time.monotonic()
    arguments = (game, "--seats", "2", "--interface", "127.0.0.1")
    with (
        TemporaryDirectory() as data,
        program(Path(data), *arguments, verb="host") as link,
        firefox() as browser,
    ):
        eva, tom = browser.window("laptop"), browser.window("phone")
        eva.go(link)
        eva.until("!!document.querySelector('[data-do=invite]')")
        time.sleep(0.5)
        eva.tap("[data-do=invite]")
        tom.go(eva.until("document.querySelector('.link')?.innerText"))
        for letter in "Tom":
            tom.press(letter)
        tom.tap("button.main")
        tom.until("!!document.getElementById('page')")
        time.sleep(0.5)
        eva.tap("[data-do=close]")
        eva.until("document.body.innerText.includes('with Eva')")
        eva.tap("[data-do=start]")
        eva.until("!!document.getElementById('asked')")
        if folder:
            tom.picture(Path(folder) / f"{game}-firefox.png")
        taps = play(eva, tom)
    seconds = round(time.monotonic() - began)
    print(f"{game}: {taps[0]} answers by keys, {taps[1]} by touch, {seconds} s")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["charidice"]))
