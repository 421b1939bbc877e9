"""The first screen of a report: no more than the comparison says, and where to look."""

import re

import pandas as pd
import pytest
from IPython.utils.capture import capture_output
from small_runs import ranked, shown, write

from byhand.report.steps import (
    read_own_data,
    results_of,
    show_best,
    show_groups,
    show_moved,
    show_summary,
)
from byhand.report.steps.first_screen import headline

GOOD, BAD, SAME = [1, 2] * 10, [3, 4] * 10, [2, 1] * 10


@pytest.fixture
def results(tmp_path):
    """Results of runs in which the relevant item of each query stands at the ranks given."""

    def make(*ranks, groups=None, measures=("RR", "P@1"), **options):
        paths = [
            write(tmp_path / f"{name}.csv", ranked(*each)[0])
            for name, each in zip("abc", ranks, strict=False)
        ]
        qrels = write(tmp_path / "qrels.csv", ranked(*ranks[0])[1])
        if groups:
            frame = pd.DataFrame(groups, columns=["query_id", "group"])
            groups = write(tmp_path / "groups.csv", frame)
        with capture_output():
            data = read_own_data(paths[0], qrels, paths[1:], groups=groups)
        return results_of(data, measures, **options)

    return make


def test_a_run_that_may_stand_on_its_head_is_doubted_before_all_else(results):
    doubt, headline, *_ = shown(show_summary, results([9, 8] * 10, BAD))[0].splitlines()
    assert doubt.startswith("a: Relevant items stand lower than in a random order: the mean AP is")
    assert "--run-columns FILE NAME=rank" in doubt
    assert headline == "a is, with a caution, lower than b in RR."


class TestHeadline:
    @pytest.mark.parametrize(
        ("ranks", "said"),
        [
            ([GOOD, BAD], "a is higher than b in RR."),
            ([BAD, GOOD], "a is lower than b in RR."),
            ([GOOD, SAME], "a cannot be told from b in RR."),
            ([[1, 1], [2, 2]], "a cannot be told from b in RR."),
            ([GOOD, [3] * 12], "a has no verdict against b in RR."),
            ([GOOD, BAD, SAME], "a is higher than b and cannot be told from c in RR."),
            ([GOOD, BAD, BAD[::-1]], "a is higher than b and c in RR."),
        ],
    )
    def test_follows_the_verdicts(self, results, ranks, said):
        found = results(*ranks)
        assert headline(found) == said
        assert shown(show_summary, found)[0].startswith(said)

    def test_none_without_a_comparison(self, results):
        assert headline(results(GOOD)) is None

    def test_of_all_pairs_it_is_about_the_highest(self, results):
        found = results(BAD, GOOD, SAME, all_pairs=True)
        assert headline(found) == "b is higher than a and cannot be told from c in RR."


class TestTable:
    def test_of_two_the_difference_stands_in_the_row_of_the_first(self, results):
        lines = shown(show_summary, results(GOOD, BAD))[0].splitlines()
        assert lines[1].split() == ["mean", "RR", "P@1"]
        assert lines[2].split() == ["a", "0.750", "(▲", "+0.458)", "0.500", "(▲", "+0.500)"]
        assert lines[3].split() == ["b", "0.292", "0.000"]
        assert lines[4].startswith("The second number is the distance from the mean of b: ▲ higher")

    @pytest.mark.parametrize("ranks", [(GOOD, BAD, SAME), (BAD, GOOD, SAME)])
    @pytest.mark.parametrize("all_pairs", [False, True])
    def test_of_several_each_stands_against_the_subject(self, results, ranks, all_pairs):
        found = results(*ranks, all_pairs=all_pairs)
        base = max("ab", key=lambda name: all_pairs and found.tables[name]["RR"].mean())
        lines = shown(show_summary, found)[0].splitlines()
        assert lines[5].startswith(f"The second number is the distance from the mean of {base}:")
        for name, line in zip("abc", lines[2:5], strict=True):
            mean = found.tables[name]["RR"].mean()
            apart = mean - found.tables[base]["RR"].mean()
            mark = "▲" if apart > 0.2 else "▼" if apart < -0.2 else "?"
            number = f"{apart:+.3f}".replace("-", "−") if abs(apart) > 1e-9 else "0.000"
            expected = [f"{mean:.3f}"] + [f"({mark}", f"{number})"] * (name != base)
            assert line.split()[1 : 1 + len(expected)] == expected

    def test_withheld(self, results):
        text = shown(show_summary, results(BAD, GOOD, [1] * 12))[0]
        assert "(– +0.308)" in text.splitlines()[4]
        assert ", – no verdict." in text

    def test_not_for_one_system(self, results):
        assert "▲" not in shown(show_summary, results(GOOD))[0]


class TestWhereToLook:
    def test_links_lead_to_what_moved(self, results):
        found = results([9, 2, 1, 8], [1, 1, 1, 1], [1, 1, 1, 1])
        text, html, _ = shown(show_summary, found)
        assert (
            "Look first at q0, q3 and q1, on which a lost most against b; q0, q3 and q1, on" in text
        )
        links = re.findall(r'href="#([^"]*)"', html)
        moved = shown(show_moved, found)[1]
        places = {query: moved.index(f"<b><bdi>{query}</bdi></b>") for query in ("q0", "q3")}
        assert len(links) == len(set(links)) == 6
        assert all(f'id="{link}"' in moved for link in links)
        # inside of what opens: right behind the summary of its query
        assert places["q0"] < moved.index(f'id="{links[0]}"') < places["q3"]

    def test_a_group_that_lost_comes_first(self, results):
        groups = [(f"q{n}", "one" if n < 12 else "two") for n in range(24)]
        found = results([1] * 12 + [3] * 12, [2] * 12 + [1] * 12, groups=groups)
        text = shown(show_summary, found)[0]
        assert "Look first at group two, where b is higher, with a caution; " in text
        assert "group one" not in text
        assert "two" in shown(show_groups, found)[0]

    def test_one_system_has_its_worst(self, results):
        found = results([9, 2, 1, 8])
        assert "Look first at q0 and q3, the worst." in shown(show_summary, found)[0]
        assert shown(show_best, found)[0].startswith("q2")

    def test_nothing_where_nothing_stands_out(self, results):
        assert "Look first" not in shown(show_summary, results([1, 1], [2, 2]))[0]
