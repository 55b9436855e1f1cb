"""A table's password over a link: the host's gate, and the guest's proof."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable

import trio

from lanplay_protocol.channel.attempts import Attempts
from lanplay_protocol.channel.cpace import ELEMENT
from lanplay_protocol.channel.password import MAC, Parties, PasswordProof
from lanplay_protocol.crypto.hashing import SEED
from lanplay_protocol.schema import blob
from lanplay_protocol.shell.node import Node
from lanplay_protocol.wire import encode

KIND = "password"
AskPassword = Callable[[], Awaitable[str]]
"""Asks this program's person, or a file, for the password of the table."""


class Gate:
    """Lets those pass who prove the password; slows and counts those who guess."""

    def __init__(self, node: Node, password: str) -> None:
        self._node = node
        self._password = password
        self._attempts = Attempts()
        self._proofs: dict[bytes, PasswordProof] = {}
        self._passed: set[bytes] = set()

    def passed(self, identity: bytes) -> bool:
        """Tell whether a guest has proven the password on the link it has now."""
        return identity in self._passed

    def gone(self, identity: bytes) -> None:
        """Forget what a guest proved: its link is gone."""
        self._passed.discard(identity)
        self._proofs.pop(identity, None)

    async def receive(self, identity: bytes, payload: object) -> None:
        """Take a guest's message of the proof; ``PeerError`` closes it, a wrong guess included.

        What was taken is answered: the guest waits for that, whatever ends here meanwhile.
        """
        with trio.CancelScope(shield=True):
            await self._receive(identity, payload)

    async def _receive(self, identity: bytes, payload: object) -> None:
        message = blob(payload, max(ELEMENT, MAC), "password proof")
        proof = self._proofs.get(identity)
        if proof is None:
            address = self._node.seen_at(identity)
            self._attempts.begin(identity, trio.current_time(), address)
            parties = Parties(identity, self._node.identity.public, self._node.binding(identity))
            proof = await trio.to_thread.run_sync(
                PasswordProof, False, self._password, parties, os.urandom(SEED)
            )
            self._proofs[identity] = proof
        answer = await trio.to_thread.run_sync(proof.receive, message)
        if proof.accepted:
            self._attempts.succeeded(identity)
            self._passed.add(identity)
        if not self._node.seen_at(identity):
            self.gone(identity)  # it went while this was worked out
        self._node.send(identity, encode((KIND, answer)))

    def ask(self, identity: bytes) -> None:
        """Tell a guest that this table has a password."""
        self._node.send(identity, encode((KIND, b"")))


async def prove(
    node: Node, host: bytes, ask: AskPassword, receive: Callable[[], Awaitable[object]]
) -> None:
    """Prove the password to a host that has asked for it; ``receive`` brings the host's messages.

    Raises ``PeerError`` if the host does not know the password itself.
    """
    password = await ask()
    parties = Parties(node.identity.public, host, node.binding(host))
    proof = await trio.to_thread.run_sync(PasswordProof, True, password, parties, os.urandom(SEED))
    node.send(host, encode((KIND, proof.start())))
    while not proof.accepted:
        message = blob(await receive(), max(ELEMENT, MAC), "password proof")
        answer = await trio.to_thread.run_sync(proof.receive, message)
        if not proof.accepted:
            node.send(host, encode((KIND, answer)))
