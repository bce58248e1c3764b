"""Speed, as ratios within one run: `make bench`. No test asserts a time."""
