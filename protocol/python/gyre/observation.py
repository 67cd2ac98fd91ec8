"""A game as planes of 85 points, as a player sees it."""

from __future__ import annotations

from typing import Any, Sequence

from .board import POINT_COUNT, Side
from .position import RULES, STAGES, Partial, Stage

try:
    import numpy as _numpy

    numpy: Any = _numpy
except ImportError:
    numpy = None

#: The planes in order. Each has a value for each point; the last nine are constant.
PLANES = (
    "own rings",
    "own markers",
    "opponent's rings",
    "opponent's markers",
    "chosen points of the current part: the ring that moves, the ends of a row",
    *(f"1 if the next point is {Stage(stage).name}" for stage in range(STAGES)),
    "own rings removed",
    "opponent's rings removed",
    "1 under the rules of blitz",
)


def making(partial: Partial) -> tuple[int, ...]:
    """Returns the chosen points of the current part."""
    behind = {Stage.TARGET: 1, Stage.ROW_END: 1, Stage.RING: 2}.get(partial.stage, 0)
    return partial.chosen[len(partial.chosen) - behind :]


def planes(partial: Partial, viewer: Side) -> list[bytes]:
    """Returns the planes for a player, with the board after the parts chosen so far."""
    pieces, marked = partial.pieces, set(making(partial))
    held = [side_piece for side in (viewer, viewer.opponent) for side_piece in (side.ring, side.marker)]
    seen = [bytes([piece == wanted for piece in pieces]) for wanted in held]
    seen.append(bytes([number in marked for number in range(POINT_COUNT)]))
    even: list[int] = [partial.stage == stage for stage in range(STAGES)]
    even += [partial.removed[viewer], partial.removed[viewer.opponent]]
    even.append(partial.position.rules == RULES[1])
    return seen + [bytes([value]) * POINT_COUNT for value in even]


def array(rows: Sequence[bytes] | bytes) -> Any:
    """Returns an int8 array if NumPy is installed, and ``rows`` otherwise."""
    if numpy is None:
        return rows
    if isinstance(rows, bytes):
        return numpy.frombuffer(rows, dtype=numpy.int8).copy()
    return numpy.frombuffer(b"".join(rows), dtype=numpy.int8).reshape(len(rows), POINT_COUNT).copy()
