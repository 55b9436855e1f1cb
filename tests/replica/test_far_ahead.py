"""A liar that leads numbers far up while one is away: who comes back, is restarted, or verifies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.messages import StatusMessage, read, sign
from lanplay_protocol.replica.positions import AHEAD
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import GAME, identity
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring
from tests.replica.test_led_astray import CHEAT, deliver, owes, stands

AWAY = 4
HONEST = (0, 1, 3)
FAR = 3 * AHEAD


def led_up(jumps):
    """Five, one of whom was switched off, while the cheat signed attempts with everybody."""
    table = begun(5, seed=b"far", settings=TableSettings(grace=5))
    table.run(owes, seconds=600)
    assert owes(table)
    table.silent.add(CHEAT)
    deliver(table)
    table.kill(AWAY)
    for _ in range(jumps):
        top = table.replicas[0].line.ground + 120
        for p in HONEST:
            bring(table, "status", stands(table, p, top, range(5)), (p,))
        deliver(table)
    table.run(lambda t: all(t.replicas[p].begun for p in HONEST), seconds=60)
    assert [len(table.replicas[p].begun) for p in HONEST] == [1, 1, 1]
    return table


@pytest.mark.sweep(2)
@pytest.mark.parametrize("jumps", [2, 4])
def test_who_was_away_follows(jumps):
    table = led_up(jumps)
    table.restart(AWAY)
    table.run(lambda t: t.is_over(), seconds=300)
    assert all(table.replicas[p].over for p in HONEST)
    assert table.replicas[AWAY].over, (table.replicas[AWAY].transcript.at, table.now)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("jumps", [2, 4])
def test_who_was_there_is_restarted(jumps):
    table = led_up(jumps)
    before = table.replicas[0].transcript.number
    table.run(lambda t: all(t.replicas[p].transcript.number > before + 5 for p in HONEST), 60)
    for p in HONEST:
        table.kill(p)
    for p in HONEST:
        table.restart(p)
    table.run(lambda t: all(t.replicas[p].over for p in HONEST), seconds=300)
    assert all(table.replicas[p].over for p in HONEST)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("jumps", [2, 4])
def test_the_record_is_true(jumps):
    table = led_up(jumps)
    table.run(lambda t: all(t.replicas[p].over for p in HONEST), seconds=300)
    found = check_record(GAME, record_of(table, 0))
    assert found.finding is None


def test_who_is_restarted_signs_no_second_status_of_an_attempt():
    """Its disk is whole; the two liars alone have a link to it, the others are back later."""
    table = led_up_to_attempts(2)
    victim, liars = 1, (CHEAT, AWAY)
    top = table.replicas[victim].attendance.changes.top
    table.kill(victim)
    table.run(seconds=1)
    table.restart(victim)
    table.disconnect(*((victim, p) for p in (0, 3)))
    members = tuple(sorted((victim, *liars)))
    replica = table.replicas[victim]
    table.run(lambda t: replica.attendance.changes.tried[1] == members, seconds=60)
    first = replica.attendance.changes.tried[0]
    for attempt in (first, top):  # a view begins with the two liars; then one attempt more
        for liar in liars if attempt == first else (AWAY,):
            word = status_of(table, victim, attempt, members, liar)
            bring(table, "status", word, (victim,), liar)
        table.run(seconds=1)
    table.connect(*((victim, p) for p in (0, 3)))
    table.run(seconds=20)
    assert not any(victim in table.replicas[p].convicted for p in (0, 3))


def status_of(table, of, attempt, members, author):
    replica = table.replicas[of]
    at, past = replica.transcript.at, replica.transcript.past
    said = [m for m in replica.transcript.brought if m.sender == author]
    own = tuple(m.ref for m in said if (m.view, m.phase) == at)
    said = StatusMessage(author, attempt, tuple(members), at, past, own, False, ())
    return sign(said, identity(author), replica.context.game_id).plain()


def led_up_to_attempts(jumps):
    """As ``led_up``, before a view has begun: the cheat's accomplice signs nothing."""
    table = begun(5, seed=b"far", settings=TableSettings(grace=5))
    table.run(owes, seconds=600)
    assert owes(table)
    table.silent.update((CHEAT, AWAY))
    deliver(table)
    for _ in range(jumps):
        top = table.replicas[0].line.ground + 120
        for p in HONEST:
            bring(table, "status", stands(table, p, top, range(5)), (p,))
        deliver(table)
    return table


def test_a_certificate_of_less_than_a_quorum_lifts_no_ground():
    """One alone, or two of five, drive no numbers up by calling it a view."""
    table = begun(5, seed=b"far", settings=TableSettings(grace=5))
    table.run(owes, seconds=600)
    assert owes(table)
    line = table.replicas[0].line
    for authors in ((CHEAT,), (CHEAT, AWAY)):
        word = [status_of(table, 0, 1000, (0, 1, 2, 3, 4), author) for author in authors]
        bring(table, "view", tuple(word), (0,))
        assert line.ground == line.transcript.view


def test_a_certificate_of_forged_statuses_lifts_no_ground():
    """One alone calls it a view of all, with signatures that are its own."""
    table = begun(5, seed=b"far", settings=TableSettings(grace=5))
    table.run(owes, seconds=600)
    line = table.replicas[0].line
    word = [status_of(table, 0, 1000, range(5), author) for author in range(5)]
    mine = word[CHEAT][-1]
    bring(table, "view", tuple((*plain[:-1], mine) for plain in word), (0,))
    assert line.ground == line.transcript.view


def shown_far(behind, line, places):
    """Show who is behind the pasts of a line, what it keeps of that, and statuses at places."""
    game, number = behind.context.game_id, behind.transcript.number
    for each in (each for by in line.moves[number + 1 : number + AHEAD] for each in by.values()):
        behind.line.add(each)
    for past in line.followed.values():
        behind.line.statements.show(past)
    for attempt, number in enumerate(places, start=9):
        past = next(p for p in line.followed.values() if line.line[p.hash][0] == number)
        said = StatusMessage(1, attempt, (0, 2), (line.view, number), past, ())
        behind.line.add(sign(said, identity(1), game))


@pytest.mark.longer_games
def test_who_is_behind_on_one_line_asks_for_nothing_that_it_would_not_keep():
    """It comes nearer as it goes on."""
    table, out = begun(3, seed=b"behind", settings=TableSettings(grace=5)), 2
    table.kill(out)
    behind, line = table.replicas[out], table.replicas[0].transcript
    number = behind.transcript.number
    table.run(lambda _: table.replicas[0].transcript.number > number + AHEAD + 30, seconds=600)
    line = table.replicas[0].transcript
    shown_far(behind, line, (number + AHEAD + 20,))
    asked = behind.line.lacking()[0]
    assert asked
    assert all(key[3] <= number + AHEAD for key in asked)


@pytest.mark.longer_games(12, 8)
def test_who_was_led_beside_its_line_is_led_back_from_further_than_it_keeps():
    """A liar tells the one that is out another message than the member with which it plays on; far
    more phases later than are kept ahead that one is taken back, and the liar is gone."""
    table, liar, out = begun(3, seed=b"beside", settings=TableSettings(grace=5)), 1, 2
    table.kill(out)
    table.run(lambda t: t.replicas[0].begun and t.replicas[0].transcript.number > 40, 600)
    member = table.replicas[0]
    line, view = member.transcript, member.begun[0]
    number = next(
        n
        for n in range(view.phase + 1, line.number)
        if isinstance(member.phases.get(n), CommitPhase) and liar in line.moves[n]
    )
    true = line.moves[number][liar]
    other = replace(read(true), parts=tuple((bytes(32), bytes(64)) for _ in read(true).parts))
    beside = sign(other, identity(liar), member.context.game_id)
    table.restart(out)
    table.disconnect((0, out), (liar, out))
    led = [each for moves in line.moves[:number] for each in moves.values()]
    led += [*view.statuses, *(each.signed for each in view.carried), line.moves[number][0], beside]
    for each in led:
        bring(table, each.kind, each.plain(), (out,), liar)
    behind = table.replicas[out]
    assert behind.transcript.at == (view.number, number + 1)
    bring(table, true.kind, true.plain(), (out,), liar)
    assert set(behind.convicted) == {liar}
    table.run(lambda _: line.number > number + FAR, seconds=600)
    assert not member.over
    places = number + AHEAD + 5, number + FAR - 5
    shown_far(behind, line, places)  # what leads to the second one, too, though the first was first
    assert max(key[3] for key in behind.line.lacking()[0]) == places[1] - 1
    table.kill(liar)
    table.connect((0, out))
    table.run(lambda _: member.over and behind.over, seconds=300)
    assert member.over
    assert behind.over
