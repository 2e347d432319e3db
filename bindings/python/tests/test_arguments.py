# SPDX-License-Identifier: Apache-2.0
"""What cannot be meant is refused before it reaches the browser."""
import gc

import pytest

import aperture
from aperture import _handles
from aperture._aperture import ffi


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
