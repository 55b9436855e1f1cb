"""A small web server for ``lanplay share``: one page and a fixed list of files, read-only.

It is bounded: few connections at a time, fewer of one address, short requests, and nothing is
looked up on the disk by what a request names.
"""

from __future__ import annotations

import sys
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from shutil import copyfileobj
from socket import AF_INET6, socket
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, ClassVar, Final, cast

from lanplay import __version__
from lanplay.cli.packing import Bundle
from lanplay.errors import Fault, UserError
from lanplay.language import _
from lanplay_protocol.shell.addresses import written

CONNECTIONS: Final = 8
"""Requests that are answered at one time; further ones are closed at once."""
EACH: Final = 4
"""The same of one address: one machine that is slow keeps nobody else out."""
SILENT_SECONDS: Final = 20.0
"""How long a client may say or take nothing."""

SCRIPT: Final = Path(__file__).with_name("sha256.js").read_text(encoding="utf-8")
"""Works out a file's SHA-256 in the visitor's browser. Without it the page is whole as well."""
_SCRIPT_HASH: Final = b64encode(sha256(SCRIPT.encode()).digest()).decode()

HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_SCRIPT_HASH}'"
    ),
    "Cache-Control": "no-store",
    "Connection": "close",
}

STYLE: Final = (
    "body{font:1.1em/1.5 sans-serif;max-width:46em;margin:2em auto;padding:0 1em}"
    "code{overflow-wrap:anywhere;background:#eee;color:#000;padding:.1em .3em}"
)


@contextmanager
def serving(
    bundles: Sequence[Bundle], host: str, port: int | None, wish: int, told: Callable[[str], None]
) -> Iterator[int]:
    """Serve bundles at an address while the block runs; give the port.

    Without ``port`` it is ``wish`` if that is free, else any. ``told`` gets a sentence on each
    archive that was taken. ``UserError`` if the port or the address cannot be used.
    """
    server = _open(bundles, host, port, wish, told)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _open(
    bundles: Sequence[Bundle], host: str, port: int | None, wish: int, told: Callable[[str], None]
) -> Server:
    if port is None:
        with suppress(OSError):
            return Server(bundles, host, wish, told)
    try:
        return Server(bundles, host, port or 0, told)
    except OSError as error:
        raise UserError(Fault.PORT_TAKEN, port=port or 0, why=error.strerror) from error


class Server(ThreadingMixIn, TCPServer):  # HTTPServer asks the DNS for its name: there may be none
    """Answers at most ``CONNECTIONS`` requests at a time; ``files`` are all that can be taken."""

    daemon_threads = True
    allow_reuse_address = sys.platform != "win32"  # there it would let others take the port

    def __init__(
        self, bundles: Sequence[Bundle], host: str, port: int, told: Callable[[str], None]
    ) -> None:
        if ":" in host:
            self.address_family = AF_INET6
        self.bundles = bundles
        self.files = {f"/{bundle.name}": bundle for bundle in bundles}
        self.told = told
        self._here: list[str] = []
        super().__init__((host, port), Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, unless too many are being answered."""
        if len(self._here) < CONNECTIONS and self._here.count(client_address[0]) < EACH:
            self._here.append(client_address[0])
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer one request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._here.remove(client_address[0])

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """Say nothing of clients that go away."""


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the page and the archives; everything else is an error."""

    timeout: ClassVar[float | None] = SILENT_SECONDS
    server_version = f"lanplay/{__version__}"
    sys_version = ""

    @property
    def mine(self) -> Server:
        """The server that this belongs to."""
        return cast("Server", self.server)

    def do_GET(self) -> None:
        """Send the page or an archive; what is asked for with HEAD gets what precedes it."""
        if self.path == "/":
            address = self.connection.getsockname()[0]
            root = f"http://{written(address, self.mine.server_address[1])}"
            content = page(self.mine.bundles, root).encode()
            self._begin("text/html; charset=utf-8", len(content))
            if self.command == "GET":
                self.wfile.write(content)
        elif (bundle := self.mine.files.get(self.path)) is not None:
            self._send(bundle)
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    do_HEAD = do_GET

    def _send(self, bundle: Bundle) -> None:
        with bundle.path.open("rb") as file:
            self._begin("application/octet-stream", bundle.size)
            if self.command == "GET":
                copyfileobj(file, self.wfile)
                text = _("{address} has taken {file}.")
                self.mine.told(text.format(address=self.client_address[0], file=bundle.name))

    def _begin(self, kind: str, size: int) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(size))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Keep no list of requests."""


def page(bundles: Sequence[Bundle], root: str) -> str:
    """Return the page: for each system what to take, how to check it and how to start it."""
    title = escape(_("lanplay for this laptop"))
    text = escape(
        _(
            "Take the file for this laptop's system; no internet is needed. Before you start it, "
            "compare its SHA-256 with what the other laptop's screen shows."
        )
    )
    return (
        f'<!doctype html><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{STYLE}</style><h1>{title}</h1><p>{text}</p>"
        + "".join(_section(bundle, root) for bundle in bundles)
        + f"<script>{SCRIPT}</script>"
    )


def _section(bundle: Bundle, root: str) -> str:
    name = escape(bundle.name)
    check, start = _commands(bundle, root)
    return (
        f"<h2>{escape(bundle.system)}</h2>"
        f'<p><a href="/{name}" download>{name}</a> ({bundle.size / 1e6:.0f} MB)<br>'
        f"SHA-256 <code>{bundle.digest}</code></p><p>{_needs(bundle)}</p>"
        f"<p>{escape(_('Check it in a terminal:'))} <code>{escape(check)}</code></p>"
        f"{_chooser(bundle)}<p>{escape(start)}</p>"
    )


def _needs(bundle: Bundle) -> str:
    if not bundle.pythons:
        return escape(_("It needs nothing else, no Python either."))
    text = escape(_("It needs Python {pythons}:").format(pythons=", ".join(bundle.pythons)))
    return f'{text} <a href="https://www.python.org/downloads/">python.org/downloads</a>'


def _chooser(bundle: Bundle) -> str:
    """Return where a visitor gives the file that it took to the page's script."""
    same = _("It is the file above. Now compare the SHA-256 with the other laptop's screen.")
    other = _("It is another file, or came damaged: do not start it.")
    return (
        f"<p hidden><label>{escape(_('Or choose here what you have taken, to have it checked:'))} "
        f'<input type="file" data-digest="{bundle.digest}" data-same="{escape(same)}" '
        f'data-other="{escape(other)}"></label> <output></output></p>'
    )


def _commands(bundle: Bundle, root: str) -> tuple[str, str]:
    """Return how a file is checked, and in words how it is started."""
    name, stem = bundle.name, bundle.path.stem
    if bundle.platform == "win32":
        archive = _('Extract all of it (right-click), open the folder, double-click "{file}".')
        start = archive if bundle.pythons else _('Double-click "{file}".')
        file = "Start lanplay.cmd" if bundle.pythons else name
        return f"certutil -hashfile {name} SHA256", start.format(file=file)
    sums = "shasum -a 256" if bundle.platform == "darwin" else "sha256sum"
    starter = "Start lanplay.command" if bundle.platform == "darwin" else "start.sh"
    run = f"unzip -q {name} && sh '{stem}/{starter}'"
    if not bundle.pythons:
        run = f"chmod +x {name} && ./{name}"
    take = f"curl -fO {root}/{name} && echo '{bundle.digest} *{name}' | {sums} -c && {run}"
    return f"{sums} {name}", _("Everything at once, in a terminal: {command}").format(command=take)
