# SPDX-License-Identifier: Apache-2.0
"""Pages of real applications, set up and served on loopback.

The applications come from Debian's packages and PyPI (bench/pages/setup
installs them); what they write lies in build-bench/pages. Nobody has to log in:
each is told to take every visitor for its administrator.
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
WORK = HERE.parents[1] / 'build-bench' / 'pages'
PYTHON = WORK / 'venv' / 'bin' / 'python'
STARTED = []
DEADLINE_S = 60


class Missing(Exception):
    pass


def need(path):
    if not pathlib.Path(path).exists():
        raise Missing(f'{path} is not installed')
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def start(command, url=None, **options):
    """Starts a server that is ended with end(), and waits for its address."""
    with open(WORK / 'log', 'ab') as log:
        process = subprocess.Popen([str(part) for part in command],
                                   stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=log, start_new_session=True,
                                   **options)
    STARTED.append(process)
    deadline = time.monotonic() + DEADLINE_S
    while url:
        try:
            urllib.request.urlopen(url, timeout=30).read()
            return
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise Missing(f'{command[0]} does not serve: {error}')
            time.sleep(.2)


def end():
    for process in reversed(STARTED):
        os.killpg(process.pid, 15)
        process.wait()
    STARTED.clear()


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    if done.returncode:
        raise Missing(f'{command[0]}: {done.stdout.strip()[-200:]}')
    return done.stdout


def fresh(name):
    path = WORK / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


# ---- Python ------------------------------------------------------------------

def python_app(name, path='', **env):
    """One of the programs beside this file; gives its address."""
    port = free_port()
    base = f'http://127.0.0.1:{port}'
    need(PYTHON)
    start([PYTHON, HERE / f'{name}.py', port, fresh(name)], base + path,
          env={**os.environ, **env})
    return base


def django():
    base = python_app('django_admin', '/admin/')
    return [('Django admin, list', f'{base}/admin/auth/user/',
             'user59@example.org'),
            ('Django admin, form', f'{base}/admin/auth/user/1/change/',
             'Superuser status')]


def dash():
    return [('Dash', python_app('dash_app'), 'years of Lima')]


def gradio():
    return [('Gradio', python_app('gradio_app', GRADIO_ANALYTICS_ENABLED='0',
                                  HF_HUB_OFFLINE='1'), 'Paragraphs')]


def jupyterlab():
    need(PYTHON.with_name('jupyter-lab'))
    home, port = fresh('jupyter'), free_port()
    shutil.copy(HERE / 'notebook.ipynb', home)
    (home / 'settings').mkdir()
    (home / 'settings' / 'page_config.json').write_text(
        '{"buildAvailable": false, "buildCheck": false}')
    (home / 'settings' / 'overrides.json').write_text(
        '{"@jupyterlab/apputils-extension:notification": '
        '{"fetchNews": "false"}}')
    base = f'http://127.0.0.1:{port}'
    start([PYTHON.with_name('jupyter-lab'), '--no-browser', '--allow-root',
           f'--ServerApp.port={port}', '--ServerApp.port_retries=0',
           '--IdentityProvider.token=', '--ServerApp.password=',
           f'--ServerApp.root_dir={home}',
           f'--LabApp.app_settings_dir={home}/settings',
           '--LabApp.check_for_updates_class='
           'jupyterlab.NeverCheckForUpdate'], base + '/lab', cwd=home,
          env={**os.environ, 'HOME': str(home)})
    return [('JupyterLab', f'{base}/lab/tree/notebook.ipynb?reset',
             'for town in towns')]


def documentation():
    root = need('/usr/share/doc/python3.11/html/library/json.html')
    port = free_port()
    base = f'http://127.0.0.1:{port}'
    start([sys.executable, '-m', 'http.server', port, '--bind', '127.0.0.1',
           '--directory', pathlib.Path(root).parents[1]], base)
    return [('documentation, short', f'{base}/library/json.html',
             'JSONDecodeError'),
            ('documentation, long', f'{base}/library/functions.html',
             'issubclass')]


# ---- PHP ---------------------------------------------------------------------

def php(root, prepend=None, ready='/', **env):
    port = free_port()
    base = f'http://127.0.0.1:{port}'
    settings = ['-d', 'error_reporting=0', '-d', 'display_errors=0']
    if prepend:
        settings += ['-d', f'auto_prepend_file={prepend}']
    start([need('/usr/bin/php'), *settings, '-S', f'127.0.0.1:{port}',
           '-t', need(root)], base + ready,
          env={**os.environ, 'PHP_CLI_SERVER_WORKERS': '4', **env})
    return base


def countries():
    """Wikitext on the world's time zones, from the zone tables."""
    names = dict(line.split('\t') for line in
                 need_text('/usr/share/zoneinfo/iso3166.tab'))
    rows = []
    for line in need_text('/usr/share/zoneinfo/zone.tab'):
        code, place, zone = line.split('\t')[:3]
        rows.append(f'|-\n| [[{names[code]}]] || {place} || '
                    f'[[{zone.split("/")[-1].replace("_", " ")}]] || '
                    f"''{zone}''")
    return ('A \'\'\'time zone\'\'\' is an area which observes a uniform '
            '[[standard time]] for [[law|legal]] and [[commerce|commercial]] '
            'purposes.<ref>Said so in the zone tables.</ref>\n'
            '== How they came ==\nBefore the [[railway]]s each town kept its '
            'own [[mean solar time]]. A shared time made [[timetable]]s '
            'possible.\n== Places ==\n{| class="wikitable sortable"\n! '
            'Country !! Position !! Town !! Zone\n' + '\n'.join(rows[:120])
            + '\n|}\n== See also ==\n* [[Daylight saving time]]\n* '
            '[[Leap second]]\n== References ==\n<references/>\n')


def need_text(path):
    return [line for line in pathlib.Path(need(path)).read_text().splitlines()
            if not line.startswith('#')]


def mediawiki():
    root = pathlib.Path(need('/usr/share/mediawiki'))
    home = fresh('mediawiki')
    base = php(root, ready='/opensearch_desc.php',
                    MW_CONFIG_FILE=str(home / 'LocalSettings.php'))
    run('php', root / 'maintenance/install.php', '--dbtype=sqlite',
        f'--dbpath={home}', f'--confpath={home}', f'--server={base}',
        '--scriptpath=', '--pass=bench-password-1', '--skins=Vector',
        '--extensions=Cite', 'Wiki', 'Admin')
    with open(home / 'LocalSettings.php', 'a') as settings:
        settings.write("\n$wgPingback = false;\n$wgJobRunRate = 0;\n")
    run('php', root / 'maintenance/edit.php', '--conf',
        home / 'LocalSettings.php', 'Time zone', input=countries())
    return [('MediaWiki, article', f'{base}/index.php/Time_zone',
             'mean solar time'),
            ('MediaWiki, search',
             f'{base}/index.php?title=Special:Search&profile=advanced'
             '&search=time', 'Advanced')]


def dokuwiki():
    root = need('/usr/share/dokuwiki')
    home = fresh('dokuwiki')
    shutil.copytree('/etc/dokuwiki', home / 'conf')
    shutil.copytree('/var/lib/dokuwiki/data', home / 'data')
    (home / 'conf' / 'local.php').write_text(
        f"<?php\n$conf['savedir'] = '{home}/data';\n"
        "$conf['title'] = 'Wiki';\n$conf['useacl'] = 0;\n"
        "$conf['updatecheck'] = 0;\n")
    (home / 'prepend.php').write_text(
        f"<?php define('DOKU_CONF', '{home}/conf/');\n")
    base = php(root, home / 'prepend.php', '/doku.php')
    return [('DokuWiki, article', f'{base}/doku.php?id=wiki:syntax',
             'Syntax Plugins'),
            ('DokuWiki, editor', f'{base}/doku.php?id=wiki:dokuwiki&do=edit',
             'Edit summary')]


def roundcube():
    root = need('/usr/share/roundcube')
    home = fresh('roundcube')
    for directory in ('temp', 'logs', 'conf'):
        (home / directory).mkdir()
    run('php', '-r', f'(new PDO("sqlite:{home}/db"))->exec(file_get_contents('
        f'"{root}/SQL/sqlite.initial.sql"));')
    shutil.copy('/etc/roundcube/defaults.inc.php', home / 'conf')
    (home / 'conf' / 'config.inc.php').write_text(
        f"<?php\n$config = ['db_dsnw' => 'sqlite:///{home}/db', "
        "'imap_host' => '127.0.0.1:9', 'des_key' => "
        f"'0123456789abcdef01234567', 'temp_dir' => '{home}/temp', "
        f"'log_dir' => '{home}/logs', 'skin' => 'elastic', "
        "'session_path' => '/'];\n")
    base = php('/var/lib/roundcube', ready='/index.php',
               ROUNDCUBE_CONFIG_DIR=str(home / 'conf'))
    return [('Roundcube, login', f'{base}/index.php', 'Login')]


class Database:
    """One private MariaDB for the applications that need one."""

    socket = None

    @classmethod
    def get(cls):
        if not cls.socket:
            home = fresh('mariadb')
            run('mariadb-install-db', '--no-defaults', f'--datadir={home}',
                '--skip-test-db', '--auth-root-authentication-method=normal',
                '--user=root')
            cls.socket = home / 'socket'
            start(['mariadbd', '--no-defaults', f'--datadir={home}',
                   '--user=root', '--skip-networking',
                   f'--socket={cls.socket}', '--pid-file=pid'])
            deadline = time.monotonic() + DEADLINE_S
            while not cls.socket.exists():
                if time.monotonic() > deadline:
                    raise Missing('mariadbd does not listen')
                time.sleep(.2)
            run('mariadb', '--no-defaults', f'--socket={cls.socket}', '-e',
                'create database wordpress')
        return cls.socket


def wordpress():
    home = WORK / 'wordpress'
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(need('/usr/share/wordpress'), home)
    (home / 'wp-config.php').write_text(
        f"<?php\ndefine('DB_HOST', 'localhost:{Database.get()}');\n"
        "define('DB_NAME', 'wordpress');\ndefine('DB_USER', 'root');\n"
        "define('DB_PASSWORD', '');\ndefine('DISABLE_WP_CRON', true);\n"
        "define('WP_HTTP_BLOCK_EXTERNAL', true);\n$table_prefix = 'wp_';\n"
        "if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');\n"
        "require_once ABSPATH . 'wp-settings.php';\n")
    (home / 'wp-content' / 'mu-plugins').mkdir(exist_ok=True)
    (home / 'wp-content' / 'mu-plugins' / 'everybody.php').write_text(
        "<?php\nadd_filter('determine_current_user', function () "
        "{ return 1; }, 99);\n"
        "add_action('init', function () { update_user_meta(1, "
        "'wp_persisted_preferences', ['core/edit-post' => "
        "['welcomeGuide' => false]]); });\n"
        # auth_redirect() is pluggable, and would ask for a cookie.
        "function auth_redirect() {}\n")
    base = php(home, ready='/wp-admin/install.php')
    form = urllib.parse.urlencode({
        'weblog_title': 'Journal', 'user_name': 'admin',
        'admin_password': 'bench-password-1', 'pw_weak': 'on',
        'admin_password2': 'bench-password-1', 'blog_public': '0',
        'admin_email': 'admin@example.org', 'Submit': 'Install'}).encode()
    urllib.request.urlopen(f'{base}/wp-admin/install.php?step=2', form).read()
    return [('WordPress, dashboard', f'{base}/wp-admin/index.php',
             'At a Glance'),
            ('WordPress, list of posts', f'{base}/wp-admin/edit.php',
             'Hello world'),
            ('WordPress, editor',
             f'{base}/wp-admin/post.php?post=1&action=edit',
             'Move to trash'),
            ('WordPress, blog', f'{base}/', 'Hello world')]


def phpmyadmin():
    home = WORK / 'phpmyadmin'
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(need('/usr/share/phpmyadmin'), home)
    (home / 'tmp').mkdir()
    vendor = home / 'libraries' / 'vendor_config.php'
    text = vendor.read_text()
    text = re.sub(r"('configFile' => ).*", rf"\1'{home}/config.php',", text)
    text = re.sub(r"('tempDir' => ).*", rf"\1'{home}/tmp/',", text)
    vendor.write_text(text)
    (home / 'config.php').write_text(
        "<?php\n$cfg['blowfish_secret'] = str_repeat('b', 32);\n"
        "$cfg['VersionCheck'] = false;\n$cfg['SendErrorReports'] = 'never';\n"
        "$cfg['Servers'][1] = ['auth_type' => 'config', 'host' => "
        f"'localhost', 'socket' => '{Database.get()}', 'user' => 'root', "
        "'password' => '', 'AllowNoPassword' => true];\n")
    base = php(home, ready='/index.php')
    return [('phpMyAdmin, structure',
             f'{base}/index.php?route=/database/structure&db=mysql',
             'help_keyword')]


ALL = [django, jupyterlab, dash, gradio, documentation, mediawiki, dokuwiki,
       roundcube, wordpress, phpmyadmin]


def set_up(only=None):
    """Sets all of them up: [(name, url, a text that it shows)] of the pages,
    {name: reason} of what is missing."""
    WORK.mkdir(parents=True, exist_ok=True)
    pages, missing = [], {}
    for app in ALL:
        if only and app.__name__ not in only:
            continue
        try:
            pages += app()
        except (Missing, OSError) as error:
            missing[app.__name__] = str(error)
    return pages, missing
