"""The plain client with the engine itself."""

from __future__ import annotations

import threading
import unittest

from gyre import Engine, EngineError, EngineTerminatedError, Limit, Position, Result, Turn
from gyre.conversation import finish

from . import alive

START = Position()
#: White to move takes its third ring off and wins.
NEARLY_WON = Position("4/7/8/9/10/9/10/9/2WWW3/2BBBBB/4 w 2-0")
OVER = Position("4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 w 3-0")


class TestEngine(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = Engine(options={"Hash": 8})
        self.addCleanup(self.engine.close)

    def test_handshake(self) -> None:
        self.assertRegex(self.engine.id["name"], "^Gyre ")
        self.assertEqual(self.engine.options["Threads"].max, 128)
        self.assertEqual(self.engine.options["Rules"].var, ("standard", "blitz"))

    def test_rules(self) -> None:
        self.assertEqual(len(self.engine.legal_turns(START)), 85)
        state = self.engine.state(START, ["F6", "g7"])
        self.assertEqual(state.position.fen, "4/7/8/9/10/4W4/5B4/9/8/7/4 w 0-0")
        self.assertEqual((len(state.turns), state.result, state.over), (83, Result.NONE, False))
        over = self.engine.state(OVER)
        self.assertEqual((over.turns, over.result, over.over), ((), Result.WHITE_WINS, True))
        self.assertEqual(self.engine.result(Position(OVER.fen.replace("3-0", "1-0").replace("2WW4", "1WWWW3"), "blitz")), Result.WHITE_WINS)

    def test_rejections_change_nothing(self) -> None:
        for asked, said in (
            (lambda: self.engine.after(START, ["f6", "f6"]), 'turn 2: f6 is not vacant'),
            (lambda: self.engine.state(Position("5W4/7/8/9/10/9/10/9/8/7/4 w 0-0".replace("5W4", "4", 1).replace("10/9/10", "WWWWWW4/9/10"))), "rings"),
            (lambda: self.engine.play(START, Limit(depth=1), turns=["a2", "a2"]), "a2 is not vacant"),
            (lambda: self.engine.play(START, Limit(depth=1), root_turns=["f6-f7"]), "f6-f7"),
            (lambda: self.engine.configure({"Hush": 1}), "no such option"),
            (lambda: self.engine.configure({"Threads": 129}), "out of range 1 to 128"),
            (lambda: self.engine.configure({"Rules": "blitz"}), "the client sets it"),
        ):
            with self.subTest(said), self.assertRaisesRegex(EngineError, said):
                asked()
            self.assertEqual(self.engine.play(START, Limit(depth=1), root_turns=["f6"]).turn, "f6")
        for limit in (Limit(), Limit(white_inc=1)):
            with self.assertRaises(ValueError):
                self.engine.play(START, limit)

    def test_play(self) -> None:
        found = self.engine.play(START, Limit(nodes=500), turns=["f6"])
        self.assertIn(found.turn, self.engine.legal_turns(START, ["f6"]))
        self.assertIsNotNone(found.info.score)
        self.assertEqual(self.engine.play(OVER, Limit(depth=1)).turn, None)

    def test_clock(self) -> None:
        limit = Limit(white_clock=0.2, black_clock=0.2, white_inc=0.01, black_inc=0.01)
        self.assertIsInstance(self.engine.play(START, limit).turn, Turn)

    def test_analyse(self) -> None:
        lines = self.engine.analyse(START, Limit(depth=3), multipv=4)
        self.assertEqual([line.multipv for line in lines], [1, 2, 3, 4])
        self.assertEqual(len({line.pv[0] for line in lines}), 4)
        self.assertEqual(len(self.engine.analyse(START, Limit(depth=3))), 1)

    def test_rules_follow_the_position(self) -> None:
        for rules in ("blitz", "standard", "blitz"):
            self.assertEqual(self.engine.after(Position(rules=rules), ["f6"]).rules, rules)
        taken = Position(OVER.fen.replace("3-0", "1-0").replace("2WW4", "1WWWW3"))
        self.assertEqual(self.engine.result(taken), Result.NONE)

    def test_rules_after_failed_query(self) -> None:
        """The rules of a position whose question was not put, was broken off or rejected."""
        talk, connection = self.engine._session._conversation, self.engine._session._connection
        decided = Position(OVER.fen.replace("3-0", "1-0").replace("2WW4", "1WWWW3"), "blitz")
        with self.engine.analysis(START), self.assertRaises(EngineError):
            self.engine.state(decided)
        self.assertEqual(self.engine.result(decided), Result.WHITE_WINS)
        finish(connection.begin(talk.query(START, (), ["fen"])))
        self.assertEqual(self.engine.result(decided), Result.WHITE_WINS)
        with self.assertRaises(EngineError):
            self.engine.after(START, ["f6", "f6"])
        self.assertEqual(self.engine.result(decided), Result.WHITE_WINS)
        self.assertEqual(self.engine.result(START), Result.NONE)

    def test_analysis(self) -> None:
        with self.engine.analysis(START, multipv=2) as analysis:
            for info in analysis:
                if info.depth == 3 and info.multipv == 2:
                    break
            with self.assertRaisesRegex(EngineError, "an analysis is running"):
                self.engine.ping()
        self.assertTrue(analysis.over)
        self.assertEqual([line.multipv for line in analysis.lines], [1, 2])
        self.assertIsInstance(analysis.wait().turn, Turn)
        self.engine.ping()

    def test_analysis_that_ends(self) -> None:
        depths = [info.depth for info in self.engine.analysis(START, Limit(depth=3))]
        self.assertEqual(sorted(set(depths)), [1, 2, 3])

    def test_stop_from_a_thread(self) -> None:
        analysis = self.engine.analysis(START)
        threading.Timer(0.05, analysis.stop).start()
        self.assertIsInstance(analysis.wait().turn, Turn)

    def test_ponder(self) -> None:
        self.engine.configure({"Ponder": True})
        found = self.engine.play(START, Limit(depth=3))
        self.assertIsInstance(found.ponder, Turn)
        with self.engine.analysis(START, Limit(depth=1), turns=[found.turn, found.ponder], ponder=True) as thinking:
            thinking.ponderhit()
            self.assertIsInstance(thinking.wait().turn, Turn)

    def test_threads_share_one(self) -> None:
        found: list[int] = []
        threads = [threading.Thread(target=lambda: found.append(len(self.engine.legal_turns(START)))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [85] * 8)

    def test_close(self) -> None:
        pid = self.engine.pid
        self.engine.close()
        self.engine.close()
        self.assertFalse(alive(pid))
        with self.assertRaises(EngineTerminatedError):
            self.engine.ping()

    def test_garbage_collected(self) -> None:
        engine = Engine()
        pid = engine.pid
        del engine
        self.assertFalse(alive(pid))

    def test_new_game(self) -> None:
        self.engine.new_game()
        self.engine.configure({"Clear Hash": None})
        self.engine.ping()
