#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same work as the library's, by Playwright for Python; for bench/engine.

rival.py calls EXECUTABLE BLOCKS CALLS   a line of nanoseconds per block
rival.py text EXECUTABLE URL             milliseconds: ready, loaded, text
rival.py memory EXECUTABLE URL           kB: RSS, PSS of Python and its driver
"""
import os
import sys
import time

from playwright.sync_api import sync_playwright


def launch(playwright, executable):
    return playwright.chromium.launch(
        executable_path=executable, chromium_sandbox=os.geteuid() != 0)


def calls(executable, blocks, count):
    with sync_playwright() as playwright:
        browser = launch(playwright, executable)
        page = browser.new_page()
        for block in range(int(blocks) + 1):
            took = []
            for _ in range(int(count)):
                start = time.monotonic_ns()
                page.evaluate('1')
                took.append(time.monotonic_ns() - start)
            if block:  # the first one warms up
                print(*took)
        browser.close()


def text(executable, url):
    start = time.monotonic()
    times = []

    def note():
        times.append(f'{(time.monotonic() - start) * 1000:.2f}')

    with sync_playwright() as playwright:
        browser = launch(playwright, executable)
        note()
        page = browser.new_page()
        page.goto(url)
        note()
        assert page.locator('body').aria_snapshot()
        note()
        print(*times)
        browser.close()


def tree_without(pid, name):
    """pid and what it started, but for programs of that name."""
    with open(f'/proc/{pid}/cmdline', 'rb') as file:
        command = file.read().split(b'\0')
    if name.encode() in command[0]:
        return []
    found = [pid]
    for task in os.listdir(f'/proc/{pid}/task'):
        with open(f'/proc/{pid}/task/{task}/children') as file:
            for child in file.read().split():
                found += tree_without(int(child), name)
    return found


def memory_of(pid):
    sizes = {}
    with open(f'/proc/{pid}/smaps_rollup') as file:
        for line in file.readlines()[1:]:
            key, value = line.split()[:2]
            sizes[key] = int(value)
    return sizes['Rss:'], sizes['Pss:']


def memory(executable, url):
    with sync_playwright() as playwright:
        browser = launch(playwright, executable)
        page = browser.new_page()
        page.goto(url)
        assert page.locator('body').aria_snapshot()
        sizes = [memory_of(pid)
                 for pid in tree_without(os.getpid(), 'chrom')]
        print(sum(rss for rss, _ in sizes), sum(pss for _, pss in sizes))
        browser.close()


if __name__ == '__main__':
    {'calls': calls, 'text': text, 'memory': memory}[sys.argv[1]](
        *sys.argv[2:])
