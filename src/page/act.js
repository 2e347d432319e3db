/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at an element before and after an action. Input itself is sent by
 * the browser; only select and scroll are done here. */
'use strict';

/* What the action under way is about. */
let acting = null;
/* How many mutations there were. */
let mutations = 0;
/* The same of those that may come from an action, and when
 * (performance.now) the last of them was. */
let stirrings = 0;
let stirredAt = 0;

/* Nodes that change while nobody acts, such as a clock: { count, last }. */
const restless = new WeakMap();
const RESTLESS_MS = 1500;
const isRestless = (node, now) => {
    const entry = restless.get(node);
    return entry !== undefined && entry.count > 1 &&
        now - entry.last < RESTLESS_MS;
};
const noteUnprompted = (node, now) => {
    const entry = restless.get(node);
    if (entry === undefined || now - entry.last > RESTLESS_MS)
        restless.set(node, { count: 1, last: now });
    else if (entry.last !== now)
        restless.set(node, { count: entry.count + 1, last: now });
};

const noteMutations = (records) => {
    const now = performance.now();
    const idle = acting === null ? readyState(document) === 'complete' :
        acting.over;
    mutations += records.length;
    for (const { attributeName, oldValue, target } of records) {
        if (attributeName === 'type' && oldValue !== null &&
            oldValue.toLowerCase() === 'password')
            secrets.add(target);
        if (idle)
            noteUnprompted(target, now);
        if (!isRestless(target, now)) {
            stirrings++;
            stirredAt = now;
        }
    }
};
watchRoot(document);

/* A document's observer sees neither shadow trees nor frames. */
const watchAround = (el) => {
    let root = rootOf(el);
    while (root) {
        watchRoot(root);
        const out = nodeType(root) === DOCUMENT ? frameOf(root) : root.host;
        root = out ? rootOf(out) : null;
    }
};

/* What it is and how it is named, to be quoted. */
const describeElement = (el) => {
    for (let at = el; at; at = drawnParent(at)) {
        const role = roleOf(at);
        const name = nameOf(at, role) ||
            (at === el ? clean(contentText(at), 60) : '');
        const id = attribute(at, 'id');
        const what = role === 'generic' ? localName(at) : role;
        if (name !== '' || id)
            return clean(what + (id ? '#' + id : '') +
                         (name ? ' ' + name : ''), 80);
    }
    return localName(el);
};

const describeInRow = (el) => {
    const row = closest(el, ROW);
    const words = row === null ? '' : wordsOf(row);
    return describeElement(el) + (words === '' ? '' : ' in ' + words);
};

const composedSome = (el, test) => {
    for (let at = el; at; at = drawnParent(at))
        if (nodeType(at) === ELEMENT && test(at))
            return true;
    return false;
};

const openModal = () => {
    const open = documentElement(document) === null ? [] :
        [...queryAll(documentElement(document), 'dialog:modal')];
    return open.at(-1) || null;
};

const isTextField = (el) => isTextInput(el) ||
    localName(el) === 'textarea' && isHtml(el) || isEditingHost(el);

/* Fields that are not typed into, with a value to fill. */
const READY_MADE = {
    'date': '2031-12-24', 'time': '13:45',
    'datetime-local': '2031-12-24T13:45', 'month': '2031-12',
    'week': '2031-W52', 'color': '#ff8000', 'range': '50'
};
const isReadyMade = (el) => isInput(el, ...Object.keys(READY_MADE));

const isWritable = (el) => isTextField(el) || isHtml(el) && isEditable(el);

/* Might a field for text take the focus when the element is given it? What a
 * frame or a closed shadow tree holds is not known. */
const mayTakeText = (el) => {
    const nodes = [el];
    for (const at of nodes) {
        if (isWritable(at) || ['iframe', 'frame'].includes(localName(at)) ||
            localName(at).includes('-') && shadowRoot(at) === null)
            return true;
        for (const kid of drawnChildren(at))
            if (nodeType(kid) === ELEMENT)
                nodes.push(kid);
    }
    return false;
};

const controlOf = (el) => {
    if (localName(el) === 'label' && isHtml(el))
        return labelControl(el) || el;
    return el;
};

/* Why the element cannot take the verb at all, or ''. */
const wrongKind = (el, verb) => {
    const isSelect = localName(el) === 'select' && isHtml(el);
    if (verb === 'select' && !isSelect)
        return 'not-select';
    if (verb === 'click' && isSelect && !el.multiple && el.size < 2)
        return 'is-select';
    if (verb === 'fill' && !isTextField(el) && !isReadyMade(el))
        return 'not-editable';
    if (verb === 'type' && isReadyMade(controlOf(el)))
        return 'ready-made';
    if (verb === 'type' && !mayTakeText(controlOf(el)))
        return 'not-editable';
    if ((verb === 'fill' || verb === 'type') &&
        (isTextField(el) || isReadyMade(el)) && !isEditingHost(el) &&
        matches(el, ':read-only') && !matches(el, ':disabled') &&
        !isReadyMade(el))
        return 'read-only';
    return '';
};

/* Why the element cannot be used now: { error, detail }, or null. */
const gate = (el, verb) => {
    const control = controlOf(el);
    const style = getComputedStyle(el);
    if (!hasBox(el) || style.visibility !== 'visible')
        return { error: 'hidden' };
    if (verb !== 'hover' && verb !== 'scroll' && isDisabled(control))
        return { error: 'disabled' };
    if (composedSome(el, (at) => isHtml(at) && isInert(at)))
        return { error: 'inert' };
    const modal = openModal();
    if (modal !== null && ownerDocument(el) === document &&
        !drawnContains(modal, el))
        return { error: 'modal', detail: describeElement(modal) };
    const kind = wrongKind(el, verb);
    if (kind !== '')
        return { error: kind, detail: kind === 'ready-made' ?
            READY_MADE[inputType(control)] : '' };
    if (style.pointerEvents === 'none' && verb !== 'select' &&
        verb !== 'press' && verb !== 'scroll')
        return { error: 'no-pointer' };
    return null;
};

/* How the inside of a frame lies in the viewport of its owner: where it begins
 * and how large one of its pixels is. Right for frames that stand upright. */
const placeOf = (frame) => {
    const box = boxOf(frame);
    const style = getComputedStyle(frame);
    const scale = (long, short) => short > 0 ? long / short : 1;
    const kx = scale(box.width, frame.offsetWidth);
    const ky = scale(box.height, frame.offsetHeight);
    return { x: box.x + (frame.clientLeft + parseFloat(style.paddingLeft)) * kx,
             y: box.y + (frame.clientTop + parseFloat(style.paddingTop)) * ky,
             kx, ky };
};
const outOf = (frame, { x, y }) => {
    const place = placeOf(frame);
    return { x: place.x + x * place.kx, y: place.y + y * place.ky };
};
const into = (frame, { x, y }) => {
    const place = placeOf(frame);
    return { x: (x - place.x) / place.kx, y: (y - place.y) / place.ky };
};

/* A point of a document's viewport in the main viewport. */
const toMain = (doc, point) => {
    let at = point;
    for (let frame = frameOf(doc); frame; frame = frameOf(ownerDocument(frame)))
        at = outOf(frame, at);
    return at;
};

const isUpright = (at) => {
    const { transform, rotate } = getComputedStyle(at);
    if (rotate !== 'none')
        return false;
    const { a, b, c, d, is2D } = new DOMMatrixReadOnly(transform);
    return is2D && b === 0 && c === 0 && a > 0 && d > 0;
};
/* Boxes do not tell where a point of such a frame is. */
const isTurned = (frame) => composedSome(frame, (at) => !isUpright(at));

/* The innermost element at a point of the main viewport. */
const hitTest = (x, y) => {
    let root = document;
    let point = { x, y };
    let hit = null;
    for (;;) {
        const next = elementAt(root, point.x, point.y);
        if (next === null || next === hit)
            return hit;
        hit = next;
        const tag = localName(hit);
        const inner = tag === 'iframe' || tag === 'frame' ?
            innerDocument(hit) : shadowRoot(hit);
        if (!inner)
            return hit;
        root = inner;
        if (nodeType(inner) === DOCUMENT)
            point = into(hit, point);
    }
};

const reaches = (el, hit) => {
    if (hit === null)
        return false;
    if (drawnContains(el, hit))
        return true;
    /* A click on its label is a click on the control. */
    for (let at = hit; at; at = drawnParent(at))
        if (nodeType(at) === ELEMENT && localName(at) === 'label' &&
            isHtml(at))
            return labelControl(at) === controlOf(el);
    return false;
};

/* Points to try on the parts of the element that lie in the viewport. */
const pointsOf = (el) => {
    const doc = ownerDocument(el);
    const points = [];
    for (const box of [...boxesOf(el)].slice(0, 8)) {
        const start = toMain(doc, { x: box.left, y: box.top });
        const end = toMain(doc, { x: box.right, y: box.bottom });
        const left = Math.max(start.x, 0);
        const top = Math.max(start.y, 0);
        const right = Math.min(end.x, innerWidth);
        const bottom = Math.min(end.y, innerHeight);
        if (right - left < 1 || bottom - top < 1)
            continue;
        for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5],
                                [0.5, 0.25], [0.5, 0.75]])
            points.push({ x: left + (right - left) * fx,
                          y: top + (bottom - top) * fy });
    }
    return points;
};

/* A point at which the pointer meets the element, or why there is none. */
const findPoint = (el) => {
    const frame = frameOf(ownerDocument(el));
    if (frame && isTurned(frame))
        return { error: 'turned' };
    const points = pointsOf(el);
    if (points.length === 0)
        return { error: boxesOf(el).length === 0 ? 'no-box' : 'off-screen' };
    for (const point of points)
        if (reaches(el, hitTest(point.x, point.y)))
            return point;
    const cover = hitTest(points[0].x, points[0].y);
    return { error: 'covered',
             detail: cover === null ? '' : describeElement(cover) };
};

const scrollIntoView = (el) => {
    const box = boxOf(el);
    const middle = toMain(ownerDocument(el), { x: box.x + box.width / 2,
                                               y: box.y + box.height / 2 });
    if (middle.x < 0 || middle.y < 0 || middle.x > innerWidth ||
        middle.y > innerHeight || !reaches(el, hitTest(middle.x, middle.y)))
        el.scrollIntoView({ block: 'center', inline: 'nearest',
                            behavior: 'instant' });
};

const rawValue = (el) => {
    if (isTextField(el) || isReadyMade(el))
        return editableText(el);
    if (localName(el) === 'select' && isHtml(el))
        return valueOf(el, '');
    return checkedState(controlOf(el));
};

const shownValue = (el) => {
    if (isSecret(el))
        return rawValue(el) === '' ? '' : MASK;
    return clean(rawValue(el), 80);
};

/* What to call an element in our own words. Its tag is the page's word: it may
 * hold anything, sentences too. */
const wordFor = (role) => role === 'generic' ? 'element' : role;

const refName = (el) => {
    if (el === null || el === bodyOf(document) ||
        el === documentElement(document))
        return '';
    const role = roleOf(el);
    const ref = el[REF];
    return [wordFor(role), ref || '', clean(nameOf(el, role), 60)].join('\t');
};

const remember = (el, verb) => {
    acting = {
        el, verb, value: el === null ? '' : rawValue(el),
        active: deepActive(), x: scrollX, y: scrollY, mutations, stirrings,
        signs: signsOfWork(), motions: new Set(animationsOf(document)),
        text: textShown(verb), at: performance.now(), drawn: true, over: false,
        pointed: ['click', 'type', 'fill'].includes(verb), met: {}
    };
    arm();
    if (el !== null) {
        watchAround(el);
        listenIn(viewOf(ownerDocument(el)));
    }
};

const lookUp = (ref) => {
    walkPage();
    return resolveRef(ref);
};

/* Checks the element and finds where to act on it. */
const prepare = ({ ref, verb }) => {
    if (ref === '') {
        remember(null, verb);
        return { role: '', name: '' };
    }
    const found = lookUp(ref);
    if (found.error)
        return found;
    const el = found.el;
    const role = roleOf(el);
    const about = { role: wordFor(role),
                    name: clean(nameOf(el, role) || (OPAQUE.has(localName(el)) ?
                        '' : contentText(el)), 60),
                    field: isTextField(el), made: isReadyMade(el) };
    const refusal = gate(el, verb);
    if (refusal !== null)
        return { ...about, ...refusal };
    scrollIntoView(el);
    remember(el, verb);
    about.guarded = isGuarded(el);
    if (verb === 'press' || verb === 'scroll')
        return about;
    const point = findPoint(el);
    if (point.error === 'off-screen' && verb === 'select')
        return about;
    return { ...about, ...point };
};

/* Where to act on the element now that the pointer has come near: pages react
 * to that. */
const aim = () => {
    const el = acting === null ? null : acting.el;
    if (el === null || !isConnected(el))
        return { error: 'removed' };
    arm();
    return findPoint(el);
};

const locate = ({ ref }) => {
    const found = lookUp(ref);
    if (found.error)
        return found;
    const refusal = gate(found.el, 'scroll');
    if (refusal !== null && refusal.error === 'hidden')
        return refusal;
    const frame = frameOf(ownerDocument(found.el));
    if (frame && isTurned(frame))
        return { error: 'turned' };
    found.el.scrollIntoView({ block: 'center', inline: 'center',
                              behavior: 'instant' });
    const box = boxOf(found.el);
    if (box.width < 1 || box.height < 1)
        return { error: 'no-box' };
    const doc = ownerDocument(found.el);
    const start = toMain(doc, { x: box.left, y: box.top });
    const end = toMain(doc, { x: box.right, y: box.bottom });
    return { x: start.x, y: start.y, width: end.x - start.x,
             height: end.y - start.y };
};

/* Where a point of a frame that is read apart lies in this viewport. With hit
 * the pointer must meet the frame there. */
const throughFrame = ({ key, x, y, hit }) => {
    const el = frameElements.get(key)?.deref();
    if (el === undefined || !isConnected(el))
        return { error: 'removed' };
    if (isTurned(el))
        return { error: 'turned' };
    const place = () => toMain(ownerDocument(el), outOf(el, { x, y }));
    let at = place();
    if (at.x < 0 || at.y < 0 || at.x >= innerWidth || at.y >= innerHeight) {
        scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2,
                   behavior: 'instant' });
        at = place();
    }
    const met = hitTest(at.x, at.y);
    if (hit && met !== el)
        return { error: met === null ? 'off-screen' : 'covered',
                 detail: met === null ? '' : describeElement(met) };
    return at;
};

const hasFocus = (el) => {
    const active = deepActive();
    return active !== null && drawnContains(el, active);
};

const selectContent = (el) => {
    if (isEditingHost(el)) {
        const selection = selectionOf(ownerDocument(el));
        selection.selectAllChildren(el);
    } else {
        el.select();
    }
};

const caretToEnd = (el) => {
    if (isEditingHost(el)) {
        const selection = selectionOf(ownerDocument(el));
        selection.selectAllChildren(el);
        selection.collapseToEnd();
        return;
    }
    try {
        const { length } = editableText(el);
        el.setSelectionRange(length, length);
    } catch {
        /* Types such as email have no caret that scripts may move; selecting
         * and collapsing is not possible either. The End key does it. */
        return false;
    }
    return true;
};

/* Puts the focus on the element and the caret where text is to go. Keys reach
 * whatever has the focus, and text the last caret when that takes none: it may
 * stand in any field of the page. */
const focusOn = ({ mode }) => {
    const el = acting === null ? null : controlOf(acting.el);
    if (el === null || !isConnected(el))
        return { error: 'removed' };
    if (acting.strays !== null)
        return { error: 'covered', detail: acting.strays };
    acting.pointed = false;
    const before = deepActive();
    if (!hasFocus(el))
        el.focus({ preventScroll: true });
    const stirred = deepActive() !== before;
    if (!hasFocus(el))
        return { error: 'no-focus', stirred };
    if (mode !== 'press' && !isWritable(deepActive()))
        return { error: 'not-editable', stirred };
    if (mode === 'all' && isTextField(el))
        selectContent(el);
    const moved = mode === 'end' && isTextField(el) ? caretToEnd(el) : true;
    return { end: moved !== false, empty: rawValue(el) === '',
             rich: isEditingHost(el) };
};

const normal = (text) => text.normalize('NFC').replace(/\r\n?/g, '\n')
    .replace(/\u00a0/g, ' ').trim();

/* What became of a value: whether it is the expected one, or changed. */
const readBack = ({ text }) => {
    const el = acting === null ? null : acting.el;
    if (el === null || !isConnected(el))
        return { gone: true };
    const now = rawValue(el);
    const rich = (t) => isEditingHost(el) ?
        normal(t).replace(/\n+/g, '\n') : normal(t);
    return { same: rich(now) === rich(text), changed: now !== acting.value,
             empty: now === '', value: shownValue(el) };
};

/* Fields such as dates, which the keyboard fills differently in every
 * locale. */
const setReadyMade = ({ text }) => {
    const el = acting.el;
    stir();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
        .set.call(el, text);
    el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
    return {};
};

const fold = (text) => clean(text.normalize('NFC')).toLowerCase();

/* The first way of matching that hits anything decides. */
const matchOptions = (options, wanted) => {
    const exact = clean(wanted.normalize('NFC'));
    const loose = fold(wanted);
    if (exact === '')
        return [];
    for (const test of [
        (o) => optionLabel(o).normalize('NFC') === exact,
        (o) => o.value === wanted,
        (o) => fold(optionLabel(o)) === loose,
        (o) => o.value.toLowerCase() === wanted.toLowerCase(),
        (o) => fold(optionLabel(o)).startsWith(loose)
    ]) {
        const hits = options.filter(test);
        if (hits.length > 0)
            return hits;
    }
    return [];
};

const isOptionDisabled = (option) => matches(option, ':disabled');

const choose = ({ text }) => {
    const el = acting.el;
    const options = [...selectOptions(el)];
    const hits = matchOptions(options, text);
    const open = hits.filter((option) => !isOptionDisabled(option));
    if (hits.length === 0 || open.length !== 1) {
        const shown = hits.length > 0 ? hits : options;
        return {
            error: hits.length === 0 ? 'no-option' :
                open.length === 0 ? 'option-disabled' : 'ambiguous',
            options: shown.slice(0, 8).map((o) => clean(optionLabel(o), 80)),
            total: shown.length
        };
    }
    const option = open[0];
    stir();
    el.focus({ preventScroll: true });
    acting.option = option;
    if (option.selected && !el.multiple)
        return { label: clean(optionLabel(option), 80), already: true };
    if (el.multiple)
        option.selected = true;
    else
        Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype,
            'selectedIndex').set.call(el, options.indexOf(option));
    el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
    return { label: clean(optionLabel(option), 80) };
};

/* Is the option that was chosen still the one that is shown? */
const chosen = () => {
    const { el, option } = acting || {};
    if (!el || !isConnected(el))
        return { gone: true };
    const label = optionLabel(option);
    return { same: [...selectOptions(el)].some((o) => o.selected &&
                 optionLabel(o) === label), value: shownValue(el) };
};

const scrollable = (el) => {
    for (let at = el; at; at = drawnParent(at)) {
        if (nodeType(at) !== ELEMENT)
            continue;
        const style = getComputedStyle(at);
        if (/auto|scroll/.test(style.overflowY + style.overflowX) &&
            (at.scrollHeight > at.clientHeight ||
             at.scrollWidth > at.clientWidth))
            return at;
    }
    return scrollingElement(document) || documentElement(document);
};

const scroll = ({ dx, dy }) => {
    const target = scrollable(acting.el);
    stir();
    const from = [target.scrollLeft, target.scrollTop];
    const down = dx === 0 && dy === 0 ? target.clientHeight * 0.85 : dy;
    target.scrollBy({ left: dx, top: down, behavior: 'instant' });
    return { x: Math.round(target.scrollLeft - from[0]),
             y: Math.round(target.scrollTop - from[1]) };
};
