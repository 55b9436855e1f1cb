"""What the network's side tells in passing: who comes, goes, is missed and plays for whom."""

from __future__ import annotations

from lanplay.told import Sayings


class Notice(Sayings):
    """The notices by name; each is one sentence or more."""

    SAID = ("“{why}”",)
    HOST_LEFT = ("{name}, the host, has left: looking for the next host of the table.",)
    HOST_LOST = ("{name}, the host, is gone: looking for the next host of the table.",)
    OUT_SEALED = ("{name} is out: AI plays for it. Its hand stays closed unless you all agree.",)
    OUT_PLAY = (
        "{name} is out: AI plays for it, and soon sees its hand, as you all agreed before.",
    )
    OUT_PASS = ("{name} is out: nobody plays for it, and its hand stays closed.",)
    OPENED = (
        "{seat}: everybody has agreed. The AI {bot} on the laptop of {name} sees its hand now.",
    )
    ASKED_TO_OPEN = ("Let AI play the hand of {seats}? open agrees; without you it stays closed.",)
    SLOW = ("{name} is slow: its program did not send what it owes.",)
    IN_AGAIN = ("{name} is back, and takes its seats again.",)
    AGREEING = ("The game begins once all programs here agree; {names} has not answered yet.",)
    AI_PLAYS = ("{seat}: the AI {bot} on the laptop of {name} plays now.",)
    PERSON_PLAYS = ("{seat}: its person at the laptop of {name} plays now.",)
    MISSING = ("{name} is gone; the game waits.",)
    MISSING_WHY = ("{name} is gone ({why}); the game waits.",)
    NOBODY_PLAYS = ("{seat}: nobody plays; the laptop of {name} passes for it.",)
    MISSING_UNTIL_PASS = ("{name} is gone; in {left} s nobody plays for it any more.",)
    MISSING_UNTIL = ("{name} is gone; AI takes its seats in {left} s.",)
    MISSING_WHY_UNTIL = ("{name} is gone ({why}); AI takes its seats in {left} s.",)
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
    ACCUSED = ("{name} cheated: {why}",)
    CLOSED = ("The connection to {name} was closed. {why}",)
    OTHER_RULES = ("It was made with the rules {theirs}; with {ours} it plays the same.",)
    HELD = ("The game is held: {why}",)
    AT_THE_DOOR = ("Somebody at {address} wants to sit down, and cannot.", "{why}")
    FORMING = ("The table has not started yet: waiting for it.",)
    ASKING = ("The connection is lost ({why}): asking another laptop.",)
    WANTS_ON = ("{name} wants to go on: {votes} of {needed} people who end the pause.",)
    WATCHES = ("{name} watches.",)
    WATCHES_TOO = ("{name} watches. Watching now: {names}.",)
    WATCHES_NOT = ("{name} watches no longer. Watching now: {names}.",)
    NOBODY_WATCHES = ("{name} watches no longer. Nobody is watching now.",)


class Offered(Sayings):
    """What of an offered table is not as it was shown, by the name of the field."""

    GAME = ("the game",)
    RULES = ("the rules of the game",)
    OPTIONS = ("the options of the game",)
    NAMES = ("who sits where",)
    PEERS = ("which laptops play",)
    BOTS = ("the AI",)
    SETTINGS = ("the house rules",)
    START = ("where the game begins",)
    PROTOCOL = ("the version",)
    TABLE = ("which table it is",)
    TERM = ("a second offer",)
    FORM = ("it cannot be read",)


def part(field: str) -> Offered:
    """Return the part of a field, also of one that nobody knows."""
    return Offered.__members__.get(field.upper(), Offered.FORM)


class Origin(Sayings):
    """Where the value of a setting comes from."""

    DEFAULT = ("default",)
    FLAG = ("flag {flag}",)
    VARIABLE = ("environment {variable}",)
    LINE = ("{path}, line {number}",)
