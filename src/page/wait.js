/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked again and again until it is so. */
'use strict';

/* Nothing here waits by itself: the timers of a page stand still in a sandbox
 * without scripts and run slowly in the background. The library asks again. */

/* From when on the page is watched for coming to rest. */
let restFrom = performance.now();

/* For how long nothing was mutated, since the first of these questions. */
const rest = ({ begin }) => {
    const now = performance.now();
    if (begin)
        restFrom = now;
    return { idle: now - Math.max(mutatedAt, restFrom),
             loaded: readyState(document) === 'complete' };
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

/* The first condition that does not hold, or ''. */
const lacking = ({ text, gone, loaded }) => {
    if (loaded && readyState(document) !== 'complete')
        return 'loaded';
    if (text === '' && gone === '')
        return '';
    const body = bodyOf(document);
    const drawn = body === null ? '' : clean(innerText(body));
    const has = (wanted, more) => drawn.includes(wanted) ||
        more().includes(wanted);
    let walked = null;
    const more = () => walked ??= shownText();
    if (text !== '' && !has(clean(text), more))
        return 'text';
    return gone !== '' && has(clean(gone), more) ? 'gone' : '';
};

/* What does the page lack of what was described? It need not be looked at
 * again while it is as it was `seen`. */
const waitFor = (wanted) => ({
    lacks: wanted.seen === mutations ? 'same' : lacking(wanted),
    seen: mutations
});
