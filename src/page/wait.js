/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting inside the page. */
'use strict';

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* The next frame, or a moment where frames are not drawn. */
const nextFrame = () => new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, 100);
});

/* Waits until nothing was mutated for quiet ms from now on, at most max ms. */
const settle = async ({ quiet, max }) => {
    const start = performance.now();
    const end = start + max;
    await nextFrame();
    await nextFrame();
    for (;;) {
        const now = performance.now();
        const idle = now - Math.max(mutatedAt, start);
        if (idle >= quiet || now >= end)
            return { quiet: idle >= quiet,
                     loaded: readyState(document) === 'complete' };
        await later(Math.min(quiet - idle, end - now) + 1);
    }
};

/* All text that the page shows, from the nodes of a walk. */
const shownText = () => {
    const { page } = walkPage();
    const parts = [];
    const add = (node) => {
        parts.push(node.name, node.value);
        node.kids.forEach(add);
    };
    page.kids.forEach(add);
    return clean(parts.join(' '));
};

const holds = ({ text, gone, loaded }) => {
    if (loaded && readyState(document) !== 'complete')
        return false;
    if (text === '' && gone === '')
        return true;
    const body = bodyOf(document);
    const drawn = body === null ? '' : clean(innerText(body));
    const has = (wanted, more) => drawn.includes(wanted) ||
        more().includes(wanted);
    let walked = null;
    const more = () => walked ??= shownText();
    return (text === '' || has(clean(text), more)) &&
        (gone === '' || !has(clean(gone), more));
};

/* True as soon as the page is as described, false after max ms. */
const waitFor = async (wanted) => {
    const end = performance.now() + wanted.max;
    let seen = -1;
    let checked = 0;
    for (;;) {
        const now = performance.now();
        /* Style sheets and values change without a mutation. */
        if (mutations !== seen || now - checked > 500) {
            seen = mutations;
            checked = now;
            if (holds(wanted))
                return true;
        }
        if (now >= end)
            return false;
        await later(Math.min(100, end - now) + 1);
    }
};
