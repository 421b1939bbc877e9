"""Lessons as a class does them: opened in the browser, run, answered, with files of one's own."""

import json

import pytest
from lite_harness import Host, said, stored
from playwright.sync_api import expect

from helpers.places import NOTEBOOKS

MARK = "nbval-check-output"
OWN = "query,item,score,relevance\nq1,a,3,0\nq1,b,2,1\nq1,c,1,0\nq2,a,3,1\nq2,b,2,0\nq2,c,1,0\n"


@pytest.fixture(autouse=True)
def nothing_outside(visitor):
    visitor.errors.clear()  # what another test met is not this one's
    yield
    assert visitor.outside == []
    assert visitor.errors == []


def assert_as_stored(name, cells):
    """All cells ran, none complained, and those that are checked say what the file says."""
    wanted = stored(NOTEBOOKS / f"{name}.ipynb")
    assert len(cells) == len(wanted)
    for place, (cell, there) in enumerate(zip(cells, wanted, strict=True)):
        if cell["type"] != "code":
            continue
        assert cell["count"], f"cell {place} did not run"
        bad = [
            output
            for output in cell["outputs"]
            if output["output_type"] == "error" or output.get("name") == "stderr"
        ]
        assert bad == [], place
        if MARK in there["metadata"].get("tags", []):
            assert said(cell["outputs"]) == said(there["outputs"]), place


def test_a_first_lesson(visitor, built):
    """Its bytes are what the pages announce; it draws, answers keys and judges."""
    Host.sent.clear()
    name = "00-start-here"
    with visitor.open(name) as lesson:
        announced = json.loads((built / "lite" / "site.json").read_text())["megabytes"]
        assert sum(Host.sent.values()) / 1e6 == pytest.approx(announced, abs=8)
        assert_as_stored(name, lesson.run_all())
        # neither was needed, so neither was loaded
        assert lesson.ask(
            "import sys; print('scipy' in sys.modules, 'pyarrow' in sys.modules)"
        ) == ("False False")
        lesson.go_to(lesson.place_of("Explorer("))
        explorer = lesson.page.locator(".rm-explorer").first
        value = explorer.locator(".rm-riding").first
        before = value.inner_text()
        explorer.locator(".rm-scroll .rm-grip").last.press("Home")
        expect(value).not_to_have_text(before)
        for asked in ("On a longer page", "The page as it came"):  # they cover what follows
            question = lesson.page.locator(".rm-prediction", has_text=asked)
            question.locator("[data-name=skip]").click()
        lesson.go_to(lesson.place_of("Challenge("))
        challenge = lesson.page.locator(".rm-challenge").first
        for soup, ranks in (("bisque", 2), ("harira", 5), ("rasam", 5)):
            for _ in range(ranks):
                challenge.locator(f".rm-row[data-id={soup}]:visible .rm-grip").first.press(
                    "ArrowUp"
                )
        expect(challenge.locator(".rm-verdict")).to_contain_text("✓")


def test_a_prediction_and_an_exercise(visitor):
    name = "03-average-precision"
    Host.sent.clear()
    with visitor.open(name) as lesson:
        # the second visit, so from the cache, but for what JupyterLite asks anew
        assert sum(Host.sent.values()) < 3e6, Host.sent.most_common(5)
        cells = lesson.run_all()
        assert_as_stored(name, cells)
        lesson.go_to(lesson.place_of("predict("))
        prediction = lesson.page.locator(".rm-prediction").first
        prediction.get_by_role("textbox").fill("1/3")
        prediction.get_by_role("textbox").press("Enter")
        expect(prediction.locator(".rm-verdict")).to_contain_text("Right")
        place = lesson.place_of('ask("03-c"')
        lesson.set_source(place, 'check("03-c", "12")')
        assert "Right" not in lesson.run_cell(place)
        lesson.set_source(place, 'check("03-c", "16")')
        assert "Right" in lesson.run_cell(place)


def test_a_lesson_with_statistics(visitor):
    name = "08-is-the-difference-real"
    with visitor.open(name) as lesson:
        assert_as_stored(name, lesson.run_all())


def test_a_file_of_one_s_own(visitor, tmp_path):
    name = "your-own-data"
    with visitor.open(name) as lesson:
        assert_as_stored(name, lesson.run_all())
        lesson.command("filebrowser:activate")
        lesson.page.evaluate(
            """async (text) => {
              const { contents } = window.jupyterapp.serviceManager;
              await contents.delete("notebooks/mine.csv").catch(() => {}); // of a first try
              const file = new File([text], "mine.csv", { type: "text/csv" });
              const browser = window.jupyterapp.shell.widgets("left");
              for (const widget of browser) {
                if (widget.id === "filebrowser") await widget.model.upload(file);
              }
            }""",
            OWN,
        )
        changed = {
            "run = DATA": {
                'DATA / "sample-new.txt.gz"': '"mine.csv"',
                'DATA / "sample-qrels.csv"': "run",
            },
            "other = DATA": {'DATA / "sample-old.txt.gz"': "None"},
        }
        for begins, lines in changed.items():
            place = lesson.place_of(begins)
            source = lesson.cells()[place]["source"]
            for stored, own in lines.items():
                source = source.replace(stored, own)
            lesson.set_source(place, source)
        cells = lesson.run_all()
        assert not [each for cell in cells for each in cell["outputs"] or [] if "ename" in each]
        means = cells[lesson.place_of("Table(values.agg(")]["outputs"]
        assert "0.75" in "\n".join(said(means))  # RR is 1/2 and 1
        # the file browser shows the report, and downloads it
        listed = lesson.page.locator(".jp-DirListing-item", has_text="report.html")
        listed.click(button="right")
        with lesson.page.expect_download() as download:
            lesson.page.get_by_role("menuitem", name="Download", exact=True).click()
        report = tmp_path / "report.html"
        download.value.save_as(report)
    html = report.read_text(encoding="utf-8")
    assert all(said in html for said in ("<title>Ranking report: yours</title>", "0.750", "<svg"))


def test_changes_stay(visitor):
    name = "00-start-here"
    with visitor.open(name) as lesson:
        lesson.set_source(1, "# mine")
        lesson.command("docmanager:save")
    with visitor.open(name) as lesson:
        assert lesson.cells()[1]["source"] == "# mine"


def test_the_pages_lead_to_the_notebooks(visitor, built):
    page = visitor.context.new_page()
    page.goto(f"{visitor.address}/03-average-precision.html")
    link = page.get_by_role("link", name="Open it as a notebook").first
    expect(link).to_be_visible()
    assert (built / link.get_attribute("href").partition("?")[0]).is_file()
    page.close()
