"""Positions as values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from .board import COLUMNS, POINT_COUNT, POINTS, VACANT, Side

#: What a point holds, as positions write it.
_LETTERS = {"W": Side.WHITE.ring, "w": Side.WHITE.marker, "B": Side.BLACK.ring, "b": Side.BLACK.marker}
_LETTER_OF = {piece: letter for letter, piece in _LETTERS.items()}
_WORDS = re.compile(r"([WwBb0-9/]+) ([wb]) ([0-3])-([0-3])")

#: The rules that the engine knows.
RULES = ("standard", "blitz")


@lru_cache(maxsize=1 << 12)
def _read(board: str) -> bytes:
    """What stands on the points."""
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

    Its text is that of the protocol, BOARD SIDE SCORE. Text that has not this form
    raises ValueError; whether the position can be is the engine's to say, when it is
    first asked about it.
    """

    fen: str = "4/7/8/9/10/9/10/9/8/7/4 w 0-0"
    rules: str = "standard"

    def __post_init__(self) -> None:
        if not _WORDS.fullmatch(self.fen):
            raise ValueError(f"{self.fen!r} is no position: BOARD SIDE SCORE, such as {Position().fen!r}")
        if self.rules not in RULES:
            raise ValueError(f"rules {self.rules!r}: none of {', '.join(RULES)}")
        _read(self.fen.split()[0])

    @classmethod
    def of(cls, pieces: bytes, side: Side, removed: tuple[int, int] = (0, 0), rules: str = "standard") -> Position:
        """The position with these pieces (see :attr:`pieces`), side to move and rings
        removed by white and black."""
        if len(pieces) != POINT_COUNT:
            raise ValueError(f"{len(pieces)} pieces: the board has {POINT_COUNT} points")
        return cls(f"{_write(pieces)} {'wb'[side]} {removed[0]}-{removed[1]}", rules)

    @property
    def pieces(self) -> bytes:
        """What stands on each of the 85 points: 0 for nothing, 1 and 2 for a ring and a
        marker of white, 3 and 4 for those of black."""
        return _read(self.fen.partition(" ")[0])

    @property
    def side(self) -> Side:
        """Whose turn it is; in a game that is over, whose it would be."""
        return Side(self.fen.split()[1] == "b")

    @property
    def removed(self) -> tuple[int, int]:
        """Rings removed by white and by black."""
        white, _, black = self.fen.split()[2].partition("-")
        return int(white), int(black)

    def points(self, piece: int) -> list[str]:
        """The names of the points that hold this, such as ``Side.WHITE.ring``."""
        return [POINTS[at] for at, held in enumerate(self.pieces) if held == piece]

    def __str__(self) -> str:
        return self.fen
