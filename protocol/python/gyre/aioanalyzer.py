"""Many positions analysed side by side, for asyncio."""

from __future__ import annotations

import asyncio
import os
from types import TracebackType
from typing import AsyncIterator, Iterable, Optional, Type, Union

from .aioprocess import Process
from .analysis import ALIVE, Answer, Ledger, Query, analyse_command
from .analyzer import WINDOW
from .process import Command
from .wire import EngineError, EngineTerminatedError, EngineTimeoutError

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
