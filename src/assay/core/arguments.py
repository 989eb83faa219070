"""Messages for arguments that a function of the library does not take."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec, TypeVar

from assay.core.errors import UsageError, did_you_mean

Parameters = ParamSpec("Parameters")
Found = TypeVar("Found")


class UnknownArgument(UsageError, TypeError):
    """A function was called with arguments that it does not take."""

    def __init__(self, name: str, known: Iterable[str], where: str = "") -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(
            f"{where}{where and ': '}there is no argument '{name}' (there are"
            f" {', '.join(self.known)}).{did_you_mean(name, self.known)}"
        )


def explains_arguments(function: Callable[Parameters, Found]) -> Callable[Parameters, Found]:
    """Say which arguments a function takes, where it is called with others."""

    @functools.wraps(function)
    def call(*args: Parameters.args, **keywords: Parameters.kwargs) -> Found:
        """Call the function."""
        try:
            return function(*args, **keywords)
        except UnknownArgument as failure:
            raise _with_all_names(function, failure) from None
        except TypeError:
            _check_arguments(function, args, keywords)
            raise

    return call


def _check_arguments(function: Callable[..., Any], args: Any, keywords: Any) -> None:
    """Raise an error that names the arguments of the function, if these cannot be its."""
    signature = inspect.signature(function)
    names = _names(signature)
    open_ended = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())
    for name in () if open_ended else keywords:
        if name not in names:
            raise UnknownArgument(name, names, function.__name__) from None
    try:
        signature.bind(*args, **keywords)
    except TypeError as failure:
        raise UsageError(
            f"{function.__name__}: {failure}; its arguments are {', '.join(names)}"
        ) from None


def _with_all_names(function: Callable[..., Any], failure: UnknownArgument) -> UnknownArgument:
    """Return the error with the arguments of the function before its further ones."""
    names = dict.fromkeys([*_names(inspect.signature(function)), *failure.known])
    return UnknownArgument(failure.name, names, function.__name__)


def _names(signature: inspect.Signature) -> list[str]:
    parameters = signature.parameters.values()
    return [
        each.name for each in parameters if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    ]
