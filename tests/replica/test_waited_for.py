"""Who is waited for: at every moment exactly those whose answer a peer has not got."""

from __future__ import annotations

import pytest

from lanplay.engine.requests import Choose
from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import ChoicePhase
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import parse_signed
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import Table, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import level, withholds_entropy
from tests.replica.test_led_astray import CHEAT


class Observed(Table):
    """Checks after whatever happens to a peer whom it says the game waits for."""

    def __post_init__(self):
        super().__post_init__()
        self.came = set()
        self.said = set()
        self.began = {}
        self.seen = set()

    def handle(self, peer, output):
        super().handle(peer, output)
        assert set(self.replicas[peer].awaited) == self.expected(peer)
        self.seen.add((len(self.replicas[peer].awaited), self.own(peer)))

    def own(self, peer):
        return len(set(self.replicas[peer].awaited) & set(self.roster.peers[peer].seats))

    def replica(self, place):
        """Know from the bytes alone what a peer has got, and what it has been told to answer."""
        made = super().replica(place)
        step, post = made.step, made._outbox.post

        def stepped(given, now):
            if isinstance(given, inputs.Received) and given.kind == "move":
                signed = parse_signed(given.payload)
                self.came.add((place, signed.sender, signed.phase))
            elif isinstance(given, inputs.Answered):
                self.said.add((place, self.moment(place), given.seat))
            return step(given, now)

        def posted(kind, payload, to=None):
            if kind == "move" and to is None and isinstance(made.transcript.phase, ChoicePhase):
                self.began.setdefault(self.moment(place), made.transcript.number)
            post(kind, payload, to)

        made.step, made._outbox.post = stepped, posted
        return made

    def moment(self, peer):
        return len(self.replicas[peer].context.referee.history)

    def expected(self, peer):
        replica, moment = self.replicas[peer], self.moment(peer)
        request = replica.context.referee.request
        if not isinstance(request, Choose) or replica.transcript.number < SETUP:
            return set()
        began = self.began.get(moment)
        out = set()
        for seat, question in request.questions.items():
            holder = self.roster.host(seat)
            if holder != peer:
                answered = (peer, holder, began) in self.came
            else:
                only_answer = question.only_answer(replica.views[seat]) is not None
                answered = only_answer or (peer, moment, seat) in self.said
            if not answered:
                out.add(seat)
        return out


@pytest.mark.longer_games
@pytest.mark.parametrize(
    ("game", "peers", "seats", "most"),
    [
        ("dice-town", 2, 4, 3),
        ("dice-town", 3, 5, 4),
        ("dice-town", 4, 4, 4),
        ("dogs-life", 3, 3, 1),
    ],
)
def test_marks_go_as_soon_as_an_answer_has_come(game, peers, seats, most):
    """After every message and every answer, one's own seats included (each on its own)."""
    table = Observed(roster(peers, seats, game=load(game)), seed=b"waited")
    table.start()
    table.run(lambda t: t.moment(0) > 60)
    assert table.moment(0) > 60
    assert {owed for owed, _ in table.seen} >= set(range(most + 1))
    if seats > peers:
        assert {own for _, own in table.seen} >= {0, 1, 2}


def test_who_owes_and_cuts_its_links_now_and_then_does_not_hold_up_the_table():
    """Entropy that its program owes never comes; its links go and come again. Three returns begin
    the wait anew, and no more."""
    table = begun(4, seed=b"flap", settings=TableSettings(grace=20))
    level(table)
    withheld = withholds_entropy(table)
    table.run(lambda t: withheld, seconds=60)
    begins = table.now
    honest = (0, 1, 3)
    while table.now < begins + 300:
        table.disconnect(*table.pairs(CHEAT))
        table.run(seconds=1)
        table.connect(*table.pairs(CHEAT))
        table.run(seconds=6)
        if all(table.of(p, ViewChanged) for p in honest):
            break
        table.now = max(table.now, begins)
    assert all(table.of(p, ViewChanged) for p in honest)
    assert table.now - begins < 50  # three of its returns, and all that it is waited for
