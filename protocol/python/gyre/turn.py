"""Turns: all that a player does before the other is to move."""

from __future__ import annotations

from functools import lru_cache
from typing import Iterable, NamedTuple, Union

from .board import POINTS, point, row


class Place(NamedTuple):
    """A ring comes onto the board."""

    at: int

    def __str__(self) -> str:
        return POINTS[self.at]


class Move(NamedTuple):
    """A ring moves and leaves a marker."""

    origin: int
    target: int

    def __str__(self) -> str:
        return f"{POINTS[self.origin]}-{POINTS[self.target]}"


class Removal(NamedTuple):
    """A row is taken off, by its ends, with the ring that pays for it."""

    first: int
    last: int
    ring: int

    def __str__(self) -> str:
        low, high = sorted((self.first, self.last))
        return f"x{POINTS[low]}-{POINTS[high]}x{POINTS[self.ring]}"


class Pass(NamedTuple):
    """No ring can move."""

    def __str__(self) -> str:
        return "pass"


Part = Union[Place, Move, Removal, Pass]


@lru_cache(maxsize=1 << 16)
def _part(text: str) -> Part:
    """Reads a part of a turn. A row's ends come in the order of their numbers."""
    if text == "pass":
        return Pass()
    if text.startswith("x"):
        ends, _, ring = text[1:].partition("x")
        first, _, last = ends.partition("-")
        low, high = sorted((point(first), point(last)))
        row(low, high)
        return Removal(low, high, point(ring))
    origin, dash, target = text.partition("-")
    return Move(point(origin), point(target)) if dash else Place(point(origin))


@lru_cache(maxsize=1 << 16)
def _canonical(word: str) -> str:
    """The word as the engine writes it."""
    try:
        return ";".join([str(_part(text)) for text in word.lower().split(";")])
    except ValueError as wrong:
        raise ValueError(f"{word!r} is no turn: {wrong}") from None


class Turn(str):
    """A turn as its one word, such as "c5-a3;xb3-b7xb2".

    It is a string in the form that the engine writes: lower case, the ends of a row in
    order. Words that have not the form of a turn raise ValueError; whether a turn is
    legal only a position tells (see :meth:`gyre.Engine.legal_turns`).
    """

    __slots__ = ()

    def __new__(cls, word: str) -> Turn:
        if isinstance(word, Turn):
            return word
        return super().__new__(cls, _canonical(word))

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Turn:
        """The turn of these parts, in their order."""
        return cls(";".join(map(str, parts)))

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is done, in its order."""
        return tuple([_part(text) for text in self.split(";")])

    def __repr__(self) -> str:
        return f"Turn({str(self)!r})"
