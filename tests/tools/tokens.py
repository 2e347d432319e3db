#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the library's token estimate with the real o200k tokenizer:
tokens.py, which needs the package bpe-openai and a C compiler.

Prints estimate / count for text of many kinds; fails below 0.95.
"""
import base64
import ctypes
import pathlib
import random
import subprocess
import sys
import tempfile

import bpe_openai

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
RANGES = {
    "ideographs": (0x4E00, 0x9FFF), "kana": (0x3041, 0x30FF),
    "hangul": (0xAC00, 0xD7A3), "cyrillic": (0x430, 0x44F),
    "greek": (0x3B1, 0x3C9), "arabic": (0x627, 0x64A),
    "hebrew": (0x5D0, 0x5EA), "devanagari": (0x905, 0x939),
    "thai": (0xE01, 0xE2E), "emoji": (0x1F300, 0x1F64F),
    "symbols": (0x2190, 0x27BF), "latin-1": (0xC0, 0xFF),
    "latin-a": (0x100, 0x17F), "astral": (0x10000, 0x1FFFF),
}


def words(draw, letters, count=800):
    return " ".join("".join(draw.choice(letters)
                            for _ in range(draw.randint(2, 12)))
                    for _ in range(count))


def samples():
    draw = random.Random(1)
    lower = "abcdefghijklmnopqrstuvwxyz"
    yield "documents", "".join(path.read_text(encoding="utf-8") for path
                               in sorted((SOURCE / "doc").glob("*.md")))
    yield "C", (SOURCE / "src/snapshot/tokens.c").read_text(encoding="utf-8")
    yield "JavaScript", (SOURCE / "src/page/act.js").read_text(
        encoding="utf-8")
    yield "base64", base64.b64encode(draw.randbytes(6000)).decode()
    yield "hex", draw.randbytes(5000).hex()
    yield "small letters", words(draw, lower)
    yield "capitals", words(draw, lower.upper())
    yield "marks", words(draw, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
    yield "numbers", " ".join(str(draw.randrange(10 ** draw.randint(1, 9)))
                              for _ in range(1000))
    for name, (first, last) in RANGES.items():
        yield name, words(draw, [chr(c) for c in range(first, last + 1)])
    yield "snapshot", "".join(
        f" button e{draw.randrange(10 ** 6):06} \"Add item {n}\" disabled\n"
        f" link e{draw.randrange(10 ** 6):06} \"Read on\" /a/{n}?b=c\n"
        for n in range(200))


def load(directory):
    path = pathlib.Path(directory) / "tokens.so"
    subprocess.run(["cc", "-D_GNU_SOURCE", "-shared", "-fPIC",
                    f"-I{SOURCE / 'include'}", f"-I{SOURCE / 'src'}", "-o",
                    path, SOURCE / "src/snapshot/tokens.c"], check=True)
    estimate = ctypes.CDLL(str(path)).aper__tokens_estimate
    estimate.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    estimate.restype = ctypes.c_uint32
    return estimate


def main():
    encoding = bpe_openai.get_encoding("o200k_base")
    worst = 9.0
    with tempfile.TemporaryDirectory() as directory:
        estimate = load(directory)
        for name, text in samples():
            data = text.encode()
            count = len(encoding.encode(text))
            ratio = estimate(data, len(data)) / count
            worst = min(worst, ratio)
            print(f"{name:14} {count:6} tokens, estimate x {ratio:.2f}")
    return 0 if worst >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
