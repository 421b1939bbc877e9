"""What is said of what is refused, in any language."""

import re

import pytest

from byhand import DataError
from byhand.words import speaking

# values, code, and what other libraries say
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|\{[^{}]*\}|\[[^][]*\]|\([^()]*\)|expected after")
_ENGLISH = r"\b(?:the|is|are|was|it|its|has|have|holds|not|which|each|every|there|expected|pass)\b"
_SENTENCE = r"|\w+(?: [a-z]+){5}"  # in another script


def english_in(said, language):
    """What of a text in a language is English, beside what is quoted."""
    while (left := _QUOTED.sub("", said)) != said:
        said = left
    return re.findall(_ENGLISH + _SENTENCE * (language == "ko"), said, re.IGNORECASE)


def message_of(call, *args, **kwargs):
    """The text of the error that a call of ours ends with."""
    with pytest.raises(DataError) as caught:
        call(*args, **kwargs)
    return str(caught.value)
