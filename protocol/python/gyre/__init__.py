"""Gyre, an engine for YINSH, from Python.

    engine.py        Engine: games, analysis and rules, in blocking calls
    aio.py           Engine and Analyzer for asyncio
    conversation.py  what both have in common: the whole protocol, without reading and writing
    analysis.py      Analyzer: many positions side by side, over ``gyre analyse``
    position.py      Position, Turn and Partial (a turn under construction) as values
    game.py          Game: variations, and the records that hold them
    sgf.py           the files of boardspace.net
    svg.py           pictures of positions
    symmetry.py      the 12 symmetries of the board
    environment.py   Environment: games for reinforcement learning
    observation.py   the planes that the environment shows
    samples.py       Samples: the files that ``gyre-train generate`` makes
    samplearrays.py  the same as NumPy arrays
    wire.py          Limit, Score, Info, Option, and the exchanges of lines below them
    process.py       the engine's process

The engine knows the rules: it lists the legal turns and names the position after them.
"""

from .analysis import Analyzer, Answer, Line, Query
from .conversation import PlayResult, Result, State
from .engine import Analysis, Engine
from .game import Game, GameError, Node, load_games, read_games
from .position import (
    BLACK,
    POINT_COUNT,
    POINTS,
    STAGES,
    WHITE,
    Move,
    Partial,
    Pass,
    Place,
    Position,
    Removal,
    Side,
    Stage,
    Turn,
    point,
)
from .process import engine_path
from .symmetry import SYMMETRIES
from .wire import EngineError, EngineTerminatedError, EngineTimeoutError, Info, Limit, Option, Score


def __getattr__(name: str) -> str:
    """The version of the installed wheel, or "devel" for a clone."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import metadata

    try:
        return metadata.version(__name__)
    except metadata.PackageNotFoundError:
        return "devel"


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
    "Game",
    "GameError",
    "Info",
    "Limit",
    "Line",
    "Move",
    "Node",
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
    "load_games",
    "point",
    "read_games",
]
