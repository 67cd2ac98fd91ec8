"""Analysis over the JSON lines of ``gyre analyse``: queries and answers as values."""

from __future__ import annotations

import json
import operator
import os
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Iterable, Iterator, Optional, Sequence, Type

from .board import Turn
from .position import Position
from .process import Command, Process, command_line
from .wire import EngineError, EngineTimeoutError, Limit, Score


@dataclass(frozen=True)
class Query:
    """Positions of a game to analyse.

    ``numbers`` counts the turns before each position: 0 is ``position`` itself. Without it
    the last position is analysed. The limit may have ``nodes`` and ``time``; with nodes
    alone the answer is the same every time.
    """

    position: Position = Position()
    turns: Sequence[str] = ()
    numbers: Optional[Sequence[int]] = None
    limit: Limit = Limit(nodes=100_000)
    multipv: int = 1
    priority: int = 0  #: higher ones start first
    report_every: Optional[float] = None  #: seconds between reports during the search
    name: Any = None  #: your own name for this query, of any type

    @property
    def answers(self) -> int:
        """The number of positions to answer."""
        return 1 if self.numbers is None else len(set(self.numbers))

    def fields(self, id: str) -> dict[str, Any]:
        """Returns the JSON object to send. Raises ValueError if it has no position, or a limit
        other than nodes and time."""
        if self.answers == 0:
            raise ValueError("numbers: at least one is needed")
        if self.limit != Limit(nodes=self.limit.nodes, time=self.limit.time) or not self.limit.ends:
            raise ValueError("limit: an analysis needs nodes or time, and allows no other limit")
        fields: dict[str, Any] = {"id": id, "start": self.position.fen, "turns": list(map(str, self.turns))}
        if self.position.rules != "standard":
            fields["rules"] = self.position.rules
        if self.numbers is not None:
            fields["analyzeTurns"] = list(self.numbers)
        if self.limit.nodes is not None:
            fields["maxNodes"] = self.limit.nodes
        if self.limit.time is not None:
            fields["maxTimeMs"] = max(1, round(self.limit.time * 1000))
        for name, value, default in (
            ("multiPV", self.multipv, 1),
            ("priority", self.priority, 0),
            ("reportDuringSearchEvery", self.report_every, None),
        ):
            if value != default:
                fields[name] = value
        return fields


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an answer, for the side to move."""

    turn: Turn
    score: Score
    chance: float  #: expected score, 0 to 1
    pv: tuple[Turn, ...]  #: principal variation, starting with the turn


@dataclass(frozen=True, slots=True)
class Answer:
    """The analysis of a position, for the side to move."""

    query: Query
    number: Optional[int] = None  #: how many of the query's turns were played
    position: Optional[Position] = None
    during_search: bool = False  #: whether this is an interim report
    score: Optional[Score] = None  #: None if the search ended before it started
    chance: float = 0.5  #: expected score, 0 to 1
    nodes: int = 0
    depth: int = 0
    proven: bool = False  #: whether the result is proven
    lines: tuple[Line, ...] = ()  #: best first; empty if the game is over
    time: float = 0.0  #: seconds
    error: Optional[str] = None  #: why there is no answer
    warnings: tuple[str, ...] = ()

    @property
    def turn(self) -> Optional[Turn]:
        """The best turn; None if the game is over."""
        return self.lines[0].turn if self.lines else None

    def check(self) -> Answer:
        """Returns the answer. Raises EngineError if it holds an error."""
        if self.error is not None:
            raise EngineError(self.error)
        return self


@dataclass
class Open:
    """A query with answers still to come."""

    query: Query
    left: int  # positions still to be answered
    warnings: list[str] = field(default_factory=list)


class Pending:
    """The pending queries by ID."""

    def __init__(self) -> None:
        self.open: dict[str, Open] = {}
        self._count = 0

    def add(self, query: Query) -> tuple[str, str]:
        """Adds a query. Returns its ID and the line to send. Raises ValueError if the query
        cannot be sent."""
        self._count += 1
        id = str(self._count)
        try:
            # Integers of NumPy are not of the type int.
            line = json.dumps(query.fields(id), allow_nan=False, default=operator.index)
            self.open[id] = Open(query, query.answers)
        except (TypeError, OverflowError) as wrong:
            raise ValueError(str(wrong)) from wrong
        return id, line

    def remove(self, id: str) -> str:
        """Removes a query. Returns the line that cancels it."""
        self.open.pop(id, None)
        return json.dumps({"id": id, "action": "terminate", "terminateId": id})

    def read(self, line: str) -> Optional[tuple[str, Answer]]:
        """Parses a line. Returns None if it belongs to no pending query. Raises EngineError if
        it is malformed."""
        try:
            fields = json.loads(line)
            entry = self.open.get(fields.get("id", ""))
            if entry is None:
                if "error" in fields and "id" not in fields:
                    raise EngineError(f"{fields.get('field', 'line')}: {fields['error']}")
                return None
            if "warning" in fields:
                entry.warnings.append(f"{fields['field']}: {fields['warning']}")
                return None
            answer = self._answer(fields, entry)
        except (ValueError, KeyError, TypeError, AttributeError) as nonsense:
            raise EngineError(f"{line[:200]!r} is not an answer: {nonsense!r}") from None
        entry.left -= not answer.during_search
        if answer.error is not None or entry.left == 0:
            del self.open[fields["id"]]
        return fields["id"], answer

    def _answer(self, fields: dict[str, Any], entry: Open) -> Answer:
        if "error" in fields:
            error = f"{fields['field']}: {fields['error']}" if "field" in fields else str(fields["error"])
            return Answer(entry.query, error=error, warnings=tuple(entry.warnings))
        root = fields.get("root")
        lines = [Line(Turn(a["turn"]), _score(a), a["chance"], tuple(map(Turn, a["pv"]))) for a in fields.get("lines", [])]
        return Answer(
            entry.query,
            fields["turnNumber"],
            Position(fields["fen"], entry.query.position.rules),
            fields["isDuringSearch"],
            *((_score(root), root["chance"], root["nodes"], root["depth"], root["proven"]) if root else (None, 0.5, 0, 0, False)),
            lines=tuple(lines),
            time=fields.get("timeMs", 0) / 1000,
            warnings=tuple(entry.warnings),
        )


def _score(fields: dict[str, Any]) -> Score:
    return Score(fields.get("cp"), fields.get("mate"), fields.get("bound", "exact"))


def analyse_command(
    command: Command, threads: Optional[int], hash: Optional[int], cache: "str | os.PathLike[str] | None" = None
) -> list[str]:
    """Returns the command line of ``gyre analyse``."""
    words = [*command_line(command), "analyse"]
    for flag, value in (("-threads", threads), ("-hash", hash), ("-cache", cache and os.fspath(cache))):
        if value is not None:
            words += [flag, str(value)]
    return words


#: The query that shows whether a silent engine is alive.
PING = json.dumps({"id": "alive", "action": "query_version"})


#: The most queries sent ahead: enough for any machine, few enough that the engine keeps
#: reading.
WINDOW = 256


class Analyzer:
    """``gyre analyse``, running until :meth:`close` or the end of a ``with``. One thread
    searches each position. ``threads`` of them run in parallel (default: one for each
    processor), each with a table of ``hash`` MiB. ``cache`` is a file that keeps answers for
    later runs."""

    def __init__(
        self,
        command: Command = None,
        *,
        threads: Optional[int] = None,
        hash: Optional[int] = None,
        cache: "str | os.PathLike[str] | None" = None,
        timeout: float = 30.0,
        cwd: "str | os.PathLike[str] | None" = None,
    ) -> None:
        """Starts an engine. ``command`` is a path, a list of a path and its arguments, or None
        for the engine that :func:`gyre.engine_path` finds."""
        self._process = Process(analyse_command(command, threads, hash, cache), cwd)
        self._queries = Pending()
        self._timeout = timeout
        self._busy = False

    @property
    def pid(self) -> int:
        """The engine's process ID."""
        return self._process.pid

    def analyse(self, query: Query) -> list[Answer]:
        """Returns the answers to a query in the order of the turns. Raises EngineError if the
        query is invalid."""
        found = [answer.check() for answer in self.answers([query]) if not answer.during_search]
        return sorted(found, key=lambda answer: answer.number or 0)

    def answers(self, queries: Iterable[Query]) -> Iterator[Answer]:
        """Yields the answers to queries in the order in which they finish. Each answer names
        its query. An invalid query gets one answer with ``error``; the others continue.
        Queries are taken lazily, so there may be any number. Leaving the iteration early
        cancels the pending searches."""
        if self._busy:
            raise EngineError("another analysis is running")
        self._busy = True
        waiting, ended = iter(queries), False
        try:
            while True:
                while not ended and len(self._queries.open) < WINDOW:
                    query = next(waiting, None)
                    if query is None:
                        ended = True
                        break
                    try:
                        line = self._queries.add(query)[1]
                    except ValueError as wrong:
                        yield Answer(query, error=str(wrong))
                    else:
                        self._process.send([line], self._timeout)
                if not self._queries.open:
                    return
                read = self._queries.read(self._receive())
                if read is not None:
                    yield read[1]
        finally:
            self._busy = False
            if self._queries.open and self._process.returncode is None:
                self._process.send([self._queries.remove(id) for id in list(self._queries.open)], self._timeout)

    def _receive(self) -> str:
        """Returns the next line. If the engine is silent for too long, a ping shows whether it
        is alive."""
        try:
            return self._process.receive(self._timeout)
        except EngineTimeoutError:
            self._process.send([PING], self._timeout)
        try:
            return self._process.receive(self._timeout)
        except EngineError:
            self._process.close()
            raise

    def close(self) -> None:
        """Ends the engine and its searches. Closing it twice is safe."""
        for id in list(self._queries.open):
            self._queries.remove(id)
        self._process.kill()

    def __enter__(self) -> Analyzer:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
