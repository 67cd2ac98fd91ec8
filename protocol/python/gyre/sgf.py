"""The files of boardspace.net: the Smart Game Format with the players' mouse actions as nodes.

A turn consists of several nodes, such as placing a marker and dropping a ring, removing a row,
and removing a ring. The rules determine where a turn ends, so the reader ignores "Done". It
ignores preparations, such as picking up a piece, and all properties that it does not know.
Comments, arrows and clocks are standard properties. GYRESTART, GYREGAME and GYRE hold what the
format does not: the position at the start, tags, and :attr:`gyre.game.Node.data`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Callable, Generic, Iterable, Iterator, Optional, TypeVar, Union

from .board import POINTS, RINGS, Move, Part, Pass, Place, Removal, Side, Turn, can_move, has_row, point
from .conversation import Result
from .position import Position
from .tree import GameError, Node, Tree, score_word, visible


G = TypeVar("G", bound=Tree)


def read(text: str, new: Callable[[Position], G]) -> list[G]:
    """Reads all games of a file, with their variations. ``new`` makes a game that starts at a
    position, such as :class:`gyre.Game`. What is not SGF is skipped, and a line of play
    ends before an illegal turn; each game's ``warnings`` say so. Raises GameError, also if the first
    turn of a game is illegal."""
    skipped: list[str] = []
    games: list[G] = []
    depth = 0
    begun: list[_Token] = []
    for token in _tokens(text, skipped):
        begun.append(token)
        depth += {"(": 1, ")": -1}.get(token.kind, 0)
        if depth > _MOST_OPEN:
            raise GameError(f"more than {_MOST_OPEN} parentheses are open", token.line)
        if depth == 0:
            games.append(_Reader(begun[1:], new, skipped).game)
            begun = []
    if not games:
        raise GameError("the file contains no game", 1)
    for game in games:
        game.warnings += skipped
    return games


_MOST_OPEN = 1000


@dataclass(slots=True)
class _Token:
    """A parenthesis, a semicolon, or a property with its values."""

    kind: str  # one of "();", or the name of a property
    line: int
    values: list[str]


_LEXEME = re.compile(r"(?P<space>[\s\0\x1a]+)|(?P<mark>[();])|(?P<name>[A-Za-z0-9]+)|\[(?P<value>(?:[^\]\\]|\\.)*)\]|(?P<other>[^\s();\[A-Za-z0-9]+)", re.S)
_START = re.compile(r"\(\s*;")


def _tokens(text: str, skipped: list[str]) -> Iterator[_Token]:
    """Yields the tokens of all trees. It skips text outside of a tree and what cannot stand in
    one, and adds a missing parenthesis at the end; skipped gets a line for each."""
    held: Optional[_Token] = None
    at, line, depth = 0, 1, 0
    while at < len(text):
        if depth == 0:
            start = _START.search(text, at)
            end = start.start() if start else len(text)
            outside = text[at:end].strip(" \t\r\n\f\v\0\x1a")
            if outside:
                skipped.append(f"line {line + text[at : text.index(outside, at)].count(chr(10))}: skipped {outside[:40]!r}, which is outside of a game")
            line += text.count("\n", at, end)
            at = end
            if not start:
                break
        lexeme = _LEXEME.match(text, at)
        if lexeme is None:
            skipped.append(f"line {line}: this bracket is not closed; skipped the rest of the file")
            held = None
            break
        if lexeme["value"] is not None:
            if held is None:
                skipped.append(f"line {line}: skipped {lexeme[0][:40]!r}, a value without a property")
            else:
                held.values.append(re.sub(r"\\(\r\n|.)", lambda found: "" if found[1] in ("\n", "\r\n") else found[1], lexeme["value"], flags=re.S))
        elif lexeme["other"]:
            skipped.append(f"line {line}: skipped {lexeme[0][:40]!r}")
        elif not lexeme["space"]:
            if held is not None:
                yield from _whole(held, skipped)
            held = _Token(_property(lexeme["name"]), line, []) if lexeme["name"] else None
            if lexeme["mark"]:
                depth += {"(": 1, ")": -1}.get(lexeme["mark"], 0)
                yield _Token(lexeme["mark"], line, [])
        line += lexeme[0].count("\n")
        at = lexeme.end()
    if held is not None:
        yield from _whole(held, skipped)
    if depth > 0:
        skipped.append(f"line {line}: the file ends inside a game")
        yield from (_Token(")", line, []) for _ in range(depth))


def _property(name: str) -> str:
    """Returns the name of a property in capitals. Old files add lower-case letters to it, as in
    BlackRank, and some programs write lower-case names."""
    return re.sub("[a-z]", "", name) if re.search("[A-Z]", name) else name.upper()


def _whole(token: _Token, skipped: list[str]) -> Iterator[_Token]:
    if token.values:
        yield token
    else:
        skipped.append(f"line {token.line}: skipped {token.kind[:40]}, which has no value")


@dataclass(slots=True)
class _Place:
    """Where the reader is in a variation: after the last complete turn, with the parts of the
    next one."""

    node: Node
    pieces: bytes
    removed: int  # rings that the side to move has removed
    parts: tuple[Part, ...] = ()
    row: Optional[tuple[int, int]] = None  # removed, and the ring is not removed yet
    ring: bool = False  # the player holds a ring from the tray
    lifted: Optional[int] = None  # the ring that the player holds
    white: Optional[int] = None  # the number of the player who is White; None before the first action
    notes: tuple[_Token, ...] = ()  # on nodes of the turn that is not complete yet
    ended: bool = False  # by an illegal turn

    @property
    def side(self) -> Side:
        return self.node.position.side

    def of(self, player: int) -> Side:
        """The side of a player."""
        return Side(player != (self.white or 0))

    def begun(self) -> bool:
        """Whether the player has begun a turn."""
        return bool(self.parts or self.row or self.ring) or self.lifted is not None

    def moved(self) -> bool:
        return any(not isinstance(part, Removal) for part in self.parts)


class _Reader(Generic[G]):
    """Replays the actions of a game."""

    def __init__(self, tokens: list[_Token], new: Callable[[Position], G], skipped: list[str]) -> None:
        self.illegal: list[GameError] = []
        line: dict[str, _Token] = {}
        for token in tokens:
            if token.kind == ")":
                break
            line[token.kind] = line.get(token.kind, token)
        rules = {"yinsh": "standard", "yinsh-blitz": "blitz"}.get(line["SU"].values[0].lower() if "SU" in line else "")
        if rules is None:
            known = f"this is a game of {line['SU'].values[0][:40]!r}, not of YINSH" if "SU" in line else "the property SU, which names the game, is missing"
            raise GameError(known, line.get("SU", next((token for token in tokens if token.values), tokens[0])).line)
        try:
            start = Position(line["GYRESTART"].values[0] if "GYRESTART" in line else Position().fen, rules)
        except ValueError as wrong:
            raise GameError(f"GYRESTART: {wrong}", line["GYRESTART"].line) from None
        self.game = new(start)
        self.place = _begin(self.game, None)
        self.resigned: Optional[Result] = None
        self.why = ""
        self.notes: list[_Token] = []  # of the current node of the file
        self.acted, self.first = False, True
        main = self._replay(tokens)
        if self.illegal and not self.game.variations:
            raise self.illegal[0]
        skipped += [f"{wrong}; skipped this turn and the turns after it" for wrong in self.illegal]
        self._finish(line, main)

    def _replay(self, tokens: list[_Token]) -> _Place:
        """Replays all variations. Returns the end of the main line."""
        above: list[_Place] = []
        main: Optional[_Place] = None
        players: dict[str, str] = {}
        for token in tokens:
            if token.kind == ";":
                self._annotate()
            elif token.kind == "(":
                self._annotate()
                above.append(self.place)
            elif token.kind == ")":
                self._annotate()
                _add_notes(self.place.node, self.place.notes)  # of a turn that is not complete
                if main is None:
                    main = self.place
                if above:
                    self.place = above.pop()
            elif token.kind in ("P0", "P1"):
                for value in token.values:
                    if not self.place.ended:
                        self._action(int(token.kind[1]), value, token.line, main is None)
                    if value.startswith("id "):
                        players.setdefault(token.kind, value[3:].strip().strip('"'))
            elif not self.place.ended:
                self.notes.append(token)
        assert main is not None
        for player in (0, 1):
            if players.get(f"P{player}"):
                self.game.tags["White" if main.of(player) == 0 else "Black"] = " ".join(visible(players[f"P{player}"]).split())
        return main

    def _annotate(self) -> None:
        """Adds the notes of a node of the file to the turn that the node belongs to: the one that
        the player has begun, otherwise the last complete one."""
        if self.place.begun():
            self.place = replace(self.place, notes=(*self.place.notes, *self.notes))
        else:
            _add_notes(self.place.node, self.notes)
        self.notes = []

    def _action(self, player: int, text: str, line: int, main: bool) -> None:
        words = text.split()
        if len(words) < 2 or not re.fullmatch("[0-9]+", words[0], re.A):
            return
        verb, words = words[1].lower(), words[2:]
        if verb == "start":
            return
        if main and verb in ("resign", "acceptdraw"):
            self.resigned = Result.DRAW if verb == "acceptdraw" else (Result.BLACK_WINS if self.place.of(player) == 0 else Result.WHITE_WINS)
            self.why = "agreement" if verb == "acceptdraw" else "resignation"
            return
        thing = words.pop(0).lower() if len(words) % 2 else ""
        try:
            points = [point(words[i] + words[i + 1]) for i in range(0, len(words), 2)]
            part = self._part(verb, thing, points)
            if part is not None:
                self._play(player, part)
        except ValueError as wrong:
            self.illegal.append(GameError(f"{verb}: {wrong}", line, turn=len(self.place.node.turns()) + 1 + self.game.position.side))
            self.place = replace(self.place, ended=True)
            self.notes = []

    def _part(self, verb: str, thing: str, points: list[int]) -> "Union[Part, tuple[int, int], None]":
        """Returns what an action does: a part of a turn, the ends of a removed row, or None."""
        place = self.place
        ring, lifted = place.ring, place.lifted
        shape = (verb, len(points))
        rings, markers = thing in ("wr", "br"), thing in ("w", "b")
        if shape in (("place", 1), ("pick", 0), ("pick", 1), ("drop", 0), ("drop", 1), ("move", 2)):
            self.place = place = replace(place, ring=False, lifted=None)
        if shape == ("place", 1) and rings:
            return Place(points[0])
        if shape == ("place", 1) and markers or shape == ("pick", 1) and thing == "board":
            self.place = replace(place, lifted=points[0])
        elif shape == ("pick", 0) and rings:
            self.place = replace(place, ring=True)
        elif shape == ("drop", 1) and thing == "board" and ring:
            return Place(points[0])
        elif shape == ("drop", 1) and thing == "board" and lifted is not None:
            return Move(lifted, points[0]) if lifted != points[0] else None
        elif shape == ("move", 2):
            return Move(points[0], points[1])
        elif shape == ("remove", 2) and markers:
            return (points[0], points[1])
        elif shape == ("remove", 1) and rings:
            if place.row is None:
                raise ValueError("no row was removed before this ring")
            low, high = sorted(place.row)
            return Removal(low, high, points[0])
        elif verb == "pass":
            return Pass()
        return None

    def _play(self, player: int, part: "Union[Part, tuple[int, int]]") -> None:
        """Plays a part of a turn, and the turn if it is complete."""
        if self.place.white is None:
            # The first player to act has the side to move, whatever the player's number.
            self.place.white = player if self.place.side == 0 else 1 - player
        if self.place.of(player) != self.place.side and self._stuck():
            self._turn((*self.place.parts, Pass()))  # files do not record passes
        if self.place.of(player) != self.place.side:
            raise ValueError("it is the other player's turn")
        place = self.place
        side = place.side
        if not isinstance(part, (Place, Move, Removal, Pass)):
            Removal(*part, part[0])
            self.place = replace(place, row=part)
            return
        position = Position.of(place.pieces, side, rules=place.node.position.rules)
        pieces = position.after(Turn.of([part])).pieces
        removed = place.removed + isinstance(part, Removal)
        self.place = place = replace(place, pieces=pieces, removed=removed, parts=(*place.parts, part), row=None)
        if removed >= position.winning_rings or place.moved() and not has_row(pieces, side):
            self._turn(place.parts)

    def _stuck(self) -> bool:
        """Whether the side to move must pass: its rings are placed, and none of them can move."""
        place = self.place
        rings = [at for at, piece in enumerate(place.pieces) if piece == place.side.ring]
        return len(rings) + place.removed == RINGS and not any(can_move(place.pieces, at) for at in rings)

    def _turn(self, parts: tuple[Part, ...]) -> None:
        place = self.place
        self.place = _begin(place.node.add(Turn.of(parts)), place.white)
        _add_notes(self.place.node, place.notes)

    def _finish(self, line: dict[str, _Token], main: _Place) -> None:
        """Sets the tags and the result."""
        game = self.game
        if "GN" in line:
            game.tags["Event"] = " ".join(visible(line["GN"].values[0]).split())
        if "DT" in line:
            day = _date(line["DT"].values[0])
            if day:
                game.tags["Date"] = day
        own = _private(line["GYREGAME"].values[0]) if "GYREGAME" in line else {}
        pairs = own.get("tags", [])
        tags = {str(pair[0]): str(pair[1]) for pair in pairs if isinstance(pair, list) and len(pair) == 2} if isinstance(pairs, list) else {}
        game.tags |= tags
        game.close()
        if game.score is None and not main.ended:
            self._result(line["RE"].values[0] if "RE" in line else "", main, game.end().data.pop("end", None))
            score = re.fullmatch("([0-9])-([0-9])", str(own.get("result", "")))
            if score:
                game.score = (int(score[1]), int(score[2]))
        game.tags |= tags

    def _result(self, text: str, main: _Place, end: "Any") -> None:
        """Sets the result that the board does not show."""
        plain = re.fullmatch(r"(?:([WB])\+(.*)|0|Draw)", text)
        if isinstance(end, dict):
            won = {"w": Result.WHITE_WINS, "b": Result.BLACK_WINS}.get(end.get("winner", ""), Result.DRAW)
            self.game.award(won, str(end.get("why", "")))
        elif self.resigned is not None:
            self.game.award(self.resigned, self.why)
        elif plain is not None:
            why = {"R": "resignation", "T": "time forfeit", "F": "forfeit"}.get((plain[2] or " ")[:1], "adjudication")
            self.game.award({"W": Result.WHITE_WINS, "B": Result.BLACK_WINS}.get(plain[1] or "", Result.DRAW), why)
        else:
            named = [side for side in ("White", "Black") if self.game.tags.get(side) and re.search(rf"(?<!\w){re.escape(self.game.tags[side])}(?!\w)", text)]
            if len(named) == 1:
                self.game.award(Result.WHITE_WINS if named == ["White"] else Result.BLACK_WINS, "adjudication")


def _begin(node: Node, white: Optional[int]) -> _Place:
    position = node.position
    return _Place(node, position.pieces, position.removed[position.side], white=white)


def _add_notes(node: Node, notes: Iterable[_Token]) -> None:
    """Adds comments, drawings, clocks and private properties to a node."""
    clock: dict[str, float] = {}
    for token in notes:
        value = token.values[0]
        if token.kind == "C":
            node.comment = f"{node.comment}\n{value}" if node.comment else value
        elif token.kind in ("AR", "CR"):
            for pair in token.values:
                tail, _, head = pair.partition(":")
                try:
                    node.arrows.append((POINTS[point(tail.strip())], POINTS[point((head or tail).strip())]))
                except ValueError:
                    continue  # what other programs write
        elif token.kind in ("WL", "BL") and re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", value.strip()):
            clock[token.kind] = float(value)
        elif token.kind == "GYRE":
            node.data |= _private(value)
    if len(clock) == 2:
        node.clock = (clock["WL"], clock["BL"])
    for name in ("turn", "comment", "clock", "arrows", "others"):
        node.data.pop(name, None)


def _private(text: str) -> dict[str, Any]:
    """Reads a private property. One that is not gyre's JSON is ignored."""
    try:
        fields = json.loads(text)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


#: Whatever the locale of the program is.
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _date(text: str) -> Optional[str]:
    """Converts "Fri Mar 13 19:56:26 GMT+01:00 2026", "2026-03-13", also followed by a time or by
    further dates, "2026-03" or "2026" to a record's date."""
    words = text.split()
    if len(words) >= 4 and words[1].lower() in _MONTHS:
        first = f"{words[-1]}-{_MONTHS.index(words[1].lower()) + 1}-{words[2]}"
    else:
        first = re.split("[, T]", text.strip())[0]
    found = re.fullmatch("([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?", first)
    if found is None:
        return None
    year, month, day = found.groups()
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    return f"{year}.{month.zfill(2) if month else '??'}.{day.zfill(2) if day else '??'}"


def _standard_date(written: str) -> str:
    """Converts a record's date to one of the format."""
    return written.replace(".??", "").replace(".", "-")


def write(game: Tree) -> str:
    """Returns a game with all variations as a file."""
    writer = _Writer()
    writer.head(game)
    writer.notes(game)
    writer.node("P0", "Start White")
    writer.ways(game)
    return "".join(writer.text) + ")\n"


class _Writer:
    """Builds a file."""

    def __init__(self) -> None:
        self.text = ["(;\nFF[4]GM[24]VV[2]CA[UTF-8]AP[Gyre]\n"]
        self.count = 0  # actions so far

    def property(self, name: str, value: str) -> None:
        if value:
            escaped = value.replace("\\", "\\\\").replace("]", "\\]")
            self.text.append(f"{name}[{escaped}]")

    def node(self, player: str, action: str) -> None:
        self.text.append(f"\n; {player}[{self.count} {action}]")
        self.count += 1

    def head(self, game: Tree) -> None:
        """Writes the properties of the game."""
        self.property("SU", "Yinsh-Blitz" if game.position.rules == "blitz" else "Yinsh")
        if game.position != Position(rules=game.position.rules):
            self.property("GYRESTART", game.position.fen)
        own: dict[str, Any] = {}
        first = ("White", "Black", "Date", "Event")
        for name, value in sorted(game.tags.items(), key=lambda tag: first.index(tag[0]) if tag[0] in first else len(first)):
            if name in ("White", "Black") and value and value == " ".join(value.split()).strip('"'):
                self.property("P0" if name == "White" else "P1", f'id "{value}"')
                self.property("PW" if name == "White" else "PB", value)
            elif name == "Event" and value and value == " ".join(value.split()):
                self.property("GN", value)
            elif name == "Date" and _date(_standard_date(value)) == value:
                self.property("DT", _standard_date(value))
            else:
                own.setdefault("tags", []).append([name, value])
        self.property("RE", self._result(game))
        if game.score is not None and game.score != game.end().position.removed:
            own["result"] = score_word(game.score)
        if own:
            self.property("GYREGAME", json.dumps(own, ensure_ascii=False))
        self.text.append("\n")

    def _result(self, game: Tree) -> str:
        if game.score is None:
            return ""
        margin = abs(game.score[0] - game.score[1])
        whys = {"resignation": "Resign", "time forfeit": "Time", "forfeit": "Forfeit"}
        how = str(margin) if game.score == game.end().position.removed else whys.get(game.tags.get("Termination", ""), "")
        return {Result.WHITE_WINS: f"W+{how}", Result.BLACK_WINS: f"B+{how}"}.get(game.result, "Draw")

    def notes(self, node: Node) -> None:
        """Writes what a node holds in addition to its turn."""
        self.property("C", node.comment)
        for name, circles in (("AR", False), ("CR", True)):
            shapes = [tail if circles else f"{tail}:{head}" for tail, head in node.arrows if (tail == head) == circles]
            if shapes:
                self.text.append(name + "".join(f"[{shape}]" for shape in shapes))
        if node.clock is not None:
            for name, left in zip(("WL", "BL"), node.clock):
                self.property(name, f"{left:.6f}".rstrip("0").rstrip("."))
        if node.data:
            self.property("GYRE", json.dumps(node.data, ensure_ascii=False))

    def ways(self, start: Node) -> None:
        """Writes everything after a node."""
        waiting: list[tuple[Optional[Node], int]] = [(start, self.count)]
        while waiting:
            node, count = waiting.pop()
            if node is None:
                self.text.append(")")
                continue
            self.count = count
            if node is not start:
                if node.parent is not None and len(node.parent.variations) > 1:
                    self.text.append("\n(")
                    waiting.append((None, 0))
                self.turn(node)
            waiting += [(child, self.count) for child in node.variations[::-1]]

    def turn(self, node: Node) -> None:
        """Writes the actions of a turn, then its notes."""
        assert node.parent is not None and node.turn is not None
        side = node.parent.position.side
        player, letter = f"P{int(side)}", "wb"[side]
        for part in node.turn.parts:
            match part:
                case Place(at):
                    self.node(player, f"place {letter}r {_spaced(at)}")
                case Move(origin, target):
                    self.node(player, f"move {_spaced(origin)} {_spaced(target)}")
                case Removal(first, last, ring):
                    self.node(player, f"remove {letter} {_spaced(first)} {_spaced(last)}")
                    self.node(player, "Done")
                    self.node(player, f"remove {letter}r {_spaced(ring)}")
                case Pass():
                    self.node(player, "Pass")
            self.node(player, "Done")
        self.notes(node)


def _spaced(at: int) -> str:
    return f"{POINTS[at][0].upper()} {POINTS[at][1:]}"
