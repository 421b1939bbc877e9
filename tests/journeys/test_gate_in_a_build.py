"""Somebody who lets a build ask, before a change ships, whether the ranking got worse."""

import json

# what changes do to a run
WORSE = "zcat new.run.gz | awk '{ $5 = -$5; print }' | gzip > worse.run.gz"
HALF = "zcat new.run.gz | awk '{ q = substr($1, 2) + 0; if (q % 2) print }' | gzip > half.run.gz"
ROUNDED = "zcat new.run.gz | awk '{ $5 = 7; print }' | gzip > rounded.run.gz"
WITH_CLICKS = """
import pandas as pd
from byhand import read_run
clicks = pd.read_csv("qrels.csv")
for name in ("new", "old"):
    read_run(f"{name}.run.gz").merge(clicks, how="left").fillna({"relevance": 0}).to_csv(
        f"{name}-clicks.csv", index=False
    )
new = pd.read_csv("new-clicks.csv")
new[new["relevance"] == 0].to_csv("lost-clicks.csv", index=False)
"""


def test_a_build_passes_fails_and_says_why(shell, samples):
    said = shell("ranking-gate new.run.gz old.run.gz --qrels qrels.csv --max-drop 0.02")
    assert "Pass: nDCG@10 did not drop by more than 0.02: 0.3399, was 0.2889 (+0.0510" in said.out
    # nothing changed: equal scores do not stop it
    said = shell("cp old.run.gz now.run.gz; ranking-gate now.run.gz old.run.gz --qrels qrels.csv")
    assert "with the same ranking on each of 200 queries" in said.out

    shell(WORSE)
    said = shell("ranking-gate worse.run.gz old.run.gz --qrels qrels.csv", status=4)
    assert "Fail: nDCG@10 dropped by more than 0.01" in said.out
    assert "every list is upside down" in said.out
    few = "head -n 601 qrels.csv > few.csv; ranking-gate old.run.gz new.run.gz --qrels few.csv"
    assert "queries would decide it in 8 of 10 cases" in shell(few, status=3).out
    lower = "ranking-gate old.run.gz new.run.gz --qrels qrels.csv --measure RR --max-drop 0.02"
    said = shell(lower, status=5)
    assert "Lower: RR dropped, but these queries do not show whether by more than 0.02" in said.out

    said = shell("ranking-gate new.run.gz old.run.gz --qrels qrels.csv --json")
    told = json.loads(said.out)
    assert (told["verdict"], round(told["difference"], 4)) == ("pass", 0.0510)
    assert said.err.startswith("ranking-gate: Pass: nDCG@10 did not drop")
    said = shell("ranking-gate new.run.gz old.run.gz --qrels qrels.csv --language pt")
    assert "Aprovado: o valor de nDCG@10 não caiu mais que 0,01: agora 0,3399" in said.out


# 3,000 judged queries, 100 with anything relevant, and a change that ruins 30 of these
MOSTLY_EMPTY = """
awk 'BEGIN { print "query_id,doc_id,relevance"
             for (q = 0; q < 3000; q++) print "q" q ",hit," (q < 100) }' > judged.csv
for run in old new; do
  awk -v ruined=$(test $run = new && echo 30 || echo 0) 'BEGIN { print "query_id,doc_id,score"
    for (q = 0; q < 3000; q++) { print "q" q "," (q < ruined ? "miss" : "hit") ",2"
                                 print "q" q ",other,1" } }' > $run.csv
done
"""


def test_a_drop_among_the_few_that_can_change_is_not_silent(shell):
    shell(MOSTLY_EMPTY)
    gate = "ranking-gate new.csv old.csv --qrels judged.csv --measure RR --max-drop"
    said = shell(f"{gate} 0.02")
    assert "0.0233, was 0.0333" in said.out
    assert "The mean did drop, but by less" in said.out
    assert "Only 100 of 3,000 queries can change," in said.out
    assert "among them RR is 0.7000, was 1.0000" in said.out
    said = shell(f"{gate} 5%", status=4)
    assert "Fail: RR dropped by more than 0.0017 (5%)" in said.out


def test_what_says_nothing_ends_with_2(shell, samples):
    shell(f"{HALF}; {ROUNDED}")
    for typed, why in (
        ("half.run.gz old.run.gz --qrels qrels.csv", "half.run.gz lacks 101 of 200 judged queries"),
        ("rounded.run.gz old.run.gz --qrels qrels.csv", "All scores are equal"),
        ("new.run.gz old.run.gz --qrels qrels.csv --max-drop 5", "such as --max-drop 0.01"),
        ("new.run.gz old.run.gz", "--qrels"),
        ("qrels.csv old.run.gz --qrels qrels.csv", "qrels.csv"),
    ):
        assert why in shell(f"ranking-gate {typed}", status=2).err


def test_logs_that_say_what_was_clicked(shell, samples):
    shell("python", types=WITH_CLICKS)
    said = shell("ranking-gate new-clicks.csv old-clicks.csv")
    assert "Relevant items that were never retrieved are not in such a table" in said.out
    said = shell("ranking-gate lost-clicks.csv old-clicks.csv", status=4)
    assert "Fail: nDCG@10 dropped by more than 0.01: 0.0000" in said.out
    shell("sed 's/,0.0$/,1.0/' old-clicks.csv > other-clicks.csv")
    said = shell("ranking-gate new-clicks.csv other-clicks.csv", status=2)
    assert "has grade 0 in new-clicks.csv, but 1 in other-clicks.csv" in said.err
