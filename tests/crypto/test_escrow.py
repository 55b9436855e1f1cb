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
from lanplay_protocol.crypto import escrow, partials, schnorr, sealing
from lanplay_protocol.crypto.cards import (
    card_point,
    joint_key,
    open_mask,
    parse_deck,
    plain_deck,
    unmask,
)
from lanplay_protocol.crypto.choice import check_opening, commit, open_by_gamma, opening
from lanplay_protocol.crypto.errors import BadElement, BadProof, BadSeal, CryptoError
from lanplay_protocol.crypto.escrow import Dealing, SealedDealing
from lanplay_protocol.crypto.group import IDENTITY, L, add, base, encode, hash_to_point, mul, sub
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.crypto.partials import (
    Due,
    Item,
    Partial,
    card_item,
    check_partial,
    check_sealed_partial,
    choice_item,
    combine,
    die_item,
    entropy_item,
    judge_partial,
    open_partial,
    partial,
    seal_partial,
)
from lanplay_protocol.crypto.proofs import check_powers, powers_of, prove_powers
from lanplay_protocol.crypto.sealing import disclose, seal
from lanplay_protocol.crypto.shuffle import shuffle
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.cups import Cups
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.wire import encode as packed
from tests.replica.harness import Table, roster

KEYS = [GameKey.derive(bytes([n]) * 32) for n in range(5)]
PUBLICS = tuple(key.X for key in KEYS)
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


@cache
def sealed_dealing(peers=5):
    return escrow.share(KEY, PUBLICS[:peers], peers // 2 + 1, CONTEXT, bytes([peers]) * 32)


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


@settings(max_examples=6, deadline=None)
@given(seed=SEEDS, peers=PEERS)
def test_a_dealing_is_seen_to_be_right_by_all_and_opened_by_each(seed, peers):
    """Everybody checks it in public; every receiver finds the share that it commits to."""
    dealing = escrow.share(KEY, PUBLICS[:peers], peers // 2 + 1, CONTEXT, seed)
    escrow.check_dealing(dealing, KEY.X, PUBLICS[:peers], peers // 2 + 1, CONTEXT)
    assert dealing.commitments[0] == KEY.X
    for peer in range(peers):
        share = escrow.open_share(KEYS[peer], peer, dealing, CONTEXT)
        assert base(share) == escrow.share_key(dealing.commitments, peer)


def test_a_dealing_is_a_function_of_its_arguments():
    """A restarted dealer sends the same bytes; another seed gives other shares."""
    first, again, other = (
        escrow.share(KEY, PUBLICS[:2], 2, CONTEXT, seed) for seed in (SEED, SEED, b"o" * 32)
    )
    assert first == again
    assert first.commitments[1] != other.commitments[1]


def test_only_the_receiver_opens_a_share():
    """Another peer's key opens nothing, nor does the right one in another phase."""
    dealing = sealed_dealing()
    with pytest.raises(BadSeal):
        escrow.open_share(KEYS[2], 1, dealing, CONTEXT)
    with pytest.raises(BadSeal):
        escrow.open_share(KEYS[1], 1, dealing, b"another phase")


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


def test_a_share_of_zero_is_seen_by_all():
    """With f(j) = 0 a peer could prove nothing: the share key says so, without a complaint."""
    dealing = sealed_dealing()
    second = dealing.commitments[1]
    rest = add(KEY.X, mul(3, second))
    zero = (KEY.X, second, mul(pow(-9, -1, L), rest))
    assert escrow.share_key(zero, 2) == IDENTITY
    with pytest.raises(BadProof, match="share of peer 2 is zero"):
        escrow.check_dealing(replace(dealing, commitments=zero), KEY.X, PUBLICS, 3, CONTEXT)


def dealing_errors():
    dealing = sealed_dealing()
    one, two, *rest = dealing.sealed
    return {
        "one is missing": ((one, two, *rest[1:]), "4 sealed shares for 5 peers"),
        "two are swapped": ((two, one, *rest), "share of peer 0.*another receiver"),
        "one is longer": ((one + b"x", two, *rest), "share of peer 0 is sealed in"),
        "one is changed": ((bytes([one[0] ^ 1]) + one[1:], two, *rest), "share of peer 0"),
        "one has a point of small order": ((SMALL + one[32:], two, *rest), "share of peer 0"),
    }


@pytest.mark.parametrize("what", dealing_errors())
def test_sealings_that_are_not_for_their_place_are_refused_by_all(what):
    """What is wrong on the outside needs no complaint."""
    sealed, why = dealing_errors()[what]
    with pytest.raises(BadSeal, match=why):
        escrow.check_dealing(
            SealedDealing(sealed_dealing().commitments, sealed), KEY.X, PUBLICS, 3, CONTEXT
        )


def test_a_dealing_of_another_game_or_phase_is_refused():
    """A sealing holds in its context alone."""
    with pytest.raises(BadSeal):
        escrow.check_dealing(sealed_dealing(), KEY.X, PUBLICS, 3, b"another game")


# -- complaints ------------------------------------------------------------------------------------


def garbled(to, plain, context):
    """Return a sealing that is right on the outside, and whose box does not open."""
    e = 7
    box = seal(to, plain, context, SEED)[32 + schnorr.PROOF :]
    bound = sealing._bound(to, box, context)
    return base(e) + schnorr.prove(sealing.AUTHORSHIP, e, base(e), (), (), bound) + box


def false_sealings():
    share = dealt().shares[1]
    say = {
        "another share": (encode(dealt().shares[2]), "peer 1 is not the one committed to"),
        "zero": (encode(0), "from 1 to L - 1"),
        "over the order": ((share + L).to_bytes(32, "little"), "below the group order"),
        "short": (encode(share)[:-1], "32 bytes"),
    }
    made = {name: (seal(PUBLICS[1], p, CONTEXT, SEED), why) for name, (p, why) in say.items()}
    made["garbage"] = garbled(PUBLICS[1], encode(share), CONTEXT), "does not open"
    return made


@pytest.mark.parametrize("what", false_sealings())
def test_a_false_share_is_shown_and_its_dealer_at_fault(what):
    """Its receiver alone sees it; with the disclosure every third party does, for this reason."""
    sealed, why = false_sealings()[what]
    honest = sealed_dealing()
    dealing = SealedDealing(honest.commitments, (honest.sealed[0], sealed, *honest.sealed[2:]))
    if what != "short":
        escrow.check_dealing(dealing, KEY.X, PUBLICS, 3, CONTEXT)
    with pytest.raises(CryptoError, match=why):
        escrow.open_share(KEYS[1], 1, dealing, CONTEXT)
    shown = disclose(KEYS[1], sealed, CONTEXT)
    verdict = escrow.judge_share(dealing, PUBLICS, 1, shown, CONTEXT)
    assert verdict.sender_guilty
    assert why.split(".*")[0] in verdict.why


def test_a_complaint_of_a_true_share_falls_back_on_who_made_it():
    """True content, a disclosure of something else and one of nothing: the receiver's fault."""
    dealing = sealed_dealing()
    shown = disclose(KEYS[1], dealing.sealed[1], CONTEXT)
    elsewhere = disclose(KEYS[2], dealing.sealed[2], CONTEXT)
    found = escrow.judge_share(dealing, PUBLICS, 1, shown, CONTEXT)
    assert (found.sender_guilty, found.why) == (False, "what was sealed is true")
    for false in (elsewhere, IDENTITY + shown[32:], SMALL + shown[32:], shown[:-1], b""):
        found = escrow.judge_share(dealing, PUBLICS, 1, false, CONTEXT)
        assert not found.sender_guilty
        assert "disclosure is false" in found.why


def test_nobody_complains_from_no_place():
    """A place counted from the end would be judged as another peer's."""
    for peer in (-1, 5):
        with pytest.raises(ValueError, match="no peer"):
            escrow.judge_share(sealed_dealing(), PUBLICS, peer, b"", CONTEXT)


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


# -- sealed partials -------------------------------------------------------------------------------

HOST = 4


def hidden(peers=(1, 2, 3)):
    asked = due(die_item(GAME, packed(((3, "roll"), 0, 0))), Item("die", H))
    made = {p: seal_partial(asked, given_by(asked, p), PUBLICS[HOST], SEED) for p in peers}
    return asked, made


def test_what_is_hidden_opens_for_its_new_host_alone():
    """Everybody sees that each part came; the host makes x·H of them, another peer nothing."""
    asked, made = hidden()
    for peer, sealed in made.items():
        check_sealed_partial(asked, peer, PUBLICS[HOST], sealed)
        with pytest.raises(BadSeal):
            open_partial(asked, peer, KEYS[3], sealed)
    given = [open_partial(asked, peer, KEYS[HOST], sealed) for peer, sealed in made.items()]
    assert combine(asked, given) == powers_of(KEY, asked.bases)


def test_a_sealed_partial_for_another_place_receiver_or_purpose_is_refused_by_all():
    """Nobody needs to open it to see that."""
    asked, made = hidden()
    to, later = PUBLICS[HOST], replace(asked, context=b"later")
    point = replace(asked, items=(asked.items[0], Item("die", base(9))))
    owner = replace(asked, commitments=escrow.deal(KEYS[1], 5, 3, SEED).commitments)
    for what, peer, receiver, sealed in (
        (point, 1, to, made[1]),
        (owner, 1, to, made[1]),
        (asked, 1, to, seal(to, bytes(96), asked.label(1), SEED)),
        (asked, 2, to, made[1]),
        (asked, 1, PUBLICS[3], made[1]),
        (later, 1, to, made[1]),
        (asked, 1, to, made[1] + b"x"),
        (due(), 1, to, made[1]),
    ):
        with pytest.raises(BadSeal):
            check_sealed_partial(what, peer, receiver, sealed)
    with pytest.raises(BadProof, match="no peer"):
        check_sealed_partial(asked, 5, to, made[1])


def false_partials():
    asked, _ = hidden()
    made = given_by(asked, 1)
    label, to = asked.label(1), PUBLICS[HOST]
    swapped = replace(made, powers=made.powers[::-1])
    small = replace(made, powers=(SMALL, made.powers[1]))
    return {
        "swapped": (seal_partial(asked, swapped, to, SEED), "does not hold"),
        "small order": (seal_partial(asked, small, to, SEED), "power 0"),
        "short": (seal(to, made.proof, label, SEED), "has not 64 bytes"),
        "garbage": (garbled(to, bytes(128), label), "does not open"),
    }


@pytest.mark.parametrize("what", false_partials())
def test_a_false_sealed_partial_is_shown_and_its_author_at_fault(what):
    """Alike for the receiver, a third party and whoever reads the record."""
    asked, _ = hidden()
    sealed, why = false_partials()[what]
    with pytest.raises(CryptoError, match=why):
        open_partial(asked, 1, KEYS[HOST], sealed)
    shown = disclose(KEYS[HOST], sealed, asked.label(1))
    verdict = judge_partial(asked, 1, PUBLICS[HOST], sealed, shown)
    assert verdict.sender_guilty
    assert why in verdict.why


def test_a_complaint_of_a_true_sealed_partial_is_refused():
    """It falls back on its author, and so does one that discloses nothing."""
    asked, made = hidden()
    shown = disclose(KEYS[HOST], made[1], asked.label(1))
    for disclosure in (shown, shown[:-1], b""):
        assert not judge_partial(asked, 1, PUBLICS[HOST], made[1], disclosure).sender_guilty


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
    """All public names: a number comes out of a receiver's own share alone; none takes two."""
    hints = {**public_functions(escrow), **public_functions(partials)}
    assert set(hints) == {
        *("deal", "share", "check_dealing", "open_share", "read_share", "judge_share", "judged"),
        *("check_commitments", "share_key", "check_share", "partials", "check_partials"),
        *("entropy_item", "die_item", "card_item", "choice_item", "partial", "check_partial"),
        *("combine", "seal_partial", "check_sealed_partial", "open_partial", "judge_partial"),
        "read_partial",
    }
    numbers = {name for name, hint in hints.items() if "int" in str(hint["return"])}
    assert numbers == {"open_share", "read_share"}
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
