"""Grades what others print for an example, against its exact values."""
