"""An engine for a program that waits for its answers."""

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
from .wire import Ask, EngineError, EngineTimeoutError, Exchange, Info, Limit, Option, Search, Value, Values, set_up


#: Options that the clients set themselves, from what they are asked for.
MANAGED = ("Rules", "MultiPV")


class Result(Enum):
    """How a game ended, by the words of the protocol."""

    NONE = "none"  #: it goes on
    WHITE_WINS = "p1win"
    BLACK_WINS = "p2win"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class State:
    """A position with what the rules say of it."""

    position: Position
    result: Result
    turns: tuple[Turn, ...]  #: all that are legal, in alphabetical order

    @property
    def over(self) -> bool:
        return self.result is not Result.NONE


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What a search found."""

    turn: Optional[Turn]  #: to play; None if the game is over
    ponder: Optional[Turn]  #: the reply expected, where the engine tells one
    lines: tuple[Info, ...]  #: the last info of each line with a score, the best first

    @property
    def info(self) -> Info:
        """The last info of the best line, empty if there was none."""
        return self.lines[0] if self.lines else Info()


@dataclass(frozen=True, slots=True)
class Request:
    """A search that is asked for."""

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
        """The seconds after which it has ended, None where they are not bounded."""
        return None if self.ponder else self.limit.longest


def words(turns: Iterable[str]) -> tuple[str, ...]:
    """Turns as words to send. ValueError if one has not the form of a turn."""
    return tuple([Turn(turn) for turn in turns])


def must_end(limit: Limit) -> Limit:
    """ValueError if a search with the limit would not end."""
    if not limit.ends:
        raise ValueError("a limit that ends the search is needed: time, depth, nodes, mate or a clock")
    return limit


class Conversation:
    """The state of the wire, apart from its bytes."""

    def __init__(self, dialect: str) -> None:
        if dialect not in ("uci", "ugi"):
            raise ValueError(f"dialect {dialect!r}: neither uci nor ugi")
        self.dialect = dialect
        self.id: dict[str, str] = {}
        self.options: dict[str, Option] = {}
        self._managed: dict[str, str] = {}

    def greet(self) -> Ask:
        return Ask([self.dialect], self.dialect + "ok")

    def greeted(self, greeting: Ask) -> None:
        """Reads the handshake."""
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
        """Sets options. EngineError for those that the engine has not."""
        for name in values:
            if name in MANAGED:
                raise EngineError(f"option {name}: the client sets it, from the position and the arguments of a search")
        return Ask([self._find(name).command(value) for name, value in values.items()])

    def _find(self, name: str) -> Option:
        for option in self.options.values():
            if option.name.lower() == name.lower():
                return option
        raise EngineError(f"option {name}: the engine has none of that name")

    def _manage(self, name: str, value: Value, settings: dict[str, str]) -> list[str]:
        """The commands that bring an option of the clients' to a value. Until they were
        heard the option's value is not known."""
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

    def look(self, position: Position, turns: Sequence[str], queries: Sequence[str]) -> Ask:
        """Sets up a position, plays turns and asks."""
        settings: dict[str, str] = {}
        commands = self._manage("Rules", position.rules, settings)
        return self._ask([*commands, set_up(position, turns), *(f"query {query}" for query in queries)], settings)

    def prepare(self, request: Request) -> Ask:
        """What comes before a search."""
        settings: dict[str, str] = {}
        commands = self._manage("MultiPV", request.multipv, settings)
        commands += self._manage("Rules", request.position.rules, settings)
        return self._ask([*commands, set_up(request.position, request.turns)], settings)

    def _ask(self, commands: list[str], settings: dict[str, str]) -> Ask:
        ask = Ask(commands)
        ask.settings = settings
        return ask

    def heard(self, ask: Ask) -> list[str]:
        """The responses. EngineError if something was refused."""
        responses = ask.responses()
        self._managed |= ask.settings
        return responses

    def state(self, ask: Ask, rules: str) -> State:
        """Reads the responses to ``fen``, ``result`` and ``moves``."""
        fen, result, turns = self.heard(ask)
        try:
            return State(Position(fen, rules), Result(result), tuple(map(Turn, turns.split())))
        except ValueError as nonsense:
            raise EngineError(f"the engine's answer to a query: {nonsense}") from None


#: The queries that make a :class:`State`.
STATE_QUERIES = ("fen", "result", "moves")


def found(search: Search) -> PlayResult:
    """What a search that is over has found."""
    best, ponder = search.answer()
    return PlayResult(best, ponder, tuple(search.lines[rank] for rank in sorted(search.lines)))


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
