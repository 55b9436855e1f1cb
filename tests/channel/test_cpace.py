"""CPace against the vectors of its draft, and its map against libsodium's."""

from __future__ import annotations

import random

import nacl.bindings as sodium
import pytest

from lanplay_protocol.channel.cpace import _A, _PRIME, _elligator2, _lv, generator, key, multiple

H = bytes.fromhex
SESSION = H("7e4b4791d6a8ef019b936c79fb7f2c57")
YA = H("21b4f4bd9e64ed355c3eb676a28ebedaf6d8f17bdc365995b319097153044080")
YB = H("848b0779ff415f0af4ea14df9dd1d3c29ac41d836c7808896c4eba19c51ac40a")
VECTORS = {
    "draft 21, B.1": {
        "channel": "0b415f696e69746961746f720b425f726573706f6e646572",
        "generator": "d04bf6d41f6a289632a2e929fa29bebd51092512a7829fdde7d314b62f05a73f",
        "a": "1d13c89278cdadd826f6d8d7f887701430f8380ddc17611cdd6dc989ce0c9f32",
        "b": "248cccf6d5cdc3646f0ad593f9e6cef4e69d4945f8372e623512ecea32185623",
        "shared": "5b067effbdc0b2a0e1d907b21ebb25cfedb96a852179a847c37e43ee71322c6b",
        "key": "6e19b875f7a561d6b3ca3dbb9ef42ac55de3e717881018204b8922b4d5e53bb2"
        "aa82c300bea7b65d2b671da71922ddf6472301b79bc270adfa8bf413285f2263",
    },
    "an earlier draft, of other names": {
        "channel": "6f630b425f726573706f6e6465720b415f696e69746961746f72",
        "generator": "64e8099e3ea682cfdc5cb665c057ebb514d06bf23ebc9f743b51b82242327074",
        "a": "1b02dad6dbd29a07b6d28c9e04cb2f184f0734350e32bb7e62ff9dbcfdb63d15",
        "b": "20cda5955f82c4931545bcbf40758ce1010d7db4db2a907013d79c7a8fcf957f",
        "shared": "f97fdfcfff1c983ed6283856a401de3191ca919902b323c5f950c9703df7297a",
        "key": "a051ee5ee2499d16da3f69f430218b8ea94a18a45b67f9e86495b382c33d14a5"
        "c38cecc0cc834f960e39e0d1bf7d76b9ef5d54eecc5e0f386c97ad12da8c3d5f",
    },
}
SCALAR = H("af46e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449aff")
SMALL = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]
"""u0 to u5 and u7 of B.1.10, which must end a run."""
HIGH_BIT = {
    "daffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff": (
        "d8e2c776bbacd510d09fd9278b7edcd25fc5ae9adfba3b6e040e8d3b71b21806"
    ),
    "dbffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff": (
        "c85c655ebe8be44ba9c0ffde69f2fe10194458d137f09bbff725ce58803cdb38"
    ),
    "d9ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff": (
        "db64dafa9b8fdd136914e61461935fe92aa372cb056314e1231bc4ec12417456"
    ),
    "cdeb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b880": (
        "e062dcd5376d58297be2618c7498f55baa07d7e03184e8aada20bca28888bf7a"
    ),
    "4c9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f11d7": (
        "993c6ad11c4c29da9a56f7691fd0ff8d732e49de6250b6c2e80003ff4629a175"
    ),
}
"""The others, and what they must give: bit 255 does not count."""


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
def test_every_step_gives_what_the_draft_says(vector):
    """Generator, both elements, the shared one from either side, and the key."""
    vector = {name: H(value) for name, value in vector.items()}
    element = generator(b"Password", vector["channel"], SESSION)
    assert element == vector["generator"]
    assert (multiple(YA, element), multiple(YB, element)) == (vector["a"], vector["b"])
    assert multiple(YA, vector["b"]) == multiple(YB, vector["a"]) == vector["shared"]
    sent = ((vector["a"], b"ADa"), (vector["b"], b"ADb"))
    assert key(SESSION, vector["shared"], *sent) == vector["key"]


@pytest.mark.parametrize("element", SMALL)
def test_elements_of_small_order_end_a_run(element):
    """B.1.10: what has an order of at most eight, on the curve or its twist, also unreduced."""
    with pytest.raises(ValueError, match="small order"):
        multiple(SCALAR, H(element))


@pytest.mark.parametrize("element", HIGH_BIT)
def test_the_highest_bit_of_an_element_does_not_count(element):
    """B.1.10 again."""
    assert multiple(SCALAR, H(element)) == H(HIGH_BIT[element])


def test_lengths_are_written_as_the_draft_writes_them():
    """Appendix A.1.1: LEB128."""
    assert [_lv(b""), _lv(b"1234")] == [b"\x00", b"\x041234"]
    assert _lv(bytes(range(127)))[:1] == b"\x7f"
    assert _lv(bytes(range(128)))[:2] == b"\x80\x01"
    assert _lv(bytes(512))[:2] == b"\x80\x04"


def doubled(u):
    """Return the u of twice a point of Curve25519."""
    below = 4 * u * (u * u + _A * u + 1) % _PRIME
    return (u * u - 1) ** 2 * pow(below, -1, _PRIME) % _PRIME


def test_the_map_is_that_of_libsodium_but_for_the_cofactor():
    """Eight times each point is the one that libsodium maps the same bytes to."""
    lots = random.Random(9380)
    for _ in range(200):
        data = lots.randbytes(31) + bytes([lots.randrange(128)])
        u = int.from_bytes(_elligator2(data), "little")
        theirs = sodium.crypto_sign_ed25519_pk_to_curve25519(
            sodium.crypto_core_ed25519_from_uniform(data)
        )
        assert doubled(doubled(doubled(u))).to_bytes(32, "little") == theirs
        assert _elligator2(data[:-1] + bytes([data[-1] | 128])) == u.to_bytes(32, "little")


@pytest.mark.parametrize("length", [1, 100, 117, 118, 119, 500])
def test_a_password_of_any_length_has_a_generator_of_its_own(length):
    """Also where there is no room for padding in the first block."""
    found = {generator(b"x" * n, b"", b"") for n in (length, length + 1)}
    assert len(found) == 2
