"""An engine, and an analyzer, for asyncio."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from types import TracebackType
from typing import AsyncIterator, Generator, Iterable, Optional, Type, Union

from .analysis import ALIVE, WINDOW, Answer, Ledger, Query, analyse_command
from .engine import STATE_QUERIES, Conversation, PlayResult, Request, Result, State, found, must_end, words
from .position import Position, Turn
from .process import CHUNK, FAREWELL, Command, command_line, kill_group, own_group
from .wire import Ask, EngineError, EngineTerminatedError, EngineTimeoutError, Exchange, Info, Limit, LineSplitter, Option, Search, Values


class Process:
    """A process that speaks in lines."""

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
        """Starts it. EngineTerminatedError if that fails."""
        words = command_line(command)
        pipe = asyncio.subprocess.PIPE
        loop = asyncio.get_running_loop()
        # As asyncio.create_subprocess_exec does it, which keeps the transport for itself.
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
            raise EngineTerminatedError(f"{words[0]} cannot be started: {wrong.strerror or wrong}") from wrong
        process = asyncio.subprocess.Process(transport, protocol, loop)
        return cls(process, transport, os.path.basename(words[0]))

    def say(self, lines: list[str]) -> None:
        """Writes lines, without waiting for them to be read."""
        if self._stdin.is_closing():
            raise EngineTerminatedError(f"{self.name} was ended")
        self._stdin.write("".join(line + "\n" for line in lines).encode())

    async def hear(self, timeout: float) -> str:
        """The next line. EngineTimeoutError if none comes in so many seconds. Nothing is
        lost where this is cancelled."""
        while not self._lines:
            try:
                async with asyncio.timeout(timeout):
                    chunk = await self._stdout.read(CHUNK)
            except TimeoutError:
                raise EngineTimeoutError(f"{self.name} has said nothing for {timeout:.3g} s") from None
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
        """Ends the process and what it has started, at once."""
        if self._process.returncode is None:
            # Not by Process.kill on Unix: it takes the status that asyncio waits for.
            if not kill_group(self.pid):
                self._process.kill()
        self._stdin.close()

    async def close(self, farewell: str) -> None:
        """Ends the process: by its last word and the end of its input, and when that
        does not help by force."""
        try:
            if self._process.returncode is None and not self._stdin.is_closing():
                self.say([farewell])
                self._stdin.close()
                async with asyncio.timeout(FAREWELL):
                    await self._drain()
        except (TimeoutError, OSError):
            pass
        finally:
            await self.end()

    async def end(self) -> None:
        """Ends the process at once, and waits until it is gone."""
        self.kill()
        # asyncio tells that a process is gone once its pipes are closed, too. Of its output
        # it does not see that while it holds much that nobody has read, and neither pipe is
        # closed while a process has it that the engine has left behind.
        if self._stdin.transport.get_write_buffer_size() > 0:
            self._stdin.transport.abort()
        output = self._transport.get_pipe_transport(1)
        if output is not None:
            output.close()
        await self._process.wait()

    async def _drain(self) -> None:
        """Hears all that is still said, so that the process can end."""
        while await self._stdout.read(CHUNK):
            pass
        await self._process.wait()


class Dialogue:
    """One exchange after the other. What was broken off is heard to its end first."""

    def __init__(self, process: Process, timeout: float) -> None:
        self.process = process
        self.timeout = timeout
        self.lock = asyncio.Lock()
        self.analysis: Optional[Analysis] = None
        self._begun: Optional[Exchange] = None  # and not heard to its end
        self._heard: Optional[float] = None  # the deadline of what was heard last

    async def hold(self, ask: Ask) -> Ask:
        """Holds an exchange. The caller has the lock."""
        await self.begin(ask)
        until = time.monotonic() + self.timeout
        while not await self.hear(ask, until):
            pass
        return ask

    async def begin(self, exchange: Exchange) -> None:
        """Says what an exchange says. The caller has the lock."""
        if self.analysis is not None and not self.analysis.over:
            raise EngineError("an analysis goes on: stop it first")
        if self._begun is not None:
            self.process.say(["stop"])
            until = time.monotonic() + self.timeout
            while not await self.hear(self._begun, until):
                pass
        self._begun = exchange
        self.process.say(exchange.commands)

    async def hear(self, exchange: Exchange, until: Optional[float]) -> bool:
        """Hears a line, and tells whether it was the last. A search may take its time;
        where it is silent, isready tells whether the engine is there."""
        left = self.timeout if until is None else max(until - time.monotonic(), 0)
        try:
            over = exchange.hear(await self.process.hear(min(left, self.timeout)))
        except EngineTimeoutError:
            early = until is None or time.monotonic() < until
            if not (early and isinstance(exchange, Search) and exchange.asked == 0):
                self.process.kill()
                if left < self.timeout and self._heard == until:
                    raise self._endless() from None
                raise
            exchange.asked += 1
            self.process.say(["isready"])
            return False
        except EngineError:
            self.process.kill()
            raise
        if over:
            self._begun = None
        elif until is not None and time.monotonic() > until:
            self.process.kill()
            raise self._endless()
        self._heard = until
        return over

    def _endless(self) -> EngineTimeoutError:
        return EngineTimeoutError(f"{self.process.name} has not come to an end in time")


class Analysis:
    """A search that goes on. Iterate over its infos as they come, or await what it
    finds; it ends at its limit, by :meth:`stop` or with its ``async with``."""

    def __init__(self, dialogue: Dialogue, request: Request) -> None:
        self._dialogue = dialogue
        self._search: Search = request.search()
        self._over = False
        self._until: Optional[float] = None
        if request.longest is not None:
            self._until = time.monotonic() + request.longest + dialogue.timeout

    async def _begin(self) -> None:
        await self._dialogue.begin(self._search)
        self._dialogue.analysis = self

    @property
    def over(self) -> bool:
        """Whether the search has ended and all of it was heard."""
        return self._over

    @property
    def lines(self) -> tuple[Info, ...]:
        """The last info of each line so far, the best first."""
        return tuple(self._search.lines[rank] for rank in sorted(self._search.lines))

    def stop(self) -> None:
        """Has the search end. It may be called more than once."""
        if not self._over:
            self._until = time.monotonic() + self._dialogue.timeout
            self._dialogue.process.say(["stop"])

    def ponderhit(self) -> None:
        """The turn that is pondered on was played."""
        if not self._over:
            self._dialogue.process.say(["ponderhit"])

    async def wait(self) -> PlayResult:
        """Waits for the end of the search, and passes over its infos. EngineError if the
        engine complained."""
        while await self._hear():
            self._search.fresh.clear()
        return found(self._search)

    def __aiter__(self) -> Analysis:
        return self

    async def __anext__(self) -> Info:
        while not self._search.fresh:
            if not await self._hear():
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
            while await self._hear():
                pass
        except EngineError:
            if kind is None:
                raise
        finally:
            # What a cancellation leaves unheard the dialogue hears before it goes on.
            self._over = True

    async def _hear(self) -> bool:
        """Hears a line, if the search goes on, and tells whether it still does."""
        try:
            if not self._over:
                self._over = await self._dialogue.hear(self._search, self._until)
        except EngineError:
            self._over = True
            raise
        return not self._over


__all__ = ["Analysis", "Analyzer", "Engine"]


class Engine:
    """An engine that runs within an ``async with``, or from ``await Engine(...)`` to
    :meth:`close`.

    It is :class:`gyre.Engine` with ``await``: tasks may share one and are served in turn,
    and a task may be cancelled at any moment. The search that it waited for is stopped
    then, and the engine can be used on.
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
        """An engine to start: ``command`` is a path, a list of a path and its arguments,
        or None for the engine that :func:`gyre.engine_path` finds."""
        self._talk = Conversation(dialect)
        self._command, self._cwd, self._timeout = command, cwd, timeout
        self._first_options = options or {}
        self._started: Optional[Dialogue] = None

    async def start(self) -> Engine:
        """Starts the engine. Starting it twice does no more."""
        if self._started is not None:
            return self
        self._started = Dialogue(await Process.start(self._command, self._cwd), self._timeout)
        try:
            async with self._dialogue.lock:
                self._talk.greeted(await self._dialogue.hold(self._talk.greet()))
            if self._first_options:
                await self.configure(self._first_options)
        except BaseException:
            await self._dialogue.process.end()
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
    def _dialogue(self) -> Dialogue:
        if self._started is None:
            raise ValueError("the engine was not started: await it, or use async with")
        return self._started

    @property
    def id(self) -> dict[str, str]:
        """The engine's ``name`` and ``author``."""
        return dict(self._talk.id)

    @property
    def options(self) -> dict[str, Option]:
        """The engine's options by name, as its handshake told them."""
        return dict(self._talk.options)

    @property
    def pid(self) -> int:
        """The number of the engine's process."""
        return self._dialogue.process.pid

    async def ping(self) -> None:
        """Waits until the engine answers."""
        async with self._dialogue.lock:
            await self._dialogue.hold(Ask([]))

    async def configure(self, values: Values) -> None:
        """Sets options, those before one that is refused too."""
        async with self._dialogue.lock:
            (await self._dialogue.hold(self._talk.configure(values))).check()

    async def new_game(self) -> None:
        """What follows belongs to another game."""
        async with self._dialogue.lock:
            (await self._dialogue.hold(Ask([self._talk.dialect + "newgame"]))).check()

    async def state(self, position: Position, turns: Iterable[str] = ()) -> State:
        """The position after some turns, how the game stands there and all legal turns."""
        async with self._dialogue.lock:
            asked = await self._dialogue.hold(self._talk.look(position, words(turns), STATE_QUERIES))
            return self._talk.state(asked, position.rules)

    async def legal_turns(self, position: Position, turns: Iterable[str] = ()) -> tuple[Turn, ...]:
        """All legal turns in alphabetical order, none if the game is over."""
        return tuple(map(Turn, (await self._query(position, turns, "moves")).split()))

    async def after(self, position: Position, turns: Iterable[str]) -> Position:
        """The position after some turns. EngineError names the first that is not legal."""
        return Position(await self._query(position, turns, "fen"), position.rules)

    async def result(self, position: Position, turns: Iterable[str] = ()) -> Result:
        """How the game stands."""
        return Result(await self._query(position, turns, "result"))

    async def play(
        self, position: Position, limit: Limit, *, turns: Iterable[str] = (), root_turns: Iterable[str] = ()
    ) -> PlayResult:
        """Searches the position after some turns for the turn to play, among
        ``root_turns`` if any are given."""
        return await self._search(Request(position, must_end(limit), words(turns), words(root_turns)))

    async def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        turns: Iterable[str] = (),
        root_turns: Iterable[str] = (),
        multipv: int = 1,
    ) -> tuple[Info, ...]:
        """Searches, and returns the last info of each line, the best first."""
        found = await self._search(Request(position, must_end(limit), words(turns), words(root_turns), multipv))
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
        """Begins a search whose infos are told as they come. Until it is over the engine
        does nothing else, so use it in an ``async with``. With ``ponder`` it thinks on
        the opponent's time: the limits hold from :meth:`Analysis.ponderhit`."""
        async with self._dialogue.lock:
            return await self._begin(Request(position, limit, words(turns), words(root_turns), multipv, ponder))

    async def close(self) -> None:
        """Ends the engine. Closing twice does no harm."""
        if self._started is not None:
            await self._started.process.close("quit")

    async def _search(self, request: Request) -> PlayResult:
        async with self._dialogue.lock:
            async with await self._begin(request) as analysis:
                return await analysis.wait()

    async def _begin(self, request: Request) -> Analysis:
        """Begins a search. The caller has the lock."""
        self._talk.heard(await self._dialogue.hold(self._talk.prepare(request)))
        analysis = Analysis(self._dialogue, request)
        await analysis._begin()
        return analysis

    async def _query(self, position: Position, turns: Iterable[str], query: str) -> str:
        async with self._dialogue.lock:
            asked = await self._dialogue.hold(self._talk.look(position, words(turns), [query]))
            return self._talk.heard(asked)[0]


#: What comes of a query: answers, or that the engine is gone.
_Mail = Union[Answer, EngineError]


class Analyzer:
    """``gyre analyse`` within an ``async with``: :class:`gyre.Analyzer` with ``await``.
    Any number of tasks may ask at once; one that is cancelled ends its searches."""

    def __init__(
        self,
        command: Command = None,
        *,
        threads: Optional[int] = None,
        hash: Optional[int] = None,
        timeout: float = 30.0,
        cwd: "str | os.PathLike[str] | None" = None,
    ) -> None:
        """An engine to start: ``command`` is a path, a list of a path and its arguments,
        or None for the engine that :func:`gyre.engine_path` finds."""
        self._command = analyse_command(command, threads, hash)
        self._cwd, self._timeout = cwd, timeout
        self._ledger = Ledger()
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
            self._tell_all(EngineTerminatedError("the analyzer was closed"))
            await self._process.end()

    @property
    def pid(self) -> int:
        """The number of the engine's process."""
        return self._running().pid

    async def analyse(self, query: Query) -> list[Answer]:
        """The answers to a query, in the order of the turns. EngineError if it is wrong."""
        found = [answer.check() async for answer in self.reports(query) if not answer.during_search]
        return sorted(found, key=lambda answer: answer.number or 0)

    async def reports(self, query: Query) -> AsyncIterator[Answer]:
        """The answers to a query as they are done, and what is told during the search."""
        process = self._running()
        async with self._room:
            if self._reader is None or self._reader.done():
                raise EngineTerminatedError(f"{process.name} has ended")
            id, line = self._ledger.enter(query)
            mail = self._mail[id] = asyncio.Queue()
            process.say([line])
            try:
                while id in self._ledger.open or not mail.empty():
                    one = await mail.get()
                    if isinstance(one, EngineError):
                        raise one
                    yield one
            finally:
                del self._mail[id]
                if id in self._ledger.open and not self._reader.done():
                    process.say([self._ledger.strike(id)])

    async def answers(self, queries: Iterable[Query]) -> AsyncIterator[Answer]:
        """The answers to queries as they are done, without what is told during searches;
        each names its query. What is wrong with a query is the ``error`` of an answer, and
        the others go on."""
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
            raise ValueError("the analyzer was not started: use async with")
        return self._process

    async def _read(self, process: Process) -> None:
        """Hands out what the engine says, until it ends."""
        asked = False
        try:
            while True:
                try:
                    read = self._ledger.read(await process.hear(self._timeout))
                except EngineTimeoutError:
                    if asked and self._ledger.open:
                        raise
                    process.say([ALIVE])
                    asked = True
                    continue
                asked = False
                if read is not None and read[0] in self._mail:
                    self._mail[read[0]].put_nowait(read[1])
        except EngineError as wrong:
            process.kill()
            self._tell_all(wrong)

    def _tell_all(self, wrong: EngineError) -> None:
        for mail in self._mail.values():
            mail.put_nowait(wrong)
