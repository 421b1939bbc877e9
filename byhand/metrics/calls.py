"""Checks of the arguments of public functions, with hints for names that other tools use."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from types import MappingProxyType
from typing import Any, TypeVar, cast

from byhand.duplicates import Reading
from byhand.errors import both

_Function = TypeVar("_Function", bound=Callable)
# other tools' names for `relevant_from`
_LOWEST = {"threshold", "rel_threshold", "relevance_threshold", "relevance_level", "min_rel", "rel"}


def answering(
    instead: Mapping[str, str] = MappingProxyType({}), usage: str = ""
) -> Callable[[_Function], _Function]:
    """Make a decorator that raises a helpful TypeError if the arguments do not fit.

    Args:
        instead: the hint for each option of other tools; no hints by default.
        usage: the hint for a call with too few or too many arguments; help(name) by default.
    """

    def decorated(function: _Function) -> _Function:
        @wraps(function)
        def answered(*args: Any, **options: Any) -> Any:
            _check_options(function, options, instead)
            try:
                signature(function).bind(*args, **options)
            except TypeError as error:
                name = function.__name__
                hint = usage.replace("{name}", name) or f"See help({name})."
                raise TypeError(f"{name}: {error}. {hint}") from None
            return function(*args, **options)

        return cast(_Function, answered)

    return decorated


def _check_options(
    function: Callable, given: Mapping[str, object], instead: Mapping[str, str]
) -> None:
    parameters = signature(function).parameters.values()
    options = [each.name for each in parameters if each.kind is not Parameter.VAR_KEYWORD]
    if len(options) < len(parameters):
        options = [*dict.fromkeys([*options, *Reading.__annotations__])]
    for name in given.keys() - options:
        near = get_close_matches(name, options, n=1)
        hint = instead.get(name) or (f"Did you mean {near[0]}?" if near else "")
        if name in _LOWEST and "relevant_from" in options:
            hint = f"Pass relevant_from={given[name]!r} for the lowest grade that is relevant."
        raise TypeError(
            f"{function.__name__} has no option {name}. {hint + ' ' * bool(hint)}"
            f"The options are {both(options)}."
        )
