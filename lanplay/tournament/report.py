"""The page of a tournament: one HTML file that needs nothing else, with drawings if it can."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final

from lanplay.extras import installing, missing
from lanplay.language import _
from lanplay.told import worded
from lanplay.tournament.plots import Plot, available, plots
from lanplay.tournament.storage import Folder
from lanplay.tournament.tables import ranked, sprt_text

PAGE: Final = Template(files(__package__).joinpath("report.html").read_text("utf-8"))
REPORT: Final = "report.html"
"""Its name in the folder of a tournament."""


def write_report(folder: Folder, found: dict[str, Any]) -> list[str]:
    """Write ``report.html``; return sentences on what it lacks.

    Equal results, equal page: so it is in English whoever writes it.
    """
    drawn = list(plots(found)) if available() and found["games"] else []
    folder.write(REPORT, page(found, drawn))
    if available():
        return []
    said = _("There are no charts in the report. To have them: {how}")
    return [said.format(how=worded(installing(missing("tournament"))))]


def page(found: dict[str, Any], drawn: Sequence[Plot]) -> str:
    """Return the page of results (see ``results``) with drawings."""
    title = f"{found['game']}: {len(found['entrants'])} entrants, {found['games']} games"
    parts = [f"<h1>{escape(title)}</h1>", *_lead(found), *_entrants(found), *_pairs(found)]
    parts += _seats(found)
    for plot in drawn:
        parts += _figure(plot)
    parts += _again(found)
    return PAGE.substitute(title=escape(title), body="\n".join(parts))


def _lead(found: dict[str, Any]) -> Iterator[str]:
    options = ", ".join(f"{name}={value}" for name, value in found["options"].items())
    luck = "each with its own luck" if found["sealed"] else "under the same luck"
    state = "" if found["complete"] else " <strong>The run is not finished.</strong>"
    seed = "still secret" if found["seed"] is None else found["seed"]
    yield (
        f"<p>{found['seats']} seats, {escape(found['schedule'])}, deals of "
        f"{found['games_per_deal']} games {luck} ({escape(found['orders'])}), seed {seed} "
        f"(commitment {found['commitment']}), rules {found['rules']} "
        f"({escape(options) or 'no options'}).{state}</p>"
    )
    if found["sprt"]:
        yield f"<p>{escape(sprt_text(found))}</p>"


def _entrants(found: dict[str, Any]) -> Iterator[str]:
    heads = ("Entrant", "Rating", "Mean score", "Wins", "Mean place", "Decisions", "Faults")
    rows = [
        [
            escape(each["label"]),
            _estimate(each["rating"], "{:+.0f}"),
            _estimate(each["score"], "{:.2f}"),
            _estimate(each["win_share"], "{:.1%}"),
            _estimate(each["place"], "{:.2f}"),
            f"{each['decisions']:,}",
            f"{each['faults']:,}",
        ]
        for each in ranked(found)
    ]
    fair = 1 / found["seats"]
    yield "<h2>Entrants</h2>"
    yield _table(heads, rows)
    yield f"<p><small>95 % intervals, by deal. A fair share of wins is {fair:.1%}.</small></p>"


def _pairs(found: dict[str, Any]) -> Iterator[str]:
    shares: dict[tuple[int, int], tuple[dict[str, Any], bool]] = {}
    for pair in found["pairs"]:
        shares[pair["a"], pair["b"]] = pair, False
        shares[pair["b"], pair["a"]] = pair, True
    entrants = ranked(found)
    rows = [
        [escape(row["label"]), *[_cell(shares.get((row["number"], b["number"]))) for b in entrants]]
        for row in entrants
    ]
    yield "<h2>One against another</h2>"
    yield _table(["", *[escape(each["label"]) for each in entrants]], rows)
    yield (
        "<p><small>How often the row came out above the column in one game (draws count half), "
        "and how much more it scored in the games of a deal; 95 % intervals.</small></p>"
    )


def _cell(found: tuple[dict[str, Any], bool] | None) -> str:
    if found is None:
        return ""
    pair, turned = found
    above, lead = pair["above"], pair["lead"]
    if turned:
        above, lead = _turned(above, 1), _turned(lead, 0)
    share = _estimate(above, "{:.1%}") if above else ""
    return f"{share}{_estimate(lead, '{:+.2f}')}"


def _turned(estimate: dict[str, Any] | None, whole: int) -> dict[str, Any] | None:
    if estimate is None:
        return None
    low, high = estimate["high"], estimate["low"]
    return {
        "mean": whole - estimate["mean"],
        "low": None if low is None else whole - low,
        "high": None if high is None else whole - high,
    }


def _seats(found: dict[str, Any]) -> Iterator[str]:
    rows = [
        [
            str(each["seat"]),
            _estimate(each["score"], "{:.2f}"),
            _estimate(each["win_share"], "{:.1%}"),
        ]
        for each in found["seats_effect"]
    ]
    yield "<h2>The seats</h2>"
    yield _table(("Seat", "Mean score", "Wins"), rows)


def _figure(plot: Plot) -> Iterator[str]:
    data = base64.b64encode(plot.svg.encode()).decode()
    yield f"<h2>{escape(plot.title)}</h2>"
    yield (
        f'<figure><img alt="{escape(plot.title)}" src="data:image/svg+xml;base64,{data}">'
        f"<figcaption>{escape(plot.caption)}</figcaption></figure>"
    )


def _again(found: dict[str, Any]) -> Iterator[str]:
    yield "<h2>Again</h2>"
    yield (
        "<p>Any game, move by move: <code>lanplay replay FOLDER --game NUMBER</code>. "
        "All games are in <code>games.csv</code>, all figures in <code>results.json</code>, how "
        "long bots took in <code>timing.json</code>.</p>"
    )
    yield f"<p>Hash over all games: <code>{found['games_hash']}</code></p>"


def _estimate(estimate: dict[str, Any] | None, form: str) -> str:
    if estimate is None:
        return "-"
    mean = form.format(estimate["mean"])
    if estimate["low"] is None:
        return mean
    low, high = form.format(estimate["low"]), form.format(estimate["high"])
    return f'{mean}<span class="interval">{low} to {high}</span>'


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{cell}</th>" for cell in heads)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table>\n<tr>{head}</tr>\n{body}\n</table></div>'
