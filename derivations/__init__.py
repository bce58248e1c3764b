"""Attention, worked out exactly: the mathematics, and what is drawn from it."""

__version__ = "0.1.0"
