"""Samples as arrays of NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from .board import POINT_COUNT

_RECORD = numpy.dtype(
    [
        ("words", "<u8", 3),
        ("rest", "<u2"),
        ("state", "u1"),
        ("ply", "u1"),
        ("score", "<i2"),
        ("game", "<u4"),
    ]
)


@dataclass(frozen=True)
class Arrays:
    """Samples as columns. The first index of each array is the sample."""

    pieces: NDArray[numpy.uint8]  #: (n, 85): 0 vacant, 1 and 2 white ring and marker, 3 and 4 black
    side: NDArray[numpy.uint8]  #: (n,): 0 for white to move, 1 for black
    removed: NDArray[numpy.uint8]  #: (n, 2): rings removed by white and by black
    rules: NDArray[numpy.uint8]  #: (n,): 0 for standard, 1 for blitz
    score: NDArray[numpy.int16]  #: (n,): centipawns for the side to move
    result: NDArray[numpy.int8]  #: (n,): for the side to move: -1, 0 or 1
    ply: NDArray[numpy.uint8]  #: (n,): turns of the game before the position
    game: NDArray[numpy.uint32]  #: (n,): the number of the game in its file

    def __len__(self) -> int:
        return len(self.side)

    @classmethod
    def decode(cls, records: bytes) -> Arrays:
        """Decodes consecutive records of 34 bytes. Raises ValueError if they are malformed."""
        table = numpy.frombuffer(records, dtype=_RECORD)
        state = table["state"]
        return cls(
            _points(table),
            (state & 1).astype(numpy.uint8),
            numpy.stack([state >> 2 & 3, state >> 4 & 3], axis=1),
            (state >> 1 & 1).astype(numpy.uint8),
            table["score"].astype(numpy.int16),
            (state >> 6).astype(numpy.int8) - numpy.int8(1),
            table["ply"].copy(),
            table["game"].astype(numpy.uint32),
        )


def _points(table: "NDArray[numpy.void]") -> NDArray[numpy.uint8]:
    """Returns the points of each sample: digits in base 5, 27 in each word and 4 in the rest."""
    pieces = numpy.empty((len(table), POINT_COUNT), dtype=numpy.uint8)
    for word in range(3):
        left = table["words"][:, word].copy()
        _digits(left, pieces[:, 27 * word : 27 * (word + 1)])
    _digits(table["rest"].astype(numpy.uint64), pieces[:, 81:])
    return pieces


def _digits(left: NDArray[numpy.uint64], into: NDArray[numpy.uint8]) -> None:
    five = numpy.uint64(5)
    for column in range(into.shape[1]):
        into[:, column] = left % five
        left //= five
    if left.any():
        raise ValueError(f"sample {int(left.nonzero()[0][0])}: its points do not encode a number of {into.shape[1]} digits")
