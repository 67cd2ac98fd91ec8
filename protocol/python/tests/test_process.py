"""The engine's process."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import threading
import unittest
from unittest import mock

from gyre import Engine, EngineTerminatedError, Position, aio
from gyre.process import Process

from . import PATIENCE, engine_that

#: An engine that starts a child, which writes to a pipe with a name, and ends at `quit` or a query.
PARENT = """
    import subprocess
    child = "import time\\nf = open(%r, 'w')\\nf.write('started')\\nf.flush()\\ntime.sleep(%d)\\nf.write(' and survived')"
    subprocess.Popen([sys.executable, "-c", child])
    greet()
    while hear().split()[0] not in ("quit", "query"): pass
"""


@unittest.skipIf(sys.platform == "win32", "Windows has no process groups")
class TestChildren(unittest.TestCase):
    """A child of an engine ends with it, however that ends."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.pipe = os.path.join(folder.name, "pipe")
        os.mkfifo(self.pipe)
        self.command = engine_that(PARENT % (self.pipe, PATIENCE))

    def test_plain(self) -> None:
        for way in ("close", "ends"):
            with self.subTest(way):
                engine = Engine(self.command)
                with open(self.pipe) as said:
                    self.assertEqual(said.read(7), "started")
                    if way == "close":
                        engine.close()
                    else:
                        with self.assertRaises(EngineTerminatedError):
                            engine.legal_turns(Position())
                    self.assertEqual(said.read(), "")
                engine.close()

    def test_asyncio(self) -> None:
        async def run(way: str) -> None:
            engine = await aio.Engine(self.command)
            with open(self.pipe) as said:
                self.assertEqual(said.read(7), "started")
                if way == "close":
                    await engine.close()
                else:
                    with self.assertRaises(EngineTerminatedError):
                        await engine.legal_turns(Position())
                self.assertEqual(await asyncio.to_thread(said.read), "")
            await engine.close()

        for way in ("close", "ends"):
            with self.subTest(way):
                asyncio.run(run(way))


class TestProcess(unittest.TestCase):
    def test_descriptor_reuse(self) -> None:
        """The system gives the number of a closed pipe to the next one. A thread that is
        about to read when its process is closed must not read from that."""
        read, readers = os.read, list[threading.Thread]()
        about_to_read, next_begun, has_read = threading.Event(), threading.Event(), threading.Event()

        def late(number: int, most: int) -> bytes:
            reader = threading.current_thread()
            if reader is threading.main_thread():
                return read(number, most)
            readers.append(reader)
            if reader is not readers[0]:
                has_read.wait(PATIENCE)
            elif readers.count(reader) == 2:
                about_to_read.set()
                next_begun.wait(PATIENCE)
                try:
                    return read(number, most)
                finally:
                    has_read.set()
            return read(number, most)

        with mock.patch("os.read", late):
            closed = Process(engine_that("say('a line of the first'); hear()"))
            self.assertEqual(closed.receive(PATIENCE), "a line of the first")
            self.assertTrue(about_to_read.wait(PATIENCE))
            closed.kill()
            following = Process(engine_that("say('a line of the second')"))
            next_begun.set()
            self.assertEqual(following.receive(PATIENCE), "a line of the second")
            following.kill()
