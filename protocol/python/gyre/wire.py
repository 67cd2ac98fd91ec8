"""The protocol without input and output: limits, scores, options, errors, and the exchanges
of lines between a client and an engine.

An exchange sends commands and reads lines until its last one. It knows nothing of
processes, threads or events. :mod:`gyre.conversation` runs exchanges. If Ctrl-C
or a cancelled task interrupts one, the next exchange first reads it to its end. So both
stay in step with the engine.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, fields
from functools import total_ordering
from typing import Any, Callable, Literal, Mapping, Optional, Protocol, Sequence, Union

from .position import Position, Turn


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits of a search. The first one reached ends it. Times are in seconds.

    Without a limit a search runs until it is stopped, so :meth:`gyre.Engine.play` and
    :meth:`gyre.Engine.analyse` need one.
    """

    time: Optional[float] = None  #: for this turn
    depth: Optional[int] = None  #: in turns
    nodes: Optional[int] = None  #: positions to visit
    mate: Optional[int] = None  #: a win within this many turns of the side to move
    white_clock: Optional[float] = None  #: left on White's clock
    black_clock: Optional[float] = None
    white_inc: Optional[float] = None  #: added to White's clock after each turn
    black_inc: Optional[float] = None
    remaining_turns: Optional[int] = None  #: until the next time control

    def __post_init__(self) -> None:
        for name in ("time", "depth", "nodes", "mate", "white_inc", "black_inc", "remaining_turns"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < float("inf"):
                raise ValueError(f"{name} {value}: must be 0 or more")

    @property
    def ends(self) -> bool:
        """Whether the search ends by itself."""
        counts = ("time", "depth", "nodes", "mate", "white_clock", "black_clock")
        return any(getattr(self, name) is not None for name in counts)

    @property
    def longest(self) -> Optional[float]:
        """The most seconds that the search can take, or None."""
        clocks = [clock for clock in (self.white_clock, self.black_clock) if clock is not None]
        times = ([self.time] if self.time is not None else []) + ([max(0.0, *clocks)] if clocks else [])
        return min(times) if times else None

    def words(self) -> list[str]:
        """The words of ``go``."""
        words: list[str] = []
        for name, word, unit in _WORDS:
            value = getattr(self, name)
            if value is not None:
                words += [word, str(round(value * unit))]
        return words if self.ends else [*words, "infinite"]


#: For each field of Limit: the word of the protocol, and the factor from our unit to the protocol's.
_WORDS = (
    ("time", "movetime", 1000),
    ("depth", "depth", 1),
    ("nodes", "nodes", 1),
    ("mate", "mate", 1),
    ("white_clock", "wtime", 1000),
    ("black_clock", "btime", 1000),
    ("white_inc", "winc", 1000),
    ("black_inc", "binc", 1000),
    ("remaining_turns", "movestogo", 1),
)
assert {name for name, _, _ in _WORDS} == {field.name for field in fields(Limit)}


Bound = Literal["exact", "lower", "upper"]


@total_ordering
@dataclass(frozen=True, slots=True)
class Score:
    """A score for the side to move: hundredths, or the turns to a proven end.

    Exactly one of ``cp`` and ``mate`` is a number. ``mate`` counts the turns of both
    sides and is negative when the side to move loses. Scores are ordered: a win sooner
    is better, a loss later is.
    """

    cp: Optional[int] = None
    mate: Optional[int] = None
    bound: Bound = "exact"

    def __post_init__(self) -> None:
        if (self.cp is None) == (self.mate is None):
            raise ValueError("a score has either cp or mate")

    @property
    def chance(self) -> float:
        """The points a game that the side to move can expect, 0 to 1, by the scale of
        the protocol: 1 / (1 + e^(-cp/100))."""
        if self.mate is not None:
            return 1.0 if self.mate > 0 else 0.0
        assert self.cp is not None
        return 0.5 * (1 + math.tanh(self.cp / 200))

    def __neg__(self) -> Score:
        """The score of the other side."""
        turned: dict[Bound, Bound] = {"exact": "exact", "lower": "upper", "upper": "lower"}
        bound = turned[self.bound]
        return Score(mate=-self.mate, bound=bound) if self.mate is not None else Score(cp=-(self.cp or 0), bound=bound)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._rank() < other._rank()

    def _rank(self) -> tuple[int, int]:
        if self.mate is not None:
            return (1 if self.mate > 0 else -1), -self.mate
        return 0, self.cp or 0

    def __str__(self) -> str:
        return f"mate {self.mate}" if self.mate is not None else f"cp {self.cp}"


@dataclass(frozen=True, slots=True)
class Info:
    """A line of ``info``. Missing fields are None; a missing line of turns is empty."""

    depth: Optional[int] = None  #: turns searched in full
    seldepth: Optional[int] = None  #: turns of the deepest line
    multipv: int = 1  #: the rank of the line, from 1
    score: Optional[Score] = None  #: for the side to move
    wdl: Optional[tuple[int, int, int]] = None  #: win, draw and loss in thousandths
    nodes: Optional[int] = None  #: positions visited
    nps: Optional[int] = None  #: positions a second
    hashfull: Optional[int] = None  #: of the table, in thousandths
    time: Optional[float] = None  #: seconds since the search began
    pv: tuple[Turn, ...] = ()  #: principal variation from the root

    @classmethod
    def parse(cls, line: str) -> Optional[Info]:
        """Parses a line. Returns None for ``info string``, which is not progress. Ignores unknown
        words. Raises ValueError for a malformed number."""
        words = line.split()
        if words[:1] != ["info"] or words[1:2] == ["string"]:
            return None
        found = _Words(words[1:])
        return cls(**found.read())


class _Words:
    """The words of a line of info, read from the left."""

    NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull")

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.values: dict[str, Any] = {}

    def number(self, name: str) -> int:
        text = self.words.pop(0) if self.words else ""
        try:
            return int(text)
        except ValueError:
            raise ValueError(f"info {name} {text[:40]!r}: not a whole number") from None

    def read(self) -> dict[str, Any]:
        readers: dict[str, Callable[[], object]] = {"score": self.score, "wdl": self.wdl, "pv": self.pv, "time": self.time}
        while self.words:
            name = self.words.pop(0)
            if name in self.NUMBERS:
                self.values[name] = self.number(name)
            elif name in readers:
                self.values[name] = readers[name]()
        return self.values

    def score(self) -> Score:
        kind = self.words.pop(0) if self.words else ""
        if kind not in ("cp", "mate"):
            raise ValueError(f"info score {kind[:40]!r}: neither cp nor mate")
        value = self.number("score")
        bound: Bound = "exact"
        if self.words[:1] in (["lowerbound"], ["upperbound"]):
            bound = "lower" if self.words.pop(0) == "lowerbound" else "upper"
        return Score(cp=value, bound=bound) if kind == "cp" else Score(mate=value, bound=bound)

    def wdl(self) -> tuple[int, int, int]:
        return self.number("wdl"), self.number("wdl"), self.number("wdl")

    def time(self) -> float:
        return self.number("time") / 1000

    def pv(self) -> tuple[Turn, ...]:
        turns, self.words = tuple(map(Turn, self.words)), []
        return turns


#: The value of an option; None presses a button.
Value = Union[str, int, bool, None]

#: Values by the names of their options.
Values = Mapping[str, Value]

_KEYS = ("type", "default", "min", "max", "var")


@dataclass(frozen=True, slots=True)
class Option:
    """An option: name, type (spin, check, combo, button or string), default and allowed
    values."""

    name: str
    type: str
    default: str = ""
    min: Optional[int] = None
    max: Optional[int] = None
    var: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> Option:
        """Parses a line ``option name N type T ...``. Raises EngineError if it is malformed."""
        found: dict[str, list[str]] = {}
        key, variants = "", []
        for word in line.split()[1:]:
            if word == "name" and not found or word in _KEYS and "name" in found:
                key = word
                found[key] = []
                if key == "var":
                    variants.append(found[key])
            elif key:
                found[key].append(word)
        name, kind, default = (" ".join(found.get(key, [])) for key in ("name", "type", "default"))
        try:
            least, most = (int(found[key][0]) if key in found else None for key in ("min", "max"))
        except (ValueError, IndexError):
            raise EngineError(f"{line[:200]!r}: the bounds must be numbers") from None
        if not name or not kind:
            raise EngineError(f"{line[:200]!r}: the option needs a name and a type")
        return cls(name, kind, "" if default == "<empty>" else default, least, most, tuple(map(" ".join, variants)))

    def command(self, value: Value) -> str:
        """Returns the command that sets the option. Raises EngineError if the value cannot be
        sent. The engine checks its range."""
        if self.type == "button":
            if value is not None:
                raise EngineError(f"option {self.name}: is a button, so its value must be None")
            return f"setoption name {self.name}"
        if value is None:
            raise EngineError(f"option {self.name}: needs a value")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if "\n" in text or "\r" in text:
            raise EngineError(f"option {self.name}: {text!r} has more than one line")
        return f"setoption name {self.name} value {text or '<empty>'}"


#: The longest line accepted from an engine, in bytes. A position has at most some ten
#: thousand legal turns.
LONGEST_LINE = 16 << 20


class EngineError(RuntimeError):
    """The engine rejected something, or sent a malformed line."""


class EngineTerminatedError(EngineError):
    """The engine has exited, or could not start."""


class EngineTimeoutError(EngineError, TimeoutError):
    """The engine did not answer in time. It has been ended, because its next lines would be
    out of step."""


class LineSplitter:
    """Splits a stream of bytes into lines."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._unfinished: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> list[str]:
        """Returns the lines that end in a chunk. Raises EngineError if one is too long."""
        *ended, rest = chunk.split(b"\n")
        if ended:
            ended[0] = b"".join([*self._unfinished, ended[0]])
            self._unfinished, self._length = [], 0
        self._unfinished.append(rest)
        self._length += len(rest)
        longest = max(self._length, *map(len, ended)) if ended else self._length
        if longest > self._longest:
            raise EngineError(f"the engine wrote a line of more than {self._longest} bytes")
        return [line.decode("utf-8", "replace").rstrip("\r") for line in ended]


def complaint(line: str) -> Optional[str]:
    """Returns the text of ``info string error``, or None for other lines."""
    _, found, text = line.partition("info string error ")
    return text if found and line.startswith("info") else None


class Exchange(Protocol):
    """Commands and their answers."""

    commands: list[str]

    def receive(self, line: str) -> bool:
        """Takes a line and reports whether it was the last."""


class Ask:
    """Commands with immediate answers, up to a last line."""

    def __init__(self, commands: Sequence[str], last: str = "readyok") -> None:
        self.commands = [*commands, "isready"] if last == "readyok" else list(commands)
        self.lines: list[str] = []  # responses, identity, options and errors
        self.settings: dict[str, str] = {}  # managed options that this exchange sets
        self._last = last

    def receive(self, line: str) -> bool:
        if line.strip() == self._last:
            return True
        if line.startswith(("response", "id ", "option ")) or complaint(line) is not None:
            self.lines.append(line)
        return False

    def check(self) -> None:
        """Raises EngineError if the engine reported an error."""
        for line in self.lines:
            wrong = complaint(line)
            if wrong is not None:
                raise EngineError(wrong)

    def responses(self) -> list[str]:
        """Returns one response for each query. Raises EngineError if the engine reported an
        error or does not know a query."""
        self.check()
        found = [line[len("response") :].strip() for line in self.lines if line.split()[:1] == ["response"]]
        asked = [command for command in self.commands if command.startswith("query")]
        if len(found) != len(asked):
            raise EngineError(f"the engine gave {len(found)} responses to {', '.join(asked)}")
        return found


class Search:
    """A search, from ``go`` to ``bestmove``."""

    def __init__(self, limit: Limit, ponder: bool = False, root_turns: Sequence[str] = ()) -> None:
        words = ["go", *(["ponder"] if ponder else []), *limit.words()]
        self.commands = [" ".join([*words, "searchmoves", *root_turns] if root_turns else words)]
        self.fresh: deque[Info] = deque()  # received and not delivered yet
        self.lines: dict[int, Info] = {}  # the last info of each rank with a score
        self.best: Optional[list[str]] = None  # the words of bestmove
        self.complaint: Optional[str] = None
        self.asked = 0  # pending isready

    def receive(self, line: str) -> bool:
        words = line.split(maxsplit=1)[:1]
        if words == ["bestmove"] and self.best is None:
            self.best = line.split()
        elif words == ["readyok"]:
            self.asked -= 1
        elif words == ["info"]:
            self._inform(line)
        return self.best is not None and self.asked <= 0

    def _inform(self, line: str) -> None:
        wrong = complaint(line)
        if wrong is not None:
            self.complaint = self.complaint or wrong
            return
        try:
            info = Info.parse(line)
        except ValueError as nonsense:
            self.complaint = self.complaint or str(nonsense)
            return
        if info is not None:
            self.fresh.append(info)
            if info.score is not None:
                self.lines[info.multipv] = info

    def answer(self) -> tuple[Optional[Turn], Optional[Turn]]:
        """Returns the turn to play (None if the game is over) and the expected reply (or None).
        Raises EngineError if the engine reported an error."""
        if self.complaint is not None:
            raise EngineError(self.complaint)
        words = self.best or []
        try:
            best, ponder = (Turn(words[at]) if len(words) > at else None for at in (1, 3)) if words[1:2] != ["none"] else (None, None)
        except ValueError as nonsense:
            raise EngineError(f"{' '.join(words)[:200]!r}: {nonsense}") from None
        if best is None and words[1:2] != ["none"]:
            raise EngineError("bestmove without a turn")
        return best, ponder


def position_command(position: Position, turns: Sequence[str] = ()) -> str:
    """Returns the command that sets up a position and plays turns from it."""
    return " ".join(["position fen", position.fen, *(["moves", *turns] if turns else [])])
