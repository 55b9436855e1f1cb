"""What a seventh reader of the code found: for whom what a liar names is kept, where honest peers
have gone on with what names it."""

from __future__ import annotations

from itertools import islice

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.catch_up import RESENDS
from lanplay_protocol.replica.events import Accused
from lanplay_protocol.replica.line import NAMED as BYTES
from lanplay_protocol.replica.messages import (
    BODY,
    COMPLAINT,
    MOVE,
    Past,
    PhaseMessage,
    StatusMessage,
    complain,
    refs,
    sign,
)
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.start import accept, certified
from lanplay_protocol.replica.verdicts import MOST, NAMED
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import Table, identity, received
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level
from tests.replica.test_false_ends import say, unsigned
from tests.replica.test_offers import offer, other
from tests.replica.test_spectator import Watched, table_of

VICTIM, OTHER, LIAR = 0, 1, 2


def complaints(table, count):
    """Complaints of the liar about itself that nobody can judge: of what hangs nowhere."""
    replica = table.replicas[VICTIM]
    game, number = replica.context.game_id, replica.transcript.number
    said = PhaseMessage(LIAR, number + 30, 50, Past(MOVE, bytes(32), ()), bytes(32), ())
    accused = sign(said, identity(LIAR), game)
    me = identity(LIAR)
    return [complain(LIAR, accused, n.to_bytes(2, "big"), me, table.roster) for n in range(count)]


def spend_complaints(table):
    """Let the victim hold all complaints that it keeps for the liar; return one more."""
    *made, last = complaints(table, NAMED + 2)
    line = table.replicas[VICTIM].transcript
    for attempt in range(1, 4):
        keys = tuple(sorted(each.key for each in made[(attempt - 1) * 32 : attempt * 32]))
        beside = Past(MOVE, bytes(32), ())
        word = StatusMessage(LIAR, attempt, (VICTIM, LIAR), line.at, beside, (), False, keys)
        say(table, word, (VICTIM,))
    for each in made:
        bring(table, COMPLAINT, each.plain(), (VICTIM,), LIAR)
    bring(table, COMPLAINT, last.plain(), (VICTIM,), LIAR)
    held = table.replicas[VICTIM].line.statements.complaints
    assert len(held) == NAMED + 1
    return COMPLAINT, last


def spend_bytes(table):
    """Let the victim hold all bytes that it keeps for the liar; return one statement more."""
    replica = table.replicas[VICTIM]
    line, game, me = replica.transcript, replica.context.game_id, identity(LIAR)
    named = []
    for n in range(4 + 2 * BYTES // BODY):
        past = Past(MOVE, bytes(32), ())
        at = (line.number + 1 + n % 60, 90 + n // 60)
        said = PhaseMessage(LIAR, *at, past, bytes(32), b"x" * (BODY - 256))
        named.append(sign(said, me, game))
    *named, last = named
    beside = Past(MOVE, bytes(32), ())
    for attempt, n in enumerate(range(0, len(named), 32), start=1):
        keys = tuple(sorted(each.key for each in named[n : n + 32]))
        word = StatusMessage(LIAR, attempt, (VICTIM, LIAR), line.at, beside, (), False, keys)
        say(table, word, (VICTIM,))
    for each in named:
        bring(table, MOVE, each.plain(), (VICTIM,), LIAR)
    bring(table, MOVE, last.plain(), (VICTIM,), LIAR)
    assert not replica.line.statements.holds(last.key)
    assert sum(size for size, by in replica.line._named.values() if LIAR in by) > BYTES
    return MOVE, last


@pytest.mark.parametrize("spend", [spend_complaints, spend_bytes])
def test_what_the_final_of_a_liar_names_is_kept_for_whoever_shows_an_end_with_it(spend):
    table = unsigned(3, (LIAR,), b"spent end")
    line = table.replicas[OTHER].transcript
    kind, last = spend(table)
    table.queue.clear()
    bring(table, kind, last.plain(), (OTHER,), LIAR)
    say(table, PhaseMessage(LIAR, line.number, 0, line.past, line.state, (last.key,)), (OTHER,))
    assert table.replicas[OTHER].over
    table.run(lambda t: t.replicas[VICTIM].over, seconds=300)
    assert not table.replicas[OTHER].convicted
    assert table.replicas[VICTIM].over


@pytest.mark.longer_games
@pytest.mark.parametrize(("spend", "attempt"), [(spend_complaints, 9), (spend_bytes, 80)])
def test_what_a_liars_status_names_is_kept_for_whoever_has_gone_on_in_its_view(spend, attempt):
    """Of a liar's statuses that are too many one far above them is kept."""
    table = begun(3, seed=b"spent view", settings=TableSettings(grace=5))
    level(table)
    table.silent.add(LIAR)
    kind, last = spend(table)
    line = table.replicas[OTHER].transcript
    number = line.number
    bring(table, kind, last.plain(), (OTHER,), LIAR)
    word = StatusMessage(LIAR, attempt, (0, 1, 2), line.at, line.past, (), False, (last.key,))
    say(table, word, (VICTIM, OTHER))
    table.run(lambda t: t.replicas[OTHER].transcript.view == attempt, seconds=5)
    assert table.replicas[OTHER].transcript.at == (attempt, number)
    table.kill(LIAR)
    table.run(lambda t: all(t.replicas[p].over for p in (0, 1)), seconds=900)
    assert all(table.replicas[p].over for p in (VICTIM, OTHER))


def test_what_a_liars_status_names_is_kept_by_who_watched_at_the_liar_first():
    table = table_of(3, seed=b"spent watch")
    level(table)
    table.silent.add(LIAR)
    *made, last = complaints(table, NAMED + 2)
    line, game = table.replicas[OTHER].transcript, table.replicas[OTHER].context.game_id
    for peer in (VICTIM, OTHER):
        bring(table, COMPLAINT, last.plain(), (peer,), LIAR)
    own = [each for each in table.replicas[LIAR].transcript.brought if each.sender == LIAR]
    rest = refs(own), False, (last.key,)
    say(table, StatusMessage(LIAR, 9, (0, 1, 2), line.at, line.past, *rest), (VICTIM, OTHER))
    table.run(lambda t: t.replicas[OTHER].transcript.view >= 9, seconds=5)
    table.watch(peer=LIAR)
    table.waiting.clear()
    told = [(MOVE, each.plain()) for by in table.replicas[LIAR].moves[:3] for each in by.values()]
    for attempt in (1, 2, 3):
        keys = tuple(sorted(each.key for each in made[(attempt - 1) * 32 : attempt * 32]))
        beside = Past(MOVE, bytes(32), ())
        word = StatusMessage(LIAR, 20 + attempt, (1, 2), line.at, beside, (), False, keys)
        told.append(("status", sign(word, identity(LIAR), game).plain()))
    told += [(COMPLAINT, each.plain()) for each in made]
    for each in told:
        table.spectator.receive(encode(each), table.now)
    assert len(table.spectator.line.statements.complaints) == NAMED + 1
    assert 9 in {view.number for view in table.replicas[OTHER].begun}
    table.kill(LIAR)
    number = line.number
    table.run(lambda t: t.replicas[OTHER].transcript.number > number + 3, seconds=300)
    assert table.replicas[OTHER].transcript.number > number + 3
    table.watch(peer=OTHER)
    table.catch_up()
    assert not any(r.convicted for r in table.replicas)
    assert table.stands_alike()


@pytest.mark.parametrize("strangers", [MOST - 1, 2 * MOST])
def test_two_offers_of_strangers_hide_none_of_whoever_sits_at_the_table(strangers):
    """The liar makes up keys that have signed two offers of this table, and shows those first."""
    liar = identity(LIAR)
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    table = Watched(agreed, seed=b"offers")
    table.watch(peer=LIAR)
    made_up = [identity(100 + n) for n in range(strangers)]
    for who in (*made_up, liar):
        both = accept(offer(), who), accept(other(), who)
        told = encode(("offers", tuple(each.plain() for each in both)))
        table.spectator.receive(told, table.now)
    assert liar.public in table.spectator._verdicts.offers
    assert len(table.spectator._verdicts.offers) <= MOST


@pytest.mark.parametrize("strangers", [MOST - 1, MOST])
def test_who_plays_names_whoever_signs_two_offers_though_many_strangers_have(strangers):
    """As a lobby has heard of them before the game begins."""
    liar = identity(LIAR)
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    table = Table(agreed, seed=b"offers")
    made_up = [identity(100 + n) for n in range(strangers)]
    heard = tuple(accept(each, who) for who in made_up for each in (offer(), other()))
    table.step(VICTIM, inputs.Started(heard))
    table.step(VICTIM, inputs.Received(LIAR, "accept", accept(other(), liar).plain()))
    assert {event.peer for event in table.of(VICTIM, Accused)} == {LIAR}


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
    for asks in (replica._nudge, lambda: replica._catch_up.want_of_next(replica.line, [OTHER])):
        hears(RESENDS // 2)
        asks()  # for what the phase lacks: of all, or of one in turn
        replica._outbox.take()
        table.queue.clear()
        hears(1)
        assert wants()


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
