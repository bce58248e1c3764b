"""What several test modules share."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import sites

settings.register_profile("ours", deadline=None, derandomize=True,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ours")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own site, built once."""
    return _built(sites.ROOT, tmp_path_factory.mktemp("own") / "site")


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site with every example of tests/examples beside the lesson's."""
    folder = tmp_path_factory.mktemp("gallery")
    files = sites.texts(sites.LESSON, *sorted(sites.EXAMPLES.iterdir()))
    return _built(sites.project(folder / "project", files), folder / "site")


@pytest.fixture
def other_site(tmp_path: Path) -> Callable[..., Path]:
    """Builds a site in which one example file is the lesson's."""
    def build(name: str, contents: str) -> Path:
        lesson = Path(name).stem
        folder = sites.project(tmp_path / "project", {name: contents}, lesson)
        return _built(folder, tmp_path / "site")

    return build


def _built(folder: Path, site: Path) -> Path:
    done = sites.build(folder, site)
    assert done.returncode == 0, done.stderr
    return site
