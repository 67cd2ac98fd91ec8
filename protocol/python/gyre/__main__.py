"""``gyre`` and ``python -m gyre``: the engine itself, with its command line.

A board or an arena can start ``python -m gyre`` instead of a path.
"""

from __future__ import annotations

import os
import subprocess
import sys

from .process import engine_path
from .wire import EngineTerminatedError


def main() -> int:
    """Replaces this process with the engine, or runs it on systems that cannot."""
    try:
        words = [engine_path(), *sys.argv[1:]]
    except EngineTerminatedError as wrong:
        print(f"gyre: {wrong}", file=sys.stderr)
        return 1
    if os.environ.get(_INSIDE) == words[0]:
        print(f"gyre: {words[0]} is this script, not the engine", file=sys.stderr)
        return 1
    os.environ[_INSIDE] = words[0]
    if sys.platform != "win32":
        try:
            os.execv(words[0], words)
        except OSError as wrong:
            print(f"gyre: {words[0]}: {wrong.strerror}", file=sys.stderr)
            return 1
    return subprocess.call(words)


#: Names the started engine, so that a script with its name on the PATH does not start
#: itself forever.
_INSIDE = "GYRE_PYTHON_STARTED"

if __name__ == "__main__":
    sys.exit(main())
