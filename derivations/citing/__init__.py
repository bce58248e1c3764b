"""What can be cited: the tag of every derivation, its citation, and its data."""
