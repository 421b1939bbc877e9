"""Read files into tables: one reader for each format, and the recognition of columns.

A file becomes `Hits` in these steps:

1. `paths`, `opening`: find the files, and read their first bytes or blocks of lines.
2. `forms`: recognise the format; `byhand.naming` finds our columns.
3. `lines`, `lists`, `items`, `jsons`, `parquet`: parse the rows as Arrow tables of our columns.
4. `values`: check ids, scores and grades; `reading`: join the parts, and locate what is wrong.
5. `byhand.tables`: check repeats and pair the run with its qrels; `tables.counting` ranks the hits.
6. `byhand.metrics.hits`: `Hits`, on which every measure is defined.

`scan` and `streams` do the same for tables that do not fit in memory. `texts` reads the wording
of queries and items, and `writing` replaces files.
"""
