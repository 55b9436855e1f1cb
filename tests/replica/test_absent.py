"""What becomes of a lost laptop's seat: closed hands, the people's consent, and the way back."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay.games.dice_town.questions import Keep
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.consent import HandOpening, agreed, opening_of, possible
from lanplay_protocol.replica.events import HandOpened, OpeningAsked
from lanplay_protocol.replica.failure_detector import LIFE
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import LEAVE, OPEN, wish
from lanplay_protocol.replica.seating import Holder, Seating
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.absences import Thinking, played
from tests.replica.harness import Table, identity, roster
from tests.replica.test_cut_cheats import bring
from tests.replica.test_led_astray import deliver
from tests.replica.test_told_anew import by

GRACE = 5
TAKES_ONE = (((0,), ()),)
LOST = 2


def begun(absent="sealed", peers=4, seed=b"absent", ahead=True, **options):
    made = roster(peers, None, TableSettings(grace=GRACE, absent=absent), **options)
    table = Thinking(made, seed)
    for each in table.replicas:
        each.openings.ahead = ahead
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    return table


def with_cards(table, count=1):
    """Run until the seat that will be lost has cards that nobody else knows."""
    view = table.replicas[LOST].views[LOST]
    table.run(lambda t: len(hidden(t)) >= count, seconds=3000)
    return {card: view.own[card] for card in hidden(table)}


def hidden(table):
    return table.replicas[LOST].context.deck.known(LOST)


def stand_in(table):
    """Run until another holds the lost seat; return its replica."""

    def found():
        return [r for r in table.alive if r.me != LOST and LOST in r.views]

    table.run(lambda _: found(), seconds=120)
    return found()[0]


def seen(replica, faces):
    return {card for card, face in faces.items() if replica.views[LOST].face(card) == face}


def finish(table):
    table.answer()
    table.connect(*(pair for pair in map(tuple, map(sorted, table.down))))
    table.run(Table.is_over, seconds=6000)
    assert table.is_over()
    assert table.plays_on(table.running)
    assert not any(table.accused(peer) for peer in table.running)


def test_a_sealed_hand_stays_closed_until_everybody_agrees():
    """Nobody is asked before the grace is over once more, and one yes is not enough."""
    table = begun()
    faces = with_cards(table)
    table.kill(LOST)
    table.think = {0}
    holder = stand_in(table)
    assert not seen(holder, faces)
    assert not any(table.of(peer, OpeningAsked) for peer in table.running)
    with pytest.raises(ValueError, match="nothing to say yes to"):
        table.step(0, inputs.OpenHands())
    table.run(seconds=GRACE + 1)
    assert all(table.of(peer, OpeningAsked) for peer in table.running)
    faces = {card: face for card, face in faces.items() if card in holder.context.deck.known(LOST)}
    for peer in table.running[:-1]:
        table.step(peer, inputs.OpenHands())
        table.run(seconds=2)
        assert not any(table.of(p, HandOpened) for p in table.running)
        assert not seen(holder, faces)
    table.step(table.running[-1], inputs.OpenHands())
    table.run(seconds=2)
    table.answer()
    table.run(lambda t: all(t.of(p, HandOpened) for p in t.running), seconds=5)
    assert all(table.of(p, HandOpened)[0].holder.peer == holder.me for p in table.running)
    finish(table)


def test_play_is_everybodys_yes_in_advance():
    """The hand is opened once the loss is beyond dispute, without a question."""
    table = begun("play")
    faces = with_cards(table)
    table.think = {0}
    table.step(LOST, inputs.Leaving())
    table.kill(LOST, lost=False)
    holder = stand_in(table)
    table.run(seconds=2)  # all have said that they do not hear it
    table.answer()
    table.run(lambda t: all(t.of(p, HandOpened) for p in t.running) and seen(holder, faces), 60)
    assert all(table.of(peer, HandOpened) for peer in table.running)
    assert not any(table.of(peer, OpeningAsked) for peer in table.running)
    assert seen(holder, faces) >= faces.keys() & {*holder.context.deck.known(LOST)} != set()


def test_a_hand_that_was_opened_stays_open_while_others_come_and_go():
    """It is closed as its own owner is back, and as nobody else is."""
    seating = Seating(roster(4))
    seating.opened = {LOST: 0, 3: 0}
    for back, left in (frozenset({1}), {LOST, 3}), (frozenset({LOST}), {3}):
        seating.close(back)
        assert seating.opened.keys() == left


def test_a_hand_that_was_opened_is_closed_to_the_next_loss_of_its_owner():
    """Its seat need not have moved meanwhile: the owner is back and lost again in one phase."""
    table = begun()
    with_cards(table)
    table.step(LOST, inputs.Leaving())
    table.kill(LOST, lost=False)
    holder = stand_in(table)
    table.run(lambda t: all(replica.openings.asked for replica in t.alive), seconds=60)
    for peer in table.running:
        table.step(peer, inputs.OpenHands())
    table.run(lambda t: all(t.of(p, HandOpened) for p in t.running), seconds=60)
    table.think = set(range(4))
    table.run(seconds=2)
    phase = holder.transcript.number
    table.restart(LOST)
    table.run(lambda t: all(LOST in r.transcript.members for r in t.alive), seconds=20)
    table.step(LOST, inputs.Leaving())
    table.kill(LOST, lost=False)
    table.run(lambda t: all(LOST not in r.transcript.members for r in t.alive), seconds=20)
    assert holder.transcript.number == phase
    assert holder.transcript.falls[LOST] == 2
    table.answer()
    table.run(lambda _: holder.transcript.number > phase, seconds=20)
    assert holder.context.seating.holders[LOST].peer == holder.me
    assert holder.context.is_sealed(LOST, holder.me)
    finish(table)


def agreed_on_a_line_of_its_own(seed):
    """A table of five whose liar has begun two views: in one half, that of 0 and 1, all have agreed
    that a hand of the other half is opened to one of them, when the two halves meet."""
    table, liar, half = begun(peers=5, seed=seed), 4, (0, 1)
    with_cards(table)
    table.think = set(range(5))
    deliver(table)

    def until(there):
        """What one half of the liar says goes to one half of the others."""

        def come(t):
            t.queue = deque(e for e in t.queue if liar not in e[:2] or not {*e[:2]} & {LOST, 3})
            return there(t)

        table.run(come, seconds=60)
        assert there(table)

    table.disconnect(*((one, other) for one in half for other in (LOST, 3)))
    views = (half, {*half, liar}), ((LOST, 3), {LOST, 3, liar})
    until(lambda t: all(t.replicas[p].transcript.members == views[0][1] for p in half))
    status = by(liar, table, LOST, table.replicas[0].transcript.view + 1, sorted(views[1][1]))
    bring(table, "status", status, (LOST, 3), liar)
    until(lambda t: all(t.replicas[p].transcript.members == views[1][1] for p in (LOST, 3)))
    table.answer()
    until(lambda t: all(t.replicas[p].context.seating.holders[LOST].peer in half for p in half))
    table.think = set(range(5))
    until(lambda t: all(LOST in t.replicas[p].openings.asked for p in half))
    for peer in half:
        table.step(peer, inputs.OpenHands())
    holder = table.replicas[0].context.seating.holders[LOST].peer
    table.kill(liar)
    table.connect(*((one, other) for one in half for other in (LOST, 3)))
    table.run(lambda t: all(r.transcript.members == {0, 1, LOST, 3} for r in t.alive), seconds=30)
    return table, holder


@pytest.mark.longer_games
def test_a_consent_on_a_line_that_was_left_serves_no_loss_on_the_other_one():
    """It was another loss, though the first one there, too, and to the same holder: all are asked
    again before a hand is opened."""
    table, holder = agreed_on_a_line_of_its_own(b"f3")
    assert not any(replica.transcript.falls[LOST] for replica in table.alive)
    table.answer()
    table.step(LOST, inputs.Leaving())
    table.kill(LOST, lost=False)
    table.run(lambda t: any(r.context.seating.holders[LOST].peer == holder for r in t.alive), 60)
    table.think = set(range(4))
    table.run(lambda t: any(LOST in replica.openings.asked for replica in t.alive), seconds=60)
    table.run(seconds=2)
    assert all(replica.context.seating.holders[LOST].peer == holder for replica in table.alive)
    assert all(LOST in replica.openings.asked for replica in table.alive)
    table.step(3, inputs.OpenHands())  # who was in the other half
    table.answer()
    table.run(seconds=2)
    assert not any(table.of(peer, HandOpened) for peer in table.running)


@pytest.mark.longer_games
def test_a_farewell_that_is_shown_once_its_author_is_back_opens_no_hand():
    """A liar alone was told it, and shows it later, while its author is slow to ask back."""
    table, liar, said = begun("play"), 3, []
    with_cards(table)
    table.disconnect((LOST, 0), (LOST, 1))
    post = table._post
    table._post = lambda peer, event: (said.append if event.kind == LEAVE else id)(event)
    table.step(LOST, inputs.Leaving())
    table._post = post
    table.kill(LOST)
    table.restart(LOST)
    back = table.replicas[LOST].transcript.number + 4
    table.run(lambda t: all(r.transcript.number > back for r in t.alive), seconds=30)
    table.queue.extendleft((liar, to, said[0].body) for to in (0, 1))
    table.shuffle_order = False
    for _ in range(400):  # what goes to the author, and comes from it, takes longer
        table.queue = deque(sorted(table.queue, key=lambda each: LOST in each[:2]))
        table._deliver()
    assert table.replicas[0].transcript.falls[LOST] == 1
    assert not any(table.of(peer, HandOpened) for peer in range(4))


def test_all_are_asked_alike_while_one_alone_does_not_hear_who_has_left():
    """Its program still runs: it cuts its link to one, and signs no more that it is there."""
    table = begun()
    with_cards(table)
    table.think = {0}
    table.step(LOST, inputs.Leaving())
    stand_in(table)
    table.silent.add(LOST)
    others = [peer for peer in table.running if peer != LOST]
    table.disconnect((LOST, others[-1]))
    table.run(seconds=2)
    assert not any(table.of(peer, OpeningAsked) for peer in others)
    table.run(seconds=LIFE + 2)
    assert all(table.of(peer, OpeningAsked) for peer in others)


def test_a_laptop_that_does_not_remember_all_keys_asks_its_person_even_so():
    """``--absent play`` is the yes of those alone who know everybody."""
    table = begun("play")
    table.replicas[0].openings.ahead = False
    with_cards(table)
    table.step(LOST, inputs.Leaving())
    table.think = {1}
    table.run(seconds=5)
    table.answer()
    table.run(lambda t: t.of(0, OpeningAsked), seconds=60)
    assert not any(table.of(peer, HandOpened) for peer in range(4))
    table.step(0, inputs.OpenHands())
    table.run(lambda t: all(t.of(p, HandOpened) for p in range(4)), seconds=60)
    assert all(table.of(peer, HandOpened) for peer in range(4))


def test_nobody_is_asked_about_who_may_still_come_back():
    """A laptop that is lost for good is one that is out for the grace and has not come back."""
    table = begun()
    with_cards(table)
    table.think = {0}
    table.disconnect(*table.pairs(LOST))
    stand_in(table)
    table.run(seconds=GRACE - 2)
    table.connect(*table.pairs(LOST))
    table.run(seconds=5 * GRACE)
    assert not any(table.of(peer, OpeningAsked) for peer in range(4))


def lost_again(table):
    """A context as all have it after seat 2 went to another, with what could be opened."""
    table.step(LOST, inputs.Leaving())
    holder = stand_in(table)
    transcript = table.replicas[0].transcript
    table.run(lambda _: transcript.context.seating.holders[LOST].peer == holder.me, seconds=5)
    (opening,) = possible(transcript.context, transcript.members, transcript.settled)
    view = transcript.views[-1].number
    assert (opening.seat, opening.holder, opening.since) == (LOST, holder.me, view)
    return transcript, opening


def consents(table, number, authors, signers=None):
    game = table.replicas[0].context.game_id
    pairs = zip(authors, signers or authors, strict=True)
    made = [(author, wish(OPEN, author, number, identity(by), game)) for author, by in pairs]
    return [replace(each, author=author) for author, each in made]


def test_a_hand_is_opened_by_the_word_of_every_person_and_by_nothing_else():
    """A forged consent, another's, one for another seat, holder, or loss, one too few: none opens.
    That of an AI's laptop, or of the lost one, stands for nobody's."""
    made = roster(5, None, TableSettings(grace=GRACE), bots=("", "", "", "", "random"))
    table = Thinking(made, b"consents")
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    table.think = {0}
    transcript, opening = lost_again(table)

    def opens(number, authors, signers=None, members=transcript.members):
        given = consents(table, number, authors, signers)
        return agreed(transcript.context, members, transcript.settled, given)

    people = (0, 1, 3)
    assert opens(opening.number, people) == (opening,)
    assert opens(opening.number, (*people, 4)) == (opening,)
    for missing in people:
        rest = tuple(peer for peer in people if peer != missing)
        for extra in ((), (4,), (LOST,), rest[:1]):
            assert opens(opening.number, (*rest, *extra)) == ()
        assert opens(opening.number, people, tuple(4 if p == missing else p for p in people)) == ()
    holder, since = opening.holder, opening.since
    others = [HandOpening(seat, holder, since) for seat in range(5) if seat != LOST]
    others += [HandOpening(LOST, peer, since) for peer in range(5) if peer != holder]
    others += [HandOpening(LOST, holder, view) for view in (0, since + 1)]
    for other in others:
        assert opens(other.number, people) == ()
        assert opening_of(other.number) == other
    assert opens(opening.number, people, members=transcript.members | {LOST}) == ()
    assert opens(opening.number, people, members=transcript.members - {opening.holder}) == ()


def test_nobody_opens_a_hand_to_itself():
    """Where the holder is the only person left, there is nobody to ask."""
    made = roster(3, None, TableSettings(grace=GRACE), bots=("random", "", "random"))
    table = Thinking(made, b"alone")
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    context = table.replicas[0].context
    context.seating.seat(1, Holder(0, "random"))
    assert possible(context, frozenset({0, 2}), lambda _: 1) == []


def test_who_keeps_dice_that_it_may_not_see_is_convicted(monkeypatch):
    """DT-2.2: nobody decides about closed dice; a modified program that does is named."""
    monkeypatch.setattr(Keep, "only_answer", lambda self, view: None if view.cup else TAKES_ONE)
    table = begun(seed=b"dice")
    for replica in table.replicas:  # whoever comes to hold the seat: it alone is modified

        def lies(seat, peer, question, own=replica.context.prescribed, me=replica.me):
            return None if peer == me else own(seat, peer, question)

        replica.context.prescribed = lies

    def keeps(_):
        return any(question.name == "keep" for _, question in table.replicas[LOST]._questions())

    table.run(keeps, seconds=3000)
    table.kill(LOST)
    holder = stand_in(table)
    table.run(lambda t: t.is_over() or all(map(t.accused, t.running[:1])), seconds=60)
    named = {each for p in table.running if p != holder.me for each in table.accused(p)}
    assert named == {(holder.me, Code.ILLEGAL_ANSWER)}


@pytest.mark.parametrize("seed", [1, 3, 5, 8])
def test_lost_seats_diverge_convict_and_show_nothing(seed):
    """Some games of the campaign (``tests.replica.absences``)."""
    about, fault = played(seed)
    assert not fault, about


def test_nobody_is_asked_about_a_hand_in_a_game_that_has_none():
    """Charidice hides nothing from anybody."""
    game = load("charidice")
    table = Table(roster(4, settings=TableSettings(grace=GRACE), game=game), b"open")
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    table.step(LOST, inputs.Leaving())
    stand_in(table)
    table.run(seconds=2 * GRACE)
    assert not any(table.of(peer, OpeningAsked) for peer in range(4))


@pytest.mark.longer_games
def test_nobody_is_asked_about_a_hand_once_the_rules_have_ended():
    """A yes would begin one more view, in which all sign the end anew, and opens nothing."""
    table = begun()
    with_cards(table)
    table.step(LOST, inputs.Leaving())
    table.kill(LOST, lost=False)
    table.run(lambda t: all(replica.openings.asked for replica in t.alive), seconds=60)
    table.run(lambda t: any(replica.result for replica in t.alive), seconds=3000)
    last = next(replica for replica in table.alive if not replica.result)
    late = [each for each in table.queue if each[1] == last.me]
    table.queue = deque(each for each in table.queue if each[1] != last.me)
    deliver(table)
    ended = [replica for replica in table.alive if replica.result]
    assert not any(replica.over or replica.openings.asked for replica in ended)
    table.queue.extend(reversed(late))  # the finals come before what leads there
    table.shuffle_order = False
    table.run(Table.is_over)
    assert table.is_over()
    assert not any(replica.openings.asked for replica in table.alive)
    with pytest.raises(ValueError, match="nothing to say yes to"):
        table.step(last.me, inputs.OpenHands())
