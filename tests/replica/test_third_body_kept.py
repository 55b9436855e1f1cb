"""A third body of a liar that counts stands in the journal like all else that counts."""

from __future__ import annotations

from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, parse_signed, sign
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.wire import decode
from tests.byzantine.stand_ins import installed
from tests.replica.harness import identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level
from tests.replica.test_far_ahead import status_of

CHEAT, OTHER, HONEST = 2, 4, (0, 1, 3)
REST = (0, 1, 3, 4)


def test_who_is_restarted_after_it_goes_on_from_its_journal():
    """The two bodies that convict stand there before the one that the other liar has gone on from,
    and with which a view has begun."""
    with installed():
        table = begun(5, seed=b"three")
        level(table)
        kept, post = [], table._post

        def withheld(peer, event):
            kind, payload = decode(event.body)
            own = kind == "move" and payload[0] == peer
            if not kept and own and peer == CHEAT:
                here = isinstance(table.replicas[CHEAT].transcript.phase, Entropy)
                kept.extend([parse_signed(payload)] if here else [])
            if not kept or peer in HONEST or (own and peer == OTHER):
                post(peer, event)

        table._post = withheld

        def one_is_missing(t):
            lines = [t.replicas[p].transcript for p in REST]
            return kept and all(
                line.number == kept[0].phase and line.missing == {CHEAT} for line in lines
            )

        table.run(one_is_missing, seconds=60)
        place, third = kept[0].phase, kept[0].plain()
        table.dead.add(CHEAT)
        while table.queue:
            table._deliver()
        bring(table, "move", third, (OTHER,))
        table.queue.clear()  # it has gone on alone, and says so later
        assert table.replicas[OTHER].transcript.number == place + 1
        table.dead.add(OTHER)
        for p in HONEST:
            for n in (1, 2):
                past = Past(MOVE, bytes([n]) * 32, ())
                said = PhaseMessage(CHEAT, place, 0, past, bytes(32), ())
                game = table.replicas[p].context.game_id
                bring(table, "move", sign(said, identity(CHEAT), game).plain(), (p,))
        while table.queue:
            table._deliver()
        assert all(set(table.replicas[p].convicted) == {CHEAT} for p in HONEST)
        tried = {table.replicas[p].attendance.changes.tried for p in HONEST}
        ((attempt, members),) = tried
        assert members == REST
        word = status_of(table, OTHER, attempt, members, OTHER)
        own = table.replicas[OTHER].transcript.moves[place + 1].get(OTHER)
        for p in HONEST:
            bring(table, "status", word, (p,), OTHER)
            bring(table, "move", third, (p,), OTHER)
            if own is not None:
                bring(table, "move", own.plain(), (p,), OTHER)
        while table.queue:
            table._deliver()
        assert all(
            table.replicas[p].transcript.moves[place][CHEAT].plain() == third for p in HONEST
        )
        assert all(table.replicas[p].begun for p in HONEST)
        past = table.replicas[0].transcript.past.hash
        table.kill(0)
        table.restart(0)
        assert past in table.replicas[0].transcript.line
