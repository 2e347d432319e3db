# SPDX-License-Identifier: Apache-2.0
"""The library and its rivals, all behind the same few calls.

Each drives its own headless Chromium, the same program, with a window of
1280 x 720. open() shows an address, read() gives the text that an agent gets
of the page, click(label, n) clicks the n-th button of that label (from 0) and
gives what an agent gets of it, the page after it included. memory_kib() is the
peak of the resident memory of the host's processes, without the browser's.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from common import BENCH, BUILD, VENV, find_chromium, program

WIDTH, HEIGHT = 1280, 720
UNLIMITED = 2**32 - 1
ROOT_USER = os.geteuid() == 0
TIMEOUT_S = 120


class Absent(Exception):
    """A contender that cannot be had here, with the reason."""


class Refused(Exception):
    """A contender that could not do what it was asked."""


# ---- processes ---------------------------------------------------------------

def host_processes(pid):
    """pid and what it started, but for browsers."""
    try:
        command = pathlib.Path(f'/proc/{pid}/cmdline').read_bytes()
        if b'chrom' in os.path.basename(command.split(b'\0')[0]):
            return []
        found = [pid]
        for task in os.listdir(f'/proc/{pid}/task'):
            children = pathlib.Path(f'/proc/{pid}/task/{task}/children')
            for child in children.read_text().split():
                found += host_processes(int(child))
    except OSError:
        return []
    return found


def peak_kib(pid):
    return sum(int(line.split()[1]) for process in host_processes(pid)
               for line in pathlib.Path(f'/proc/{process}/status')
               .read_text().splitlines() if line.startswith('VmHWM:'))


class Lines:
    """A program that answers each line with a line."""

    def __init__(self, *command, env=None, cwd=None):
        self.process = subprocess.Popen(
            [str(part) for part in command], text=True, cwd=cwd, env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)

    def send(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise Refused(f'{self.process.args[0]} ended')
        return line

    def ask(self, line):
        self.send(line)
        return self.receive()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class Contender:
    #: Whether reading again gives only what changed.
    incremental = False
    #: The process whose tree is the host.
    pid = None

    def memory_kib(self):
        return peak_kib(self.pid)

    def observe(self):
        """What an agent gets that looks again."""
        return self.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


# ---- the library -------------------------------------------------------------

class Library(Contender):
    """Through the Python package, in this process; texts without budget."""

    name = 'libaperture'
    incremental = True

    def __init__(self, budget=UNLIMITED):
        import aperture
        self.budget = budget
        self.browser = aperture.launch(
            executable=find_chromium(), no_sandbox=ROOT_USER, width=WIDTH,
            height=HEIGHT)
        self.tab = None

    def open(self, url):
        if self.tab:
            self.tab.navigate(url)
        else:
            self.tab = self.browser.open(url)

    def read(self):
        self.page = self.tab.snapshot(budget_tokens=self.budget,
                                      timeout=TIMEOUT_S)
        return self.page.text

    def observe(self):
        before = self.page
        self.read()
        return before.diff(self.page).text

    def click(self, label, n):
        buttons = [node.ref for node in self.page.nodes
                   if node.role == 'button' and node.name == label]
        result = self.tab.click(buttons[n], timeout=TIMEOUT_S)
        self.page = result.snapshot
        return f'{result.outcome}\n{result.diff.text}'

    def close(self):
        self.browser.close()


class LibraryHost(Contender):
    """Through bench/latency_host, a C program; it gives times, not texts."""

    name = 'libaperture'

    def __init__(self):
        self.host = Lines(program('latency_host'), find_chromium())
        self.pid = self.host.process.pid

    def ask(self, line):
        answer = self.host.ask(line).split()
        if answer[0] != 'ok':
            raise Refused(f'{line}: {" ".join(answer)}')
        return int(answer[1]) / 1e6

    def open(self, url):
        self.ask(f'open {url}')

    def read_ms(self):
        return self.ask('read')

    def click_ms(self, label, n):
        return self.ask(f'click {n} {label}')

    def close(self):
        self.host.close()


# ---- over MCP ----------------------------------------------------------------

class Mcp:
    """As little of an MCP client over stdio as calling tools needs."""

    def __init__(self, *command, env=None, cwd=None):
        self.lines = Lines(*command, env=env, cwd=cwd)
        self.count = 0
        self.request('initialize', protocolVersion='2025-03-26',
                     capabilities={}, clientInfo={'name': 'bench',
                                                  'version': '1'})
        self.lines.send(json.dumps({'jsonrpc': '2.0', 'method':
                                    'notifications/initialized'}))

    def request(self, method, **params):
        self.count += 1
        self.lines.send(json.dumps({'jsonrpc': '2.0', 'id': self.count,
                                    'method': method, 'params': params}))
        while True:
            answer = json.loads(self.lines.receive())
            if answer.get('id') == self.count and 'method' not in answer:
                break
        if 'error' in answer:
            raise Refused(answer['error']['message'])
        return answer['result']

    def call(self, tool, **arguments):
        result = self.request('tools/call', name=tool, arguments=arguments)
        text = '\n'.join(part['text'] for part in result['content']
                         if part['type'] == 'text')
        if result.get('isError'):
            raise Refused(text[:300])
        return text


def nth_ref(text, pattern, n, what):
    found = re.findall(pattern, text)
    if n >= len(found):
        raise Refused(f'the text shows {len(found)} of {what}')
    return found[n]


class PlaywrightMcp(Contender):
    """python -m playwright mcp. In its snapshot mode "full" the answer to an
    action names a file with the page, which an agent reads or leaves unread; in
    mode "none" it has to ask for the page."""

    def __init__(self, mode='full', read_files=True):
        self.mode = mode
        self.read_files = read_files
        self.directory = tempfile.mkdtemp(prefix='bench-')
        self.mcp = Mcp(
            VENV / 'bin' / 'python', '-m', 'playwright', 'mcp', '--headless',
            '--isolated', '--executable-path', find_chromium(),
            '--viewport-size', f'{WIDTH}x{HEIGHT}', '--snapshot-mode', mode,
            '--output-dir', self.directory,
            *(['--no-sandbox'] if ROOT_USER else []), cwd=self.directory)
        self.pid = self.mcp.lines.process.pid

    @property
    def name(self):
        return (f'playwright-mcp {self.mode}'
                + ('' if self.read_files else ', pages unread'))

    def with_file(self, text):
        if not self.read_files:
            return text
        for path in re.findall(r'\[Snapshot\]\(([^)]+)\)', text):
            text += '\n' + (pathlib.Path(self.directory)
                            / path).read_text()
        return text

    def open(self, url):
        answer = self.mcp.call('browser_navigate', url=url)
        if '"beforeunload" dialog' in answer:  # it waits for an answer
            self.mcp.call('browser_handle_dialog', accept=True)
            self.mcp.call('browser_navigate', url=url)

    def read(self):
        self.text = self.with_file(self.mcp.call('browser_snapshot'))
        return self.text

    def click(self, label, n):
        ref = nth_ref(self.text, rf'button "{label}"[^\n]*\[ref=(\w+)\]', n,
                      label)
        answer = self.with_file(self.mcp.call('browser_click', target=ref,
                                              element=label))
        if self.mode == 'none':
            return answer + '\n' + self.read()
        if self.read_files:
            self.text = answer
        return answer

    def close(self):
        self.mcp.lines.close()
        shutil.rmtree(self.directory, ignore_errors=True)


# ---- browser-use -------------------------------------------------------------

class BrowserUse(Contender):
    """The state that its agent is given, without the picture; served by
    bench/browser_use_host.py."""

    name = 'browser-use'

    def __init__(self):
        if not (BUILD / 'venv' / 'bin' / 'browser-use').exists():
            raise Absent('browser-use is not installed')
        self.host = Lines(VENV / 'bin' / 'python',
                          BENCH / 'browser_use_host.py', find_chromium(),
                          WIDTH, HEIGHT)
        self.pid = self.host.process.pid

    def ask(self, *command):
        answer = json.loads(self.host.ask(json.dumps(command)))
        if 'error' in answer:
            raise Refused(answer['error'])
        return answer['text']

    def open(self, url):
        self.ask('open', url)

    def read(self):
        return self.ask('read')

    def click(self, label, n):
        return self.ask('click', label, n)

    def close(self):
        self.host.close()


# ---- agent-browser -----------------------------------------------------------

class AgentBrowser(Contender):
    """Its command line and daemon. With urls, since a link without target is
    less; delta: full state once, then changes."""

    incremental = True

    def __init__(self, *flags):
        self.flags = flags
        found = list(VENV.glob('lib/*/site-packages/agent_browser/bin/*'))
        if not found:
            raise Absent('agent-browser-cli is not installed')
        self.program = found[0]
        self.program.chmod(0o755)
        self.directory = tempfile.mkdtemp(prefix='bench-')
        arguments = [f'--window-size={WIDTH},{HEIGHT}']
        if ROOT_USER:
            arguments.append('--no-sandbox')
        self.env = {**os.environ, 'HOME': self.directory,
                    'AGENT_BROWSER_SOCKET_DIR': self.directory,
                    'AGENT_BROWSER_SESSION': os.path.basename(self.directory),
                    'AGENT_BROWSER_EXECUTABLE_PATH': find_chromium(),
                    'AGENT_BROWSER_ARGS': '\n'.join(arguments)}
        self.opened = False

    @property
    def name(self):
        return ' '.join(('agent-browser',) + self.flags)

    def run(self, *command):
        done = subprocess.run(
            [str(self.program), *command], env=self.env, text=True,
            cwd=self.directory, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=TIMEOUT_S)
        if done.returncode:
            raise Refused((done.stderr or done.stdout).strip()[:300])
        return done.stdout

    @property
    def pid(self):
        return int(next(pathlib.Path(self.directory)
                        .rglob('*.pid')).read_text())

    def open(self, url):
        self.run('open', url)
        if not self.opened:
            self.run('set', 'viewport', str(WIDTH), str(HEIGHT))
            self.opened = True

    def read(self):
        more = ('--full',) if '--delta' in self.flags else ()
        self.text = self.run('snapshot', '-u', *self.flags, *more)
        return self.text

    def observe(self):
        return self.run('snapshot', '-u', *self.flags)

    def click(self, label, n):
        ref = nth_ref(self.text, rf'button "{label}"[^\n]*\bref=(\w+)', n,
                      label)
        return self.run('click', f'@{ref}') + self.observe()

    def close(self):
        try:
            self.run('close')
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)


RIVALS = {
    'playwright-mcp full': lambda: PlaywrightMcp('full'),
    'playwright-mcp full, pages unread':
        lambda: PlaywrightMcp('full', read_files=False),
    'playwright-mcp none': lambda: PlaywrightMcp('none'),
    'browser-use': BrowserUse,
    'agent-browser': AgentBrowser,
    'agent-browser --delta': lambda: AgentBrowser('--delta'),
}
