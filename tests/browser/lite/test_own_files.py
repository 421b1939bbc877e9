"""Two files and no Python: the page that makes a report of them, as people use it."""

import json
import re
import subprocess
import sys
import time

import pandas as pd
import pytest
from lite_harness import KIT, MINUTES, Host, OwnFiles
from page_checks import SPILLS, assert_for_everybody
from playwright.sync_api import expect

from helpers.places import DATA

SAMPLE = {
    name: (DATA / name).read_bytes()
    for name in ("sample-new.txt.gz", "sample-old.txt.gz", "sample-qrels.csv")
}
RUN = [("q1", "a", 0.75), ("q1", "b", 0.5), ("q2", "a", 2.25)]
QRELS = [("q1", "b", 1), ("q2", "a", 2)]


def table(columns, rows, between=","):
    return "\n".join(between.join(map(str, row)) for row in [columns, *rows]) + "\n"


AS_RUN, AS_QRELS = ("query_id", "doc_id", "score"), ("query_id", "doc_id", "relevance")
TREC_RUN = "".join(f"{q} Q0 {d} {rank} {s} x\n" for rank, (q, d, s) in enumerate(RUN, 1))
NESTED_QRELS = '{"q1": {"b": 1}, "q2": {"a": 2}}'
QRELS_CSV = table(AS_QRELS, QRELS)


@pytest.fixture(scope="module")
def one(visitor):
    """One page for all tests here, so that Python starts once."""
    found = OwnFiles(visitor)
    yield found
    found.page.close()


@pytest.fixture
def desk(one, visitor):
    """The page, its Python ready, without files; nothing of a file was sent."""
    one.is_ready()
    one.empty()
    one.page.set_viewport_size({"width": 1280, "height": 900})
    yield one
    assert visitor.outside == []
    assert visitor.errors == []
    assert {(each.method, each.post_data) for each in one.asked} == {("GET", None)}
    folder = f"{visitor.address}/report/"
    assert [each.url for each in one.asked if not each.url.startswith((folder, "blob:"))] == []


def test_the_sample_as_the_command_has_it(desk, tmp_path):
    """Byte by byte, but for the day."""
    out = {form: tmp_path / f"command.{form}" for form in ("html", "csv")}
    new, old, qrels = (str(DATA / name) for name in SAMPLE)
    command = [sys.executable, "-m", "byhand", "report", new, "--qrels", qrels, "--against", old]
    command += ["-o", str(out["html"]), "-o", str(out["csv"])]
    subprocess.run(command, check=True, capture_output=True)
    wanted = {form: path.read_text(encoding="utf-8") for form, path in out.items()}
    assert desk.take(SAMPLE) == ["run", "run", "qrels"]
    before = len(desk.asked)
    desk.make()
    found = {form: desk.saved(form, tmp_path) for form in out}
    # of what was dropped, nothing was asked, so nothing was sent
    sent = [each.url for each in desk.asked[before:]]
    assert [url for url in sent if not url.startswith(("blob:", "about:"))] == []
    day = re.compile(r"\d{1,2} [A-Z][a-z]+ 20\d\d")
    assert day.sub("", found["html"]) == day.sub("", wanted["html"])
    assert found["csv"] == wanted["csv"]
    assert json.loads(desk.saved("json", tmp_path))
    report = desk.page.frame_locator("iframe")
    expect(report.locator("h1")).to_contain_text("sample-new is higher than sample-old")
    # its lists live there, too
    report.locator("details:has(.live) > summary").first.click()
    expect(report.locator(".rm-grip").first).to_be_visible()


def test_columns_are_named_with_a_click(desk):
    name, way = "mine.tsv", ("Kunde", "Buch", "Wert")
    parquet = pd.DataFrame(QRELS, columns=AS_QRELS).to_parquet(index=False)
    assert desk.take({name: table(way, RUN, "\t"), "qrels": parquet}) == ["run", "qrels"]
    assert desk.rows("qrels")[1:] == [[*map(str, row)] for row in QRELS]
    columns = [f"{theirs} = {ours}" for theirs, ours in zip(way, AS_RUN, strict=True)]
    (said,) = desk.wrong()
    assert "If this guess is right and the highest numbers are best" in said
    desk.card(name).get_by_role("button", name=", ".join(columns)).click()
    expect(desk.card(name).locator("td").first).to_have_text("q1")
    heads = [f"{ours}\n{theirs}" for theirs, ours in zip(way, AS_RUN, strict=True)]
    assert desk.rows(name) == [heads, *([*map(str, row)] for row in RUN)]
    desk.make()
    expect(desk.page.frame_locator("iframe").locator("h1")).to_contain_text("mine")


def test_a_wrong_guess_and_the_order_are_changed(desk):
    files = {"a.json": NESTED_QRELS, "b.run": TREC_RUN, "c.run": TREC_RUN}
    assert desk.take(files) == ["qrels", "run", "run"]
    desk.card("a.json").locator("select").select_option("run")
    expect(desk.card("a.json").locator("th").last).to_have_text("score")
    desk.page.locator("#make").click()
    assert desk.wrong() == ["There are no judgements yet: add the qrels."]
    desk.card("a.json").locator("select").select_option("qrels")
    desk.card("c.run").get_by_role("button", name="Put it first").click()
    desk.card("c.run").get_by_label("Name of the system").fill("ours")
    desk.make()
    report = desk.page.frame_locator("iframe")
    expect(report.locator("h1")).to_contain_text("The comparison of ours with b in")


def test_groups_and_texts_in_korean(desk):
    queries = sorted({*re.findall(r"\bq\d+", SAMPLE["sample-qrels.csv"].decode())})
    groups = [(query, ("영어", "한국어")[n % 2]) for n, query in enumerate(queries)]
    texts = [(query, f"따뜻한 수프 {query}") for query in queries]
    beside = {
        "groups.csv": table(("query_id", "group"), groups),
        "queries.csv": table(("query_id", "text"), texts),
    }
    assert desk.take(SAMPLE | beside)[3:] == ["groups", "queries"]
    desk.page.locator("#options summary").click()
    desk.page.get_by_label("Language of the report").select_option("ko")
    desk.make()
    report = desk.page.frame_locator("iframe")
    expect(report.locator("html")).to_have_attribute("lang", "ko")
    text = report.locator("main").inner_text()
    assert all(each in text for each in ("한국어", "영어", "따뜻한 수프 q"))
    desk.page.get_by_label("Language of the report").select_option("en")
    desk.page.locator("#options summary").click()


def test_how_a_number_came_out(desk):
    desk.page.get_by_role("button", name="Cranfield").click()
    names = [f"cranfield-{each}" for each in ("bm25.txt.gz", "tfidf.txt.gz", "qrels.csv")]
    names += ["cranfield-queries.csv", "cranfield-titles.csv"]
    assert [desk.kind(each) for each in names] == ["run", "run", "qrels", "queries", "docs"]
    reported = desk.page.locator("#reported")
    reported.get_by_label("Number").fill("0.3116")
    reported.get_by_role("button").click()
    table, said = reported.locator(".report table"), "the grades are reversed"
    expect(table).to_contain_text(said, timeout=MINUTES)


def test_what_was_mended_is_no_longer_said_and_nothing_is_of_other_files(desk):
    """An option mends what was said beside a file; an answer goes with the files it is about."""
    page = desk.page
    assert desk.take({"a.run": TREC_RUN, "q.csv": QRELS_CSV}) == ["run", "qrels"]
    reported = page.locator("#reported")
    reported.get_by_label("Number").fill("")
    reported.get_by_role("button").click()
    expect(reported.locator("> .said")).to_contain_text("Enter the number")
    page.locator("#options summary").click()
    grade = page.locator("#options").get_by_label("The lowest relevant grade")
    desk.make()
    grade.fill("99")
    page.locator("#make").click()
    expect(page.locator("#cards .wrong")).to_contain_text("No item is relevant")
    expect(page.locator("iframe")).to_be_hidden()  # it was by another grade
    grade.fill("")
    desk.make()
    page.locator("#options summary").click()
    desk.drop({"more.csv": QRELS_CSV, "text.pdf": "%PDF-1.4\n"})
    expect(reported.locator("> .said")).to_be_hidden()
    assert desk.kind("more.csv") == "qrels"
    page.locator("#make").click()  # which of two qrels?
    expect(page.locator("#wrong")).to_contain_text("Another file is read as the same, more.csv")
    expect(desk.card("text.pdf").locator(".wrong")).to_contain_text("is a PDF")


def test_an_option_stands_beside_what_is_said_of_it(desk):
    page = desk.page
    twice = TREC_RUN + "q1 Q0 a 3 0.1 x\n"
    assert desk.take({"a.run": twice, "q.csv": QRELS_CSV}) == ["run", "qrels"]
    # a file that an option mends has it, too
    page.locator("#make").click()
    card = desk.card("a.run")
    expect(card.locator(".wrong")).to_contain_text("'best' keeps the one with the highest score")
    card.get_by_label("If a run has an item twice").select_option("best")
    desk.make()
    # what is refused itself opens the fold, and is called by its label
    page.locator("#options").evaluate("(fold) => { fold.open = false; }")
    page.locator("[name=relevant_from]").evaluate("(field) => { field.value = 'x'; }")
    page.locator("#make").click()
    expect(page.locator("label + #wrong")).to_contain_text("got 'x'")
    assert "relevant_from" not in page.locator("#wrong").inner_text()
    expect(page.get_by_label("lowest relevant grade")).to_be_focused()
    page.get_by_label("lowest relevant grade").fill("")
    desk.make()
    page.locator("#options [name=duplicates]").select_option("")
    page.locator("#options summary").click()


def test_a_report_that_is_not_saved_is_not_lost_with_a_slip(desk, tmp_path):
    page = desk.page
    leaving = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    page.get_by_role("button", name="the sample of this kit").click()
    assert [desk.kind(name) for name in SAMPLE] == ["run", "run", "qrels"]
    desk.make()
    assert not page.evaluate(leaving)  # nothing is lost that a click does not bring back
    desk.empty()
    assert desk.take({"a.run": TREC_RUN, "q.csv": QRELS_CSV}) == ["run", "qrels"]
    desk.make()
    with page.expect_event("dialog") as asked:
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    expect(page.locator("#result")).to_be_visible()
    desk.saved("html", tmp_path)
    assert not page.evaluate(leaving)


def test_what_is_too_large_is_refused_with_the_command(desk):
    desk.page.evaluate(
        """() => {
          const part = new Uint8Array(1e6);
          const held = new DataTransfer();
          held.items.add(new File(Array(201).fill(part), "a 'large'.run"));
          const at = document.getElementById("drop");
          at.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: held }));
        }"""
    )
    (said,) = desk.wrong()
    assert "201 MB is too large for this page" in said
    assert said.endswith("ranking-report new.run --qrels qrels.csv --against old.run")
    assert (desk.take({"small.run": TREC_RUN}), desk.wrong()) == (["run"], [])


def test_the_policy_holds_for_python_too(desk):
    (worker,) = desk.page.workers
    found = worker.evaluate(
        """async () => {
          const seen = [];
          self.addEventListener("securitypolicyviolation",
            (event) => seen.push(event.effectiveDirective));
          const said = await fetch("http://localhost:9/").catch((error) => error.name);
          await new Promise((done) => setTimeout(done, 100));
          return [seen, said];
        }"""
    )
    assert found == [["connect-src"], "TypeError"]


def test_on_a_phone_and_for_everybody(desk, axe_source):
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.take(SAMPLE | {"sheet.xlsx": b"PK\x03\x04"})
    desk.card("sheet.xlsx").locator("[data-part=remove]").click()
    desk.make()
    assert desk.page.evaluate(SPILLS) == 0
    desk.take({"sheet.xlsx": b"PK\x03\x04"})
    assert desk.page.evaluate(SPILLS) == 0
    desk.page.locator("#options summary").click()
    assert_for_everybody(desk.page, axe_source)
    desk.page.locator("#options summary").click()


def test_with_keys_alone(desk, tmp_path):
    page = desk.page
    page.bring_to_front()
    for name, content in SAMPLE.items():
        (tmp_path / name).write_bytes(content)

    def tab_to(selector):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("(at) => document.activeElement.matches(at)", selector):
                return
        raise AssertionError(f"{selector} is not reached")

    page.locator("h1").click()
    tab_to("input[type=file]")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files([tmp_path / name for name in SAMPLE])
    assert [desk.kind(name) for name in SAMPLE] == ["run", "run", "qrels"]
    tab_to("#make")
    page.keyboard.press("Enter")
    expect(page.locator("#report")).to_be_focused(timeout=60_000)
    tab_to("[data-save=csv]")
    with page.expect_download():
        page.keyboard.press("Enter")


def test_stop_and_go_on(desk):
    assert desk.take(SAMPLE) == ["run", "run", "qrels"]
    desk.page.locator("#make").click()
    stop = desk.page.locator("#stop")
    expect(stop).to_be_visible()
    stop.click()
    expect(stop).to_be_hidden()
    expect(desk.page.locator("#doing")).to_contain_text("Your files are still here")
    desk.make()


def test_a_report_in_a_minute_is_handed_over_and_the_next_day_nothing_is_loaded(visitor, tmp_path):
    began = time.monotonic()
    desk = OwnFiles(visitor, "ko")
    # it says how much is loaded
    expect(desk.page.locator("#python")).to_contain_text(re.compile(r"\d\d MB"))
    new, _, qrels = SAMPLE.values()
    desk.drop({"오늘.txt.gz": new, "판정.csv": qrels})
    expect(desk.card("오늘.txt.gz").locator("table")).to_contain_text("q001", timeout=MINUTES)
    desk.make()
    assert time.monotonic() - began < 60
    # a colleague opens what was saved, without any of this
    desk.saved("html", tmp_path)
    desk.page.close()
    colleague, asked = visitor.context.new_page(), []
    colleague.on("request", lambda request: asked.append(request.url))
    colleague.goto(next(tmp_path.iterdir()).as_uri())
    expect(colleague.locator("h1")).to_contain_text("오늘")
    assert all(url.startswith(("file:", "data:")) for url in asked)
    colleague.close()
    # the next day nothing is loaded but the page itself
    Host.sent.clear()
    again = OwnFiles(visitor, "ko")
    again.is_ready()
    assert sum(Host.sent.values()) < 1e6, Host.sent.most_common(5)
    again.page.close()
    assert (visitor.outside, visitor.errors) == ([], [])


def test_from_a_disk_it_says_that_it_has_to_be_served(built, visitor):
    page = visitor.context.new_page()
    page.goto((built / "report" / "index.html").as_uri())
    expect(page.locator("#served")).to_contain_text("python -m http.server")
    page.close()


def test_the_front_page_and_the_template_lead_there(built, visitor):
    if not (built / "index.html").is_file():
        pytest.skip("there are no pages beside it")
    page = visitor.context.new_page()
    for name in ("index", "your-own-data", "ko/index"):
        page.goto(f"{visitor.address}/{name}.html")
        page.locator("main a[href*='report/']").first.click()
        expect(page.locator("#drop")).to_be_visible()
        assert f"{KIT}/report/" in page.url
    page.close()
