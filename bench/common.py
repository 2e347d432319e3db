# SPDX-License-Identifier: Apache-2.0
"""What the benches share: the build, the environment, figures and tables."""
import fcntl
import os
import pathlib
import platform
import shutil
import signal
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / 'bench'
BUILD = ROOT / 'build-bench'
RESULTS = BENCH / 'results'
VENV = BUILD / 'venv'
QUICK = '--quick' in sys.argv[1:]

# What is measured, and what it is measured with.
PINS = ['playwright==1.65.2', 'browser-use==0.13.14',
        'agent-browser-cli==0.39.4', 'bpe-openai==0.1.4', 'cffi']
RIVALS = ('playwright', 'browser-use', 'agent-browser-cli')


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True,
                          text=True, **options)


def output(*command, timeout=600):
    return run(*command, stdout=subprocess.PIPE, timeout=timeout).stdout


def note(text):
    print(text, file=sys.stderr, flush=True)


def build():
    """A release build with the programs of bench/ and the Python module."""
    options = ['--buildtype=release', '-Dbench=true', '-Dtests=false',
               '-Dpython=enabled']
    if (BUILD / 'build.ninja').exists():
        run('meson', 'configure', BUILD, *options, stdout=subprocess.DEVNULL)
    else:
        run('meson', 'setup', BUILD, ROOT, *options,
            stdout=subprocess.DEVNULL)
    run('ninja', '-j2', '-C', BUILD, stdout=subprocess.DEVNULL)


def program(name):
    return BUILD / 'bench' / name


def install_pins(python):
    """Installs what is missing; what cannot be had is left out."""
    have = set(output(python, '-m', 'pip', 'freeze').split())
    for pin in PINS:
        if pin not in have and not any(line.startswith(f'{pin}==')
                                       for line in have):
            subprocess.run([python, '-m', 'pip', 'install', '--quiet', pin],
                           check=False)


def enter_environment():
    """Goes on as the Python of build-bench/venv, which has the rivals."""
    python = VENV / 'bin' / 'python'
    source = BUILD / 'bindings' / 'python' / 'src'
    if pathlib.Path(sys.prefix) != VENV:
        BUILD.mkdir(exist_ok=True)
        # Another bench may be building; exec() lets go of the lock.
        lock = open(BUILD / 'lock', 'w')
        fcntl.flock(lock, fcntl.LOCK_EX)
        build()
        if not python.exists():
            run(sys.executable, '-m', 'venv', VENV)
        install_pins(python)
        os.execv(python, [str(python), *sys.argv])
    sys.path.insert(0, str(source))
    # Who is told to end ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def find_chromium():
    for name in ('chromium', 'google-chrome', 'chromium-browser'):
        if path := shutil.which(name):
            return path
    sys.exit('bench: no Chromium on the PATH')


def versions(*packages):
    """What the figures depend on, with these packages of PyPI; 'absent' is
    what could not be installed."""
    from importlib import metadata

    def installed(name):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return 'absent'

    project = output('meson', 'introspect', '--projectinfo', BUILD)
    commit = output('git', '-C', ROOT, 'rev-parse', '--short', 'HEAD').strip()
    return {
        'libaperture': project.split('"version": "')[1].split('"')[0]
        + f', commit {commit}',
        'chromium': ' '.join(output(find_chromium(),
                                    '--version').split()[:2]),
        **{name: installed(name) for name in packages},
        'python': platform.python_version(),
        'kernel': platform.release().split('-')[0],
        'machine': f'{platform.machine()}, {os.cpu_count()} cores',
    }


class Load:
    """The load average when something began and when it ended."""

    def __init__(self):
        self.began = os.getloadavg()[0]

    def figures(self):
        return [round(self.began, 1), round(os.getloadavg()[0], 1)]


def load_line(figures):
    return ('Load average when it began and ended: '
            + ', '.join(f'{load:.1f}' for load in figures)
            + '. The bench itself and its browsers cause 1 to 2 of it.')


# ---- figures -----------------------------------------------------------------

def spread(values):
    """Median, quartiles, 95th percentile and the least."""
    ordered = sorted(values)

    def at(part):
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))]

    return {'median': round(statistics.median(ordered), 3),
            'p25': round(at(.25), 3), 'p75': round(at(.75), 3),
            'p95': round(at(.95), 3), 'least': round(ordered[0], 3),
            'count': len(ordered)}


def table(head, rows):
    lines = [head, ['---'] + ['--:'] * (len(head) - 1)] + rows
    return '\n'.join('| ' + ' | '.join(str(cell) for cell in line) + ' |'
                     for line in lines)


def limit(what, measured, most, unit='', least=False):
    """A line of the plan: kept if measured is at most (least) what it says;
    a figure that is missing keeps nothing."""
    kept = measured is not None and (measured >= most if least
                                     else measured <= most)
    return {'what': what, 'measured': measured, 'limit': most, 'unit': unit,
            'least': least, 'kept': kept}


def limits_table(limits):
    def value(number, unit):
        if number is None:
            return 'not measured'
        text = f'{number:,}' if isinstance(number, int) else f'{number:g}'
        return f'{text} {unit}'.strip()

    return table(['limit', 'measured', 'asked for', 'kept'],
                 [[line['what'], value(line['measured'], line['unit']),
                   ('≥ ' if line['least'] else '≤ ')
                   + value(line['limit'], line['unit']),
                   'yes' if line['kept'] else '**no**'] for line in limits])


# ---- tokens ------------------------------------------------------------------

def count_tokens(text, most=500_000):
    """o200k tokens. The tokenizer refuses long texts; no token goes on behind
    a line feed, so it gets them in pieces of whole lines."""
    import bpe_openai
    encoder = count_tokens.__dict__.setdefault(
        'encoder', bpe_openai.get_encoding('o200k_base'))
    total, piece = 0, ''
    for line in text.splitlines(keepends=True):
        if len(piece) + len(line) > most:
            total += len(encoder.encode_ordinary(piece))
            piece = ''
        while len(line) > most:
            total += len(encoder.encode_ordinary(line[:most]))
            line = line[most:]
        piece += line
    return total + len(encoder.encode_ordinary(piece))
