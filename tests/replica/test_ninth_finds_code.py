"""What a ninth reader of the code found: what is shown and told without end, at no cost."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, islice

from lanplay_protocol.replica.events import PeerNotDurable, SeatReassigned
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, SignedMessage, refs, sign
from lanplay_protocol.replica.positions import SILENT
from lanplay_protocol.wire import encode
from tests.replica.harness import identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, bring, level

VICTIM = 0


def test_pasts_that_no_statement_shows_are_not_taken_without_end():
    """One message names a past, and each past that is shown names one more: all are asked for, and
    each was gone over with all before it. A few hundred kept a program busy for half a minute."""
    table = begun(3, seed=b"pasts")
    level(table)
    replica = table.replicas[VICTIM]
    line = replica.transcript
    names, chain = refs(line.moves[10].values()), [Past(MOVE, bytes(32))]
    for _ in range(3 * SILENT):
        chain.append(Past(MOVE, chain[-1].hash, names))
    said = PhaseMessage(CHEAT, 10, 9, chain[-1], line.state_at(10), ())
    before = len(replica.line.statements.pasts)
    bring(table, MOVE, sign(said, identity(CHEAT), replica.context.game_id).plain(), (VICTIM,))
    for past in islice(reversed(chain), 1, None):
        bring(table, "past", past.plain(), (VICTIM,))
    assert len(replica.line.statements.pasts) - before <= SILENT + 1
    assert not replica.convicted
    assert not replica.line.lacking()[1]


def test_whoever_says_that_its_people_come_and_go_fills_nobodys_log():
    """It is told as often as a person may speak; each word was told, however many came."""
    table = begun(3, seed=b"away")
    level(table)
    events, begins = table.events[VICTIM], len(table.events[VICTIM])
    for number in range(100):
        away = frozenset({CHEAT} if number % 2 else ())
        word = Liveness(frozenset(), away, not_durable=bool(away))
        bring(table, "presence", word.plain(), (VICTIM,))
    told = [e for e in events[begins:] if isinstance(e, SeatReassigned | PeerNotDurable)]
    assert 0 < len(told) < 20
    table.now, begins = table.now + 10, len(events)
    bring(table, "presence", Liveness(frozenset()).plain(), (VICTIM,))
    assert any(isinstance(e, SeatReassigned) for e in events[begins:])


def at_the_end():
    """A table at which all have signed the end but the cheat, and who they are."""
    table = begun(5, seed=b"ends")

    def withhold(table, to, move):
        return [] if isinstance(table.replicas[CHEAT].phases.get(move.phase), Final) else None

    table.tampers[CHEAT] = withhold
    there, honest = table.replicas[VICTIM].line, {0, 1, 3, 4}

    def signed(_):
        line = there.transcript
        return isinstance(line.phase, Final) and line.moves[-1].keys() == honest

    table.run(signed, seconds=3000)
    assert signed(table)
    return table, there, honest


def test_names_in_an_end_that_nobody_holds_are_not_kept():
    """Their author may sign as many as it likes, and shows one end after the other."""
    table, line, _ = at_the_end()
    kept, number = len(line.statements._checked), line.transcript.number
    for n in range(20):
        bare = SignedMessage(MOVE, CHEAT, number, 0, b"%d" % n, b"")
        signature = identity(CHEAT).sign(MOVE, encode((line.statements.game, *bare.key)))
        past = Past(MOVE, line.transcript.past.hash, (replace(bare, signature=signature).ref,))
        bring(table, "end", past.plain(), (VICTIM,))
        assert line._ends[CHEAT] == past
    assert len(line.statements._checked) == kept


def test_whoever_shows_what_is_no_end_of_the_game_is_believed_none_after_it(monkeypatch):
    """Each costs to go over the whole game, and of any finals a past can be made up."""
    table, line, honest = at_the_end()
    again, gone_over = GameLine._again, []
    monkeypatch.setattr(
        GameLine, "_again", lambda self, *place: gone_over.append(place) or again(self, *place)
    )
    finals = line.transcript.moves[-1].values()
    for some in (*combinations(finals, 1), *combinations(finals, 2)):
        past = Past(MOVE, line.transcript.past.hash, refs(some))
        bring(table, "end", past.plain(), (VICTIM,))
    assert len(gone_over) == 1
    table.run(lambda t: all(t.replicas[p].over for p in honest), seconds=100)
    assert all(table.replicas[p].over for p in honest)


def test_whoever_passes_on_a_made_up_past_is_believed_the_end_after_it():
    """It was asked for what a liar has named: only the end that somebody calls its own is its."""
    table, line, honest = at_the_end()
    finals = sorted(line.transcript.moves[-1].items())
    for peer, past in ((1, refs([finals[0][1]])), (3, refs([finals[1][1]]))):
        made_up = Past(MOVE, line.transcript.past.hash, past)
        bring(table, "past", made_up.plain(), (VICTIM,), peer)
    assert not line._vain
    assert not line._ends
    table.run(lambda t: all(t.replicas[p].over for p in honest), seconds=100)
    assert all(table.replicas[p].over for p in honest)
