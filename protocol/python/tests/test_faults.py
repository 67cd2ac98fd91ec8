"""Engines with faults."""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
from contextlib import nullcontext
from pathlib import Path
from unittest import mock

from gyre import Analyzer, Engine, EngineError, EngineTerminatedError, EngineTimeoutError, Limit, Position, aio, process
from gyre.conversation import Connection, finish
from gyre.process import running_time
from gyre.wire import Ask

from . import PACKAGE, PATIENCE, alive, engine_that

START = Position()

#: What engines do wrong in a search, and what is said of it.
IN_A_SEARCH = {
    "dies": ("sys.exit(3)", EngineTerminatedError, "ended with status 3"),
    "closes its output": ("os.close(1); time.sleep(600)", EngineTerminatedError, "closed its output"),
    "hangs": ("time.sleep(600)", EngineTimeoutError, "was silent"),
    "does not answer stop": ("say('info depth 1'); hear(); time.sleep(600)", EngineTimeoutError, "was silent"),
    "says nonsense": ("say('bestmove checkmate')", EngineError, "'checkmate' is not a turn"),
    "says nothing as its turn": ("say('bestmove')", EngineError, "without a turn"),
    "complains": ("say('info string error go: no'); say('bestmove a2')", EngineError, "go: no"),
    "writes a line without an end": ("os.write(1, b'x' * (1 << 26))\nwhile True: os.write(1, b'x' * (1 << 20))", EngineTimeoutError, "was silent|wrote no whole line"),
    "writes what is no text": ("os.write(1, bytes(range(256)) + b'\\n'); say('bestmove none none')\nsys.exit(5)", None, ""),
}


class TestSearchFaults(unittest.TestCase):
    def test_each(self) -> None:
        for name, (script, kind, said) in IN_A_SEARCH.items():
            with self.subTest(name), Engine(engine_that("greet()\nready()\n" + script), timeout=PATIENCE) as engine:
                engine._session._connection.timeout = 1.0 if kind is EngineTimeoutError else PATIENCE
                if kind is None:
                    self.assertIsNone(engine.play(START, Limit(depth=1)).turn)
                    continue
                with self.assertRaisesRegex(kind, said):
                    engine.play(START, Limit(depth=1))
            self.assertFalse(alive(engine.pid))

    def test_floods(self) -> None:
        """One that babbles for ever is ended, and fills no memory."""
        engine = Engine(engine_that("greet()\nready()\nwhile True: say('info depth 1')"), timeout=PATIENCE)
        with engine:
            analysis = engine.analysis(START, Limit(time=0.1))
            analysis._shared._until = running_time() + 0.2
            with self.assertRaisesRegex(EngineTimeoutError, "did not finish in time"):
                analysis.wait()
        self.assertFalse(alive(engine.pid))

    def test_ends_in_silence(self) -> None:
        """An engine that sends lines but does not finish in time is reported as such."""
        with Engine(engine_that("greet()\nready()\ntime.sleep(600)"), timeout=PATIENCE) as engine:
            analysis = engine.analysis(START, Limit(time=0.1))
            analysis._shared._until = until = running_time() + 0.2
            lines = ["info depth 1"]

            def hear(timeout: float) -> str:
                if lines:
                    return lines.pop()
                time.sleep(max(until - running_time(), 0))
                raise EngineTimeoutError("was silent")

            with mock.patch.object(engine._process, "receive", hear):
                with self.assertRaisesRegex(EngineTimeoutError, "did not finish in time; its last line was 'info depth 1'"):
                    analysis.wait()

    def test_no_reading(self) -> None:
        """The client sends more than a pipe holds to an engine that does not read."""
        with Engine(engine_that("greet()\ntime.sleep(600)"), timeout=PATIENCE) as engine:
            engine._session._connection.timeout = 0.5
            with self.assertRaises(EngineError):
                engine.after(START, ["f6"] * 100_000)
        self.assertFalse(alive(engine.pid))

    def test_silent_search(self) -> None:
        """A silent engine that answers isready is alive."""
        script = """
            greet()
            ready()
            assert hear() == "isready"
            say("readyok")
            assert hear() == "isready"
            say("bestmove a2")
            say("readyok")
            while hear() != "quit":
                say("readyok")
        """
        with Engine(engine_that(script), timeout=PATIENCE) as engine:
            analysis = engine.analysis(START)
            for _ in range(2):
                with mock.patch.object(engine._process, "receive", side_effect=EngineTimeoutError("silent for a test")):
                    finish(analysis._shared._receive())
                if analysis._shared._search.best is None:
                    finish(analysis._shared._receive())
            self.assertEqual(analysis.wait().turn, "a2")
            engine.ping()


class Stopped:
    """A clock of a program that is stopped for an hour in each of its waits."""

    def __init__(self) -> None:
        self.waits = 0

    def monotonic(self) -> float:
        return 3600.0 * self.waits


class TestStopped(unittest.TestCase):
    """Time limits while the program is stopped. An engine that answers in one of the next waits lives, and
    one that stays silent for all of them does not."""

    LIMIT, ANSWERED = 30.0, 50
    LONGEST = int(LIMIT / process.SLICE)

    def setUp(self) -> None:
        self.clock = Stopped()
        self.enterContext(mock.patch.object(process, "time", self.clock))
        process.running_time()
        self.process = process.Process(engine_that("hear()"))
        self.addCleanup(self.process.kill)

    def test_receive(self) -> None:
        def get(timeout: float) -> bytes:
            self.clock.waits += 1
            if self.clock.waits == self.ANSWERED:
                return b"readyok\n"
            raise queue.Empty

        with mock.patch.object(self.process._chunks, "get", get):
            self.assertEqual(self.process.receive(self.LIMIT), "readyok")
            with self.assertRaisesRegex(EngineTimeoutError, "was silent for 30 s"):
                self.process.receive(self.LIMIT)
        self.assertEqual(self.clock.waits, self.ANSWERED + self.LONGEST)

    def test_read(self) -> None:
        async def read(most: int) -> bytes:
            self.clock.waits += 1
            if self.clock.waits == self.ANSWERED:
                return b"readyok\n"
            raise TimeoutError

        async def run() -> None:
            hears = await aio.Process.start(engine_that("hear()"))
            try:
                with mock.patch.object(hears._stdout, "read", read):
                    self.assertEqual(await hears.read(self.LIMIT), "readyok")
                    with self.assertRaisesRegex(EngineTimeoutError, "was silent for 30 s"):
                        await hears.read(self.LIMIT)
            finally:
                await hears.end()

        asyncio.run(run())
        self.assertEqual(self.clock.waits, self.ANSWERED + self.LONGEST)

    def test_send(self) -> None:
        taken = threading.Event()

        def wait(timeout: float) -> bool:
            self.clock.waits += 1
            return self.clock.waits == self.ANSWERED

        with mock.patch.object(taken, "wait", wait), mock.patch.object(process, "kill") as kill:
            process._kill_unless(taken, self.LIMIT, self.process._process)
            kill.assert_not_called()
            process._kill_unless(taken, self.LIMIT, self.process._process)
            kill.assert_called_once()
        self.assertEqual(self.clock.waits, self.ANSWERED + self.LONGEST)

    def test_exchange(self) -> None:
        """An exchange of many lines, with a stop before each."""

        def receive(timeout: float) -> str:
            self.clock.waits += 1
            return "readyok" if self.clock.waits == self.ANSWERED else "info string still here"

        connection = Connection(self.process, self.LIMIT, nullcontext())
        with mock.patch.object(self.process, "receive", receive):
            finish(connection.run(Ask([])))
            with self.assertRaisesRegex(EngineTimeoutError, "did not finish in time"):
                finish(connection.run(Ask([])))
        self.assertEqual(self.clock.waits, self.ANSWERED + self.LONGEST + 1)


class TestStartFaults(unittest.TestCase):
    def test_each(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "text").write_text("no program")
            for command, kind, said in (
                (folder + "/missing", EngineTerminatedError, "cannot start: No such file"),
                (folder + "/text", EngineTerminatedError, "cannot start: Permission denied"),
                ([sys.executable, "-c", "pass"], EngineTerminatedError, "ended with status 0"),
            ):
                with self.subTest(command), self.assertRaisesRegex(kind, said):
                    Engine(command, timeout=PATIENCE)
            for name, said in (("missing", "No such file"), ("text", "Not a directory")):
                cwd = os.path.join(folder, name)
                for start in (lambda: Engine(cwd=cwd), lambda: Analyzer(cwd=cwd), lambda: asyncio.run(aio.Engine(cwd=cwd).start())):
                    with self.subTest(cwd), self.assertRaisesRegex(EngineTerminatedError, f"cannot start in the folder {cwd}: {said}"):
                        start()
        with self.assertRaisesRegex(EngineTimeoutError, "was silent for 0.2 s"):
            Engine(engine_that("time.sleep(600)"), timeout=0.2)

    def test_no_queries(self) -> None:
        with Engine(engine_that("greet()\nwhile True:\n  if hear() == 'isready': say('readyok')"), timeout=PATIENCE) as engine:
            with self.assertRaisesRegex(EngineError, "0 responses to query fen"):
                engine.state(START)
            with self.assertRaisesRegex(EngineError, "no such option"):
                engine.state(Position(rules="blitz"))


@unittest.skipIf(os.name == "nt", "signals of Unix")
class TestInterrupt(unittest.TestCase):
    def setUp(self) -> None:
        # What runs in a shell's background may have been started to ignore it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def test_engine_stays_usable(self) -> None:
        """Ctrl-C in a search: it is stopped, and the engine is in step."""
        with Engine() as engine:
            for _ in range(3):
                threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT]).start()
                with self.assertRaises(KeyboardInterrupt):
                    engine.play(START, Limit(time=PATIENCE))
                self.assertEqual(len(engine.legal_turns(START)), 85)
                self.assertEqual(engine.play(START, Limit(depth=1), root_turns=["f6"]).turn, "f6")

    def test_nothing_is_left(self) -> None:
        """A program that ends by Ctrl-C in a search, or by an error, leaves no engine."""
        script = """
            import os, signal, sys, threading
            from gyre import Engine, Limit, Position
            engine = Engine()
            print(engine.pid, flush=True)
            if sys.argv[1] == "interrupt":
                threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT]).start()
                engine.play(Position(), Limit(time=600))
            engine.analysis(Position())
            raise SystemExit(3)
        """
        for way in ("interrupt", "exit"):
            done = subprocess.run(
                [sys.executable, "-c", textwrap.dedent(script), way], cwd=PACKAGE, capture_output=True, text=True, timeout=PATIENCE
            )
            with self.subTest(way):
                self.assertIn("KeyboardInterrupt" if way == "interrupt" else "", done.stderr)
                self.assertFalse(alive(int(done.stdout)))
