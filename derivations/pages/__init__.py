"""The page set: a pure function of the files. Prose comes from docs/, numbers from derivations."""
