"""The font of the formulas: STIX Two Math, cut down to what attention needs.

It ships in the ziamath wheel, of which only the file is used. Licence: SIL Open Font License.
"""

from functools import lru_cache
from importlib import metadata
from io import BytesIO

from fontTools import subset
from fontTools.ttLib import TTFont

FOLDER = "assets/fonts"
FILE = "STIXTwoMath-Regular.ttf"
CHARACTERS = (
    *range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x391, 0x3CA),  # Latin and Greek
    0x2061, 0x2062,  # function application, invisible times
    *map(ord, "…′⊤⋅⋮⋯⋱←→↦∈∑−√∝∞∥≈≠≤≥ℎ"),
    *range(0x239B, 0x23B2),  # the pieces of tall brackets
    *range(0x1D400, 0x1D468),  # bold and italic letters
)
LICENCE_NAMES = (0, 1, 2, 3, 4, 5, 6, 7, 13, 14)


def files() -> dict[str, bytes]:
    """The font, as a file of the site."""
    return {f"{FOLDER}/stix-two-math.woff2": stix()}


@lru_cache(maxsize=1)
def stix() -> bytes:
    """The subset as WOFF2: the same bytes each time."""
    font = TTFont(_original(), recalcTimestamp=False)
    options = subset.Options(layout_features=["dtls"], name_IDs=LICENCE_NAMES, notdef_outline=True)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=CHARACTERS)
    cutter.subset(font)
    font.flavor = "woff2"
    out = BytesIO()
    font.save(out)
    return out.getvalue()


def _original() -> str:
    """Where the wheel keeps the font; ziamath itself is never imported."""
    (path,) = (path for path in metadata.files("ziamath") or [] if path.name == FILE)
    return str(path.locate())
