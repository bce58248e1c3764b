"""Files that nobody would write: each is refused in words, or gives correct pages.

Seeded, so that a fault can be looked for again: its number is the seed. Of the pages of a file one
is read, which is slow. `make check-all` tries ten times as many files.
"""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import html as lxml_html

from derivations.decimals import Undecided
from derivations.example import build, load
from derivations.faults import ExampleError
from derivations.pages.worked import work_out
from derivations.render.mathml import fill
from tests.browser import EVERYTHING
from tests.reader import read_page, truth_from_exact
from tests.sites import EXAMPLES, KINDS, LESSON, ROOT, converter, files_of

FILES = 100_000 if EVERYTHING else 10_000
PAGES = 5_000 if EVERYTHING else 500
PARTS = 10  # of each, tested one by one
SOURCES = [path.read_bytes() for path in sorted([LESSON, *EXAMPLES.iterdir(), *KINDS.iterdir(),
                                                 *(ROOT / "tests" / "cases").iterdir()])]
PIECES = [
    b"[", b"]", b"{", b"}", b"\"", b"'", b",", b"=", b"\n", b"\r\n", b"\0", b"\xff",
    b"\xef\xbb\xbf", b"nan", b"inf", b"1e400", b"-1e-400", b"0x1F", b"1_000", b"9" * 50,
    b"1/0", b"true", b"null", b"[[heads]]", b"[published]", b"x = [[1]]", b"tokens",
    b"\\ud800", b"\xed\xa0\x80", b"#", b"\"\"\"", b"2020-01-01", b"...", b"-",
    b"mask = \"causal\"", b"[" * 200, b" " * 300,
]
VALUES: list[object] = [
    None, True, False, 0, -1, 3, 10**60, 1.5, float("nan"), float("inf"), "", "1/2", "1/0",
    "nan", "0.1.2", "x" * 400, "\ud800", "\0", [], [[]], [[1]], [[1, 2], [3]], [["a"]],
    [[None]], {}, {"a": 1}, [{}], [{"w_q": [[1]]}], "causal", "none", "sqrt_dk", ["a"],
    ["a", "a"], [1], [[True]],
]
TOKENS = [
    "<script>alert(1)</script>", "<|endoftext|>", "a|b", "$5", "50%", "_x", "x_", "\n",
    "`y`", "{{ z }}", "{% if %}", "--8<--", "😀", "👨‍👩‍👧", "שלום", "مرحبا", "猫", "a" * 300,
    "&amp;", "&lt;", "</article>", "<!--", "-->", "]]>", "*b*", "**b**", "# h", "1. one",
    "- item", "| a | b |", "[l](x)", "![i](x)", "<b>", "\\frac", "\\(", "$$", "\\", "\"",
    "'", "~~~", "```", "    code", "{: #id }", "{#id}", "http://x.example", "e\u0301",
    "\u202e", "a\tb", "::: x", "!!! note", "???", "== m ==", "^[n]", "[^1]", "<bdi>",
    "${x}", "a b", "·", "0", "-1", "=",
]
IDS = re.compile(r"([a-z_-]+|head[-_]?\d+(-weights)?)(-[rc]\d+(c\d+)?)?"
                 r"|(h\d+-)?(r\d+(c\d+)?|matrix-[a-z]+)|h\d+"
                 r"|(table|equation|blank|answer|begin)-\d+")


def loaded(path: Path) -> None:
    """Loads a file: an example, or an error whose every line names the file and says something."""
    try:
        load(path)
    except ExampleError as error:
        assert error.faults
        for line in str(error).splitlines():
            assert re.fullmatch(re.escape(path.name) + r": .+: .+", line), line
            assert line.isprintable(), line


def bent(draw: random.Random) -> bytes:
    """A file that somebody wrote, with some pieces of it changed."""
    found = bytearray(draw.choice(SOURCES))
    for _ in range(draw.randint(1, 4)):
        at, piece = draw.randrange(len(found) + 1), draw.choice(PIECES)
        end = at + draw.choice((0, 0, 1, 2, 10, 100))
        found[at:end] = piece if draw.random() < 0.8 else b""
    return bytes(found)


def strange(draw: random.Random) -> bytes:
    """JSON with known keys and values of any kind."""
    data = json.loads(json.dumps(draw.choice(GOOD)))
    for _ in range(draw.randint(1, 3)):
        data[draw.choice(KEYS)] = draw.choice(VALUES)
    return json.dumps(data).encode()


GOOD = [json.loads(text) for text in SOURCES if text.startswith(b"{")]
KEYS = sorted({key for data in GOOD for key in data} | {"sentence", "context_x", "context_tokens",
                                                        "cache_length", "b_o", "zzz", "w_q "})


@pytest.mark.parametrize("part", range(PARTS))
def test_any_file_is_read_or_refused_in_words(tmp_path: Path, part: int) -> None:
    for seed in range(part * FILES // PARTS, (part + 1) * FILES // PARTS):
        draw = random.Random(seed)
        make: Callable[[random.Random], bytes] = bent if draw.random() < 0.6 else strange
        path = tmp_path / f"f.{draw.choice(('toml', 'json')) if make is bent else 'json'}"
        path.write_bytes(make(draw))
        try:
            loaded(path)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {path.read_bytes()[:300]!r}") from error


def drawn(draw: random.Random) -> dict[str, object]:
    """An example of hostile tokens, of any kind and any small size."""
    def matrix(rows: int, cols: int) -> list[list[object]]:
        return [[draw.choice((-2, -1, 0, 0, 1, 1, 2, 7, "1/3", "-0.5", "0.125", "1e-6"))
                 for _ in range(cols)] for _ in range(rows)]

    def tokens(n: int) -> list[str]:
        return [draw.choice(TOKENS) if draw.random() < 0.8 else draw.choice(TOKENS)
                + draw.choice(TOKENS) for _ in range(n)]

    n, d, d_k, d_v = (draw.randint(1, 3) for _ in range(4))
    m, e = (draw.randint(1, 3), draw.randint(1, 3)) if draw.random() < 0.3 else (n, d)
    crosses = (m, e) != (n, d)
    found: dict[str, object] = {"tokens": tokens(n), "title": draw.choice(TOKENS),
                                "note": " ".join(tokens(3)), "places": draw.choice((1, 4, 9))}
    direct = draw.random() < 0.2

    def own() -> dict[str, object]:
        """The matrices of one head."""
        if direct:
            return {"q": matrix(n, d_k), "k": matrix(m, d_k), "v": matrix(m, d_v)}
        return {"w_q": matrix(d, d_k), "w_k": matrix(e, d_k), "w_v": matrix(e, d_v)} | {
            key: matrix(1, width)[0] for key, width in (("b_q", d_k), ("b_v", d_v))
            if draw.random() < 0.2}

    if not direct:
        found |= {"x": matrix(n, d)} | ({"context_x": matrix(m, e)} if crosses else {})
    if draw.random() < 0.2:
        found["heads"] = heads = [own() for _ in range(draw.randint(1, 3))]
        if draw.random() < 0.7:
            found |= {"w_o": matrix(len(heads) * d_v, d), "b_o": matrix(1, d)[0]}
    else:
        found |= own()
    if draw.random() < 0.1:
        name = "head1.weights" if "heads" in found else "weights"
        found |= {"published": {name: matrix(n, m)}, "published_places": {name: "exact"},
                  "source": draw.choice(TOKENS)}
    found |= {"context_tokens": tokens(m)} if crosses else {}
    mask = draw.choice(("none", "causal", [[draw.randint(0, 1) for _ in range(m)]
                                           for _ in range(n)]))
    return found | {"mask": mask, "scale": draw.choice(("sqrt_dk", "none", 2, "1/3"))}


def as_mkdocs_does() -> Callable[[str], str]:
    """Markdown to HTML, with the extensions of the site."""
    site = converter()

    def converted(page: str) -> str:
        text = re.sub(r"\A---\n.*?\n---\n", "", page, flags=re.DOTALL)
        return fill(site.reset().convert(text))

    return converted


def problems_of(page: str, html: str, data: dict[str, object], truth: object) -> list[str]:
    """What is wrong with a page: a false number, an element of a token, an id, a token missing."""
    found = list(read_page(f'<div data-places="{data["places"]}">{html}</div>', truth).faults)
    tree = lxml_html.document_fromstring(f"<html><body>{html}</body></html>")
    found += [f"an element {one.tag}" for one in tree.xpath("//*[local-name() = 'script' or "
              "local-name() = 'b' or local-name() = 'img' or local-name() = 'iframe']")]
    found += [f"a comment {one.text}" for one in tree.xpath("//comment()")]
    found += [f"the id {one}" for one in tree.xpath("//@id")
              if not IDS.fullmatch(one)]
    text = " ".join("".join(tree.itertext()).split())
    if page.endswith(("words.md", "queries-keys-values.md")):
        found += [f"without {token!r}" for token in data["tokens"]
                  if " ".join(str(token).split())[:20] not in text]
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_of_hostile_tokens_are_correct(part: int) -> None:
    converted = as_mkdocs_does()
    made = 0
    for seed in range(part * PAGES // PARTS, (part + 1) * PAGES // PARTS):
        data = drawn(random.Random(seed))
        try:
            worked = work_out(build(Path("fuzz.toml"), data))
        except (ExampleError, Undecided):
            continue  # such as a token that cannot be seen
        truth = truth_from_exact(worked.derivation)
        files = files_of(worked)
        made += 1
        name = random.Random(seed).choice([name for name in sorted(files) if name.endswith(".md")])
        part_of = re.search(r"/(head-\d+)/", name)
        found = problems_of(name, converted(files[name].decode()), data,
                            truth.variant(part_of[1]) if part_of else truth)
        assert found == [], f"seed {seed}, {name}: {data}"
    assert made > PAGES / PARTS / 2
