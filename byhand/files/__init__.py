"""Read files into tables: one reader for each format, and the recognition of columns.

A file becomes `Hits` in these steps; `byhand.tables.runs_and_qrels` starts them:

1. `paths`, `opening`: find the files, and read their first bytes or blocks of lines.
2. `forms`: recognise the format; `byhand.naming` finds our columns.
3. `lines`, `lists`, `items`, `jsons`, `parquet`: parse batches of rows as Arrow tables.
4. `parts`: join the batches of a file; `values` checks their ids, scores and grades.
5. `byhand.tables.reading`: join the files in a frame; `scan` and `streams` read larger tables.
6. `byhand.tables.frames`: check a frame as `Run` or `Qrels`; `tables.counting` ranks the hits.
7. `byhand.metrics.run_with_qrels`: return them as `Hits`, on which every measure is defined.

`texts` reads the wording of queries and items, and their groups.
"""
