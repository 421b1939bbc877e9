"""`ranking-report`, from its arguments to the file."""

import json
import os
import re
import shlex
import subprocess
import sys
from html import unescape
from pathlib import Path
from threading import Thread

import pandas as pd
import pytest
from guards import REQUESTS, without_module
from nbclient.exceptions import CellExecutionError

import byhand.report.running
from byhand import evaluate
from byhand.files.read import read_qrels, read_run
from byhand.reports.command import main
from byhand.reports.gate import main as gate
from helpers.notebooks import LessonError

DATA = Path(__file__).parents[2] / "data"
NEW, OLD, QRELS = (
    str(DATA / f"sample-{name}") for name in ("new.txt.gz", "old.txt.gz", "qrels.csv")
)
NASTY = ["<script>alert(1)</script>", "**bold**", "$x$", "&amp;", "<img src=x onerror=alert(2)>"]


def text_of(html):
    return unescape(re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def report(folder):
    """The report on the sample, and the values of each query."""
    output, csv = folder / "report.html", folder / "values.csv"
    arguments = [NEW, "--qrels", QRELS, "--against", OLD, "-o", str(output), "--csv", str(csv)]
    assert main([*arguments, "--measures", "AP", "RR@10"]) == 0
    return output.read_text(encoding="utf-8"), pd.read_csv(csv)


def fails(capsys, *arguments, status=2):
    """The one line that a call ends with."""
    (line,) = complains(capsys, *arguments, status=status)
    return line


def complains(capsys, *arguments, status=2):
    """The lines that a call ends with."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    assert end.value.code == status
    printed = capsys.readouterr()
    assert printed.out == ""
    first, *more = printed.err.splitlines()
    assert first.startswith("ranking-report: ")
    return [first, *more]


class TestReport:
    def test_values_are_those_of_evaluate(self, report):
        html, values = report
        wanted = evaluate(read_run(NEW), read_qrels(QRELS), ["AP", "RR@10"])
        found = values[values["system"] == "sample-new"].set_index("query_id")
        for measure in wanted:
            assert found[measure].tolist() == pytest.approx(wanted[measure].tolist(), abs=1e-15)
            assert f"{wanted[measure].mean():.4f}" in text_of(html)

    def test_has_its_parts(self, report):
        text = text_of(report[0])
        for part in (
            "Ranking report: sample-new",
            "Over 200 queries",
            "Is the data sound?",
            "judged queries the run lacks",
            "The worst queries",
            "The best queries",
            "Is it better?",
            "as trec_eval -c computes them",
            "What do equal scores leave open?",
            "What do missing judgements leave open?",
        ):
            assert part in text
        assert report[0].count('<img src="data:image/png') == 4

    def test_the_first_paragraph_says_whose_numbers_and_what_they_rest_on(self, report):
        first = text_of(report[0].partition("<h2")[0].partition("<h1>")[2])
        assert "AP and RR@10, as trec_eval -c computes them." in first
        assert "sample-new did not answer 3 of 200 queries" in first

    def test_a_note_speaks_of_the_measures_of_the_report(self, report):
        text = text_of(report[0])
        assert "it can move the mean of AP from 0.2523 to 0.2643 and of RR@10 from" in text
        assert "mean of nDCG" not in text

    def test_leaves_out_what_is_for_the_notebook(self, report):
        text = text_of(report[0])
        for part in ("FilePicker", "Run All Cells", "ranking-report RUN", "Recap"):
            assert part not in text

    def test_loads_nothing_and_names_no_folder(self, report):
        html = report[0]
        assert not REQUESTS.search(without_module(html))
        assert not re.search(r'\bsrc="(?!data:)', html)
        assert str(DATA) not in html
        assert "sample-new.txt.gz" in html

    def test_contents_lead_to_every_section(self, report):
        headings = re.findall(r'<h2 id="([^"]+)"', report[0])
        assert re.findall(r'<li><a href="#([^"]+)"', report[0]) == headings
        assert len(headings) == 12

    def test_figures_are_as_wide_as_the_page(self, report):
        widths = re.findall(r'<figure><img [^>]*? width="(\d+)"', report[0])
        assert len(widths) >= 4
        assert set(widths) == {"700"}
        assert 'figure img[width="700"] { width: 100%; }' in report[0]


class TestOtherInput:
    def test_a_spreadsheet_with_names_that_look_like_code(self, folder):
        rows = [
            (query, item, str(n / 8).replace(".", ","))
            for query in NASTY
            for n, item in enumerate(NASTY)
        ]
        run = pd.DataFrame(rows, columns=["User ID", "Item ID", "Score"])
        run.to_csv(
            folder / "sheet.csv", sep=";", index=False, encoding="utf-8-sig", lineterminator="\r\n"
        )
        likes = pd.DataFrame(
            [(query, query, 1) for query in NASTY], columns=["user", "item", "label"]
        )
        likes.to_csv(folder / "likes.csv", index=False)
        output = folder / "sheet.html"
        assert (
            main(
                [str(folder / "sheet.csv"), "--qrels", str(folder / "likes.csv"), "-o", str(output)]
            )
            == 0
        )
        html = output.read_text(encoding="utf-8")
        assert "<script" not in without_module(html)
        assert "<img src=x" not in html
        for name in NASTY:
            assert name in text_of(html)
        assert "Is it better?" not in html

    def test_a_judged_run_in_parquet(self, folder):
        table = pd.DataFrame(
            {"Query": ["a"] * 3 + ["b"] * 3, "Edge": list("xyzxyz"), "S": [3, 2, 1] * 2}
        ).assign(in_path=[False, True, False, True, True, False])
        table.to_parquet(folder / "edges.parquet")
        output = folder / "edges.html"
        arguments = [str(folder / "edges.parquet"), "-o", str(output), "--measures", "RR"]
        assert main([*arguments, "--run-columns", "Edge=doc_id", "S=score"]) == 0
        text = text_of(output.read_text(encoding="utf-8"))
        assert "0.7500" in text
        assert "That file holds the relevance as well" in text

    def test_grades_of_which_only_the_upper_ones_are_relevant(self, folder):
        run = pd.DataFrame({"query_id": "q", "doc_id": list("abc"), "score": [3, 2, 1]})
        run.assign(relevance=[2, 3, 4]).to_csv(folder / "rated.csv", index=False)
        output = folder / "rated.html"
        arguments = [str(folder / "rated.csv"), "-o", str(output), "--measures", "RR"]
        assert main([*arguments, "--conventions", "ranx", "--relevant-from", "4"]) == 0
        text = text_of(output.read_text(encoding="utf-8"))
        assert "relevant is a grade of 4 or more" in text
        assert "0.3333" in text
        assert "approximately as ranx computes it, except that equal scores have" in text

    def test_pipes_of_this_process_and_others(self, report, folder, monkeypatch):
        monkeypatch.chdir(folder)
        os.mkfifo("judged")
        writer = Thread(target=lambda: Path("judged").write_bytes(Path(QRELS).read_bytes()))
        writer.start()
        arguments = ["/dev/stdin", "--qrels", "judged", "-o", "x" * 245 + ".html", "--csv", "p.csv"]
        done = subprocess.run(
            [sys.executable, "-m", "byhand.report", *arguments, "--measures", "AP", "RR@10"],
            input=Path(NEW).read_bytes(),
            env=os.environ | {"PYTHONPATH": str(DATA.parent)},
        )
        writer.join()
        assert done.returncode == 0
        expected = report[1][report[1]["system"] == "sample-new"].reset_index(drop=True)
        found = pd.read_csv("p.csv")
        assert set(found["system"]) == {"stdin"}
        pd.testing.assert_frame_equal(
            found[["query_id", "AP", "RR@10"]].sort_values("query_id", ignore_index=True),
            expected[["query_id", "AP", "RR@10"]].sort_values("query_id", ignore_index=True),
        )


class TestWhereItGoes:
    ARGUMENTS = ("run.csv", "--qrels", "qrels.csv", "--measures", "RR")

    @pytest.fixture(autouse=True)
    def small(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("run.csv").write_text("query_id,doc_id,score\nq1,d1,1\nq2,d1,1\n")
        Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\nq2,d1,0\n")

    def test_without_a_name_beside_the_run(self, capsys):
        assert main([*self.ARGUMENTS]) == 0
        out, err = capsys.readouterr()
        assert re.fullmatch(r"Wrote run-report\.html, 0\.\d MB\n", out)
        assert err == ""
        assert "Ranking report: run" in Path("run-report.html").read_text(encoding="utf-8")
        assert main([*self.ARGUMENTS, "--quiet"]) == 0  # in place of that one
        assert capsys.readouterr() == ("", "")

    def test_to_standard_output(self):
        command = [sys.executable, "-m", "byhand.report", *self.ARGUMENTS, "-o", "-"]
        done = subprocess.run([*command, "--csv", "values.csv"], capture_output=True, check=True)
        assert done.stdout.startswith(b"<!doctype html>")
        assert done.stdout.strip().endswith(b"</html>")
        assert re.fullmatch(rb"Wrote values\.csv, 0\.\d kB\n", done.stderr)
        assert sorted(path.name for path in Path().iterdir()) == [
            "qrels.csv",
            "run.csv",
            "values.csv",
        ]

    @pytest.mark.parametrize("option", ["--csv", "--json", "--latex", "--figures"])
    def test_only_the_page_goes_to_standard_output(self, capsys, option):
        line = fails(capsys, *self.ARGUMENTS, option, "-")
        assert line.endswith(f"Only the page can go to standard output: {option} takes a name.")
        assert not Path("-").exists()

    def test_of_what_is_a_folder_beside_it(self, capsys):
        Path("runs").mkdir()
        Path("run.csv").rename("runs/run.csv")
        assert main(["runs/", *self.ARGUMENTS[1:]]) == 0
        assert capsys.readouterr().out.startswith("Wrote runs-report.html, ")

    def test_a_page_that_was_read_is_not_replaced(self, capsys):
        Path("run.csv").rename("run-report.html")
        Path("run").symlink_to("run-report.html")
        line = fails(capsys, "run", *self.ARGUMENTS[1:])
        assert "run-report.html is one of the files to read" in line


class TestBadInput:
    def test_what_is_wrong_with_the_arguments(self, capsys, folder):
        assert "'ERR' is not a measure" in fails(capsys, NEW, "--measures", "ERR", "-o", "x.html")
        line = fails(capsys, NEW, "--conventions", "trec", "-o", "x.html")
        assert "conventions='trec' is not a preset" in line
        assert "required: RUN" in fails(capsys)
        for grade in ("0", "-1", "nan", "four", "inf"):
            line = fails(capsys, NEW, "-o", "x.html", f"--relevant-from={grade}")
            assert f"{grade!r} is not a grade: expected a number above 0" in line
        assert "THEIRS=OURS" in fails(capsys, NEW, "-o", "x", "--run-columns", "doc_id")

    def test_where_nothing_can_be_written(self, capsys, folder, tmp_path):
        assert "no folder 'none'" in fails(capsys, NEW, "-o", tmp_path / "none" / "x.html")
        assert "one of the files to read" in fails(capsys, NEW, "--qrels", QRELS, "-o", QRELS)
        assert "no file that could be replaced" in fails(capsys, NEW, "-o", tmp_path)
        both = tmp_path / "x.html"
        assert "name two" in fails(capsys, NEW, "-o", both, "--csv", both)

    @pytest.mark.parametrize("content", [b"", b"PK\x03\x04abc", b"a\0b", b"\x1f\x8b\x08torn"])
    def test_what_is_no_data_is_refused_at_once(self, capsys, tmp_path, content):
        path = tmp_path / "run.txt"
        path.write_bytes(content)
        assert "run.txt" in fails(capsys, path, "--qrels", QRELS, "-o", tmp_path / "x.html")

    def test_a_failure_keeps_the_report_that_was_there(self, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("run.csv").write_text("query,document,points\nq1,d1,0.5\n")
        Path("x.html").write_text("old")
        arguments = ["run.csv", "--qrels", QRELS, "-o", "x.html", "--csv", "x.csv"]
        line, command = complains(capsys, *arguments)
        assert line.startswith("ranking-report: run.csv has no column 'score'")
        assert command.endswith(" --run-columns points=score")
        assert str(tmp_path) not in line
        assert Path("x.html").read_text() == "old"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["run.csv", "x.html"]

    def test_an_error_in_the_run_is_not_taken_for_one_in_the_qrels(
        self, capsys, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        Path("q.csv.run").write_text("query_id,doc_id,scre\nq1,d1,1\n")
        Path("q.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\n")
        line, command = complains(capsys, "q.csv.run", "--qrels", "q.csv", "-o", "x.html")
        assert line.startswith("ranking-report: q.csv.run has no column 'score'")
        assert line.endswith("If 'scre' is it, run:")
        expected = "ranking-report q.csv.run --qrels q.csv -o x.html --run-columns scre=score"
        assert command == expected

    def test_all_missing_columns_are_named_at_once_with_options_to_paste(
        self, capsys, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        Path("e.csv").write_text("Edge;Punkte (neu);ok\na;0,5;1\n")
        expected = (
            "ranking-report: e.csv has no columns 'doc_id', 'score' (or 'rank') and 'relevance'. "
            "Columns found: 'Edge', 'Punkte (neu)', 'ok'. "
        )
        line, *commands, hint = complains(capsys, "e.csv", "-o", "x.html")
        assert line == (
            f"{expected}Only you can tell which column is which; the highest score is best, and "
            "the lowest rank. Whichever is right, run:"
        )
        assert hint == "(A file with what is relevant goes into --qrels.)"
        named = ("'Punkte (neu)=score' ok=relevance", "ok=rank 'Punkte (neu)=relevance'")
        named += ("ok=score 'Punkte (neu)=relevance'",)
        start = "ranking-report e.csv -o x.html --run-columns Edge=doc_id"
        assert commands == [f"{start} {each}" for each in named]

    def test_files_that_both_lack_columns_are_met_with_one_command(
        self, capsys, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        Path("run.csv").write_text("Frage,Wert,Buch\nq1,0.5,d1\n")
        Path("qrels.csv").write_text("1,d1,0.5\n")
        lines = complains(
            capsys, "run.csv", "--qrels", "qrels.csv", "--run-columns", "Frage=query_id", "-o", "x"
        )
        assert lines[0].endswith(" Say which is which (the highest score is best), as below.")
        assert lines[1].endswith(" Add a line of names, or count the columns from 0:")
        assert lines[2:] == [
            "ranking-report run.csv --qrels qrels.csv -o x --run-columns Frage=query_id "
            "Buch=doc_id Wert=score --qrels-columns 0=query_id 1=doc_id 2=relevance"
        ]

    def test_a_judged_table_of_texts_is_asked_for_its_queries(self, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        rows = "".join(f"t{n},e{m},{m / 7:.3f},{m == 2}\n" for n in range(2) for m in range(3))
        Path("edges.csv").write_text(f"Triple,Edge,TracIn,In_Explanation\n{rows}")
        _, command, _ = complains(capsys, "edges.csv", "-o", "x.html")
        columns = "Triple=query_id Edge=doc_id TracIn=score In_Explanation=relevance"
        assert command == f"ranking-report edges.csv -o x.html --run-columns {columns}"
        assert main([*shlex.split(command)[1:], "--csv", "x.csv", "--measures", "RR"]) == 0
        assert pd.read_csv("x.csv")["query_id"].tolist() == ["t0", "t1"]

    def test_files_that_changed_places(self, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("recs.csv").write_text("userId,movieId,score\n1,2,0.5\n")
        Path("ratings.csv").write_text("userId,movieId,rating\n1,2,4\n")
        run, qrels, _ = complains(capsys, "ratings.csv", "--qrels", "recs.csv", "-o", "x.html")
        assert "It has 'rating', as qrels do: such a file goes into --qrels. " in run
        assert run.endswith("If that column holds scores, say so as below.")
        assert "It has 'score', as a run does: such a file is a run. " in qrels

    def test_a_trec_run_without_judgements(self, capsys, tmp_path):
        (tmp_path / "a.run").write_text("q1 Q0 d1 1 0.5 a\n")
        line = fails(capsys, tmp_path / "a.run", "-o", tmp_path / "x.html")
        more = "(A file with what is relevant goes into --qrels.)"
        assert line.endswith(f"TREC keeps them in two files. {more}")

    def test_a_run_where_qrels_belong(self, capsys, tmp_path):
        (tmp_path / "a.run").write_text("q1 Q0 d1 1 0.5 a\n")
        (tmp_path / "b.run").write_text("q1 Q0 d1 1 0.5 b\n")
        line = fails(capsys, tmp_path / "a.run", "--qrels", tmp_path / "b.run", "-o", "x.html")
        assert "b.run is a run, not qrels" in line
        assert line.endswith("'query_id Q0 doc_id rank score tag'. Were the two files swapped?")

    def test_two_systems_of_one_name(self, capsys, tmp_path):
        files = [f"a={NEW}", "--qrels", QRELS, "--against", f"a={OLD}"]
        line = fails(capsys, *files, "-o", tmp_path / "x.html")
        assert line.endswith("Two systems are called 'a'. Give each a name of its own.")

    def test_all_pairs_of_one_system(self, capsys):
        line = fails(capsys, NEW, "--qrels", QRELS, "--all-pairs", "-o", "x.html")
        assert "--all-pairs: there is one system; name others with --against" in line

    def test_clicks_are_met_with_the_option_that_makes_each_a_hit(
        self, capsys, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        Path("run.csv").write_text("q1,d1,0.5\nq1,d2,0.25\n")
        Path("clicks.csv").write_text("user,song,time\nq1,d2,17\nq1,d2,18\n")
        arguments = ["run.csv", "--qrels", "clicks.csv", "-o", "x.html"]
        line, command = complains(capsys, *arguments)
        assert "as in a log of clicks, say --qrels-columns relevance=1. That is, run:" in line
        options = ["--qrels-columns", "song=doc_id", "relevance=1"]
        assert command == shlex.join(["ranking-report", *arguments, *options])
        assert main([*arguments, *options, "--csv", "x.csv", "--measures", "RR"]) == 0
        assert pd.read_csv("x.csv")["RR"].tolist() == [0.5]

    def test_a_command_that_was_pasted_works(self, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("run.tsv").write_text("q1\td1\t1\nq1\td2\t2\n")
        Path("qrels.csv").write_text("Anfrage;Buch;ok\nq1;d2;1\nq1;d2;1\n")
        *_, score, rank = complains(capsys, "run.tsv", "--qrels", "qrels.csv", "-o", "x.html")
        columns = "--qrels-columns Anfrage=query_id Buch=doc_id ok=relevance"
        for command, number in ((score, "score"), (rank, "rank")):
            options = f"--run-columns 0=query_id 1=doc_id 2={number}"
            assert command.endswith(f"-o x.html {options} {columns}")
        line = fails(capsys, *shlex.split(command)[1:])
        assert "qrels.csv: query 'q1' has item 'd2' twice, in line 2 and line 3" in line

    def test_no_command_that_is_offered_takes_a_rank_for_a_score_unasked(
        self, capsys, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        rows = "".join(f"Jacke;{4711 + n};{n};{10 - n}\n" for n in range(1, 6))
        Path("run.csv").write_text(f"Suchanfrage;Artikelnummer;Rang;Punktzahl\n{rows}")
        Path("qrels.csv").write_text("query_id,doc_id,relevance\nJacke,4712,1\n")
        line, *commands = complains(capsys, "run.csv", "--qrels", "qrels.csv", "-o", "x.html")
        assert "Only you can tell which column is which" in line
        offered = {command.split()[-1] for command in commands}
        assert offered == {"Rang=rank", "Rang=score", "Punktzahl=rank", "Punktzahl=score"}

    @pytest.mark.parametrize("start", ["ranking-report a.csv --against b.csv -o x.html", "GATE"])
    def test_runs_with_different_headers_are_named_each_by_its_file(
        self, capsys, tmp_path, monkeypatch, start
    ):
        monkeypatch.chdir(tmp_path)
        Path("a.csv").write_text("Frage;Artikel;Wert\nq1;d1;0,9\nq1;d2;0,5\n")
        Path("b.csv").write_text("Query text;Thing;Value\nq1;d2;0,9\nq1;d1;0,5\n")
        Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\n")
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
        Path("b.csv").write_text("qid,docno,score\nq1,d2,0.9\nq1,d1,0.5\n")
        status, lines = said(f"{called} {first.replace('a.csv ', '')}")
        assert (status, lines[-1]) == (2, f"{called} {first}")
        assert said(lines[-1])[0] != 2
        status, (line,) = said(f"{called} {first.replace('a.csv', 'c.csv')}")
        assert (status, "columns of 'c.csv', which is none of the runs" in line) == (2, True)

    def test_rows_of_an_unnamed_query_are_met_with_an_option(self, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("e.csv").write_text("Test,Edge,S,In_path\nt1,a,0.5,1\nt2,a,0.4,0\n")
        arguments = ["e.csv", "-o", "x.html", "--run-columns", "Edge=doc_id", "S=score"]
        line, command = complains(capsys, *arguments)
        assert line.endswith("if 'Test' does, run:")
        options = "--run-columns Edge=doc_id S=score Test=query_id"
        assert command == f"ranking-report e.csv -o x.html {options}"

    @pytest.mark.parametrize("page", [[], ["-o", "x.html"]])
    def test_a_complaint_about_columns_does_not_wait_for_what_only_a_report_needs(
        self, tmp_path, page
    ):
        (tmp_path / "run.csv").write_text("A,B,C\nq1,d1,0.5\n")
        code = (
            "import sys\nfrom byhand.reports.command import main\n"
            f"sys.argv = ['ranking-report', {str(tmp_path / 'run.csv')!r}, *{page}]\n"
            "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules)\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        slow = {"pandas", "scipy", "matplotlib", "nbformat", "IPython", "pyarrow.dataset"}
        assert "has no columns" in done.stderr
        assert slow.isdisjoint(done.stdout.split())

    def test_a_pipe_without_columns_is_called_what_was_typed(self, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        os.mkfifo("pipe")
        writer = Thread(target=lambda: Path("pipe").write_text("Edge,S\na,1\n"))
        writer.start()
        line, *_ = complains(capsys, "pipe", "--qrels", QRELS, "-o", "x.html")
        writer.join()
        assert line.startswith("ranking-report: pipe has no columns 'query_id', 'doc_id' and")
        assert [path.name for path in tmp_path.iterdir()] == ["pipe"]

    def test_a_disk_that_is_full_in_a_cell_is_said_to_be(self, capsys, tmp_path, monkeypatch):
        def stopped(*_, **__):
            full = CellExecutionError("", OSError.__name__, "[Errno 28] No space left on device")
            raise LessonError("A cell failed.") from full

        monkeypatch.setattr(byhand.report.running, "execute", stopped)
        line = fails(capsys, NEW, "--qrels", QRELS, "-o", tmp_path / "x.html")
        assert line == "ranking-report: [Errno 28] No space left on device"
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("name", ["MemoryError", "ArrowMemoryError", "_ArrayMemoryError"])
    def test_memory_that_runs_out_in_a_cell_is_said_to(self, capsys, tmp_path, monkeypatch, name):
        def stopped(*_, **__):
            raise LessonError("A cell failed.") from CellExecutionError("", name, "malloc failed")

        monkeypatch.setattr(byhand.report.running, "execute", stopped)
        line = fails(capsys, NEW, "--qrels", QRELS, "-o", tmp_path / "x.html")
        assert line == "ranking-report: there is not enough memory for these files"

    def test_what_stdout_leads_to_is_not_replaced(self, capsys, tmp_path):
        (tmp_path / "log").write_text("before\n")
        with (tmp_path / "log").open("a") as log:
            for folder in ("/dev", "/dev/fd", "/proc/self/fd"):
                output = f"{folder}/{'stdout' if folder == '/dev' else log.fileno()}"
                for options in (["-o", output], ["-o", tmp_path / "x.html", "--csv", output]):
                    line = fails(capsys, NEW, "--qrels", QRELS, *options)
                    assert f"{output} is no file that could be replaced" in line
        assert (tmp_path / "log").read_text() == "before\n"

    def test_a_mapping_turned_round(self, capsys):
        line = fails(capsys, NEW, "-o", "x.html", "--run-columns", "doc_id=Edge")
        assert "'Edge' is not one of our columns" in line
        assert "Turn it round: Edge=doc_id" in line

    def test_without_judgements_it_says_where_they_go(self, capsys, tmp_path):
        assert "--qrels" in fails(capsys, NEW, "-o", tmp_path / "x.html")


@pytest.mark.xfail(
    strict=True, reason="the command still runs the very notebook that a reader edits"
)
def test_an_edited_lesson_breaks_no_report(tmp_path, monkeypatch):
    lesson = json.loads((DATA.parent / "notebooks" / "10-your-own-data.ipynb").read_text())
    for cell in lesson["cells"]:
        if cell["cell_type"] == "code" and "parameters" not in cell["metadata"].get("tags", []):
            cell["source"] = "raise RuntimeError('edited')"
    edited = tmp_path / "10-your-own-data.ipynb"
    edited.write_text(json.dumps(lesson))
    for module in ("running", "data_page"):
        monkeypatch.setattr(f"byhand.report.{module}.LESSON", edited, raising=False)
    arguments = [NEW, "--qrels", QRELS, "-o", str(tmp_path / "x.html"), "--measures", "RR"]
    assert main(arguments) == 0


def test_runs_as_a_module_and_helps():
    done = subprocess.run(
        [sys.executable, "-m", "byhand.report", "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0
    for option in (
        "--qrels",
        "--against",
        "--measures",
        "--conventions",
        "--relevant-from",
        "--csv",
    ):
        assert option in done.stdout


def test_no_bar_outside_a_terminal(capfd):
    from byhand.report.running import Bar

    bar = Bar()
    bar(1, 2)
    bar.end()
    assert capfd.readouterr().err == ""
