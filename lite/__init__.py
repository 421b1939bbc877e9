"""The lessons as notebooks in the browser: a static site with Python itself in it."""
