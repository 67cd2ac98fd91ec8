"""The files of samples that ``gyre-train generate`` makes: positions of the engine's own
games, each with the score of a search and the result of its game.

The format is that of the Go package cmd/gyre-train/internal/sample. Files are mapped
into memory, not read into it.
"""

from __future__ import annotations

import mmap
import os
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Iterator, Optional, Type, Union

from .board import POINT_COUNT, Side
from .position import RULES, Position
from .xxh3 import xxh3

_MAGIC, _FORMAT, _MARK = b"gyre samples ", b"1\n", b"\xf6GmB"
_SIZE, _BLOCK_HEAD, _MOST_SAMPLES, _MOST_TEXT = 34, 20, 256, 1 << 16
_WORDS = ((0, 8, 27), (8, 8, 27), (16, 8, 27), (24, 2, 4))  # begin, bytes, points

#: The bound of scores, that of positions whose end is proven.
MOST_SCORE = 20000


@dataclass(frozen=True, slots=True)
class Sample:
    """A position with what is known of it."""

    position: Position
    score: int  #: of the search, in centipawns for the side to move
    result: int  #: of the game for the side to move: -1 lost, 0 drawn, 1 won
    ply: int  #: turns of the game before the position
    game: int  #: the number of its game in the file


@dataclass(frozen=True, slots=True)
class Damage:
    """A part of a file that holds no whole game. It is passed over."""

    offset: int  #: of its first byte
    length: int
    reason: str


class Samples:
    """The samples of a file, in its order: a sequence of :class:`Sample`, or arrays.

    ValueError tells that a file is none. What is damaged in it is passed over, and
    listed in ``damages``; ``verify=False`` leaves the checksums of games out, which is
    faster.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], verify: bool = True) -> None:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            self._map: Union[mmap.mmap, bytes] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        self.damages: list[Damage] = []
        self._begins: list[int] = []  # where the samples of each game begin in the file
        self._before: list[int] = [0]  # how many samples are before each game, and in all
        try:
            self.about, at = self._header()  #: what made the file, by name
            self._index(at, verify)
        except ValueError as wrong:
            self.close()
            raise ValueError(f"{os.fspath(path)}: {wrong}") from None

    def _header(self) -> tuple[dict[str, str], int]:
        begin = len(_MAGIC) + len(_FORMAT)
        if self._map[: len(_MAGIC)] != _MAGIC[: len(self._map)]:
            raise ValueError("not a file of samples")
        if len(self._map) >= begin and self._map[len(_MAGIC) : begin] != _FORMAT:
            number = self._map[len(_MAGIC) : begin].decode("ascii", "replace").strip()
            raise ValueError(f"samples of format {number!r}, and this program reads '1'")
        size = self._number(begin, 4)
        end = begin + 12 + size
        if size > _MOST_TEXT:
            raise ValueError(f"the header is damaged: its text would have {size} bytes")
        if len(self._map) < end:
            raise ValueError("the file ends within its header")
        text = self._map[begin + 12 : end]
        if xxh3(text) != self._number(begin + 4, 8):
            raise ValueError("the header is damaged: its checksum is wrong")
        lines = text.decode("utf-8", "replace").splitlines()
        return {name: value for name, _, value in (line.partition(": ") for line in lines)}, end

    def _number(self, at: int, size: int) -> int:
        return int.from_bytes(self._map[at : at + size], "little")

    def _index(self, at: int, verify: bool) -> None:
        """Finds the games, and what is damaged between them."""
        damaged: Optional[tuple[int, str]] = None
        while at < len(self._map):
            end, wrong = self._block(at, verify)
            if wrong is None:
                if damaged is not None:
                    self.damages.append(Damage(damaged[0], at - damaged[0], damaged[1]))
                    damaged = None
                self._begins.append(at + _BLOCK_HEAD)
                self._before.append(self._before[-1] + (end - at - _BLOCK_HEAD) // _SIZE)
                at = end
                continue
            damaged = damaged or (at, wrong)
            at = self._map.find(_MARK, end)
            if at < 0:
                at = len(self._map)
        if damaged is not None:
            self.damages.append(Damage(damaged[0], at - damaged[0], damaged[1]))

    def _block(self, at: int, verify: bool) -> tuple[int, Optional[str]]:
        """Where the block ends, or where to look on and what is wrong with it."""
        left = len(self._map) - at
        if left < _BLOCK_HEAD:
            return len(self._map), f"cut off after {left} bytes"
        if self._map[at : at + len(_MARK)] != _MARK:
            return at + 1, "no game begins here"
        size = self._number(at + 16, 4)
        if size > _MOST_SAMPLES * _SIZE or size % _SIZE:
            return at + 1, f"{size} bytes are no length of a game"
        end = at + _BLOCK_HEAD + size
        if end > len(self._map):
            return at + 1, f"cut off after {left} of the {end - at} bytes of a game"
        if verify and xxh3(self._map[at + 12 : end]) != self._number(at + 4, 8):
            return at + 1, "the checksum is wrong"
        return end, None

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self._begins)

    def game(self, index: int) -> range:
        """The numbers of the samples of a game, the games counted from 0 in the file's
        order."""
        return range(self._before[index], self._before[index + 1])

    def __len__(self) -> int:
        return self._before[-1]

    def __iter__(self) -> Iterator[Sample]:
        for index, begin in enumerate(self._begins):
            for i in range(len(self.game(index))):
                yield decode(self._map[begin + i * _SIZE : begin + (i + 1) * _SIZE])

    def arrays(self, games: Optional[slice] = None) -> Any:
        """The samples as a :class:`gyre.samplearrays.Arrays`, or those of some games.
        ImportError where there is no NumPy."""
        from .samplearrays import Arrays

        chosen = range(self.games)[games or slice(None)]
        records = (self._map[self._begins[i] : self._begins[i] + len(self.game(i)) * _SIZE] for i in chosen)
        return Arrays.decode(b"".join(records))

    def close(self) -> None:
        """Lets go of the file."""
        if isinstance(self._map, mmap.mmap):
            self._map.close()

    def __enter__(self) -> Samples:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def decode(record: bytes) -> Sample:
    """Reads the sample of 34 bytes. ValueError if it is none."""
    if len(record) != _SIZE:
        raise ValueError(f"{len(record)} bytes instead of {_SIZE}")
    pieces = bytearray()
    for begin, size, points in _WORDS:
        word = int.from_bytes(record[begin : begin + size], "little")
        for _ in range(points):
            word, piece = divmod(word, 5)
            pieces.append(piece)
        if word:
            raise ValueError(f"the points from {len(pieces) - points} on are no number of {points} digits")
    assert len(pieces) == POINT_COUNT
    state = record[26]
    removed = state >> 2 & 3, state >> 4 & 3
    position = Position.of(bytes(pieces), Side(state & 1), removed, RULES[state >> 1 & 1])
    score = int.from_bytes(record[28:30], "little", signed=True)
    return Sample(position, score, (state >> 6) - 1, record[27], int.from_bytes(record[30:], "little"))
