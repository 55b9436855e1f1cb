"""A record is a stranger's: whatever stands in it, nothing breaks, and no terminal obeys it."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from random import Random

import pytest

from lanplay.cli import main
from lanplay.cli.stepping import Walk
from lanplay.engine.plain import decode, encode
from lanplay.engine.record import MAGIC, _checksum, load
from lanplay.engine.stepper import Stepper
from lanplay.games import load as load_game
from lanplay.told import harmless
from lanplay.ui.looking import names_of
from tests.replica.harness import Table, roster
from tests.replica.test_audit import record_of

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m‮A\r\nB"
ODD = (
    None,
    True,
    -1,
    0,
    7,
    2**63,
    1.5,
    float("inf"),
    "",
    EVIL,
    b"",
    bytes(32),
    (),
    (None,),
    (EVIL,) * 3,
    (EVIL,) * 9,
    ((((),),),),
    {},
    {EVIL: EVIL},
    {"loot": EVIL},
    {b"x": 1},
)


@pytest.fixture(scope="module")
def local(games):
    """A game of one machine, as plain data."""
    return decode(games[0].to_bytes()[len(MAGIC) : -32])


@pytest.fixture(scope="module")
def network():
    """The first round of a game between peers, as plain data."""
    table = Table(roster(2), seed=b"odd")
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 1, seconds=600)
    return decode(record_of(table).to_bytes()[len(MAGIC) : -32])


def altered(data, path, value):
    """Data with another value at a path of keys."""
    if not path:
        return value
    key, *rest = path
    if isinstance(data, tuple):
        return (*data[:key], altered(data[key], rest, value), *data[key + 1 :])
    return {**data, key: altered(data.get(key), rest, value)}


def fields(data):
    """Every field of the header and beside it, and the parts of a network game's."""
    yield from ([name] for name in data)
    yield from (["header", name] for name in data["header"])
    yield ["header", "seats", 0]
    yield ["header", "options", EVIL]
    yield ["extra", "auto"]
    yield from (["extra", name] for name in data["extra"])
    yield from (["extra", "roster", place] for place in range(len(data["extra"].get("roster", ()))))


def written(path, data):
    """Write data as a record whose checksum holds."""
    body = MAGIC + encode(data)
    path.write_bytes(body + _checksum(body))
    return path


def safe(capsys):
    """Return what was said, in which nothing is for the terminal."""
    said = capsys.readouterr()
    for text in said:
        assert "fault of lanplay" not in text
        assert not {"\x1b", "\x9b", "\x07", "\r", "‮"} & set(text)
    return said


def odd(data):
    return [(path, value) for path in fields(data) for value in ODD]


def test_no_field_of_a_record_breaks_replay_and_history(
    local, network, tmp_path, capsys, monkeypatch
):
    """Every field, every odd value: a status of the table in README.md, and harmless text."""
    monkeypatch.setenv("HOME", str(tmp_path))
    of_network = Random(2).sample(odd(network), 120)
    cases = [(local, *case) for case in odd(local)] + [(network, *case) for case in of_network]
    number = len(cases)
    for place, (data, path, value) in enumerate(cases):
        file = written(tmp_path / f"{place:04d}.lanplay", altered(data, path, value))
        assert main(["replay", str(file), "--json"]) in (0, 2), (path, value)
        safe(capsys)
    assert main(["history", str(tmp_path), "--limit", "9999"]) == 0
    told = safe(capsys)
    assert told.err.count("\n") + told.out.count(".lanplay\n") >= number
    assert main(["history", str(tmp_path), "--json"]) == 0
    safe(capsys)
    assert number > 300


def test_no_field_of_a_record_breaks_verify(network, tmp_path, capsys, monkeypatch):
    """As above, with fields of the header, of the roster and of what was signed."""
    monkeypatch.setenv("HOME", str(tmp_path))
    luck = Random(1)
    cases = odd(network)
    for path, value in [*luck.sample(cases, 60), (["extra", "faults"], 3)]:
        file = written(tmp_path / "x.lanplay", altered(network, path, value))
        assert main(["verify", str(file)]) in range(5), (path, value)
        safe(capsys)


@pytest.mark.parametrize("extra", [None, (), [], "", 0])
def test_extra_that_is_no_mapping_is_told(local, tmp_path, capsys, extra):
    """What only some games have is still a mapping; anything else names file and field."""
    file = written(tmp_path / "x.lanplay", altered(local, ["extra"], extra))
    for command in ("replay", "verify"):
        assert main([command, str(file)]) == 2
        said = safe(capsys).err
        assert "extra" in said
        assert str(file) in said


def test_random_damage_behind_a_good_checksum_is_told(local, network, tmp_path, capsys):
    """Any value anywhere in the tree, answers included, may be another one."""
    luck = Random(5)
    for number in range(100):
        data = local if number % 3 else network
        path, node = [], data
        while isinstance(node, (dict, tuple)) and node and (not path or luck.random() < 0.8):
            key = luck.choice(list(node) if isinstance(node, dict) else range(len(node)))
            path.append(key)
            node = node[key]
        file = written(tmp_path / f"{number}.lanplay", altered(data, path, luck.choice(ODD)))
        assert main(["replay", str(file)]) in (0, 2), path
        safe(capsys)
    assert main(["history", str(tmp_path)]) == 0
    safe(capsys)


def test_names_of_a_record_are_harmless_step_by_step(games, tmp_path):
    """Also where a person goes through it by hand."""
    header = replace(games[0].header, seats=(EVIL, "Ben", "Cy"))
    path = tmp_path / "x.lanplay"
    replace(games[0], header=header).save(path)
    record = load(path)
    game, out = load_game("dice-town"), io.StringIO()
    walk = Walk(Stepper(game, record, None), game, names_of(record), io.StringIO("n\n" * 9), out)
    walk.run()
    assert out.getvalue()
    assert not {"\x1b", "\x9b", "\x07", "‮"} & set(out.getvalue())


def test_seats_whose_names_begin_alike_are_told_apart(games):
    """Three of one bot, or two programs whose names differ where they are cut off."""
    header = games[0].header
    for seats, shown in (
        (("expert", "casual", "expert"), ["expert 1", "casual", "expert 3"]),
        (
            ("cmd:python3 my_bot_v1.py", "cmd:python3 my_bot_v2.py", "casual"),
            ["cmd:python3 my_bot 1", "cmd:python3 my_bot 2", "casual"],
        ),
    ):
        assert names_of(replace(games[0], header=replace(header, seats=seats))) == shown


def test_what_does_not_show_is_spelled_out():
    """Letters of every language, and wide blanks, stay as they are."""
    assert harmless("Žluťoučký  kůň, 3 000 ♠") == "Žluťoučký  kůň, 3 000 ♠"
    assert harmless("a\x1b[2J\n\t‮") == r"a\x1b[2J\n\t\u202e"
    assert all(harmless(chr(code)).isprintable() for code in range(0xA0))
    assert sys.maxunicode == 0x10FFFF
