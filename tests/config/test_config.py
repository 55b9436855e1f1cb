"""Settings: one declaration each; flag before environment before file before default."""

from __future__ import annotations

import argparse
import re
import tomllib
from dataclasses import asdict

import pytest

from lanplay.cli import main
from lanplay.cli.arguments import add_settings, given
from lanplay.config.declared import SETTINGS, Settings
from lanplay.config.file import commented
from lanplay.config.loading import inspect
from lanplay.errors import UserError
from lanplay.language import speaking


def load(flags, environ):
    """Return the settings that count, or raise what is wrong with them."""
    return inspect(flags, environ).usable()


@pytest.fixture
def path(tmp_path):
    """Where the settings' file of a test lies; there is none at first."""
    return tmp_path / "folder" / "config.toml"


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return {"LANPLAY_CONFIG": str(path)}


def arguments(*words):
    parser = argparse.ArgumentParser()
    add_settings(parser, *(name for name in SETTINGS if name != "game"), argument="game")
    return given(parser.parse_args(words))


def test_the_first_start_writes_a_file_that_sets_nothing(path):
    """The file written at first start is TOML, explains every setting and leaves the defaults."""
    settings = load(None, {"LANPLAY_CONFIG": str(path)})
    text = path.read_text(encoding="utf-8")
    assert settings == Settings()
    assert tomllib.loads(text) == {}
    for setting in SETTINGS.values():
        assert f"\n#{setting.name} = " in text
        assert setting.about.help.split()[0] in text


def test_the_file_is_explained_in_the_persons_language():
    """Its head and its comments are translated; keys and values are the same in every language."""
    english = commented().splitlines()
    with speaking("hu"):
        there = commented().splitlines()
    assert there[0] != english[0]
    assert all(line.startswith("# ") for line in there[:3])
    keys = [line for line in there if line.startswith("#") and not line.startswith("# ")]
    assert keys == [e for e in english if e.startswith("#") and not e.startswith("# ")]


def test_every_line_of_the_file_can_be_taken_as_it_stands():
    """Without the comment sign before the keys the file is TOML and sets every default."""
    values = tomllib.loads(re.sub(r"^#(?! )", "", commented(), flags=re.MULTILINE))
    assert values == {setting.name: setting.default for setting in SETTINGS.values()}


def test_a_file_that_is_there_is_never_written_over(path):
    """What the person has written stays, byte for byte, an empty file too."""
    for text in ("", '# mine\nbot = "random"\n'):
        load(None, written(path, text))
        assert path.read_text(encoding="utf-8") == text


def test_where_no_file_can_be_written_the_defaults_count_and_a_notice_says_so(tmp_path):
    """A file in the way of the folder is no error: the settings come with a sentence."""
    (tmp_path / "folder").write_text("in the way")
    settings = load(None, {"LANPLAY_CONFIG": str(tmp_path / "folder" / "config.toml")})
    assert settings.bot == "strong"
    assert "cannot be" in settings.notices[0]


@pytest.mark.parametrize("name", [name for name in SETTINGS if name != "game"])
def test_flag_before_environment_before_file_before_default(name, path):
    """Each setting takes its value from the first of the four that has one, and says from where."""
    setting = SETTINGS[name]
    if isinstance(setting.default, bool):
        file, variable, flag = str(not setting.default).lower(), "no", [f"--{name}"]
        values = [setting.default, not setting.default, False, True]
    else:
        others = setting.about.of[1:] or (("random",) * 2 if setting.about.check else ("b", "c"))
        file, variable, flag = f'"{others[0]}"', others[-1], [f"{setting.flag}={others[0]}"]
        values = [setting.default, others[0], others[-1], others[0]]
    empty = {"LANPLAY_CONFIG": str(path)}
    none = inspect(arguments(), empty)
    from_file = inspect(arguments(), written(path, f"\n{name} = {file}\n"))
    environ = {**empty, setting.variable: variable}
    from_environment = inspect(arguments(), environ)
    from_flag = inspect(arguments(*flag), environ)
    every = [none, from_file, from_environment, from_flag]
    assert [getattr(each.settings, name) for each in every] == values
    assert [each.origins[name] for each in every] == [
        "default",
        f"{path}, line 2",
        f"environment {setting.variable}",
        f"flag {setting.flag}",
    ]


def test_the_game_is_an_argument_that_may_be_left_out(path):
    """A command's argument counts like a flag; left out, the other sources count."""
    environ = {"LANPLAY_CONFIG": str(path), "LANPLAY_GAME": "dice-town"}
    assert load(arguments("dice-town"), environ).game == "dice-town"
    assert inspect(arguments(), environ).origins["game"] == "environment LANPLAY_GAME"


def test_no_color_means_no_colours_unless_a_flag_or_our_own_variable_says_otherwise(path):
    """NO_COLOR, if it is not empty, is an environment variable of the setting colours."""
    environ = {"LANPLAY_CONFIG": str(path), "NO_COLOR": "1"}
    assert load(None, environ).colours == "none"
    assert load(None, {**environ, "NO_COLOR": ""}).colours == "auto"
    assert load(None, {**environ, "LANPLAY_COLOURS": "256"}).colours == "256"
    assert load(arguments("--colours", "16"), environ).colours == "16"


def test_no_motion_means_nothing_in_motion_unless_a_flag_or_our_own_variable_says_otherwise(path):
    """Like NO_COLOR."""
    environ = {"LANPLAY_CONFIG": str(path), "NO_MOTION": "1"}
    assert load(None, environ).animation is False
    assert load(None, {**environ, "LANPLAY_ANIMATION": "true"}).animation is True
    assert load(arguments("--animation"), environ).animation is True


def test_an_unknown_key_is_named_with_the_nearest_known_one(path):
    """A slip in a key is a notice with file, line and the key that was meant; the rest counts."""
    settings = load(None, written(path, 'bot = "random"\n\ncolors = "none"\nxyzzy = 1\n'))
    assert settings.bot == "random"
    assert settings.notices == (
        f"{path}, line 3: there is no setting 'colors'. Did you mean colours?",
        f"{path}, line 4: there is no setting 'xyzzy'.",
    )


def test_an_unknown_variable_is_named_with_the_nearest_known_one(path):
    """The same goes for environment variables that begin like ours."""
    [notice] = load(None, {"LANPLAY_CONFIG": str(path), "LANPLAY_COLORS": "none"}).notices
    assert "LANPLAY_COLORS" in notice
    assert notice.endswith("Did you mean LANPLAY_COLOURS?")


def test_a_table_in_the_file_is_an_unknown_key(path):
    """A TOML table is no setting, and its line is found."""
    [notice] = load(None, written(path, 'bot = "random"\n[screen]\nascii = true\n')).notices
    assert "line 2" in notice
    assert "'screen'" in notice


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ('theme = "pink"', ["line 1", "auto, dark, light, colour-blind", '"pink"']),
        ("\nascii = 1", ["line 2", "true or false", "cannot be 1"]),
        ('confirm = "no"', ["true or false", '"no"']),
        ("name = 7", ["line 1", "text in quotes"]),
        ('bot = "deep"', ["line 1", "deep", "random", "steady"]),
        ('game = "chess"', ["line 1", "chess", "dice-town"]),
        ("bot = steady", ["not TOML", "line 1"]),
        ('bot = "random"\nbot = "steady"', ["not TOML", "overwrite"]),
    ],
)
def test_a_wrong_value_is_refused_with_what_would_be_right(text, hints, path):
    """File, line, key and the right values stand in the sentence."""
    with pytest.raises(UserError) as refused:
        load(None, written(path, text))
    for hint in [str(path), *hints]:
        assert hint in str(refused.value)


def test_a_wrong_variable_is_refused_with_what_would_be_right(path):
    """The same goes for the environment; inspecting falls back on the next source in line."""
    environ = {**written(path, "ascii = true"), "LANPLAY_ASCII": "maybe"}
    with pytest.raises(
        UserError, match=r'LANPLAY_ASCII: ascii cannot be "maybe". It is true or false\.'
    ):
        load(None, environ)
    assert inspect(None, environ).settings.ascii is True


@pytest.mark.parametrize("content", [b"\xff\xfe", "bot = 'random'".encode("utf-16")])
def test_a_file_in_another_encoding_is_a_sentence(content, path):
    """Bytes that are no UTF-8 are refused by name of the file."""
    written(path, "")
    path.write_bytes(content)
    with pytest.raises(UserError, match="UTF-8"):
        load(None, {"LANPLAY_CONFIG": str(path)})


def test_a_file_that_cannot_be_read_is_a_sentence(path):
    """A folder in its place is named, and how to use another file."""
    path.mkdir(parents=True)
    with pytest.raises(UserError, match="LANPLAY_CONFIG") as refused:
        load(None, {"LANPLAY_CONFIG": str(path)})
    assert str(path) in str(refused.value)


def test_a_file_as_notepad_saves_it_is_read(path):
    """A byte order mark and Windows line ends do no harm, and lines are counted right."""
    written(path, "")
    path.write_bytes(b"\xef\xbb\xbf# x\r\nbot = 'random'\r\n")
    effective = inspect(None, {"LANPLAY_CONFIG": str(path)})
    assert effective.origins["bot"] == f"{path}, line 2"
    assert effective.settings.bot == "random"


def test_a_command_takes_its_settings_from_the_file(path, monkeypatch, capsys):
    """``play`` seats the bot of the file, and refuses a wrong one before anything begins."""
    monkeypatch.setenv("LANPLAY_CONFIG", written(path, 'bot = "random"')["LANPLAY_CONFIG"])
    assert main(["play", "--auto", "steady", "--seed", "1"]) == 0
    assert "random 2" in capsys.readouterr().out
    written(path, 'bot = "deep"')
    assert main(["play", "--auto", "steady"]) == 2
    assert f"{path}, line 1" in capsys.readouterr().err


def test_settings_are_frozen_values():
    """Equal settings are equal, and nothing can be changed in them."""
    assert asdict(Settings(bot="random"))["bot"] == "random"
    with pytest.raises(AttributeError):
        Settings().bot = "random"
