/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes share a line: a line is a row of meaning, such as a list item
 * with its link, its price and its buttons. */
'use strict';

/* More than this is no row. */
const LEAVES_MAX = 12;
const CELLS_MAX = 60;
const CHARS_BESIDES_TEXT = 300;
/* Rows are not nested deeper than this. */
const ROW_DEPTH = 16;
/* What lies deeper is shown at this depth. */
const SHOWN_DEPTH_MAX = 100;

/* Stand in a line with others. */
const INLINE = new Set(['text', 'link', 'button', 'image', 'clickable', 'tab',
    'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'options',
    'cell', 'gridcell', 'columnheader', 'rowheader', 'heading', 'paragraph',
    'term', 'definition', 'emphasis', 'strong', 'code', 'mark', 'time',
    'insertion', 'deletion', 'subscript', 'superscript', 'generic', 'status']);
/* Stand in a line with others within a row only. */
const FIELDS_IN_ROWS = new Set(['textbox', 'searchbox', 'combobox', 'listbox',
    'slider', 'spinbutton', 'checkbox', 'radio', 'switch', 'color', 'file',
    'progressbar', 'meter']);
/* All that is in them belongs to their line, as far as it is not too much. */
const ROWS = new Set(['listitem', 'paragraph', 'heading', 'term',
    'definition', 'treeitem', 'link', 'button', 'clickable', 'cell',
    'gridcell', 'columnheader', 'rowheader', 'combobox', 'listbox', 'option',
    'tab', 'menuitem', 'caption', 'blockquote', 'image', 'checkbox', 'radio',
    'switch']);
/* Hold many short things of one kind, which need no line each. */
const STRIPS = new Set(['navigation', 'menubar', 'tablist', 'toolbar']);
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

/* Says only that there is a cell, which the bar in front of it does. */
const isBareCell = (node) => CELLS.has(node.role) && node.ref === '' &&
    node.name === '' && node.states === '' && node.kids.length > 0;

const OWN_LINE = { leaves: Infinity, field: false, chars: 0 };

/* How much there is in a node, if all of it can stand in one line. field says
 * whether it then has to be a row. */
const weigh = (node, depth) => {
    if (node.weight)
        return node.weight;
    const field = FIELDS_IN_ROWS.has(node.role);
    if (!field && !INLINE.has(node.role) || depth > ROW_DEPTH)
        return OWN_LINE;
    const weight = {
        leaves: node.kids.length === 0 || node.ref !== '' ? 1 : 0, field,
        chars: node.role === 'text' ? 0 : node.name.length + node.value.length
    };
    for (const kid of node.kids) {
        const its = weigh(kid, depth + 1);
        weight.leaves += its.leaves;
        weight.chars += its.chars;
        weight.field ||= its.field;
        if (weight.leaves > LEAVES_MAX)
            return OWN_LINE;
    }
    node.weight = weight;
    return weight;
};

/* How the kids of a node stand: '' begins a line, ' ' and '|' go on with the
 * one before. All that is in a kid which shares a line stands there too. */
const planKids = (node) => {
    const isTableRow = node.role === 'row';
    const isRow = isTableRow || ROWS.has(node.role);
    const isStrip = STRIPS.has(node.role);
    const most = isTableRow ? CELLS_MAX : LEAVES_MAX;
    let open = isRow;
    let leaves = 0;
    let chars = 0;
    const plan = node.kids.map((kid, index) => {
        const its = weigh(kid, 0);
        const fits = its.leaves <= LEAVES_MAX && (isRow || !its.field);
        const goesOn = open && fits && (isRow || isStrip || !kid.brk) &&
            leaves + its.leaves <= most &&
            (isTableRow || chars + its.chars <= CHARS_BESIDES_TEXT);
        if (!goesOn) {
            leaves = 0;
            chars = 0;
        }
        open = fits;
        leaves += its.leaves;
        chars += its.chars;
        return !goesOn ? '' : isTableRow && kid.brk && index > 0 ? '|' : ' ';
    });
    /* One line of content needs no line besides that of what holds it. */
    if (open && node.role !== 'page' && plan.indexOf('', 1) < 0)
        plan[0] = ' ';
    return plan;
};

/* Puts every node that is not hidden in its place: calls put(node, depth,
 * flow, parent) in document order, parent being what put() gave for the node
 * that holds it, and hole(nodes, depth, parent) for each run of hidden ones.
 * A level is a node whose kids are under way; lead is the flow of the first of
 * them when all stand in the line of the node, else null. */
const layOut = (page, isHidden, put, hole) => {
    const levelOf = (node, depth, at, lead) =>
        ({ node, kids: node.kids, next: 0, depth, at, lead, run: null,
           holed: undefined });
    const stack = [levelOf(page, 1, put(page, 0, '', -1), null)];
    /* What comes behind a hole begins a line. */
    let broken = false;
    const closeRun = (level) => {
        if (level.run !== null) {
            hole(level.run, level.depth, level.at);
            level.run = null;
            broken = true;
        }
    };
    const flowOf = (level, index) => {
        if (level.lead !== null)
            return index === 0 ? level.lead : ' ';
        level.node.plan ??= planKids(level.node);
        return level.node.plan[index];
    };
    const enter = (level, kid, planned) => {
        const flow = broken ? '' : planned;
        const whole = level.lead !== null || planned !== '' ||
            weigh(kid, 0).leaves <= LEAVES_MAX;
        if (whole && isBareCell(kid)) {
            stack.push(levelOf(kid, level.depth, level.at, flow));
            return;
        }
        broken = false;
        const at = put(kid, level.depth, flow, level.at);
        if (kid.kids.length > 0)
            stack.push(levelOf(kid, Math.min(level.depth + 1, SHOWN_DEPTH_MAX),
                               at, whole ? ' ' : null));
    };
    while (stack.length > 0) {
        const level = stack.at(-1);
        const index = level.next++;
        if (index === level.kids.length) {
            closeRun(level);
            stack.pop();
            continue;
        }
        const kid = level.kids[index];
        if (isHidden !== null && isHidden(level, index)) {
            (level.run ??= []).push(kid);
            continue;
        }
        closeRun(level);
        enter(level, kid, flowOf(level, index));
    }
};
