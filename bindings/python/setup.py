# SPDX-License-Identifier: Apache-2.0
"""Build the extension module.

    pip install ./bindings/python     builds the C library of the tree with
                                      meson and puts it into the package
    APERTURE_SYSTEM=1 pip install …   links the installed library, found by
                                      pkg-config; so does every build that is
                                      not made inside the tree
    APERTURE_BUILD_DIR=/DIR pip …     takes the library that the tree's build
                                      in /DIR has made
"""
import os
import pathlib
import shutil
import subprocess
import sys

import setuptools
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402

LIMITED_API = "0x030A0000"
ROOT = HERE.parent.parent
IN_TREE = ((ROOT / "include/aperture/version.h").exists()
           and HERE == ROOT / "bindings" / "python")
USE_SYSTEM = os.environ.get("APERTURE_SYSTEM", "0") not in ("", "0") \
    or not IN_TREE
MESON_OPTIONS = ["--buildtype=release", "-Dwerror=false", "-Dtests=false",
                 "-Dexamples=false", "-Ddocs=false", "-Dbench=false",
                 "-Dpython=disabled"]


def run(*command):
    # An isolated build hides the system's Python modules from all its child
    # processes, and meson is one of those modules.
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    try:
        return subprocess.run([str(part) for part in command], check=True,
                              env=environment, text=True,
                              stdout=subprocess.PIPE).stdout.strip()
    except FileNotFoundError:
        raise SystemExit(f"aperture: {command[0]} is needed to build;"
                         " on Debian: apt-get install meson ninja-build"
                         " pkg-config") from None


def pkg_config(*arguments):
    try:
        return run("pkg-config", *arguments, "aperture")
    except subprocess.CalledProcessError:
        raise SystemExit(
            "aperture: pkg-config does not find the C library: install it, or"
            " build from a clone of the project, without APERTURE_SYSTEM"
        ) from None


def version():
    if USE_SYSTEM:
        return pkg_config("--modversion")
    return run(sys.executable, ROOT / "src/version.py")


class BuildExtension(build_ext):
    def build_extension(self, extension):
        package = pathlib.Path(
            self.get_ext_fullpath(extension.name)).resolve().parent
        package.mkdir(parents=True, exist_ok=True)
        temp = pathlib.Path(self.build_temp).resolve()
        temp.mkdir(parents=True, exist_ok=True)
        if USE_SYSTEM:
            include = pathlib.Path(pkg_config("--variable=includedir"))
            extension.extra_compile_args += pkg_config("--cflags").split()
            extension.extra_link_args += pkg_config("--libs").split()
        else:
            include = ROOT / "include"
            library = self.vendor(package, temp)
            extension.extra_objects.append(str(library))
            extension.extra_link_args.append(
                "-Wl,-rpath,@loader_path" if sys.platform == "darwin"
                else "-Wl,-rpath,$ORIGIN")
        extension.include_dirs.append(str(include))
        source = temp / "_aperture.c"
        generate.write_module(include, source)
        generate.write_contract(include, package / "_contract.py")
        extension.sources = [os.path.relpath(source)]
        super().build_extension(extension)

    def copy_extensions_to_source(self):
        """For an editable installation: what else was put beside the module
        must be there, too."""
        super().copy_extensions_to_source()
        built = pathlib.Path(self.build_lib) / "aperture"
        for file in [built / "_contract.py", *built.glob("libaperture*")]:
            shutil.copyfile(file, HERE / "src" / "aperture" / file.name)

    def vendor(self, package, temp):
        """Put the C library of the tree into the package."""
        build = os.environ.get("APERTURE_BUILD_DIR")
        if build and not os.path.isabs(build):
            raise SystemExit("aperture: APERTURE_BUILD_DIR must be an absolute"
                             " path, as pip builds in a directory of its own")
        if build:
            build = pathlib.Path(build)
        else:
            build = temp / "meson"
            if not (build / "build.ninja").exists():
                run("meson", "setup", *MESON_OPTIONS, build, ROOT)
            run("meson", "compile", "-C", build)
        major = version().split(".")[0]
        name = f"libaperture.{major}.dylib" if sys.platform == "darwin" \
            else f"libaperture.so.{major}"
        found = build / "src" / name
        if not found.exists():
            raise SystemExit(f"aperture: there is no {found}")
        for old in package.glob("libaperture*"):
            old.unlink()
        shutil.copyfile(found, package / name)
        return package / name


setuptools.setup(
    version=version(),
    ext_modules=[setuptools.Extension(
        "aperture._aperture", sources=[], py_limited_api=True,
        define_macros=[("Py_LIMITED_API", LIMITED_API)])],
    cmdclass={"build_ext": BuildExtension},
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
