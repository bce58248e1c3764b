"""Golden pages: what an example becomes, to the letter. `make golden` writes them anew.

The examples are those of the tests, so that changing the lesson's own changes nothing here.
"""

from pathlib import Path

from derivations.pages.examples import Source
from derivations.pages.site import pages
from tests import sites

GOLDEN = Path(__file__).parent / "golden"
KEPT = ("cats", "fractions", "hidden-row")


def made(tmp_path: Path) -> dict[str, bytes]:
    """The golden files, as the project makes them now."""
    files = sites.texts(*(sites.EXAMPLES / f"{slug}.toml" for slug in KEPT))
    folder = sites.project(tmp_path / "project", files)
    found = pages(Source(folder / "docs", KEPT[0]))
    golden = {f"{slug}.md": found[f"examples/{slug}/whole.md"] for slug in KEPT}
    golden |= {f"{slug}-{page}.md": found[f"examples/{slug}/{page}.md"]
               for slug, page in (("cats", "index"), ("cats", "scores"), ("cats", "output"),
                                  ("fractions", "words"), ("hidden-row", "softmax"))}
    golden |= {f"{slug}-weights.{kind}": found[f"examples/{slug}/weights.{kind}"]
               for slug in KEPT for kind in ("tex", "csv", "json")}
    return golden | {"home.md": found["index.md"], "notation.md": found["reference/notation.md"]}


def test_golden_pages(tmp_path: Path) -> None:
    found = made(tmp_path)
    assert sorted(found) == sorted(path.name for path in GOLDEN.iterdir())
    for name, contents in found.items():
        assert contents.decode() == (GOLDEN / name).read_text(encoding="utf-8"), name


if __name__ == "__main__":
    import tempfile

    for name, contents in made(Path(tempfile.mkdtemp())).items():
        (GOLDEN / name).write_bytes(contents)
