"""When a search ends."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Optional


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits of a search: the first that is reached ends it. Times are in seconds.

    With none at all a search goes on until it is stopped, so :meth:`gyre.Engine.play`
    and :meth:`gyre.Engine.analyse` want one.
    """

    time: Optional[float] = None  #: for this turn
    depth: Optional[int] = None  #: in turns
    nodes: Optional[int] = None  #: positions to visit
    mate: Optional[int] = None  #: a win within so many turns of the side to move
    white_clock: Optional[float] = None  #: left on the clock of white
    black_clock: Optional[float] = None
    white_inc: Optional[float] = None  #: what white's clock gains after each turn
    black_inc: Optional[float] = None
    remaining_turns: Optional[int] = None  #: until the next time control

    def __post_init__(self) -> None:
        for name in ("time", "depth", "nodes", "mate", "white_inc", "black_inc", "remaining_turns"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < float("inf"):
                raise ValueError(f"{name} {value}: not a number from 0 up")

    @property
    def ends(self) -> bool:
        """Whether the search ends by itself."""
        counts = ("time", "depth", "nodes", "mate", "white_clock", "black_clock")
        return any(getattr(self, name) is not None for name in counts)

    @property
    def longest(self) -> Optional[float]:
        """The seconds after which the search has ended, None where they are not bounded."""
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


#: The word of each limit and what its number counts in a unit of ours.
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
