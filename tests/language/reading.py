"""Every message of the games in words, and what a reader would find wrong with a sentence.

``python -m tests.language.reading [TAG ...]`` prints all of them, to be read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from string import Formatter

from lanplay.engine.question import Phrase
from lanplay.games import NAMES, manifest
from lanplay.games.dice_town.cards import CARDS
from lanplay.games.dice_town.text import CARDS as KINDS
from lanplay.games.dice_town.text import PLACES
from lanplay.games.dogs_life.town import TOWN
from lanplay.games.fliptown import text as fliptown
from lanplay.games.fliptown.map import PLACES as SITES
from lanplay.games.fliptown.map import REGIONS, site
from lanplay.language import OBJECT, TAGS, Plural, speaking
from lanplay.told import NOUNS

PEOPLE = ("Ann", "Bob", "Cyr", "Dan", "Eva", "Fay")
COUNTS = (0, 1, 2, 5)
HANDS = [(0, 0, 1, 1, 2), (5,) * 5, (0, 1, 2, 3, 4), (0, 1, 2, 4, 5), (1, 1, 1, 2, 2)]
ROLL = tuple((number, number - 1) for number in range(1, 7))
EVERY_SITE = [site(region, place) for region in REGIONS for place in SITES[region]]
SEATS = {"seat": [0, 1], "other": [1, 0], "seats": [(0,), (0, 1), (0, 1, 2, 3, 4)]}
VALUES = {
    "dice-town": {
        "faces": [(), *((face,) for face in range(6)), (0, 1, 2, 3, 4)],
        "face": range(6),
        "card": range(CARDS),
        "cards": [(), *((card,) for card in range(CARDS)), (0, 20, 43)],
        "kind": KINDS,
        "place": PLACES,
        "gain": [-0.6, 0.04, 8.7],
        "hand": HANDS,
        "next": HANDS,
        "held": [(), (0, 20, 43), (7,)],
        "standing": [((0, (0, 0)), (1, (0,)))],
    },
    "charidice": {
        "dice": [(face,) for face in ROLL] + [ROLL[:2], ROLL[:5], ROLL],
        "die": ROLL,
        "gain": [0.04, 8.7],
    },
    "fliptown": {
        "card": range(52),
        "cards": [(0, 25, 51)],
        "suit": range(4),
        "site": EVERY_SITE,
        "place": EVERY_SITE,
        "value": range(1, 14),
        "task": [*range(5), *fliptown.TASKS, *range(17, 17 + len(fliptown.BUILDINGS))],
        "region": range(5),
        "item": range(len(fliptown.ITEMS)),
        "rank": range(10),
        "better": range(10),
        "character": range(len(fliptown.CHARACTERS)),
        "cowbot": range(4),
        "bounty": range(12),
        "bounties": [(0,), (0, 5), (1, 2, 3, 4, 11)],
        "title": range(5),
        "second": range(5),
        "squares": [1, 3, 511],
        "challenges": [(), *((number,) for number in range(1, 21)), (1, 2), (1, 2, 3, 4, 5)],
    },
    "dogs-life": {
        "dog": range(6),
        "place": [*TOWN.streets[:3], *TOWN.building],
        "from": TOWN.streets[:3],
        "address": range(12),
        "gain": [-0.04, 8.7],
    },
}
"""What each value of a message can be; what is not named is a number."""
GONE = {"dice-town": ("offers", "seat-offers")}
"""Messages whose offer is put together of parts (see ``word`` of the game's text)."""


def texts_of(game: str):
    """Return the module of a game's texts."""
    return manifest(game).words.load()


def hints_of(game: str):
    """Return the module of the reasons of a game's bots."""
    return manifest(game).hints.load()


def fields(template: str) -> list[str]:
    """Return the names of the values that a template names, each once."""
    found = (name for _text, name, _noun, _how in Formatter().parse(template) if name)
    return list(dict.fromkeys(found))


def messages(game: str, templates) -> Iterator[Phrase]:
    """Yield every message of a game: each value in turn takes all that it can be."""
    known = SEATS | VALUES[game]
    for id, template in templates.items():
        if id.endswith("/none"):
            continue
        names = fields(template)
        if id in GONE.get(game, ()):
            names = [*(name for name in names if name != "bribe"), "dollars", "nuggets", "count"]
        can = {name: list(known.get(name, COUNTS)) for name in names}
        if f"{id}/none" not in templates:  # these have always something to name
            can = {name: [one for one in each if one != ()] for name, each in can.items()}
        first = {name: each[-1] for name, each in can.items()}
        seen = [Phrase(id, first)]
        seen += [Phrase(id, first | {name: one}) for name in names for one in can[name]]
        numbers = [name for name in names if name not in known]
        seen += [Phrase(id, first | dict.fromkeys(numbers, count)) for count in COUNTS]
        yield from seen


def said(game: str) -> Iterator[tuple[Phrase, str]]:
    """Yield every message of a game and its bots' reasons, worded as the process speaks."""
    for module in (texts_of(game), hints_of(game)):
        templates = getattr(module, "REASONS", {}) if module is hints_of(game) else None
        for message in messages(game, templates or module.WORDING.templates):
            yield message, module.word(message, PEOPLE)


# -- what a reader would find wrong ----------------------------------------------------------------

MARKS = (
    (r"[{}]", "a brace is left"),
    (r"\S  +\S", "two blanks"),
    (r" [.,;:!?](?!\.)(?=\s|$)", "a blank before a mark"),
    (r"(?<!\.)\.\.(?!\.)|,,|;;|::|\.,|,\.|:\.|:,|[?!]\.", "two marks"),
    (r"\(\)|\( | \)", "empty brackets"),
    (r":\s*$", "nothing after a colon"),
    (r"\bNone\b|\(\d+, |\bhandle\b", "a raw value"),
)
ENGLISH = r"\b(the|and|with|your|you|from|which|what|whom|points?|cards?|gains?|takes?|keeps?)\b"
CZECH_NOTHING = (
    r"(?<![:(;] )(?<!\()(?<!^)\b(nic|nikdo|nikoho|nikomu|nikdy|nikam|žádn\w+|ani jed\w+)\b"
)
CZECH_NEGATION = r"\b[Nn]e(?!bo\b|ch(?:\b|[aáe])|jen\b|j[lmnsv]|mocn)\w+|\bne\b|\bbez\b"
HUNGARIAN_NOTHING = r"(?<![:(;] )(?<!\()(?<!^)\b(semmi\w*|senki\w*)\b"
HUNGARIAN_NEGATION = r"\b([Nn]em|[Ss]em|[Nn]incs\w*|[Ss]incs\w*|[Nn]e|[Ss]osem?|[Ss]ohase?m?)\b"


def faults(text: str, tag: str) -> list[str]:
    """Return what is wrong with a sentence as far as rules can tell."""
    found = [what for pattern, what in MARKS if re.search(pattern, text)]
    if tag != "en":
        if re.search(r"(?<![\w.-])\d+\.\d+(?!\.?\w)", text):
            found.append("a decimal point")
        if re.search(ENGLISH, text.replace("Billy the Kid", "")):
            found.append("English")
    negated = {
        "cs": (CZECH_NOTHING, CZECH_NEGATION),
        "hu": (HUNGARIAN_NOTHING, HUNGARIAN_NEGATION),
    }.get(tag)
    if negated and re.search(negated[0], text) and not re.search(negated[1], text):
        found.append("a nothing that is not negated")
    if tag == "hu" and re.search(r": semmit\b", text):
        found.append("an object after a colon")
    return found + [f"{each!r} is another form" for each in misplaced(text, tag)]


def misplaced(text: str, tag: str) -> list[str]:
    """Return numbers with their nouns that stand in the form for another number."""
    return [match.group() for match in map(_wrong(tag).search, [text]) if match]


def nouns() -> list[Plural]:
    """Return every noun that is counted."""
    modules = [texts_of(game).NOUNS for game in NAMES]
    return list(dict.fromkeys(noun for each in (*modules, NOUNS) for noun in each.values()))


@cache
def _wrong(tag: str) -> re.Pattern[str]:
    """Return a pattern for a number with a form of its noun that goes with other numbers alone."""
    numbers = (*range(21), 22, 25)
    wrong = []
    with speaking(tag):
        for noun in nouns():
            right = {(n, noun.of(n, case).partition(" ")[2]) for n in numbers for case in CASES}
            forms = {form for _number, form in right}
            wrong += [f"{n} {form}" for n in numbers for form in forms if (n, form) not in right]
    every = "|".join(map(re.escape, sorted(wrong, key=len, reverse=True)))
    return re.compile(rf"(?<![\w$+.,-])(?:{every})(?!\w)(?! [A-Z])" if every else r"(?!)")


CASES = ("", OBJECT)


if __name__ == "__main__":
    for spoken in sys.argv[1:] or TAGS:
        with speaking(spoken):
            for played in NAMES:
                print(f"== {played} ({spoken})")
                lines = [f"{message.id}: {words}" for message, words in said(played)]
                print("\n".join(dict.fromkeys(lines)))
