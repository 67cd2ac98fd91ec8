"""XXH3, the 64-bit checksum of files of samples, by its specification
(https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md), without a seed."""

from __future__ import annotations

import struct

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

#: The part of the secret for each stripe of a block, for the end of a block, and for
#: the last stripe of all.
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
    """Sixteen bytes with the secret from there on."""
    return _fold(_word(text, at) ^ _word(_SECRET, secret), _word(text, at + 8) ^ _word(_SECRET, secret + 8))


def xxh3(text: bytes) -> int:
    """The checksum."""
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
    """Adds a stripe to the lanes, whose carries beyond 64 bits are left in."""
    for i, value in enumerate(values):
        keyed = value ^ keys[i]
        lanes[i ^ 1] += value
        lanes[i] += (keyed & 0xFFFFFFFF) * (keyed >> 32)
