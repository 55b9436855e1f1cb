"""Every error that a person can meet: what happened, and what to do about it.

An error is raised with its fault and its values, ``raise UserError(Fault.NO_RULE, wanted=text)``,
and is worded, in the reader's language, where it is shown. What another laptop tells crosses the
network as the fault's name with its values. The faults of tournaments alone stand, in the same way,
in ``lanplay.tournament.faults``.

A fault is a cause and a next step, each a whole sentence (or more) that fits whatever its values
are; they are marked for the catalogs with ``N_``. To add one, add it here, run
``scripts/catalogs.py update`` and translate it.
"""

from __future__ import annotations

from typing import Final

from lanplay.language import N_
from lanplay.told import Sayings, Told, worded

_JOIN_ANOTHER: Final = N_(
    "Join another table (lanplay tables shows all), or open one with lanplay host."
)
_SAME_VERSION: Final = N_("Use the same version of lanplay on all laptops.")
_CHECK_NETWORK: Final = N_("Check the address, the Wi-Fi and firewalls.")
_COPY_AGAIN: Final = N_("Copy it again from where it was written.")
_BY_ADDRESS: Final = N_("A table can still be joined by address: lanplay join HOST:PORT.")
_MOVE_AWAY: Final = N_("It is not needed: move it away.")
_DAMAGED: Final = N_(
    "What comes before the damage goes on: the table lets an AI play for you, then you take your "
    "seat again."
)
_RULES_BROKEN: Final = N_("Somebody's program is modified or broken: compare the words again.")
_TRY_AGAIN: Final = N_("Try again; if it stays so, use the same version on all laptops.")


class Fault(Sayings):
    """The faults by name: cause, next step."""

    # the program itself
    FOREIGN_PART = (
        N_("Python takes the package {package} from {path}, which is no part of this lanplay."),
        N_("Uninstall or rename that one, or take its folder out of PYTHONPATH."),
    )
    MISSING_PART = (
        N_("The package {package}, a part of lanplay, is missing here."),
        N_("Install lanplay again, as its README says."),
    )

    # what was asked for
    NO_GAME = (N_("There is no game '{game}' here."), N_("The games are: {known}."))
    GAME_TWICE = (
        N_("Several packages bring a game '{game}': {packages}."),
        N_("Uninstall all of them but one."),
    )
    GAME_UNUSABLE = (
        N_("The game {game} of the package {package} cannot be used: {why}."),
        N_("Mend or remove the package, or choose another game."),
    )
    NO_GAME_NAME = (
        N_("'{name}' is no name for a game."),
        N_("Use small letters, digits and hyphens, for example liars-dice."),
    )
    GAME_NAME_TAKEN = (
        N_("There is a game '{name}' already, or a folder {folder}."),
        N_("Choose another name, or remove the folder."),
    )
    SEATS = (
        N_("{game} is for {least} to {most} seats, not {seats}."),
        N_("Choose another number of seats."),
    )
    NO_OPTION = (N_("{game} has no option '{option}'."), N_("Its options are: {known}."))
    OPTION_VALUE = (
        N_("The option {option} of {game} cannot be '{value}'."),
        N_("It is one of: {known}."),
    )
    OPTION_FORM = (N_("'{pair}' is no option."), N_("Write it as NAME=VALUE."))
    NO_BOT = (N_("There is no bot '{bot}' for {game}."), N_("The bots are: {known}."))
    NO_BOT_ANYWHERE = (N_("There is no bot '{bot}'."), N_("The bots are: {known}."))
    BOT_UNUSABLE = (
        N_("The bot {bot} cannot be used: {why}."),
        N_("Mend or remove what brings it, or choose another bot."),
    )
    SEED = (
        N_("{seed} cannot be a seed."),
        N_("Give --seed a whole number from 0 on."),
    )
    GAMES = (
        N_("There must be at least one game, not {count}."),
        N_("Give --games a number from 1 on."),
    )
    LINE_UP = (
        N_("{bots:bots} cannot fill {seats:seats}."),
        N_("Name one bot for all seats, or one for each."),
    )
    PEOPLE = (
        N_("{people:people} cannot sit at a table of {seats:seats}."),
        N_("Give --people a number from 1 to {seats}."),
    )
    PEERS = (
        N_("{peers} processes cannot share {seats:seats}."),
        N_("Give --peers a number from 1 to {seats}."),
    )
    SECONDS = (
        N_("{flag} cannot be {value}."),
        N_("Give a number of seconds from 0 (for ever) to {most}."),
    )
    NO_COMMAND = (N_("'{line}' is no command of this table."), N_("Type help for all commands."))
    SEAT_FORM = (N_("'{seat}' is no seat."), N_("Seats are numbers from 1 on."))

    # the rules pages
    NO_PAGES = (
        N_("The rules pages are missing from this copy of lanplay."),
        N_("It was probably not copied as a whole: clone or install it again."),
    )
    NO_RULE = (
        N_("No rule matches '{wanted}'."),
        N_("Give a number such as DT-2.3, a word of the text, or nothing for the whole page."),
    )

    # files
    CANNOT_OPEN = (
        N_("{path} cannot be opened ({why})."),
        N_("Check the name, and whether your account may read it."),
    )
    IN_FILE = (
        N_("The file {path} cannot be used. {why}"),
        N_("Use another copy of it, or another file."),
    )
    NOT_KEPT = (
        N_("The record was not kept: {path}: {why}."),
        N_("Make room there, or name another file with --record."),
    )
    SEEN_NOT_KEPT = (
        N_("What your seats alone have seen was not kept: {path}: {why}."),
        N_("The record is there, and shows the game as everybody saw it."),
    )
    DISK = (
        N_("{path} cannot be used ({why})."),
        N_("Make room there, let your account write there, or use another place."),
    )
    OUTPUT = (
        N_("The output cannot be written ({why})."),
        N_("Make room where it goes, or send it elsewhere."),
    )
    NO_RECORD = (
        N_("This is no record of lanplay in format 1."),
        N_("Was it made by another program? Records end in .lanplay."),
    )
    RECORD_ALTERED = (
        N_("The record is cut short or was altered: its checksum does not match."),
        _COPY_AGAIN,
    )
    RECORD_FIELDS = (N_("The record lacks a field or has a wrong one ({why})."), _COPY_AGAIN)
    RECORD_VERSION = (
        N_("The record is of {game}, rules {theirs}; this program plays rules {ours}."),
        N_("Use the version of lanplay that wrote it."),
    )
    RECORD_TABLE = (N_("The record's table cannot be: {why}"), _COPY_AGAIN)
    RECORD_BREAKS = (
        N_("The record breaks the rules at answer {number}: {why}."),
        N_("Do not trust it; ask another player for theirs."),
    )
    RECORD_UNENDED = (N_("The record does not end where its game ends."), _COPY_AGAIN)
    RECORD_STATE = (N_("The record does not lead to the state that it claims."), _COPY_AGAIN)
    RECORD_UNSIGNED = (
        N_("The record is not of a game between peers: there is nothing to verify."),
        N_("lanplay replay checks and shows it."),
    )
    NO_IDENTITY = (
        N_("{path} is no identity of lanplay: it does not hold {size} bytes."),
        N_(
            "Put the right file back, or move it away to get a new identity; "
            "the others will be warned of that."
        ),
    )
    IDENTITY_PATH = (
        N_("This run has an identity of its own: {path} cannot be used ({why})."),
        N_("Let your account write there, or name another folder with --data."),
    )
    IDENTITY_IN_USE = (
        N_("This run has an identity of its own: another lanplay on this machine uses yours."),
        N_("End the other one to be known to the others as yourself."),
    )
    KNOWN_DAMAGED = (
        N_("{path} cannot be read ({why})."),
        N_("Mend it, or move it away: then everybody is new to this program again."),
    )
    KNOWN_NOT_KEPT = (
        N_("The keys of this table were not kept: {path}: {why}."),
        N_("Make room on the disk; else the same people are new to this program next time."),
    )
    LOG = (
        N_("The log cannot be written: {path}: {why}."),
        N_("Name another file with --log, LANPLAY_LOG or the key log of the settings."),
    )

    # the person
    INPUT_ENDED = (
        N_("The input has ended before the game."),
        N_("Answer the questions on standard input, or let a bot answer with --auto."),
    )
    LEFT_GAME = (N_("You have left the game."), N_("lanplay resume takes your seat back."))
    LEFT_WATCHING = (
        N_("You have stopped watching."),
        N_("The game goes on: lanplay watch shows it again."),
    )
    LEFT_TABLE = (N_("You have left the table."), N_("lanplay join looks for open tables."))
    NOBODY_STARTS = (
        N_("Standard input has ended, so nobody can start this table."),
        N_("Say with --people N that it is to start when N people sit at it."),
    )
    NOTHING_BEGUN = (
        N_("Nothing was begun. The game stays kept."),
        N_("lanplay resume goes on with it."),
    )

    # finding a table and sitting down
    PORT_TAKEN = (
        N_("Port {port} cannot be used ({why})."),
        N_("Another program may use it: choose another one with --port."),
    )
    ADDRESS_FORM = (
        N_("'{text}' is no address."),
        N_(
            "After the colon a port is needed, a number from 1 to 65535. An IPv6 address stands in "
            "brackets: [ADDRESS]:PORT."
        ),
    )
    NO_TABLE = (
        N_("No open table was found on this network."),
        N_(
            "Is the other laptop in the same Wi-Fi (not a guest network)? A firewall or macOS's "
            "Local Network permission may block discovery: then use lanplay join HOST:PORT with "
            "what the host's screen shows."
        ),
    )
    NO_SEAT_FREE = (
        N_("No seat was found. {why}"),
        N_("lanplay tables shows all tables; lanplay host opens one."),
    )
    NOTHING_TO_WATCH = (
        N_("No table to watch was found on this network."),
        N_(
            "A firewall or macOS's Local Network permission may block discovery: then use lanplay "
            "watch HOST:PORT with what a player's screen shows."
        ),
    )
    UNREACHABLE = (N_("The table cannot be reached: {why}."), _CHECK_NETWORK)
    CANNOT_JOIN = (
        N_("The table cannot be joined: {why}."),
        N_("lanplay tables shows all tables; lanplay host opens one."),
    )
    SEAT_LOST = (
        N_("You no longer sit at the table: {why}."),
        N_("lanplay tables shows all tables; lanplay host opens one."),
    )
    CANNOT_WATCH = (
        N_("The table cannot be watched: {why}."),
        N_("lanplay tables shows all tables."),
    )
    CANNOT_PLAY = (N_("The table cannot be played. {why}"), _SAME_VERSION)
    RULES_VERSION = (
        N_("The table plays {game}, rules {theirs}; this program plays rules {ours}."),
        _SAME_VERSION,
    )
    CANNOT_HOST = (
        N_("This program cannot host the table. {why}"),
        N_("Install the same bots on all laptops, or join another table."),
    )
    STRANGERS = (
        N_("{names}: new to this program, and nobody is here to compare the words of the table."),
        N_("Use --trust-new to trust new keys, or a table password."),
    )
    OTHER_KEY = (
        N_(
            "WARNING: {names} had another key the last time. Either a new installation, or "
            "somebody who pretends to be them."
        ),
        N_("Compare the words with them, aloud, before you say yes."),
    )
    OTHER_KEY_WATCHED = (
        N_("WARNING: {names} had another key the last time: this may be somebody else."),
        N_("Compare the words with those on their screens."),
    )

    # going on with a game
    NO_KEPT_GAME = (
        N_("There is no game to go on with."),
        N_("lanplay join looks for open tables."),
    )
    OTHER_IDENTITY = (
        N_("{path}: this game was played with another identity."),
        N_(
            "Is lanplay still running somewhere on this machine? End it, or give the right folder "
            "with --data."
        ),
    )
    JOURNAL_DAMAGED = (N_("{path}: it was changed or damaged at byte {at}."), _DAMAGED)
    JOURNAL_EMPTY = (N_("{path}: it holds no game."), _MOVE_AWAY)
    JOURNAL_VERSION = (
        N_("{path}: it is of another version of lanplay ({why})."),
        N_("Use the version that began the game, or move the file away."),
    )
    JOURNAL_ASIDE = (
        N_("{path}: it was changed or damaged at byte {at}. It is kept as {aside}."),
        _DAMAGED,
    )
    CANNOT_FORGET = (
        N_("{path}: it cannot be forgotten ({why})."),
        N_("Check whether your account may delete it."),
    )
    GAME_NOT_KEPT = (
        N_("The game cannot be kept in {path} ({why}): it is played in memory."),
        N_("Make room on the disk before the next game."),
    )
    JOURNAL_LOST = (
        N_("The game can no longer be kept in {path} ({why})."),
        N_("After a crash you could only watch: keep this program running."),
    )
    JOURNAL_STALE = (
        N_("The game can no longer be kept in {path} ({why})."),
        N_("After a crash an AI takes your seat until you come back with lanplay resume."),
    )

    JOURNAL_LEFT = (
        N_("{path} cannot be closed or deleted ({why})."),
        N_("If its game is over, forget it: lanplay resume --forget {path}"),
    )

    # the table's password
    PASSWORD_FILE = (
        N_("The password cannot be read from {path}: {why}."),
        N_("Name a text file in UTF-8 with --password-file."),
    )
    PASSWORD_NEEDED = (
        N_("This table has a password."),
        N_("Give it with --password-file FILE (-: standard input)."),
    )
    PASSWORD_LENGTH = (
        N_("A table password has 1 to {most} characters."),
        N_("Choose another."),
    )
    PASSWORD_TEXT = (
        N_("A table password must be valid Unicode text."),
        N_("Choose another."),
    )
    PASSWORD_WRONG = (
        N_("The table passwords are not the same."),
        N_("Ask the host for the password and type it as it is."),
    )
    PASSWORD_ATTEMPTS = (
        N_("There were too many wrong passwords."),
        N_("Try again in {wait:seconds}."),
    )

    # the forming table
    SENT_AWAY = (N_("{host} has sent you away from table '{table}' for good."), _JOIN_ANOTHER)
    TABLE_PLAYS = (
        N_("Table '{table}' has begun to play without you."),
        N_("Wait for its next game."),
    )
    TABLE_LOCKED = (
        N_("Table '{table}' is locked."),
        N_("Ask {host} to unlock it, join another table, or open one with lanplay host."),
    )
    TABLE_FULL = (
        N_("Table '{table}' is full, no seat is free (of {seats})."),
        _JOIN_ANOTHER,
    )
    NAME_TAKEN = (
        N_("The name '{name}' could be taken for '{taken}', who sits at this table."),
        N_("Take another one: --name NAME."),
    )
    TABLE_KEPT = (
        N_("The seats of table '{table}' are kept for who played there before: {names}."),
        N_("{host} can free one: kick NAME. Or join another table: lanplay tables shows all."),
    )
    ORPHANED = (N_("The host, {host}, has gone and nobody else sits at the table."), _JOIN_ANOTHER)
    HOST_CLOSED = (N_("The host has closed the table."), _JOIN_ANOTHER)
    HOST_THERE = (N_("The table still has its host."), N_("Use lanplay join {address}."))
    BEGUN_WITHOUT = (N_("The host began the game without this program."), _JOIN_ANOTHER)
    KICK_SELF = (N_("You cannot kick yourself."), N_("q leaves the table."))
    NO_GUEST = (N_("No guest is called '{name}'."), N_("The guests are: {known}."))
    NO_GUESTS = (N_("No guest is called '{name}'."), N_("Nobody has come yet: wait for guests."))
    LOCKED_ALREADY = (N_("The table is locked already."), N_("unlock takes guests again."))
    NOT_LOCKED = (N_("The table is not locked."), N_("lock takes no more guests."))
    SAME_SEATS = (
        N_("A seat cannot change places with itself: two are needed."),
        N_("For example: move 1 3."),
    )
    OWN_SEAT = (
        N_("Seat {seat} is your own."),
        N_("move {seat} SEAT gives you another one."),
    )
    SEAT_TAKEN = (
        N_("On seat {seat} sits {name}."),
        N_("Name another seat, or type: kick {name}."),
    )
    NO_SEAT = (N_("There is no seat {seat}."), N_("The seats are 1 to {seats}."))
    SEATS_FREE = (N_("Free seats: {count}."), N_("Fill them with AI, or wait."))
    SEATS_KEPT = (
        N_("Seats are kept for who played before and is not back yet: {names}."),
        N_("Wait for them; start once more begins with AI there."),
    )
    GUESTS_AWAITED = (N_("Guests still on their way: {count}."), N_("Wait for them."))

    # watching
    WATCH_SEATED = (
        N_("This table is playing, and you do not sit at it."),
        N_("lanplay watch shows the game."),
    )
    WATCH_FORBIDDEN = (
        N_("Nobody may watch this table: its host said so."),
        N_("Ask its host, or watch another table."),
    )
    WATCH_SHUT = (
        N_(
            "This laptop came back to its game and was not told the table's password, so that it "
            "cannot check yours."
        ),
        N_("Watch at another laptop of the table."),
    )
    WATCH_OWN = (
        N_("You have a seat at this table."),
        N_("lanplay resume takes it again."),
    )
    WATCH_FULL = (N_("Too many watch here already."), N_("Ask another player for an address."))
    GAME_OVER = (N_("The game is over."), N_("lanplay watch looks for another table."))
    GAME_ANEW = (N_("The game goes on as a new one."), N_("Start lanplay watch again to see it."))
    GAME_HELD = (N_("The game is held: {why}"), N_("lanplay verify checks the record."))
    PROOFS_FULL = (
        N_("Too many prove the password now."),
        N_("Try again in a moment."),
    )
    WATCH_GONE = (
        N_("No laptop shows the game any more ({why})."),
        N_("lanplay watch looks for another table."),
    )
    WATCH_OTHER = (
        N_("The table plays another game now."),
        N_("Start lanplay watch again to see it."),
    )

    # links between laptops
    NO_ANSWER = (N_("No answer came in time."), _CHECK_NETWORK)
    NO_ADDRESS = (N_("No address is known."), _CHECK_NETWORK)
    SILENT_AT = (N_("{address} does not answer ({why})."), _CHECK_NETWORK)
    ANOTHER_PROGRAM = (N_("Another program was meant."), _CHECK_NETWORK)
    ITSELF = (N_("This program called itself."), N_("Give the address of the other laptop."))
    LINK_BROKEN = (N_("The connection broke."), _CHECK_NETWORK)
    LINK_CLOSED = (N_("The connection has ended."), _CHECK_NETWORK)
    LINK_SILENT = (N_("There was no sign of life for {wait:seconds}."), _CHECK_NETWORK)
    LINK_SLOW = (N_("It reads too slowly."), _CHECK_NETWORK)
    HANDSHAKE = (N_("There was no answer within {wait:seconds}."), _CHECK_NETWORK)
    LINK_MOVED = (N_("This laptop's network address is gone."), _CHECK_NETWORK)
    LINK_CROWD = (
        N_("Too many programs are connected."),
        N_("Wait a moment and try again."),
    )
    NO_GREETING = (
        N_("No lanplay answers there."),
        N_("Check the address: the host's screen shows it."),
    )
    VERSIONS = (
        N_("This program is {ours}, the other one {theirs}."),
        _SAME_VERSION,
    )

    # what a peer's program did wrong, by the code that is sent along
    MALFORMED = (N_("It sent what cannot be read ({detail})."), _SAME_VERSION)
    OVERSIZED = (N_("It sent too much ({detail})."), _SAME_VERSION)
    UNEXPECTED = (N_("It sent what nobody had asked for ({detail})."), _TRY_AGAIN)
    VERSION = (N_("It is of another version ({detail})."), _SAME_VERSION)
    BAD_SIGNATURE = (N_("It sent what it had not signed ({detail})."), _RULES_BROKEN)
    BAD_PROOF = (N_("It sent a proof that does not hold ({detail})."), _RULES_BROKEN)
    BAD_OPENING = (N_("It opened other than what it had sealed ({detail})."), _RULES_BROKEN)
    ILLEGAL_ANSWER = (N_("It gave an answer that the rules forbid ({detail})."), _RULES_BROKEN)
    FALSE_CLAIM = (N_("It claimed what its cards do not show ({detail})."), _RULES_BROKEN)
    EQUIVOCATION = (N_("It told one this and another that ({detail})."), _RULES_BROKEN)
    DIVERGED = (N_("It came to another state of the game ({detail})."), _SAME_VERSION)
    WITHHOLDS = (N_("It keeps back what it owes ({detail})."), _TRY_AGAIN)

    # a game that is held
    NO_MAJORITY = (
        N_("The peers disagree, and no majority of them agrees on anything."),
        N_("Keep the record and compare: lanplay verify names who is at fault."),
    )
    NOT_AGREED = (
        N_("The peers do not agree who sits at this table, or somebody does not answer."),
        N_("Open a new table."),
    )
    TWO_LINES = (
        N_(
            "There are two lines of this game, as {names} voted for two different cuts in the "
            "place of cut {number}."
        ),
        N_("Agree which one to keep, and go on with it on the laptops that have it."),
    )
    LEFT_EARLY = (N_("{names} left before the game began."), N_("Open a new table."))
    WAS_CLOSED = (
        N_("The connection to {name} was closed: {why}"),
        N_("lanplay verify checks the record."),
    )
    ENOUGH_HERE = (
        N_("Enough are here, or AI is about to take the missing seats."),
        N_("Wait."),
    )
    ALONE = (
        N_("You play alone with AI: nobody hears you, and nothing runs out."),
        N_("lanplay host opens a table for others."),
    )
    NO_ROUND = (N_("No round has begun yet."), N_("Open a new table instead."))
    SAY_WHAT = (N_("There is nothing to say."), N_("For example: say hello."))
    SAY_LONG = (N_("That is too long."), N_("Say at most {most} characters at once."))
    SAY_FAST = (N_("That is too fast."), N_("Wait a moment."))
    SAY_UNHEARD = (
        N_("Nobody hears you: there is no connection to the table now."),
        N_("Wait until there is one again."),
    )
    PAUSED_ALREADY = (N_("You have paused the game already."), N_("go lets it go on."))
    NOT_PAUSED = (N_("The game is not paused."), N_("pause lets the clocks stand still."))
    NOBODY_CALLED = (N_("Nobody here is called '{name}'."), N_("Here are: {known}."))

    # discovery
    DISCOVERY_SHUT = (
        N_(
            "Tables cannot be discovered: {why}. Perhaps another program holds UDP port 5353 for "
            "itself, or a firewall forbids it."
        ),
        _BY_ADDRESS,
    )
    DISCOVERY_FAILS = (N_("Discovery does not work now ({why})."), _BY_ADDRESS)
    NO_INTERFACE = (
        N_("No interface of this machine has the address {wanted}; it has {present}."),
        _BY_ADDRESS,
    )
    NO_NETWORK = (
        N_("This machine is on no network, so only its own tables can be found."),
        N_(
            "Connect it to the others' Wi-Fi or cable. A table can still be joined by address: "
            "lanplay join HOST:PORT."
        ),
    )

    # settings, and giving the program to others
    SETTING_VALUE = (N_("{where}: {name} cannot be {value}."), N_("It is {expected}."))
    SETTING_REFUSED = (
        N_("{where}: {name} cannot be {value}. {why}"),
        N_("lanplay config shows all settings."),
    )
    SETTINGS_TOML = (
        N_("{path}: this is no TOML: {why}."),
        N_("Text needs quotes, as in the comments."),
    )
    SETTINGS_CLOSED = (
        N_("{path}: the settings cannot be read ({why})."),
        N_("Let your account read the file, or name another one with LANPLAY_CONFIG."),
    )
    SETTINGS_LETTERS = (N_("{path}: this is no text in UTF-8."), N_("Save the file as UTF-8."))
    PRIVATE_DAMAGED = (
        N_("{path} is damaged, or of another version of lanplay."),
        N_("Move it away: then the game is shown as everybody saw it."),
    )
    NO_HAND = (
        N_("This record shows no hand of '{name}'."),
        N_("It can be seen as: {known}."),
    )
    NO_BUNDLE = (
        N_("{path} is no bundle of lanplay ({why})."),
        N_("Make bundles in a checkout: python3 scripts/bundle.py"),
    )
    NO_BUNDLES = (
        N_("There is no bundle to give yet."),
        N_("First make one in a checkout: python3 scripts/bundle.py. Or name the file of one."),
    )
    BUNDLE_CHANGED = (
        N_("This copy of lanplay is not as it was given: {why}."),
        N_("Unpack its archive again, into a new folder, and share from there."),
    )

    # faults of lanplay itself
    CRASH = (
        N_("This is a fault of lanplay, not yours ({kind})."),
        N_("The details are in {path}; please report it with them."),
    )
    CRASH_UNKEPT = (
        N_("This is a fault of lanplay, not yours ({kind})."),
        N_("The details could not be written to disk; please report what you did."),
    )


LEAVING: Final = frozenset(
    {
        Fault.LEFT_GAME,
        Fault.LEFT_WATCHING,
        Fault.LEFT_TABLE,
        Fault.NOTHING_BEGUN,
    }
)
"""What a person wanted itself: the program ends with it, but nothing went wrong."""

_WRONGS: Final = (
    *(Fault.MALFORMED, Fault.OVERSIZED, Fault.UNEXPECTED, Fault.VERSION, Fault.BAD_SIGNATURE),
    *(Fault.BAD_PROOF, Fault.BAD_OPENING, Fault.ILLEGAL_ANSWER, Fault.FALSE_CLAIM),
    *(Fault.EQUIVOCATION, Fault.DIVERGED, Fault.WITHHOLDS),
)
CODES: Final = {fault.name.lower().replace("_", "-"): fault for fault in _WRONGS}
"""The fault that words each code of the protocol."""


def by_code(code: str, text: str) -> Told:
    """Return what to tell of a peer that was closed with a code and a text: see ``PeerError``.

    A text that was told says it all; any other is a detail for whoever wrote that program.
    """
    if isinstance(text, Told):
        return text
    return CODES.get(code, Fault.UNEXPECTED).of(detail=text)


def told_of(error: BaseException) -> str:
    """Return what an error tells: the fault with its values, or its text if it has none."""
    return error.told if isinstance(error, Problem) else str(error)


class Problem(Exception):
    """An error that can be told: ``told`` is the fault with its values.

    Raised with a fault and its values, or with what was told already: never with a text of its own.
    Its text is worded when it is asked for, in the language of the process.
    """

    def __init__(self, fault: Sayings | str, **values: object) -> None:
        self.told: str = fault if isinstance(fault, str) else fault.of(**values)
        super().__init__(self.told)

    def __str__(self) -> str:
        return worded(self.told)


class UserError(Problem):
    """Something that the person can put right: bad input, a missing file, a network that is off.

    Its text is printed as it is, and the program ends with exit status 2; with 0 if it tells that
    the person has left.
    """

    @property
    def leaves(self) -> bool:
        """Whether it says that the person has left, as it wanted to."""
        return isinstance(self.told, Told) and self.told.saying in LEAVING


class Unreachable(Problem, OSError):
    """Another laptop that cannot be reached, or not any more."""


class Mistake(Problem, ValueError):
    """A value that cannot be, asked for by a person, where a caller says what it means."""
