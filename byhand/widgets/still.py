"""SVG pictures of widgets, for stored notebooks, print, and pages without scripts."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import accumulate
from math import ceil, inf, log2
from typing import NamedTuple

from byhand.theme import themed
from byhand.widgets.list.ranking import Ranked
from byhand.widgets.numbers import LIMITS, as_fraction, shortly
from byhand.widgets.phrases import say
from byhand.words import folded, in_row, localised, text_width

_WIDE, _EDGE, _GAP = 848, 24, 28  # pixels: width, margin, space between lists
_LETTER = 9.2  # safe width of a letter in any font
_CURVED = {"curve": lambda rank: 1 / rank, "discount": lambda rank: 1 / log2(rank + 1)}
_LOOK = """\
text{font-size:15px;fill:var(--ink)}.b{font-weight:600}.s{font-size:13px}.q,.s{fill:var(--quiet)}
.h,.s.h{fill:var(--hit)}.big{font-size:34px;font-weight:700}.ask{font-size:19px;font-weight:600}
.m{text-anchor:middle}.r{text-anchor:end}text.on{fill:var(--on-hit)}.lost{fill:var(--gap)}
rect{fill:var(--surface);stroke:var(--line)}rect.bed{fill:var(--field);stroke:none}
rect.card{fill:var(--ground);stroke:var(--ink);stroke-width:2}rect.edge{stroke:var(--hit-edge)}
rect.hit{fill:var(--hit);stroke:none}rect.soft{fill:var(--hit-soft);stroke:var(--hit-edge)}
rect.gap{fill:var(--gap-soft);stroke:var(--gap);stroke-dasharray:4 3}
rect.empty{fill:none;stroke:var(--gap);stroke-dasharray:4 3}
rect.hatch{fill:url(#hatch);stroke:none}.pale{opacity:.5}
rect.tick{stroke:var(--control);stroke-width:1.5}
circle{fill:none;stroke:var(--control);stroke-width:2}circle.on{fill:var(--on-hit);stroke:none}
circle.h{fill:var(--hit);stroke:none}circle.lost{fill:var(--gap);stroke:none}
circle.ink{fill:var(--ink);stroke:none}
circle.tip{fill:var(--ground);stroke:var(--hit)}
path{fill:none;stroke:var(--control)}path.curve{stroke:var(--hit-edge);stroke-width:2}
path.area{fill:var(--hit-soft);stroke:none;opacity:.6}
path.ink{stroke:var(--ink);stroke-width:2}path.dash{stroke-dasharray:6 4}
path.under{stroke:var(--field);stroke-width:5}
path.grip{stroke-width:2.5;stroke-linecap:round;stroke-dasharray:0 5}
path.grip.on{stroke:var(--on-hit)}text.halo{paint-order:stroke;stroke:var(--field);stroke-width:6}
#hatch path{stroke:var(--gap);stroke-width:1.5}"""
_HATCH = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path d="M1 0v6"/></pattern></defs>'
)


@dataclass(frozen=True)
class Lane:
    """A measure of a list, split by rank."""

    name: str  # includes the cutoff, such as "AP@5"
    value: float | None  # None for a list among several
    shares: tuple[float, ...] = ()  # by rank; their sum is the value
    most: float = 1  # highest share of a rank in any order
    tool: bool = False  # whether the name is that of a tool

    @property
    def named(self) -> str:
        """The name, and the sign before the value."""
        return self.name if self.value is None else f"{self.name}{': ' if self.tool else ' = '}"

    def share(self, rank: int) -> float:
        """Return the contribution of a rank; 0 below the cutoff."""
        return self.shares[rank - 1] if rank <= len(self.shares) else 0


@dataclass(frozen=True)
class ListPicture:
    """A list with its caption and the contributions of its ranks."""

    ranks: Ranked
    caption: str = ""
    lanes: Sequence[Lane] = ()
    shows: str = ""  # panel beside the rows, as in `Explorer`; "" for none
    k: int | None = None  # cutoff, below which rows are pale
    ideal: Mapping[Hashable, float] = field(default_factory=dict)  # item -> what it would add
    judged: bool = True
    least: int = 1  # lowest relevant grade
    scale: str = ""  # label of the bars
    weight: Callable[[float], float] | None = None  # of a rank, as a share of the scale
    notes: Mapping[int, str] = field(default_factory=dict)  # rank -> words at its bar

    @property
    def labels(self) -> Mapping[Hashable, str]:
        """Mapping item -> label."""
        return self.ranks.catalogue.labels

    @property
    def signs(self) -> int:
        """The width of a row's grip, dot and grade, in pixels."""
        most = self.ranks.max_grade
        return 76 + (14 * most if most > 1 else 0)

    @property
    def words(self) -> str:
        """Sentences with the items, the ranks of the hits, and the values."""
        ranks, labels = self.ranks, self.labels
        caption = f"{self.caption}: " if self.caption else ""
        words = [f"{caption}{in_row(labels[item] for item in ranks.order) or '–'}."]
        if self.judged:
            relevant = {item for item, grade in ranks.relevant.items() if grade >= self.least}
            hits = [str(n) for n, item in enumerate(ranks.unfolded, start=1) if item in relevant]
            found = {"ranks": in_row(hits), "n": len(hits), "length": len(ranks.unfolded)}
            words.append(say("panel", "hits", **found) if hits else say("panel", "no hits"))
            if missed := [item for item in ranks.docked if item in relevant]:
                words.append(say("panel", "missed", n=len(missed)))
        if self.shows == "number":
            words += [say("number", "said", value=_number(lane.value)) for lane in self.lanes]
        elif made := [each for each in self.lanes if each.name and each.value is not None]:
            words.append(f"{in_row(each.named + _number(each.value) for each in made)}.")
        return " ".join(words)


class _RowPosition(NamedTuple):
    """The position of a retrieved item's row."""

    item: Hashable
    rank: float
    middle: float
    high: float


@dataclass
class Still:
    """A picture built from top to bottom: sentences, options, bars, and lists side by side."""

    said: list[str] = field(default_factory=list)  # sentences of the alternative text
    use: str = ""  # purpose of the widget: "" for dragging, or "answer"
    asks: bool = False  # whether it has a question
    drawn: list[str] = field(default_factory=list)
    down: float = _EDGE  # current height
    n_lists: int = 0

    def text(self, x: float, y: float, words: object, look: str = "", value: str = "") -> None:
        """Write text with its baseline at y, followed by a value."""
        inside = escape(str(words)) + (f'<tspan class="h">{escape(value)}</tspan>' if value else "")
        self.drawn.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{look}">{inside}</text>')

    def box(self, x: float, y: float, wide: float, high: float, look: str, corner: int = 7) -> None:
        """Draw the box of a row or bar."""
        size = f'x="{x:.1f}" y="{y:.1f}" width="{max(wide, 0):.1f}" height="{high:.1f}"'
        self.drawn.append(f'<rect {size} rx="{corner}" class="{look}"/>')

    def dot(self, x: float, y: float, look: str, radius: float = 6) -> None:
        """Draw a dot."""
        self.drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" class="{look}"/>')

    def path(self, d: str, look: str = "") -> None:
        """Draw a line."""
        self.drawn.append(f'<path d="{d}" class="{look}"/>')

    def lines(self, *lines: str, look: str = "b") -> "Still":
        """Write sentences below each other."""
        high, columns = (28, 72) if look == "ask" else (24, 92)
        for line in (each for text in lines for each in folded(text, columns).splitlines()):
            self.text(_EDGE, self.down + high - 8, line, look)
            self.down += high
        self.down += 8 if lines else 0
        return self

    def field(self) -> "Still":
        """Draw an input field, with space for a button beside it."""
        self.box(_EDGE, self.down, 150, 40, "tick")
        return self

    def button(self, words: str, x: float = _EDGE) -> "Still":
        """Draw the main button."""
        wide = 36 + _LETTER * text_width(words)
        self.box(x, self.down, wide, 40, "hit")
        self.text(x + wide / 2, self.down + 25, words, "on b m")
        self.down += 48
        return self

    def choices(self, options: Sequence[str], *, several: bool = False) -> "Still":
        """Draw options with radio buttons, or with checkboxes if `several`."""
        for n, option in enumerate(options):
            lines = folded(option, 80).splitlines()
            self.box(_EDGE, self.down, _WIDE - 2 * _EDGE, 14 + 22 * len(lines), "tick")
            if several:
                self.box(_EDGE + 13, self.down + 11, 14, 14, "tick", 3)
            else:
                self.dot(_EDGE + 20, self.down + 18, "", 7)
            self.text(_EDGE + 40, self.down + 23, chr(97 + n), "q b")
            for nth, line in enumerate(lines):
                self.text(_EDGE + 62, self.down + 23 + 22 * nth, line)
            self.down += 20 + 22 * len(lines)
        return self

    def tiles(self, tiles: Mapping[str, Mapping[str, str]], chosen: str = "") -> "Still":
        """Draw formulas to choose from, with their values."""
        n_across = len(tiles) if len(tiles) < 5 else 3
        wide = min((_WIDE - 2 * _EDGE - 12 * (n_across - 1)) / n_across, 400)
        names = {name: folded(name, int((wide - 24) / 7.4)).splitlines() for name in tiles}
        high = 16 + max(22 * (len(names[name]) + len(made)) for name, made in tiles.items())
        for n, (name, made) in enumerate(tiles.items()):
            x, y = _EDGE + n % n_across * (wide + 12), self.down + n // n_across * (high + 10)
            self.box(x, y, wide, high, "soft" if name == chosen else "tick")
            for line in names[name]:
                self.text(x + 12, y := y + 22, line)
            for of, value in made.items():
                self.text(x + 12, y := y + 22, of, "s")
                at, look = (x + wide - 12, "b r h") if of or n_across < 3 else (x + 12, "b h")
                self.text(at, y, value, look)
        self.down += -(-len(tiles) // n_across) * (high + 10) + 8
        return self

    def means(
        self,
        values: Mapping[str, float | None],
        mean: float | None,
        written: Callable[[float | None], str],
    ) -> "Still":
        """Draw a bar for each list, and a line for their mean."""
        finite = [v for v in [*values.values(), mean] if v is not None and v != inf]
        end, left = max([1, *finite]), _EDGE + 18 + _LETTER * min(max(map(text_width, values)), 30)
        wide, top, text = _WIDE - _EDGE - 60 - left, self.down, localised(written(mean))
        at, high = left + wide * min(mean or 0, end) / end, 26 * len(values)
        self.path(f"M{left:.1f} {top}v{high}")
        for n, value in enumerate(values.values()):
            long = wide * min(value or 0, end) / end
            self.box(left, top + 26 * n + 3, long, 18, "gap" if value == inf else "hit", 0)
        if mean in finite:
            for look in ("under", "ink dash"):  # to be seen on a bar
                self.path(f"M{at:.1f} {top}v{high + 4}", look)
            text = text if "/" not in text else _number(mean)
        for name, value in values.items():
            foot, long = self.down + 17, wide * min(value or 0, end) / end
            self.text(_EDGE, foot, folded(name, 30).partition("\n")[0], "b")
            shown = "–" if value is None else "∞" if value == inf else localised(written(value))
            is_crossed = mean in finite and 0 <= at - left - long <= 8 + _LETTER * len(shown)
            self.text((at if is_crossed else left + long) + 8, foot, shown, "h b halo")
            self.down += 26
        self.text(max(at - 60, left), self.down + 26, f"{say('queries', 'mean')}\u2002", "b", text)
        self.down += 52
        return self

    def rows(self, *lists: ListPicture) -> "Still":
        """Draw lists, as many side by side as their names allow."""
        labels = [each for rows in lists for each in rows.labels.values()]
        longest = max(map(text_width, labels), default=0)
        least = 120 + _LETTER * min(longest, 26)
        n_across = max(1, min(len(lists), int((_WIDE - 2 * _EDGE + _GAP) // (least + _GAP))))
        wide = (_WIDE - 2 * _EDGE - _GAP * (n_across - 1)) / n_across
        for first in range(0, len(lists), n_across):
            beside = lists[first : first + n_across]
            lefts = [_EDGE + n * (wide + _GAP) for n in range(len(beside))]
            self.n_lists += len(beside)
            self.down = 8 + max(map(self._rows, beside, lefts, [wide] * len(beside)))
        return self

    def _rows(self, rows: ListPicture, left: float, wide: float) -> float:
        x, down, panel = left + 32, self.down, _PANELS.get(rows.shows)
        longest = max(map(text_width, rows.labels.values()), default=0)
        box, over = min(wide - 32, 560), 26 if rows.caption else 0
        if panel:
            box = min(max(rows.signs + _LETTER * longest, 200), 0.5 * wide)
            over = {"heap": 26, "bars": 80}.get(rows.shows, 52)
        self.text(x, down + over - 11, rows.caption, "q")
        lines, end = self._list(rows, x, down + over, box)
        if panel:
            panel(self, rows, lines, (x + box + 14, down, wide - box - 46))
        return end

    def _list(
        self, rows: ListPicture, x: float, down: float, box: float
    ) -> tuple[list[_RowPosition], float]:
        """Draw the rows; return their places and the end."""
        ranks, lines, rank, step = rows.ranks, [], 1, 38 if rows.shows else 34
        room = box - rows.signs
        for item in [*ranks.order, *ranks.docked]:
            lost = item not in ranks.order
            if lost and item == ranks.docked[0]:
                self.text(x, down + 16, _dock_title(rows), "b s")
                down += 26
            label = folded(rows.labels[item], max(int(room / _LETTER), 4)).splitlines() or [""]
            high = step - 6 + 18 * (len(label) - 1)
            self._row(rows, item, label, (x, down, box, high), rank=None if lost else rank)
            if not lost:
                lines.append(_RowPosition(item, rank, down + high / 2, high))
                rank += ranks.spans.get(item, 1)
            down += high + 6
        return lines, down

    def _row(
        self, rows: ListPicture, item: Hashable, label: list[str], place: tuple, *, rank: int | None
    ) -> None:
        (x, y, wide, high), ranks = place, rows.ranks
        measured = [each for each in rows.lanes if each.shares]
        middle, span = y + high / 2, ranks.spans.get(item, 1)
        relevant = rows.judged and item in ranks.relevant
        counts = rank and (not measured or any(lane.share(rank) > 0 for lane in measured))
        pale = " pale" if rank and rows.k and rank > rows.k else ""
        look = ("hit" if counts else "edge" if rank else "gap") if relevant else ""
        ink = {"hit": "on", "gap": "lost", "edge": "h"}.get(look, "")
        place = "–" if not rank else f"{rank}" if span == 1 else f"{rank}–{rank + span - 1}"
        self.text(
            x - 10, middle + 5, place, f"r {'h b' if look == 'hit' else 'q'}{' s' * (span > 1)}"
        )
        self.box(x, y, wide, high, look + pale)
        if look == "gap":
            self.box(x + 1, y + 1, 8, high - 2, "hatch", 0)
        self.path(f"M{x + 17:g} {middle - 5:g}v11M{x + 22:g} {middle - 5:g}v11", f"grip {ink}")
        graded = ranks.max_grade > 1 and rows.judged and span == 1
        if rows.judged and not graded:
            self.dot(x + 40, middle, ink)
        for n, line in enumerate(label):
            at = middle + 5 + 18 * (n - (len(label) - 1) / 2)
            words = "on" * (look == "hit") + pale
            self.text(x + (54 if rows.judged and not graded else 34), at, line, words)
        if graded:
            grade = ranks.grades[item]
            dots = "●" * (grade or 0) + "○" * (ranks.max_grade - (grade or 0))
            shown = f"{dots} {'–' if grade is None else grade}"
            self.text(x + wide - 12, middle + 5, shown, f"r {'on' if look == 'hit' else ink}{pale}")

    @property
    def alt(self) -> str:
        """The alternative text."""
        return " ".join(self.said)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple:
        return outputs(self.use, self.image(), self.alt, n=self.n_lists), {}

    def image(self) -> str:
        """Return the picture as HTML."""
        high = self.down + _EDGE - 8
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDE}" height="{high:g}" '
            f'viewBox="0 0 {_WIDE} {high:g}"><style>{_LOOK}</style>{_HATCH}'
            f'<rect x="1" y="1" width="{_WIDE - 2}" height="{high - 2:g}" rx="16" '
            f'class="{"card" if self.asks else "bed"}"/>{"".join(self.drawn)}</svg>'
        )
        return themed(svg, self.alt, _WIDE)


def _dock_title(rows: ListPicture) -> str:
    docked = rows.ranks.docked
    n = sum(item in rows.ranks.relevant for item in docked) if rows.judged else 0
    if n == len(docked):
        return say("list", "dock relevant")
    return say("list", "dock some", n=n) if n else say("list", "dock")


def outputs(use: str, image: str, alt: str, *, n: int = 1) -> dict[str, str]:
    """Return the outputs of a widget's picture: HTML with an instruction, and text."""
    # JupyterLab shows the first line of a folded output, so it must not reveal the answer
    run, title = (say("list", f"{each} {use}".strip(), n=n) for each in ("run", "still"))
    return {"text/html": f"{escape(run)}\n<br>{image}", "text/plain": f"{title}\n{alt}"}


def begun(sentence: str) -> str:
    """Capitalise a sentence unless its first word has capitals, such as "nDCG"."""
    first = sentence.partition(" ")[0]
    return f"{sentence[:1].upper()}{sentence[1:]}" if first.islower() else sentence


def still_of(*lists: ListPicture, asked: str = "") -> Still:
    """Return the picture of lists below a question."""
    asks = [asked] if asked else []
    still = Still([*asks, *(each.words for each in lists)], asks=bool(asked))
    return still.lines(*asks, look="ask").rows(*lists)


def _number(value: float | None, digits: int = 3) -> str:
    return "?" if value is None else localised(f"{value:.{digits}f}")


# --- panels beside the rows, given the rows' places and the panel's (left, top, width) ------------


def _bars(still: Still, rows: ListPicture, lines: Sequence[_RowPosition], place: tuple) -> None:
    """Draw what each rank adds to each measure, on one scale."""
    (left, top, wide), lanes = place, rows.lanes
    most, beside = _end(max(lane.most for lane in lanes) or 1), wide / len(lanes)
    narrow = beside < 112  # no space for a number beside a bar
    room, fits = max(beside - (12 if narrow else 70), 12), (beside - 12) / 8.6  # pixels, letters
    still.text(left, top + 13, rows.scale, "s")
    for n, lane in enumerate(lanes):
        x, value = left + n * beside, _number(lane.value)
        exact = localised(as_fraction(lane.value, largest=LIMITS["bench"]))
        words, exact = f"{lane.named}{value}", f" = {exact}" if exact else ""
        if text_width(words + exact) <= fits:
            value, exact = value + exact, ""
        is_long = text_width(words) > fits
        still.text(x, top + 34, lane.name if is_long else lane.named, "b", value * (not is_long))
        still.text(x, top + 52, value if is_long else exact, "h b")
        _ticks(still, x, top + 70, room, (0, most) if narrow else _marks(most))
        _axis(still, x, lines)
        for line in lines:
            share = lane.share(line.rank)
            if share > 0 and line.item not in rows.ranks.spans:
                long = room * min(share / most, 1)
                look = "hit" if line.item in rows.ranks.relevant else "soft"
                still.box(x, line.middle - 13, long, 26, look, 0)
                still.text(x + long + 7, line.middle + 5, _number(share) * (not narrow), "h b")


def _end(most: float) -> float:
    """Return the end of a scale for `most`: a whole number, or 1 divided by one."""
    return ceil(most) if most > 1 else 1 / int(1 / most + 1e-9)


def _ticks(still: Still, left: float, y: float, long: float, values: Sequence[float]) -> None:
    for at in values:
        x = left + long * at / values[-1]
        still.text(x, y, localised(shortly(at)), "s m" if at else "s")


def _marks(end: float) -> Sequence[float]:
    """Return the values of a scale's ticks, which are whole if it is longer than 1."""
    if 1 < end <= 5:
        return range(int(end) + 1)
    return (0, int(end / 2 + 0.5) if end > 1 else end / 2, end)


def _axis(still: Still, x: float, lines: Sequence[_RowPosition]) -> None:
    for first, last in [(lines[0], lines[-1])] if lines else []:
        top, foot = first.middle - first.high / 2, last.middle + last.high / 2
        still.path(f"M{x:.1f} {top:.1f}V{foot:.1f}")


def _chart(still: Still, rows: ListPicture, lines: Sequence[_RowPosition], place: tuple) -> None:
    """Draw the value of a measure and a bar for each row, with the curve of the weights."""
    (left, top, wide), (lane,), shown = place, rows.lanes, rows.shows
    weight, nth, is_area = rows.weight or _CURVED.get(shown), 0, shown == "area"
    several = shown == "number" and sum(share > 0 for share in lane.shares) > 1
    end = lane.most if shown in ("discount", "tried") else _end(lane.most) if several else 1
    long = wide - (330 if is_area else 200 if lane.value is not None else 64)
    is_whole = shown == "tried" and (lane.value or 0) % 1 == 0
    digits = 0 if is_whole else 2 if shown == "discount" else 3
    value = "" if lane.value is None else _number(lane.value, digits)
    titles = {"curve": ("curve", "RR"), "discount": ("curve", "DCG"), "area": ("area", "precision")}
    titles["tried"] = ("bench", "counts")
    axis = ("panel", "what each rank adds") if several else ("number", "axis")
    still.text(left, top + 15, say(*titles.get(shown, axis)), "s")
    _ticks(still, left, top + 36, long, _marks(end))
    if weight and lines:
        at = [(left + long * weight(rank), y) for rank, y in _finely(lines)]
        curve = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
        still.path(f"M{left:.1f} {at[0][1]:.1f}L{curve}L{left:.1f} {at[-1][1]:.1f}z", "area")
        still.path(f"M{curve}", "curve")
    _axis(still, left, lines)
    found, level = [], top + 84
    for line in lines:
        share = lane.share(line.rank)
        nth += line.item in rows.ranks.relevant
        if share > 0:
            size = long * (nth / line.rank if is_area else share / end)
            note = say("area", "of", nth=nth, rank=line.rank) if is_area else ""
            found.append((f"{nth}/{line.rank}", nth / line.rank, share))
            level = level if len(found) > 1 else line.middle + 12
            still.box(left, line.middle - 13, size, 26, "hit", 0)
            if weight:
                still.dot(left + size, line.middle, "tip", 5)
            note = _number(share, 2) if shown == "discount" else rows.notes.get(line.rank, note)
            note = note if note != value else ""  # which the row has already
            still.text(left + size + 12, line.middle + 5, note, "h b halo")
        elif line.item in rows.ranks.relevant and shown == "curve":
            still.text(left + long, line.middle + 5, say("curve", "not the first"), "s m")
    if is_area:
        _square(still, lane, found, len(rows.ranks.relevant), (left + wide - 190, top + 30, 190))
    still.text(left + wide, top + 300 if is_area else level, value, "big h r")


def _finely(lines: Sequence[_RowPosition]) -> Iterable[tuple[float, float]]:
    """Yield (rank, height) of the rows and points between them, twice, so that a step is level."""
    for line, after in zip(lines, [*lines[1:], lines[-1]], strict=True):
        steps = 6 if after is not line else 1
        for part in (n / steps for n in range(steps)):
            rank = line.rank + part * (after.rank - line.rank)
            y = line.middle + part * (after.middle - line.middle)
            yield from ((rank - 1e-9, y), (rank, y))


def _square(still: Still, lane: Lane, found: Sequence[tuple], n: int, place: tuple) -> None:
    """Draw AP as an area: a column per relevant item, as high as the precision at its rank."""
    x, y, size = place
    n = round(found[0][1] / found[0][2]) if found else max(n, 1)
    still.box(x, y, size, size, "", 0)
    for i in range(n):
        at, found_here = x + size * i / n, i < len(found)
        words, high, _ = found[i] if found_here else ("0", 1, 0)
        look, ink = ("hit", "h") if found_here else ("empty", "lost")
        still.box(at + 1, y + size * (1 - high), size / n - 2, size * high, look, 0)
        if n <= 7:
            still.text(at + size / n / 2, y + size + 18, words, f"s m {ink}")
    still.path(f"M{x - 6:g} {y + size * (1 - lane.value):g}h{size + 12:g}", "ink dash")
    still.path(f"M{x:g} {y - 14:g}h26", "ink dash")
    still.text(x + 32, y - 9, lane.name, "b")


def _ideal(still: Still, rows: ListPicture, lines: Sequence[_RowPosition], place: tuple) -> None:
    """Draw the cumulative sums of the list and of the ideal list."""
    (left, top, wide), (lane,) = place, rows.lanes
    still.text(left, top + 15, lane.named, "b", _number(lane.value))
    long, best = wide - 180, list(accumulate(rows.ideal.values())) or [0]
    still.text(left, top + 36, say("ideal", "so far"), "s")
    still.text(left + wide - 164, top + 36, say("ideal", "ideal"), "s")
    _axis(still, left, lines)
    sofar = 0.0
    for line in lines:
        share = lane.share(line.rank)
        until, y = best[min(line.rank, len(best)) - 1], line.middle - 13
        for size, look in ((until, "gap"), (until, "hatch"), (sofar, "soft")):
            still.box(left, y, long * size, 26, look, 0)
        still.box(left + long * sofar, y, long * share, 26, "hit", 0)
        still.path(f"M{left + long * until:.1f} {y - 3:.1f}v32", "ink")
        sofar += share
    for item, line in zip(rows.ideal, lines, strict=False):
        lost = item not in rows.ranks.order
        x, y = left + wide - 164, line.middle - 15
        still.box(x, y, 164, 30, "gap" if lost else "edge")
        label = rows.labels[item]
        still.text(x + 10, line.middle + 5, label, "lost" if lost else "")
        still.text(x + 154, line.middle + 5, rows.ranks.grades[item], "r b")


def _walk(still: Still, rows: ListPicture, lines: Sequence[_RowPosition], place: tuple) -> None:
    """Draw a visitor above the rows."""
    left, top, wide = place
    x, y = left + 0.3 * wide, top + 20
    still.text(x, top + 12, rows.lanes[0].name if rows.lanes else "", "b m")
    still.dot(x, y, "ink", 4)
    still.path(f"M{x:.1f} {y + 4:.1f}v10l-5 9m5-9l5 9m-10-15h10", "ink")
    _axis(still, x, lines)
    for line in lines:
        still.dot(x, line.middle, "tip", 7 if line.item in rows.ranks.relevant else 4)


def _heap(still: Still, rows: ListPicture, lines: Sequence[_RowPosition], place: tuple) -> None:
    """Draw an empty histogram on the scale of the measure, and the value of the list."""
    (left, top, wide), (lane,) = place, rows.lanes[:1]
    foot, long, x = lines[-1].middle + lines[-1].high / 2 - 40, wide - 40, left + 20
    at = x + long * min(lane.value, 1)
    still.text(at, top + 33, f"{lane.named}{_number(lane.value)}", "h b m")
    still.path(f"M{at:.1f} {top + 44:.1f}V{foot:.1f}", "curve")
    still.path(f"M{x:.1f} {foot:.1f}h{long:.1f}")
    for n in range(6):
        still.text(x + long * n / 5, foot + 20, _number(n / 5, 1), "s m")
    still.text(x + long / 2, foot + 40, lane.name, "s m")
    free = x + long * (0.75 if lane.value <= 0.5 else 0.25)
    still.text(free, (top + foot) / 2, say("shuffle", "none"), "q m")


_PANELS: Mapping[str, Callable[[Still, ListPicture, Sequence[_RowPosition], tuple], None]] = {
    "bars": _bars,
    "heap": _heap,
    "tried": _chart,
    "number": _chart,
    "curve": _chart,
    "discount": _chart,
    "area": _chart,
    "ideal": _ideal,
    "walk": _walk,
}
