"""The catalogue of errors: each has a cause and a next step, in every language."""

from __future__ import annotations

import ast
import copy
import re
import string
from pathlib import Path
from textwrap import wrap

import pytest

from lanplay.cli.endings import ending
from lanplay.errors import CODES, Fault, Mistake, UserError, by_code, told_of
from lanplay.language import TAGS, speaking
from lanplay.notices import Notice, Origin
from lanplay.told import COMMAND, NOUNS, SHELL, TYPED, Sayings, Told, briefly, worded
from lanplay.tournament.faults import Wrong
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.reasons import packed, unpacked

ROOT = Path(__file__).resolve().parents[2]
FAULTS = [*Fault, *Wrong]
SAYINGS = [*FAULTS, *Notice, *Origin]


def counted(saying: Sayings) -> set[str]:
    """Return the names of the values that a saying counts."""
    return {
        name
        for text in saying.value
        for _, name, noun, _ in string.Formatter().parse(text)
        if name and noun
    }


def example(saying: Sayings) -> Told:
    """Return a saying with values: numbers where it counts, else a word."""
    numbers = counted(saying)
    return saying.of(**{name: 5 if name in numbers else "Xyz" for name in saying.fields})


@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("tag", TAGS)
def test_everything_that_is_told_reads_well(tag):
    """Values are filled in, sentences end, each language has its own, and no line is too wide."""
    for saying in SAYINGS:
        told = example(saying)
        with speaking(tag):
            text = worded(told)
        assert "{" not in text, saying
        assert all("Xyz" in text or "5" in text for _ in saying.fields), saying
        assert "  " not in text, saying
        assert (text == told) == (tag == "en"), saying
        assert all(len(line) <= 80 for line in wrap(text, 80)), saying


def test_every_fault_has_a_cause_and_a_next_step():
    """A fault is a cause and its next steps; the cause is a sentence, or ends with a reason."""
    for fault in FAULTS:
        cause, step, *_further = fault.value
        assert cause[-1] in ".!?" or cause.endswith("{why}"), fault
        assert len(step.split()) > 1 or step == "Wait.", fault


@pytest.mark.parametrize("tag", TAGS)
def test_a_sentence_that_ends_with_a_quoted_one_has_one_full_stop(tag):
    said = briefly(Notice.SAID.of(why=Fault.WATCH_SEATED.of()))
    with speaking(tag):
        told = worded(Notice.MISSING_WHY.of(name="Ann", why=said))
    assert told[-2:] in (".”", ".“")


def test_what_is_counted_has_forms():
    """Every noun that a template names after a colon is there."""
    for saying in SAYINGS:
        for text in saying.value:
            nouns = {noun for _, name, noun, _ in string.Formatter().parse(text) if name and noun}
            assert nouns <= NOUNS.keys() | {COMMAND, SHELL, TYPED}


def test_every_code_of_the_protocol_has_its_words():
    """Whatever a peer's program did wrong is told by the fault of its code."""
    assert CODES.keys() == {str(code) for code in Code}
    for code in Code:
        assert by_code(code, "the detail").saying is CODES[code]
        assert "the detail" in by_code(code, "the detail")


def test_a_reason_that_was_told_needs_no_code():
    """A lobby's refusal is shown as it is, not as what nobody had asked for."""
    why = Fault.TABLE_LOCKED.of(table="T", host="H")
    assert by_code(Code.UNEXPECTED, why) is why


def test_an_error_is_worded_where_it_is_shown(capsys):
    """The same error is English, Czech and Hungarian, its values in their places."""
    error = UserError(Fault.NO_RULE, wanted="zzz")
    said = set()
    for tag in TAGS:
        with speaking(tag):
            assert ending(error, []) == 2
        said.add(capsys.readouterr().err)
    assert len(said) == 3
    assert all("zzz" in text and "DT-2.3" in text for text in said)


def test_what_was_told_inside_another_speaks_the_same_language():
    """A cause within a cause is worded with it; briefly, it leaves its next step out."""
    inner = Fault.NO_BOT.of(bot="b", game="g", known="k")
    told = Fault.CANNOT_PLAY.of(why=inner)
    assert str(Fault.UNREACHABLE.of(why=briefly(inner))).count("The bots are") == 0
    with speaking("cs"):
        assert worded(inner) in worded(told)
        assert worded(briefly(inner)) == "Pro hru g není bot „b“"


def test_text_of_no_catalogue_is_told_as_it_is():
    """Plain text passes, whatever the language."""
    with speaking("hu"):
        assert worded("as it is") == "as it is"
        assert briefly("as it is") == "as it is"


def test_what_was_told_can_be_copied():
    """A copy of what was told is worded like the original."""
    told = briefly(Fault.NO_RULE.of(wanted="zzz"))
    again = copy.deepcopy(told)
    with speaking("cs"):
        assert worded(again) == worded(told) != told


def test_a_mistake_is_a_value_error_that_can_be_told():
    """Whoever knows no catalogue catches ``ValueError``; others find the fault in it."""
    with pytest.raises(ValueError, match="There is no seat 9") as caught:
        raise Mistake(Fault.NO_SEAT, seat=9, seats=4)
    assert told_of(caught.value).saying is Fault.NO_SEAT
    assert told_of(OSError("plain")) == "plain"


def test_a_reason_crosses_the_network_by_name():
    """The other side gets the fault with its values, and words it in its own language."""
    for fault in Fault:
        told = example(fault)
        came = unpacked(packed(told)).values["why"]
        assert came == told, fault
        assert isinstance(came, Told), fault
        assert came.saying is fault


def test_text_crosses_the_network_as_text():
    """A sentence without a name arrives as it is, made harmless, and never as this program's."""
    assert unpacked(packed("it says \x1b[2J so")) == "“it says [2J so”"
    accuses = packed(Fault.OFFERED_TWICE.of(name="Eva"))
    assert unpacked(accuses) == f"“{Fault.OFFERED_TWICE.of(name='Eva')}”"


@pytest.mark.parametrize(
    "value",
    [
        7,
        ("NO_RULE",),
        ("NO_RULE", 5),
        ("NO_RULE", ((1, 2),)),
        ("NO_RULE", (("wanted", b"x"),)),
        ("NO_RULE", (("wanted", -1),)),
        ("NO_RULE", (("wanted", "x" * 2000),)),
        ("NO_RULE", (("wanted", "x"),) * 20),
        ("X" * 100, ()),
    ],
)
def test_a_malformed_reason_is_the_peers_fault(value):
    """What is no reason closes the link to its sender."""
    with pytest.raises(PeerError):
        unpacked(value)


@pytest.mark.parametrize(
    "value", [("NO_SUCH", ()), ("NO_RULE", ()), ("NO_RULE", (("{x}", "y"),)), ("mro", ())]
)
def test_a_reason_of_another_version_is_told_by_name(value):
    """A fault that is not here, or wants other values, is shown by its name and never filled in."""
    came = unpacked(value).values["why"]
    assert came == value[0]
    assert not isinstance(came, Told)


def raised() -> list[str]:
    """Return where an error for people is raised with text instead of a fault."""
    found = []
    for folder in ("lanplay", "ai", "protocol"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                    problem = node.func.id in (
                        "UserError",
                        "Mistake",
                        "RecordError",
                        "JournalError",
                    )
                    if problem and isinstance(node.args[0], (ast.Constant, ast.JoinedStr)):
                        found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def used(sayings: type[Sayings]) -> set[str]:
    """Return the names of the sayings that some module mentions beside the one that has them."""
    home = ROOT / f"{sayings.__module__.replace('.', '/')}.py"
    mention = re.compile(rf"\b{sayings.__name__}\.([A-Z_]+)\b")
    sources = (
        path
        for folder in ("lanplay", "ai", "protocol")
        for path in (ROOT / folder).rglob("*.py")
        if path != home
    )
    return {name for path in sources for name in mention.findall(path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("sayings", [Fault, Wrong, Notice], ids=lambda each: each.__name__)
def test_nothing_is_catalogued_that_nobody_tells(sayings):
    """Every fault and every notice is raised or told somewhere, or words a code of the protocol."""
    coded = {fault.name for fault in CODES.values()}
    assert {each.name for each in sayings} - used(sayings) - coded == set()


def test_no_error_is_raised_beside_the_catalogue():
    """Every error that a person can meet is named: none is raised with a text of its own."""
    assert raised() == []
