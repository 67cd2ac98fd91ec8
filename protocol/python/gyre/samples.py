"""Sample files of ``gyre-train generate``: positions of self-play games, each with the score
of a search and the result of the game.

The Go package cmd/internal/sample defines the format. Files are memory-mapped.
"""

from __future__ import annotations

import mmap
import os
import struct
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Iterator, Optional, Type, Union

from .board import POINT_COUNT, Side
from .position import RULES, Position


_MAGIC, _FORMAT, _MARK = b"gyre samples ", b"1\n", b"\xf6GmB"
_SIZE, _BLOCK_HEAD, _MOST_SAMPLES, _MOST_TEXT = 34, 20, 256, 1 << 16
_WORDS = ((0, 8, 27), (8, 8, 27), (16, 8, 27), (24, 2, 4))  # begin, bytes, points

#: The largest score; proven positions have it.
MOST_SCORE = 20000


@dataclass(frozen=True, slots=True)
class Sample:
    """A position with its score and its game."""

    position: Position
    score: int  #: of the search, in centipawns, for the side to move
    result: int  #: of the game for the side to move: -1 lost, 0 drawn, 1 won
    ply: int  #: number of turns before the position
    game: int  #: number of the game in the file


@dataclass(frozen=True, slots=True)
class Damage:
    """A damaged part of a file. The reader skips it."""

    offset: int  #: of the first byte
    length: int
    reason: str


class Samples:
    """The samples of a file in order: a sequence of :class:`Sample`, or arrays.

    Raises ValueError if the file does not hold samples. Damaged parts are skipped and
    listed in ``damages``. ``verify=False`` skips the checksums of games, which is faster.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], verify: bool = True) -> None:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            self._map: Union[mmap.mmap, bytes] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        self.damages: list[Damage] = []
        self._starts: list[int] = []  # offsets of each game's samples in the file
        self._offsets: list[int] = [0]  # number of samples before each game, and in all
        try:
            self.about, at = self._header()  #: how the file was made, by name
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
        """Finds the games and the damage between them."""
        damaged: Optional[tuple[int, str]] = None
        while at < len(self._map):
            end, wrong = self._block(at, verify)
            if wrong is None:
                if damaged is not None:
                    self.damages.append(Damage(damaged[0], at - damaged[0], damaged[1]))
                    damaged = None
                self._starts.append(at + _BLOCK_HEAD)
                self._offsets.append(self._offsets[-1] + (end - at - _BLOCK_HEAD) // _SIZE)
                at = end
                continue
            damaged = damaged or (at, wrong)
            at = self._map.find(_MARK, end)
            if at < 0:
                at = len(self._map)
        if damaged is not None:
            self.damages.append(Damage(damaged[0], at - damaged[0], damaged[1]))

    def _block(self, at: int, verify: bool) -> tuple[int, Optional[str]]:
        """Returns the end of the block, or where to continue and what is wrong."""
        left = len(self._map) - at
        if left < _BLOCK_HEAD:
            return len(self._map), f"incomplete after {left} bytes"
        if self._map[at : at + len(_MARK)] != _MARK:
            return at + 1, "not the beginning of a game"
        size = self._number(at + 16, 4)
        if size > _MOST_SAMPLES * _SIZE or size % _SIZE:
            return at + 1, f"invalid length of {size} bytes"
        end = at + _BLOCK_HEAD + size
        if end > len(self._map):
            return at + 1, f"incomplete after {left} of the {end - at} bytes of a game"
        if verify and xxh3(self._map[at + 12 : end]) != self._number(at + 4, 8):
            return at + 1, "the checksum is wrong"
        return end, None

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self._starts)

    def game(self, index: int) -> range:
        """Returns the indexes of the samples of a game. Games count from 0 in file order."""
        return range(self._offsets[index], self._offsets[index + 1])

    def __len__(self) -> int:
        return self._offsets[-1]

    def __iter__(self) -> Iterator[Sample]:
        for index, begin in enumerate(self._starts):
            for i in range(len(self.game(index))):
                yield decode(self._map[begin + i * _SIZE : begin + (i + 1) * _SIZE])

    def arrays(self, games: Optional[slice] = None) -> Any:
        """Returns the samples, or those of some games, as :class:`gyre.samplearrays.Arrays`.
        Raises ImportError without NumPy."""
        from .samplearrays import Arrays

        chosen = range(self.games)[games or slice(None)]
        records = (self._map[self._starts[i] : self._starts[i] + len(self.game(i)) * _SIZE] for i in chosen)
        return Arrays.decode(b"".join(records))

    def close(self) -> None:
        """Closes the file."""
        if isinstance(self._map, mmap.mmap):
            self._map.close()

    def __enter__(self) -> Samples:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def decode(record: bytes) -> Sample:
    """Decodes a sample of 34 bytes. Raises ValueError if it is malformed."""
    if len(record) != _SIZE:
        raise ValueError(f"{len(record)} bytes instead of {_SIZE}")
    pieces = bytearray()
    for begin, size, points in _WORDS:
        word = int.from_bytes(record[begin : begin + size], "little")
        for _ in range(points):
            word, piece = divmod(word, 5)
            pieces.append(piece)
        if word:
            raise ValueError(f"the points from {len(pieces) - points} on do not encode a number of {points} digits")
    assert len(pieces) == POINT_COUNT
    state = record[26]
    removed = state >> 2 & 3, state >> 4 & 3
    position = Position.of(bytes(pieces), Side(state & 1), removed, RULES[state >> 1 & 1])
    score = int.from_bytes(record[28:30], "little", signed=True)
    return Sample(position, score, (state >> 6) - 1, record[27], int.from_bytes(record[30:], "little"))


_MASK = (1 << 64) - 1
_PRIME32 = (2654435761, 2246822519, 3266489917)
_PRIME64 = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261)

_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
_LANES = struct.Struct("<8Q")
_STRIPE, _BLOCK = 64, 1024

#: The parts of the secret for each stripe of a block, the end of a block, and the last
#: stripe.
_KEYS = [_LANES.unpack_from(_SECRET, 8 * stripe) for stripe in range(_BLOCK // _STRIPE)]
_SCRAMBLE = _LANES.unpack_from(_SECRET, len(_SECRET) - _STRIPE)
_LAST = _LANES.unpack_from(_SECRET, len(_SECRET) - _STRIPE - 7)


def _word(text: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(text[at : at + size], "little")


def _fold(a: int, b: int) -> int:
    product = a * b
    return (product & _MASK) ^ (product >> 64)


def _avalanche(h: int) -> int:
    h ^= h >> 37
    h = h * 0x165667919E3779F9 & _MASK
    return h ^ h >> 32


def _avalanche_small(h: int) -> int:
    h ^= h >> 33
    h = h * _PRIME64[1] & _MASK
    h ^= h >> 29
    h = h * _PRIME64[2] & _MASK
    return h ^ h >> 32


def _mix(text: bytes, at: int, secret: int) -> int:
    """Mixes sixteen bytes with the secret at an offset."""
    return _fold(_word(text, at) ^ _word(_SECRET, secret), _word(text, at + 8) ^ _word(_SECRET, secret + 8))


def xxh3(text: bytes) -> int:
    """Returns the XXH3 checksum (64 bits) of ``text``."""
    length = len(text)
    if length <= 16:
        return _tiny(text, length)
    if length > 240:
        return _long(text, length)
    total = length * _PRIME64[0]
    if length <= 128:
        for i in reversed(range((length - 1) // 32 + 1)):
            total += _mix(text, 16 * i, 32 * i) + _mix(text, length - 16 * (i + 1), 32 * i + 16)
        return _avalanche(total & _MASK)
    for i in range(8):
        total += _mix(text, 16 * i, 16 * i)
    total = _avalanche(total & _MASK)
    for i in range(8, length // 16):
        total += _mix(text, 16 * i, 16 * (i - 8) + 3)
    return _avalanche(total + _mix(text, length - 16, 136 - 17) & _MASK)


def _tiny(text: bytes, length: int) -> int:
    if length > 8:
        low = _word(text, 0) ^ _word(_SECRET, 24) ^ _word(_SECRET, 32)
        high = _word(text, length - 8) ^ _word(_SECRET, 40) ^ _word(_SECRET, 48)
        swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
        return _avalanche(length + swapped + high + _fold(low, high) & _MASK)
    if length > 3:
        h = _word(text, length - 4, 4) + (_word(text, 0, 4) << 32) ^ _word(_SECRET, 8) ^ _word(_SECRET, 16)
        h ^= (h << 49 | h >> 15) & _MASK ^ (h << 24 | h >> 40) & _MASK
        h = h * 0x9FB21C651E98DF25 & _MASK
        h = (h ^ (h >> 35) + length) * 0x9FB21C651E98DF25 & _MASK
        return h ^ h >> 28
    if length == 0:
        return _avalanche_small(_word(_SECRET, 56) ^ _word(_SECRET, 64))
    mixed = text[0] << 16 | text[length >> 1] << 24 | text[-1] | length << 8
    return _avalanche_small(mixed ^ _word(_SECRET, 0, 4) ^ _word(_SECRET, 4, 4))


def _long(text: bytes, length: int) -> int:
    p32, p64 = _PRIME32, _PRIME64
    lanes = [p32[2], p64[0], p64[1], p64[2], p64[3], p32[1], p64[4], p32[0]]
    stripes = (length - 1) // _STRIPE
    for stripe in range(stripes):
        _accumulate(lanes, _LANES.unpack_from(text, stripe * _STRIPE), _KEYS[stripe % len(_KEYS)])
        if (stripe + 1) % len(_KEYS) == 0:
            for i, key in enumerate(_SCRAMBLE):
                lane = lanes[i] & _MASK
                lanes[i] = (lane ^ lane >> 47 ^ key) * p32[0]
    _accumulate(lanes, _LANES.unpack_from(text, length - _STRIPE), _LAST)
    total = length * p64[0]
    for i in range(0, 8, 2):
        low, high = lanes[i] & _MASK, lanes[i + 1] & _MASK
        total += _fold(low ^ _word(_SECRET, 11 + 8 * i), high ^ _word(_SECRET, 19 + 8 * i))
    return _avalanche(total & _MASK)


def _accumulate(lanes: list[int], values: tuple[int, ...], keys: tuple[int, ...]) -> None:
    """Adds a stripe to the lanes, without cutting them to 64 bits."""
    for i, value in enumerate(values):
        keyed = value ^ keys[i]
        lanes[i ^ 1] += value
        lanes[i] += (keyed & 0xFFFFFFFF) * (keyed >> 32)
