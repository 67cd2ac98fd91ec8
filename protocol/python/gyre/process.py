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
from typing import IO, Any, Callable, Optional, Sequence, TypeVar, Union

from .wire import EngineTerminatedError, EngineTimeoutError, LineSplitter

T = TypeVar("T")

#: A command line: the path of a program, or a list of the path and its arguments.
Command = Union[str, "os.PathLike[str]", Sequence[str], None]

#: Bytes read at once, and the most unread chunks: a flooding engine blocks instead of
#: filling memory.
CHUNK, MOST_CHUNKS = 1 << 16, 64

#: Seconds that an engine has to exit by itself.
FAREWELL = 2.0

#: The most seconds of one wait. On every system, Ctrl-C interrupts a wait this short.
SLICE = 0.25

#: Bytes that a pipe buffers on every system.
_SURELY_TAKEN = 4096


class _RunningTime:
    """A clock for time limits. It counts at most ``SLICE`` seconds between two calls, so it stands
    still while this program is stopped (by Ctrl-Z) or the machine sleeps: an engine that is stopped,
    too, is not called dead. Waits must call it every ``SLICE`` seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last, self._sum = time.monotonic(), 0.0

    def __call__(self) -> float:
        with self._lock:
            now = time.monotonic()
            self._sum += min(now - self._last, SLICE)
            self._last = now
            return self._sum


#: Seconds in which this program has run.
running_time = _RunningTime()


def next_wait(until: float) -> float:
    """Returns the seconds to wait next, until the running time ``until``."""
    return max(min(SLICE, until - running_time()), 0)


def engine_path() -> str:
    """Returns the path of the default engine: the environment variable GYRE, the engine in
    this package's wheel, or ``gyre`` on the PATH. Raises EngineTerminatedError if none
    exists."""
    named = os.environ.get("GYRE")
    carried = Path(__file__).with_name("bin") / ("gyre.exe" if os.name == "nt" else "gyre")
    found = named or (str(carried) if carried.exists() else shutil.which("gyre"))
    if not found:
        raise EngineTerminatedError("no engine found: set GYRE, install the wheel, or put gyre on the PATH")
    return found


def command_line(command: Command) -> list[str]:
    """Returns the words of a command. A string is a path; a list has arguments."""
    if command is None:
        return [engine_path()]
    if isinstance(command, (str, os.PathLike)):
        return [os.fspath(command)]
    return list(command)


def start_error(program: str, cwd: "str | os.PathLike[str] | None", wrong: OSError) -> EngineTerminatedError:
    """Returns the error of a program that does not start. It names the folder if that is the cause."""
    place = f" in the folder {os.fspath(cwd)}" if cwd is not None and wrong.filename == cwd else ""
    return EngineTerminatedError(f"{program} cannot start{place}: {wrong.strerror or wrong}")


def own_group() -> dict[str, Any]:
    """Returns the options that start a process in its own group, so that Ctrl-C does not
    reach it. The client ends the whole group."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


class GroupLeader(subprocess.Popen[bytes]):
    """A process in its own group, whose children end with it: the group is killed as soon as
    the exit status is taken. Later the process ID may be that of another group."""

    def poll(self) -> Optional[int]:
        return self._swept(super().poll)

    def wait(self, timeout: Optional[float] = None) -> int:
        return self._swept(lambda: super(GroupLeader, self).wait(timeout))

    def _swept(self, take: Callable[[], T]) -> T:
        ran = self.returncode is None
        status = take()
        if ran and self.returncode is not None:
            kill_group(self.pid)
        return status


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kills a process and its children."""
    if process.poll() is None:
        kill_group(process.pid)
        process.kill()
    process.wait()


def kill_group(pid: int) -> bool:
    """Kills the group of a process. Returns False on systems without process groups."""
    if sys.platform == "win32":
        return False
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    return True


def _end(process: "subprocess.Popen[bytes]", over: threading.Event) -> None:
    """Ends a process whose owner is gone. Only the reading thread closes the output: if
    another thread closed it, the descriptor could be reused under the reader."""
    over.set()
    kill(process)
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            pass


def _read(stdout: IO[bytes], chunks: "queue.Queue[bytes]", over: threading.Event) -> None:
    """Reads the output of a process until it ends, then closes it."""
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


def _kill_unless(taken: threading.Event, timeout: float, process: "subprocess.Popen[bytes]") -> None:
    """Kills a process if it does not take its input within ``timeout`` seconds."""
    until = running_time() + timeout
    while not taken.wait(next_wait(until)):
        if running_time() >= until:
            kill(process)
            return


class Process:
    """A process that communicates in lines."""

    def __init__(self, command: Command, cwd: "str | os.PathLike[str] | None" = None) -> None:
        words = command_line(command)
        try:
            self._process: "subprocess.Popen[bytes]" = GroupLeader(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=cwd, **own_group()
            )
        except OSError as wrong:
            raise start_error(words[0], cwd, wrong) from wrong
        self.name = os.path.basename(words[0])
        self._chunks: "queue.Queue[bytes]" = queue.Queue(MOST_CHUNKS)
        self._over = threading.Event()
        self._finalizer = weakref.finalize(self, _end, self._process, self._over)
        self._splitter = LineSplitter()
        self._lines: list[str] = []  # reversed: the next line is the last element
        assert self._process.stdout is not None
        threading.Thread(target=_read, args=(self._process.stdout, self._chunks, self._over), daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> Optional[int]:
        """The exit status, or None while the process runs."""
        return self._process.poll()

    def send(self, lines: Sequence[str], timeout: float) -> None:
        """Sends lines. A process that does not read is killed after ``timeout`` seconds."""
        text = "".join(line + "\n" for line in lines).encode()
        taken = threading.Event()
        if len(text) > _SURELY_TAKEN:
            threading.Thread(target=_kill_unless, args=(taken, timeout, self._process), daemon=True).start()
        try:
            assert self._process.stdin is not None
            while text:
                text = text[self._process.stdin.write(text) or 0 :]
        except (OSError, ValueError):
            raise self._ended() from None
        finally:
            taken.set()

    def receive(self, timeout: float) -> str:
        """Returns the next line. Raises EngineTimeoutError after ``timeout`` seconds without one."""
        until = running_time() + timeout
        while not self._lines:
            try:
                chunk = self._chunks.get(timeout=next_wait(until))
            except queue.Empty:
                self._process.poll()  # ends children that keep the output of an ended process open
                if running_time() >= until:
                    raise EngineTimeoutError(f"{self.name} was silent for {timeout:.3g} s") from None
                continue
            if not chunk:
                self._chunks.put(b"")
                raise self._ended()
            self._lines = self._splitter.feed(chunk)[::-1]
            if not self._lines and running_time() >= until:
                raise EngineTimeoutError(f"{self.name} wrote no whole line for {timeout:.3g} s")
        return self._lines.pop()

    async def read(self, timeout: float) -> str:
        """Receives a line for a conversation. It blocks and never suspends."""
        return self.receive(timeout)

    def _ended(self) -> EngineTerminatedError:
        status = self._exit()
        if status is None:
            return EngineTerminatedError(f"{self.name} has closed its output")
        return EngineTerminatedError(f"{self.name} has ended with status {status}")

    def _exit(self) -> Optional[int]:
        """Waits ``FAREWELL`` seconds for the exit. Returns the status, or None without one."""
        until = running_time() + FAREWELL
        while True:
            try:
                return self._process.wait(next_wait(until))
            except subprocess.TimeoutExpired:
                if running_time() >= until:
                    return None

    def kill(self) -> None:
        """Kills the process."""
        self._finalizer()

    def close(self, farewell: str = "") -> None:
        """Ends the process: sends ``farewell``, closes its input, and kills it if it does not
        exit. Closing it twice is safe."""
        self._over.set()
        try:
            if self._process.poll() is None and self._process.stdin is not None:
                try:
                    if farewell:
                        self.send([farewell], FAREWELL)
                    self._process.stdin.close()
                    self._exit()
                except (OSError, EngineTerminatedError):
                    pass
        finally:
            self._finalizer()
