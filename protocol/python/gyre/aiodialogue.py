"""Exchanges with a process, for asyncio."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Optional, Type

from .aioprocess import Process
from .conversation import PlayResult, Request, found
from .score import Info
from .wire import Ask, EngineError, EngineTimeoutError, Exchange, Search


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
