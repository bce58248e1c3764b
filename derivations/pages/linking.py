"""Links from every number to its own derivation: filled in when it is known on which page that is.

Until then a number says which entry it is (`data-ref`), and a link to a row, a column or an entry
its address (`data-to`).
"""

import re
from dataclasses import dataclass
from posixpath import dirname, relpath

from derivations.notation import BY_KEY, head_number
from derivations.pages.stages import STAGE_OF, STAGES, TOGETHER, Stage

_NUMBER = re.compile(
    r'<(span|g) class="number( lit| at)?" data-ref="([^"]+)"([^>]*)>(.*?)</\1>', re.DOTALL)
_TO = re.compile(r' data-to="([^"]+)"')
_KEY = re.compile(r"([a-z_]+?(?:_\d+)?)(?:-[rc]\d+(?:c\d+)?)?")
FILE = "file"


@dataclass(frozen=True)
class Links:
    """Where the numbers of one example are derived.

    `addresses` are all that its pages have: of entries with a card, of rows and of columns. The
    example file stands on the page of the `first` stage. The pages of a head stand below the
    `whole` of all heads.
    """

    folder: str
    addresses: frozenset[str]
    directory_urls: bool
    first: Stage = STAGES[0]
    whole: str = ""

    def to(self, here: str, address: str) -> str:
        """The link from a page to an address; to its step, where the address is not shown."""
        key = step_key(address)
        anchor = address if address in self.addresses or address == FILE else key
        folder, key, anchor = self._place(key, anchor)
        stage = self.first if address == FILE else STAGE_OF[key]
        return href(here, f"{folder}/{stage.file}", self.directory_urls) + "#" + anchor

    def _place(self, key: str, anchor: str) -> tuple[str, str, str]:
        """(folder, step, anchor): of the output of a head, those on its own pages."""
        if number := head_number(key):
            return f"{self.folder}/head-{number}", "output", "output" + anchor.removeprefix(key)
        return self.whole if self.whole and key in TOGETHER.keys else self.folder, key, anchor


def step_key(address: str) -> str:
    """The step of an address: scores of scores-r2c3 and scores-r2."""
    found = _KEY.fullmatch(address)
    assert found, address
    return found[1]


def linked(text: str, here: str, links: Links) -> str:
    """A page of the site's sources (`here` is its path) with the links of its numbers."""
    text = _NUMBER.sub(lambda found: _number(found, here, links), text)
    return _TO.sub(lambda found: f' href="{links.to(here, found[1])}"', text)


def href(here: str, there: str, directory_urls: bool) -> str:
    """The relative address of one page as seen from another; '' for the page itself."""
    if here == there:
        return ""
    base, target = (url_of(page, directory_urls) for page in (here, there))
    found = relpath("/" + target, "/" + dirname(base))
    return found + "/" if directory_urls else found


def url_of(page: str, directory_urls: bool) -> str:
    """The address of a page of the sources, below that of the site."""
    path = page.removesuffix(".md")
    if not directory_urls:
        return path + ".html"
    return path.removesuffix("index") if path.split("/")[-1] == "index" else path + "/"


def _number(found: re.Match[str], here: str, links: Links) -> str:
    _, lit, ref, more, shown = found.groups(default="")
    if ref not in links.addresses:
        return found[0]
    role = BY_KEY[step_key(ref)].role
    kind = f"number{lit} role-{role}" if role else f"number{lit}"
    return f'<a class="{kind}" data-ref="{ref}"{more} href="{links.to(here, ref)}">{shown}</a>'
