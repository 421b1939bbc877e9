"""Notebooks as self-contained HTML: the report on a user's data, and the lessons as pages.

`command` is what a user types, with its `options` and the `sources` that they name; `data_report`
makes the report out of lesson 10, which `running` runs on the user's files and whose cells are made
of `steps`. Lesson 10 does the same from within, with `here`; `data_page` is what both make.
`lessons` renders every lesson. All turn a notebook into HTML with `cells` and `markdown`, keep its
widgets alive with `live`, and put a `page` around it.
"""
