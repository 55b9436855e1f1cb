"""Does multicast DNS work on this machine? One zeroconf announces, another one has to hear it.

Both run in this program, on one interface, and speak of a service type of their own, so that no
list of tables shows anything. It takes a second where all is well. What it cannot tell is whether
the network hands multicast on to other machines.
"""

from __future__ import annotations

import os
import threading
from contextlib import closing
from typing import Final

from zeroconf import Error as ZeroconfError
from zeroconf import ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf

SERVICE: Final = "_lanplay-echo._tcp.local."

WAIT_SECONDS: Final = 4.0
"""How long an announcement may take; it is repeated meanwhile."""


class NoEcho(Exception):
    """Multicast does not come back; the text says why, as far as that is known."""


def multicast_comes_back(address: str, seconds: float = WAIT_SECONDS) -> None:
    """Return once an announcement on the interface with this address was heard on it.

    Blocks for ``seconds`` at most, and a second more to close. Raises ``NoEcho``.
    """
    name = f"{os.urandom(8).hex()}.{SERVICE}"
    heard = threading.Event()

    def note(
        zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Added and name == info.name:
            heard.set()

    info = ServiceInfo(SERVICE, name, port=9, server=name, parsed_addresses=[address])
    try:
        with closing(_zeroconf(address)) as listener, closing(_zeroconf(address)) as speaker:
            browser = ServiceBrowser(listener, SERVICE, handlers=[note])
            speaker.register_service(info, cooperating_responders=True)
            came = heard.wait(seconds)
            browser.cancel()
    except (ZeroconfError, OSError, RuntimeError) as error:
        raise NoEcho(getattr(error, "strerror", None) or str(error) or repr(error)) from error
    if not came:
        raise NoEcho(f"nothing was heard within {seconds:g} s")


def _zeroconf(address: str) -> Zeroconf:
    return Zeroconf([address], use_asyncio=False)
