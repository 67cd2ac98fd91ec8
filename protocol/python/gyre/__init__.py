"""Gyre, an engine for YINSH, from Python.

Imports point down this list:

    environment.py   Environment: games for reinforcement learning
    observation.py   the planes that the environment shows
    game.py          Game: variations, and the records that hold them
    sgf.py           the files of boardspace.net
    tree.py          the tree of a game, whatever the file
    engine.py        Engine: games, analysis and rules, in blocking calls
    aio.py           Engine and Analyzer for asyncio
    analysis.py      Analyzer: many positions side by side, over ``gyre analyse``
    conversation.py  what engines have in common: the whole protocol, without reading and writing
    process.py       the engine's process
    wire.py          Limit, Score, Info, Option, and the exchanges of lines below them
    samples.py       Samples: the files that ``gyre-train generate`` makes
    samplearrays.py  the same as NumPy arrays
    symmetry.py      the 12 symmetries of the board
    position.py      Position and Partial (a turn under construction) as values
    svg.py           pictures of positions
    board.py         points, lines, sides and turns

The engine knows the rules: it lists the legal turns and names the position after them.
"""

from .analysis import Analyzer, Answer, Line, Query
from .board import BLACK, POINT_COUNT, POINTS, WHITE, Move, Pass, Place, Removal, Side, Turn, point
from .conversation import PlayResult, Result, State
from .engine import Analysis, Engine
from .game import Game, load_games, read_games
from .position import STAGES, Partial, Position, Stage
from .process import engine_path
from .symmetry import SYMMETRIES
from .tree import GameError, Node
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
