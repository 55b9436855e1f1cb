"""One accept for each table and term: no name of a table, and no offer shown again, makes two."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.roster import parse_roster
from lanplay_protocol.shell.guest import _Attending
from lanplay_protocol.shell.offers import Offers
from lanplay_protocol.table import Guest, Seat, TableInfo, parse_table
from tests.replica.harness import GAME, identity

HOST, HONEST = identity(0), identity(1)
TABLE = "ab" * 16


def info(table):
    guests = (Guest(HOST.public, "a", ()), Guest(HONEST.public, "b", ()))
    seats = (Seat("a", HOST.public), Seat("b", HONEST.public))
    options = tuple((name, values[0]) for name, values in GAME.options.items())
    shown = TableInfo(table, "name", GAME.name, GAME.fingerprint, options, seats, guests)
    nonces = (b"\7" * 32, b"\1" * 32)
    given = [replace(each, nonce=n) for each, n in zip(guests, nonces, strict=True)]
    return replace(shown, guests=tuple(given))


@pytest.mark.parametrize("table", ["", "a b", "0123\x85", "x\n0123", "\u2003id"])
def test_the_id_of_a_table_is_one_word(table):
    """It is a word of a line where accepted offers are kept: else a restart forgets that it was."""
    with pytest.raises(PeerError):
        parse_table(replace(info(TABLE), table=table).plain())


def test_a_start_of_no_table_has_no_accepts():
    """Nobody checks them: with a true one they would convict its author of two offers."""
    roster = info(TABLE).roster()
    parse_roster(replace(roster, accepts=(bytes(64), bytes(64))).plain())
    with pytest.raises(PeerError):
        parse_roster(replace(roster, table="", accepts=(bytes(64), bytes(64))).plain())


@pytest.mark.parametrize(("nonce", "wrong"), [(b"\1", ""), (b"\x09", "term")])
def test_an_offer_that_was_accepted_counts_again_in_the_same_sitting_alone(tmp_path, nonce, wrong):
    """Its game may have begun since: with another seed it would be signed twice."""
    offers = Offers(tmp_path / "offers")
    offer = info(TABLE).roster()
    assert offers.accept(offer, HONEST) is not None
    node = SimpleNamespace(offers=offers, identity=HONEST)
    guest = SimpleNamespace(
        _node=node, _info=info(TABLE), _me=SimpleNamespace(nonce=nonce * 32), _fill={}
    )
    assert _Attending._wrong(cast("_Attending", guest), offer) == wrong


def test_a_line_that_nobody_can_read_hides_no_other_offer(tmp_path):
    """A power failure may leave anything of the last line: the accepts before it still bind."""
    path, offer = tmp_path / "offers", info(TABLE).roster()
    assert Offers(path).accept(offer, HONEST) is not None
    with path.open("ab") as file:
        file.write(b"\xff\n")
    other = replace(offer, names=("a", "c"))
    assert Offers(path).accept(other, HONEST) is None
