# SPDX-License-Identifier: Apache-2.0
"""What the library must never call, as it belongs to the program: standard
output, signal handlers, the locale, the environment, other people's children.
"""
import pathlib
import tempfile
import unittest

import surface

NEVER = {
    "printf", "vprintf", "puts", "putchar", "perror", "__printf_chk",
    "__vprintf_chk", "stdout", "signal", "bsd_signal", "sysv_signal",
    "__sysv_signal", "setlocale", "setenv", "putenv", "unsetenv", "clearenv",
    "system", "popen", "wait", "wait3", "exit", "gets", "strcpy", "strcat",
    "sprintf", "__sprintf_chk", "strtok", "atexit", "on_exit", "chdir",
    "umask", "srand", "rand",
}


def forbidden(library):
    output = surface.must("nm", "-D", "--undefined-only", library)
    used = {line.split()[-1].partition("@")[0]
            for line in output.splitlines()}
    return sorted(used & NEVER)


class Gate(unittest.TestCase):
    def test_library_calls_nothing_that_belongs_to_the_program(self):
        self.assertEqual(forbidden(surface.library()), [])


class GateOfTheGate(unittest.TestCase):
    def test_printing_and_environment_are_seen(self):
        with tempfile.TemporaryDirectory() as directory:
            library = surface.stub_library(
                pathlib.Path(directory), private="#include <stdio.h>\n"
                "#include <stdlib.h>\nvoid extra(void);\nvoid extra(void) "
                '{ printf("%d", setenv("a", "b", 1)); }\n'
                "void (*keep)(void) = extra;")
            self.assertEqual(forbidden(library), ["printf", "setenv"])


if __name__ == "__main__":
    unittest.main()
