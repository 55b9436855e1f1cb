"""``lanplay new-game``: Liar's Dice under another name, which passes every check from the start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from shutil import rmtree
from typing import Final

from lanplay.errors import Fault, Mistake
from lanplay.files import COMMON, replace
from lanplay.games import known

HERE: Final = Path(__file__).resolve().parent
PLACES: Final = (HERE.parent.parent / "docs" / "examples" / "liars-dice", HERE / "example")
"""The example in a checkout, and in an installed package."""
KINDS: Final = (".py", ".toml", ".md")
NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write(name: str, folder: Path) -> Path:
    """Write the package of a new game into a folder of its name; return that folder.

    Raises ``Mistake`` for a name that is none or is taken, and where the folder is there already.
    """
    if not NAME.fullmatch(name):
        raise Mistake(Fault.NO_GAME_NAME, name=name)
    home = folder / name
    module = name.replace("-", "_")
    if known(name) or home.exists() or iskeyword(module) or find_spec(module) is not None:
        raise Mistake(Fault.GAME_NAME_TAKEN, name=name, folder=str(home))
    try:
        for path, text in _files(name):
            replace(home / path, text.encode(), COMMON)
    except BaseException:  # a part of it would be in the way of the next attempt
        rmtree(home, ignore_errors=True)
        raise
    return home


def _files(name: str) -> Iterator[tuple[str, str]]:
    """Yield the files of the example, with its names changed."""
    words = name.split("-")
    title = " ".join(words).title()
    initials = "".join(word[0] for word in words) if len(words) > 1 else name
    changes = {
        "liars-dice": name,
        "liars_dice": name.replace("-", "_"),
        "Liar's Dice": title,
        "LiarsScreen": f"{title.replace(' ', '')}Screen",
        "LiarsTable": f"{title.replace(' ', '')}Table",
        "LD": f"{initials}XX"[:2].upper(),
    }
    home = next(place for place in PLACES if place.is_dir())
    for path in sorted(path for path in home.rglob("*") if path.suffix in KINDS):
        text = path.read_text(encoding="utf-8")
        for old, new in changes.items():
            text = re.sub(rf"(?<![A-Za-z]){re.escape(old)}(?![A-Z])", new, text)
        where = path.relative_to(home).as_posix()
        yield where.replace("liars_dice", name.replace("-", "_")), text
