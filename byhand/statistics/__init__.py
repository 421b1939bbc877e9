"""Two or more systems, or groups of queries: differences, intervals and tests."""
