"""The conversation with an engine, written once for :mod:`gyre.engine` and :mod:`gyre.aio`.

Everything here is a coroutine over a :class:`Link`, which sends and reads lines. The link of
:mod:`gyre.aio` suspends the task while it waits. The link of :mod:`gyre.engine` blocks, so its
coroutines never suspend, and :func:`finish` runs them to their end without an event loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import AsyncContextManager, Coroutine, Iterable, Optional, Protocol, Sequence, Type, TypeVar

from .board import Turn
from .position import Position
from .process import running_time
from .wire import LOGGER, Ask, EngineError, EngineTimeoutError, Exchange, Info, Limit, Option, Search, Value, Values, position_command, split


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
            words = split(line)
            if words[0] == "id" and len(words) > 2:
                self.id[words[1]] = " ".join(words[2:])
            elif words[0] == "option":
                self._list(line)
        for name in MANAGED:
            option = self._named(name)
            if option is not None:
                self._managed[name] = option.default.lower()

    def _list(self, line: str) -> None:
        """Adds the option of a line. The first of two with the same name counts."""
        try:
            option = Option.parse(line)
        except EngineError as nonsense:
            LOGGER.warning("skipped: %s", nonsense)
            return
        if self._named(option.name) is not None:
            LOGGER.warning("option %s is skipped: listed twice", option.name)
            return
        self.options[option.name] = option

    def _named(self, name: str) -> Optional[Option]:
        return next((option for option in self.options.values() if option.name.lower() == name.lower()), None)

    def configure(self, values: Values) -> Ask:
        """Returns the exchange that sets options. Raises EngineError for an unknown one."""
        for name in values:
            if name.lower() in map(str.lower, MANAGED):
                raise EngineError(f"option {name}: the client sets it; pass it as an argument of the search, or as part of the position")
        return Ask([self._find(name).command(value) for name, value in values.items()])

    def _find(self, name: str) -> Option:
        option = self._named(name)
        if option is None:
            raise EngineError(f"option {name}: the engine has no such option")
        return option

    def _manage(self, name: str, value: Value, settings: dict[str, str]) -> list[str]:
        """Returns the commands that set an option managed by the client. Its value is unknown
        until they are answered."""
        text = str(value).lower()
        option = self._named(name)
        if option is None:
            if text == {"Rules": "standard", "MultiPV": "1"}[name]:
                return []
            raise EngineError(f"{name} {text}: the engine has no such option")
        if self._managed.get(name) == text:
            return []
        self._managed.pop(name, None)
        settings[name] = text
        return [option.command(value)]

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


#: Serves one user of a connection at a time.
Lock = AsyncContextManager[object]


class Link(Protocol):
    """A process that communicates in lines."""

    name: str

    def send(self, lines: Sequence[str], timeout: float) -> None:
        """Sends lines. A process that does not take them within ``timeout`` seconds may be
        killed."""

    async def read(self, timeout: float) -> str:
        """Returns the next line. Raises EngineTimeoutError after ``timeout`` seconds without
        one."""

    def kill(self) -> None:
        """Kills the process and its children."""


T = TypeVar("T")


def finish(work: Coroutine[object, None, T]) -> T:
    """Runs a coroutine whose link blocks, and returns its result."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise AssertionError("a blocking link suspended")


class Connection:
    """A connection runs one exchange at a time. It first reads an interrupted one to its end."""

    def __init__(self, process: Link, timeout: float, lock: Lock) -> None:
        self.process = process
        self.timeout = timeout
        self.lock = lock
        self.analysis: Optional[Analysis] = None
        self._unfinished: Optional[Exchange] = None  # interrupted before its last line
        self._last_deadline: Optional[float] = None  # the deadline of the last line
        self._last_line = ""

    async def run(self, ask: Ask) -> Ask:
        """Runs an exchange to its end. The caller holds the lock."""
        await self.begin(ask)
        until = running_time() + self.timeout
        while not await self.receive(ask, until):
            pass
        return ask

    async def begin(self, exchange: Exchange) -> None:
        """Sends the commands of an exchange. The caller holds the lock."""
        if self.analysis is not None and not self.analysis.over:
            raise EngineError("an analysis is running: stop it first")
        if self._unfinished is not None:
            self.send(["stop"])
            until = running_time() + self.timeout
            while not await self.receive(self._unfinished, until):
                pass
        self._unfinished = exchange
        self.send(exchange.commands)

    def send(self, lines: list[str]) -> None:
        """Sends lines."""
        self.process.send(lines, self.timeout)

    async def receive(self, exchange: Exchange, until: Optional[float]) -> bool:
        """Reads a line and reports whether it was the last. If a search is silent for too
        long, isready shows whether the engine is alive."""
        left = self.timeout if until is None else max(until - running_time(), 0)
        try:
            self._last_line = await self.process.read(min(left, self.timeout))
            over = exchange.receive(self._last_line)
        except EngineTimeoutError:
            early = until is None or running_time() < until
            if not (early and isinstance(exchange, Search) and exchange.asked == 0):
                self.process.kill()
                if left < self.timeout and self._last_deadline == until:
                    raise self._overdue() from None
                raise
            exchange.asked += 1
            self.send(["isready"])
            return False
        except EngineError:
            self.process.kill()
            raise
        if over:
            self._unfinished = None
        elif until is not None and running_time() > until:
            self.process.kill()
            raise self._overdue()
        self._last_deadline = until
        return over

    def _overdue(self) -> EngineTimeoutError:
        return EngineTimeoutError(f"{self.process.name} did not finish in time; its last line was {self._last_line[:60]!a}")


class Analysis:
    """A running search. Iterate over its infos, or await its result. It ends at its
    limit, by :meth:`stop`, or with its ``async with``."""

    def __init__(self, connection: Connection, request: Request) -> None:
        self._connection = connection
        self._search = request.search()
        self._over = False
        self._until: Optional[float] = None
        if request.longest is not None:
            self._until = running_time() + request.longest + connection.timeout

    async def begin(self) -> None:
        """Sends the search. The caller holds the connection's lock."""
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
            self._until = running_time() + self._connection.timeout
            self._connection.send(["stop"])

    def ponderhit(self) -> None:
        """Reports that the opponent played the expected turn."""
        if not self._over:
            self._connection.send(["ponderhit"])

    async def wait(self) -> PlayResult:
        """Waits for the end of the search and discards its infos. Raises EngineError if the
        engine reported an error."""
        while await self._receive():
            self._search.fresh.clear()
        return found(self._search)

    def __aiter__(self) -> Analysis:
        return self

    async def __anext__(self) -> Info:
        info = await self.next_info()
        if info is None:
            raise StopAsyncIteration
        return info

    async def next_info(self) -> Optional[Info]:
        """Returns the next info, or None after the last one."""
        while not self._search.fresh:
            if not await self._receive():
                break
        return self._search.fresh.popleft() if self._search.fresh else None

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


class Session:
    """The calls of an engine, as coroutines. :class:`gyre.Engine` has the same ones without
    ``await``."""

    def __init__(self, dialect: str) -> None:
        self._conversation = Conversation(dialect)
        self._started: Optional[Connection] = None

    @property
    def _connection(self) -> Connection:
        if self._started is None:
            raise ValueError("the engine is not started: await it, or use async with")
        return self._started

    async def greet(self, connection: Connection, options: Optional[Values]) -> None:
        """Does the handshake and sets the first options."""
        self._started = connection
        async with connection.lock:
            self._conversation.read_greeting(await connection.run(self._conversation.greeting()))
        if options:
            await self.configure(options)

    @property
    def id(self) -> dict[str, str]:
        """The engine's ``name`` and ``author``."""
        return dict(self._conversation.id)

    @property
    def options(self) -> dict[str, Option]:
        """The engine's options by name, from its handshake."""
        return dict(self._conversation.options)

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

    async def _search(self, request: Request) -> PlayResult:
        async with self._connection.lock:
            async with await self._begin(request) as analysis:
                return await analysis.wait()

    async def _begin(self, request: Request) -> Analysis:
        """Starts a search. The caller holds the lock."""
        self._conversation.responses(await self._connection.run(self._conversation.prepare(request)))
        analysis = Analysis(self._connection, request)
        await analysis.begin()
        return analysis

    async def _query(self, position: Position, turns: Iterable[str], query: str) -> str:
        async with self._connection.lock:
            asked = await self._connection.run(self._conversation.query(position, words(turns), [query]))
            return self._conversation.responses(asked)[0]
