"""The programs of the chapter on code: run, read line by line, and held against the engine."""
