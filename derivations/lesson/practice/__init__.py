"""Exercises and a quiz about an example: each answer is data, and proved by a second route."""
