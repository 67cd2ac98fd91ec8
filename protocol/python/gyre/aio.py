"""An engine and an analyzer for asyncio."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from types import TracebackType
from typing import AsyncIterator, Generator, Iterable, Optional, Type, Union

from .analysis import PING, WINDOW, Answer, Pending, Query, analyse_command
from .engine import STATE_QUERIES, Conversation, PlayResult, Request, Result, State, found, require_end, words
from .position import Position, Turn
from .process import CHUNK, FAREWELL, Command, command_line, kill_group, own_group
from .wire import Ask, EngineError, EngineTerminatedError, EngineTimeoutError, Exchange, Info, Limit, LineSplitter, Option, Search, Values


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
                lambda: asyncio.subprocess.SubprocessStreamProtocol(limit=CHUNK, loop=loop),
                *words,
                stdin=pipe,
                stdout=pipe,
                stderr=None,
                cwd=cwd,
                **own_group(),
            )
        except OSError as wrong:
            raise EngineTerminatedError(f"{words[0]} cannot start: {wrong.strerror or wrong}") from wrong
        process = asyncio.subprocess.Process(transport, protocol, loop)
        return cls(process, transport, os.path.basename(words[0]))

    def send(self, lines: list[str]) -> None:
        """Sends lines without waiting for them to be read."""
        if self._stdin.is_closing():
            raise EngineTerminatedError(f"{self.name} was ended")
        self._stdin.write("".join(line + "\n" for line in lines).encode())

    async def receive(self, timeout: float) -> str:
        """Returns the next line. Raises EngineTimeoutError after ``timeout`` seconds without
        one. Cancellation loses nothing."""
        while not self._lines:
            try:
                async with asyncio.timeout(timeout):
                    chunk = await self._stdout.read(CHUNK)
            except TimeoutError:
                raise EngineTimeoutError(f"{self.name} was silent for {timeout:.3g} s") from None
            if not chunk:
                raise await self._ended()
            self._lines += self._splitter.feed(chunk)
        return self._lines.popleft()

    async def _ended(self) -> EngineTerminatedError:
        try:
            async with asyncio.timeout(FAREWELL):
                status = await self._process.wait()
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
                async with asyncio.timeout(FAREWELL):
                    await self._drain()
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


class Connection:
    """A connection runs one exchange at a time. It first reads an interrupted one to its end."""

    def __init__(self, process: Process, timeout: float) -> None:
        self.process = process
        self.timeout = timeout
        self.lock = asyncio.Lock()
        self.analysis: Optional[Analysis] = None
        self._unfinished: Optional[Exchange] = None  # interrupted before its last line
        self._last_deadline: Optional[float] = None  # the deadline of the last line

    async def run(self, ask: Ask) -> Ask:
        """Runs an exchange to its end. The caller holds the lock."""
        await self.begin(ask)
        until = time.monotonic() + self.timeout
        while not await self.receive(ask, until):
            pass
        return ask

    async def begin(self, exchange: Exchange) -> None:
        """Sends the commands of an exchange. The caller holds the lock."""
        if self.analysis is not None and not self.analysis.over:
            raise EngineError("an analysis is running: stop it first")
        if self._unfinished is not None:
            self.process.send(["stop"])
            until = time.monotonic() + self.timeout
            while not await self.receive(self._unfinished, until):
                pass
        self._unfinished = exchange
        self.process.send(exchange.commands)

    async def receive(self, exchange: Exchange, until: Optional[float]) -> bool:
        """Reads a line and reports whether it was the last. If a search is silent for too
        long, isready shows whether the engine is alive."""
        left = self.timeout if until is None else max(until - time.monotonic(), 0)
        try:
            over = exchange.receive(await self.process.receive(min(left, self.timeout)))
        except EngineTimeoutError:
            early = until is None or time.monotonic() < until
            if not (early and isinstance(exchange, Search) and exchange.asked == 0):
                self.process.kill()
                if left < self.timeout and self._last_deadline == until:
                    raise self._overdue() from None
                raise
            exchange.asked += 1
            self.process.send(["isready"])
            return False
        except EngineError:
            self.process.kill()
            raise
        if over:
            self._unfinished = None
        elif until is not None and time.monotonic() > until:
            self.process.kill()
            raise self._overdue()
        self._last_deadline = until
        return over

    def _overdue(self) -> EngineTimeoutError:
        return EngineTimeoutError(f"{self.process.name} did not finish in time")


class Analysis:
    """A running search. Iterate over its infos, or await its result. It ends at its
    limit, by :meth:`stop`, or with its ``async with``."""

    def __init__(self, connection: Connection, request: Request) -> None:
        self._connection = connection
        self._search: Search = request.search()
        self._over = False
        self._until: Optional[float] = None
        if request.longest is not None:
            self._until = time.monotonic() + request.longest + connection.timeout

    async def _begin(self) -> None:
        await self._connection.begin(self._search)
        self._connection.analysis = self

    @property
    def over(self) -> bool:
        """Whether the search has ended and its output was read."""
        return self._over

    @property
    def lines(self) -> tuple[Info, ...]:
        """The last info of each line so far, best first."""
        return tuple(self._search.lines[rank] for rank in sorted(self._search.lines))

    def stop(self) -> None:
        """Stops the search. Calling it twice is safe."""
        if not self._over:
            self._until = time.monotonic() + self._connection.timeout
            self._connection.process.send(["stop"])

    def ponderhit(self) -> None:
        """Reports that the opponent played the expected turn."""
        if not self._over:
            self._connection.process.send(["ponderhit"])

    async def wait(self) -> PlayResult:
        """Waits for the end of the search and discards its infos. Raises EngineError if the
        engine reported an error."""
        while await self._receive():
            self._search.fresh.clear()
        return found(self._search)

    def __aiter__(self) -> Analysis:
        return self

    async def __anext__(self) -> Info:
        while not self._search.fresh:
            if not await self._receive():
                break
        if not self._search.fresh:
            raise StopAsyncIteration
        return self._search.fresh.popleft()

    async def __aenter__(self) -> Analysis:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            self.stop()
            while await self._receive():
                pass
        except EngineError:
            if kind is None:
                raise
        finally:
            # After a cancellation the connection reads the rest before the next exchange.
            self._over = True

    async def _receive(self) -> bool:
        """Reads a line of a running search, and reports whether it is still running."""
        try:
            if not self._over:
                self._over = await self._connection.receive(self._search, self._until)
        except EngineError:
            self._over = True
            raise
        return not self._over


__all__ = ["Analysis", "Analyzer", "Engine"]


class Engine:
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
        self._conversation = Conversation(dialect)
        self._command, self._cwd, self._timeout = command, cwd, timeout
        self._first_options = options or {}
        self._started: Optional[Connection] = None

    async def start(self) -> Engine:
        """Starts the engine. Starting it twice is safe."""
        if self._started is not None:
            return self
        self._started = Connection(await Process.start(self._command, self._cwd), self._timeout)
        try:
            async with self._connection.lock:
                self._conversation.read_greeting(await self._connection.run(self._conversation.greeting()))
            if self._first_options:
                await self.configure(self._first_options)
        except BaseException:
            await self._connection.process.end()
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
    def _connection(self) -> Connection:
        if self._started is None:
            raise ValueError("the engine is not started: await it, or use async with")
        return self._started

    @property
    def id(self) -> dict[str, str]:
        """The engine's ``name`` and ``author``."""
        return dict(self._conversation.id)

    @property
    def options(self) -> dict[str, Option]:
        """The engine's options by name, from its handshake."""
        return dict(self._conversation.options)

    @property
    def pid(self) -> int:
        """The engine's process ID."""
        return self._connection.process.pid

    async def ping(self) -> None:
        """Waits until the engine answers."""
        async with self._connection.lock:
            await self._connection.run(Ask([]))

    async def configure(self, values: Values) -> None:
        """Sets options. If one is rejected, the options before it stay set."""
        async with self._connection.lock:
            (await self._connection.run(self._conversation.configure(values))).check()

    async def new_game(self) -> None:
        """Announces a new game."""
        async with self._connection.lock:
            (await self._connection.run(Ask([self._conversation.dialect + "newgame"]))).check()

    async def state(self, position: Position, turns: Iterable[str] = ()) -> State:
        """Returns the position after ``turns``, with its result and its legal turns."""
        async with self._connection.lock:
            asked = await self._connection.run(self._conversation.query(position, words(turns), STATE_QUERIES))
            return self._conversation.state(asked, position.rules)

    async def legal_turns(self, position: Position, turns: Iterable[str] = ()) -> tuple[Turn, ...]:
        """Returns all legal turns in alphabetical order; none if the game is over."""
        return tuple(map(Turn, (await self._query(position, turns, "moves")).split()))

    async def after(self, position: Position, turns: Iterable[str]) -> Position:
        """Returns the position after ``turns``. Raises EngineError at the first illegal turn."""
        return Position(await self._query(position, turns, "fen"), position.rules)

    async def result(self, position: Position, turns: Iterable[str] = ()) -> Result:
        """Returns the result of the game after ``turns``."""
        return Result(await self._query(position, turns, "result"))

    async def play(
        self, position: Position, limit: Limit, *, turns: Iterable[str] = (), root_turns: Iterable[str] = ()
    ) -> PlayResult:
        """Searches for the turn to play after ``turns``, among ``root_turns`` if given."""
        return await self._search(Request(position, require_end(limit), words(turns), words(root_turns)))

    async def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        turns: Iterable[str] = (),
        root_turns: Iterable[str] = (),
        multipv: int = 1,
    ) -> tuple[Info, ...]:
        """Searches, and returns the last info of each line, best first."""
        found = await self._search(Request(position, require_end(limit), words(turns), words(root_turns), multipv))
        return found.lines

    async def analysis(
        self,
        position: Position,
        limit: Limit = Limit(),
        *,
        turns: Iterable[str] = (),
        root_turns: Iterable[str] = (),
        multipv: int = 1,
        ponder: bool = False,
    ) -> Analysis:
        """Starts a search and returns it while it runs. The engine does nothing else until it
        ends, so use it in an ``async with``. With ``ponder`` it thinks on the opponent's
        time; the limits apply from :meth:`Analysis.ponderhit` on."""
        async with self._connection.lock:
            return await self._begin(Request(position, limit, words(turns), words(root_turns), multipv, ponder))

    async def close(self) -> None:
        """Ends the engine. Closing it twice is safe."""
        if self._started is not None:
            await self._started.process.close("quit")

    async def _search(self, request: Request) -> PlayResult:
        async with self._connection.lock:
            async with await self._begin(request) as analysis:
                return await analysis.wait()

    async def _begin(self, request: Request) -> Analysis:
        """Starts a search. The caller holds the lock."""
        self._conversation.responses(await self._connection.run(self._conversation.prepare(request)))
        analysis = Analysis(self._connection, request)
        await analysis._begin()
        return analysis

    async def _query(self, position: Position, turns: Iterable[str], query: str) -> str:
        async with self._connection.lock:
            asked = await self._connection.run(self._conversation.query(position, words(turns), [query]))
            return self._conversation.responses(asked)[0]


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
        timeout: float = 30.0,
        cwd: "str | os.PathLike[str] | None" = None,
    ) -> None:
        """``command`` is a path, a list of a path and its arguments, or None for the engine
        that :func:`gyre.engine_path` finds."""
        self._command = analyse_command(command, threads, hash)
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
            id, line = self._queries.add(query)
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
                    read = self._queries.read(await process.receive(self._timeout))
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
