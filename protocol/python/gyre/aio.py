"""An engine and an analyzer for asyncio."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from types import TracebackType
from typing import AsyncIterator, Awaitable, Callable, Generator, Iterable, Optional, Sequence, Type, Union, cast

from .analysis import PING, WINDOW, Answer, Pending, Query, analyse_command
from .conversation import Analysis, Connection, Session, T
from .process import CHUNK, FAREWELL, Command, command_line, kill_group, next_wait, own_group, running_time, start_error
from .wire import EngineError, EngineTerminatedError, EngineTimeoutError, LineSplitter, Values

__all__ = ["Analysis", "Analyzer", "Engine"]


async def _within(timeout: float, wait: Callable[[], Awaitable[T]]) -> T:
    """Awaits a coroutine for ``timeout`` seconds, and starts it again after each slice of them.
    Raises TimeoutError after the last one."""
    until = running_time() + timeout
    while True:
        try:
            async with asyncio.timeout(next_wait(until)):
                return await wait()
        except TimeoutError:
            if running_time() >= until:
                raise


class GroupLeader(asyncio.subprocess.SubprocessStreamProtocol):
    """The streams of a process in its own group, whose children end with it."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._pid = cast(asyncio.SubprocessTransport, transport).get_pid()  # that of uvloop is no subclass
        super().connection_made(transport)

    def process_exited(self) -> None:
        kill_group(self._pid)  # at once: later the process ID may be that of another group
        super().process_exited()


class Process:
    """A process that communicates in lines."""

    def __init__(
        self, process: asyncio.subprocess.Process, transport: asyncio.SubprocessTransport, name: str
    ) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout
        self._transport = transport
        self.name = name
        self.pid = process.pid
        self._splitter = LineSplitter()
        self._lines: deque[str] = deque()

    @classmethod
    async def start(cls, command: Command, cwd: "str | os.PathLike[str] | None" = None) -> Process:
        """Starts a process. Raises EngineTerminatedError if that fails."""
        words = command_line(command)
        pipe = asyncio.subprocess.PIPE
        loop = asyncio.get_running_loop()
        # Like asyncio.create_subprocess_exec, which does not return the transport.
        try:
            transport, protocol = await loop.subprocess_exec(
                lambda: GroupLeader(limit=CHUNK, loop=loop),
                *words,
                stdin=pipe,
                stdout=pipe,
                stderr=None,
                cwd=cwd,
                **own_group(),
            )
        except OSError as wrong:
            raise start_error(words[0], cwd, wrong) from wrong
        process = asyncio.subprocess.Process(transport, protocol, loop)
        return cls(process, transport, os.path.basename(words[0]))

    def send(self, lines: Sequence[str], timeout: float = 0) -> None:
        """Sends lines without waiting for them to be read."""
        if self._stdin.is_closing():
            raise EngineTerminatedError(f"{self.name} was ended")
        self._stdin.write("".join(line + "\n" for line in lines).encode())

    async def read(self, timeout: float) -> str:
        """Returns the next line. Raises EngineTimeoutError after ``timeout`` seconds without
        one. Cancellation loses nothing."""
        until = running_time() + timeout
        while not self._lines:
            try:
                chunk = await _within(until - running_time(), lambda: self._stdout.read(CHUNK))
            except TimeoutError:
                raise EngineTimeoutError(f"{self.name} was silent for {timeout:.3g} s") from None
            if not chunk:
                raise await self._ended()
            self._lines += self._splitter.feed(chunk)
            if not self._lines and running_time() >= until:
                raise EngineTimeoutError(f"{self.name} wrote no whole line for {timeout:.3g} s")
        return self._lines.popleft()

    async def _ended(self) -> EngineTerminatedError:
        try:
            status = await _within(FAREWELL, self._process.wait)
        except TimeoutError:
            return EngineTerminatedError(f"{self.name} has closed its output")
        return EngineTerminatedError(f"{self.name} has ended with status {status}")

    def kill(self) -> None:
        """Kills the process and its children."""
        if self._process.returncode is None:
            # Process.kill on Unix takes the exit status that asyncio waits for.
            if not kill_group(self.pid):
                self._process.kill()
        self._stdin.close()

    async def close(self, farewell: str) -> None:
        """Ends the process: sends ``farewell``, closes its input, and kills it if it does not
        exit."""
        try:
            if self._process.returncode is None and not self._stdin.is_closing():
                self.send([farewell])
                self._stdin.close()
                await _within(FAREWELL, self._drain)
        except (TimeoutError, OSError):
            pass
        finally:
            await self.end()

    async def end(self) -> None:
        """Kills the process and waits for its exit."""
        self.kill()
        # asyncio reports the exit only after both pipes are closed. It does not notice a closed
        # output while much of it is unread, and a child of the engine may keep a pipe open.
        if self._stdin.transport.get_write_buffer_size() > 0:
            self._stdin.transport.abort()
        output = self._transport.get_pipe_transport(1)
        if output is not None:
            output.close()
        await self._process.wait()

    async def _drain(self) -> None:
        """Reads the remaining output, so that the process can exit."""
        while await self._stdout.read(CHUNK):
            pass
        await self._process.wait()


class Engine(Session):
    """An engine, running within an ``async with`` or from ``await Engine(...)`` to
    :meth:`close`.

    It is :class:`gyre.Engine` with ``await``. Tasks may share one; it serves them one
    after the other. A task may be cancelled at any moment: its search stops, and the
    engine stays usable.
    """

    def __init__(
        self,
        command: Command = None,
        *,
        options: Optional[Values] = None,
        timeout: float = 30.0,
        dialect: str = "uci",
        cwd: "str | os.PathLike[str] | None" = None,
    ) -> None:
        """``command`` is a path, a list of a path and its arguments, or None for the engine
        that :func:`gyre.engine_path` finds."""
        super().__init__(dialect)
        self._command, self._cwd, self._timeout = command, cwd, timeout
        self._first_options = options
        self._process: Optional[Process] = None

    async def start(self) -> Engine:
        """Starts the engine. Starting it twice is safe."""
        if self._process is not None:
            return self
        self._process = await Process.start(self._command, self._cwd)
        try:
            await self.greet(Connection(self._process, self._timeout, asyncio.Lock()), self._first_options)
        except BaseException:
            await self._process.end()
            raise
        return self

    def __await__(self) -> Generator[object, None, Engine]:
        return self.start().__await__()

    async def __aenter__(self) -> Engine:
        return await self.start()

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    @property
    def pid(self) -> int:
        """The engine's process ID."""
        if self._process is None:
            raise ValueError("the engine is not started: await it, or use async with")
        return self._process.pid

    async def close(self) -> None:
        """Ends the engine. Closing it twice is safe."""
        if self._process is not None:
            await self._process.close("quit")


#: An answer, or the reason why the engine is gone.
_Mail = Union[Answer, EngineError]


class Analyzer:
    """``gyre analyse`` within an ``async with``: :class:`gyre.Analyzer` with ``await``.
    Any number of tasks may share one. A cancelled task ends its searches."""

    def __init__(
        self,
        command: Command = None,
        *,
        threads: Optional[int] = None,
        hash: Optional[int] = None,
        cache: "str | os.PathLike[str] | None" = None,
        timeout: float = 30.0,
        cwd: "str | os.PathLike[str] | None" = None,
    ) -> None:
        """``command`` is a path, a list of a path and its arguments, or None for the engine
        that :func:`gyre.engine_path` finds."""
        self._command = analyse_command(command, threads, hash, cache)
        self._cwd, self._timeout = cwd, timeout
        self._queries = Pending()
        self._mail: dict[str, "asyncio.Queue[_Mail]"] = {}
        self._room = asyncio.Semaphore(WINDOW)
        self._process: Optional[Process] = None
        self._reader: Optional["asyncio.Task[None]"] = None

    async def __aenter__(self) -> Analyzer:
        self._process = await Process.start(self._command, self._cwd)
        self._reader = asyncio.create_task(self._read(self._process))
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._reader is not None and self._process is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
            self._fail_all(EngineTerminatedError("the analyzer was closed"))
            await self._process.end()

    @property
    def pid(self) -> int:
        """The engine's process ID."""
        return self._running().pid

    async def analyse(self, query: Query) -> list[Answer]:
        """Returns the answers to a query in the order of the turns. Raises EngineError if the
        query is invalid."""
        found = [answer.check() async for answer in self.reports(query) if not answer.during_search]
        return sorted(found, key=lambda answer: answer.number or 0)

    async def reports(self, query: Query) -> AsyncIterator[Answer]:
        """Yields the answers to a query and the reports during its searches."""
        process = self._running()
        async with self._room:
            if self._reader is None or self._reader.done():
                raise EngineTerminatedError(f"{process.name} has ended")
            try:
                id, line = self._queries.add(query)
            except ValueError as wrong:
                yield Answer(query, error=str(wrong))
                return
            mail = self._mail[id] = asyncio.Queue()
            process.send([line])
            try:
                while id in self._queries.open or not mail.empty():
                    one = await mail.get()
                    if isinstance(one, EngineError):
                        raise one
                    yield one
            finally:
                del self._mail[id]
                if id in self._queries.open and not self._reader.done():
                    process.send([self._queries.remove(id)])

    async def answers(self, queries: Iterable[Query]) -> AsyncIterator[Answer]:
        """Yields the answers to queries in the order in which they finish, without reports
        during searches. Each answer names its query. An invalid query gets one answer with
        ``error``; the others continue."""
        waiting, tasks = iter(queries), set[asyncio.Task[list[Answer]]]()
        try:
            while True:
                while len(tasks) < WINDOW and (query := next(waiting, None)) is not None:
                    tasks.add(asyncio.create_task(self._all(query)))
                if not tasks:
                    return
                done, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    for answer in task.result():
                        yield answer
        finally:
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)

    async def _all(self, query: Query) -> list[Answer]:
        return [answer async for answer in self.reports(query) if not answer.during_search]

    def _running(self) -> Process:
        if self._process is None:
            raise ValueError("the analyzer is not started: use async with")
        return self._process

    async def _read(self, process: Process) -> None:
        """Delivers the engine's lines until it ends."""
        asked = False
        try:
            while True:
                try:
                    read = self._queries.read(await process.read(self._timeout))
                except EngineTimeoutError:
                    if asked and self._queries.open:
                        raise
                    process.send([PING])
                    asked = True
                    continue
                asked = False
                if read is not None and read[0] in self._mail:
                    self._mail[read[0]].put_nowait(read[1])
        except EngineError as wrong:
            process.kill()
            self._fail_all(wrong)

    def _fail_all(self, wrong: EngineError) -> None:
        for mail in self._mail.values():
            mail.put_nowait(wrong)
