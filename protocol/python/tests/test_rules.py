"""Turns in the making and symmetries, by the engine's rules."""

from __future__ import annotations

import random
import unittest

from gyre import POINT_COUNT, SYMMETRIES, Engine, Partial, Position, Stage, State, Turn
from gyre.symmetry import IMAGES, INVERSES, ORIGINS, transform, transform_position, transform_turn

#: A position with no symmetry of its own.
CROWDED = "ww2/Bbw1wb1/1w2W2b/b1bwB1Bbb/1wwb1b1w1B/5bWww/2bww2b1b/2wwW1Wbb/b3ww2/1Wb3w/3B b 0-0"


def random_game(engine: Engine, seed: int, rules: str = "standard") -> list[State]:
    """The states of a game of turns by chance, with those that take rows off before
    others so that all stages come."""
    chance = random.Random(seed)
    states = [engine.state(Position(rules=rules))]
    while not states[-1].over:
        turns = states[-1].turns
        turn = chance.choice([turn for turn in turns if "x" in turn] or turns)
        states.append(engine.state(states[-1].position, [turn]))
    return states


def take(partial: Partial, turn: Turn) -> Partial:
    """A turn chosen point by point, a row by its higher end first."""
    for part in turn.parts:
        points = list(part)
        if len(points) == 3:
            points = [points[1], points[0], points[2]]
        for at in points:
            partial = partial.choose(at)
    return partial


class TestPartial(unittest.TestCase):
    engine: Engine

    @classmethod
    def setUpClass(cls) -> None:
        cls.engine = Engine()
        cls.states = [state for seed in range(3) for state in random_game(cls.engine, seed)]
        cls.states += random_game(cls.engine, 3, "blitz")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.close()

    def test_board_matches_engine(self) -> None:
        """The client and the engine agree on the board after each part of a turn."""
        chance, stages = random.Random(1), set()
        for state in self.states:
            if state.over:
                continue
            turn = chance.choice([turn for turn in state.turns if "x" in turn] or state.turns)
            partial = take(Partial.begin(state.position, state.turns), turn)
            stages |= {step[0] for step in partial._steps[0]}
            self.assertEqual((partial.turn, partial.stage), (turn, Stage.COMPLETE))
            after = self.engine.after(state.position, [turn])
            self.assertEqual((partial.pieces, partial.removed), (after.pieces, after.removed), f"{state.position} {turn}")
        self.assertEqual(stages, set(Stage) - {Stage.COMPLETE})

    def test_choices_make_all_turns(self) -> None:
        """The turns that choices lead to are those that are legal."""
        for state in self.states[::9]:
            if not state.over:
                self.assertEqual(self.all_turns(Partial.begin(state.position, state.turns)), set(state.turns))

    def all_turns(self, partial: Partial) -> set[Turn]:
        if partial.stage == Stage.COMPLETE:
            return {partial.turn}
        self.assertEqual(partial.mask(), bytes(at in partial.choices() for at in range(POINT_COUNT)))
        return set().union(*(self.all_turns(partial.choose(at)) for at in partial.choices()))

    def test_rejects(self) -> None:
        state = self.states[0]
        partial = Partial.begin(state.position, state.turns)
        taken = partial.choose(42)
        with self.assertRaisesRegex(ValueError, "not complete: PLACE"):
            partial.turn
        for wrong in (-1, 85):
            with self.assertRaisesRegex(ValueError, f"{wrong} is not legal as PLACE"):
                partial.choose(wrong)
        with self.assertRaisesRegex(ValueError, "f6 is not legal as COMPLETE"):
            taken.choose(42)
        with self.assertRaisesRegex(ValueError, "over"):
            Partial.begin(state.position, ())

    def test_symmetric_turns(self) -> None:
        """A symmetric position has the symmetric turns, and at each stage of a turn the
        symmetric choices."""
        chance = random.Random(2)
        for state in self.states[::7]:
            symmetry = chance.randrange(SYMMETRIES)
            image = self.engine.state(transform_position(symmetry, state.position))
            self.assertEqual(image.result, state.result)
            self.assertEqual(set(image.turns), {transform_turn(symmetry, turn) for turn in state.turns})
            if state.over:
                continue
            partial, mirrored = Partial.begin(state.position, state.turns), Partial.begin(image.position, image.turns)
            while partial.choices():
                self.assertEqual(mirrored.mask(), bytes(transform(symmetry, partial.mask())))
                at = chance.choice(sorted(partial.choices()))
                partial, mirrored = partial.choose(at), mirrored.choose(IMAGES[symmetry][at])
                self.assertEqual((mirrored.stage, mirrored.removed), (partial.stage, partial.removed))
                self.assertEqual(mirrored.pieces, bytes(transform(symmetry, partial.pieces)))


class TestSymmetry(unittest.TestCase):
    def test_tables(self) -> None:
        self.assertEqual(len(set(IMAGES)), SYMMETRIES)
        self.assertEqual(IMAGES[0], tuple(range(POINT_COUNT)))
        for symmetry in range(SYMMETRIES):
            self.assertEqual(sorted(IMAGES[symmetry]), list(range(POINT_COUNT)))
            for at in range(POINT_COUNT):
                self.assertEqual(ORIGINS[symmetry][IMAGES[symmetry][at]], at)
                self.assertEqual(IMAGES[INVERSES[symmetry]][IMAGES[symmetry][at]], at)

    def test_numbers_match_engine(self) -> None:
        """Where the symmetries of the Go package position take g8."""
        names = [transform_turn(s, Turn("f6-g8"))[3:] for s in range(SYMMETRIES)]
        self.assertEqual(names, "g8 h7 g5 e4 d5 e7 h7 g5 e4 d5 e7 g8".split())
        position = Position(CROWDED)
        for symmetry in range(SYMMETRIES):
            image = transform_position(symmetry, position)
            self.assertEqual(transform_position(INVERSES[symmetry], image), position)
        with self.assertRaises(ValueError):
            transform(1, [0] * 84)
