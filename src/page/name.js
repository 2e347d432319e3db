/* SPDX-License-Identifier: Apache-2.0 */
/* What an element is called. After accname 1.2 and HTML-AAM 1.0; casing stays
 * as it was written, whatever a style sheet makes of it. */
'use strict';

const NAMED_BY_CONTENT = new Set(('button cell checkbox columnheader ' +
    'gridcell heading link menuitem menuitemcheckbox menuitemradio option ' +
    'radio row rowheader switch tab tooltip treeitem').split(' '));

/* What a title says of these is what they are called, not a hint to it. */
const NAMED_BY_TITLE = new Set(('alertdialog application article banner ' +
    'complementary contentinfo dialog feed figure form grid group list ' +
    'listbox log main menu menubar navigation radiogroup region search ' +
    'table tablist tabpanel toolbar tree treegrid').split(' '));

const labelControl = getter(HTMLLabelElement.prototype, 'control');

const LABELABLE = new Set(['button', 'input', 'meter', 'output', 'progress',
    'select', 'textarea']);
/* Elements that HTML or SVG gives a name of their own. */
const NATIVELY_NAMED = new Set([...LABELABLE, 'area', 'img', 'math',
    'optgroup', 'option', 'svg']);

/* root -> control -> its labels, made anew for each walk: asking every element
 * for its labels costs a pass over the document each. */
let labelIndex = new Map();
const forgetLabels = () => {
    labelIndex = new Map();
    stylesKnown = new Map();
};
const makeLabels = (root) => {
    const index = new Map();
    for (const label of queryRoot(root, 'label')) {
        const control = isHtml(label) ? labelControl(label) : null;
        if (control === null)
            continue;
        const labels = index.get(control);
        if (labels === undefined)
            index.set(control, [label]);
        else
            labels.push(label);
    }
    return index;
};
const NONE = [];
const labelsOf = (el) => {
    const root = rootOf(el);
    let index = labelIndex.get(root);
    if (index === undefined) {
        index = makeLabels(root);
        labelIndex.set(root, index);
    }
    return index.get(el) ?? NONE;
};

/* ---- text ---------------------------------------------------------------- */

/* White space as accname and HTML have it: a no-break space is a character. */
const isSpace = (code) => code === 32 || code >= 9 && code <= 13 && code !== 11;
const isBlank = (text) => {
    if (text.charCodeAt(0) > 32)
        return false;
    for (let i = 0; i < text.length; i++)
        if (!isSpace(text.charCodeAt(i)))
            return false;
    return true;
};
const FLAT = /[\t\n\f\r ]+/g;
const flatten = (text) => PLAIN.test(text) ? text :
    text.replace(FLAT, ' ').replace(/^ | $/g, '');

/* The text of one traversal. `edges` are the elements that began or ended
 * since its last character: whether one of them stands apart is only asked
 * when it makes a difference. `all`: also what is hidden; `labelled`:
 * references were followed once; `skip`: the control that asks; `mute`: what
 * is met is not drawn, what is in it may be; `seen`: was said by a reference;
 * `styles`: of the tree we are in. */
const makeText = (el, skip = null) => ({
    text: '', edges: [], all: false, labelled: false, skip, mute: false,
    seen: null, styles: stylesOf(rootOf(el))
});

/* Their content is a picture or a value. */
const APART = new Set(['br', 'canvas', 'img', 'input', 'meter', 'progress',
    'select', 'svg', 'textarea', 'video']);
const standsApart = (el) => {
    if (APART.has(localName(el)))
        return true;
    const { display } = getComputedStyle(el);
    return display !== 'inline' && display !== 'contents';
};

const addPiece = (out, piece) => {
    if (piece === '')
        return;
    if (out.edges.length > 0) {
        if (!isSpace(piece.charCodeAt(0)) && out.edges.some(standsApart))
            out.text += ' ';
        out.edges.length = 0;
    }
    out.text += piece;
};

const addEdge = (out, el) => {
    const { text } = out;
    if (text !== '' && !isSpace(text.charCodeAt(text.length - 1)))
        out.edges.push(el);
};

/* Deeper than any author nests, and well within the stack; longer than any
 * name is shown. */
const TEXT_DEPTH_MAX = 400;
const TEXT_LENGTH_MAX = 20000;
const UNSPOKEN = new Set(['style', 'script', 'noscript', 'template', 'title',
    'datalist']);

const addChildren = (el, out, depth) => {
    if (depth > TEXT_DEPTH_MAX) {
        addPiece(out, textContent(el));
        return;
    }
    const { generated } = out.styles;
    const dressed = generated !== '' && !out.mute && matches(el, generated);
    if (dressed)
        addPiece(out, generatedText(el, '::before'));
    const root = shadowRoot(el);
    if (root !== null || isTag(el, 'slot'))
        addElsewhere(el, root, out, depth);
    else
        for (let at = firstChild(el); at !== null; at = nextSibling(at))
            addNode(at, out, depth);
    if (dressed)
        addPiece(out, generatedText(el, '::after'));
};

/* Children from another tree: those of a shadow root, or what fills a slot. */
const addElsewhere = (el, root, out, depth) => {
    const { styles } = out;
    for (const child of drawnChildren(el)) {
        out.styles = stylesOf(root ?? rootOf(child));
        addNode(child, out, depth);
    }
    out.styles = styles;
};

const addNode = (node, out, depth) => {
    if (out.text.length > TEXT_LENGTH_MAX)
        return;
    const type = nodeType(node);
    if (type === TEXT) {
        if (!out.mute)
            addPiece(out, node.data);
    } else if (type === ELEMENT) {
        addElement(node, out, depth);
    }
};

/* Most icons: nothing in them, nothing said of them. */
const saysNothing = (el, tag, { generated }) => firstChild(el) === null &&
    !APART.has(tag) && tag !== 'slot' && shadowRoot(el) === null &&
    !hasAttribute(el, 'aria-label') && !hasAttribute(el, 'title') &&
    !hasAttribute(el, 'aria-labelledby') &&
    (generated === '' || !matches(el, generated));

const addElement = (el, out, depth) => {
    const tag = localName(el);
    if (el === out.skip || UNSPOKEN.has(tag) || out.seen?.has(el))
        return;
    const { mute } = out;
    if (saysNothing(el, tag, out.styles)) {
        addEdge(out, el);
        return;
    }
    if (!out.all) {
        if (isTrue(el, 'aria-hidden'))
            return;
        const style = getComputedStyle(el);
        if (style.display === 'none')
            return;
        out.mute = style.visibility !== 'visible';
    }
    addEdge(out, el);
    /* What a person sees as dots, nobody reads. */
    if (!out.styles.secures || !isSecured(getComputedStyle(el)))
        addOwn(el, tag, out, depth + 1);
    addEdge(out, el);
    out.mute = mute;
};

/* What the element says where it is met: the first that says something. */
const addOwn = (el, tag, out, depth) => {
    if (out.mute) {
        addChildren(el, out, depth);
        return;
    }
    if (!out.labelled && addReferences(el, out))
        return;
    const role = attribute(el, 'role');
    const value = embeddedValue(el, tag, role);
    if (value !== null) {
        addPiece(out, value);
        return;
    }
    const label = HOLDERS.has(role) || tag === 'slot' ? null :
        attribute(el, 'aria-label');
    if (label !== null && !isBlank(label)) {
        addPiece(out, label);
        return;
    }
    const before = out.text.length;
    const picture = pictureName(el, tag);
    if (picture === null)
        addChildren(el, out, depth);
    else
        addPiece(out, picture);
    if (out.text.length === before && attribute(el, 'alt') !== '')
        addPiece(out, attribute(el, 'title') || '');
};

/* What is in them is what a person has chosen or written. */
const HOLDERS = new Set(['combobox', 'searchbox', 'textbox']);
const RANGES = new Set(['scrollbar', 'slider', 'spinbutton']);

/* What a control in the middle of a text adds to it; null if it is none. A
 * secret adds nothing. */
const embeddedValue = (el, tag, role) => {
    if (isHtml(el) && (tag === 'input' || tag === 'select' ||
                       tag === 'textarea'))
        return tag === 'input' && !isTextInput(el) &&
            inputType(el) !== 'range' ? buttonName(el) :
            isSecret(el) ? '' : valueOf(el, '');
    if (role === null)
        return null;
    if (RANGES.has(role))
        return ariaValue(el) || null;
    return role === 'listbox' ?
        [...queryAll(el, '[aria-selected=true]')].map((chosen) =>
            contentText(chosen)).join(' ') : null;
};

/* Pictures have no content but what is said of them; null for all else. */
const pictureName = (el, tag) => {
    if (tag === 'img' || tag === 'area')
        return attribute(el, 'alt') || '';
    if (tag === 'svg')
        return svgTitle(el);
    return tag === 'math' ? attribute(el, 'alttext') : null;
};

const svgTitle = (el) => {
    for (let at = firstElement(el); at !== null; at = nextElement(at))
        if (localName(at) === 'title')
            return textContent(at);
    return '';
};

/* Text inside an element as it is drawn, for a name. */
const contentText = (el) => {
    const out = makeText(el);
    if (out.styles.secures && isSecured(getComputedStyle(el)))
        return '';
    const first = firstChild(el);
    if (first !== null && nodeType(first) === TEXT &&
        nextSibling(first) === null && shadowRoot(el) === null &&
        (out.styles.generated === '' || !matches(el, out.styles.generated)))
        return first.data;
    addChildren(el, out, 0);
    return out.text;
};

/* ---- references ---------------------------------------------------------- */

const isAway = (el) => {
    if (isTrue(el, 'aria-hidden'))
        return true;
    const style = getComputedStyle(el);
    return style.visibility !== 'visible' || style.display === 'none' ||
        style.display !== 'contents' && !hasBox(el);
};

const byId = (root, el, id) => DocumentFragment.prototype.isPrototypeOf(root) ?
    root.getElementById(id) :
    Document.prototype.getElementById.call(ownerDocument(el), id);

const labellers = (el, ids) => {
    if (ids === '') /* set by a script, to elements without ids */
        return el.ariaLabelledByElements ?? NONE;
    const root = rootOf(el);
    return ids.split(ASCII_SPACE).map((id) => id === '' ? null :
        byId(root, el, id)).filter((target) => target !== null);
};

/* What hidden elements say counts when they are asked for. */
const referredText = (target, asker, seen, labelled) => {
    const out = makeText(target, asker);
    out.all = isAway(target);
    out.labelled = labelled;
    out.seen = seen;
    addOwn(target, localName(target), out, 0);
    return out.text;
};

const labelledBy = (el) => {
    const ids = attribute(el, 'aria-labelledby');
    if (ids === null)
        return '';
    return flatten(labellers(el, ids).map((target) => target === el ?
        attribute(el, 'aria-label') || contentText(el) :
        referredText(target, el, null, true)).join(' '));
};

const addReferences = (el, out) => {
    const ids = attribute(el, 'aria-labelledby');
    if (ids === null)
        return false;
    const targets = labellers(el, ids);
    out.seen ??= new Set();
    const text = flatten(targets.map((target) =>
        referredText(target, el, out.seen, true)).join(' '));
    for (const target of targets)
        out.seen.add(target);
    addPiece(out, text);
    return text !== '';
};

/* A label's own text, without what the control in it holds. */
const labelText = (label, control) =>
    referredText(label, control, null, false);

/* ---- names --------------------------------------------------------------- */

const ownName = (el) => {
    const name = labelledBy(el);
    if (name !== '')
        return name;
    const label = attribute(el, 'aria-label');
    return label === null || isBlank(label) ? '' : label;
};

/* Whether the author called it something, be it by a title. */
const hasAuthoredName = (el, title = true) => {
    const hint = title ? attribute(el, 'title') : null;
    return hint !== null && !isBlank(hint) || ownName(el) !== '';
};

const NAME_CHILD = new Map([['fieldset', 'legend'], ['table', 'caption'],
    ['figure', 'figcaption']]);

const childText = (el, tag) => {
    for (let at = firstElement(el); at !== null; at = nextElement(at))
        if (localName(at) === tag)
            return contentText(at);
    return '';
};

/* A dialog that says nothing else is called by its first heading. */
const HEADINGS = 'h1,h2,h3,h4,h5,h6,[role=heading]';
const headingText = (el) => {
    for (const heading of queryAll(el, HEADINGS))
        if (hasBox(heading))
            return contentText(heading);
    return '';
};
/* What names a group: a child that does so, a title, a heading. */
const groupName = (el, tag, role) => {
    const child = NAME_CHILD.get(tag);
    if (child !== undefined) {
        const name = childText(el, child);
        if (!isBlank(name))
            return name;
    }
    if (!NAMED_BY_TITLE.has(role))
        return '';
    const title = attribute(el, 'title');
    if (title !== null && !isBlank(title))
        return title;
    return role === 'dialog' || role === 'alertdialog' ? headingText(el) : '';
};

/* A name that the author gave, not one taken from the content. */
const authoredName = (el) => clean(ownName(el) ||
    groupName(el, localName(el), roleOf(el)));

const BUTTON_NAMES = { submit: 'Submit', reset: 'Reset' };
const buttonName = (el) => {
    const type = inputType(el);
    if (type === 'image')
        return attribute(el, 'alt') || '';
    return type === 'button' || type === 'submit' || type === 'reset' ?
        inputValue(el) || BUTTON_NAMES[type] || '' : '';
};

const nativeName = (el, tag) => {
    if (!NATIVELY_NAMED.has(tag) && !tag.includes('-'))
        return '';
    const labels = labelsOf(el);
    if (labels.length > 0) {
        const text = labels.map((label) => labelText(label, el)).join(' ');
        if (!isBlank(text))
            return text;
    }
    if (tag === 'input')
        return isHtml(el) ? buttonName(el) : '';
    if (tag === 'optgroup' || tag === 'option')
        return attribute(el, 'label') || '';
    return pictureName(el, tag) || '';
};

const hintOf = (el, tag) => {
    if (tag === 'img' && attribute(el, 'alt') === '')
        return '';
    return attribute(el, 'title') || attribute(el, 'placeholder') ||
        attribute(el, 'aria-placeholder') || '';
};

/* The name as accname has it, but for white space. */
const rawName = (el, role) => {
    let name = ownName(el);
    if (name !== '')
        return name;
    const tag = localName(el);
    name = groupName(el, tag, role);
    if (name !== '')
        return name;
    name = nativeName(el, tag);
    if (!isBlank(name))
        return name;
    if (NAMED_BY_CONTENT.has(role) && tag !== 'select' && tag !== 'input') {
        name = contentText(el);
        if (!isBlank(name))
            return name;
    }
    return hintOf(el, tag);
};
const fullName = (el, role) => flatten(rawName(el, role));

const NAME_MAX = 10000;

/* The name as a line shows it. */
const nameOf = (el, role) => clean(rawName(el, role), NAME_MAX);
