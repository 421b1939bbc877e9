"""The files that a command writes: where they go, and whether they can."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from byhand.errors import DataError
from byhand.report.sources import sources_of
from byhand.report.system_names import place_of

STDOUT = "-"
_SAVED = ("csv", "json", "latex")  # the options that name a file beside the page


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


def saved_of(options: argparse.Namespace) -> dict[str, Path]:
    """What is written beside the page, by form."""
    named = {form: getattr(options, form) for form in (*_SAVED, "figures")}
    return {form: Path(file) for form, file in named.items() if file is not None}


def _files_of(options: argparse.Namespace) -> dict[str, str]:
    """The files to write, by the option that names them."""
    named = {f"--{name}": getattr(options, name) for name in ("output", *_SAVED)}
    return {
        option: file
        for option, file in named.items()
        if file is not None and (option, file) != ("--output", STDOUT)
    }


def written_by(options: argparse.Namespace) -> Iterator[str]:
    """A line for each thing that was written."""
    for file in _files_of(options).values():
        size = Path(file).stat().st_size
        yield f"Wrote {file}, {f'{size / 1e6:.1f} MB' if size >= 1e5 else f'{size / 1e3:.1f} kB'}"
    if options.figures is not None:
        yield f"Wrote the figures into {options.figures}"


def check_targets(options: argparse.Namespace) -> None:
    """Refuse at once what is plainly no place for what is to be written.

    Raises:
        DataError: why.
    """
    from byhand.files.writing import refuse_source

    options_of: dict[Path, str] = {}
    for option, file in _files_of(options).items():
        _check_named(option, file)
        target = Path(file).resolve()
        refuse_source(file, sources_of(options))
        _check_folder(target, file)
        if (target.exists() and not target.is_file()) or _is_open(file):
            raise DataError(f"{file} is no file that could be replaced: name another one.")
        if target in options_of:
            raise DataError(f"{options_of[target]} and {option} name the same file: name two.")
        options_of[target] = option
    if options.figures is not None:
        _check_named("--figures", options.figures)
        folder = Path(options.figures).resolve()
        _check_folder(folder, options.figures)
        if (folder.exists() and not folder.is_dir()) or folder in options_of:
            raise DataError(f"{options.figures} is a file: name a folder for the figures.")


def _check_named(option: str, named: str) -> None:
    if named == STDOUT:
        raise DataError(f"Only the page can go to standard output: {option} takes a name.")


def _check_folder(target: Path, named: str) -> None:
    if not target.parent.is_dir():
        raise DataError(f"There is no folder {target.parent.name!r} to write {named} into.")


def _is_open(file: str) -> bool:
    """Whether a path names what a process has open, as /dev/stdout does: a pipe, or any file."""
    folder = Path(file).parent.resolve()
    return folder in (Path("/dev"), Path("/dev/fd")) or Path("/proc") in folder.parents
