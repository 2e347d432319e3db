/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked again and again until it is so. */
'use strict';

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
