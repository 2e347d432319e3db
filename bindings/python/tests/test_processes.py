# SPDX-License-Identifier: Apache-2.0
"""Threads, forks, signals, and a library of another version."""
import concurrent.futures
import gc
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import textwrap
import weakref

import pytest

import aperture
from aperture import _handles


def python(program, *arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_many_threads_use_many_tabs(browser, site):
    def work(name):
        with browser.open(site("/form.html")) as tab:
            page = tab.snapshot()
            for turn in range(3):
                text = f"thread {name} turn {turn}"
                tab.fill(page.find("Name", role="textbox"), text)
                result = tab.click(page.find("Greet", role="button"))
                assert f"Hello {text}!" in result.snapshot.text
        return name

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(work, range(8))) == list(range(8))


def test_other_threads_run_while_a_call_blocks(browser, tab, site):
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        hanging = pool.submit(tab.navigate, site("/hang"), timeout=60)
        with browser.open(site("/second.html")) as other:
            assert other.snapshot().title == "Second page"
        assert not hanging.done()
        tab.close()
        with pytest.raises(aperture.Closed):
            hanging.result()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_is_told_so(tab):
    child = os.fork()
    if child == 0:
        # Nothing here may run the cleanup of the parent's pytest.
        try:
            tab.snapshot()
        except aperture.Forked:
            os._exit(42)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42
    assert tab.snapshot().title == "Greeting desk"


def test_a_forked_child_that_ends_leaves_the_browser_alone(site):
    program = python("""
        import os, sys
        import aperture
        with aperture.launch(no_sandbox=os.geteuid() == 0) as browser:
            tab = browser.open(sys.argv[1])
            child = os.fork()
            if child == 0:
                sys.exit(7)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            print(tab.snapshot().title)
        """, site("/form.html"))
    out, err = program.communicate()
    assert out.split("\n")[:2] == ["7", "Greeting desk"], err


def test_ctrl_c_interrupts_a_call_that_hangs(site):
    site.asked.clear()
    program = python("""
        import os, signal, sys
        import aperture
        # Whoever runs the tests in the background ignores it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with aperture.launch(no_sandbox=os.geteuid() == 0) as browser:
            tab = browser.open()
            print(browser.pid, flush=True)
            try:
                tab.navigate(sys.argv[1], timeout=3600)
            except KeyboardInterrupt:
                print("interrupted")
        """, site("/hang"))
    pid = int(program.stdout.readline())
    assert site.asked.wait(60)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate()
    assert out == "interrupted\n", err
    assert not pathlib.Path(f"/proc/{pid}").exists()


def test_the_main_thread_makes_no_blocking_call_itself():
    import threading

    @_handles.interruptible
    def where():
        return threading.current_thread()

    assert where() is not threading.main_thread()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        thread = pool.submit(threading.current_thread).result()
        assert pool.submit(where).result() is thread


def test_a_failure_keeps_nothing_alive():
    @_handles.interruptible
    def fail(argument):
        raise KeyError

    class Argument:
        pass

    argument = Argument()
    alive = weakref.ref(argument)
    with pytest.raises(KeyError):
        fail(argument)
    gc.disable()
    try:
        del argument
        assert alive() is None
    finally:
        gc.enable()


def import_with_library_of(number, tmp_path):
    compiler = shutil.which("cc") or pytest.skip("no C compiler")
    source = tmp_path / "other.c"
    source.write_text("unsigned aper_version_get_number(void)"
                      f" {{ return {number}; }}\n")
    library = tmp_path / "other.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source],
                   check=True)
    preload = f"{library} {os.environ.get('LD_PRELOAD', '')}"
    program = python("import aperture",
                     env=dict(os.environ, LD_PRELOAD=preload))
    _, err = program.communicate()
    return program.returncode, err


@pytest.mark.parametrize("number", [2003004, 999999])
def test_an_older_library_or_another_major_version_is_refused(number,
                                                              tmp_path):
    status, err = import_with_library_of(number, tmp_path)
    assert status == 1
    assert "ImportError: aperture was built for libaperture" in err


def test_a_later_library_of_the_same_major_version_is_taken(tmp_path):
    status, err = import_with_library_of(1999000, tmp_path)
    assert (status, err) == (0, "")
