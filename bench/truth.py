# SPDX-License-Identifier: Apache-2.0
"""What a page holds, and how much of it a text carries.

Read through Playwright and Chromium's accessibility tree; no code of the
library has a part in it. Three things are looked for in a text: the words that
a person sees, the controls with their names, the links with name and target.
"""
import collections
import re
import time
import urllib.parse

from common import BENCH

SCRIPT = (BENCH / 'truth.js').read_text()
CONTROLS = set('button checkbox combobox listbox menuitem menuitemcheckbox '
               'menuitemradio radio searchbox slider spinbutton switch tab '
               'textbox treeitem ColorWell Date DateTime InputTime '
               'DisclosureTriangle DisclosureTriangleGrouped'.split())
# Controls of which the browser makes further controls of its own.
COMPOUND = set('Date DateTime InputTime spinbutton slider'.split())
# Words of the formats themselves, by which no text shall gain.
FORMAT = set('link button list listitem text generic heading img url ref '
             'cursor pointer level page title snapshot static statictext '
             'listmarker a div span li input row cell table paragraph '
             'navigation active option options'.split())
MARKS = re.compile(r'\[?\bref=\w+|\be\d{6,9}\b\*?|\[\d+\](?=<)|level=\d+')
STARTS = {
    'library': re.compile(r'\be\d{6,9}\b\*?'),
    'line': re.compile(r'^.*\bref=\w+', re.M),
    'index': re.compile(r'\[\d+\]<'),
}
LONG_NAME = 8  # words; every format cuts long names
LONG_TARGET = 60
DEADLINE_S = 90


def words_of(text):
    return re.findall(r'[^\W_]+', text.casefold())


def chunks_of(text, kind):
    """The pieces of a text that belong to one element to act on."""
    starts = [found.start() for found in STARTS[kind].finditer(text)]
    return [text[a:b] for a, b in zip(starts, starts[1:] + [len(text)])]


class Chunks:
    """Finds for each wanted element a piece of its own."""

    def __init__(self, text, kind):
        self.raw = chunks_of(text, kind)
        self.spaced = [f" {' '.join(words_of(MARKS.sub(' ', raw)))} "
                       for raw in self.raw]
        self.by_word = collections.defaultdict(list)
        for i, line in enumerate(self.spaced):
            for word in set(line.split()):
                self.by_word[word].append(i)

    def candidates(self, name):
        words = words_of(name)[:LONG_NAME]
        if not words:
            return [i for i, raw in enumerate(self.raw) if name in raw]
        lists = [self.by_word.get(word, []) for word in words]
        wanted = f" {' '.join(words)} "
        # What follows an element may be words of others: nearest to its
        # beginning first.
        places = sorted((self.spaced[i].find(wanted), i)
                        for i in min(lists, key=len))
        return [i for place, i in places if place >= 0]

    def lacks(self, wanted, fits=lambda raw, item: True):
        """Those of wanted, (name, …) each, that have no piece."""
        taken, lacking = set(), []
        candidates = {}
        for item in sorted(wanted, key=lambda item: -len(item[0])):
            if item not in candidates:
                candidates[item] = iter([
                    i for i in self.candidates(item[0])
                    if fits(self.raw[i], item)])
            for i in candidates[item]:
                if i not in taken:
                    taken.add(i)
                    break
            else:
                lacking.append(item)
        return lacking


def target_fits(raw, link):
    _, url, authored = link
    path = re.sub(r'^[a-z]+://[^/]*', '', url)
    for form in {url, authored, path, urllib.parse.unquote(path)} - {''}:
        if len(form) > LONG_TARGET and form[:LONG_TARGET] in raw:
            return True
        if re.search(r'(?<![\w/.-])' + re.escape(form) + r'(?=["\s\],]|$)',
                     raw):
            return True
    return False


class Truth:
    def __init__(self, texts, controls, links):
        self.words = collections.Counter(
            word for word in words_of(' '.join(texts)) if word not in FORMAT)
        self.seen = ' '.join(words_of(' '.join(texts)))
        self.controls = controls
        self.links = links

    def shows(self, text):
        return self.words.total() > 0 and ' '.join(words_of(text)) in self.seen

    def size(self):
        return {'words': self.words.total(), 'controls': len(self.controls),
                'links': len(self.links)}

    def lacking(self, text, kind):
        """The words, controls and links that the text does not carry."""
        have = collections.Counter(words_of(MARKS.sub(' ', text)))
        chunks = Chunks(text, kind)
        return {'words': list((self.words - have).elements()),
                'controls': chunks.lacks(self.controls),
                'links': chunks.lacks(self.links, target_fits)}

    def recall(self, lacking):
        """Shares of what is not lacking; None of nothing."""
        return {part: round(1 - len(lacking[part]) / size, 3) if size else None
                for part, size in self.size().items()}


def role_of(node):
    return node.get('role', {}).get('value')


def named_nodes(tree):
    """(role, name, node) of what an author put there and named."""
    nodes = {node['nodeId']: node for node in tree['nodes']}

    def is_part(node):
        up = nodes.get(node.get('parentId'))
        return up and (role_of(up) in COMPOUND or is_part(up))

    for node in tree['nodes']:
        name = (node.get('name', {}).get('value') or '').strip()
        if not node['ignored'] and name and not is_part(node):
            yield role_of(node), name, node


def url_of(node):
    return next((item['value'].get('value') for item in
                 node.get('properties', []) if item['name'] == 'url'), None)


class Reader:
    """A browser of its own that reads pages once more."""

    def __init__(self, chromium, no_sandbox, width, height):
        from playwright.sync_api import sync_playwright
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path=chromium, chromium_sandbox=not no_sandbox)
        self.page = self.browser.new_page(viewport={'width': width,
                                                    'height': height})

    def read(self, url, shown):
        """What the page holds once it shows that text and has had time for
        more; and how many seconds that took."""
        start = time.monotonic()
        self.page.goto(url)
        while True:
            texts, authored = self.see()
            if Truth(texts, [], []).shows(shown):
                break
            if time.monotonic() - start > DEADLINE_S:
                raise LookupError(f'it does not show {shown!r}')
            self.page.wait_for_timeout(200)
        self.page.wait_for_timeout(1000 * (time.monotonic() - start) + 300)
        took = time.monotonic() - start
        texts, authored = self.see()
        return Truth(texts, *self.elements(authored)), took

    def see(self):
        texts, authored = [], {}
        for frame in self.page.frames:
            seen = frame.evaluate(SCRIPT)
            texts.append(seen['text'])
            authored.update(seen['links'])
        return texts, authored

    def elements(self, authored):
        session = self.page.context.new_cdp_session(self.page)
        frames = session.send('Page.getFrameTree')['frameTree']
        controls, links = [], []
        for frame_id in self.frame_ids(frames):
            tree = session.send('Accessibility.getFullAXTree',
                                {'frameId': frame_id})
            for role, name, node in named_nodes(tree):
                if role in CONTROLS:
                    controls.append((name,))
                elif role == 'link' and (url := url_of(node)):
                    links.append((name, url, authored.get(url, '')))
        session.detach()
        return controls, links

    def frame_ids(self, tree):
        yield tree['frame']['id']
        for child in tree.get('childFrames', []):
            yield from self.frame_ids(child)

    def close(self):
        self.browser.close()
        self.playwright.stop()
