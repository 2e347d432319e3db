/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the page has come to rest after an action, and what is seen of that.
 * Nothing here waits: timers stand still in a sandbox without scripts and run
 * slowly in the background. The library asks again. */
'use strict';

/* Milliseconds. Without a mutation, for the tasks that an event queues; the
 * same where suggestions are to come, and after a page has loaded. */
const QUIET_MS = 12;
const SUGGEST_MS = 250;
const ARRIVAL_MS = 100;
/* Since the input: before "nothing" is said; that a frame is waited for; that
 * the page may go on changing, moving, and saying that it works on it. */
const NOTHING_MS = 300;
const FRAME_MS = 50;
const CHANGING_MS = 1000;
const MOVING_MS = 500;
const WORKING_MS = 1000;
const LOOK_AGAIN_MS = 30;

/* By these a page tells that something is to come. */
const WORK = '[aria-busy="true"],[role="progressbar"]:not([aria-valuenow]),' +
    'progress:indeterminate';
const signsOfWork = () => new Set(queryDocument(document, WORK));
const saysItWorks = () => [...signsOfWork()].some((el) =>
    !acting.signs.has(el) && hasBox(el, { visibilityProperty: true }));

/* Colours and shadows change nothing that is read or pressed. */
const PAINT = /color|shadow|background|outline|fill|stroke|decoration|filter/i;
const TIMING = ['offset', 'computedOffset', 'easing', 'composite'];
const isPaint = (motion) => (motion.transitionProperty !== undefined ?
    [motion.transitionProperty] :
    motion.effect.getKeyframes().flatMap(Object.keys)
        .filter((name) => !TIMING.includes(name)))
    .every((name) => PAINT.test(name));

/* Decoration without text may move on, and so may what was acted on. */
const matters = (motion) => {
    const target = motion.effect && motion.effect.target;
    return motion.playState === 'running' && Boolean(target) &&
        !acting.motions.has(motion) && !isPaint(motion) && hasBox(target) &&
        /\S/.test(textContent(target)) &&
        !(acting.el !== null && drawnContains(acting.el, target));
};

/* For how long what the action set in motion moves; 0 for what has no end. */
const motionLeft = () => {
    let left = 0;
    for (const motion of animationsOf(document)) {
        const end = motion.effect ? motion.effect.getComputedTiming().endTime :
            Infinity;
        if (Number.isFinite(end) && matters(motion))
            left = Math.max(left, end - (motion.currentTime || 0));
    }
    return left;
};

const isValueNew = (el) => el !== null && isConnected(el) &&
    rawValue(el) !== acting.value;
/* That what was used has the focus is no news, unless text goes there. */
const isFocusNew = (el, active) => active !== acting.active &&
    (active !== el || isTextField(el));
const isScrollNew = () => scrollX !== acting.x || scrollY !== acting.y;

/* Menus that a style sheet opens under the pointer change no node. */
const textShown = (verb) => {
    const body = verb === 'hover' ? bodyOf(document) : null;
    return body === null ? 0 : innerText(body).length;
};

const hasEffect = () => stirrings !== acting.stirrings ||
    isValueNew(acting.el) || isFocusNew(acting.el, deepActive()) ||
    isScrollNew() || textShown(acting.verb) !== acting.text;

/* What changed about the element acted on, the focus and the scroll. */
const observe = () => {
    const { el } = acting;
    const active = deepActive();
    const seen = { mutated: mutations !== acting.mutations };
    if (isValueNew(el))
        seen.value = shownValue(el);
    if (isFocusNew(el, active)) {
        if (active !== null && active[REF] === undefined)
            walkPage();
        seen.focus = refName(active);
    }
    if (isScrollNew())
        seen.scroll = [Math.round(scrollX - acting.x),
                       Math.round(scrollY - acting.y)];
    return seen;
};

const suggests = ({ el, verb }) => (verb === 'type' || verb === 'fill') &&
    (attribute(el, 'role') === 'combobox' || isInput(el, 'search') ||
     ['list', 'both'].includes(attribute(el, 'aria-autocomplete')));

/* How long to leave the page alone before it is asked again, 0 at rest. */
const restLeft = (known, age, now) => {
    const quiet = suggests(acting) ? SUGGEST_MS : QUIET_MS;
    let left = 0;
    if (acting.strays !== null)
        return 0;
    if (!known)
        left = NOTHING_MS - age;
    else if (age < CHANGING_MS)
        left = quiet - (now - Math.max(stirredAt, acting.at));
    if (!acting.drawn && !isHidden(document) && age < FRAME_MS)
        left = Math.max(left, 4);
    if (age < MOVING_MS)
        left = Math.max(left, Math.min(motionLeft(), MOVING_MS - age));
    if (age < WORKING_MS && saysItWorks())
        left = Math.max(left, LOOK_AGAIN_MS);
    return Math.max(0, Math.ceil(left));
};

/* A document that the action led to. */
const arrival = (now) => {
    const loaded = readyState(document) === 'complete';
    const idle = now - stirredAt;
    return { loaded, left: Math.max(0, Math.ceil(ARRIVAL_MS - idle)),
             effect: true, late: true };
};

/* Is the page at rest? known: an effect was seen by others. again: what there
 * was so far is no effect. last: what is seen is wanted in any case. The
 * answer: how much is left, whether there was an effect, whether it is too
 * late for one; at rest also what was seen and the input's fate. */
const rest = ({ known, again, last }) => {
    takeMutations();
    const now = performance.now();
    if (acting === null)
        return arrival(now);
    disarm();
    if (again)
        acting.stirrings = stirrings;
    const age = now - acting.at;
    const effect = known || hasEffect();
    const left = restLeft(effect, age, now);
    acting.over = left === 0;
    const answer = { loaded: readyState(document) === 'complete', left,
                     effect, late: age >= NOTHING_MS };
    return left === 0 || last ? { ...answer, ...observe(), ...fate() } :
        answer;
};
