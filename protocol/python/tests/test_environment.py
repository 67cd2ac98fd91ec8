"""The environment for learning."""

from __future__ import annotations

import unittest

from gyre import BLACK, WHITE, Engine, Position, Result, Stage, point
from gyre.environment import Environment, Points
from gyre.observation import PLANES, array
from gyre.symmetry import transform, transform_position

#: White takes the row g2 to g6 off, and its third ring for it, and wins.
NEARLY_WON = Position("4/7/8/9/10/4W4/wwwww5/9/2WW4/1BBBBB1/4 w 2-0")

#: The rings of white stand in a corner, shut in by those of black.
BLOCKED = Position("WWWB/1BBBB2/8/9/10/9/10/9/8/7/4 w 2-0")


class TestEnvironment(unittest.TestCase):
    engine: Engine

    @classmethod
    def setUpClass(cls) -> None:
        cls.engine = Engine()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.close()

    def test_games(self) -> None:
        """Whole games in PettingZoo's loop, with the invariants of each step."""
        stages, results = set(), set()
        for seed in range(4):
            env = Environment(self.engine, rules=("standard", "blitz")[seed % 2])
            env.reset(seed=seed)
            rewards = {"white": 0.0, "black": 0.0}
            for agent in env.agent_iter():
                seen, reward, termination, truncation, info = env.last()
                rewards[agent] += reward
                assert seen is not None
                self.assertFalse(truncation)
                if termination:
                    results.add(info["result"])
                    self.assertFalse(any(seen["action_mask"]))
                    env.step(None)
                    continue
                assert env.partial is not None
                stages.add(info["stage"])
                self.assertEqual({at for at in range(85) if seen["action_mask"][at]}, env.partial.choices())
                env.step(self.sample(env, agent, seen))
            self.assertEqual(env.agents, [])
            self.assertEqual(rewards["white"], -rewards["black"])
            self.assertEqual(rewards["white"], {Result.WHITE_WINS: 1, Result.BLACK_WINS: -1, Result.DRAW: 0}[env.state.result])
            self.assertEqual(self.engine.after(Position(rules=env.state.position.rules), env.turns), env.state.position)
        self.assertEqual(stages, set(Stage) - {Stage.COMPLETE})
        self.assertGreater(len(results), 1)

    def sample(self, env: Environment, agent: str, seen: dict[str, object]) -> int:
        """A point by chance, rather one that makes a row, so that games are decided."""
        assert env.partial is not None
        rows = [turn for turn in env.partial.turns if "x" in turn]
        if rows:
            at = len(env.partial.chosen)
            steps = env.partial._steps[env.partial.turns.index(rows[0])]
            if env.partial.stage in (Stage.ORIGIN, Stage.TARGET, Stage.RING):
                return steps[at][1]
        return env.action_space(agent).sample(seen["action_mask"])  # type: ignore[arg-type]

    def test_win(self) -> None:
        env = Environment(self.engine)
        env.reset(options={"position": NEARLY_WON})
        self.assertEqual(env.infos["white"]["stage"], Stage.ROW)
        for name, stage in (("g6", Stage.ROW_END), ("g2", Stage.RING)):
            env.step(point(name))
            self.assertEqual((env.agent_selection, env.infos["white"]["stage"], env.rewards["white"]), ("white", stage, 0))
        env.step(point("i6"))
        self.assertEqual(env.turns, ["xg2-g6xi6"])
        self.assertEqual(env.rewards, {"white": 1, "black": -1})
        self.assertEqual(env.terminations, {"white": True, "black": True})
        self.assertIsNone(env.partial)
        with self.assertRaisesRegex(ValueError, "is over"):
            env.step(3)
        for _ in range(2):
            agent, (_, reward, *ended, _) = env.agent_selection, env.last()
            self.assertEqual((reward, ended), ({"white": 1, "black": -1}[agent], [True, False]))
            env.step(None)
            self.assertNotIn(agent, env.agents)
        with self.assertRaisesRegex(ValueError, "reset"):
            env.step(None)

    def test_rejections_change_nothing(self) -> None:
        env = Environment(self.engine)
        with self.assertRaisesRegex(ValueError, "reset"):
            env.step(0)
        env.reset()
        env.step(42)
        before = (env.state, env.partial, dict(env.rewards))
        for wrong in (42, -1, 85, None):
            with self.assertRaises(ValueError):
                env.step(wrong)
        self.assertEqual((env.state, env.partial, env.rewards), before)

    def test_observation(self) -> None:
        """Planes from the side of either player; symmetric positions look symmetric."""
        env, other = Environment(self.engine), Environment(self.engine)
        position = self.engine.after(Position(), ["f6", "g7", "e5", "d5"])
        env.reset(options={"position": position})
        other.reset(options={"position": transform_position(4, position)})
        for agent, viewer in (("white", WHITE), ("black", BLACK)):
            seen, image = env.observe(agent), other.observe(agent)
            self.assertEqual((len(seen["observation"]), len(seen["observation"][0])), env.observation_shape)
            self.assertEqual([at for at in range(85) if seen["observation"][0][at]], [at for at in range(85) if position.pieces[at] == viewer.ring])
            for plane, transformed in zip(seen["observation"], image["observation"]):
                self.assertEqual(transform(4, list(plane)), list(transformed))
            self.assertEqual(transform(4, list(seen["action_mask"])), list(image["action_mask"]))
        self.assertEqual(len(PLANES), 14)
        self.assertEqual(int(env.observe("white")["observation"][5][0]), 1)

    def test_arrays(self) -> None:
        try:
            import numpy
        except ImportError:
            self.skipTest("there is no NumPy")
        rows = array([bytes(85), bytes([1]) * 85])
        self.assertEqual((rows.shape, rows.dtype), ((2, 85), numpy.int8))
        rows[0, 0] = 1  # it can be written

    def test_pass(self) -> None:
        """A forced pass is played without an action."""
        self.assertEqual(self.engine.legal_turns(BLOCKED), ("pass",))
        env = Environment(self.engine)
        env.reset(options={"position": BLOCKED})
        self.assertEqual((env.agent_selection, env.turns), ("black", ["pass"]))

    def test_samples_repeat(self) -> None:
        space = Points()
        space.seed(3)
        first = [space.sample() for _ in range(9)]
        space.seed(3)
        self.assertEqual([space.sample() for _ in range(9)], first)
        self.assertEqual(space.sample([0] * 84 + [1]), 84)
        self.assertTrue(space.contains(84) and not space.contains(85) and not space.contains("f6"))

    def test_owns_its_engine(self) -> None:
        with Environment() as env:
            env.reset()
            self.assertEqual(env.render(), str(Position()))
