"""Every error that a person can meet: what happened, and what to do about it.

An error is raised with its fault and its values, ``raise UserError(Fault.NO_RULE, wanted=text)``,
and is worded, in the reader's language, where it is shown. What another laptop tells crosses the
network as the fault's name with its values. The faults of tournaments alone stand, in the same way,
in ``lanplay.tournament.faults``.

A fault is a cause and a next step, each a whole sentence (or more) that fits whatever its values
are; the catalogs have all of them. To add one, add it here, run
``scripts/catalogs.py update`` and translate it.
"""

from __future__ import annotations

from typing import Final

from lanplay.language import N_
from lanplay.told import Sayings, Told, worded

_TABLES: Final = N_(
    "{lanplay tables:shell} shows all tables, {lanplay watch:shell} what is played; "
    "{lanplay host:shell} opens one."
)
_SAME_VERSION: Final = N_("Use the same version of lanplay on all laptops.")
_SAME_GAME: Final = N_(
    "Use the same lanplay on all laptops; lanplay share passes it on. A game that is not among its "
    "own comes in a package, which has to be the same everywhere, too."
)
_CHECK_NETWORK: Final = N_("Check the address, the Wi-Fi and firewalls.")
_PLACE: Final = N_("Make room there, let your account write there, or use another place.")
_ROOM: Final = N_("Make room on the disk before the next game.")
_COPY_AGAIN: Final = N_("Copy it again from where it was written.")
_BY_ADDRESS: Final = N_("A table can still be joined by address: {lanplay join:shell} HOST:PORT.")
_DAMAGED: Final = N_(
    "The game goes on from before the damage. At a table with others an AI plays for you "
    "first, then you take your seat again."
)
_RULES_BROKEN: Final = N_("Somebody's program is modified or broken: compare the words again.")
_TRY_AGAIN: Final = N_("Try again; if it keeps happening, use the same version on all laptops.")


class Fault(Sayings):
    """The faults by name: cause, next step."""

    # the program itself
    FOREIGN_PART = (
        "Python takes the package {package} from {path}, which does not belong to this lanplay.",
        "Uninstall or rename that one, or take its folder out of PYTHONPATH.",
    )
    MISSING_PART = (
        "The package {package}, a part of lanplay, is missing here.",
        "Install lanplay again, as its README says.",
    )

    # what was asked for
    COMMAND_LATE = ("The command comes first, options behind it.", "Type: {command}")
    NO_GAME = ("There is no game '{game}' here.", "The games are: {known}.")
    GAME_TWICE = (
        "Several packages provide a game '{game}': {packages}.",
        "Uninstall all of them but one.",
    )
    GAME_UNUSABLE = (
        "The game {game} of the package {package} cannot be used: {why}.",
        "Repair or remove the package, or choose another game.",
    )
    NO_GAME_NAME = (
        "'{name}' cannot be the name of a game.",
        "Use small letters, digits and hyphens, for example liars-dice.",
    )
    GAME_NAME_TAKEN = (
        "There is a game or a Python module '{name}' already, or a folder {folder}.",
        "Choose another name, or remove the folder.",
    )
    SEATS = (
        "{game} is for {least} to {most} seats, not {seats}.",
        "Choose another number of seats.",
    )
    NO_OPTIONS = ("{game} has no option '{option}'.", "This game has no options.")
    NOTHING_TO_OPEN = ("There is nothing to say yes to now.", "You will be asked when there is.")
    NO_DEFAULT = (
        "--absent pass is not possible with {game}: some of its questions have no answer that "
        "passes.",
        "Choose --absent sealed or --absent play.",
    )
    NO_OPTION = ("{game} has no option '{option}'.", "Its options are: {known}.")
    OPTION_VALUE = ("The option {option} of {game} cannot be '{value}'.", "It is one of: {known}.")
    OPTION_FORM = ("'{pair}' is not an option.", "Write it as NAME=VALUE.")
    NO_BOT = (
        "There is no bot '{bot}' for {game}.",
        "The bots are: {known}. In play, simulate and tournament, a program is named "
        "'cmd:PROGRAM ARGUMENTS'.",
    )
    NO_BOT_ANYWHERE = ("There is no bot '{bot}'.", "The bots are: {known}.")
    BOT_UNUSABLE = ("The bot {bot} cannot be used: {why}.", "Repair it, or choose another bot.")
    BOT_ASTRAY = ("The bot {bot} of {package} is for no game here.", "The games are: {known}.")
    BOT_TAKEN = (
        "{has} has a bot {bot}, too: that of {package} is not used.",
        "It needs another name in its package.",
    )
    SEED = ("{seed} cannot be a seed.", "Give --seed a whole number from 0 on.")
    GAMES = ("There must be at least one game, not {count}.", "Give --games a number from 1 on.")
    LINE_UP = (
        "{bots:bots} cannot fill {seats:seats}.",
        "Name one bot for all seats, or one for each.",
    )
    PEOPLE = (
        "{people:people} cannot sit at a table of {seats:seats}.",
        "Give --people a number from 1 to {seats}.",
    )
    PEERS = (
        "{peers} processes cannot share {seats:seats}.",
        "Give --peers a number from 1 to {seats}.",
    )
    SECONDS = ("{flag} cannot be {value}.", "Give a number of seconds from 0 (for ever) to {most}.")
    NO_COMMAND = ("This table has no command '{line}'.", "{help:command}: all commands.")
    SEAT_FORM = ("'{seat}' is not a seat.", "Seats are numbers from 1 on.")

    # the rules pages
    NO_PAGES = (
        "The rules pages are missing from this copy of lanplay.",
        "Probably not all of it was copied: clone or install it again.",
    )
    NO_PAGE = (
        "The game {game} has no rules page that can be read.",
        "Ask whoever brought the game for its rules.",
    )
    NO_RULE = (
        "No rule matches '{wanted}'.",
        "Give a number such as DT-2.3, a word of the text, or nothing for the whole page.",
    )

    # files
    CANNOT_OPEN = (
        "{path} cannot be opened ({why}).",
        "Check the name, and whether your account may read it.",
    )
    NO_WORTH = (
        "The game {game} does not say what positions are worth: luck cannot be told from skill.",
        "Leave --review out.",
    )
    ROUND_LATE = ("The record ends in round {last}.", "Ask for that one, or an earlier one.")
    FOLDER = ("{path} is a folder.", "If it is a tournament's, name one of its games: --game 1.")
    IN_FILE = ("The file {path} cannot be used. {why}", "Use another copy of it, or another file.")
    NOT_KEPT = (
        "The record could not be saved: {path}: {why}.",
        "Make room there, or name another file with --record.",
    )
    RECORDS_LOST = (
        "From game {number} on no record could be saved: {path}: {why}.",
        "Make room there, or name another folder with --record, and play again with the same seed.",
    )
    HABITS_LOST = ("Your standing orders and your pace could not be saved: {path}: {why}.", _PLACE)
    END_NOT_KEPT = ("Who missed the end cannot be shown it: {path}: {why}.", _ROOM)
    SEEN_NOT_KEPT = (
        "What only your seats saw could not be saved: {path}: {why}.",
        "The record is there, and shows the game as everybody saw it.",
    )
    DISK = ("{path} cannot be used ({why}).", _PLACE)
    OUTPUT = (
        "The output cannot be written ({why}).",
        "Make room where it goes, or send it elsewhere.",
    )
    NO_RECORD = (
        "This is not a record that this lanplay can read.",
        "Was it made by another program, or by a newer lanplay? Records end in .lanplay.",
    )
    RECORD_ALTERED = (
        "The record is cut short or was altered: its checksum does not match.",
        _COPY_AGAIN,
    )
    RECORD_FIELDS = ("The record lacks a field or has a wrong one ({why}).", _COPY_AGAIN)
    RULES_PART = (
        (
            "It was made with the rules {theirs}; here are {ours}. They differ from round {round}, "
            "answer {number} on."
        ),
        "Use the version of lanplay, or of the game's package, that wrote it.",
    )
    NO_FINGERPRINT = (
        "The rules of {game} cannot be told from others ({why}).",
        "Install the game with its source, or another version of it.",
    )
    RECORD_TABLE = ("The record describes a table that is not possible: {why}", _COPY_AGAIN)
    RECORD_BREAKS = (
        "The record breaks the rules at answer {number}: {why}.",
        "Do not trust it; ask another player for their record.",
    )
    RECORD_UNENDED = ("The record does not end where its game ends.", _COPY_AGAIN)
    RECORD_STATE = ("The record leads to another state than the one it states.", _COPY_AGAIN)
    RECORD_UNSIGNED = (
        "The record is not of a game between peers: there is nothing to verify.",
        "lanplay replay checks and shows it.",
    )
    RECORD_OLDER = (
        (
            "The record is of a game by an older protocol of lanplay: who signed what in it, and "
            "who is to blame, is not judged here."
        ),
        ("lanplay replay plays it by its answers; the lanplay that wrote it verifies it."),
    )
    NO_IDENTITY = (
        "{path} is not a lanplay identity: it does not hold {size} bytes.",
        (
            "Put the right file back, or move it away to get a new identity; "
            "the others will be warned of that."
        ),
    )
    IDENTITY_PATH = (
        "This run has an identity of its own: {path} cannot be used ({why}).",
        "Let your account write there, or name another folder with --data.",
    )
    IDENTITY_IN_USE = (
        "This run has an identity of its own: another lanplay on this machine uses yours.",
        "End the other one to be known to the others as yourself.",
    )
    KNOWN_DAMAGED = (
        "{path} cannot be read ({why}).",
        "Repair it, or move it away: then everybody is new to this program again.",
    )
    KNOWN_NOT_KEPT = (
        "The keys of this table could not be saved: {path}: {why}.",
        "Make room on the disk; otherwise this program will not recognize these people next time.",
    )
    LOG = (
        "The log cannot be written: {path}: {why}.",
        "Name another file with --log, LANPLAY_LOG or the key log of the settings.",
    )

    # the person
    INPUT_ENDED = (
        "The input has ended before the game.",
        "Answer the questions on standard input, or let a bot answer with --auto.",
    )
    LEFT_GAME = ("You have left the game.", "Type {lanplay resume:shell} to take your seat back.")
    LEFT_WATCHING = (
        "You have stopped watching.",
        "The game goes on: {lanplay watch:shell} shows it again.",
    )
    LEFT_TABLE = ("You have left the table.", "{lanplay join:shell} looks for open tables.")
    NOBODY_STARTS = (
        "Standard input has ended, so nobody can start this table.",
        "Use --people N to start it as soon as N people sit at it.",
    )
    NOTHING_BEGUN = (
        "Nothing has started. The game is still kept.",
        "{lanplay resume:shell} goes on with it.",
    )

    # finding a table and sitting down
    PORT_TAKEN = (
        "Port {port} cannot be used ({why}).",
        "Another program may use it: choose another one with --port.",
    )
    NOT_OUR_ADDRESS = ("{address} is no address of this laptop.", "lanplay doctor lists them.")
    ADDRESS_FORM = (
        "'{text}' is not an address with its port.",
        (
            "Type it as the host's screen shows it: HOST:PORT. The port is a number from 1 to "
            "65535; an IPv6 address stands in brackets: [ADDRESS]:PORT."
        ),
    )
    NO_TABLE = (
        "No open table was found on this network.",
        (
            "Is the other laptop in the same Wi-Fi (not a guest network)? A firewall or macOS's "
            "Local Network permission may block discovery."
        ),
        "{lanplay join:shell} HOST:PORT sits down at the address that the host's screen shows.",
    )
    NO_SUCH_TABLE = ("No table here is called '{table}'. There are: {others}.", _TABLES)
    NO_SEAT_FREE = ("No seat was found. {why}", _TABLES)
    NOTHING_TO_WATCH = (
        "No table to watch was found on this network.",
        "A firewall or macOS's Local Network permission may block discovery.",
        "{lanplay watch:shell} HOST:PORT looks at the address that a player's screen shows.",
    )
    UNREACHABLE = ("The table cannot be reached: {why}.", _CHECK_NETWORK)
    CANNOT_JOIN = ("The table cannot be joined: {why}.", _TABLES)
    SEAT_LOST = ("You no longer sit at the table: {why}.", _TABLES)
    CANNOT_WATCH = (
        "The table cannot be watched: {why}.",
        "{lanplay tables:shell} shows all tables.",
    )
    CANNOT_PLAY = ("No game can be played at this table. {why}", _SAME_GAME)
    RULES_DIFFER = ("This laptop has the rules {ours}, the table plays {theirs}.", _SAME_GAME)
    STRANGERS = (
        "{names}: new to this program, and nobody is here to compare the words of the table.",
        "Use --trust-new to trust new keys, or a table password.",
    )
    OTHER_KEY = (
        (
            "WARNING: {names} had another key last time. Either this is a new installation, or "
            "somebody is pretending to be them."
        ),
        "Compare the words with them, aloud, before you say yes.",
    )
    OTHER_KEY_WATCHED = (
        "WARNING: {names} had another key last time: this may be somebody else.",
        "Compare the words with those on their screens.",
    )

    # going on with a game
    NO_KEPT_GAME = (
        "There is no game to go on with.",
        "{lanplay join:shell} looks for open tables.",
    )
    OTHER_IDENTITY = (
        "{path}: this game was played with another identity.",
        (
            "Is lanplay still running somewhere on this machine? End it, or give the right folder "
            "with --data."
        ),
    )
    JOURNAL_DAMAGED = ("{path}: it was changed or damaged at byte {at}.", _DAMAGED)
    NO_JOURNAL = (
        "{path}: this is not a game in progress.",
        "lanplay resume --list shows those that can go on.",
    )
    JOURNAL_INCONSISTENT = (
        "{path}: its messages do not make one game ({why}).",
        "Put back a copy of it, or drop it: lanplay resume --forget {path:typed}",
    )
    JOURNAL_IN_USE = (
        "{path}: another lanplay is playing this game now.",
        "Go on with it there, or end that program first.",
    )
    JOURNAL_VERSION = (
        "{path}: it comes from another version of lanplay ({why}).",
        "Use the version that began the game, or move the file away.",
    )
    JOURNAL_ASIDE = (
        "{path}: it was changed or damaged at byte {at}. It is kept as {aside}.",
        _DAMAGED,
    )
    CANNOT_FORGET = (
        "{path}: it cannot be forgotten ({why}).",
        "Check the name, and whether your account may delete it.",
    )
    OFFER_NOT_KEPT = ("Your agreement to this table could not be saved: {path}: {why}.", _ROOM)
    GAME_NOT_KEPT = ("The game cannot be kept in {path} ({why}): it is played in memory.", _ROOM)
    JOURNAL_LOST = (
        "The game can no longer be kept in {path} ({why}).",
        "After a crash you could only watch: keep this program running.",
    )
    JOURNAL_STALE = (
        "The game can no longer be kept in {path} ({why}).",
        "After a crash an AI takes your seat until you come back.",
    )

    JOURNAL_LEFT = (
        "{path} cannot be closed or deleted ({why}).",
        "If its game is over, forget it: lanplay resume --forget {path:typed}",
    )

    # the table's password
    PASSWORD_FILE = (
        "The password cannot be read from {path}: {why}.",
        "Name a text file in UTF-8 with --password-file.",
    )
    PASSWORD_NEEDED = (
        "This table has a password.",
        "Give it with --password-file FILE (-: standard input).",
    )
    PASSWORD_LENGTH = ("A table password has 1 to {most} characters.", "Choose another.")
    PASSWORD_TEXT = ("A table password must be valid Unicode text.", "Choose another.")
    PASSWORD_WRONG = (
        "The table passwords are not the same.",
        "Ask the host for the password and type it as it is.",
    )
    PASSWORD_ATTEMPTS = ("There were too many wrong passwords.", "Try again in {wait:seconds}.")

    # the forming table
    SENT_AWAY = ("{host} has sent you away from table '{table}' for good.", _TABLES)
    TABLE_PLAYS = ("Table '{table}' has begun to play without you.", "Wait for its next game.")
    TABLE_LOCKED = (
        "Table '{table}' is locked.",
        "Ask {host} to unlock it, or join another table.",
        _TABLES,
    )
    TABLE_FULL = (
        "Table '{table}' is full: none of its {seats} seats is free.",
        "Its host can free the seat of an AI. Or join another table.",
        _TABLES,
    )
    NAME_TAKEN = (
        "The name '{name}' could be taken for '{taken}', who sits at this table.",
        "Take another one: --name NAME.",
    )
    TABLE_KEPT = (
        "The seats of table '{table}' are kept for those who played there before: {names}.",
        "{host} can free one: kick NAME. Or join another table.",
        _TABLES,
    )
    ORPHANED = ("The host, {host}, has left, and nobody else sits at the table.", _TABLES)
    HOST_CLOSED = ("The host has closed the table.", _TABLES)
    HOST_THERE = ("The table still has its host.", "Use {lanplay join:shell} {address}.")
    NOT_SEATED = ("Your program does not sit at this table.", "Join it first.")
    NOT_WITH_YOU = (
        "Nobody who sits with you is called '{name}'.",
        "With you sit: {known}. Whoever came first can only leave with the program.",
    )
    KICK_SELF = ("You cannot kick yourself.", "{q:command}: leave the table.")
    NO_GUEST = ("No guest is called '{name}'.", "The guests are: {known}.")
    NO_GUESTS = ("No guest is called '{name}'.", "Nobody has come yet: wait for guests.")
    NO_WAY_FOR_PHONES = (
        "Phones cannot connect: this laptop has no address on a network.",
        "Join a Wi-Fi network, or turn on this laptop's hotspot.",
    )
    NO_TLS = ("--guests tls needs the package cryptography.", "Install it here: {how}")
    NO_CERTIFICATE = (
        "The laptop's certificate cannot be kept in {path}: {why}.",
        "Free some space, or take another folder: --data FOLDER.",
    )
    NO_PHONE = ("Nobody with a phone is called '{name}'.", "Available: {known}.")
    NO_PHONE_ASKS = ("No phone asks for the seat of '{name}'.", "Available: {known}.")
    NO_NAME = ("Give a name.", "Type what the others call you.")
    PHONE_NAME_HERE = (
        "Somebody at the table is called {name} already.",
        "Take another name, or tap the button with your name if that is you.",
    )
    PHONE_NAME_TAKEN = ("Somebody at the table is called {name} already.", "Take another name.")
    PHONE_NAME_ASKED = (
        "Another phone asks for the seat of {name}.",
        "Wait until {laptop} has decided, or take another name.",
    )
    MANY_PHONES = ("No more phones can join: the limit is reached.", "Sit down at another laptop.")
    NO_PHONE_WATCHES = (
        "The game has begun, and this table takes no spectators.",
        "Wait for the next game.",
    )
    LOCKED_ALREADY = ("The table is locked already.", "{unlock:command}: take guests again.")
    NOT_LOCKED = ("The table is not locked.", "{lock:command}: take no more guests.")
    SAME_SEATS = ("A seat cannot swap with itself.", "Two seats are wanted, for example 1 and 3.")
    OWN_SEAT = ("Seat {seat} is your own.", "{move:command}: take another one.")
    SEAT_TAKEN = ("{name} sits in seat {seat}.", "{kick:command}: free it, or name another seat.")
    NO_SEAT = ("There is no seat {seat}.", "The seats are 1 to {seats}.")
    SEATS_FREE = ("Free seats: {count}.", "Fill them with AI, or wait.")
    SEATS_KEPT = (
        "Seats are kept for those who played before and are not back yet: {names}.",
        "Wait for them. {start:command} once more: begin with AI in their seats.",
    )
    GUESTS_AWAITED = ("Guests still on their way: {count}.", "Wait for them.")

    # watching
    WATCH_SEATED = (
        "This table is playing, and you do not sit at it.",
        "{lanplay watch:shell} shows the game.",
    )
    WATCH_FORBIDDEN = (
        "The host allows no spectators at this table.",
        "Ask its host, or watch another table.",
    )
    WATCH_SHUT = (
        (
            "This laptop came back to its game and was not told the table's password, so it cannot "
            "check yours."
        ),
        "Watch at another laptop of the table.",
    )
    WATCH_OWN = ("You have a seat at this table.", "Type {lanplay resume:shell} to take it back.")
    WATCH_FULL = ("There are too many spectators already.", "Ask another player for an address.")
    GAME_OVER = ("The game is over.", "{lanplay watch:shell} looks for another table.")
    GAME_ANEW = ("The game goes on as a new one.", "Start {lanplay watch:shell} again to see it.")
    GAME_HELD = ("The game is held: {why}", "lanplay verify checks the record.")
    PROOFS_FULL = ("Too many people are entering the password right now.", "Try again in a moment.")
    WATCH_GONE = (
        "No laptop shows the game any more ({why}).",
        "{lanplay watch:shell} looks for another table.",
    )
    WATCH_OTHER = (
        "The table plays another game now.",
        "Start {lanplay watch:shell} again to see it.",
    )

    # links between laptops
    NO_ANSWER = ("No answer came in time.", _CHECK_NETWORK)
    NO_ADDRESS = ("No address is known.", _CHECK_NETWORK)
    SILENT_AT = ("{address} does not answer ({why}).", _CHECK_NETWORK)
    ANOTHER_PROGRAM = ("The connection was meant for another program.", _CHECK_NETWORK)
    ITSELF = (
        "This address leads back to this program itself.",
        "Give the address of the other laptop.",
    )
    LINK_BROKEN = ("The connection broke.", _CHECK_NETWORK)
    LINK_DONE = ("It says that it has finished.", "Wait.")
    LINK_ELSEWHERE = ("It forms another table now.", "Wait.")
    LINK_ANOTHER = ("It plays another game now.", "Wait.")
    LINK_CLOSED = ("The connection has ended.", _CHECK_NETWORK)
    LINK_SILENT = ("There was no sign of life for {wait:seconds}.", _CHECK_NETWORK)
    LINK_SLOW = ("It receives too slowly.", _CHECK_NETWORK)
    HANDSHAKE = ("There was no answer within {wait:seconds}.", _CHECK_NETWORK)
    LINK_MOVED = ("This laptop's network address is gone.", _CHECK_NETWORK)
    LINK_CROWD = ("Too many programs are connected.", "Wait a moment and try again.")
    NO_GREETING = ("No lanplay answers there.", "Check the address: the host's screen shows it.")
    OLDER = (
        "The other laptop has {theirs}, older than {ours} here.",
        "Type lanplay share here: it gives that laptop the newer one.",
    )
    NEWER = (
        "The other laptop has {theirs}, newer than {ours} here.",
        "Ask its owner to type lanplay share: it gives you the newer one.",
    )

    # what a peer's program did wrong, by the code that is sent along
    MALFORMED = ("It sent something that cannot be read ({detail}).", _SAME_VERSION)
    OVERSIZED = ("It sent too much ({detail}).", _SAME_VERSION)
    UNEXPECTED = ("It sent something that nobody had asked for ({detail}).", _TRY_AGAIN)
    VERSION = ("It is of another version ({detail}).", _SAME_VERSION)
    BAD_SIGNATURE = ("It sent something that it had not signed ({detail}).", _RULES_BROKEN)
    BAD_PROOF = ("It sent a proof that does not hold ({detail}).", _RULES_BROKEN)
    BAD_OPENING = ("It opened something other than what it had sealed ({detail}).", _RULES_BROKEN)
    ILLEGAL_ANSWER = ("It gave an answer that the rules forbid ({detail}).", _RULES_BROKEN)
    FALSE_CLAIM = ("It claimed what its cards do not show ({detail}).", _RULES_BROKEN)
    EQUIVOCATION = ("It told different players different things ({detail}).", _RULES_BROKEN)
    DIVERGED = ("It arrived at another state of the game ({detail}).", _SAME_VERSION)

    # a game that is held
    NOT_AGREED = (
        "The peers do not agree who sits at this table, or somebody does not answer.",
        "Open a new table.",
    )
    NOT_ACCEPTED = (
        "These did not agree to begin in time: {names}.",
        "The table is as it was: wait for them, or begin without.",
    )
    START_LEFT = (
        "{name} went back to the table before the game began.",
        "The table is as it was: begin again.",
    )
    OFFER_REFUSED = (
        "{name} does not begin: your offer is not the table that was shown there ({what}).",
        "The table is as it was. Change something, so that everybody is shown it again, or begin "
        "without {name}.",
    )
    OFFER_DIFFERS = (
        "{name} wants to begin another game than the table shows ({what}): this program refuses.",
        "Ask {name}, or leave the table.",
    )
    OFFERED_TWICE = (
        "{name} has offered two different tables at once, and signed both.",
        "The others go on without {name}.",
    )
    OFFER_VOID = (
        "You have already agreed to a later start of this table, so this one no longer counts.",
        "Join the table again.",
    )
    SLOW_START = ("Too slow for the game to begin: {names}.", "Begin again, with or without them.")
    LEFT_EARLY = ("{names} left before the game began.", "Begin again, with or without them.")
    WAS_CLOSED = ("The connection to {name} was closed: {why}", "lanplay verify checks the record.")
    ENOUGH_HERE = ("Enough are here, or AI is about to take the missing seats.", "Wait.")
    ALONE = (
        "You play alone with AI: nobody would hear you, and no clock is running.",
        "{lanplay host:shell} opens a table for others.",
    )
    NO_ROUND = ("No round has begun yet.", "Open a new table instead.")
    SAY_WHAT = ("There is nothing to say.", "Say at least one word.")
    SAY_LONG = ("That is too long.", "Say at most {most} characters at once.")
    SAY_FAST = ("That is too fast.", "Wait a moment.")
    SAY_UNHEARD = (
        "Nobody can hear you: there is no connection to the table now.",
        "Wait until there is one again.",
    )
    SAY_LATER = (
        "{name}'s program is older: it passes nothing on before the game.",
        "Say it once the game has begun.",
    )
    PAUSED_ALREADY = ("You have paused the game already.", "{go:command}: continue.")
    PAUSES_SPENT = (
        "You cannot pause the game any more.",
        "Each person may do so {most} times in a game.",
    )
    NOT_PAUSED = ("The game is not paused.", "{pause:command}: stop the clocks.")
    NOBODY_CALLED = ("Nobody here is called '{name}'.", "Available here: {known}.")

    # discovery
    DISCOVERY_SHUT = (
        (
            "Tables cannot be discovered: {why}. Perhaps another program holds UDP port 5353 for "
            "itself, or a firewall forbids it."
        ),
        _BY_ADDRESS,
    )
    DISCOVERY_FAILS = ("Discovery does not work now ({why}).", _BY_ADDRESS)
    NO_INTERFACE = (
        "No interface of this machine has the address {wanted}; it has {present}.",
        _BY_ADDRESS,
    )
    NO_NETWORK = (
        "This machine is on no network, so only its own tables can be found.",
        "Connect it to the others' Wi-Fi or cable.",
        _BY_ADDRESS,
    )

    # settings, and giving the program to others
    SETTING_VALUE = ("{where}: {name} cannot be {value}.", "It is {expected}.")
    SETTING_REFUSED = (
        "{where}: {name} cannot be {value}. {why}",
        "{lanplay config:shell} shows all settings.",
    )
    SETTINGS_TOML = ("{path}: this is not TOML: {why}.", "Text needs quotes, as in the comments.")
    SETTINGS_CLOSED = (
        "{path}: the settings cannot be read ({why}).",
        "Let your account read the file, or name another one with LANPLAY_CONFIG.",
    )
    SETTINGS_LETTERS = ("{path}: this is not UTF-8 text.", "Save the file as UTF-8.")
    SETTINGS_KEPT = (
        "{path}: the settings cannot be kept ({why}).",
        "Let your account write the file, or name another one with LANPLAY_CONFIG.",
    )
    SETTINGS_ODD = (
        "{path}: {name} is written there in a way that cannot be changed from here.",
        "Change it in the file by hand.",
    )
    PRIVATE_DAMAGED = (
        "{path} is damaged, or comes from another version of lanplay.",
        "Move it away: then the game is shown as everybody saw it.",
    )
    NO_HAND = ("This record does not show the hand of '{name}'.", "It can be seen as: {known}.")
    NO_BUNDLE = (
        "{path} is not a lanplay bundle ({why}).",
        "Make bundles in a checkout: python3 scripts/bundle.py",
    )
    NO_BUNDLES = (
        "This copy of lanplay cannot be given away: {why}.",
        "Unpack or install it again, and share from there; or make bundles in a checkout "
        "(python3 scripts/bundle.py), and name the file of one.",
    )

    # faults of another package's game, and of lanplay itself
    GAME_CRASH = (
        "Something failed in {game}, a game of the package {package} ({why}).",
        "Look for its faults with {lanplay check-game:shell} {game}. The details are in {path}.",
    )
    CRASH = (
        "This is a fault of lanplay, not yours ({kind}).",
        "The details are in {path}; please report it with them.",
    )
    CRASH_UNKEPT = (
        "This is a fault of lanplay, not yours ({kind}).",
        "The details could not be written to disk; please report what you did.",
    )


LEAVING: Final = frozenset(
    {Fault.LEFT_GAME, Fault.LEFT_WATCHING, Fault.LEFT_TABLE, Fault.NOTHING_BEGUN}
)
"""What a person wanted itself: the program ends with it, but nothing went wrong."""

_WRONGS: Final = (
    *(Fault.MALFORMED, Fault.OVERSIZED, Fault.UNEXPECTED, Fault.VERSION, Fault.BAD_SIGNATURE),
    *(Fault.BAD_PROOF, Fault.BAD_OPENING, Fault.ILLEGAL_ANSWER, Fault.FALSE_CLAIM),
    *(Fault.EQUIVOCATION, Fault.DIVERGED),
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
    why = getattr(error, "strerror", None) or str(error)  # without number and file
    return error.told if isinstance(error, Problem) else why


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
