#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser-use behind lines of JSON: browser_use_host.py CHROMIUM WIDTH HEIGHT

["open", URL], ["read"] and ["click", LABEL, N] are answered by {"text": …} or
{"error": …}. Its defaults, but without extensions, which it would download.
"""
import asyncio
import json
import os
import sys

os.environ.update(ANONYMIZED_TELEMETRY='false', BROWSER_USE_CLOUD_SYNC='false',
                  BROWSER_USE_LOGGING_LEVEL='result',
                  BROWSER_USE_SETUP_LOGGING='false')

from browser_use.browser import BrowserProfile, BrowserSession  # noqa: E402
from browser_use.browser.events import (ClickElementEvent,  # noqa: E402
                                        NavigateToUrlEvent)


class Host:
    def __init__(self, chromium, width, height):
        size = {'width': int(width), 'height': int(height)}
        self.session = BrowserSession(browser_profile=BrowserProfile(
            executable_path=chromium, headless=True, viewport=size,
            window_size=size, chromium_sandbox=os.geteuid() != 0,
            enable_default_extensions=False, user_data_dir=None))

    async def open(self, url):
        await self.session.event_bus.dispatch(NavigateToUrlEvent(url=url))
        return ''

    async def read(self):
        summary = await self.session.get_browser_state_summary(
            include_screenshot=False)
        self.nodes = summary.dom_state.selector_map
        return summary.dom_state.llm_representation()

    async def click(self, label, n):
        buttons = [node for node in self.nodes.values()
                   if node.tag_name == 'button'
                   and node.get_all_children_text().strip() == label]
        if n >= len(buttons):
            raise LookupError(f'the state has {len(buttons)} of {label}')
        event = self.session.event_bus.dispatch(
            ClickElementEvent(node=buttons[n]))
        await event
        await event.event_result(raise_if_any=True, raise_if_none=False)
        return f'Clicked {label}\n' + await self.read()


async def answer(host, line):
    verb, *arguments = json.loads(line)
    try:
        return {'text': await getattr(host, verb)(*arguments)}
    except Exception as error:
        return {'error': f'{type(error).__name__}: {error}'[:300]}


async def main():
    out = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)  # whatever it prints is no answer
    host = Host(*sys.argv[1:])
    await host.session.start()
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        out.write(json.dumps(await answer(host, line)) + '\n')
        out.flush()
    await host.session.kill()


if __name__ == '__main__':
    asyncio.run(main())
