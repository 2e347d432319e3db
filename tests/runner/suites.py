# SPDX-License-Identifier: Apache-2.0
"""The suites. Each adds rows to the context, or says why it cannot."""
import dataclasses
import os
import shutil
import time
import typing

import results
from context import ROOT, Context, Failed, Skipped, has, python, show_tail
from results import Count

SANITIZER_ENV = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:"
                    "detect_stack_use_after_return=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    # The I/O thread is joined when the library is unloaded, which is after
    # ThreadSanitizer looks.
    "TSAN_OPTIONS": "halt_on_error=1:report_thread_leaks=0",
}
C_SUITES = ["unit", "api", "replay", "browser", "fuzz"]
GATES = ["abi", "docs", "style"]


def suite_c(context):
    context.meson_test("", context.main_build(), C_SUITES)


def suite_gates(context):
    context.meson_test("", context.main_build(), GATES)


def suite_asan(context):
    directory = context.meson(
        "asan", "-Db_sanitize=address,undefined", "-Db_lundef=false",
        "--buildtype=debug", "-Dpython=disabled", "-Dexamples=false")
    context.meson_test("asan ", directory, C_SUITES, "-t", "4",
                       env=SANITIZER_ENV)


def suite_tsan(context):
    directory = context.meson(
        "tsan", "-Db_sanitize=thread", "-Db_lundef=false",
        "--buildtype=debug", "-Dpython=disabled", "-Dexamples=false")
    # Meson's limits and those of Check, as everything takes many times longer.
    context.meson_test("tsan ", directory, ["unit", "api", "replay"],
                       "-t", "4",
                       env=dict(SANITIZER_ENV, CK_TIMEOUT_MULTIPLIER="4"))


def suite_valgrind(context):
    if not has("valgrind"):
        raise Failed("valgrind is not installed")
    context.meson_test("valgrind ", context.main_build(),
                       ["unit", "replay"], "--setup=valgrind")


def suite_install(context):
    unittest(context, "install", [ROOT / "tests/install/install.py"],
             env=dict(context.installed(),
                      APERTURE_BUILD=str(context.main_build()),
                      APERTURE_PREFIX=str(context.prefix)))


def suite_examples(context):
    unittest(context, "examples", [ROOT / "tests/examples/examples.py"],
             env=dict(context.installed(),
                      APERTURE_BUILD=str(context.main_build())))
    readme(context, "C")


def readme(context, language, **env):
    unittest(context, f"readme {language}",
             [ROOT / "tests/examples/readme.py", language],
             env=dict(context.installed(),
                      APERTURE_BUILD=str(context.main_build()), **env))


def unittest(context, name, command, env):
    start = time.monotonic()
    success, output = context.run(name, [python(), *command], env=env)
    count = results.of_program(output, success)
    if count.failed:
        show_tail(output)
    context.row(name, count, time.monotonic() - start)


def suite_python(context):
    environment = context.installed()
    if not (ROOT / "bindings/python/pyproject.toml").exists():
        raise Failed("bindings/python has no pyproject.toml")
    # Built from a copy of the tree, as pip writes beside the sources: once
    # with the library of the tree and once with the installed one.
    tree = context.build / "python-tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(
        ".git", ".build", "build*", "__pycache__"), symlinks=True)
    package = tree / "bindings/python"
    with_tree = make_venv(context, "python-tree-install", package, {})
    with_system = make_venv(context, "python-install", package,
                            dict(environment, APERTURE_SYSTEM="1"))
    start = time.monotonic()
    report = context.build / "logs/python.xml"
    report.unlink(missing_ok=True)
    success, output = context.run(
        "python", [with_system, "-m", "pytest", "-p", "no:cacheprovider",
                   f"--junitxml={report}", package / "tests"],
        env=environment, cwd=context.build)
    add_report(context, "python", success, output, [report],
               time.monotonic() - start)
    readme(context, "Python", APERTURE_PYTHON=with_tree)


def make_venv(context, name, package, env):
    """A virtual environment with the package; returns its Python."""
    venv = context.build / ("venv-" + name)
    shutil.rmtree(venv, ignore_errors=True)
    context.must(name + "-venv", [python(), "-m", "venv",
                                  "--system-site-packages", venv])
    context.must(name, [venv / "bin/pip", "install", "--no-build-isolation",
                        "--no-deps", "--no-index", package], env=env)
    return str(venv / "bin/python")


def suite_swift(context):
    if not has("swift"):
        raise Skipped("no swift on PATH")
    if not (ROOT / "bindings/swift/Package.swift").exists():
        raise Failed("bindings/swift has no Package.swift")
    environment = context.installed()
    scratch = context.build / "swift"
    package = ["--package-path", ROOT / "bindings/swift",
               "--scratch-path", scratch]
    context.must("swift-build", ["swift", "build", "--build-tests", *package],
                 env=environment, timeout=1200)
    start = time.monotonic()
    # Swift writes one file for each of its two test libraries.
    reports = [context.build / "logs/swift.xml",
               context.build / "logs/swift-swift-testing.xml"]
    for report in reports:
        report.unlink(missing_ok=True)
    success, output = context.run(
        "swift", ["swift", "test", "--skip-build", "--parallel",
                  "--num-workers", "1", f"--xunit-output={reports[0]}",
                  *package], env=environment, timeout=900)
    add_report(context, "swift", success, output, reports,
               time.monotonic() - start)
    readme(context, "Swift",
           APERTURE_SCRATCH=str(context.build / "quickstart-swift"))


def add_report(context, name, success, output, reports, seconds):
    count = Count()
    for report in reports:
        if report.exists():
            count.add(results.of_junit(report))
    if count.failed == 0 and (not success or count.passed == 0):
        count.failed = 1
    if count.failed:
        show_tail(output)
    context.row(name, count, seconds)


def suite_fuzz_long(context):
    directory = context.meson(
        "fuzz", "-Dfuzz=true", "-Db_sanitize=address,undefined",
        "-Db_lundef=false", "--buildtype=debugoptimized", "-Dpython=disabled",
        "-Dexamples=false", "-Dtests=true", env={"CC": "clang"})
    targets = sorted(path for path in (directory / "tests/fuzz").iterdir()
                     if path.name.startswith("fuzz-") and path.is_file()
                     and os.access(path, os.X_OK))
    for target in targets:
        name = target.name.removeprefix("fuzz-")
        corpus = context.build / "corpus" / name
        corpus.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        success, output = context.run(
            target.name,
            [target, f"-max_total_time={context.fuzz_seconds}",
             f"-artifact_prefix={context.build / 'logs'}/{name}-", corpus,
             ROOT / "tests/fuzz/corpus" / name],
            env=SANITIZER_ENV, timeout=context.fuzz_seconds + 300)
        if not success:
            show_tail(output)
        context.row(target.name, Count(int(success), int(not success)),
                    time.monotonic() - start)


@dataclasses.dataclass
class Suite:
    what: str
    function: typing.Callable[[Context], None]
    default: bool = True
    quick: bool = False


ALL = {
    "gates": Suite("ABI, header, document and style checks", suite_gates,
                   quick=True),
    "c": Suite("unit, api, replay, browser tests and fuzz corpora", suite_c),
    "install": Suite("C and C++ programs against the installed files",
                     suite_install, quick=True),
    "examples": Suite("the example programs, the demo, the README",
                      suite_examples),
    "python": Suite("the Python package", suite_python),
    "swift": Suite("the Swift package; skipped without swift", suite_swift),
    "asan": Suite("the suite c with ASan, UBSan and LeakSanitizer",
                  suite_asan),
    "tsan": Suite("unit, api and replay tests with ThreadSanitizer",
                  suite_tsan, default=False),
    "valgrind": Suite("unit and replay tests under valgrind",
                      suite_valgrind, default=False),
    "fuzz-long": Suite("each fuzz target for a while", suite_fuzz_long,
                       default=False),
}
