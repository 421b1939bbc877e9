"""`ranking-report`, from its arguments to its files, and `byhand.report`, which does the same."""

import ast
import json
import os
import re
import shlex
import subprocess
import sys
from html import unescape
from inspect import signature
from pathlib import Path
from threading import Thread

import duckdb
import pandas as pd
import pytest
from commands import gate, report as main

import byhand
from byhand import DataError, evaluate, read_qrels, read_run
from byhand.reports import OPTIONS

ROOT = Path(__file__).parents[2]
NEW, OLD, QRELS = (
    str(ROOT / "data" / f"sample-{name}") for name in ("new.txt.gz", "old.txt.gz", "qrels.csv")
)
NASTY = ["<script>alert(1)</script>", "**bold**", "$x$", "&amp;", "<img src=x onerror=alert(2)>"]
SMALL = ("run.csv", "--qrels", "qrels.csv", "--measures", "RR")


def text_of(html):
    return unescape(re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder to stand in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def small():
    write(run="query_id,doc_id,score\nq1,d1,1\nq2,d1,1\n")
    write(qrels="query_id,doc_id,relevance\nq1,d1,1\nq2,d1,0\n")


def write(**texts):
    for name, text in texts.items():
        Path(f"{name}.csv").write_text(text)


def complains(capsys, *arguments):
    """The lines that a call ends with."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    assert (end.value.code, printed.out) == (2, "")
    first, *more = printed.err.splitlines()
    assert first.startswith("ranking-report: ")
    return [first.removeprefix("ranking-report: "), *more]


def fails(capsys, *arguments):
    """The one line that a call ends with."""
    (line,) = complains(capsys, *arguments)
    return line


def page(*arguments):
    """What a page says."""
    assert main([*arguments, "-o", "x.html"]) == 0
    return text_of(Path("x.html").read_text(encoding="utf-8"))


class TestReport:
    def test_of_the_sample(self, capsys):
        measures = ["AP", "RR@10"]
        files = [NEW, "--qrels", QRELS, "--against", OLD, "--csv", "values.csv"]
        text = page(*files, "--measures", *measures)
        wanted = evaluate(read_run(NEW), read_qrels(QRELS), measures)
        values = pd.read_csv("values.csv").query("system == 'sample-new'").set_index("query_id")
        for measure in measures:
            assert values[measure].tolist() == pytest.approx(wanted[measure].tolist(), abs=1e-15)
            assert f"{wanted[measure].mean():.4f}" in text
        for part in (
            "Ranking report: sample-new",
            "AP and RR@10, as trec_eval -c computes them.",
            "sample-new did not answer 3 of 200 queries",
            "The run of sample-new is sample-new.txt.gz",
            "Is it better?",
        ):
            assert part in text
        assert str(ROOT) not in Path("x.html").read_text()
        assert capsys.readouterr().err == ""  # no bar outside a terminal

    def test_a_spreadsheet_with_names_that_look_like_code(self):
        rows = [(q, i, str(n / 8).replace(".", ",")) for q in NASTY for n, i in enumerate(NASTY)]
        run = pd.DataFrame(rows, columns=["User ID", "Item ID", "Score"])
        how = {"index": False, "encoding": "utf-8-sig", "lineterminator": "\r\n"}
        run.to_csv("sheet.csv", sep=";", **how)
        likes = pd.DataFrame([(q, q, 1) for q in NASTY], columns=["user", "item", "label"])
        likes.to_csv("likes.csv", index=False)
        text = page("sheet.csv", "--qrels", "likes.csv")
        assert all(name in text for name in NASTY)
        assert "Is it better?" not in text
        html = Path("x.html").read_text(encoding="utf-8")
        assert "<script>alert" not in html
        assert "<img src=x" not in html

    def test_a_judged_run_in_parquet(self):
        table = {"Query": ["a"] * 3 + ["b"] * 3, "Edge": list("xyzxyz"), "S": [3, 2, 1] * 2}
        hits = [False, True, False, True, True, False]
        pd.DataFrame(table).assign(in_path=hits).to_parquet("edges.parquet")
        columns = ["--run-columns", "Edge=doc_id", "S=score"]
        text = page("edges.parquet", "--measures", "RR", *columns)
        assert "0.7500" in text
        assert "That file holds the relevance as well" in text

    def test_grades_of_which_only_the_upper_ones_are_relevant(self):
        run = pd.DataFrame({"query_id": "q", "doc_id": list("abc"), "score": [3, 2, 1]})
        run.assign(relevance=[2, 3, 4]).to_csv("rated.csv", index=False)
        options = ["--measures", "RR", "--conventions", "ranx", "--relevant-from", "4"]
        text = page("rated.csv", *options)
        assert "relevant is a grade of 4 or more" in text
        assert "0.3333" in text
        assert "approximately as ranx computes it, except that equal scores have" in text

    def test_pipes_of_this_process_and_others(self):
        os.mkfifo("judged")
        writer = Thread(target=lambda: Path("judged").write_bytes(Path(QRELS).read_bytes()))
        writer.start()
        arguments = ["/dev/stdin", "--qrels", "judged", "-o", "x" * 245 + ".html", "--csv", "p.csv"]
        done = subprocess.run(
            [sys.executable, "-m", "byhand", "report", *arguments, "--measures", "RR"],
            input=Path(NEW).read_bytes(),
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        writer.join()
        assert done.returncode == 0
        found = pd.read_csv("p.csv").set_index("query_id")
        assert set(found["system"]) == {"stdin"}
        wanted = evaluate(read_run(NEW), read_qrels(QRELS), "RR")
        assert found["RR"].to_dict() == pytest.approx(wanted["RR"].to_dict())

    def test_files_that_differ_in_their_folder_only(self):
        for folder, items in (("", "Dx"), ("b", "xD")):
            Path("someone", folder).mkdir(parents=True, exist_ok=True)
            rows = [f"{q} Q0 {item} 0 {-n} s" for q in "ab" for n, item in enumerate(items)]
            Path("someone", folder, "run.txt").write_text("\n".join(rows))
        Path("qrels").write_text("a 0 D 1\nb 0 D 1\n")
        runs = ["someone/run.txt", "--against", "someone/b/run.txt"]
        text = page(*runs, "--qrels", "qrels", "--measures", "RR")
        for part in (
            "Ranking report: run against b/run",
            "Over 2 queries, run gets a mean RR",
            "above that of b/run",
            "run of b/run",
            "The run of run is run.txt",
        ):
            assert part in text
        assert "someone" not in text


class TestInPython:
    def test_options_are_those_of_the_command(self):
        given = {
            name: each.default
            for name, each in signature(byhand.report).parameters.items()
            if name in OPTIONS and name not in ("qrels", "run_columns", "qrels_columns")
        }
        assert given == {name: OPTIONS[name].default for name in given}
        assert {"measures", "conventions", "matters", "docs", "memory"} <= set(given)
        said = " ".join(byhand.report.__doc__.split())
        assert f"matters: {OPTIONS['matters'].help}." in said

    def test_pages_and_lesson_name_options_that_there_are_with_their_defaults(self):
        pages = [ROOT / "README.md", *(ROOT / f"docs/{name}.md" for name in ("report", "gate"))]
        about = " ".join(page.read_text(encoding="utf-8") for page in pages)
        lesson = json.loads((ROOT / "notebooks/11-your-own-data.ipynb").read_text("utf-8"))
        cells = ["".join(cell["source"]) for cell in lesson["cells"]]
        known = {f"--{name.replace('_', '-')}" for name in OPTIONS} | {"--help", "--markdown"}
        known |= {"--measure", "--max-drop", "--only"}  # of the gate, and of a simulation
        named = {*re.findall(r"(?<!-)--[a-z][a-z-]*", " ".join([about, *cells]))}
        assert named <= known, named - known
        # what a lesson gets along without is what its reader sees
        (call,) = [cell for cell in cells if cell.startswith("from byhand import Conventions")]
        told = {each.arg: each.value for each in ast.parse(call).body[-1].value.keywords}
        settings = {  # the others are named at the top
            n: ast.literal_eval(each) for n, each in told.items() if not isinstance(each, ast.Name)
        }
        defaults = {
            name: each.default for name, each in signature(byhand.report).parameters.items()
        }
        assert settings == {name: defaults[name] for name in settings}

    @pytest.mark.parametrize(("duplicates", "rr"), [("first", "0.5000"), ("best", "1.0000")])
    def test_repeats_are_refused_or_one_of_them_stays(self, capsys, duplicates, rr):
        write(run="query_id,doc_id,score\nq,d,1\nq,d,3\nq,e,2\n")
        write(qrels="query_id,doc_id,relevance\nq,d,1\nq,e,0\n")
        said = fails(capsys, *SMALL)
        assert "query 'q' has item 'd' twice" in said
        assert "--duplicates best keeps the one with the highest score, 'first' the first" in said
        write(again="query_id,doc_id,score\nq,d,1\n", other="query_id,doc_id,score\nq,d,3\n")
        of_two = fails(capsys, "*[nr].csv", *SMALL[1:])  # two systems, as may be
        assert "twice, in" in of_two
        assert of_two.endswith("remove one of them.")
        assert "'last' is none of first, best" in fails(capsys, *SMALL, "--duplicates", "last")
        text = page(*SMALL, "--duplicates", duplicates)
        assert f"1 row repeats a query and its item: of each, the {duplicates} row stays." in text
        assert rr in text
        assert byhand.report("run.csv", "qrels.csv", measures="RR", duplicates=duplicates)

    def test_what_is_held_and_what_is_in_files_say_the_same(self, small):
        run, qrels = read_run("run.csv"), read_qrels("qrels.csv")
        nested = {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}
        pages = []
        for runs, judged in (
            ("run.csv", "qrels.csv"),
            (Path("run.csv"), qrels),
            (run, "qrels.csv"),
            (nested, {"q1": {"d1": 1}, "q2": {"d1": 0}}),
            ({"run": nested}, qrels),
        ):
            report = byhand.report(runs, judged, measures="RR")
            assert report.title == "Ranking report: run"
            pages.append(report.text("means"))
        assert len({*pages}) == 1

    def test_tables_of_an_engine(self, small):
        runs = {name: duckdb.from_df(read_run(file)) for name, file in (("a", NEW), ("b", OLD))}
        found = byhand.report(runs, duckdb.from_df(read_qrels(QRELS)), measures="RR")
        wanted = byhand.report({"a": NEW, "b": OLD}, QRELS, measures="RR")
        for part in ("summary", "means", "worst", "comparison", "ties"):
            assert found.text(part) == wanted.text(part)
        assert "in an engine" in found.text("files")
        found.save(html="x.html", json="x.json")
        judged = duckdb.from_df(read_run("run.csv").assign(relevance=[1, 0]))
        assert "RR" in byhand.report(judged, measures="RR").text("means")

    def test_several_systems(self, small):
        run = read_run("run.csv")
        for runs, names in (
            (["run.csv", run], None),
            (["run.csv", run], ["new", None]),
            ({"b": run, "a": "run.csv"}, None),
        ):
            report = byhand.report(runs, "qrels.csv", measures="RR", names=names, path="x.html")
            title = {None: "b against a", "new": "new against run 2"}[names and names[0]]
            if isinstance(runs, list) and not names:
                title = "run against run 2"
            assert report.title == f"Ranking report: {title}"
            assert report.title in Path("x.html").read_text()
        for names, said in (
            (["a", "a"], "Two systems are called 'a'. Give each a name of its own."),
            (["a"], "names is ['a']. Expected a list of two different names, or None."),
        ):
            with pytest.raises(DataError) as caught:
                byhand.report([run, run], "qrels.csv", names=names)
            assert str(caught.value) == said
        with pytest.raises(DataError, match="There is no folder 'absent' to write"):
            byhand.report(run, "qrels.csv", path="absent/x.html")

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"matters": -1}, "matters: -1 is not a difference: expected a number above 0"),
            ({"relevant_from": "x"}, "relevant_from: 'x' is not a grade: expected a number"),
            ({"conventions": "trec"}, "conventions='trec' is not a preset"),
            ({"correct": "some"}, "correct: 'some' is none of all, measure, none"),
            ({"memory": "much"}, "memory: 'much' is no amount of memory, such as 2GB"),
            ({"measures": []}, "measures is empty"),
            ({"measures": "bpref"}, "'bpref' is not a measure"),
            ({"run_columns": {"A": "b"}}, "'b' is not one of our columns"),
        ],
    )
    def test_options_that_are_none(self, small, options, said):
        with pytest.raises(DataError, match=re.escape(said)):
            byhand.report("run.csv", "qrels.csv", **options)

    def test_a_complaint_names_its_arguments_and_shows_no_traceback(self):
        write(run="query_id,doc_id,scre\nq1,d1,1\n", qrels="query_id,doc_id,relevance\nq1,d1,1\n")
        with pytest.raises(DataError) as caught:
            byhand.report("run.csv", "qrels.csv")
        said = "If 'scre' is it, pass run_columns={'scre': 'score'}."
        assert str(caught.value).endswith(said)
        assert caught.value._render_traceback_() == [str(caught.value)]


class TestWhereItGoes:
    def test_without_a_name_beside_the_run(self, capsys, small):
        assert main([*SMALL]) == 0
        out, err = capsys.readouterr()
        assert re.fullmatch(r"Wrote run-report\.html, [0-9.]+ .B\n", out)
        assert err == ""
        assert "Ranking report: run" in Path("run-report.html").read_text(encoding="utf-8")
        assert main([*SMALL, "--quiet"]) == 0  # in place of that one
        assert capsys.readouterr() == ("", "")
        Path("runs").mkdir()
        Path("run.csv").rename("runs/run.csv")
        assert main(["runs/", *SMALL[1:]]) == 0
        assert capsys.readouterr().out.startswith("Wrote runs-report.html, ")

    def test_to_standard_output(self, small):
        command = [sys.executable, "-m", "byhand", "report", *SMALL, "-o", "-"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        files = ["--csv", "values.csv"]
        done = subprocess.run([*command, *files], capture_output=True, env=environment)
        assert done.stdout.startswith(b"<!doctype html>")
        assert done.stdout.strip().endswith(b"</html>")
        assert re.fullmatch(rb"Wrote values\.csv, 0\.\d kB\n", done.stderr)
        assert {path.name for path in Path().iterdir()} == {"qrels.csv", "run.csv", "values.csv"}

    def test_every_form_at_once(self, capsys, small):
        forms = {"csv": "a.csv", "json": "all.json", "latex": "a.tex", "figures": "figures"}
        options = [word for name, file in forms.items() for word in (f"--{name}", file)]
        assert main([*SMALL, *options]) == 0
        written = [line.split()[1].strip(",") for line in capsys.readouterr().out.splitlines()]
        assert written == ["run-report.html", "a.csv", "all.json", "a.tex", "the"]
        assert all(Path(file).exists() for file in forms.values())
        assert str(Path.cwd()) not in Path("all.json").read_text()

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            (["-o", "none/x.html"], "There is no folder 'none' to write none/x.html into."),
            (["-o", "qrels.csv"], "qrels.csv is one of the files to read: write to another one."),
            (["-o", "."], ". is no file that could be replaced: name another one."),
            (["-o", "a", "--csv", "a"], "--output and --csv name the same file: name two."),
            (["--json", "a", "--latex", "a"], "--json and --latex name the same file: name two."),
            (["--figures", "full"], "full is a file: name a folder for the figures."),
            (["--figures", "no/figures"], "There is no folder 'no' to write no/figures into."),
            (["--json", "run.csv"], "run.csv is one of the files to read: write to another one."),
            *[
                ([option, "-"], f"Only the page can go to standard output: {option} takes a name.")
                for option in ("--csv", "--json", "--latex", "--figures")
            ],
        ],
    )
    def test_where_nothing_can_be_written(self, capsys, small, options, said):
        Path("full").touch()
        assert fails(capsys, *SMALL, *options) == said
        assert {path.name for path in Path().iterdir()} == {"full", "qrels.csv", "run.csv"}

    def test_a_page_that_was_read_is_not_replaced(self, capsys, small):
        Path("run.csv").rename("run-report.html")
        Path("run").symlink_to("run-report.html")
        assert "run-report.html is one of the files to read" in fails(capsys, "run", *SMALL[1:])

    def test_what_stdout_leads_to_is_not_replaced(self, capsys, small):
        Path("log").write_text("before\n")
        with Path("log").open("a") as log:
            for folder in ("/dev", "/dev/fd", "/proc/self/fd"):
                output = f"{folder}/{'stdout' if folder == '/dev' else log.fileno()}"
                for options in (["-o", output], ["-o", "x.html", "--csv", output]):
                    line = fails(capsys, *SMALL, *options)
                    assert f"{output} is no file that could be replaced" in line
        assert Path("log").read_text() == "before\n"

    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
            (MemoryError("malloc failed"), "there is not enough memory for these files"),
            (
                MemoryError("DuckDB has too little room on disk. Give it a folder on another."),
                "DuckDB has too little room on disk. --memory 8GB gives it more memory, "
                "TMPDIR=/large/disk before it a larger disk",
            ),
        ],
    )
    def test_what_ends_it_halfway_leaves_nothing(self, capsys, small, monkeypatch, error, said):
        def stopped(*_):
            raise error

        Path("x.html").write_text("old")
        Path("tmp").mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(Path("tmp").resolve()))
        monkeypatch.setattr("byhand.reports.saved.latex_table", stopped)
        options = ["-o", "x.html", "--csv", "x.csv", "--latex", "x.tex"]
        assert fails(capsys, *SMALL, *options) == said
        assert Path("x.html").read_text() == "old"
        names = {path.name for path in Path().rglob("*")}
        assert names == {"qrels.csv", "run.csv", "tmp", "x.html"}


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ([], "required: RUN"),
            ([NEW, "--measures", "bpref"], "'bpref' is not a measure"),
            ([NEW, "--conventions", "trec"], "conventions='trec' is not a preset"),
            *[
                ([NEW, f"--relevant-from={grade}"], f"{grade!r} is not a grade: expected a number")
                for grade in ("0", "-1", "nan", "four", "inf")
            ],
            ([NEW, "--memory", "much"], "'much' is no amount of memory, such as 2GB"),
            ([NEW, "--run-columns", "doc_id"], "doc_id names no column. Expected THEIRS=OURS"),
            ([NEW, "--run-columns", "doc_id=Edge"], "Turn it round: Edge=doc_id"),
            ([NEW], "--qrels"),
            ([f"a={NEW}", "--qrels", QRELS, "--against", f"a={OLD}"], "Two systems are called 'a'"),
            ([NEW, "--all-pairs"], "--all-pairs: there is one system; name others with --against"),
            (["no*"], "no* matches no file. Looked in"),
        ],
    )
    def test_one_line(self, capsys, here, options, said):
        assert said in fails(capsys, *options)
        assert [*here.iterdir()] == []

    @pytest.mark.parametrize("content", [b"", b"PK\x03\x04abc", b"a\0b", b"\x1f\x8b\x08torn"])
    def test_what_is_no_data_is_refused_at_once(self, capsys, content):
        Path("run.txt").write_bytes(content)
        assert "run.txt" in fails(capsys, "run.txt", "--qrels", QRELS, "-o", "x.html")

    def test_an_error_in_the_run_is_not_taken_for_one_in_the_qrels(self, capsys):
        Path("q.csv.run").write_text("query_id,doc_id,scre\nq1,d1,1\n")
        Path("x.html").write_text("old")
        write(q="query_id,doc_id,relevance\nq1,d1,1\n")
        line, command = complains(capsys, "q.csv.run", "--qrels", "q.csv", "-o", "x.html")
        assert line.startswith("q.csv.run has no column 'score'")
        assert line.endswith("If 'scre' is it, run:")
        expected = "ranking-report q.csv.run --qrels q.csv -o x.html --run-columns scre=score"
        assert command == expected
        assert Path("x.html").read_text() == "old"

    def test_all_missing_columns_are_named_at_once_with_options_to_paste(self, capsys):
        write(e="Edge;Punkte (neu);ok\na;0,5;1\n")
        line, *commands, hint = complains(capsys, "e.csv", "-o", "x.html")
        assert line == (
            "e.csv has no columns 'doc_id', 'score' (or 'rank') and 'relevance'. Columns found: "
            "'Edge', 'Punkte (neu)', 'ok'. Only you can tell which column is which; the highest "
            "score is best, and the lowest rank. Whichever is right, run:"
        )
        assert hint == "(A file with what is relevant goes into --qrels.)"
        named = ("'Punkte (neu)=score' ok=relevance", "ok=rank 'Punkte (neu)=relevance'")
        named += ("ok=score 'Punkte (neu)=relevance'",)
        start = "ranking-report e.csv -o x.html --run-columns Edge=doc_id"
        assert commands == [f"{start} {each}" for each in named]

    def test_files_that_both_lack_columns_are_met_with_one_command(self, capsys):
        write(run="Frage,Wert,Buch\nq1,0.5,d1\n", qrels="1,d1,0.5\n")
        files = ["run.csv", "--qrels", "qrels.csv", "--run-columns", "Frage=query_id", "-o", "x"]
        *lines, command = complains(capsys, *files)
        assert [line.partition(".csv")[0] for line in lines] == ["run", "qrels"]
        assert command == (
            "ranking-report run.csv --qrels qrels.csv -o x --run-columns Frage=query_id "
            "Buch=doc_id Wert=score --qrels-columns 0=query_id 1=doc_id 2=relevance"
        )

    def test_a_judged_table_of_texts_is_asked_for_its_queries(self, capsys):
        rows = "".join(f"t{n},e{m},{m / 7:.3f},{m == 2}\n" for n in range(2) for m in range(3))
        write(edges=f"Triple,Edge,TracIn,In_Explanation\n{rows}")
        _, command, _ = complains(capsys, "edges.csv", "-o", "x.html")
        columns = "Triple=query_id Edge=doc_id TracIn=score In_Explanation=relevance"
        assert command == f"ranking-report edges.csv -o x.html --run-columns {columns}"
        assert main([*shlex.split(command)[1:], "--csv", "x.csv", "--measures", "RR"]) == 0
        assert pd.read_csv("x.csv")["query_id"].tolist() == ["t0", "t1"]

    def test_files_that_changed_places(self, capsys):
        write(recs="userId,movieId,score\n1,2,0.5\n", ratings="userId,movieId,rating\n1,2,4\n")
        run, qrels, _ = complains(capsys, "ratings.csv", "--qrels", "recs.csv", "-o", "x.html")
        assert "It has 'rating', as qrels do" in run
        assert "If that column holds scores, " in run
        assert "It has 'score', as a run does" in qrels
        assert "read_" not in run + qrels

    def test_runs_where_qrels_belong(self, capsys):
        for name in "ab":
            Path(f"{name}.run").write_text(f"q1 Q0 d1 1 0.5 {name}\n")
        line = fails(capsys, "a.run", "--qrels", "b.run", "-o", "x.html")
        assert "b.run is a run, not qrels" in line
        assert line.endswith("'query_id Q0 doc_id rank score tag'. Were the two files swapped?")
        line = fails(capsys, "a.run", "-o", "x.html")
        hint = "(A file with what is relevant goes into --qrels.)"
        assert line.endswith(f"TREC keeps them in two files: name both. {hint}")

    def test_clicks_are_met_with_the_option_that_makes_each_a_hit(self, capsys):
        write(run="query_id,doc_id,score\nq1,d1,0.5\nq1,d2,0.25\n")
        write(clicks="user,song,time\nq1,d2,17\nq1,d2,18\n")
        arguments = ["run.csv", "--qrels", "clicks.csv", "-o", "x.html"]
        line, command = complains(capsys, *arguments)
        assert "as in a log of clicks" in line
        options = ["--qrels-columns", "song=doc_id", "relevance=1"]
        assert command == shlex.join(["ranking-report", *arguments, *options])
        assert main([*arguments, *options, "--csv", "x.csv", "--measures", "RR"]) == 0
        assert pd.read_csv("x.csv")["RR"].tolist() == [0.5]

    def test_a_command_that_was_pasted_works(self, capsys):
        Path("run.tsv").write_text("q1\td1\t1\nq1\td2\t2\n")
        write(qrels="Anfrage;Buch;ok\nq1;d2;1\nq1;d2;1\n")
        *_, score, rank = complains(capsys, "run.tsv", "--qrels", "qrels.csv", "-o", "x.html")
        columns = "--qrels-columns Anfrage=query_id Buch=doc_id ok=relevance"
        for command, number in ((score, "score"), (rank, "rank")):
            options = f"--run-columns 0=query_id 1=doc_id 2={number}"
            assert command.endswith(f"-o x.html {options} {columns}")
        line = fails(capsys, *shlex.split(command)[1:])
        assert "qrels.csv: query 'q1' has item 'd2' twice, in line 2 and line 3" in line

    def test_no_command_that_is_offered_takes_a_rank_for_a_score_unasked(self, capsys):
        rows = "".join(f"Jacke;{4711 + n};{n};{10 - n}\n" for n in range(1, 6))
        write(run=f"Suchanfrage;Artikelnummer;Rang;Punktzahl\n{rows}")
        write(qrels="query_id,doc_id,relevance\nJacke,4712,1\n")
        line, *commands = complains(capsys, "run.csv", "--qrels", "qrels.csv", "-o", "x.html")
        assert "Only you can tell which column is which" in line
        offered = {command.split()[-1] for command in commands}
        assert offered == {"Rang=rank", "Rang=score", "Punktzahl=rank", "Punktzahl=score"}

    @pytest.mark.parametrize("start", ["ranking-report a.csv --against b.csv -o x.html", "GATE"])
    def test_runs_with_different_headers_are_named_each_by_its_file(self, capsys, start):
        write(a="Frage;Artikel;Wert\nq1;d1;0,9\nq1;d2;0,5\n")
        write(b="Query text;Thing;Value\nq1;d2;0,9\nq1;d1;0,5\n")
        write(qrels="query_id,doc_id,relevance\nq1,d1,1\n")
        start = "ranking-gate a.csv b.csv" if start == "GATE" else start
        called = f"{start} --qrels qrels.csv"
        run = {"ranking-gate": gate, "ranking-report": main}[called.split()[0]]

        def said(command):
            try:
                status = run(shlex.split(command)[1:])
            except SystemExit as end:
                status = end.code
            printed = capsys.readouterr()
            return status, [*(printed.err + printed.out).splitlines()]

        first = "--run-columns a.csv Frage=query_id Artikel=doc_id Wert=score"
        second = "--run-columns b.csv 'Query text=query_id' Thing=doc_id Value=score"
        status, lines = said(called)
        assert (status, lines[-1]) == (2, f"{called} {first} {second}")
        # what was named for all fits the first only: the command names both
        status, lines = said(f"{called} {first.replace('a.csv ', '')}")
        assert (status, lines[-1]) == (2, f"{called} {first} {second}")
        assert lines[0].endswith("Where the runs differ, name the columns of each: that is, run:")
        write(b="qid,docno,score\nq1,d2,0.9\nq1,d1,0.5\n")
        status, lines = said(f"{called} {first.replace('a.csv ', '')}")
        assert (status, lines[-1]) == (2, f"{called} {first}")
        assert said(lines[-1])[0] != 2
        status, (line,) = said(f"{called} {first.replace('a.csv', 'c.csv')}")
        assert (
            status,
            "named for 'c.csv', which is none of the runs: 'a.csv', 'b.csv'" in line,
        ) == (2, True)

    def test_rows_of_an_unnamed_query_are_met_with_an_option(self, capsys):
        write(e="Test,Edge,S,In_path\nt1,a,0.5,1\nt2,a,0.4,0\n")
        arguments = ["e.csv", "-o", "x.html", "--run-columns", "Edge=doc_id", "S=score"]
        line, command = complains(capsys, *arguments)
        assert line.endswith("if 'Test' does, run:")
        options = "--run-columns Edge=doc_id S=score Test=query_id"
        assert command == f"ranking-report e.csv -o x.html {options}"

    @pytest.mark.parametrize("output", [[], ["-o", "x.html"]])
    def test_a_complaint_about_columns_does_not_wait_for_what_a_report_needs(self, output):
        write(run="A,B,C\nq1,d1,0.5\n")
        code = (
            "import sys\nfrom byhand.reports.command import main\n"
            f"sys.argv = ['ranking-report', 'run.csv', *{output}]\n"
            "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        slow = {"pandas", "scipy", "matplotlib", "jinja2", "IPython", "pyarrow.dataset"}
        assert "has no columns" in done.stderr
        assert slow.isdisjoint(done.stdout.split())

    def test_a_pipe_without_columns_is_called_what_was_typed(self, capsys):
        os.mkfifo("pipe")
        writer = Thread(target=lambda: Path("pipe").write_text("Edge,S\na,1\n"))
        writer.start()
        line, *_ = complains(capsys, "pipe", "--qrels", QRELS, "-o", "x.html")
        writer.join()
        assert line.startswith("pipe has no columns 'query_id', 'doc_id' and")
        assert [path.name for path in Path().iterdir()] == ["pipe"]


def test_help_and_version_are_those_of_the_declarations(capsys):
    for command, ask in ((main, "--help"), (gate, "--help"), (main, "--version")):
        with pytest.raises(SystemExit) as end:
            command([ask])
        assert end.value.code == 0
        said = " ".join(capsys.readouterr().out.split())
        if ask == "--version":
            made_with = f"ranking-metrics-by-hand {byhand.__version__}"
            assert said == f"ranking-report of {made_with}"
        for option in OPTIONS.values() if (command, ask) == (main, "--help") else ():
            assert option.help in said
