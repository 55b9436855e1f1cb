#!/bin/sh
# Starts lanplay: double-click ("run in terminal"), or run it from a terminal with arguments.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 1
for python in python3.15 python3.14 python3.13 python3.12 python3.11 python3 python \
    /usr/local/bin/python3 /opt/homebrew/bin/python3; do
    if command -v "$python" >/dev/null 2>&1 &&
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$python" "$here/start.py" "$@"
    fi
done
echo "lanplay needs Python 3.11 or newer. Install it from https://www.python.org/downloads/" >&2
echo "or your system's packages, and start this again." >&2
[ -t 0 ] && { printf 'Press Enter to close. ' >&2; read -r _; }
exit 1
