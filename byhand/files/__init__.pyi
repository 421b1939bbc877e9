from .scan import is_large as is_large
from .texts import (
    Wording as Wording,
    read_groups as read_groups,
    texts_in as texts_in,
)
from .writing import replacing as replacing
