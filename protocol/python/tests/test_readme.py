"""The examples of README.md, each run as a program of its own."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

from . import PACKAGE, REPOSITORY, built

README = (PACKAGE / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.M | re.S)


class TestReadme(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_programs(self) -> None:
        train = [block for block in blocks("sh") if "gyre-train" in block]
        self.assertEqual(len(train), 1)
        subprocess.run(train[0].replace("go run ./cmd/gyre-train", built("gyre-train", "GYRE_TRAIN")), shell=True, check=True, cwd=self.folder, stdout=subprocess.DEVNULL)
        programs = blocks("python")
        self.assertGreater(len(programs), 6)
        for program in programs:
            with self.subTest(program.splitlines()[0]):
                if "needs NumPy" in program and not has_numpy():
                    continue
                done = self.run_program(program)
                self.assertEqual(done.stderr, "")
                self.assertEqual(done.returncode, 0)
                self.assertTrue(done.stdout)

    def run_program(self, program: str) -> "subprocess.CompletedProcess[str]":
        env = os.environ | {"PYTHONPATH": str(PACKAGE)}
        return subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=self.folder, env=env, capture_output=True, text=True)

    @unittest.skipUnless(shutil.which("go") and os.name != "nt", "Go is not installed")
    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "venv makes no pip")
    def test_install(self) -> None:
        """The words for installing, in a copy of the repository, and a game there."""
        copy = self.folder / "copy"
        shutil.copytree(REPOSITORY, copy, ignore=shutil.ignore_patterns(".git", "node_modules", "testdata", "*.whl"))
        env = {name: value for name, value in os.environ.items() if name not in ("GYRE", "PYTHONPATH")}
        words = blocks("sh")[0].replace("python3 ", sys.executable + " ")
        subprocess.run(["sh", "-ec", words], cwd=copy, env=env, check=True, stdout=subprocess.DEVNULL)
        installed, python = copy / "env", str(copy / "env/bin/python")
        notebooks = copy / "protocol/python/examples"  # sources here would hide the installed package
        program = "import gyre\nprint(gyre.__file__, gyre.engine_path())\n" + blocks("python")[0]
        for command, said in (
            ([python, "-c", program], rf"^{installed}\S+ {installed}\S+\nResult\.\w+ \S+ [wb] [0-3]-[0-3]\n$"),
            ([str(installed / "bin/gyre"), "perft", "1"], "^perft 1 nodes 85 "),
            ([python, "-m", "gyre", "perft", "1"], "^perft 1 nodes 85 "),
            ([python, "-m", "pip", "--disable-pip-version-check", "show", "-f", "gyre"], "(?s)Version: .*License: MIT.*LICENSE.*py.typed"),
        ):
            with self.subTest(command[1]):
                done = subprocess.run(command, cwd=notebooks, env=env, capture_output=True, text=True)
                self.assertEqual(done.stderr, "")
                self.assertRegex(done.stdout, said)

    def test_names_are_there(self) -> None:
        """Every name in the text exists."""
        import gyre
        import gyre.observation
        import gyre.symmetry

        for module, name in re.findall(r"`gyre\.(observation|symmetry)\.(\w+)`", README):
            self.assertTrue(hasattr(getattr(gyre, module), name), name)
        stages = re.findall(r"^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|", README, re.M)
        named = {name.strip("` ") for cell in stages for name in cell.split(",")}
        self.assertEqual(named, {stage.name for stage in gyre.Stage} - {"COMPLETE"})
        for name in re.findall(r"`(Engine\w*Error)`", README):
            self.assertTrue(hasattr(gyre, name), name)


class TestNotebook(unittest.TestCase):
    def test_cells(self) -> None:
        """The cells of the example run in order, and the pictures are valid SVG."""
        notebook = json.loads((PACKAGE / "examples/game.ipynb").read_text("utf-8"))
        names: dict[str, object] = {}
        pictures, printed = 0, io.StringIO()
        before = os.getcwd()
        os.chdir(PACKAGE / "examples")
        self.addCleanup(os.chdir, before)
        with contextlib.redirect_stdout(printed):
            for cell in notebook["cells"]:
                if cell["cell_type"] != "code":
                    continue
                self.assertEqual(cell["outputs"], [])
                parsed = ast.parse("".join(cell["source"]))
                last = parsed.body.pop() if isinstance(parsed.body[-1], ast.Expr) else None
                exec(compile(parsed, cell["id"], "exec"), names)
                if isinstance(last, ast.Expr):
                    shown = eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)
                    if hasattr(shown, "_repr_svg_"):
                        xml.etree.ElementTree.fromstring(shown._repr_svg_())
                        pictures += 1
        self.assertEqual(pictures, 2)
        self.assertRegex(printed.getvalue(), r"^Turn \d+, \S+, cost \d+%. Better was \S+\.\n$")


def has_numpy() -> bool:
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True
