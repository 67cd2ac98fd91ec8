"""What a client and an engine know of each other, and what is said from that.

Both clients hold one: it makes their exchanges, and reads what came of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Iterable, Optional, Sequence

from .limit import Limit
from .option import Option, Value, Values
from .position import Position
from .score import Info
from .turn import Turn
from .wire import Ask, EngineError, Search, set_up

#: Options that the clients set themselves, from what they are asked for.
MANAGED = ("Rules", "MultiPV")


class Result(Enum):
    """How a game ended, by the words of the protocol."""

    NONE = "none"  #: it goes on
    WHITE_WINS = "p1win"
    BLACK_WINS = "p2win"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class State:
    """A position with what the rules say of it."""

    position: Position
    result: Result
    turns: tuple[Turn, ...]  #: all that are legal, in alphabetical order

    @property
    def over(self) -> bool:
        return self.result is not Result.NONE


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What a search found."""

    turn: Optional[Turn]  #: to play; None if the game is over
    ponder: Optional[Turn]  #: the reply expected, where the engine tells one
    lines: tuple[Info, ...]  #: the last info of each line with a score, the best first

    @property
    def info(self) -> Info:
        """The last info of the best line, empty if there was none."""
        return self.lines[0] if self.lines else Info()


@dataclass(frozen=True, slots=True)
class Request:
    """A search that is asked for."""

    position: Position
    limit: Limit
    turns: tuple[str, ...] = ()
    root_turns: tuple[str, ...] = ()
    multipv: int = 1
    ponder: bool = False

    def search(self) -> Search:
        return Search(self.limit, self.ponder, self.root_turns)

    @property
    def longest(self) -> Optional[float]:
        """The seconds after which it has ended, None where they are not bounded."""
        return None if self.ponder else self.limit.longest


def words(turns: Iterable[str]) -> tuple[str, ...]:
    """Turns as words to send. ValueError if one has not the form of a turn."""
    return tuple([Turn(turn) for turn in turns])


def must_end(limit: Limit) -> Limit:
    """ValueError if a search with the limit would not end."""
    if not limit.ends:
        raise ValueError("a limit that ends the search is needed: time, depth, nodes, mate or a clock")
    return limit


class Conversation:
    """The state of the wire, apart from its bytes."""

    def __init__(self, dialect: str) -> None:
        if dialect not in ("uci", "ugi"):
            raise ValueError(f"dialect {dialect!r}: neither uci nor ugi")
        self.dialect = dialect
        self.id: dict[str, str] = {}
        self.options: dict[str, Option] = {}
        self._managed: dict[str, str] = {}

    def greet(self) -> Ask:
        return Ask([self.dialect], self.dialect + "ok")

    def greeted(self, greeting: Ask) -> None:
        """Reads the handshake."""
        for line in greeting.lines:
            head, _, rest = line.partition(" ")
            if head == "id":
                key, _, text = rest.partition(" ")
                self.id[key] = text
            elif head == "option":
                option = Option.parse(line)
                self.options[option.name] = option
        self._managed = {name: self.options[name].default for name in MANAGED if name in self.options}

    def configure(self, values: Values) -> Ask:
        """Sets options. EngineError for those that the engine has not."""
        for name in values:
            if name in MANAGED:
                raise EngineError(f"option {name}: the client sets it, from the position and the arguments of a search")
        return Ask([self._find(name).command(value) for name, value in values.items()])

    def _find(self, name: str) -> Option:
        for option in self.options.values():
            if option.name.lower() == name.lower():
                return option
        raise EngineError(f"option {name}: the engine has none of that name")

    def _manage(self, name: str, value: Value, settings: dict[str, str]) -> list[str]:
        """The commands that bring an option of the clients' to a value. Until they were
        heard the option's value is not known."""
        text = str(value).lower()
        if name not in self.options:
            if text == {"Rules": "standard", "MultiPV": "1"}[name]:
                return []
            raise EngineError(f"{name} {text}: the engine has no such option")
        if self._managed.get(name) == text:
            return []
        self._managed.pop(name, None)
        settings[name] = text
        return [self.options[name].command(value)]

    def look(self, position: Position, turns: Sequence[str], queries: Sequence[str]) -> Ask:
        """Sets up a position, plays turns and asks."""
        settings: dict[str, str] = {}
        commands = self._manage("Rules", position.rules, settings)
        return self._ask([*commands, set_up(position, turns), *(f"query {query}" for query in queries)], settings)

    def prepare(self, request: Request) -> Ask:
        """What comes before a search."""
        settings: dict[str, str] = {}
        commands = self._manage("MultiPV", request.multipv, settings)
        commands += self._manage("Rules", request.position.rules, settings)
        return self._ask([*commands, set_up(request.position, request.turns)], settings)

    def _ask(self, commands: list[str], settings: dict[str, str]) -> Ask:
        ask = Ask(commands)
        ask.settings = settings
        return ask

    def heard(self, ask: Ask) -> list[str]:
        """The responses. EngineError if something was refused."""
        responses = ask.responses()
        self._managed |= ask.settings
        return responses

    def state(self, ask: Ask, rules: str) -> State:
        """Reads the responses to ``fen``, ``result`` and ``moves``."""
        fen, result, turns = self.heard(ask)
        try:
            return State(Position(fen, rules), Result(result), tuple(map(Turn, turns.split())))
        except ValueError as nonsense:
            raise EngineError(f"the engine's answer to a query: {nonsense}") from None


#: The queries that make a :class:`State`.
STATE_QUERIES = ("fen", "result", "moves")


def found(search: Search) -> PlayResult:
    """What a search that is over has found."""
    best, ponder = search.answer()
    return PlayResult(best, ponder, tuple(search.lines[rank] for rank in sorted(search.lines)))
