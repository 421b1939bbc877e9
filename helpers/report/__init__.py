"""Notebooks as self-contained HTML: the report on a user's data, and the lessons as pages."""
