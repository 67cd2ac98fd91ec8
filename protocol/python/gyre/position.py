"""Positions and turns under construction, as values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import groupby
from typing import Iterable

from . import svg
from .board import (
    COLUMNS,
    MARKERS,
    POINT_COUNT,
    POINTS,
    RINGS,
    VACANT,
    WHITE,
    Move,
    Pass,
    Place,
    Removal,
    Side,
    Turn,
    can_move,
    has_row,
    play,
)

#: The letters of positions.
_LETTERS = {"W": Side.WHITE.ring, "w": Side.WHITE.marker, "B": Side.BLACK.ring, "b": Side.BLACK.marker}
_LETTER_OF = {piece: letter for letter, piece in _LETTERS.items()}
_WORDS = re.compile(r"([WwBb0-9/]+) ([wb]) ([0-3])-([0-3])")

#: The rules of the engine.
RULES = ("standard", "blitz")


@lru_cache(maxsize=1 << 12)
def _read(board: str) -> bytes:
    """Parses the board."""
    columns = board.split("/")
    if len(columns) != len(COLUMNS):
        raise ValueError(f"{board!r} has {len(columns)} columns instead of {len(COLUMNS)}")
    pieces = bytearray()
    for name, column, (first, last) in zip("abcdefghijk", columns, COLUMNS):
        held = bytearray()
        for text in re.findall(r"[0-9]+|.", column):
            held += bytes([_LETTERS[text]]) if text in _LETTERS else bytes(min(int(text), POINT_COUNT))
        if len(held) != last - first + 1:
            raise ValueError(f"column {name} of {board!r} has {len(held)} points instead of {last - first + 1}")
        pieces += held
    return bytes(pieces)


def _write(pieces: bytes) -> str:
    columns, begin = [], 0
    for first, last in COLUMNS:
        column = pieces[begin : begin + last - first + 1]
        begin += len(column)
        text = ""
        for piece, run in groupby(column):
            length = len(list(run))
            text += str(length) if piece == VACANT else _LETTER_OF[piece] * length
        columns.append(text)
    return "/".join(columns)


@dataclass(frozen=True, slots=True)
class Position:
    """A position, between two turns. ``Position()`` is the start of a game.

    Its text has the form of the protocol, BOARD SIDE SCORE. Malformed text raises
    ValueError. The engine decides whether the position is possible.
    """

    fen: str = "4/7/8/9/10/9/10/9/8/7/4 w 0-0"
    rules: str = "standard"

    def __post_init__(self) -> None:
        if not _WORDS.fullmatch(self.fen):
            raise ValueError(f"{self.fen!r} is not a position: write BOARD SIDE SCORE, such as {Position().fen!r}")
        if self.rules not in RULES:
            raise ValueError(f"rules {self.rules!r}: use {' or '.join(RULES)}")
        _read(self.fen.split()[0])

    @classmethod
    def of(cls, pieces: bytes, side: Side, removed: tuple[int, int] = (0, 0), rules: str = "standard") -> Position:
        """Returns the position with these pieces (see :attr:`pieces`), side to move and rings
        removed by white and black."""
        if len(pieces) != POINT_COUNT:
            raise ValueError(f"{len(pieces)} pieces: the board has {POINT_COUNT} points")
        return cls(f"{_write(pieces)} {'wb'[side]} {removed[0]}-{removed[1]}", rules)

    @property
    def pieces(self) -> bytes:
        """The content of each of the 85 points: 0 vacant, 1 white ring, 2 white marker, 3 black
        ring, 4 black marker."""
        return _read(self.fen.partition(" ")[0])

    @property
    def side(self) -> Side:
        """The side to move, also in a finished game."""
        return Side(self.fen.split()[1] == "b")

    @property
    def removed(self) -> tuple[int, int]:
        """Rings removed by white and by black."""
        white, _, black = self.fen.split()[2].partition("-")
        return int(white), int(black)

    def points(self, piece: int) -> list[str]:
        """Returns the names of the points with this content, such as ``Side.WHITE.ring``."""
        return [POINTS[at] for at, held in enumerate(self.pieces) if held == piece]

    def after(self, turn: str) -> Position:
        """Returns the position after a turn. Only the form of the turn is checked: see
        :meth:`gyre.Engine.after` for the rules."""
        side, pieces, removed = self.side, self.pieces, list(self.removed)
        for part in Turn(turn).parts:
            pieces = play(pieces, side, part)
            removed[side] += isinstance(part, Removal)
        return Position.of(pieces, side.opponent, (removed[0], removed[1]), self.rules)

    @property
    def over(self) -> bool:
        """Whether the game is over: a side has removed the rings that win, the pool of markers
        is empty and the side to move has no row, or neither side can move a ring."""
        pieces, removed = self.pieces, self.removed
        if max(removed) >= self.winning_rings:
            return True
        if any(pieces.count(side.ring) + removed[side] < RINGS for side in Side) or has_row(pieces, self.side):
            return False
        markers = sum(pieces.count(side.marker) for side in Side)
        return markers == MARKERS or not any(can_move(pieces, at) for at in range(POINT_COUNT))

    @property
    def winning_rings(self) -> int:
        """The number of rings that win when removed."""
        return 1 if self.rules == "blitz" else 3

    def _repr_svg_(self) -> str:
        """Shows the board in a notebook: see :func:`gyre.svg.board`."""
        return svg.board(self)

    def __str__(self) -> str:
        return self.fen


class Stage(IntEnum):
    """The meaning of the next point of a turn."""

    PLACE = 0  #: the point for a new ring
    ORIGIN = 1  #: the ring that moves
    TARGET = 2  #: its destination
    ROW = 3  #: one end of the row to remove
    ROW_END = 4  #: the other end of the row
    RING = 5  #: the ring to remove for the row
    COMPLETE = 6  #: the turn is complete


#: The number of stages in which a point is chosen.
STAGES = 6

Step = tuple[Stage, int]


@lru_cache(maxsize=1 << 16)
def steps(turn: Turn) -> tuple[Step, ...]:
    """Returns the choices that make up a turn, the lower end of a row first. A pass has none."""
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
    """A turn under construction, as a value. :meth:`choose` returns the next one."""

    position: Position  #: before the turn
    pieces: bytes  #: the board after the completed parts
    removed: tuple[int, int]  #: rings removed, by side
    chosen: tuple[int, ...]  #: the points so far
    turns: tuple[Turn, ...]  #: the legal turns that start with these points
    stage: Stage
    _steps: tuple[tuple[Step, ...], ...]

    @classmethod
    def begin(cls, position: Position, turns: Iterable[Turn]) -> Partial:
        """Returns an empty turn, given all legal turns of a position. If the only turn is a
        pass, it is complete."""
        legal = tuple(turns)
        if not legal:
            raise ValueError(f"the game is over in {position}")
        ways = tuple(steps(turn) for turn in legal)
        stage = ways[0][0][0] if ways[0] else Stage.COMPLETE
        return cls(position, position.pieces, position.removed, (), legal, stage, ways)

    @classmethod
    def of_position(cls, position: Position) -> Partial:
        """Returns a complete turn without choices, for a finished game."""
        return cls(position, position.pieces, position.removed, (), (), Stage.COMPLETE, ())

    @property
    def turn(self) -> Turn:
        """The complete turn. Raises ValueError before that."""
        if self.stage != Stage.COMPLETE or not self.turns:
            raise ValueError(f"the turn is not complete: {self.stage.name} comes next")
        return self.turns[0]

    def choices(self) -> set[int]:
        """Returns the legal points; none if the turn is complete."""
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
        """Returns the legal points as 85 bytes, 1 for each legal point."""
        legal = self.choices()
        return bytes([number in legal for number in range(POINT_COUNT)])

    def choose(self, point: int) -> Partial:
        """Returns the turn with one more point. Raises ValueError if the point is illegal."""
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
        """Whether a turn continues with a point."""
        at = len(self.chosen)
        if self.stage == Stage.COMPLETE:
            return False
        if self.stage == Stage.ROW:
            return point in (way[at][1], way[at + 1][1])
        if self.stage == Stage.ROW_END:
            return {way[at - 1][1], way[at][1]} == {self.chosen[-1], point} and point != self.chosen[-1]
        return way[at][1] == point

    def _after(self, point: int) -> tuple[bytes, tuple[int, int]]:
        """Returns the board and the removed rings after a choice."""
        side = self.position.side
        white, black = self.removed
        match self.stage:
            case Stage.PLACE:
                return play(self.pieces, side, Place(point)), self.removed
            case Stage.TARGET:
                return play(self.pieces, side, Move(self.chosen[-1], point)), self.removed
            case Stage.RING:
                first, last = self.chosen[-2:]
                removed = (white + 1, black) if side is WHITE else (white, black + 1)
                return play(self.pieces, side, Removal(first, last, point)), removed
            case _:
                return self.pieces, self.removed
