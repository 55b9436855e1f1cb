"""Which phase a request needs now; what needs no message is settled at once."""

from __future__ import annotations

from lanplay.engine.requests import (
    At,
    Choose,
    ClaimRefuted,
    Deal,
    Mix,
    OpenRoll,
    Request,
    Roll,
    Show,
    Shuffle,
    Uncover,
)
from lanplay_protocol.errors import Code
from lanplay_protocol.replica.choices import CommitPhase, OpenAnswers
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.handover import handover_first
from lanplay_protocol.replica.phases import Phase
from lanplay_protocol.replica.reveals import DealCards, Entropy, RevealCards, RevealDice
from lanplay_protocol.replica.roster import UNSIGNED
from lanplay_protocol.replica.shuffling import MixPiles, first_turn


def next_phase(context: Context) -> Phase | None:
    """Run the rules to the next point that needs messages: after the last one all sign the end.

    ``None`` when a game of protocol 2 is over, which nobody signed.
    """
    while (request := context.referee.request) is not None:
        phase = _phase(context, request)
        if phase is not None:
            return phase
    return Final(context) if context.roster.protocol > UNSIGNED else None


def _phase(context: Context, request: Request) -> Phase | None:
    match request:
        case Choose() if blind := context.cups.blind(request):
            return handover_first(context, blind)
        case Choose():
            holders = {context.seating.holders[seat].peer for seat in request.questions}
            return (CommitPhase if len(holders) > 1 else OpenAnswers)(context, request)
        case Roll() | OpenRoll():
            return _chance(context, request, request.at)
        case Uncover():
            return _uncover(context, request)
        case Shuffle():
            return first_turn(context, request)
        case Mix():
            return MixPiles(context, request)
        case Deal():
            return _deal(context, request)
        case Show():
            return _show(context, request)
        case ClaimRefuted():
            _catch(context, request)
    context.referee.passed()
    return None


def _deal(context: Context, request: Deal) -> Phase | None:
    if not context.is_sealed(request.seat, context.seating.holders[request.seat].peer):
        return DealCards(context, request)
    context.deck.learn(request.seat, request.cards)  # its owner is told of them once it is back
    context.referee.passed()
    return None


def _chance(context: Context, request: Roll | OpenRoll, at: At) -> Phase | None:
    if at not in context.entropy:
        return Entropy(context, at)
    if isinstance(request, Roll):
        context.cups.roll(request)
        context.referee.passed()
    else:
        context.referee.rolled(context.cups.open_roll(request))
    return None


def _uncover(context: Context, request: Uncover) -> Phase | None:
    phase = RevealDice(context, request)
    if phase.needs:
        return phase
    shown = context.cups.shown
    context.referee.uncovered(
        {s: tuple(shown[s, place] for place in places) for s, places in request.dice.items()}
    )
    return None


def _show(context: Context, request: Show) -> Phase | None:
    if request.cards:
        return RevealCards(context, request)
    context.referee.shown(())
    return None


def _catch(context: Context, claim: ClaimRefuted) -> None:
    """Name who made a false claim: the author of the answer, whoever holds the seat by now.

    Where any earlier answer may have been it, nobody if several peers have held the seat.
    """
    seat = claim.seat
    suspects = {context.answered_by[seat]} if claim.last else context.seating.ever[seat]
    if len(suspects) == 1:
        text = f"{claim.rule}: seat {seat} claimed what its cards do not show"
        context.late_violations[min(suspects)] = (Code.FALSE_CLAIM, text)
