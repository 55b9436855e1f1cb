"""Plans: the job that brings most for its action points."""

from __future__ import annotations

from lanplay_ai.dogs_life.jobs import DogsLifeJob, DogsLifeOutlook


def best(o: DogsLifeOutlook) -> DogsLifeJob | None:
    """Return the job to do now; ``None`` where there is nothing to do."""
    haste, never = o.profile.haste, o.profile.never
    jobs = (job for job in o.jobs(o.state()) if job.kind not in never)
    return max(jobs, key=lambda job: job.gain / (job.cost + haste), default=None)
