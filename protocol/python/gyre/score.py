"""What a search says: scores, and lines of ``info``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import total_ordering
from typing import Any, Callable, Literal, Optional

from .turn import Turn

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
    """A line of ``info``. What the engine did not tell is None, the line of turns empty."""

    depth: Optional[int] = None  #: turns searched in full
    seldepth: Optional[int] = None  #: turns of the deepest line looked at
    multipv: int = 1  #: the rank of the line, from 1
    score: Optional[Score] = None  #: for the side to move
    wdl: Optional[tuple[int, int, int]] = None  #: win, draw and loss in thousandths
    nodes: Optional[int] = None  #: positions visited
    nps: Optional[int] = None  #: positions a second
    hashfull: Optional[int] = None  #: of the table, in thousandths
    time: Optional[float] = None  #: seconds since the search began
    pv: tuple[Turn, ...] = ()  #: the line expected, whole turns from the root

    @classmethod
    def parse(cls, line: str) -> Optional[Info]:
        """Reads a line; None if it is no progress of a search, as ``info string`` is none.
        Words that are not known are passed over. ValueError where a number is wrong."""
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
