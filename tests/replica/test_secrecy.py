"""What one peer has received in a whole game tells it nothing that it should not know."""

from __future__ import annotations

from itertools import permutations

import pytest

from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.crypto.group import mul
from lanplay_protocol.crypto.sealing import open_sealed
from lanplay_protocol.replica.reveals import DealCards
from lanplay_protocol.wire import decode
from tests.replica.fairness import CARDS, SIDES, dice_counts, judge, shuffle_counts
from tests.replica.harness import Table, roster

REAL_CRYPTO = True

CURIOUS = 0


class Overheard(Table):
    """A table at which everything that one peer receives is kept, and every hidden thing noted."""

    def __post_init__(self):
        super().__post_init__()
        self.heard = []
        self.secrets = {}
        self.sealed = []

    def _deliver(self):
        _, to, item = self.queue[0]
        if to == CURIOUS and isinstance(item, bytes):
            self.heard.append(decode(item))
        self.note()
        super()._deliver()

    def note(self):
        """Remember the secrets of dice under others' cups at this moment."""
        for peer, replica in enumerate(self.replicas):
            if peer != CURIOUS:
                cups = replica.context.cups
                for seat in replica.views:
                    for place, base in enumerate(cups.bases(seat)):
                        power = mul(replica.context.key.x, base)
                        self.secrets[power] = ("die", cups.at, (seat, place))
            elif isinstance(replica.transcript.phase, DealCards):
                phase = replica.transcript.phase
                self.sealed += [
                    (phase, signed)
                    for signed in replica.moves[-1].values()
                    if phase._receiver != CURIOUS
                ]


def leaves(value):
    """Yield every binary value inside decoded messages, decoding bodies inside bodies."""
    if isinstance(value, bytes):
        yield value
        try:
            inner = decode(value)
        except Exception:  # not an encoded value
            return
        if isinstance(inner, tuple):
            yield from leaves(inner)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves(item)


@pytest.fixture(scope="module")
def table():
    made = Overheard(roster(3, 4), seed=b"secrecy", shuffle_order=False)
    made.start()
    made.run(seconds=3000)
    assert made.is_over()
    return made


@pytest.fixture(scope="module")
def heard(table):
    """Every run of 32 bytes in everything that the curious peer received."""
    return {
        leaf[at : at + 32]
        for message in table.heard
        for leaf in leaves(message)
        for at in range(0, max(1, len(leaf) - 31), 32 if len(leaf) % 32 == 0 else 1)
    }


def test_dice_not_shown_stay_unknown(table, heard):
    """DT-2.2: of all dice under others' cups, only the secrets of those shown were ever sent."""
    known = [what for power, what in table.secrets.items() if power in heard]
    hidden = [what for power, what in table.secrets.items() if power not in heard]
    shown = sum(len(phase_powers) for phase_powers in shown_powers(table, set(table.secrets)))
    assert len(known) == shown > 30
    assert len(hidden) > 20


def shown_powers(table, secrets):
    """Yield the powers that were published with openings and uncoverings, by message."""
    for phase in table.replicas[CURIOUS].moves:
        for signed in phase.values():
            parts = decode(signed.body)[2]
            yield {leaf for leaf in leaves(parts) if leaf in secrets}


def test_sealed_shares_of_others_cards_do_not_open(table):
    """DT-3.4: what was sealed to another peer is no plaintext for this one."""
    assert len(table.sealed) > 10
    context = table.replicas[CURIOUS].context
    for phase, signed in table.sealed:
        _, _, parts = decode(signed.body)
        sender, bases = signed.sender, table.replicas[CURIOUS].transcript.bases
        label = phase.label(bases[signed.phase], signed.phase, sender)
        with pytest.raises(CryptoError):
            open_sealed(context.key, phase.sealing(sender, phase._receiver, parts), label)


def test_face_down_cards_lack_a_share_of_every_other_peer(table, heard):
    """DT-1.1: of cards that nobody has seen, no share of anybody was ever sent."""
    replica = table.replicas[CURIOUS]
    public = replica.context.referee.table
    hidden = [c for c in (*public.deck, *public.discards, *public.claims) if c not in public.faces]
    assert hidden
    known = replica.views[replica.context.roster.peers[CURIOUS].seats[0]].own
    for card in hidden:
        base = replica.context.deck.masked([card])[0].b
        shares = [mul(r.context.key.x, base) for r in table.replicas[1:]]
        assert card in known or not any(share in heard for share in shares)


def test_a_view_holds_no_face_that_its_seat_may_not_know(table):
    """What the program itself shows its seats: own cards, own cup, and what is public."""
    replica = table.replicas[CURIOUS]
    for seat, view in replica.views.items():
        others = [v for r in table.replicas[1:] for v in r.views.values()]
        for other in others:
            private = set(other.own) - set(view.own) - set(view.table.faces)
            assert all(view.face(card) is None for card in private), seat


def test_dice_are_uniform_though_one_peer_grinds_and_leaves():
    """A short run of the statistics: no bias by choosing keys, nor by leaving bad rolls."""
    counts = dice_counts(3000)
    assert judge("dice", [counts[face] for face in range(SIDES)])


def test_shuffles_are_uniform_though_one_peer_does_not_shuffle():
    """A short run of the statistics: one honest shuffler makes every order equally likely."""
    counts = shuffle_counts(1200)
    assert judge("shuffles", [counts[order] for order in permutations(range(CARDS))])


def test_the_statistics_notice_a_bias():
    """A die that shows one face a quarter more often than it should is found."""
    assert not judge("loaded", [1000, 1000, 1000, 1000, 1000, 1300])
