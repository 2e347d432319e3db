/* SPDX-License-Identifier: Apache-2.0 */
/* What an element is: role, name, value, states. After WAI-ARIA, HTML-AAM and
 * accname, as far as an agent needs them. */
'use strict';

const ROLES = new Set(('alert alertdialog application article banner ' +
    'blockquote button caption cell checkbox code columnheader combobox ' +
    'complementary contentinfo definition deletion dialog directory ' +
    'document emphasis feed figure form generic grid gridcell group heading ' +
    'img image insertion link list listbox listitem log main mark marquee ' +
    'math menu menubar menuitem menuitemcheckbox menuitemradio meter ' +
    'navigation none note option paragraph presentation progressbar radio ' +
    'radiogroup region row rowgroup rowheader scrollbar search searchbox ' +
    'separator slider spinbutton status strong subscript suggestion ' +
    'superscript switch tab table tablist tabpanel term textbox time timer ' +
    'toolbar tooltip tree treegrid treeitem').split(' '));

/* Roles that promise that something happens when they are used. */
const WIDGETS = new Set(('button checkbox combobox link menuitem ' +
    'menuitemcheckbox menuitemradio option radio searchbox slider ' +
    'spinbutton switch tab textbox treeitem').split(' '));

const NAMED_BY_CONTENT = new Set(('button cell checkbox columnheader ' +
    'gridcell heading link menuitem menuitemcheckbox menuitemradio option ' +
    'radio row rowheader switch tab tooltip treeitem').split(' '));

const TAG_ROLES = {
    article: 'article', aside: 'complementary', blockquote: 'blockquote',
    button: 'button', canvas: 'canvas', caption: 'caption', dd: 'definition',
    details: 'group', dialog: 'dialog', dt: 'term', fieldset: 'group',
    figure: 'figure', form: 'form', hr: 'separator', iframe: 'iframe',
    li: 'listitem', main: 'main', math: 'math', menu: 'list', meter: 'meter',
    nav: 'navigation', ol: 'list', optgroup: 'group', option: 'option',
    output: 'status', p: 'paragraph', progress: 'progressbar',
    search: 'search', section: 'region', summary: 'button', svg: 'image',
    table: 'table', tbody: 'rowgroup', td: 'cell', textarea: 'textbox',
    tfoot: 'rowgroup', thead: 'rowgroup', tr: 'row', ul: 'list',
    video: 'video', audio: 'audio', frame: 'iframe'
};

const INPUT_ROLES = {
    button: 'button', checkbox: 'checkbox', color: 'color', file: 'file',
    image: 'button', number: 'spinbutton', radio: 'radio', range: 'slider',
    reset: 'button', search: 'searchbox', submit: 'button'
};

const inputType = getter(HTMLInputElement.prototype, 'type');
const inputValue = getter(HTMLInputElement.prototype, 'value');
const areaValue = getter(HTMLTextAreaElement.prototype, 'value');
const inputChecked = getter(HTMLInputElement.prototype, 'checked');
const inputMixed = getter(HTMLInputElement.prototype, 'indeterminate');
const inputFiles = getter(HTMLInputElement.prototype, 'files');
const selectOptions = getter(HTMLSelectElement.prototype, 'options');
const labelControl = getter(HTMLLabelElement.prototype, 'control');

const LABELABLE = new Set(['button', 'input', 'meter', 'output', 'progress',
    'select', 'textarea']);

/* root -> id -> the labels that name it, made anew for each walk: asking every
 * element for its labels costs a pass over the document each. */
let labelIndex = new Map();
const forgetLabels = () => {
    labelIndex = new Map();
};
const labelsFor = (root, id) => {
    let index = labelIndex.get(root);
    if (index === undefined) {
        index = new Map();
        labelIndex.set(root, index);
        for (const label of queryRoot(root, 'label[for]')) {
            const name = attribute(label, 'for');
            if (index.has(name))
                index.get(name).push(label);
            else
                index.set(name, [label]);
        }
    }
    return index.get(id) || [];
};

const labelsOf = (el) => {
    if (!isHtml(el) || !LABELABLE.has(localName(el)))
        return [];
    const id = attribute(el, 'id');
    const labels = id === null || id === '' ? [] :
        [...labelsFor(rootOf(el), id)];
    const around = closest(el, 'label');
    if (around !== null && !labels.includes(around))
        labels.push(around);
    return labels.filter((label) => isHtml(label) &&
        labelControl(label) === el);
};

const isInput = (el, ...types) => localName(el) === 'input' && isHtml(el) &&
    (types.length === 0 || types.includes(inputType(el)));

const isTextInput = (el) => isInput(el) && !['button', 'checkbox', 'color',
    'file', 'hidden', 'image', 'radio', 'range', 'reset', 'submit']
    .includes(inputType(el));

const isEditingHost = (el) => {
    if (!isHtml(el) || !isEditable(el))
        return false;
    const parent = parentElement(el);
    return parent === null || !isHtml(parent) || !isEditable(parent);
};

const inputRole = (el) => {
    const type = inputType(el);
    if (type in INPUT_ROLES)
        return INPUT_ROLES[type];
    return hasAttribute(el, 'list') ? 'combobox' : 'textbox';
};

const explicitRole = (el) => {
    const text = attribute(el, 'role');
    if (text === null)
        return '';
    for (const token of text.toLowerCase().split(/\s+/))
        if (ROLES.has(token))
            return token === 'img' ? 'image' : token;
    return '';
};

const tagRole = (el, tag) => {
    if (tag === 'a' || tag === 'area')
        return hasAttribute(el, 'href') ? 'link' : 'generic';
    if (/^h[1-6]$/.test(tag))
        return 'heading';
    if (tag === 'input')
        return inputRole(el);
    if (tag === 'img')
        return attribute(el, 'alt') === '' ? 'generic' : 'image';
    if (tag === 'select')
        return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    if (tag === 'header' || tag === 'footer') {
        if (closest(el, 'article,aside,main,nav,section'))
            return 'generic';
        return tag === 'header' ? 'banner' : 'contentinfo';
    }
    if (tag === 'th')
        return attribute(el, 'scope') === 'row' ? 'rowheader' : 'columnheader';
    return Object.hasOwn(TAG_ROLES, tag) ? TAG_ROLES[tag] : 'generic';
};

const roleOf = (el) => {
    const tag = localName(el);
    const explicit = explicitRole(el);
    const native = isHtml(el) || tag === 'svg' || tag === 'a' ? tagRole(el, tag) : 'generic';
    if (explicit === 'none' || explicit === 'presentation')
        return WIDGETS.has(native) ? native : 'generic';
    if (explicit !== '')
        return explicit;
    if (native === 'generic' && isEditingHost(el))
        return 'textbox';
    return native;
};

const levelOf = (el) => {
    const level = Number(attribute(el, 'aria-level'));
    if (Number.isInteger(level) && level >= 1 && level <= 99)
        return level;
    const tag = localName(el);
    return /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
};

/* Fields whose content is never read. A field that once was a password stays
 * one when the page shows it in clear. */
const secrets = new WeakSet();
const SECRET_TOKENS = /^(cc-.*|one-time-code|current-password|new-password)$/;
const isSecret = (el) => {
    if (secrets.has(el))
        return true;
    const complete = attribute(el, 'autocomplete');
    let secret = isInput(el, 'password') || (complete !== null && complete
        .toLowerCase().split(/\s+/).some((word) => SECRET_TOKENS.test(word)));
    if (!secret && (isTextInput(el) || localName(el) === 'textarea' ||
                    isEditingHost(el))) {
        const security = getComputedStyle(el).webkitTextSecurity;
        secret = security !== undefined && security !== '' &&
            security !== 'none';
    }
    if (secret)
        secrets.add(el);
    return secret;
};
const MASK = '••••';

const optionLabel = (option) =>
    clean(attribute(option, 'label') || textContent(option));

const editableText = (el) => {
    const tag = localName(el);
    if (isHtml(el) && tag === 'input')
        return inputValue(el);
    if (isHtml(el) && tag === 'textarea')
        return areaValue(el);
    return isHtml(el) ? innerText(el) : '';
};

const fileNames = (el) => [...inputFiles(el)].map((f) => f.name).join(', ');

const ariaValue = (el) => attribute(el, 'aria-valuetext') ||
    attribute(el, 'aria-valuenow') || '';

const valueOf = (el, role) => {
    const tag = localName(el);
    let value = '';
    if (isHtml(el) && tag === 'select')
        value = [...selectOptions(el)].filter((o) => o.selected)
            .map(optionLabel).join(', ');
    else if (isInput(el, 'file'))
        value = fileNames(el);
    else if (isInput(el, 'button', 'submit', 'reset', 'image', 'checkbox',
                     'radio', 'hidden'))
        value = '';
    else if (isInput(el) || tag === 'textarea' || isEditingHost(el))
        value = editableText(el);
    else if (tag === 'progress' || tag === 'meter')
        value = String(el.value);
    else if (role === 'slider' || role === 'spinbutton' || role === 'meter' ||
             role === 'progressbar' || role === 'scrollbar')
        value = ariaValue(el);
    if (value !== '' && isSecret(el))
        return MASK;
    return clean(value, 10000);
};

const deepActive = () => {
    let at = activeElement(document);
    for (;;) {
        if (at === null)
            return null;
        const tag = localName(at);
        const inner = tag === 'iframe' || tag === 'frame' ?
            innerDocument(at) : shadowRoot(at);
        const next = inner ? activeIn(inner) : null;
        if (!next)
            return at;
        at = next;
    }
};

const isDisabled = (el) => matches(el, ':disabled') ||
    attribute(el, 'aria-disabled') === 'true';

const checkedState = (el) => {
    if (isInput(el, 'checkbox', 'radio')) {
        if (inputMixed(el))
            return 'mixed';
        return inputChecked(el) ? 'checked' : '';
    }
    const aria = attribute(el, 'aria-checked');
    return aria === 'true' ? 'checked' : aria === 'mixed' ? 'mixed' : '';
};

const expandedState = (el) => {
    const parent = parentElement(el);
    if (localName(el) === 'summary' && parent &&
        localName(parent) === 'details')
        return hasAttribute(parent, 'open') ? 'expanded' : 'collapsed';
    const aria = attribute(el, 'aria-expanded');
    return aria === 'true' ? 'expanded' : aria === 'false' ? 'collapsed' : '';
};

const isTrue = (el, name) => attribute(el, name) === 'true';

const currentState = (el) => {
    const aria = attribute(el, 'aria-current');
    return aria !== null && aria !== '' && aria !== 'false' ? 'current' : '';
};

/* Where the focus matters to somebody who reads: keys go there. */
const takesText = (el) => isTextInput(el) || isEditingHost(el) ||
    localName(el) === 'textarea' || localName(el) === 'select';

/* In this order, those that are set. */
const statesOf = (el, active) => [
    checkedState(el),
    isDisabled(el) ? 'disabled' : '',
    expandedState(el),
    isTrue(el, 'aria-selected') ? 'selected' : '',
    matches(el, ':required') || isTrue(el, 'aria-required') ? 'required' : '',
    el === active && takesText(el) ? 'focused' : '',
    localName(el) === 'dialog' && matches(el, ':modal') ? 'modal' : '',
    (isTextInput(el) || localName(el) === 'textarea') &&
        matches(el, ':read-only') && !matches(el, ':disabled') ||
        isTrue(el, 'aria-readonly') ? 'readonly' : '',
    isTrue(el, 'aria-invalid') || matches(el, ':user-invalid') ?
        'invalid' : '',
    isTrue(el, 'aria-pressed') ? 'pressed' : '',
    currentState(el)
].filter((state) => state !== '').join(' ');

/* Deeper than any author nests, and well within the stack. */
const TEXT_DEPTH_MAX = 400;

/* Text inside an element as it is drawn, for a name. */
const contentText = (el, seen = new Set(), depth = 0) => {
    const parts = [];
    if (depth > TEXT_DEPTH_MAX)
        return textContent(el);
    const add = (node) => {
        if (nodeType(node) === TEXT) {
            parts.push(node.data);
            return;
        }
        if (nodeType(node) !== ELEMENT)
            return;
        const style = getComputedStyle(node);
        if (style.display === 'none' || style.visibility !== 'visible' ||
            isTrue(node, 'aria-hidden'))
            return;
        const inline = style.display.startsWith('inline') ||
            style.display === 'contents';
        parts.push(inline && localName(node) !== 'br' ? '' : ' ');
        parts.push(embeddedText(node, seen, depth + 1));
        parts.push(inline ? '' : ' ');
    };
    for (const node of drawnChildren(el))
        add(node);
    return parts.join('');
};

const embeddedText = (el, seen, depth = 0) => {
    const tag = localName(el);
    const label = attribute(el, 'aria-label');
    if (label !== null && label.trim() !== '')
        return label;
    if (tag === 'img')
        return attribute(el, 'alt') || '';
    if (tag === 'svg')
        return svgTitle(el);
    if (isHtml(el) && (tag === 'input' || tag === 'select' ||
                       tag === 'textarea'))
        return isInput(el, 'checkbox', 'radio') ? '' : valueOf(el, '');
    if (tag === 'style' || tag === 'script')
        return '';
    return contentText(el, seen, depth);
};

const svgTitle = (el) => {
    for (const child of childNodes(el))
        if (nodeType(child) === ELEMENT && localName(child) === 'title')
            return textContent(child);
    return '';
};

const labelledBy = (el) => {
    const ids = attribute(el, 'aria-labelledby');
    if (ids === null)
        return '';
    const root = rootOf(el);
    return clean(ids.split(/\s+/).map((id) => {
        const target = id === '' ? null :
            DocumentFragment.prototype.isPrototypeOf(root) ?
                root.getElementById(id) :
                Document.prototype.getElementById.call(ownerDocument(el), id);
        if (target === null)
            return '';
        return attribute(target, 'aria-label') ||
            embeddedText(target, new Set()) ||
            (hasBox(target) ? '' : textContent(target));
    }).join(' '));
};

const childText = (el, tag) => {
    for (const child of childNodes(el))
        if (nodeType(child) === ELEMENT && localName(child) === tag)
            return contentText(child);
    return '';
};

const NAME_CHILD = {
    fieldset: 'legend', table: 'caption', figure: 'figcaption'
};

/* A name that the author gave, not one taken from the content. */
const authoredName = (el) => {
    const name = labelledBy(el) || clean(attribute(el, 'aria-label') || '');
    if (name !== '')
        return name;
    const tag = localName(el);
    if (Object.hasOwn(NAME_CHILD, tag))
        return clean(childText(el, NAME_CHILD[tag])) ||
            clean(attribute(el, 'title') || '');
    return '';
};

const INPUT_NAMES = { submit: 'Submit', reset: 'Reset' };

const nativeName = (el, tag) => {
    const labels = [...labelsOf(el)].map((l) => labelText(l, el)).join(' ');
    if (labels.trim() !== '')
        return labels;
    if (isInput(el, 'button', 'submit', 'reset'))
        return inputValue(el) || INPUT_NAMES[inputType(el)] || '';
    if (tag === 'img' || tag === 'area' || isInput(el, 'image'))
        return attribute(el, 'alt') || '';
    if (tag === 'svg')
        return svgTitle(el);
    return '';
};

/* A label's own text, without what the control in it holds. */
const labelText = (label, control) => {
    const parts = [];
    const add = (node) => {
        if (node === control)
            return;
        if (nodeType(node) === TEXT)
            parts.push(node.data);
        else if (nodeType(node) === ELEMENT &&
                 localName(node) !== 'select' && hasBox(node))
            for (const child of drawnChildren(node))
                add(child);
        parts.push(nodeType(node) === ELEMENT ? ' ' : '');
    };
    for (const node of drawnChildren(label))
        add(node);
    return parts.join('');
};

const NAME_MAX = 10000;

const nameOf = (el, role) => {
    const tag = localName(el);
    let name = authoredName(el) || clean(nativeName(el, tag), NAME_MAX);
    if (name === '' && NAMED_BY_CONTENT.has(role) && tag !== 'select' &&
        tag !== 'input')
        name = clean(contentText(el), NAME_MAX);
    return name || clean(attribute(el, 'placeholder') ||
        attribute(el, 'aria-placeholder') || attribute(el, 'title') || '');
};
