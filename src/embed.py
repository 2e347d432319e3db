#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes one C array of the scripts that run in pages: embed.py NAME OUT IN…

The scripts become one function, so that nothing but what the last of them
defines is visible in the world they run in.
"""
import pathlib
import sys

HEAD = """(() => {
'use strict';
if (typeof globalThis.__aperture === 'function') return;
"""
TAIL = "})();\n"


def main(name, out, *scripts):
    text = HEAD + "".join(pathlib.Path(script).read_text(encoding="utf-8")
                          for script in scripts) + TAIL
    data = text.encode() + b"\0"
    rows = [", ".join(map(str, data[i:i + 16]))
            for i in range(0, len(data), 16)]
    pathlib.Path(out).write_text(
        f"extern const char {name}[{len(data)}];\n"
        f"const char {name}[{len(data)}] = {{\n"
        + ",\n".join(rows) + "\n};\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
