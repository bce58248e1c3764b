"""What several test modules share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

from tests import sites
from tests.browser import ARGUMENTS, CHROMIUM, served

settings.register_profile("ours", deadline=None, derandomize=True,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ours")


# The tests of what computes: they are run with both kinds of integers that SymPy knows. Pages
# come of the same numbers, as the golden ones show, and are tested with one kind.
OF_NUMBERS = {
    "test_agreement", "test_checks", "test_decimals", "test_default", "test_exact", "test_forms",
    "test_generic", "test_golden", "test_numeric", "test_quotients", "test_records",
    "test_sympy_alone", "test_variants",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of numbers."""
    for item in items:
        if item.path.stem in OF_NUMBERS:
            item.add_marker(pytest.mark.numbers)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own site, built once."""
    return _built(sites.ROOT, tmp_path_factory.mktemp("own") / "site")


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that sites of other examples share: of the font and of what is proved of symbols."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory, kept: Path) -> Path:
    """The site with every example of tests/examples and tests/kinds beside the lesson's."""
    folder = tmp_path_factory.mktemp("gallery")
    files = sites.texts(sites.LESSON, *sorted(sites.EXAMPLES.iterdir()),
                        *sorted(sites.KINDS.iterdir()))
    return _built(sites.project(folder / "project", files, kept=kept), folder / "site", NO_CACHE="")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the project's own site is served."""
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def gallery_address(gallery: Path) -> Iterator[str]:
    """Where the site with every example is served."""
    with served(gallery) as address:
        yield address


@pytest.fixture
def other_site(tmp_path: Path, kept: Path) -> Callable[..., Path]:
    """Builds a site in which one example file is the lesson's."""
    def build(name: str, contents: str) -> Path:
        lesson = Path(name).stem
        folder = sites.project(tmp_path / "project", {name: contents}, lesson, kept)
        return _built(folder, tmp_path / "site", NO_CACHE="")

    return build


def _built(folder: Path, site: Path, **environment: str) -> Path:
    done = sites.build(folder, site, **environment)
    assert done.returncode == 0, done.stderr
    return site
