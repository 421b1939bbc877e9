"""Systems on the same queries, two by two."""

import math
from html import escape

import pandas as pd

from byhand.figures import Html, name_html, table_html, table_text
from byhand.report.steps.display import (
    grouped,
    number,
    show_figure,
    show_html,
    show_table,
    show_text,
    signed,
)
from byhand.report.steps.drawings import differences
from byhand.report.steps.results import Results
from byhand.statistics import Verdict, p_text

_HEADS = ["measure", "difference", "low", "high", "p", "p (Holm)", "wins", "ties", "losses"]
_OF_SEVERAL = ["measure", "compared", "difference", "95% interval", "p (Holm)"]
_OF_SEVERAL += ["wins / ties / losses", "verdict"]
_HIGHER = (Verdict.A_HIGHER, Verdict.B_HIGHER)


def show_comparison(results: Results) -> None:
    """Display the paired comparison of the systems; nothing if there is only one."""
    table = results.comparison
    if table is None:
        return
    several = len(results.pairs) > 1
    said = _show_several(results, table) if several else _show_two(table)
    cautions = {results.named(row): row["caution"] for _, row in table.iterrows()}
    said += grouped({name: text for name, text in cautions.items() if text})
    if said:
        show_text(*said)
    for each in differences(results):
        show_figure(each.draw, each.values, **each.options)


def _show_two(table: pd.DataFrame) -> list[str]:
    rows = [
        [
            row["measure"],
            *_three(row),
            *(p_shown(row, table, name) for name in ("p", "p_holm")),
            *(f"{row[name]:,}" for name in ("wins", "ties", "losses")),
            number(row["effect_size"], 2),
        ]
        for _, row in table.iterrows()
    ]
    show_table([*_HEADS, "effect size"], rows)
    return grouped({row["measure"]: verdict_text(row) for _, row in table.iterrows()})


def _show_several(results: Results, table: pd.DataFrame) -> list[str]:
    if results.all_pairs:
        _show_matrix(results, table)
    rows = [
        [
            row["measure"],
            f"{row['a']} minus {row['b']}",
            *difference_texts(row),
            p_shown(row, table),
            _counted(row),
            verdict_text(row),
        ]
        for _, row in table.iterrows()
    ]
    show_table(_OF_SEVERAL, rows, texts={0, 1, 6})
    return []


def difference_texts(row: pd.Series) -> tuple[str, str]:
    """A mean difference, and its interval, with as many digits."""
    difference, low, high = _three(row)
    return difference, f"{low} to {high}"


def _three(row: pd.Series) -> list[str]:
    values = [row[name] for name in ("difference", "low", "high")]
    return [signed(value, beside=values) for value in values]


def _counted(row: pd.Series, sign: int = 1) -> str:
    """On how many queries the first system is higher, equal and lower."""
    counts = [row["wins"], row["ties"], row["losses"]]
    return " / ".join(f"{count:,}" for count in counts[::sign])


def _show_matrix(results: Results, table: pd.DataFrame) -> None:
    """Display the differences in the first measure, each system by each."""
    measure, names = results.measures[0], list(results.tables)
    of = {(row["a"], row["b"]): row for _, row in table[table["measure"] == measure].iterrows()}
    rows, texts, marked = [], [], set()
    for place, a in enumerate(names):
        cells = []
        for n, b in enumerate(names):
            row, sign = (of[a, b], 1) if (a, b) in of else (of.get((b, a)), -1)
            cells.append(["–"] if row is None else _matrix_cell(row, table, sign))
            if row is not None and Verdict(row["verdict"]) in _HIGHER:
                marked.add((place, n + 1))
        rows.append([name_html(a), *(Html("<br>".join(map(escape, cell))) for cell in cells)])
        texts.append([a, *(", ".join(cell) for cell in cells)])
    caption = (
        f"{measure}: the system of a row minus that of a column; p, corrected by Holm's procedure; "
        "wins / ties / losses. A cell stands out where one of the two is higher by our rule; with "
        "a caution, which stands below, where there is a !."
    )
    html = table_html(["", *names], rows, titles=1, marked=marked, caption=caption)
    show_html(html, f"{caption}\n{table_text(['', *names], texts)}")


def _matrix_cell(row: pd.Series, table: pd.DataFrame, sign: int) -> list[str]:
    p = p_shown(row, table)
    return [
        signed(sign * row["difference"]),
        f"p {p}" if p[0] in "<≤" else f"p = {p}",
        _counted(row, sign) + " !" * bool(row["caution"]),
    ]


def p_shown(row: pd.Series, table: pd.DataFrame, name: str = "p_holm") -> str:
    """A p of a comparison with the digits that it has.

    Args:
        row: one of its rows.
        table: the whole, which says how many signs were drawn.
        name: which p.
    """
    drawn = table.attrs["permutations"]
    own = p_text(row["p"], exact=row["exact"], permutations=drawn)
    if own.startswith("≤") and name == "p_holm":
        digits = math.floor(math.log10(drawn + 1))
        return f"≤ {math.ceil(row[name] * 10**digits) / 10**digits:.{digits}f}"
    return p_text(row[name], exact=row["exact"], permutations=drawn)


def verdict_text(row: pd.Series) -> str:
    """A verdict with the name of the system that it speaks of."""
    names = {Verdict.A_HIGHER: row["a"], Verdict.B_HIGHER: row["b"]}
    verdict = Verdict(row["verdict"])
    if verdict not in names:
        return str(verdict)
    return f"{names[verdict]} is higher{', with a caution' * bool(row['caution'])}"
