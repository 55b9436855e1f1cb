"""Which price to play a turn at: the plan whose outcome fits the game best.

The figures are those of ``ai.charidice.optimum.outcome``, which takes a while to reckon them.
"""

from __future__ import annotations

from ai.charidice.optimum import Outcome
from ai.charidice.stakes import TURN_SPREAD, Stakes

PLANS = (
    Outcome(price=-1.0, worth=12.016303, gift=39.327752, spread=15.815026),
    Outcome(price=-0.75, worth=20.267328, gift=29.613761, spread=17.295341),
    Outcome(price=-0.5, worth=28.756869, gift=14.343772, spread=8.479694),
    Outcome(price=-0.375, worth=30.021080, gift=11.391927, spread=7.516024),
    Outcome(price=-0.25, worth=30.747244, gift=8.943779, spread=6.155917),
    Outcome(price=-0.125, worth=30.886603, gift=8.154382, spread=5.778510),
    Outcome(price=0.0, worth=30.902038, gift=7.902519, spread=5.688257),
    Outcome(price=0.25, worth=30.852516, gift=7.538821, spread=5.574988),
    Outcome(price=0.5, worth=30.568786, gift=6.802681, spread=5.236044),
    Outcome(price=0.75, worth=30.142097, gift=6.130637, spread=4.921241),
    Outcome(price=1.0, worth=29.463688, gift=5.361937, spread=4.525719),
    Outcome(price=1.25, worth=28.918121, gift=4.874939, spread=4.254401),
    Outcome(price=1.5, worth=28.298492, gift=4.427534, spread=4.008635),
    Outcome(price=2.0, worth=27.156694, gift=3.775979, spread=3.552312),
)
"""What the optimum of a turn brings at each price that is worth planning for."""


def best_plan(stakes: Stakes, factor: float) -> float:
    """Return the price of the plan that is worth most with gifts that count ``factor`` times.

    A plan's own worth and its gift are weighed as the game stands: see ``Stakes``.
    """

    def worth(plan: Outcome) -> float:
        doubt = round((factor * plan.spread / TURN_SPREAD) ** 2)
        return plan.worth + stakes.worth(round(factor * plan.gift), doubt)

    return max(PLANS, key=worth).price
