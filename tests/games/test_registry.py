"""Games of other packages: found by an entry point, and by nothing else."""

from __future__ import annotations

import sys
from functools import partial
from textwrap import dedent

import pytest
import trio

from lanplay import games
from lanplay.check.random_games import finish, table_of
from lanplay.cli.crash import foreign_game
from lanplay.cli.doctor import program
from lanplay.cli.doctor.finding import Examined, State
from lanplay.config.loading import inspect
from lanplay.engine.manifest import GameManifest, Ref
from lanplay.errors import Mistake
from lanplay.games.wording import game_title
from lanplay.ui.looking import review_of
from tests.games.packages import install, one_file_game


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return what installs a package with a game in a folder of the path."""
    path = list(sys.path)
    forget()
    yield lambda *what, **more: install(tmp_path, monkeypatch, *what, **more)
    sys.path[:] = path
    forget()


def forget():
    for cached in (games.manifest, games.load, games._installed):
        cached.cache_clear()


def test_every_manifest_of_our_own_names_what_is_there():
    """What a manifest refers to exists, and its game goes by the name it is found by."""
    for name in games.NAMES:
        manifest = games.manifest(name)
        assert isinstance(manifest, GameManifest)
        assert manifest.name == name
        for field in manifest.__slots__:
            if isinstance(ref := getattr(manifest, field), Ref):
                assert ref.load() is not None


def test_a_game_of_one_file_is_found(installed):
    """A package with an entry point is all that it takes."""
    installed("coin-house", "coin-flip", one_file_game("coin-flip"))
    assert games.names() == (*games.NAMES, "coin-flip")
    game = games.load("coin-flip")
    assert game.table(2, {}).seats == 2
    assert game_title("coin-flip") == "Coin Flip"


def test_luck_and_decisions_are_offered_where_positions_have_a_worth(installed, tmp_path):
    """Of another game an empty page was shown."""
    installed("coin-house", "coin-flip", one_file_game("coin-flip"))
    assert review_of("dice-town", tmp_path) is not None
    assert review_of("coin-flip", tmp_path) is None


def test_what_fails_in_a_game_is_known_to_be_of_it_though_nobody_names_it(installed):
    """Also what the engine raises, whose rules wait meanwhile, and what came of it afterwards."""
    source = one_file_game("coin-flip").replace("yield OpenRoll", "yield ")
    installed("coin-house", "coin-flip", source)

    async def play():
        async with trio.open_nursery():
            finish(table_of(games.load("coin-flip"), 2, b"fails"))

    def clean_up():
        try:
            trio.run(play)
        finally:
            raise ValueError("the door is shut")

    for fails in (partial(trio.run, play), clean_up):
        with pytest.raises(Exception) as raised:  # whatever comes of it
            fails()
        game, package, why = foreign_game([raised.value], ["join"])
        assert (game, package) == ("coin-flip", "coin-house")
        assert why.startswith("AttributeError: 'tuple' object has no attribute 'accept'")
    with pytest.raises(ValueError, match="elsewhere") as raised:
        raise ValueError("elsewhere") from RuntimeError('File "/coins/rules.py", line 62, in flip')
    told = foreign_game([raised.value], ["simulate", "coin-flip"])
    assert told == (game, package, "ValueError: elsewhere, rules.py:62")
    with pytest.raises(ValueError, match="nobody") as raised:
        raise ValueError("nobody's")
    assert foreign_game([raised.value], ["join"]) is None


def test_a_name_is_looked_up_and_never_imported(installed):
    """Whatever the network names, no module of that name is imported."""
    for name in ("coin-flip", "os", "lanplay.cli", "../x", ""):
        with pytest.raises(Mistake, match="There is no game"):
            games.load(name)


def test_our_own_game_counts_where_a_package_brings_one_of_its_name(installed):
    """Nobody replaces Dice Town by installing a package."""
    installed("thief", "dice-town", one_file_game("dice-town"))
    assert games.names() == games.NAMES
    assert games.load("dice-town").manifest.title == "Dice Town"


def test_two_packages_with_one_game_are_both_named_and_neither_counts(installed):
    """Which of them was meant is not for the program to guess."""
    installed("coin-house", "coin-flip", one_file_game("coin-flip"))
    installed("mint", "coin-flip", one_file_game("coin-flip"), module="minted")
    assert games.names() == games.NAMES
    with pytest.raises(Mistake, match=r"Several packages provide .*: coin-house, mint"):
        games.load("coin-flip")


def declaring(field):
    """Return a game whose manifest says one thing more, or otherwise."""
    source = one_file_game("coin-flip").replace(
        "import GameManifest,", "import TableOption, GameManifest,"
    )
    said = f"    {field},\n"
    if field.startswith("title"):
        return source.replace('    title="Coin Flip",\n', said)
    return source.replace("    seats=range(2, 5),\n", f"    seats=range(2, 5),\n{said}")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise RuntimeError('out of coins')", "out of coins"),
        ("MANIFEST = 7", "is no GameManifest"),
        ("import nothing_of_the_kind", "nothing_of_the_kind"),
        (one_file_game("other-name"), "its manifest is of 'other-name'"),
        (one_file_game("coin-flip").replace("RULES =", "RULED ="), "RULES"),
        (
            one_file_game("coin-flip").replace("range(2, 5),", "(2, 4),"),
            r"seats=\(2, 4\), not a range",
        ),
        (declaring("title=7"), "title=7, not text that people read"),
        (declaring("options=[]"), r"options=\[\], not a tuple of TableOption"),
        (declaring("options=(TableOption('a', 'A', ['b']),)"), "words by value"),
        (declaring("options=(TableOption('a', 'A', {1: 'b'}),)"), "not text"),
        (declaring("pages='coin.md'"), "pages='coin.md'"),
        (declaring("bots='coin:BOTS'"), "bots='coin:BOTS', not a Ref"),
        (declaring("bots=Ref(f'{__name__}:RULES')"), "RuleSet.*, not Bot by name"),
        (declaring("bots=Ref(f'{__name__}:WORDS')"), "ask-call is 'Heads or tails.', not a Bot"),
        (declaring("bots=Ref('nowhere:BOTS')"), "bots: nowhere:BOTS cannot be loaded"),
        (one_file_game("coin-flip").replace("def word(", "def words("), "has no word"),
    ],
)
def test_a_package_that_cannot_be_used_is_named_with_the_reason(installed, source, why):
    """It is on no list, and harms no other game."""
    installed("coin-house", "coin-flip", dedent(source))
    assert games.names() == games.NAMES
    with pytest.raises(Mistake, match=f"package coin-house cannot be used: .*{why}"):
        games.load("coin-flip")
    assert games.load("charidice").name == "charidice"
    found = [
        each for each in program.check(Examined(inspect({}), None, None)) if each.topic == "game"
    ]
    assert [each.state for each in found] == [State.NOTE]
    assert "coin-house" in found[0].text
