"""The pictures: true to the certified decimals, safe, readable, and drawn inside their frames."""

import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import mpmath
import pytest
from lxml import etree
from playwright.sync_api import Browser

from derivations.example import build
from derivations.pages.font import CHARACTERS
from derivations.pages.linking import Links, linked
from derivations.pages.worked import Worked, work_out
from derivations.render import figures
from derivations.render.figures import plane
from derivations.render.figures.angle import angle
from derivations.render.figures.labels import Box, placed
from derivations.render.figures.outline import outline
from derivations.render.figures.reach import Reach, length
from derivations.render.figures.ticks import ticks
from derivations.render.figures.words import width as text_width
from derivations.render.figures.words import window
from derivations.render.mathml import fill
from tests.browser import CHROMIUM, CONTRAST, EVERYTHING, violations
from tests.reader import read_page, truth_from_exact
from tests.sites import EXAMPLES, LESSON, ROOT, converter, worked

PATHS = [LESSON, *sorted(EXAMPLES.iterdir())]
GALLERY = {f"{path.stem} {n}": head for path in sorted((ROOT / "docs" / "examples").glob("*.toml"))
           for example in [worked(path)] for n, head in enumerate(example.heads or (example,))}
CATS = {"tokens": ["I", "love", "cats"], "x": [[0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [1, 1, 1, 0, 0]],
        "w_q": [[1, 0], [0, 0], [1, 1], [0, 0], [0, 1]],
        "w_k": [[0, 1], [1, 1], [0, 0], [1, 0], [0, 0]],
        "w_v": [[1, 0], [1, 0], [0, 1], [0, 0], [0, 0]]}
PLAIN = {"x": [[1, 0], [0, 1], [1, 1]], "w_q": [[1, 0], [0, 1]], "w_k": [[1, 0], [0, 1]],
         "w_v": [[1, 0], [0, 1]]}
DRAWN = {"svg", "g", "rect", "path", "circle", "text", "tspan", "title"}
MATRICES = ("scores", "scaled_scores", "masked_scores", "weights")
SCHEMES = {"light": "default", "dark": "slate"}


def made(**data: object) -> Worked:
    return work_out(build(Path("made.toml"), CATS | data))


def many(n: int) -> Worked:
    """An example of n tokens under a causal mask."""
    return made(tokens=[f"t{i}" for i in range(n)], x=[[i % 5 - 2, i % 3, i % 7] for i in range(n)],
                w_q=[[1, 0], [0, 1], [1, 1]], w_k=[[-1, 1], [0, -2], [1, 0]],
                w_v=[[1, 1], [2, -2], [0, 1]], mask="causal")


ODD = {
    "rtl": made(tokens=["אני", "אוהב", "חתולים"]),
    "long": made(tokens=["unbelievably straightforward" * 9, "WWWWWWWWWWWWWWWWW", "猫" * 40]),
    "lines": made(tokens=["a\n\n\nb", "a\n\n\nb", "</svg></title><script>x()</script>"]),
    "places": made(places=12),
    "more-places": made(places=30, scale="none"),
    "padded": made(tokens=["see", "you", "<pad>", "<pad>"], mask=[[1, 1, 0, 0]] * 4,
                   x=[[1, 0, 1], [0, 2, 1], [1, -1, 1], [1, -1, 1]], w_q=[[0, -1], [1, 0], [0, 0]],
                   w_k=[[0, 0], [-1, -1], [0, 1]], w_v=[[0, 1], [1, 1], [0, -1]]),
    "powers": made(w_q=[["100000000000.1", 0]] * 5, scale=10**11),
    "one-value": made(w_v=[[0, 0]] * 5),
    "many": many(20),
    "twelve": many(12),
    "huge": made(w_v=[["1e20", "-1e-20"], [3, "7e-21"], ["-1e20", 0], [0, 0], [0, 0]]),
}
ALL = {path.stem: worked(path) for path in PATHS} | ODD
HEAT_MAPS = [(slug, key) for slug in ALL for key in MATRICES if key in ALL[slug].derivation]
FLAT = [slug for slug in ALL if ALL[slug].derivation.size("d_v") == 2]
EVERY = pytest.mark.parametrize("slug", ALL)
OPENED = [(slug, width) for slug in ALL for width in (375, 1280)  # make check-all opens all wide
          if EVERYTHING or width == 375 or slug in ("i-love-cats", "hostile", "wide")]


def pictures(example: Worked, i: int | None = None) -> dict[str, str]:
    """Every picture of an example."""
    derivation, decimals = example.derivation, example.decimals
    last = len(derivation.tokens) - 1
    row = min(1, last) if i is None else i
    found = {key: figures.heat_map(derivation[key], decimals)
             for key in MATRICES if key in derivation}
    found |= {"flow": figures.flow(derivation), "bars": figures.bars(derivation, decimals, row),
              "arrows": figures.arrows(derivation, decimals, row, last),
              "hull": figures.hull(derivation, decimals),
              "arcs": figures.arcs(derivation, decimals, row)}
    return {name: str(picture) for name, picture in found.items() if picture}


def drawings(picture: str) -> list[etree._Element]:
    """The <svg> elements of a picture, as strict XML."""
    return [etree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", picture, re.DOTALL)]


def all_elements(picture: str) -> Iterator[etree._Element]:
    for svg in drawings(picture):
        yield from svg.iter()


def unseen(picture: str) -> str:
    """The text for those who do not see the picture."""
    (found,) = re.findall(r'<span class="unseen">(.*?)</span>', picture)
    return etree.fromstring(f"<p>{found}</p>").xpath("string()")


def written(example: Worked, key: str, i: int, j: int) -> str:
    """The certified decimal, as it should be told."""
    rounded = example.decimals[key][i][j]
    if rounded is None:
        return "−∞"
    power = f"·10^{rounded.exponent}" if rounded.exponent else ""
    return (rounded.text + power).replace("-", "−")


@EVERY
def test_every_number_drawn_is_the_entry_that_it_names(slug: str) -> None:
    example = ALL[slug]
    drawn, places = "".join(pictures(example).values()), example.example.places
    report = read_page(fill(f'<div data-places="{places}">{drawn}</div>'),
                       truth_from_exact(example.derivation))
    assert report.faults == []
    assert report.counts["refs"] >= drawn.count('<g class="number"') > 0


@EVERY
def test_a_picture_is_well_formed_and_safe(slug: str) -> None:
    for picture in pictures(ALL[slug]).values():
        assert "\n\n" not in picture
        assert picture.startswith('<figure class="picture ')
        assert " style=" not in picture
        for element in all_elements(picture):
            assert element.tag in DRAWN
            assert not [name for name in element.attrib if name in ("id", "style", "href")
                        or name.startswith("on")]
            assert float(element.get("font-size", 12)) >= 11


def test_tokens_are_told_whole_and_as_text() -> None:
    told = "".join(title.text for title in all_elements(pictures(ALL["hostile"])["scores"])
                   if title.tag == "title")
    assert all(token.replace("\n", "") in told.replace("\n", "")
               for token in ALL["hostile"].example.tokens if "ש" not in token)


@EVERY
def test_markdown_leaves_a_picture_as_it_is(slug: str) -> None:
    site = converter()
    for picture in pictures(ALL[slug]).values():
        page = site.reset().convert(f"Before *it*.\n\n{picture}\n\nAfter.")
        assert fill(picture) in fill(page)
        assert page.endswith("<p>After.</p>")


def test_the_same_example_gives_the_same_bytes() -> None:
    for path in PATHS:
        assert pictures(worked(path)) == pictures(worked(path))


@pytest.mark.parametrize(("slug", "key"), HEAT_MAPS)
def test_a_heat_map_tells_every_number_of_its_matrix(slug: str, key: str) -> None:
    example = ALL[slug]
    picture = pictures(example)[key]
    n = len(example.example.tokens)
    rows, cols = (n, n) if n <= 12 else (8, 8)
    cells = [element for element in all_elements(picture) if element.get("class") == "number"]
    places = [(i, j) for i in range(rows) for j in range(cols)]
    assert [cell.get("data-ref") for cell in cells] == [f"{key}-r{i + 1}c{j + 1}"
                                                        for i, j in places]
    numbers = [written(example, key, i, j) for i, j in places]
    assert [cell.findtext("text") for cell in cells] == numbers
    titles = [cell.findtext("title").removesuffix(", hidden by the mask") for cell in cells]
    assert [title.rpartition(": ")[2] for title in titles] == numbers
    told = unseen(picture)
    assert told.startswith(f"{example.derivation[key].quantity.name}, {n} by {n}; ")
    found = re.findall(r" ([−\d.∞]+(?:·10\^−?\d+)?)(?=[,;]|$| \(hidden by the mask\))",
                       told.partition("; ")[2])
    assert found == numbers or slug in ("hostile", "lines")
    assert ("rows and" in picture) == (n > 12)


def test_the_text_of_a_heat_map_reads_by_token() -> None:
    assert unseen(pictures(ALL["cats"])["weights"]) == (
        "attention weights, 3 by 3; I: I 0.0381, love 0.3177, cats 0.6443; "
        "love: I 0.1400, love 0.2840, cats 0.5760; cats: I 0.0743, love 0.6200, cats 0.3057")


def test_the_text_of_a_heat_map_tells_hidden_from_zero() -> None:
    found = pictures(ALL["causal"])
    assert unseen(found["weights"]) == (
        "attention weights, 3 by 3; I: I 1, love 0 (hidden by the mask), cats 0 (hidden by the "
        "mask); love: I 0.3302, love 0.6698, cats 0 (hidden by the mask); cats: I 0.0743, love "
        "0.6200, cats 0.3057")
    assert unseen(found["masked_scores"]).count("−∞ (hidden by the mask)") == 3
    assert "hidden" not in unseen(found["scores"])


def depths(picture: str) -> list[float]:
    return [float(rect.get("fill-opacity")) for rect in all_elements(picture)
            if rect.tag == "rect" and rect.get("fill") == "currentColor"]


def test_the_deeper_the_larger() -> None:
    assert depths(pictures(ALL["cats"])["scores"]) == [
        0.09, 0.36, 0.45, 0.0, 0.09, 0.18, 0.18, 0.45, 0.36]
    assert depths(pictures(ALL["saturated"])["scores"]) == [0.45, 0.45, 0.0, 0.0]
    weights = depths(pictures(ALL["cats"])["weights"])
    assert max(weights) == weights[2] == 0.45
    assert min(weights) == weights[0] > 0
    assert set(depths(pictures(made(w_q=[[0, 0]] * 5))["scores"])) == {0.23}


def test_hidden_cells_are_dashed_and_no_others() -> None:
    picture = pictures(ALL["causal"])["weights"]
    dashed = [cell.get("data-ref") for cell in all_elements(picture)
              if cell.get("class") == "number" and cell.find("rect").get("stroke-dasharray")]
    assert dashed == ["weights-r1c2", "weights-r1c3", "weights-r2c3"]
    assert "dashed cell is hidden" in picture
    unmasked = pictures(ALL["causal"])["scores"]
    assert "dasharray" not in unmasked
    assert "dashed" not in unmasked


def luminance(colour: tuple[float, ...]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: tuple[float, ...], second: tuple[float, ...]) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES.values())
def test_numbers_can_be_read_on_the_deepest_cells(scheme: str) -> None:
    css = (ROOT / "docs" / "assets" / "palette.css").read_text()
    which = {"default": "", "slate": '="slate"'}[scheme]
    block = re.search(rf"data-md-color-scheme{which}\] \{{(.*?)\}}", css, re.DOTALL)
    assert block
    found = {name: tuple(int(hexa[k:k + 2], 16) / 255 for k in (0, 2, 4))
             for name, hexa in re.findall(r"--([\w-]+): #([0-9a-f]{6});", block[1])}
    paper = found.get("md-default-bg-color", (1.0, 1.0, 1.0))
    for role in "sw":
        cell = tuple(0.45 * c + 0.55 * p for c, p in zip(found[role], paper, strict=True))
        assert contrast(cell, found["md-default-fg-color"]) >= 4.5
    assert all(contrast(found[role], paper) >= 4.5 for role in "qkvsw")


@EVERY
def test_the_flow_tells_every_size(slug: str) -> None:
    derivation = ALL[slug].derivation
    picture = pictures(ALL[slug])["flow"]
    told = unseen(picture)
    for key, symbol in (("embeddings", "X"), ("queries", "Q"), ("keys", "K"), ("values", "V"),
                        ("scores", "S"), ("scaled_scores", "T"), ("weights", "A"),
                        ("output", "O")):
        rows, cols = derivation[key].shape
        assert re.search(rf"{derivation[key].quantity.name} {symbol}\b[^;]*, {rows} by {cols}",
                         told)
    sizes = [(span.get("data-size"), span.text) for span in all_elements(picture)
             if span.get("data-size")]
    assert len(sizes) == 16
    assert all(int(text) == derivation.size(name) for name, text in sizes)
    assert ("mask" in told) == (derivation.open is not None)
    assert ("are drawn" in picture) == (slug == "many")


def test_the_flow_draws_grids_of_the_right_shape() -> None:
    boxes = [(round(float(rect.get("height")) / 14.4), round(float(rect.get("width")) / 14.4))
             for rect in all_elements(pictures(ALL["cats"])["flow"]) if rect.tag == "rect"]
    assert boxes == [(3, 5), (3, 2), (3, 2), (3, 2), (3, 3), (3, 3), (3, 3), (3, 2)]


SCALES = [("sqrt_dk", "T = S ÷ √2,", "÷ √𝑑𝑘= √2"), ("3/2", "T = S ÷ 3/2,", "÷ 3/2"),
          (8, "T = S ÷ 8,", "÷ 8"), ("none", "T = S,", "unchanged")]


@pytest.mark.parametrize(("scale", "told", "drawn"), SCALES)
def test_the_flow_says_what_scores_are_divided_by(scale: object, told: str, drawn: str) -> None:
    picture = pictures(made(scale=scale))["flow"]
    assert told in unseen(picture)
    assert drawn in drawings(picture)[0].xpath("string()")


def test_letters_are_those_of_formulas() -> None:
    found = pictures(ALL["cats"])
    letters = [element.xpath("string()") for picture in found.values()
               for element in all_elements(picture) if element.get("class") == "letter"]
    assert {"𝑋", "𝑄", "𝑇", "𝑂", "𝑊𝑄", "𝐾⊤", "𝑑𝑘", "𝑞", "𝑘"} <= set(letters)
    assert set(map(ord, "".join(letters))) <= set(CHARACTERS)
    bare = {text for picture in found.values() for element in all_elements(picture)
            if element.tag == "tspan" and not element.get("class") and (text := element.text)
            and len(text) == 1 and text in "XQKVSTAOW"}
    assert bare == set()


def test_bars_tell_scores_weights_and_who_is_hidden() -> None:
    assert unseen(pictures(ALL["cats"])["bars"]) == (
        "I: scaled score 0, attention weight 0.1400; love: scaled score 0.7071, attention weight "
        "0.2840; cats: scaled score 1.4142, attention weight 0.5760")
    causal = pictures(ALL["causal"])["bars"]
    assert unseen(causal).endswith(
        "cats (hidden by the mask): masked score −∞, attention weight 0")
    assert causal.count(">hidden<") == 2
    assert "<strong" not in causal


def lengths(picture: str) -> list[float]:
    """The lengths of the bars, without their tracks."""
    return [float(rect.get("width")) for rect in all_elements(picture)
            if rect.tag == "rect" and rect.get("fill") == "currentColor"
            and not rect.get("fill-opacity")]


def test_bars_are_as_long_as_their_numbers() -> None:
    assert lengths(pictures(ALL["cats"])["bars"]) == [0, 17.1, 61, 34.6, 122, 70.3]
    assert lengths(pictures(ALL["saturated"])["bars"])[::2] == [122, 121.8]
    assert lengths(pictures(made(w_q=[[0, 0]] * 5))["bars"])[::2] == [0, 0, 0]


def test_a_row_that_may_hear_nobody() -> None:
    closed = pictures(ALL["hidden-row"])
    assert closed["bars"].count(">hidden<") == 6
    assert lengths(closed["bars"]) == []
    assert "The mask hides every token from" in closed["bars"]
    assert "listens to nobody" in closed["arcs"]
    assert not [arc for arc in all_elements(closed["arcs"]) if arc.tag == "path"]
    assert unseen(closed["arcs"]) == ("weights of love: I hidden by the mask; love hidden by the "
                                      "mask; cats hidden by the mask")
    assert len([dot for dot in all_elements(closed["hull"])
                if dot.tag == "circle" and dot.getparent().find("title") is not None]) == 2
    assert "its output is not drawn" in closed["hull"]


def test_arcs_are_as_thick_as_weights_and_leave_out_the_hidden() -> None:
    def arcs(slug: str, i: int) -> dict[str, str]:
        return {arc.findtext("title"): arc.get("stroke-width")
                for arc in all_elements(pictures(ALL[slug], i)["arcs"]) if arc.tag == "path"}

    assert arcs("cats", 1) == {"I 0.1400": "2.3", "love 0.2840": "3.6", "cats 0.5760": "6.2"}
    assert arcs("causal", 0) == {"I 1": "10"}
    assert unseen(pictures(ALL["causal"], 0)["arcs"]) == \
        "weights of I: I 1; love hidden by the mask; cats hidden by the mask"


def test_a_sentence_from_right_to_left_is_drawn_so() -> None:
    def places(slug: str) -> list[float]:
        return [float(text.get("x")) for text in all_elements(pictures(ALL[slug])["arcs"])
                if text.get("class") == "word"]

    assert places("rtl") == places("cats")[::-1] == sorted(places("rtl"), reverse=True)


def test_of_many_tokens_eight_are_shown_and_the_one_that_asks_among_them() -> None:
    assert [list(window(12, 3))[0::11], list(window(20, 19)), list(window(20, 9))] == [
        [0, 11], list(range(12, 20)), list(range(5, 13))]
    for i in (0, 7, 19):
        found = pictures(ALL["many"], i)
        shown = window(20, i)
        told = f"Shown are tokens {shown.start + 1} to {shown.stop} of 20."
        assert told in found["arcs"]
        assert told in found["bars"]
        assert len(re.findall("<text [^>]*class=.word.", found["arcs"])) == 8


KNOWN = [((1, 0), (0, 3), "90", True), ((2, 0), (5, 5), "45", True), ((1, 2), (2, 4), "0", True),
         ((1, 2), (-2, -4), "180", True), ((0, 1), (-1, -1), "135", True),
         ((0, 1), (1, 2), "26.6", False), ((-1, 3), (1, 0), "108.4", False),
         ((10**400, 0), (1, 1), "45", True), ((1, 0), (10**400, 1), "0.0", False),
         ((1, 0), (1, 10**400), "90.0", False)]


@pytest.mark.parametrize(("first", "second", "text", "exact"), KNOWN)
def test_known_angles(first: tuple, second: tuple, text: str, exact: bool) -> None:
    found = angle(tuple(map(Fraction, first)), tuple(map(Fraction, second)))
    assert found is not None
    assert (found.text, found.exact) == (text, exact)


def test_angles_are_rounded_rightly() -> None:
    chance = random.Random(5)
    for _ in range(500):
        q, k = ([Fraction(chance.randint(-99, 99), chance.randint(1, 9)) for _ in "xy"]
                for _ in "qk")
        found = angle(q, k)
        if found is None:
            continue
        cross, dot = q[0] * k[1] - q[1] * k[0], q[0] * k[0] + q[1] * k[1]
        with mpmath.workdps(60):
            sides = [mpmath.fraction(side.numerator, side.denominator)
                     for side in (abs(cross), dot)]
            turn = mpmath.degrees(mpmath.atan2(*map(mpmath.mpf, sides)))
            unit = mpmath.mpf("0.1") if "." in found.text else 1
            error = abs(turn - mpmath.mpf(found.text))
        assert error < 1e-40 if found.exact else error <= unit / 2


@pytest.mark.parametrize("step", [-1, 1])
def test_an_angle_too_near_the_middle_is_told_in_whole_degrees(step: int) -> None:
    for tenths in range(2, 450, 7):
        middle = Fraction(2 * tenths + 1, 20)
        with mpmath.workdps(50):
            tangent = mpmath.tan(mpmath.radians(mpmath.fraction(2 * tenths + 1, 20)))
            near = Fraction(int(tangent * 10**30) + step, 10**30)
        found = angle((Fraction(1), Fraction(0)), (Fraction(1), near))
        assert found is not None
        assert found.text == str(round(middle))


def test_arrows_tell_the_angle_or_that_there_is_none() -> None:
    assert "The angle between them is about 26.6°." in pictures(ALL["cats"])["arrows"]
    assert ">angle ≈ 26.6°<" in pictures(ALL["cats"])["arrows"]
    square = pictures(made(**PLAIN), 0)["arrows"]
    assert "The angle between them is 45°." in square
    assert ">angle = 45°<" in square
    zero = pictures(made(w_k=[[0, 0]] * 5))["arrows"]
    assert "so there is no angle" in zero
    assert "°" not in zero


def test_arrows_point_where_their_vectors_do() -> None:
    q, k = (group for group in drawings(pictures(ALL["cats"])["arrows"])[0].iter("g")
            if (group.get("class") or "").startswith("role-") and group.find("text") is not None)
    assert [group.find("text").xpath("string()") for group in (q, k)] == ["𝑞", "𝑘"]

    def line(group: etree._Element) -> list[float]:
        return [float(number) for number in re.findall(r"-?[\d.]+", group.find("path").get("d"))]

    x, y, up_x, up_y = line(q)
    assert (up_x, up_y < y) == (x, True)
    x, y, to_x, to_y = line(k)
    assert (y - to_y) / (to_x - x) == pytest.approx(2, abs=0.02)
    assert float(q.find("text").get("y")) < up_y
    assert float(k.find("text").get("y")) < to_y
    turn = [float(number) for number in re.findall(
        r"-?[\d.]+", re.search(r'd="M ([^"]*A[^"]*)"', pictures(ALL["cats"])["arrows"])[1])]
    assert turn[:2] == [x, pytest.approx(y - 30, abs=0.2)]
    assert (y - turn[-1]) / (turn[-2] - x) == pytest.approx(2, abs=0.05)
    assert turn[6] == 1  # clockwise, from q to k


def test_pictures_of_the_plane_only_where_there_is_one() -> None:
    three = made(w_q=[[1, 0, 1]] * 5, w_k=[[1, 1, 0]] * 5, w_v=[[1, 2, 3]] * 5)
    assert figures.arrows(three.derivation, three.decimals, 0, 0) == ""
    assert figures.hull(three.derivation, three.decimals) == ""


def test_outlines() -> None:
    square = {(0, 0), (4, 0), (4, 4), (0, 4)}
    assert outline(square | {(2, 2), (2, 0), (0, 3)}) == [(0, 0), (4, 0), (4, 4), (0, 4)]
    assert outline({(0, 0), (1, 1), (3, 3)}) == [(0, 0), (3, 3)]
    assert outline({(5, 5)}) == [(5, 5)]


@pytest.mark.parametrize("slug", FLAT)
def test_outputs_lie_inside_the_hull_that_is_drawn(slug: str) -> None:
    derivation = ALL[slug].derivation
    values = plane.values_of(derivation)
    corners = plane.corners(values, plane.heard(derivation))
    lows, spans = plane.window_of(values)
    outputs = plane.outputs_of(derivation["output"], spans)
    for i in set(range(len(outputs))) - set(derivation.closed_rows):
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            left = (b[0] - a[0]) * (outputs[i][1] - a[1]) - (b[1] - a[1]) * (outputs[i][0] - a[0])
            assert left / spans[0] / spans[1] >= -Fraction(1, 10**8)
        assert all(low - span / 10**8 <= z <= low + span * (1 + Fraction(1, 10**8))
                   for z, low, span in zip(outputs[i], lows, spans, strict=True))


def test_the_hull_says_what_shape_it_has() -> None:
    assert "inside the dashed outline around the values" in pictures(ALL["cats"])["hull"]
    assert "All values lie on one line" in pictures(ALL["ties"])["hull"]
    assert "All values are one point" in pictures(ALL["one-value"])["hull"]
    assert "The outline is that of all values." in pictures(ALL["many"])["hull"]


def test_the_hull_tells_every_value_and_output() -> None:
    assert unseen(pictures(ALL["cats"])["hull"]) == (
        "values: I (0, 1); love (1, 0); cats (2, 1). outputs: I (1.6062, 0.6823); "
        "love (1.4359, 0.7160); cats (1.2314, 0.3800)")


def named(picture: str) -> list[etree._Element]:
    """The points of a plot: groups with a title."""
    return [group for group in all_elements(picture)
            if group.tag == "g" and group.find("title") is not None]


@pytest.mark.parametrize("slug", FLAT)
def test_every_point_has_its_name_beside_it(slug: str) -> None:
    for point in named(pictures(ALL[slug])["hull"]):
        assert point.find("text") is not None
    near = ("i-love-cats", "cats", "causal", "hidden-row", "rtl")
    assert slug not in near or "stroke-opacity=\"0.5\"" not in pictures(ALL[slug])["hull"]


def test_names_keep_off_marks_and_each_other() -> None:
    frame = Box(150, 100, (150, 100))
    points = [(150.0, 100.0)] * 8 + [(165.0, 100.0), (290.0, 190.0), (10.0, 10.0)]
    boxes = placed(points, [50.0] * 11, frame, [])
    assert None not in boxes
    marks = [Box(x, y, (6, 6)) for x, y in points]
    for n, box in enumerate(boxes):
        assert frame.holds(box)
        assert not any(box.meets(other) for other in [*boxes[:n], *boxes[n + 1:], *marks])
    assert placed(points[:1], [400.0], frame, []) == [None]
    edge = placed([(150.0, 100.0)], [20.0], frame, [((150.0, 100.0), (300.0, 100.0))])[0]
    assert edge.x < 150
    narrow = [((140.0, 0.0), (140.0, 200.0)), ((160.0, 0.0), (160.0, 200.0))]
    wide = placed([(150.0, 100.0)], [40.0], frame, narrow)[0]
    assert abs(wide.x - 150) > 30  # beyond a line, not on it


def test_a_name_between_two_marks_stands_beside_its_own() -> None:
    """Between them, at about the same distance, it could be either's."""
    frame, points = Box(150, 100, (150, 100)), [(120.0, 100.0), (150.0, 100.0)]
    _, second = placed(points, [20.0, 10.0], frame, [((150.0, 100.0), (300.0, 100.0))])
    assert abs(second.x - 150) < 20
    assert second.y != 100


TICKS = [((0, 2, True), "0 1 2"), ((0, 1, True), "0 1"), ((0, 1, False), "0 0.5 1"),
         ((-2, 4, True), "−2 0 2"), (("1/3", "1/3", False), "0.4 0.6"),
         ((-10**20, 10**20, True), "−1·10^20 −5·10^19 0"),
         (("-1e-20", "2e-20", False), "−1·10^−20 0 1·10^−20"), ((10**30, 2, True), ""),
         (("99.5", 7, False), "100 105")]


def test_an_axis_has_two_numbers_at_least_and_zero_where_it_is_in_view() -> None:
    chance = random.Random(7)
    for _ in range(2000):
        whole = chance.random() < 0.5
        below = 1 if whole else chance.randint(1, 9)
        low = Fraction(chance.randint(-300, 300), below)
        span = Fraction(chance.randint(1, 99), below)
        beyond = span * Fraction(chance.randint(0, 40), 100)
        found = [value for value, _ in ticks(low, span, whole=whole, beyond=beyond)]
        assert 2 <= len(found) <= 4, (low, span)
        assert len({b - a for a, b in pairwise(found)}) == 1
        assert 0 in found or not low - beyond <= 0 <= low + span + beyond


@pytest.mark.parametrize("slug", GALLERY)
def test_both_axes_of_the_gallery_have_a_scale(slug: str) -> None:
    drawn = figures.hull(GALLERY[slug].derivation, GALLERY[slug].decimals)
    for picture in drawings(drawn):
        (axes,) = picture.xpath(".//g[@class='axis']")
        numbers = [text for text in axes.iter("text") if "number" not in text.text]
        up = [text for text in numbers if text.get("text-anchor") == "end"]
        assert len(up) >= 2
        assert len(numbers) - len(up) >= 2


def test_the_outline_leaves_out_what_nobody_may_hear() -> None:
    padded = pictures(ALL["padded"])["hull"]
    hollow = [point.findtext("text") for point in named(padded)
              if (rect := point.find("rect")) is not None and rect.get("fill") == "none"]
    assert hollow == ["<pad>", "<pad>"]
    (edge,) = (path.get("d") for path in all_elements(padded)
               if path.get("stroke-dasharray") == "5 3")
    assert edge.count("L") == 1
    assert "All values that some token may hear lie on one line" in padded
    assert "A hollow square is a value that the mask hides from every token" in padded
    assert "<pad> (token 3) (−1, −1), hidden from every token" in unseen(padded)
    assert unseen(padded).count("hidden from") == 2
    heard = pictures(ALL["causal"])["hull"]
    assert "hollow" not in heard
    assert "hidden" not in heard
    assert "love (0, 0), listens to nobody" in unseen(pictures(ALL["hidden-row"])["hull"])


def test_the_outline_of_many_says_of_which_values_it_is() -> None:
    n = 14
    hidden = [[int(j < n - 1) for j in range(n)] for _ in range(n)]
    example = made(tokens=[f"t{i}" for i in range(n)], x=[[i % 3, i % 5] for i in range(n)],
                   w_q=[[1, 0], [0, 1]], w_k=[[1, 0], [0, 1]], w_v=[[1, 0], [0, 1]], mask=hidden)
    told = pictures(example)["hull"]
    assert "The outline is that of all values that some token may hear." in told
    assert "hollow" not in told


@pytest.mark.parametrize(("asked", "told"), TICKS)
def test_axes_have_round_numbers(asked: tuple, told: str) -> None:
    low, span, whole = Fraction(asked[0]), Fraction(asked[1]), asked[2]
    found = ticks(low, span, whole=whole)
    assert " ".join(text for _, text in found) == told
    assert all(low <= value <= low + span for value, _ in found)
    for value, text in found:
        number, _, power = text.replace("−", "-").partition("·10^")
        assert Fraction(number) * Fraction(10) ** int(power or 0) == value


def test_ticks_stand_where_their_numbers_are() -> None:
    picture = drawings(pictures(ALL["cats"])["hull"])[0]
    (axes,) = picture.xpath(".//g[@class='axis']")
    shown = [(text.text, float(text.get("x"))) for text in axes.iter("text")][:3]
    squares = [float(point.find("rect").get("x")) + 5.5 for point in named(etree.tostring(
        picture, encoding="unicode").replace("<svg", "<svg", 1)) if point.find("rect") is not None]
    assert shown == [("0", squares[0]), ("1", squares[1]), ("2", squares[2])]


LENGTHS = [((1, 2), "= √5"), ((3, 4), "= 5"), ((0, 0), "= 0"), (("1/2", 0), "= 0.5"),
           (("1/2", 1), "≈ 1.1180"), (("3/5", "4/5"), "= 1"), ((1, 100), "≈ 100.0050"),
           ((-1, -1), "= √2"), (("1/3", 0), "≈ 0.3333")]


@pytest.mark.parametrize(("vector", "told"), LENGTHS)
def test_lengths_are_exact_or_rounded_and_say_so(vector: tuple, told: str) -> None:
    assert length(tuple(map(Fraction, vector)), 4) == told


def test_a_key_reaches_as_far_as_the_score_says() -> None:
    chance = random.Random(6)
    for _ in range(300):
        q, k = ([Fraction(chance.randint(-9, 9), chance.randint(1, 4)) for _ in "xy"]
                for _ in "qk")
        if not any(q):
            continue
        reach = Reach(tuple(q), tuple(k))
        x, y = reach.foot
        assert (k[0] - x) * q[0] + (k[1] - y) * q[1] == 0
        assert x * q[1] == y * q[0]
        sign, told = reach.along(6).replace("−", "-").split()
        with mpmath.workdps(40):
            square = mpmath.fraction(*(q[0] ** 2 + q[1] ** 2).as_integer_ratio())
            dot = mpmath.fraction(*reach.dot.as_integer_ratio())
            error = abs(mpmath.mpf(told) - mpmath.mpf(dot) / mpmath.sqrt(mpmath.mpf(square)))
        assert error <= (1e-35 if sign == "=" else 5e-7)


SCORED = [
    ({}, 0, 1, "runs from the tip", "reaches |k| · cos(angle) ≈ 1.7889", "|q| = √5", "= 4"),
    ({}, 1, 2, "runs from the tip", "reaches |k| · cos(angle) = 2.", "|q| = 1", "= 2"),
    (PLAIN, 0, 1, "meets it where both arrows start", "cos(angle) = 0.", "|q| = 1", "= 0"),
    (PLAIN, 2, 2, "k lies on the line of q.", "cos(angle) ≈ 1.4142", "|q| = √2", "= 2"),
    (PLAIN | {"w_k": [[-1, 0], [0, 1]]}, 0, 0, "k lies on the line of q.",
     "cos(angle) = −1, less than 0 because it points away.", "|q| = 1", "= −1"),
    ({"w_k": [[0, 0]] * 5}, 0, 0, "so there is no angle", "Its products are all 0", "", ": 0."),
]


@pytest.mark.parametrize(("data", "i", "j", "how", "reach", "size", "score"), SCORED)
def test_arrows_tell_how_the_score_comes_about(
    data: dict, i: int, j: int, how: str, reach: str, size: str, score: str
) -> None:
    example = made(**data)
    picture = fill(str(figures.arrows(example.derivation, example.decimals, i, j)))
    told = re.sub(r"<annotation.*?</annotation>|<[^>]*>", "", picture.partition("<figcaption>")[2])
    assert all(part in told for part in (how, reach, size, score)), told
    assert ("stroke-dasharray=\"2 3\"" in picture) == (how[0] in "rm")


def test_what_fills_a_bar_is_said() -> None:
    def caption(**data: object) -> str:
        return pictures(made(**data), 0)["bars"].partition("<figcaption>")[2]

    assert "The longest bar of the scaled scores fills the whole length." in caption()
    assert "to the left" not in caption()
    assert "The scaled scores are shown as 0, so they have no bars." in caption(w_q=[[0, 0]] * 5)
    below = caption(w_k=[[0, -1], [-1, -1], [0, 0], [-1, 0], [0, 0]])
    assert "run to the left: they are negative. The longest bar of the scaled" in below
    mixed = caption(w_k=[[0, 1], [-9, 1], [0, 0], [1, 0], [0, 0]])
    assert "fill the whole length together" in mixed
    assert "longest bar of the masked scores" in caption(mask="causal")


def arc_paths(picture: str) -> list[tuple[float, list[float]]]:
    """The thickness and the numbers of each arc."""
    arcs = [arc for arc in all_elements(picture) if arc.tag == "path"]
    return [(float(arc.get("stroke-width")), [*map(float, re.findall(r"-?[\d.]+", arc.get("d")))])
            for arc in arcs]


@pytest.mark.parametrize(("slug", "i"), [("cats", 0), ("cats", 1), ("rtl", 2), ("fractions", 1),
                                         ("twelve", 6), ("twelve", 11), ("many", 9), ("long", 1)])
def test_arcs_have_feet_of_their_own(slug: str, i: int) -> None:
    picture = pictures(ALL[slug], i)["arcs"]
    paths = arc_paths(picture)
    across = all(d[1] == d[-1] for _, d in paths)  # all feet at one height
    along = 0 if across else 1
    feet = [(d[along], wide) for wide, d in paths]
    (loop,) = [d for _, d in paths if abs(d[along] - d[along - 2]) == 14]
    feet.append((loop[along - 2], 0))
    for (a, first), (b, second) in pairwise(sorted(feet)):
        assert b - a >= max(6, (first + second) / 2)
    tall, wide = abs(loop[1 - along] - loop[3 - along]) * 3 / 4, 14
    assert tall > 2.5 * wide
    if not across:
        deepest = max(abs(d[2] - d[0]) * 3 / 4 for _, d in paths)
        assert deepest >= 90
        numbers = {text.get("x") for text in all_elements(picture)
                   if text.tag == "text" and text.get("class") != "word"}
        assert numbers == {"341"}


@EVERY
def test_words_that_a_beginner_does_not_know_are_not_used(slug: str) -> None:
    told = " ".join(re.sub(r"<[^>]*>", " ", picture) for picture in pictures(ALL[slug]).values())
    assert not re.search(r"\b(hull|normaliser)s?\b", told)


# In a browser: what is drawn is inside its frame, and no text lies on another.

OUTSIDE = """() => [...document.querySelectorAll('.picture svg')].flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text, rect, path, circle')].filter(e => {
    const box = e.getBoundingClientRect();
    return box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2
      || box.bottom > frame.bottom + 2; })
    .map(e => e.closest('figure').className + ': ' + (e.textContent || e.outerHTML)); })"""
OVERLAPPING = """() => [...document.querySelectorAll('.picture svg')].flatMap(svg => {
  const texts = [...svg.querySelectorAll('text')].map(e => [e, e.getBoundingClientRect()]);
  return texts.flatMap(([e, a], n) => texts.slice(n + 1)
    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5)
    .map(([f]) => e.closest('figure').className + ': ' + e.textContent + ' | ' + f.textContent));
})"""
SMALL = """() => [...document.querySelectorAll('.picture text')].filter(e => {
  const svg = e.ownerSVGElement, wide = svg.getBoundingClientRect().width;
  const scale = wide / svg.viewBox.baseVal.width, least = e.closest('.heat-map') ? 13.9 : 10.9;
  return parseFloat(getComputedStyle(e).fontSize) * scale < least; }).map(e => e.textContent)"""
ON_ARCS = """() => [...document.querySelectorAll('.arcs svg')].flatMap(svg => {
  const texts = [...svg.querySelectorAll('text')].map(e => [e.textContent, e.getBBox()]);
  return [...svg.querySelectorAll('path')].flatMap(arc => {
    const half = parseFloat(arc.getAttribute('stroke-width')) / 2, long = arc.getTotalLength();
    const points = [...Array(300).keys()].map(n => arc.getPointAtLength(long * n / 299));
    return texts.filter(([, box]) => points.some(p =>
      p.x + half > box.x && p.x - half < box.x + box.width && p.y + half > box.y + 3
      && p.y - half < box.y + box.height - 3)).map(([text]) => text); }); })"""
LETTERS = """() => [...document.querySelectorAll('.picture .letter')]
  .filter(e => !getComputedStyle(e).fontFamily.includes('STIX Two Math')).map(e => e.textContent)"""
HARD_TO_HIT = """() => [...document.querySelectorAll('.picture svg a')].filter(e => {
  const box = e.getBoundingClientRect();
  return Math.min(box.width, box.height) < 23.9; }).map(e => e.textContent)"""


CUT_OFF = """() => [...document.querySelectorAll('.heat-map .labels text')].filter(e => {
  const box = e.getBBox(), frame = e.ownerSVGElement.viewBox.baseVal;
  return box.x < 0 || box.x + box.width > frame.width; }).map(e => e.textContent)"""
ON_OUTLINE = """() => [...document.querySelectorAll('.hull svg')].flatMap(svg => {
  const edge = svg.querySelector('path[stroke-dasharray="5 3"]'), long = edge.getTotalLength();
  const points = [...Array(900).keys()].map(n => edge.getPointAtLength(long * n / 899));
  return [...svg.querySelectorAll('.word')].filter(e => { const box = e.getBBox();
    return points.some(p => p.x > box.x && p.x < box.x + box.width && p.y > box.y + 2
      && p.y < box.y + box.height - 2); }).map(e => e.textContent); })"""
WIDER = """([texts, guessed]) => {
  document.body.innerHTML = '<svg><text id="t" style="font: 14px sans-serif"></text></svg>';
  const t = document.getElementById('t');
  return texts.filter((text, n) => {
    t.textContent = text; return t.getComputedTextLength() > guessed[n]; }); }"""
TEXTS = """
кошка щётка Шишкин ЖЮЩ ФЫМ дцъ φως Ωμέγα ΨΥΧΗ חתולים שםק السلام شخص سس صص ضيف غرفة ب
ف ქართული Հայերեն ภาษาไทย हिन्दी தமிழ் 我爱猫 カナ 한국어 <pad> <|endoftext|> [MASK] ##ing
▁the Ġlove e→f x≤y −∞ 1·10^−20 “quoted” «mot» ŵŵŵ ƠƯƠ ĦħĦ ½ ™ ©® € 👍 👩‍👧
"""


def page_of(example: Worked, scheme: str) -> str:
    styles = "".join((ROOT / "docs" / "assets" / name).read_text()
                     for name in ("palette.css", "site.css", "pictures.css"))
    entries = {f"{step.key}-r{i + 1}c{j + 1}" for step in example.derivation.steps
               for i in range(step.shape[0]) for j in range(step.shape[1])}
    last = figures.arcs(example.derivation, example.decimals, len(example.example.tokens) - 1)
    shown = fill(linked("\n".join([*pictures(example).values(), last]), "made/index.md",
                        Links("made", frozenset(entries), directory_urls=True)))
    return (f'<!doctype html><html lang="en"><head><title>Pictures</title><meta charset="utf-8">'
            f"<style>:root {{ --md-default-bg-color: #fff }} body {{ margin: 16px; font: 16px "
            f"sans-serif; background: var(--md-default-bg-color); "
            f"color: var(--md-default-fg-color) }}"
            f'{styles}</style></head><body data-md-color-scheme="{SCHEMES[scheme]}">'
            f'<main class="md-typeset"><h1>Pictures</h1>{shown}</main></body></html>')


IN_A_BROWSER = [pytest.mark.browser, pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium found: browser tests left out")]


def in_a_browser(test: Callable[..., None]) -> Callable[..., None]:
    for mark in IN_A_BROWSER:
        test = mark(test)
    return test


@in_a_browser
def test_no_text_is_wider_than_was_guessed(browser: Browser) -> None:
    letters = {*range(0x21, 0x7F), *range(0xA1, 0x180)} - {0xAD, 0x149}  # unseen; unused
    texts = [chr(code) * 4 for code in sorted(letters)]
    texts += [*TEXTS.split(), *"+−×÷=≈≠≤≥<>→←∞∑√"]
    page = browser.new_page()
    assert page.evaluate(WIDER, [texts, [text_width(text, 14) for text in texts]]) == []
    page.close()


@in_a_browser
@pytest.mark.parametrize("slug", GALLERY)
def test_names_in_the_gallery_are_whole_and_off_the_outline(browser: Browser, slug: str) -> None:
    page = browser.new_page(viewport={"width": 375, "height": 900})
    page.set_content(page_of(GALLERY[slug], "light"))
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(ON_OUTLINE) == []
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(OVERLAPPING) == []
    page.close()


@in_a_browser
@pytest.mark.parametrize(("slug", "width"), OPENED)
def test_pictures_in_a_browser(browser: Browser, slug: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_content(page_of(ALL[slug], "light" if width == 375 else "dark"))
    assert page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(OVERLAPPING) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate(ON_ARCS) == []
    assert page.evaluate(LETTERS) == []
    assert page.evaluate(HARD_TO_HIT) == []
    assert page.locator(".heat-map svg a, .arcs svg a, .bars svg a").count() > 0
    assert page.locator("svg[role=img] a, svg a:not([href])").count() == 0
    contrast = EVERYTHING or slug in ("i-love-cats", "hostile")  # all have the same colours
    assert violations(page, rules={"target-size": True, CONTRAST: contrast}) == []
    page.close()
