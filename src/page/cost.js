/* SPDX-License-Identifier: Apache-2.0 */
/* About what a text costs in tokens. The library counts what comes of it again
 * and asks for less if this was too little. */
'use strict';

const COST_MORE = 14; /* of the line for what is not shown */
const COST_FRAME = 50; /* of one that is read apart, at least */
const COST_SHOWN_MAX = 500; /* characters of a text that are shown at most */

const isLowerOrUpper = (c) => c >= 97 && c <= 122 || c >= 65 && c <= 90;

/* Tenths for one character beyond ASCII. */
const costOfWide = (c) => c < 0x250 ? 12 : c < 0x600 ? 9 : c < 0x800 ? 11 :
    c < 0x1000 ? 13 : c < 0x2000 ? 30 : c < 0x3040 ? 24 : c < 0x3100 ? 15 :
        c < 0xa000 ? 22 : c < 0xd800 ? 24 : 20;

const costOfText = (text) => {
    const end = Math.min(text.length, COST_SHOWN_MAX);
    let tenths = text.length > end ? 120 : 0;
    for (let i = 0; i < end;) {
        const c = text.charCodeAt(i);
        const start = i++;
        if (isLowerOrUpper(c)) {
            while (i < end && isLowerOrUpper(text.charCodeAt(i)))
                i++;
            const length = i - start;
            tenths += 10 + (length > 4 ? (length - 1) * 2 : length);
        } else if (c >= 48 && c <= 57) {
            while (i < end && text.charCodeAt(i) >= 48 &&
                   text.charCodeAt(i) <= 57)
                i++;
            tenths += Math.ceil((i - start) / 3) * 10 + 5;
        } else if (c >= 128) {
            tenths += costOfWide(c);
        } else if (c !== 32) {
            tenths += 10;
        }
    }
    return tenths / 10;
};

/* What a node costs within its line. */
const costOf = (node) => {
    if (node.cost)
        return node.cost;
    let cost = node.role === 'text' ? 1 : 1 + node.role.length / 8;
    if (node.ref !== '')
        cost += node.ref.length > 7 ? 4 : 3;
    if (node.name !== '')
        cost += 2 + costOfText(node.name);
    if (node.value !== '')
        cost += 3 + costOfText(node.value);
    if (node.href !== '')
        cost += costOfText(shortAddress(node.href));
    if (node.states !== '')
        cost += costOfText(node.states);
    if (node.note !== '')
        cost += costOfText(node.note);
    node.cost = cost;
    return cost;
};

/* As much of an address as is shown. */
const shortAddress = (href) => {
    const own = location.origin;
    return (href.startsWith(own) ? href.slice(own.length) : href)
        .slice(0, 130);
};
