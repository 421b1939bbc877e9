"""Notebooks in the browser: a static site that includes Python."""
