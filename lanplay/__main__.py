"""``python -m lanplay``, and the program ``lanplay`` of an installation."""

import signal
import sys


def program() -> int:
    """Run lanplay as a process; return its exit status, 130 however often Ctrl-C was pressed."""
    try:
        from lanplay.cli import main  # takes a while, in which Ctrl-C may be pressed

        status = main()
    except KeyboardInterrupt:  # once more, while the first one was being settled
        status = 130
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exec("")  # a Ctrl-C amid another ``exec``, of a dataclass, would end Python by the signal
    return status


if __name__ == "__main__":
    sys.exit(program())
