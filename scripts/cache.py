"""Keeps what is slow to make, under a key of everything that went in: the page set and its parts.

Whatever changes, be it one byte of a file or the version of a library, changes the key. A file of
the cache begins with the SHA-256 of the rest: a broken one is not believed, and made anew.
With NO_CACHE=1 in the environment nothing is kept.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from zipfile import ZipFile

Files = dict[str, bytes]
Keep = Callable[[str, Callable[[], Files], bytes], Files]
DIGEST = sha256().digest_size
MOST = 4  # kept of each name: the site and the one for a disk, before and after a change


def page_set(
    folder: Path, docs: Path, arguments: tuple[object, ...], make: Callable[[Keep], Files]
) -> Files:
    """The page set of `docs` with these arguments, from the cache in `folder`, or made now.

    `make` is given `keep(name, part, inputs)`: files that depend on the code and these inputs.
    """
    def keep(name: str, part: Callable[[], Files], inputs: bytes) -> Files:
        return kept(folder, name, lambda: _key([key_of_code().encode(), inputs]), part)

    return kept(folder, "pages", partial(key_of_pages, docs, arguments), partial(make, keep))


def kept(folder: Path, name: str, key: Callable[[], str], make: Callable[[], Files]) -> Files:
    """What was kept under this name and key; else it is made, and kept."""
    if os.environ.get("NO_CACHE"):
        return make()
    before = key()
    path = folder / f"{name}-{before}"
    files = _read(path)
    if files is None:
        files = make()
        if key() == before:  # or a file was saved meanwhile
            _write(path, files)
            _remove_old(folder, name)
    return files


def key_of_pages(docs: Path, arguments: tuple[object, ...]) -> str:
    """A key of all that the page set is made from."""
    return _key([key_of_code().encode(), repr(arguments).encode(), *_contents(docs)])


def key_of_code() -> str:
    """A key of our code, the libraries, and what runs them."""
    package = find_spec("derivations")
    assert package is not None
    code = [part for place in package.submodule_search_locations or []
            for part in _contents(Path(place))]
    return _key([_key(map(str.encode, _surroundings())).encode(), *code])


def _surroundings() -> list[str]:
    """Python, the processor's kind, SymPy's settings, and every installed version."""
    settings = [f"{name}={value}" for name, value in os.environ.items() if "SYMPY" in name]
    libraries = [path.name for place in sys.path for path in Path(place).glob("*-info")]
    return [sys.version, platform.machine(), *sorted(settings), *sorted(libraries)]


def _contents(folder: Path) -> list[bytes]:
    """Every file below: its name and its bytes, in turn; not those that an editor hides."""
    paths = sorted(Path(place) / name for place, _, names in os.walk(folder, followlinks=True)
                   for name in names if "__pycache__" not in place and not name.startswith("."))
    return [part for path in paths
            for part in (path.relative_to(folder).as_posix().encode(), path.read_bytes())]


def _key(parts: Iterable[bytes]) -> str:
    """One digest: no two lists of parts share it."""
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()


def _read(path: Path) -> Files | None:
    """The files that were kept; None if there are none, or not as they were written."""
    try:
        written = path.read_bytes()
    except OSError:
        return None
    digest, packed = written[:DIGEST], written[DIGEST:]
    if sha256(packed).digest() != digest:
        return None
    with ZipFile(BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _write(path: Path, files: Files) -> None:
    """All or nothing: a reader never meets half a file. A disk that takes nothing is no fault."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, contents in files.items():
            archive.writestr(name, contents)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.", delete=False) as file:
            file.write(sha256(packed.getvalue()).digest() + packed.getvalue())
        Path(file.name).replace(path)


def _remove_old(folder: Path, name: str) -> None:
    """Another process may be removing the same ones."""
    with suppress(OSError):
        for old in sorted(folder.glob(f"{name}-*"), key=lambda path: path.stat().st_mtime)[:-MOST]:
            old.unlink()
