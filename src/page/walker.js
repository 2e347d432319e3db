/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the tree that is drawn and makes the nodes of a snapshot. What did not
 * change since the last walk is taken from its record. */
'use strict';

const NODES_MAX = 200000;
const CHARS_MAX = 32 * 1024 * 1024;
const DEPTH_MAX = 400;
const TEXT_MAX = 10000;
const TIME_MAX_MS = 3000;
/* A block with fewer elements than this has no record of its own. */
const RECORD_MIN = 4;
/* Unless its parent has more than so many of them. */
const LOOSE_MAX = 16;

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
/* Words in them are no words of the row that they stand in: they change when
 * they are used. */
const CONTROL_TAGS = new Set(['button', 'input', 'label', 'select',
    'textarea']);

/* Where this frame lies in the page, as part of every identity in it; given
 * by the library for frames that it reads one by one. */
let framePath = '';
/* The walk under way. */
let walk = null;

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

/* Elements that are known to listen for clicks; adding one marks it dirty. */
const listenedTo = new WeakSet();

/* Of addresses that begin with a slash; '' if there is none. */
const originOf = (address) => {
    const { origin } = new URL(address);
    return /^https?:/.test(origin) ? origin : '';
};

const startWalk = (fresh) => ({
    fresh, parts: [], made: [], styles: [], watches: [], visited: [],
    words: 0, count: 0, size: 0, deep: false, over: '',
    origin: originOf(document.baseURI), active: deepActive(), began: performance.now(), steps: 0
});

/* ---- scopes -------------------------------------------------------------- */

/* What the content of an element inherits. `pointer`: it lies in something
 * that can be clicked; `control`: its words are those of a control; `row`:
 * what the row around it says; `around`: what the element itself says. */
const makeScope = (frame, path, depth, mute, visible, pointer, control,
                   row) => ({ frame, path, depth, mute, visible, pointer,
                              control, row, around: null, loose: 0 });

const isSameScope = (a, b) => a.path === b.path && a.row === b.row &&
    a.mute === b.mute && a.pointer === b.pointer && a.control === b.control &&
    a.frame === b.frame && a.depth === b.depth;

/* What is said around an element: a hash, and what it was before this walk. */
const makeAround = (isRow) => ({ isRow, words: 0, before: 0, pass: 0 });
const setWords = (around, words) => {
    if (around.pass !== pass) {
        around.before = around.words;
        around.pass = pass;
    }
    around.words = words;
};
const wordsBefore = (around) =>
    around.pass === pass ? around.before : around.words;

const mix = (a, b) => b === 0 ? a : Math.imul(a ^ b, 16777619);
/* White space does not count. */
const mixText = (start, text) => {
    let words = start;
    for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (code > 32)
            words = Math.imul(words ^ code, 16777619);
    }
    return words;
};

/* ---- lists of nodes ------------------------------------------------------ */

/* Does the node that is pushed next begin a line? */
let breaks = false;

const draft = (el, role) => {
    const node = makeNode(el, role);
    node.brk = breaks;
    walk.made.push(node);
    return node;
};

const ANY_WORD = /\S/;
const isEmptyText = (text) => {
    let i = 0;
    while (i < text.length && text.charCodeAt(i) <= 32)
        i++;
    return i === text.length ||
        text.charCodeAt(i) > 126 && !ANY_WORD.test(text.slice(i));
};
const pushText = (out, text, from) => {
    const last = out.length > 0 ? out[out.length - 1] : undefined;
    if (last !== undefined && last.open) {
        last.name += text;
        return;
    }
    if (isEmptyText(text))
        return;
    const node = draft(from, 'text');
    node.name = text;
    node.open = true;
    breaks = false;
    out.push(node);
};

const closeText = (out) => {
    const last = out.length > 0 ? out[out.length - 1] : undefined;
    if (last !== undefined && last.open) {
        last.open = false;
        last.name = clean(last.name, TEXT_MAX);
        if (last.name === '') {
            out.pop();
            breaks ||= last.brk;
        } else {
            walk.count++;
            walk.size += last.name.length;
        }
    }
};

const hasActor = (nodes) => {
    for (const node of nodes)
        if (node.act || node.kids.length > 0 && hasActor(node.kids))
            return true;
    return false;
};

/* Decides whether the element itself is worth a line. */
const keepNode = (node, out) => {
    const { role, kids } = node;
    if (!node.act && node.name === '' && (NEEDS_NAME.has(role) ||
        NEEDS_SEVERAL.has(role) && kids.length < 2 ||
        kids.length === 0 && node.note === '' && node.value === '')) {
        for (const kid of kids)
            out.push(kid);
        return;
    }
    if (kids.length === 0)
        breaks = false;
    out.push(node);
};

/* ---- what an element is -------------------------------------------------- */

const cursorAt = (at) => walk.styles[at + 4] ??= walk.styles[at + 1].cursor;

/* A label stands for a control that is not shown itself; what it says is the
 * name of one that is. */
const labelUse = (el) => {
    const control = labelControl(el);
    if (control === null)
        return 'free';
    if (isInput(control, 'checkbox', 'radio', 'file') &&
        !hasBox(control, { visibilityProperty: true }))
        return 'stands';
    return hasBox(control) && authoredName(control) === '' ? 'names' : 'free';
};

/* The outermost of nested elements that look as if a click did something. */
const looksClickable = (el, tag, scope, at) => !scope.pointer &&
    !(tag === 'label' && isHtml(el)) &&
    (cursorAt(at) === 'pointer' || attribute(el, 'draggable') === 'true');

const isActionable = (el, tag, role, scope, at) => {
    if (tag === 'html' || tag === 'body' || tag === 'option' ||
        isInput(el, 'hidden'))
        return false;
    if (WIDGETS.has(role) || role === 'color' || role === 'file' ||
        tag === 'select' || isEditingHost(el))
        return true;
    if (hasAttribute(el, 'tabindex') && isHtml(el) && tabIndexOf(el) >= 0)
        return !CONTAINERS.has(role);
    return hasAttribute(el, 'onclick') || listenedTo.has(el) ||
        looksClickable(el, tag, scope, at);
};

/* No user and password: they are secrets, or make one host look like another. */
const PLAIN_ADDRESS = /^[!-?A-~]+$/;
const shownAddress = (href) => {
    if (PLAIN_ADDRESS.test(href))
        return href;
    if (!href.includes('@') || !URL.canParse(href))
        return clean(href).replaceAll(' ', '%20');
    const url = new URL(href);
    url.username = '';
    url.password = '';
    return clean(url.href).replaceAll(' ', '%20');
};

const absolute = (href) => URL.canParse(href, document.baseURI) ?
    new URL(href, document.baseURI).href : href;

/* Paths that no browser spells otherwise: to have each of thousands of them
 * parsed takes long. */
const PLAIN_PATH = /^\/(?![/.])(?:[\w~=&?+,;:!$*-]|[/.](?!\.))*$/;
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;
const targetOf = (el, tag) => {
    if (tag !== 'a' && tag !== 'area')
        return '';
    const href = attribute(el, 'href');
    if (href === null)
        return '';
    if (walk.origin !== '' && ownerDocument(el) === document &&
        PLAIN_PATH.test(href))
        return walk.origin + href;
    if (!ABSOLUTE.test(href))
        watchFor(el, 'address');
    return shownAddress(isHtml(el) ? String(el.href) : absolute(href));
};

const optionsNode = (el) => {
    const options = [...selectOptions(el)];
    if (options.length === 0 || options.length > 8)
        return [];
    const node = draft(options[0], 'options');
    node.brk = false;
    node.name = clean(options.map(optionLabel).join(' | '), TEXT_MAX);
    return [node];
};

const describeNode = (node, el, tag) => {
    node.states = statesOf(el, walk.active);
    node.href = targetOf(el, tag);
    node.value = valueOf(el, node.role);
    if (node.role === 'heading')
        node.level = String(levelOf(el));
    if (tag === 'select' && isHtml(el)) {
        const count = selectOptions(el).length;
        node.note = `[${count} option${count === 1 ? '' : 's'}]`;
        node.kids = optionsNode(el);
    }
};

/* A label in place of its control, which itself is not shown. */
const visitLabel = (el, scope, out) => {
    const control = labelControl(el);
    const node = draft(el, roleOf(control));
    node.name = clean(labelText(el, control), TEXT_MAX) ||
        nameOf(control, node.role);
    node.states = statesOf(control, walk.active);
    node.act = true;
    closeText(out);
    addCandidate(node, control, scope);
    watchFor(control, 'field');
    keepNode(node, out);
    walk.count++;
};

/* ---- elements ------------------------------------------------------------ */

const innerScope = (scope, el, tag, role, given, act, visible, mute, at,
                    row) => {
    let { path } = scope;
    if (role !== 'generic')
        path = given !== '' && given !== null ? role + ':' + given :
            path + '/' + role;
    const pointer = scope.pointer || act ||
        firstElement(el) !== null && cursorAt(at) === 'pointer';
    return makeScope(scope.frame, path, scope.depth + 1, mute, visible,
                     pointer, scope.control || act && role !== 'link' ||
                         CONTROL_TAGS.has(tag), row);
};

const visitText = (text, scope, out) => {
    if (!scope.visible)
        return;
    const { data } = text;
    if (!scope.control)
        walk.words = mixText(walk.words, data);
    if (!scope.mute)
        pushText(out, data, text);
};

const visitList = (nodes, scope, out) => {
    for (const child of nodes) {
        const type = nodeType(child);
        if (type === TEXT)
            visitText(child, scope, out);
        else if (type === ELEMENT)
            visit(child, scope, out);
    }
};

/* Visits the children of a root or element one by one. True if there was
 * nothing but what has records. */
const visitSiblings = (holder, scope, out) => {
    let plain = true;
    for (let child = firstChild(holder); child !== null;
         child = nextSibling(child)) {
        const type = nodeType(child);
        if (type === TEXT) {
            if (plain && !isEmptyText(child.data))
                plain = false;
            visitText(child, scope, out);
        } else if (type === ELEMENT) {
            const before = walk.parts.length;
            visit(child, scope, out);
            if (plain) {
                const part = walk.parts[before];
                plain = part !== undefined && part.el === child &&
                    isRecord(part);
            }
        }
    }
    return plain;
};

const visitChildren = (el, tag, scope, at, out) => {
    if (tag === 'br') {
        if (!scope.mute)
            pushText(out, ' ', null);
        return false;
    }
    const root = shadowOf(el);
    if (root !== null)
        watchRoot(root);
    const holder = root ?? el;
    if (firstChild(holder) === null && tag !== 'slot')
        return false;
    if ((root !== null || firstElement(el) !== null || hasAttribute(el, 'hidden')) &&
        walk.styles[at + 1].contentVisibility === 'hidden')
        return false;
    if (tag === 'slot')
        watchFor(el, 'slot');
    if (root === null && (tag === 'slot' ||
                          tag === 'details' && !hasAttribute(el, 'open'))) {
        visitList(tag === 'slot' ? drawnChildren(el) : [...childNodes(el)]
            .filter((child) => nodeType(child) === ELEMENT &&
                    localName(child) === 'summary'), scope, out);
        return false;
    }
    const known = walk.fresh ? undefined : el[RECORD];
    if (known !== undefined && !known.dirty && known.plain &&
        known.epoch === epoch) {
        for (const part of known.parts)
            if (isRecord(part))
                visit(part.el, scope, out);
        return true;
    }
    return visitSiblings(holder, scope, out);
};

const unreadable = (el, node) => {
    const box = boxOf(el);
    const [w, h] = [box.width, box.height].map(Math.round);
    node.note = `(not read: another origin, ${w}x${h})`;
};

/* Frames that could not be read, of the nodes that were made for them. */
const unreadFrames = new Set();

const visitFrame = (el, node, scope) => {
    const doc = innerDocument(el);
    node.name = authoredName(el) || clean(attribute(el, 'title') || '');
    watchFor(el, 'frame');
    if (doc === null) {
        unreadable(el, node);
        if (!walk.fresh)
            unreadFrames.add(el);
        return;
    }
    const root = documentElement(doc);
    watchRoot(doc);
    if (root !== null)
        visit(root, makeScope(scope.frame + '>' + pathOfFrame(el), '',
                              scope.depth + 1, scope.mute, true, false, false,
                              null), node.kids);
    closeText(node.kids);
};

const fillNode = (el, tag, node, scope, given, at) => {
    const { role } = node;
    const byContent = NAMED_BY_CONTENT.has(role);
    const isLeaf = node.act && byContent;
    const isPicture = OPAQUE.has(tag) &&
        el !== documentElement(ownerDocument(el));
    if (isPicture || role === 'textbox' && isEditingHost(el)) {
        node.name = nameOf(el, role);
        return false;
    }
    const { mute } = scope;
    scope.mute ||= isLeaf;
    const plain = visitChildren(el, tag, scope, at, node.kids);
    scope.mute = mute;
    closeText(node.kids);
    if (isLeaf) {
        node.name = nameOf(el, role);
        node.kids = node.kids.filter((kid) => kid.act || hasActor([kid]));
    } else if (byContent && role === 'heading' && !hasActor(node.kids)) {
        node.name = nameOf(el, role);
        node.kids = [];
    } else if (node.act && !hasActor(node.kids)) {
        node.name = given || clean(contentText(el), TEXT_MAX) ||
            nameOf(el, role);
        node.kids = [];
    } else {
        node.name = given ?? authoredName(el);
    }
    return plain;
};

/* Inline phrasing such as <em> or an icon joins the text around it. */
const visitPhrase = (el, tag, role, scope, at, out) => {
    if (role === 'image') {
        const name = scope.visible && !scope.mute ? nameOf(el, role) : '';
        if (name !== '') {
            closeText(out);
            const node = draft(el, role);
            node.name = name;
            walk.count++;
            keepNode(node, out);
        }
        return false;
    }
    return visitChildren(el, tag, scope, at, out);
};

const visitElement = (el, tag, scope, visible, mute, inline, at, row, out) => {
    const role = roleOf(el);
    const use = tag === 'label' && isHtml(el) ? watchFor(el, 'label') : '';
    if (use === 'stands' && visible) {
        visitLabel(el, scope, out);
        return false;
    }
    const act = visible && isActionable(el, tag, role, scope, at);
    const given = WIDGETS.has(role) ? null : role === 'generic' && !act ? '' :
        authoredName(el);
    const muted = mute || NAMING.has(tag) || use === 'names';
    const inner = innerScope(scope, el, tag, role, given, act, visible, muted,
                             at, row ?? scope.row);
    let plain = false;
    const outerWords = walk.words;
    if (row === null)
        walk.words = 0;
    if (role === 'generic' && !act) {
        plain = visitChildren(el, tag, inner, at, out);
    } else if (NEEDS_NAME.has(role) && !act && inline) {
        plain = visitPhrase(el, tag, role, inner, at, out);
    } else {
        closeText(out);
        const node = draft(el, act && role === 'generic' ? 'clickable' : role);
        node.act = act;
        if (role === 'iframe')
            visitFrame(el, node, inner);
        else
            plain = fillNode(el, tag, node, inner, given, at);
        if (act || visible && !muted)
            describeNode(node, el, tag);
        else
            node.name = '';
        if (act)
            addCandidate(node, el, scope);
        watchElement(el, tag, role, act);
        walk.count++;
        walk.size += node.name.length + node.value.length + node.href.length;
        keepNode(node, out);
    }
    if (inner.around !== null)
        setWords(inner.around, walk.words);
    if (row === null)
        walk.words = mix(outerWords, walk.words);
    return plain;
};

/* ---- blocks and their records -------------------------------------------- */

const ROW_TAGS = new Set(['li', 'tr', 'article']);
const ROW_ROLES = new Set(['row', 'listitem', 'article']);
const isRowElement = (el, tag) => ROW_TAGS.has(tag) && isHtml(el) ||
    ROW_ROLES.has(attribute(el, 'role'));

const reuse = (record, scope, out) => {
    closeText(out);
    for (const node of record.nodes)
        out.push(node);
    breaks = record.brkOut;
    record.seen = pass;
    walk.parts.push(record);
    walk.words = mix(walk.words, record.words);
    walk.count += record.count;
    walk.size += record.size;
    if (record.outer !== null)
        standAround(record.outer, scope);
};

const isCurrent = (record, scope) => !record.dirty && !record.below &&
    record.epoch === epoch && record.alive &&
    (record.block || record.brkIn === breaks) &&
    isSameScope(record.scope, scope);

/* Cuts the end off a list. */
const takeFrom = (list, start) => list.splice(start, list.length - start);

const NO_WATCHES = [];
const fillRecord = (record, marks, out, plain) => {
    walk.visited.push({ record, parts: record.parts, made: record.made });
    record.nodes = out.slice(marks.out);
    record.parts = takeFrom(walk.parts, marks.parts);
    record.made = takeFrom(walk.made, marks.made);
    record.styles = takeFrom(walk.styles, marks.styles);
    record.watches = walk.watches.length === marks.watches ? NO_WATCHES :
        takeFrom(walk.watches, marks.watches);
    record.plain = plain;
    record.words = walk.words;
    record.count = walk.count - marks.count;
    record.size = walk.size - marks.size;
    record.dirty = walk.over !== '';
    record.below = false;
    record.epoch = epoch;
    record.seen = pass;
    record.walked = pass;
    record.outer = null;
    for (const part of record.parts)
        if (isRecord(part)) {
            part.parent = record;
        } else {
            part.record = record;
            if (part.el === record.el && part.around !== null &&
                !part.around.isRow)
                record.outer = part;
        }
    if (record.watches.length > 0)
        watching.add(record);
    else
        watching.delete(record);
};

const visitBlock = (el, tag, scope, visible, mute, block, at, out) => {
    const known = walk.fresh ? undefined : el[RECORD];
    const isRow = isRowElement(el, tag);
    const row = isRow ? known?.around ?? makeAround(true) : null;
    const brkIn = breaks;
    const outerWords = walk.words;
    const outMark = out.length;
    const { parts: { length: parts }, made: { length: made },
            watches: { length: watches }, count, size } = walk;
    walk.words = 0;
    const plain = visitElement(el, tag, scope, visible, mute, false, at, row,
                               out);
    closeText(out);
    breaks ||= block;
    if (isRow)
        setWords(row, walk.words);
    if (!walk.fresh && (isRow ||
                        walk.styles.length - at >= RECORD_MIN * 5 ||
                        ++scope.loose > LOOSE_MAX)) {
        const record = known ?? makeRecord(el);
        record.scope = scope;
        record.block = block;
        record.brkIn = brkIn;
        record.brkOut = breaks;
        record.around = row;
        record.alive = true;
        record.home = parentNode(el);
        fillRecord(record, { out: outMark, parts, made, styles: at, watches,
                             count, size }, out, plain);
        el[RECORD] = record;
        walk.parts.push(record);
    }
    walk.words = mix(outerWords, walk.words);
};

const isOver = () => {
    if (walk.over !== '')
        return true;
    if (walk.count >= NODES_MAX || walk.size >= CHARS_MAX)
        walk.over = `(only the first ${walk.count} nodes were read)`;
    else if (!walk.fresh && (++walk.steps & 255) === 0 &&
             performance.now() - walk.began > TIME_MAX_MS)
        walk.over = `(reading stopped after ${TIME_MAX_MS / 1000} s; ` +
            `${walk.count} nodes)`;
    return walk.over !== '';
};

const visit = (el, scope, out) => {
    const known = walk.fresh ? undefined : el[RECORD];
    if (known !== undefined && isCurrent(known, scope)) {
        reuse(known, scope, out);
        return;
    }
    const tag = localName(el);
    if (SKIPPED.has(tag) || isOver())
        return;
    if (scope.depth > DEPTH_MAX) {
        walk.deep = true;
        return;
    }
    const style = getComputedStyle(el);
    const { display } = style;
    const at = walk.styles.length;
    if (hasAttribute(el, 'popover'))
        watchFor(el, 'popover');
    if (display === 'none') {
        walk.styles.push(el, style, display, null, null);
        return;
    }
    const { visibility } = style;
    walk.styles.push(el, style, display, visibility, null);
    if (tag.includes('-') && shadowOf(el) === null)
        watchFor(el, 'host');
    const visible = visibility === 'visible';
    const mute = scope.mute || isTrue(el, 'aria-hidden');
    if (display === 'inline' || display === 'contents') {
        visitElement(el, tag, scope, visible, mute, true, at, null, out);
        return;
    }
    const block = !display.startsWith('inline');
    closeText(out);
    breaks ||= block;
    visitBlock(el, tag, scope, visible, mute, block, at, out);
};

/* ---- the page ------------------------------------------------------------ */

const visitPage = (page) => {
    const root = documentElement(document);
    watchRoot(document);
    if (root !== null)
        visit(root, makeScope(framePath, '', 0, false, true, false, false,
                              null), page.kids);
    closeText(page.kids);
    page.name = clean(titleOf(document), 1000);
    page.href = shownAddress(location.href);
    page.note = walk.over;
    if (page.note === '' && walk.deep)
        page.note = `(nesting over ${DEPTH_MAX} levels was not read)`;
};

/* Whatever is no longer anywhere: its nodes, candidates, watches. */
const dropRecord = (record) => {
    if (record.seen === pass)
        return;
    record.alive = false;
    watching.delete(record);
    if (record.el[RECORD] === record)
        record.el[RECORD] = undefined;
    dropParts(record.parts);
    forgetNodes(record.made);
};
const dropParts = (parts) => {
    for (const part of parts)
        if (isRecord(part))
            dropRecord(part);
        else if (part.seen !== pass)
            removeCandidate(part);
};

/* True if some refs of nodes that were kept changed. */
const walkOnce = () => {
    pass++;
    walk = startWalk(false);
    breaks = false;
    const page = draft(document, 'page');
    visitPage(page);
    fillRecord(topRecord, { out: 0, parts: 0, made: 0, styles: 0, watches: 0,
                      count: 0, size: 0 }, [page], false);
    for (const { parts } of walk.visited)
        dropParts(parts);
    const settled = settle(page);
    const { visited } = walk;
    walkCut = walk.over;
    for (const { record, made } of visited) {
        settleRecord(record);
        forgetNodes(made);
    }
    walk = null;
    thePage = settled;
    return assignRefs(visited);
};

let thePage = null;
/* Why the last walk ended early, or ''. */
let walkCut = '';
/* Set by a build that compares each walk with a walk afresh. */
let audit = null;

const unreadNow = () => {
    const unread = [];
    for (const el of unreadFrames) {
        const node = nodeOf(el);
        if (node !== undefined && innerDocument(el) === null)
            unread.push({ node, key: keyOfFrame(el) });
        else
            unreadFrames.delete(el);
    }
    return unread;
};

const pageMoved = () => thePage.name !== clean(titleOf(document), 1000) ||
    thePage.href !== shownAddress(location.href);

/* Brings what is known of the page up to date, and gives out refs. */
const walkPage = () => {
    noteWhatChanged();
    const stale = thePage === null || topRecord.dirty || topRecord.below ||
        topRecord.epoch !== epoch || topRecord.frame !== framePath || pageMoved();
    if (stale) {
        topRecord.frame = framePath;
        do
            forgetLabels();
        while (walkOnce());
    }
    audit?.(thePage);
    return { page: thePage, unread: unreadNow() };
};

/* The same tree made without any record; for comparison, and not given out. */
const walkAfresh = () => {
    const before = breaks;
    walk = startWalk(true);
    forgetLabels();
    breaks = false;
    const page = draft(document, 'page');
    visitPage(page);
    walk = null;
    breaks = before;
    return page;
};
