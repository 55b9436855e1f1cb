"""The drawings of the page: SVG by matplotlib, the same for the same results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any, Final

COLOUR: Final = "#2b6cb0"
GREY: Final = "#8a94a6"
BINS: Final = 40
WIDEST: Final = 36
"""Characters of a name beside a drawing; the rest of a longer one, a path, is left out."""
STYLE: Final = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "lanplay",  # ids do not change from run to run
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e9ef",
    "axes.axisbelow": True,
}


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing: its heading, what it shows in a sentence, and its SVG."""

    title: str
    caption: str
    svg: str


def available() -> bool:
    """Return whether drawings can be made here."""
    return find_spec("matplotlib") is not None


def plots(found: dict[str, Any]) -> Iterator[Plot]:
    """Yield the drawings of results (see ``results``); needs matplotlib."""
    matplotlib: Any = import_module("matplotlib")
    with matplotlib.rc_context(STYLE):
        if any(each["rating"] for each in found["entrants"]):
            yield Plot(
                "Ratings",
                "Points on the Elo scale with 95 % intervals, mean 0; 100 points more come out "
                "above in 64 % of meetings.",
                _svg(_ratings(found)),
            )
        yield Plot(
            "Scores",
            "How often each entrant ended with which score; the line is its mean.",
            _svg(_scores(found)),
        )
        if found["entrants"][0]["income"]:
            yield Plot(
                "Income by source", "Mean of a seat in a game, by entrant.", _svg(_income(found))
            )
        yield Plot(
            "Seats",
            "Mean score in each seat with 95 % intervals, whoever sat there.",
            _svg(_seats(found)),
        )
        yield Plot("Game length", "Games by their number of rounds.", _svg(_rounds(found)))


def _figure(width: float, height: float) -> Any:
    figure: Any = import_module("matplotlib.figure")
    return figure.Figure(figsize=(width, height), layout="constrained")


def _svg(figure: Any) -> str:
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    drawing = text.getvalue()
    return drawing[drawing.index("<svg") :]


def _label(entrant: dict[str, Any]) -> str:
    name: str = entrant["label"]
    return name if len(name) <= WIDEST else f"{name[: WIDEST // 3]}…{name[-WIDEST // 2 :]}"


def _ratings(found: dict[str, Any]) -> Any:
    rated = [each for each in found["entrants"] if each["rating"]]
    ranked = sorted(rated, key=lambda each: float(each["rating"]["mean"]))
    return _points([_label(each) for each in ranked], [each["rating"] for each in ranked], "rating")


def _seats(found: dict[str, Any]) -> Any:
    seats = found["seats_effect"][::-1]
    names = [f"seat {each['seat']}" for each in seats]
    return _points(names, [each["score"] for each in seats], "mean score")


def _points(names: Sequence[str], estimates: Sequence[dict[str, float]], unit: str) -> Any:
    figure, places = _figure(8, 0.9 + 0.4 * len(names)), range(len(names))
    axes = figure.subplots()
    means = [each["mean"] for each in estimates]
    below = [each["mean"] - _end(each, "low") for each in estimates]
    above = [_end(each, "high") - each["mean"] for each in estimates]
    axes.errorbar(means, places, xerr=[below, above], fmt="o", color=COLOUR, capsize=4)
    axes.set_yticks(places, names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel(unit)
    return figure


def _end(estimate: dict[str, float], name: str) -> float:
    end = estimate[name]
    return estimate["mean"] if end is None else end


def _grid(count: int, columns: int, height: float) -> tuple[Any, list[Any]]:
    rows = -(-count // columns)
    figure = _figure(8, height * rows)
    every = [axes for row in figure.subplots(rows, columns, squeeze=False) for axes in row]
    for axes in every[count:]:
        axes.set_visible(False)
    return figure, every[:count]


def _scores(found: dict[str, Any]) -> Any:
    entrants = found["entrants"]
    scores = [{int(score): n for score, n in each["scores"].items()} for each in entrants]
    low = min(min(each) for each in scores)
    high = max(max(each) for each in scores)
    width = max(1, -(-(high - low + 1) // BINS))
    edges = list(range(low, high + width + 1, width))
    figure, every = _grid(len(entrants), 2, 1.7)
    for axes, entrant, counts in zip(every, entrants, scores, strict=True):
        heights = [0] * (len(edges) - 1)
        for score, number in counts.items():
            heights[(score - low) // width] += number
        axes.stairs(heights, edges, fill=True, color=COLOUR, alpha=0.75)
        axes.axvline(entrant["score"]["mean"], color="black", linewidth=1)
        axes.set_title(_label(entrant), loc="left", fontsize=10)
        axes.set_xlim(edges[0], edges[-1])
    every[-1].set_xlabel("score")
    return figure


def _income(found: dict[str, Any]) -> Any:
    entrants = found["entrants"]
    sources = list(entrants[0]["income"])
    figure, every = _grid(len(sources), 3, 0.7 + 0.22 * len(entrants))
    for place, (axes, source) in enumerate(zip(every, sources, strict=True)):
        amounts = [each["income"][source] for each in reversed(entrants)]
        labels = [_label(each) for each in reversed(entrants)]
        axes.barh(range(len(entrants)), amounts, color=COLOUR)
        axes.set_yticks(range(len(entrants)), labels if place % 3 == 0 else [""] * len(entrants))
        axes.set_title(source.replace("_", " "), loc="left", fontsize=10)
    return figure


def _rounds(found: dict[str, Any]) -> Any:
    lengths = {int(rounds): games for rounds, games in found["rounds"].items()}
    figure = _figure(8, 2.4)
    axes = figure.subplots()
    axes.bar(list(lengths), list(lengths.values()), color=GREY)
    axes.set_xlabel("rounds")
    axes.set_ylabel("games")
    return figure
