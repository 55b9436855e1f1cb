"""The catalogs are in step with the sources, whole, and fit what they translate."""

from __future__ import annotations

import ast
import gettext
import re
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
def test_a_catalog_is_compiled_from_its_texts(tag):
    """Made anew from the translations, both files are the same byte for byte."""
    hint = "run: python3 scripts/catalogs.py update"
    assert catalogs.out_of_step(tag, catalogs.translated(tag)) == [], hint


@pytest.mark.parametrize("tag", TRANSLATED)
def test_every_translation_fits(tag, template):
    """Nothing is fuzzy; placeholders and blanks at the ends are those of the text."""
    assert list(catalogs.faults(catalogs.current(tag, template))) == []


@pytest.mark.parametrize("tag", TRANSLATED)
def test_new_texts_may_wait_for_their_translation_until_a_release(tag, template):
    """They are counted, and are no fault; to a release the catalog is out of step."""
    before = catalogs.lacking(tag, template)
    more = catalogs.extract()
    more.add("A text that nobody has translated, {count}")
    more.add(("{count} text", "{count} texts"), None)
    assert catalogs.lacking(tag, more) == before + 2
    assert list(catalogs.faults(catalogs.current(tag, more))) == []
    assert catalogs.path_of(tag) in catalogs.out_of_step(tag, more)


FOREIGN = {"cs": "őűĐđ", "hu": "ěčřšžůťďň"}
"""Letters that a language does not have: such a text stands in the wrong catalog."""
FORMAL = {
    "cs": r"\b((?<!je )vás|vám|váš|vaše|můžete|nechte|zvolte|zadejte|vyberte)\b",
    "hu": r"\b(ön|önök|válassza|adja meg)\b",
}
"""How a stranger is addressed: the program says ``ty`` and ``te``, and knows several people."""


def translations(tag, template):
    """Yield each text and its forms in a language."""
    for message in catalogs.current(tag, template):
        if message.id and message.string:
            one = message.id[0] if isinstance(message.id, tuple) else message.id
            forms = message.string if isinstance(message.string, tuple) else (message.string,)
            yield from ((one, form) for form in forms if form)


@pytest.mark.parametrize("tag", TRANSLATED)
def test_a_translation_is_of_its_language_and_of_its_text(tag, template):
    """No letters of another language; brackets and full stops stand where those of the text do."""
    found = list(translations(tag, template))
    assert [form for _, form in found if set(form.casefold()) & set(FOREIGN[tag])] == []
    assert [form for text, form in found if text.startswith("(") != form.startswith("(")] == []
    assert [form for text, form in found if text[-1] == "." and form[-1] != "."] == []


@pytest.mark.parametrize("tag", TRANSLATED)
def test_everybody_is_addressed_alike(tag, template):
    """Nobody is addressed as a stranger in one sentence and as a friend in the next."""
    formal = re.compile(FORMAL[tag], re.IGNORECASE)
    assert [form for _, form in translations(tag, template) if formal.search(form)] == []


def test_in_czech_nobody_is_addressed_as_a_man(template):
    """The past tense tells ``ty`` a man from a woman: sentences to a person do without it."""
    past = r"[aeiouyáéíůě]l (jsi|sis|ses)\b|\b(jsi|sis|ses) (\w+ )?\w+[aeiouyáéíůě]l\b"
    assert [form for _, form in translations("cs", template) if re.search(past, form)] == []


def test_no_sentence_is_the_same_in_both_languages(template):
    """What stands in both catalogs was copied from one into the other."""
    both = [dict(translations(tag, template)) for tag in TRANSLATED]
    sentences = ((text, form) for text, form in both[0].items() if len(form.split()) > 4)
    assert [form for text, form in sentences if both[1].get(text) == form] == []


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
    ],
)
def test_what_does_not_fit_is_found(text, translation, what):
    """Other placeholders and other blanks at the ends are faults."""
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
