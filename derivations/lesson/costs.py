"""What a layer costs that lets n tokens of width d hear each other: formulas, and their values.

The first three layers and columns are those of Vaswani et al. (2017), Table 1 and section 4.
Memory, additive and linear attention are our own count; the page derives each in a line.
"""

from dataclasses import dataclass

from derivations.step import Derivation

KERNEL = 3


@dataclass(frozen=True)
class Product:
    """k^k n^n d^d: the power of each size in a product."""

    k: int = 0
    n: int = 0
    d: int = 0

    def value(self, n: int, d: int) -> int:
        """For n tokens of width d, and kernels of width KERNEL."""
        found: int = KERNEL**self.k * n**self.n * d**self.d
        return found


@dataclass(frozen=True)
class Sum:
    """A sum of products."""

    terms: tuple[Product, ...]

    def value(self, n: int, d: int) -> int:
        """For n tokens of width d."""
        return sum(term.value(n, d) for term in self.terms)


@dataclass(frozen=True)
class Logarithm:
    """The layers that see n tokens: log_k n, rounded up, and one at least.

    Layers of width k that look back, each k times as widely spaced as the one below, reach
    k, k^2, k^3 ... tokens.
    """

    def value(self, n: int, d: int) -> int:
        """For n tokens; d does not matter."""
        layers = 1
        while KERNEL**layers < n:
            layers += 1
        return layers


Cost = Product | Sum | Logarithm
COSTS = ("path", "sequential", "operations", "memory")
ONE = Product()


@dataclass(frozen=True)
class Layer:
    """A kind of layer and its costs.

    The longest path between two tokens, the steps that must wait for each other, operations per
    layer, and the numbers kept between input and output.
    """

    key: str
    path: Cost
    sequential: Cost
    operations: Cost
    memory: Cost

    def cost(self, name: str) -> Cost:
        """One of COSTS."""
        found: Cost = getattr(self, name)
        return found


LAYERS = (
    Layer("self-attention", ONE, ONE, Product(n=2, d=1), Product(n=2)),
    Layer("recurrent", Product(n=1), Product(n=1), Product(n=1, d=2), Product(n=1, d=1)),
    Layer("convolution", Logarithm(), ONE, Product(k=1, n=1, d=2), Product(n=1, d=1)),
    Layer("additive-attention", ONE, ONE, Product(n=2, d=1), Product(n=2, d=1)),
    Layer("linear-attention", ONE, ONE, Product(n=1, d=2), Sum((Product(n=1, d=1), Product(d=2)))),
)
BY_KEY = {layer.key: layer for layer in LAYERS}


def multiplications(derivation: Derivation) -> dict[str, int]:
    """How many multiplications one head takes, products of matrices written out, no mask used.

    To make Q, K and V, for the scores, and for the output.
    """
    n_q, n_k, d_model, d_k, d_v = (
        derivation.size(name) for name in ("n_q", "n_k", "d_model", "d_k", "d_v"))
    return {
        "projections": n_q * d_model * d_k + n_k * d_model * d_k + n_k * d_model * d_v,
        "scores": n_q * n_k * d_k,
        "output": n_q * n_k * d_v,
    }
