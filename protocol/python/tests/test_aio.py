"""The client for asyncio."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
import unittest
from unittest import mock

from gyre import EngineError, EngineTerminatedError, EngineTimeoutError, Limit, Position, Result, Turn
from gyre.aio import Engine
from gyre.process import running_time

from . import PATIENCE, alive, engine_that

START = Position()


class TestEngine(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.engine = await Engine(options={"Hash": 8})

    async def asyncTearDown(self) -> None:
        await self.engine.close()
        await self.engine.close()
        self.assertFalse(alive(self.engine.pid))

    async def test_rules(self) -> None:
        state = await self.engine.state(START, ["f6"])
        self.assertEqual((len(state.turns), state.result), (84, Result.NONE))
        self.assertEqual(await self.engine.after(START, ["f6"]), state.position)
        self.assertEqual(await self.engine.legal_turns(START, ["f6"]), state.turns)
        self.assertEqual(await self.engine.result(Position(rules="blitz")), Result.NONE)
        with self.assertRaisesRegex(EngineError, "turn 2: f6 is not vacant"):
            await self.engine.after(START, ["f6", "f6"])

    async def test_searches(self) -> None:
        found = await self.engine.play(START, Limit(nodes=300), root_turns=["a2", "a3"])
        self.assertIn(found.turn, ("a2", "a3"))
        lines = await self.engine.analyse(START, Limit(depth=2), multipv=3)
        self.assertEqual([line.multipv for line in lines], [1, 2, 3])
        with self.assertRaises(ValueError):
            await self.engine.play(START, Limit())

    async def test_analysis(self) -> None:
        async with await self.engine.analysis(START) as analysis:
            async for info in analysis:
                if info.depth == 3:
                    break
            with self.assertRaisesRegex(EngineError, "an analysis is running"):
                await self.engine.ping()
        self.assertIsInstance((await analysis.wait()).turn, Turn)
        analysis.stop()
        await self.engine.new_game()

    async def test_ponder(self) -> None:
        async with await self.engine.analysis(START, Limit(depth=1), ponder=True) as thinking:
            thinking.ponderhit()
            self.assertIsInstance((await thinking.wait()).turn, Turn)

    async def test_tasks_share_one(self) -> None:
        found = await asyncio.gather(*(self.engine.legal_turns(START, ["f6"][:n]) for n in (0, 1) * 4))
        self.assertEqual([len(turns) for turns in found], [85, 84] * 4)

    async def test_cancelled_anywhere(self) -> None:
        """Tasks cancelled after a number of rounds of the loop, whatever they do: the
        engine is in step after each."""
        chance = random.Random(1)

        async def look() -> None:
            for _ in range(5):
                await self.engine.state(START, ["a2"])

        async def analyse() -> None:
            async with await self.engine.analysis(START, multipv=2) as analysis:
                async for _ in analysis:
                    pass

        async def play() -> None:
            await self.engine.play(START, Limit(time=PATIENCE))

        for round_ in range(30):
            task = asyncio.create_task(chance.choice([look, analyse, play])())
            for _ in range(chance.randrange(12)):
                await asyncio.sleep(0)
            task.cancel()
            if chance.random() < 0.3:
                await asyncio.sleep(0)
                task.cancel()
            await asyncio.wait([task])
            self.assertEqual(len(await self.engine.legal_turns(START, ["f6"])), 84, round_)

    async def test_timeout(self) -> None:
        for _ in range(3):
            with self.assertRaises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await self.engine.play(START, Limit(time=PATIENCE))
            self.assertEqual(await self.engine.after(START, []), START)


#: What engines do wrong in a search, and what is said of it.
IN_A_SEARCH = {
    "dies": ("sys.exit(3)", EngineTerminatedError, "ended with status 3"),
    "closes its output": ("os.close(1); time.sleep(600)", EngineTerminatedError, "closed its output"),
    "hangs": ("time.sleep(600)", EngineTimeoutError, "was silent"),
    "says nonsense": ("say('bestmove checkmate')", EngineError, "'checkmate' is not a turn"),
    "writes a line without an end": ("while True: os.write(1, b'x' * (1 << 20))", EngineTimeoutError, "was silent|wrote no whole line"),
}


class TestFaults(unittest.IsolatedAsyncioTestCase):
    async def test_each(self) -> None:
        for name, (script, kind, said) in IN_A_SEARCH.items():
            with self.subTest(name):
                async with Engine(engine_that("greet()\nready()\n" + script), timeout=PATIENCE) as engine:
                    engine._connection.timeout = 0.5 if kind is EngineTimeoutError else PATIENCE
                    with self.assertRaisesRegex(kind, said):
                        await engine.play(START, Limit(depth=1))
                self.assertFalse(alive(engine.pid))
                with self.assertRaises(EngineTerminatedError):
                    await engine.ping()

    async def test_flood(self) -> None:
        async with Engine(engine_that("greet()\nready()\nwhile True: say('info depth 1')"), timeout=PATIENCE) as engine:
            analysis = await engine.analysis(START, Limit(time=0.1))
            analysis._until = running_time() + 0.2
            with self.assertRaisesRegex(EngineTimeoutError, "did not finish in time"):
                await analysis.wait()
        self.assertFalse(alive(engine.pid))

    async def test_start(self) -> None:
        with self.assertRaisesRegex(EngineTerminatedError, "cannot start: No such file"):
            await Engine("/nowhere/gyre")
        with self.assertRaisesRegex(EngineTimeoutError, "was silent"):
            await Engine(engine_that("time.sleep(600)"), timeout=0.2)
        with self.assertRaisesRegex(ValueError, "not started"):
            await Engine().ping()

    async def test_cancelled_in_the_handshake(self) -> None:
        engine = Engine(engine_that("time.sleep(600)"))
        task = asyncio.create_task(engine.start())
        while engine._started is None:
            await asyncio.sleep(0.01)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        await engine.close()
        self.assertFalse(alive(engine.pid))


class TestClose(unittest.IsolatedAsyncioTestCase):
    async def test_unread_output(self) -> None:
        for way in ("close", "end"):
            with self.subTest(way):
                engine = await Engine(engine_that("greet()\nwhile True: say('info depth 1')"))
                output = engine._connection.process._transport.get_pipe_transport(1)
                assert isinstance(output, asyncio.ReadTransport)
                full, pause = asyncio.Event(), output.pause_reading
                with mock.patch.object(output, "pause_reading", side_effect=lambda: (pause(), full.set())):
                    async with asyncio.timeout(PATIENCE):
                        await full.wait()
                    await self.over(engine, way)

    async def test_orphaned_child(self) -> None:
        for way in ("close", "end"):
            with self.subTest(way), tempfile.NamedTemporaryFile() as needed:
                script = f"""
                    import subprocess
                    stay = "import os, time\\nwhile os.path.exists({needed.name!r}): time.sleep(0.1)"
                    subprocess.Popen([sys.executable, "-c", stay], start_new_session=True)
                    greet()
                    hear()
                """
                engine = await Engine(engine_that(script))
                engine._connection.process.send(["x" * (1 << 20)])
                await self.over(engine, way)

    async def over(self, engine: Engine, way: str) -> None:
        async with asyncio.timeout(PATIENCE):
            await (engine.close() if way == "close" else engine._connection.process.end())
        self.assertFalse(alive(engine.pid))


class TestSilence(unittest.IsolatedAsyncioTestCase):
    async def test_silent_search(self) -> None:
        script = """
            greet()
            ready()
            assert hear() == "isready"
            say("bestmove a2")
            say("readyok")
            while hear() != "quit":
                say("readyok")
        """
        async with Engine(engine_that(script), timeout=PATIENCE) as engine:
            analysis = await engine.analysis(START)
            with mock.patch.object(engine._connection.process, "read", side_effect=EngineTimeoutError("silent for a test")):
                await analysis._receive()
            self.assertEqual((await analysis.wait()).turn, "a2")
            await engine.ping()
