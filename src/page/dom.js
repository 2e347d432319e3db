/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the DOM. A form or a document can shadow its own properties with
 * the names of its elements, so everything is read through the prototypes. */
'use strict';

/* A bound call costs half of what a closure with rest parameters does. */
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const getter = (proto, name) =>
    uncurry(Object.getOwnPropertyDescriptor(proto, name).get);
const method = (proto, name) => uncurry(proto[name]);

const nodeType = getter(Node.prototype, 'nodeType');
const childNodes = getter(Node.prototype, 'childNodes');
const firstChild = getter(Node.prototype, 'firstChild');
const nextSibling = getter(Node.prototype, 'nextSibling');
const parentNode = getter(Node.prototype, 'parentNode');
const parentElement = getter(Node.prototype, 'parentElement');
const textContent = getter(Node.prototype, 'textContent');
const isConnected = getter(Node.prototype, 'isConnected');
const ownerDocument = getter(Node.prototype, 'ownerDocument');
const rootOf = method(Node.prototype, 'getRootNode');
const firstElement = getter(Element.prototype, 'firstElementChild');
const nextElement = getter(Element.prototype, 'nextElementSibling');
const localName = getter(Element.prototype, 'localName');
const shadowRoot = getter(Element.prototype, 'shadowRoot');
const assignedSlot = getter(Element.prototype, 'assignedSlot');
const attribute = method(Element.prototype, 'getAttribute');
const hasAttribute = method(Element.prototype, 'hasAttribute');
const attributeNames = method(Element.prototype, 'getAttributeNames');
const matches = method(Element.prototype, 'matches');
const closest = method(Element.prototype, 'closest');
const boxOf = method(Element.prototype, 'getBoundingClientRect');
const boxesOf = method(Element.prototype, 'getClientRects');
const hasBox = method(Element.prototype, 'checkVisibility');
const queryAll = method(Element.prototype, 'querySelectorAll');
const innerText = getter(HTMLElement.prototype, 'innerText');
const isEditable = getter(HTMLElement.prototype, 'isContentEditable');
const tabIndexOf = getter(HTMLElement.prototype, 'tabIndex');
const documentElement = getter(Document.prototype, 'documentElement');
const bodyOf = getter(Document.prototype, 'body');
const activeElement = getter(Document.prototype, 'activeElement');
const readyState = getter(Document.prototype, 'readyState');
const titleOf = getter(Document.prototype, 'title');
const viewOf = getter(Document.prototype, 'defaultView');
const isHidden = getter(Document.prototype, 'hidden');
const animationsOf = method(Document.prototype, 'getAnimations');

const isInert = getter(HTMLElement.prototype, 'inert');
const scrollingElement = getter(Document.prototype, 'scrollingElement');
const selectionOf = method(Document.prototype, 'getSelection');

const ELEMENT = 1;
const TEXT = 3;
const DOCUMENT = 9;

/* The same of a document and of a shadow root, which share no prototype. */
const either = (ofDocument, ofShadow) => (root, ...args) =>
    (nodeType(root) === DOCUMENT ? ofDocument : ofShadow)(root, ...args);
const elementAt = either(method(Document.prototype, 'elementFromPoint'),
                         method(ShadowRoot.prototype, 'elementFromPoint'));
const activeIn = either(activeElement,
                        getter(ShadowRoot.prototype, 'activeElement'));
const sheetsOf = either(getter(Document.prototype, 'styleSheets'),
                        getter(ShadowRoot.prototype, 'styleSheets'));
const adoptedBy = either(
    getter(Document.prototype, 'adoptedStyleSheets'),
    getter(ShadowRoot.prototype, 'adoptedStyleSheets'));
const queryDocument = method(Document.prototype, 'querySelectorAll');
const queryFragment = method(DocumentFragment.prototype, 'querySelectorAll');
const queryRoot = (root, selector) =>
    nodeType(root) === DOCUMENT ? queryDocument(root, selector) :
        nodeType(root) === ELEMENT ? queryAll(root, selector) :
            queryFragment(root, selector);

const namespace = getter(Element.prototype, 'namespaceURI');
const isHtml = (el) => namespace(el) === 'http://www.w3.org/1999/xhtml';

const isTag = (el, tag) => el !== null && localName(el) === tag;

/* host -> its shadow root, where that is closed and was made known to us */
const closedRoots = new WeakMap();
const shadowOf = (el) => shadowRoot(el) ?? closedRoots.get(el) ?? null;

/* Children in the tree that is drawn: shadow root and slots in place. */
const drawnChildren = (el) => {
    const root = shadowOf(el);
    if (root !== null)
        return childNodes(root);
    if (localName(el) === 'slot') {
        const assigned = HTMLSlotElement.prototype.assignedNodes.call(el);
        if (assigned.length > 0)
            return assigned;
    }
    return childNodes(el);
};

const frameOf = (doc) => {
    try {
        const view = viewOf(doc);
        return view === null ? null : view.frameElement;
    } catch {
        return null;
    }
};

/* Parent in the drawn tree; out of a shadow root to its host, out of a frame
 * that can be read to its element. */
const drawnParent = (node) => {
    if (nodeType(node) === ELEMENT) {
        const slot = assignedSlot(node);
        if (slot !== null)
            return slot;
    }
    const parent = parentNode(node);
    if (parent === null)
        return null;
    if (nodeType(parent) === ELEMENT)
        return parent;
    return nodeType(parent) === DOCUMENT ? frameOf(parent) : parent.host;
};

const drawnContains = (ancestor, node) => {
    for (let at = node; at !== null && at !== undefined; at = drawnParent(at))
        if (at === ancestor)
            return true;
    return false;
};

/* The document inside a frame element, or null if it may not be read. */
const innerDocument = (frame) => {
    try {
        return frame.contentDocument;
    } catch {
        return null;
    }
};

/* Text for one line, as aper__text_clean() in src/base makes it: invisible
 * characters go first, then white space collapses. */
const INVISIBLE = new RegExp('[\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084' +
    '\\u0086-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5' +
    '\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164' +
    '\\ufdd0-\\ufdef\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb' +
    '\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}' +
    '\\u{e0000}-\\u{e0fff}' + Array.from({ length: 17 }, (_, plane) =>
        `\\u{${(plane * 65536 + 65534).toString(16)}}` +
        `\\u{${(plane * 65536 + 65535).toString(16)}}`).join('') + ']', 'gu');
/* What needs no cleaning, as almost all text does not. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
const BLANK = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]+/g;
const clean = (text, max) => {
    let out = text;
    if (PLAIN.test(out) && (max === undefined || out.length <= max))
        return out;
    if (!/^[\x20-\x7e]*$/.test(out))
        out = out.toWellFormed().replace(INVISIBLE, '');
    out = out.replace(BLANK, ' ').trim();
    if (max !== undefined && out.length > max) {
        let end = max;
        if (/[\ud800-\udbff]/.test(out[end - 1]))
            end--;
        out = out.slice(0, end).trimEnd() + '…';
    }
    return out;
};

/* 53 bits of hash, as a number (cyrb53, public domain). */
const hash = (text) => {
    let a = 0xdeadbeef;
    let b = 0x41c6ce57;
    for (let i = 0; i < text.length; i++) {
        const c = text.charCodeAt(i);
        a = Math.imul(a ^ c, 2654435761);
        b = Math.imul(b ^ c, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^
        Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^
        Math.imul(a ^ (a >>> 13), 3266489909);
    return 4294967296 * (2097151 & b) + (a >>> 0);
};
