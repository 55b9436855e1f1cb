"""``scripts/test.py --changed``: the tests that reach a changed file by imports."""

from __future__ import annotations

import sys

import pytest

from scripts import environment, test
from scripts.changed import ALWAYS, KEPT, READ_BY, ROOT, selected, sources

SOURCES = {
    "lanplay/engine/table.py": "",
    "lanplay/cli/one.py": "def run():\n    from lanplay.engine import table\n",
    "lanplay/cli/__init__.py": "",
    "protocol/lanplay_protocol/wire.py": "import struct\n",
    "tests/helper.py": "import lanplay_protocol.wire\nfrom lanplay.cli import one\n",
    "tests/test_table.py": "from lanplay.engine.table import Table\n",
    "tests/test_helped.py": "from tests.helper import thing\n",
    "tests/test_words.py": "FILE = 'words.toml'\n",
    "tests/test_other.py": "import os\n",
}


def found(*changed: str) -> list[str]:
    """Return the tests of some changed files without those that run always."""
    return [path for path in selected(changed, SOURCES) if path not in ALWAYS]


def test_a_test_that_reaches_a_changed_module_is_run() -> None:
    """Through helpers, through imports inside of functions, and in packages of other folders."""
    assert found("lanplay/engine/table.py") == ["tests/test_helped.py", "tests/test_table.py"]
    assert found("protocol/lanplay_protocol/wire.py") == ["tests/test_helped.py"]
    assert found("tests/test_other.py") == ["tests/test_other.py"]


def test_imports_are_read_wherever_they_stand() -> None:
    """Over several lines, and in a program that a test has as text."""
    over_lines = "from lanplay.cli import (\n    other,  # why\n    one,\n)\n"
    program = 'PROGRAM = """\nimport lanplay.cli.one as first\n"""\n'
    more = {"tests/test_lines.py": over_lines, "tests/test_text.py": program}
    chosen = selected(["lanplay/cli/one.py"], {**SOURCES, **more})
    assert {*more} < {*chosen}


def test_a_file_that_is_no_python_concerns_whoever_names_it_and_its_neighbours() -> None:
    """The modules beside it with all that reaches them, and the tests in whose source it stands."""
    assert found("lanplay/games/words.toml") == ["tests/test_words.py"]
    assert found("lanplay/cli/words.toml") == ["tests/test_helped.py", "tests/test_words.py"]


def test_what_a_manifest_names_is_imported_by_it() -> None:
    """Not so the manifest by the list of all games, which everything reaches."""
    refs = "rules=Ref('x'),\n    bots=Ref(\"lanplay_ai.dice:BOTS\"),\n"
    listed = 'OWN = Ref("lanplay.games.dice:MANIFEST")\n'
    more = {
        "ai/lanplay_ai/dice.py": "",
        "lanplay/games/dice/__init__.py": refs,
        "lanplay/games/__init__.py": listed,
        "tests/test_dice.py": "from lanplay.games.dice import MANIFEST\n",
        "tests/test_listed.py": "from lanplay.games import load\n",
    }
    chosen = selected(["ai/lanplay_ai/dice.py"], {**SOURCES, **more})
    assert chosen == [*ALWAYS, "tests/test_dice.py"]


@pytest.mark.parametrize(
    ("changed", "noticing"),
    [
        ("lanplay/env/games/charidice.py", "tests/env/test_observation.py"),
        ("lanplay/games/charidice/__init__.py", "tests/games/test_option_words.py"),
        ("lanplay/games/charidice/table.py", "tests/env/test_observation.py"),
        ("lanplay/games/charidice/table.py", "tests/ai/test_sweep.py"),
        ("lanplay/games/charidice/table.py", KEPT),
        ("lanplay/games/dice_town/questions/town.py", "tests/env/test_env.py"),
        ("lanplay/games/charidice/words.toml", "tests/language/test_every_message.py"),
        ("lanplay/tui/games/charidice.py", "tests/tui/test_result.py"),
        ("lanplay/web/games/charidice.py", "tests/web/test_pages.py"),
        ("ai/lanplay_ai/charidice/explained.toml", "tests/ai/test_docs.py"),
        ("docs/rules/hu/charidice.md", "tests/language/test_pages.py"),
        ("lanplay/locale/cs/LC_MESSAGES/lanplay.po", "tests/language/test_catalogs.py"),
    ],
)
def test_what_is_found_by_the_name_of_a_game_runs_the_tests_of_all_games(
    changed: str, noticing: str
) -> None:
    """Those that use the package in which such parts lie; data, the tests of what reads it."""
    assert noticing in selected([changed], sources())
    assert (ROOT / changed).exists()


@pytest.mark.parametrize("changed", ["lanplay/ui/menu.py", "lanplay/ui/presenter.py"])
def test_whoever_adds_a_command_is_told_whether_its_key_is_taken(changed: str) -> None:
    assert "tests/tui/test_keys.py" in selected([changed], sources())


def test_what_reads_a_folder_is_there() -> None:
    assert all((ROOT / path).exists() for path in [*READ_BY, *READ_BY.values()])


def test_what_is_gone_or_concerns_nobody_runs_what_reads_everything() -> None:
    """A deleted file is reached by no import; the ceilings are looked at all the same."""
    assert selected(["lanplay/gone.py", "LICENSE"], SOURCES) == list(ALWAYS)


def test_what_everything_reaches_runs_only_the_nearest_tests() -> None:
    """Who imports a changed module itself is run in any case; who is further away, while few."""
    near = {f"tests/near/test_{n}.py": "import lanplay.engine.table\n" for n in range(40)}
    far = {f"tests/far/test_{n}.py": "import lanplay.cli.one\n" for n in range(40)}
    chosen = selected(["lanplay/engine/table.py"], {**SOURCES, **near, **far})
    assert {*near} < {*chosen}
    assert not {*far} & {*chosen}
    few = selected(["lanplay/engine/table.py"], {**SOURCES, **dict([*far.items()][:5])})
    assert len({*far} & {*few}) == 5


def test_a_commit_that_is_not_there_is_told_with_what_to_do() -> None:
    """A clone of one branch has no ``main``: a traceback named the command of git alone."""
    with pytest.raises(SystemExit, match=r"There is no nowhere to compare with .*=COMMIT"):
        test.concerned("nowhere")


def test_of_checks_that_run_side_by_side_those_that_failed_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also those that run beside the tests, which run after a quick one that has failed, too."""
    monkeypatch.setattr(test, "QUICK", [["-c", "pass"], ["-c", "exit(1)"]])
    monkeypatch.setattr(test, "TYPES", {"linux": ["-c", "exit(2)"], "win32": ["-c", "pass"]})
    monkeypatch.setattr(test, "TESTS", ["-c", "exit(3)"])
    monkeypatch.setattr(environment, "ensure", lambda _locks: sys.executable)
    monkeypatch.setattr(sys, "argv", ["test.py"])
    monkeypatch.chdir(ROOT)
    assert test.main() == 1
    told = capsys.readouterr()
    assert told.out.startswith("-- quick checks, 2 in ")
    assert told.out.endswith(" s: FAILED: -c exit(1)\n")
    assert told.err == "failed: -c exit(1); -c exit(2); -c exit(3)\n"
