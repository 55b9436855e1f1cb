"""What the version of another one's bot says: two runs with one version had the same bot."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from lanplay_ai import plugins
from lanplay_ai.outside.program import files_of

INFO = {
    "METADATA": "Metadata-Version: 2.1\nName: guest-bots\nVersion: 1.2\n",
    "entry_points.txt": "[lanplay.bots]\ncharidice.guest = guest_bots.bot:Guest\n",
}
CODE = {
    "guest_bots/__init__.py": "",
    "guest_bots/bot.py": "class Guest: pass\n",
    "guest_bots/table.json": "[1, 2]\n",
}
BESIDE = {
    "../../bin/guest": "#!/usr/bin/python3\n",
    "guest_bots/bot.pyc": "compiled\n",
    "guest.pth": "/elsewhere\n",
}
"""What an installer adds by its own lights."""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """``install(files, listed)`` lays a package down anew; it returns the version of its bot."""
    site = tmp_path / "lib" / "site"
    info = site / "guest_bots-1.2.dist-info"
    info.mkdir(parents=True)
    monkeypatch.syspath_prepend(site)
    names = set()

    def installed(files, listed=None):
        listed = {**INFO, **files} if listed is None else listed
        infos = {f"{info.name}/{name}": text for name, text in INFO.items()}
        record = "".join(f"{name},,\n" for name in (*infos, *listed) if name not in INFO)
        for gone in names - files.keys():
            (site / gone).unlink()
        for name, text in {**files, **infos, f"{info.name}/RECORD": record}.items():
            path = (site / name).resolve()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        names.clear()
        names.update(files)
        importlib.invalidate_caches()
        plugins._found.cache_clear()
        return plugins.version("guest", "charidice")

    yield installed
    plugins._found.cache_clear()


def test_a_bots_version_names_its_package_and_changes_with_each_of_its_files(install):
    before = install(CODE)
    assert before.startswith("guest-bots 1.2 ")
    assert install(CODE) == before
    others = [
        {**CODE, "guest_bots/bot.py": CODE["guest_bots/bot.py"] + "# another\n"},
        {**CODE, "guest_bots/bot.py": CODE["guest_bots/bot.py"].swapcase()},
        {**CODE, "guest_bots/table.json": "[2, 1]\n"},
        {**CODE, "guest_bots/more.json": ""},
        {name.replace("table", "tables"): text for name, text in CODE.items()},
        {name: text for name, text in CODE.items() if "table" not in name},
    ]
    versions = [install(each) for each in others]
    assert len({before, *versions}) == 1 + len(others)


def test_what_an_installer_adds_is_no_part_of_a_bot(install):
    assert install(CODE) == install({**CODE, **BESIDE})


def test_of_a_bot_that_is_worked_on_the_code_counts_where_it_lies(install):
    """An editable installation lists none of it."""
    before = install(CODE, listed={})
    changed = install({**CODE, "guest_bots/bot.py": "class Guest: another = 1\n"}, listed={})
    assert changed != before
    assert install(CODE, listed={}) == before


def test_there_is_no_version_of_a_bot_that_nobody_brings(install):
    install(CODE)
    assert plugins.version("guest", "dice-town") is None


def test_a_programs_version_changes_with_each_file_that_its_command_names(tmp_path, monkeypatch):
    """An interpreter does not count beside what it runs, nor what is found by its name alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    program, code, data = tmp_path / "bin" / "python", tmp_path / "bot.py", tmp_path / "weights"
    for path, size in ((program, 10), (code, 100), (data, 1 << 20), (tmp_path / "python", 10)):
        path.write_bytes(b"a" * size)
    known = {}

    def changed():
        """Return the commands that have another version than when it was asked before."""
        commands = (
            "bin/python",
            "python bot.py",
            "bin/python bot.py weights",
            "python",
            "python -q",
        )
        now = {command: files_of(command) for command in commands}
        others = [command for command in commands if now[command] != known.get(command, "")]
        known.update(now)
        return others

    assert changed() == ["bin/python", "python bot.py", "bin/python bot.py weights"]
    program.write_bytes(b"b" * 10)
    assert changed() == ["bin/python"]
    data.write_bytes(b"a" * ((1 << 20) - 1) + b"b")
    assert changed() == ["bin/python bot.py weights"]
    code.write_bytes(b"b" * 100)
    assert changed() == ["python bot.py", "bin/python bot.py weights"]


def test_a_command_that_cannot_be_read_has_no_version():
    assert files_of("bot 'never closed") == files_of("") == ""


def test_on_windows_a_path_in_quotes_is_a_file_as_well(tmp_path, monkeypatch):
    """A backslash there is one, and the quotes around a folder with a blank are no part of it."""
    monkeypatch.chdir(tmp_path)
    code = Path(r"my bots\bot.py")  # one name where these tests run
    code.parent.mkdir(exist_ok=True)
    versions = set()
    for content in (b"a", b"b"):
        code.write_bytes(content)
        versions.add(files_of(rf'py -3 "{code}"', posix=False))
        versions.add(files_of(rf'py -3 "{tmp_path}/{code}"', posix=False))
    assert len(versions) == 2
    assert "" not in versions
