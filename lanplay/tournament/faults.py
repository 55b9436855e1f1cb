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
        N_("No game is named."),
        N_("Name it and its entrants, for example: lanplay tournament dice-town random strong"),
    )
    ENTRANTS = (N_("A tournament needs two entrants at least."), N_("Name their bots."))
    TOO_FEW = (
        N_("{entrants} entrants cannot fill {seats:seats}."),
        N_(
            "Name more (the same bot may enter twice), take fewer --seats, or let one fill them "
            "with --schedule field."
        ),
    )
    TOO_MANY = (
        N_("{entrants} entrants make {tables} tables of {seats}, more than {most}."),
        N_("Try --schedule gauntlet or field, or fewer entrants."),
    )
    JOBS = (
        N_("{value} cannot be a number of jobs."),
        N_("Give --jobs auto or a number from 1 to 1024."),
    )
    SPRT_FORM = (
        N_("'{text}' is no test."),
        N_(
            "Write it like elo0=0,elo1=10 and, if you like, alpha=0.05,beta=0.05,a=1,b=2 (the "
            "numbers of two entrants)."
        ),
    )
    SPRT_ELO = (
        N_("The test's elo0 must be less than its elo1."),
        N_("Both lie between -2000 and 2000."),
    )
    SPRT_CHANCE = (
        N_("The test's alpha and beta are chances of a wrong answer."),
        N_("Give them a number between 0 and 0.5."),
    )
    SPRT_PAIR = (
        N_("The test is between two entrants."),
        N_("Give a and b two numbers from 1 to {count}."),
    )
    SPRT_APART = (
        N_("The entrants {a} and {b} never play against each other."),
        N_("Give --sprt others as a and b (in a field: a candidate and the last entrant)."),
    )
    RESUME_NAMED = (
        N_("--resume goes on with what its folder holds."),
        N_("Name no game and no bots with it."),
    )
    RESUME_FIXED = (
        N_("{option} cannot be changed once a run has begun."),
        N_("Leave it out, or begin another run in another folder, with --out."),
    )
    RESUME_LESS = (
        N_("The run in {folder} is to have {games} games already."),
        N_("Ask for more of them, or leave --games out."),
    )

    # the folder
    TAKEN = (
        N_("{folder} holds a tournament already."),
        N_(
            "Go on with it: lanplay tournament --resume {folder}. Or name another folder with "
            "--out."
        ),
    )
    IN_USE = (
        N_("Another lanplay plays the tournament in {folder}."),
        N_("Wait for it, or name another folder with --out."),
    )
    NO_TOURNAMENT = (N_("{folder} holds no tournament: it has no {file}."), N_("Check the name."))
    PLAN = (N_("{path} cannot be used ({why})."), _ELSEWHERE)
    RULES_VERSION = (
        N_("{folder} was played by rules {theirs} of {game}; this program has rules {ours}."),
        N_("Use the version of lanplay that began it, or start again."),
    )
    OTHER_COLUMNS = (N_("{path} has other columns than this program writes."), _ELSEWHERE)
    NO_GAMES = (N_("{path} is missing."), _ELSEWHERE)
    ALTERED = (N_("{path} was altered ({why})."), _ELSEWHERE)
    NOT_WRITTEN = (
        N_("The results cannot be written ({why})."),
        N_("Make room there. What was played is kept; go on with: {command}"),
    )
    NO_GAME_NUMBER = (
        N_("{folder} has no game {number}."),
        N_("Its games have the numbers from 1 to {games}."),
    )
    OTHER_END = (
        N_(
            "Game {number} of {folder} ends otherwise when it is played again: a bot has changed "
            "since, or answers by something other than what it sees."
        ),
        N_("Play it with the version that wrote it, or keep records with --records."),
    )

    # those who play
    NO_DASK = (
        N_("--scheduler needs Dask."),
        N_("Install it here and on all workers: {how}"),
    )
    NO_SCHEDULER = (
        N_("No Dask scheduler answers at {address} ({why})."),
        N_("Check the address, for example tcp://host:8786."),
    )
    NO_WORKERS = (
        N_("{address} has no workers yet."),
        N_("Start some there: dask worker {address} --nthreads 1"),
    )
    WORKERS_LACK = (
        N_("The workers of {address} cannot load lanplay ({why})."),
        N_("Install the same version of it there."),
    )
    WORKERS_VERSION = (
        N_("The workers of {address} run lanplay {theirs}, this is lanplay {ours}."),
        N_("Install the same version there."),
    )
    WORKERS_DIE = (
        N_("Workers died {times} times in a row ({why})."),
        N_("Is the memory full? Try fewer --jobs; what was played is kept."),
    )
