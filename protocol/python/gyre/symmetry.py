"""The 12 symmetries of the board.

Symmetry 0 is the identity. Symmetries 1 to 5 rotate the board by that many times 60
degrees; 6 to 11 mirror it first. The engine's Go packages use the same numbers. A symmetry
maps a legal turn to a legal turn of the symmetric position.
"""

from __future__ import annotations

from typing import Sequence, TypeVar

from .board import COORDINATES, POINT_COUNT, Move, Pass, Place, Removal, Turn
from .position import Position

#: The number of symmetries.
SYMMETRIES = 12

T = TypeVar("T")


def _image(symmetry: int, x: int, y: int) -> tuple[int, int]:
    x, y = x - 5, y - 5
    if symmetry >= 6:
        x, y = y, x
    for _ in range(symmetry % 6):
        x, y = y, y - x
    return x + 5, y + 5


def _permutation(symmetry: int) -> tuple[int, ...]:
    numbers = {at: number for number, at in enumerate(COORDINATES)}
    return tuple(numbers[_image(symmetry, x, y)] for x, y in COORDINATES)


def _inverse(permutation: Sequence[int]) -> tuple[int, ...]:
    origins = [0] * POINT_COUNT
    for origin, image in enumerate(permutation):
        origins[image] = origin
    return tuple(origins)


#: The image of each point: IMAGES[s][p].
IMAGES = tuple(_permutation(s) for s in range(SYMMETRIES))

#: The origin of each point: in NumPy, ``values[..., ORIGINS[s]]`` transforms values by point.
ORIGINS = tuple(_inverse(permutation) for permutation in IMAGES)

#: The inverse of each symmetry.
INVERSES = tuple(IMAGES.index(origins) for origins in ORIGINS)


def transform(symmetry: int, values: Sequence[T]) -> list[T]:
    """Returns values by point, transformed by the symmetry."""
    if len(values) != POINT_COUNT:
        raise ValueError(f"{len(values)} values: the board has {POINT_COUNT} points")
    return [values[origin] for origin in ORIGINS[symmetry]]


def transform_position(symmetry: int, position: Position) -> Position:
    """Returns the symmetric position."""
    pieces = bytes(transform(symmetry, position.pieces))
    return Position.of(pieces, position.side, position.removed, position.rules)


def transform_turn(symmetry: int, turn: Turn) -> Turn:
    """Returns the symmetric turn."""
    to = IMAGES[symmetry]
    parts: list[Place | Move | Removal | Pass] = []
    for part in turn.parts:
        match part:
            case Place(at):
                parts.append(Place(to[at]))
            case Move(origin, target):
                parts.append(Move(to[origin], to[target]))
            case Removal(first, last, ring):
                parts.append(Removal(to[first], to[last], to[ring]))
            case Pass():
                parts.append(part)
    return Turn.of(parts)
