"""How the bots differ: one table of settings, ``profiles.toml``."""

from __future__ import annotations

from dataclasses import dataclass

from lanplay_ai.bot import profiles


@dataclass(frozen=True, slots=True)
class DogsLifeProfile:
    """The settings of one bot. Worths are in buried bones.

    ``counts`` tells whether it counts the cards that were drawn. ``haste`` is added to the cost of
    a job, in action points: the more, the less a near job is preferred to a good one. ``food`` is
    the worth of being fed, by what is on the track; ``errand`` is the part of it that counts for a
    newspaper yet to be fetched, since a hungry dog eats something nearer. ``carried`` is the worth
    of a bone that is carried, ``astray`` what it loses with every move from home, ``risk`` the part
    of it that is lost with a night out, ``last`` what the winning bone adds. ``shelter`` weighs the
    danger of a space at the end of a turn. ``spite`` weighs what a rival loses, ``lead`` how much
    more that of one ahead. ``captivity`` is the worth of staying out of the pound, ``fear`` weighs
    the van near its own dog. ``piddle`` is the worth of a marker that costs a rival a move on every
    way. ``blunders`` is how many of 1,000 decisions are by lot. ``never`` are kinds of action that
    it leaves alone, which tells what they are worth (``scripts/balance.py``).

    Levels differ in ``counts``, ``blunders`` and whether they look at the van, not in what things
    are worth to them: so dogs and dens are worth the same at all of them.
    """

    summary: str
    level: str
    counts: bool = True
    haste: float = 0.5
    food: tuple[float, ...] = (0.0, 0.45, 0.7, 0.85, 0.92)
    errand: float = 0.5
    carried: float = 0.8
    astray: float = 0.025
    risk: float = 0.2
    shelter: float = 0.15
    last: float = 1.0
    spite: float = 0.4
    lead: float = 1.5
    captivity: float = 0.5
    fear: float = 0.3
    piddle: float = 0.35
    blunders: int = 0
    never: tuple[int, ...] = ()


PROFILES = profiles(__name__, DogsLifeProfile)
"""Every bot of the game by name."""
