/* SPDX-License-Identifier: Apache-2.0 */
/* Refs: "e" and six digits, derived from what an element is, not from when it
 * was seen. A ref stays with its live node; it is dead when the node is gone,
 * and a dead ref comes back only for the same identity in the same
 * surroundings. It never moves to another element. See doc/refs.md. */
'use strict';

/* ref -> { key, base, candidate, node, words, family, why, shown }. When the
 * ref is dead, candidate is null, node a weak reference to its element, words
 * what was said around that; shown is what it was when it was read. */
const refs = new Map();
/* base -> { members, generation } of elements that nothing tells apart */
const families = new Map();

const digits = (number, count) =>
    'e' + String(number % 10 ** count).padStart(count, '0');

/* ---- identity ------------------------------------------------------------ */

const formKey = (el, tag) => {
    const name = attribute(el, 'name');
    if (name === null || name === '' || !LABELABLE.has(tag))
        return '';
    const value = isInput(el, 'radio', 'checkbox') || tag === 'button' ?
        attribute(el, 'value') || '' : '';
    const type = isInput(el) ? inputType(el) : '';
    return ['form', tag, type, name, value].join('\0');
};

/* What its author called an element, or ''. */
const authoredKey = (el) => {
    for (const test of TEST_IDS) {
        const id = attribute(el, test);
        if (id !== null && id !== '')
            return 'test\0' + test + '\0' + id;
    }
    const form = formKey(el, localName(el));
    if (form !== '')
        return form;
    const id = authoredId(el);
    return id === '' ? '' : 'id\0' + id;
};

/* What an element is: the best of what its author called it, else role, name,
 * nearest named ancestor and the roles on the way. */
const identity = (el, role, name, scope) => {
    const key = authoredKey(el);
    return key !== '' ? scope.frame + '\0' + key :
        scope.frame + '\0path\0' + scope.path + '\0' + role + '\0' +
        clean(name, 200);
};
const isAuthored = (base) =>
    !base.startsWith('path\0', base.indexOf('\0') + 1);

/* ---- families ------------------------------------------------------------ */

/* Nothing but their order tells these apart, so whenever one comes, goes or
 * moves, or all are made anew, each is another one. */
const familyKeys = (base, members) => {
    const old = families.get(base);
    const isSame = old !== undefined && old.members.length === members.length &&
        members.every(({ el }, i) => old.members[i].deref() === el);
    const generation = old === undefined ? 0 :
        isSame ? old.generation : old.generation + 1;
    if (!isSame)
        families.set(base, { generation, members: members.map(({ el }) =>
            new WeakRef(el)) });
    const stem = `${base}\0family\0${members.length}\0`;
    return members.map((_, i) => `${stem}${i}\0${generation}`);
};

const setFamily = (base, members) => {
    familyKeys(base, members).forEach((key, i) =>
        setKey(members[i], key, true));
};

/* By their rows; those of alike rows are families. */
const setByRows = ({ base, order, tells }) => {
    const alike = new Map();
    for (const candidate of order) {
        const row = candidate.tells[ROW_LEVEL];
        const key = `${base}\0row\0${row}`;
        if (row !== '' && tells[ROW_LEVEL].get(row) === 1)
            setKey(candidate, key, false);
        else if (alike.has(key))
            alike.get(key).push(candidate);
        else
            alike.set(key, [candidate]);
    }
    for (const [key, members] of alike)
        setFamily(key, members);
};

/* Gives each member of a group its final key. */
const decideGroup = (group) => {
    group.touched = false;
    const order = group.order.filter((candidate) => candidate.group === group);
    group.order = order;
    const { base } = group;
    if (order.length === 0) {
        groups.delete(base);
    } else if (order.length === 1) {
        forgetTells(order[0]);
        group.tells = null;
        setKey(order[0], base, false);
    } else {
        order.sort((a, b) => a.at - b.at);
        group.tells ??= [new Map(), new Map(), new Map()];
        const level = tellApart(group);
        if (level === ROW_LEVEL)
            setByRows(group);
        else
            for (const candidate of order)
                setKey(candidate, `${base}\0${LEVELS[level]}\0` +
                       candidate.tells[level], false);
    }
};

/* ---- refs ---------------------------------------------------------------- */

/* Candidates that have no ref, or may have to give theirs up. */
let undecided = [];

const setKey = (candidate, key, family) => {
    if (candidate.key === key && candidate.family === family &&
        candidate.ref !== '')
        return;
    candidate.key = key;
    candidate.number = hash(key);
    candidate.family = family;
    undecided.push(candidate);
};

/* What must be the same around a new element for it to be the old one: nothing
 * for one that its author or its row names. */
const hasOwnName = ({ base, key, family }) =>
    !family && (isAuthored(base) || key !== base);
const surroundings = (candidate) =>
    hasOwnName(candidate) ? 0 : candidate.around.words;

const loseRef = (candidate) => {
    const entry = refs.get(candidate.ref);
    if (entry !== undefined) {
        entry.words = hasOwnName(candidate) ? 0 :
            wordsBefore(candidate.around);
        entry.candidate = null;
        entry.node = new WeakRef(candidate.el);
    }
    candidate.ref = '';
};

/* May the ref be given to this element? */
const mayHave = (ref, candidate) => {
    const old = refs.get(ref);
    if (old === undefined)
        return true;
    if (old.key !== candidate.key || old.candidate !== null || old.strayed)
        return false;
    const node = elementOf(old);
    return node === candidate.el || ((node === undefined ||
        !isConnected(node)) && old.words === surroundings(candidate));
};

const freshRef = (candidate, crowded) => {
    for (let generation = 0; ; generation++) {
        const number = generation === 0 ? candidate.number :
            hash(candidate.key + '\0again\0' + generation);
        const short = digits(number, 6);
        if (!crowded.has(short) && mayHave(short, candidate))
            return short;
        const old = refs.get(short);
        if (crowded.has(short) || old.key !== candidate.key) {
            const long = digits(number, 9);
            if (mayHave(long, candidate))
                return long;
        }
    }
};

/* Six digits that two new identities would share. */
const crowdedRefs = (candidates) => {
    const owner = new Map();
    const crowded = new Set();
    for (const { number } of candidates) {
        const short = number % 1e6;
        const other = owner.get(short);
        if (other !== undefined && other !== number)
            crowded.add(digits(short, 6));
        owner.set(short, number);
    }
    return crowded;
};

const elementOf = ({ candidate, node }) =>
    candidate === null ? node.deref() : candidate.el;

/* Whatever became of it, an element has the ref that it had, unless that
 * belongs to a family. */
const keepsRef = (candidate) => {
    const ref = candidate.el[REF];
    const entry = ref === undefined ? undefined : refs.get(ref);
    if (entry === undefined || elementOf(entry) !== candidate.el ||
        (entry.family || candidate.family) && entry.key !== candidate.key)
        return false;
    entry.candidate = candidate;
    entry.node = null;
    entry.why = '';
    /* Shown as something else, it must not come back as what it once was. */
    entry.strayed ||= entry.key !== candidate.key;
    candidate.ref = ref;
    return true;
};

const giveRef = (candidate, ref) => {
    refs.set(ref, { key: candidate.key, base: candidate.base, candidate,
                    node: null, words: 0, family: candidate.family, why: '',
                    strayed: false, shown: refs.get(ref)?.shown });
    candidate.el[REF] = ref;
    candidate.ref = ref;
};

/* Nodes that were made in this walk are still ours; those of before were given
 * out, and have to be made anew. */
const showRef = (candidate) => {
    const node = candidate.node.settled ?? candidate.node;
    if (node.ref === candidate.ref && node.twin === candidate.family)
        return false;
    if (node === candidate.node) {
        node.ref = candidate.ref;
        node.twin = candidate.family;
        return false;
    }
    markRecord(candidate.record);
    return true;
};

/* Gives each candidate that came or changed its ref. True if nodes have to be
 * made anew for it. */
const assignRefs = (visited) => {
    rowKeys = new Map();
    for (const { record } of visited)
        touchRows(record);
    if (touched.some(({ order }) => order.length > 1))
        numberCandidates();
    undecided = [];
    const groupsNow = touched;
    touched = [];
    for (const group of groupsNow)
        decideGroup(group);
    rowKeys = new Map();
    const fresh = [];
    for (const candidate of undecided)
        if (!keepsRef(candidate)) {
            const entry = refs.get(candidate.ref);
            if (entry !== undefined)
                entry.why = 'family';
            loseRef(candidate);
            fresh.push(candidate);
        }
    const crowded = crowdedRefs(fresh);
    for (const candidate of fresh)
        giveRef(candidate, freshRef(candidate, crowded));
    let again = false;
    for (const candidate of undecided)
        again = showRef(candidate) || again;
    return again;
};

/* ---- what a ref stands for ----------------------------------------------- */

const CONTROLS = 'a,button,input,label,select,textarea,[role=button]';
const NODES_SHOWN = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
/* What a row says besides the controls in it, to be quoted. */
const ROW = 'li,tr,article,[role=row],[role=listitem],[role=article]';
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
const seenAs = ({ base, key, around }) => isAuthored(base) || !around.isRow ?
    key : key + '\0in\0' + around.words;

/* These were read: what they are now is what their refs stand for. */
const noteShown = (nodes) => {
    for (const { ref } of nodes) {
        const entry = ref === '' ? undefined : refs.get(ref);
        if (entry !== undefined && entry.candidate !== null)
            entry.shown = seenAs(entry.candidate);
    }
};

/* Elements that now are what a dead one was, to be named. */
const SUCCESSORS_MAX = 3;
const successorsOf = ({ base }) => {
    const group = groups.get(base);
    return group === undefined ? [] : group.order
        .filter((candidate) => candidate.ref !== '')
        .slice(0, SUCCESSORS_MAX).map((candidate) => candidate.ref);
};

const whyDead = (entry, el) => {
    if (entry.why !== '' || entry.family && groups.has(entry.base))
        return 'family';
    if (el !== undefined && isConnected(el))
        return viewOf(ownerDocument(el)) === null ? 'frame' : '';
    return groups.has(entry.base) ? 'redrawn' : 'removed';
};

/* The element of a ref as the last walk left it: { el } or { error }. */
const resolveRef = (ref) => {
    const entry = refs.get(ref);
    if (entry === undefined)
        return { error: 'unknown' };
    const el = elementOf(entry);
    const error = entry.candidate === null ? whyDead(entry, el) :
        el !== undefined && isConnected(el) ? '' : 'removed';
    if (error !== '') {
        const now = successorsOf(entry);
        return now.length === 0 ? { error } : { error, now: now.join(', ') };
    }
    if (entry.candidate !== null && entry.shown !== undefined &&
        entry.shown !== seenAs(entry.candidate))
        return { error: 'changed', detail: describeInRow(el), el };
    return { el };
};
