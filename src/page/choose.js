/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines are worth a budget: what was asked for, the dialog in front, the
 * focus, what is in the window, then what is near it. */
'use strict';

/* How far around a ref that is to be expanded. */
const EXPAND_LINES = 400;
/* So many of alike siblings outside of the window tell what the rest is. */
const ALIKE_MAX = 3;
/* After so many lines that did not fit none will. */
const MISSES_MAX = 40;

const [MUST, MODAL, WISHED, FOCUSED, VISIBLE, BELOW, ABOVE, ALIKE, NEVER] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8];

const rangeBox = method(Range.prototype, 'getBoundingClientRect');
const rangeOver = method(Range.prototype, 'selectNode');

/* Where nodes are: top and bottom within the window of this world. */
const makeGeometry = () => {
    const range = new Range();
    const offsets = new Map([[document, 0]]);
    const offsetOf = (doc) => {
        let offset = offsets.get(doc);
        if (offset === undefined) {
            const frame = frameOf(doc);
            offset = frame === null ? 0 :
                boxOf(frame).top + offsetOf(ownerDocument(frame));
            offsets.set(doc, offset);
        }
        return offset;
    };
    const boxes = new Map();
    return (node) => {
        let box = boxes.get(node.id);
        if (box !== undefined || node.el === null || node.el === document)
            return box;
        const isElement = nodeType(node.el) === ELEMENT;
        if (!isElement)
            rangeOver(range, node.el);
        const { top, bottom, width, height } = isElement ? boxOf(node.el) :
            rangeBox(range);
        if (width > 0 || height > 0) {
            const offset = offsetOf(ownerDocument(node.el));
            box = { top: top + offset, bottom: bottom + offset };
            boxes.set(node.id, box);
        }
        return box;
    };
};

/* The lines of an arrangement: where each begins and what it costs; `holder`
 * is the line that holds what it stands in. */
const linesOf = (all) => {
    const count = all.nodes.length;
    const lines = { first: [], cost: [], holder: [],
                    of: new Int32Array(count) };
    for (let i = 0; i < count; i++) {
        if (all.flows[i] === '') {
            lines.holder.push(i === 0 ? -1 : lines.of[all.parents[i]]);
            lines.first.push(i);
            lines.cost.push(2);
        }
        const line = lines.first.length - 1;
        lines.of[i] = line;
        lines.cost[line] += costOf(all.nodes[i]);
    }
    return lines;
};

/* One past the last item that lies in item i. */
const endOf = (all, i) => {
    let end = i + 1;
    while (end < all.nodes.length && all.depths[end] > all.depths[i])
        end++;
    return end;
};

const holdsText = (node, text) =>
    node.name.toLowerCase().includes(text) ||
    node.value.toLowerCase().includes(text);

/* Gives each line a rank, a class and within it a distance: less is better. */
const rankLines = (all, lines, wishes, geometry) => {
    const ranks = new Float64Array(lines.first.length);
    rankByPlace(all, lines, ranks, geometry);
    const raise = (line, kind, distance) => {
        ranks[line] = Math.min(ranks[line], kind * 1e9 + distance);
    };
    const active = nodeOf(deepActive());
    const text = wishes.find ? wishes.find.toLowerCase() : '';
    all.nodes.forEach((node, i) => {
        if (node === active && node !== undefined)
            raise(lines.of[i], FOCUSED, 0);
        if (text !== '' && holdsText(node, text))
            raise(lines.of[i], WISHED, i);
        if (node.role === 'dialog' && node.states.includes('modal'))
            for (let j = i; j < endOf(all, i); j++)
                raise(lines.of[j], MODAL, j);
    });
    raiseAround(all, lines, wishes.expand, raise);
    if (wishes.scope !== undefined)
        rankByScope(all, lines, wishes.scope, ranks);
    ranks[0] = MUST;
    return ranks;
};

const rankByPlace = (all, lines, ranks, geometry) => {
    const alike = new Map();
    let last = 0;
    for (let line = 0; line < ranks.length; line++) {
        const i = lines.first[line];
        const node = all.nodes[i];
        const box = geometry(node);
        const top = box === undefined ? last : box.top;
        const bottom = box === undefined ? last : box.bottom;
        last = top;
        const key = all.parents[i] + node.role;
        const before = alike.get(key) || 0;
        alike.set(key, before + 1);
        const isIn = bottom > 0 && top < innerHeight;
        const kind = isIn ? VISIBLE : before >= ALIKE_MAX ? ALIKE :
            top >= innerHeight ? BELOW : ABOVE;
        /* The order of the page where the place is the same. */
        ranks[line] = kind * 1e9 + line / 1e6 +
            (isIn ? line : Math.min(1e8, Math.abs(top)));
    }
};

/* What lies in the node, then what is near it, rather after than before. */
const raiseAround = (all, lines, node, raise) => {
    const at = node === undefined ? -1 : all.nodes.indexOf(node);
    if (at < 0)
        return;
    const start = lines.of[at];
    const end = Math.min(lines.of[endOf(all, at) - 1] + EXPAND_LINES,
                         lines.first.length - 1);
    for (let line = start; line <= end; line++)
        raise(line, WISHED, line - start);
    for (let line = Math.max(start - EXPAND_LINES, 0); line < start; line++)
        raise(line, WISHED, (start - line) * 3);
};

const rankByScope = (all, lines, node, ranks) => {
    const at = all.nodes.indexOf(node);
    const from = at < 0 ? 0 : lines.of[at];
    const to = at < 0 ? -1 : lines.of[endOf(all, at) - 1];
    for (let line = 0; line < ranks.length; line++)
        if (line < from || line > to)
            ranks[line] = NEVER * 1e9;
    if (at >= 0)
        ranks[from] = MUST;
};

/* Holes that the kids of a line leave: all of them, or before and behind what
 * is shown of them. */
const holesIn = (kids, shownKids) =>
    shownKids === kids ? 0 : shownKids === 0 ? 1 : 2;

/* The ids of the topmost nodes that do not fit. A line is shown only with all
 * those that hold it. A budget of 0 is no limit. */
const chooseLines = (all, budget, wishes, geometry) => {
    const lines = linesOf(all);
    const ranks = rankLines(all, lines, wishes, geometry);
    const count = ranks.length;
    const kids = new Int32Array(count);
    for (let line = 1; line < count; line++)
        kids[lines.holder[line]]++;
    const shownKids = new Int32Array(count);
    const shown = new Uint8Array(count);
    const room = budget > 0 || wishes.scope === undefined ? budget : Infinity;
    let used = 0;
    const add = (line) => {
        const chain = [];
        let cost = 0;
        for (let at = line; at >= 0 && shown[at] === 0; at = lines.holder[at])
            chain.push(at);
        for (const at of chain)
            cost += lines.cost[at] + COST_MORE * holesIn(kids[at], at ===
                line ? 0 : 1);
        const holder = lines.holder[chain.at(-1)];
        if (holder >= 0)
            cost += COST_MORE * (holesIn(kids[holder], shownKids[holder] + 1) -
                holesIn(kids[holder], shownKids[holder]));
        if (used + cost > room && line > 0)
            return false;
        used += cost;
        for (const at of chain) {
            shown[at] = 1;
            if (lines.holder[at] >= 0)
                shownKids[lines.holder[at]]++;
        }
        return true;
    };
    const order = Uint32Array.from(ranks.keys())
        .sort((a, b) => ranks[a] - ranks[b]);
    let misses = 0;
    for (const line of order) {
        if (ranks[line] >= NEVER * 1e9 || misses > MISSES_MAX)
            break;
        if (shown[line] === 0 && !add(line))
            misses++;
    }
    return hiddenIds(all, lines, shown);
};

const hiddenIds = (all, lines, shown) => {
    const ids = new Set();
    for (let i = 1; i < all.nodes.length; i++)
        if (shown[lines.of[i]] === 0 && shown[lines.of[all.parents[i]]] === 1)
            ids.add(all.nodes[i].id);
    return ids;
};
