"""The record of a game: read back as it was written, and refused if anything of it is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.engine.record import MAGIC, Header, Record, RecordError, from_bytes, load

HEADER = Header("dice-town", {"brute": "free"}, ("Ann", "Běla"), b"seed", (1, (2, 3)))
RECORD = Record(HEADER, ((1, 2), ((), (3,)), (None,)), b"h" * 32, True, {"roster": (1, b"x")})


def test_a_record_comes_back_as_it_was():
    """Header, answers, end and what else it holds; equal records are equal bytes."""
    content = RECORD.to_bytes()
    assert from_bytes(content) == RECORD
    assert from_bytes(content).to_bytes() == content
    assert replace(RECORD, finished=False).to_bytes() != content


def test_no_bit_of_a_record_can_be_changed():
    """Wherever it is altered, cut off or grown, it is refused and not read in part."""
    content = RECORD.to_bytes()
    for at in range(len(content)):
        changed = bytearray(content)
        changed[at] ^= 1 << at % 8
        with pytest.raises(ValueError, match=r"."):
            from_bytes(bytes(changed))
        with pytest.raises(ValueError, match=r"."):
            from_bytes(content[:at])
    with pytest.raises(ValueError, match=r"."):
        from_bytes(content + b"\0")


def test_a_file_that_is_no_record_is_named(tmp_path):
    """With what is wrong: missing, another file, or altered."""
    path = tmp_path / "x.lanplay"
    for content in (None, b"", b"PNG", MAGIC, RECORD.to_bytes()[:-1]):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(RecordError, match=r"x\.lanplay"):
            load(path)
    RECORD.save(path)
    assert load(path) == RECORD
    assert [each.name for each in tmp_path.iterdir()] == ["x.lanplay"]
