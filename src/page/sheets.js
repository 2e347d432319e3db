/* SPDX-License-Identifier: Apache-2.0 */
/* What the style sheets of the page make depend on what: on the state of
 * elements, on their siblings, on the window. Tells when styles may have
 * changed although nothing near was mutated. */
'use strict';

/* A sheet with more rules is taken to hold anything. */
const RULES_MAX = 4000;
/* States that no attribute tells of. */
const STATES = ['hover', 'active', 'focus', 'focus-within', 'focus-visible',
    'target', 'target-within', 'checked', 'indeterminate', 'default', 'valid',
    'invalid', 'user-valid', 'user-invalid', 'in-range', 'out-of-range',
    'placeholder-shown', 'autofill', 'modal', 'popover-open', 'open',
    'fullscreen', 'picture-in-picture', 'defined', 'playing', 'paused',
    'muted', 'empty'];
/* Those that the browser's own sheet shows and hides by. */
const OWN_STATES = ['modal', 'popover-open', 'fullscreen'];
const usable = STATES.filter((state) => CSS.supports(`selector(:${state})`));

const NEAR = /[~+]|:(?:nth|first|last|only|empty)/;
const WIDE = /:has\(/;
const STATE = /(?<!:):([a-z-]+)/g;

/* What the sheets that were read last come to. near: siblings matter; wide:
 * anything may matter to anything; states: those that matter. */
let rules = null;

const TOUCHES = ['display', 'visibility', 'cursor', 'contentVisibility', 'all'];
const isRelevant = (style) => {
    for (const property of TOUCHES)
        if (style[property] !== '')
            return true;
    return false;
};

const noteSelector = (found, selector) => {
    if (WIDE.test(selector))
        found.wide = true;
    if (NEAR.test(selector))
        found.near = true;
    for (const [, state] of selector.matchAll(STATE))
        found.states.add(state);
};

const noteStyleRules = (found, list, outer) => {
    for (const rule of list) {
        if (--found.left < 0)
            return;
        const selector = outer + (rule.selectorText ?? '');
        if (rule.style !== undefined && isRelevant(rule.style))
            noteSelector(found, selector);
        if (rule.containerName !== undefined)
            found.wide = true;
        const inner = rule.styleSheet ? listOf(rule.styleSheet) :
            rule.cssRules;
        if (inner === null)
            found.left = -1;
        else if (inner !== undefined && inner.length > 0)
            noteStyleRules(found, inner, selector);
    }
};

const listOf = (sheet) => {
    try {
        return rulesOf(sheet);
    } catch {
        return null; /* of another site */
    }
};

/* ---- has any sheet changed? ---------------------------------------------- */

const sheetNumbers = new WeakMap();
let lastSheet = 0;
const numberOfSheet = (sheet) => {
    let number = sheetNumbers.get(sheet);
    if (number === undefined) {
        number = ++lastSheet;
        sheetNumbers.set(sheet, number);
    }
    return number;
};

const allSheets = () => {
    const sheets = [];
    roots = roots.filter((ref) => {
        const root = ref.deref();
        if (root === undefined || !isConnected(root) ||
            nodeType(root) === DOCUMENT && viewOf(root) === null)
            return false;
        sheets.push(...sheetsOf(root), ...adoptedBy(root));
        return true;
    });
    return sheets;
};

/* No more rules than this are read again each time. */
const RULES_COMPARED = 200;

/* Sheets, their number of rules, what they are for; of the first rules what
 * they say. That a script edits a later one in place is not noticed by this. */
const lookOf = (sheets) => {
    let text = '';
    let left = RULES_COMPARED;
    for (const sheet of sheets) {
        const list = listOf(sheet);
        text += `${numberOfSheet(sheet)} ${sheetDisabled(sheet)} ` +
            `${list?.length} ${sheet.media.mediaText}\n`;
        for (let i = 0; list !== null && i < list.length && left > 0; i++) {
            left--;
            text += list[i].cssText;
        }
    }
    return text;
};

let sheetsWere = '';
const sheetsChanged = () => {
    const sheets = allSheets();
    const now = lookOf(sheets);
    if (now === sheetsWere && !sheetsTouched)
        return false;
    sheetsTouched = false;
    sheetsWere = now;
    rules = null;
    return true;
};

const readRules = () => {
    const found = { near: false, wide: false, states: new Set(OWN_STATES),
                    left: RULES_MAX };
    for (const sheet of allSheets()) {
        const list = listOf(sheet);
        if (list === null)
            found.left = -1;
        else
            noteStyleRules(found, list, '');
    }
    if (found.left < 0) {
        found.near = true;
        usable.forEach((state) => found.states.add(state));
    }
    const asked = usable.filter((state) => found.states.has(state))
        .map((state) => ':' + state);
    return { near: found.near, wide: found.wide,
             query: asked.length === 0 ? '' : `:is(${asked.join()})` };
};

/* ---- has any state changed? ---------------------------------------------- */

const windowLook = () => [innerWidth, innerHeight, devicePixelRatio,
    matchMedia('(prefers-color-scheme: dark)').matches,
    matchMedia('(prefers-reduced-motion)').matches].join(' ');

let windowWas = '';
let statesWere = [];
let moving = false;

/* Does it animate what elements are read by? */
const touchesReading = (animation) => {
    const frames = animation.effect?.getKeyframes?.() ?? [];
    return frames.some((frame) => TOUCHES.some((name) => name in frame));
};

/* Which elements are in a state that style sheets ask for. */
const statesNow = () => {
    const all = [];
    if (rules.query !== '')
        for (const ref of roots) {
            const root = ref.deref();
            if (root !== undefined)
                for (const el of queryRoot(root, rules.query))
                    all.push(el);
        }
    return all;
};

/* Might styles have changed anywhere? */
const stateChanged = () => {
    rules ??= readRules();
    const size = windowLook();
    const states = statesNow();
    const moves = roots.some((ref) => {
        const root = ref.deref();
        return root !== undefined && nodeType(root) === DOCUMENT &&
            animationsOf(root).some(touchesReading);
    });
    const changed = size !== windowWas || moves || moving ||
        states.length !== statesWere.length ||
        states.some((el, i) => el !== statesWere[i]);
    windowWas = size;
    statesWere = states;
    moving = moves;
    return changed;
};
