"""What is said of what is refused."""

import pytest

from byhand import DataError


def message_of(call, *args, **kwargs):
    """The sentence that a call of ours ends with."""
    with pytest.raises(DataError) as caught:
        call(*args, **kwargs)
    return str(caught.value)
