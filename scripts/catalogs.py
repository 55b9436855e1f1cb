#!/usr/bin/env python3
"""Bring the catalogs of lanplay/locale in step with the sources.

``update`` extracts every text marked in the sources, adds what is new to each ``lanplay.po`` (with
an empty translation), drops what is gone, and compiles each ``lanplay.mo``. ``check`` writes
nothing. Both count what is not translated yet, which is shown in English: a branch may lag behind,
a release may not (``check --whole``). Both end with 1 if a translation does not fit its text. The
files are the same byte for byte wherever and whenever they are made.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import string
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from scripts.environment import require_packages  # noqa: E402  # needs the line above

require_packages()
from babel.messages import Catalog  # noqa: E402
from babel.messages.catalog import Message  # noqa: E402
from babel.messages.mofile import write_mo  # noqa: E402
from babel.messages.pofile import read_po, write_po  # noqa: E402

from lanplay.language import DOMAIN, LOCALE, OBJECT, TAGS  # noqa: E402  # needs the line above

SOURCES = ("lanplay", "ai")
FILES = (
    "*.py",
    *(f"{each}.toml" for each in ["words", "teaching", "profiles", "characters", "explained"]),
)
MARKS = {"_": 1, "N_": 1, "ngettext": 2, "Plural": 2, "pgettext": 2}
"""What marks a text, and how many of its arguments are texts: text, plural; context, text."""
PLURALS = {
    "cs": "nplurals=3; plural=((n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2);",
    "hu": "nplurals=2; plural=(n != 1);",
}
"""Set by hand: babel knows one form alone for Hungarian."""
WHENEVER = datetime(2000, 1, 1, tzinfo=UTC)
HEADER = "# Texts of lanplay. Written by scripts/catalogs.py; only translations are edited by hand."


def extract() -> Catalog:
    """Return a catalog of every text that the sources mark, with the files it stands in."""
    catalog = Catalog(header_comment=HEADER, creation_date=WHENEVER, fuzzy=False)
    for source in SOURCES:
        for path in sorted(path for each in FILES for path in (ROOT / source).rglob(each)):
            name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            for mark, given in _texts(path.suffix, text):
                context = given[0] if mark == "pgettext" else None
                told = given if mark in ("ngettext", "Plural") else given[-1]
                catalog.add(told, None, [(name, 0)], context=context)
                if mark == "Plural" and "{count}" in told[0]:
                    catalog.add(told, None, [(name, 0)], context=OBJECT)
    return catalog


@cache
def _texts(suffix: str, text: str) -> list[tuple[str, tuple[str, ...]]]:
    found = marked(text) if suffix == ".py" else listed(tomllib.loads(text))
    return sorted(set(found))


def marked(source: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each mark of a source with its texts.

    The syntax tree is read, for all versions of Python to find the same: the tokens that babel
    reads do not show what stands in an f-string before 3.12.
    """
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.ClassDef) and "Sayings" in map(ast.unparse, call.bases):
            for node in (node for each in call.body[1:] for node in ast.walk(each)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield "N_", (node.value,)  # of sayings: they need no mark
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        if (mark := call.func.id) in MARKS:
            found = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
            texts = tuple(text for text in found if isinstance(text, str))
            if len(texts) == MARKS[mark] and all(texts):
                yield mark, texts


def listed(data: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the texts of a ``words.toml``, or the summaries of a ``profiles.toml``."""
    for name, table in data.items():
        for text in table.values() if isinstance(table, dict) else table:
            if name != "same" and ("summary" not in table or text == table["summary"]):
                yield ("Plural", tuple(text)) if name == "nouns" else ("N_", (text,))


def path_of(tag: str, suffix: str = "po") -> Path:
    """Return where the catalog of a language lies."""
    return Path(LOCALE) / tag / "LC_MESSAGES" / f"{DOMAIN}.{suffix}"


def current(tag: str, template: Catalog) -> Catalog:
    """Return the catalog of a language with the texts of ``template`` and what is translated."""
    catalog = translated(tag)
    catalog.header_comment = HEADER
    catalog.project, catalog.version = DOMAIN, "1"
    catalog.last_translator = catalog.language_team = "lanplay"
    catalog.creation_date = catalog.revision_date = WHENEVER
    catalog.fuzzy = False
    catalog.mime_headers = [("Plural-Forms", PLURALS[tag])]
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    return catalog


def translated(tag: str) -> Catalog:
    """Return the catalog of a language as it lies on the disk; empty if there is none."""
    if not path_of(tag).exists():
        return Catalog(locale=tag, header_comment=HEADER, creation_date=WHENEVER, fuzzy=False)
    with path_of(tag).open("rb") as file:
        return read_po(file, locale=tag)


def out_of_step(tag: str, template: Catalog) -> list[Path]:
    """Return the files of a language that are not those of its texts, with those of a template."""
    made = zip(("po", "mo"), texts(current(tag, template)), strict=True)
    files = [(path_of(tag, suffix), text) for suffix, text in made]
    return [path for path, text in files if not path.exists() or path.read_bytes() != text]


def lacking(tag: str, template: Catalog) -> int:
    """Return how many texts of a template a language has no translation of."""
    return sum(not _forms(each)[0] for each in current(tag, template) if each.id)


def texts(catalog: Catalog) -> tuple[bytes, bytes]:
    """Return a catalog as the bytes of its ``.po`` and of its ``.mo``."""
    po, mo = io.BytesIO(), io.BytesIO()
    write_po(po, catalog, width=100, sort_by_file=True, include_lineno=False)
    write_mo(mo, catalog)
    return po.getvalue(), mo.getvalue()


def faults(catalog: Catalog) -> Iterator[str]:
    """Yield what in a catalog does not fit the text it translates."""
    for message in (each for each in catalog if each.id):
        for fault in _faults(message):
            yield f"{catalog.locale}: {_first(message)!r}: {fault}"


def _first(message: Message) -> str:
    return message.id[0] if isinstance(message.id, tuple | list) else str(message.id)


def _faults(message: Message) -> Iterator[str]:
    forms = _forms(message)
    if message.fuzzy:
        yield "is fuzzy"
    wanted = placeholders(_first(message))
    if any(forms) and not all(forms):
        yield "lacks a form"
    for form in filter(None, forms):
        if placeholders(form) != wanted:
            yield f"other placeholders: {form!r}"
        if _edges(form) != _edges(_first(message)):
            yield f"other blanks or line ends at its ends: {form!r}"


def _forms(message: Message) -> list[str | None]:
    one = message.string
    return [*one] or [None] if isinstance(one, tuple | list) else [one]


def placeholders(text: str) -> list[str]:
    """Return the placeholders of a text, ``{name:noun}`` and ``%(name)s`` and ``%s``, sorted.

    Which form a noun has, ``{name:noun/object}``, is up to each language.
    """
    try:
        braces = [
            f"{{{name}:{(spec or '').removesuffix(f'/{OBJECT}')}}}"
            for _, name, spec, _ in string.Formatter().parse(text)
            if name
        ]
    except ValueError:
        return [f"broken: {text}"]
    return sorted([*braces, *re.findall(r"%(?:\(\w+\))?[sdr]", text)])


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def main() -> int:
    """Do what the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=["update", "check"])
    parser.add_argument("--whole", action="store_true", help="nothing may be left untranslated")
    args = parser.parse_args()
    template, found = extract(), []
    for tag in TAGS[1:]:
        if args.action == "update":
            path_of(tag).parent.mkdir(parents=True, exist_ok=True)
            for at, suffix in enumerate(("po", "mo")):  # what is compiled is read again
                path_of(tag, suffix).write_bytes(texts(current(tag, template))[at])
        other = out_of_step(tag, template if args.whole else translated(tag))
        found += [f"{path.relative_to(ROOT)} is out of step: run with update" for path in other]
        found += faults(current(tag, template))
        if lag := lacking(tag, template):
            print(f"{tag}: {lag} of {len(template)} texts are not translated yet: English is shown")
            found += [f"{tag} is not whole"] if args.whole else []
    print("\n".join(found) or "Every translation fits its text.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
