"""A journal that is older than what its peer has said: whoever wrote it convicts nobody by it."""

from __future__ import annotations

from tests.replica.harness import Walker
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import VICTIM, level

PEERS = range(4)


def test_who_restarts_from_a_stale_journal_signs_nothing_a_second_time():
    """Its person answers otherwise than before: what others hold of it is what it has said."""
    table = begun(4, seed=b"stale")
    level(table)
    for missing in range(1, 8):
        after = max(table.replicas[p].transcript.number for p in PEERS) + 4
        kept = table.kept(VICTIM)
        table.kill(VICTIM)
        table.disks[VICTIM] = [(kept[:-missing], True)]
        table.walkers[VICTIM] = Walker(b"otherwise %d" % missing)
        try:
            table.restart(VICTIM)
        except ValueError:
            table.restart(VICTIM, incomplete=True)
        table.run(
            lambda t, on=after: all(t.replicas[p].transcript.number > on for p in PEERS),
            seconds=300,
        )
        assert all(table.replicas[p].transcript.number > after for p in PEERS)
        assert not any(table.accused(p) for p in PEERS), missing


def test_what_others_hold_of_a_peer_is_what_it_has_signed():
    table = begun(4, seed=b"stale")
    level(table)
    replica = table.replicas[VICTIM]
    slot, signed = max(replica._exchange.signed.items(), key=lambda item: item[0][2:])
    kept = [e for e in table.kept(VICTIM) if not (e[0] == "move" and e[1] == signed.plain())]
    table.kill(VICTIM)
    table.disks[VICTIM] = [(tuple(kept), True)]
    table.restart(VICTIM)
    table.run(lambda t: slot in t.replicas[VICTIM]._exchange.signed, seconds=20)
    assert table.replicas[VICTIM]._exchange.signed[slot].digest == signed.digest
