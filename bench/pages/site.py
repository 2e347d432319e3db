# SPDX-License-Identifier: Apache-2.0
"""The generated pages of the benches, served on loopback.

/list/N          N rows: a text, a link of its own, two buttons; a click on a
                 button changes the text of its row
/list/N/clock    the same below a clock that ticks four times a second
/form            a form with a control of each kind
/found/NAME      a form cut from a real site, of the forms in the shared corpus
"""
import http.server
import os
import pathlib
import re
import threading

HERE = pathlib.Path(__file__).resolve().parent
CORPORA = pathlib.Path(os.environ.get('APERTURE_CORPORA')
                       or HERE.parents[1].parent / 'shared' / 'corpora')
SIZES = (5, 24, 60, 150, 1000, 5000)
FOUND_FORMS = ('apple_signup.html', 'www_qantas_com_login.html',
               'stripeelements_checkout.html')
GOODS = ('Coffee', 'Green tea', 'Rye bread', 'Sea salt', 'Olive oil',
         'Honey', 'Walnuts')

SCRIPT = '''
document.addEventListener('click', event => {
  const button = event.target.closest('li button');
  if (!button) return;
  const text = button.parentElement.querySelector('span');
  const times = Number(button.dataset.times || 0) + 1;
  button.dataset.times = times;
  text.textContent = `${text.dataset.goods}: ${button.textContent} ${times}`;
});
'''
CLOCK = '''
setInterval(() => {
  document.querySelector('#clock').textContent =
    new Date().toISOString().slice(11, 21);
}, 250);
'''


def page(title, body, script=''):
    return (f'<!doctype html><html lang="en"><meta charset="utf-8">'
            f'<title>{title}</title><h1>{title}</h1>{body}'
            f'<script>{script}</script></html>')


def row(number):
    """All numbers have four digits, so that all rows cost the same."""
    goods = f'{GOODS[number % len(GOODS)]} {number:04}'
    return (f'<li><span data-goods="{goods}">{goods}: in stock</span> '
            f'<a href="/goods/{number:04}">Details of {number:04}</a> '
            f'<button>Add</button> <button>Delete</button></li>')


def list_page(count, clock):
    rows = ''.join(row(number) for number in range(1, count + 1))
    ticking = '<p>Now: <span id="clock">00:00:00.0</span></p>' if clock else ''
    return page('Goods', f'{ticking}<ul>{rows}</ul>',
                SCRIPT + (CLOCK if clock else ''))


def options(*names):
    return ''.join(f'<option>{name}</option>' for name in names)


def form_page():
    days = options(*(f'Day {day}' for day in range(1, 32)))
    return page('Order', f'''
<form action="/order"><fieldset><legend>You</legend>
<label>Full name <input name="name" required value="Ada Lovelace"></label>
<label>E-mail <input name="mail" type="email" placeholder="you@example.org">
</label><label>Password <input type="password" value="secret12"></label>
<label>Born <input type="date" value="1990-12-10"></label>
<label>Guests <input type="number" min="1" max="9" value="2"></label>
</fieldset><fieldset><legend>Delivery</legend>
<label><input type="radio" name="way" checked> Bring it</label>
<label><input type="radio" name="way"> I fetch it</label>
<label>Country <select>{options('France', 'Germany', 'Italy', 'Spain')}
</select></label><label>Day <select>{days}</select></label>
<label>Extras <select multiple>{options('Bag', 'Ribbon', 'Card')}</select>
</label></fieldset><fieldset disabled><legend>Not yet</legend>
<label>Voucher <input name="voucher"></label><button>Redeem</button>
</fieldset><label>Remarks <textarea>Ring twice.</textarea></label>
<label><input type="checkbox" checked> Send me news</label>
<label>Volume <input type="range" value="30"></label>
<label>Picture <input type="file"></label>
<div role="switch" aria-checked="true" tabindex="0">Express</div>
<div role="tablist"><div role="tab" aria-selected="true" tabindex="0">Card</div>
<div role="tab" aria-selected="false" tabindex="-1">Invoice</div></div>
<p>By ordering you accept the <a href="/terms?of=sale#top">terms of sale</a>.
</p><button>Order now</button><button type="reset">Start again</button></form>
''')


def body_of(path):
    if found := re.fullmatch(r'/list/(\d+)(/clock)?', path):
        return list_page(int(found[1]), bool(found[2]))
    if path == '/form':
        return form_page()
    if found := re.fullmatch(r'/found/([\w.]+)', path):
        return (CORPORA / 'forms' / found[1]).read_text()
    return page('Another page', f'<p>{path.split("?")[0].strip("/")}</p>')


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        body = body_of(self.path).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/html; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        self.send_header('Cache-Control', 'no-store')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def serve():
    """Starts serving; returns the address without a slash at its end."""
    server = Server(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f'http://127.0.0.1:{server.server_port}'


def form_paths():
    """(name, path, a text that it shows) of the pages with forms."""
    found = [(f'form of a site: {name[:-5]}', f'/found/{name}', '')
             for name in FOUND_FORMS if (CORPORA / 'forms' / name).exists()]
    return [('form, generated', '/form', 'terms of sale')] + found
