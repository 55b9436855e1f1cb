"""What the network's side tells in passing: who comes, goes, is missed and plays for whom."""

from __future__ import annotations

from lanplay.told import Sayings


class Notice(Sayings):
    """The notices by name; each is one sentence or more."""

    SAID = ("“{why}”",)
    FROM_TABLE = ("From the table: {why}",)
    HOST_LEFT = ("{name}, the host, has left: the table goes on with another host.",)
    HOST_LOST = ("{name}, the host, is gone: the table goes on with another host.",)
    OUT = ("{name} is out: AI plays instead.",)
    OUT_PASS = ("{name} is out: nobody plays instead.",)
    OPENED = ("{seat}: everybody has agreed. The AI {bot} on {name}'s laptop sees the hand now.",)
    ASKED_TO_OPEN = (
        "The hand of {seats} stays closed unless everybody lets AI play it.",
        "{open:command}: let it.",
    )
    HOSTED = ("{name} plays through {laptop}'s laptop, which could see their dice and cards.",)
    PHONES_ELSEWHERE = ("Phones now connect to another address: {address}",)
    ASKS_SEAT = (
        "{name} asks for that seat with another phone.",
        "{admit:command}: let it in; {remove:command}: refuse it.",
    )
    LATE = ("The time for this reaction is over.",)
    IDLE = ("You have not answered for {seconds} s.",)
    HURRIED = ("Most others do not want to wait.",)
    PHONE_ASLEEP = ("{name}'s phone is asleep.",)
    SLOW = ("{name} is slow: their program has not sent what the others are waiting for.",)
    IN_AGAIN = ("{name} is back and plays on.",)
    AGREEING = ("The game begins once all programs agree. No answer yet from: {names}.",)
    AI_PLAYS_HERE = ("{name} is away: AI plays instead.",)
    AI_PLAYS = ("{seat}: the AI {bot} on {name}'s laptop plays now.",)
    ANSWERS_AGAIN = ("{name} answers again.",)
    PERSON_PLAYS = ("{seat}: a person at {name}'s laptop plays now.",)
    MISSING = ("{name} is gone; the game waits.",)
    NOT_HERE_YET = ("{name} is not here yet; the game waits.",)
    MISSING_WHY = ("{name} is gone; the game waits.", "{why}.")
    NOBODY_PLAYS = ("{seat}: nobody plays; {name}'s laptop passes instead.",)
    HERE = ("{name} is here.",)
    REACHED = ("{name} is back.",)
    TOO_FEW = (
        "Too few laptops are here to go on: the game waits for the others. It is kept.",
        (
            "If all who are here agree ({anew:command}), they continue as a new game, with AI in "
            "the other seats and all hidden cards dealt again."
        ),
    )
    KEPT = ("The game is kept.", "{lanplay resume:shell} goes on with it.")
    UNKEPT = ("{name} can no longer keep the game on its disk.",)
    WILLING = ("{name} wants to continue without the others.", "{anew:command}: agree.")
    ACCUSED = ("{name} cheated: {why}",)
    CLOSED = ("The connection to {name} was closed. {why}",)
    OTHER_RULES = ("It was made with the rules {theirs}; with {ours} it plays the same.",)
    HELD = ("The game is held: {why}",)
    AT_THE_DOOR = ("Somebody at {address} wants to sit down, and cannot.", "{why}")
    FORMING = ("The table has not started yet: you are waiting for it.",)
    ASKING = ("The connection is lost ({why}): asking another laptop.",)
    WAITS = ("{name} wants to wait for {who}.",)
    WAITS_NOT = (
        "{name} does not want to wait for {who}: {votes} of {needed} votes.",
        "{hurry:command}: agree.",
    )
    WAITS_NOT_TOLD = (WAITS_NOT[0],)
    WANTS_ON = ("{name} wants to go on: {votes} of {needed} people who end the pause.",)
    WATCHES = ("{name} is watching.",)
    WATCHES_TOO = ("{name} is watching. Watching now: {names}.",)
    WATCHES_NOT = ("{name} has stopped watching. Watching now: {names}.",)
    NOBODY_WATCHES = ("{name} has stopped watching. Nobody is watching now.",)


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
    PLACES = ("an address that its laptop has not signed",)
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
