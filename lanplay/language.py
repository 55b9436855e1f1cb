"""The language of everything that people read: gettext catalogs, chosen for the process.

How text is written. A sentence stands in the source in English, whole, as the argument of one of
the functions below; ``scripts/catalogs.py`` finds it there. Values go in after the translation,
by name, so that each language orders them as it likes::

    _("{name} has left the table.").format(name=name)
    ngettext("{count} seat is free.", "{count} seats are free.", count).format(count=count)

Where text is a constant of a module (which is imported before the language is known), ``N_`` marks
it, and ``_`` translates it where it is shown::

    HELP = N_("list the tables of this network")
    ...
    print(_(HELP))

Never build a sentence of parts, never put an f-string into ``_``, and write so that names need no
declension: ``{name}: dollars {count}`` rather than ``the dollars of {name}``.

A noun that is counted has two forms in the catalogs: the one that stands alone, and the one that
it has as what its verb takes; the latter is marked by the context ``object``. A translation takes
the second with ``{count:cards/object}`` where its sentence needs it. A number with decimals is
shown by ``figure`` alone.

What crosses the network or is kept in a file is an id with values, never text: every laptop shows
its own language. Until ``use`` has been called the language is English; no catalog is read before
the first text is asked for.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import GNUTranslations, NullTranslations
from typing import Final, NamedTuple

NAMES: Final = {"en": "English", "cs": "Čeština", "hu": "Magyar"}
"""What each language calls itself, by its tag."""
TAGS: Final = tuple(NAMES)
"""The languages there are; the first is that of the source."""
DOMAIN: Final = "lanplay"
_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # pathlib loads slowly
LOCALE: Final = os.path.join(_HERE, "locale")  # noqa: PTH118  # the same
"""Where the catalogs lie: ``<tag>/LC_MESSAGES/lanplay.mo``, in a checkout and in a wheel."""
OBJECT: Final = "object"
"""The context of the form that a noun has as what its verb takes."""
DOLLARS: Final = {"cs": "{}\u00a0$", "hu": "{}\u00a0$"}
"""How an amount of dollars is written, where the sign does not stand before it."""
DECIMAL_SIGN: Final = {"cs": ",", "hu": ","}
"""What stands before the decimals of a number, where it is not a point."""
PERCENT_SIGN: Final = {"cs": "\u00a0%"}
"""What stands behind a percentage, where it is not the sign alone."""
BARE: Final = {
    **dict.fromkeys("„“”«»", '"'),
    **dict.fromkeys("–—−", "-"),
    **dict(zip("♥♠♦♣", "hsdc", strict=True)),
    **dict(zip("↑↓←→", "^v<>", strict=True)),
    "’": "'",
    "★": "*",
    "×": "x",
    "·": "*",
    "\u00a0": " ",
}
"""ASCII for what is no letter with an accent; suits of cards have the letters of their names."""
_C_LOCALES = ("C", "POSIX")
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python takes for the C locale (PEP 538)."""
_SYSTEM = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


_HERE_ALONE: Final = ContextVar("_HERE_ALONE", default="")
"""The language of a task and of those that it starts; empty: that of the process."""


class _Speaker:
    """The language that is spoken; a catalog is read when text is first asked for in it."""

    def __init__(self) -> None:
        self.process = TAGS[0]
        self._catalogs: dict[str, NullTranslations] = {}
        self._others: dict[tuple[str, str], None] = {}

    @property
    def tag(self) -> str:
        return _HERE_ALONE.get() or self.process

    @property
    def catalog(self) -> NullTranslations:
        tag = self.tag
        if tag not in self._catalogs:
            self._catalogs[tag] = _load(tag, LOCALE, DOMAIN)
            for folder, domain in self._others:
                self._catalogs[tag].add_fallback(_load(tag, folder, domain))
        return self._catalogs[tag]

    def add(self, folder: str, domain: str) -> None:
        self._others[folder, domain] = None
        self._catalogs.clear()


_SPEAKER = _Speaker()


def speak_also(folder: str | os.PathLike[str], domain: str) -> None:
    """Look for texts that lanplay has none for in ``FOLDER/TAG/LC_MESSAGES/DOMAIN.mo`` as well."""
    _SPEAKER.add(os.fspath(folder), domain)


def _(text: str) -> str:
    """Return ``text`` in the language of the process; itself where it has no translation."""
    return _SPEAKER.catalog.gettext(text) if text else ""


def N_(text: str) -> str:
    """Return ``text`` as it is, marked for the catalogs: ``_`` translates it where it is shown."""
    return text


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of the language that goes with ``count``: English has ``one``, ``many``."""
    return _SPEAKER.catalog.ngettext(one, many, count)


def pgettext(context: str, text: str) -> str:
    """Return ``text`` in the language of the process, told from its namesakes by ``context``."""
    return _SPEAKER.catalog.pgettext(context, text)


class Plural(NamedTuple):
    """A phrase with a number, marked for the catalogs: ``Plural("{count} card", "{count} cards")``.

    Both forms are English and name ``{count}``; other languages may have more forms. The catalogs
    have it twice: as it stands alone, and as what a verb takes (``OBJECT``).
    """

    one: str
    many: str

    def of(self, count: int, case: str = "") -> str:
        """Return the phrase for ``count`` in the language of the process."""
        catalog = _SPEAKER.catalog
        if case:
            return catalog.npgettext(case, self.one, self.many, count).format(count=count)
        return catalog.ngettext(self.one, self.many, count).format(count=count)


class Number(int):
    """A whole number that a template shows alone, ``{n}``, or with its noun.

    The noun stands alone, ``{n:cards}``, or is what the verb takes, ``{n:cards/object}``.
    """

    nouns: Mapping[str, Plural]

    def __format__(self, noun: str) -> str:
        name, _slash, case = noun.partition("/")
        return self.nouns[name].of(self, case) if name else str(int(self))


def figure(value: float, form: str = "z.1f") -> str:
    """Return a number as the language writes it; ``form`` is how ``format`` would show it."""
    text, tag = format(value, form), current()
    return text.replace(".", DECIMAL_SIGN.get(tag, ".")).replace("%", PERCENT_SIGN.get(tag, "%"))


def dollars(amount: int, tight: bool = False) -> str:
    """Return an amount of dollars; ``tight``: without a blank, where every cell counts."""
    text = DOLLARS.get(current(), "${}").format(amount)
    return text.replace("\u00a0", "") if tight else text


def filled(template: str, values: Mapping[str, object], nouns: Mapping[str, Plural]) -> str:
    """Return a (translated) template with its values; ``nouns`` are what it may count.

    A number with decimals is shown with one of them.
    """

    def shown(value: object) -> object:
        if type(value) is float:
            return figure(value)
        if type(value) is not int:
            return value
        number = Number(value)
        number.nouns = nouns
        return number

    return template.format_map({key: shown(value) for key, value in values.items()})


def use(tag: str) -> None:
    """Speak the language ``tag`` from now on; ``ValueError`` names the languages there are."""
    if tag not in TAGS:
        raise ValueError(f"there is no language {tag!r}; there are: {', '.join(TAGS)}")
    _SPEAKER.process = tag


def current() -> str:
    """Return the tag of the language that is spoken."""
    return _SPEAKER.tag


@contextmanager
def speaking(tag: str) -> Iterator[None]:
    """Speak another language for a while; ``ValueError`` as with ``use``."""
    before = _SPEAKER.process
    use(tag)
    try:
        yield
    finally:
        use(before)


@contextmanager
def speaking_here(tag: str) -> Iterator[None]:
    """Speak another language in this task, and in those that it starts, while a block runs.

    An empty ``tag`` changes nothing; ``ValueError`` as with ``use``.
    """
    if tag and tag not in TAGS:
        raise ValueError(f"there is no language {tag!r}")
    token = _HERE_ALONE.set(tag or _HERE_ALONE.get())
    try:
        yield
    finally:
        _HERE_ALONE.reset(token)


def choose(
    flag: str | None = None, configured: str | None = None, environ: Mapping[str, str] | None = None
) -> str:
    """Return the tag of the language to speak.

    The first of these that is set decides: ``flag``, ``LANPLAY_LANG``, ``configured`` (the
    program's own settings); then, or where one of them is ``auto``, the system's ``LANGUAGE``,
    ``LC_ALL``, ``LC_MESSAGES``, ``LANG``, the language of Windows. A language that is not here
    means the next one of ``LANGUAGE``, else English. ``environ`` is the process's own unless given.
    """
    environ = os.environ if environ is None else environ
    for wish in (flag, environ.get("LANPLAY_LANG"), configured):
        if wish == "auto":
            break
        if wish:
            return _known(wish)
    system = [environ.get(name) for name in _SYSTEM]
    return _known(next(filter(None, system), None) or _windows() or TAGS[0])


def nearest(error: UnicodeError) -> tuple[str, int]:
    """Spell letters that an encoding lacks without their accents, or as ``?``.

    The error handler ``nearest`` of text streams and ``str.encode``: see ``codecs.register_error``.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(map(_bare, letters)), error.end


def _bare(letter: str) -> str:
    from unicodedata import normalize

    bare = BARE.get(letter) or normalize("NFKD", letter)[0]
    return bare if bare.isascii() else "?"


codecs.register_error("nearest", nearest)


def _known(wish: str) -> str:
    """Return the first tag in a list such as ``hu_HU.UTF-8:cs`` that is here, else English."""
    for each in wish.split(":"):
        tag = each.replace("-", "_").partition("_")[0].partition(".")[0].casefold()
        if tag in TAGS:
            return tag
    return TAGS[0]


def _windows() -> str | None:
    """Return the language of the user's Windows such as ``cs_CZ``; elsewhere ``None``."""
    if sys.platform != "win32":
        return None
    import ctypes
    import locale

    code = ctypes.windll.kernel32.GetUserDefaultUILanguage()
    return locale.windows_locale.get(code)


def _load(tag: str, folder: str, domain: str) -> NullTranslations:
    from pathlib import Path

    path = Path(folder) / tag / "LC_MESSAGES" / f"{domain}.mo"
    if tag == TAGS[0] or not path.is_file():
        return NullTranslations()
    with path.open("rb") as file:
        return GNUTranslations(file)


def in_c_locale(environ: Mapping[str, str]) -> bool:
    """Tell whether the environment names the C locale, which promises no more than ASCII.

    Python writes UTF-8 there all the same (PEP 540), and sets ``LC_CTYPE`` (PEP 538) as if its
    person had; where nothing is named at all, most terminals can do it.
    """
    named = [environ.get("LC_ALL"), environ.get("LC_CTYPE"), environ.get("LANG")]
    if named[1] in _COERCED and named[2] in _C_LOCALES:
        named[1] = None
    return next(filter(None, named), "") in _C_LOCALES
