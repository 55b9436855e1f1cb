"""Results as text on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lanplay.columns import aligned
from lanplay.language import N_, _, figure
from lanplay.tournament.timing import DecisionTimes

VERDICTS: Final = {
    "better": N_("{a} is better than {b}."),
    "not better": N_("{a} is not better than {b}."),
    None: N_("Whether {a} is better than {b} is still open."),
}
RATIO: Final = N_(
    "elo1={elo1} against elo0={elo0}: log-likelihood ratio {ratio} between {lower} and {upper}, "
    "deals: {deals}."
)


def summary(found: dict[str, Any], timing: DecisionTimes) -> str:
    """Return who came out how, in lines of text in the person's language."""
    heads = (_("entrant"), _("rating"), "95 %", _("mean score"), "95 %", _("wins"), "95 %")
    rows = [["", *heads, _("faults"), _("ms/decision")]]
    for place, entrant in enumerate(ranked(found), 1):
        cells = [
            *_cells(entrant["rating"], "+.0f"),
            *_cells(entrant["score"], ".2f"),
            *_cells(entrant["win_share"], ".1%"),
        ]
        took = timing.mean(entrant["number"] - 1) / 1000
        last = (str(entrant["faults"]), figure(took, ".2f"))
        rows.append([f"{place}.", entrant["label"], *cells, *last])
    counts = {"games": found["games"], "deals": found["deals"]}
    lines = [_("Games: {games}, deals: {deals}.").format(**counts), *aligned(rows)]
    if found["sprt"]:
        lines.append(sprt_text(found, _, figure))
    lines.append(_("Hash over all games: {hash}").format(hash=found["games_hash"]))
    return "\n".join(lines)


def ranked(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the entrants, best rating first; who has none by score, and last who has neither."""

    def best(entrant: dict[str, Any]) -> tuple[bool, float, float]:
        rating, score = ((entrant[name] or {"mean": 0})["mean"] for name in ("rating", "score"))
        return not entrant["score"], -rating, -score

    return sorted(found["entrants"], key=best)


def sprt_text(
    found: dict[str, Any],
    translate: Callable[[str], str] = str,
    shown: Callable[[float, str], str] = format,
) -> str:
    """Return how the sequential test stands, in English or as the others have words and numbers."""
    sprt = found["sprt"]
    a, b = (found["entrants"][sprt[name] - 1]["label"] for name in "ab")
    verdict = translate(VERDICTS[sprt["verdict"]]).format(a=a, b=b)
    elo = {name: shown(sprt[name], "g") for name in ("elo0", "elo1")}
    ratio = {name: shown(sprt[name], ".2f") for name in ("ratio", "lower", "upper")}
    return f"{verdict} {translate(RATIO).format(deals=sprt['deals'], **elo, **ratio)}"


def _cells(estimate: dict[str, float] | None, form: str) -> list[str]:
    if estimate is None:
        return ["-", "-"]
    if estimate["low"] is None:
        return [figure(estimate["mean"], form), "-"]
    low, high = figure(estimate["low"], form), figure(estimate["high"], form)
    return [figure(estimate["mean"], form), _("{low} to {high}").format(low=low, high=high)]
