"""The board: 85 points in 11 columns, the numbers that they have here, and what can
stand on them.

Points are numbered 0 to 84, column by column from a2 to k10 and within a column from
the lowest number up, the order of positions as text and of files of samples.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

#: The lowest and the highest number of each column, a to k.
COLUMNS = ((2, 5), (1, 7), (1, 8), (1, 9), (1, 10), (2, 10), (2, 11), (3, 11), (4, 11), (5, 11), (7, 10))

#: Column and number of each point, both from 0 (f6, the centre, is 5, 5).
COORDINATES = tuple((column, number - 1) for column, (first, last) in enumerate(COLUMNS) for number in range(first, last + 1))

#: The name of each point, such as "f6".
POINTS = tuple(f"{'abcdefghijk'[column]}{number + 1}" for column, number in COORDINATES)

#: The number of each point by its name.
POINT_NUMBERS = {name: number for number, name in enumerate(POINTS)}

#: The number of points.
POINT_COUNT = len(POINTS)

_NUMBER_AT = {at: number for number, at in enumerate(COORDINATES)}

#: What stands on a point. A side's ring is 1 + 2 * side, its marker one more.
VACANT = 0


class Side(IntEnum):
    """A player. Things of both sides are indexed by it."""

    WHITE = 0
    BLACK = 1

    @property
    def opponent(self) -> Side:
        return Side(1 - self)

    @property
    def ring(self) -> int:
        """What stands on a point with a ring of the side."""
        return 1 + 2 * self

    @property
    def marker(self) -> int:
        """What stands on a point with a marker of the side."""
        return 2 + 2 * self


WHITE, BLACK = Side.WHITE, Side.BLACK


def point(name: str) -> int:
    """The number of the point of a name, in either case. ValueError if there is none."""
    try:
        return POINT_NUMBERS[name.lower()]
    except KeyError:
        raise ValueError(f"{name!r} is no point: a letter a to k and a number that the column has, such as f6") from None


@lru_cache(maxsize=None)
def between(first: int, last: int) -> tuple[int, ...]:
    """The points strictly between two of a line, from the first on. ValueError if they
    are on no line of the board."""
    (x, y), (to_x, to_y) = COORDINATES[first], COORDINATES[last]
    step_x, step_y = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    length = max(abs(to_x - x), abs(to_y - y))
    if first == last or step_x * step_y < 0 or (x + length * step_x, y + length * step_y) != (to_x, to_y):
        raise ValueError(f"{POINTS[first]} and {POINTS[last]} are not on one line")
    return tuple(_NUMBER_AT[x + i * step_x, y + i * step_y] for i in range(1, length))


def row(first: int, last: int) -> tuple[int, ...]:
    """The five points of the row with these ends. ValueError if there is none."""
    inner = between(first, last)
    if len(inner) != 3:
        raise ValueError(f"{POINTS[first]} to {POINTS[last]} is no row of five")
    return (first, *inner, last)
