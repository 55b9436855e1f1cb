"""The escrow of a key: shares that verify, partials of what is due, and every known fraud."""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import cache
from itertools import combinations
from types import SimpleNamespace
from typing import get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanplay.engine.knowledge import PrivateKnowledge
from lanplay_protocol.crypto import escrow, partials
from lanplay_protocol.crypto.cards import (
    card_point,
    joint_key,
    open_mask,
    parse_deck,
    plain_deck,
    unmask,
)
from lanplay_protocol.crypto.choice import check_opening, commit, open_by_gamma, opening
from lanplay_protocol.crypto.errors import BadElement, BadProof, BadSeal
from lanplay_protocol.crypto.escrow import Dealing
from lanplay_protocol.crypto.group import IDENTITY, L, add, base, hash_to_point, mul, sub
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.crypto.partials import (
    Due,
    Item,
    Partial,
    check_partial,
    choice_item,
    combine,
    partial,
)
from lanplay_protocol.crypto.proofs import check_powers, powers_of, prove_powers
from lanplay_protocol.crypto.shuffle import shuffle
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.cups import Cups
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.wire import encode as packed
from tests.replica.harness import Table, roster

KEYS = [GameKey.derive(bytes([n]) * 32) for n in range(5)]
KEY = KEYS[0]
GAME = b"g" * 32
CONTEXT = b"game, phase, author, escrow"
SEED = b"s" * 32
H = hash_to_point("test", b"due")
SMALL = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
"""A point of order 8."""
INVALID = {
    "small order": SMALL,
    "mixed order": add(base(5), SMALL),
    "the identity": IDENTITY,
    "not on the curve": b"\x02" + bytes(31),
    "not canonical": (2**255 - 19 + 1).to_bytes(32, "little"),
    "short": base(5)[:31],
}
SEEDS = st.binary(min_size=32, max_size=32)
PEERS = st.integers(2, 5)


@cache
def dealt(peers=5):
    """Return the dealing of KEY among some peers for their quorum."""
    return escrow.deal(KEY, peers, peers // 2 + 1, bytes([peers]) * 32)


def entropy_item(game, slot):
    """What a peer owes to the entropy of a slot."""
    return Item("entropy", hash_to_point("entropy", game, slot))


def die_item(game, die):
    """What a peer owes of a die."""
    return Item("die", hash_to_point("die", game, die))


def card_item(card):
    """What a peer owes of a card."""
    return Item("card", card.b)


def due(*items, peers=5, context=CONTEXT):
    items = items or (Item("die", H),)
    return Due(dealt(peers).commitments, peers, items, context)


def given_by(due, peer):
    """Return the checked partial of a peer."""
    made = partial(due, peer, dealt(due.peers).shares[peer])
    check_partial(due, made)
    return made


def opened(due, peers):
    return combine(due, [given_by(due, peer) for peer in peers])


# -- any quorum, and no fewer ----------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, peers=PEERS)
def test_every_quorum_makes_what_the_owner_would_and_no_fewer_do(seed, peers):
    """From q proven partials of distinct peers comes x·H, whichever; from q - 1 another point."""
    key, quorum = GameKey.derive(seed), peers // 2 + 1
    point = hash_to_point("test", seed)
    dealing = escrow.deal(key, peers, quorum, seed)
    asked = Due(dealing.commitments, peers, (Item("die", point),), seed)
    made = [partial(asked, peer, dealing.shares[peer]) for peer in range(peers)]
    for one in made:
        check_partial(asked, one)
    for some in combinations(made, quorum):
        assert combine(asked, some) == (mul(key.x, point),)
    for few in combinations(made, quorum - 1):
        assert escrow.combine({one.peer: one.powers[0] for one in few}) != mul(key.x, point)
        with pytest.raises(ValueError, match="open what is due"):
            combine(asked, few)


@pytest.mark.parametrize("peers", [1, 2, 3, 4, 5])
def test_more_than_a_quorum_makes_the_same(peers):
    """Partials over the quorum change nothing."""
    asked = due(peers=peers)
    for size in range(peers // 2 + 1, peers + 1):
        assert opened(asked, range(size)) == (mul(KEY.x, H),)


@given(order=st.permutations(range(5)))
def test_the_order_in_which_partials_come_means_nothing(order):
    """All peers combine alike, whatever comes first."""
    made = [given_by(due(), peer) for peer in order]
    assert combine(due(), made) == (mul(KEY.x, H),)


def test_a_partial_asked_for_again_is_the_same_bytes():
    """A restarted peer contradicts nothing it said."""
    assert given_by(due(), 3) == given_by(due(), 3)


# -- dealing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("peers", "quorum"), [(3, 0), (3, 4)])
def test_a_quorum_that_cannot_be_is_our_own_mistake(peers, quorum):
    """Nobody and more than all are no quorum."""
    with pytest.raises(ValueError, match="quorum"):
        escrow.deal(KEY, peers, quorum, SEED)


def test_every_share_verifies_and_no_other_number_does():
    """A receiver accepts f(j) alone: not a neighbour's share, zero, or a number over the order."""
    dealing = dealt()
    for peer, share in enumerate(dealing.shares):
        escrow.check_share(dealing.commitments, peer, share)
        for wrong in (0, share + 1, share + L, -1, dealing.shares[(peer + 1) % 5]):
            with pytest.raises(BadProof, match="share"):
                escrow.check_share(dealing.commitments, peer, wrong)
    with pytest.raises(BadProof, match="share"):  # committed to by one who wants it to be nothing
        escrow.check_share((base(5), base(L - 5)), 0, 0)


@pytest.mark.parametrize("change", ["fewer", "more"])
def test_another_degree_is_another_quorum_and_refused(change):
    """Fewer commitments let fewer peers read a hand, more could not stand in for a lost one."""
    good = dealt().commitments
    changed = {"fewer": good[:-1], "more": (*good, base(5))}[change]
    escrow.check_commitments(good, KEY.X, 3)
    with pytest.raises(BadProof, match="commitments share a key for a quorum of 3"):
        escrow.check_commitments(changed, KEY.X, 3)


def test_another_key_than_that_of_the_game_is_refused():
    """The first commitment is X, which was proven before."""
    changed = (base(5), *dealt().commitments[1:])
    with pytest.raises(BadProof, match="not the key of this game"):
        escrow.check_commitments(changed, KEY.X, 3)


@pytest.mark.parametrize("wrong", INVALID)
def test_a_commitment_that_is_no_point_of_the_group_is_refused(wrong):
    """The identity as the last one would be a lower degree in disguise."""
    changed = (*dealt().commitments[:-1], INVALID[wrong])
    with pytest.raises(BadElement, match="commitment 2"):
        escrow.check_commitments(changed, KEY.X, 3)


# -- false partials --------------------------------------------------------------------------------


def refused(asked, made, why):
    with pytest.raises(BadProof, match=why):
        check_partial(asked, made)


@pytest.mark.parametrize("wrong", INVALID)
def test_a_power_that_is_no_point_of_the_group_is_refused(wrong):
    """Small order, mixed order, the identity and other encodings: the power is named."""
    asked = due(Item("die", H), Item("die", base(9)))
    made = given_by(asked, 1)
    bad = replace(made, powers=(made.powers[0], INVALID[wrong]))
    refused(asked, bad, "partial of peer 1: power 1: a point is")


def test_a_power_by_another_share_is_refused():
    """A neighbour's share, a point off by G, and the right powers in another order."""
    asked = due(Item("die", H), Item("die", base(9)))
    made = given_by(asked, 1)
    one, two = made.powers
    false = partial(asked, 1, dealt().shares[2])
    refused(asked, false, "does not hold")
    for powers in ((add(one, base(1)), two), (two, one)):
        refused(asked, replace(made, powers=powers), "does not hold")
    refused(asked, replace(made, powers=(one,)), "1 powers came for 2 bases")


def test_a_proof_with_a_scalar_out_of_range_is_refused():
    """c and z are below the order, and the proof has 64 bytes."""
    made = given_by(due(), 1)
    c, z = made.proof[:32], made.proof[32:]
    over = (int.from_bytes(z, "little") + L).to_bytes(32, "little")
    for proof in (c + over, b"\xff" * 32 + z):
        refused(due(), replace(made, proof=proof), "below the group order")
    for proof in (made.proof[:-1], made.proof + b"x", b""):
        refused(due(), replace(made, proof=proof), "64 bytes")
    refused(due(), replace(made, proof=bytes(64)), "does not hold")


def replays():
    game, slot = GAME, packed((3, "roll"))
    asked = due(entropy_item(game, slot))
    H_entropy = asked.bases[0]
    other = Due(escrow.deal(KEYS[1], 5, 3, SEED).commitments, 5, asked.items, CONTEXT)
    return {
        "another game": (asked, due(entropy_item(b"h" * 32, slot))),
        "another slot": (asked, due(entropy_item(game, packed((4, "roll"))))),
        "a die of that slot": (asked, due(die_item(game, slot))),
        "a choice of that slot": (asked, due(choice_item(slot))),
        "another purpose of one point": (asked, due(Item("die", H_entropy))),
        "another phase": (asked, due(*asked.items, context=b"later")),
        "another owner": (asked, other),
        "another number of peers": (asked, due(*asked.items, peers=4)),
    }


@pytest.mark.parametrize("what", replays())
def test_a_partial_is_good_for_one_purpose_alone(what):
    """Replayed in another game, slot, kind, phase or for another's key it is refused."""
    asked, elsewhere = replays()[what]
    refused(elsewhere, given_by(asked, 0), "partial of peer 0: the proof does not hold")


def test_a_partial_counts_for_its_own_peer_alone():
    """Under another's place it is refused; nobody sits at a place that is not of the table."""
    made = given_by(due(), 1)
    assert due().label(1) != due().label(2)
    refused(due(), replace(made, peer=2), "partial of peer 2")
    for nowhere in (-1, 5, 2**64):
        refused(due(), replace(made, peer=nowhere), "no peer")
        with pytest.raises(BadProof, match="no peer"):
            combine(due(), [given_by(due(), 0), made, replace(made, peer=nowhere)])
    with pytest.raises(BadProof, match="no peer"):
        escrow.share_key(dealt().commitments, -1)


def test_the_owner_cannot_pass_its_key_for_a_share():
    """Place -1 is f(0): a power by x itself proves nothing about a share."""
    label = due().label(1)
    powers, proof = escrow.partials(KEY.x, (H,), label)
    for peer in (-1, 1):
        refused(due(), Partial(peer, powers, proof), "peer")


def test_two_partials_of_one_peer_are_not_two_peers():
    """A peer counts once, though both be true."""
    asked = due()
    one, two = given_by(asked, 1), given_by(asked, 2)
    with pytest.raises(BadProof, match="two partials of peer 1"):
        combine(asked, [one, two, one])


@pytest.mark.parametrize("wrong", INVALID)
def test_even_an_unchecked_combination_takes_points_of_the_group_alone(wrong):
    """No cofactor slips into a result that is multiplied by Lagrange's coefficients."""
    good = given_by(due(), 0).powers[0]
    with pytest.raises(BadElement):
        escrow.combine({0: good, 1: INVALID[wrong], 2: good})


def test_nothing_due_of_nobody_is_our_own_mistake():
    """Something is due, of a quorum that can be."""
    with pytest.raises(ValueError, match="0 items"):
        Due(dealt().commitments, 5, (), CONTEXT)
    with pytest.raises(ValueError, match="3 of 2 peers"):
        Due(dealt().commitments, 2, (Item("die", H),), CONTEXT)


# -- what comes out is what the owner would have said ----------------------------------------------

AT = (3, "roll", 0)


def cups(key):
    seating = SimpleNamespace(holders=[Holder(0)] * 3)
    known = {"game_id": GAME, "key": key, "entropy": {}, "views": {}, "seen": PrivateKnowledge()}
    return Cups(SimpleNamespace(**known, seating=seating, me=0))


def test_a_quorum_gives_the_owners_part_of_the_entropy():
    """E is the same, as if the owner had published its part."""
    mine = cups(KEY)
    asked = due(entropy_item(GAME, packed(AT)))
    assert asked.bases == (mine.entropy_base(AT),)
    (power,) = opened(asked, (1, 2, 4))
    proof = prove_powers(KEY, asked.bases, (power,), b"as the owner")
    check_powers(KEY.X, asked.bases, (power,), proof, b"as the owner")
    assert (power,) == powers_of(KEY, [mine.entropy_base(AT)])


def test_a_quorum_gives_the_dice_under_the_owners_cup():
    """The same secrets, so the same faces: leaving buys no new roll."""
    mine = cups(KEY)
    view = SimpleNamespace(cup=())
    mine._context.views[2] = view
    mine._context.entropy[AT] = b"e" * 32
    mine.roll(SimpleNamespace(at=AT, dice={2: 6}))
    items = [die_item(GAME, packed((AT, 2, place))) for place in range(6)]
    powers = opened(due(*items), (0, 3, 4))
    assert list(powers) == [mul(KEY.x, base) for base in mine.bases(2)]
    assert tuple(mine.face(power) for power in powers) == view.cup


def test_a_quorum_gives_the_owners_share_of_a_card():
    """With the others' shares the card comes out; one peer of the quorum less, and it does not."""
    keys = KEYS[:3]
    joint = joint_key([key.X for key in keys])
    pile, _ = shuffle([open_mask(card_point("t", f), joint) for f in range(4)], joint, SEED)
    asked = due(*map(card_item, pile))
    shares = opened(asked, (1, 2, 3))
    points = [
        unmask(card, [mine, *(mul(key.x, card.b) for key in keys[1:])])
        for card, mine in zip(pile, shares, strict=True)
    ]
    assert sorted(points) == sorted(card_point("t", face) for face in range(4))
    assert parse_deck(plain_deck(pile), 4) == pile


@given(chosen=st.binary(max_size=100))
@settings(max_examples=10, deadline=None)
def test_a_quorum_opens_exactly_the_choice_that_was_committed_to(chosen):
    """The same choice and salt as the owner's own opening: leaving buys no new choice."""
    slot = CommitPhase.slot_at(SimpleNamespace(context=SimpleNamespace(game_id=GAME)), bytes(32), 2)
    made = commit(KEY, slot, chosen, 64)
    (gamma,) = opened(due(choice_item(slot)), (0, 2, 3))
    assert open_by_gamma(made, slot, gamma) == chosen
    check_opening(made, slot, chosen, opening(KEY, slot))


def test_a_quorum_says_so_where_the_sealed_choice_is_another():
    """Who seals one choice and commits to another is found out when it leaves."""
    slot = b"slot"
    made = replace(commit(KEY, slot, b"one", 64), sealed=commit(KEY, slot, b"two", 64).sealed)
    (gamma,) = opened(due(choice_item(slot)), (0, 2, 3))
    with pytest.raises(BadSeal):
        open_by_gamma(made, slot, gamma)


def test_the_shares_of_a_running_game_open_what_a_lost_peer_owes():
    """Two of three peers, with what the opening phases left them, make the third one's dice."""
    table = Table(roster(3), seed=b"escrow")
    table.start()
    first, second, lost = (replica.context for replica in table.replicas)
    table.run(lambda t: lost.views[2].cup, seconds=100)
    faces, at = lost.views[2].cup, lost.cups.at
    assert faces
    items = [die_item(first.game_id, packed((at, 2, place))) for place in range(len(faces))]
    asked = Due(first.commitments[2], 3, tuple(items), b"lost")
    given = [partial(asked, context.me, context.shares[2]) for context in (first, second)]
    for one in given:
        check_partial(asked, one)
    assert tuple(lost.cups.face(power) for power in combine(asked, given)) == faces


# -- the key is never rebuilt ----------------------------------------------------------------------


def public_functions(module):
    return {
        name: get_type_hints(value)
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    }


def test_nothing_gives_the_key_back():
    """All public names: no function returns a number, and none takes a dealing."""
    hints = {**public_functions(escrow), **public_functions(partials)}
    assert set(hints) == {
        *("deal", "check_commitments", "share_key", "check_share", "partials", "check_partials"),
        *("choice_item", "partial", "check_partial", "combine", "read_partial"),
    }
    numbers = {name for name, hint in hints.items() if "int" in str(hint["return"])}
    assert numbers == set()
    takes = {
        (name, what)
        for name, hint in hints.items()
        for what, kind in hint.items()
        if what != "return" and kind is not int and ("int" in str(kind) or kind is Dealing)
    }
    assert not takes
    assert not [name for name, hint in hints.items() if hint["return"] is GameKey]


def test_what_is_secret_is_not_printed():
    """A dealing in a log or a traceback shows no share."""
    assert str(dealt().shares[0]) not in repr(dealt())


def test_partials_of_one_point_say_nothing_of_another():
    """q partials of H and q of G' combine to x·H and x·G' only; their mixture is neither."""
    other = Item("die", base(9))
    one, two = due(), due(other)
    mixed = {0: given_by(one, 0).powers[0], 1: given_by(one, 1).powers[0]}
    mixed[2] = given_by(two, 2).powers[0]
    assert escrow.combine(mixed) not in (mul(KEY.x, H), mul(KEY.x, base(9)))
    assert sub(mul(KEY.x, H), opened(one, (0, 1, 2))[0]) == IDENTITY
