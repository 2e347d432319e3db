/* SPDX-License-Identifier: Apache-2.0 */
/* Whom the input of an action really met. It is sent to a point; what lies at
 * that point by then, only the event itself tells. */
'use strict';

/* Does the page hear of an event later than we do? */
const isFirst = bodyOf(document) === null;

/* No listener is called where scripts are not allowed, ours included. */
const hears = (() => {
    const probe = new EventTarget();
    let heard = false;
    probe.addEventListener('probe', () => { heard = true; });
    probe.dispatchEvent(new Event('probe'));
    return heard;
})();

const GUARD_MS = 5000;

/* What each of these shows. */
const SHOWS = {
    pointermove: 'move', pointerdown: 'press', pointerup: 'release',
    click: 'click', auxclick: 'click', contextmenu: 'click',
    keydown: 'key', beforeinput: 'text', input: 'text'
};
/* What belongs to a press, and is kept from whoever gets it by mistake. */
const OF_PRESS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click',
                  'auxclick', 'contextmenu', 'dblclick'];

const meets = (target) => {
    const control = controlOf(acting.el);
    return reaches(acting.el, target) ||
        control !== acting.el && drawnContains(control, target);
};

/* A surrounding element covers nothing, and has no name of interest. */
const strangerName = (target) => nodeType(target) !== ELEMENT ||
    drawnContains(target, acting.el) ? '' : describeElement(target);

/* From now on until the page is asked how it is, a press that would meet
 * another element than the one that is acted on is kept from the page. */
const arm = () => {
    Object.assign(acting, { open: true, shut: false, strays: null,
                            guard: performance.now() + GUARD_MS });
};
const disarm = () => {
    acting.open = false;
};

/* Something of the action has reached the page. */
const stir = () => {
    const act = acting;
    act.at = performance.now();
    act.drawn = false;
    requestAnimationFrame(() => { act.drawn = true; });
};

const isKeptBack = (type, target) => {
    if (type === 'pointerdown') {
        acting.shut = acting.pointed && performance.now() < acting.guard &&
            !meets(target);
        if (acting.shut)
            acting.strays = strangerName(target);
    }
    return acting.shut && OF_PRESS.includes(type);
};

const onInput = (event) => {
    if (acting === null || !acting.open || !event.isTrusted)
        return;
    const target = event.composedPath()[0];
    const kind = SHOWS[event.type];
    stir();
    if (acting.el === null)
        return;
    if (isKeptBack(event.type, target)) {
        event.preventDefault();
        event.stopImmediatePropagation();
    } else if (kind !== undefined) {
        const seen = acting.met[kind] ??= { hits: 0, other: '' };
        if (meets(target))
            seen.hits++;
        else
            seen.other = strangerName(target);
    }
};

const listened = new WeakSet();
const listenIn = (view) => {
    if (view === null || listened.has(view))
        return;
    listened.add(view);
    for (const type of new Set([...OF_PRESS, ...Object.keys(SHOWS)]))
        view.addEventListener(type, onInput, { capture: true });
};
listenIn(window);

/* May a press be sent without looking again at what the pointer has brought
 * up? Only where it would be kept from anything else. */
const isGuarded = (el) => isFirst && hears && ownerDocument(el) === document &&
    queryDocument(document, 'iframe,frame,object,embed').length === 0;

const clickFate = ({ move, press, release, click }) => {
    const hits = click ? click.hits : 0;
    if (acting.strays !== null)
        return { met: hits > 0 ? 'partly' : 'strayed', by: acting.strays,
                 hits };
    if (hits > 0)
        return {};
    if (!press)
        return isFirst && move && move.hits > 0 &&
            ownerDocument(acting.el) === document ? { met: 'lost' } : {};
    if (press.hits === 0)
        return { met: 'taken', by: press.other };
    if (!isConnected(acting.el))
        return { met: 'gone' };
    if (!release || release.hits > 0)
        return {};
    return release.other === '' ? { met: 'pressed' } :
        { met: 'covered', by: release.other };
};

/* What became of the input when it is not that the element met it, with the
 * name of what did. Nothing is said where nothing is known. */
const fate = () => {
    const { el, verb, met } = acting;
    if (el === null || !hears)
        return {};
    if (verb === 'click')
        return clickFate(met);
    const seen = met[{ hover: 'move', press: 'key', type: 'text',
                       fill: 'text' }[verb]];
    return seen && seen.hits === 0 ? { met: 'taken', by: seen.other } : {};
};
