"""What a simulation takes from its agents, and what a look ahead may deal."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lanplay.engine.chance import Chance
from lanplay.engine.fork import fork
from lanplay.engine.question import Illegal, Option, Phrase, Pick, Question
from lanplay.engine.record import Header
from lanplay.engine.referee import IllegalAnswerError
from lanplay.engine.requests import Choose, ClaimRefuted
from lanplay.engine.simulation import Simulation
from tests.tui.harness import GAME, Walker, game_of


class Own(Question):
    """A question of which only its seat knows that 1 is the right answer."""

    __slots__ = ()

    name = "own"
    rule = "X-1"
    needs_cup = False

    def check(self, answer):
        if answer not in (0, 1):
            raise Illegal(self.rule, Phrase("none"))

    def check_own(self, answer, view):
        if answer != 1:
            raise Illegal(self.rule, Phrase("wrong"))

    def dialogue(self, view):
        return (yield Pick(Phrase("pick"), [Option(n, Phrase("one")) for n in (0, 1)]))


def asked(answer, judged=False):
    """Let an agent answer that question; return the history."""

    def rules(table):
        yield Choose({0: Own()})

    game = SimpleNamespace(
        cards=0, cup=5, rules=rules, table=lambda seats, options, start: SimpleNamespace(faces={})
    )
    agent = SimpleNamespace(answer=lambda view, question: answer)
    header = Header("own", {}, ("Ann",))
    simulation = Simulation(game, header, [agent], Chance(b"key"), judged=judged)
    simulation.run()
    return simulation.referee.history


@pytest.mark.parametrize("answer", [0, 2])
def test_both_halves_of_an_answer_are_checked(answer):
    """What everybody can tell, and what only its seat can; unless somebody did so before."""
    with pytest.raises(IllegalAnswerError) as caught:
        asked(answer)
    assert caught.value.seat == 0
    assert asked(1) == [(1,)]
    assert asked(answer, judged=True) == [(answer,)]


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_look_ahead_deals_what_explains_every_answer_so_far(seed):
    """Whoever did not claim a card of a kind cannot have one: no bot may hope for that."""
    game, answered, refuted = game_of(seed), [], set()
    for step in range(60):
        if isinstance(game.request, Choose) and step % 5 == 0:
            for seat in (0, 2):
                twin = fork(GAME, game.views[seat], b"key", [Walker(s) for s in range(4)])
                for questions, answers in answered:
                    for (who, question), answer in zip(questions.items(), answers, strict=True):
                        if who not in refuted:
                            question.check_own(answer, twin.views[who])
        request = game.request
        game.step()
        if isinstance(request, Choose):
            answered.append((dict(request.questions), game.referee.history[-1]))
        elif isinstance(request, ClaimRefuted):
            refuted.add(request.seat)
