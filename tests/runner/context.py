# SPDX-License-Identifier: Apache-2.0
"""What suites share: where things are, and how commands are run."""
import dataclasses
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

import results
from results import Count

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TAIL = 60


class Failed(Exception):
    """A suite could not be run to its end; the text says why."""


class Skipped(Exception):
    """An optional suite cannot be run here; the text says why."""


@dataclasses.dataclass
class Row:
    name: str
    count: Count
    seconds: float = 0
    note: str = ""


def say(text):
    print(text, flush=True)


def show_tail(text, lines=TAIL):
    for line in text.splitlines()[-lines:]:
        say("    " + line)


class Context:
    def __init__(self, build_dir, fuzz_seconds):
        self.build = build_dir
        self.fuzz_seconds = fuzz_seconds
        self.rows = []
        self.built = {}
        self.is_installed = False
        self.prefix = build_dir / "prefix"
        (build_dir / "logs").mkdir(parents=True, exist_ok=True)

    def log(self, name):
        return self.build / "logs" / (name.replace(" ", "-") + ".log")

    def run(self, name, command, env=None, cwd=ROOT, timeout=900):
        """Runs a command and returns whether it succeeded and its output,
        which also goes to a log. Nothing it started outlives it."""
        log = self.log(name)
        environment = dict(os.environ, **(env or {}))
        environment = {key: value for key, value in environment.items()
                       if value is not None}
        with log.open("w", encoding="utf-8") as file:
            file.write("$ " + shlex.join(map(str, command)) + "\n")
            file.flush()
            child = subprocess.Popen(
                list(map(str, command)), cwd=cwd, env=environment,
                stdin=subprocess.DEVNULL, stdout=file,
                stderr=subprocess.STDOUT, start_new_session=True)
            try:
                code = child.wait(timeout)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                child.wait()
        output = log.read_text(encoding="utf-8", errors="replace")
        if code is None:
            output += f"\nstopped: not finished after {timeout} seconds\n"
        return code == 0, output

    def must(self, name, command, **options):
        success, output = self.run(name, command, **options)
        if not success:
            show_tail(output)
            raise Failed(f"{name} failed, see {self.log(name)}")
        return output

    def meson(self, name, *options, env=None):
        """Configures and builds the tree in build_dir/name, once a run."""
        directory = self.build / name
        if name in self.built:
            if self.built[name] is not None:
                raise Failed(self.built[name])
            return directory
        self.built[name] = f"the build {name} failed"
        if not (directory / "build.ninja").exists():
            shutil.rmtree(directory, ignore_errors=True)
            self.must(name + "-setup",
                      ["meson", "setup", directory, ROOT, *options], env=env)
        self.must(name + "-build", ["ninja", "-C", directory], timeout=1200)
        self.built[name] = None
        return directory

    def main_build(self):
        return self.meson("gcc", f"--prefix={self.prefix}", "-Dwerror=true")

    def installed(self):
        """The main build, installed into the prefix. Returns the environment
        in which programs find it."""
        directory = self.main_build()
        if not self.is_installed:
            shutil.rmtree(self.prefix, ignore_errors=True)
            self.must("meson-install", ["meson", "install", "-C", directory])
            self.is_installed = True
        libdir = next(self.prefix.rglob("aperture.pc")).parent.parent
        return {"PKG_CONFIG_PATH": str(libdir / "pkgconfig"),
                "LD_LIBRARY_PATH": str(libdir),
                "MANPATH": str(self.prefix / "share/man") + ":"}

    def row(self, name, count, seconds=0, note=""):
        if count.skipped:
            note = f"{count.skipped} skipped" + (note and "; " + note)
        self.rows.append(Row(name, count, seconds, note))

    def meson_test(self, prefix, directory, suites, *options, env=None):
        """Runs meson tests and adds a row for each of their suites."""
        # With --setup=x it is testlog-x.json.
        logs = directory / "meson-logs"
        for log in logs.glob("testlog*.json"):
            log.unlink()
        start = time.monotonic()
        _, output = self.run(
            prefix + "meson-test",
            ["meson", "test", "-C", directory, "--no-rebuild", *options,
             *(part for suite in suites for part in ("--suite", suite))],
            env=env, timeout=1500)
        log = next(logs.glob("testlog*.json"), None)
        if log is None:
            show_tail(output)
            raise Failed("meson test ran no test")
        counts = {suite: Count() for suite in suites}
        for suite, name, success, text in results.meson_entries(log):
            count = results.of_program(text, success)
            counts.setdefault(suite, Count()).add(count)
            if count.failed:
                silent = success and not results.of_output(text).failed
                say(f"--- {prefix}{suite} / {name}: {count.failed} failed"
                    + (" (it reported no test)" if silent else ""))
                show_tail(text)
        seconds = time.monotonic() - start
        for suite, count in counts.items():
            missing = count == Count()
            self.row(prefix + suite, Count(0, 1) if missing else count,
                     seconds, "it has no test" if missing else "")
            seconds = 0


def has(program):
    return shutil.which(program) is not None


def python():
    return sys.executable
