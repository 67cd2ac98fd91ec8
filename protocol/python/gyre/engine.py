"""An engine for a program that waits for its answers."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Iterable, Optional, Type

from .conversation import STATE_QUERIES, Conversation, PlayResult, Request, Result, State, must_end, words
from .dialogue import Analysis, Dialogue
from .limit import Limit
from .option import Option, Values
from .position import Position
from .process import Command, Process
from .score import Info
from .turn import Turn
from .wire import Ask


class Engine:
    """An engine that runs, until :meth:`close` or the end of a ``with``.

    Everything waits for the engine's answer, at most for ``timeout`` seconds beyond the
    time that a search is given. An engine that dies or hangs raises
    EngineTerminatedError or EngineTimeoutError and is ended; what it refuses raises
    EngineError and changes nothing. After Ctrl-C it can be used on. Threads may share
    one: they are served in turn.
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
        """Starts an engine: ``command`` is a path, a list of a path and its arguments,
        or None for the engine that :func:`gyre.engine_path` finds."""
        self._talk = Conversation(dialect)
        self._dialogue = Dialogue(Process(command, cwd), timeout)
        try:
            self._talk.greeted(self._dialogue.hold(self._talk.greet()))
            if options:
                self.configure(options)
        except BaseException:
            self._dialogue.close()
            raise

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

    def ping(self) -> None:
        """Waits until the engine answers."""
        self._dialogue.hold(Ask([]))

    def configure(self, values: Values) -> None:
        """Sets options, those before one that is refused too."""
        self._dialogue.hold(self._talk.configure(values)).check()

    def new_game(self) -> None:
        """What follows belongs to another game."""
        self._dialogue.hold(Ask([self._talk.dialect + "newgame"])).check()

    def state(self, position: Position, turns: Iterable[str] = ()) -> State:
        """The position after some turns, how the game stands there and all legal turns."""
        with self._dialogue.lock:
            asked = self._dialogue.hold(self._talk.look(position, words(turns), STATE_QUERIES))
            return self._talk.state(asked, position.rules)

    def legal_turns(self, position: Position, turns: Iterable[str] = ()) -> tuple[Turn, ...]:
        """All legal turns in alphabetical order, none if the game is over."""
        return tuple(map(Turn, self._query(position, turns, "moves").split()))

    def after(self, position: Position, turns: Iterable[str]) -> Position:
        """The position after some turns. EngineError names the first that is not legal."""
        return Position(self._query(position, turns, "fen"), position.rules)

    def result(self, position: Position, turns: Iterable[str] = ()) -> Result:
        """How the game stands."""
        return Result(self._query(position, turns, "result"))

    def play(
        self, position: Position, limit: Limit, *, turns: Iterable[str] = (), root_turns: Iterable[str] = ()
    ) -> PlayResult:
        """Searches the position after some turns for the turn to play, among
        ``root_turns`` if any are given."""
        request = Request(position, must_end(limit), words(turns), words(root_turns))
        with self._dialogue.lock:
            with self._begin(request) as analysis:
                return analysis.wait()

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        turns: Iterable[str] = (),
        root_turns: Iterable[str] = (),
        multipv: int = 1,
    ) -> tuple[Info, ...]:
        """Searches, and returns the last info of each line, the best first."""
        request = Request(position, must_end(limit), words(turns), words(root_turns), multipv)
        with self._dialogue.lock:
            with self._begin(request) as analysis:
                return analysis.wait().lines

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
        """Begins a search whose infos are told as they come. Until it is over the engine
        does nothing else, so use it in a ``with``. With ``ponder`` it thinks on the
        opponent's time: the limits hold from :meth:`Analysis.ponderhit`."""
        return self._begin(Request(position, limit, words(turns), words(root_turns), multipv, ponder))

    def close(self) -> None:
        """Ends the engine. Closing twice does no harm."""
        self._dialogue.close("quit")

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _query(self, position: Position, turns: Iterable[str], query: str) -> str:
        with self._dialogue.lock:
            return self._talk.heard(self._dialogue.hold(self._talk.look(position, words(turns), [query])))[0]

    def _begin(self, request: Request) -> Analysis:
        with self._dialogue.lock:
            self._talk.heard(self._dialogue.hold(self._talk.prepare(request)))
            return Analysis(self._dialogue, request)
