"""Boards as SVG, in the look of gyre-board's page, and without dependencies.

A notebook shows a :class:`gyre.Position` with :func:`board` by itself. Save the text with the
ending ``.svg`` to use it elsewhere. Lengths are those of the page's drawing: neighboring points
are 100 apart.
"""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass
from html import escape
from itertools import count
from typing import Iterable, Iterator, Literal, Protocol, Union

from .board import COLUMNS, COORDINATES, POINTS, WHITE, Move, Place, Removal, Side, Turn, between, point

#: The colors of arrows, as on the page: the best turn, further lines, a threat, the user's own.
Color = Literal["green", "blue", "red", "yellow"]
_COLORS: dict[str, str] = {"green": "#35c27a", "blue": "#7fb2ff", "red": "#ff8a76", "yellow": "#ffb52e"}


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two points, or a circle if they are the same."""

    tail: str  #: a point, such as "f6"
    head: str
    color: Color = "green"
    label: str = ""  #: a short text, such as "1"
    row: bool = False  #: draws a stroke along a removed row instead of an arrow

    def __post_init__(self) -> None:
        point(self.tail), point(self.head)
        if self.color not in _COLORS:
            raise ValueError(f"color {self.color!r}: use {', '.join(_COLORS)}")


def arrows_of(turn: str, color: Color = "green", label: str = "") -> list[Arrow]:
    """Returns the arrows that show a turn: one for its move, a circle for a placed ring, a
    stroke along each removed row and a circle around its ring."""
    arrows = []
    for part in Turn(turn).parts:
        match part:
            case Place(at):
                arrows.append(Arrow(POINTS[at], POINTS[at], color, label))
            case Move(origin, target):
                arrows.append(Arrow(POINTS[origin], POINTS[target], color, label))
            case Removal(first, last, ring):
                arrows.append(Arrow(POINTS[first], POINTS[last], color, row=True))
                arrows.append(Arrow(POINTS[ring], POINTS[ring], color))
    return arrows


class Shown(Protocol):
    """A position, as far as a picture shows it: :class:`gyre.Position`."""

    @property
    def fen(self) -> str:
        """Its text, for the title."""

    @property
    def rules(self) -> str:
        """"standard" or "blitz"."""

    @property
    def removed(self) -> tuple[int, int]:
        """Rings removed by white and by black."""

    def points(self, piece: int) -> list[str]:
        """Returns the names of the points with this content."""


class Picture(str):
    """The text of a picture, which notebooks show as the picture."""

    def _repr_svg_(self) -> str:
        return str(self)


#: A turn such as "e4-e6", a pair of points, or an arrow.
Drawn = Union[str, tuple[str, str], Arrow]


def board(
    position: Shown,
    *,
    arrows: Iterable[Drawn] = (),
    last: str = "",
    size: int = 480,
    coordinates: bool = True,
    turned: bool = False,
    name: str = "",
) -> Picture:
    """Returns a position as SVG text, which a notebook shows as a picture.

    ``arrows`` are drawn over the pieces. ``last`` is the turn that led to the position; it is
    marked as on the page. ``size`` is the width and height in pixels. ``turned`` puts White at
    the top. Raises ValueError for a point or turn that does not exist.

    The ids in the text are derived from what it shows, with a number if this program has drawn
    the same picture before, so that several pictures fit into one page. A ``name`` of letters,
    digits, hyphens and underscores replaces them: calls with the same name then return the
    same text.
    """
    if size < 1:
        raise ValueError(f"size {size}: must be 1 or more")
    if not re.fullmatch(r"[\w-]*", name, re.A):
        raise ValueError(f"name {name!r}: use letters, digits, hyphens and underscores")
    label = 14.5 * 2 * _EDGE / max(size, 200)
    turn = ' transform="rotate(180)"' if turned else ""
    drawing = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-_EDGE} {-_EDGE} {2 * _EDGE} {2 * _EDGE}" width="{size}" height="{size}" role="img">',
        f"<title>YINSH, {escape(position.rules)}: {escape(position.fen)}</title>",
        _definitions(turned),
        f'<rect x="{-_EDGE}" y="{-_EDGE}" width="{2 * _EDGE}" height="{2 * _EDGE}" rx="41" fill="url(#gyre-plate)"/>',
        f"<g{turn}>",
        *_plate(1 if position.rules == "blitz" else 3, label if coordinates else 0, turned),
    ]
    below, above = _last(last) if last else ([], [])
    drawing += [*below, *_pieces(position), *above]
    for drawn in arrows:
        if isinstance(drawn, str):
            shapes = arrows_of(drawn)
        else:
            shapes = [drawn] if isinstance(drawn, Arrow) else [Arrow(*drawn)]
        for shape in shapes:
            drawing += _arrow(shape, label, turned)
    text = "\n".join([*drawing, "</g>", "</svg>"]) + "\n"
    # In a page, ids belong to the whole page: a picture would otherwise take its gradients from
    # another, perhaps hidden one.
    own = name or _unused(hashlib.blake2s(text.encode(), digest_size=8).hexdigest())
    return Picture(re.sub(r'(url\(#|id="|href="#)gyre-', rf"\g<1>gyre-{own}-", text))


#: How often each picture was drawn, as far as remembered.
_drawn: dict[str, Iterator[int]] = {}


def _unused(digest: str) -> str:
    """Returns the digest of a picture, with a number if the picture was drawn before."""
    if len(_drawn) > 10_000:
        _drawn.clear()  # a page has fewer pictures
    before = next(_drawn.setdefault(digest, count()))
    return f"{digest}-{before}" if before else digest


# The drawing extends from -_EDGE to _EDGE in both directions.
_EDGE = 508
_RING, _MARKER = 37, 27
# Removed rings are drawn smaller, in trays that start at the corner of the plate.
_TRAY_CORNER, _TRAYS_APART, _TRAY_SCALE = 466, 76, 0.8
_PLACES = tuple(((column - 5) * math.sqrt(3) * 50, -(number - 5 - (column - 5) / 2) * 100) for column, number in COORDINATES)

#: Gradients from bright to dark along the light, which falls from the upper left.
_SLOPES = {
    "white-outer": ("#ffffff 0", "#f4f0e4 0.45", "#cfc8b6 0.8", "#a69e8b 1"),
    "white-inner": ("#b3ab98 0", "#d8d2c2 0.35", "#fbf9f2 0.75", "#ffffff 1"),
    "black-outer": ("#6a747e 0", "#333a42 0.3", "#15191d 0.7", "#050607 1"),
    "black-inner": ("#040506 0", "#14181c 0.4", "#3b434b 0.8", "#596570 1"),
    "white-rim": ("#ffffff 0", "#e6e0d0 0.5", "#9b937f 1"),
    "white-face": ("#f1ecdf 0", "#fffdf7 1"),
    "black-rim": ("#77828c 0", "#2a3036 0.5", "#000000 1"),
    "black-face": ("#15191d 0", "#2b3239 1"),
}
_SHADOWS = {"ring": ((0.5, 0.0), (0.62, 0.34), (0.84, 0.34), (1, 0.0)), "marker": ((0.6, 0.42), (0.85, 0.3), (1, 0.0))}


def _definitions(turned: bool) -> str:
    """The gradients, and one symbol for each kind of piece."""
    made = [
        '<linearGradient id="gyre-plate" gradientUnits="userSpaceOnUse" x1="-369" y1="-639" x2="369" y2="639">'
        '<stop offset="0" stop-color="#cfdee7"/><stop offset="0.55" stop-color="#b5cad6"/><stop offset="1" stop-color="#9fb8c7"/></linearGradient>'
    ]
    for name, colors in _SLOPES.items():
        stops = "".join(f'<stop offset="{at}" stop-color="{color}"/>' for color, at in map(str.split, colors))
        made.append(f'<linearGradient id="gyre-{name}" x1="0.15" y1="0.05" x2="0.85" y2="0.95">{stops}</linearGradient>')
    for name, steps in _SHADOWS.items():
        stops = "".join(f'<stop offset="{at}" stop-color="#0b0f14" stop-opacity="{opacity}"/>' for at, opacity in steps)
        made.append(f'<radialGradient id="gyre-{name}-shadow">{stops}</radialGradient>')
    # Pieces stay lit from the upper left on a turned board.
    upright = ' transform="rotate(180)"' if turned else ""
    for color, under, edge in (("white", "#2b2a25", "#2b2a25"), ("black", "#000000", "#000000")):
        sign = '<circle r="37" stroke="#8b8573" stroke-width="1.6"/>'
        mark = '<circle r="12.5" fill="none" stroke="#857f6d" stroke-width="2.5"/>'
        if color == "black":
            sign = '<circle r="37" stroke="#8895a1" stroke-width="7" stroke-dasharray="2 9.62"/>'
            mark = '<path d="M-15 5L5-15M-15 15L15-15M-5 15L15-5" stroke="#74828e" stroke-width="2.5" stroke-linecap="round"/>'
        made.append(
            f'<g id="gyre-{color}-ring"{upright} fill="none"><circle cx="5" cy="8" r="{_RING + 17}" fill="url(#gyre-ring-shadow)"/>'
            f'<circle r="{_RING}" stroke="{under}" stroke-width="19"/><circle r="{_RING + 3.5}" stroke="url(#gyre-{color}-outer)" stroke-width="8"/>'
            f'<circle r="{_RING - 3.5}" stroke="url(#gyre-{color}-inner)" stroke-width="8"/>{sign}</g>'
        )
        made.append(
            f'<g id="gyre-{color}-marker"{upright}><circle cx="3" cy="5" r="{_MARKER + 9}" fill="url(#gyre-marker-shadow)"/>'
            f'<circle r="{_MARKER}" fill="url(#gyre-{color}-rim)" stroke="{edge}" stroke-width="2"/>'
            f'<circle r="{_MARKER - 5}" fill="url(#gyre-{color}-face)"/>{mark}</g>'
        )
    return "<defs>" + "\n".join(made) + "</defs>"


def _place(name: str) -> tuple[float, float]:
    return _PLACES[point(name)]


def _plate(trays: int, label: float, turned: bool) -> Iterator[str]:
    """The field, the lines, the trays of removed rings and the coordinates (none if ``label``,
    the size of their text, is 0)."""
    corners = []
    for name in ("a2", "a5", "b7", "e10", "g11", "j11", "k10", "k7", "j5", "g2", "e1", "b1"):
        x, y = _place(name)
        longer = 1 + 30 / math.hypot(x, y)
        corners.append(f"{x * longer:.1f},{y * longer:.1f}")
    yield (
        f'<polygon points="{" ".join(corners)}" fill="#e3edf2" fill-opacity="0.5" stroke="#e3edf2" stroke-opacity="0.5"'
        ' stroke-width="14" stroke-linejoin="round"/>'
    )
    lines = "".join(_lines())
    lit = -1 if turned else 1
    yield f'<path d="{lines}" transform="translate({1.4 * lit} {1.6 * lit})" fill="none" stroke="#ffffff" stroke-opacity="0.55" stroke-width="2.4"/>'
    yield f'<path d="{lines}" fill="none" stroke="#1d2b35" stroke-width="2.6" stroke-linecap="round"/>'
    for side in Side:
        for index in range(trays):
            x, y = _tray(side, index)
            yield f'<circle cx="{x}" cy="{y}" r="{_TRAY_SCALE * _RING:.1f}" fill="#8fa9b8" fill-opacity="0.35" stroke="#8fa9b8" stroke-width="3"/>'
    if label:
        for text, x, y in _labels():
            yield _text(text, x, y, label, "#24333f", 500, turned)


def _text(text: str, x: float, y: float, size: float, color: str, weight: int, turned: bool) -> str:
    upright = f' transform="rotate(180 {x:.1f} {y:.1f})"' if turned else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}"{upright} fill="{color}" font-family="system-ui, sans-serif" font-size="{size:.1f}"'
        f' font-weight="{weight}" text-anchor="middle" dominant-baseline="central">{escape(text)}</text>'
    )


def _lines() -> Iterator[str]:
    """The lines of the board as commands of a path."""
    at = {coordinates: place for coordinates, place in zip(COORDINATES, _PLACES)}
    for right, up in ((0, 1), (1, 0), (1, 1)):
        for column, number in COORDINATES:
            if (column - right, number - up) in at:
                continue
            end = (column, number)
            while (end[0] + right, end[1] + up) in at:
                end = (end[0] + right, end[1] + up)
            (x, y), (to_x, to_y) = at[column, number], at[end]
            yield f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"


def _labels() -> Iterator[tuple[str, float, float]]:
    """The letters below the columns and the numbers at the upper left of each line, clear of
    rings at the edge."""
    away = 68.0
    for column, (letter, (low, _)) in enumerate(zip("abcdefghijk", COLUMNS)):
        x, y = _place(f"{letter}{low}")
        aside = (column > 5) - (column < 5)
        yield letter, x + aside * 0.81 * away, y + (0.59 if aside else 1) * away
    for number in range(1, 12):
        first = next(name for name in POINTS if name[1:] == str(number))
        x, y = _place(first)
        far = away if number < 10 else 1.12 * away
        yield str(number), x - far * math.sqrt(3) / 2, y - far / 2


def _tray(side: Side, index: int) -> tuple[int, int]:
    """Where a removed ring is drawn: White's at the lower left, Black's at the upper right."""
    x = _TRAY_CORNER - _TRAYS_APART * index
    return (-x, _TRAY_CORNER) if side is WHITE else (x, -_TRAY_CORNER)


def _pieces(position: Shown) -> Iterator[str]:
    """The pieces of the board, rings above markers, and the removed rings."""
    for kind in ("marker", "ring"):
        for side in Side:
            held = side.ring if kind == "ring" else side.marker
            for name in position.points(held):
                x, y = _place(name)
                yield f'<use href="#gyre-{side.name.lower()}-{kind}" x="{x:.2f}" y="{y:.2f}"/>'
    for side in Side:
        for index in range(position.removed[side]):
            x, y = _tray(side, index)
            yield f'<use href="#gyre-{side.name.lower()}-ring" transform="translate({x} {y}) scale({_TRAY_SCALE})"/>'


def _last(turn: str) -> tuple[list[str], list[str]]:
    """The marks of the last turn, below and above the pieces."""
    below, above = [], []
    spot = '<circle cx="{:.1f}" cy="{:.1f}" r="47" fill="#f0a020" fill-opacity="0.5" stroke="#6d4300" stroke-width="2"/>'
    for part in Turn(turn).parts:
        match part:
            case Place(at):
                below.append(spot.format(*_PLACES[at]))
            case Move(origin, target):
                between(origin, target)  # raises ValueError for points that are not on one line
                (x, y), (to_x, to_y) = _PLACES[origin], _PLACES[target]
                path = f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"
                below.append(f'<path d="{path}" stroke="#e08a00" stroke-opacity="0.4" stroke-width="30" stroke-linecap="round"/>')
                below.append(spot.format(to_x, to_y))
            case Removal(first, last, ring):
                (x, y), (to_x, to_y) = _PLACES[first], _PLACES[last]
                angle = math.degrees(math.atan2(to_y - y, to_x - x))
                above.append(
                    f'<rect x="-38" y="-38" width="{math.hypot(to_x - x, to_y - y) + 76:.1f}" height="76" rx="38" fill="none" stroke="#6d4300"'
                    f' stroke-width="4" stroke-dasharray="12 9" transform="translate({x:.1f} {y:.1f}) rotate({angle:.2f})"/>'
                )
                x, y = _PLACES[ring]
                above.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="37" fill="none" stroke="#6d4300" stroke-width="4" stroke-dasharray="9 8"/>')
    return below, above


def _arrow(arrow: Arrow, label: float, turned: bool) -> Iterator[str]:
    """The shapes of an arrow. A dark outline keeps it visible on every color."""
    color = _COLORS[arrow.color]
    (x, y), (to_x, to_y) = _place(arrow.tail), _place(arrow.head)
    length = math.hypot(to_x - x, to_y - y)
    under = 'fill="none" stroke="#10151a" stroke-width="11" stroke-linecap="round"'
    line = f'fill="none" stroke="{color}" stroke-width="6" stroke-linecap="round"'
    edge = ""
    if arrow.color == "red":  # a threat is dashed, so that color is not its only sign
        line, edge = line + ' stroke-dasharray="14 12"', ' stroke-dasharray="10 5"'
    if length == 0:
        for style in (under, line):
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="40" {style}/>'
    elif arrow.row:
        path = f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"
        for style in (under, line):
            yield f'<path d="{path}" {style} stroke-opacity="0.6"/>'
    else:
        right, down = (to_x - x) / length, (to_y - y) / length
        tip = length - 8
        neck = tip - 32
        outline = ((32, -4), (neck, -5), (neck - 5, -18), (tip, 0), (neck - 5, 18), (neck, 5), (32, 4))
        corners = (f"{x + right * along - down * across:.1f} {y + down * along + right * across:.1f}" for along, across in outline)
        yield f'<path d="M{"L".join(corners)}Z" fill="{color}" stroke="#10151a" stroke-width="2.5" stroke-linejoin="round"{edge}/>'
    if arrow.label:
        # On a short arrow the label would hide the head: it is drawn in the ring instead.
        along = 0 if length < 150 else 0.5
        x, y = x + (to_x - x) * along, y + (to_y - y) * along
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="19" fill="#10151a"/>'
        yield _text(arrow.label, x, y, min(label, 26), "#ffffff", 700, turned)
