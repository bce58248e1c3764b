"""The font of the formulas: STIX Two Math, cut down to what attention needs.

It ships in the ziamath wheel, of which only the file is used. Licence: SIL Open Font License.
Two things are changed in it, because of how browsers set mathematics. Chromium reserves the width
of the widest root sign for every root, which leaves a gap after it: so the taller signs are drawn
anew, as wide as the small one. And indices hang from the edge of a letter as from that of a
matrix, so that those of q stand lower than those of k: so the edge counts for less.
"""

from copy import deepcopy
from functools import lru_cache
from importlib import metadata
from io import BytesIO
from typing import Any

PLACE = "assets/fonts/stix-two-math.woff2"
FILE = "STIXTwoMath-Regular.ttf"
CHARACTERS = (
    *range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x391, 0x3CA),  # Latin and Greek
    0x2061, 0x2062,  # function application, invisible times
    *map(ord, "…′⊤⋅⋮⋯⋱←→↦∈∑−√∝∞∥≈≠≤≥ℎ"),
    *range(0x239B, 0x23B2),  # the pieces of tall brackets
    *range(0x1D400, 0x1D468),  # bold and italic letters
)
ROOT = 0x221A
TALLER = (150, 500, 1200)  # what the taller root signs add to the small one, in 1/1000 em
WAIST = 600  # the height on a root sign above which it is only a slope and a bar
DROPS = {"SubscriptBaselineDropMin": -10, "SuperscriptBaselineDropMax": 350}
LICENCE_NAMES = (0, 1, 2, 3, 4, 5, 6, 7, 13, 14)


@lru_cache(maxsize=1)
def stix() -> bytes:
    """The subset as WOFF2: the same bytes each time."""
    from fontTools import subset  # noqa: PLC0415 (slow to import, and often kept)
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    font = TTFont(_original(), recalcTimestamp=False)
    _narrow_roots(font)
    _level_indices(font)
    options = subset.Options(layout_features=["dtls"], name_IDs=LICENCE_NAMES, notdef_outline=True)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=CHARACTERS)
    cutter.subset(font)
    font.flavor = "woff2"
    out = BytesIO()
    font.save(out)
    return out.getvalue()


def _narrow_roots(font: Any) -> None:
    """Each taller root sign becomes the small one with its bar moved up; no sign is in pieces."""
    root = font.getBestCmap()[ROOT]
    variants = font["MATH"].table.MathVariants
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    signs.GlyphAssembly = None
    small, *taller = signs.MathGlyphVariantRecord
    for sign, extra in zip(taller, TALLER, strict=True):
        font["glyf"][sign.VariantGlyph] = _taller(font["glyf"][root], extra)
        font["hmtx"][sign.VariantGlyph] = font["hmtx"][root]
        sign.AdvanceMeasurement = small.AdvanceMeasurement + extra


def _level_indices(font: Any) -> None:
    """A letter's indices stand where those of any letter do, whether it hangs, rises or neither."""
    for name, drop in DROPS.items():
        getattr(font["MATH"].table.MathConstants, name).Value = drop


def _taller(sign: Any, extra: int) -> Any:
    taller = deepcopy(sign)
    taller.removeHinting()
    for point, (x, y) in enumerate(sign.coordinates):
        taller.coordinates[point] = (x, y + extra if y > WAIST else y)
    return taller


def _original() -> str:
    """Where the wheel keeps the font; ziamath itself is never imported."""
    (path,) = (path for path in metadata.files("ziamath") or [] if path.name == FILE)
    return str(path.locate())
