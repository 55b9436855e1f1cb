"""Errors whose text is meant for the person at the keyboard."""


class UserError(Exception):
    """Something that the person can put right: bad input, a missing file, a network that is off.

    Its text is printed as it is, and the program ends with exit status 2. It says what happened,
    probably why, and what to do.
    """
