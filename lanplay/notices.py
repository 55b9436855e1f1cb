"""What the network's side tells in passing: who comes, goes, is missed and plays for whom."""

from __future__ import annotations

from lanplay.told import Sayings


class Notice(Sayings):
    """The notices by name; each is one sentence or more."""

    HOST_LEFT = ("{name}, the host, has left: looking for the next host of the table.",)
    HOST_LOST = (
        "{name}, the host, is not connected any more: looking for the next host of the table.",
    )
    OUT_SEALED = ("{name} is out: AI plays for it. Its hand stays closed unless you all agree.",)
    OUT_PLAY = (
        "{name} is out: AI plays for it, and soon sees its hand, as you all agreed before.",
    )
    OUT_PASS = ("{name} is out: nobody plays for it, and its hand stays closed.",)
    OPENED = (
        "{seat}: everybody has agreed. The AI {bot} on the laptop of {name} sees its hand now.",
    )
    ASKED_TO_OPEN = ("Let AI play the hand of {seats}? open agrees; without you it stays closed.",)
    IN_AGAIN = ("{name} takes its seats again.",)
    AI_PLAYS = ("{seat}: the AI {bot} on the laptop of {name} plays now.",)
    PERSON_PLAYS = ("{seat}: its person at the laptop of {name} plays now.",)
    MISSING = ("{name} is not connected; the game waits.",)
    MISSING_WHY = ("{name} is not connected ({why}); the game waits.",)
    NOBODY_PLAYS = ("{seat}: nobody plays; the laptop of {name} passes for it.",)
    MISSING_UNTIL_PASS = ("{name} is not connected; in {left} s nobody plays for it any more.",)
    MISSING_UNTIL = ("{name} is not connected; AI takes its seats in {left} s.",)
    MISSING_WHY_UNTIL = ("{name} is not connected ({why}); AI takes its seats in {left} s.",)
    HERE = ("{name} is here.",)
    REACHED = ("{name} is back.",)
    TOO_FEW = (
        (
            "Too few laptops are here to go on: the game waits for the others. It is kept, and "
            "lanplay resume goes on with it."
        ),
        (
            "If all who are here type anew, they continue as a new game, with AI in the other "
            "seats and all hidden cards dealt again."
        ),
    )
    UNKEPT = ("{name} can no longer keep the game on its disk.",)
    WILLING = ("{name} wants to continue without the others: anew agrees.",)
    ACCUSED = ("{name} broke the rules of the table: {why}",)
    CLOSED = ("The connection to {name} was closed. {why}",)
    OTHER_RULES = ("It was made with the rules {theirs}; with {ours} it plays the same.",)
    HELD = ("The game is held: {why}",)
    FORMING = ("The table has not started yet: waiting for it.",)
    ASKING = ("The connection is lost ({why}): asking another laptop.",)
    WATCHES = ("{name} watches.",)
    WATCHES_TOO = ("{name} watches. Watching now: {names}.",)
    WATCHES_NOT = ("{name} watches no longer. Watching now: {names}.",)
    NOBODY_WATCHES = ("{name} watches no longer. Nobody is watching now.",)


class Origin(Sayings):
    """Where the value of a setting comes from."""

    DEFAULT = ("default",)
    FLAG = ("flag {flag}",)
    VARIABLE = ("environment {variable}",)
    LINE = ("{path}, line {number}",)
