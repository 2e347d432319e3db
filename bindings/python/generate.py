#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the files of the binding that follow from the public headers.

    generate.py module INCLUDE_DIR OUT.c      the extension module's source
    generate.py contract INCLUDE_DIR OUT.py   exception classes and enumerations

The headers are the only place that states the interface: nothing here or in
the package repeats a declaration, a number or a code's meaning.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import textwrap

ENUM = re.compile(r"(?:/\*\*((?:(?!\*/).)*)\*/\s*)?enum \{(.*?)\n\};", re.S)
MEMBER = re.compile(r"(?:/\*\*((?:(?!\*/).)*)\*/\s*)?APER_(\w+) = (-?\d+)",
                    re.S)

# Classes that would else be hard to understand, or be called like a result.
CLASS_NAMES = {
    "E_INVAL": "Invalid",
    "E_NOMEM": "NoMemory",
    "E_IO": "InputOutput",
    "E_NAVIGATION": "NavigationFailed",
    "E_DIALOG": "DialogOpen",
    "ACT": "Verb",
    "DIALOG": "DialogKind",
    "DOWNLOAD": "DownloadState",
    "EFFECT": "EffectKind",
    "EVENT": "EventKind",
    "IMAGE": "ImageFormat",
    "NAVIGATION": "NavigationKind",
}
# What Python programs already catch for the same reason.
BUILTIN_BASES = {
    "E_INVAL": "ValueError",
    "E_NOMEM": "MemoryError",
    "E_TIMEOUT": "TimeoutError",
}
FLAGS = {"MODIFIER"}


def preprocess(include_dir, *options):
    command = shlex.split(os.environ.get("CC", "cc"))
    command += ["-E", "-D__attribute__(x)=", "-I", str(include_dir), *options,
                str(include_dir / "aperture" / "aperture.h")]
    return subprocess.run(command, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def declarations(include_dir):
    """The preprocessed public headers, without what system headers declare."""
    ours = (include_dir / "aperture").resolve()
    lines = []
    keep = False
    for line in preprocess(include_dir).splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            keep = pathlib.Path(marker.group(1)).resolve().parent == ours
        elif keep and line.strip():
            lines.append(line)
    return "\n".join(lines)


def constants(include_dir):
    """The object-like macros of the headers that stand for a number."""
    text = preprocess(include_dir, "-dM")
    found = re.findall(r"#define (APER_[A-Z_]+) ([^\n]*\d[^\n]*)", text)
    return sorted(name for name, value in found
                  if "__attribute__" not in value)


def write_module(include_dir, output):
    import cffi

    builder = cffi.FFI()
    builder.cdef(declarations(include_dir))
    builder.cdef("".join(f"#define {name} ...\n"
                         for name in constants(include_dir)))
    builder.set_source("aperture._aperture",
                       "#include <aperture/aperture.h>\n")
    builder.emit_c_code(str(output))


def camel_case(name):
    return "".join(part.capitalize() for part in name.split("_"))


def sentence(comment):
    words = " ".join(re.sub(r"\n\s*\*", " ", comment).split())
    words = re.sub(r"(?:aper_\w+\(\)|APER_\w+)", r"``\g<0>``", words)
    return words.replace("\\", "\\\\").replace('"', "'")


def common_prefix(names):
    prefix = os.path.commonprefix(names)
    return prefix[:prefix.rfind("_")]


def docstring(text):
    return textwrap.fill(f'"""{text}"""', 78, initial_indent="    ",
                         subsequent_indent="    ")


def remark(text):
    return textwrap.fill(text, 78, initial_indent="    #: ",
                         subsequent_indent="    #: ")


def exception_lines(name, comment, value):
    base = BUILTIN_BASES.get(name)
    bases = f"Error, {base}" if base else "Error"
    cls = CLASS_NAMES.get(name, camel_case(name[2:]))
    return cls, ["", "", f"class {cls}({bases}):",
                 docstring(sentence(comment)), "",
                 f"    status = {value}"]


def enum_lines(prefix, comment, members):
    cls = CLASS_NAMES.get(prefix, camel_case(prefix))
    base = "enum.IntFlag" if prefix in FLAGS else "OpenEnum"
    text = sentence(comment) or f"Values of ``APER_{prefix}_*``."
    lines = ["", "", f"class {cls}({base}):",
             docstring(text), ""]
    for name, note, value in members:
        if note:
            lines.append(remark(sentence(note)))
        lines.append(f"    {name[len(prefix) + 1:]} = {value}")
    return cls, lines


def write_contract(include_dir, output):
    exceptions, names = [], []
    body = []
    for header in sorted((include_dir / "aperture").glob("*.h")):
        for enum in ENUM.finditer(header.read_text(encoding="utf-8")):
            members = [(m.group(2), m.group(1) or "", m.group(3))
                       for m in MEMBER.finditer(enum.group(2))]
            if members[0][0] == "OK":
                for name, comment, value in members[1:]:
                    cls, lines = exception_lines(name, comment, value)
                    exceptions.append(cls)
                    body += lines
                continue
            prefix = common_prefix([name for name, _, _ in members])
            cls, lines = enum_lines(prefix, enum.group(1) or "", members)
            names.append(cls)
            body += lines
    head = ["# SPDX-License-Identifier: Apache-2.0",
            '"""Exceptions and enumerations of the library.',
            "", "Generated from the public headers; do not edit.", '"""',
            "import enum", "", "from ._base import Error, OpenEnum", "",
            "__all__ = ["]
    head += [f'    "{name}",' for name in sorted(exceptions + names)]
    head += ["]"]
    tail = ["", "", "#: The class that is raised for each status.",
            "BY_STATUS: dict[int, type[Error]] = {"]
    tail += [f"    {name}.status: {name}," for name in exceptions]
    tail += ["}", ""]
    output.write_text("\n".join(head + body + tail), encoding="utf-8")


def main():
    what, include_dir, output = sys.argv[1:]
    write = {"module": write_module, "contract": write_contract}[what]
    write(pathlib.Path(include_dir), pathlib.Path(output))


if __name__ == "__main__":
    main()
