#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print the version that include/aperture/version.h states."""
import pathlib
import re

HEADER = pathlib.Path(__file__).parent.parent / "include/aperture/version.h"


def main():
    text = HEADER.read_text(encoding="utf-8")
    parts = [re.search(rf"#define APER_VERSION_{part} (\d+)", text).group(1)
             for part in ("MAJOR", "MINOR", "MICRO")]
    print(".".join(parts))


if __name__ == "__main__":
    main()
