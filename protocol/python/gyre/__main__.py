"""``gyre`` and ``python -m gyre``: the engine itself, with its command line.

``python -m gyre`` in place of a path in a board or an arena needs no other program.
"""

from __future__ import annotations

import os
import subprocess
import sys

from .process import engine_path
from .wire import EngineTerminatedError


def main() -> int:
    """Becomes the engine, or runs it where a process cannot become another."""
    try:
        words = [engine_path(), *sys.argv[1:]]
    except EngineTerminatedError as wrong:
        print(f"gyre: {wrong}", file=sys.stderr)
        return 1
    if os.environ.get(_INSIDE) == words[0]:
        print(f"gyre: {words[0]} is this program, not the engine", file=sys.stderr)
        return 1
    os.environ[_INSIDE] = words[0]
    if sys.platform != "win32":
        try:
            os.execv(words[0], words)
        except OSError as wrong:
            print(f"gyre: {words[0]}: {wrong.strerror}", file=sys.stderr)
            return 1
    return subprocess.call(words)


#: Names the engine that was started, so that a script of this name on the PATH does not
#: start itself for ever.
_INSIDE = "GYRE_PYTHON_STARTED"

if __name__ == "__main__":
    sys.exit(main())
