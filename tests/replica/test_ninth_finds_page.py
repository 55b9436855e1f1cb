"""What a ninth reader, of docs/protocol.md alone, found: who has gone back from a view to the end
that it was shown stands in that view again once it is restarted."""

from __future__ import annotations

from lanplay.games import load
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.messages import MOVE, sign
from tests.replica.harness import Table, identity, received, roster
from tests.replica.test_cut_cheats import bring, leave
from tests.replica.test_led_astray import deliver

GAME = load("charidice")
LIAR, FIRST, OTHER = 2, 0, 1


def test_who_went_back_from_a_view_to_the_end_has_it_after_a_restart():
    """A liar says farewell once one has its final: the other one has begun the view without the
    liar, alone, and ends with what it is shown. Then it is restarted before its end is kept as a
    record, and the one that showed it is gone: its journal is all that it needs."""
    table = Table(roster(3, game=GAME), seed=b"back")
    finals = []

    def held_back(t, to, move):
        if not isinstance(t.replicas[LIAR].phases[move.phase], Final):
            return None
        finals.append(move)
        return []

    table.tampers[LIAR] = held_back
    table.start()
    honest = [table.replicas[p] for p in (FIRST, OTHER)]
    table.run(lambda t: finals and all(isinstance(r.transcript.phase, Final) for r in honest), 3000)
    deliver(table)
    table.silent.add(LIAR)
    leave(table, to=(FIRST, OTHER), author=LIAR)
    for each in [each for each in table.queue if each[1] == OTHER]:
        table.queue.remove(each)
        table.step(OTHER, received(each[0], each[2]))
    assert [r.transcript.view for r in honest] == [0, 1]
    final = sign(finals[0], identity(LIAR), honest[0].context.game_id)
    bring(table, MOVE, final.plain(), (FIRST,), LIAR)
    table.run(lambda t: t.is_over(), seconds=30)
    assert all(replica.over for replica in honest)
    table.kill(FIRST)
    table.restart(OTHER)
    again = table.replicas[OTHER]
    assert again.over
    assert again.context.transcript_hash == honest[1].context.transcript_hash
