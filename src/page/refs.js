/* SPDX-License-Identifier: Apache-2.0 */
/* Refs: "e" and six digits, derived from what an element is, not from when it
 * was seen. A ref stays with its live node; it is dead when the node is gone,
 * and a dead ref comes back only for the same identity in the same
 * surroundings. It never moves to another element. */
'use strict';

/* ref -> { key, node, context, family, why, now, shown }: now is what the
 * element is, shown what it was when the page was last read. */
const refs = new Map();
/* node -> ref */
const refOf = new WeakMap();
/* key -> { members, contexts, generation } of elements nothing tells apart */
const families = new Map();

const digits = (text, count) => {
    const number = hash(text) % 10 ** count;
    return 'e' + String(number).padStart(count, '0');
};

const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy'];

const GENERATED = new RegExp('^:.*:$|^«.*»$|[0-9a-f]{8}|^(ember|react-|' +
    'radix-|mui-|headlessui-|ext-gen|yui_|gwt-|:r)|__[a-zA-Z0-9]{5}$');
const looksGenerated = (id) => GENERATED.test(id) ||
    id.replace(/\D/g, '').length * 5 > id.length * 2;

const authoredId = (el) => {
    const id = attribute(el, 'id');
    return id === null || id === '' || looksGenerated(id) ? '' : id;
};

const formKey = (el, tag) => {
    const name = attribute(el, 'name');
    if (name === null || name === '' || !LABELABLE.has(tag))
        return '';
    const value = isInput(el, 'radio', 'checkbox') || tag === 'button' ?
        attribute(el, 'value') || '' : '';
    const type = isInput(el) ? inputType(el) : '';
    return ['form', tag, type, name, value].join('\0');
};

/* What an element is: the best of what its author called it, else role, name,
 * nearest named ancestor and the roles on the way. */
const identity = (el, role, name, scope) => {
    for (const test of TEST_IDS) {
        const id = attribute(el, test);
        if (id !== null && id !== '')
            return [scope.frame, 'test', test, id].join('\0');
    }
    const form = formKey(el, localName(el));
    if (form !== '')
        return scope.frame + '\0' + form;
    const id = authoredId(el);
    if (id !== '')
        return [scope.frame, 'id', id].join('\0');
    return [scope.frame, 'path', scope.path, role,
            clean(name, 200)].join('\0');
};

/* The text around an element, by which a dead ref is known again. */
const ROW = 'li,tr,article,[role=row],[role=listitem],[role=article]';
let contexts = new WeakMap();
const contextOf = (el) => {
    const parent = parentElement(el);
    const row = closest(el, ROW) || parent || el;
    let text = contexts.get(row);
    if (text === undefined) {
        text = hash(clean(textContent(row)).slice(0, 2000));
        contexts.set(row, text);
    }
    return text;
};

/* What tells the row of an element from those of its twins. */
const rowKey = (row) => {
    for (const test of [...TEST_IDS, 'data-id', 'data-key'])
        if (hasAttribute(row, test))
            return test + attribute(row, test);
    const id = authoredId(row);
    if (id !== '')
        return '#' + id;
    for (const inside of ['h1,h2,h3,h4,h5,h6,[role=heading]', 'a[href]',
                          'td,th,[role=cell],[role=gridcell]']) {
        const first = queryAll(row, inside)[0];
        const text = first ? clean(textContent(first)).slice(0, 200) : '';
        if (text !== '')
            return text + '\0' + (attribute(first, 'href') || '');
    }
    return clean(textContent(row)).slice(0, 200);
};

/* What a row says besides the controls in it. */
const CONTROLS = 'a,button,input,label,select,textarea,[role=button]';
const NODES_SHOWN = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
const wordsOf = (row) => {
    const nodes = Document.prototype.createTreeWalker.call(
        ownerDocument(row), row, NODES_SHOWN, (node) =>
            nodeType(node) === ELEMENT && matches(node, CONTROLS) ?
                NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    let words = '';
    while (words.length < 2000 && nodes.nextNode())
        if (nodeType(nodes.currentNode) === TEXT)
            words += nodes.currentNode.data + ' ';
    return clean(words);
};

/* What an element is as a reader sees it: one that its author named is itself
 * whatever it says; any other is another in a row of other words, as when a
 * list draws its new content into the nodes of the old. */
let words = new WeakMap();
const seenAs = ({ el, key, family }) => {
    const row = family || key.split('\0')[1] !== 'path' ? null :
        closest(el, ROW);
    if (row === null)
        return key;
    if (!words.has(row))
        words.set(row, wordsOf(row));
    return key + '\0in\0' + words.get(row);
};

/* For each twin the highest ancestor that holds no other twin. */
const rowsOf = (twins) => {
    const counts = new Map();
    for (const el of twins)
        for (let at = el; at !== null && at !== undefined;
             at = drawnParent(at))
            counts.set(at, (counts.get(at) || 0) + 1);
    return twins.map((el) => {
        let row = el;
        for (let at = el; at && counts.get(at) === 1; at = drawnParent(at))
            row = at;
        return row;
    });
};

const allDiffer = (keys) => keys.every((key) => key !== '') &&
    new Set(keys).size === keys.length;

/* Gives each of several elements of one identity a longer one, or null if
 * nothing tells them apart. */
const distinguish = (twins) => {
    const ids = twins.map(authoredId);
    if (allDiffer(ids))
        return ids.map((id) => 'id\0' + id);
    const targets = twins.map((el) => attribute(el, 'href') || '');
    if (allDiffer(targets))
        return targets.map((href) => 'href\0' + href);
    const rows = rowsOf(twins).map(rowKey);
    return allDiffer(rows) ? rows.map((row) => 'row\0' + row) : null;
};

/* The same elements in the same order as before, or all of them made anew with
 * the same text around them? */
const sameFamily = (old, twins, around) => {
    if (old.members.length !== twins.length)
        return false;
    const nodes = old.members.map((member) => member.deref());
    if (nodes.every((node, i) => node === twins[i]))
        return true;
    return nodes.every((node) => node === undefined || !isConnected(node)) &&
        old.contexts.every((context, i) => context === around[i]);
};

const familyKeys = (key, twins) => {
    const around = twins.map(contextOf);
    let family = families.get(key);
    if (family === undefined || !sameFamily(family, twins, around)) {
        const generation = family === undefined ? 0 : family.generation + 1;
        family = { generation };
        families.set(key, family);
    }
    family.members = twins.map((el) => new WeakRef(el));
    family.contexts = around;
    return twins.map((el, i) => [key, 'family', twins.length, i,
                                 family.generation].join('\0'));
};

/* Every one of these is a candidate: { node, el, key }. Adds the keys that
 * are final; `family` marks those that only their position tells apart. */
const resolveTwins = (candidates) => {
    const groups = new Map();
    for (const candidate of candidates) {
        const group = groups.get(candidate.key);
        if (group === undefined)
            groups.set(candidate.key, [candidate]);
        else
            group.push(candidate);
    }
    for (const [key, group] of groups) {
        if (group.length === 1) {
            families.delete(key);
            continue;
        }
        const twins = group.map((candidate) => candidate.el);
        const longer = distinguish(twins);
        const keys = longer ? longer.map((more) => key + '\0' + more) :
            familyKeys(key, twins);
        group.forEach((candidate, i) => {
            candidate.key = keys[i];
            candidate.family = longer === null;
        });
    }
};

/* May the ref be given to this element? */
const mayHave = (ref, candidate) => {
    const old = refs.get(ref);
    if (old === undefined)
        return true;
    if (old.key !== candidate.key)
        return false;
    const node = old.node.deref();
    return node === candidate.el || ((node === undefined ||
        !isConnected(node)) && old.context === candidate.context);
};

const freshRef = (candidate, crowded) => {
    for (let generation = 0; ; generation++) {
        const text = generation === 0 ? candidate.key :
            candidate.key + '\0again\0' + generation;
        const short = digits(text, 6);
        if (!crowded.has(short) && mayHave(short, candidate))
            return short;
        const long = digits(text, 9);
        const old = refs.get(short);
        if ((crowded.has(short) || old.key !== candidate.key) &&
            mayHave(long, candidate))
            return long;
    }
};

/* Six digits that two new identities would share. */
const crowdedRefs = (candidates) => {
    const owner = new Map();
    const crowded = new Set();
    for (const { key } of candidates) {
        const short = digits(key, 6);
        const other = owner.get(short);
        if (other !== undefined && other !== key)
            crowded.add(short);
        owner.set(short, key);
    }
    return crowded;
};

const keepsRef = (candidate) => {
    const ref = refOf.get(candidate.el);
    if (ref === undefined)
        return false;
    const old = refs.get(ref);
    if (old.node.deref() !== candidate.el)
        return false;
    return old.family || candidate.family ?
        old.key === candidate.key : true;
};

const bury = (ref, why) => {
    const entry = refs.get(ref);
    if (entry !== undefined)
        entry.why = why;
};

/* Gives every candidate its ref, and marks those that lost theirs. */
const assignRefs = (candidates) => {
    contexts = new WeakMap();
    words = new WeakMap();
    resolveTwins(candidates);
    const fresh = [];
    for (const candidate of candidates) {
        candidate.context = contextOf(candidate.el);
        if (keepsRef(candidate)) {
            const ref = refOf.get(candidate.el);
            refs.get(ref).context = candidate.context;
            refs.get(ref).now = seenAs(candidate);
            candidate.node.ref = ref;
        } else {
            bury(refOf.get(candidate.el), 'family');
            fresh.push(candidate);
        }
        candidate.node.twin = candidate.family === true;
    }
    const crowded = crowdedRefs(fresh);
    for (const candidate of fresh) {
        const ref = freshRef(candidate, crowded);
        refs.set(ref, {
            key: candidate.key, node: new WeakRef(candidate.el),
            context: candidate.context, family: candidate.family === true,
            why: '', now: seenAs(candidate)
        });
        refOf.set(candidate.el, ref);
        candidate.node.ref = ref;
    }
    const live = new Set(candidates.map((candidate) => candidate.node.ref));
    for (const [ref, entry] of refs) {
        if (live.has(ref))
            entry.why = '';
        else if (entry.why === '' && entry.family)
            entry.why = 'family';
    }
};

/* These were read: what they are now is what their refs stand for. */
const noteShown = (nodes) => {
    for (const { ref } of nodes)
        if (ref !== '') {
            const entry = refs.get(ref);
            entry.shown = entry.now;
        }
};

/* The element of a ref as the last walk left it: { el } or { error }. */
const resolveRef = (ref) => {
    const entry = refs.get(ref);
    if (entry === undefined)
        return { error: 'unknown' };
    if (entry.why !== '')
        return { error: entry.why };
    const el = entry.node.deref();
    if (el === undefined || !isConnected(el))
        return { error: 'removed' };
    if (entry.shown !== undefined && entry.shown !== entry.now)
        return { error: 'changed', detail: describeInRow(el) };
    return { el };
};
