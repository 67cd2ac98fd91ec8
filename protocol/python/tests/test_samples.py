"""Files of samples, and their checksum."""

from __future__ import annotations

import subprocess
import tempfile
import unittest
from pathlib import Path

from gyre import Engine, Position
from gyre.samples import Sample, Samples, decode, xxh3

from . import built

#: Checksums by number of bytes, byte i being i*7 + i/256, from github.com/zeebo/xxh3.
CHECKSUMS = {
    0: 0x2D06800538D394C2,
    1: 0xC44BDFF4074EECDB,
    2: 0x9093381C8763D62E,
    3: 0xC3489259E968AD9E,
    4: 0xD3D60C1519014E89,
    8: 0xB88DEE77F6BF6980,
    9: 0x03688DCAD730D826,
    16: 0x9DA23836ADF2BE1E,
    17: 0xF34C3C9CF5A112D1,
    32: 0x99CB9AD0F1A11FBE,
    33: 0xC077B45492D29CDE,
    42: 0xAA020CD1560AE382,
    64: 0x6EFB76FF16F37561,
    65: 0x2640848E9137156B,
    76: 0xC32117B4893C8616,
    96: 0x764D2D5DB92942DF,
    97: 0x077ACB7E5F4FD940,
    110: 0xBF2B71842527A82A,
    128: 0x65F3C2C00FA93185,
    129: 0x28065C6EC25F5B25,
    144: 0x600E8D345FF9620D,
    160: 0xCC592DA68FEA2254,
    178: 0xCD99033C43F15548,
    240: 0x4917A75C0EF8EED7,
    241: 0x541B19226F0052E8,
    256: 0xFF5A1CEFADE75BB9,
    512: 0xE0410EB388A9C9FA,
    1024: 0x71BEE625238ADDB4,
    1025: 0xD9B414F4E1BBF7AD,
    1088: 0xB74E423E955E509D,
    2048: 0x3293E8238BD8F743,
    3409: 0x0D366C0DD654ECEC,
    5000: 0xED0146266D138BD8,
}


class TestChecksum(unittest.TestCase):
    def test_lengths(self) -> None:
        text = bytes((i * 7 + i // 256) & 255 for i in range(5000))
        for length, wanted in CHECKSUMS.items():
            self.assertEqual(xxh3(text[:length]), wanted, length)


def listed(path: Path) -> list[Sample]:
    """The samples that gyre-train reads in a file."""
    done = subprocess.run([built("gyre-train", "GYRE_TRAIN"), "list", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    samples = []
    for line in done.stdout.splitlines():
        game, ply, score, result, rules, fen = line.split("\t")
        samples.append(Sample(Position(fen, rules), int(score), int(result), int(ply), int(game)))
    return samples


class TestSamples(unittest.TestCase):
    folder: "tempfile.TemporaryDirectory[str]"

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.paths = [Path(cls.folder.name, rules) for rules in ("standard", "blitz")]
        for path in cls.paths:
            words = f"generate -o {path} -games 4 -nodes 40 -seed 7 -rules {path.name} -progress none"
            subprocess.run([built("gyre-train", "GYRE_TRAIN"), *words.split()], check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def test_equal_to_gyre_train(self) -> None:
        for path in self.paths:
            with Samples(path) as samples, self.subTest(path.name):
                wanted = listed(path)
                self.assertGreater(len(wanted), 50)
                self.assertEqual(list(samples), wanted)
                self.assertEqual((len(samples), samples.games, samples.damages), (len(wanted), 4, []))
                self.assertEqual((samples.about["rules"], samples.about["seed"]), (path.name, "7"))
                games = [{wanted[i].game for i in samples.game(game)} for game in range(4)]
                self.assertEqual([len(game) for game in games], [1] * 4)

    def test_arrays(self) -> None:
        try:
            import numpy
        except ImportError:
            self.skipTest("there is no NumPy")
        for path in self.paths:
            with Samples(path) as samples:
                arrays, wanted = samples.arrays(), list(samples)
                self.assertEqual(arrays.pieces.shape, (len(wanted), 85))
                self.assertEqual([bytes(row) for row in arrays.pieces], [sample.position.pieces for sample in wanted])
                self.assertEqual(arrays.side.tolist(), [sample.position.side for sample in wanted])
                self.assertEqual(arrays.removed.tolist(), [list(sample.position.removed) for sample in wanted])
                self.assertEqual(set(arrays.rules.tolist()), {int(path.name == "blitz")})
                for name in ("score", "result", "ply", "game"):
                    self.assertEqual(getattr(arrays, name).tolist(), [getattr(sample, name) for sample in wanted])
                self.assertEqual(arrays.score.dtype, numpy.int16)
                part = samples.arrays(slice(1, 3))
                self.assertEqual(part.game.tolist(), [wanted[i].game for game in (1, 2) for i in samples.game(game)])

    def test_positions_are_legal(self) -> None:
        with Samples(self.paths[0]) as samples, Engine() as engine:
            for sample in list(samples)[::20]:
                self.assertFalse(engine.state(sample.position).over)

    def test_damage(self) -> None:
        """The client and gyre-train read the same from a damaged file and report the same damage."""
        whole = self.paths[0].read_bytes()
        marks = [i for i in range(len(whole)) if whole.startswith(b"\xf6GmB", i)]
        changed = bytearray(whole)
        changed[marks[1] + 40] ^= 1
        for name, content in (
            ("cut", whole[:-5]),
            ("cut in a head", whole[: marks[3] + 7]),
            ("changed", bytes(changed)),
            ("torn", whole[: marks[0] + 100] + whole[marks[1] :]),
            ("foreign bytes", whole[: marks[1]] + b"\xf6GmB" * 20 + whole[marks[1] :]),
            ("no game", whole[: marks[0]]),
        ):
            path = Path(self.folder.name, "damaged")
            path.write_bytes(content)
            with self.subTest(name), Samples(path) as samples:
                self.assertEqual(list(samples), listed(path))
                done = subprocess.run([built("gyre-train", "GYRE_TRAIN"), "inspect", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                fields = [line.strip() for line in done.stdout.splitlines() if line.strip().startswith("damaged")]
                ours = [f"damaged from byte {d.offset} to {d.offset + d.length}: {d.reason}" for d in samples.damages]
                self.assertEqual(ours, fields)
                self.assertEqual(bool(ours), name != "no game")

    def test_rejects(self) -> None:
        whole = self.paths[0].read_bytes()
        for content, said in (
            (b"", "ends within its header"),
            (b"hello, this is no file of samples", "not a file of samples"),
            (whole[:9], "ends within its header"),
            (whole[:60], "ends within its header"),
            (whole.replace(b"samples 1", b"samples 2", 1), "format '2'"),
            (whole[:40] + b"?" + whole[41:], "checksum is wrong"),
            (whole[:15] + b"\xff" * 4 + whole[19:], "would have 4294967295 bytes"),
        ):
            path = Path(self.folder.name, "rejected")
            path.write_bytes(content)
            with self.subTest(said), self.assertRaisesRegex(ValueError, f"rejected: .*{said}"):
                Samples(path)
        with self.assertRaises(FileNotFoundError):
            Samples(self.folder.name + "/missing")
        for record in (bytes(33), b"\xff" * 34):
            with self.assertRaises(ValueError):
                decode(record)
