"""What an exercise is, and what it asks for: exact numbers, queries, or the name of a mistake."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from derivations.decimals import Table, table
from derivations.lesson.practice.scenes import Scene
from derivations.lesson.practice.texts import TEXTS
from derivations.quotients import Quotients
from derivations.rounded import Rounded
from derivations.values import ExpSums, Rationals, Rooted, Values

Place = tuple[int, int]


@dataclass(frozen=True)
class Numbers:
    """Some entries of an exact matrix; `name` and `key` tell on the page which matrix that is."""

    name: str
    key: str
    values: Values | Quotients
    places: tuple[Place, ...] = ((0, 0),)

    def rounded(self, places: int) -> tuple[Rounded, ...]:
        """The entries, correctly rounded."""
        found: Table = table(self.values, places)
        shown = [found[i][j] for i, j in self.places]
        assert None not in shown
        return tuple(entry for entry in shown if entry is not None)


@dataclass(frozen=True)
class Queries:
    """Queries that are equally good, and the weight that each of them gives."""

    found: tuple[tuple[int, ...], ...]
    weight: Numbers


@dataclass(frozen=True)
class Named:
    """A mistake, by its key."""

    mistake: str


Answer = Numbers | Queries | Named


@dataclass(frozen=True)
class Exercise:
    """An exercise. Its texts speak the marker language of the pages.

    `scenes` are what they may show, by the name used there; `places` are rows and columns counted
    from 0, `counts` other whole numbers, and `shown` numbers that are no entry of a scene.
    """

    key: str
    answer: Answer
    scenes: Mapping[str, Scene]
    places: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    shown: Mapping[str, Numbers] = field(default_factory=dict)
    listed: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What it is about."""
        return TEXTS[self.key].title

    @property
    def level(self) -> str:
        """easy, medium or hard."""
        return TEXTS[self.key].level

    @property
    def prompt(self) -> str:
        """What is asked."""
        return TEXTS[self.key].prompt

    @property
    def hint(self) -> str:
        """Where to begin."""
        return TEXTS[self.key].hint

    @property
    def solution(self) -> str:
        """Every step of the way."""
        return TEXTS[self.key].solution


def of_step(scene: Scene, key: str, *places: Place) -> Numbers:
    """Entries of a step of a scene."""
    return Numbers(scene.name, key, scene.derivation[key].of_one, places)


def scalar(scene: Scene, key: str, value: Fraction) -> Numbers:
    """A rational that is no entry of a step."""
    return Numbers(scene.prefix, key, Rationals(((value.numerator,),), value.denominator))


def over_root(scene: Scene, key: str, top: Fraction, root: int) -> Numbers:
    """top / sqrt(root)."""
    return Numbers(scene.prefix, key, Rooted(
        Rationals(((top.numerator,),), top.denominator), root))


def power(scene: Scene, key: str, top: Fraction, root: int) -> Numbers:
    """e^(top / sqrt(root))."""
    exponent = Rooted(Rationals(((top.numerator,),), top.denominator), root)
    return Numbers(scene.prefix, key, ExpSums(exponent, None, normalised=False))
