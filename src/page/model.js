/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the page: nodes, which never change once they were given
 * out, and records, by which a part of the page need not be walked again. */
'use strict';

/* `el` of a text node is the first Text in it. `brk`: it begins a line. From
 * `up` to `pass` is for the walk only. */
const makeNode = (el, role) => ({
    id: 0, el, role, level: '', name: '', value: '', states: '', href: '',
    note: '', ref: '', twin: false, act: false, brk: false, kids: [],
    up: 0, open: false, settled: null, pass: 0,
    /* What lines.js, cost.js and view.js find out about it. */
    weight: null, plan: null, cost: 0, unseen: undefined
});

/* What a walk found in one block: the nodes that it gave to its parent, and
 * what they depend on. `parts` are the candidates for refs and the records in
 * it, in order; `styles` holds five entries for each element: element, style,
 * display, visibility, cursor (null: did not matter). */
const makeRecord = (el) => ({
    el, parent: null, home: null, alive: true, dirty: false, below: false,
    seen: 0, walked: 0, epoch: 0, frame: '', scope: null, block: false,
    brkIn: false, brkOut: false,
    nodes: [], parts: [], made: [], styles: [], watches: [], plain: false,
    words: 0, count: 0, size: 0, around: null, outer: null, twins: null
});

/* What is known of an element or a Text hangs on its wrapper in this world,
 * where no page sees it: maps of so many weak keys cost more than walking. */
const RECORD = Symbol('record');
const NODE = Symbol('node');
const CANDIDATE = Symbol('candidate');
const REF = Symbol('ref');

const topRecord = makeRecord(document);
/* Numbers the walks; a record of an older epoch is of no use. */
let pass = 0;
let epoch = 0;

/* ---- what is to be walked again ------------------------------------------ */

const markRecord = (record) => {
    record.dirty = true;
    for (let at = record.parent; at !== null && !at.below; at = at.parent)
        at.below = true;
};

const FRAGMENT = 11;
/* Whose content a document or a shadow root is. */
const drawnBy = (node) => {
    const type = nodeType(node);
    return type === DOCUMENT ? frameOf(node) :
        type === FRAGMENT ? node.host : node;
};

/* The innermost record that a node, a document or a root lies in. */
const recordAround = (node) => {
    for (let at = drawnBy(node); at !== null && at !== undefined; at = drawnParent(at)) {
        const record = at[RECORD];
        if (record !== undefined && record.alive)
            return record;
    }
    return topRecord;
};

const markDirty = (node) => markRecord(recordAround(node));

const isRecord = (part) => part.parts !== undefined;

const eachRecord = (record, visitor) => {
    visitor(record);
    for (const part of record.parts)
        if (isRecord(part))
            eachRecord(part, visitor);
};

/* ---- nodes --------------------------------------------------------------- */

/* id -> node */
const living = new Map();
let lastId = 0;

/* The node that an element or a Text now has, or undefined. */
const nodeOf = (el) => {
    const node = el ? el[NODE] : undefined;
    return node !== undefined && living.get(node.id) === node ? node : undefined;
};
const parentOf = (node) => living.get(node.up);

const isSame = (a, b) => {
    if (a.role !== b.role || a.name !== b.name || a.ref !== b.ref ||
        a.states !== b.states || a.value !== b.value || a.href !== b.href ||
        a.twin !== b.twin || a.act !== b.act || a.brk !== b.brk ||
        a.note !== b.note || a.level !== b.level ||
        a.kids.length !== b.kids.length)
        return false;
    for (let i = 0; i < a.kids.length; i++)
        if (a.kids[i] !== b.kids[i])
            return false;
    return true;
};

/* The node to give out for one that this walk made: the one of before, if that
 * says the same. */
const settle = (node) => {
    if (node.settled !== null)
        return node.settled;
    const { kids } = node;
    for (let i = 0; i < kids.length; i++)
        if (kids[i].settled === null || kids[i].settled !== kids[i])
            kids[i] = settle(kids[i]);
    const old = node.el[NODE];
    let now = node;
    if (old !== undefined && isSame(node, old)) {
        now = old;
    } else {
        node.id = old === undefined ? ++lastId : old.id;
        node.el[NODE] = node;
    }
    living.set(now.id, now);
    now.pass = pass;
    node.settled = now;
    for (const kid of now.kids)
        kid.up = now.id;
    return now;
};

const settleRecord = (record) => {
    record.nodes = record.nodes.map((node) => node.settled ?? node);
    record.made = record.made.map((node) => node.settled)
        .filter((node) => node !== null);
};

/* Forgets the nodes that a record made once and did not make again. */
const forgetNodes = (made) => {
    for (const node of made)
        if (node.pass !== pass && living.get(node.id) === node)
            living.delete(node.id);
};
