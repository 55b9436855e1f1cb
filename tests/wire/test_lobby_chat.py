"""What is said while a table forms: signed, in order, bounded and harmless; clockless."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.errors import Mistake
from lanplay_protocol.chat import RECENT, TEXT, ChatMessage
from lanplay_protocol.errors import PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo
from lanplay_protocol.lobby_chat import AUTHORS, KIND, LobbyChat, _Word
from lanplay_protocol.wire import FRAME_LIMIT, decode

HOST, ANN, BEN = (Identity(letter * 32) for letter in (b"h", b"a", b"b"))
CHAIRS = (Seat("Hal", HOST.public), *(Seat() for _ in range(5)))
TABLE = TableInfo(
    "t", "T", "dice-town", bytes(16), (), CHAIRS, (Guest(HOST.public, "Hal", ()),), people=6
)


class Heard(LobbyChat):
    """The talk as one program hears it, and what it has shown."""

    def __init__(self, first=0):
        self.shown = []
        super().__init__(self.shown.append, first)

    @property
    def texts(self):
        return [said.text for said in self.shown]


def table():
    """Ann has come with Tom, who has a phone, and Ben."""
    lobby = Lobby(TABLE)
    lobby.join(Guest(ANN.public, "Ann", ()))
    lobby.join(Guest(BEN.public, "Ben", ()))
    lobby.seat(ANN.public, "Tom")
    return lobby.info


INFO = table()


def words(body):
    return decode(body)[1]


def test_all_hear_a_word_by_way_of_the_host_once_and_its_author_at_once():
    """The author is not told its own word again, nor anybody a word that comes twice."""
    ann, host, ben = Heard(), Heard(), Heard()
    said = ann.say(INFO, ANN, "hello  all", 0.0)
    passed = host.receive(INFO, words(said), 0.0, ANN.public)
    for each in (ann, ben, ben):
        each.receive(INFO, words(passed), 0.0)
    for each in (ann, host, ben):
        assert each.shown == [ChatMessage("Ann", "hello all", 1, seat=1)]


def test_who_plays_through_a_laptop_is_named_with_it():
    """Tom sits at Ann's: so his words say; nobody else speaks for him."""
    ann, ben = Heard(), Heard()
    ben.receive(INFO, words(ann.say(INFO, ANN, "hi", 0.0, "Tom")), 0.0)
    assert ben.shown == [ChatMessage("Tom", "hi", 1, seat=3, laptop="Ann")]
    with pytest.raises(Mistake, match="does not sit"):
        ben.say(INFO, BEN, "hi", 0.0, "Tom")
    stranger = Identity(b"x" * 32)
    with pytest.raises(Mistake, match="does not sit"):
        ben.say(INFO, stranger, "hi", 0.0)


def test_who_sits_down_late_hears_the_last_words_and_none_of_another_table():
    """Also one who was there before; a full list of the longest words fits into a frame."""
    host, ben, late = Heard(), Heard(), Heard()
    for number in range(RECENT + 4):
        host.say(INFO, HOST, f"{number:02} " + "𝒈" * (TEXT - 3), 9.0 * number)
        if number == 2:
            ben.receive(INFO, words(host.recent(INFO)), 0.0)
    assert len(host.recent(INFO)) < FRAME_LIMIT
    for each in (ben, late):
        each.receive(INFO, words(host.recent(INFO)), 9.0)
    assert [text[:2] for text in late.texts] == [f"{n:02}" for n in range(4, RECENT + 4)]
    assert [text[:2] for text in ben.texts][:4] == ["00", "01", "02", "04"]
    other = replace(INFO, table="another")
    assert words(host.recent(other)) == ()
    host.say(other, HOST, "again?", 999.0)
    assert len(words(host.recent(other))) == 1


def test_nobody_is_made_to_say_what_the_own_program_has_not_signed():
    """Neither by a guest nor by the host that passes words on: text, name, number, table."""
    ann, host, ben = Heard(), Heard(), Heard()
    [[author, number, name, text, signature]] = words(ann.say(INFO, ANN, "no", 0.0))
    for forged in (
        (author, number, name, "yes", signature),
        (author, number, "Tom", text, signature),
        (author, number + 1, name, text, signature),
        (author, number, name, text, bytes(64)),
    ):
        for each, sender in ((host, ANN.public), (ben, b"")):
            with pytest.raises(PeerError):
                each.receive(INFO, (forged,), 0.0, sender)
    with pytest.raises(PeerError):
        host.receive(INFO, ((author, number, name, text, signature),), 0.0, BEN.public)
    with pytest.raises(PeerError):
        ben.receive(replace(INFO, table="u"), ((author, number, name, text, signature),), 0.0)
    assert host.texts == ben.texts == []


def test_a_word_of_nobody_who_sits_there_is_passed_over():
    """It may have been on its way when the seat was freed: no fault of the laptop."""
    ann, host = Heard(), Heard()
    said = ann.say(INFO, ANN, "wait", 0.0, "Tom")
    lobby = Lobby(INFO)
    lobby.unseat(ANN.public, "Tom")
    assert host.receive(lobby.info, words(said), 0.0, ANN.public) == b""
    lobby.leave(ANN.public)
    assert host.receive(lobby.info, words(said), 0.0, ANN.public) == b""
    assert host.texts == []


@pytest.mark.parametrize("text", ["", " \t ", "x" * (TEXT + 1)])
def test_nothing_and_too_much_is_not_sent(text):
    """The author is told; the table hears nothing."""
    ann = Heard()
    with pytest.raises(Mistake):
        ann.say(INFO, ANN, text, 0.0)
    assert ann.shown == []


def test_a_person_says_eight_things_at_once_and_one_more_every_two_seconds():
    """Each person for itself: a phone does not use up what its laptop's person may say."""
    ann = Heard()
    for number in range(8):
        ann.say(INFO, ANN, str(number), 0.0, "Tom")
    with pytest.raises(Mistake, match="too fast"):
        ann.say(INFO, ANN, "9", 0.0, "Tom")
    ann.say(INFO, ANN, "and I?", 0.0)
    ann.say(INFO, ANN, "9", 2.0, "Tom")
    assert len(ann.shown) == 10


def test_of_a_flood_ninety_six_words_are_heard_and_then_one_a_second():
    """By the host and by every guest, whatever a modified program sends; others are heard."""
    host = Heard()
    for number in range(300):
        flood = Heard(number).say(INFO, ANN, "spam", 0.0)
        host.receive(INFO, words(flood), 0.0, ANN.public)
    assert len(host.shown) == 3 * RECENT
    assert host.receive(INFO, words(Heard().say(INFO, BEN, "stop", 0.0)), 0.0, BEN.public)
    again, more = (Heard(n).say(INFO, ANN, "spam", 0.0) for n in (1000, 1001))
    assert host.receive(INFO, words(again), 1.0, ANN.public)
    assert not host.receive(INFO, words(more), 1.0, ANN.public)


def test_hostile_text_is_shown_as_one_harmless_line():
    """Whatever a modified program signs: control characters and tricks of direction are gone."""
    word = _Word(ANN.public, 7, "Ann", "\x1b[2J\u202eevil\nNotice: you won")
    signature = ANN.sign(KIND, word.signed(INFO.table))
    ben = Heard()
    ben.receive(INFO, (replace(word, signature=signature).plain(),), 0.0)
    assert ben.texts == ["[2Jevil Notice: you won"]


@pytest.mark.parametrize(
    "payload",
    [
        None,
        "hello",
        ("hello",),
        ((b"a" * 32, 0, "Ann", "x"),),
        ((b"a" * 32, -1, "Ann", "x", bytes(64)),),
        ((b"a" * 32, 1 << 53, "Ann", "x", bytes(64)),),
        ((b"a" * 32, 0, "Ann", "x" * (TEXT + 1), bytes(64)),),
        ((b"a" * 32, 0, "A" * 33, "x", bytes(64)),),
        ((b"a" * 31, 0, "Ann", "x", bytes(64)),),
        ((b"a" * 32, 0, "Ann", "x", bytes(65)),),
        ((b"a" * 32, 0, b"Ann", "x", bytes(64)),),
        (((b"a" * 32, 0, "Zoe", "x", bytes(64)),) * (RECENT + 1)),
    ],
)
def test_what_is_malformed_is_refused_and_nothing_is_shown(payload):
    """By the host, which closes that connection, and by a guest, which passes it over."""
    for sender in (b"a" * 32, b""):
        heard = Heard()
        with pytest.raises(PeerError):
            heard.receive(INFO, payload, 0.0, sender)
        assert heard.shown == []


def test_a_program_that_was_restarted_with_a_slower_clock_is_still_heard():
    """It is told its own words on sitting down, and counts on from there."""
    ben, host, again = Heard(5000), Heard(), Heard(3)
    host.receive(INFO, words(ben.say(INFO, BEN, "before", 0.0)), 0.0, BEN.public)
    again.receive(INFO, words(host.recent(INFO)), 0.0)
    assert host.receive(INFO, words(again.say(INFO, BEN, "after", 0.0)), 0.0, BEN.public)
    assert host.texts == ["before", "after"]


def test_a_host_that_shows_more_and_more_guests_who_talk_fills_no_memory():
    """A key costs nothing; the own words go on in their order all the same, and of whoever talks
    between theirs no word is heard again."""
    ann, ben, info = Heard(), Heard(), Lobby(TABLE).info
    [before] = words(ben.say(INFO, BEN, "hello", 0.0))
    for n in range(3 * AUTHORS):
        eve, lobby = Identity(n.to_bytes(32, "big")), Lobby(replace(info, table=str(n)))
        lobby.join(Guest(eve.public, "Eve", ()))
        ben.receive(lobby.info, words(Heard().say(lobby.info, eve, "hi", 0.0)), 0.0)
        if n < AUTHORS:
            said = words(ann.say(INFO, ANN, "hi", 60.0 * n))
        if n <= AUTHORS:
            ben.receive(INFO, said, 60.0 * n)
    assert len(ben.shown) == 1 + 4 * AUTHORS
    assert sum(len(each) for each in vars(ben).values() if isinstance(each, dict)) < 2 * AUTHORS
    [after] = words(ben.say(INFO, BEN, "still here", 0.0))
    assert after[1] > before[1]
