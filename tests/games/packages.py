"""Games of other packages, installed for a test as a folder of the path with its metadata."""

from __future__ import annotations

import importlib
import sys

COIN = '''
"""Coin Flip: call heads or tails, three times; who is right gets a point."""

from lanplay.engine.manifest import GameManifest, Ref
from lanplay.engine.rules import Result, RuleSet
from lanplay.engine.question import Illegal, Option, Phrase, Pick, Question
from lanplay.engine.requests import Choose, OpenRoll, Round
from lanplay.engine.table import Table


class Call(Question):
    __slots__ = ()
    name = "call"
    rule = "CF-1.1"
    needs_cup = False

    def check(self, answer):
        if type(answer) is not int or answer not in (0, 1):
            raise Illegal(self.rule, "malformed")

    def dialogue(self, view):
        sides = [Option(side, Phrase(name)) for side, name in enumerate(("heads", "tails"))]
        return (yield Pick(Phrase("call"), sides))


class CoinTable(Table):
    __slots__ = ("scores",)

    def __init__(self, seats):
        super().__init__(seats)
        self.scores = [0] * seats


def rules(t):
    while t.round < 3:
        yield Round(t.round + 1)
        t.round += 1
        called = yield Choose({seat: Call() for seat in range(t.seats)})
        (side,) = yield OpenRoll((t.round,), 1, 2)
        t.log_event("falls", side=side)
        for seat, call in called.items():
            t.scores[seat] += call == side


def result(t):
    best = max(t.scores)
    return Result(tuple(t.scores), tuple(s for s, each in enumerate(t.scores) if each == best))


def snapshot(t):
    return {"round": t.round, "scores": tuple(t.scores)}


def from_snapshot(t, data):
    try:
        t.round, t.scores = data["round"], list(data["scores"])
    except (TypeError, KeyError) as error:
        raise ValueError("no snapshot of Coin Flip") from error


RULES = RuleSet(lambda seats, options: CoinTable(seats), rules, result, snapshot, from_snapshot)
WORDS = {
    "ask-call": "Heads or tails?",
    "call": "The coin",
    "heads": "heads",
    "tails": "tails",
    "falls": "The coin falls.",
    "malformed": "that is no answer to this question",
}


def word(phrase, names):
    return WORDS[phrase.id]


def situation(view, names):
    yield f"Round {view.table.round}. Points: {view.table.scores}."


def weight(event):
    return 0


MANIFEST = GameManifest(
    name="NAME",
    title="Coin Flip",
    seats=range(2, 5),
    rules=Ref(f"{__name__}:RULES"),
    words=Ref(__name__),
    summary=Ref(__name__),
)
'''


def one_file_game(name: str) -> str:
    """Return the source of a whole game."""
    return COIN.replace("NAME", name, 1).lstrip()


def install(folder, monkeypatch, package: str, game: str, source: str, module: str = "") -> str:
    """Put a package with one module and an entry point for it on the path; return the folder."""
    module = module or f"{package.replace('-', '_')}_game"
    home = folder / package
    home.mkdir()
    (home / f"{module}.py").write_text(source, encoding="utf-8")
    monkeypatch.delitem(sys.modules, module, raising=False)
    put_on_path(monkeypatch, home, home, package, f"{game} = {module}:MANIFEST")
    return str(home)


def put_on_path(monkeypatch, folder, home, package: str, entry: str) -> None:
    """Put a folder with packages on the path, and metadata with an entry point into another."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[lanplay.games]\n{entry}\n")
    for each in {str(folder), str(home)}:
        monkeypatch.syspath_prepend(each)
    importlib.invalidate_caches()
