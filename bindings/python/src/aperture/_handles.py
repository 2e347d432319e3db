# SPDX-License-Identifier: Apache-2.0
"""Ownership of what the library returns, and failures as exceptions.

Everything above this module deals in Python objects; everything below it is
generated. `Handle` stands for a pointer of the library; cffi gives the
reference back when the last Python object that uses it is gone.
"""
from __future__ import annotations

import concurrent.futures
import functools
import math
import threading
from typing import Any, Callable, Iterable, ParamSpec, TypeVar, Union

from ._aperture import ffi, lib
from ._base import Error
from ._contract import (BY_STATUS, Button, DialogPolicy, ImageFormat, Invalid,
                        Modifier, Until, Verb)

Handle = Any

P = ParamSpec("P")
R = TypeVar("R")


def text(pointer: Any) -> str:
    """A C string; pages write some of them, so nothing in it may fail."""
    if pointer == ffi.NULL:
        return ""
    return ffi.string(pointer).decode("utf-8", "replace")


def native(value: Union[str, bytes, bytearray]) -> Any:
    """A C string that lives as long as the object returned."""
    if not isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"a string is wanted, not {type(value).__name__}")
    data = value.encode("utf-8") if isinstance(value, str) else bytes(value)
    if b"\0" in data:
        raise Invalid("text for the library contains a NUL character")
    return ffi.new("char[]", data)


def native_or_null(value: str | None) -> Any:
    return ffi.NULL if value is None else native(value)


def milliseconds(seconds: float | None) -> int:
    """A time limit; 0, the library's default, stands for None."""
    if seconds is None:
        return 0
    if not 0 < seconds < 4_000_000:
        raise Invalid(f"a time limit of {seconds!r} seconds is out of range")
    return math.ceil(seconds * 1000)


#: The fields whose numbers have names. The library knows no types for them.
ENUMERATIONS: dict[str, type] = {
    "button": Button, "format": ImageFormat, "modifiers": Modifier,
    "on_alert": DialogPolicy, "on_beforeunload": DialogPolicy,
    "on_confirm": DialogPolicy, "until": Until, "verb": Verb,
}


def _wanted(name: str, field: Any) -> str:
    """What a field of an options struct takes, in words."""
    if name in ENUMERATIONS:
        return f"a member of aperture.{ENUMERATIONS[name].__name__}"
    if field.kind == "pointer":
        return "a string" if field.item.cname == "char" \
            else "a list of strings"
    return "a number" if field.cname == "double" else "an integer"


class Options:
    """An options struct of the library, with what it points to.

    A field left out or None keeps the default of the library.
    """

    def __init__(self, kind: str, **fields: Any) -> None:
        self.pointer = ffi.new(f"aper_{kind}_options *")
        self.pointer.size = ffi.sizeof(f"aper_{kind}_options")
        self._strings: list[Any] = []
        self._arrays: list[Any] = []
        types = dict(ffi.typeof(self.pointer).item.fields)
        for name, value in fields.items():
            if value is not None:
                self._set(name, types[name].type, value)

    def _set(self, name: str, field: Any, value: Any) -> None:
        try:
            setattr(self.pointer, name, self._convert(value))
        except TypeError:
            raise TypeError(f"{name} must be {_wanted(name, field)}, not "
                            f"{type(value).__name__}") from None
        except OverflowError:
            raise Invalid(f"{name} is out of range: {value!r}") from None

    def _convert(self, value: Any) -> Any:
        if isinstance(value, (str, bytes, bytearray)):
            self._strings.append(native(value))
            return self._strings[-1]
        if isinstance(value, (list, tuple)):
            items = [self._convert(item) for item in value]
            self._arrays.append(ffi.new("char *[]", items + [ffi.NULL]))
            return self._arrays[-1]
        return value

    def wipe(self) -> None:
        """Overwrite the strings: some of them are secrets."""
        for string in self._strings:
            view = ffi.buffer(string)
            view[:] = bytes(len(view))


def strings(value: Iterable[str] | None) -> list[str] | None:
    if isinstance(value, str):
        raise Invalid("a list of strings is wanted, not one string")
    return None if value is None else list(value)


def exception(status: int, error: Any = ffi.NULL) -> Error:
    """The exception for a failure; error may be NULL."""
    cls = BY_STATUS.get(status, Error)
    if error == ffi.NULL:
        return cls(text(lib.aper_status_get_text(status)), status=status,
                   retryable=bool(lib.aper_status_is_retryable(status)),
                   fatal=bool(lib.aper_status_is_fatal(status)))
    return cls(text(lib.aper_error_get_message(error)), status=status,
               retryable=bool(lib.aper_error_is_retryable(error)),
               fatal=bool(lib.aper_error_is_fatal(error)),
               cdp_method=text(lib.aper_error_get_cdp_method(error)),
               cdp_code=lib.aper_error_get_cdp_code(error))


def check(status: int) -> None:
    """Raise what a status without further detail stands for."""
    if status != lib.APER_OK:
        raise exception(status)


def own(kind: str, pointer: Any) -> Handle:
    """Take over a reference that the library handed out."""
    return ffi.gc(pointer, getattr(lib, f"aper_{kind}_unref"))


def share(kind: str, pointer: Any) -> Handle:
    """Take a reference of our own on something borrowed."""
    return own(kind, getattr(lib, f"aper_{kind}_ref")(pointer))


def call(function: Any, *args: Any) -> None:
    """Call function(*args, ret_error)."""
    ret_error = ffi.new("aper_error **")
    status = function(*args, ret_error)
    error = own("error", ret_error[0])
    if status != lib.APER_OK:
        raise exception(status, error)


def fetch(kind: str, function: Any, *args: Any) -> Handle:
    """Call function(*args, ret_result, ret_error) and own the result."""
    ret_result = ffi.new(f"aper_{kind} **")
    call(function, *args, ret_result)
    return own(kind, ret_result[0])


def fetch_now(kind: str, function: Any, *args: Any) -> Handle:
    """The same for a call that never blocks and gives no error object."""
    ret_result = ffi.new(f"aper_{kind} **")
    check(function(*args, ret_result))
    return own(kind, ret_result[0])


def interruptible(function: Callable[P, R]) -> Callable[P, R]:
    """Let Ctrl-C end the wait for a call that blocks in the library.

    Python runs signal handlers in the main thread, and only between two of
    its own instructions. So the main thread waits for the result where it can
    be interrupted, and another thread makes the call. An abandoned call goes
    on until its deadline, or until the browser is closed; its result is
    released.
    """

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        if threading.current_thread() is not threading.main_thread():
            return function(*args, **kwargs)
        outcome: concurrent.futures.Future[R] = concurrent.futures.Future()
        threading.Thread(target=_work, name="aperture", daemon=True,
                         args=(outcome, function, args, kwargs)).start()
        try:
            return outcome.result()
        finally:
            # The traceback of a failure refers to this frame, and the outcome
            # to the failure: left alone they keep each other alive.
            del outcome

    return wrapper


def _work(outcome: concurrent.futures.Future[Any], function: Any,
          args: Any, kwargs: Any) -> None:
    try:
        outcome.set_result(function(*args, **kwargs))
    except BaseException as failure:
        outcome.set_exception(failure)
    finally:
        del outcome
