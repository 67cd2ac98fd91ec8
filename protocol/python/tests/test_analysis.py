"""Analysis over JSON lines, by the plain client and by that for asyncio."""

from __future__ import annotations

import asyncio
import math
import tempfile
import textwrap
import unittest
from fractions import Fraction
from pathlib import Path
from unittest import mock

from gyre import Analyzer, EngineError, EngineTerminatedError, EngineTimeoutError, Limit, Position, Query, Score
from gyre import aio

from . import PATIENCE, alive, engine_that

GAME = ("f6", "g7", "e4", "d5", "f5")
FEW = Limit(nodes=300)
FOREVER = Query(limit=Limit(time=PATIENCE))
OVER = Position("4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 b 3-0")


def fake(script: str) -> list[str]:
    """The command of an analyzer that is a script."""
    return engine_that("import json\n" + textwrap.dedent(script))


#: What an analyzer does wrong, and what is said of it.
FAULTS = {
    "dies": ("hear(); sys.exit(3)", EngineTerminatedError, "ended with status 3"),
    "hangs": ("hear(); time.sleep(600)", EngineTimeoutError, "was silent"),
    "writes no JSON": ("hear(); say('{'); time.sleep(600)", EngineError, "is not an answer"),
    "writes no object": ("hear(); say('[1]'); time.sleep(600)", EngineError, "is not an answer"),
    "leaves fields out": ("hear(); say('{\"id\":\"1\"}'); time.sleep(600)", EngineError, "is not an answer"),
    "has not read the line": ("hear(); say('{\"error\":\"too long\",\"line\":1}'); time.sleep(600)", EngineError, "too long"),
}


#: Invalid queries, of which the engine never hears or which it rejects.
ODD = {
    "no numbers": Query(numbers=range(0)),
    "numbers of no integers": Query(numbers=["one"]),  # type: ignore[list-item]
    "numbers that cannot be counted": Query(numbers=1),  # type: ignore[arg-type]
    "fractions": Query(numbers=[Fraction(1, 2)]),  # type: ignore[list-item]
    "depth": Query(limit=Limit(depth=5)),
    "no limit": Query(limit=Limit()),
    "endless": Query(limit=Limit(time=1e308)),
    "long": Query(limit=Limit(time=1e300)),
    "many nodes": Query(limit=Limit(nodes=10**30)),
    "text as limit": Query(limit=FEW, multipv="many"),  # type: ignore[arg-type]
    "not a number": Query(limit=FEW, report_every=math.nan),
    "turns of no text": Query(turns=7),  # type: ignore[arg-type]
}


class Whole:
    """An integer that is no int, like those of NumPy."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return self.value == other

    def __lt__(self, other: float) -> bool:
        return self.value < other

    def __gt__(self, other: float) -> bool:
        return self.value > other


class TestQuery(unittest.TestCase):
    def test_fields(self) -> None:
        self.assertEqual(Query().fields("a"), {"id": "a", "start": Position().fen, "turns": [], "maxNodes": 100_000})
        query = Query(Position(rules="blitz"), ("f6",), (0, 1, 1), Limit(time=0.5, nodes=3), 2, -1, 0.25)
        self.assertEqual(query.answers, 2)
        fields = {"rules": "blitz", "turns": ["f6"], "analyzeTurns": [0, 1, 1], "maxNodes": 3, "maxTimeMs": 500}
        fields |= {"multiPV": 2, "priority": -1, "reportDuringSearchEvery": 0.25, "id": "b", "start": Position().fen}
        self.assertEqual(query.fields("b"), fields)

    def test_rejects(self) -> None:
        for query in (Query(limit=Limit()), Query(limit=Limit(depth=3)), Query(limit=Limit(nodes=1, depth=3)), Query(numbers=())):
            with self.assertRaises(ValueError):
                query.fields("a")


class TestAnalyzer(unittest.TestCase):
    def setUp(self) -> None:
        self.analyzer = Analyzer(threads=2, hash=4)
        self.addCleanup(self.analyzer.close)

    def test_analyse(self) -> None:
        query = Query(turns=GAME, numbers=(5, 0, 2), limit=FEW, multipv=2)
        answers = self.analyzer.analyse(query)
        self.assertEqual([answer.number for answer in answers], [0, 2, 5])
        for answer in answers:
            self.assertIs(answer.query, query)
            self.assertEqual(len(answer.lines), 2)
            self.assertEqual((answer.turn, answer.score), (answer.lines[0].pv[0], answer.lines[0].score))
            assert answer.score is not None
            self.assertAlmostEqual(answer.chance, answer.score.chance, 3)
            self.assertGreater(answer.depth, 0)
        self.assertEqual(answers[1].position, Position("4/7/8/9/10/4W4/5B4/9/8/7/4 w 0-0"))
        again = self.analyzer.analyse(query)
        self.assertEqual([answer.lines for answer in again], [answer.lines for answer in answers])

    def test_cache(self) -> None:
        """With a cache, a later run gives the same answers, times included."""
        with tempfile.TemporaryDirectory() as folder:
            found = []
            for _ in range(2):
                with Analyzer(cache=Path(folder, "cache")) as analyzer:
                    found.append(analyzer.analyse(Query(turns=GAME, numbers=range(4), limit=FEW)))
            self.assertEqual(found[0], found[1])
            self.assertGreater(Path(folder, "cache").stat().st_size, 500)

    def test_over(self) -> None:
        (answer,) = self.analyzer.analyse(Query(OVER))
        self.assertEqual((answer.turn, answer.score, answer.chance, answer.proven), (None, Score(mate=0), 0, True))

    def test_more_than_the_window(self) -> None:
        """More queries than are under way at once, of an iterator that is taken as there
        is room."""
        taken = []

        def queries() -> object:
            for name in range(700):
                taken.append(name)
                yield Query(turns=GAME[: name % 6], limit=Limit(nodes=1), name=name)

        found = []
        for answer in self.analyzer.answers(queries()):  # type: ignore[arg-type]
            if not found:
                self.assertLess(len(taken), 700)
            found.append(answer.query.name)
        self.assertEqual(sorted(found), list(range(700)))

    def test_errors_are_answers(self) -> None:
        queries = [Query(limit=FEW, name=1), Query(turns=("f6", "f6"), name=2), Query(numbers=(3,), name=3), Query(limit=FEW, name=4)]
        errors = {answer.query.name: answer.error for answer in self.analyzer.answers(queries)}
        self.assertEqual((errors[1], errors[4]), (None, None))
        self.assertRegex(errors[2] or "", "^turns: .*f6 is not vacant")
        self.assertRegex(errors[3] or "", "^analyzeTurns: .*out of range")
        with self.assertRaisesRegex(EngineError, "f6 is not vacant"):
            self.analyzer.analyse(queries[1])

    def test_odd_queries(self) -> None:
        """An invalid query gets an answer with an error, and the next one a normal answer."""
        for name, query in ODD.items():
            with self.subTest(name):
                odd, good = self.analyzer.answers([query, Query(limit=FEW)])
                self.assertIs(odd.query, query)
                self.assertIsNotNone(odd.error)
                self.assertIsNone(good.error)
                with self.assertRaises(EngineError):
                    self.analyzer.analyse(query)

    def test_numbers_of_any_type(self) -> None:
        query = Query(turns=GAME, numbers=[Whole(0), Whole(2)], limit=Limit(nodes=Whole(100)))  # type: ignore[list-item,arg-type]
        self.assertEqual([answer.number for answer in self.analyzer.analyse(query)], [0, 2])

    def test_left_early(self) -> None:
        """Leaving the iteration cancels its searches, and the next ones start at once."""
        reports = self.analyzer.answers([Query(limit=FOREVER.limit, report_every=0.02)] * 5)
        report = next(reports)
        self.assertTrue(report.during_search)
        with self.assertRaisesRegex(EngineError, "another analysis is running"):
            self.analyzer.analyse(Query())
        reports.close()  # type: ignore[attr-defined]
        self.assertEqual(len(self.analyzer.analyse(Query(limit=FEW))), 1)

    def test_close(self) -> None:
        reports = self.analyzer.answers([FOREVER])
        self.analyzer.close()
        with self.assertRaises(EngineTerminatedError):
            next(reports)
        self.assertFalse(alive(self.analyzer.pid))

    def test_faults(self) -> None:
        for name, (script, kind, said) in FAULTS.items():
            with self.subTest(name), Analyzer(fake(script), timeout=PATIENCE) as analyzer:
                analyzer._timeout = 0.5 if kind is EngineTimeoutError else PATIENCE
                with self.assertRaisesRegex(kind, said):
                    analyzer.analyse(Query())
            self.assertFalse(alive(analyzer.pid))

    def test_silent_search(self) -> None:
        script = """
            assert json.loads(hear())["action"] == "query_version"
            hear()
            say('{"id":"1","turnNumber":0,"isDuringSearch":false,"fen":"%s","sideToMove":"w"}')
            hear()
        """
        with Analyzer(fake(script.replace("%s", Position().fen)), timeout=PATIENCE) as analyzer:
            silent = EngineTimeoutError("silent for a test")
            with mock.patch.object(analyzer._process, "receive", side_effect=[silent, '{"id":"alive"}']):
                reports = analyzer.answers([Query()])
                self.assertEqual(analyzer._receive(), '{"id":"alive"}')
            (answer,) = reports
            self.assertEqual((answer.score, answer.lines, answer.position), (None, (), Position()))


class TestAsyncAnalyzer(unittest.IsolatedAsyncioTestCase):
    async def test_many_tasks(self) -> None:
        async with aio.Analyzer(threads=2, hash=4) as analyzer:
            queries = [Query(turns=GAME[: i % 6], limit=Limit(nodes=1), name=i) for i in range(600)]
            found = await asyncio.gather(*map(analyzer.analyse, queries))
            self.assertEqual([answers[0].query.name for answers in found], list(range(600)))
            names = [answer.query.name async for answer in analyzer.answers(queries)]
            self.assertEqual(sorted(names), list(range(600)))
            with self.assertRaisesRegex(EngineError, "f6 is not vacant"):
                await analyzer.analyse(Query(turns=("f6", "f6")))
        self.assertFalse(alive(analyzer.pid))

    async def test_the_same_answers(self) -> None:
        query = Query(turns=GAME, numbers=range(6), limit=FEW)
        with Analyzer(threads=1) as plain:
            wanted = [(answer.position, answer.lines) for answer in plain.analyse(query)]
        async with aio.Analyzer(threads=2) as analyzer:
            self.assertEqual([(answer.position, answer.lines) for answer in await analyzer.analyse(query)], wanted)

    async def test_odd_queries(self) -> None:
        async with aio.Analyzer(threads=2, hash=4) as analyzer:
            queries = [*ODD.values(), Query(limit=FEW)]
            wrong = [answer.query async for answer in analyzer.answers(queries) if answer.error is not None]
            self.assertCountEqual(wrong, ODD.values())

    async def test_cancelled(self) -> None:
        async with aio.Analyzer(threads=1, hash=4) as analyzer:
            for rounds in range(8):
                task = asyncio.create_task(analyzer.analyse(FOREVER))
                for _ in range(rounds):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.wait([task])
                self.assertTrue(task.cancelled())
                self.assertEqual(len(await analyzer.analyse(Query(limit=FEW))), 1)
            self.assertEqual((analyzer._mail, analyzer._queries.open), ({}, {}))

    async def test_reports(self) -> None:
        async with aio.Analyzer(threads=1, hash=4) as analyzer:
            async for answer in analyzer.reports(Query(limit=FOREVER.limit, report_every=0.02)):
                self.assertTrue(answer.during_search)
                break

    async def test_faults(self) -> None:
        for name, (script, kind, said) in FAULTS.items():
            with self.subTest(name):
                timeout = 0.5 if kind is EngineTimeoutError else PATIENCE
                async with aio.Analyzer(fake(script), timeout=timeout) as analyzer:
                    with self.assertRaisesRegex(kind, said):
                        await analyzer.analyse(Query())
                    with self.assertRaises(EngineTerminatedError):
                        await analyzer.analyse(Query())
                self.assertFalse(alive(analyzer.pid))

    async def test_closed_while_tasks_wait(self) -> None:
        async with aio.Analyzer(threads=1) as analyzer:
            task = asyncio.create_task(analyzer.analyse(FOREVER))
            while not analyzer._mail:
                await asyncio.sleep(0)
        with self.assertRaisesRegex(EngineTerminatedError, "was closed"):
            await task
        with self.assertRaisesRegex(ValueError, "not started"):
            await aio.Analyzer().analyse(Query())
