"""What an eighth reader of the code found: what is spent, forgotten or believed where the state of
one moment is used at another."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from lanplay.games import load
from lanplay_protocol.replica import evidence, inputs
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import (
    COMPLAINT,
    MOVE,
    Past,
    PhaseMessage,
    complain,
    read,
    refs,
    sign,
)
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from lanplay_protocol.wire import encode
from tests.replica.absences import Thinking
from tests.replica.harness import Table, identity, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level, status
from tests.replica.test_far_ahead import status_of
from tests.replica.test_led_astray import deliver
from tests.replica.test_paced import stands
from tests.replica.test_spectator import table_of

VICTIM, OTHER, LIAR, SILENT = 0, 1, 2, 4
HONEST, ALL = (0, 1, 3), (0, 1, 2, 3, 4)


def thinking(seed, grace=5):
    """A table of five at which everybody but one person has answered."""
    game = load("dogs-life")
    settings = TableSettings(grace=grace)
    table = Thinking(roster(5, settings=settings, game=game, rounds="10"), seed)
    table.start()
    table.run(lambda t: all(r.transcript.number > 10 for r in t.replicas))
    table.think = {OTHER}
    table.run(seconds=5)
    return table


def cut_off(table):
    """The victim loses its links for longer than it is waited for; tell whether it comes back."""

    def out(t):
        return all(VICTIM not in r.transcript.members for r in t.replicas[1:])

    def back(t):
        return all(VICTIM in r.transcript.members for r in t.replicas)

    table.disconnect(*table.pairs(VICTIM))
    table.run(out, seconds=60)
    assert out(table)
    table.connect(*table.pairs(VICTIM))
    table.run(back, seconds=100)
    return back(table)


def test_whoever_was_led_far_up_comes_back_from_its_next_absence():
    """As it was beyond where others follow it would have asked again in some thousand years; they
    have followed since."""
    table = thinking(b"rest")
    assert cut_off(table)
    far = table.replicas[VICTIM].line.ground + 100
    word = status_of(table, VICTIM, far, ALL, LIAR)
    for peers in ((VICTIM,), ALL[1:]):
        bring(table, "status", word, peers)
    table.run(lambda t: all(r.transcript.view == far for r in t.replicas), seconds=30)
    assert table.replicas[VICTIM].transcript.view == far
    assert cut_off(table)


def test_what_liars_make_the_honest_sign_in_vain_is_not_counted_against_them(monkeypatch):
    """One leads from attempt to attempt, as fast as others follow, and the other signs every third:
    that takes three quarters of an hour for a megabyte."""
    monkeypatch.setattr(evidence, "SPARE", 1 << 13)
    table = thinking(b"spare")
    table.silent |= {LIAR, SILENT}
    deliver(table)
    for attempt in range(1, 15):
        for p in HONEST:
            bring(table, "status", stands(table, p, attempt, ALL), (p,))
        table.queue = deque(e for e in table.queue if e[1] not in (LIAR, SILENT))
        table.run(seconds=0.2)
    table.kill(LIAR)
    table.kill(SILENT)
    table.run(lambda t: all(t.replicas[p].begun for p in HONEST), seconds=100)
    assert all(table.replicas[p].transcript.members == set(HONEST) for p in HONEST)
    table.answer()
    table.run(lambda t: all(t.replicas[p].over for p in HONEST), seconds=300)
    assert all(table.replicas[p].over for p in HONEST)


def test_who_watches_is_shown_no_past_with_false_names_under_a_true_hash():
    """Of the liar's second body, on which one peer alone had gone on before it was lost: whoever
    follows that line back would find that this peer has named what nobody signed."""
    table = table_of(3, seed=b"forged")

    def parts(t):
        line = t.replicas[VICTIM].transcript
        return OTHER in line.missing and LIAR in line.moves[-2]

    level(table, parts)
    table.kill(OTHER)
    table.run(lambda t: t.replicas[VICTIM].begun, seconds=60)
    line, game = table.replicas[VICTIM].transcript, table.replicas[VICTIM].context.game_id
    number = line.views[0].phase
    assert (LIAR in line.moves[number - 1], OTHER in line.moves[number]) == (True, False)
    table.run(lambda t: t.replicas[VICTIM].transcript.number > number + 3, seconds=60)
    table.watch(peer=LIAR)
    table.catch_up()
    line = table.replicas[VICTIM].transcript
    true = read(line.moves[number - 1][LIAR])
    lie = sign(replace(true, parts=("other",)), identity(LIAR), game)
    led = {**line.moves[number - 1], LIAR: lie}
    there = Past(MOVE, true.previous, refs(led.values()))

    def said(author, phase, past):
        move = PhaseMessage(author, phase, 0, past, line.state_at(number), ())
        return sign(move, identity(author), game)

    names = tuple(replace(ref, signature=bytes(64)) for ref in there.refs)
    further = Past(MOVE, there.hash, refs([said(LIAR, number, there)]))
    asked = (MOVE, said(LIAR, number + 1, further).plain())
    forged = ("past", Past(MOVE, there.before, names).plain())
    for each in (asked, forged, (MOVE, said(OTHER, number, there).plain())):
        table.spectator.receive(encode(each), table.now)
    assert table.spectator._verdicts.convicted.keys() == {LIAR}


def test_who_watches_is_told_of_both_views_that_have_one_number():
    """Two liars have begun one with each of two halves, and shown the other one first."""
    table = table_of(5, seed=b"number")
    level(table)
    table.watch(peer=VICTIM)
    table.catch_up()
    table.kill(VICTIM)
    table.kill(SILENT)
    table.run(lambda t: t.replicas[OTHER].begun, seconds=60)
    number = table.replicas[OTHER].begun[0].number
    halves = (VICTIM, LIAR, SILENT)
    first = [status(table, number, halves, peer, peer).plain() for peer in halves]
    table.show(table.spectator.receive(encode(("view", tuple(first))), table.now))
    table.watch(peer=OTHER)
    table.catch_up()
    lost = [event.lost for event in table.seen_of(ViewChanged)]
    assert lost[:2] == [(1, 3), table.of(OTHER, ViewChanged)[0].lost]


def test_a_verdict_that_was_cut_off_behind_its_evidence_is_found_again():
    """The power fails between two entries: others convict by what this peer shows them."""
    table = begun(3, seed=b"torn")
    level(table)
    table.silent.add(LIAR)
    for members in ((0, 1, 2), (0, 2)):
        word = status(table, 5, members, LIAR, LIAR)
        bring(table, "status", word.plain(), (VICTIM,), LIAR)
    assert table.replicas[VICTIM].convicted
    table.kill(VICTIM)
    entries, _ = table.disks[VICTIM][-1]
    cut = [kind for kind, _ in entries].index("verdict")
    table.disks[VICTIM][-1] = entries[:cut], True
    table.restart(VICTIM)
    table.run(lambda t: t.replicas[OTHER].convicted, seconds=30)
    assert all(table.replicas[p].convicted.keys() == {LIAR} for p in (VICTIM, OTHER))


def test_whoever_is_started_again_is_asked_about_the_hand_of_who_has_said_farewell():
    """Honest people alone, who wait for ever for whoever is lost: the farewell is in no journal."""
    table = thinking(b"farewell", grace=FOREVER)
    table.shuffle_order = False  # nobody hears the farewell once more after the view
    table.step(SILENT, inputs.Leaving())
    table.kill(SILENT, lost=False)
    table.answer()
    seating = table.replicas[VICTIM].context.seating
    table.run(lambda _: seating.holders[SILENT].peer != SILENT, seconds=60)
    table.think = set(ALL)
    people = (0, 1, 2, 3)

    def asked(t):
        return [t.replicas[peer].openings.asked for peer in people] == [(SILENT,)] * len(people)

    table.run(asked, seconds=60)
    assert asked(table)
    table.kill(VICTIM)
    table.restart(VICTIM)
    assert not asked(table)
    table.run(asked, seconds=60)
    assert asked(table)


def test_long_work_that_is_done_stays_done_while_a_line_is_gone_over_beside():
    """Whoever was made to do it again each time would be late itself."""
    table = Table(roster(3, bots=("random",) * 3), seed=b"jobs", offload=True)
    table.start()
    victim = table.replicas[VICTIM]

    def half(_):
        return victim.transcript.number > SETUP and victim.jobs._results and victim.jobs.next

    table.run(half)
    done = dict(victim.jobs._results)
    assert done
    accused = victim.transcript.moves[SETUP - 1][OTHER]
    lie = complain(LIAR, accused, b"", identity(LIAR), table.roster)
    bring(table, COMPLAINT, lie.plain(), (VICTIM,), LIAR)
    assert victim.convicted.keys() == {LIAR}
    assert victim.jobs._results == done
