# SPDX-License-Identifier: Apache-2.0
"""Reads the public surface: from headers, from the map and from binaries."""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = SOURCE / "include"
MAP = SOURCE / "src/aperture.map"
CC = os.environ.get("APERTURE_CC", "cc")


def library():
    return pathlib.Path(os.environ["APERTURE_LIBRARY"])


def archive():
    return pathlib.Path(os.environ["APERTURE_ARCHIVE"])


@dataclasses.dataclass
class Function:
    name: str
    declaration: str
    doc: str
    header: str


@dataclasses.dataclass
class Struct:
    name: str
    body: str
    fields: list
    header: str


def headers(include=INCLUDE):
    return sorted((include / "aperture").glob("*.h"))


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def doc_before(text, position):
    """The doc comment that ends right before the position, or ""."""
    before = text[:position].rstrip()
    if not before.endswith("*/"):
        return ""
    start = before.rfind("/*")
    return before[start:] if before.startswith("/**", start) else ""


def functions(include=INCLUDE):
    found = []
    for header in headers(include):
        text = header.read_text(encoding="utf-8")
        for match in re.finditer(r"^APER_API\s([^;]*);", text, re.M):
            declaration = " ".join(match.group(1).split())
            name = re.search(r"\b(\w+) ?\(", declaration).group(1)
            found.append(Function(name, declaration,
                                  doc_before(text, match.start()),
                                  header.name))
    return found


def structs(include=INCLUDE):
    """Every struct whose fields are public."""
    found = []
    for header in headers(include):
        text = header.read_text(encoding="utf-8")
        for match in re.finditer(r"typedef struct (\w+) \{(.*?)\n\} \1;",
                                 text, re.S):
            bare = without_comments(match.group(2))
            fields = [re.search(r"(\w+)(?:\[\w+\])?$", field.strip()).group(1)
                      for field in bare.split(";") if field.strip()]
            found.append(Struct(match.group(1), match.group(2), fields,
                                header.name))
    return found


def constants(include=INCLUDE):
    """Name and value of each enumerator."""
    found = {}
    for header in headers(include):
        bare = without_comments(header.read_text(encoding="utf-8"))
        for body in re.findall(r"\benum \{(.*?)\}", bare, re.S):
            for name, value in re.findall(r"(\w+) = (-?\d+)", body):
                found[name] = int(value)
    return found


def map_nodes(path=MAP):
    """Name of each symbol to the release of its node, such as "1.0"."""
    found = {}
    text = without_comments(path.read_text(encoding="utf-8"))
    for release, body in re.findall(r"APERTURE_(\d+\.\d+) \{(.*?)\}", text,
                                    re.S):
        shown = body.partition("local:")[0].replace("global:", "")
        for name in re.findall(r"(\S+);", shown):
            found[name] = release
    return found


def run(*command, cwd=None):
    return subprocess.run(list(map(str, command)), cwd=cwd, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)


def must(*command, cwd=None):
    result = run(*command, cwd=cwd)
    if result.returncode:
        raise AssertionError(f"{command[0]} failed:\n{result.stdout}")
    return result.stdout


def exported(path):
    """Name of each symbol that a shared library exports to its version."""
    found = {}
    for line in must("nm", "-D", "--defined-only", path).splitlines():
        kind, symbol = line.split()[-2:]
        if kind == "A":  # the version nodes themselves
            continue
        name, _, version = symbol.partition("@")
        found[name] = version.lstrip("@").removeprefix("APERTURE_")
    return found


def archived(path):
    """The global symbols that an archive defines."""
    found = set()
    for line in must("nm", "-g", "--defined-only", path).splitlines():
        parts = line.split()
        if len(parts) == 3:
            found.add(parts[2])
    return found


def soname(path):
    match = re.search(r"\(SONAME\).*\[(.*)\]", must("readelf", "-d", path))
    return match.group(1) if match else ""


def version(include=INCLUDE):
    text = (include / "aperture/version.h").read_text(encoding="utf-8")
    return [int(re.search(rf"#define APER_VERSION_{part} (\d+)",
                          text).group(1))
            for part in ("MAJOR", "MINOR", "MICRO")]


def stub_library(directory, include=INCLUDE, map_file=MAP, private=""):
    """Builds a library with the surface that headers and map declare, and
    nothing behind it: what the gates see of a tree that was changed."""
    source = directory / "stub.c"
    path = directory / "libaperture.so.1"
    lines = ["#include <aperture/aperture.h>", private]
    lines += [f"{function.declaration} {{ __builtin_trap(); }}"
              for function in functions(include)]
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    must(CC, "-g", "-w", "-shared", "-fPIC", "-fvisibility=hidden",
         "-I", include, f"-Wl,--version-script={map_file}",
         "-Wl,-soname,libaperture.so.1", "-o", path, source)
    return path


def mutant(directory, header, old, new):
    """Copies the public headers and changes one of them."""
    include = directory / "include"
    shutil.copytree(INCLUDE, include)
    path = include / "aperture" / header
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise AssertionError(f"{header} does not hold this once: {old}")
    path.write_text(text.replace(old, new), encoding="utf-8")
    return include
