"""Table talk and the pause of a game: signed, passed on, bounded and harmless; clockless."""

from __future__ import annotations

from contextlib import suppress

import pytest

from lanplay_protocol.chat import RECENT, TEXT, Chat, ChatMessage, Public
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.context import OBSERVER
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.wire import decode
from tests.replica.harness import identity, roster

TABLE = roster(3)


class Room:
    """Some peers that talk; ``down`` are pairs without a link, ``queue`` what is on its way."""

    def __init__(self, count=3, seats=None):
        self.table = roster(count, seats)
        self.talks = [Chat(self.table, place, identity(place)) for place in range(count)]
        self.events = [[] for _ in range(count)]
        self.down = set()
        self.queue = []
        self.now = 0.0

    def handle(self, place, events):
        for event in events:
            self.events[place].append(event)
            others = [p for p in range(len(self.talks)) if p != place]
            for to in (others if event.to is None else [event.to]) if is_send(event) else ():
                if frozenset((place, to)) not in self.down:
                    self.queue.append((place, to, event.body))

    def run(self):
        while self.queue:
            sender, to, body = self.queue.pop(0)
            self.handle(to, self.talks[to].receive(sender, decode(body)[1], self.now))

    def say(self, place, text):
        self.handle(place, self.talks[place].say(text, self.now))
        self.run()

    def of(self, place, kind):
        return [event for event in self.events[place] if isinstance(event, kind)]

    def meet(self, place, other):
        """Make a link: each tells the other what it may have missed."""
        self.down.discard(frozenset((place, other)))
        for one, two in ((place, other), (other, place)):
            self.queue += [(one, two, body) for body in self.talks[one].told_again()]
        self.run()


def is_send(event):
    return isinstance(event, Envelope)


def word(events):
    """The plain data of a word that a peer sends to all."""
    (body,) = [event.body for event in events if is_send(event)]
    return decode(body)[1]


def test_everybody_hears_what_is_said_once_and_its_author_too():
    """Each word comes by two ways at a table of three, and is shown once, with its author."""
    room = Room()
    room.say(1, "hello  all")
    for place in range(3):
        assert room.of(place, ChatMessage) == [ChatMessage("seat 1", "hello all", 1, seat=1)]


def test_a_broken_link_hides_nothing():
    """Who hears the author passes its words on to who does not."""
    room = Room()
    room.down.add(frozenset((0, 1)))
    room.say(0, "can you hear me?")
    assert room.of(1, ChatMessage) == [ChatMessage("seat 0", "can you hear me?", 0, seat=0)]


def test_who_comes_later_is_told_the_last_things_said():
    """A peer that was away hears them when it is linked again, each once."""
    room = Room()
    room.down |= {frozenset((0, 2)), frozenset((1, 2))}
    for number in range(RECENT + 3):
        room.now += 10
        room.say(number % 2, f"word {number}")
    room.meet(0, 2)
    room.meet(1, 2)
    assert [said.text for said in room.of(2, ChatMessage)] == [
        f"word {n}" for n in range(3, RECENT + 3)
    ]


def test_a_restarted_program_goes_on_after_its_last_number():
    """Its own earlier words come back from the others; what it says then is new to all."""
    room = Room()
    room.say(1, "before")
    room.talks[1] = Chat(room.table, 1, identity(1))
    room.events[1].clear()
    room.meet(0, 1)
    room.say(1, "after")
    assert [said.text for said in room.of(1, ChatMessage)] == ["before", "after"]
    assert [said.text for said in room.of(2, ChatMessage)] == ["before", "after"]


def test_what_is_said_is_harmless_to_show():
    """Control characters and bidirectional tricks of a modified program do not reach a screen."""
    room = Room()
    talk = room.talks[0]
    events = talk._speak("say", (0, "\x1b[2J\u202eevil\nline " + "x" * 700))
    (said,) = [e for e in room.talks[1].receive(0, word(events), 0.0) if isinstance(e, ChatMessage)]
    assert said.text.startswith("[2Jevil line x")
    assert len(said.text) <= TEXT


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "nothing to say"), ("  ", "nothing to say"), ("x" * (TEXT + 1), "at most 200")],
)
def test_nothing_and_too_much_is_refused_with_a_reason(text, why):
    """What cannot be said is not cut or dropped without a word."""
    with pytest.raises(ValueError, match=why):
        Room().talks[0].say(text, 0.0)


def test_who_talks_too_fast_waits():
    """A person may say a few things at once; after a while again."""
    room = Room()
    for number in range(8):
        room.say(0, str(number))
    with pytest.raises(ValueError, match="too fast"):
        room.talks[0].say("one more", room.now)
    room.now += 2.0
    room.say(0, "one more")
    assert len(room.of(1, ChatMessage)) == 9


def spoken(say, until, step=0.05):
    """How often something could be said in so many seconds by whoever tries all the time."""
    count, now = 0, 0.0
    while now < until:
        with suppress(ValueError):
            count += any(isinstance(event, ChatMessage) for event in say(now))
        now += step
    return count


@pytest.mark.parametrize("minutes", [1, 10])
def test_in_the_long_run_a_person_speaks_every_other_second(minutes):
    """Whoever never stops trying gets 8 words at once, and then one every 2 s."""
    talk = Chat(TABLE, 0, identity(0))
    said = spoken(lambda now: talk.say("again", now), 60 * minutes)
    assert said == pytest.approx(8 + 30 * minutes, abs=1)


def test_in_the_long_run_spectators_speak_every_other_second():
    """All who watch at one peer share what one person may say."""
    talk = Chat(TABLE, 1, identity(1))
    said = spoken(lambda now: talk.quote("Cyril", "again", now), 60)
    assert said == pytest.approx(8 + 30, abs=1)


def test_in_the_long_run_a_modified_program_is_heard_once_a_second():
    """What it signs beyond that is not shown, however long it goes on."""
    evil, talk = Chat(TABLE, 1, identity(1)), Chat(TABLE, 0, identity(0))
    said = spoken(
        lambda now: talk.receive(1, word(evil._speak("say", (1, "again"))), now), 200, 0.1
    )
    assert said == pytest.approx(3 * RECENT + 200, abs=1)


def test_silence_is_not_saved_up():
    """After an hour without a word a person may say no more at once than at first."""
    talk = Chat(TABLE, 0, identity(0))
    talk.say("one", 0.0)
    for number in range(8):
        talk.say(str(number), 3600.0)
    with pytest.raises(ValueError, match="too fast"):
        talk.say("one more", 3600.0)


def test_nobody_makes_a_new_word_of_an_old_one():
    """The number of a word is signed with it: under another one it is nobody's word."""
    author, number, kind, value, signature = word(Chat(TABLE, 1, identity(1)).say("yes", 0.0))
    talk = Chat(TABLE, 0, identity(0))
    with pytest.raises(PeerError) as caught:
        talk.receive(2, (author, number + 1, kind, value, signature), 0.0)
    assert caught.value.code is Code.BAD_SIGNATURE


def test_words_that_are_long_over_are_not_shown_again():
    """Who hears more than it remembers takes nothing older than that for new."""
    ann, talk, now = Chat(TABLE, 1, identity(1)), Chat(TABLE, 0, identity(0)), 0.0
    words = [word(ann._speak("say", (1, f"word {number}"))) for number in range(300)]
    for each in words:
        now += 5.0
        assert talk.receive(1, each, now)
    for each in words:
        now += 5.0
        assert talk.receive(1, each, now) == []


def test_a_word_is_not_sent_back_to_who_brought_it():
    """It goes on to the third peer alone."""
    talk = Chat(roster(4), 0, identity(0))
    said = word(Chat(roster(4), 1, identity(1)).say("hello", 0.0))
    assert [event.to for event in talk.receive(2, said, 0.0) if is_send(event)] == [3]


def test_a_restarted_program_never_signs_two_words_of_one_number():
    """Once it has heard its own last word, the next one comes after it."""
    first = Chat(TABLE, 1, identity(1), first=7)
    said = [word(first.say(text, 0.0)) for text in ("one", "two")]
    again = Chat(TABLE, 1, identity(1), first=8)
    again.receive(0, said[1], 0.0)
    assert word(again.say("three", 0.0))[1] > said[1][1]


def test_a_modified_program_does_not_flood_the_table():
    """What it says beyond a burst is neither shown nor passed on, whatever it signs."""
    room = Room()
    for number in range(1000):
        room.handle(0, room.talks[0]._speak("say", (0, str(number))))
    room.run()
    assert len(room.of(1, ChatMessage)) == 3 * RECENT
    assert len(room.of(1, Envelope)) <= 3 * RECENT


def test_spectators_are_told_apart_and_bounded():
    """What one says goes under its host's signature, marked; too much of it is dropped."""
    room = Room()
    for _ in range(20):
        room.handle(1, room.talks[1].quote("Cy\u202eril", "nice\x07 roll", 0.0))
    room.run()
    assert room.of(2, ChatMessage) == [ChatMessage("Cyril", "nice roll", 1, watching=True)] * 8


def test_spectators_hear_what_is_said_and_trust_no_messenger():
    """They check every signature themselves; they need no seat for it."""
    room = Room()
    room.say(0, "good luck")
    heard = Chat(room.table, OBSERVER)
    (body,) = [event.body for event in room.of(2, Public)]
    events = heard.receive(OBSERVER, decode(body)[1], 0.0)
    assert ChatMessage("seat 0", "good luck", 0, seat=0) in events


def forged(author, number, kind, value, signature=bytes(64)):
    return (author, number, kind, value, signature)


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (forged(1, 0, "say", (1, "I am 1")), Code.BAD_SIGNATURE),
        (forged(0, 0, "pause", (0, 0)), Code.BAD_SIGNATURE),
        (forged(7, 0, "say", (7, "x")), Code.MALFORMED),
        (forged(1, -1, "say", (1, "x")), Code.MALFORMED),
        (forged(1, 1 << 60, "say", (1, "x")), Code.MALFORMED),
        (forged(1, 0, "say", 5), Code.MALFORMED),
        (forged(1, 0, "say", (1, "x" * 900)), Code.MALFORMED),
        (forged(1, 0, "say", (0, "I am 0")), Code.MALFORMED),
        (forged(1, 0, "say", (9, "x")), Code.MALFORMED),
        (forged(1, 0, "heard", "x"), Code.MALFORMED),
        (forged(1, 0, "pause", (("x", 1),)), Code.MALFORMED),
        (forged(1, 0, "pause", (0,)), Code.MALFORMED),
        (forged(1, 0, "go", (1, ((1, "x"),))), Code.MALFORMED),
        (forged(1, 0, "go", (1, ((99, 0),))), Code.MALFORMED),
        (forged(1, 0, "go", (0, ())), Code.MALFORMED),
        (forged(1, 0, "shout", "x"), Code.MALFORMED),
        (forged(1, 0, ["say"], (1, "x")), Code.MALFORMED),
        (forged(1, 0, "say", (1, "x"), b"short"), Code.MALFORMED),
        ("x", Code.MALFORMED),
    ],
)
def test_what_nobody_signed_or_has_another_shape_closes_the_connection(payload, code):
    """Its author is whoever signed it, not whoever brings it; the table is not touched."""
    talk = Chat(TABLE, 0, identity(0))
    with pytest.raises(PeerError) as caught:
        talk.receive(2, payload, 0.0)
    assert caught.value.code is code
    assert talk.paused_by(0.0) == ()


def test_a_word_counts_at_its_own_table_only():
    """What was signed at another table is nobody's word here."""
    other = Chat(roster(3, 4), 1, identity(1))
    with pytest.raises(PeerError) as caught:
        Chat(TABLE, 0, identity(0)).receive(1, word(other.pause(0.0)), 0.0)
    assert caught.value.code is Code.BAD_SIGNATURE
