"""``lanplay config``: what counts and where it is from, also when something is wrong."""

from __future__ import annotations

import json

import pytest

from lanplay.cli import main
from lanplay.config.declared import SETTINGS


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Where the settings' file lies."""
    monkeypatch.setenv("LANPLAY_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.delenv("LANPLAY_DATA")
    return tmp_path / "config.toml"


def test_every_setting_is_shown_with_its_origin(path, monkeypatch, capsys):
    """A line for each setting has its value as the file writes it, and where it is from."""
    path.write_text('bot = "random"\n')
    monkeypatch.setenv("LANPLAY_ASCII", "yes")
    assert main(["config", "--lang", "en"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert str(path) in head
    assert len(lines) == len(SETTINGS)
    shown = {line.split(" = ")[0]: line.split(" = ")[1].split(maxsplit=1) for line in lines}
    assert shown["bot"] == ['"random"', f"{path}, line 1"]
    assert shown["ascii"] == ["true", "environment LANPLAY_ASCII"]
    assert shown["lang"] == ['"en"', "flag --lang"]
    assert shown["theme"] == ['"auto"', "default"]


def test_the_path_alone_is_for_scripts(path, capsys):
    """``--path`` prints nothing but the path, and the file is there afterwards."""
    assert main(["config", "--path"]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    assert path.exists()


def test_wrong_settings_are_shown_and_end_with_2(path, capsys):
    """The command runs although a value is wrong: it says which, and what counts instead."""
    path.write_text('theme = "pink"\ncolors = "16"\n')
    assert main(["config", "--json"]) == 2
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert said["settings"]["theme"] == {"value": "auto", "from": "default"}
    assert f"{path}, line 1" in said["faults"][0]
    assert "colours" in said["notices"][0]
    assert err.splitlines() == [*said["faults"], *said["notices"]]


def test_notices_do_not_stop_a_command(path, capsys):
    """Another command says once on standard error what is unknown, and goes on."""
    path.write_text('colors = "16"\n')
    assert main(["rules"]) == 0
    out, err = capsys.readouterr()
    assert "dice-town" in out
    assert err.count("\n") == 1
    assert "Did you mean colours?" in err
