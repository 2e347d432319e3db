/* SPDX-License-Identifier: Apache-2.0 */
/* What the library holds of this world: which nodes are shown, in which lines,
 * and by what to bring an older state up to date. */
'use strict';

/* The view that was last sent, by a version that no other document has; column
 * by column: node, depth and flow of each item. budget is what it was chosen
 * for; 0 is no limit. */
let view = { version: 1 + crypto.getRandomValues(new Uint32Array(1))[0],
             page: null, nodes: [], depths: [], flows: [], unseen: [], gone: [],
             budget: 0, chosenCost: 0, cost: 0 };
/* Ids of the topmost nodes that are not shown. */
let hidden = new Set();
/* Nodes with a higher id are new. */
let newestSeen = 0;
/* key -> node that stands for what is not shown */
let holes = new Map();
let lastHole = 2 ** 40;

/* How many of what role: "37 more listitem". */
const countRun = (run) => {
    const counts = new Map();
    for (const { role } of run)
        counts.set(role, (counts.get(role) || 0) + 1);
    if (counts.size === 1)
        return `${run.length} more ${run[0].role}`;
    const most = [...counts].sort((a, b) => b[1] - a[1]);
    const kinds = most.slice(0, 3).map(([role, count]) => `${count} ${role}`);
    if (most.length > 3)
        kinds.push('others');
    return `${run.length} more (${kinds.join(', ')})`;
};

/* Puts what is not hidden in its place. parents holds the index of the item
 * that holds each item. */
const arrange = (page, isHidden) => {
    const out = { nodes: [], depths: [], flows: [], parents: [], gone: [],
                  cost: 0 };
    const waiting = [];
    const ordinals = new Map();
    let lastRef = '';
    const put = (node, depth, flow, parent) => {
        out.depths.push(depth);
        out.flows.push(flow);
        out.parents.push(parent);
        if (node.ref !== '') {
            lastRef = node.ref;
            if (waiting.length > 0)
                waiting.splice(0).forEach((fill) => fill());
        }
        out.cost += costOf(node) + (flow === '' ? 2 : flow === '|' ? 1 : 0);
        return out.nodes.push(node) - 1;
    };
    const hole = (run, depth, parent) => {
        const at = out.nodes.push(null) - 1;
        out.depths.push(depth);
        out.flows.push('');
        out.parents.push(parent);
        out.cost += COST_MORE;
        for (const node of run)
            out.gone.push(node);
        const owner = out.nodes[parent].id;
        const ordinal = ordinals.get(owner) || 0;
        ordinals.set(owner, ordinal + 1);
        const fill = () => {
            const hint = lastRef === '' ? '' : `, expand ${lastRef}`;
            out.nodes[at] = holeNode(owner, ordinal, countRun(run) + hint);
        };
        if (lastRef === '')
            waiting.push(fill);
        else
            fill();
    };
    layOut(page, isHidden, put, hole);
    for (const fill of waiting)
        fill();
    return out;
};

const holeNode = (owner, ordinal, note) => {
    const key = `${owner} ${ordinal} ${note}`;
    let node = holes.get(key);
    if (node === undefined) {
        node = { ...makeNode(null, 'more'), id: ++lastHole, note, key };
        holes.set(key, node);
    }
    return node;
};

/* ---- what was shown stays shown ------------------------------------------ */

const hasHole = (level) => {
    level.holed ??= level.kids.some((kid) => hidden.has(kid.id));
    return level.holed;
};

const staysHidden = (level, index) => {
    const { kids } = level;
    const { id } = kids[index];
    if (hidden.has(id))
        return true;
    if (id <= newestSeen || !hasHole(level))
        return false;
    if (index > 0 && !hidden.has(kids[index - 1].id))
        return false;
    const next = kids[index + 1];
    if (next !== undefined && next.id <= newestSeen && !hidden.has(next.id))
        return false;
    hidden.add(id);
    return true;
};

/* ---- the difference to what was sent ------------------------------------- */

const SENT = ['id', 'role', 'level', 'ref', 'twin', 'name', 'value', 'states',
    'href', 'note'];
/* A node is another object also when only something in it changed. */
const isSameLine = (a, b) => a === b ||
    SENT.every((field) => a[field] === b[field]);
const isKept = (old, i, now, j) => isSameLine(old.nodes[i], now.nodes[j]) &&
    old.depths[i] === now.depths[j] && old.flows[i] === now.flows[j] &&
    old.unseen[i] === now.unseen[j];

/* Which of the rising or falling numbers (-1: none) form a longest rising
 * sequence: an array of booleans. */
const longestRising = (numbers) => {
    const ends = []; /* index of the end of the best sequence of each length */
    const before = new Int32Array(numbers.length).fill(-1);
    numbers.forEach((number, i) => {
        if (number < 0)
            return;
        let low = 0;
        let high = ends.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (numbers[ends[middle]] < number)
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? ends[low - 1] : -1;
        ends[low] = i;
    });
    const rising = new Array(numbers.length).fill(false);
    for (let i = ends.length > 0 ? ends.at(-1) : -1; i >= 0; i = before[i])
        rising[i] = true;
    return rising;
};

const columnsOf = (now, i, note) => {
    const node = now.nodes[i];
    const states = !now.unseen[i] ? node.states :
        node.states === '' ? 'hidden' : node.states + ' hidden';
    return [node.id, now.depths[i], now.flows[i], node.role, node.level,
            node.twin ? node.ref + '*' : node.ref, node.name, node.value,
            states, node.href, note].join('\t');
};

/* The lines that page/view.h speaks of. noteOf gives the note of a node. */
const patchOf = (old, now, noteOf) => {
    const lines = [];
    let kind = '';
    let count = 0;
    const flush = () => {
        if (count > 0)
            lines.push(kind + count);
        count = 0;
    };
    const say = (what, many) => {
        if (what !== kind)
            flush();
        kind = what;
        count += many;
    };
    const most = Math.min(old.nodes.length, now.nodes.length);
    let start = 0;
    while (start < most && isKept(old, start, now, start))
        start++;
    let end = 0;
    while (end < most - start && isKept(old, old.nodes.length - 1 - end, now,
                                        now.nodes.length - 1 - end))
        end++;
    const oldEnd = old.nodes.length - end;
    const nowEnd = now.nodes.length - end;
    const places = new Map();
    for (let i = start; i < oldEnd; i++)
        places.set(old.nodes[i].id, i);
    const from = [];
    for (let j = start; j < nowEnd; j++) {
        const i = places.get(now.nodes[j].id);
        from.push(i !== undefined && isKept(old, i, now, j) ? i : -1);
    }
    const kept = longestRising(from);
    let at = start;
    say('=', start);
    for (let j = start; j < nowEnd; j++) {
        if (kept[j - start]) {
            say('-', from[j - start] - at);
            say('=', 1);
            at = from[j - start] + 1;
        } else {
            flush();
            lines.push('+' + columnsOf(now, j, noteOf(now.nodes[j])));
        }
    }
    say('-', oldEnd - at);
    say('=', end);
    flush();
    return lines.join('\n');
};

/* Which of the texts nobody can see. That takes time, so what was looked at
 * once is looked at again only when asked to. */
const markUnseen = (now, again) => {
    const sight = makeSight();
    now.unseen = now.nodes.map((node) => {
        if (node.role !== 'text')
            return false;
        if (again || node.unseen === undefined)
            node.unseen = unseenReason(drawnParent(node.el), sight) !== '';
        return node.unseen;
    });
};

/* ---- reading ------------------------------------------------------------- */

/* What is shown, by the same choice as before. Null if that has become far
 * more than it was chosen for. */
const keepChoice = (page) => {
    if (page === view.page)
        return view;
    const now = arrange(shortenPage(page, view.budget), staysHidden);
    const most = Math.max(view.budget, view.chosenCost) * 1.25 + 200;
    return view.budget > 0 && now.cost > most ? null : now;
};

/* The page line alone may be more than a small budget. */
const shortenPage = (page, budget) => {
    const max = Math.floor(budget / 3);
    if (budget === 0 || costOf(page) <= max)
        return page;
    const href = page.href.length > max ? page.href.slice(0, max) + '…' :
        page.href;
    return { ...page, name: clean(page.name, Math.ceil(max / 2)), href,
             cost: 0 };
};

const chooseAnew = (page, budget, wishes) => {
    hidden = new Set();
    const all = arrange(page, null);
    if (wishes.scope === undefined && (budget === 0 || all.cost <= budget))
        return all;
    const geometry = makeGeometry();
    for (let limit = budget; ; ) {
        hidden = chooseLines(all, limit, wishes, geometry);
        const some = arrange(page, (level, index) =>
            hidden.has(level.kids[index].id));
        if (budget === 0 || some.cost <= budget || limit <= 0)
            return some;
        limit -= Math.max(some.cost - budget, COST_MORE);
    }
};

const wishesOf = ({ expand, find, scope, within, narrow }) => {
    const wishes = { find };
    for (const [wish, ref] of [['expand', expand], ['scope', scope]]) {
        if (!ref)
            continue;
        const found = resolveRef(ref);
        if (found.error !== undefined && found.error !== 'changed')
            return { ...found, ref };
        wishes[wish] = nodeOf(found.el);
    }
    if (within)
        wishes[narrow ? 'scope' : 'expand'] =
            nodeOf(frameElements.get(within)?.deref());
    return wishes;
};

/* For when less of the same is asked for. */
let lastWalk = null;

const NOTHING = { nodes: [], depths: [], flows: [], unseen: [] };

/* Reads the page and gives a patch from `base`, which begins from nothing if
 * that is not what was sent last. */
const read = (asked) => {
    framePath = asked.frame || '';
    if (!asked.again || lastWalk === null)
        lastWalk = walkPage();
    const { page, unread } = lastWalk;
    const wishes = wishesOf(asked);
    if (wishes.error !== undefined)
        return { token, ...wishes };
    for (const { node } of unread)
        node.cost = COST_FRAME;
    const base = asked.base === view.version ? view.version : 0;
    let budget = asked.budget || 0;
    if (budget > 0 && unread.length > 0)
        budget = Math.ceil(budget * 2 / 3);
    let now = asked.select || base === 0 ? null : keepChoice(page);
    const chosen = now === null;
    if (chosen)
        now = chooseAnew(shortenPage(page, budget), budget, wishes);
    else
        ({ budget } = view);
    if (now !== view)
        markUnseen(now, chosen && budget > 0);
    const keys = new Map(unread.map(({ node, key }) => [node, key]));
    const noteOf = (node) => keys.has(node) ? '' : node.note;
    const old = base === 0 ? NOTHING : view;
    const patch = patchOf(old, now, noteOf);
    noteSent(page, now, budget, chosen);
    return { token, title: page.name, url: page.href, base,
             version: view.version, chosen, patch, cost: Math.ceil(now.cost),
             unread: keys.size === 0 ? [] : now.nodes
                 .filter((node) => keys.has(node))
                 .map((node) => ({ id: node.id, key: keys.get(node),
                                   path: framePath + '>' +
                                       pathOfFrame(node.el),
                                   note: node.note })) };
};

const noteSent = (page, now, budget, chosen) => {
    view = { version: view.version + 1, page, nodes: now.nodes,
             depths: now.depths, flows: now.flows, unseen: now.unseen,
             gone: now.gone, budget, cost: now.cost,
             chosenCost: chosen ? now.cost : view.chosenCost };
    hidden = new Set(now.gone.map((node) => node.id));
    newestSeen = lastId;
    holes = new Map();
    if (now.gone.length > 0)
        for (const node of now.nodes)
            if (node.role === 'more')
                holes.set(node.key, node);
    noteShown(now.nodes);
};
