"""Exchanges with a process, for a program that waits."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Iterator, Optional, Type

from .conversation import PlayResult, Request, found
from .process import Process
from .score import Info
from .wire import Ask, EngineError, EngineTimeoutError, Exchange, Search


class Dialogue:
    """One exchange after the other. What was broken off is heard to its end first."""

    def __init__(self, process: Process, timeout: float) -> None:
        self.process = process
        self.timeout = timeout
        self.lock = threading.RLock()
        self.analysis: Optional[Analysis] = None
        self._begun: Optional[Exchange] = None  # and not heard to its end
        self._heard: Optional[float] = None  # the deadline of what was heard last

    def hold(self, ask: Ask) -> Ask:
        """Holds an exchange."""
        with self.lock:
            self.begin(ask)
            until = time.monotonic() + self.timeout
            while not self.hear(ask, until):
                pass
            return ask

    def begin(self, exchange: Exchange) -> None:
        """Says what an exchange says."""
        if self.analysis is not None and not self.analysis.over:
            raise EngineError("an analysis goes on: stop it first")
        if self._begun is not None:
            self.say(["stop"])
            until = time.monotonic() + self.timeout
            while not self.hear(self._begun, until):
                pass
        self._begun = exchange
        self.say(list(exchange.commands))

    def say(self, lines: list[str]) -> None:
        """Writes lines."""
        self.process.say(lines, self.timeout)

    def hear(self, exchange: Exchange, until: Optional[float]) -> bool:
        """Hears a line, and tells whether it was the last. A search may take its time;
        where it is silent, isready tells whether the engine is there."""
        left = self.timeout if until is None else max(until - time.monotonic(), 0)
        try:
            over = exchange.hear(self.process.hear(min(left, self.timeout)))
        except EngineTimeoutError:
            early = until is None or time.monotonic() < until
            if not (early and isinstance(exchange, Search) and exchange.asked == 0):
                self.process.close()
                if left < self.timeout and self._heard == until:
                    raise self._endless() from None
                raise
            exchange.asked += 1
            self.say(["isready"])
            return False
        except EngineError:
            self.process.close()
            raise
        if over:
            self._begun = None
        elif until is not None and time.monotonic() > until:
            self.process.close()
            raise self._endless()
        self._heard = until
        return over

    def _endless(self) -> EngineTimeoutError:
        return EngineTimeoutError(f"{self.process.name} has not come to an end in time")

    def close(self, farewell: str = "") -> None:
        """Ends the process."""
        self.process.close(farewell)


class Analysis:
    """A search that goes on. Iterate over its infos as they come, or wait for what it
    finds; it ends at its limit, by :meth:`stop` or with its ``with``."""

    def __init__(self, dialogue: Dialogue, request: Request) -> None:
        self._dialogue = dialogue
        self._search: Search = request.search()
        self._over = False
        self._until: Optional[float] = None
        if request.longest is not None:
            self._until = time.monotonic() + request.longest + dialogue.timeout
        dialogue.begin(self._search)
        dialogue.analysis = self

    @property
    def over(self) -> bool:
        """Whether the search has ended and all of it was heard."""
        return self._over

    @property
    def lines(self) -> tuple[Info, ...]:
        """The last info of each line so far, the best first."""
        return tuple(self._search.lines[rank] for rank in sorted(self._search.lines))

    def stop(self) -> None:
        """Has the search end. Any thread may call it, and more than once."""
        if not self._over:
            self._until = time.monotonic() + self._dialogue.timeout
            self._dialogue.say(["stop"])

    def ponderhit(self) -> None:
        """The turn that is pondered on was played."""
        if not self._over:
            self._dialogue.say(["ponderhit"])

    def wait(self) -> PlayResult:
        """Waits for the end of the search, and passes over its infos. EngineError if the
        engine complained."""
        while self._hear():
            self._search.fresh.clear()
        return found(self._search)

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        while not self._search.fresh:
            if not self._hear():
                break
        if not self._search.fresh:
            raise StopIteration
        return self._search.fresh.popleft()

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            self.stop()
            while self._hear():
                pass
        except EngineError:
            if kind is None:
                raise
        finally:
            # What a second Ctrl-C leaves unheard the dialogue hears before it goes on.
            self._over = True

    def _hear(self) -> bool:
        """Hears a line, if the search goes on, and tells whether it still does."""
        try:
            if not self._over:
                self._over = self._dialogue.hear(self._search, self._until)
        except EngineError:
            self._over = True
            raise
        return not self._over
