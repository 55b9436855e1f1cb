"""Why a bot of Fliptown does what it does, in one sentence for every reason."""

from __future__ import annotations

from lanplay.games.fliptown.text import NOUNS
from lanplay.games.fliptown.text import WORDING as GAME
from lanplay.games.wording import Wording
from lanplay.language import N_

REASONS = {
    "site": N_("It brings most, now and later: {site}. For the poker hand: {card}."),
    "rob": N_("The robbery is worth its risk: {site}. For the poker hand: {card}."),
    "stone": N_("No place in reach brings more: {site}. For the poker hand: {card}."),
    "forgo": N_("Nothing in reach is worth its WANTED or its gold. For the poker hand: {card}."),
    "bonus": N_("The bonus action brings most here: {site}."),
    "bonus-rob": N_("The bonus robbery is worth its risk: {site}."),
    "chain": N_("In this order the rest of the turn brings most."),
    "end": N_("What is left brings less than it costs, or more later."),
    "bribe": N_("The arrest would cost more than {gold:gold}."),
    "bribe-not": N_("The arrest is expected to cost less than {gold:gold}."),
    "fine-cash": N_("The dollars are worth less than the stars."),
    "fine-stars": N_("The stars are worth less than the dollars."),
    "preach": N_("WANTED cost more at the arrest than a later use would save."),
    "preach-not": N_("Keep it for a round with more WANTED."),
    "cheat": N_("It pays enough to use the ability now: {rank}."),
    "cheat-not": N_("A later hand may gain more than this one: {rank}."),
    "redraw": N_("An own card may set you free."),
    "redraw-not": N_("An own card would hardly set you free."),
    "replace": N_("Three other cards promise clearly more."),
    "replace-not": N_("Other cards promise no more than these."),
}

WORDING = Wording(REASONS, NOUNS, GAME.shown)
word = WORDING.word
