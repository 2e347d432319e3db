/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which records are of no use any more. Mutations are observed; of
 * what changes without one, some is asked for at each read, and the rest is
 * found by comparing the styles of all elements, when anything happened that
 * may have changed them. */
'use strict';

/* ---- state that changes without a mutation ------------------------------- */

/* Records that hold watches. */
const watching = new Set();

const fieldLook = (el) => {
    const tag = localName(el);
    if (tag === 'textarea')
        return areaValue(el) + matches(el, ':user-invalid');
    if (tag === 'input')
        return inputValue(el) + '\0' + inputChecked(el) + inputMixed(el) +
            matches(el, ':user-invalid');
    if (tag === 'select') {
        let look = String(matches(el, ':user-invalid'));
        for (const option of selectOptions(el))
            look += option.selected ? '1' : '0';
        return look;
    }
    return String(el.value);
};

const LOOKS = {
    field: fieldLook,
    label: (el) => labelUse(el),
    frame: (el) => innerDocument(el) ?? `${el.offsetWidth}x${el.offsetHeight}`,
    host: (el) => shadowOf(el),
    popover: (el) => matches(el, ':popover-open'),
    media: (el) => `${el.paused} ${el.ended} ${el.muted}`,
    name: (el) => nameOf(el, roleOf(el)),
    address: (el) => ownerDocument(el).baseURI,
    slot: (el) => HTMLSlotElement.prototype.assignedNodes.call(el)
};
/* What these say depends on mutations elsewhere only; that on an address. */
const FAR = new Set(['label', 'name']);
const RELATIVE = new Set(['address']);
const NEAR_BY = new Set(Object.keys(LOOKS).filter((kind) =>
    !FAR.has(kind) && !RELATIVE.has(kind)));

const watchFor = (el, kind) => {
    const was = LOOKS[kind](el);
    walk.watches.push({ el, kind, was });
    return was;
};

const FIELD_TAGS = new Set(['input', 'textarea', 'select', 'progress',
    'meter']);
const watchElement = (el, tag) => {
    if (FIELD_TAGS.has(tag) && isHtml(el)) {
        watchFor(el, 'field');
        if (labelsOf(el).length > 0)
            watchFor(el, 'name');
    } else if (tag === 'video' || tag === 'audio') {
        watchFor(el, 'media');
    }
    if (hasAttribute(el, 'aria-labelledby'))
        watchFor(el, 'name');
};

const isSameLook = (was, now) => was === now ||
    Array.isArray(was) && was.length === now.length &&
    was.every((item, i) => item === now[i]);

const checkWatches = (kinds) => {
    for (const record of watching) {
        if (record.dirty)
            continue;
        for (const { el, kind, was } of record.watches)
            if (kinds.has(kind) && !isSameLook(was, LOOKS[kind](el))) {
                markRecord(record);
                break;
            }
    }
};

const contains = method(Node.prototype, 'contains');

/* ---- mutations ----------------------------------------------------------- */

/* Elements whose attributes changed: styles of what is in them, and of what
 * follows them, may be others. */
const restyled = new Set();
/* Elements whose children came or went. */
const regrouped = new Set();
let sheetsTouched = true;
let mutated = false;

/* Attributes of an element that its descendants are read by. */
const INHERITED = new Set(['disabled', 'inert', 'contenteditable', 'lang',
    'dir', 'type', 'open', 'for', 'slot']);

const isSheet = (node) => nodeType(node) === ELEMENT &&
    (localName(node) === 'style' || localName(node) === 'link');

const markInside = (el) => {
    const around = recordAround(el);
    markRecord(around);
    for (const part of around.parts)
        if (isRecord(part) && (around.el === el || contains(el, part.el)))
            eachRecord(part, markRecord);
};

/* A host's children are drawn where its slots are. */
const markSlots = (host) => {
    const root = nodeType(host) === ELEMENT ? shadowOf(host) : null;
    if (root !== null)
        for (const slot of queryFragment(root, 'slot'))
            markDirty(slot);
};

const noteAdded = (node) => {
    if (nodeType(node) !== ELEMENT)
        return;
    if (isSheet(node))
        sheetsTouched = true;
    const record = node[RECORD];
    /* Put elsewhere, it is another thing to whoever looks at its ancestors. */
    if (record !== undefined && record.home !== parentNode(node))
        eachRecord(record, markRecord);
};

const noteAttribute = (target, name) => {
    noteRestyled(restyled, target);
    if (isSheet(target))
        sheetsTouched = true;
    if (INHERITED.has(name))
        markInside(target);
    if (name === 'slot' && parentElement(target) !== null)
        markSlots(parentElement(target));
    if (name === 'name' && localName(target) === 'slot' &&
        rootOf(target).host !== undefined)
        markSlots(rootOf(target).host);
};

const noteRecords = (records) => {
    for (const { type, target, addedNodes, removedNodes, attributeName } of
        records) {
        if (!isConnected(target))
            continue;
        mutated = true;
        markDirty(target);
        if (type === 'attributes') {
            noteAttribute(target, attributeName);
            continue;
        }
        if (type === 'characterData') {
            const parent = parentNode(target);
            if (parent !== null && isSheet(parent))
                sheetsTouched = true;
            continue;
        }
        noteRestyled(regrouped, target);
        if (nodeType(target) === ELEMENT && isSheet(target))
            sheetsTouched = true;
        for (const node of addedNodes)
            noteAdded(node);
        for (const node of removedNodes)
            if (isSheet(node))
                sheetsTouched = true;
        markSlots(target);
    }
};

const takeIn = (records) => {
    noteRecords(records);
    noteMutations(records);
};
const observer = new MutationObserver(takeIn);
/* Those that were not told of yet. */
const takeMutations = () => takeIn(observer.takeRecords());
const WATCHED = { subtree: true, childList: true, attributes: true,
                  attributeOldValue: true, characterData: true };
const watchedRoots = new WeakSet();
/* Documents and shadow roots that were read or acted in. A document's observer
 * sees neither shadow trees nor frames. */
let roots = [];
const watchRoot = (root) => {
    if (watchedRoots.has(root))
        return;
    watchedRoots.add(root);
    roots.push(new WeakRef(root));
    observer.observe(root, WATCHED);
    sheetsTouched = true;
};

/* For roots that only the library can see, and listeners that only it knows. */
const adoptRoot = (host, root) => {
    closedRoots.set(host, root);
    markDirty(host);
};
const noteListener = (el) => {
    listenedTo.add(el);
    markDirty(el);
};

/* ---- styles -------------------------------------------------------------- */

/* Finds records of elements whose styles are others than when they were
 * walked. */
const compareStyles = (record) => {
    if (record.dirty)
        return;
    const { styles } = record;
    for (let i = 0; i < styles.length; i += 5) {
        const style = styles[i + 1];
        const cursor = styles[i + 4];
        const visibility = styles[i + 3];
        if (style.display !== styles[i + 2] ||
            visibility !== null && style.visibility !== visibility ||
            cursor !== null && style.cursor !== cursor) {
            markRecord(record);
            return;
        }
    }
};

/* In the record around an element, and those that lie within it. */
const compareInside = (node) => {
    const el = drawnBy(node);
    const around = recordAround(el);
    compareStyles(around);
    for (const part of around.parts)
        if (isRecord(part) && (el === null || around.el === el ||
                               drawnContains(el, part.el)))
            eachRecord(part, compareStyles);
};

/* More than this at once are not told apart. */
const RESTYLED_MAX = 2000;
let restyledAll = false;
const noteRestyled = (set, el) => {
    set.add(el);
    if (set.size > RESTYLED_MAX) {
        restyledAll = true;
        set.clear();
    }
};

/* Where style sheets have rules that depend on siblings, those may have
 * changed with an element. */
const compareChanged = () => {
    if (restyledAll || rules.wide && restyled.size + regrouped.size > 0) {
        eachRecord(topRecord, compareStyles);
    } else {
        for (const el of restyled)
            if (isConnected(el))
                compareInside(rules.near ? parentNode(el) : el);
        for (const el of regrouped)
            if (rules.near && isConnected(el))
                compareInside(el);
    }
    restyledAll = false;
    restyled.clear();
    regrouped.clear();
};

/* Focus is a state of a field that has it. */
let focusWas = null;
const noteFocus = () => {
    const active = deepActive();
    if (active === focusWas)
        return;
    for (const el of [active, focusWas])
        if (el !== null && isConnected(el) && takesText(el))
            markDirty(el);
    focusWas = active;
};

/* Addresses that links are relative to. */
let basesWere = '';
let originWas = '';
const basesChanged = () => {
    let bases = '';
    for (const ref of roots) {
        const root = ref.deref();
        if (root !== undefined && nodeType(root) === DOCUMENT)
            bases += root.baseURI + '\n';
    }
    const changed = bases !== basesWere;
    basesWere = bases;
    return changed;
};

/* Marks the records that are of no use any more. */
const noteWhatChanged = () => {
    takeMutations();
    const origin = originOf(document.baseURI);
    if (sheetsChanged() || origin !== originWas)
        epoch++;
    originWas = origin;
    noteFocus();
    if (stateChanged())
        restyledAll = true;
    if (thePage === null || topRecord.epoch !== epoch) {
        restyledAll = false;
        restyled.clear();
        regrouped.clear();
        mutated = false;
        return;
    }
    checkWatches(NEAR_BY);
    if (basesChanged())
        checkWatches(RELATIVE);
    compareChanged();
    if (mutated || topRecord.dirty || topRecord.below)
        checkWatches(FAR);
    mutated = false;
};
