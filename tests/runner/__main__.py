# SPDX-License-Identifier: Apache-2.0
"""Runs the suites that tests/run asks for and adds up what they report."""
import argparse
import pathlib
import signal
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import suites  # noqa: E402
from context import ROOT, Context, Failed, Skipped, say  # noqa: E402
from results import Count  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(prog="tests/run")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--no-install", action="store_true")
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build-run")
    parser.add_argument("--fuzz-seconds", type=int, default=60)
    given = parser.parse_args()
    unknown = set(given.only) - set(suites.ALL)
    if unknown:
        parser.error("no such suite: " + ", ".join(sorted(unknown)))
    return given


def run_suite(context, name):
    suite = suites.ALL[name]
    say(f"== {name}: {suite.what}")
    start = time.monotonic()
    before = len(context.rows)
    try:
        suite.function(context)
        if len(context.rows) == before:
            raise Failed("it ran no test")
    except Skipped as reason:
        say(f"SKIPPED {name}: {reason}")
        context.row(name, Count(), note=f"SKIPPED: {reason}")
    except Failed as reason:
        say(f"FAILED {name}: {reason}")
        context.row(name, Count(0, 1), time.monotonic() - start, str(reason))
    except Exception as fault:  # a fault here must not hide other suites
        traceback.print_exc(file=sys.stdout)
        context.row(name, Count(0, 1), time.monotonic() - start, repr(fault))
    say(f"== {name} took {time.monotonic() - start:.0f} s")


def print_table(rows):
    width = max(len(row.name) for row in rows)
    say(f"\n{'suite':{width}} passed failed seconds")
    for row in rows:
        say(f"{row.name:{width}} {row.count.passed:6} {row.count.failed:6} "
            f"{row.seconds:7.0f} {row.note}".rstrip())


def main():
    given = arguments()
    if given.list:
        for name, suite in suites.ALL.items():
            note = "" if suite.default else " (only by name)"
            say(f"{name:10} {suite.what}{note}")
        return 0
    # An interrupt ends the command that runs, and with it all it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    names = given.only or [
        name for name, suite in suites.ALL.items()
        if (suite.quick if given.quick else suite.default)]
    context = Context(given.build_dir.resolve(), given.fuzz_seconds)
    for name in names:
        run_suite(context, name)
    print_table(context.rows)
    total = Count()
    for row in context.rows:
        total.add(row.count)
    say(f"{total.passed} passed, {total.failed} failed")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
