"""The tree of a game: nodes, variations, tags and result."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Iterator, Optional

from . import svg
from .board import Turn
from .conversation import Result
from .position import Position


#: The characters that nobody sees, above all those that change the direction of the text around them.
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")


def visible(text: str) -> str:
    """A name without characters that nobody sees: with U+202E it can rearrange the line in which it is shown."""
    return _INVISIBLE.sub("", text).replace("\u2028", " ").replace("\u2029", " ")


class GameError(ValueError):
    """A game that cannot be read or written. Its text starts with the file, the line and the
    number of the turn, as far as they are known."""

    def __init__(self, reason: str, line: int = 0, file: str = "", turn: int = 0) -> None:
        where = f"{file}:{line}: " if file and line else f"{file}: " if file else f"line {line}: " if line else ""
        super().__init__(where + (f"turn {turn}: " if turn else "") + reason)
        self.reason, self.line, self.file, self.turn = reason, line, file, turn


@dataclass(eq=False)
class Node:
    """A position in the tree of a game: the start, or the position after a turn.

    Create one with :meth:`add`. The first of ``variations`` continues the main line.
    """

    position: Position
    turn: Optional[Turn] = None  #: the turn that led here; None at the start
    parent: Optional[Node] = field(default=None, repr=False)
    variations: list[Node] = field(default_factory=list, repr=False)  #: the continuations
    comment: str = ""
    arrows: list[tuple[str, str]] = field(default_factory=list)  #: pairs of points; a circle if they are the same
    clock: Optional[tuple[float, float]] = None  #: seconds left of White and of Black after the turn
    data: dict[str, Any] = field(default_factory=dict)  #: what gyre-board stores: scores, findings, ends of variations

    def add(self, turn: str, comment: str = "") -> Node:
        """Adds a turn after this node and returns its node, or the existing node of that turn.
        Raises ValueError for a malformed turn."""
        word = Turn(turn)
        for node in self.variations:
            if node.turn == word:
                break
        else:
            node = Node(self.position.after(word), word, self)
            self.variations.append(node)
        node.comment = comment or node.comment
        return node

    def add_line(self, turns: "list[str] | tuple[str, ...] | str") -> Node:
        """Adds turns one after the other, from a list or a text, and returns the last node."""
        node = self
        for turn in turns.split() if isinstance(turns, str) else turns:
            node = node.add(turn)
        return node

    @property
    def next(self) -> Optional[Node]:
        """The next node of the main line, or None at its end."""
        return self.variations[0] if self.variations else None

    def mainline(self) -> Iterator[Node]:
        """Yields the nodes after this one along the first variations."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def end(self) -> Node:
        """Returns the last node of the line from here."""
        node = self
        for node in self.mainline():
            pass
        return node

    def turns(self) -> list[Turn]:
        """Returns the turns from the start of the game to this node."""
        found, node = [], self
        while node.parent is not None and node.turn is not None:
            found.append(node.turn)
            node = node.parent
        return found[::-1]

    def nodes(self) -> Iterator[Node]:
        """Yields this node and all nodes below it, each line before its alternatives."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.variations[::-1]

    def promote(self) -> None:
        """Makes this node the main continuation of its parent."""
        if self.parent is not None:
            siblings = self.parent.variations
            siblings.remove(self)
            siblings.insert(0, self)

    def remove(self) -> None:
        """Removes this node and all below it from the game."""
        if self.parent is None:
            raise ValueError("the start of a game cannot be removed")
        self.parent.variations.remove(self)
        self.parent = None

    def __reduce__(self) -> "tuple[Any, ...]":
        """Pickles and copies a node with its whole game, as a list: a game may have more turns than
        Python allows nested calls."""
        root = self
        while root.parent is not None:
            root = root.parent
        if root is not self:
            return _node_of, (root, next(i for i, node in enumerate(root.nodes()) if node is self))
        numbers = {id(node): i for i, node in enumerate(self.nodes())}
        fields = [{name: value for name, value in vars(node).items() if name not in ("parent", "variations")} for node in self.nodes()]
        return _planted, (type(self), fields, [[numbers[id(child)] for child in node.variations] for node in self.nodes()])

    def _repr_svg_(self) -> str:
        """Shows the position with its last turn and its arrows in a notebook."""
        return svg.board(self.position, last=self.turn or "", arrows=[svg.Arrow(tail, head, "yellow") for tail, head in self.arrows])


def _planted(kind: type[Node], fields: list[dict[str, Any]], variations: list[list[int]]) -> Node:
    """Returns the start of a game that was pickled."""
    nodes: list[Node] = [kind.__new__(kind), *(Node.__new__(Node) for _ in fields[1:])]
    for node, held, numbers in zip(nodes, fields, variations):
        vars(node).update(held, variations=[nodes[i] for i in numbers])
    nodes[0].parent = None
    for node in nodes:
        for child in node.variations:
            child.parent = node
    return nodes[0]


def _node_of(root: Node, number: int) -> Node:
    """Returns a node of a game by its place in :meth:`Node.nodes`."""
    return next(islice(root.nodes(), number, None))


class Tree(Node):
    """A game with all its variations, without the formats of files: see :class:`gyre.Game`. It is
    also the node of its start.

    ``tags`` holds what is known about it, such as White, Black, Date and Event, in the words of
    records. ``score`` counts the rings removed by or awarded to White and Black; None while
    the game is not finished. If the game ended off the board, the tag Termination holds the
    reason, such as "resignation". ``warnings`` says what the reader of a file skipped, each with
    its line.
    """

    def __init__(self, start: Position = Position(), tags: Optional[dict[str, str]] = None) -> None:
        super().__init__(start)
        self.tags: dict[str, str] = dict(tags or {})
        self.score: Optional[tuple[int, int]] = None
        self.warnings: list[str] = []

    @property
    def result(self) -> Result:
        """The result, which is NONE for an unfinished game."""
        if self.score is None:
            return Result.NONE
        white, black = self.score
        return Result.DRAW if white == black else Result.WHITE_WINS if white > black else Result.BLACK_WINS

    def award(self, result: Result, why: str) -> None:
        """Sets the result of a game that ended off the board. The winner is awarded the rings
        that win. In a draw both sides get the lower of the two scores."""
        white, black = self.end().position.removed
        wins = self.position.winning_rings
        scores = {
            Result.WHITE_WINS: (wins, black),
            Result.BLACK_WINS: (white, wins),
            Result.DRAW: (min(white, black), min(white, black)),
        }
        self.score = scores.get(result)
        self.tags["Termination"] = why

    def close(self) -> None:
        """Sets the score from the board, if the game is over there."""
        end = self.end().position
        if end.over:
            self.score = end.removed


def score_word(score: Optional[tuple[int, int]]) -> str:
    """The result as text, such as "3-1"; "*" if the game is not finished."""
    return "*" if score is None else f"{score[0]}-{score[1]}"
