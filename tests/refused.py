"""The text of a refusal."""

import pytest

from byhand import DataError


def message_of(call, *args, **kwargs):
    """Return the sentence with which a call of ours ends."""
    with pytest.raises(DataError) as caught:
        call(*args, **kwargs)
    return str(caught.value)
