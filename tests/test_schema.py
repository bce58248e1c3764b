"""The published schema takes what the loader takes, and says no to what it cannot be."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from derivations.example.schema import schema
from derivations.example.syntax import KEYS
from tests.sites import EXAMPLES, KINDS, ROOT, SHOWN

PUBLISHED = ROOT / "docs" / "schema" / "example.json"
FILES = sorted([*SHOWN.glob("*.toml"), *EXAMPLES.iterdir(), *KINDS.iterdir(),
                *(ROOT / "tests" / "cases").iterdir()])
GOOD = {"x": [[1]], "w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}


def valid(data: object) -> bool:
    return jsonschema.Draft7Validator(schema()).is_valid(data)


def test_the_published_schema_is_this_one() -> None:
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == schema()
    jsonschema.Draft7Validator.check_schema(schema())


def test_editors_find_it() -> None:
    (rule,) = tomllib.loads((ROOT / ".taplo.toml").read_text())["rule"]
    assert ROOT / rule["schema"]["path"] == PUBLISHED
    assert [path for pattern in rule["include"] for path in ROOT.glob(pattern)] \
        == [*SHOWN.glob("*.toml")]


def test_it_knows_every_key_and_tells_what_each_is() -> None:
    properties = schema()["properties"]
    assert properties.keys() == set(KEYS)
    assert all(one["description"] for one in properties.values())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_example_is_valid(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    jsonschema.validate(data, schema(), jsonschema.Draft7Validator)


@pytest.mark.parametrize("data", [
    [], {}, {"x": [[1]]}, GOOD | {"wq": [[1]]}, GOOD | {"x": [[True]]}, GOOD | {"x": [["one"]]},
    GOOD | {"x": [1]}, GOOD | {"x": []}, GOOD | {"tokens": []}, GOOD | {"tokens": "a"},
    GOOD | {"mask": "diagonal"}, GOOD | {"mask": [[2]]}, GOOD | {"scale": "root"},
    GOOD | {"places": 0}, GOOD | {"title": 3}, GOOD | {"b_q": [[1]]}, GOOD | {"cache_length": -1},
    GOOD | {"heads": [{"wq": [[1]]}]}, GOOD | {"published_places": {"q": "many"}},
    GOOD | {"float32": 1}, GOOD | {"language": "?!"},
])
def test_what_cannot_be_is_not_valid(data: object) -> None:
    assert valid(GOOD)
    assert not valid(data)
