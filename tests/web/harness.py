"""A browser without a browser: requests and streams over plain sockets, and pages taken apart."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from functools import partial
from html.parser import HTMLParser
from urllib.parse import urlencode

import trio

from lanplay.web.elements import el
from lanplay.web.gate import WebGate
from lanplay.web.http import HttpServer
from lanplay.web.live import Tap
from lanplay.web.regions import whole as all_regions
from lanplay.web.site import Site, by_link
from lanplay.web.taste import Taste

VOID = {"input", "link", "meta", "br", "hr"}


class Element:
    """An element of a page."""

    def __init__(self, name, attributes, parent=None):
        self.name, self.parent = name, parent
        self.attributes = dict(attributes)
        self.kids = []

    def all(self, name=None):
        """Yield this element and all inside, or those of a name."""
        if name is None or self.name == name:
            yield self
        for kid in self.kids:
            if isinstance(kid, Element):
                yield from kid.all(name)

    @property
    def text(self):
        return "".join(kid if isinstance(kid, str) else kid.text for kid in self.kids)

    @property
    def shape(self):
        """The elements without their texts and values."""
        kids = [kid.shape for kid in self.kids if isinstance(kid, Element)]
        return self.name, sorted(self.attributes), kids

    def __getitem__(self, name):
        return self.attributes.get(name)


class Reader(HTMLParser):
    """Takes HTML apart; every element has to be closed."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element("root", [])

    def handle_starttag(self, tag, attrs):
        element = Element(tag, attrs, self.at)
        self.at.kids.append(element)
        if tag not in VOID:
            self.at = element

    def handle_endtag(self, tag):
        assert self.at.name == tag, f"</{tag}> closes <{self.at.name}>"
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.kids.append(data)


def parsed(html):
    """Return the root above the elements of a page, which is well formed."""
    reader = Reader()
    reader.feed(str(html))
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.name}> is open"
    return reader.root


def options(root):
    """Return the buttons of a page by what they do; of several the first."""
    found = {}
    for button in root.all("button"):
        if button["data-do"]:
            found.setdefault(button["data-do"], button)
    return found


@asynccontextmanager
async def served(person, now=trio.current_time):
    """Serve a person's pages; yield a browser that has a link."""
    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        port = listeners[0].socket.getsockname()[1]
        gate = WebGate((f"http://127.0.0.1:{port}",), now)
        server = HttpServer(Site(gate, by_link(gate)).answer)
        nursery.start_soon(trio.serve_listeners, server.connection, listeners)
        browser = Browser(port, gate.link(person))
        browser.gate = gate
        yield browser
        nursery.cancel_scope.cancel()


class Browser:
    """Knows a cookie and the path of its pages once it has logged in."""

    def __init__(self, port, token=""):
        self.port, self.token = port, token
        self.host = f"127.0.0.1:{port}"
        self.cookie = self.path = ""

    async def raw(self, data, most=1 << 20):
        """Send bytes on a connection of their own and return all that comes until it closes."""
        stream = await trio.open_tcp_stream("127.0.0.1", self.port)
        async with stream:
            await stream.send_all(data)
            return await whole(stream, most)

    def request(self, method, path, fields=None, **headers):
        """Return a request as bytes; a header that is ``None`` is left out."""
        body = urlencode(fields or {}).encode() if method == "POST" else b""
        heads = {"Host": self.host, "Connection": "close"}
        if self.cookie:
            heads["Cookie"] = self.cookie
        if method == "POST":
            heads |= {"Origin": f"http://{self.host}", "Content-Length": str(len(body))}
        heads |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{name}: {value}" for name, value in heads.items() if value is not None]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode() + body

    async def ask(self, method, path, fields=None, **headers):
        """Return status, headers and body of the reply."""
        return taken_apart(await self.raw(self.request(method, path, fields, **headers)))

    async def login(self):
        """Use up the link; return the status."""
        return await self.enter(f"/login?token={self.token}")

    async def enter(self, path):
        """Fetch a page that lets one in; return the status."""
        status, heads, _body = await self.ask("GET", path)
        if status == 200 and "set-cookie" in heads:
            cookie = heads["set-cookie"]
            self.cookie = cookie.partition(";")[0]
            self.path = cookie.rpartition("Path=")[2]
        return status

    async def join(self, code, name, again=True):
        """Give the code and a name; return the status, and what the page says.

        ``again``: whoever has that name here asks for its seat.
        """
        fields = {"name": name, "again": "1"} if again else {"name": name}
        status, heads, body = await self.ask("POST", f"/{code}", fields)
        if status == 200:
            self.cookie, _sep, rest = heads["set-cookie"].partition(";")
            self.path = rest.rpartition("Path=")[2]
        return status, parsed(body.decode().partition("<body>")[2].rpartition("</body>")[0]).text

    async def tap(self, do, revision="", **fields):
        """Tap; return the status."""
        every = {"do": do, "rev": revision or "", **fields}
        return (await self.ask("POST", f"{self.path}tap", every))[0]

    @asynccontextmanager
    async def stream(self):
        """Open the stream of the page; yield what reads its next event, as (name, data)."""
        stream = await trio.open_tcp_stream("127.0.0.1", self.port)
        async with stream:
            await stream.send_all(self.request("GET", f"{self.path}events"))
            chunks = Chunks(stream)
            self.head = await chunks.upto(b"\r\n\r\n")
            yield partial(next_event, chunks)


async def whole(stream, most=1 << 20):
    """Return what comes until the other side closes."""
    data = b""
    try:
        while len(data) < most and (more := await stream.receive_some(65536)):
            data += more
    except trio.BrokenResourceError:
        pass
    return data


def taken_apart(data):
    """Return status, headers and body of a reply; status 0 if there was none."""
    head, _blank, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    if not first:
        return 0, {}, b""
    heads = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), heads, body


class Chunks:
    """Reads a chunked body of a reply, piece by piece."""

    def __init__(self, stream):
        self.stream, self.raw = stream, b""

    async def _more(self):
        more = await self.stream.receive_some(65536)
        if not more:
            raise EOFError
        self.raw += more

    async def upto(self, mark):
        while mark not in self.raw:
            await self._more()
        found, _mark, self.raw = self.raw.partition(mark)
        return found

    async def next(self):
        """Return the next chunk as text."""
        return (await self.raw_next()).decode()

    async def raw_next(self):
        """Return the next chunk; nothing is lost where that is cancelled."""
        while b"\r\n" not in self.raw:
            await self._more()
        size, _crlf, rest = self.raw.partition(b"\r\n")
        size = int(size, 16)
        while len(rest) < size + 2:
            await self._more()
            rest = self.raw.partition(b"\r\n")[2]
        data, self.raw = rest[:size], rest[size + 2 :]
        if not size:
            raise EOFError
        return data


async def next_event(chunks):
    """Return the name and the data of the next event of a stream."""
    while True:
        text = await chunks.next()
        if name := text.partition("event: ")[2].partition("\n")[0]:
            data = text.partition("data: ")[2].partition("\n")[0]
            return name, json.loads(data) if data else None


class Plain:
    """A person whose page says one thing, and who counts what is tapped."""

    look = "light"
    taste = Taste()

    def __init__(self, text="hello"):
        self.text = text
        self.taps = []
        self.changed = trio.Event()
        self.fails = False

    def say(self, text):
        self.text = text
        changed, self.changed = self.changed, trio.Event()
        changed.set()

    def regions(self):
        if self.fails:
            raise RuntimeError("planted")
        return all_regions(board=el("p", self.text))

    def act(self, tap: Tap):
        self.taps.append(tap.do)
        return tap.do != "stale"
