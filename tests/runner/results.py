# SPDX-License-Identifier: Apache-2.0
"""What test programs report, read from their logs."""
import dataclasses
import json
import re
import xml.etree.ElementTree as xml

CHECK = re.compile(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)",
                   re.M)
FUZZ = re.compile(r"^(\d+) inputs$", re.M)
UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ", re.M)
UNITTEST_BAD = re.compile(r"^FAILED \((.*)\)", re.M)
UNITTEST_SKIPPED = re.compile(r"^(?:OK|FAILED) \(.*?skipped=(\d+)", re.M)


@dataclasses.dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped


def of_output(output):
    """What a program of Check or unittest, or the driver of the fuzz targets,
    printed; all 0 if nothing."""
    count = Count()
    for ran, failures, errors in CHECK.findall(output):
        bad = int(failures) + int(errors)
        count.add(Count(int(ran) - bad, bad))
    for inputs in FUZZ.findall(output):
        count.passed += int(inputs)
    for ran in UNITTEST_RAN.findall(output):
        count.passed += int(ran)
    for details in UNITTEST_BAD.findall(output):
        bad = sum(int(number) for number in
                  re.findall(r"(?:failures|errors)=(\d+)", details))
        count.add(Count(-bad, bad))
    for skipped in UNITTEST_SKIPPED.findall(output):
        count.add(Count(-int(skipped), 0, int(skipped)))
    return count


def of_program(output, success):
    """The same, for a program that ended with or without success. One that
    ran no test, or that failed though its tests passed, has failed."""
    count = of_output(output)
    if count.failed == 0 and (not success
                              or count.passed + count.skipped == 0):
        count.failed = 1
    return count


def meson_entries(path):
    """(suite, name, success, output) of each test in a testlog.json."""
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        # "aperture:unit / map" or "aperture:unit / map (extra)"
        suite, _, name = entry["name"].partition(" / ")
        suite = suite.partition(":")[2] or suite
        output = entry.get("stdout") or ""
        yield (suite, name, entry["result"] == "OK",
               output + (entry.get("stderr") or ""))


def of_junit(path):
    """pytest's and Swift's report of a whole run."""
    count = Count()
    for case in xml.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            count.failed += 1
        elif case.find("skipped") is not None:
            count.skipped += 1
        else:
            count.passed += 1
    return count
