"""Games for reinforcement learning, with the interface of PettingZoo's AEC environments.
PettingZoo itself is not needed.

An action is one of the 85 points. The stage of the turn (:class:`gyre.Stage`) gives it its
meaning, so a player acts several times in a turn: the ring, its target, then the row to
remove. A pass is forced, so the environment plays it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Iterator, Optional, Sequence, Type

from .conversation import Result, State
from .engine import Engine
from .observation import PLANES, array, planes
from .board import POINT_COUNT, Side, Turn
from .position import Partial, Position


@dataclass
class Points:
    """The action space: points by number."""

    n: int = POINT_COUNT
    random: random.Random = field(default_factory=random.Random, repr=False)

    def seed(self, seed: Optional[int]) -> None:
        """Seeds the random generator."""
        self.random.seed(seed)

    def sample(self, mask: Optional[Sequence[int]] = None) -> int:
        """Returns a random point, among those whose mask is 1."""
        return self.random.choice([number for number in range(self.n) if mask is None or mask[number]])

    def contains(self, action: object) -> bool:
        return isinstance(action, int) and 0 <= action < self.n


class Environment:
    """A game between the agents "white" and "black". The engine is the referee.

    As in PettingZoo, ``rewards`` are those of the last step: 1 for a win, -1 for a loss.
    When the game is over each agent steps with None and leaves ``agents``. An observation
    is a dictionary: ``observation`` holds the planes (see
    :data:`gyre.observation.PLANES`), ``action_mask`` the legal points (all 0 for the agent
    that is not to act). Both are int8 arrays if NumPy is installed.
    """

    metadata = {"name": "yinsh_v0", "render_modes": ["ansi"], "is_parallelizable": False}
    possible_agents = ["white", "black"]
    observation_shape = (len(PLANES), POINT_COUNT)

    def __init__(self, engine: Optional[Engine] = None, rules: str = "standard") -> None:
        """Uses ``engine`` as the referee, or starts one that :meth:`close` ends."""
        self._own = Engine() if engine is None else None
        self._engine = engine or self._own
        self._rules = rules
        self._space = Points()
        self._state = State(Position(rules=rules), Result.NONE, ())
        self._partial: Optional[Partial] = None
        self.turns: list[Turn] = []  # of the game so far
        self.agents: list[str] = []
        self.agent_selection = ""
        self.rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._cumulative_rewards: dict[str, float] = {}

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Starts a game at the initial position or at ``options["position"]``. The seed is for
        the samples of :meth:`action_space`; the game itself is not random."""
        if seed is not None:
            self._space.seed(seed)
        position = (options or {}).get("position", Position(rules=self._rules))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.turns = []
        self._enter(position)
        self._update()

    @property
    def state(self) -> State:
        """The position before the current turn, with its result and its legal turns."""
        return self._state

    @property
    def partial(self) -> Optional[Partial]:
        """The turn under construction; None if the game is over."""
        return self._partial

    def action_space(self, agent: str) -> Points:
        """Returns an agent's action space."""
        return self._space

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what an agent sees."""
        viewer, acting = Side(self.possible_agents.index(agent)), agent == self.agent_selection
        partial = self._partial or Partial.of_position(self._state.position)
        mask = partial.mask() if acting else bytes(POINT_COUNT)
        return {"observation": array(planes(partial, viewer)), "action_mask": array(mask)}

    def last(self, observe: bool = True) -> tuple[Optional[dict[str, Any]], float, bool, bool, dict[str, Any]]:
        """Returns observation, reward since its last action, termination, truncation and info
        of the agent that is to act."""
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yields the agents in the order in which they act."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def step(self, action: Optional[int]) -> None:
        """Chooses a point for the agent that is to act. Raises ValueError if it is illegal;
        nothing changes then."""
        if not self.agents:
            raise ValueError("no game is running: call reset")
        agent = self.agent_selection
        if self._partial is None or self.terminations[agent]:
            self._leave(agent, action)
            return
        if action is None:
            raise ValueError("the game is not over: the action must be a point")
        partial = self._partial.choose(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._partial = partial
        if not partial.choices():
            self._play(partial.turn)
        self._update()
        for one in self.agents:
            self._cumulative_rewards[one] += self.rewards[one]

    def render(self) -> str:
        """Returns the position before the current turn as text."""
        return str(self._state.position)

    def close(self) -> None:
        """Ends the engine, if the environment started it."""
        if self._own is not None:
            self._own.close()

    def __enter__(self) -> Environment:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _play(self, turn: Turn) -> None:
        """Plays a complete turn, and forced passes after it."""
        self.turns.append(turn)
        self._enter(self._state.position, (turn,))

    def _enter(self, position: Position, turns: tuple[Turn, ...] = ()) -> None:
        """Enters a position and plays forced passes."""
        assert self._engine is not None
        self._partial = None
        self._state = self._engine.state(position, turns)
        while not self._state.over:
            self._partial = Partial.begin(self._state.position, self._state.turns)
            if self._partial.choices():
                break
            self.turns.append(self._partial.turn)
            self._state, self._partial = self._engine.state(self._state.position, (self._partial.turn,)), None

    def _update(self) -> None:
        """Updates rewards, terminations and infos."""
        self.agent_selection = self.possible_agents[self._state.position.side]
        if self._state.over:
            won = {Result.WHITE_WINS: 1.0, Result.BLACK_WINS: -1.0}.get(self._state.result, 0.0)
            self.rewards = {"white": won, "black": -won}
            self.terminations = dict.fromkeys(self.agents, True)
        about = {"position": self._state.position, "stage": self._partial.stage if self._partial else None}
        self.infos = {agent: {**about, "result": self._state.result} for agent in self.agents}

    def _leave(self, agent: str, action: Optional[int]) -> None:
        """Removes an agent after the end of the game."""
        if action is not None:
            raise ValueError(f"the game of {agent} is over: the action must be None")
        self.agents.remove(agent)
        tables: tuple[dict[str, Any], ...] = (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos)
        for table in tables:
            del table[agent]
        if self.agents:
            self.agent_selection = self.agents[0]
            self.rewards = dict.fromkeys(self.agents, 0.0)
