"""Analysis over the JSON lines of ``gyre analyse``: queries and answers as values."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Iterable, Iterator, Optional, Sequence, Type

from .position import Position, Turn
from .process import Command, Process, command_line
from .wire import EngineError, EngineTimeoutError, Limit, Score


@dataclass(frozen=True)
class Query:
    """Positions of a game to analyse.

    They are those after ``numbers`` of its turns, 0 for ``position`` itself; the last
    one, if left out. Of the limits ``nodes`` and ``time`` count; with nodes alone the
    answer is the same every time.
    """

    position: Position = Position()
    turns: Sequence[str] = ()
    numbers: Optional[Sequence[int]] = None
    limit: Limit = Limit(nodes=100_000)
    multipv: int = 1
    priority: int = 0  #: higher ones are begun first
    report_every: Optional[float] = None  #: seconds between reports during the search
    name: Any = None  #: whatever tells this query from others to you

    @property
    def answers(self) -> int:
        """How many positions are answered."""
        return 1 if self.numbers is None else len(set(self.numbers))

    def fields(self, id: str) -> dict[str, Any]:
        """The object that is sent. ValueError if it asks for nothing, or for a limit that
        has no place in it."""
        if self.answers == 0:
            raise ValueError("numbers: a query without a position to analyse")
        if self.limit != Limit(nodes=self.limit.nodes, time=self.limit.time) or not self.limit.ends:
            raise ValueError("an analysis is limited by nodes or time, and by nothing else")
        told: dict[str, Any] = {"id": id, "start": self.position.fen, "turns": list(map(str, self.turns))}
        if self.position.rules != "standard":
            told["rules"] = self.position.rules
        if self.numbers is not None:
            told["analyzeTurns"] = list(self.numbers)
        if self.limit.nodes is not None:
            told["maxNodes"] = self.limit.nodes
        if self.limit.time is not None:
            told["maxTimeMs"] = max(1, round(self.limit.time * 1000))
        for name, value, usual in (
            ("multiPV", self.multipv, 1),
            ("priority", self.priority, 0),
            ("reportDuringSearchEvery", self.report_every, None),
        ):
            if value != usual:
                told[name] = value
        return told


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an answer, for the side to move."""

    turn: Turn
    score: Score
    chance: float  #: the share of the points to expect, 0 to 1
    pv: tuple[Turn, ...]  #: the line expected, which begins with the turn


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of a position, for the side to move."""

    query: Query
    number: Optional[int] = None  #: of the query's turns that were played
    position: Optional[Position] = None
    during_search: bool = False  #: whether it is a report, and the answer comes later
    score: Optional[Score] = None  #: None where the search was ended before it began
    chance: float = 0.5  #: the share of the points to expect, 0 to 1
    nodes: int = 0
    depth: int = 0
    proven: bool = False  #: whether no play can change who wins
    lines: tuple[Line, ...] = ()  #: the best first; none when the game is over
    time: float = 0.0  #: seconds
    error: Optional[str] = None  #: why there is no answer
    warnings: tuple[str, ...] = ()

    @property
    def turn(self) -> Optional[Turn]:
        """The best turn; None when the game is over."""
        return self.lines[0].turn if self.lines else None

    def check(self) -> Answer:
        """The answer itself. EngineError if it is an error."""
        if self.error is not None:
            raise EngineError(self.error)
        return self


@dataclass
class Open:
    """A query that is not answered in full."""

    query: Query
    left: int  # positions to be answered
    warnings: list[str] = field(default_factory=list)


class Ledger:
    """The queries that are under way, by the ids that they were given."""

    def __init__(self) -> None:
        self.open: dict[str, Open] = {}
        self._count = 0

    def enter(self, query: Query) -> tuple[str, str]:
        """Gives a query an id, and returns that and the line to send."""
        self._count += 1
        id = str(self._count)
        line = json.dumps(query.fields(id))
        self.open[id] = Open(query, query.answers)
        return id, line

    def strike(self, id: str) -> str:
        """Forgets a query, and returns the line that ends it."""
        self.open.pop(id, None)
        return json.dumps({"id": id, "action": "terminate", "terminateId": id})

    def read(self, line: str) -> Optional[tuple[str, Answer]]:
        """Reads a line; None where it is of no query that is under way. EngineError if it
        makes no sense."""
        try:
            told = json.loads(line)
            one = self.open.get(told.get("id", ""))
            if one is None:
                if "error" in told and "id" not in told:
                    raise EngineError(f"{told.get('field', 'line')}: {told['error']}")
                return None
            if "warning" in told:
                one.warnings.append(f"{told['field']}: {told['warning']}")
                return None
            answer = self._answer(told, one)
        except (ValueError, KeyError, TypeError, AttributeError) as nonsense:
            raise EngineError(f"{line[:200]!r} is no answer: {nonsense!r}") from None
        one.left -= not answer.during_search
        if answer.error is not None or one.left == 0:
            del self.open[told["id"]]
        return told["id"], answer

    def _answer(self, told: dict[str, Any], one: Open) -> Answer:
        if "error" in told:
            error = f"{told['field']}: {told['error']}" if "field" in told else str(told["error"])
            return Answer(one.query, error=error, warnings=tuple(one.warnings))
        root = told.get("root")
        lines = [Line(Turn(a["turn"]), _score(a), a["chance"], tuple(map(Turn, a["pv"]))) for a in told.get("lines", [])]
        return Answer(
            one.query,
            told["turnNumber"],
            Position(told["fen"], one.query.position.rules),
            told["isDuringSearch"],
            *((_score(root), root["chance"], root["nodes"], root["depth"], root["proven"]) if root else (None, 0.5, 0, 0, False)),
            lines=tuple(lines),
            time=told.get("timeMs", 0) / 1000,
            warnings=tuple(one.warnings),
        )


def _score(told: dict[str, Any]) -> Score:
    return Score(told.get("cp"), told.get("mate"), told.get("bound", "exact"))


def analyse_command(command: Command, threads: Optional[int], hash: Optional[int]) -> list[str]:
    """The command line of an engine that analyses."""
    words = [*command_line(command), "analyse"]
    for flag, value in (("-threads", threads), ("-hash", hash)):
        if value is not None:
            words += [flag, str(value)]
    return words


#: What an engine that is silent is asked, to see whether it is there.
ALIVE = json.dumps({"id": "alive", "action": "query_version"})


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
