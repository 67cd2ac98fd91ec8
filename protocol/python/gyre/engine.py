"""An engine for programs that wait for its answers: :mod:`gyre.conversation` over a process
whose reads block."""

from __future__ import annotations

import os
import threading
from contextlib import nullcontext
from types import TracebackType
from typing import Coroutine, Iterable, Iterator, Optional, Type

from . import conversation
from .conversation import Connection, PlayResult, Result, Session, State, T, finish
from .board import Turn
from .position import Position
from .process import Command, Process
from .wire import Info, Limit, Option, Values


class Analysis:
    """A running search. Iterate over its infos, or wait for its result. It ends at its
    limit, by :meth:`stop`, or with its ``with``."""

    def __init__(self, shared: conversation.Analysis) -> None:
        self._shared = shared

    @property
    def over(self) -> bool:
        """Whether the search has ended and its output was read."""
        return self._shared.over

    @property
    def lines(self) -> tuple[Info, ...]:
        """The last info of each line so far, best first."""
        return self._shared.lines

    def stop(self) -> None:
        """Stops the search. Any thread may call it. Calling it twice is safe."""
        self._shared.stop()

    def ponderhit(self) -> None:
        """Reports that the opponent played the expected turn."""
        self._shared.ponderhit()

    def wait(self) -> PlayResult:
        """Waits for the end of the search and discards its infos. Raises EngineError if the
        engine reported an error."""
        return finish(self._shared.wait())

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        info = finish(self._shared.next_info())
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        finish(self._shared.__aexit__(kind, error, trace))


class Engine:
    """An engine, running until :meth:`close` or the end of a ``with``.

    Each call waits for the engine's answer, at most ``timeout`` seconds beyond the time of
    a search. If the engine dies or hangs, the call raises EngineTerminatedError or
    EngineTimeoutError and ends the engine. If the engine rejects something, the call
    raises EngineError and nothing changes. The engine stays usable after Ctrl-C. Threads
    may share one; it serves them one after the other.
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
        """Starts an engine. ``command`` is a path, a list of a path and its arguments, or None
        for the engine that :func:`gyre.engine_path` finds."""
        self._session = Session(dialect)
        self._lock = threading.RLock()
        self._process = Process(command, cwd)
        try:
            self._finish(self._session.greet(Connection(self._process, timeout, nullcontext()), options))
        except BaseException:
            self._process.close()
            raise

    def _finish(self, work: Coroutine[object, None, T]) -> T:
        with self._lock:
            return finish(work)

    @property
    def id(self) -> dict[str, str]:
        """The engine's ``name`` and ``author``."""
        return self._session.id

    @property
    def options(self) -> dict[str, Option]:
        """The engine's options by name, from its handshake."""
        return self._session.options

    @property
    def pid(self) -> int:
        """The engine's process ID."""
        return self._process.pid

    def ping(self) -> None:
        """Waits until the engine answers."""
        self._finish(self._session.ping())

    def configure(self, values: Values) -> None:
        """Sets options. If one is rejected, the options before it stay set."""
        self._finish(self._session.configure(values))

    def new_game(self) -> None:
        """Announces a new game."""
        self._finish(self._session.new_game())

    def state(self, position: Position, turns: Iterable[str] = ()) -> State:
        """Returns the position after ``turns``, with its result and its legal turns."""
        return self._finish(self._session.state(position, turns))

    def legal_turns(self, position: Position, turns: Iterable[str] = ()) -> tuple[Turn, ...]:
        """Returns all legal turns in alphabetical order; none if the game is over."""
        return self._finish(self._session.legal_turns(position, turns))

    def after(self, position: Position, turns: Iterable[str]) -> Position:
        """Returns the position after ``turns``. Raises EngineError at the first illegal turn."""
        return self._finish(self._session.after(position, turns))

    def result(self, position: Position, turns: Iterable[str] = ()) -> Result:
        """Returns the result of the game after ``turns``."""
        return self._finish(self._session.result(position, turns))

    def play(
        self, position: Position, limit: Limit, *, turns: Iterable[str] = (), root_turns: Iterable[str] = ()
    ) -> PlayResult:
        """Searches for the turn to play after ``turns``, among ``root_turns`` if given."""
        return self._finish(self._session.play(position, limit, turns=turns, root_turns=root_turns))

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        turns: Iterable[str] = (),
        root_turns: Iterable[str] = (),
        multipv: int = 1,
    ) -> tuple[Info, ...]:
        """Searches, and returns the last info of each line, best first."""
        return self._finish(self._session.analyse(position, limit, turns=turns, root_turns=root_turns, multipv=multipv))

    def analysis(
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
        ends, so use it in a ``with``. With ``ponder`` it thinks on the opponent's time;
        the limits apply from :meth:`Analysis.ponderhit` on."""
        begin = self._session.analysis(position, limit, turns=turns, root_turns=root_turns, multipv=multipv, ponder=ponder)
        return Analysis(self._finish(begin))

    def close(self) -> None:
        """Ends the engine. Closing it twice is safe."""
        self._process.close("quit")

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
