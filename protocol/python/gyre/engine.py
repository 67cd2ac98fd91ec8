"""An engine for programs that wait for its answers.

Conversation is the protocol without input and output; :mod:`gyre.aio` shares it."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Iterable, Iterator, Optional, Sequence, Type

from .position import Position, Turn
from .process import Command, Process
from .wire import Ask, EngineError, EngineTimeoutError, Exchange, Info, Limit, Option, Search, Value, Values, position_command


#: Options that the clients set themselves, from what they are asked for.
MANAGED = ("Rules", "MultiPV")


class Result(Enum):
    """The result of a game, in the words of the protocol."""

    NONE = "none"  #: the game is not over
    WHITE_WINS = "p1win"
    BLACK_WINS = "p2win"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class State:
    """A position with its result and its legal turns."""

    position: Position
    result: Result
    turns: tuple[Turn, ...]  #: all legal turns, in alphabetical order

    @property
    def over(self) -> bool:
        return self.result is not Result.NONE


@dataclass(frozen=True, slots=True)
class PlayResult:
    """The result of a search."""

    turn: Optional[Turn]  #: the turn to play; None if the game is over
    ponder: Optional[Turn]  #: the expected reply, if the engine names one
    lines: tuple[Info, ...]  #: the last info of each line with a score, best first

    @property
    def info(self) -> Info:
        """The last info of the best line, or an empty one."""
        return self.lines[0] if self.lines else Info()


@dataclass(frozen=True, slots=True)
class Request:
    """The parameters of a search."""

    position: Position
    limit: Limit
    turns: tuple[str, ...] = ()
    root_turns: tuple[str, ...] = ()
    multipv: int = 1
    ponder: bool = False

    def search(self) -> Search:
        return Search(self.limit, self.ponder, self.root_turns)

    @property
    def longest(self) -> Optional[float]:
        """The most seconds that it can take, or None."""
        return None if self.ponder else self.limit.longest


def words(turns: Iterable[str]) -> tuple[str, ...]:
    """Returns turns as words to send. Raises ValueError if one is malformed."""
    return tuple([Turn(turn) for turn in turns])


def require_end(limit: Limit) -> Limit:
    """Returns the limit. Raises ValueError if it would not end a search."""
    if not limit.ends:
        raise ValueError("limit: the search needs time, depth, nodes, mate or a clock to end")
    return limit


class Conversation:
    """The state of the protocol, without input and output."""

    def __init__(self, dialect: str) -> None:
        if dialect not in ("uci", "ugi"):
            raise ValueError(f"dialect {dialect!r}: use uci or ugi")
        self.dialect = dialect
        self.id: dict[str, str] = {}
        self.options: dict[str, Option] = {}
        self._managed: dict[str, str] = {}

    def greeting(self) -> Ask:
        return Ask([self.dialect], self.dialect + "ok")

    def read_greeting(self, greeting: Ask) -> None:
        """Reads the answer to the handshake."""
        for line in greeting.lines:
            head, _, rest = line.partition(" ")
            if head == "id":
                key, _, text = rest.partition(" ")
                self.id[key] = text
            elif head == "option":
                option = Option.parse(line)
                self.options[option.name] = option
        self._managed = {name: self.options[name].default for name in MANAGED if name in self.options}

    def configure(self, values: Values) -> Ask:
        """Returns the exchange that sets options. Raises EngineError for an unknown one."""
        for name in values:
            if name in MANAGED:
                raise EngineError(f"option {name}: the client sets it; pass it as an argument of the search, or as part of the position")
        return Ask([self._find(name).command(value) for name, value in values.items()])

    def _find(self, name: str) -> Option:
        for option in self.options.values():
            if option.name.lower() == name.lower():
                return option
        raise EngineError(f"option {name}: the engine has no such option")

    def _manage(self, name: str, value: Value, settings: dict[str, str]) -> list[str]:
        """Returns the commands that set an option managed by the client. Its value is unknown
        until they are answered."""
        text = str(value).lower()
        if name not in self.options:
            if text == {"Rules": "standard", "MultiPV": "1"}[name]:
                return []
            raise EngineError(f"{name} {text}: the engine has no such option")
        if self._managed.get(name) == text:
            return []
        self._managed.pop(name, None)
        settings[name] = text
        return [self.options[name].command(value)]

    def query(self, position: Position, turns: Sequence[str], queries: Sequence[str]) -> Ask:
        """Returns the exchange that sets up a position and asks ``queries``."""
        settings: dict[str, str] = {}
        commands = self._manage("Rules", position.rules, settings)
        return self._ask([*commands, position_command(position, turns), *(f"query {query}" for query in queries)], settings)

    def prepare(self, request: Request) -> Ask:
        """Returns the exchange that precedes a search."""
        settings: dict[str, str] = {}
        commands = self._manage("MultiPV", request.multipv, settings)
        commands += self._manage("Rules", request.position.rules, settings)
        return self._ask([*commands, position_command(request.position, request.turns)], settings)

    def _ask(self, commands: list[str], settings: dict[str, str]) -> Ask:
        ask = Ask(commands)
        ask.settings = settings
        return ask

    def responses(self, ask: Ask) -> list[str]:
        """Returns the responses. Raises EngineError if the engine reported an error."""
        responses = ask.responses()
        self._managed |= ask.settings
        return responses

    def state(self, ask: Ask, rules: str) -> State:
        """Reads the responses to ``STATE_QUERIES``."""
        fen, result, turns = self.responses(ask)
        try:
            return State(Position(fen, rules), Result(result), tuple(map(Turn, turns.split())))
        except ValueError as nonsense:
            raise EngineError(f"the engine's response to a query: {nonsense}") from None


#: The queries behind a :class:`State`.
STATE_QUERIES = ("fen", "result", "moves")


def found(search: Search) -> PlayResult:
    """Returns the result of a finished search."""
    best, ponder = search.answer()
    return PlayResult(best, ponder, tuple(search.lines[rank] for rank in sorted(search.lines)))


class Connection:
    """A connection runs one exchange at a time. It first reads an interrupted one to its end."""

    def __init__(self, process: Process, timeout: float) -> None:
        self.process = process
        self.timeout = timeout
        self.lock = threading.RLock()
        self.analysis: Optional[Analysis] = None
        self._unfinished: Optional[Exchange] = None  # interrupted before its last line
        self._last_deadline: Optional[float] = None  # the deadline of the last line

    def run(self, ask: Ask) -> Ask:
        """Runs an exchange to its end."""
        with self.lock:
            self.begin(ask)
            until = time.monotonic() + self.timeout
            while not self.receive(ask, until):
                pass
            return ask

    def begin(self, exchange: Exchange) -> None:
        """Sends the commands of an exchange."""
        if self.analysis is not None and not self.analysis.over:
            raise EngineError("an analysis is running: stop it first")
        if self._unfinished is not None:
            self.send(["stop"])
            until = time.monotonic() + self.timeout
            while not self.receive(self._unfinished, until):
                pass
        self._unfinished = exchange
        self.send(list(exchange.commands))

    def send(self, lines: list[str]) -> None:
        """Sends lines."""
        self.process.send(lines, self.timeout)

    def receive(self, exchange: Exchange, until: Optional[float]) -> bool:
        """Reads a line and reports whether it was the last. If a search is silent for too
        long, isready shows whether the engine is alive."""
        left = self.timeout if until is None else max(until - time.monotonic(), 0)
        try:
            over = exchange.receive(self.process.receive(min(left, self.timeout)))
        except EngineTimeoutError:
            early = until is None or time.monotonic() < until
            if not (early and isinstance(exchange, Search) and exchange.asked == 0):
                self.process.close()
                if left < self.timeout and self._last_deadline == until:
                    raise self._overdue() from None
                raise
            exchange.asked += 1
            self.send(["isready"])
            return False
        except EngineError:
            self.process.close()
            raise
        if over:
            self._unfinished = None
        elif until is not None and time.monotonic() > until:
            self.process.close()
            raise self._overdue()
        self._last_deadline = until
        return over

    def _overdue(self) -> EngineTimeoutError:
        return EngineTimeoutError(f"{self.process.name} did not finish in time")

    def close(self, farewell: str = "") -> None:
        """Ends the process, after a last word."""
        self.process.close(farewell)


class Analysis:
    """A running search. Iterate over its infos, or wait for its result. It ends at its
    limit, by :meth:`stop`, or with its ``with``."""

    def __init__(self, connection: Connection, request: Request) -> None:
        self._connection = connection
        self._search: Search = request.search()
        self._over = False
        self._until: Optional[float] = None
        if request.longest is not None:
            self._until = time.monotonic() + request.longest + connection.timeout
        connection.begin(self._search)
        connection.analysis = self

    @property
    def over(self) -> bool:
        """Whether the search has ended and its output was read."""
        return self._over

    @property
    def lines(self) -> tuple[Info, ...]:
        """The last info of each line so far, best first."""
        return tuple(self._search.lines[rank] for rank in sorted(self._search.lines))

    def stop(self) -> None:
        """Stops the search. Any thread may call it. Calling it twice is safe."""
        if not self._over:
            self._until = time.monotonic() + self._connection.timeout
            self._connection.send(["stop"])

    def ponderhit(self) -> None:
        """Reports that the opponent played the expected turn."""
        if not self._over:
            self._connection.send(["ponderhit"])

    def wait(self) -> PlayResult:
        """Waits for the end of the search and discards its infos. Raises EngineError if the
        engine reported an error."""
        while self._receive():
            self._search.fresh.clear()
        return found(self._search)

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        while not self._search.fresh:
            if not self._receive():
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
            while self._receive():
                pass
        except EngineError:
            if kind is None:
                raise
        finally:
            # After a second Ctrl-C the connection reads the rest before the next exchange.
            self._over = True

    def _receive(self) -> bool:
        """Reads a line of a running search, and reports whether it is still running."""
        try:
            if not self._over:
                self._over = self._connection.receive(self._search, self._until)
        except EngineError:
            self._over = True
            raise
        return not self._over


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
        self._conversation = Conversation(dialect)
        self._connection = Connection(Process(command, cwd), timeout)
        try:
            self._conversation.read_greeting(self._connection.run(self._conversation.greeting()))
            if options:
                self.configure(options)
        except BaseException:
            self._connection.close()
            raise

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

    def ping(self) -> None:
        """Waits until the engine answers."""
        self._connection.run(Ask([]))

    def configure(self, values: Values) -> None:
        """Sets options. If one is rejected, the options before it stay set."""
        self._connection.run(self._conversation.configure(values)).check()

    def new_game(self) -> None:
        """Announces a new game."""
        self._connection.run(Ask([self._conversation.dialect + "newgame"])).check()

    def state(self, position: Position, turns: Iterable[str] = ()) -> State:
        """Returns the position after ``turns``, with its result and its legal turns."""
        with self._connection.lock:
            asked = self._connection.run(self._conversation.query(position, words(turns), STATE_QUERIES))
            return self._conversation.state(asked, position.rules)

    def legal_turns(self, position: Position, turns: Iterable[str] = ()) -> tuple[Turn, ...]:
        """Returns all legal turns in alphabetical order; none if the game is over."""
        return tuple(map(Turn, self._query(position, turns, "moves").split()))

    def after(self, position: Position, turns: Iterable[str]) -> Position:
        """Returns the position after ``turns``. Raises EngineError at the first illegal turn."""
        return Position(self._query(position, turns, "fen"), position.rules)

    def result(self, position: Position, turns: Iterable[str] = ()) -> Result:
        """Returns the result of the game after ``turns``."""
        return Result(self._query(position, turns, "result"))

    def play(
        self, position: Position, limit: Limit, *, turns: Iterable[str] = (), root_turns: Iterable[str] = ()
    ) -> PlayResult:
        """Searches for the turn to play after ``turns``, among ``root_turns`` if given."""
        request = Request(position, require_end(limit), words(turns), words(root_turns))
        with self._connection.lock:
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
        """Searches, and returns the last info of each line, best first."""
        request = Request(position, require_end(limit), words(turns), words(root_turns), multipv)
        with self._connection.lock:
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
        """Starts a search and returns it while it runs. The engine does nothing else until it
        ends, so use it in a ``with``. With ``ponder`` it thinks on the opponent's time;
        the limits apply from :meth:`Analysis.ponderhit` on."""
        return self._begin(Request(position, limit, words(turns), words(root_turns), multipv, ponder))

    def close(self) -> None:
        """Ends the engine. Closing it twice is safe."""
        self._connection.close("quit")

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _query(self, position: Position, turns: Iterable[str], query: str) -> str:
        with self._connection.lock:
            return self._conversation.responses(self._connection.run(self._conversation.query(position, words(turns), [query])))[0]

    def _begin(self, request: Request) -> Analysis:
        with self._connection.lock:
            self._conversation.responses(self._connection.run(self._conversation.prepare(request)))
            return Analysis(self._connection, request)
