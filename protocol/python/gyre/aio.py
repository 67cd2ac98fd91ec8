"""An engine, and an analyzer, for asyncio."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Generator, Iterable, Optional, Type

from .aioanalyzer import Analyzer
from .aiodialogue import Analysis, Dialogue
from .aioprocess import Process
from .conversation import STATE_QUERIES, Conversation, PlayResult, Request, Result, State, must_end, words
from .limit import Limit
from .option import Option, Values
from .position import Position
from .process import Command
from .score import Info
from .turn import Turn
from .wire import Ask

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
