"""What the lesson asks of an example beyond its own steps: variants, mistakes, distributions."""
