# SPDX-License-Identifier: Apache-2.0
"""Classes follow the header: nothing is missing, nothing unknown breaks."""
import enum
import inspect

import pytest

import aperture
from aperture import _contract, _handles
from aperture._aperture import lib

CODES = [name for name in dir(lib) if name.startswith("APER_E_")]
NO_MEMBERS = {"APER_OK", "APER_NODE_NONE", "APER_BUDGET_UNLIMITED"}


@pytest.mark.parametrize("name", CODES)
def test_every_status_has_an_exception_of_its_own(name):
    status = getattr(lib, name)
    cls = _contract.BY_STATUS[status]
    assert issubclass(cls, aperture.Error) and cls is not aperture.Error
    assert cls.status == status
    assert getattr(aperture, cls.__name__) is cls
    with pytest.raises(cls) as caught:
        _handles.check(status)
    text = _handles.text(lib.aper_status_get_text(status))
    assert str(caught.value) == caught.value.message == text


def test_there_are_as_many_exceptions_as_codes():
    classes = [cls for cls in vars(_contract).values()
               if inspect.isclass(cls) and issubclass(cls, aperture.Error)
               and cls is not aperture.Error]
    assert len(classes) == len(CODES) > 30


def test_an_unknown_status_is_the_base_class():
    error = _handles.exception(-12345)
    assert type(error) is aperture.Error
    assert error.status == -12345


@pytest.mark.parametrize("name", [
    name for name in dir(lib)
    if name.startswith("APER_") and name not in NO_MEMBERS
    and not name.startswith(("APER_E_", "APER_VERSION_"))])
def test_every_constant_is_a_member(name):
    value = getattr(lib, name)
    members = [member for cls in vars(_contract).values()
               if inspect.isclass(cls)
               and issubclass(cls, (enum.IntEnum, enum.IntFlag))
               for member in cls if name.endswith("_" + member.name)
               and member.value == value]
    assert members


def test_a_value_of_a_newer_library_is_kept():
    kind = aperture.EventKind(4711)
    assert kind == 4711
    assert kind.name == "UNKNOWN_4711"


def test_exceptions_are_caught_as_what_python_calls_them():
    assert issubclass(aperture.Timeout, TimeoutError)
    assert issubclass(aperture.Invalid, ValueError)
    assert issubclass(aperture.NoMemory, MemoryError)
