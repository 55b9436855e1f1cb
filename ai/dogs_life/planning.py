"""Plans: the job, or the row of jobs, that brings most for its action points."""

from __future__ import annotations

from ai.dogs_life.jobs import Job, Outlook, State
from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life.dogs import BONE


def best(o: Outlook) -> Job | None:
    """Return the job to do now; ``None`` where there is nothing to do."""
    s = o.state()
    jobs = ranked(o, s)
    if not jobs or o.profile.depth == 1:
        return jobs[0] if jobs else None
    width, depth = o.profile.width, o.profile.depth
    return max(jobs[:width], key=lambda job: _rate(o, s, job, 0.0, 0.0, depth))


def ranked(o: Outlook, s: State) -> list[Job]:
    """Return the jobs of a state, those that bring most for their points first."""
    haste, patience = o.profile.haste, o.profile.patience
    return sorted(o.jobs(s), key=lambda job: -job.gain * patience**job.cost / (job.cost + haste))


def _rate(o: Outlook, s: State, job: Job, gain: float, cost: float, depth: int) -> float:
    """Return what the best row of jobs that begins with ``job`` brings for its points."""
    cost += job.cost
    gain += job.gain * o.profile.patience**cost
    rate = gain / (cost + o.profile.haste)
    if depth == 1:
        return rate
    then = after(o, s, job)
    found = [
        _rate(o, then, each, gain, cost, depth - 1) for each in ranked(o, then)[: o.profile.width]
    ]
    return max([rate, *found])


def after(o: Outlook, s: State, job: Job) -> State:
    """Return what is expected of the dog after a job."""
    hunger, bones, papers = s.hunger, s.bones, s.papers
    nights = o.nights(s.spent + job.cost) - o.nights(s.spent)
    place = job.place
    if job.kind == a.BURY:
        bones = 0.0
    elif job.kind == a.PICK_BONE:
        bones = min(bones + 1, 2)
    elif job.kind in CARDS:
        chances = getattr(o.odds, CARDS[job.kind])
        hunger += chances[1] + 2 * chances[2] + 3 * chances[3]
        bones = min(bones + chances[BONE], 2 - len(papers) + (job.kind == a.DELIVER))
    if job.kind == a.DELIVER:
        papers = papers[: job.what] + papers[job.what + 1 :]
    return State(
        place, max(hunger - nights, 0), max(bones, 0), papers, s.spent + job.cost, (*s.done, place)
    )


CARDS = {
    a.SEARCH: "trash",
    a.BEG: "restaurant",
    a.DELIVER: "newspaper",
    a.TAKE: "newspaper",
    a.PICK_PAPER: "newspaper",
}
"""The field of the card that a job draws in the end."""
