"""How often the gate errs: the tables that chose its bounds, and that hold it to what it promises.

    python tools/gate_errors.py
    python tools/gate_errors.py --samples 500 --only planned

Each population is a new system and an old one, with RR, AP or nDCG@10 as skewed as in practice;
"a tenth anew" is a change that touches one query in ten. The last five are made to hide a drop:
what falls is rare, and whoever has not drawn it sees next to nothing.

`limit`: the true drop is exactly the limit, so either verdict is an error. Of 2,000 samples, the
share that is said not to have dropped, and the share that is said to have dropped, by the gate, by
a t interval and by percentiles of resamples; and the share of samples in which no query differs.
`percent`: the same of the gate, with the true drop as the share of the old mean that is allowed.
`even`: the true drop is 0, and 0.02 is allowed: the share of samples that is said to be lower, the
share that is said to have dropped by more, and the share in which either is said, or that it is
lower by less.
`equal`: the true drop is 0, and 0.01 or 0.02 is allowed. `planned`: how often the gate tells with
as many queries as it says that it needs, and with a quarter and four times as many, beside the
power that it predicts. `together`: 20 systems whose true difference is exactly the limit, compared
at once: the share of data sets, a tenth of the samples, in which `compare` says of one or more that
it differs by more, or is equivalent, and in which an uncorrected t interval would. `pilots`: of
normal differences for which it takes 105 queries, the share of pilots with p at 0.05 or less, and
how many queries these advise, the median, if they plan with the difference that they found. Most
end with their extremes. About half an hour.
"""

import gate_pairs as pairs  # what the tests draw from, too
import numpy as np
from drawn_tables import print_tables
from scipy import stats

from byhand.statistics import Size, gate_power, queries_needed, queries_to_tell

SIZES = (25, 50, 100, 200, 500)
RESAMPLES = 999
HOW = ("", "t ")


def t_bounds(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each row, the bounds of Student's t interval."""
    reach = stats.t.isf(0.05, x.shape[1] - 1) * x.std(axis=1, ddof=1) / np.sqrt(x.shape[1])
    return x.mean(axis=1) - reach, x.mean(axis=1) + reach


def percentile_bounds(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each row, percentiles of the means of its resamples; rows share the draws."""
    n = x.shape[1]
    share = np.random.default_rng(n).multinomial(n, np.full(n, 1 / n), RESAMPLES).T / n
    low, high = np.quantile(x @ share, [0.05, 0.95], axis=1)
    return low, high


def show_limit(samples: int) -> None:
    """Print how often each kind of bound gives a verdict where the drop is just the limit."""
    wrong = np.zeros(2)
    for name, population in pairs.POPULATIONS.items():
        many = pairs.true_differences(population)
        limit = -many.mean()
        print(f"\n{name}: limit {limit:.4f}, {np.mean(many != 0):.0%} of the queries differ")
        print(f"{'queries':>8} | {'gate':^13} | {'t':^13} | {'percentile':^13} | none differs")
        for queries in SIZES:
            found = pairs.errors(population, queries, samples, max_drop=limit)
            rows = np.subtract(*population(np.random.default_rng([queries, 0]), (samples, queries)))
            cells = [f"{found['held']:6.1%} {found['dropped']:6.1%}"]
            for low, high in (t_bounds(rows), percentile_bounds(rows)):
                cells.append(f"{(low > -limit).mean():6.1%} {(high < -limit).mean():6.1%}")
                wrong[1] = max(wrong[1], *((low > -limit).mean(), (high < -limit).mean()))
            wrong[0] = max(wrong[0], found["held"], found["dropped"])
            same = 1 - rows.any(axis=1).mean()
            print(f"{queries:>8} | {' | '.join(cells)} | {same:6.1%}", flush=True)
    print(f"\nat most {wrong[0]:.1%} by the gate, {wrong[1]:.1%} by the others")


def show_percent(samples: int) -> None:
    """Print how often the gate gives a verdict where the drop is just the share that is allowed."""
    worst = 0.0
    for name, population in (pairs.POPULATIONS | pairs.SHARES).items():
        share = pairs.true_share(population)
        print(f"\n{name}: limit {share:.1%} of the old mean; held and dropped")
        for queries in SIZES:
            found = pairs.errors(population, queries, samples, max_drop=share, relative=True)
            worst = max(worst, found["held"], found["dropped"])
            print(f"{queries:>8} | {found['held']:6.1%} {found['dropped']:6.1%}", flush=True)
    print(f"\nat most {worst:.1%}")


def show_even(samples: int) -> None:
    """Print how often the gate says that a mean is lower of which nothing is true."""
    worst = dict.fromkeys(("lower", "dropped", "below"), 0.0)
    for name, population in pairs.EVEN.items():
        print(f"\n{name}: lower, dropped by more than 0.02, either or lower by less")
        for queries in SIZES:
            found = pairs.errors(population, queries, samples, max_drop=0.02)
            worst = {each: max(most, found[each]) for each, most in worst.items()}
            print(f"{queries:>8} | {' '.join(f'{found[each]:6.1%}' for each in worst)}", flush=True)
    print(f"\nat most {', '.join(f'{each} {most:.1%}' for each, most in worst.items())}")


def show_equal(samples: int) -> None:
    """Print what the gate says of systems that are as good as each other."""
    for name, population in pairs.EQUAL.items():
        sd = pairs.true_differences(population).std()
        print(f"\n{name}, no true drop, sd {sd:.2f}: held and dropped, of 0.01 and of 0.02 allowed")
        for queries in (*SIZES, 2000):
            cells = []
            for limit in (0.01, 0.02):
                found = pairs.errors(population, queries, samples, max_drop=limit)
                cells.append(f"{found['held']:6.1%} {found['dropped']:6.1%}")
            print(f"{queries:>8} | {' | '.join(cells)}", flush=True)


def show_planned(samples: int) -> None:
    """Print how often the gate tells, and how often it says that it will."""
    of_planned = []
    for name, population in pairs.PLANNED.items():
        many = pairs.true_differences(population)
        sd, drop = many.std(), -many.mean()
        for limit in (drop + 0.02, 0) if drop > 0.005 else (drop + 0.02,):
            away = abs(limit - drop)
            planned = queries_to_tell(sd, away)
            print(f"\n{name}, true drop {drop:.4f}, limit {limit:.4f}: {planned:,} queries")
            for queries in (planned // 4, planned, planned * 4):
                if not 2 <= queries <= 5000:
                    continue
                found = pairs.errors(population, queries, samples, max_drop=limit)
                tells = found["held" if limit > drop else "dropped"]
                said = gate_power(queries, sd, away)
                of_planned += [tells] * (queries == planned)
                print(f"{queries:>8} | tells {tells:6.1%} | predicted {said:6.1%}", flush=True)
    print(f"\nas many as planned tell in {min(of_planned):.1%} to {max(of_planned):.1%}")


def show_together(samples: int) -> None:
    """Print how often one of many systems that are just at the limit is said not to be."""
    extremes = {how: [1.0, 0.0] for how in HOW}
    print(f"{'queries':>8} | {'compare: over, within':^21} | {'t: over, within':^21}")
    for name, population in pairs.POPULATIONS.items():
        limit = -pairs.true_differences(population).mean()
        print(f"\n{name}: limit {limit:.4f}")
        for queries in SIZES[1::2]:
            found = pairs.together(population, queries, samples // 10, limit=limit)
            cells = [
                f"{found[how + Size.OVER]:10.1%} {found[how + Size.WITHIN]:10.1%}" for how in HOW
            ]
            print(f"{queries:>8} | {' | '.join(cells)}", flush=True)
            for how, (low, high) in extremes.items():
                either = found[how + "either"]
                extremes[how] = [min(low, either), max(high, either)]
    for how, (low, high) in extremes.items():
        print(f"{how or 'compare'}: either, {low:.1%} to {high:.1%}")


def pilots(queries: int, samples: int, *, truth: float) -> tuple[float, float]:
    """The share of pilots that come out significant, and the median of what these advise."""
    drawn = np.random.default_rng(queries).normal(truth, 1, (samples, queries))
    told = drawn[stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05]
    advised = [queries_needed(row.std(ddof=1), row.mean()) for row in told]
    return len(told) / samples, float(np.median(advised))


def show_pilots(samples: int) -> None:
    """Print what those advise who plan with the difference that they found."""
    truth = 0.2773  # in standard deviations
    print(f"it takes {queries_needed(1, truth)}\n{'queries':>8} | significant | advise")
    for queries in (15, 30, 60):
        share, advised = pilots(queries, samples, truth=truth)
        print(f"{queries:>8} | {share:11.1%} | {advised:.0f}", flush=True)


TABLES = {
    "limit": show_limit,
    "percent": show_percent,
    "even": show_even,
    "equal": show_equal,
    "planned": show_planned,
    "together": show_together,
    "pilots": show_pilots,
}


if __name__ == "__main__":
    print_tables(__doc__.splitlines()[0], TABLES)
