"""What the network's side tells in passing: who comes, goes, is missed and plays for whom."""

from __future__ import annotations

from lanplay.language import N_
from lanplay.told import Sayings


class Notice(Sayings):
    """The notices by name; each is one sentence or more."""

    HOST_LEFT = (N_("{name}, the host, has left: looking for the next host of the table."),)
    HOST_LOST = (
        N_("{name}, the host, is not connected any more: looking for the next host of the table."),
    )
    OUT = (N_("{name} is out; AI takes its seats."),)
    IN_AGAIN = (N_("{name} takes its seats again."),)
    AI_PLAYS = (N_("{seat}: the AI {bot} on the laptop of {name} plays now."),)
    PERSON_PLAYS = (N_("{seat}: its person at the laptop of {name} plays now."),)
    MISSING = (N_("{name} is not connected; the game waits."),)
    MISSING_WHY = (N_("{name} is not connected ({why}); the game waits."),)
    MISSING_UNTIL = (N_("{name} is not connected; AI takes its seats in {left} s."),)
    MISSING_WHY_UNTIL = (N_("{name} is not connected ({why}); AI takes its seats in {left} s."),)
    HERE = (N_("{name} is here."),)
    REACHED = (N_("{name} is back."),)
    TOO_FEW = (
        N_(
            "Too few laptops are here to go on: the game waits for the others. It is kept, and "
            "lanplay resume goes on with it."
        ),
        N_(
            "If all who are here type anew, they continue as a new game, with AI in the other "
            "seats and all hidden cards dealt again."
        ),
    )
    UNKEPT = (N_("{name} can no longer keep the game on its disk."),)
    WILLING = (N_("{name} wants to continue without the others: anew agrees."),)
    ACCUSED = (N_("{name} broke the rules of the table: {why}"),)
    CLOSED = (N_("The connection to {name} was closed. {why}"),)
    OTHER_RULES = (N_("It was made with the rules {theirs}; with {ours} it plays the same."),)
    HELD = (N_("The game is held: {why}"),)
    FORMING = (N_("The table has not started yet: waiting for it."),)
    ASKING = (N_("The connection is lost ({why}): asking another laptop."),)
    WATCHES = (N_("{name} watches."),)
    WATCHES_TOO = (N_("{name} watches. Watching now: {names}."),)
    WATCHES_NOT = (N_("{name} watches no longer. Watching now: {names}."),)
    NOBODY_WATCHES = (N_("{name} watches no longer. Nobody is watching now."),)


class Origin(Sayings):
    """Where the value of a setting comes from."""

    DEFAULT = (N_("default"),)
    FLAG = (N_("flag {flag}"),)
    VARIABLE = (N_("environment {variable}"),)
    LINE = (N_("{path}, line {number}"),)
