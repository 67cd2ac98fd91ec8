"""The tests of the package, against the engine that GYRE names, or one built for them.

    python3 -m unittest
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent
REPOSITORY = PACKAGE.parent.parent

# A loaded machine is slow: asyncio's warnings of that say nothing here.
logging.getLogger("asyncio").setLevel(logging.ERROR)

#: Seconds: a guard against waiting for ever, on however busy a machine.
PATIENCE = 300.0


@lru_cache(maxsize=None)
def built(program: str, variable: str) -> str:
    """The path of one of the repository's programs: the one that a variable of the
    environment names, or one that is built now."""
    named = os.environ.get(variable)
    if named:
        return named
    folder = tempfile.mkdtemp(prefix="gyre-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, program + (".exe" if os.name == "nt" else ""))
    subprocess.run(["go", "build", "-o", path, f"./cmd/{program}"], cwd=REPOSITORY, check=True)
    return path


os.environ["GYRE"] = built("gyre", "GYRE")


def engine_that(script: str) -> list[str]:
    """The command of an engine that is a script. ``say`` writes a line, ``hear`` reads one
    and ends the engine at the end of input, ``greet`` does the handshake."""
    begin = """
        import os, sys, time
        def say(line):
            sys.stdout.write(line + "\\n")
            sys.stdout.flush()
        def hear():
            line = sys.stdin.readline()
            if not line:
                sys.exit(0)
            return line.strip()
        def greet():
            hear()
            say("id name Scripted")
            say("uciok")
        def ready():
            while True:
                line = hear()
                if line == "isready":
                    say("readyok")
                if line.startswith("go"):
                    return line
    """
    return [sys.executable, "-c", textwrap.dedent(begin) + textwrap.dedent(script)]


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return os.path.exists("/proc/self/stat") is False
