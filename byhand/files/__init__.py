"""Read files into tables: one reader for each format, and the recognition of columns.

`evaluate` turns files into `Hits` in these calls; each calls those indented below it:

- `byhand.metrics.run_with_qrels.RunWithQrels`: take a run and its qrels, of any type.
    - `byhand.tables.runs_and_qrels.several_of`: check them together.
        - `byhand.tables.frames.run_of`, `qrels_of`: check a frame as `Run` or `Qrels`.
            - `byhand.tables.reading.read_table`: join files in a frame.
                - `forms.form_of`: recognise the format of a file, which `paths` and `opening`
                  find and read; `byhand.naming.find_columns` finds our columns.
                - `parts.parts_of`: join the batches of a file; `values` checks ids and numbers.
                    - `lines.batches_of`: parse rows as Arrow tables; `parquet`, `jsons`, `lists`
                      and `items` parse their formats.
- `RunWithQrels.hits`: combine `Qrels.wanted` and `Run.hits` (`byhand.tables.counting`).

`byhand.tables.scan` and `streams` read tables larger than memory, and `texts` the wording of
queries and items, and their groups.
"""
