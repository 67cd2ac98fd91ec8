"""Many positions analysed side by side, for a program that waits."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Iterable, Iterator, Optional, Type

from .analysis import ALIVE, Answer, Ledger, Query, analyse_command
from .process import Command, Process
from .wire import EngineError, EngineTimeoutError

#: How many queries are under way at once: enough for any machine, and few enough that
#: the engine always reads.
WINDOW = 256


class Analyzer:
    """``gyre analyse``, until :meth:`close` or the end of a ``with``. Each position is
    searched by one thread, ``threads`` of them side by side (as many as there are
    processors, if left out), each with ``hash`` MiB for its table."""

    def __init__(
        self,
        command: Command = None,
        *,
        threads: Optional[int] = None,
        hash: Optional[int] = None,
        timeout: float = 30.0,
        cwd: "str | os.PathLike[str] | None" = None,
    ) -> None:
        """Starts an engine: ``command`` is a path, a list of a path and its arguments, or
        None for the engine that :func:`gyre.engine_path` finds."""
        self._process = Process(analyse_command(command, threads, hash), cwd)
        self._ledger = Ledger()
        self._timeout = timeout
        self._busy = False

    @property
    def pid(self) -> int:
        """The number of the engine's process."""
        return self._process.pid

    def analyse(self, query: Query) -> list[Answer]:
        """The answers to a query, in the order of the turns. EngineError if it is wrong."""
        found = [answer.check() for answer in self.answers([query]) if not answer.during_search]
        return sorted(found, key=lambda answer: answer.number or 0)

    def answers(self, queries: Iterable[Query]) -> Iterator[Answer]:
        """The answers to queries as they are done, which is not the order of the queries;
        each names its query. What is wrong with a query is the ``error`` of an answer, and
        the others go on. Queries are taken as there is room for them, so there may be any
        number. Whoever leaves the iteration early ends the searches that are under way."""
        if self._busy:
            raise EngineError("another analysis goes on")
        self._busy = True
        waiting, ended = iter(queries), False
        try:
            while True:
                while not ended and len(self._ledger.open) < WINDOW:
                    query = next(waiting, None)
                    if query is None:
                        ended = True
                    else:
                        self._process.say([self._ledger.enter(query)[1]], self._timeout)
                if not self._ledger.open:
                    return
                read = self._ledger.read(self._hear())
                if read is not None:
                    yield read[1]
        finally:
            self._busy = False
            if self._ledger.open and self._process.returncode is None:
                self._process.say([self._ledger.strike(id) for id in list(self._ledger.open)], self._timeout)

    def _hear(self) -> str:
        """The next line. Searches may take their time; where the engine is silent it is
        asked whether it is there."""
        try:
            return self._process.hear(self._timeout)
        except EngineTimeoutError:
            self._process.say([ALIVE], self._timeout)
        try:
            return self._process.hear(self._timeout)
        except EngineError:
            self._process.close()
            raise

    def close(self) -> None:
        """Ends the engine and all that it searches. Closing twice does no harm."""
        for id in list(self._ledger.open):
            self._ledger.strike(id)
        self._process.kill()

    def __enter__(self) -> Analyzer:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
