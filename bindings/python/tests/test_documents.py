# SPDX-License-Identifier: Apache-2.0
"""What is written down is there, and true."""
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import aperture
import aperture.aio

BINDING = pathlib.Path(__file__).parent.parent
PACKAGE = pathlib.Path(aperture.__file__).parent
EXAMPLES = re.findall(r"```python\n(.*?)```",
                      (BINDING / "README.md").read_text(encoding="utf-8"),
                      re.S)


def public_objects():
    for module in (aperture, aperture.aio):
        yield module.__name__, module
        for name in module.__all__:
            thing = getattr(module, name)
            yield f"{module.__name__}.{name}", thing
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (
                            callable(value) or isinstance(
                                value, (property, classmethod))):
                        yield f"{module.__name__}.{name}.{member}", value


def test_everything_public_has_a_docstring():
    bare = [name for name, thing in public_objects()
            if not (inspect.getdoc(thing) or "").strip()]
    assert not bare


def test_everything_public_is_listed():
    listed = set(aperture.__all__)
    for name, thing in vars(aperture).items():
        if not name.startswith("_") and not inspect.ismodule(thing):
            assert name in listed


def test_asynchronous_classes_can_do_the_same():
    names = {name for name in dir(aperture.Tab) if name[0] != "_"}
    assert names == {name for name in dir(aperture.aio.AsyncTab)
                     if name[0] != "_"}
    names = {name for name in dir(aperture.Browser) if name[0] != "_"}
    # Events of an asynchronous browser come from its iterator alone.
    assert names - {"next_event"} == {
        name for name in dir(aperture.aio.AsyncBrowser) if name[0] != "_"}


@pytest.mark.parametrize("name", ["Tab", "Browser"])
def test_asynchronous_methods_take_the_same_arguments(name):
    blocking = getattr(aperture, name)
    asynchronous = getattr(aperture.aio, "Async" + name)
    for member, function in inspect.getmembers(asynchronous,
                                               inspect.isroutine):
        if member[0] == "_" or member == "events":
            continue
        ours = inspect.signature(function).parameters
        theirs = inspect.signature(getattr(blocking, member)).parameters
        assert list(ours.values()) == list(theirs.values()), member


@pytest.mark.parametrize("example", EXAMPLES, ids=["blocking", "asyncio"])
def test_the_examples_of_the_readme_run(example, site, tmp_path):
    program = tmp_path / "example.py"
    program.write_text(example, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-W", "error", program, site("/form.html")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 0, run.stderr
    assert "Greeting desk" in run.stdout


def test_the_readme_has_examples():
    assert len(EXAMPLES) == 2


def test_the_package_is_typed():
    pytest.importorskip("mypy")
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-version=3.10",
         "--cache-dir=/dev/null", str(PACKAGE)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert run.returncode == 0, run.stdout


def test_type_information_is_installed():
    assert (PACKAGE / "py.typed").exists()
    assert (PACKAGE / "_aperture.pyi").exists()
