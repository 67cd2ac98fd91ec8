"""The protocol without input and output: limits, scores, options, errors, and the exchanges
of lines between a client and an engine.

An exchange sends commands and reads lines until its last one. It knows nothing of
processes, threads or events. :mod:`gyre.conversation` runs exchanges. If Ctrl-C
or a cancelled task interrupts one, the next exchange first reads it to its end. So both
stay in step with the engine.
"""

from __future__ import annotations

import logging
import math
import re
from collections import deque
from dataclasses import dataclass, fields
from functools import total_ordering
from typing import Any, Callable, Literal, Mapping, Optional, Protocol, Sequence, Union

from .board import Turn
from .position import Position


#: Warns of lines of an engine that cannot be read and are skipped.
LOGGER = logging.getLogger("gyre")

#: A function such as ``logging.Logger.warning``.
Warn = Callable[..., None]

#: Splits a line at its blanks, which are those of ASCII: other bytes are parts of words.
split = re.compile(r"[^ \t\r\n\v\f]+").findall


def whole_number(text: str) -> Optional[int]:
    """Returns the whole number of 64 bits that a text is, or None."""
    if not re.fullmatch(r"[+-]?[0-9]{1,19}", text):
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


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
        for name, _, _ in _WORDS:
            value = getattr(self, name)
            if value is not None and not -math.inf < value < math.inf:
                raise ValueError(f"{name} {value}: must be finite")
            if value is not None and value < 0 and name not in ("white_clock", "black_clock"):
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
    def parse(cls, line: str, warn: Warn = LOGGER.warning) -> Optional[Info]:
        """Parses a line. Returns None for other lines, and for ``info string``, which is not
        progress. Ignores unknown words. Skips a value that cannot be read, and tells ``warn``;
        the line of turns ends before the first word that is no turn."""
        words = split(line)
        if words[:1] != ["info"] or words[1:2] == ["string"]:
            return None
        return cls(**_InfoReader(words[1:], warn).read())


#: The keywords of ``info``: a range for those with one number. They end a line of turns.
_NUMBERS = {
    "depth": (0, 2**31 - 1), "seldepth": (0, 2**31 - 1), "multipv": (1, 2**31 - 1), "hashfull": (0, 2**31 - 1),
    "nodes": (0, 2**63 - 1), "nps": (0, 2**63 - 1), "time": (0, 10**12), "cp": (1 - 2**31, 2**31 - 1), "mate": (1 - 2**31, 2**31 - 1),
}  # fmt: skip
_INFO_WORDS = {
    *_NUMBERS, "score", "lowerbound", "upperbound", "wdl", "pv", "string",
    "currmove", "currmovenumber", "tbhits", "sbhits", "cpuload", "refutation", "currline",
}  # fmt: skip


class _InfoReader:
    """The words of a line of info, read from the left."""

    def __init__(self, words: list[str], warn: Warn) -> None:
        self.words = deque(words)
        self.warn = warn

    def number(self, name: str, least: int, most: int) -> Optional[int]:
        """Takes the next word if it is a whole number within bounds."""
        value = whole_number(self.words[0]) if self.words else None
        if value is None or not least <= value <= most:
            self.unread(name)
            return None
        self.words.popleft()
        return value

    def unread(self, name: str) -> None:
        self.warn("info %s is skipped: %r cannot be read", name, self.words[0][:40] if self.words else "")

    def read(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        score: dict[str, int] = {}
        bound: Bound = "exact"
        while self.words:
            name = self.words.popleft()
            if name == "string":
                break
            if name in _NUMBERS:
                value = self.number(name, *_NUMBERS[name])
                if value is None:
                    continue
                if name in ("cp", "mate"):
                    score = {name: value}
                else:
                    values[name] = value / 1000 if name == "time" else value
            elif name == "score":
                if not self.words or self.words[0] not in ("cp", "mate", "lowerbound", "upperbound"):
                    self.unread(name)
            elif name in ("lowerbound", "upperbound"):
                bound = "lower" if name == "lowerbound" else "upper"
            elif name == "wdl":
                chances = self.wdl()
                if chances is not None:
                    values[name] = chances
            elif name == "pv":
                values[name] = self.pv()
        if score:
            values["score"] = Score(**score, bound=bound)
        return values

    def wdl(self) -> Optional[tuple[int, int, int]]:
        chances: list[int] = []
        while len(chances) < 3:
            chance = self.number("wdl", 0, 1000)
            if chance is None:
                return None
            chances.append(chance)
        return chances[0], chances[1], chances[2]

    def pv(self) -> tuple[Turn, ...]:
        turns: list[Turn] = []
        while self.words and self.words[0] not in _INFO_WORDS:
            try:
                turns.append(Turn(self.words[0]))
            except ValueError:
                self.unread("pv")
                while self.words and self.words[0] not in _INFO_WORDS:
                    self.words.popleft()
                break
            self.words.popleft()
        return tuple(turns)


#: The value of an option; None presses a button.
Value = Union[str, int, bool, None]

#: Values by the names of their options.
Values = Mapping[str, Value]

#: For each type of an option, the words that begin its parts. The default of a string extends
#: to the end of the line.
_PARTS: dict[str, tuple[str, ...]] = {
    "spin": ("default", "min", "max"),
    "check": ("default",),
    "combo": ("default", "var"),
    "button": (),
    "string": ("default",),
}


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
    def parse(cls, line: str, warn: Warn = LOGGER.warning) -> Option:
        """Parses a line ``option name N type T ...``. Raises EngineError without a name or a known
        type. Skips everything else that cannot be read, and tells ``warn``."""
        words = split(line)
        # The name may contain the word "type": the one before a type ends it.
        ends = [at for at, word in enumerate(words) if at > 1 and word == "type"]
        end = next((at for at in ends if words[at + 1 : at + 2] and words[at + 1] in _PARTS), None)
        if words[:2] != ["option", "name"] or end is None or end == 2:
            raise EngineError(f"{line[:200]!r}: the option needs a name and a type")
        name, kind = " ".join(words[2:end]), words[end + 1]
        found: list[tuple[str, list[str]]] = []
        for word in words[end + 2 :]:
            if word in _PARTS[kind] and not (kind == "string" and found):
                found.append((word, []))
            elif found:
                found[-1][1].append(word)
            else:
                warn("option %s: %r is skipped: unknown word", name, word[:40])
        default, variants = None, []
        bounds: dict[str, Optional[int]] = {"min": None, "max": None}
        for part, value in found:
            text = " ".join(value)
            if part == "default":
                default = "" if text == "<empty>" else text
            elif part == "var":
                variants.append(text)
            else:
                bounds[part] = whole_number(text)
                if bounds[part] is None:
                    warn("option %s: its %s is skipped: %r is not a whole number of 64 bits", name, part, text[:40])
        least, most = bounds["min"], bounds["max"]
        if least is not None and most is not None and least > most:
            warn("option %s: its bounds are skipped: its min is above its max", name)
            least = most = None
        if default is None and kind not in ("button", "string"):
            warn("option %s: has no default", name)
        return cls(name, kind, default or "", least, most, tuple(variants))

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


#: The longest line read from an engine, in bytes. A position has at most some ten thousand
#: legal turns.
LONGEST_LINE = 1 << 20


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
        self._left = longest  # of the unfinished line

    def feed(self, chunk: bytes) -> list[str]:
        """Returns the lines that end in a chunk. A longer line is cut. A byte-order mark before
        a line is skipped."""
        *ended, rest = chunk.split(b"\n")
        lines = []
        for end in ended:
            self._keep(end)
            line = b"".join(self._unfinished).removeprefix(b"\xef\xbb\xbf")
            lines.append(line.decode("utf-8", "replace").rstrip("\r"))
            self._unfinished, self._left = [], self._longest
        self._keep(rest)
        return lines

    def _keep(self, part: bytes) -> None:
        if part and self._left:
            self._unfinished.append(part[: self._left])
            self._left -= len(self._unfinished[-1])


def complaint(line: str) -> Optional[str]:
    """Returns the text of ``info string error``, or None for other lines."""
    words = split(line[:1000])
    if words[:2] != ["info", "string"] or len(words) < 3 or words[2].removesuffix(":").lower() != "error":
        return None
    return " ".join(words[3:]) or "error"


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
        first = split(line[:100])[:1]
        if first == [self._last]:
            return True
        if first in (["response"], ["id"], ["option"]) or complaint(line) is not None:
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
        found = [" ".join(words[1:]) for words in map(split, self.lines) if words[0] == "response"]
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
        self.warned = False

    def receive(self, line: str) -> bool:
        words = split(line[:100])[:1]
        if words == ["bestmove"] and self.best is None:
            self.best = split(line)
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
        info = Info.parse(line, self._warn)
        if info is not None:
            self.fresh.append(info)
            if info.score is not None:
                self.lines[info.multipv] = info

    def _warn(self, message: str, *values: object) -> None:
        """Logs the first warning of the search: an engine may repeat it with every line."""
        LOGGER.log(logging.DEBUG if self.warned else logging.WARNING, message, *values)
        self.warned = True

    def answer(self) -> tuple[Optional[Turn], Optional[Turn]]:
        """Returns the turn to play (None if the game is over) and the expected reply (or None).
        Raises EngineError if the engine reported an error, or named something else."""
        if self.complaint is not None:
            raise EngineError(self.complaint)
        words = self.best or []
        if len(words) < 2:
            raise EngineError("bestmove without a turn")
        if words[1].lower() in NO_TURN:
            return None, None
        try:
            best = Turn(words[1])
        except ValueError as nonsense:
            raise EngineError(f"{' '.join(words)[:200]!r}: {nonsense}") from None
        ponder = None
        if words[2:3] == ["ponder"] and len(words) > 3:
            try:
                ponder = Turn(words[3])
            except ValueError:
                self._warn("the expected reply %r is skipped: not a turn", words[3][:40])
        return best, ponder


#: What engines write after ``bestmove`` if there is no turn.
NO_TURN = ("none", "(none)", "0000", "null")


def position_command(position: Position, turns: Sequence[str] = ()) -> str:
    """Returns the command that sets up a position and plays turns from it."""
    return " ".join(["position fen", position.fen, *(["moves", *turns] if turns else [])])
