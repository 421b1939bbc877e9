"""Every option of both commands, alone and with others, on data that lacks what data may lack.

It asserts little, and so breaks only when a user would be hurt: an end with one of the documented
statuses and without a traceback, each file that was asked for whole and nothing else, the numbers
those of `evaluate` on what was written into the files. `MATRIX=5000` tries so many combinations,
`MATRIX=4711-4712` those: what fails has its number in its name.
"""

import csv
import gzip
import json
import os
import re
import shlex
from io import StringIO
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from jsonschema import Draft202012Validator

from byhand import PRESETS, evaluate
from byhand.reports import gate_command, report_command
from byhand.reports.schema import schema
from byhand.words import language

RUN = {"ranking-report": report_command.main, "ranking-gate": gate_command.main}
MEASURES = "nDCG@10 AP RR P@5 R@3 Success@1 ERR@10 RBP(p=0.95) DCG@5 AP@5 nDCG AP(rel=2) Judged@5"

pytestmark = pytest.mark.filterwarnings("ignore:The run lacks")  # of evaluate, which is asked here

# ---- what may be typed -------------------------------------------------------------------------

# of each option, what may stand behind it; None: the files of the run, which `typed` puts in
EVALUATION = {
    "--qrels": None,
    "--conventions": [f"'{name}'" for name in (*PRESETS, "trec_eval -c -l")],
    "--relevant-from": ["2", "1", "0.5"],
    "--run-columns": None,
    "--qrels-columns": None,
    "--duplicates": ["best", "first"],
    "--memory": ["4GB", "9MB"],
    "--language": ["ko", "pt", "en"],
}
FORMS = [" --output made/values.csv", " --output made/means.tex", " --output made/means.md"]
OUTPUTS = [
    f"{page} --output made/numbers.json{''.join(forms)}"
    for page in ("made/page.html", "made/%s{name}.html", "-")
    for forms in (FORMS, [], FORMS[:1], FORMS[1:])
]
VALUES = {
    "ranking-report": {
        **EVALUATION,
        "--against": None,
        "--measures": ["AP RR nDCG@10", *MEASURES.split(), "MRR@3 MAP", MEASURES],
        "--matters": ["0.02", "0.5"],
        "--reported": ["nDCG@10=0.31", "AP=0.2 RR=0.50"],
        "--queries": ["queries.csv"],
        "--docs": ["docs.jsonl"],
        "--groups": ["groups.csv"],
        "--clusters": ["clusters.csv"],
        "--output": OUTPUTS,
    },
    "ranking-gate": {
        **EVALUATION,
        "--measure": [*MEASURES.split(), "MRR"],
        "--max-drop": ["0.05", "0.3", "0", "5", "5%", "50%", "100%"],
        "--clusters": ["clusters.csv"],
        "--json": [""],
    },
}
DOCS = Path(__file__).parents[2] / "docs"
PAGES = "\n".join((DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("gate", "report"))
STATUSES = {verdict: int(n) for n, verdict in re.findall(r"^\| (\d) \| (\w+) \|", PAGES, re.M)}
# what a command may refuse of such data, as a user would wish
REFUSED = [
    r"is not a measure from 0 to 1",
    r"lacks .* judged queries",
    r"several rows|repeat",
    r"too little memory",
    r"cannot exceed a margin",
    r"The mean .* is 0, so it cannot drop",
    r"no exact mean",
    r"No item is relevant: all grades are below",
    r"No query has a value both in",  # nor has any a relevant item of that grade
    r"There is no relevant item for \d+ of",  # as that tool refuses
]


@pytest.fixture
def ended(tmp_path, monkeypatch, capsys):
    """Type a command in a folder of one's own: the exit status, and what was said."""
    monkeypatch.chdir(tmp_path)

    def end(command, words):
        try:
            status = RUN[command](words)
        except SystemExit as ending:
            status = ending.code
        return status, *capsys.readouterr()

    return end


# ---- what users have ---------------------------------------------------------------------------

NAMES = ["{name}", "%s", "{0}", "%(a)d", "#tag", "토마토", "<b>&amp;", "=1+1", "$x_1$"]
NAMES += [r"\input{x}", "a\x07b", "a\x1b[2J", "a,b", 'say"x"', "x" * 90, "١٢", "a\u202eb"]
NAMES += ["__proto__", "nan", "-1"]
FORMATS = ["run.gz", "run", "csv", "tsv.gz", "jsonl", "parquet", "json"]
THEIRS = {"query_id": "Frage %s", "doc_id": "{Thing}", "score": "Wert", "relevance": "#Note"}


class World:
    """The files of somebody, and what was written into them."""

    def __init__(self, folder, random, lacks, command, fewest=1):
        """`lacks`: which of what data may lack or have; `fewest`: systems of a report."""
        self.folder, self.random, self.lacks, self.command = folder, random, lacks, command
        self.files, self.systems, self.runs = [], [], []
        odd, of_gate = "names" in lacks, command == "ranking-gate"
        self.queries = self._named("q", 24, odd)
        self.docs = self._named("d", 30, odd)
        self.columns = THEIRS if "columns" in lacks else {}
        self.qrels = self._qrels()
        form = "csv" if self.columns else random.choice(FORMATS)
        if "qrels" in lacks and form.startswith(("run", "json")):
            form = "csv"  # these have no room for both
        if "repeats" in lacks and form == "json":
            form = "jsonl"
        fewest, most = (1, 1) if "qrels" in lacks else (fewest, 3)
        for n in range(2 if of_gate else random.randint(fewest, most)):
            stem, letter = self._name() if odd else "", "abc"[n]
            self.files.append(f"{letter}{stem}.{form}")
            named = odd and not of_gate and "=" not in stem and random.random() < 0.5
            self.systems.append(f"{letter}{self._name()}".replace("=", "") if named else "")
            self.runs.append(self._run(n))
            self._write(self.files[n], self.runs[n].rename(columns=self.columns))
        self._write("qrels.csv", self.qrels.rename(columns=self.columns))
        self._write_texts(odd)

    def _named(self, letter, count, odd):
        plain = [f"{letter}{n}" for n in range(count)]
        return self.random.sample(NAMES, 15) + plain[15:] if odd else plain

    def _name(self):
        """An odd one, mostly one that a sentence might take for what stands in it."""
        return self.random.choice(NAMES[: self.random.choice([4, len(NAMES)])])

    def _qrels(self):
        """Of each query a few relevant items; of some none, or no judgement at all."""
        rows = []
        highest = self.random.choice([1, 3])
        for n, query in enumerate(self.queries):
            if "judgements" in self.lacks and n % 7 == 3:
                continue
            for doc in self.random.sample(self.docs, 6):
                grade = self.random.randint(-1, highest) if n % 11 else 0
                rows.append((query, doc, grade))
        return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])

    def _run(self, n):
        """What the n-th system ranked: each finds relevant items a little less well."""
        known = {(q, d): g for q, d, g in self.qrels.itertuples(index=False)}
        rows, many = [], "many queries" in self.lacks and n < 2
        for place, query in enumerate(self.queries):
            if ("queries" in self.lacks and place == 20 + n) or (many and place % 3 == 0):
                continue
            docs = self.random.sample(self.docs, self.random.choice([1, 10, 12]))
            for doc in docs:
                score = self.random.random() + (0.5 - 0.2 * n) * known.get((query, doc), 0)
                rows.append((query, doc, round(score, 1 if "ties" in self.lacks else 4)))
            if "repeats" in self.lacks and place % 5 == 0:
                rows.append((query, docs[0], round(self.random.random(), 4)))
        frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
        if "qrels" in self.lacks:
            frame["relevance"] = [max(known.get(row[:2], 0), 0) for row in rows]
        return frame

    def _write_texts(self, odd):
        """What was asked and retrieved, and groups: one of them with one query, some left out."""
        some = slice(None, None, 2) if "texts" in self.lacks else slice(None)
        text = self._name() if odd else "soup"
        self._write("queries.csv", pd.DataFrame({"query_id": self.queries[some], "text": text}))
        docs = pd.DataFrame({"doc_id": self.docs[some], "title": self.docs[some]})
        self._write("docs.jsonl", docs.assign(text=f"{text} " + docs["doc_id"]))
        names = [self._name(), f"{self._name()}!"] if odd else ["long", "short"]
        groups = [(query, names[n % 2]) for n, query in enumerate(self.queries)]
        if "groups" in self.lacks:
            groups = [(self.queries[0], "{alone}"), *groups[3:-3], ("nobody's", names[0])]
        self._write("groups.csv", pd.DataFrame(groups, columns=["query_id", "group"]))
        topics = [(query, f"{text} {n // 3}") for n, query in enumerate(self.queries)]
        self._write("clusters.csv", pd.DataFrame(topics, columns=["query_id", "topic"]))

    def _write(self, name, table):
        """A table as a file of the format that its name says."""
        path = self.folder / name
        if ".run" in name:
            lines = [f"{q} Q0 {d} {n} {s} x\n" for n, (q, d, s) in enumerate(table.to_numpy(), 1)]
            content = "".join(lines).encode()
            path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
        elif name.endswith("parquet"):
            table.to_parquet(path)
        elif name.endswith("jsonl"):
            table.to_json(path, orient="records", lines=True)
        elif name.endswith("json"):
            lists = table.set_index("doc_id").groupby("query_id")["score"]
            path.write_text(json.dumps({query: scores.to_dict() for query, scores in lists}))
        else:
            table.to_csv(path, index=False, sep="\t" if ".tsv" in name else ",")

    def typed(self, options):
        """The words of a command on these files."""
        systems = zip(self.systems, self.files, strict=True)
        words = [f"{name}={file}" if name else file for name, file in systems]
        if self.command == "ranking-report" and words[1:]:
            words.insert(1, "--against")
        tables = {"--run-columns": self.runs[0]}
        if "qrels" not in self.lacks:
            words += ["--qrels", "qrels.csv"]
            tables["--qrels-columns"] = self.qrels
        if self.columns:
            for option, table in tables.items():
                words += [option, *(f"{self.columns[name]}={name}" for name in table)]
        if "repeats" in self.lacks and "--duplicates" not in options:
            words += ["--duplicates", "best"]
        for option, values in options.items():
            words += [option, *shlex.split(values)]
        return words

    def judgements(self):
        """What is relevant; without qrels, what all runs say of it together."""
        if "qrels" not in self.lacks:
            return self.qrels
        return pd.concat(self.runs)[["query_id", "doc_id", "relevance"]].drop_duplicates()


LACKING = ["names", "judgements", "queries", "many queries", "ties", "repeats", "texts", "groups"]
LACKING += ["columns", "qrels"]

# ---- what is expected --------------------------------------------------------------------------

VALID = Draft202012Validator(schema())


def check(ended, world, options):
    """Type it, and look at all that a user would look at."""
    made = world.folder / "made"
    made.mkdir()
    command, words = world.command, world.typed(options)
    status, out, err = ended(command, words)
    told = f"{sorted(world.lacks)}\n{shlex.join([command, *words])}\n[{status}] {err}{out[:300]}"
    written = [str(each.relative_to(world.folder)) for each in made.rglob("*") if each.is_file()]
    try:
        assert language() == "en"
        if status == 2:
            assert any(re.search(each, err) for each in REFUSED)  # English in any language
            assert "Conventions(" not in err  # that is Python
            assert not written
            if "--json" in options and out:
                VALID.validate(json.loads(out))
        elif command == "ranking-gate":
            check_gate(world, options, status, out)
        else:
            assert status == 0
            check_report(world, options, out, err, written)
    except Exception as error:
        error.add_note(told)
        raise


def check_report(world, options, out, err, written):
    """Each file that was asked for is there, whole, and says what `evaluate` says."""
    first, *files = options["--output"].split(" --output ")
    if first != "-":
        files.append(first)
    assert sorted(files) == sorted(written)
    texts = {name: (world.folder / name).read_text(encoding="utf-8") for name in files}
    page = texts.get(first, out)
    assert out if first in files else err
    assert page.rstrip().endswith("</html>")
    assert f'<html lang="{options.get("--language", "en")}"' in page
    if table := texts.get("made/means.md"):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1
    if table := texts.get("made/means.tex"):
        plain = re.sub(r"\\[\\{}]", "", table)
        assert plain.count("{") == plain.count("}") > 0
        assert table.count(r"\begin") == table.count(r"\end") > 0
    numbers = json.loads(texts["made/numbers.json"])
    VALID.validate(numbers)
    for name, given, run in zip(numbers["systems"], world.systems, world.runs, strict=True):
        assert name == (given or name)
        values = valued(world, run, numbers["measures"], options).rename(index=str)
        found = pd.DataFrame.from_dict(numbers["queries"][name], orient="index")
        found = found[numbers["measures"]].astype(float)  # no value is None in JSON
        assert found.fillna(-1).to_dict("index") == values.fillna(-1).to_dict("index")
        means = [row["mean"] for row in numbers["means"] if row["system"] == name]
        assert pd.Series(means, dtype=float).to_list() == pytest.approx(
            values.mean().to_list(), abs=1e-12, nan_ok=True
        )
    if table := texts.get("made/values.csv"):
        head, *rows = csv.reader(StringIO(table, newline=""))
        assert len(rows) == sum(map(len, numbers["queries"].values()))
        assert {len(row) for row in rows} == {len(head)}


def check_gate(world, options, status, out):
    """It says what `evaluate` says, in each form."""
    assert status in STATUSES.values()
    assert out.strip()
    if "--json" not in options:
        return
    told = json.loads(out)
    VALID.validate(told)
    assert STATUSES[told["verdict"]] == status
    for name, run in zip(("new", "old"), world.runs, strict=True):
        mean = valued(world, run, [told["measure"]], options).mean().iloc[0]
        assert told[f"mean_{name}"] == pytest.approx(mean, abs=1e-12)


def valued(world, run, measures, options):
    """The value of each query, by `evaluate`, of what was written into the files."""
    return evaluate(
        run[["query_id", "doc_id", "score"]],
        world.judgements(),
        measures,
        conventions=options.get("--conventions", "trec_eval -c").strip("'"),
        relevant_from=float(options["--relevant-from"]) if "--relevant-from" in options else None,
        duplicates=options.get("--duplicates", "best" if "repeats" in world.lacks else None),
    )


# ---- the matrix --------------------------------------------------------------------------------


@pytest.mark.parametrize("command", RUN)
def test_no_option_is_forgotten(ended, command):
    _, shown, _ = ended(command, ["--help"])
    options = {*re.findall(r"^  .*?(--[a-z-]+)", shown, re.MULTILINE)}
    assert {*VALUES[command]} == options - {"--help", "--version"}


def test_pages_name_options_that_there_are():
    known = {"--help"}.union(*VALUES.values())
    assert {*re.findall(r"(?<!-)--[a-z][a-z-]*", PAGES)} <= known


ALONE = [(command, option) for command in RUN for option in VALUES[command]]


@pytest.mark.parametrize(("command", "option"), ALONE)
def test_an_option_alone(ended, tmp_path, command, option):
    lacks = {"columns"} if "columns" in option else set()
    world = World(tmp_path, Random(option), lacks, command, fewest=2)
    options = {"--output": OUTPUTS[0]} if command == "ranking-report" else {}
    if values := VALUES[command][option]:
        options[option] = values[0]
    check(ended, world, options)


FIRST, _, LAST = os.environ.get("MATRIX", "50").rpartition("-")


@pytest.mark.parametrize("seed", range(int(FIRST or 0), int(LAST)))
def test_options_together(ended, tmp_path, seed):
    random = Random(seed)
    command = random.choice(["ranking-report", "ranking-report", "ranking-gate"])
    lacks = {each for each in LACKING if random.random() < (0.5 if each == "names" else 0.25)}
    lacks -= {"qrels"} if command == "ranking-gate" else set()
    world = World(tmp_path, random, lacks, command)
    free = {option: values for option, values in VALUES[command].items() if values}
    often = {"--reported": 0.1, "--memory": 0.1}  # these take long
    options = {
        option: random.choice(values)
        for option, values in free.items()
        if random.random() < often.get(option, 0.3)
    }
    if command == "ranking-report":
        options = {"--output": OUTPUTS[0]} | options
    check(ended, world, options)
