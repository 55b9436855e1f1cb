"""The page of a finished game: one file, nothing from elsewhere, nothing of a name obeyed."""

from __future__ import annotations

import xml.etree.ElementTree as Tree
from html.parser import HTMLParser
from pathlib import Path

import pytest

import lanplay_ai as ai
from lanplay.check.tables import options_of
from lanplay.cli import main
from lanplay.engine.chance import Chance
from lanplay.engine.question import Phrase
from lanplay.engine.record import Header, Record
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.games.wording import summary_of
from lanplay.ui.moments import curve, decisive
from lanplay.ui.story import page, told_events

PEOPLE = ("Ann <b>", "Bo & Co", "Cy", "Di")


def record_of(game: str) -> Record:
    rules = load(game)
    seats = min(4, rules.seats[-1])
    header = Header(game, options_of(rules, 0), PEOPLE[:seats], b"page")
    agents = [ai.make("casual", b"%d" % seat, game) for seat in range(seats)]
    simulation = Simulation(rules, header, agents, Chance(b"page"))
    simulation.run()
    return Record(header, tuple(simulation.referee.history), simulation.table.hash(), extra={})


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.outside += [value for name, value in attrs if name in ("src", "href", "srcset")]


@pytest.mark.parametrize("game", NAMES)
def test_a_page_is_whole_in_itself_and_names_are_text(game):
    record = record_of(game)
    text = page(load(game), record, record.header.seats)
    reader = Reader()
    reader.feed(text)
    assert reader.outside == []
    assert "script" not in reader.tags
    assert "Ann &lt;b&gt;" in text
    drawing = text[text.index("<svg") : text.index("</svg>") + 6]
    assert len(Tree.fromstring(drawing).findall(".//{*}polyline")) == len(record.header.seats)


@pytest.mark.parametrize("game", NAMES)
def test_curves_end_where_all_that_was_seen_adds_up(game):
    record = record_of(game)
    events, replay = told_events(load(game), record)
    weight = summary_of(game).weight
    lines = curve(events, weight, len(record.header.seats))
    assert len(lines[0]) == replay.table.round + 1
    gained = sum(weight(event) for _round, event in events if "seat" in event.values)
    assert sum(row[-1] for row in lines) == pytest.approx(gained)


def test_what_won_is_named_and_no_sentence_twice():
    bones = [
        Phrase("buries", {"seat": seat, "bones": bones}) for bones in (1, 2) for seat in (0, 1)
    ]
    events = [(number, event) for number, event in enumerate([*bones, bones[2], bones[2]])]
    found = decisive(events, lambda event: 1.0 if event.id == "buries" else 0.0, winners=(1,))
    assert (3, bones[3]) in found
    texts = [repr(event) for _round, event in found]
    assert len(texts) == len(set(texts))


def test_a_page_is_written_by_the_command_and_not_of_a_game_under_way(tmp_path, capsys):
    record = str(tmp_path / "r.lanplay")
    out = tmp_path / "game.html"
    assert main(["play", "charidice", "--auto", "casual", "--seed", "3", "--record", record]) == 0
    assert main(["replay", record, "--page", str(out)]) == 0
    assert Path(out).read_text("utf-8").startswith("<!doctype html>")
