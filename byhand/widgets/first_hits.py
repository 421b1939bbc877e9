"""First hits as dots on an axis of ranks, with 1/MRR and the mean rank as markers."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf

import traitlets

from byhand.errors import DataError, shown
from byhand.figures import BLUE, INK
from byhand.widgets.live import Live, Picture, checks
from byhand.widgets.ranking import check_rank
from byhand.widgets.words import say, shortly
from byhand.words import localised

_ENDS = (10, 100, 1000)  # of the axis


class FirstHits(Live):
    """The rank of each query's first hit as a dot to drag, and two markers: 1/MRR, the mean rank.

    Args:
        cases: name -> the ranks of first hits, whole numbers from 1 to 1,000; None for a query
            without a hit.
        queries: what the queries are called, in that order.

    Attributes:
        case: the name of the case that is shown.
        ranks: its ranks as they are now.

    Raises:
        DataError: no cases, cases of unequal length, or what is no rank.

    Example:
        >>> hits = FirstHits({"steady": [2, 2, 2, 2], "uneven": [2, 1, 3, 6]})
        >>> hits.case = "uneven"
        >>> hits
        FirstHits(uneven: 2, 1, 3, 6; MRR = 1/2, 1/MRR = 2, mean rank = 3)
    """

    case = traitlets.Unicode().tag(sync=True)
    hits = traitlets.Dict().tag(sync=True)

    def __init__(
        self, cases: Mapping[str, Sequence[int | None]], *, queries: Iterable[str] = ()
    ) -> None:
        if not isinstance(cases, Mapping) or not cases:
            raise DataError(
                f"cases is {cases!r}. Expected ranks by the names of cases: {{'steady': [2, 2]}}."
            )
        hits = {str(name): list(ranks) for name, ranks in cases.items()}
        n = len(next(iter(hits.values())))
        names = [*map(str, queries)] or [say("hits", "query", n=i + 1) for i in range(n)]
        _checked(hits, len(names))
        most = {name: max(filter(None, ranks), default=1) for name, ranks in hits.items()}
        ends = {name: next(end for end in _ENDS if rank <= end) for name, rank in most.items()}
        fixed = {"cases": [*hits], "queries": names, "ends": ends, "start": hits}
        super().__init__("hits", fixed=fixed, case=next(iter(hits)), hits=hits)

    @checks("case")
    def _check_case(self, case: str) -> str:
        if case not in self.fixed["ends"]:
            raise DataError(
                f"There is no case {case!r}. Those there are: {', '.join(self.fixed['ends'])}."
            )
        return case

    @checks("hits")
    def _check_hits(self, hits: Mapping[str, object]) -> Mapping[str, list[int | None]]:
        cases = self.fixed["cases"]
        if hits.keys() != {*cases}:
            raise DataError(f"hits has {shown([*hits])}. Expected ranks for: {', '.join(cases)}.")
        return _checked(hits, len(self.fixed["queries"]))

    @property
    def ranks(self) -> list[int | None]:
        """The ranks of the case that is shown."""
        return self.hits[self.case]

    @property
    def mrr(self) -> float:
        """The mean of 1/rank; a query without a hit counts 0."""
        return sum(1 / (rank or inf) for rank in self.ranks) / len(self.ranks)

    @property
    def mean_rank(self) -> float | None:
        """The mean of the ranks; None where a query has none."""
        return None if None in self.ranks else sum(self.ranks) / len(self.ranks)

    def picture(self) -> Picture:
        """The dots of the case that is shown, and its markers."""
        n, name = len(self.ranks), self.case
        end = self.fixed["ends"][name]
        tall = 0.34 * n + 1.1
        picture = Picture((6.4, tall))
        ax = picture.axes_at(0.17, 0.5 / tall, 0.8, 0.34 * n / tall)
        at = [rank or end * 1.08 for rank in self.ranks]
        ax.scatter(at, range(n), color=[BLUE if rank else "none" for rank in self.ranks], zorder=3)
        marks = {
            say("hits", "inverse"): 1 / self.mrr if self.mrr else None,
            say("hits", "mean"): self.mean_rank,
        }
        for (label, value), line in zip(marks.items(), ("-", "--"), strict=True):
            if value is not None:
                ax.axvline(min(value, end), linestyle=line, color=INK)
                ax.annotate(
                    f"{label} {localised(shortly(value))}",
                    (min(value, end), -0.6),
                    (0, 3 if line == "-" else 15),
                    textcoords="offset points",
                    size=9,
                )
        ax.set(ylim=(n - 0.5, -0.6), xlim=(1 - 0.04 * end, end * 1.1), xlabel=say("hits", "axis"))
        ax.set_yticks(range(n), self.fixed["queries"])
        ranks = ", ".join(str(rank or say("queries", "never name")) for rank in self.ranks)
        numbers = {key: localised(value) for key, value in self._numbers.items()}
        ax.set_label(say("hits", "picture", name=name, ranks=ranks, **numbers))
        return picture

    @property
    def _numbers(self) -> dict[str, str]:
        return {
            "mrr": shortly(self.mrr),
            "inverse": shortly(1 / self.mrr) if self.mrr else "?",
            "mean": "?" if self.mean_rank is None else shortly(self.mean_rank),
        }

    @property
    def _line(self) -> str:
        ranks = ", ".join(str(rank or "never") for rank in self.ranks)
        numbers = "MRR = {mrr}, 1/MRR = {inverse}, mean rank = {mean}".format(**self._numbers)
        return f"{self.case}: {ranks}; {numbers}"


def _checked(hits: Mapping[str, object], queries: int) -> Mapping[str, list[int | None]]:
    """The ranks of each case, or a `DataError`."""
    for name, ranks in hits.items():
        if not isinstance(ranks, list) or len(ranks) != queries or not ranks:
            found = f"{len(ranks)} ranks" if isinstance(ranks, list) else shown(ranks)
            raise DataError(
                f"{name!r} has {found} for {queries} queries. Give each case a rank for every "
                "query, None where nothing was found."
            )
        for rank in ranks:
            if rank is not None:
                check_rank(name, rank, _ENDS[-1], "; None stands for never.")
    return hits
