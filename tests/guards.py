"""What a page must not do, looked for in its HTML."""

import base64
import hashlib
import re

# what makes a browser ask for something
REQUESTS = re.compile(
    r"""<(?:script|link|iframe|object|embed|base|form|video|audio)\b|@import|url\((?!["']?data:|#)"""
    r"""|\b(?:src|srcset|poster)\s*=\s*["'](?!data:)""",
    re.IGNORECASE,
)

MODULE = re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)


def without_module(html):
    """A page without the script that its own policy knows by its hash, if it has one."""
    sources = re.search(r"script-src ([^;]*);", html)[1]
    found = MODULE.findall(html)
    digests = [hashlib.sha256(code.encode()).digest() for code in found]
    known = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
    assert sources == " ".join(known or ["'none'"])
    return MODULE.sub("", html)
