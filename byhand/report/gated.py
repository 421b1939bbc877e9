"""What the gate decided, as a line, as JSON and as Markdown."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from byhand.errors import both
from byhand.report.provenance import made_with
from byhand.statistics import Decision, Outcome

_POOL_LIMIT = 0.1  # how far the judged shares of the runs may be apart without a word
_NEGATIVE = re.compile(r"-(?=\d\.)")  # a terminal keeps its own minus, as programs read it
_VERDICTS = {Outcome.HELD: "Pass", Outcome.DROPPED: "Fail", Outcome.CANNOT_TELL: "Cannot tell"}


@dataclass(frozen=True, kw_only=True)
class Gated:
    """Two runs under the same judgements, and what was decided.

    Attributes:
        decision: what was decided.
        measure: of which measure.
        files: what the files are called, by "new", "old" and "qrels".
        doubts: why every list of the new run, or of the old one, may stand on its head, if so.
        judged_queries: how many queries have judgements.
        missing: how many of them the new run lacks, and the old one.
        judged_items: which share of their first k items has a judgement; empty if that is not
            known, or the measure has no k.
        preset: whose conventions.
        conventions: how the values were computed, by choice.
        relevant_from: the lowest grade that is relevant; None for any above 0.
    """

    decision: Decision
    measure: str
    files: Mapping[str, str]
    doubts: Mapping[str, str]
    judged_queries: int
    missing: tuple[int, int]
    judged_items: tuple[float, ...]
    preset: str
    conventions: Mapping[str, str]
    relevant_from: float | None

    @property
    def verdict(self) -> str:
        """The answer in a word or two."""
        return _VERDICTS[self.decision.outcome]

    def line(self) -> str:
        """The answer, and what could overturn it."""
        return " ".join([self._said(), *self._cautions()])

    def _said(self) -> str:
        d = self.decision
        by = f"by more than {d.max_drop:g}"
        means = f"{d.mean_new:.4f}, was {d.mean_old:.4f} ({_signed(d.difference)}"
        over = f"over {_queries(d.queries)}"
        sure = f"with {1 - d.alpha:.0%} confidence"
        if d.same_rankings:
            same = f"{d.mean_new:.4f}, with the same ranking on each of {_queries(d.queries)}"
            return f"{self.verdict}: {self.measure} did not drop {by}: {same}."
        if d.outcome is Outcome.HELD:
            means += f"; {sure} at least {_signed(d.low)}) {over}"
            return f"{self.verdict}: {self.measure} did not drop {by}: {means}."
        if d.outcome is Outcome.DROPPED:
            means += f"; {sure} at most {_signed(d.high)}) {over}"
            return f"{self.verdict}: {self.measure} dropped {by}: {means}."
        ends = f"{_signed(d.low)} to {_signed(d.high)}"
        means += f"; anything from {ends} fits, each end {sure}) {over}"
        return f"{self.verdict} whether {self.measure} dropped {by}: {means}. {self._needed()}"

    def _needed(self) -> str:
        if self.decision.needed is None:
            return (
                "If in truth nothing changed, not even a million queries tell in 8 of 10 cases: "
                "allow a larger drop."
            )
        needed = f"{self.decision.needed:,}"
        return (
            f"About {needed} queries tell in 8 of 10 cases, if in truth nothing changed and "
            "differences vary as these do."
        )

    def _cautions(self) -> Iterator[str]:
        """What could overturn it, a sentence each."""
        for text in dict.fromkeys(filter(None, self.doubts.values())):
            names = [self.files[name] for name in self.doubts if self.doubts[name] == text]
            yield f"{both(names)}: {text}"
        d = self.decision
        if d.max_drop >= d.mean_old:
            yield (
                f"A limit of {d.max_drop:g} stops nothing where the old mean itself is "
                f"{d.mean_old:.2g}: set --max-drop well below it."
            )
        if not (d.differ or d.same_rankings):
            yield (
                "No query has another value, yet this is tested: only the same rankings, of files "
                "that are held in memory, pass without a test."
            )
        how = "count 0" if self.conventions["missing"] == "zero" else "are left out"
        for name, count in zip(("new", "old"), self.missing, strict=True):
            if count:
                of = _queries(self.judged_queries)
                yield f"The {name} run lacks {count:,} of {of}, which {how}."
        if self.judged_items and round(abs(_apart(self.judged_items)), 9) > _POOL_LIMIT:
            new, old = self.judged_items
            yield (
                f"Of its first items {new:.0%} are judged, of the old run's {old:.0%}: the "
                "difference may be an artefact of what was judged."
            )

    def as_json(self) -> dict[str, object]:
        """Every number, and what it rests on."""
        told = {"verdict": self.verdict.lower(), "measure": self.measure} | asdict(self.decision)
        del told["outcome"]
        told["judged_queries"] = self.judged_queries
        for place, name in enumerate(("new", "old")):
            judged = self.judged_items[place] if self.judged_items else None
            told[name] = {
                "doubt": self.doubts[name] or None,
                "file": self.files[name],
                "missing_queries": self.missing[place],
                "judged_items": judged,
            }
        told["qrels"] = {"file": self.files["qrels"], "relevant_from": self.relevant_from}
        told["conventions"] = {"preset": self.preset, **self.conventions}
        return told | {"made_with": made_with()}

    def as_markdown(self) -> str:
        """A heading, a table and the answer."""
        d = self.decision
        numbers = [f"{d.mean_new:.4f}", f"{d.mean_old:.4f}"]
        numbers += [_signed(each) for each in (d.difference, d.low, d.high)]
        numbers += [f"{d.max_drop:g}", f"{d.queries:,}"]
        heads = ["new", "old", "difference", "at least", "at most", "may drop by", "queries"]
        return "\n".join(
            [
                f"### {self.verdict}: {self.measure}",
                "",
                f"| {' | '.join(heads)} |",
                "|" + "--:|" * len(heads),
                f"| {_NEGATIVE.sub('−', ' | '.join(numbers))} |",
                "",
                verbatim(self.line()),
            ]
        )


def verbatim(text: str) -> str:
    """Lines as Markdown that shows just these: no name in them becomes a link, image or mention.

    Example:
        >>> verbatim("@me: ![a](b)")
        '` @me: ![a](b) `'
    """
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return "\n\n".join(f"{fence} {line} {fence}" for line in text.splitlines())


def _signed(value: float) -> str:
    rounded = round(value, 4) + 0.0  # without the sign of a zero
    return f"{rounded:{'+' if rounded else ''}.4f}"


def _apart(pair: tuple[float, ...]) -> float:
    return pair[0] - pair[1]


def _queries(count: int) -> str:
    return f"{count:,} {'query' if count == 1 else 'queries'}"
