"""Games with variations, read from and written as records and SGF files.

:func:`load_games` reads the games of a file in either format; :meth:`Game.save` writes one.
:mod:`gyre.sgf` has the format of boardspace.net. Records look like chess's PGN::

    [White "Anna"]
    [Black "Ben"]
    [Result "0-3"]
    [Termination "resignation"]

    1.f6 2.e5 {a comment} 3.g7 4.h8 0-3

A record holds variations, drawings and clocks in the tag "Tree", as gyre-board writes it.
Numbers of turns are optional when read, and may count pairs of turns. Reading checks the form of a
game, not the rules: :meth:`Game.check` asks an engine.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

from . import sgf
from .board import point
from .conversation import Result
from .engine import Engine
from .position import Position
from .tree import GameError, Node, Tree, score_word, visible


class Game(Tree):
    """A game with all its variations. It is also the node of its start.

    ``tags`` holds what is known about it, such as White, Black, Date and Event, in the words of
    records. ``score`` counts the rings removed by or awarded to White and Black; None while
    the game is not finished. If the game ended off the board, the tag Termination holds the
    reason, such as "resignation". ``warnings`` says what the reader of a file skipped, each with
    its line.
    """

    def check(self, engine: Engine) -> None:
        """Asks an engine whether every turn of every variation is legal, and whether the score
        is that of the board. Raises EngineError at the first illegal turn, and GameError for a
        wrong score."""
        for node in self.nodes():
            if not node.variations:
                engine.after(self.position, node.turns())
        end = self.end()
        if engine.result(self.position, end.turns()) is not Result.NONE and self.score != end.position.removed:
            raise GameError(f"the game is over with {score_word(end.position.removed)}, not {score_word(self.score)}")

    def record(self) -> str:
        """Returns the game as a record. Raises GameError if the result or a tag is invalid."""
        return _write(self)

    def sgf(self) -> str:
        """Returns the game as an SGF file of boardspace.net, with all variations."""
        return sgf.write(self)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the game to a new file: SGF if its name ends so, otherwise a record. Raises
        FileExistsError if the file exists."""
        text = self.sgf() if os.fspath(path).lower().endswith(".sgf") else self.record()
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)


def load_games(path: "str | os.PathLike[str]") -> list[Game]:
    """Reads all games of a file: records, or SGF. The text is UTF-8; otherwise it has the
    encoding that the property CA of SGF names, or Windows-1252. Raises GameError, which names
    the file and the line, and OSError."""
    try:
        return read_games(_decoded(Path(path).read_bytes()))
    except GameError as wrong:
        raise GameError(wrong.reason, wrong.line, os.fspath(path), wrong.turn) from None


#: How the files begin that are no text in one of the encodings above.
_FOREIGN = (
    (b"\xff\xfe\0\0", "a text in UTF-32: save it as UTF-8"),
    (b"\0\0\xfe\xff", "a text in UTF-32: save it as UTF-8"),
    (b"\xff\xfe", "a text in UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "a text in UTF-16: save it as UTF-8"),
    (b"\x1f\x8b", "compressed by gzip: unpack it first"),
    (b"PK\x03\x04", "a zip archive: unpack it first"),
)


#: SGF files are ASCII but for what people write. A codec that changes this text is not used: UTF-16,
#: and Python's codecs that are no encodings, such as unicode_escape.
_PLAIN = b"(;SU[Yinsh]C[+AEE-\\n\\u0041])"


def _decoded(data: bytes) -> str:
    """Decodes the text of a file. Raises GameError if it is no text."""
    for head, what in _FOREIGN:
        if data.startswith(head):
            raise GameError(f"this is {what}" if what[:2] == "a " else f"this file is {what}")
    named = re.search(rb"\bCA\s*\[\s*([^\]]{1,40}?)\s*\]", data)
    for encoding in ("utf-8-sig", named[1].decode("latin-1") if named else "utf-8"):
        try:
            if _PLAIN.decode(encoding) == _PLAIN.decode("ascii"):
                text = data.decode(encoding)
                break
        except (ValueError, LookupError):
            continue
    else:
        text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_games(text: str) -> list[Game]:
    """Reads all games of a text: records, or SGF if the first bracket or brace in it comes after
    "(;". Raises GameError."""
    if re.match(r"[^\[{]*\(\s*;", text):
        return sgf.read(text, Game)
    return _read(text.removeprefix("\ufeff"))


#: The tags that other fields hold, and the tags that come first.
_FIELDS = ("Result", "Rules", "Position", "Tree")
_FIRST = ("White", "Black", "Date", "Result", "Rules", "Position", "TimeControl", "Termination")

#: Limits of gyre's own reader.
_MOST_TEXT, _MOST_COMMENT, _MOST_TAGS = 1 << 20, 1 << 14, 200

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    | \[\s*(?P<name>\w{1,100})\s*"(?P<value>(?:[^"\\]|\\["\\])*)"\s*\]
    | \{(?P<comment>[^}]*)\}
    | (?P<word>[^\s\[{]+)""",
    re.X | re.A,
)


def _read(text: str) -> list[Game]:
    """Reads records."""
    games: list[Game] = []
    tags: dict[str, str] = {}
    reading: Optional[_Reading] = None
    at, line = 0, 1
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise GameError('a tag has the form [Name "value"]' if text[at] == "[" else "the comment has no closing brace", line)
        if token["name"]:
            if reading is not None:
                reading.flush()
                raise GameError("a tag inside the record above, which has no result yet", line)
            if token["name"] in tags:
                raise GameError(f"duplicate tag {token['name']}", line)
            if len(tags) == _MOST_TAGS + len(_FIELDS):
                raise GameError(f"more than {_MOST_TAGS} tags", line)
            tags[token["name"]] = visible(re.sub(r"\\(.)", r"\1", token["value"]))
        elif not token["space"]:
            reading = reading or _Reading(tags, line)
            if reading.take(token, line):
                games.append(reading.game)
                reading, tags = None, {}
        line += token[0].count("\n")
        at = token.end()
    if reading is not None:
        reading.flush()
    if reading is not None or tags:
        raise GameError("the record ends without a result, such as 3-1, or * for an unfinished game", line)
    if not games:
        raise GameError("no record found", 1)
    return games


class _Reading:
    """A record that has been read in part."""

    def __init__(self, tags: dict[str, str], line: int) -> None:
        self.tags = tags
        rules = tags.get("Rules", "standard")
        try:
            start = Position(tags.get("Position", Position().fen), rules)
        except ValueError as wrong:
            raise GameError(str(wrong), line) from None
        self.game = Game(start, {name: value for name, value in tags.items() if name not in _FIELDS})
        self.node: Node = self.game
        self.turns = 0
        self.word, self.line = "", line  # the last word, which the next one may continue after a semicolon
        # The numbers that the next turn may have, as far as they fit the numbers so far: as records
        # count, from 1, and in pairs of turns.
        self.counts: list[Callable[[int], int]] = [lambda turns: turns + 1 + start.side, lambda turns: turns + 1, lambda turns: turns // 2 + 1]

    @property
    def number(self) -> int:
        """The number of the next turn, as records count."""
        return self.turns + 1 + self.game.position.side

    def take(self, token: "re.Match[str]", line: int) -> bool:
        """Takes a comment or a word, and reports whether it ends the record."""
        word = token["word"]
        if word and self.word and (word[0] == ";" or self.word[-1] == ";"):
            self.word += word
            return False
        self.flush()
        if word is None:
            self.node.comment = " ".join([*self.node.comment.split(), *token["comment"].split()])
            return False
        if word == "*" or re.fullmatch("[0-9]-[0-9]", word):
            self._end(word, line)
            return True
        self.word, self.line = word, line
        return False

    def flush(self) -> None:
        """Adds the last word: a turn, its number, or both."""
        word, self.word = self.word, ""
        if "(" in word or ")" in word:
            raise GameError(f"{word[:40]!r}: a record has no variations; remove the parentheses and what is in them, or use SGF", self.line, turn=self.number)
        number, dot, rest = word.partition(".")
        if dot:
            self.counts = [count for count in self.counts if number == str(count(self.turns))]
            if not self.counts:
                raise GameError(f"{word[:40]!r}: expected the number of turn {self.number}", self.line)
            word = rest.lstrip(".")
        if word:
            try:
                self.node = self.node.add(word)
            except ValueError as wrong:
                raise GameError(str(wrong), self.line, turn=self.number) from None
            self.turns += 1

    def _end(self, word: str, line: int) -> None:
        if self.tags.get("Result", word) != word:
            raise GameError(f"the result is {word}, but the tag Result says {self.tags['Result'][:40]!r}", line)
        if word != "*":
            self.game.score = (int(word[0]), int(word[2]))
        try:
            _check_score(self.game)
            if "Tree" in self.tags:
                _add_tree(self.game, self.tags["Tree"])
        except GameError as wrong:
            raise GameError(wrong.reason, line) from None


def _check_score(game: Game) -> None:
    """Raises GameError if the score is impossible for the board."""
    end = game.end().position
    removed, wins = end.removed, end.winning_rings
    if end.over:
        if game.score != removed:
            raise GameError(f"the game is over with {score_word(removed)}, not {score_word(game.score)}")
    elif game.score is not None:
        if max(game.score) > wins or min(game.score) < 0 or game.score == (wins, wins):
            raise GameError(f"a score of {score_word(game.score)} is impossible: {wins} rings win the game")
        if game.score != removed and game.tags.get("Termination", "") in ("", "normal", "unterminated"):
            raise GameError("the game is not over on the board, and there is no Termination tag with the reason")


def _write(game: Game) -> str:
    _check_score(game)
    tags = dict(game.tags)
    tags |= {"Result": score_word(game.score), "Rules": game.position.rules}
    if game.position != Position(rules=game.position.rules):
        tags["Position"] = game.position.fen
    try:
        tree = _tree(game)
        if tree is not None:
            tags["Tree"] = json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        raise GameError("the variations are nested too deeply for a record: save the game as SGF") from None
    lines = []
    for name in sorted(tags, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST)):
        value = tags[name]
        if not re.fullmatch(r"\w{1,100}", name, re.A):
            raise GameError(f"the tag {name[:40]!r} needs a name of letters, digits and underscores")
        if any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in value):
            raise GameError(f"the tag {name} contains a control character, such as a line end")
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'[{name} "{escaped}"]')
    words, number = _comment(game), 1 + game.position.side
    for number, node in enumerate(game.mainline(), number):
        words += [f"{number}.{node.turn}", *_comment(node)]
    lines += ["", *_wrapped([*words, score_word(game.score)]), ""]
    text = "\n".join(lines) + "\n"
    if len(text.encode()) > _MOST_TEXT:
        raise GameError(f"the record is longer than {_MOST_TEXT} bytes")
    return text


def _comment(node: Node) -> list[str]:
    text = _one_line(node.comment)
    return ("{" + text + "}").split(" ") if text else []


def _one_line(comment: str) -> str:
    """A comment as records hold it: one line, without a closing brace, of limited length."""
    line = " ".join("".join(" " if ord(c) < 32 or 127 <= ord(c) < 160 else c for c in comment).split()).replace("}", ")")
    return line.encode()[:_MOST_COMMENT].decode(errors="ignore").strip()


def _wrapped(words: list[str]) -> Iterator[str]:
    """Joins words into lines of at most 80 bytes."""
    line = ""
    for word in words:
        if line and len(line.encode()) + 1 + len(word.encode()) > 80:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


# The tag Tree is JSON: a line is a list of nodes, the first one of which is the start, and
# each node lists its other continuations.


def _tree(game: Game) -> Optional[list[dict[str, Any]]]:
    """Returns the tree of a game, or None if turns and comments express it."""
    if all(
        len(node.variations) < 2 and not node.arrows and node.clock is None and not node.data and node.comment == _one_line(node.comment)
        for node in game.nodes()
    ):
        return None
    return _line(game)


def _line(node: Optional[Node]) -> list[dict[str, Any]]:
    line = []
    while node is not None:
        fields: dict[str, Any] = {"turn": node.turn or ""}
        if node.comment:
            fields["comment"] = node.comment
        if node.clock is not None:
            fields["clock"] = {"w": node.clock[0] * 1000, "b": node.clock[1] * 1000}
        if node.arrows:
            fields["arrows"] = [{"from": tail, "to": head} for tail, head in node.arrows]
        fields |= node.data
        if len(node.variations) > 1:
            fields["others"] = [_line(other) for other in node.variations[1:]]
        line.append(fields)
        node = node.next
    return line


def _add_tree(game: Game, text: str) -> None:
    """Adds what the tag Tree holds to a game with its main line."""
    try:
        line = json.loads(text)
        if [fields["turn"] for fields in line] != ["", *(node.turn for node in game.mainline())]:
            raise GameError("tag Tree: it does not belong to the turns of the record")
        _fill(game, line[0])
        _extend(game, line[1:])
        game.end().data.pop("end", None)  # the score and the tag Termination hold it
    except GameError:
        raise
    except RecursionError:
        raise GameError("tag Tree: its variations are nested too deeply") from None
    except (ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise GameError(f"tag Tree: {wrong!r}") from None


def _extend(node: Node, line: list[dict[str, Any]]) -> None:
    """Adds a line after a node. A node's first continuation comes before its others."""
    added = []
    for fields in line:
        node = node.add(fields["turn"])
        added.append((node, fields))
    for node, fields in added:
        _fill(node, fields)


def _fill(node: Node, fields: dict[str, Any]) -> None:
    """Sets what a node of the tree holds."""
    node.comment = str(fields.get("comment", ""))
    if fields.get("clock"):
        node.clock = (float(fields["clock"]["w"]) / 1000, float(fields["clock"]["b"]) / 1000)
    node.arrows = [(str(arrow["from"]), str(arrow["to"])) for arrow in fields.get("arrows", [])]
    for pair in node.arrows:
        point(pair[0]), point(pair[1])
    node.data = {name: value for name, value in fields.items() if name not in ("turn", "comment", "clock", "arrows", "others")}
    for other in fields.get("others", []):
        if not other:
            raise GameError("tag Tree: a variation has no turns")
        _extend(node, other)
