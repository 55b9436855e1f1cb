"""Forged cards and newspapers of A Dog's Life: every modified peer is named by all others."""

from __future__ import annotations

import pytest

from lanplay.games import load
from lanplay.games.dogs_life.town import TOWN
from lanplay_protocol.crypto.group import mul
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code
from lanplay_protocol.replica.choices import OpenAnswers
from lanplay_protocol.replica.reveals import DealCards, Entropy, RevealCards
from tests.dogs_life.plain_bot import PlainBot, answering
from tests.replica import harness
from tests.replica.test_card_cheats import CHEAT, HONEST, judged, sealed_shares

GAME = load("dogs-life")


class Carrier(PlainBot):
    """Takes newspapers and delivers them, and nothing else."""

    def goals(self, view):
        faces = [view.face(card) for card in view.table.papers[view.seat]]
        return [TOWN.addresses[face] for face in faces if face is not None] or [TOWN.kiosk]


def cheating(seed, kind, change):
    """Return a table of three peers, one of which alters what it says in one kind of phase."""
    table = harness.Table(harness.roster(3, 3, game=GAME, rounds="10"), seed=seed)
    answering(table, [Carrier(seed + b"%d" % seat) for seat in range(3)])

    def tamper(table, to, move):
        replica = table.replicas[CHEAT]
        phase = replica.phases[move.phase]
        if not isinstance(phase, kind) or not replica.context.referee.table.round:
            return None
        altered = change(replica.context, phase, move)
        return None if altered is None else [harness.parts(move, altered)]

    table.tampers[CHEAT] = harness.lies_once(tamper)
    return table


def verdict(table, code):
    table.start()
    table.run(lambda t: t.is_settled(HONEST), seconds=9000)
    judged(table, code, CHEAT)


def other_power(context, phase, move):
    powers, proof = move.parts
    return (mul(7, powers[0]), *powers[1:]), proof


def false_share(context, phase, move):
    return sealed_shares(context, phase, move, GameKey.derive(b"w" * 32), phase._receiver)


@pytest.mark.parametrize(
    ("kind", "change"),
    [(Entropy, other_power), (RevealCards, other_power), (DealCards, false_share)],
    ids=["a card drawn", "a newspaper delivered", "a newspaper taken"],
)
def test_a_part_of_a_card_cannot_be_chosen(kind, change):
    """DL-3.2 b, i, j: a part of a draw, and a share of a newspaper, is one's own or none."""
    verdict(cheating(b"forged", kind, change), Code.BAD_PROOF)


@pytest.mark.parametrize("answer", [-1, (0,)])
def test_an_answer_that_is_none_is_named(answer):
    """DL-3.2: no action, no path, no number."""
    verdict(cheating(b"wild", OpenAnswers, lambda c, p, m: (answer,)), Code.ILLEGAL_ANSWER)
