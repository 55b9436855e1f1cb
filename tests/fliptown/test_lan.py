"""Fliptown between peers: plans that are sealed, cards that nobody can choose or peek at."""

from __future__ import annotations

from contextlib import suppress

import pytest

from lanplay.engine.record import Record
from lanplay.engine.replay import Replay
from lanplay.games import load
from lanplay.games.fliptown.cards import JACK, number
from lanplay.games.fliptown.codes import EFFECT, LOOK
from lanplay.games.fliptown.questions import Move
from lanplay.games.fliptown.turn import follow
from lanplay_protocol.crypto.group import mul
from lanplay_protocol.errors import Code
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import ChoicePhase, CommitPhase, OpenAnswers, RevealPhase
from lanplay_protocol.replica.events import GameOver
from lanplay_protocol.replica.reveals import RevealCards
from lanplay_protocol.wire import encode
from tests.fliptown.script import at
from tests.replica import harness
from tests.replica.test_audit import record_of

GAME = load("fliptown")

CHEAT = 2
HONEST = (0, 1)


@pytest.fixture
def table_of(monkeypatch):
    """Make tables of peers in memory."""
    monkeypatch.setattr(harness, "load", lambda name: GAME)

    def make(peers, seats, seed=b"fliptown", **options):
        return harness.Table(harness.roster(peers, seats, game=GAME, **options), seed=seed)

    return make


@pytest.mark.parametrize(
    ("peers", "seats", "options"),
    [
        (1, 1, {"cowbot": "bart", "characters": "random"}),
        (2, 2, {}),
        (3, 3, {"characters": "random", "holdem": "best"}),
    ],
)
def test_replicas_agree_after_every_step(table_of, peers, seats, options):
    """FT-2.2, FT-2.7: all peers go through equal transcripts and states to equal results."""
    table = table_of(peers, seats, b"%d%d" % (peers, seats), **options)
    table.start()
    table.run(seconds=3000)
    assert table.is_over()
    assert len({tuple(table.trace(peer)) for peer in range(peers)}) == 1
    assert len({table.of(peer, GameOver)[0].result for peer in range(peers)}) == 1
    assert not any(table.accused(peer) for peer in range(peers))


def test_plans_are_committed_before_any_is_opened(table_of):
    """FT-2.2: where several peers plan, a turn is a commitment; on one laptop it is an answer."""
    for peers, kind in ((2, CommitPhase), (1, OpenAnswers)):
        table = table_of(peers, 2)
        table.start()
        table.run(lambda table: len(table.replicas[0].phases) > 8)
        phases = [type(phase) for phase in table.replicas[0].phases.values()]
        assert kind in phases
        assert ({CommitPhase, OpenAnswers} - {kind}).pop() not in phases


def curious(dialogue):
    """Answer a turn so as to get to the Sheriff's Office, if the cards allow it, and look."""
    wanted = {"pick-suit": 3, "pick-site": at("town J"), "pick-next": EFFECT + 11, "pick-look": 1}
    try:
        step = next(dialogue)
        while True:
            values = [option.value for option in step.options]
            choice = wanted.get(step.prompt.id, values[0])
            if step.prompt.id in ("pick-suit-card", "pick-value-card"):
                jacks = [number(option.label.values["card"]) == JACK for option in step.options]
                seeks = step.prompt.id == "pick-value-card"
                choice = values[jacks.index(seeks)] if seeks in jacks else values[0]
            step = dialogue.send(choice if choice in values else values[0])
    except StopIteration as end:
        return end.value


def test_nobody_knows_the_sheriff_card_but_who_looked(table_of):
    """FT-2.1, FT-6 (J), FT-6.2: no replica has its face for any other seat before it is turned."""
    table = table_of(3, 3)
    looked, seen = set(), set()
    walk = table.answerer

    def answer(peer, ask):
        if not isinstance(ask.question, Move):
            return walk(peer, ask)
        view, question = table.replicas[peer].views[ask.seat], ask.question
        given = walk(peer, ask) if ask.seat == 1 else curious(question.dialogue(view))
        if follow(question.sheet.copy(), question.turn, given) == LOOK:
            looked.add((view.table.round, ask.seat))
        return given

    def watch(table):
        for replica in table.replicas:
            t = replica.context.referee.table
            if t.sheriff is not None:
                assert t.sheriff not in t.faces
                views = replica.context.views.items()
                seen.update((t.round, seat) for seat, view in views if t.sheriff in view.own)
        return False

    table.answerer = answer
    table.start()
    table.run(watch, seconds=3000)
    assert table.is_over()
    assert seen == looked != set()


def cheated(table, tamper, code):
    """A modified peer is named by all the others."""
    tried = []

    def noted(table, to, move):
        made = tamper(table.replicas[CHEAT], table.replicas[CHEAT].phases[move.phase], move)
        tried.extend(made or ())
        return made

    table.tampers[CHEAT] = noted
    table.start()
    table.run(lambda t: all(t.accused(peer) for peer in HONEST), seconds=900)
    assert tried
    for peer in HONEST:
        assert table.accused(peer) == {(CHEAT, code)}


def test_a_plan_changed_after_the_others_were_seen_is_refused(table_of):
    """FT-2.2: an opening that is not what was committed to names its author."""

    def tamper(replica, phase, move):
        if not isinstance(phase, RevealPhase):
            return None
        openings, powers, proof = move.parts
        (_, salt), *rest = openings
        return [harness.parts(move, (((encode((2, 1, -1)), salt), *rest), powers, proof))]

    cheated(table_of(3, 3), tamper, Code.BAD_OPENING)


def test_a_robbery_card_cannot_be_chosen(table_of):
    """FT-5, FT-2.7: whoever shows a card by another share than its own is named."""

    def tamper(replica, phase, move):
        t = replica.context.referee.table
        if not isinstance(phase, RevealCards) or not t.turn or t.flipped[0] not in t.faces:
            return None
        powers, proof = move.parts
        return [harness.parts(move, ((mul(7, powers[0]), *powers[1:]), proof))]

    cheated(table_of(3, 3), tamper, Code.BAD_PROOF)


def test_a_turn_that_the_rules_refuse_is_named(table_of):
    """FT-2.7: an option that there is not, when a seat goes on after a robbery."""

    def tamper(replica, phase, move):
        if not isinstance(phase, OpenAnswers):
            return None
        (question,) = phase.request.questions.values()
        return [harness.parts(move, ((255,),))] if isinstance(question, Move) else None

    for game in range(20, 50):  # in few games does a seat go on after a robbery
        with suppress(AssertionError):
            cheated(table_of(3, 3, b"s%d" % game), tamper, Code.ILLEGAL_ANSWER)
            return
    raise AssertionError("no game came to such a turn")


def test_the_rest_play_on_when_a_laptop_is_lost(table_of):
    """FT-2.7: in the middle of a game, its last message seen by some; all others end alike."""
    table = table_of(3, 3, b"lost", characters="random", holdem="each")
    table.kill_at = (1, 40, 1)
    table.start()
    table.run(seconds=3000)
    assert table.plays_on([0, 2])
    assert not table.accused(0) | table.accused(2)


def test_a_look_at_the_sheriff_card_cannot_be_stolen(table_of, monkeypatch):
    """FT-6 (J), FT-2.5: a way to the office planned with gold one has not: named, no card seen."""
    table = table_of(3, 3, b"peek")
    honest, check, stolen = table.answerer, ChoicePhase.checked, {}

    def answer(peer, ask):
        if peer != CHEAT or not isinstance(ask.question, Move):
            return honest(peer, ask)
        question, rich = ask.question, ask.question.sheet.copy()
        rich.gold = 30
        given = curious(Move(rich, question.turn).dialogue(table.replicas[peer].views[ask.seat]))
        paid = rich.copy()
        assert follow(paid, question.turn, given) == LOOK
        if rich.gold - paid.gold <= question.sheet.gold:
            return honest(peer, ask)
        question._last = given, paid, LOOK
        stolen[given] = paid
        return given

    def unchecked(phase, seat, answer):
        """The modified peer lets its own plan pass and goes on with what it would lead to."""
        if phase.context.me != CHEAT or answer not in stolen:
            return check(phase, seat, answer)
        phase.request.questions[seat]._last = answer, stolen[answer], LOOK
        return answer

    monkeypatch.setattr(ChoicePhase, "checked", unchecked)
    table.answerer = answer
    table.start()
    table.run(lambda t: all(t.accused(peer) for peer in HONEST), seconds=900)
    assert stolen
    cheat = table.replicas[CHEAT].context
    for peer in HONEST:
        assert table.accused(peer) == {(CHEAT, Code.ILLEGAL_ANSWER)}
    sheriff = cheat.referee.table.sheriff
    assert not any(sheriff in view.own for view in cheat.views.values())


@pytest.mark.parametrize(
    ("peers", "seats", "options"), [(1, 1, {"cowbot": "card"}), (2, 4, {"holdem": "each"})]
)
def test_a_record_is_verified_and_replayed(table_of, peers, seats, options):
    """Alone on one laptop as with others: every card is checked again; an altered one is found."""
    table = table_of(peers, seats, b"record", **options)
    table.start()
    table.run(seconds=3000)
    assert table.is_over()
    record = record_of(table)
    verdict = check_record(GAME, record)
    assert verdict.finding is None
    assert verdict.checked["shuffles"] >= 3
    assert verdict.checked["shares"] >= 45
    replay = Replay(GAME, record)
    replay.run()
    assert replay.table.scores == table.replicas[0].context.referee.table.scores
    history = list(record.history)
    place = next(n for n, each in enumerate(history) if type(each) is tuple and len(each) == 3)
    history[place] = tuple((face + 1) % 52 for face in history[place])
    altered = Record(record.header, tuple(history), record.state_hash, extra=record.extra)
    assert check_record(GAME, altered).finding is not None
