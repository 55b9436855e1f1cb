"""Finds a Python that is new enough. Written so that Python 3.6 can still read it."""

import os
import shutil
import subprocess
import sys
from typing import Dict, List, NoReturn, Optional  # noqa: UP035  # see above

OLDEST = (3, 11)
NEWEST_MINOR = 19
MISLEADING = ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
"""Variables that would point Python elsewhere."""
ENOUGH = f"import sys; sys.exit(sys.version_info < {OLDEST})"


def require_new_python() -> None:
    """Return if this Python is new enough; else run the same command with one that is.

    Without any it ends the process with a sentence that says what to install.
    """
    if sys.version_info >= OLDEST:
        return
    newer = newer_python()
    if newer is None:
        present = ".".join(map(str, sys.version_info[:2]))
        sys.exit(
            f"lanplay needs Python 3.{OLDEST[1]} or newer; this is {present}. Install one from "
            "https://www.python.org/downloads/ or your system's packages, then run this again."
        )
    become([*newer, *sys.argv], dict(os.environ))


def become(command: List[str], variables: Dict[str, str]) -> NoReturn:  # noqa: UP006  # see above
    """Run a program in the place of this one: nobody stands between it and Ctrl-C.

    On Windows, where that cannot be, this one waits for it, however often Ctrl-C is pressed.
    """
    if sys.platform != "win32":
        os.execve(command[0], command, variables)
    process = subprocess.Popen(command, env=variables)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:  # the program has heard it too and leaves by itself
            continue


def newer_python() -> Optional[List[str]]:  # noqa: UP006, UP045  # see above
    """Return the start of a command line that runs a new enough Python, or ``None``.

    What is found is tried: a name on PATH may be a shim without a Python behind it.
    """
    names = [[f"python3.{minor}"] for minor in range(NEWEST_MINOR, OLDEST[1] - 1, -1)]
    for name, *options in [*names, ["py", "-3"], ["python3"], ["python"]]:
        found = shutil.which(name)
        if found and _is_new_enough([found, *options]):
            return [found, *options]
    return None


def _is_new_enough(command: List[str]) -> bool:  # noqa: UP006  # see above
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123  # pathlib is slow to load
        return subprocess.call([*command, "-c", ENOUGH], stdout=nowhere, stderr=nowhere) == 0
