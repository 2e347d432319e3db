/* SPDX-License-Identifier: Apache-2.0 */
/* What the style sheets of a tree do to its text: which elements they put text
 * before or behind, whether they draw dots for some. Asking each element for
 * that would cost more than all the rest of reading it. */
'use strict';

const rulesOf = getter(CSSStyleSheet.prototype, 'cssRules');
const sheetDisabled = getter(StyleSheet.prototype, 'disabled');

/* sheet -> { count, generated, secures }: as it was with that many rules. A
 * rule that a script edits in place is not noticed. */
const knownSheets = new WeakMap();

/* "a, b" to "a" and "b", commas in brackets left alone. */
const splitSelectors = (text) => {
    const parts = [];
    let depth = 0;
    let start = 0;
    for (let i = 0; i < text.length; i++) {
        const c = text[i];
        if (c === '(' || c === '[')
            depth++;
        else if (c === ')' || c === ']')
            depth--;
        else if (c === ',' && depth === 0) {
            parts.push(text.slice(start, i));
            start = i + 1;
        }
    }
    parts.push(text.slice(start));
    return parts.map((part) => part.trim());
};

/* Text that says something: no empty box, no glyph of an icon font. */
const SILENT = /^(?:|none|normal|(?:"[\s\ue000-\uf8ff]*")+)$/u;
const PSEUDO = /::(?:before|after)$/;

const noteRule = (facts, rule, outer) => {
    let selector = rule.selectorText;
    if (selector === undefined)
        return outer;
    if (outer !== '')
        selector = selector.includes('&') ?
            selector.replaceAll('&', `:is(${outer})`) :
            `:is(${outer}) ${selector}`;
    const { style } = rule;
    if (style.webkitTextSecurity)
        facts.secures = true;
    if (selector.includes('::') && !SILENT.test(style.content))
        for (const part of splitSelectors(selector))
            if (PSEUDO.test(part))
                facts.generated.push(part.replace(PSEUDO, '') || '*');
    return selector;
};

const noteRules = (facts, rules, outer) => {
    for (const rule of rules) {
        const inner = noteRule(facts, rule, outer);
        if (rule.styleSheet)
            noteSheet(facts, rule.styleSheet);
        else if (rule.cssRules !== undefined && rule.cssRules.length > 0)
            noteRules(facts, rule.cssRules, inner);
    }
};

const noteSheet = (facts, sheet) => {
    let rules;
    try {
        rules = rulesOf(sheet);
    } catch {
        return; /* of another site */
    }
    let known = knownSheets.get(sheet);
    if (known === undefined || known.count !== rules.length) {
        known = { count: rules.length, generated: [], secures: false };
        knownSheets.set(sheet, known);
        noteRules(known, rules, '');
    }
    if (sheetDisabled(sheet))
        return;
    facts.generated.push(...known.generated);
    facts.secures ||= known.secures;
};

/* root -> { generated, secures }: a selector ('' for none), a flag; made anew
 * for each walk. */
let stylesKnown = new Map();

const stylesOf = (root) => {
    let styles = stylesKnown.get(root);
    if (styles !== undefined)
        return styles;
    const facts = { generated: [], secures: false };
    if (isConnected(root)) {
        for (const sheet of sheetsOf(root))
            noteSheet(facts, sheet);
        for (const sheet of adoptedBy(root))
            noteSheet(facts, sheet);
    }
    const selectors = [...new Set(facts.generated)];
    styles = {
        generated: selectors.length === 0 ? '' : `:is(${selectors.join()})`,
        secures: facts.secures ||
            queryRoot(root, '[style*="text-security"]').length > 0
    };
    stylesKnown.set(root, styles);
    return styles;
};

/* The value of a counter that the element itself sets; what others come to is
 * nowhere readable. */
const counterValue = (style, counter) => {
    for (const set of [style.counterSet, style.counterReset]) {
        const words = set.split(' ');
        const at = words.indexOf(counter);
        if (at >= 0)
            return style.counterIncrement === 'none' || set ===
                style.counterSet ? words[at + 1] : '';
    }
    return '';
};

/* The words of a computed `content`; of its alternative text if it has one,
 * which stands for a picture and so for itself. */
const PARTS = new RegExp('"((?:[^"\\\\]|\\\\.)*)"|/|' +
    'attr\\(\\s*([^\\s,)]+)[^)]*\\)|counter\\(([^\\s,)]+)\\)|' +
    '[a-z-]+\\([^()]*\\)', 'gu');
const generatedWords = (el, style) => {
    let words = '';
    let apart = style.display !== 'inline';
    for (const [all, string, name, counter] of style.content.matchAll(PARTS))
        if (all === '/') {
            words = '';
            apart = true;
        } else if (string !== undefined) {
            words += string.replace(/\\(.)/gu, '$1');
        } else if (name !== undefined) {
            words += attribute(el, name) || '';
        } else if (counter !== undefined) {
            words += counterValue(style, counter);
        }
    words = words.replace(/[\ue000-\uf8ff]/gu, '');
    return apart && words !== '' ? ` ${words} ` : words;
};

/* What a style sheet puts before or behind the content, or ''. */
const generatedText = (el, which) => {
    const style = getComputedStyle(el, which);
    return style.content === 'none' || style.content === 'normal' ||
        style.display === 'none' || style.visibility !== 'visible' ? '' :
        generatedWords(el, style);
};
