# SPDX-License-Identifier: Apache-2.0
"""What cannot be meant is refused before it reaches the browser."""
import gc

import pytest

import aperture
from aperture import _handles
from aperture._aperture import ffi
from aperture._verbs import ref_of


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 1e7])
def test_a_senseless_time_limit_is_refused(timeout):
    with pytest.raises(aperture.Invalid):
        _handles.milliseconds(timeout)


@pytest.mark.parametrize("seconds, milliseconds", [
    (None, 0), (0.0001, 1), (1, 1000), (1.5, 1500)])
def test_a_time_limit_never_becomes_the_default(seconds, milliseconds):
    assert _handles.milliseconds(seconds) == milliseconds


def test_text_with_a_nul_is_refused():
    with pytest.raises(aperture.Invalid):
        _handles.native("a\0b")


def test_one_string_is_not_a_list():
    with pytest.raises(aperture.Invalid):
        _handles.strings("example.org")


@pytest.mark.parametrize("kind, fields, words", [
    ("screenshot", {"format": "bmp"},
     "format must be a member of aperture.ImageFormat, not str"),
    ("policy", {"on_alert": "accept"},
     "on_alert must be a member of aperture.DialogPolicy, not str"),
    ("navigate", {"until": "load"},
     "until must be a member of aperture.Until, not str"),
    ("screenshot", {"max_edge": 1.5}, "max_edge must be an integer, not float"),
    ("launch", {"proxy": 1080}, "proxy must be a string, not int"),
    ("launch", {"extra_args": [1]},
     "extra_args must be a list of strings, not list"),
    ("act", {"delta_x": "far"}, "delta_x must be a number, not str"),
])
def test_an_argument_of_the_wrong_type_is_named(kind, fields, words):
    with pytest.raises(TypeError) as caught:
        _handles.Options(kind, **fields)
    assert str(caught.value) == words


@pytest.mark.parametrize("name", _handles.ENUMERATIONS)
def test_a_named_number_is_a_field_of_some_options(name):
    assert any(name in dict(ffi.typeof(f"aper_{kind}_options").fields)
               for kind in ("act", "navigate", "policy", "screenshot"))


@pytest.mark.parametrize("number", [-1, 2 ** 32])
def test_a_number_that_does_not_fit_is_named(number):
    with pytest.raises(aperture.Invalid) as caught:
        _handles.Options("screenshot", max_edge=number)
    assert caught.value.message == f"max_edge is out of range: {number}"


def test_an_element_is_named_by_a_node_or_a_ref():
    with pytest.raises(TypeError, match="a node of a snapshot or its ref"):
        ref_of(5)


def test_a_number_is_no_address():
    with pytest.raises(TypeError, match="a string is wanted, not int"):
        _handles.native(5)


def test_options_keep_alive_what_they_point_to():
    options = _handles.Options("policy", deny_private=True,
                               deny_hosts=["a.example", "b.example"])
    gc.collect()
    hosts = options.pointer.deny_hosts
    assert [ffi.string(hosts[i]) for i in range(2)] \
        == [b"a.example", b"b.example"]
    assert hosts[2] == ffi.NULL
    assert options.pointer.allow_hosts == ffi.NULL
    assert options.pointer.size == ffi.sizeof("aper_policy_options")


def test_secrets_are_overwritten():
    options = _handles.Options("attach", bearer_token=bytearray(b"secret"),
                               headers=["Cookie: secret"])
    options.wipe()
    assert ffi.buffer(options.pointer.bearer_token, 6)[:] == bytes(6)
    assert ffi.buffer(options.pointer.headers[0], 14)[:] == bytes(14)


def test_invalid_bytes_of_a_page_do_not_raise():
    assert _handles.text(ffi.new("char[]", b"a\xffb")) == "a\ufffdb"


def test_a_browser_that_is_not_there_is_not_found(launch):
    with pytest.raises(aperture.NotFound) as caught:
        launch(executable="/nonexistent/chromium")
    assert "/nonexistent/chromium" in caught.value.message


def test_an_endpoint_that_nobody_serves_cannot_be_reached(free_port):
    with pytest.raises(aperture.Connect) as caught:
        aperture.attach(free_port)
    assert str(free_port) in caught.value.message
