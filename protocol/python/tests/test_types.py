"""Types: all that is public has them, and they hold."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import pkgutil
import re
import subprocess
import sys
import tempfile
import unittest

import gyre

from . import PACKAGE


class TestTypes(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_strict(self) -> None:
        """mypy --strict accepts the package and its build script."""
        with tempfile.TemporaryDirectory() as cache:
            words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "gyre", "build_wheel.py"]
            done = subprocess.run(words, cwd=PACKAGE, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_public_functions(self) -> None:
        """Every function and method has annotations, and public ones have docstrings."""
        for found in pkgutil.iter_modules(gyre.__path__, "gyre."):
            if found.name == "gyre.samplearrays" and not importlib.util.find_spec("numpy"):
                continue
            module = importlib.import_module(found.name)
            self.assertTrue(module.__doc__, found.name)
            for name, thing in vars(module).items():
                if getattr(thing, "__module__", "") != found.name or name.startswith("_"):
                    continue
                if inspect.isclass(thing) or inspect.isfunction(thing):
                    self.assertTrue(thing.__doc__, f"{found.name}.{name}")
                if inspect.isclass(thing):
                    for member, function in vars(thing).items():
                        self.annotated(function, f"{found.name}.{name}.{member}")
                elif inspect.isfunction(thing):
                    self.annotated(thing, f"{found.name}.{name}")

    def annotated(self, function: object, name: str) -> None:
        if not inspect.isfunction(function) or not function.__code__.co_filename.startswith(str(PACKAGE)):
            return  # made by a decorator
        given = function.__annotations__
        self.assertIn("return", given, name)
        wanted = set(inspect.signature(function).parameters) - {"self", "cls"}
        self.assertLessEqual(wanted, set(given), name)

    def test_directions(self) -> None:
        """Imports, those inside of functions included, point down the list in the package's
        docstring, which names every module."""
        order = re.findall(r"^    (\w+)\.py ", gyre.__doc__ or "", re.M)
        modules = {path.stem for path in (PACKAGE / "gyre").glob("*.py")} - {"__init__", "__main__"}
        self.assertEqual(sorted(order), sorted(modules))
        for name in order:
            tree = ast.parse((PACKAGE / "gyre" / f"{name}.py").read_text())
            for node in ast.walk(tree):
                if isinstance(node, ast.Import):
                    self.assertFalse([alias.name for alias in node.names if alias.name.split(".")[0] == "gyre"], name)
                if not isinstance(node, ast.ImportFrom) or node.level == 0:
                    continue
                for other in [node.module] if node.module else [alias.name for alias in node.names]:
                    with self.subTest(f"{name} imports {other}"):
                        self.assertLess(order.index(name), order.index(other))

    def test_all_exists(self) -> None:
        for name in gyre.__all__:
            self.assertTrue(hasattr(gyre, name), name)
        self.assertEqual(gyre.__all__, sorted(gyre.__all__, key=lambda name: (not name.isupper(), name)))
