"""The first phase of every game: nonces and keys, from which the game gets its id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protocol.crypto.group import SIZE
from protocol.crypto.hashing import digest
from protocol.crypto.keys import check_key, prove_key
from protocol.crypto.schnorr import PROOF
from protocol.replica.context import Context
from protocol.replica.phases import Phase
from protocol.schema import binary, fields

NONCE = 32


class Keys(Phase):
    """Every peer publishes a fresh nonce and its key of this game, with proof of possession."""

    def __init__(self, context: Context, nonce: bytes) -> None:
        super().__init__(context)
        self.owing = context.everybody
        self._nonce = nonce

    def _label(self, peer: int) -> bytes:
        return digest("possession", self.context.game_id, self.context.roster.peers[peer].public)

    def mine(self) -> Any:
        key = self.context.key
        return self._nonce, key.X, prove_key(key, self._label(self.context.me))

    def check(self, sender: int, parts: Any) -> tuple[bytes, bytes]:
        nonce, public, proof = fields(parts, 3, "key")
        binary(public, SIZE, "public key")
        check_key(public, binary(proof, PROOF, "proof"), self._label(sender))
        return binary(nonce, NONCE, "nonce"), public

    def done(self, brought: Mapping[int, Any]) -> None:
        context = self.context
        given = [brought[peer] for peer in sorted(brought)]
        context.publics = tuple(public for _, public in given)
        flat = [part for pair in given for part in pair]
        context.game_id = context.transcript = digest("game", context.game_id, *flat)
        context.deck.open()
