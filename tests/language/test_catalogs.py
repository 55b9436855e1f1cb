"""The catalogs are in step with the sources, whole, and fit what they translate."""

from __future__ import annotations

import ast
import gettext
from pathlib import Path

import pytest

from lanplay.language import LOCALE, TAGS

catalogs = pytest.importorskip("scripts.catalogs", reason="needs babel")
TRANSLATED = TAGS[1:]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def template():
    """Every text that the sources mark."""
    return catalogs.extract()


@pytest.mark.parametrize("tag", TRANSLATED)
def test_a_catalog_has_the_texts_of_the_sources_and_no_others(tag, template):
    """Made anew, both files of a language are the same byte for byte."""
    po, mo = catalogs.texts(catalogs.current(tag, template))
    hint = "run: python3 scripts/catalogs.py update"
    assert catalogs.path_of(tag).read_bytes() == po, hint
    assert catalogs.path_of(tag, "mo").read_bytes() == mo, hint


@pytest.mark.parametrize("tag", TRANSLATED)
def test_every_text_is_translated_and_fits(tag, template):
    """Nothing is missing or fuzzy; placeholders and blanks at the ends are those of the text."""
    assert list(catalogs.faults(catalogs.current(tag, template))) == []


@pytest.mark.parametrize(("tag", "forms"), [("cs", 3), ("hu", 2)])
def test_plural_forms_are_those_of_the_language(tag, forms):
    """Czech has three forms, Hungarian two: babel's own guess for Hungarian is one."""
    with (Path(LOCALE) / tag / "LC_MESSAGES" / "lanplay.mo").open("rb") as file:
        catalog = gettext.GNUTranslations(file)
    assert {catalog.plural(n) for n in range(30)} == set(range(forms))
    assert catalog.plural(1) == 0


@pytest.mark.parametrize(
    ("text", "translation", "what"),
    [
        ("{a} takes {b:nuggets}", "{a} bere {b}", "placeholders"),
        ("{a} takes {b}", "{a} bere {c}", "placeholders"),
        ("%s of %(name)s", "%s z", "placeholders"),
        ("a {b}", "a {b", "placeholders"),
        ("Password: ", "Heslo:", "blanks"),
        ("Password", "", "not translated"),
    ],
)
def test_what_does_not_fit_is_found(text, translation, what):
    """Other placeholders, other blanks at the ends, and nothing at all are faults."""
    catalog = catalogs.Catalog(locale="cs")
    catalog.add(text, translation)
    [fault] = catalogs.faults(catalog)
    assert what in fault


def marked(path: Path):
    """Yield the calls that mark a text in a source."""
    names = ("_", "N_", "ngettext", "pgettext", "Plural")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names:
            yield node


def test_no_text_is_marked_that_a_catalog_cannot_hold():
    """``N_``, ``Plural`` and the like take whole texts: no f-string, no sum, no variable."""
    wrong = []
    for path in [*(ROOT / "lanplay").rglob("*.py"), *(ROOT / "ai").rglob("*.py")]:
        for call in marked(path):
            texts = (
                call.args[:2] if call.func.id in ("ngettext", "Plural", "pgettext") else call.args
            )
            for text in texts:
                formatted = isinstance(text, (ast.JoinedStr, ast.BinOp))
                constant = isinstance(text, ast.Constant)
                if formatted or (call.func.id in ("N_", "Plural", "pgettext") and not constant):
                    wrong.append(f"{path.relative_to(ROOT)}:{call.lineno}")
    assert [each for each in wrong if not each.startswith("lanplay/language.py")] == []
