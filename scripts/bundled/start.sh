#!/bin/sh
# Starts lanplay: double-click ("run in terminal"), or run it from a terminal with arguments.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 1
tools() { # without them what lies in /usr/bin of macOS only asks to install them, with an old Python
    ! command -v xcode-select >/dev/null 2>&1 || xcode-select -p >/dev/null 2>&1
}
for python in python3.15 python3.14 python3.13 python3.12 python3.11 python3 python \
    /usr/local/bin/python3 /opt/homebrew/bin/python3; do
    found=$(command -v "$python") || continue
    case $found in /usr/bin/*) tools || continue ;; esac
    if "$found" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$found" "$here/start.py" "$@"
    fi
done
echo "lanplay needs Python 3.11 or newer. Install it from https://www.python.org/downloads/" >&2
echo "or your system's packages, and start this again." >&2
[ -t 0 ] && { printf 'Press Enter to close. ' >&2; read -r _; }
exit 1
