"""Leaving buys no new roll, no new choice and no other lot, and shows nobody what was kept."""

from __future__ import annotations

from collections import deque

import pytest

from lanplay.engine.requests import Roll
from lanplay.games.dice_town import questions as q
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase, OpenAnswers, RevealPhase
from lanplay_protocol.replica.handover import SeatLottery
from lanplay_protocol.replica.jobs import Job
from lanplay_protocol.replica.messages import parse_signed
from lanplay_protocol.replica.reveals import Entropy, RevealCards
from lanplay_protocol.replica.shuffling import ShufflePiles
from lanplay_protocol.replica.threshold import ThresholdOpening
from lanplay_protocol.wire import decode
from tests.replica.harness import Table, roster
from tests.replica.test_cut import begun, finish
from tests.replica.test_cut_cheats import CHEAT, HONEST, finish_alike, join, leave, level


def holding_back(table, peer, kind, more=lambda transcript: True):
    """Keep a peer's own message of some kind of phase from all others; return what it held."""
    post, held = table._post, []

    def tell(author, event):
        said, payload = decode(event.body)
        replica = table.replicas[peer]
        if author == peer and said == "move" and payload[0] == peer:
            number = parse_signed(payload).phase
            of_kind = isinstance(replica.phases[number], kind)  # it may have passed by this
            if held or (of_kind and more(replica.transcript)):
                held.append((number, author, event))
                return
        post(author, event)

    table._post = tell
    table.run(lambda t: held and t.replicas[peer].transcript.number > held[0][0], seconds=900)
    assert held
    table._post = post
    return held


def test_who_leaves_once_it_knows_its_dice_keeps_them():
    """DT-2.1: the last to give its part of the entropy knows its dice before all others and leaves:
    whoever takes its seat over finds the same dice under the cup. In some games AI has answered for
    the seat before anybody could look."""
    found = map(dice_of_who_leaves, (b"leaves%d" % number for number in range(12)))
    before, after = next(each for each in found if each is not None)
    assert after == before != ()


def dice_of_who_leaves(seed):
    """Let the cheat leave once it knows a roll; return its cup and that of who takes its seat."""
    table = begun(seed=seed)
    level(table)
    cheat = table.replicas[CHEAT]

    def rolls(transcript):
        request = transcript.context.referee.request
        return isinstance(request, Roll) and CHEAT in request.dice

    holding_back(table, CHEAT, Entropy, rolls)
    cup, roll = cheat.views[CHEAT].cup, cheat.context.cups.at
    table.handle(CHEAT, cheat.step(inputs.Leaving(), table.now))
    table.kill(CHEAT)
    taken = [r for peer, r in enumerate(table.replicas) if peer != CHEAT]

    def seen(_):
        there = [r for r in taken if CHEAT in r.views and r.context.cups.at == roll]
        return [r.views[CHEAT].cup for r in there if r.asked(CHEAT) and r.views[CHEAT].cup]

    table.run(lambda t: seen(t) or any(r.context.cups.at > roll for r in taken), seconds=60)
    after = seen(table)
    finish(table)
    return (cup, after[0]) if after else None


def test_who_committed_to_nothing_does_not_choose_after_all_others(monkeypatch):
    """DT-2.2: a cheat commits to nothing, sees all others' choices, leaves and is back at once: it
    is named, and AI chooses for its seat."""
    honest_commitment, honest_mine, armed = CommitPhase._commitment, RevealPhase.mine, []

    def commitment(self, seat):
        all_choose = len(self.needs) == 4
        if self.context.me == CHEAT and self.context.phase > 40 and all_choose and not armed:
            armed.append(self.context.phase)
            return bytes(32), bytes(64)
        return honest_commitment(self, seat)

    monkeypatch.setattr(CommitPhase, "_commitment", commitment)
    monkeypatch.setattr(
        RevealPhase,
        "mine",
        lambda self: None if self.context.me == CHEAT and armed else honest_mine(self),
    )
    table = begun(seed=b"a05")
    cheat = table.replicas[CHEAT]

    def all_others_have(_):
        return (
            armed
            and isinstance(cheat.transcript.phase, RevealPhase)
            and len(cheat.transcript._brought) == 3
        )

    table.run(all_others_have, seconds=600)
    assert all_others_have(table)
    cheat.context.answers.clear()
    table.silent.add(CHEAT)  # all that it says from here on is brought by hand
    leave(table)
    table.run(lambda t: isinstance(t.replicas[0].transcript.phase, ThresholdOpening), seconds=10)
    join(table, table.replicas[0].transcript.view + 1, range(4))
    finish_alike(table, HONEST)
    assert all(table.accused(peer) == {(CHEAT, Code.BAD_OPENING)} for peer in HONEST)
    assert CHEAT not in table.replicas[0].context.present


def test_who_takes_over_a_seat_that_has_chosen_does_not_see_its_cup():
    """DT-2.2: a seat has committed which dice to keep and its peer is lost: nobody else ever learns
    the dice that it did not keep."""
    table = begun(seed=b"stays")
    victim, chosen = 1, []
    honest = table.answerer

    def answerer(peer, ask):
        answer = honest(peer, ask)
        if peer == victim and ask.question.name == "keep":
            chosen.append(answer)
        return answer

    table.answerer = answerer
    table.tampers[victim] = lambda table, to, move: (
        [] if isinstance(table.replicas[victim].phases[move.phase], RevealPhase) else None
    )
    replica = table.replicas[victim]
    table.run(lambda _: chosen and isinstance(replica.transcript.phase, RevealPhase), seconds=600)
    number, at = replica.transcript.number, replica.context.cups.at
    table.run(lambda t: all(r.transcript.number >= number for r in t.replicas), seconds=60)
    table.kill(victim)
    seen = []

    def look(_):
        there = [r for r in table.alive if r.context.cups.at == at and victim in r.views]
        seen.extend(other.views[victim].cup for other in there)
        return table.is_over()

    table.run(look, seconds=900)
    assert seen
    assert not any(seen)
    finish(table)


@pytest.mark.longer_games
def test_a_false_claim_is_its_authors_whoever_holds_the_seat_when_it_is_refuted(monkeypatch):
    """DT-6: a cheat plays a card as another kind and leaves before it is shown: the honest peer
    that takes the seat over is not named for it."""
    table = begun(seed=b"claim")
    only_answer, honest, claimed = q.Play.only_answer, table.answerer, []

    def choice(self, view):
        return None if view.seat == CHEAT else only_answer(self, view)

    monkeypatch.setattr(q.Play, "only_answer", choice)
    monkeypatch.setattr(q.Play, "check_own", lambda self, answer, view: None)

    def answer(peer, ask):
        if peer != CHEAT or not isinstance(ask.question, q.Play):
            return honest(peer, ask)
        view = table.replicas[peer].views[ask.seat]
        kinds = {card: view.face(card) for card in ask.question.hand}
        found = next((c for c, f in kinds.items() if q.cards.kind(f) != ask.question.card), None)
        claimed.extend([] if found is None else [found])
        return found

    def silent(table, to, move):
        shows = isinstance(table.replicas[CHEAT].phases[move.phase], RevealCards)
        return [] if claimed and shows else None

    table.answerer = answer
    table.tampers[CHEAT] = silent
    cheat = table.replicas[CHEAT]

    def all_wait_for_the_show(_):
        return claimed and all(isinstance(r.transcript.phase, RevealCards) for r in table.replicas)

    table.run(all_wait_for_the_show, seconds=3000)
    table.handle(CHEAT, cheat.step(inputs.Leaving(), table.now))
    table.kill(CHEAT)
    finish_alike(table, HONEST)
    assert table.replicas[0].begun
    assert [table.accused(peer) for peer in HONEST] == 3 * [{(CHEAT, Code.FALSE_CLAIM)}]


def lot_drawn(seed):
    """A table at which the cheat alone knows who is drawn for the seat of peer 1."""
    table = begun(5, seed=seed)
    level(table)
    table.kill(1)
    holding_back(table, CHEAT, SeatLottery)
    return table


@pytest.mark.parametrize("game", range(3))
def test_who_sees_the_lot_first_and_leaves_does_not_draw_it_again(game):
    """The last to give its part of the lot knows who takes the seat; its part comes in without it.

    It leaves unless it was drawn itself.
    """
    taker = CHEAT
    for lot in range(8):  # until another one is drawn, and nobody has to choose anything
        table = lot_drawn(b"a23 %d %d" % (game, lot))
        cheat = table.replicas[CHEAT]
        taker = cheat.context.seating.holders[1].peer
        asks = isinstance(cheat.transcript.phase, SeatLottery | CommitPhase | OpenAnswers)
        if taker != CHEAT and not asks:
            break
    assert taker != CHEAT
    assert not asks
    table.handle(CHEAT, cheat.step(inputs.Leaving(), table.now))
    table.kill(CHEAT)
    first = table.replicas[0]
    table.run(lambda t: first.context.seating.holders[1].peer != 1, seconds=60)
    assert first.context.seating.holders[1].peer == taker
    finish(table)


def test_who_comes_back_while_cards_are_shuffled_has_its_turn():
    """Else, where whoever has shuffled goes in its turn, those who are left are dealt cards in an
    order that one of them alone has made and knows."""
    table = Table(roster(3), seed=b"turns", offload=True)
    table.start()
    first, last = table.replicas[0], table.replicas[2]

    def until(there, *peers):
        """Some peers do no long work meanwhile."""

        def come(t):
            t.queue = deque(e for e in t.queue if e[0] not in peers or not isinstance(e[2], Job))
            return there()

        table.run(come, seconds=60)
        assert there()

    def turn(peer, *replicas):
        phases = [replica.transcript.phase for replica in replicas]
        return all(isinstance(each, ShufflePiles) and each.needs == {peer} for each in phases)

    until(lambda: turn(0, *table.replicas), 0)
    table.disconnect(*table.pairs(0))
    for peer in (1, 2):
        table.step(peer, inputs.SkipWait(0))
    until(lambda: turn(1, *table.replicas[1:]), 0, 1)
    table.connect(*table.pairs(0))
    until(lambda: last.transcript.members == {0, 1, 2}, 0, 1)
    table.step(1, inputs.Leaving())
    table.kill(1, lost=False)
    until(lambda: last.transcript.members == {0, 2}, 1)
    until(lambda: isinstance(last.transcript.phase, CommitPhase))
    had = {r.me for r in (first, last) for p in r.phases.values() if isinstance(p, ShufflePiles)}
    assert had == {0, 2}
