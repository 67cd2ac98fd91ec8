"""The engine's process."""

from __future__ import annotations

import os
import threading
import unittest
from unittest import mock

from gyre.process import Process

from . import PATIENCE, engine_that


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
