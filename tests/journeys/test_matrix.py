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
from collections import defaultdict
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from jsonschema import Draft202012Validator

from byhand import PRESETS, evaluate
from byhand.reports import gate_command, report_command
from byhand.reports.schema import schema
from byhand.words import language

ROOT = Path(__file__).parents[2]
RUN = {"ranking-report": report_command.main, "ranking-gate": gate_command.main}
MEASURES = "nDCG@10 AP RR P@5 R@3 Success@1 ERR@10 RBP(p=0.95) DCG@5 AP@5 nDCG AP(rel=2) Judged@5"
LANGUAGES = ["en", "pt", "ko"]

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


def options_of(command: str) -> set[str]:
    """What a user reads that there is."""
    _, shown, _ = ended(command, ["--help"])
    return {*re.findall(r"^  .*?(--[a-z-]+)", shown, re.MULTILINE)} - {"--help", "--version"}


def ended(command: str, words: list[str]) -> tuple[int, str, str]:
    """The exit status, and what was said."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = RUN[command](words)
        except SystemExit as end:
            status = end.code
    said = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return status, *said


# ---- what users have ---------------------------------------------------------------------------

NAMES = ["{name}", "%s", "{0}", "%(a)d", "#tag", "토마토", "<b>&amp;", "=1+1", "$x_1$"]
NAMES += [r"\input{x}", "a\x07b", "a\x1b[2J", "a,b", 'say"x"', "x" * 90, "١٢", "a\u202eb"]
NAMES += ["__proto__", "nan", "-1"]
FORMATS = ["run.gz", "run", "csv", "tsv.gz", "jsonl", "parquet", "json"]
THEIRS = {"query_id": "Frage %s", "doc_id": "{Thing}", "score": "Wert", "relevance": "#Note"}


@dataclass
class World:
    """The files of somebody, and what was written into them."""

    folder: Path
    random: Random
    lacks: set[str]  # which of what data may lack or have this one does
    command: str
    fewest: int = 1  # systems of a report; the gate compares two
    files: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    runs: list[pd.DataFrame] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        odd = "names" in self.lacks
        self.queries = self._named("q", 24, odd)
        self.docs = self._named("d", 30, odd)
        if "columns" in self.lacks:
            self.columns = THEIRS
        self.qrels = self._qrels()
        self.form = "csv" if self.columns else self.random.choice(FORMATS)
        if "qrels" in self.lacks and self.form.startswith(("run", "json")):
            self.form = "csv"  # these have no room for both
        if "repeats" in self.lacks and self.form == "json":
            self.form = "jsonl"
        of_gate = self.command == "ranking-gate"
        fewest, most = (1, 1) if "qrels" in self.lacks else (self.fewest, 3)
        for n in range(2 if of_gate else self.random.randint(fewest, most)):
            stem, letter = self._name() if odd else "", "abc"[n]
            self.files.append(f"{letter}{stem.replace('/', '')}.{self.form}")
            named = odd and not of_gate and "=" not in stem and self.random.random() < 0.5
            self.systems.append(f"{letter}{self._name()}".replace("=", "") if named else "")
            self.runs.append(self._run(n))
            self._write(self.files[n], self.runs[n])
        self._write("qrels.csv", self.qrels)
        self._texts(odd)

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

    def _texts(self, odd):
        """What was asked and retrieved, and groups: one of them with one query, some left out."""
        some = slice(None, None, 2) if "texts" in self.lacks else slice(None)
        text = self._name() if odd else "soup"
        pd.DataFrame({"query_id": self.queries[some], "text": text}).to_csv(
            self.folder / "queries.csv", index=False
        )
        docs = [{"doc_id": doc, "text": f"{text} {doc}", "title": doc} for doc in self.docs[some]]
        lines = "\n".join(json.dumps(doc) for doc in docs)
        (self.folder / "docs.jsonl").write_text(lines, encoding="utf-8")
        names = [self._name(), f"{self._name()}!"] if odd else ["long", "short"]
        groups = [(query, names[n % 2]) for n, query in enumerate(self.queries)]
        if "groups" in self.lacks:
            groups = [(self.queries[0], "{alone}"), *groups[3:-3], ("nobody's", names[0])]
        pd.DataFrame(groups, columns=["query_id", "group"]).to_csv(
            self.folder / "groups.csv", index=False
        )
        topics = [(query, f"{text} {n // 3}") for n, query in enumerate(self.queries)]
        pd.DataFrame(topics, columns=["query_id", "topic"]).to_csv(
            self.folder / "clusters.csv", index=False
        )

    def _write(self, name, table):
        table = table.rename(columns=self.columns)
        if name.endswith("parquet"):
            table.to_parquet(self.folder / name)
            return
        if ".run" in name:
            lines = [f"{q} Q0 {d} {n} {s} x" for n, (q, d, s) in enumerate(table.to_numpy(), 1)]
            text = "".join(f"{line}\n" for line in lines)
        elif name.endswith("jsonl"):
            text = "".join(f"{json.dumps(row)}\n" for row in table.to_dict("records"))
        elif name.endswith("json"):
            nested = defaultdict(dict)
            for query, doc, score in table.to_numpy():
                nested[query][doc] = score
            text = json.dumps(nested)
        else:
            text = table.to_csv(index=False, sep="\t" if ".tsv" in name else ",")
        content = text.encode()
        (self.folder / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)

    def typed(self, options):
        """The words of a command on these files."""
        systems = zip(self.systems, self.files, strict=True)
        words = [f"{name}={file}" if name else file for name, file in systems]
        if self.command == "ranking-report" and words[1:]:
            words.insert(1, "--against")
        if "qrels" not in self.lacks:
            words += ["--qrels", "qrels.csv"]
            if self.columns:
                words += ["--qrels-columns", *self._said("query_id", "doc_id", "relevance")]
        if self.columns:
            names = ["query_id", "doc_id", "score", *["relevance"][: "qrels" in self.lacks]]
            words += ["--run-columns", *self._said(*names)]
        if "repeats" in self.lacks and "--duplicates" not in options:
            words += ["--duplicates", "best"]
        for option, values in options.items():
            words += [option, *shlex.split(values)]
        return words

    def _said(self, *names):
        return [f"{self.columns[name]}={name}" for name in names]

    def judgements(self):
        """What is relevant; without qrels, what all runs say of it together."""
        if "qrels" not in self.lacks:
            return self.qrels
        return pd.concat(self.runs)[["query_id", "doc_id", "relevance"]].drop_duplicates()


LACKING = ["names", "judgements", "queries", "many queries", "ties", "repeats", "texts", "groups"]
LACKING += ["columns", "qrels"]

# ---- what is expected --------------------------------------------------------------------------


def check(world: World, options: dict[str, str]) -> None:
    """Type it, and look at all that a user would look at."""
    made = world.folder / "made"
    made.mkdir()
    command, words = world.command, world.typed(options)
    status, out, err = ended(command, words)
    told = f"{sorted(world.lacks)}\n{shlex.join([command, *words])}\n[{status}] {err}{out[:300]}"
    assert language() == "en", told
    page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    documented = {"0", "2"}
    if command == "ranking-gate":
        documented = {*re.findall(r"^\| (\d) \|", page, re.M)}
    assert str(status) in documented, told
    written = sorted(
        str(each.relative_to(world.folder)) for each in made.rglob("*") if each.is_file()
    )
    if status == 2:
        assert any(re.search(each, err) for each in REFUSED), told  # English in any language
        assert "Conventions(" not in err  # that is Python
        assert not written, told
        if "--json" in options and command == "ranking-gate" and out:
            VALID.validate(json.loads(out))
        return
    try:
        if command == "ranking-gate":
            check_gate(world, options, status, out)
        else:
            check_report(world, options, out, err, written)
    except Exception as error:
        error.add_note(told)
        raise


def check_report(world, options, out, err, written):
    """Each file that was asked for is there, whole, and says what `evaluate` says."""
    first, *files = options["--output"].split(" --output ")
    if first == "-":
        page = out
        assert err
    else:
        page = (world.folder / first).read_text(encoding="utf-8")
        files.append(first)
        assert out
    assert sorted(files) == written
    assert page.rstrip().endswith("</html>")
    assert f'<html lang="{options.get("--language", "en")}"' in page
    if "made/means.md" in files:
        table = (world.folder / "made/means.md").read_text(encoding="utf-8").splitlines()
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1
    if "made/means.tex" in files:
        table = (world.folder / "made/means.tex").read_text(encoding="utf-8")
        plain = re.sub(r"\\[\\{}]", "", table)
        assert plain.count("{") == plain.count("}") > 0
        assert table.count(r"\begin") == table.count(r"\end") > 0
    numbers = json.loads((world.folder / "made" / "numbers.json").read_text(encoding="utf-8"))
    VALID.validate(numbers)
    for name, given, run in zip(numbers["systems"], world.systems, world.runs, strict=True):
        assert name == (given or name)
        values = valued(world, run, numbers["measures"], options)
        found = pd.DataFrame.from_dict(numbers["queries"][name], orient="index")
        same(found[numbers["measures"]], values)
        means = [row["mean"] for row in numbers["means"] if row["system"] == name]
        assert pd.Series(means, dtype=float).to_list() == pytest.approx(
            values.mean().to_list(), abs=1e-12, nan_ok=True
        )
    if "made/values.csv" in files:
        text = (world.folder / "made/values.csv").read_text(encoding="utf-8")
        head, *rows = csv.reader(StringIO(text, newline=""))
        assert len(rows) == sum(map(len, numbers["queries"].values()))
        assert {len(row) for row in rows} == {len(head)}


def check_gate(world, options, status, out):
    """It says what `evaluate` says, in each form."""
    assert out.strip()
    if "--json" not in options:
        return
    told = json.loads(out)
    VALID.validate(told)
    assert {"pass": 0, "fail": 4, "lower": 5, "inconclusive": 3}[told["verdict"]] == status
    for name, run in zip(("new", "old"), world.runs, strict=False):
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


def same(found, values):
    """To the last bit; no value is None in JSON."""
    values = values.set_axis(values.index.astype(str))
    pd.testing.assert_frame_equal(
        found.astype(float).sort_index(),
        values.sort_index(),
        check_names=False,
        check_exact=True,
        check_index_type=False,
        check_column_type=False,
        check_dtype=False,
    )


VALID = Draft202012Validator(schema())

# ---- the matrix --------------------------------------------------------------------------------


def seeds() -> range:
    """Which combinations are tried."""
    first, _, last = os.environ.get("MATRIX", "50").rpartition("-")
    return range(int(first or 0), int(last))


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", RUN)
def test_no_option_is_forgotten(command):
    assert {*VALUES[command]} == options_of(command)


ALONE = [(command, option) for command in RUN for option in VALUES[command]]


@pytest.mark.parametrize(("command", "option"), ALONE)
def test_an_option_alone(tmp_path, command, option):
    lacks = {"columns"} if "columns" in option else set()
    world = World(tmp_path, Random(option), lacks, command, fewest=2)
    options = {"--output": OUTPUTS[0]} if command == "ranking-report" else {}
    if values := VALUES[command][option]:
        options[option] = values[0]
    check(world, options)


@pytest.mark.parametrize("seed", seeds())
def test_options_together(tmp_path, seed):
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
    check(world, options)
