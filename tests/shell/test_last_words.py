"""What a program says as it ends still goes out."""

from __future__ import annotations

import trio

from lanplay_protocol.shell.node import PeerConnected, PeerDisconnected, PeerMessage, open_node
from lanplay_protocol.wire import encode
from tests.replica.harness import identity


async def test_a_farewell_of_a_person_who_leaves_reaches_the_others():
    """It was lost as all tasks ended at once, and the others waited for the grace."""
    heard = []

    async def leaves(port, scope):
        with scope:
            async with open_node(identity(1), "1") as node:
                link = await node.dial("127.0.0.1", port)
                try:
                    await trio.sleep_forever()
                finally:
                    node.send(link, encode(("farewell", ())))

    with trio.fail_after(10):
        async with trio.open_nursery() as nursery, open_node(identity(0), "1") as node:
            port = await node.listen(0, "127.0.0.1")
            scope = trio.CancelScope()
            nursery.start_soon(leaves, port, scope)
            while not heard or not isinstance(heard[-1], PeerDisconnected):
                heard.append(await node.events.receive())
                if isinstance(heard[-1], PeerConnected):
                    scope.cancel()
    bodies = [each.body for each in heard if isinstance(each, PeerMessage)]
    assert encode(("farewell", ())) in bodies
