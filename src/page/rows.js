/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of one identity, and what tells them apart: their own address, or
 * what the rows say that they stand in. */
'use strict';

const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy'];

const GENERATED = new RegExp('^:.*:$|^«.*»$|[0-9a-f]{8}|^(ember|react-|' +
    'radix-|mui-|headlessui-|ext-gen|yui_|gwt-|:r)|__[a-zA-Z0-9]{5}$');
const looksGenerated = (id) => GENERATED.test(id) ||
    id.replace(/\D/g, '').length * 5 > id.length * 2;

const authoredId = (el) => {
    const id = attribute(el, 'id');
    return id === null || id === '' || looksGenerated(id) ? '' : id;
};

const queryOne = method(Element.prototype, 'querySelector');

/* What tells the row of an element from those of its twins. */
const INSIDE_ROWS = ['h1,h2,h3,h4,h5,h6,[role=heading]', 'a[href]',
    'td,th,[role=cell],[role=gridcell]'];
const ROW_IDS = [...TEST_IDS, 'data-id', 'data-key'];
const rowKey = (row) => {
    for (const name of ROW_IDS)
        if (hasAttribute(row, name))
            return name + attribute(row, name);
    const id = authoredId(row);
    if (id !== '')
        return '#' + id;
    for (const inside of INSIDE_ROWS) {
        const first = queryOne(row, inside);
        const text = first === null ? '' :
            clean(textContent(first)).slice(0, 200);
        if (text !== '')
            return text + '\0' + (attribute(first, 'href') || '');
    }
    return clean(textContent(row)).slice(0, 200);
};

/* ---- candidates and their groups ----------------------------------------- */

/* An element that may have a ref is a candidate: base is what it is, key what
 * it is among its twins, around what is said around it. A group holds those of
 * one base; who left it is still in `order` until it is decided anew. */
const groups = new Map();
/* Groups to be decided anew. */
let touched = [];

const touchGroup = (group) => {
    if (!group.touched) {
        group.touched = true;
        touched.push(group);
    }
};

const joinGroup = (candidate, base) => {
    let group = groups.get(base);
    if (group === undefined) {
        group = { base, order: [], touched: false, tells: null };
        groups.set(base, group);
    }
    candidate.base = base;
    candidate.group = group;
    group.order.push(candidate);
    touchGroup(group);
};

const leaveGroup = (candidate) => {
    const { group } = candidate;
    forgetTells(candidate);
    candidate.group = null;
    touchGroup(group);
};

const standAround = (candidate, scope) => {
    scope.around ??= makeAround(false);
    candidate.around = scope.around;
};

/* The node of an element that can be used. by is whose identity counts: a
 * label is known by its control. */
const addCandidate = (node, by, scope) => {
    const { el } = node;
    const base = identity(by, node.role, node.name, scope);
    if (walk.fresh) {
        node.base = base;
        return;
    }
    let candidate = el[CANDIDATE];
    if (candidate === undefined) {
        candidate = { el, base: '', key: '', number: 0, family: false, ref: '',
                      group: null, record: null, seen: 0, at: 0, node,
                      around: null, row: null, rowRecord: null, before: null,
                      after: null, told: 0, tells: null };
        el[CANDIDATE] = candidate;
    }
    if (candidate.base !== base || candidate.group === null) {
        if (candidate.group !== null)
            leaveGroup(candidate);
        joinGroup(candidate, base);
    } else if (candidate.group.tells !== null) {
        touchGroup(candidate.group);
    }
    candidate.row = null;
    candidate.seen = pass;
    candidate.node = node;
    if (scope.row !== null)
        candidate.around = scope.row;
    else
        standAround(candidate, scope);
    node.ref = candidate.ref;
    node.twin = candidate.family;
    walk.parts.push(candidate);
};

const removeCandidate = (candidate) => {
    if (candidate.group === null)
        return;
    leaveGroup(candidate);
    loseRef(candidate);
};

/* ---- telling twins apart ------------------------------------------------- */

/* The first that tells all of them apart counts, or else the last. */
const LEVELS = ['id', 'href', 'row'];
const ROW_LEVEL = 2;

const dropTell = (group, candidate, level) => {
    const counts = group.tells[level];
    const value = candidate.tells[level];
    const count = counts.get(value);
    if (count === 1)
        counts.delete(value);
    else
        counts.set(value, count - 1);
};

const setTell = (group, candidate, level, value) => {
    if (candidate.tells[level] === value)
        return;
    if (candidate.tells[level] !== undefined)
        dropTell(group, candidate, level);
    candidate.tells[level] = value;
    const counts = group.tells[level];
    counts.set(value, (counts.get(value) ?? 0) + 1);
};

const forgetTells = (candidate) => {
    const { group } = candidate;
    if (candidate.tells !== null)
        for (let level = 0; level <= ROW_LEVEL; level++)
            if (candidate.tells[level] !== undefined)
                dropTell(group, candidate, level);
    candidate.tells = null;
    candidate.rowRecord = null;
    candidate.row = null;
};

/* Is every member told apart on this level? */
const tellsAll = (group, level) => {
    const counts = group.tells[level];
    return counts.size === group.order.length && !counts.has('');
};

/* Native, but blind to slots and shadow trees. */
const holds = (at, el) => contains(at, el) ||
    rootOf(el) !== rootOf(at) && drawnContains(at, el);

/* The highest element around a twin that holds neither of its neighbours. */
const rowOf = (el, before, after) => {
    let row = el;
    for (let at = drawnParent(el); at !== null && at !== undefined;
         at = drawnParent(at)) {
        if (before !== null && holds(at, before) ||
            after !== null && holds(at, after))
            break;
        if (nodeType(at) === ELEMENT)
            row = at;
    }
    return row;
};

/* Keys of rows that this pass made. */
let rowKeys = new Map();
const keyOfRow = (row) => {
    let key = rowKeys.get(row);
    if (key === undefined) {
        key = rowKey(row);
        rowKeys.set(row, key);
    }
    return key;
};

const placeInRow = (candidate, before, after) => {
    candidate.before = before;
    candidate.after = after;
    candidate.told = pass;
    candidate.row = rowOf(candidate.el, before?.el ?? null,
                          after?.el ?? null);
    const record = recordAround(candidate.row);
    if (record !== candidate.rowRecord) {
        record.twins ??= [];
        record.twins.push(candidate);
        candidate.rowRecord = record;
    }
};

/* Only what changed: who has other neighbours, whose row was walked. */
const tellRows = (group) => {
    const { order } = group;
    for (let i = 0; i < order.length; i++) {
        const candidate = order[i];
        const before = i > 0 ? order[i - 1] : null;
        const after = i + 1 < order.length ? order[i + 1] : null;
        if (candidate.row !== null && candidate.before === before &&
            candidate.after === after && candidate.rowRecord.alive &&
            candidate.rowRecord.walked <= candidate.told)
            continue;
        placeInRow(candidate, before, after);
        setTell(group, candidate, ROW_LEVEL, keyOfRow(candidate.row));
    }
};

const tellOwn = (group) => {
    for (const candidate of group.order) {
        if (candidate.tells !== null && candidate.seen !== pass)
            continue;
        candidate.tells ??= [undefined, undefined, undefined];
        setTell(group, candidate, 0, authoredId(candidate.el));
        setTell(group, candidate, 1, attribute(candidate.el, 'href') || '');
    }
};

/* The level that counts, with the members' tells up to it brought up to
 * date. */
const tellApart = (group) => {
    tellOwn(group);
    for (let level = 0; level < ROW_LEVEL; level++)
        if (tellsAll(group, level))
            return level;
    tellRows(group);
    return ROW_LEVEL;
};

/* Twins whose rows were walked are to be told apart anew. */
const touchRows = (record) => {
    if (record.twins === null)
        return;
    record.twins = record.twins.filter((candidate) =>
        candidate.rowRecord === record);
    for (const candidate of record.twins)
        touchGroup(candidate.group);
};

/* Numbers all candidates in the order of the page. */
const numberCandidates = () => {
    let at = 0;
    const number = (record) => {
        for (const part of record.parts)
            if (isRecord(part))
                number(part);
            else
                part.at = at++;
    };
    number(topRecord);
};
