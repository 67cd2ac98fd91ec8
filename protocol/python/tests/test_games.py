"""Games with variations, records, SGF files and pictures."""

from __future__ import annotations

import cmath
import copy
import json
import math
import pickle
import random
import re
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path
from typing import Iterator

from gyre import BLACK, POINTS, WHITE, Engine, EngineError, Game, GameError, Node, Position, Result, load_games, read_games, svg

from . import REPOSITORY

RECORDS = REPOSITORY / "position/record/testdata/records.txt"
ODD = REPOSITORY / "position/sgf/testdata/odd"
BOARDSPACE = sorted((REPOSITORY / "position/sgf/testdata").glob("*.sgf"))


def random_game(engine: Engine, chance: random.Random, rules: str = "standard", most: int = 1000) -> Game:
    """A game of random turns."""
    game = Game(Position(rules=rules))
    node: Node = game
    state = engine.state(game.position)
    while not state.over and most > 0:
        node = node.add(chance.choice(state.turns))
        state = engine.state(state.position, [node.turn or ""])
        most -= 1
    game.close()
    if state.over:
        game.score = state.position.removed
    return game


def contents(node: Node) -> Iterator[object]:
    """Everything that a tree holds."""
    for node in node.nodes():
        yield node.turn, node.position, node.comment, node.arrows, node.clock, node.data, len(node.variations)


class TestGames(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.engine = Engine(options={"Hash": 1})

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.close()

    def test_positions_follow_the_engine(self) -> None:
        """The position after each turn of random games is the engine's."""
        for seed in range(8):
            game = random_game(self.engine, random.Random(seed), ("standard", "blitz")[seed % 2])
            before = game.position
            for node in game.mainline():
                before = self.engine.after(before, [node.turn or ""])
                self.assertEqual(node.position, before)
            self.assertEqual(game.result, self.engine.result(game.position, game.end().turns()))
            game.check(self.engine)

    def test_variations(self) -> None:
        game = Game(tags={"White": "Anna"})
        end = game.add_line("f6 g7 e4")
        self.assertEqual([str(node.turn) for node in game.mainline()], ["f6", "g7", "e4"])
        other = end.parent.add("d5", "or here") if end.parent else end
        self.assertIs(other.parent, end.parent)
        self.assertIs(game.add("f6"), game.next)
        self.assertEqual(other.turns(), ["f6", "g7", "d5"])
        self.assertIs(game.end(), end)
        other.promote()
        self.assertIs(game.end(), other)
        end.remove()
        self.assertEqual(len(list(game.nodes())), 4)
        with self.assertRaises(ValueError):
            game.remove()
        with self.assertRaisesRegex(ValueError, "not a turn"):
            game.add("z9")

    def test_check(self) -> None:
        game = Game()
        game.add_line(["f6", "g7"])
        game.add("a2").add("a2")
        with self.assertRaisesRegex(EngineError, "turn 2: a2 is not vacant"):
            game.check(self.engine)

    def test_random_trees(self) -> None:
        """A tree with everything in it is the same after writing and reading it, in both
        formats."""
        for seed in range(12):
            chance = random.Random(seed)
            game = random_game(self.engine, chance, ("standard", "blitz")[seed % 2], chance.choice([5, 30, 1000]))
            game.tags |= {"White": 'A "B" \\ C]', "Black": "黒", "Date": "2026.03.13", "Event": "x", "Odd_1": "[;] } {"}
            for node in list(game.nodes()):
                if chance.random() < 0.2:
                    legal = self.engine.legal_turns(game.position, node.turns())
                    for turn in chance.sample(legal, min(2, len(legal))):
                        node.add(turn)
            for node in game.nodes():
                if chance.random() < 0.3:
                    node.comment = chance.choice(["plain", "two\nlines", "a ] and } and \\", "é" * 90])
                    node.arrows = [(chance.choice(POINTS), chance.choice(POINTS)), ("f6", "f6")]
                    node.arrows.sort(key=lambda pair: pair[0] == pair[1])
                    node.clock = (chance.randrange(9999) / 10, 0.5)
                    node.data = {"score": {"cp": chance.randrange(-99, 99)}}
            if game.score is None:
                game.award(chance.choice([Result.WHITE_WINS, Result.DRAW]), "resignation")
            for text in (game.record(), game.sgf()):
                (again,) = read_games(text)
                self.assertEqual(list(contents(again)), list(contents(game)))
                self.assertEqual((again.tags, again.score), (game.tags, game.score))
                again.check(self.engine)
                self.assertEqual(again.record() if text.startswith("[") else again.sgf(), text)

    def test_records_of_gyre(self) -> None:
        """The records that Gyre's own tests write are read, and written byte for byte."""
        games = load_games(RECORDS)
        self.assertGreater(len(games), 4)
        for game in games:
            game.check(self.engine)
        self.assertEqual("".join(game.record() for game in games), RECORDS.read_text("utf-8"))

    def test_boardspace(self) -> None:
        """The games of boardspace.net, whose turns have to be found among mouse actions."""
        self.assertEqual(len(BOARDSPACE), 5)
        for path in BOARDSPACE:
            with self.subTest(path.name):
                (game,) = load_games(path)
                game.check(self.engine)
                self.assertIsNot(game.result, Result.NONE)
                self.assertEqual(game.tags["Date"][:5], "2026.")
                self.assertEqual(set(path.stem.split("-")[1:3]), {game.tags["White"], game.tags["Black"]})
                (again,) = read_games(game.sgf())
                self.assertEqual(list(contents(again)), list(contents(game)))
                (again,) = read_games(game.record())
                self.assertEqual((list(contents(again)), again.tags, again.score), (list(contents(game)), game.tags, game.score))

    def test_odd_files(self) -> None:
        """Files as other programs write and damage them are read as far as they are whole."""
        lines = [line.split() for line in (ODD / "expected.txt").read_text("utf-8").splitlines() if line and line[0] != "#"]
        self.assertEqual({line[0] for line in lines}, {path.name for path in ODD.glob("*.sgf")})
        for name, *expected in lines:
            with self.subTest(name):
                if expected[0].startswith("error="):
                    with self.assertRaises(GameError) as caught:
                        load_games(ODD / name)
                    self.assertEqual(f"error={caught.exception.line}", expected[0])
                    continue
                games = load_games(ODD / name)
                for game in games:
                    assert game.score is not None
                    turns, (white, black) = len(list(game.mainline())), game.score
                    lines = ",".join(warning.split()[1].rstrip(":") for warning in game.warnings)
                    found = f"turns={turns} result={white}-{black} games={len(games)} skipped={lines}"
                    self.assertEqual(found, " ".join(expected))

    def test_texts(self) -> None:
        """The texts over which other readers of SGF stumbled."""
        for test in json.loads((ODD.parent / "texts.json").read_text("utf-8")):
            with self.subTest(test["name"]):
                if test.get("error"):
                    self.assertRaises(GameError, read_games, test["text"])
                    continue
                (game,) = read_games(test["text"])
                line = [game, *game.mainline()]
                self.assertEqual(" ".join(node.turn or "" for node in line[1:]), test["turns"])
                self.assertEqual(len(game.warnings), test.get("warnings", 0))
                self.assertEqual(game.tags, test.get("tags", game.tags))
                if test.get("unfinished"):
                    self.assertIsNone(game.score)
                self.assertEqual({str(i): node.comment for i, node in enumerate(line) if node.comment}, test.get("comments", {}))
                arrows = {str(i): " ".join(map("".join, node.arrows)) for i, node in enumerate(line) if node.arrows}
                self.assertEqual(arrows, test.get("arrows", {}))
                self.assertEqual(sum(len(node.variations[1:]) for node in line), test.get("others", 0))
                (again,) = read_games(game.sgf())
                self.assertEqual((list(contents(again)), again.tags), (list(contents(game)), game.tags))

    def test_forms(self) -> None:
        """The first record of each text is read as Gyre's own reader reads it."""
        for test in json.loads((RECORDS.parent / "forms.json").read_text("utf-8")):
            with self.subTest(test["name"]):
                if test.get("line"):
                    with self.assertRaises(GameError) as caught:
                        read_games(test["text"])
                    self.assertEqual((caught.exception.line, caught.exception.turn), (test["line"], test.get("turn", 0)))
                    self.assertIn(test.get("code", ""), caught.exception.reason)
                    continue
                game = read_games(test["text"])[0]
                self.assertEqual(" ".join(node.turn or "" for node in game.mainline()), test["turns"])
                self.assertEqual(game.tags, game.tags | test.get("tags", {}))

    def test_copies(self) -> None:
        """A game of any length is pickled and copied with its variations, and so is a node."""
        game = Game(tags={"White": "Anna"})
        node: Node = game
        for i in range(3000):
            node.comment = str(i)
            node = node.add(POINTS[i % 85])
            node.parent.add(POINTS[(i + 1) % 85])  # type: ignore[union-attr]
        for copied in (pickle.loads(pickle.dumps([game, node])), copy.deepcopy([game, node])):
            self.assertEqual(list(contents(copied[0])), list(contents(game)))
            self.assertEqual((type(copied[0]), copied[0].tags, copied[0].score), (Game, game.tags, None))
            self.assertIs(copied[0].end(), copied[1])
            self.assertEqual(copied[1].turns(), node.turns())
            self.assertIsNot(copied[0].next, game.next)
        for _ in range(2000):
            node = node.add("f6")
            assert node.parent is not None
            node.parent.add("g7")
            node = node.parent.variations[1]
        with self.assertRaises(GameError):
            game.record()

    def test_visible_names(self) -> None:
        """A name has no character that nobody sees: it could change the direction of the text around it."""
        for what, name, want in json.loads((REPOSITORY / "position/plaintext/testdata/invisible.json").read_text("utf-8")):
            record, tree = f'[White "{name}"]\n\n1.f6 *\n', f'(;GM[24]VV[2]SU[Yinsh]P0[id "{name}"]P1[id "B"];P0[1 place wr F 6])'
            for form, text in (("record", record), ("SGF", tree)):
                with self.subTest(what, form=form):
                    (game,) = read_games(text)
                    self.assertEqual(game.tags["White"], want)

    def test_warnings(self) -> None:
        """What is not SGF is skipped, and a warning names its line."""
        for text, lines in (
            ("(;SU[Yinsh]P0[1 place wr F 6])", []),
            ("x\ny (;SU[Yinsh]P0[1 place wr F 6])", [1]),
            ("(;SU[Yinsh]P0[1 place wr F 6])\n;\n", [2]),
            ("(;SU[Yinsh]P0[1 place wr F 6]", [1]),
            ("(;SU[Yinsh]\nC\n;P0[1 place wr F 6])", [2]),
            ("(;su[Yinsh];\n[x]P0[1 place wr F 6])\x1a\0", [2]),
            ("(;SU[Yinsh]P0[1 place wr F 6]\nC[x", [2, 2]),
        ):
            with self.subTest(text):
                (game,) = read_games(text)
                self.assertEqual([node.turn for node in game.mainline()], ["f6"])
                self.assertEqual([int(re.findall("[0-9]+", warning)[0]) for warning in game.warnings], lines)

    def test_encodings(self) -> None:
        """A name is read from each encoding, with and without its name in the file."""
        for encoding, named, name in (
            ("utf-8", "", "Zoë"), ("utf-8-sig", "", "Zoë"), ("utf-8", "CA[UTF-8]", "Łukasz"), ("utf-8", "CA[ISO-8859-1]", "Łukasz"),
            ("latin-1", "CA[ISO-8859-1]", "Zoë"), ("cp1252", "", "Zoë €"), ("cp1252", "CA[UTF-8]", "Zoë"), ("iso8859-2", "CA[ISO-8859-2]", "Łukasz"),
            ("cp1252", "CA[nonsense]", "Zoë"), ("cp1252", "CA[\0]", "Zoë"), ("cp1252", "CA[UTF-16]", "Zoë"), ("cp1252", "CA[rot13]", "Zoë"),
            ("cp1252", "CA[unicode_escape]", "Zoë +AEE-"), ("cp1252", "CA[utf-7]", "Zoë +AEE-"), ("cp1251", "CA[Windows-1251]", "Иван"),
            ("koi8-r", "CA[KOI8-R]", "Иван"), ("gb18030", "CA[GB18030]", "张三"), ("shift_jis", "CA[Shift_JIS]", "表示"), ("euc-jp", "CA[EUC-JP]", "田中"),
        ):
            with self.subTest(encoding=encoding, named=named), tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "game.sgf")
                path.write_bytes(f"(;{named}SU[Yinsh]P0[id \"{name}\"]; P0[1 place wr F 6]\n)".encode(encoding))
                (game,) = load_games(path)
                self.assertEqual(game.tags["White"], name)
                path.write_bytes(f'[White "{name}"]\n[Result "*"]\n\n1.f6 *\n'.encode("utf-8-sig" if "utf" in encoding else "cp1252", "replace"))
                (game,) = load_games(path)
                self.assertEqual(game.tags["White"], name if "utf" in encoding else name.encode("cp1252", "replace").decode("cp1252"))
        for data in (b"\xff\xfe(\0;\0", b"\xfe\xff\0(\0;", b"\xff\xfe\0\0(\0\0\0", b"\x1f\x8b\x08\0"):
            with self.subTest(data=data), tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "game.sgf")
                path.write_bytes(data)
                with self.assertRaises(GameError) as caught:
                    load_games(path)
                self.assertEqual(caught.exception.file, str(path))

    def test_comments_belong_to_their_turn(self) -> None:
        """A comment on any node of a turn belongs to that turn, and one on a node without an
        action to the turn before it."""
        (game,) = load_games(ODD / "40-comments.sgf")
        comments = {number: node.comment for number, node in enumerate(game.mainline(), 1) if node.comment not in ("", "None")}
        self.assertEqual(comments, {11: "MARKER NODE\nDROP NODE\nDONE NODE\nOWN NODE BEFORE BLACK"})

    def test_over(self) -> None:
        """The board shows whether a game is over, and an SGF file gets that result."""
        ends = set()
        for seed in range(60):
            game = random_game(self.engine, random.Random(seed), ("standard", "standard", "blitz")[seed % 3], 1000 if seed % 4 else 70)
            for node in game.mainline():
                self.assertEqual(node.position.over, not self.engine.legal_turns(game.position, node.turns()) if node is game.end() else False)
            end = game.end().position
            if end.over:
                ends.add(max(end.removed) >= end.winning_rings)
                (again,) = read_games(re.sub("GYREGAME\\[.*\\]|RE\\[.*\\]", "", game.sgf()))
                self.assertEqual(again.score, end.removed)
        self.assertEqual(ends, {False, True})

    def test_errors(self) -> None:
        for text, said in (
            ("", "line 1: no record found"),
            ("1.f6", "without a result"),
            ("[A \"1\"]\n[A \"2\"] *", "line 2: duplicate tag A"),
            ("[A 1] *", "line 1: a tag has the form"),
            ("f6 {", "line 1: the comment has no closing brace"),
            ("\n1.f6 3.g7 *", "line 2: '3.g7': expected the number of turn 2"),
            ("z9 *", "line 1: turn 1: 'z9' is not a turn"),
            ("f6 3-0", "Termination"),
            ("[Termination \"agreement\"] f6 3-3", "impossible"),
            ("[Result \"3-0\"]\nf6 *", "line 2: the result is"),
            ("[Rules \"chess\"] *", "rules"),
            ("[Tree \"[]\"] *", "tag Tree"),
            ("[Tree \"[{\\\"turn\\\":\\\"\\\",\\\"others\\\":[[]]}]\"] *", "no turns"),
            ("(;SU[Hive])", "'Hive', not of YINSH"),
            ("(;GM[1])", "SU, which names the game, is missing"),
            ("(;SU[Yinsh]\n;P0[1 place wr Z 9])", "line 2: turn 1: place: 'Z9' is not a point"),
            ("(;SU[Yinsh];P0[1 remove wr F 6])", "no row was removed"),
            ("(;SU[Yinsh];P0[1 move A 2 B 8])", "line 1: turn 1: move: "),
            ("(;SU[Yinsh]" + "(" * 1001, "are open"),
        ):
            with self.subTest(text[:40]), self.assertRaisesRegex(GameError, said):
                read_games(text)
        game = Game(tags={"A B": "x"})
        with self.assertRaisesRegex(GameError, "needs a name"):
            game.record()
        game = Game(tags={"A": "x\n"})
        with self.assertRaisesRegex(GameError, "control character"):
            game.record()

    def test_damaged(self) -> None:
        """Damaged files are read or rejected with a line, and never fail otherwise."""
        texts = [path.read_text("utf-8") for path in BOARDSPACE[:2]] + [RECORDS.read_text("utf-8")]
        for seed in range(400):
            chance = random.Random(seed)
            text = list(chance.choice(texts))
            for _ in range(chance.choice([1, 3, 30])):
                at = chance.randrange(len(text))
                match chance.randrange(4):
                    case 0:
                        del text[at : at + chance.choice([1, 5, 200])]
                    case 1:
                        text.insert(at, chance.choice("()[]{};\\\"x-1 \n\x00é"))
                    case 2:
                        text[at] = chance.choice("()[]{};\\\"abckW0123456789 \n")
                    case _:
                        text[at:at] = text[chance.randrange(len(text)) :][:100]
            try:
                for game in read_games("".join(text)):
                    game.sgf()
            except GameError as wrong:
                self.assertGreater(wrong.line, 0, wrong)

    def test_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            game = Game()
            game.add_line("f6 g7").comment = "é"
            game.add("a2")
            for name in ("game.txt", "game.sgf"):
                path = Path(folder, name)
                game.save(path)
                (again,) = load_games(path)
                self.assertEqual(list(contents(again)), list(contents(game)))
                with self.assertRaises(FileExistsError):
                    game.save(path)
            broken = Path(folder, "broken.txt")
            broken.write_text("1.f6\n2.f5 *")
            broken.write_text("\n1.f6 2.x *")
            with self.assertRaisesRegex(GameError, "broken.txt:2: turn 2: 'x' is not a turn"):
                load_games(broken)


CROWDED = Position("ww2/Bbw1wb1/1w2W2b/b1bwB1Bbb/1wwb1b1w1B/5bWww/2bww2b1b/2wwW1Wbb/b3ww2/1Wb3w/3B b 1-2")


_SVG = "{http://www.w3.org/2000/svg}"
_KEPT = ("fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap")


def _described(text: str) -> list[str]:
    """What a picture shows, without how it says so: its gradients, and each visible shape with
    the place and the style that result from its groups, symbols and style sheet. The plate's
    own color and the size of text may differ."""
    text = re.sub(r'(url\(#|id="|href="#)(?:gyre-[0-9a-f]{16}|g[0-9a-z]+)-', r"\1", text)  # each picture has ids of its own
    text = re.sub(r'class="g[0-9a-z]{8,}"|\.g[0-9a-z]{8,} ', "", text)
    root = xml.etree.ElementTree.fromstring(text)
    by_id = {element.get("id"): element for element in root.iter() if element.get("id")}
    sheet = "".join(element.text or "" for element in root.iter(_SVG + "style"))
    rules = []
    for selectors, declarations in re.findall(r"([^{}]+)\{([^}]*)\}", sheet):
        style = dict(re.findall(r"([\w-]+): ?([^;]+)", declarations))
        for selector in selectors.split(","):
            rules.append(([set(part.split(".")[1:]) for part in selector.split()], style))
    rules.sort(key=lambda rule: sum(map(len, rule[0])))  # by specificity, then in order
    found = []

    def place(transform: str, x: float, y: float) -> tuple[float, float]:
        for name, arguments in reversed(re.findall(r"(\w+)\(([^)]*)\)", transform)):
            a = [float(number) for number in re.findall(r"-?[\d.]+", arguments)]
            if name == "translate":
                x, y = x + a[0], y + a[1]
            elif name == "scale":
                x, y = a[0] * x, a[0] * y
            else:
                turn = complex(x, y) * cmath.rect(1, math.radians(a[0]))
                x, y = turn.real, turn.imag
        return x, y

    def value(name: str, text: str) -> str:
        text = re.sub(r"#(m|gyre)-", "#", re.sub(r"#(\w)(\w)(\w)$", r"#\1\1\2\2\3\3", text))
        return str(sum(map(float, re.findall(r"[\d.]+(?=px)|^[\d.]+$", text)))) if name == "stroke-width" else text

    def walk(element: xml.etree.ElementTree.Element, classes: list[set[str]], inherited: dict[str, str], transform: str) -> None:
        tag = element.tag.removeprefix(_SVG)
        classes = [*classes, set(element.get("class", "").split())]
        style = dict(inherited) | {name: element.get(name, "") for name in _KEPT if element.get(name)}
        own = element.get("transform", "") + element.get("style", "")
        for parts, declared in rules:
            # Each part but the last may match any ancestor.
            if parts and parts[-1] and parts[-1] <= classes[-1] and all(any(part <= outer for outer in classes[:-1]) for part in parts[:-1]):
                style |= declared
        transform += own + style.pop("transform", "")
        if tag in ("defs", "style", "title") or style.get("display") == "none":
            return
        if tag == "use":
            transform += f"translate({element.get('x', 0)} {element.get('y', 0)})"
            walk(by_id[element.get("href", "")[1:]], classes, style, transform)
        elif tag in ("svg", "g"):
            for child in element:
                walk(child, classes, style, transform)
        elif style.get("fill") != "none" or style.get("stroke", "none") != "none":
            if tag == "rect" and not element.get("transform"):
                return  # the plate
            numbers = [float(element.get(name, 0)) for name in {"circle": ("cx", "cy"), "line": ("x1", "y1", "x2", "y2")}.get(tag, ("x", "y"))]
            if tag in ("path", "polygon"):
                numbers = [float(number) for number in re.findall(r"-?[\d.]+", element.get("d") or element.get("points") or "")]
            points = [place(transform, x, y) for x, y in zip(numbers[::2], numbers[1::2])]
            size = [float(element.get(name, 0)) for name in ("r", "rx", "width", "height")]
            if "scale" in transform:
                size = [0.8 * number for number in size]
            where = " ".join(f"{round(x, 1) + 0:.1f},{round(y, 1) + 0:.1f}" for x, y in points)
            painted = {name: value(name, style[name]) for name in _KEPT if name in style and style[name] != "none"}
            if tag == "text" or "stroke" not in painted:
                painted = {"fill": painted.get("fill")}
            found.append(f"{'path' if tag == 'line' else tag} {where} {[round(number, 1) for number in size]} {element.text or ''} {painted}")

    walk(root, [], {}, "")
    for name, element in by_id.items():
        if "Gradient" in element.tag and name and not name.endswith("plate"):
            stops = [(float(stop.get("offset", 0)), stop.get("stop-color"), float(stop.get("stop-opacity", 1))) for stop in element]
            found.append(f"{value('', '#' + name)} {stops}")
    return sorted(found)


class TestSVG(unittest.TestCase):
    def shapes(self, text: str, name: str) -> list[xml.etree.ElementTree.Element]:
        return list(xml.etree.ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}" + name))

    def test_pieces(self) -> None:
        """A picture holds each piece at its point, and the removed rings."""
        text = CROWDED._repr_svg_()
        used = [element.get("href") for element in self.shapes(text, "use")]
        own = used[0].rsplit("-", 2)[0]
        for side, name in ((WHITE, "white"), (BLACK, "black")):
            self.assertEqual(used.count(f"{own}-{name}-marker"), len(CROWDED.points(side.marker)))
            self.assertEqual(used.count(f"{own}-{name}-ring"), len(CROWDED.points(side.ring)) + CROWDED.removed[side])
        (center,) = [element for element in self.shapes(svg.board(Position().after("f6")), "use")]
        self.assertEqual((center.get("x"), center.get("y")), ("0.00", "-0.00"))

    def test_together(self) -> None:
        """Pictures in one page share no ids, equal ones included, and each uses only its own."""
        pictures = [svg.board(CROWDED), svg.board(CROWDED, turned=True), svg.board(Position()), svg.board(Position(rules="blitz"))]
        pictures += [svg.board(CROWDED), CROWDED._repr_svg_(), svg.board(CROWDED, name="a"), svg.board(CROWDED, name="B_2-")]
        names = [name for text in pictures for name in re.findall(r' id="([^"]*)"', text)]
        self.assertEqual(len(set(names)), len(names))
        for text in pictures:
            self.assertEqual(set(re.findall(r'(?:url\(|href=")#([^")]*)', text)) - set(re.findall(r' id="([^"]*)"', text)), set())
        self.assertEqual(svg.board(CROWDED, name="a"), pictures[-2])

    def test_options(self) -> None:
        plain = svg.board(CROWDED)
        self.assertEqual(len(self.shapes(plain, "text")), 22)
        self.assertEqual(len(self.shapes(svg.board(CROWDED, coordinates=False), "text")), 0)
        self.assertEqual(self.shapes(svg.board(CROWDED, size=123), "svg")[0].get("width"), "123")
        drawn = svg.board(CROWDED, arrows=["e4-e6;xb3-b7xb2", ("f6", "g7"), svg.Arrow("a2", "a5", "red", "<1>")], last="d5-d7")
        self.assertEqual(len(self.shapes(drawn, "path")), len(self.shapes(plain, "path")) + 6)
        self.assertIn("<1>", [text.text for text in self.shapes(drawn, "text")])
        self.assertEqual(svg.board(CROWDED, turned=True).count("rotate(180"), 1 + 4 + 22)
        node = Game().add("f6")
        node.arrows = [("f6", "g7")]
        self.assertIn("#ffb52e", node._repr_svg_())

    def test_agrees(self) -> None:
        """The picture has the geometry and the colors of the board for web pages."""
        theirs = _described((REPOSITORY / "cmd/gyre-board/testdata/board.svg").read_text())
        arrows = [svg.Arrow(name, name, "yellow") for name in POINTS]
        for color in ("green", "blue", "red"):
            arrows += svg.arrows_of("f6-f9;xb2-b6xd5", color, "1")
        self.assertEqual(_described(svg.board(CROWDED, arrows=arrows, last="e4-e7;xc3-g7xd5")), theirs)

    def test_rejects(self) -> None:
        for wrong in ({"arrows": ["x"]}, {"arrows": [("f6", "f12")]}, {"last": "f6-g8"}, {"size": 0}, {"name": "a b"}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                svg.board(CROWDED, **wrong)  # type: ignore[arg-type]
        with self.assertRaisesRegex(ValueError, "color"):
            svg.Arrow("f6", "g7", "pink")  # type: ignore[arg-type]
