"""Points, sides, lines and turns: the board, without what stands on it."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import Iterable, Iterator, NamedTuple, Union


#: The lowest and the highest number of each column, a to k.
COLUMNS = ((2, 5), (1, 7), (1, 8), (1, 9), (1, 10), (2, 10), (2, 11), (3, 11), (4, 11), (5, 11), (7, 10))

#: Column and number of each point, both from 0 (f6, the center, is 5, 5).
COORDINATES = tuple((column, number - 1) for column, (first, last) in enumerate(COLUMNS) for number in range(first, last + 1))

#: The name of each point, such as "f6".
POINTS = tuple(f"{'abcdefghijk'[column]}{number + 1}" for column, number in COORDINATES)

#: The number of each point by its name.
POINT_NUMBERS = {name: number for number, name in enumerate(POINTS)}

#: The number of points.
POINT_COUNT = len(POINTS)

#: The rings of a side, and the markers of the game.
RINGS, MARKERS = 5, 51

_NUMBER_AT = {at: number for number, at in enumerate(COORDINATES)}

#: The content of a point. A side's ring is 1 + 2 * side, its marker one more.
VACANT = 0


class Side(IntEnum):
    """A player, usable as an index."""

    WHITE = 0
    BLACK = 1

    @property
    def opponent(self) -> Side:
        return Side(1 - self)

    @property
    def ring(self) -> int:
        """The content of a point with a ring of this side."""
        return 1 + 2 * self

    @property
    def marker(self) -> int:
        """The content of a point with a marker of this side."""
        return 2 + 2 * self


WHITE, BLACK = Side.WHITE, Side.BLACK


def point(name: str) -> int:
    """Returns the number of a named point, in either case. Raises ValueError if there is
    no such point."""
    try:
        return POINT_NUMBERS[name.lower()]
    except KeyError:
        raise ValueError(f"{name!r} is not a point: write a letter a to k and a number of that column, such as f6") from None


@lru_cache(maxsize=None)
def between(first: int, last: int) -> tuple[int, ...]:
    """Returns the points strictly between two points of a line, in order. Raises ValueError
    if no line of the board contains both."""
    (x, y), (to_x, to_y) = COORDINATES[first], COORDINATES[last]
    step_x, step_y = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    length = max(abs(to_x - x), abs(to_y - y))
    if first == last or step_x * step_y < 0 or (x + length * step_x, y + length * step_y) != (to_x, to_y):
        raise ValueError(f"{POINTS[first]} and {POINTS[last]} are not on one line")
    return tuple(_NUMBER_AT[x + i * step_x, y + i * step_y] for i in range(1, length))


def row(first: int, last: int) -> tuple[int, ...]:
    """Returns the five points of the row with these ends. Raises ValueError if they are not
    the ends of a row."""
    inner = between(first, last)
    if len(inner) != 3:
        raise ValueError(f"{POINTS[first]} to {POINTS[last]} is not a row of five")
    return (first, *inner, last)


def _rows() -> Iterator[tuple[int, ...]]:
    for first in range(POINT_COUNT):
        for last in range(first + 1, POINT_COUNT):
            try:
                yield row(first, last)
            except ValueError:
                continue


#: All rows of five points.
_ROWS = tuple(_rows())

#: The points in each of the six directions from each point, the nearest first.
_RAYS = tuple(
    tuple(
        tuple(_NUMBER_AT[x + i * step_x, y + i * step_y] for i in range(1, 11) if (x + i * step_x, y + i * step_y) in _NUMBER_AT)
        for step_x, step_y in ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
    )
    for x, y in COORDINATES
)


def has_row(pieces: bytes, side: Side) -> bool:
    """Whether a side has a row of five markers on the board."""
    return any(all(pieces[at] == side.marker for at in line) for line in _ROWS)


def can_move(pieces: bytes, at: int) -> bool:
    """Whether a ring stands on a point and can move. A vacant point next to a ring, or behind
    the markers next to it, is a destination."""
    rings = (Side.WHITE.ring, Side.BLACK.ring)
    if pieces[at] not in rings:
        return False
    for ray in _RAYS[at]:
        for far in ray:
            if pieces[far] == VACANT:
                return True
            if pieces[far] in rings:
                break
    return False


class Place(NamedTuple):
    """Places a ring."""

    at: int

    def __str__(self) -> str:
        return POINTS[self.at]


class Move(NamedTuple):
    """Moves a ring, which leaves a marker."""

    origin: int
    target: int

    def __str__(self) -> str:
        return f"{POINTS[self.origin]}-{POINTS[self.target]}"


class Removal(NamedTuple):
    """Removes a row, given by its ends, and a ring."""

    first: int
    last: int
    ring: int

    def __str__(self) -> str:
        low, high = sorted((self.first, self.last))
        return f"x{POINTS[low]}-{POINTS[high]}x{POINTS[self.ring]}"


class Pass(NamedTuple):
    """Passes, because no ring can move."""

    def __str__(self) -> str:
        return "pass"


Part = Union[Place, Move, Removal, Pass]


def play(pieces: bytes, side: Side, part: Part) -> bytes:
    """Returns the board after a part of a turn."""
    board = bytearray(pieces)
    match part:
        case Place(at):
            board[at] = side.ring
        case Move(origin, target):
            flipped = {side.marker: side.opponent.marker, side.opponent.marker: side.marker}
            for number in between(origin, target):
                board[number] = flipped.get(board[number], VACANT)
            board[origin], board[target] = side.marker, side.ring
        case Removal(first, last, ring):
            for number in (*row(first, last), ring):
                board[number] = VACANT
        case Pass():
            pass
    return bytes(board)


@lru_cache(maxsize=1 << 16)
def _part(text: str) -> Part:
    """Parses a part of a turn. The ends of a row are sorted by number."""
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
    """Returns the word as the engine writes it."""
    try:
        return ";".join([str(_part(text)) for text in word.lower().split(";")])
    except ValueError as wrong:
        raise ValueError(f"{word!r} is not a turn: {wrong}") from None


class Turn(str):
    """A turn as one word, such as "c5-a3;xb3-b7xb2".

    It is a string in the form that the engine writes: lower case, the ends of a row in
    order. A malformed word raises ValueError. Whether the turn is legal depends on the
    position (see :meth:`gyre.Engine.legal_turns`).
    """

    __slots__ = ()

    def __new__(cls, word: str) -> Turn:
        if isinstance(word, Turn):
            return word
        return super().__new__(cls, _canonical(word))

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Turn:
        """Returns the turn with these parts, in order."""
        return cls(";".join(map(str, parts)))

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the turn, in order."""
        return tuple([_part(text) for text in self.split(";")])

    def __repr__(self) -> str:
        return f"Turn({str(self)!r})"
