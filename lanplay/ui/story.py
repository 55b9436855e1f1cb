"""The page of a game that is over: one file of HTML that shows who won and how it came to that."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from lanplay.engine.game import Game
from lanplay.engine.question import Phrase
from lanplay.engine.record import Record
from lanplay.engine.replay import Replay
from lanplay.games.wording import closing, game_title, narrated, summary_of, words_of
from lanplay.language import _, current
from lanplay.ui.breakdown import who_won
from lanplay.ui.moments import Told, curve, decided, titled

COLOURS: Final = ("#b5482a", "#2f6f8f", "#5b7f35", "#8a5aa3", "#b08a1e", "#4a4a4a")
WIDTH, HEIGHT, LEFT, ABOVE = 640, 240, 36, 10
STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #faf7f0 }
table { border-collapse: collapse } td, th { padding: .2rem .8rem; text-align: left }
td:last-child { text-align: right } .won { font-weight: bold } svg { width: 100%; height: auto }
li b { color: #666; font-weight: normal }
"""


def told_events(game: Game, record: Record) -> tuple[list[Told], Replay]:
    """Return the events of a record with their rounds, and the replay that has come to its end."""
    replay = Replay(game, record)
    replay.table.log = []
    events: list[Told] = []
    while replay.step():
        events += [(replay.table.round, event) for event in replay.table.log]
        replay.table.log.clear()
    events += [(replay.table.round, event) for event in replay.table.log]
    return events, replay


def page(game: Game, record: Record, names: Sequence[str], review: Sequence[str] = ()) -> str:
    """Return the page of a finished game, whole in itself: no script, nothing from elsewhere.

    ``review`` are lines on luck and decisions (see ``lanplay.ui.retrospect``).
    """
    events, replay = told_events(game, record)
    result, table = game.result(replay.table), replay.table
    won = who_won(result, names)
    title = game_title(game.name)
    scores = result.scores
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    rows = "".join(_row(names, scores, seat, result.winners) for seat in order)
    won_by = "".join(
        f"<li><b>{escape(round_)}</b> {escape(text)}</li>"
        for round_, text in decided(game.name, events, names, result.winners)
    )
    lines = curve(events, summary_of(game.name).weight, len(names))
    said = [*titled(game.name, events, names), *closing(game.name, table, names)]
    notes = "".join(f"<p>{escape(note)}</p>" for note in said)
    looked = "".join(f"<p>{escape(each)}</p>" for each in review)
    log = "".join(f"<li>{escape(text)}</li>" for text in _log(game.name, events, names))
    return (
        f'<!doctype html><html lang="{current()}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}: {escape(won)}</title><style>{STYLE}</style>"
        f"<main><h1>{escape(title)}</h1><h2>{escape(won)}</h2><table>{rows}</table>"
        f"<h3>{escape(_('What decided it'))}</h3><ol>{won_by}</ol>"
        f"<h3 id=gained>{escape(_('Points gained, round by round, as all could see them'))}</h3>"
        f"{drawn(lines, names)}{notes}{looked}"
        f"<details><summary>{escape(_('Log'))}</summary><ul>{log}</ul></details></main></html>\n"
    )


def _row(names: Sequence[str], scores: Sequence[int], seat: int, winners: Sequence[int]) -> str:
    kind = ' class="won"' if seat in winners else ""
    dot = f'<span style="color:{COLOURS[seat % len(COLOURS)]}">●</span>'
    return f"<tr{kind}><td>{dot} {escape(names[seat])}</td><td>{scores[seat]}</td></tr>"


def _log(game: str, events: Sequence[Told], names: Sequence[str]) -> list[str]:
    phrases: list[Phrase] = narrated(game, [event for _round, event in events])
    return [text for text in (words_of(game).word(each, names) for each in phrases) if text]


def drawn(lines: Sequence[Sequence[float]], names: Sequence[str]) -> str:
    """Return curves as a drawing, one for each seat."""
    most = max((value for row in lines for value in row), default=0.0) or 1.0
    rounds = max((len(row) for row in lines), default=1) - 1 or 1

    def at(number: int, value: float) -> str:
        across = LEFT + number * (WIDTH - 2 * LEFT) / rounds
        down = ABOVE + (HEIGHT - 3 * ABOVE) * (1 - max(0.0, value) / most)
        return f"{round(across)},{round(down)}"

    curves = "".join(
        f'<polyline fill="none" stroke-width="2.5" stroke="{COLOURS[seat % len(COLOURS)]}" '
        f'points="{" ".join(at(number, value) for number, value in enumerate(row))}">'
        f"<title>{escape(names[seat])}</title></polyline>"
        for seat, row in enumerate(lines)
    )
    base = HEIGHT - 2 * ABOVE
    axis = f'<path d="M{LEFT},{base}H{WIDTH - LEFT}" stroke="#999"/>'
    marks = f'<text x="4" y="{ABOVE + 8}" font-size="12">{round(most)}</text>'
    numbers = "".join(
        f'<text x="{at(number, 0).partition(",")[0]}" y="{HEIGHT - 4}" font-size="11" '
        f'text-anchor="middle">{number}</text>'
        for number in range(1, rounds + 1)
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="gained" '
        'xmlns="http://www.w3.org/2000/svg">'
        f"{axis}{marks}{numbers}{curves}</svg>"
    )
