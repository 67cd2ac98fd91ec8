"""An engine's process, for a program that waits."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import IO, Any, Optional, Sequence, Union

from .wire import EngineTerminatedError, EngineTimeoutError, LineSplitter

#: A command line: the path of a program, or that and its arguments.
Command = Union[str, "os.PathLike[str]", Sequence[str], None]

#: What is read at once, in bytes, and how much of that may lie unread: an engine that
#: babbles is held up, and fills no memory.
CHUNK, MOST_CHUNKS = 1 << 16, 64

#: Seconds that an engine may take to end by itself.
FAREWELL = 2.0

#: What a pipe takes without being read, on every system, in bytes.
_SURELY_TAKEN = 4096


def engine_path() -> str:
    """The engine that is used where no command is given: the one that the environment
    variable GYRE names, that of this package's wheel, or ``gyre`` on the PATH.
    EngineTerminatedError if there is none."""
    named = os.environ.get("GYRE")
    carried = Path(__file__).with_name("bin") / ("gyre.exe" if os.name == "nt" else "gyre")
    found = named or (str(carried) if carried.exists() else shutil.which("gyre"))
    if not found:
        raise EngineTerminatedError("there is no engine: no variable GYRE, none in this package and no gyre on the PATH")
    return found


def command_line(command: Command) -> list[str]:
    """The words of a command. A string is one path; arguments make a list."""
    if command is None:
        return [engine_path()]
    if isinstance(command, (str, os.PathLike)):
        return [os.fspath(command)]
    return list(command)


def own_group() -> dict[str, Any]:
    """How a process is started so that Ctrl-C does not reach it: the program decides
    what comes of the engine, and ends it with all that it has started."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Ends a process and what it has started, at once."""
    if process.poll() is None:
        kill_group(process.pid)
        process.kill()
    process.wait()


def kill_group(pid: int) -> bool:
    """Ends what belongs to a process that was started in a group of its own, where the
    system has such groups; otherwise returns False."""
    if sys.platform == "win32":
        return False
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    return True


def _end(process: "subprocess.Popen[bytes]", over: threading.Event) -> None:
    """Ends a process whose owner is gone. Its output is closed by the thread that reads
    it: closed under that thread, the pipe's number would be given to another process's,
    which it would read from then."""
    over.set()
    kill(process)
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            pass


def _read(stdout: IO[bytes], chunks: "queue.Queue[bytes]", over: threading.Event) -> None:
    """Takes what a process writes, until it ends, and closes its output."""
    chunk = b"."
    with stdout:
        while chunk:
            try:
                chunk = os.read(stdout.fileno(), CHUNK)
            except OSError:
                chunk = b""
            while not over.is_set():
                try:
                    chunks.put(chunk, timeout=0.5)
                    break
                except queue.Full:
                    continue


class Process:
    """A process that speaks in lines."""

    def __init__(self, command: Command, cwd: "str | os.PathLike[str] | None" = None) -> None:
        words = command_line(command)
        try:
            self._process: "subprocess.Popen[bytes]" = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=cwd, **own_group()
            )
        except OSError as wrong:
            raise EngineTerminatedError(f"{words[0]} cannot be started: {wrong.strerror or wrong}") from wrong
        self.name = os.path.basename(words[0])
        self._chunks: "queue.Queue[bytes]" = queue.Queue(MOST_CHUNKS)
        self._over = threading.Event()
        self._finalizer = weakref.finalize(self, _end, self._process, self._over)
        self._splitter = LineSplitter()
        self._lines: list[str] = []  # the next is the last
        assert self._process.stdout is not None
        threading.Thread(target=_read, args=(self._process.stdout, self._chunks, self._over), daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> Optional[int]:
        """The status that the process ended with, None while it runs."""
        return self._process.poll()

    def say(self, lines: Sequence[str], timeout: float) -> None:
        """Writes lines. A process that does not read is ended after the timeout."""
        text = "".join(line + "\n" for line in lines).encode()
        guard = threading.Timer(timeout, kill, [self._process]) if len(text) > _SURELY_TAKEN else None
        if guard:
            guard.start()
        try:
            assert self._process.stdin is not None
            while text:
                text = text[self._process.stdin.write(text) or 0 :]
        except (OSError, ValueError):
            raise self._ended() from None
        finally:
            if guard:
                guard.cancel()

    def hear(self, timeout: Optional[float]) -> str:
        """The next line. EngineTimeoutError if none comes in so many seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        while not self._lines:
            try:
                # In slices, for Ctrl-C does not end a wait on every system.
                left = 0.5 if until is None else min(0.5, until - time.monotonic())
                chunk = self._chunks.get(timeout=max(left, 0))
            except queue.Empty:
                if until is not None and time.monotonic() >= until:
                    raise EngineTimeoutError(f"{self.name} has said nothing for {timeout:.3g} s") from None
                continue
            if not chunk:
                self._chunks.put(b"")
                raise self._ended()
            self._lines = self._splitter.feed(chunk)[::-1]
        return self._lines.pop()

    def _ended(self) -> EngineTerminatedError:
        try:
            status = self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            return EngineTerminatedError(f"{self.name} has closed its output")
        return EngineTerminatedError(f"{self.name} has ended with status {status}")

    def kill(self) -> None:
        """Ends the process at once."""
        self._finalizer()

    def close(self, farewell: str = "") -> None:
        """Ends the process: by its last word and the end of its input, and when that
        does not help by force. Closing twice does no harm."""
        self._over.set()
        try:
            if self._process.poll() is None and self._process.stdin is not None:
                try:
                    if farewell:
                        self.say([farewell], FAREWELL)
                    self._process.stdin.close()
                    self._process.wait(FAREWELL)
                except (OSError, EngineTerminatedError, subprocess.TimeoutExpired):
                    pass
        finally:
            self._finalizer()
