"""The links of the finished site: every page is reached, and every link leads somewhere."""

import shutil
from pathlib import Path

from tests.browser import addresses, broken, framed, kind, one_of_each_kind, walked


def test_every_page_is_reached_by_walking_from_the_home_page(site: Path, gallery: Path) -> None:
    for pages in (site, gallery):
        assert walked(pages) == set(addresses(pages)) - {"404.html"}


def test_every_link_and_every_anchor_leads_somewhere(site: Path, gallery: Path) -> None:
    assert broken(site) == []
    assert broken(gallery) == []


def test_broken_links_and_lost_pages_are_found(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    (copy / "lost.html").write_text('<p><a href="#no">1</a><a href="no/">2</a>'
                                    '<a href="index.html#no">3</a><img src="no.png"></p>')
    assert broken(copy) == ["lost.html: lost.html#no", "lost.html: no/#", "lost.html: #no",
                            "lost.html: no.png#"]
    assert "lost.html" not in walked(copy)


def test_there_is_a_page_of_each_kind(site: Path) -> None:
    kinds = {kind(page) for page in one_of_each_kind(site)}
    assert kinds == {kind(page) for page in framed(site)}
    assert kinds >= {"home", "missing", "examples", "overview", "stage", "whole", "together",
                     "reference"}
