/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the tree that is drawn and makes the nodes of a snapshot. */
'use strict';

const NODES_MAX = 100000;
const DEPTH_MAX = 400;
const TEXT_MAX = 10000;

const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'head',
    'link', 'meta', 'base', 'title', 'datalist', 'option', 'optgroup',
    'source', 'track', 'param', 'wbr', 'colgroup', 'col']);
/* Their text is the name of what they stand in. */
const NAMING = new Set(['legend', 'figcaption', 'caption']);
/* Their content is their value or their picture. */
const OPAQUE = new Set(['input', 'textarea', 'select', 'img', 'svg', 'canvas',
    'video', 'audio', 'math', 'meter', 'progress', 'object', 'embed', 'hr']);
/* Worth a line only with a name. */
const NEEDS_NAME = new Set(['group', 'form', 'region', 'list', 'figure',
    'image', 'blockquote', 'rowgroup', 'radiogroup', 'paragraph', 'emphasis',
    'strong', 'code', 'generic', 'mark', 'time', 'insertion', 'deletion',
    'subscript', 'superscript', 'document', 'note', 'separator', 'term',
    'definition', 'caption', 'suggestion', 'article', 'tablist', 'toolbar',
    'canvas', 'log', 'application', 'feed', 'marquee', 'directory']);
/* A line only when it groups several. */
const NEEDS_SEVERAL = new Set(['listitem', 'cell', 'gridcell', 'columnheader',
    'rowheader']);
/* Never a ref of their own: what is in them is used. */
const CONTAINERS = new Set(['form', 'list', 'table', 'row', 'main',
    'navigation', 'banner', 'contentinfo', 'document', 'rowgroup']);

/* Where this frame lies in the page, as part of every identity in it; given
 * by the library for frames that it reads one by one. */
let framePath = '';
let walkState = null;

/* Frames whose documents this world may not read, by a number that stays. */
const frameKeys = new WeakMap();
const frameElements = new Map();
const keyOfFrame = (el) => {
    let key = frameKeys.get(el);
    if (key === undefined) {
        key = frameElements.size + 1;
        frameKeys.set(el, key);
        frameElements.set(key, new WeakRef(el));
    }
    return key;
};
const pathOfFrame = (el) => attribute(el, 'name') || attribute(el, 'id') ||
    attribute(el, 'src') || '';

const makeNode = (el, role) => ({
    id: 0, el, role, level: '', name: '', value: '', states: '', href: '',
    note: '', ref: '', twin: false, act: false, brk: false, kids: [],
    /* What lines.js, cost.js and view.js find out about it. */
    weight: null, plan: null, cost: 0, unseen: undefined
});

/* Does the node that is pushed next begin a line? */
let breaks = false;
const pushNode = (out, node, brk) => {
    node.brk = brk;
    out.push(node);
};
const takeBreak = () => {
    const brk = breaks;
    breaks = false;
    return brk;
};

const isLabelOfHidden = (el) => {
    if (localName(el) !== 'label' || !isHtml(el))
        return false;
    const control = labelControl(el);
    return control !== null && isInput(control, 'checkbox', 'radio', 'file') &&
        !hasBox(control, { visibilityProperty: true });
};

const pointsFirst = (el, style, scope) =>
    style.cursor === 'pointer' && !scope.pointer &&
    !(localName(el) === 'label' && isHtml(el));

const isActionable = (el, role, style, scope) => {
    const tag = localName(el);
    if (tag === 'html' || tag === 'body')
        return false;
    if (isInput(el, 'hidden') || tag === 'option')
        return false;
    if (WIDGETS.has(role) || role === 'color' || role === 'file' ||
        tag === 'select' || isEditingHost(el))
        return true;
    if (hasAttribute(el, 'tabindex') && isHtml(el) && tabIndexOf(el) >= 0)
        return !CONTAINERS.has(role);
    if (hasAttribute(el, 'onclick'))
        return true;
    return pointsFirst(el, style, scope);
};

/* No user and password: they are secrets, or make one host look like another. */
const shownAddress = (href) => {
    if (!href.includes('@') || !URL.canParse(href))
        return clean(href).replaceAll(' ', '%20');
    const url = new URL(href);
    url.username = '';
    url.password = '';
    return clean(url.href).replaceAll(' ', '%20');
};

const absolute = (href) => URL.canParse(href, document.baseURI) ?
    new URL(href, document.baseURI).href : href;

const targetOf = (el) => {
    const tag = localName(el);
    if ((tag === 'a' || tag === 'area') && hasAttribute(el, 'href'))
        return shownAddress(isHtml(el) ? String(el.href) :
            absolute(attribute(el, 'href')));
    return '';
};

/* The element of a text node is the first Text that it is made of. */
const pushText = (out, text, from) => {
    const last = out.at(-1);
    if (last !== undefined && last.open) {
        last.name += text;
        return;
    }
    if (/^\s*$/.test(text))
        return;
    const node = makeNode(from, 'text');
    node.name = text;
    node.open = true;
    pushNode(out, node, takeBreak());
};

const closeText = (out) => {
    const last = out.at(-1);
    if (last !== undefined && last.open) {
        last.open = false;
        last.name = clean(last.name, TEXT_MAX);
        if (last.name === '')
            out.pop();
    }
};

const hasActor = (nodes) =>
    nodes.some((node) => node.act || hasActor(node.kids));

const optionsNode = (el) => {
    const options = [...selectOptions(el)];
    if (options.length === 0 || options.length > 8)
        return [];
    const node = makeNode(options[0], 'options');
    node.name = clean(options.map(optionLabel).join(' | '), TEXT_MAX);
    return [node];
};

const describeNode = (node, el, active) => {
    node.states = statesOf(el, active);
    node.href = targetOf(el);
    node.value = valueOf(el, node.role);
    if (node.role === 'heading')
        node.level = String(levelOf(el));
    if (localName(el) === 'select' && isHtml(el)) {
        const count = selectOptions(el).length;
        node.note = `[${count} option${count === 1 ? '' : 's'}]`;
        node.kids = optionsNode(el);
    }
};

/* Decides whether the element itself is worth a line. */
const keepNode = (node, out, brk) => {
    const { role, kids } = node;
    if (!node.act && node.name === '') {
        if (NEEDS_NAME.has(role) ||
            NEEDS_SEVERAL.has(role) && kids.length < 2 ||
            kids.length === 0 && node.note === '' && node.value === '') {
            if (kids.length > 0)
                kids[0].brk ||= brk;
            else
                breaks ||= brk;
            for (const kid of kids)
                out.push(kid);
            return;
        }
    }
    pushNode(out, node, brk);
};

const labelNode = (el, scope) => {
    const control = labelControl(el);
    const role = roleOf(control);
    const node = makeNode(el, role);
    node.name = clean(labelText(el, control), TEXT_MAX) ||
        nameOf(control, role);
    node.states = statesOf(control, walkState.active);
    node.act = true;
    node.key = identity(control, role, node.name, scope);
    return node;
};

const childScope = (scope, el, role, style) => {
    const path = role === 'generic' ? scope.path : scope.path + '/' + role;
    const name = role === 'generic' || WIDGETS.has(role) ? '' :
        authoredName(el);
    return {
        ...scope,
        depth: scope.depth + 1,
        path: name === '' ? path : role + ':' + name,
        pointer: scope.pointer || style.cursor === 'pointer'
    };
};

const visitChildren = (el, scope, out) => {
    if (localName(el) === 'br' && !scope.mute) {
        pushText(out, ' ', null);
        return;
    }
    const closed = localName(el) === 'details' && !hasAttribute(el, 'open');
    for (const child of drawnChildren(el)) {
        if (closed && !(nodeType(child) === ELEMENT &&
                        localName(child) === 'summary'))
            continue;
        const type = nodeType(child);
        if (type === TEXT) {
            if (!scope.mute && scope.visible)
                pushText(out, child.data, child);
        } else if (type === ELEMENT) {
            visit(child, scope, out);
        }
    }
};

const unreadable = (el, node) => {
    const box = boxOf(el);
    const [w, h] = [box.width, box.height].map(Math.round);
    node.note = `(not read: another origin, ${w}x${h})`;
};

const visitFrame = (el, node, scope) => {
    const doc = innerDocument(el);
    node.name = authoredName(el) || clean(attribute(el, 'title') || '');
    if (doc === null) {
        unreadable(el, node);
        walkState.unread.push({ node, key: keyOfFrame(el) });
        return;
    }
    const root = documentElement(doc);
    if (root !== null)
        visit(root, { ...scope, frame: scope.frame + '>' + pathOfFrame(el),
                      path: '', pointer: false }, node.kids);
    closeText(node.kids);
};

const fillNode = (el, node, scope, style) => {
    const role = node.role;
    const tag = localName(el);
    const inner = childScope(scope, el, role, style);
    const byContent = NAMED_BY_CONTENT.has(role);
    const isLeaf = node.act && byContent;
    const isPicture = OPAQUE.has(tag) &&
        el !== documentElement(ownerDocument(el));
    if (isPicture || role === 'textbox' && isEditingHost(el)) {
        node.name = nameOf(el, role);
        return;
    }
    if (isLeaf)
        inner.mute = true;
    visitChildren(el, inner, node.kids);
    closeText(node.kids);
    if (isLeaf) {
        node.name = nameOf(el, role);
        node.kids = node.kids.filter((kid) => kid.act || hasActor([kid]));
    } else if (byContent && role === 'heading' && !hasActor(node.kids)) {
        node.name = nameOf(el, role);
        node.kids = [];
    } else if (node.act && !hasActor(node.kids)) {
        node.name = authoredName(el) || clean(contentText(el), TEXT_MAX) ||
            nameOf(el, role);
        node.kids = [];
    } else {
        node.name = authoredName(el);
    }
};

const addCandidate = (node, scope) => {
    node.key ??= identity(node.el, node.role, node.name, scope);
    walkState.candidates.push({ node, el: node.el, key: node.key });
};

/* What such a label says is the name of its control. */
const isBoundLabel = (el, tag) => tag === 'label' && isHtml(el) &&
    labelControl(el) !== null && hasBox(labelControl(el)) &&
    authoredName(labelControl(el)) === '';

const visit = (el, scope, out) => {
    const tag = localName(el);
    if (SKIPPED.has(tag) || walkState.count >= NODES_MAX)
        return;
    if (scope.depth > DEPTH_MAX) {
        walkState.deep = true;
        return;
    }
    const style = getComputedStyle(el);
    if (style.display === 'none' ||
        style.display !== 'contents' && !hasBox(el))
        return;
    const visible = style.visibility === 'visible';
    const inside = { ...scope, visible, mute: scope.mute ||
        isTrue(el, 'aria-hidden') };
    if (NAMING.has(tag) || isBoundLabel(el, tag))
        inside.mute = true;
    const inline = style.display === 'inline' || style.display === 'contents';
    const block = !inline && !style.display.startsWith('inline');
    if (!inline)
        closeText(out);
    breaks ||= block;
    visitElement(el, inside, style, out);
    breaks ||= block;
    if (!inline)
        closeText(out);
};

const visitElement = (el, scope, style, out) => {
    const role = roleOf(el);
    if (scope.visible && isLabelOfHidden(el)) {
        const node = labelNode(el, scope);
        addCandidate(node, scope);
        closeText(out);
        pushNode(out, node, takeBreak());
        walkState.count++;
        return;
    }
    const act = scope.visible && isActionable(el, role, style, scope);
    if (role === 'generic' && !act) {
        visitChildren(el, childScope(scope, el, role, style), out);
        return;
    }
    if (NEEDS_NAME.has(role) && !act && style.display === 'inline') {
        visitInline(el, role, scope, style, out);
        return;
    }
    closeText(out);
    const node = makeNode(el, act && role === 'generic' ? 'clickable' : role);
    node.act = act;
    const brk = takeBreak();
    if (role === 'iframe')
        visitFrame(el, node, scope);
    else
        fillNode(el, node, scope, style);
    if (node.kids.length === 0)
        breaks = false;
    if (act || scope.visible && !scope.mute)
        describeNode(node, el, walkState.active);
    else
        node.name = '';
    if (act)
        addCandidate(node, scope);
    walkState.count++;
    keepNode(node, out, brk);
};

/* Inline phrasing such as <em> or an icon joins the text around it. */
const visitInline = (el, role, scope, style, out) => {
    if (role === 'image') {
        const name = scope.visible && !scope.mute ? nameOf(el, role) : '';
        if (name !== '') {
            closeText(out);
            const node = makeNode(el, role);
            node.name = name;
            walkState.count++;
            pushNode(out, node, takeBreak());
        }
        return;
    }
    visitChildren(el, childScope(scope, el, role, style), out);
};

/* What the last walk made of each element and Text; its ids stay. */
let nodes = new Map();
let lastId = 0;
const nodeOf = (el) => nodes.get(el);
const parents = new WeakMap();
const parentOf = (node) => parents.get(node);

const FIELDS = ['role', 'level', 'name', 'value', 'states', 'href', 'note',
    'ref', 'twin', 'act', 'brk'];
const isSame = (a, b) => a.kids.length === b.kids.length &&
    FIELDS.every((field) => a[field] === b[field]) &&
    a.kids.every((kid, i) => kid === b.kids[i]);

/* The node of the last walk in place of each one that is the same still. */
const settle = (node, now) => {
    node.kids = node.kids.map((kid) => settle(kid, now));
    const old = nodes.get(node.el);
    const settled = old !== undefined && isSame(node, old) ? old : node;
    if (settled === node)
        node.id = old?.id ?? ++lastId;
    for (const kid of settled.kids)
        parents.set(kid, settled);
    now.set(node.el, settled);
    return settled;
};

/* Walks the page anew, and gives out refs. */
const walkPage = () => {
    forgetLabels();
    walkState = { candidates: [], unread: [], count: 0, deep: false,
                  active: deepActive() };
    const page = makeNode(document, 'page');
    breaks = false;
    const root = documentElement(document);
    const scope = { frame: framePath, path: '', depth: 0, mute: false,
                    visible: true, pointer: false };
    if (root !== null)
        visit(root, scope, page.kids);
    closeText(page.kids);
    assignRefs(walkState.candidates);
    page.name = clean(titleOf(document), 1000);
    page.href = shownAddress(location.href);
    if (walkState.count >= NODES_MAX)
        page.note = `(only the first ${NODES_MAX} nodes were read)`;
    else if (walkState.deep)
        page.note = `(nesting over ${DEPTH_MAX} levels was not read)`;
    const now = new Map();
    const settled = settle(page, now);
    nodes = now;
    const unread = walkState.unread.map(({ node, key }) =>
        ({ node: nodes.get(node.el), key }))
        .filter(({ node }) => node !== undefined);
    walkState = null;
    return { page: settled, unread };
};
