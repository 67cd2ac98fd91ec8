"""Gyre, an engine for YINSH, from Python.

    board.py         points and sides
    position.py      Position: a position as a value
    turn.py          Turn: a turn as its word, and its parts
    partial.py       Partial: a turn in the making, a point at each stage
    symmetry.py      the 12 symmetries of the board
    limit.py         Limit: when a search ends
    score.py         Score and Info: what a search says
    option.py        Option: what an engine lists in its handshake
    engine.py        Engine, for a program that waits
    aio.py           the same for asyncio
    analysis.py      Query and Answer: many positions, over ``gyre analyse``
    analyzer.py      Analyzer, which asks them
    environment.py   Environment: games for learning
    samples.py       Samples: the files that ``gyre-train generate`` makes

Below them, conversation.py, wire.py, dialogue.py, aiodialogue.py, aioanalyzer.py,
process.py and aioprocess.py carry what is said, observation.py makes the planes of the
environment, samplearrays.py the arrays of samples, and xxh3.py is their checksum.

The rules are the engine's: a position is what it says it is, and turns are legal that
it lists.
"""

from .analysis import Answer, Line, Query
from .analyzer import Analyzer
from .board import BLACK, POINT_COUNT, POINTS, WHITE, Side, point
from .conversation import PlayResult, Result, State
from .dialogue import Analysis
from .engine import Engine
from .wire import EngineError, EngineTerminatedError, EngineTimeoutError
from .limit import Limit
from .option import Option
from .partial import STAGES, Partial, Stage
from .position import Position
from .process import engine_path
from .score import Info, Score
from .symmetry import SYMMETRIES
from .turn import Move, Pass, Place, Removal, Turn

__version__ = "0.1.0"

__all__ = [
    "BLACK",
    "POINTS",
    "POINT_COUNT",
    "STAGES",
    "SYMMETRIES",
    "WHITE",
    "Analysis",
    "Analyzer",
    "Answer",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Info",
    "Limit",
    "Line",
    "Move",
    "Option",
    "Partial",
    "Pass",
    "Place",
    "PlayResult",
    "Position",
    "Query",
    "Removal",
    "Result",
    "Score",
    "Side",
    "Stage",
    "State",
    "Turn",
    "engine_path",
    "point",
]
