"""Modified peers that cheat with keys, shares and cards: each is named by every honest peer."""

from __future__ import annotations

import pytest

from lanplay.games.dice_town import questions as q
from lanplay_protocol.crypto import escrow
from lanplay_protocol.crypto.cards import Ciphertext, card_point, open_mask, parse_deck, plain_deck
from lanplay_protocol.crypto.group import IDENTITY, L, base, encode, mul, sub
from lanplay_protocol.crypto.keys import GameKey, prove_key
from lanplay_protocol.crypto.proofs import powers_of, prove_powers
from lanplay_protocol.crypto.sealing import disclose, seal
from lanplay_protocol.crypto.shuffle import prove_shuffle, shuffle
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import OpenAnswers
from lanplay_protocol.replica.events import Logged, TrustNeeded
from lanplay_protocol.replica.key_setup import Escrow, KeyCommitments, Keys, Ready, key_commitment
from lanplay_protocol.replica.messages import complain, read
from lanplay_protocol.replica.reveals import DealCards, Entropy, RevealCards
from lanplay_protocol.replica.shuffling import MixPiles, ShufflePiles
from lanplay_protocol.wire import encode as packed
from tests.replica.harness import Table, asks, identity, lies_once, parts, received, roster

REAL_CRYPTO = True

CHEAT = 2
HONEST = (0, 1)
SEEDS = 12
"""Games that are tried until one has what a test is about."""
SMALL = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
"""A point of order 8."""


def verdict(table, code, culprit=CHEAT, seconds=600.0):
    """All honest peers name one culprit, for one phase, and play on without it."""
    table.start()
    table.run(lambda t: t.is_settled(HONEST), seconds=seconds)
    judged(table, code, culprit)


def judged(table, code, culprit=CHEAT):
    found = [
        {(e.peer, e.code, e.phase) for e in table.events[p] if hasattr(e, "code")} for p in HONEST
    ]
    assert found[0]
    assert all(each == found[0] for each in found)
    assert {(peer, found_code) for peer, found_code, _ in found[0]} == {(culprit, code)}
    assert table.plays_on(HONEST)


def cheating(seed, tamper):
    table = Table(roster(3), seed=seed)
    table.tampers[CHEAT] = lies_once(
        lambda table, to, move: tamper(table, to, move, table.replicas[CHEAT].phases[move.phase])
    )
    return table


def in_phase(kind, change):
    """Tamper with every message of one kind of phase: ``change(context, phase, move)``."""

    def tamper(table, to, move, phase):
        if not isinstance(phase, kind):
            return None
        return [parts(move, change(table.replicas[CHEAT].context, phase, move))]

    return tamper


# -- keys and their escrow -------------------------------------------------------------------------


def rogue(context, phase):
    return sub(context.key.X, GameKey.derive(bytes(32)).X), prove_key(context.key, b"")


def borrowed(context, phase):
    other = GameKey.derive(b"x" * 32)
    return other.X, prove_key(other, phase._label(0)) if isinstance(phase, Keys) else b""


def small(context, phase):
    return SMALL, prove_key(context.key, b"")


@pytest.mark.parametrize("key", [rogue, borrowed, small])
def test_a_key_without_its_own_proof_is_refused(key, monkeypatch):
    """A key made of others' keys, proven for another peer, or of small order is refused."""

    def cheats(kind, method, other):
        honest = getattr(kind, method)
        monkeypatch.setattr(
            kind, method, lambda self, *a: (other if self.context.me == CHEAT else honest)(self, *a)
        )

    def promised(phase):
        return key_commitment(phase.context, CHEAT, bytes(32), key(phase.context, phase)[0])

    cheats(KeyCommitments, "mine", promised)
    cheats(Keys, "mine", lambda phase: (bytes(32), *key(phase.context, phase)))
    own = {CHEAT: lambda phase: phase.context.key.X}
    cheats(
        Keys,
        "check",
        lambda phase, sender, parts: (parts[0], own.get(sender, lambda _: parts[1])(phase)),
    )
    verdict(Table(roster(3), seed=b"rogue"), Code.BAD_PROOF)


def test_a_key_chosen_after_the_others_were_seen_is_refused():
    """The key and the nonce must be those promised: nobody can try keys for other words."""

    def late(context, phase, move):
        other = GameKey.derive(b"late" * 8)
        return move.parts[0], other.X, prove_key(other, phase._label(CHEAT))

    verdict(cheating(b"late", in_phase(Keys, late)), Code.BAD_OPENING)


def test_the_game_waits_until_everybody_trusts_the_table():
    """Nothing is shuffled or dealt before the last person has agreed; all see one binding."""
    table = Table(roster(3), seed=b"trust")
    for replica in table.replicas:
        replica.context.trusted = False
    table.start()
    table.run(seconds=100)
    bindings = {table.of(peer, TrustNeeded)[0].binding for peer in range(3)}
    assert len(bindings) == 1
    for peer in (0, 1):
        table.step(peer, inputs.Trusted())
    table.run(seconds=100)
    assert all(isinstance(r.transcript.phase, Ready) for r in table.replicas)
    table.step(2, inputs.Trusted())
    table.run(lambda t: all(r.context.referee.table.round for r in t.replicas), seconds=100)
    assert not any(replica.halted for replica in table.replicas)


def shared(context, move, key, quorum, wrong=()):
    """Return an escrow message of ``key``, with false shares for some peers."""
    dealing = escrow.deal(key, 3, quorum, b"s" * 32)
    label = Escrow(context).label(move.previous, move.phase, CHEAT)
    sealed = tuple(
        seal(context.publics[p], encode(share + (p in wrong)), label, bytes([p]) * 32)
        for p, share in enumerate(dealing.shares)
    )
    return dealing.commitments, sealed


def test_a_false_share_of_a_key_is_disclosed_and_its_dealer_named():
    """One receiver alone can see it; its complaint convinces everybody."""
    change = in_phase(Escrow, lambda c, p, m: shared(c, m, c.key, 2, wrong=(1,)))
    verdict(cheating(b"share", change), Code.BAD_PROOF)


def test_another_key_than_that_of_the_game_cannot_be_shared():
    """The first commitment is the key that was proven before."""
    change = in_phase(Escrow, lambda c, p, m: shared(c, m, GameKey.derive(b"o" * 32), 2))
    verdict(cheating(b"other", change), Code.BAD_PROOF)


@pytest.mark.parametrize("quorum", [1, 3])
def test_a_key_cannot_be_shared_for_another_quorum(quorum):
    """Fewer could read hands, more could not stand in: the quorum is the table's."""
    change = in_phase(Escrow, lambda c, p, m: shared(c, m, c.key, quorum))
    verdict(cheating(b"quorum", change), Code.MALFORMED)


def test_a_share_for_another_receiver_is_refused_by_all():
    """A sealing is bound to its receiver: swapped ones are refused without a complaint."""

    def swap(context, phase, move):
        commitments, (one, two, three) = move.parts
        return commitments, (two, one, three)

    verdict(cheating(b"swap", in_phase(Escrow, swap)), Code.BAD_PROOF)


# -- shuffles --------------------------------------------------------------------------------------


def piles(context, phase, move, change):
    """Return a message with every pile changed by ``change(old, new) -> new``."""
    changed = []
    for (_, old), (deck, proof) in zip(phase._piles.items(), move.parts, strict=True):
        new = change(old, parse_deck(deck, len(old)))
        changed.append((plain_deck(new), proof))
    return tuple(changed)


def doubled(old, new):
    return [new[1], *new[1:]]


def foreign(old, new):
    return [Ciphertext(card_point("foreign", 0), base(1)), *new[1:]]


def swapped(old, new):
    return [new[1], new[0], *new[2:]]


@pytest.mark.parametrize("change", [doubled, foreign, swapped])
def test_a_pile_that_its_proof_does_not_cover_is_refused(change):
    """DT-1.1: a card doubled, exchanged or moved after the proof was made is noticed."""
    tamper = in_phase(ShufflePiles, lambda c, p, m: piles(c, p, m, change))
    verdict(cheating(b"pile", tamper), Code.BAD_PROOF)


def test_a_proof_made_for_a_doubled_card_does_not_hold():
    """DT-1.1: nor can the proof be made for a pile in which a card comes twice."""

    def change(context, phase, move):
        made = []
        for name, old in phase._piles.items():
            new, witness = shuffle(old, context.deck.joint, b"d" * 32)
            new[0] = new[1]
            label = context.proof_context(CHEAT, f"shuffle {name}")
            proof = prove_shuffle(old, new, witness, context.deck.joint, label, b"p" * 32)
            made.append((plain_deck(new), proof))
        return tuple(made)

    verdict(cheating(b"proof", in_phase(ShufflePiles, change)), Code.BAD_PROOF)


def test_another_peers_shuffle_cannot_be_said_again():
    """DT-1.1: pile and proof of the shuffler before, repeated, are refused."""

    def change(context, phase, move):
        return context_moves(context, phase)

    table = cheating(b"replay", in_phase(ShufflePiles, change))

    def context_moves(context, phase):
        from lanplay_protocol.wire import decode

        transcript = table.replicas[CHEAT].transcript
        before = next(m for m in reversed(transcript.moves[:-1]) if 1 in m)
        return decode(before[1].body)[2]

    verdict(table, Code.BAD_PROOF)


@pytest.mark.longer_games(12, 8)
def test_a_hand_mixed_with_a_foreign_card_is_refused():
    """DT-3.5: a victim cannot slip another card into the hand that is robbed."""
    tamper = in_phase(MixPiles, lambda c, p, m: piles(c, p, m, foreign))
    verdict(cheating(b"mix", tamper), Code.BAD_PROOF)


# -- shares of cards -------------------------------------------------------------------------------


def test_a_false_share_of_a_shown_card_is_refused():
    """DT-3.7: a share that would turn a claim into another one has no proof."""

    def change(context, phase, move):
        powers, proof = move.parts
        return (mul(3, powers[0]), *powers[1:]), proof

    verdict(cheating(b"show", in_phase(RevealCards, change)), Code.BAD_PROOF)


@pytest.mark.parametrize("bad", [SMALL, IDENTITY, bytes(31) + b"\x80", b"\xff" * 32])
def test_invalid_points_are_refused_wherever_they_come(bad):
    """Points of small order, the identity and no points at all name their sender."""

    def change(context, phase, move):
        return ((bad,), move.parts[1])

    verdict(cheating(b"points", in_phase(Entropy, change)), Code.BAD_PROOF)


def test_a_mixed_order_point_is_refused():
    """A power with a part of small order added passes libsodium's addition, and no check here."""
    from nacl import bindings as sodium

    def change(context, phase, move):
        mixed = sodium.crypto_core_ed25519_add(move.parts[0][0], SMALL)
        return (mixed,), move.parts[1]

    verdict(cheating(b"mixed", in_phase(Entropy, change)), Code.BAD_PROOF)


def test_scalars_out_of_range_are_refused():
    """A proof whose answer is the same number plus the group's order is another encoding."""

    def change(context, phase, move):
        powers, proof = move.parts
        z = int.from_bytes(proof[32:], "little") + L
        return powers, proof[:32] + z.to_bytes(32, "little")

    verdict(cheating(b"range", in_phase(Entropy, change)), Code.BAD_PROOF)


def sealed_shares(context, phase, move, key, receiver):
    label = phase.label(move.previous, move.phase, CHEAT)
    powers = powers_of(key, phase._bases)
    plain = b"".join(powers) + prove_powers(key, phase._bases, powers, label)
    return seal(context.publics[receiver], plain, label, b"e" * 32)


def test_a_false_share_of_a_dealt_card_is_disclosed_and_named():
    """DT-3.4: the receiver alone sees it; its complaint convinces everybody."""
    other = GameKey.derive(b"w" * 32)
    change = in_phase(DealCards, lambda c, p, m: sealed_shares(c, p, m, other, p._receiver))
    verdict(cheating(b"deal", change), Code.BAD_PROOF)


def test_a_box_that_does_not_open_is_disclosed_and_named():
    """DT-3.4: rubbish sealed under a valid envelope is the sender's fault, not the receiver's."""

    def change(context, phase, move):
        label = phase.label(move.previous, move.phase, CHEAT)
        return seal(context.publics[phase._receiver], bytes(phase._size), label, b"e" * 32)

    verdict(cheating(b"box", in_phase(DealCards, change)), Code.BAD_PROOF)


def test_a_share_sealed_to_the_wrong_peer_is_refused_by_all():
    """DT-3.4: everybody sees for whom a share was sealed."""

    def change(context, phase, move):
        wrong = next(p for p in range(3) if p not in (CHEAT, phase._receiver))
        return sealed_shares(context, phase, move, context.key, wrong)

    verdict(cheating(b"wrong", in_phase(DealCards, change)), Code.BAD_PROOF)


def test_a_share_withheld_is_given_by_the_others_after_ten_seconds():
    """DT-3.4: whoever does not give its share of a card is late: the table goes on without it."""

    def tamper(table, to, move, phase):
        return [] if isinstance(phase, DealCards) else None

    table = cheating(b"withheld", tamper)
    table.start()
    table.run(lambda t: all(t.replicas[peer].begun for peer in HONEST), seconds=600)
    assert table.replicas[0].begun[0].lost == {CHEAT}
    assert all(table.accused(peer) == set() for peer in HONEST)


def test_a_complaint_of_a_true_share_names_the_complainer():
    """A receiver that calls a good share bad convicts itself with its disclosure."""
    table = Table(roster(3), seed=b"liar")
    replica = table.replicas[CHEAT]

    def dealt(_):
        phase = replica.transcript.phase
        return isinstance(phase, DealCards) and phase._receiver == CHEAT and replica.moves[-1]

    table.start()
    table.run(dealt, seconds=600)
    accused = next(iter(replica.moves[-1].values()))
    move, phase = read(accused), replica.transcript.phase
    label = phase.label(move.previous, move.phase, move.sender)
    shown = disclose(replica.context.key, phase.sealing(move.sender, CHEAT, move.parts), label)
    made = complain(CHEAT, accused, shown, identity(CHEAT), table.roster)
    for peer in HONEST:
        table.queue.append((CHEAT, peer, packed(("complaint", made.plain()))))
    table.run(lambda t: t.is_settled(HONEST), seconds=600)
    for peer in HONEST:
        assert table.accused(peer) == {(CHEAT, Code.FALSE_CLAIM)}


@pytest.mark.longer_games
def test_whoever_is_no_receiver_cannot_complain():
    """A complaint of a deal to somebody else names its author, whatever it discloses."""
    table = Table(roster(3), seed=b"meddler")
    replica = table.replicas[0]

    def dealt(_):
        phase = replica.transcript.phase
        return isinstance(phase, DealCards) and phase._receiver == 0 and 1 in replica.moves[-1]

    table.start()
    table.run(dealt, seconds=600)
    made = complain(CHEAT, replica.moves[-1][1], b"", identity(CHEAT), table.roster)
    for peer in HONEST:
        table.queue.append((CHEAT, peer, packed(("complaint", made.plain()))))
    table.run(lambda t: t.is_settled(HONEST), seconds=600)
    for peer in HONEST:
        assert table.accused(peer) == {(CHEAT, Code.FALSE_CLAIM)}


def test_a_withholder_is_late_however_much_it_talks():
    """DT-2.1: asking for messages every second does not put off the end of the wait."""

    def tamper(table, to, move, phase):
        return [] if isinstance(phase, Entropy) else None

    table = cheating(b"chatty", tamper)
    table.start()
    for second in range(40):
        table.now = float(second)
        while table.queue:
            table._deliver()
        for peer in HONEST:
            if not table.replicas[peer].halted:
                want = asks(table.replicas[peer].transcript)
                table.handle(peer, table.replicas[peer].step(received(CHEAT, want), float(second)))
                table.handle(peer, table.replicas[peer].step(inputs.Ticked(), float(second)))
    for peer in HONEST:
        assert CHEAT in table.replicas[peer].begun[0].lost


def test_two_answers_of_the_only_seat_asked_are_evidence():
    """DT-3.4: different cards kept, told to different peers, are found out by both."""

    def tamper(table, to, move, phase):
        if not isinstance(phase, OpenAnswers) or to != 0:
            return None
        (question,) = phase.request.questions.values()
        if not isinstance(question, q.KeepLoot) or len(question.cards) < 2:
            return None
        (card,) = move.parts
        return [parts(move, ((next(other for other in question.cards if other != card[0]), None),))]

    for luck in range(5, 21):
        table = cheating(b"two%d" % luck, tamper)
        table.start()
        table.run(lambda t: t.is_settled(HONEST), seconds=3000)
        if any(table.accused(peer) for peer in HONEST):
            for peer in HONEST:
                assert table.accused(peer) == {(CHEAT, Code.EQUIVOCATION)}
            return
    raise AssertionError("no such question came")


def claiming(monkeypatch):
    """Return a table at which a cheat plays any card as any other kind."""
    table = Table(roster(3), seed=b"claim")
    seats = table.roster.peers[CHEAT].seats
    only_answer = q.Play.only_answer
    monkeypatch.setattr(
        q.Play,
        "only_answer",
        lambda self, view: None if view.seat in seats else only_answer(self, view),
    )
    monkeypatch.setattr(q.Play, "check_own", lambda self, answer, view: None)
    honest = table.answerer

    def answer(peer, ask):
        if peer != CHEAT or not isinstance(ask.question, q.Play):
            return honest(peer, ask)
        view = table.replicas[peer].views[ask.seat]
        kinds = {card: view.face(card) for card in ask.question.hand}
        return next((c for c, f in kinds.items() if q.cards.kind(f) != ask.question.card), None)

    table.answerer = answer
    return table


def test_a_card_that_is_not_what_was_claimed_names_its_player(monkeypatch):
    """DT-6: a card played as another kind is exposed by the show that follows: no effect."""
    table = claiming(monkeypatch)
    verdict(table, Code.FALSE_CLAIM, seconds=3000)
    told = [event.message.id for event in table.of(0, Logged)]
    assert told[told.index("refuted") - 1] != "plays"


def hiding(monkeypatch, seed):
    """Return a table at which a cheat keeps Nervous Joe whenever it can, and says that it is
    another card."""
    table = Table(roster(3), seed=seed)
    seats = table.roster.peers[CHEAT].seats
    for ask in (q.Buy, q.DeclareJoe):
        only_answer = ask.only_answer
        monkeypatch.setattr(
            ask,
            "only_answer",
            lambda self, view, only_answer=only_answer: (
                None if view.seat in seats else only_answer(self, view)
            ),
        )
        monkeypatch.setattr(ask, "check_own", lambda self, answer, view: None)
    honest = table.answerer

    def answer(peer, ask):
        if peer != CHEAT or not isinstance(ask.question, q.Buy | q.DeclareJoe):
            return honest(peer, ask)
        view, question = table.replicas[peer].views[ask.seat], ask.question
        if isinstance(question, q.DeclareJoe):
            return None
        joe = (card for card in question.cards if q.cards.is_joe(view, card))
        return next(joe, question.cards[0]), None, None

    table.answerer = answer
    return table


def test_who_hides_nervous_joe_is_named_when_he_turns_up(monkeypatch):
    """DT-6.8: in a robbery, in a bribe or at the end he is found, and the game goes to its end."""
    for number in range(19, 19 + SEEDS):
        table = hiding(monkeypatch, b"joe%d" % number)
        table.start()
        table.run(lambda t: t.is_settled(HONEST), seconds=3000)
        if table.accused(0):
            break
    judged(table, Code.FALSE_CLAIM)


def test_the_first_masking_hides_nothing_and_is_everybodys():
    """The deck before the first shuffle is the same on every replica: none can slip in a card."""
    table = Table(roster(3), seed=b"deck")
    table.start()
    table.run(lambda t: all(isinstance(r.transcript.phase, ShufflePiles) for r in t.replicas))
    decks = [r.context.deck.masked(range(44)) for r in table.replicas]
    assert decks[0] == decks[1] == decks[2]
    assert decks[0][7] == open_mask(
        card_point("dice-town", 7), table.replicas[0].context.deck.joint
    )
