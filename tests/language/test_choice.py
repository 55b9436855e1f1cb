"""Which language is spoken, and that it is read late and from the package alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lanplay import language
from lanplay.cli import main
from lanplay.language import Plural, _, choose, current, ngettext, pgettext, speaking, use

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def english_after():
    """Leave the process speaking English."""
    yield
    use("en")


@pytest.mark.parametrize(
    ("flag", "configured", "environ", "tag"),
    [
        ("hu", "cs", {"LANPLAY_LANG": "cs", "LANG": "cs_CZ.UTF-8"}, "hu"),
        (None, "cs", {"LANPLAY_LANG": "hu", "LANG": "cs_CZ.UTF-8"}, "hu"),
        (None, "cs", {"LANG": "hu_HU.UTF-8"}, "cs"),
        (None, None, {"LANGUAGE": "xx:hu", "LC_ALL": "cs_CZ"}, "hu"),
        (None, None, {"LC_ALL": "cs_CZ.UTF-8", "LANG": "hu_HU"}, "cs"),
        (None, None, {"LC_MESSAGES": "hu-HU", "LANG": "cs_CZ"}, "hu"),
        (None, "auto", {"LANG": "cs_CZ.UTF-8"}, "cs"),
        ("auto", "hu", {"LANG": "cs"}, "cs"),
        (None, None, {"LANG": "C.UTF-8"}, "en"),
        (None, None, {"LC_ALL": "", "LANG": "xx_XX.UTF-8"}, "en"),
        (None, None, {}, "en"),
    ],
)
def test_flag_before_own_variable_before_settings_before_the_system(
    flag, configured, environ, tag, monkeypatch
):
    """The first that is set decides; a language that is not here is English; auto is the system."""
    monkeypatch.setattr(language, "_windows", lambda: None)
    assert choose(flag, configured, environ) == tag


def test_windows_is_asked_last(monkeypatch):
    """Where no variable is set the language of Windows counts."""
    monkeypatch.setattr(language, "_windows", lambda: "hu_HU")
    assert choose(None, None, {}) == "hu"
    assert choose(None, None, {"LANG": "cs_CZ"}) == "cs"


def test_an_unknown_language_is_refused_with_those_there_are():
    """``use`` names the languages, and changes nothing."""
    with pytest.raises(ValueError, match="en, cs, hu"):
        use("xx")
    assert current() == "en"


def test_what_has_no_translation_stays_english():
    """Text that no catalog has, and the empty text, come back as they are."""
    for tag in language.TAGS:
        with speaking(tag):
            assert _("xyzzy is in no catalog") == "xyzzy is in no catalog"
            assert _("") == ""
            assert pgettext("nowhere", "xyzzy") == "xyzzy"
            assert ngettext("{count} xyzzy", "{count} xyzzies", 2) == "{count} xyzzies"


def test_counts_take_the_forms_of_the_language():
    """One, few and many in Czech; a Hungarian noun stays singular after a number."""
    nuggets = Plural("{count} nugget", "{count} nuggets")
    said = {}
    for tag in language.TAGS:
        with speaking(tag):
            said[tag] = [nuggets.of(count) for count in (0, 1, 2, 5)]
    assert said["en"] == ["0 nuggets", "1 nugget", "2 nuggets", "5 nuggets"]
    assert said["cs"] == ["0 nugetů", "1 nuget", "2 nugety", "5 nugetů"]
    assert len({text.partition(" ")[2] for text in said["hu"]}) == 1


def test_the_flag_speaks_before_arguments_are_read(capsys):
    """``--lang`` counts for help and for errors of usage, wherever it stands."""
    for arguments in (["--lang", "cs", "nothing"], ["nothing", "--lang=cs"]):
        with pytest.raises(SystemExit):
            main(arguments)
        assert "použití:" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["host", "--lang", "hu", "--help"])
    said = capsys.readouterr().out
    assert "asztalt nyit ezen" in said
    assert said.startswith("használat: lanplay host ")


def test_settings_choose_the_language(monkeypatch, tmp_path, capsys):
    """``lang`` in the file of settings counts for errors, too."""
    (tmp_path / "config.toml").write_text('lang = "hu"\n', encoding="utf-8")
    monkeypatch.setenv("LANPLAY_CONFIG", str(tmp_path / "config.toml"))
    assert main(["rules", "dice-town", "99"]) == 2
    assert "Egyetlen szabály sem" in capsys.readouterr().err


def test_the_rules_are_shown_in_the_language(capsys):
    """``lanplay rules`` prints the page of the language; a number finds the same rule in each."""
    assert main(["rules", "dice-town", "2.3", "--lang", "cs"]) == 0
    assert capsys.readouterr().out.startswith("- **DT-2.3** Za každou ponechanou kostku")


def test_no_catalog_is_read_for_the_version():
    """``--version`` reads no catalog and loads no library of ours for it, whatever is set."""
    code = "import sys; from lanplay.cli import main; main(['--version']); import json;"
    code += "from lanplay import language; print(json.dumps(not language._SPEAKER._catalogs))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "LANPLAY_LANG": "cs"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1]) is True


def test_a_terminal_without_the_letters_shows_them_bare():
    """Where an encoding lacks letters they lose their accents; quotes and dashes stay readable."""
    assert "Žluťoučký „kůň“ – űrő".encode("ascii", "nearest") == b'Zlutoucky "kun" - uro'
    assert "кон 😀".encode("ascii", "nearest") == b"??? ?"
    assert "ž".encode("latin-1", "nearest") == b"z"
