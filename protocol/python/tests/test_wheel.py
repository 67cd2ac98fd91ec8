"""The wheel as a file. README.md's words for installing it are tested with README.md."""

from __future__ import annotations

import tempfile
import unittest
import zipfile
from pathlib import Path

import build_wheel
import gyre

from . import PACKAGE

class TestWheel(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_every_module_is_in_it(self) -> None:
        wheel = self.made(b"program")
        with zipfile.ZipFile(wheel) as files:
            self.assertIsNone(files.testzip())
            names = set(files.namelist())
            wanted = {f"gyre/{path.name}" for path in (PACKAGE / "gyre").glob("*.py")} | {"gyre/py.typed", "gyre/bin/gyre"}
            self.assertLess(wanted, names)
            self.assertEqual(files.getinfo("gyre/bin/gyre").external_attr >> 16 & 0o777, 0o755)
            record = next(name for name in names if name.endswith("/RECORD"))
            self.assertEqual({line.split(",")[0] for line in files.read(record).decode().splitlines()}, names)

    def test_replaces_nothing(self) -> None:
        wheel = self.made(b"one")
        before = wheel.read_bytes()
        self.made(b"one")
        with self.assertRaisesRegex(build_wheel.BuildError, "move it away first"):
            self.made(b"other")
        self.assertEqual(wheel.read_bytes(), before)
        self.assertEqual(list(self.folder.iterdir()), [wheel])

    def made(self, program: bytes) -> Path:
        """A wheel with something else in the engine's place."""
        path = self.folder / "gyre.whl"
        about = build_wheel.project()
        files = build_wheel.contents(about, "any", program, "")
        build_wheel.write(path, files, f"{about['name']}-{about['version']}.dist-info")
        return path

    def test_unknown_platform(self) -> None:
        with self.assertRaisesRegex(build_wheel.BuildError, "plan9/amd64: no platform"):
            build_wheel.make(self.folder, "plan9", "amd64")

    def test_version(self) -> None:
        """The version comes from the tag alone."""
        for described, version in (
            ("v1.2.3-0-g0123456789ab", "1.2.3"),
            ("v1.2.3-rc.1-0-g0123456789ab", "1.2.3rc1"),
            ("v1.2.3-7-g0123456789ab", "1.2.3.post7.dev0+g0123456789ab"),
            ("", "0.dev0"),
            ("v1-x-0-g01", "0.dev0"),
        ):
            self.assertEqual(build_wheel.version(described), version)
        self.assertIn(gyre.__version__, ("devel", build_wheel.project()["version"]))
        with self.assertRaises(AttributeError):
            gyre.nothing
