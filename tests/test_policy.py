"""The content security policy: on every page, for the theme's own scripts and no others."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from lxml import html
from mkdocs.exceptions import PluginError

from scripts import policy

THEME = ('<head><script src="x.js"></script><script>a && b("</p>&lt;")</script>'
         '<script type="application/json">{"a": 1}</script></head><body>%s'
         "<script type=module>c()</script></body>")
OWN = ['a && b("</p>&lt;")', "c()"]


def test_only_scripts_that_would_run_are_found_letter_by_letter() -> None:
    assert policy.inline_scripts(THEME) == OWN


def test_the_hash_is_the_one_that_browsers_ask_for() -> None:
    # printf 'c()' | openssl dgst -sha256 -binary | base64
    assert policy.digest("c()") == "sha256-uv6BXxguRKhBqgeOtcyTvppA2Vttceh37dUo7xwS8Ug="


def test_a_script_in_the_content_is_not_allowed() -> None:
    content = "<p><script>planted()</script></p>"
    page = SimpleNamespace(content=content, file=SimpleNamespace(src_uri="index.md"))
    shown = policy.on_post_page(THEME % content, page=page)
    assert content in shown
    assert all(policy.digest(script) in shown for script in OWN)
    assert policy.digest("planted()") not in shown


def test_a_page_without_its_content_as_it_was_stops_the_build() -> None:
    page = SimpleNamespace(content="<p>one</p>", file=SimpleNamespace(src_uri="index.md"))
    with pytest.raises(PluginError, match=r"index\.md: the template changed"):
        policy.on_post_page(THEME % "<p>two</p>", page=page)


def test_other_files_of_the_theme_are_left_alone() -> None:
    assert policy.on_post_template("<head>", template_name="sitemap.xml") == "<head>"


def test_live_reload_may_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_serving", False)
    policy.on_startup("serve")
    assert "script-src 'self' 'unsafe-inline';" in policy.policy(THEME)


@pytest.mark.own
def test_every_page_has_its_policy_first_and_nothing_that_it_would_refuse(site: Path) -> None:
    pages = sorted(path for path in site.rglob("*.html") if path.name != "slides.html")  # its own
    assert site / "404.html" in pages
    for path in pages:
        assert problems(path.read_bytes()) == [], path


def problems(page: bytes) -> list[str]:
    """What is wrong with a page for its policy; where a browser looks for its encoding, too."""
    tree = html.fromstring(page)
    first = tree.find("head")[0]
    rules = first.get("content", "")
    inline = [script.text for script in tree.iter("script")
              if "src" not in script.attrib and script.get("type") not in policy.DATA]
    handlers = [name for element in tree.iter() for name in element.attrib
                if name == "style" or name.startswith("on")]
    return [problem for problem, wrong in {
        "the policy is not first": first.get("http-equiv") != "Content-Security-Policy",
        "it allows more than this site": not rules.startswith("default-src 'self'; "),
        "it allows what is unsafe": "unsafe" in rules or "*" in rules or "http" in rules,
        "a script is refused": not all(policy.digest(script) in rules for script in inline),
        f"attributes are refused: {handlers}": handlers,
        "a <style> is refused": tree.find(".//style") is not None,
        "the encoding comes too late": b"charset=" not in page[:1024],
    }.items() if wrong]
