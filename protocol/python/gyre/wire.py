"""What goes over the wire: bytes to lines, the errors of that, and the exchanges of lines that make up the
protocol.

An exchange is what is said and what is heard until it is over. It knows nothing of
processes, threads or events, so :mod:`gyre.engine` and :mod:`gyre.aio` hold the same
ones. One that was broken off, by Ctrl-C or a cancelled task, is heard to its end before
the next begins: that is how both stay in step with the engine.
"""

from __future__ import annotations

from collections import deque
from typing import Optional, Protocol, Sequence

from .limit import Limit
from .position import Position
from .score import Info
from .turn import Turn

#: The longest line that is taken from an engine, in bytes: a position has at most some
#: ten thousand legal turns.
LONGEST_LINE = 16 << 20


class EngineError(RuntimeError):
    """The engine refused something, or said what makes no sense."""


class EngineTerminatedError(EngineError):
    """The engine has ended, or could not be started."""


class EngineTimeoutError(EngineError, TimeoutError):
    """The engine did not answer in time. It is ended: what it would say next is unknown."""


class LineSplitter:
    """Makes lines of bytes as they come."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._begun: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that end in a chunk. EngineError where one is too long."""
        *ended, rest = chunk.split(b"\n")
        if ended:
            ended[0] = b"".join([*self._begun, ended[0]])
            self._begun, self._length = [], 0
        self._begun.append(rest)
        self._length += len(rest)
        longest = max(self._length, *map(len, ended)) if ended else self._length
        if longest > self._longest:
            raise EngineError(f"the engine wrote a line of more than {self._longest} bytes")
        return [line.decode("utf-8", "replace").rstrip("\r") for line in ended]


def complaint(line: str) -> Optional[str]:
    """What an ``info string error`` says, None for other lines."""
    _, found, text = line.partition("info string error ")
    return text if found and line.startswith("info") else None


class Exchange(Protocol):
    """Commands, and what is heard of their answers."""

    commands: list[str]

    def hear(self, line: str) -> bool:
        """Takes a line; tells whether it was the last."""


class Ask:
    """Commands that are answered at once, up to a last line."""

    def __init__(self, commands: Sequence[str], last: str = "readyok") -> None:
        self.commands = [*commands, "isready"] if last == "readyok" else list(commands)
        self.lines: list[str] = []  # what was heard that means something
        self.settings: dict[str, str] = {}  # options that are set by it, once it was heard
        self._last = last

    def hear(self, line: str) -> bool:
        if line.strip() == self._last:
            return True
        if line.startswith(("response", "id ", "option ")) or complaint(line) is not None:
            self.lines.append(line)
        return False

    def check(self) -> None:
        """EngineError if the engine complained."""
        for line in self.lines:
            wrong = complaint(line)
            if wrong is not None:
                raise EngineError(wrong)

    def responses(self) -> list[str]:
        """What was answered to the queries among the commands, one each. EngineError
        if the engine complained, or does not know a query."""
        self.check()
        found = [line[len("response") :].strip() for line in self.lines if line.split()[:1] == ["response"]]
        asked = [command for command in self.commands if command.startswith("query")]
        if len(found) != len(asked):
            raise EngineError(f"the engine gave {len(found)} responses to {', '.join(asked)}")
        return found


class Search:
    """A search, from ``go`` to ``bestmove``."""

    def __init__(self, limit: Limit, ponder: bool = False, root_turns: Sequence[str] = ()) -> None:
        words = ["go", *(["ponder"] if ponder else []), *limit.words()]
        self.commands = [" ".join([*words, "searchmoves", *root_turns] if root_turns else words)]
        self.fresh: deque[Info] = deque()  # what has been heard and not handed out
        self.lines: dict[int, Info] = {}  # the last of each rank with a score
        self.best: Optional[list[str]] = None  # the words of bestmove
        self.complaint: Optional[str] = None
        self.asked = 0  # whether it is alive, by isready

    def hear(self, line: str) -> bool:
        words = line.split(maxsplit=1)[:1]
        if words == ["bestmove"] and self.best is None:
            self.best = line.split()
        elif words == ["readyok"]:
            self.asked -= 1
        elif words == ["info"]:
            self._inform(line)
        return self.best is not None and self.asked <= 0

    def _inform(self, line: str) -> None:
        wrong = complaint(line)
        if wrong is not None:
            self.complaint = self.complaint or wrong
            return
        try:
            info = Info.parse(line)
        except ValueError as nonsense:
            self.complaint = self.complaint or str(nonsense)
            return
        if info is not None:
            self.fresh.append(info)
            if info.score is not None:
                self.lines[info.multipv] = info

    def answer(self) -> tuple[Optional[Turn], Optional[Turn]]:
        """The turn to play, None if the game is over, and the reply expected, None if
        the engine told none. EngineError if the engine complained."""
        if self.complaint is not None:
            raise EngineError(self.complaint)
        words = self.best or []
        try:
            best, ponder = (Turn(words[at]) if len(words) > at else None for at in (1, 3)) if words[1:2] != ["none"] else (None, None)
        except ValueError as nonsense:
            raise EngineError(f"{' '.join(words)[:200]!r}: {nonsense}") from None
        if best is None and words[1:2] != ["none"]:
            raise EngineError("bestmove without a turn")
        return best, ponder


def set_up(position: Position, turns: Sequence[str] = ()) -> str:
    """The command that sets up a position and plays turns from it."""
    return " ".join(["position fen", position.fen, *(["moves", *turns] if turns else [])])
