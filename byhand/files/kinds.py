"""Contents that are no table, and what to do with each."""

_AS_TEXT = "Save it as CSV with UTF-8 text."
_AS_GZIP = "Unpack it first; of packed files only gzip is read."
_PAGE = ("an HTML page", "Download the file itself, not the page that shows it.")
_OTHER_KINDS = {
    b"PK\x03\x04": (
        "a zip archive or an Excel workbook",
        "Unpack the archive, or save the sheet as CSV with UTF-8 text.",
    ),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", _AS_TEXT),
    b"BZh91AY": ("packed with bzip2", _AS_GZIP),
    b"\xfd7zXZ": ("packed with xz", _AS_GZIP),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", _AS_GZIP),
    b"\x04\x22\x4d\x18": (
        "packed with lz4",
        "Unpack it first; ranx saves under a name that ends in .json without packing.",
    ),
    b"ARROW1\0\0": (
        "an Arrow (Feather) file",
        "Save it as Parquet: pandas' read_feather, to_parquet.",
    ),
    b"\x89HDF": ("an HDF5 file", "Save its table as Parquet, for example with pandas."),
    b"\x93NUMPY": ("a numpy array", "Save a table with named columns, as CSV or Parquet."),
    b"\x80": ("a Python pickle", "Save its table as Parquet, for example with pandas' to_parquet."),
    b"SQLite format": ("an SQLite database", "Export its table as CSV."),
    b"%PDF": ("a PDF", _AS_TEXT),
    b"<!doctype html": _PAGE,
    b"<!DOCTYPE html": _PAGE,
    b"<html>": _PAGE,
    b"<html lang": _PAGE,
    b"version https://git-lfs": (
        "only a pointer of Git LFS, not the data",
        "Fetch the data with `git lfs pull`.",
    ),
}


def no_text(head: bytes) -> str:
    """Why a content that begins like this is no text that could hold a table; empty if it may.

    Example:
        >>> no_text(b"%PDF-1.7")
        'is a PDF. Save it as CSV with UTF-8 text.'
    """
    for mark, (kind, mend) in _OTHER_KINDS.items():
        if head.startswith(mark):
            return f"is {kind}. {mend}"
    if b"\0" in head:
        return (
            f"is a binary file, not text: byte {head.index(0)} is zero. "
            "Expected a TREC file, CSV, TSV, JSON or Parquet."
        )
    return ""
