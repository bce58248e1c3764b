"""What all decks of slides share: style, script and font, within the file, and a policy for these.

The colours and the look are those of the site: its style sheets are read, not copied.
"""

from base64 import b64encode
from pathlib import Path

from derivations.pages import font
from derivations.pages.examples import SiteError
from derivations.pages.hashes import digest
from derivations.pages.templating import TEMPLATES

FILE = "slides.html"
PLACE = "<!--dress-->"  # no text of an example has such a mark: it would be escaped
SHEETS = ("palette.css", "site.css", "mathematics.css")
FONT = 'url("fonts/stix-two-math.woff2")'
# The site has a switch for its colours; a deck has those that the reader's machine asks for.
SCHEME = (('[data-md-color-scheme="slate"]', ":root"), ("[data-md-color-scheme]", ":root"),
          ("@media screen {", "@media screen and (prefers-color-scheme: dark) {"))
POLICY = ("default-src 'none'; style-src '{style}'; script-src '{script}'; font-src data:; "
          "img-src data:; base-uri 'none'; form-action 'none'")
DRESS = """\
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta charset="utf-8">
<style>{style}</style>
<script>{script}</script>"""


def dressed(files: dict[str, bytes], docs: Path) -> dict[str, bytes]:
    """All files of a site, the font among them, with style and script in the decks of slides.

    Raises SiteError where a style sheet in docs/assets is missing, or not as decks need it.
    """
    place, decks = PLACE.encode(), [name for name in files if name.endswith(f"/{FILE}")]
    dress = _dress(docs / "assets", files[font.PLACE]).encode()
    return files | {name: files[name].replace(place, dress, 1) for name in decks}


def _dress(assets: Path, font_file: bytes) -> str:
    style = f"\n{_style(assets, font_file)}"
    script = "\n" + (TEMPLATES / "slides.js").read_text(encoding="utf-8")
    policy = POLICY.format(style=digest(style), script=digest(script))
    return DRESS.format(policy=policy, style=style, script=script)


def _style(assets: Path, font_file: bytes) -> str:
    try:
        palette, *sheets = ((assets / name).read_text(encoding="utf-8") for name in SHEETS)
    except OSError as error:
        raise SiteError(f"the slides need a style sheet of the site: {error}") from None
    for told, meant in SCHEME:
        palette = _replaced(palette, told, meant)
    data = f'url("data:font/woff2;base64,{b64encode(font_file).decode()}")'
    look = _replaced("".join(sheets), FONT, data)
    return palette + look + (TEMPLATES / "slides.css").read_text(encoding="utf-8")


def _replaced(sheet: str, told: str, meant: str) -> str:
    if told not in sheet:
        raise SiteError(f"the slides look for {told} in the style sheets of docs/assets")
    return sheet.replace(told, meant)
