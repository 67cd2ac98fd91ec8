"""Positions, turns, scores, limits and options as values."""

from __future__ import annotations

import unittest
from dataclasses import fields

from gyre import BLACK, POINTS, WHITE, EngineError, Limit, Move, Option, Pass, Place, Position, Removal, Score, Turn, point
from gyre.board import between, row
from gyre.wire import Info

CROWDED = "ww2/Bbw1wb1/1w2W2b/b1bwB1Bbb/1wwb1b1w1B/5bWww/2bww2b1b/2wwW1Wbb/b3ww2/1Wb3w/3B b 1-2"


class TestBoard(unittest.TestCase):
    def test_points(self) -> None:
        self.assertEqual(len(POINTS), 85)
        self.assertEqual((POINTS[0], POINTS[42], POINTS[84]), ("a2", "f6", "k10"))
        self.assertEqual(point("F6"), 42)
        for name in ("", "a1", "f1", "f11", "l5", "f06"):
            with self.assertRaises(ValueError, msg=name):
                point(name)

    def test_lines(self) -> None:
        for first, last, inner in (("e4", "e7", "e5 e6"), ("b3", "f7", "c4 d5 e6"), ("k7", "h7", "j7 i7"), ("e5", "f6", "")):
            self.assertEqual([POINTS[at] for at in between(point(first), point(last))], inner.split())
        for first, last in (("e4", "e4"), ("e4", "g5"), ("b3", "c2")):
            with self.assertRaises(ValueError, msg=f"{first} {last}"):
                between(point(first), point(last))
        self.assertEqual(len(row(point("b3"), point("b7"))), 5)
        with self.assertRaises(ValueError):
            row(point("b3"), point("b6"))


class TestPosition(unittest.TestCase):
    def test_reads_and_writes(self) -> None:
        position = Position(CROWDED)
        self.assertEqual((position.side, position.removed), (BLACK, (1, 2)))
        self.assertEqual(position.points(WHITE.ring), ["c5", "f8", "h7", "h9", "j6"])
        self.assertEqual(Position.of(position.pieces, BLACK, (1, 2)), position)
        self.assertEqual(str(position), CROWDED)
        self.assertEqual(len({position, Position(CROWDED), Position(CROWDED, "blitz")}), 2)

    def test_rejects(self) -> None:
        for text, said in (
            ("", "not a position"),
            ("4/7/8/9/10/9/10/9/8/7/4 w", "not a position"),
            ("4/7/8/9/10/9/10/9/8/7/4 x 0-0", "not a position"),
            ("4/7/8/9/10/9/10/9/8/7 w 0-0", "10 columns"),
            ("4/7/8/9/10/9/10/9/8/7/5 w 0-0", "column k"),
            ("4/7/8/9/10/9/10/9/8/7/99999999999999 w 0-0", "column k"),
            ("4/7/8/9/10/9/10/9/8/7/3Ww w 0-0", "column k"),
            ("4/7/8/9/10/9/10/9/8/7/4 w 0-0\n", "not a position"),
        ):
            with self.subTest(text), self.assertRaisesRegex(ValueError, said):
                Position(text)
        with self.assertRaisesRegex(ValueError, "rules"):
            Position(rules="chess")


class TestTurn(unittest.TestCase):
    def test_parts(self) -> None:
        for word, parts in (
            ("f6", (Place(42),)),
            ("e4-e10", (Move(point("e4"), point("e10")),)),
            ("pass", (Pass(),)),
            ("xb3-b7xb2", (Removal(point("b3"), point("b7"), point("b2")),)),
            ("c5-a3;xb3-b7xb2", (Move(point("c5"), point("a3")), Removal(point("b3"), point("b7"), point("b2")))),
        ):
            self.assertEqual(Turn(word).parts, parts)
            self.assertEqual(Turn.of(parts), word)

    def test_canonical(self) -> None:
        self.assertEqual(Turn("XB7-B3XB2;C5-A3"), "xb3-b7xb2;c5-a3")
        self.assertEqual(repr(Turn("F6")), "Turn('f6')")

    def test_rejects(self) -> None:
        for word in ("", "f66", "e4-", "e4-e5-e6", "xb3-b7", "xb3-b6xb2", "xb3xb2", "f6;", "none", "go infinite", "f6 f7", "f6\nquit"):
            with self.subTest(word), self.assertRaises(ValueError):
                Turn(word)


class TestScore(unittest.TestCase):
    def test_order(self) -> None:
        worst_first = [Score(mate=-2), Score(mate=-8), Score(cp=-300), Score(cp=0), Score(cp=5), Score(mate=9), Score(mate=1)]
        self.assertEqual(sorted(worst_first[::-1]), worst_first)
        self.assertEqual([-score for score in worst_first[::-1]], [Score(mate=-1), Score(mate=-9), Score(cp=-5), Score(cp=0), Score(cp=300), Score(mate=8), Score(mate=2)])

    def test_chance(self) -> None:
        for score, chance in ((Score(cp=0), 0.5), (Score(cp=100), 0.73), (Score(cp=-200), 0.12), (Score(mate=3), 1), (Score(mate=-4), 0), (Score(cp=-(10**9)), 0)):
            self.assertAlmostEqual(score.chance, chance, 2)

    def test_rejects(self) -> None:
        for values in ({}, {"cp": 1, "mate": 1}):
            with self.assertRaises(ValueError):
                Score(**values)


class TestInfo(unittest.TestCase):
    def test_parse(self) -> None:
        line = "info depth 3 seldepth 4 multipv 2 score cp -30 upperbound wdl 340 400 260 nodes 300 new thing nps 100000 hashfull 3 time 1500 pv a2 a3"
        self.assertEqual(Info.parse(line), Info(3, 4, 2, Score(cp=-30, bound="upper"), (340, 400, 260), 300, 100000, 3, 1.5, (Turn("a2"), Turn("a3"))))
        self.assertIsNone(Info.parse("info string depth 3"))
        self.assertIsNone(Info.parse("bestmove a2"))


class TestLimit(unittest.TestCase):
    def test_words(self) -> None:
        for limit, said in (
            (Limit(), "infinite"),
            (Limit(time=0.0123, nodes=5), "movetime 12 nodes 5"),
            (Limit(white_clock=60, black_clock=-1, white_inc=0.5, remaining_turns=3), "wtime 60000 btime -1000 winc 500 movestogo 3"),
            (Limit(depth=0), "depth 0"),
            (Limit(nodes=10**21), "nodes 1000000000000000000000"),
            (Limit(mate=3), "mate 3"),
        ):
            self.assertEqual(" ".join(limit.words()), said)
        for name in ("time", "depth", "nodes", "white_inc"):
            with self.assertRaisesRegex(ValueError, name):
                Limit(**{name: -1})
        for field in fields(Limit):
            for value in (float("inf"), float("-inf"), float("nan")):
                with self.subTest(field.name), self.assertRaisesRegex(ValueError, field.name):
                    Limit(**{field.name: value})


class TestOption(unittest.TestCase):
    def test_parse(self) -> None:
        for line, option in (
            ("option name Hash type spin default 64 min 1 max 65536", Option("Hash", "spin", "64", 1, 65536)),
            ("option name Clear Hash type button", Option("Clear Hash", "button")),
            ("option name Search type combo default a var a var b c", Option("Search", "combo", "a", var=("a", "b c"))),
            ("option name EvalFile type string default <empty>", Option("EvalFile", "string")),
        ):
            self.assertEqual(Option.parse(line), option)
        for line in ("option", "option name A", "option type spin name"):
            with self.subTest(line), self.assertRaises(EngineError):
                Option.parse(line)

    def test_command(self) -> None:
        spin, button = Option("Hash", "spin"), Option("Clear Hash", "button")
        self.assertEqual(spin.command(True), "setoption name Hash value true")
        self.assertEqual(spin.command(""), "setoption name Hash value <empty>")
        self.assertEqual(button.command(None), "setoption name Clear Hash")
        for option, value in ((spin, None), (button, 1), (spin, "1\nquit")):
            with self.assertRaises(EngineError):
                option.command(value)
