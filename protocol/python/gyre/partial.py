"""Turns in the making: a turn as a sequence of points, one chosen at each stage.

A turn is at most eleven choices among the 85 points. What is legal comes from the
engine's list of turns; nothing here knows more of the rules than what a part of a
turn does to the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Iterable

from .board import POINT_COUNT, POINTS, VACANT, between, row
from .position import Position
from .turn import Move, Pass, Place, Removal, Turn


class Stage(IntEnum):
    """What the next point of a turn means."""

    PLACE = 0  #: where a ring is placed
    ORIGIN = 1  #: the ring that moves
    TARGET = 2  #: where it moves to
    ROW = 3  #: either end of the row that is taken off
    ROW_END = 4  #: the other end of that row
    RING = 5  #: the ring that pays for the row
    COMPLETE = 6  #: the turn is whole


#: The number of stages in which a point is chosen.
STAGES = 6

Step = tuple[Stage, int]


@lru_cache(maxsize=1 << 16)
def steps(turn: Turn) -> tuple[Step, ...]:
    """The choices that make a turn, rows by their lower end first. A pass is none."""
    made: list[Step] = []
    for part in turn.parts:
        match part:
            case Place(at):
                made.append((Stage.PLACE, at))
            case Move(origin, target):
                made += (Stage.ORIGIN, origin), (Stage.TARGET, target)
            case Removal(first, last, ring):
                made += (Stage.ROW, first), (Stage.ROW_END, last), (Stage.RING, ring)
            case Pass():
                pass
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Partial:
    """A turn of which some points are chosen: a value; :meth:`choose` makes the next."""

    position: Position  #: before the turn
    pieces: bytes  #: the board as the parts done so far leave it
    removed: tuple[int, int]  #: rings removed, by side
    chosen: tuple[int, ...]  #: the points so far
    turns: tuple[Turn, ...]  #: the legal turns that begin so
    stage: Stage
    _steps: tuple[tuple[Step, ...], ...]

    @classmethod
    def begin(cls, position: Position, turns: Iterable[Turn]) -> Partial:
        """The turn of which nothing is chosen yet, among all legal turns of a position.
        It is complete where passing is all that is left."""
        legal = tuple(turns)
        if not legal:
            raise ValueError(f"the game is over in {position}")
        ways = tuple(steps(turn) for turn in legal)
        stage = ways[0][0][0] if ways[0] else Stage.COMPLETE
        return cls(position, position.pieces, position.removed, (), legal, stage, ways)

    @classmethod
    def of_position(cls, position: Position) -> Partial:
        """No turn at all, as in a game that is over: it is complete."""
        return cls(position, position.pieces, position.removed, (), (), Stage.COMPLETE, ())

    @property
    def turn(self) -> Turn:
        """The turn, once it is complete. ValueError before."""
        if self.stage != Stage.COMPLETE or not self.turns:
            raise ValueError(f"the turn is not complete: {self.stage.name} comes next")
        return self.turns[0]

    def choices(self) -> set[int]:
        """The points that are legal now; none once the turn is complete."""
        if self.stage == Stage.COMPLETE:
            return set()
        at = len(self.chosen)
        if self.stage == Stage.ROW:
            return {way[end][1] for way in self._steps for end in (at, at + 1)}
        if self.stage == Stage.ROW_END:
            ends = ((way[at - 1][1], way[at][1]) for way in self._steps)
            return {last if first == self.chosen[-1] else first for first, last in ends}
        return {way[at][1] for way in self._steps}

    def mask(self) -> bytes:
        """The legal points as 85 bytes, 1 where a point may be chosen."""
        legal = self.choices()
        return bytes([number in legal for number in range(POINT_COUNT)])

    def choose(self, point: int) -> Partial:
        """The turn with one point more. ValueError if the point is not legal."""
        kept = [i for i, way in enumerate(self._steps) if self._agrees(way, point)]
        if not kept or self.stage == Stage.COMPLETE:
            name = POINTS[point] if 0 <= point < POINT_COUNT else str(point)
            raise ValueError(f"{name} is not legal as {self.stage.name} in {self.position}")
        chosen = (*self.chosen, point)
        turns = tuple([self.turns[i] for i in kept])
        ways = tuple([self._steps[i] for i in kept])
        pieces, removed = self._after(point)
        stage = ways[0][len(chosen)][0] if len(chosen) < len(ways[0]) else Stage.COMPLETE
        return Partial(self.position, pieces, removed, chosen, turns, stage, ways)

    def _agrees(self, way: tuple[Step, ...], point: int) -> bool:
        """Whether a turn goes on with a point."""
        at = len(self.chosen)
        if self.stage == Stage.COMPLETE:
            return False
        if self.stage == Stage.ROW:
            return point in (way[at][1], way[at + 1][1])
        if self.stage == Stage.ROW_END:
            return {way[at - 1][1], way[at][1]} == {self.chosen[-1], point} and point != self.chosen[-1]
        return way[at][1] == point

    def _after(self, point: int) -> tuple[bytes, tuple[int, int]]:
        """The board and the rings removed once the point is chosen."""
        side, pieces, removed = self.position.side, bytearray(self.pieces), list(self.removed)
        match self.stage:
            case Stage.PLACE:
                pieces[point] = side.ring
            case Stage.TARGET:
                origin = self.chosen[-1]
                flipped = {side.marker: side.opponent.marker, side.opponent.marker: side.marker}
                for number in between(origin, point):
                    pieces[number] = flipped.get(pieces[number], VACANT)
                pieces[origin], pieces[point] = side.marker, side.ring
            case Stage.RING:
                for number in (*row(*self.chosen[-2:]), point):
                    pieces[number] = VACANT
                removed[side] += 1
            case _:
                return self.pieces, self.removed
        return bytes(pieces), (removed[0], removed[1])
