"""Two files and no Python: the page that makes a report of them, as people use it."""

import json
import re
import subprocess
import sys
from urllib.parse import urlsplit

import pandas as pd
import pytest
from desk_page import Desk
from page_checks import SPILLS, assert_for_everybody
from playwright.sync_api import expect

from helpers.places import DATA

SAMPLE = {
    name: (DATA / name).read_bytes()
    for name in ("sample-new.txt.gz", "sample-old.txt.gz", "sample-qrels.csv")
}
RUN = [("q1", "a", 0.75), ("q1", "b", 0.5), ("q2", "a", 2.25)]
QRELS = pd.DataFrame([("q1", "b", 1), ("q2", "a", 2)], columns=["query_id", "doc_id", "relevance"])
TREC_RUN = "".join(f"{q} Q0 {d} {rank} {s} x\n" for rank, (q, d, s) in enumerate(RUN, 1))
TREC_RUN = TREC_RUN.encode()
OWN = {"a.run": TREC_RUN, "q.csv": QRELS.to_csv(index=False).encode()}


@pytest.fixture(scope="module")
def one(visitor):
    """One page for all tests here, so that Python starts once."""
    page = visitor.new_page()
    yield Desk(page)
    page.close()


@pytest.fixture
def desk(one):
    """The page without files; it asked for its own files, and sent nothing."""
    one.page.set_viewport_size({"width": 1280, "height": 900})
    while (cards := one.page.locator("#cards [data-part=remove]")).count():
        cards.first.click()
    yield one
    assert {(each.method, each.post_data) for each in one.asked} == {("GET", None)}
    folder = one.page.url.removesuffix("index.html")
    assert [each.url for each in one.asked if not each.url.startswith((folder, "blob:"))] == []


def test_the_sample_as_the_command_has_it(desk, tmp_path):
    """Byte by byte, but for the day."""
    new, old, qrels = (str(DATA / name) for name in SAMPLE)
    command = [sys.executable, "-m", "byhand", "report", new, "--qrels", qrels, "--against", old]
    command += ["-o", "command.html", "-o", "command.csv"]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    assert desk.drop(SAMPLE) == ["run", "run", "qrels"]
    before = len(desk.asked)
    desk.make()
    # of what was dropped, nothing was asked, so nothing was sent
    assert {urlsplit(each.url).scheme for each in desk.asked[before:]} <= {"blob", "about"}
    for form in ("html", "csv"):
        both = desk.saved(form, tmp_path), tmp_path / f"command.{form}"
        texts = (path.read_text(encoding="utf-8") for path in both)
        assert len({re.sub(r"\d{1,2} [A-Z][a-z]+ 20\d\d", "", each) for each in texts}) == 1
    assert json.loads(desk.saved("json", tmp_path).read_text(encoding="utf-8"))
    expect(desk.report.locator("h1")).to_contain_text("sample-new is higher than sample-old")
    # its lists live there, too
    desk.report.locator("details:has(.live) > summary").first.click()
    expect(desk.report.locator(".rm-grip").first).to_be_visible()


def test_columns_are_named_with_a_click(desk):
    mine = (
        pd.DataFrame(RUN, columns=["Kunde", "Buch", "Wert"]).to_csv(sep="\t", index=False).encode()
    )
    assert desk.drop({"mine.tsv": mine, "qrels": QRELS.to_parquet()}) == ["run", "qrels"]
    (said,) = desk.wrong()
    assert "If this guess is right and the highest numbers are best" in said
    card = desk.card("mine.tsv")
    card.get_by_role("button", name="Kunde = query_id, Buch = doc_id, Wert = score").click()
    rows = [" ".join(map(str, row)) for row in RUN]
    heads = "query_id Kunde doc_id Buch score Wert"
    expect(card.locator("tr")).to_have_text([heads, *rows], use_inner_text=True)
    desk.make()
    expect(desk.report.locator("h1")).to_contain_text("mine")


def test_a_wrong_guess_and_the_order_are_changed(desk):
    files = {"a.json": b'{"q1": {"b": 1}, "q2": {"a": 2}}', "b.run": TREC_RUN, "c.run": TREC_RUN}
    assert desk.drop(files) == ["qrels", "run", "run"]
    kind = desk.card("a.json").locator("select")
    kind.select_option("run")
    expect(desk.card("a.json").locator("th").last).to_have_text("score")
    desk.button.click()
    assert desk.wrong() == ["There are no judgements yet: add the qrels."]
    kind.select_option("qrels")
    desk.card("c.run").get_by_role("button", name="Put it first").click()
    desk.card("c.run").get_by_label("Name of the system").fill("ours")
    desk.make()
    expect(desk.report.locator("h1")).to_contain_text("The comparison of ours with b in")


def test_how_a_number_came_out(desk):
    desk.page.get_by_role("button", name="Cranfield").click()
    names = [f"cranfield-{each}" for each in ("bm25.txt.gz", "tfidf.txt.gz", "qrels.csv")]
    names += ["cranfield-queries.csv", "cranfield-titles.csv"]
    assert [desk.kind(each) for each in names] == ["run", "run", "qrels", "queries", "docs"]
    find_out = desk.reported.get_by_role("button")
    find_out.click()
    expect(desk.reported.locator("> .said")).to_contain_text("Enter the number")
    desk.reported.get_by_label("Number").fill("0.3116")
    find_out.click()
    answer = desk.reported.locator(".report table")
    expect(answer).to_contain_text("the grades are reversed")
    assert desk.wrong() == []
    desk.card("cranfield-titles.csv").locator("[data-part=remove]").click()
    expect(answer).to_be_hidden()  # it was of other files


def test_what_is_wrong_is_said_where_it_is_put_right_and_no_longer_once_it_is(desk):
    grade, fold = (
        desk.options.get_by_label("lowest relevant grade"),
        desk.options.locator("summary"),
    )
    desk.drop(OWN | {"a.run": TREC_RUN + b"q1 Q0 a 3 0.1 x\n"})
    desk.button.click()
    card = desk.card("a.run")
    expect(card.locator(".wrong")).to_contain_text("'best' keeps the one with the highest score")
    card.get_by_label("If a run has an item twice").select_option("best")
    desk.make()
    fold.click()
    grade.fill("x")
    fold.click()
    desk.button.click()
    expect(desk.page.locator("label + #wrong")).to_contain_text("got 'x'")
    expect(grade).to_be_focused()  # in the fold, which is open
    grade.fill("99")
    desk.button.click()
    expect(desk.page.locator("#cards .wrong")).to_contain_text("No item is relevant")
    expect(desk.result).to_be_hidden()  # it was by another grade
    grade.fill("")
    desk.make()
    desk.options.locator("[name=duplicates]").select_option("")
    fold.click()
    desk.drop({"more.csv": OWN["q.csv"], "text.pdf": b"%PDF-1.4\n"})
    desk.button.click()  # which of two qrels?
    expect(desk.page.locator("#wrong")).to_contain_text(
        "Another file is read as the same, more.csv"
    )
    expect(desk.card("text.pdf").locator(".wrong")).to_contain_text("is a PDF")


def test_a_report_that_is_not_saved_is_not_lost_with_a_slip(desk, tmp_path):
    desk.drop(OWN)
    desk.make()
    with desk.page.expect_event("dialog") as asked:
        desk.page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    expect(desk.result).to_be_visible()
    desk.saved("html", tmp_path)
    leaves = "() => dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert desk.page.evaluate(leaves)


def test_what_is_too_large_is_refused_with_the_command(desk, tmp_path):
    with (tmp_path / "large.run").open("wb") as file:
        file.truncate(201_000_000)
    desk.page.locator("input[type=file]").set_input_files(tmp_path / "large.run")
    expect(desk.page.locator("#files-wrong")).to_have_text(
        re.compile("201 MB is too large for this page.*ranking-report new.run --qrels qrels.csv")
    )
    assert (desk.drop({"small.run": TREC_RUN}), desk.wrong()) == (["run"], [])


def test_the_policy_holds_for_python_too(desk):
    (worker,) = desk.page.workers
    refused = """() => new Promise((done) => {
      self.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
      fetch("http://localhost:9/").catch(() => {});
    })"""
    assert worker.evaluate(refused) == "connect-src"


def test_on_a_phone_and_for_everybody(desk, axe_source):
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.drop(SAMPLE)
    desk.make()
    desk.drop({"sheet.xlsx": b"PK\x03\x04"})
    desk.options.locator("summary").click()
    assert desk.page.evaluate(SPILLS) == 0
    assert_for_everybody(desk.page, axe_source)
    desk.options.locator("summary").click()


def test_with_keys_alone(desk):
    page = desk.page
    page.bring_to_front()
    page.locator("h1").click()

    def press_enter_on(selector):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("(at) => document.activeElement.matches(at)", selector):
                return page.keyboard.press("Enter")
        raise AssertionError(f"{selector} is not reached")

    with page.expect_file_chooser() as chooser:
        press_enter_on("input[type=file]")
    chooser.value.set_files([DATA / name for name in SAMPLE])
    assert [desk.kind(name) for name in SAMPLE] == ["run", "run", "qrels"]
    press_enter_on("#make")
    expect(page.locator("#report")).to_be_focused()
    with page.expect_download():
        press_enter_on("[data-save=csv]")


def test_stop_and_go_on(desk):
    desk.drop(SAMPLE)
    desk.button.click()
    desk.page.locator("#stop").click()
    expect(desk.page.locator("#doing")).to_contain_text("Your files are still here")
    desk.make()


def test_a_report_in_korean_is_handed_over_and_the_next_day_nothing_is_loaded(
    visitor, sent, tmp_path
):
    queries = pd.read_csv(DATA / "sample-qrels.csv")["query_id"].drop_duplicates()
    files = {
        "groups.csv": pd.DataFrame({"query_id": queries, "group": ["영어", "한국어"] * 100}),
        "queries.csv": pd.DataFrame({"query_id": queries, "text": "따뜻한 수프 " + queries}),
    }
    files = {name: table.to_csv(index=False).encode() for name, table in files.items()}
    names = ("오늘.txt.gz", "어제.txt.gz", "판정.csv")
    page = visitor.new_page()
    desk = Desk(page, "ko")
    kinds = desk.drop(dict(zip(names, SAMPLE.values(), strict=True)) | files)
    assert kinds == ["run", "run", "qrels", "groups", "queries"]
    desk.make()
    saved = desk.saved("html", tmp_path)
    # a colleague opens it, without any of this
    asked = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).scheme))
    page.goto(saved.as_uri())
    assert set(asked) <= {"file", "data"}
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.locator("h1")).to_contain_text("오늘")
    assert all(each in page.locator("main").inner_text() for each in ("한국어", "따뜻한 수프 q"))
    # the next day, nothing is loaded but the page itself
    sent.clear()
    Desk(page, "ko")
    assert sum(sent) < 1e6
    page.close()


def test_from_a_disk_it_says_that_it_has_to_be_served(built, visitor):
    page = visitor.new_page()
    page.goto((built / "report" / "index.html").as_uri())
    expect(page.locator("#served")).to_contain_text("python -m http.server")
    page.close()
