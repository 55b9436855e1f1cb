"""What a liar says costs whoever hears it, judges it or passes it on no more than it should."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, islice
from types import SimpleNamespace

import pytest

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import evidence, inputs, verdicts
from lanplay_protocol.replica.allowance import NAMED
from lanplay_protocol.replica.catch_up import CHUNK, FEW, LATER, RESENDS, WHILE
from lanplay_protocol.replica.events import PeerNotDurable, SeatReassigned
from lanplay_protocol.replica.failure_detector import LIFE, Liveness
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import (
    ALIVE,
    COMPLAINT,
    MOVE,
    OPEN,
    STATUS,
    WAITS,
    Past,
    PhaseMessage,
    SignedMessage,
    StatusMessage,
    complain,
    refs,
    sign,
    wish,
)
from lanplay_protocol.replica.positions import SILENT, Positions
from lanplay_protocol.replica.roster import PEERS, SEATS
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.wire import FRAME_LIMIT, decode, encode
from tests.byzantine.stand_ins import installed
from tests.replica.harness import Table, asks, identity, received, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level
from tests.replica.test_led_astray import CHEAT, deliver, stands, waiting

VICTIM, OTHER, LIAR, VIEW = 0, 1, 2, 5


def unreadable(table, size):
    """A status of the cheat's that nobody can read, as long as one likes."""
    game, body = table.replicas[0].context.game_id, bytes(size)
    bare = SignedMessage(STATUS, CHEAT, 0, 1, body, b"")
    signature = identity(CHEAT).sign(STATUS, encode((game, *bare.key)))
    return SignedMessage(STATUS, CHEAT, 0, 1, body, signature)


def test_what_fits_a_frame_is_passed_on_in_frames_that_fit():
    """Whatever is taken of what a peer could send, whoever shows it to others can send it, too."""
    table = begun(3, seed=b"frame")
    level(table)
    size = FRAME_LIMIT
    while len(encode(("view", (unreadable(table, size).plain(),)))) > FRAME_LIMIT:
        size -= 1
    body = encode(("view", (unreadable(table, size).plain(),)))
    assert len(body) == FRAME_LIMIT  # a peer can send it
    try:
        output = table.replicas[0].step(received(CHEAT, body), table.now)
    except PeerError:
        return  # it is not taken: the connection is closed
    assert max(len(envelope.body) for envelope in output.send) <= FRAME_LIMIT


def test_complaints_that_nobody_can_judge_are_not_tried_without_end(monkeypatch):
    """However many a liar's statuses name, a step that brings nothing new tries few of them."""
    table = waiting()
    replica = table.replicas[0]
    game, number = replica.context.game_id, replica.transcript.number
    said = PhaseMessage(CHEAT, number, 0, Past(MOVE, bytes(32), ()), bytes(32), ())
    junk = sign(said, identity(CHEAT), game)
    view = replica.transcript.view
    for n in range(6):  # attempts of others than anybody here wants: nobody joins them
        words = [
            complain(CHEAT, junk, bytes([n, k]), identity(CHEAT), table.roster) for k in range(32)
        ]
        names = sorted(word.key for word in words)
        bring(table, "status", stands(table, 0, view + 1 + n, (1, 2), names), (0,))
        for word in words:
            bring(table, "complaint", word.plain(), (0,))
    tried, judged = [], verdicts.judged
    monkeypatch.setattr(verdicts, "judged", lambda *given: tried.append(given) or judged(*given))
    replica.step(inputs.Nudged(), table.now)
    assert CHEAT not in replica.convicted
    assert len(tried) < 64, len(tried)
    assert len(replica.line.statements.complaints) <= NAMED + 1  # one that was heard first


def test_views_that_nobody_begins_leave_nothing_behind():
    """What is not kept is not remembered either: a liar may sign as many names as it likes."""
    table = waiting()
    replica = table.replicas[0]
    line = replica.line
    before = len(line.statements._checked)
    for n in range(300):
        true = stands(table, 0, 1000 + n, (0, 1, 2))
        forged = [(p, *true[1:4], bytes(64)) for p in (0, 1)]
        bring(table, "view", (true, *forged), (0,))
    assert len(line.statements._checked) < before + 100


def again(replica, number):
    """What all have signed of one phase, whatever the number."""
    return Past(MOVE, bytes(32), refs(replica.transcript.moves[9].values()))


def nobody(replica, number):
    """A phase in which nobody had anything to say."""
    return Past(MOVE, bytes(32))


def alone(replica, number):
    """What the liar alone has signed, for every phase one."""
    said = PhaseMessage(CHEAT, number, 0, Past(MOVE, bytes(32)), bytes(32), ())
    return Past(MOVE, bytes(32), refs([sign(said, identity(CHEAT), replica.context.game_id)]))


def entered(replica, number):
    """A view that two have signed, again and again."""
    past, game = Past(MOVE, bytes(32)), replica.context.game_id
    said = [StatusMessage(p, VIEW, (OTHER, CHEAT), (0, 9), past, ()) for p in (OTHER, CHEAT)]
    return Past(STATUS, bytes(32), refs(sign(each, identity(each.author), game) for each in said))


@pytest.mark.parametrize(
    ("made", "most"), [(again, 1), (entered, 2), (nobody, SILENT), (alone, SILENT)]
)
def test_pasts_that_no_statement_shows_are_not_taken_without_end(made, most):
    """One message names a past, and each past that is shown names one more: all are asked for, and
    each was gone over with all before it. A few hundred kept a program busy for half a minute.

    A line goes on from phase to phase, and has soon been signed by more than may lie.
    """
    table = begun(3, seed=b"pasts")
    level(table)
    replica, top = table.replicas[VICTIM], 3 * SILENT
    chain = [Past(MOVE, bytes(32))]
    for number in range(top):
        chain.append(replace(made(replica, number), before=chain[-1].hash))
    before = len(replica.line.statements.pasts)
    said = StatusMessage(CHEAT, VIEW + 1, (0, CHEAT), (VIEW, top), chain[-1], ())
    bring(table, STATUS, sign(said, identity(CHEAT), replica.context.game_id).plain(), (VICTIM,))
    for past in islice(reversed(chain), 1, None):
        bring(table, "past", past.plain(), (VICTIM,))
    assert len(replica.line.statements.pasts) - before <= most + 1
    assert not replica.convicted
    assert not replica.line.lacking()[1]


def test_whoever_says_that_its_people_come_and_go_fills_nobodys_log():
    """It is told as often as a person may speak; each word was told, however many came."""
    table = begun(3, seed=b"away", settings=TableSettings())
    level(table)
    events, begins = table.events[VICTIM], len(table.events[VICTIM])
    for number in range(100):
        away = frozenset({CHEAT} if number % 2 else ())
        word = Liveness(frozenset(), away, not_durable=bool(away))
        bring(table, "presence", word.plain(), (VICTIM,))
    told = [e for e in events[begins:] if isinstance(e, SeatReassigned | PeerNotDurable)]
    assert 0 < len(told) < 20
    table.now, begins = table.now + 10, len(events)
    bring(table, "presence", Liveness(frozenset(), frozenset({CHEAT})).plain(), (VICTIM,))
    assert any(isinstance(e, SeatReassigned) for e in events[begins:])


def words(table, kind):
    """Many true words of the cheat's, each of them new."""
    game = table.roster.digest() if kind == WAITS else table.replicas[VICTIM].context.game_id
    step, start = (SEATS * PEERS if kind == OPEN else 1), (1 << 40 if kind == ALIVE else 0)
    for number in range(600):
        if kind == "presence":
            yield Liveness(frozenset({OTHER} if number % 2 else ())).plain()
        else:
            yield wish(kind, CHEAT, start + number * step, identity(CHEAT), game).plain()


@pytest.mark.parametrize("kind", [WAITS, OPEN, ALIVE, "presence"])
def test_of_what_one_says_without_end_little_is_passed_on(kind):
    """Each word went on to everybody at once, from each of the honest: who is slower than these had
    its links to them closed, one after the other, as too much waited for it."""
    table = waiting()
    if kind == ALIVE:
        table.disconnect((OTHER, CHEAT))  # who needs its signs of life
        deliver(table)
    replica, sent, last = table.replicas[VICTIM], 0, None
    for last in words(table, kind):
        body = encode((kind, last))
        output = replica.step(received(CHEAT, body), table.now)
        sent += sum(envelope.kind == kind for envelope in output.send)
        table.handle(VICTIM, output)
    assert 0 < sent < 100
    table.run(seconds=2)
    heard = table.replicas[OTHER].attendance
    if kind == WAITS:
        assert heard.waits._words[CHEAT].plain() == last
    if kind == "presence":
        assert heard.to_sign
        table.run(seconds=LIFE)
        assert replica.attendance.detector.missing(replica.transcript.members, table.now) == {}


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


def test_no_liar_has_one_peer_ask_another_more_often_than_it_is_answered():
    """What the liar signs comes through an honest peer, and each names what is nowhere."""
    table = begun(3, seed=b"asks", settings=TableSettings(grace=45))
    level(table)
    table.silent.add(LIAR)
    line, game = table.replicas[VICTIM].transcript, table.replicas[VICTIM].context.game_id
    table.queue.clear()

    def signs(n):
        past = Past(MOVE, n.to_bytes(32, "big"), ())
        word = StatusMessage(LIAR, 1 + n, (0, 1, 2), line.at, past, (), False, ())
        return sign(word, identity(LIAR), game).plain()

    def wants():
        return sum(decode(body)[0] == "want" for _, _, body in table.queue)

    def hears(count):
        for n in islice(more, count):
            table.step(VICTIM, received(OTHER, encode(("status", signs(n)))))

    more, replica = iter(range(4 * RESENDS)), table.replicas[VICTIM]
    hears(2 * RESENDS)
    assert 0 < wants() < RESENDS // 2
    for ask in (replica._nudge, lambda: replica._catch_up.want_of_next(replica.line, [OTHER])):
        hears(RESENDS // 2)
        ask()  # for what the phase lacks: of all, or of one in turn
        replica._outbox.take()
        table.queue.clear()
        hears(1)
        assert wants()


def test_who_asks_for_many_phases_at_once_may_ask_less_often():
    """Two liars that asked for 64 phases 16 times a second had a busy laptop late, and cut off."""
    table = begun(3, seed=b"costs")
    table.run(lambda t: t.replicas[VICTIM].transcript.number > CHUNK + 2, seconds=600)
    replica, sent = table.replicas[VICTIM], []
    everything = encode(("want", (0, 0, bytes(32), (), (), ())))
    for _ in range(RESENDS):
        output = replica.step(received(LIAR, everything), table.now)
        sent.append(sum(each.kind == MOVE and each.to == LIAR for each in output.send))
    answered = [each for each in sent if each]
    assert answered == sent[: len(answered)]
    assert len(answered) == -(-RESENDS // (1 + CHUNK // FEW))


def test_what_is_said_of_later_views_is_sent_again_a_part_at_a_time():
    """A table that is held asks each second, and who is there has signed hundreds by then."""
    table = begun(3, seed=b"later")
    level(table)
    line, replica = table.replicas[VICTIM].transcript, table.replicas[VICTIM]
    for n in range(2 * LATER):
        word = StatusMessage(LIAR, 1 + n, (0, 1, 2), line.at, line.past, (), False, ())
        bring(table, STATUS, sign(word, identity(LIAR), replica.context.game_id).plain(), (VICTIM,))
    held = [each.signed for each in replica.line.statements.statuses]
    assert len(held) > LATER
    sent = []
    for _ in range(-(-len(held) // LATER)):
        table.now += WHILE
        output = replica.step(received(OTHER, asks(line)), table.now)
        part = [each.payload for each in output.send if (each.kind, each.to) == (STATUS, OTHER)]
        assert len(part) <= LATER
        sent += part
    assert {*sent} >= {each.plain() for each in held}


def test_what_a_peer_knows_and_hears_again_makes_it_do_nothing(monkeypatch):
    """Also if it hears it a thousand times: a step's work is done once for each statement."""
    table = begun(3, seed=b"again")
    level(table)
    replica, worked = table.replicas[VICTIM], []
    monkeypatch.setattr(replica, "_go_on", lambda *_, **__: worked.append(1))
    for signed in replica.transcript.brought:
        table.step(VICTIM, received(OTHER, encode((MOVE, signed.plain()))))
    assert replica.transcript.brought
    assert not worked


def test_a_farewell_that_is_said_again_makes_nobody_ask_again():
    """Its author may say it without end."""
    shell, steps = object.__new__(GameRunner), []
    shell._done, shell._clock = {}, SimpleNamespace(goes=False)
    shell.elsewhere = set()
    shell._replica, shell._step = SimpleNamespace(over=False), steps.append
    for _ in range(3):
        shell._heard(LIAR, encode(("bye", bytes(32))))
    assert steps == [inputs.Nudged()]


def test_one_liar_does_not_begin_views_without_end():
    """While a person thinks: each costs everybody signatures, memory and disk, and ever more."""
    table = waiting()
    for _ in range(300):
        for p in (0, 1):
            attempt = table.replicas[p].transcript.view + 1
            bring(table, "status", stands(table, p, attempt, (0, 1, 2)), (p,))
        while table.queue:
            table.queue = type(table.queue)(i for i in table.queue if i[1] != CHEAT)
            if table.queue:
                table._deliver()
        table.now += 0.01
    assert len(table.replicas[0].transcript.views) < 100


def chained():
    """A table at which one peer was sent 300 messages, each of a past that hangs nowhere."""
    table = begun(3, seed=b"chain")
    level(table)
    table.run(lambda t: t.replicas[0].transcript.number > 50, seconds=600)
    deliver(table)
    replica, past = table.replicas[0], Past(MOVE, bytes(32), ())
    for n in range(300):
        past = Past(MOVE, past.hash, ())
        # slots in which it signs nothing else
        said = PhaseMessage(CHEAT, 10 + n % 30, 1 + n // 30, past, bytes(32), ())
        signed = sign(said, identity(CHEAT), replica.context.game_id)
        bring(table, "move", signed.plain(), (0,))
    return table


def test_a_chain_of_messages_of_no_past_makes_nobody_spin(monkeypatch):
    """Each names a past that follows from the one before, and the first from nothing: no step goes
    over the chain once for each of them."""
    table = chained()
    gone_over, lacks = [], evidence.Statements.lacks
    count = lambda self, past: gone_over.append(past) or lacks(self, past)  # noqa: E731
    monkeypatch.setattr(evidence.Statements, "lacks", count)
    table.replicas[0].step(inputs.Nudged(), table.now)
    assert len(gone_over) < 5_000


def test_what_is_lacking_is_gone_over_once_for_all_that_brings_nothing_new(monkeypatch):
    """Pasts that nobody asked for, ends of nothing and what is known cost no more than a check,
    whatever their author has had others keep."""
    with installed():
        table = chained()
        gone_over, lacking = [], Positions.lacking
        count = lambda *given: gone_over.append(given) or lacking(*given)  # noqa: E731
        monkeypatch.setattr(Positions, "lacking", count)
        known = stands(table, 0, table.replicas[0].transcript.view + 1, (0, 1, 2))
        for n in range(50):
            past = Past(MOVE, n.to_bytes(32, "big"), ())
            for kind, what in (("past", past.plain()), ("end", past.plain()), (STATUS, known)):
                bring(table, kind, what, (0,))
    assert len(gone_over) < 10


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
