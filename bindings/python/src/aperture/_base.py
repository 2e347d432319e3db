# SPDX-License-Identifier: Apache-2.0
"""What the generated exceptions and enumerations build on."""
from __future__ import annotations

import enum


class Error(Exception):
    """A call failed. Each status of the library has a subclass; a status that
    this version does not know raises this class itself."""

    #: Negative number of the failure.
    status: int = 0

    def __init__(self, message: str, *, status: int | None = None,
                 retryable: bool = False, fatal: bool = False,
                 cdp_method: str = "", cdp_code: int = 0) -> None:
        super().__init__(message)
        #: What failed, on what, and what to do about it.
        self.message = message
        if status is not None:
            self.status = status
        #: Whether the same call may succeed when simply made again.
        self.retryable = retryable
        #: Whether the object that was called is of no more use.
        self.fatal = fatal
        #: The command that the browser refused, "" if none.
        self.cdp_method = cdp_method
        #: The code that the browser gave for it, 0 if none.
        self.cdp_code = cdp_code


class OpenEnum(enum.IntEnum):
    """An enumeration to which a newer library may add members."""

    @classmethod
    def _missing_(cls, value: object) -> OpenEnum | None:
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        return member
