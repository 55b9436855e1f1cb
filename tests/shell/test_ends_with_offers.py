"""An end is shown from a record by which somebody has signed two offers."""

from __future__ import annotations

from types import SimpleNamespace

from lanplay_protocol.replica.start import accept, certified
from lanplay_protocol.shell.archive import Archive, asking
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import Table, identity
from tests.replica.test_audit import record_of
from tests.replica.test_offers import LIAR, hears, offer, other

THERE, LATE = 0, 1


def test_who_is_told_of_two_offers_from_a_record_is_shown_all_of_the_end(tmp_path):
    """They come as they come at a start, and are not answered like one: a word of a start ends what
    the archive shows."""
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    table = Table(agreed, seed=b"offers")
    table.start()
    table.run(lambda t: t.is_over(), seconds=3000)
    hears(table, THERE, accept(other(), identity(LIAR)))
    archive = Archive(tmp_path, now=lambda: 0.0)
    archive.keep(record_of(table), missed=True)

    sent, steps = [], []
    shell = object.__new__(GameRunner)
    shell.elsewhere, shell._roster, shell._step = set(), table.roster, steps.append
    shell.links = SimpleNamespace(send=lambda place, body: sent.append(body))
    last = table.replicas[THERE].transcript.number - 1
    own, want = identity(LATE).public, encode(("want", (0, last, bytes(32), (), (), ())))
    archive.answers(own, asking(table.roster))
    shown = [decode(body) for body in archive.answers(own, want)]
    for kind, payload in shown:
        if kind == "accept":
            shell._heard(THERE, encode((kind, payload)))
    assert {(each.kind, each.payload[0]) for each in steps} == {("accept", identity(LIAR).public)}
    for body in sent:
        archive.answers(own, body)
    assert archive.answers(own, want) is not None


def test_who_says_itself_that_it_agrees_is_given_the_start():
    """Its program may still wait for that."""
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    sent, steps = [], []
    shell = object.__new__(GameRunner)
    shell.elsewhere, shell._roster, shell._step = set(), agreed, steps.append
    shell.links = SimpleNamespace(send=lambda place, body: sent.append(decode(body)[0]))
    shell._heard(LATE, encode(("accept", accept(offer(), identity(LATE)).plain())))
    assert (sent, len(steps)) == (["start"], 1)
