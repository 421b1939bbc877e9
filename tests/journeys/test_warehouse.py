"""Somebody with a warehouse: tables that stay where they are, and an export beyond memory."""

import json

import pytest

WAREHOUSE = """
import duckdb
warehouse = duckdb.connect("warehouse.db")
for name in ("new", "old"):  # of two markets, and with what else is logged
    warehouse.sql(f'''CREATE TABLE run_{name} AS
        SELECT column0 || '/' || market AS query_id, column2 AS doc_id, column4 AS score,
               [random() FOR _ IN range(80)] AS features
        FROM read_csv('{name}.run.gz', delim=' ', header=false), range(2) AS of_all(market)''')
    warehouse.sql(f"COPY run_{name} TO 'export/{name}' (FORMAT parquet, FILE_SIZE_BYTES '4MB')")
warehouse.sql('''CREATE TABLE qrels AS
    SELECT query_id || '/' || market AS query_id, doc_id, relevance
    FROM 'qrels.csv', range(2) AS of_all(market)''')
warehouse.sql("COPY qrels TO 'export/qrels.parquet'")
"""
ASKED = """
import json
import duckdb
from byhand import compare, evaluate, preflight
warehouse = duckdb.connect("warehouse.db", read_only=True)
new, old, qrels = (warehouse.table(name) for name in ("run_new", "run_old", "qrels"))
print(preflight(new, qrels))
values = evaluate(new, qrels, ["RR", "nDCG@10"])
print(json.dumps(values.mean().to_dict()))
print(compare({"new": new, "old": old}, qrels, "RR")["mean_a"][0])
some = warehouse.sql("FROM run_new WHERE query_id LIKE '%/1'")
print(evaluate(some, warehouse.sql("FROM qrels WHERE query_id LIKE '%/1'"), "RR")["RR"].mean())
"""
LISTS = """
import duckdb
from byhand import evaluate
warehouse = duckdb.connect("warehouse.db", read_only=True)
relevant = "SELECT query_id, list(doc_id) AS doc_id, 1 AS relevance FROM qrels WHERE relevance > 0"
print(evaluate(warehouse.table("run_new"), warehouse.sql(f"{relevant} GROUP BY ALL"), "RR").mean())
"""


def test_tables_and_an_export_give_the_same(shell, samples):
    shell("mkdir export")
    shell("python", types=WAREHOUSE)
    *told, means, rr, some = shell("python", types=ASKED).out.splitlines()
    means = json.loads(means)
    assert "rows of the run                        39,400" in "\n".join(told)
    assert float(rr) == means["RR"]
    assert float(some) == pytest.approx(means["RR"], abs=1e-12)

    shell("python", types=LISTS, error="DataError")  # a list in a cell is not taken for one item

    line = "--qrels export/qrels.parquet --memory 3MB"
    shell(f"ranking-report 'export/new/*.parquet' {line} --measures RR nDCG@10 -o new.json")
    numbers = json.loads((samples / "new.json").read_text(encoding="utf-8"))
    assert {row["measure"]: row["mean"] for row in numbers["means"]} == means
    assert numbers["in_memory"] is False
    said = shell(f"ranking-gate export/new export/old {line} --measure nDCG@10")
    assert f"Pass: nDCG@10 did not drop by more than 0.01: {means['nDCG@10']:.4f}" in said.out
