"""The files that a command writes: where they may be, and what was written."""

import argparse
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from byhand.errors import DataError
from byhand.reports.options import option_names
from byhand.reports.system_names import place_of

STDOUT = "-"


def page_beside(run: str) -> str:
    """A page beside a run, called as the run's system is.

    Example:
        >>> page_beside("runs/new.run.gz"), page_beside("runs/old/*.parquet"), page_beside("new/")
        ('runs/new-report.html', 'runs/old-report.html', 'new-report.html')
        >>> page_beside("/dev/stdin")
        'stdin-report.html'
    """
    place = place_of(run)
    page = place.with_name(f"{place.name}-report.html")
    return page.name if _is_open(str(place)) else str(page)


def targets_of(options: argparse.Namespace) -> dict[str, str]:
    """The files to write, by the option that names them."""
    typed = {f"--{name}": getattr(options, name) for name in ("output", *option_names("form"))}
    return {
        option: file
        for option, file in typed.items()
        if file is not None and option != "--figures" and (option, file) != ("--output", STDOUT)
    }


def check_targets(options: argparse.Namespace, sources: Sequence[str]) -> None:
    """Refuse at once what is plainly no place for what is to be written."""
    from byhand.files.paths import matched
    from byhand.files.writing import refuse_source

    options_of: dict[Path, str] = {}
    for option, file in targets_of(options).items():
        target = _place(option, file)
        refuse_source(file, [each for source in sources for each in matched(source)])
        if (target.exists() and not target.is_file()) or _is_open(file):
            raise DataError(
                f"{file} is not a regular file, so it cannot be replaced: use another name."
            )
        if target in options_of:
            raise DataError(f"{options_of[target]} and {option} are the same file: use two names.")
        options_of[target] = option
    if options.figures is not None:
        if find_spec("matplotlib") is None:
            raise DataError(
                "--figures needs matplotlib, which is not installed: "
                'pip install "ranking-metrics-by-hand[figures]"'
            )
        folder = _place("--figures", options.figures)
        if (folder.exists() and not folder.is_dir()) or folder in options_of:
            raise DataError(f"{options.figures} is a file: pass a folder for the figures.")


def _place(option: str, named: str) -> Path:
    """Where a target is; an error if there is no folder for it, or it is no file at all."""
    from byhand.files.writing import place_for

    if named == STDOUT:
        raise DataError(f"{option} must be a file name: only the page can go to standard output.")
    return place_for(named)


def _is_open(file: str) -> bool:
    """Whether a path names what a process has open, as /dev/stdout does: a pipe, or any file."""
    folder = Path(file).parent.resolve()
    return folder in (Path("/dev"), Path("/dev/fd")) or Path("/proc") in folder.parents


def written_by(options: argparse.Namespace) -> Iterator[str]:
    """A line for each thing that was written."""
    for file in targets_of(options).values():
        size = Path(file).stat().st_size
        if size >= 1e5:
            yield f"Wrote {file}, {size / 1e6:.1f} MB"
        else:
            yield f"Wrote {file}, {size / 1e3:.1f} kB"
    if options.figures is not None:
        yield f"Wrote the figures into {options.figures}"
