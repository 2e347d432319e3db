# SPDX-License-Identifier: Apache-2.0
"""Programs outside of the tree build and run against the installed files, by
pkg-config alone. Needs APERTURE_BUILD, APERTURE_PREFIX and PKG_CONFIG_PATH."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["APERTURE_BUILD"])
PREFIX = pathlib.Path(os.environ["APERTURE_PREFIX"])
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = r"""
#include <aperture/aperture.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    aper_browser *browser = NULL;
    aper_error *error = NULL;
    aper_status status = aper_browser_attach("", NULL, &browser, &error);

    if (aper_version_get_number() != APER_VERSION_NUMBER)
        return 1;
    if (status != APER_E_INVAL || browser || !error
        || aper_error_get_status(error) != status
        || strcmp(aper_status_get_name(status), "APER_E_INVAL") != 0)
        return 2;
    aper_error_unref(error);
    puts(aper_version_get_text());
    return 0;
}
"""


def run(*command, **options):
    result = subprocess.run(list(map(str, command)), text=True, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            **options)
    if result.returncode:
        raise AssertionError(f"{command} failed:\n{result.stdout}")
    return result.stdout


def pkg_config(*arguments):
    return run("pkg-config", *arguments, "aperture").split()


def relative_files(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*")
                  if not path.is_dir())


class Installed(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def build_and_run(self, name, compiler, standard, flags, **options):
        source = self.directory / name
        source.write_text(PROGRAM, encoding="utf-8")
        program = self.directory / "program"
        run(compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror",
            "-pedantic", source, "-o", program, *flags)
        self.assertEqual(run(program, **options).strip(),
                         pkg_config("--modversion")[0])
        return program

    def test_c99_program_builds_and_runs(self):
        program = self.build_and_run("program.c", "cc", "c99",
                                     pkg_config("--cflags", "--libs"))
        self.assertIn("libaperture.so.1", run("readelf", "-d", program))

    def test_cxx11_program_builds_and_runs(self):
        self.build_and_run("program.cc", "c++", "c++11",
                           pkg_config("--cflags", "--libs"))

    def test_static_program_needs_no_shared_libaperture(self):
        libs = pkg_config("--static", "--libs")
        libs = ["-l:libaperture.a" if lib == "-laperture" else lib
                for lib in libs]
        environment = {key: value for key, value in os.environ.items()
                       if key != "LD_LIBRARY_PATH"}
        program = self.build_and_run("program.c", "cc", "c99",
                                     pkg_config("--cflags") + libs,
                                     env=environment)
        self.assertNotIn("libaperture", run("readelf", "-d", program))

    def test_pkg_config_names_every_library_that_the_shared_one_needs(self):
        [library] = PREFIX.rglob("libaperture.so.1")
        needed = re.findall(r"NEEDED.*\[lib(.*?)\.so", run("readelf", "-d",
                                                          library))
        static = pkg_config("--static", "--libs")
        self.assertEqual([name for name in needed if name != "c"
                          and "-l" + name not in static], [])

    def test_installed_archive_holds_its_objects(self):
        [archive] = PREFIX.rglob("libaperture.a")
        self.assertFalse(archive.read_bytes().startswith(b"!<thin>"))

    def test_every_header_is_installed(self):
        self.assertEqual(
            relative_files(PREFIX / "include"),
            sorted(f"aperture/{path.name}" for path in
                   (SOURCE / "include/aperture").glob("*.h")))

    def test_manual_pages_are_installed(self):
        self.assertTrue((PREFIX / "share/man/man3/aperture.3").exists())

    def test_pkg_config_file_names_no_dependency_of_shared_users(self):
        libs = pkg_config("--libs")
        self.assertEqual([lib for lib in libs if lib.startswith("-l")],
                         ["-laperture"])

    def test_destdir_gets_the_same_files(self):
        stage = self.directory / "stage"
        run("meson", "install", "-C", BUILD, "--no-rebuild",
            env=dict(os.environ, DESTDIR=str(stage)))
        self.assertEqual(
            relative_files(stage / PREFIX.relative_to("/")),
            relative_files(PREFIX))

    def test_installed_tree_can_be_moved(self):
        moved = self.directory / "moved"
        shutil.copytree(PREFIX, moved, symlinks=True)
        [config] = moved.rglob("aperture.pc")
        flags = run("pkg-config", f"--define-variable=prefix={moved}",
                    "--cflags", config).split()
        self.assertEqual(flags, [f"-I{moved}/include"])


if __name__ == "__main__":
    unittest.main()
