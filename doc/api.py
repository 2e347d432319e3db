#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the API reference, one Markdown section for each public header, from
the comments that are the contract: doc/api.py OUTPUT."""
import pathlib
import re
import sys

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include/aperture"
DECLARATION = re.compile(
    r"(?:(?P<doc>/\*\*(?:(?!\*/).)*\*/)\s*)?"
    r"(?P<code>^APER_API [^;]*;|^typedef struct \w+ \{.*?\n\} \w+;"
    r"|^typedef [^;{]*;|^enum \{.*?\n\};|(?(doc)#define [^\n]*|(?!)))",
    re.S | re.M)


def plain(doc):
    """The text of a comment as Markdown, its @fields as a list."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in
             doc.removeprefix("/**").removesuffix("*/").splitlines()]
    text = "\n".join(lines).strip()
    text = re.sub(r"\n(\s*)@(\w+)\s+", r"\n* **\2** ", text)
    return re.sub(r"\n\n?(?=\* \*\*ownership)", "\n\n", text)


def name_of(code):
    code = re.sub(r"/\*.*?\*/", "", code, flags=re.S).removeprefix("APER_API ")
    if code.startswith("enum"):
        return re.sub(r"\d+$", "", re.search(r"APER_[A-Z]+", code).group(0)) \
            + "_…"
    if code.startswith("#define"):
        return code.split()[1]
    if code.startswith("typedef"):
        return re.search(r"(\w+);$", code).group(1)
    return re.search(r"(\w+) ?\(", code).group(1)


def section(header):
    text = header.read_text(encoding="utf-8")
    intro = re.findall(r"/\*(?!\*)(.*?)\*/", text, re.S)[1]
    yield f"## <aperture/{header.name}>\n"
    yield " ".join(re.sub(r"\n\s*\*", " ", intro).split()) + "\n"
    for match in DECLARATION.finditer(text):
        code = match["code"].removeprefix("APER_API ")
        yield f"### {name_of(match['code'])}\n"
        yield f"```c\n{code}\n```\n"
        if match["doc"]:
            yield plain(match["doc"]) + "\n"


def main():
    parts = ["# API reference\n", "Written from the headers by doc/api.py.\n"]
    for header in sorted(INCLUDE.glob("*.h")):
        if header.name not in ("aperture.h", "export.h"):
            parts += section(header)
    pathlib.Path(sys.argv[1]).write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
