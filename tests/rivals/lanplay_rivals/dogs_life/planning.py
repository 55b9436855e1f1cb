"""Plans: the job that brings most for its action points."""

from __future__ import annotations

from lanplay_rivals.dogs_life.jobs import DogsLifeJob, DogsLifeOutlook


def best(o: DogsLifeOutlook) -> DogsLifeJob | None:
    """Return the job to do now; ``None`` where there is nothing to do."""
    haste = o.profile.haste
    return max(o.jobs(o.state()), key=lambda job: job.gain / (job.cost + haste), default=None)
