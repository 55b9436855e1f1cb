"""``lanplay verify``: what it says, and its exit status."""

from __future__ import annotations

import ast
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from lanplay.cli import main
from lanplay.cli.place import close
from lanplay.cli.verifying import _ALTERED, verified
from lanplay.files import locked
from lanplay.language import speaking
from lanplay.session.profile import FILE
from lanplay_protocol.replica import audit
from lanplay_protocol.replica.start import accept, certified
from tests.replica.harness import Table, identity, roster
from tests.replica.test_audit import altered_signature, moved, record_of


@pytest.fixture(scope="module")
def record():
    """The record of a game that was broken off after its first round."""
    table = Table(roster(2), seed=b"verify")
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 1, seconds=600)
    return record_of(table)


def test_a_record_that_holds_is_counted(record, tmp_path, capsys):
    """3, how many dice and shuffles were checked, whose keys, and that the game did not end."""
    path = tmp_path / "game.lanplay"
    record.save(path)
    assert main(["verify", str(path), "--json"]) == 3
    said = capsys.readouterr().out.splitlines()
    assert "dice, " in said[0]
    assert said[1] == f"peer 0: key {identity(0).public.hex()[:16]}, not known here"
    assert "whose keys these are, this computer cannot tell" in said[3]
    assert "ends before" in said[4]
    assert json.loads(said[-1])["holds"] is True


def test_a_game_of_open_rolls_counts_what_it_has():
    """Where all dice lie open, nothing is said of cups, shuffles and cards."""
    said = verified(Counter(messages=239, entropy=128))
    assert said == "All rolls verified: 239 signed messages, 128 parts of rolls."
    assert "shuffles" in verified(Counter(dice=3, messages=9))


def test_the_command_that_checks_a_game_again_is_a_line_of_its_own(capsys):
    """Behind a sentence it was torn by the edge of the terminal."""
    outcome = SimpleNamespace(
        record=SimpleNamespace(extra={"roster": ()}), halted="", checked=Counter(messages=9)
    )
    close(SimpleNamespace(outcome=outcome, path=Path("a.lanplay")), as_json=False)
    assert capsys.readouterr().err.splitlines()[1:] == ["To check again: lanplay verify a.lanplay"]


def test_an_altered_record_says_from_where_on_it_cannot_be_trusted(record, tmp_path, capsys):
    """4, the phase, and that no peer is to blame; nothing of it is called consistent."""
    path = tmp_path / "game.lanplay"
    moved(record, altered_signature).save(path)
    assert main(["verify", str(path), "--json"]) == 4
    said = capsys.readouterr().out
    assert "phase 20" in said
    assert "consistent" not in said
    assert json.loads(said.splitlines()[-1])["culprit"] is None


def _cut(record):
    """The same record without one message."""
    moves = record.extra["moves"]
    return replace(record, extra={**record.extra, "moves": (moves[0][1:], *moves[1:])})


@pytest.mark.parametrize(
    ("altered", "said"),
    [
        (_cut, "chybí zpráva účastníka 0"),
        (lambda record: replace(record, state_hash=bytes(32)), "konečný stav v něm není ten"),
        (lambda record: replace(record, history=()), "odpovědi v něm nejsou ty"),
    ],
)
def test_what_is_altered_is_said_in_the_language_of_whoever_reads_it(
    altered, said, record, tmp_path, capsys
):
    """It stood there in English."""
    path = tmp_path / "game.lanplay"
    altered(record).save(path)
    with speaking("cs"):
        assert main(["verify", str(path), "--lang", "cs"]) == 4
    assert said in capsys.readouterr().out


def test_each_sentence_of_the_auditor_about_an_altered_record_has_a_translation():
    """Those that are made of a text, and of no detail."""
    source = Path(audit.__file__).read_text(encoding="utf-8")
    calls = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Call)]
    nobody = [c.args[2] for c in calls if len(c.args) == 3 and ast.unparse(c.args[0]) == "None"]
    texts = {each.value for each in nobody if isinstance(each, ast.Constant)}
    assert len(texts) > 3
    assert {*texts, audit.LEFT_OUT} <= {*_ALTERED}


def test_a_record_without_messages_has_nothing_to_verify(record, tmp_path, capsys):
    """2: a game in one process is no game between peers."""
    path = tmp_path / "game.lanplay"
    replace(record, extra={}).save(path)
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().err
    assert "between peers" in said
    assert said.endswith("lanplay replay checks and shows it.\n")


def test_a_record_of_an_impossible_table_asks_for_another_copy(record, tmp_path, capsys):
    """2: whoever reads it chooses neither its seats nor its options."""
    path = tmp_path / "game.lanplay"
    head, options, *rest = record.extra["roster"][1:]
    made = (record.header.game, head, (("foo", "bar"), *options), *rest)
    replace(record, extra={**record.extra, "roster": made}).save(path)
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().err
    assert "The record describes a table that is not possible" in said
    assert "Copy it again" in said


def test_a_key_that_this_computer_knows_is_named_as_it_knows_it(record, tmp_path, capsys):
    """A record names its peers itself; only keys tell who they are."""
    path = tmp_path / "game.lanplay"
    record.save(path)
    keys = json.dumps({identity(1).public.hex(): "Alice"})
    (tmp_path / "known_peers.json").write_text(keys, encoding="utf-8")
    main(["verify", str(path), "--data", str(tmp_path)])
    said = capsys.readouterr().out
    assert f"peer 1: key {identity(1).public.hex()[:16]}, known here as Alice" in said
    assert "cannot tell" not in said


def test_the_own_key_is_known_while_another_program_uses_it(record, tmp_path, capsys):
    """A lobby that is open beside makes nobody here a stranger."""
    path = tmp_path / "game.lanplay"
    record.save(path)
    with (tmp_path / FILE).open("w+b", buffering=0) as held:
        held.write(bytes([2]) * 32)  # the seed of ``identity(1)``
        assert locked(held.fileno())
        main(["verify", str(path), "--data", str(tmp_path)])
    assert (
        f"{identity(1).public.hex()[:16]}, known here as this computer" in capsys.readouterr().out
    )


def test_a_damaged_file_of_known_keys_keeps_no_verdict_back(record, tmp_path, capsys):
    """It is named, with what to do; what was signed does not hang on whom this computer knows."""
    path = tmp_path / "game.lanplay"
    record.save(path)
    (tmp_path / "known_peers.json").write_text("{", encoding="utf-8")
    assert main(["verify", str(path), "--data", str(tmp_path)]) == 3
    told = capsys.readouterr()
    assert "ends before" in told.out
    assert "known_peers.json cannot be read" in told.err


def test_a_record_that_convicts_a_key_names_it(tmp_path, capsys):
    """1, with the name, the key, and what was signed."""
    table = Table(roster(3), seed=b"convicts")
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number > 30, seconds=600)
    table.tampers[2] = lambda table, to, move: [replace(move, state=bytes(32))] if to else None
    table.run(lambda t: all(r.begun for r in t.replicas[:2]), seconds=60)
    path = tmp_path / "game.lanplay"
    record_of(table).save(path)
    assert main(["verify", str(path), "--json"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert f"peer 2 (key {identity(2).public.hex()[:16]}) cheated" in said[-2]
    assert json.loads(said[-1])["key"] == identity(2).public.hex()


def test_evidence_that_is_left_out_of_a_record_is_missed(tmp_path, capsys):
    """4: those who began a view without the cheat have signed what convicts it."""
    table = Table(roster(3), seed=b"cleaned")
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number > 30, seconds=600)
    table.tampers[2] = lambda table, to, move: [replace(move, state=bytes(32))] if to else None
    table.run(lambda t: all(r.begun for r in t.replicas[:2]), seconds=60)
    record = record_of(table)
    path = tmp_path / "game.lanplay"
    replace(record, extra={**record.extra, "evidence": ()}).save(path)
    assert main(["verify", str(path)]) == 4
    assert "evidence" in capsys.readouterr().out


def offered(record, *accepts):
    """A record of a table that was offered, with what somebody has signed beside."""
    known = record.extra
    plain = tuple(each.plain() for each in accepts)
    return replace(record, extra={**known, "offers": plain})


@pytest.fixture(scope="module")
def of_an_offer():
    """The record of a game whose table was offered and accepted, broken off as it began."""
    bare = replace(roster(2), table="t" * 32, term=1)
    agreed = certified(bare, [accept(bare, identity(place)) for place in range(2)])
    table = Table(agreed, seed=b"offered")
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number > 4, seconds=600)
    return record_of(table)


def test_who_offered_two_tables_at_once_is_named_by_its_key(of_an_offer, tmp_path, capsys):
    """1, also where it has no seat in the game that the others went on with."""
    liar, path = identity(6), tmp_path / "game.lanplay"
    first = replace(roster(3), table="t" * 32)
    both = accept(first, liar), accept(replace(first, names=("a", "b", "c")), liar)
    offered(of_an_offer, *both).save(path)
    assert main(["verify", str(path), "--json"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert f"Before the game the key {liar.public.hex()[:16]}, not known here, cheated" in said[-2]
    assert json.loads(said[-1])["key"] == liar.public.hex()


def test_a_second_offer_of_who_plays_convicts_beside_what_all_have_signed(
    of_an_offer, tmp_path, capsys
):
    """One accept more is enough: the other one is in the certificate."""
    path = tmp_path / "game.lanplay"
    other = replace(roster(2), table="t" * 32, term=1, names=("a", "b"))
    offered(of_an_offer, accept(other, identity(1))).save(path)
    assert main(["verify", str(path)]) == 1
    assert f"peer 1 (key {identity(1).public.hex()[:16]}) cheated" in capsys.readouterr().out


def test_offers_of_other_tables_and_terms_convict_nobody_and_forged_ones_are_altered(
    of_an_offer, tmp_path
):
    path, first = tmp_path / "game.lanplay", replace(roster(2), table="t" * 32)
    elsewhere = [replace(first, table="e" * 32, term=n) for n in (1, 1)]
    elsewhere[1] = replace(elsewhere[1], names=("a", "b"))
    true = [accept(each, identity(0)) for each in (first, replace(first, term=2), *elsewhere)]
    offered(of_an_offer, *true).save(path)
    assert main(["verify", str(path)]) == 3
    offered(of_an_offer, replace(true[0], term=1)).save(path)
    assert main(["verify", str(path)]) == 4
