/* SPDX-License-Identifier: Apache-2.0 */
/* What an element is: its role. After WAI-ARIA 1.2 and HTML-AAM 1.0, as far as
 * an agent needs them: what has no role, and what its author took out of the
 * tree, is "generic". */
'use strict';

/* Every role that may stand in a role attribute, and what it is called here. */
const ROLES = new Map([
    ...('alert alertdialog application article banner blockquote button ' +
        'caption cell checkbox code columnheader combobox complementary ' +
        'contentinfo definition deletion dialog document emphasis feed ' +
        'figure form generic grid gridcell group heading image insertion ' +
        'link list listbox listitem log main mark marquee math menu menubar ' +
        'menuitem menuitemcheckbox menuitemradio meter navigation none note ' +
        'option paragraph progressbar radio radiogroup region row rowgroup ' +
        'rowheader scrollbar search searchbox separator slider spinbutton ' +
        'status strong subscript suggestion superscript switch tab table ' +
        'tablist tabpanel term textbox time timer toolbar tooltip tree ' +
        'treegrid treeitem').split(' ').map((role) => [role, role]),
    ['img', 'image'], ['presentation', 'none'], ['directory', 'list']
]);

/* Roles that promise that something happens when they are used. */
const WIDGETS = new Set(('button checkbox combobox link menuitem ' +
    'menuitemcheckbox menuitemradio option radio searchbox slider ' +
    'spinbutton switch tab textbox treeitem').split(' '));

/* In what they must stand, or they are not what they say. */
const CONTEXTS = new Map(Object.entries({
    listitem: 'list', option: 'listbox group', tab: 'tablist',
    treeitem: 'tree group', menuitem: 'menu menubar group',
    menuitemcheckbox: 'menu menubar group',
    menuitemradio: 'menu menubar group', row: 'table grid treegrid rowgroup',
    rowgroup: 'table grid treegrid', gridcell: 'row', columnheader: 'row',
    rowheader: 'row'
}).map(([role, within]) => [role, new Set(within.split(' '))]));

const TAG_ROLES = new Map(Object.entries({
    address: 'group', article: 'article', blockquote: 'blockquote',
    button: 'button', canvas: 'canvas', caption: 'caption', code: 'code',
    dd: 'definition', del: 'deletion', details: 'group', dfn: 'term',
    dialog: 'dialog', dir: 'list', dt: 'term', em: 'emphasis',
    fieldset: 'group', figure: 'figure', form: 'form', h1: 'heading',
    h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading',
    h6: 'heading', hgroup: 'group', hr: 'separator', iframe: 'iframe',
    ins: 'insertion', li: 'listitem', main: 'main', mark: 'mark',
    math: 'math', menu: 'list', meter: 'meter', nav: 'navigation',
    ol: 'list', optgroup: 'group', option: 'option', output: 'status',
    p: 'paragraph', progress: 'progressbar', s: 'deletion', search: 'search',
    strong: 'strong', sub: 'subscript', sup: 'superscript',
    svg: 'image', table: 'table', tbody: 'rowgroup',
    textarea: 'textbox', tfoot: 'rowgroup', thead: 'rowgroup', time: 'time',
    tr: 'row', ul: 'list', video: 'video', audio: 'audio', frame: 'iframe'
}));

const INPUT_ROLES = new Map(Object.entries({
    button: 'button', checkbox: 'checkbox', color: 'color', file: 'file',
    image: 'button', number: 'spinbutton', radio: 'radio', range: 'slider',
    reset: 'button', search: 'searchbox', submit: 'button'
}));

const inputType = getter(HTMLInputElement.prototype, 'type');

const isInput = (el, ...types) => localName(el) === 'input' && isHtml(el) &&
    (types.length === 0 || types.includes(inputType(el)));

const NOT_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'hidden',
    'image', 'radio', 'range', 'reset', 'submit']);
const isTextInput = (el) => isInput(el) && !NOT_TEXT.has(inputType(el));

/* Only the attribute, or the design mode of a whole document, makes one. */
const isEditingHost = (el) => {
    const parent = parentElement(el);
    if (parent !== null && !hasAttribute(el, 'contenteditable') ||
        !isHtml(el) || !isEditable(el))
        return false;
    return parent === null || !isHtml(parent) || !isEditable(parent);
};

const inputRole = (el) => {
    const role = INPUT_ROLES.get(inputType(el));
    if (role !== undefined && role !== 'searchbox')
        return role;
    return hasAttribute(el, 'list') ? 'combobox' : role || 'textbox';
};

/* The first token that counts of a role attribute with several. */
const ASCII_SPACE = /[\t\n\f\r ]+/;
const explicitRole = (el, text, native) => {
    const simple = ROLES.get(text);
    if (simple !== undefined && mayBe(el, simple, native))
        return simple;
    for (const token of text.toLowerCase().split(ASCII_SPACE)) {
        const role = ROLES.get(token);
        if (role !== undefined && mayBe(el, role, native))
            return role;
    }
    return '';
};

/* What may be said of every element, whatever it is. */
const GLOBAL_ARIA = new Set(('atomic braillelabel brailleroledescription ' +
    'busy controls current describedby description details dropeffect ' +
    'flowto grabbed keyshortcuts label labelledby live owns relevant ' +
    'roledescription').split(' ').map((name) => 'aria-' + name));

/* Whether the author may take the element out of the tree: not if it can be
 * focused, nor if the author says more about it. */
const mayBeNone = (el, native) => !WIDGETS.has(native) &&
    !hasAttribute(el, 'tabindex') &&
    !attributeNames(el).some((name) => GLOBAL_ARIA.has(name));

const isInContext = (el, within) => {
    for (let at = drawnParent(el); at; at = drawnParent(at)) {
        const role = roleOf(at);
        if (role !== 'generic')
            return within.has(role);
    }
    return false;
};

/* An element that is something by itself and says to be a part of what is not
 * there stays what it is. One that is nothing else is believed: pages forget
 * the container, and the parts do what they say. */
const mayBe = (el, role, native) => {
    if (role === 'none')
        return mayBeNone(el, native);
    if (role === 'form' || role === 'region')
        return hasAuthoredName(el);
    const within = CONTEXTS.get(role);
    return within === undefined || native === 'generic' || native === role ||
        isInContext(el, within);
};

const isHidingRole = (el) => {
    const text = attribute(el, 'role');
    return (text === 'none' || text === 'presentation') &&
        roleOf(el) === 'generic';
};

const TABLE_PARTS = new Set(['caption', 'tbody', 'td', 'tfoot', 'th', 'thead',
    'tr']);

/* The element of which this is a part, of a table or a list. */
const wholeOf = (el, tag) => {
    let at = parentElement(el);
    if (tag !== 'li')
        while (at !== null && TABLE_PARTS.has(localName(at)))
            at = parentElement(at);
    return at;
};

const cellRole = (table) => {
    const text = attribute(table, 'role');
    return text === 'grid' || text === 'treegrid' ? 'gridcell' : 'cell';
};

/* A cell that heads its row stands beside data, one that heads its column
 * does not. */
const headerRole = (el) => {
    const scope = attribute(el, 'scope');
    if (scope !== null && scope.startsWith('row'))
        return 'rowheader';
    if (scope !== null && scope.startsWith('col'))
        return 'columnheader';
    const row = parentElement(el);
    const group = row === null ? null : parentElement(row);
    if (group === null || isTag(group, 'thead'))
        return 'columnheader';
    for (let at = firstElement(row); at !== null; at = nextElement(at))
        if (localName(at) === 'td')
            return 'rowheader';
    return 'columnheader';
};

/* Parts of what is no table or list are none either. */
const partRole = (el, tag) => {
    const whole = wholeOf(el, tag);
    if (whole !== null && isHidingRole(whole))
        return 'generic';
    if (tag === 'td')
        return whole === null ? 'cell' : cellRole(whole);
    return tag === 'th' ? headerRole(el) : TAG_ROLES.get(tag);
};

const SECTIONS = 'article,aside,nav,section,[role=article],' +
    '[role=complementary],[role=navigation],[role=region]';
const isInside = (el, selector) => {
    const parent = parentElement(el);
    return parent !== null && closest(parent, selector) !== null;
};
const bannerRole = (el, role) =>
    isInside(el, SECTIONS + ',main,[role=main]') ? 'generic' : role;

const imageRole = (el) =>
    attribute(el, 'alt') !== '' || hasAuthoredName(el, false) ? 'image' :
        'generic';

/* Elements whose role depends on more than their tag. */
const linkRole = (el) => hasAttribute(el, 'href') ||
    !isHtml(el) && hasAttribute(el, 'xlink:href') ? 'link' : 'generic';
const TAG_RULES = new Map(Object.entries({
    a: linkRole,
    area: linkRole,
    aside: (el) => !isInside(el, SECTIONS) || hasAuthoredName(el) ?
        'complementary' : 'generic',
    caption: (el) => partRole(el, 'caption'),
    footer: (el) => bannerRole(el, 'contentinfo'),
    header: (el) => bannerRole(el, 'banner'),
    img: imageRole,
    input: inputRole,
    li: (el) => partRole(el, 'li'),
    section: (el) => hasAuthoredName(el) ? 'region' : 'generic',
    select: (el) => el.multiple || el.size > 1 ? 'listbox' : 'combobox',
    summary: (el) => isTag(parentElement(el), 'details') ? 'button' :
        'generic',
    tbody: (el) => partRole(el, 'tbody'),
    td: (el) => partRole(el, 'td'),
    tfoot: (el) => partRole(el, 'tfoot'),
    th: (el) => partRole(el, 'th'),
    thead: (el) => partRole(el, 'thead'),
    tr: (el) => partRole(el, 'tr')
}));

const nativeRole = (el) => {
    const tag = localName(el);
    const rule = TAG_RULES.get(tag);
    const role = rule === undefined ? TAG_ROLES.get(tag) : undefined;
    if (rule === undefined && role === undefined)
        return isEditingHost(el) ? 'textbox' : 'generic';
    if (!isHtml(el) && tag !== 'svg' && tag !== 'a' && tag !== 'math')
        return 'generic';
    const found = rule === undefined ? role : rule(el);
    return found === 'generic' && isEditingHost(el) ? 'textbox' : found;
};

const roleOf = (el) => {
    const text = attribute(el, 'role');
    if (text === null || text === '')
        return nativeRole(el);
    const native = nativeRole(el);
    const role = explicitRole(el, text, native);
    return role === '' ? native : role === 'none' ? 'generic' : role;
};

const levelOf = (el) => {
    const level = Number(attribute(el, 'aria-level'));
    if (Number.isInteger(level) && level >= 1 && level <= 99)
        return level;
    const tag = localName(el);
    return /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
};
