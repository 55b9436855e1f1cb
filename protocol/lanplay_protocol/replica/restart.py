"""Continuing a game anew among too few peers to open what the old one holds.

All who are here have to agree. The public state of the last round boundary stays, the hidden cards
are dealt again under new keys, and the seats of the others go to AI; the old game stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from lanplay.engine.game import Game
from lanplay.engine.record import Entry, Record
from lanplay.engine.replay import Replay, boundary
from lanplay.engine.requests import Round
from lanplay.errors import Fault, Mistake
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.identity import SIGNATURE, check_signature
from lanplay_protocol.replica.events import Restarted, RestartVote
from lanplay_protocol.replica.exchange import Exchange
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import DIGEST
from lanplay_protocol.replica.outbox import Outbox
from lanplay_protocol.replica.roster import NONCE, Peer, Roster
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.schema import binary, fields, items, refuse, uint
from lanplay_protocol.wire import encode

ROUNDS = 512
"""Round boundaries that somebody may know, the last ones."""


class Vote(NamedTuple):
    """A nonce, and the rounds that its author knows; ``plain`` is what it has signed."""

    nonce: bytes
    rounds: dict[int, bytes]
    plain: tuple[Any, ...]


class RestartVotes:
    """Who wants a new game with whom: ``votes`` has by those who would play each one's vote.
    ``here`` are those who are here now, be it that others alone hear them: all pass on votes. Whom
    this peer ``hears`` says itself what it wants: others may have its vote of an earlier loss.

    This peer's ``nonce`` is one, also after a restart, until it has gone on with it: others may
    have counted a vote that it has lost. So is what it votes for with the same players, whatever
    it knows by then: with the first such vote others may have begun. All who would play have to
    vote for the same: whoever hears of the last vote begins with those that it names, whether they
    are still at the old table then or not.
    """

    def __init__(
        self, game: Game, me: int, line: GameLine, exchange: Exchange, outbox: Outbox
    ) -> None:
        self.votes: dict[frozenset[int], dict[int, Vote]] = {}
        self.hears: Callable[[int], bool] = lambda _: False
        self.here = frozenset({me})
        self._passed_on: dict[frozenset[int], dict[int, Vote]] = {}  # by others than who said it
        self.nonce = b""
        self._given: dict[frozenset[int], Vote] = {}  # by this peer, before a restart, too
        self._at = (0, 0)
        self._game = game
        self._me = me
        self._line = line
        self._exchange = exchange
        self._outbox = outbox

    def said(self, bearer: int, payload: Any) -> None:
        """Take a peer's vote of who would play, too; ``PeerError`` unless its author signed it."""
        author, nonce, begun, among, signature = fields(payload, 5, "vote")
        rounds = dict(items(begun, ROUNDS, "rounds", _round))
        count = len(self._line.roster.peers)
        peer = uint(author, count, "author")
        players = frozenset(items(among, count, "peers", lambda one: uint(one, count, "peer")))
        if not {peer, bearer} <= players:
            refuse("a vote for a game without its author, or its bearer")
        vote = Vote(binary(nonce, NONCE, "nonce"), rounds, payload)
        known = (by.get(players, {}).get(peer) for by in (self.votes, self._passed_on))
        if vote in known or (
            peer == self._me and (players in self._given or vote.nonce != self.nonce)
        ):
            return
        public = self._line.roster.peers[peer].public
        body = vote_body(self._line.roster, payload[:4])
        check_signature(public, "anew", body, binary(signature, SIGNATURE, "signature"))
        self._at = self._line.transcript.at
        if peer == self._me:
            self._given[players] = vote  # its person has still to give it again
            return
        if bearer == peer:
            self._count(peer, players, vote)
        else:
            self._passed_on.setdefault(players, {})[peer] = vote
            self._count_passed_on()

    def _count_passed_on(self) -> None:
        for players, by in self._passed_on.items():
            said = self.votes.get(players, {})
            for peer in [peer for peer in by if peer not in said and not self.hears(peer)]:
                self._count(peer, players, by[peer])

    def _count(self, peer: int, players: frozenset[int], vote: Vote) -> None:
        if not any(peer in by for by in self.votes.values()):
            self._outbox.tell(RestartVote(peer))
        self.votes.setdefault(players, {})[peer] = vote

    @property
    def wanted(self) -> bool:
        """Tell whether somebody wants a new game with this peer, which has not voted."""
        asks = [by for players, by in self.votes.items() if self._me in players]
        return bool(asks) and not any(self._me in by for by in asks)

    def forget(self) -> None:
        """Forget all votes once the game has gone on: another loss is asked about anew."""
        if self._line.transcript.at != self._at:
            self._forget()

    def recalled(self, incomplete: bool) -> None:
        """Go on after a restart with the nonce that was kept, unless that may have been used."""
        if incomplete:
            self._spend()

    def _forget(self) -> None:
        for votes in (self.votes, self._passed_on, self._given):
            votes.clear()

    def _spend(self) -> None:
        self._forget()
        self.nonce = b""
        self._outbox.persist("anew", self.nonce, binding=True)

    def vote(self, nonce: bytes) -> None:
        """Vote for a new game among those who are here; ``Mistake`` before the first round."""
        history = self._line.transcript.context.referee.history
        if not (known := boundaries(self._game, self._line.roster, history)):
            raise Mistake(Fault.NO_ROUND)
        self._at = self._line.transcript.at
        self.nonce = self.nonce or nonce
        self._outbox.persist("anew", self.nonce, binding=True)
        self._vote(self.nonce, dict(tuple(known.items())[-ROUNDS:]))

    def _vote(self, nonce: bytes, known: dict[int, bytes]) -> None:
        if self.here not in self._given:
            said = (self._me, nonce, tuple(known.items()), tuple(sorted(self.here)))
            plain = (*said, self._exchange.sign("anew", vote_body(self._line.roster, said)))
            self._given[self.here] = Vote(nonce, known, plain)
        self.votes.setdefault(self.here, {})[self._me] = self._given[self.here]
        self._post(self.here)

    def _post(self, players: frozenset[int]) -> None:
        for vote in self.votes[players].values():
            self._outbox.post("anew", vote.plain)

    def say_again(self) -> None:
        """Tell all once more: some may not have heard it, or have not known of a loss yet. Whoever
        wants to go on without some does so without some more, or fewer, but not alone."""
        own = [players for players, by in self.votes.items() if self._me in by]
        for players in own:
            self._post(players)
        if own and self.here not in own and len(self.here) > 1:
            self._vote(*self.votes[own[-1]][self._me][:2])

    def begin_if_agreed(self) -> None:
        """Begin a new game if all who would play it have voted for it; too few are here."""
        self._at = self._line.transcript.at
        self._count_passed_on()
        whole = [players for players, by in self.votes.items() if by.keys() == players]
        whole = [players for players in whole if self._me in players]
        if not whole:
            return
        players = max(whole, key=lambda each: (len(each), sorted(each)))
        votes = self.votes[players]
        number, roster = last_common([vote.rounds for vote in votes.values()]), self._line.roster
        if number is None:
            return  # it is said again once this peer has caught up
        agreed = {peer: (nonce, number) for peer, (nonce, *_) in votes.items()}
        history = self._line.transcript.context.referee.history
        # who stood in for whom may differ on two sides of a fork: whose seat it is does not
        holders = [Holder(roster.host(s), roster.bot(s)) for s in range(len(roster.names))]
        try:
            roster = restarted_roster(self._game, roster, history, holders, agreed)
        except ValueError:
            return  # it is said again once this peer has caught up
        self._post(players)  # who has not heard all of them hears no more of this peer
        self._spend()
        self._outbox.tell(Restarted(roster))


def vote_body(roster: Roster, said: tuple[Any, ...]) -> bytes:
    """Return what the author of a vote signs: who it is, its nonce, its rounds and with whom."""
    return encode((roster.digest(), *said))


def _round(value: Any) -> tuple[int, bytes]:
    number, state = fields(value, 2, "round")
    return uint(number, 1 << 16, "round"), binary(state, DIGEST, "state hash")


def last_boundary(game: Game, roster: Roster, history: list[Entry]) -> int | None:
    """Return the round at whose beginning the game could start anew; ``None`` before the first."""
    table = boundary(game, roster.header, history)
    return None if table is None else int(table.round) + 1


def boundaries(game: Game, roster: Roster, history: list[Entry]) -> dict[int, bytes]:
    """Return the rounds at whose beginning the game could start anew, each with its state's hash.

    Where a game has forked, those on its two sides know the same ones up to there.
    """
    replay = Replay(game, Record(roster.header, history, b"", finished=False))
    found: dict[int, bytes] = {}
    while True:
        request = replay.request
        if isinstance(request, Round):
            found[request.number] = digest("boundary", encode(game.snapshot(replay.table)))
        if not replay.advance():
            return found


def last_common(known: Collection[Mapping[int, bytes]]) -> int | None:
    """Return the last round that began alike for all who know these; ``None`` if none did."""
    rounds = set.intersection(*(set(each.items()) for each in known))
    return max((number for number, _ in rounds), default=None)


def restarted_roster(
    game: Game,
    roster: Roster,
    history: list[Entry],
    holders: list[Holder],
    here: Mapping[int, tuple[bytes, int]],
) -> Roster:
    """Return the roster of the new game, the same for all who agree.

    ``here`` are the peers that do, each with a fresh nonce and its own last boundary: the earliest
    counts. ``ValueError`` if the history does not reach it.
    """
    number = min(known for _, known in here.values())
    table = boundary(game, roster.header, history, number)
    if table is None:
        raise ValueError(f"round {number} has not begun here")
    places = sorted(here)
    takers = [
        holder.peer if holder.peer in here else places[seat % len(places)]
        for seat, holder in enumerate(holders)
    ]
    bots = tuple(
        holder.bot if holder.peer in here else holder.bot or roster.settings.bot
        for holder in holders
    )
    peers = tuple(
        Peer(
            roster.peers[place].public,
            roster.peers[place].name,
            tuple(seat for seat, taker in enumerate(takers) if taker == place),
            here[place][0],
        )
        for place in places
    )
    unoffered = replace(roster, table="", term=0, accepts=())
    return replace(unoffered, peers=peers, bots=bots, start=game.snapshot(table))


def continues(game: Game, old: Roster, history: list[Entry], new: Roster) -> bool:
    """Tell whether a roster is of a game that continues an old one, of which a history is known.

    It is if some of the same peers play the same game at the same seats from the public state of
    one of its round boundaries.
    """
    keys = [peer.public for peer in old.peers]
    places = [keys.index(peer.public) for peer in new.peers if peer.public in keys]
    if len(places) < len(new.peers) or places != sorted(places) or new.start is None:
        return False
    same = replace(new, peers=old.peers, bots=old.bots, start=old.start)
    if same != replace(old, table="", term=0, accepts=()):
        return False
    last = last_boundary(game, old, history) or 0
    starts = (boundary(game, old.header, history, number) for number in range(1, last + 1))
    return any(table is not None and game.snapshot(table) == new.start for table in starts)
