"""The bots of A Dog's Life: the best job, the next step to it, the van."""

from __future__ import annotations

from typing import Any

from lanplay.engine.agent import Hint
from lanplay.engine.chance import Chance
from lanplay.engine.question import Answer, Question
from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life.questions import Act, DogsLifeView, Steer
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay_ai.deciding import BotDecision, Reason, by_lot, decided
from lanplay_ai.dogs_life.driving import SHOWN, drive
from lanplay_ai.dogs_life.jobs import DogsLifeJob, DogsLifeOutlook
from lanplay_ai.dogs_life.profiles import DogsLifeProfile
from lanplay_ai.dogs_life.ways import field, step

WAY = 0.04
"""The worth of a move on the way to a job."""


class DogsLifePlayer:
    """Plays with the settings of its profile; some levels blunder now and then.

    An answer depends on the view, the question, the profile and the key, on nothing else.
    """

    def __init__(self, profile: DogsLifeProfile, key: bytes) -> None:
        self._profile = profile
        self.slips = profile.blunders
        self._chance = Chance(key)

    def answer(self, view: DogsLifeView, question: Question) -> Answer:
        """Return the answer (see ``Agent.answer``)."""
        return self._decide(view, question).answer

    def explain(self, view: DogsLifeView, question: Question) -> Hint:
        """Return the same answer with its reason (see ``Adviser.explain``)."""
        return self._decide(view, question).hint()

    def _decide(self, view: DogsLifeView, question: Question) -> BotDecision:
        if (blunder := by_lot(self._chance, self.slips, view, question)) is not None:
            return blunder
        o = DogsLifeOutlook(view, self._profile)
        if isinstance(question, Steer):
            path, worth = drive(o, question)
            return BotDecision(path, lambda: _why_drive(o, path[-1], worth))
        assert isinstance(question, Act)
        return act(o, question.legal(view))


def act(o: DogsLifeOutlook, legal: tuple[int, ...]) -> BotDecision:
    """Return the next action of a dog: the best job, or a step on the way to it."""
    haste, never = o.profile.haste, o.profile.never
    jobs = (job for job in o.jobs(o.state()) if job.kind not in never)
    job = max(jobs, key=lambda job: job.gain / (job.cost + haste), default=None)
    moves = [code % a.STEP for code in legal if code // a.STEP == a.MOVE]
    if job is None:
        return decided(legal[0], "idle", points=o.t.points)
    if job.gain <= 0:
        return decided(legal[0], "rest", gain=job.gain)
    code = a.action(job.kind, job.what)
    if code in legal:
        return _told(o, code, job)
    if not moves:
        return decided(legal[0], "stuck", job.gain, place=job.place)
    if o.t.points == 1 and o.profile.shelter:
        return _last(o, legal, moves, job)
    place = step(o.t, o.seat, moves, job.place)
    return _told(o, a.action(a.MOVE, place), job)


def _last(
    o: DogsLifeOutlook, legal: tuple[int, ...], moves: list[int], job: DogsLifeJob
) -> BotDecision:
    """Use the last point: go on, or stay or hide where the night is safer."""
    far = field(o.den, job.place, ())
    loss = o.profile.shelter * o.loss()
    here = o.t.place[o.seat]
    ends = [here, *moves] if legal[0] == a.STOP else moves
    end = min(ends, key=lambda place: loss * o.exposure(place) + WAY * far[place])
    code = a.STOP if end == here else a.action(a.MOVE, end)
    if far[end] >= far[here]:
        return decided(code, "stay" if end == here else "hide", job.gain, place=job.place)
    return _told(o, code, job)


def _told(o: DogsLifeOutlook, code: int, job: DogsLifeJob) -> BotDecision:
    values: dict[str, Any] = {"place": job.place}
    if job.kind == a.ATTACK:
        values = {"seat": job.what}
    if job.kind == a.BURY:
        values["bones"] = o.t.bones[o.seat]
    return decided(code, a.KIND_NAMES[job.kind], job.gain, job.chance, **values)


def _why_drive(o: DogsLifeOutlook, end: int, worth: float) -> Reason:
    """Return why the van is driven to a place where it is worth so much."""
    values, own = {"place": end}, o.t.place[o.seat]
    if worth > SHOWN:
        return Reason("drive-at", values, worth)
    if own in (NOWHERE, TOWN.pound):
        return Reason("drive-empty", values)
    return Reason("drive-off", values | {"spaces": TOWN.distances(o.den, own)[end]})
