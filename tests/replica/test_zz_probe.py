from collections import deque
from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import *
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import Table, roster
from tests.replica.test_led_over import meeting, votes, anew
from tests.replica.test_led_astray import deliver

def behind(seed=b"behind", game="charidice"):
    table = Table(roster(4, settings=TableSettings(grace=5), game=load(game)), seed=seed)
    table.start()
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=900)
    table.kill(2)
    table.run(lambda t: t.replicas[0].context.referee.table.round > 4, seconds=900)
    for p in (1, 3): table.kill(p)
    table.run(lambda t: t.of(0, QuorumLost), seconds=200)
    return table

def test_behind():
    table = behind()
    assert table.of(0, QuorumLost)
    votes(table, 0)
    deliver(table)
    table.restart(2)
    table.queue.clear() if False else None
    print("rounds", [table.replicas[p].context.referee.table.round for p in (0,2)], table.replicas[2].status.quorum)
    # its person votes as soon as it may
    def step(t):
        if not getattr(t, "voted", False):
            try:
                votes(t, 2); t.voted = True
                print("voted at", t.now, t.replicas[2].context.referee.table.round)
            except Exception as e:
                print(e)
        return t.of(0, Restarted) and t.of(2, Restarted)
    table.run(step, seconds=30)
    for p in (0,2):
        for e in table.of(p, Restarted): print(p, e.roster.start and load(e.roster.game).table(4, e.roster.options, e.roster.start).round, e.roster.digest().hex()[:6])
    print(table.replicas[0].context.referee.table.round)

def test_behind2():
    table = behind()
    votes(table, 0)
    deliver(table)
    table.restart(2)
    t0 = table.now
    seen = []
    def step(t):
        r = t.replicas[2]
        s = (r.context.referee.table.round, r.status.quorum.name, sorted(r.transcript.members), r.status.role.name, sorted(r.attendance._told), sorted(r.attendance.restart.here), [(sorted(k), sorted(v)) for k, v in r.attendance.restart.votes.items()], sorted(r.attendance.detector.gone))
        s0 = t.replicas[0]
        s = (*s, "|", s0.status.quorum.name, [(sorted(k), sorted(v)) for k, v in s0.attendance.restart.votes.items()], len(t.of(0, Restarted)), len(t.of(2, Restarted)))
        if not seen or seen[-1] != s:
            seen.append(s); print(round(t.now - t0, 2), s)
        if not getattr(t, "voted", False):
            try:
                votes(t, 2); t.voted = True
                print("voted at", t.now - t0)
            except Exception as e:
                pass
        return t.of(0, Restarted) and t.of(2, Restarted)
    table.run(step, seconds=30)
