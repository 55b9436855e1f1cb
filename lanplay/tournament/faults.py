"""What can be wrong with a tournament asked for: cause and next step (see ``lanplay.errors``)."""

from __future__ import annotations

from typing import Final

from lanplay.language import N_
from lanplay.told import Sayings

_ELSEWHERE: Final = N_("Start again in another folder, with --out.")


class Wrong(Sayings):
    """The faults by name: cause, next step."""

    # what was asked for
    NO_GAME_NAMED = (
        "No game is named.",
        "Name it and its entrants, for example: lanplay tournament dice-town random strong",
    )
    ENTRANTS = ("A tournament needs at least two entrants.", "Name their bots.")
    TOO_FEW = (
        "{entrants} entrants cannot fill {seats:seats}.",
        (
            "Name more (the same bot may enter twice), take fewer --seats, or let one fill them "
            "with --schedule field."
        ),
    )
    TOO_MANY = (
        "{entrants} entrants make {tables} tables of {seats}, more than {most}.",
        "Try --schedule gauntlet or field, or fewer entrants.",
    )
    JOBS = ("{value} cannot be a number of jobs.", "Give --jobs auto or a number from 1 to 1024.")
    SPRT_FORM = (
        "'{text}' is not a test.",
        (
            "Write it like elo0=0,elo1=10 and, if you like, alpha=0.05,beta=0.05,a=1,b=2 (the "
            "numbers of two entrants)."
        ),
    )
    SPRT_ELO = (
        "The test's elo0 must be less than its elo1.",
        "Both must lie between -2000 and 2000.",
    )
    SPRT_CHANCE = (
        "The test's alpha and beta are chances of a wrong answer.",
        "Give them a number between 0 and 0.5.",
    )
    SPRT_PAIR = ("The test is between two entrants.", "Give a and b two numbers from 1 to {count}.")
    SPRT_APART = (
        "The entrants {a} and {b} never play against each other.",
        "Give --sprt others as a and b (in a field: a candidate and the last entrant).",
    )
    RESUME_NAMED = (
        "--resume goes on with what its folder holds.",
        "Do not name a game or bots with it.",
    )
    RESUME_FIXED = (
        "{option} cannot be changed once a run has begun.",
        "Leave it out, or begin another run in another folder, with --out.",
    )
    RESUME_LESS = (
        "The run in {folder} already has {games} games to play.",
        "Ask for more of them, or leave --games out.",
    )

    # the folder
    TAKEN = (
        "{folder} holds a tournament already.",
        "Name another folder (--out; with merge the first one), or go on with it: {command}",
    )
    IN_USE = (
        "Another lanplay is playing the tournament in {folder}.",
        "Wait for it, or name another folder with --out.",
    )
    NO_TOURNAMENT = ("{folder} holds no tournament: it has no {file}.", "Check the name.")
    PLAN = ("{path} cannot be used ({why}).", _ELSEWHERE)
    OTHER_VERSION = (
        "The run in {folder} was begun by another version of lanplay, by the rules {theirs}.",
        "Use the version of lanplay that began it, or start again.",
    )
    RULES_VERSION = (
        "{folder} was played by the rules {theirs}; this program has {ours}.",
        "Use the version of lanplay, or of the game's package, that wrote it.",
    )
    BOT_VERSION = (
        "The run was begun with another {bot} ('{theirs}') than the one here ('{ours}').",
        "Use the one that began it, or start again in another folder, with --out.",
    )
    BOT_CHANGED = (
        "{bot} was changed while its games were played: which of them are the new one's is "
        "not known.",
        "Play them again in another folder, with --out.",
    )
    PROGRAMS = (
        "The tournament in {folder} was begun elsewhere, and its bots are programs: {bots}.",
        "If you trust them, say so once: {command} --trusted",
    )
    NO_SEED = (
        "The seed of {folder} is not known here: it is revealed once all games are played.",
        "Go on in the folder where the run was begun, or with its --data.",
    )
    OTHER_COLUMNS = ("{path} does not begin with the columns that this program writes.", _ELSEWHERE)
    NO_GAMES = ("{path} is missing.", _ELSEWHERE)
    ALTERED_FROM = (
        "{path} was altered: from line {line} on it is not what was written there.",
        "Delete these lines and go on with: {command}",
    )
    NOT_WRITTEN = (
        "The results cannot be written ({why}).",
        "Make room there. What was played is kept; go on with: {command}",
    )
    NO_GAME_NUMBER = (
        "{folder} has no game {number}.",
        "Its games are numbered from {first} to {last}.",
    )
    OTHER_END = (
        (
            "Game {number} of {folder} ends differently when it is played again: a bot has changed "
            "since, or answers by something other than what it sees."
        ),
        "Play it with the version that wrote it, or keep records with --records.",
    )

    # its parts
    SHARD_FORM = (
        "'{text}' is not a part of a run.",
        "Write it like 3/8: the third of eight parts.",
    )
    SHARD_SPRT = (
        "A sequential test cannot be played in parts: when it ends depends on all games before.",
        "Leave --sprt or --shard out.",
    )
    SHARD_SEED = (
        "All parts of a run need the same seed; with bots from outside it must be one that "
        "cannot be guessed.",
        "Give all of them this one: --seed {seed}",
    )
    SHARD_OTHER = (
        "{folder} and {other} are not parts of the same run: they differ in {what}.",
        "Name the folders of a single run.",
    )
    SHARD_NONE = ("{folder} holds a whole run, not a part of one.", "Name the folders of parts.")
    SHARD_TWICE = ("{folder} and {other} are the same part: {part}.", "Name each part once.")
    SHARD_MISSING = ("These parts are missing: {parts}.", "Play them, and name their folders too.")
    SHARD_OPEN = (
        "{folder} is not played to its end: {games} of {of} games.",
        "Go on with it first: {command}",
    )

    # those who play
    NO_DASK = ("--scheduler needs Dask.", "Install it here and on all workers: {how}")
    NO_SCHEDULER = (
        "No Dask scheduler answers at {address} ({why}).",
        "Check the address, for example tcp://host:8786.",
    )
    NO_WORKERS = (
        "{address} has no workers yet.",
        "Start some there: dask worker {address} --nthreads 1",
    )
    WORKERS_LACK = (
        "The workers of {address} cannot load lanplay ({why}).",
        "Install the same version of it there.",
    )
    WORKERS_VERSION = (
        "The workers of {address} run lanplay {theirs}, this is lanplay {ours}.",
        "Install the same version there.",
    )
    WORKERS_DIE = (
        "Workers died {times} times in a row ({why}).",
        "Is the memory full? What was played is kept; go on with fewer --jobs: {command}",
    )
