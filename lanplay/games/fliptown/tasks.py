"""The tasks of a turn: which there are now, the stages of each (FT-2.7, FT-6, FT-8.1, FT-9.2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from lanplay.games.fliptown.asks import Ask, Next, TaskStage, Told, Turn, tell
from lanplay.games.fliptown.characters import BARONESS, BONUS_OF, RANCH_CROSSES, RANCH_HAND
from lanplay.games.fliptown.codes import ABILITY, BAIL, EFFECT, END, NO, PICK, PLAN
from lanplay.games.fliptown.effects import EFFECTS, Effect
from lanplay.games.fliptown.map import HUNT_CASH, HUNT_CROSSES, HUNT_GOLD, OFFICE_CROSSES, REGIONS
from lanplay.games.fliptown.plan import SUIT_CARD
from lanplay.games.fliptown.reach import open_sites
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.visits import crossing, visit


def following(s: Sheet) -> TaskStage | int:
    """Return what comes between two tasks: the choice of the next one, if there is one.

    A hunted rank and the plan come before all else.
    """
    pool = s.pool
    if s.uses and has_ability(s):
        return _NEXT
    if not pool:
        return END
    if BAIL <= pool[0] <= PLAN:
        return _STAGES[pool.pop(0)]
    tasks = _tasks(pool, s)
    if len(tasks) > 1:
        return _NEXT
    return _begin(s, tasks[0]) if tasks else _end(s)


def _tasks(pool: list[int], s: Sheet) -> list[int]:
    """Return the tasks that can be carried out, each once, in their order."""
    tasks = sorted(set(pool)) if len(pool) > 1 else pool
    return [task for task in tasks if _possible(s, task)]


def _possible(s: Sheet, task: int) -> bool:
    if task < BAIL:
        return len(open_sites(s, task)) > 0
    return task < EFFECT or len(EFFECTS[task - EFFECT].options(s)) > 0


def has_ability(s: Sheet) -> bool:
    """Tell whether a seat's ability can do anything in its own turn now (FT-9.2)."""
    if not s.uses:
        return False
    if s.character == BARONESS:
        return s.wanted > 0
    if s.character == RANCH_HAND:
        return s.wanted > 0 and s.hammers > 0
    return any(open_sites(s, region) for region in BONUS_OF.get(s.character, ()))


def _ask_next(s: Sheet, turn: Turn) -> Ask:
    """Offer the tasks to go on with and the character's ability (FT-8.1, FT-9.2)."""
    pool = s.pool
    tasks = pool[:1] if pool and pool[0] in (BAIL, PLAN) else _tasks(pool, s)
    if has_ability(s):
        tasks = [*tasks, ABILITY] if tasks else [NO, ABILITY]
    return Ask("next", tuple(tasks))


def _choose(s: Sheet, turn: Turn, task: int, told: Told) -> Next:
    if task == NO:
        return _end(s)
    return _ability(s, told) if task == ABILITY else _begin(s, task)


def _begin(s: Sheet, task: int) -> TaskStage:
    s.pool.remove(task)
    return _STAGES[task]


def _end(s: Sheet) -> int:
    s.pool.clear()
    return END


def _ability(s: Sheet, told: Told) -> Next:
    s.uses -= 1
    tell(told, "uses", character=s.character)
    if s.character == BARONESS:
        s.gain_gold(s.wanted)
        tell(told, "gains-gold", amount=s.wanted)
        return None
    if s.character == RANCH_HAND:
        return crossing(RANCH_CROSSES * s.hammers)
    return _REGION


def _ask_region(s: Sheet, turn: Turn) -> Ask:
    regions = [region for region in BONUS_OF[s.character] if open_sites(s, region)]
    return Ask("region", tuple(regions))


def _choose_region(s: Sheet, turn: Turn, region: int, told: Told) -> None:
    s.gain_bonus(region)


_BAILS: Final = (Ask("bail", (0, 1)), Ask("bail", (0, 1, 2)))


def _bail(s: Sheet, turn: Turn, answer: int, told: Told) -> None:
    """A hunted rank was flipped (FT-6)."""
    if answer == 0:
        s.gain_cash(HUNT_CASH)
        tell(told, "gains-cash", amount=HUNT_CASH)
    elif answer == 1:
        s.gain_gold(HUNT_GOLD)
        tell(told, "gains-gold", amount=HUNT_GOLD)
    else:
        _cross_out(s, HUNT_CROSSES, told)


def _cross_out(s: Sheet, most: int, told: Told) -> None:
    amount = min(most, s.wanted)
    s.wanted -= amount
    tell(told, "crosses", amount=amount)


_PICKS: Final = (Ask("office", (0,)), Ask("office", (0, 1)))


def _pick(s: Sheet, turn: Turn, answer: int, told: Told) -> None:
    """After the look at the sheriff card (FT-6, J)."""
    if answer:
        _cross_out(s, OFFICE_CROSSES, told)
    else:
        s.gain_stars(1)
        tell(told, "gains-stars", amount=1)


def _effect(effect: Effect) -> TaskStage:
    def ask(s: Sheet, turn: Turn) -> Ask:
        options = effect.options(s)
        notes = (*[effect.price(each) for each in options], 0)
        return Ask(effect.what, (*options, NO), notes)

    def use(s: Sheet, turn: Turn, answer: int, told: Told) -> int | None:
        return None if answer == NO else effect.use(s, answer, told)

    return TaskStage(ask, use)


def _bonus(region: int) -> TaskStage:
    return TaskStage(lambda s, turn: _sites(open_sites(s, region)), _take_bonus)


@lru_cache(1 << 13)
def _sites(sites: tuple[int, ...]) -> Ask:
    return Ask("bonus", (*sites, NO), (0,) * (len(sites) + 1))


def _take_bonus(s: Sheet, turn: Turn, where: int, told: Told) -> Next:
    if where == NO:
        return None
    if told is not None:
        tell(told, "bonus", site=where)
    return visit(s, where, told)


_NEXT: Final = TaskStage(_ask_next, _choose)
_REGION: Final = TaskStage(_ask_region, _choose_region)
_STAGES: Final[dict[int, TaskStage]] = {
    **{region: _bonus(region) for region in REGIONS},
    BAIL: TaskStage(lambda s, turn: _BAILS[s.wanted > 0], _bail),
    PLAN: SUIT_CARD,
    PICK: TaskStage(lambda s, turn: _PICKS[s.wanted > 0], _pick),
    **{EFFECT + building: _effect(effect) for building, effect in EFFECTS.items()},
}
"""The first stage of each task."""
