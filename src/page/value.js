/* SPDX-License-Identifier: Apache-2.0 */
/* What an element holds and how it is: value, states. And what of it never
 * leaves the page. */
'use strict';

const inputValue = getter(HTMLInputElement.prototype, 'value');
const areaValue = getter(HTMLTextAreaElement.prototype, 'value');
const inputChecked = getter(HTMLInputElement.prototype, 'checked');
const inputMixed = getter(HTMLInputElement.prototype, 'indeterminate');
const inputFiles = getter(HTMLInputElement.prototype, 'files');
const selectOptions = getter(HTMLSelectElement.prototype, 'options');

/* Fields whose content is never read. A field that once was one stays one:
 * pages show a password in clear, and take back what they said of a field. */
const secrets = new WeakSet();
/* What such fields were called, since pages also swap a field for another. */
const secretNames = new Set();
const SECRET_TOKENS = /^(cc-.*|one-time-code|current-password|new-password)$/;
/* Fields that were shown in clear before we came. */
const SECRET_NAMES = new RegExp('pass(word|wd|code|phrase)|' +
    '(^|[^a-z])(pwd|cvv|cvc|csc|otp)([^a-z]|$)', 'i');

/* Every frame that could be read has watched its own fields. */
const secretsOf = (el) => {
    const doc = ownerDocument(el);
    const view = doc === document ? null : viewOf(doc);
    return view?.__aperture?.secrets ?? secrets;
};

const fieldNames = (el) => ['name', 'id'].map((name) => attribute(el, name))
    .filter((name) => name !== null && name !== '');

const saysSecret = (el) => {
    const complete = attribute(el, 'autocomplete');
    return complete !== null && complete.toLowerCase().split(ASCII_SPACE)
        .some((word) => SECRET_TOKENS.test(word));
};

const isSecured = (style) => style.webkitTextSecurity !== undefined &&
    style.webkitTextSecurity !== '' && style.webkitTextSecurity !== 'none';

/* Whether dots are drawn for the text of the element, or of some of it. */
const isDotted = (el) => isSecured(getComputedStyle(el)) ||
    !isInput(el) && stylesOf(rootOf(el)).secures &&
    [...queryAll(el, '*')].some((inner) => isSecured(getComputedStyle(inner)));

const looksSecret = (el) => {
    const typed = isTextInput(el);
    if (saysSecret(el))
        return true;
    if (typed && (inputType(el) === 'password' || fieldNames(el).some((name) =>
        secretNames.has(name) || SECRET_NAMES.test(name))))
        return true;
    return (typed || isTag(el, 'textarea') || isEditingHost(el)) &&
        isDotted(el);
};

const isSecret = (el) => {
    const known = secretsOf(el);
    if (known.has(el) || secrets.has(el))
        return true;
    if (!looksSecret(el))
        return false;
    known.add(el);
    if (isInput(el, 'password'))
        for (const name of fieldNames(el))
            secretNames.add(name);
    return true;
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

/* Asking what an element is costs less than asking a selector about it. */
const FORM_TAGS = new Set(['button', 'fieldset', 'input', 'optgroup', 'option',
    'select', 'textarea']);
const isFormPart = (el, tag) => FORM_TAGS.has(tag) || tag.includes('-');
const isDisabled = (el) => isFormPart(el, localName(el)) &&
    matches(el, ':disabled') || attribute(el, 'aria-disabled') === 'true';

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

const addState = (states, state) => state === '' ? states :
    states === '' ? state : states + ' ' + state;

const isRequired = (el, tag) => isTrue(el, 'aria-required') ||
    isFormPart(el, tag) && matches(el, ':required');
const isReadonly = (el, tag) => (tag === 'textarea' || isTextInput(el)) &&
    matches(el, ':read-only') && !matches(el, ':disabled') ||
    isTrue(el, 'aria-readonly');
const isInvalid = (el, tag) => isTrue(el, 'aria-invalid') ||
    (isFormPart(el, tag) || tag === 'form') && matches(el, ':user-invalid');

/* In this order, those that are set. */
const statesOf = (el, active) => {
    const tag = localName(el);
    let states = checkedState(el);
    states = addState(states, isDisabled(el) ? 'disabled' : '');
    states = addState(states, expandedState(el));
    states = addState(states, isTrue(el, 'aria-selected') ? 'selected' : '');
    states = addState(states, isRequired(el, tag) ? 'required' : '');
    states = addState(states, el === active && takesText(el) ? 'focused' : '');
    states = addState(states, tag === 'dialog' && matches(el, ':modal') ?
        'modal' : '');
    states = addState(states, isReadonly(el, tag) ? 'readonly' : '');
    states = addState(states, isInvalid(el, tag) ? 'invalid' : '');
    states = addState(states, isTrue(el, 'aria-pressed') ? 'pressed' : '');
    return addState(states, currentState(el));
};

