/* SPDX-License-Identifier: Apache-2.0 */
/* Text that is drawn, yet no person can see it. What is not certain is taken
 * for seen: what lies under or over something else, on pictures, on colours
 * that other elements may have put there. */
'use strict';

/* Below these a person sees nothing. */
const OPACITY_MIN = 0.05;
const PIXELS_MIN = 1;
/* Steps of a colour channel, of 255, that nobody tells apart. */
const CHANNEL_NEAR = 8;

const numbersOf = (text) => (text.match(/-?[\d.]+(?:e-?\d+)?/g) ?? [])
    .map(Number);

/* "rgb(…)" and "rgba(…)" as four numbers; other colour spaces are null. */
const colours = new Map();
const colourOf = (text) => {
    let colour = colours.get(text);
    if (colour === undefined) {
        const [red, green, blue, alpha = 1] = numbersOf(text);
        colour = text.startsWith('rgb') ? [red, green, blue, alpha] : null;
        if (colours.size > 1000)
            colours.clear();
        colours.set(text, colour);
    }
    return colour;
};

const over = (front, back) => [0, 1, 2].map((i) =>
    front[i] * front[3] + back[i] * (1 - front[3])).concat(1);

const scaleOf = (transform) => {
    if (!transform.startsWith('matrix('))
        return 1;
    const [a, b, c, d] = numbersOf(transform);
    return Math.sqrt(Math.abs(a * d - b * c));
};

/* ---- what clips ---------------------------------------------------------- */

/* A length of a shape, of a box that is so long. */
const lengthOf = (text, whole) => text.endsWith('%') ?
    parseFloat(text) * whole / 100 : parseFloat(text);

const insetLeaves = (sides, box) => {
    const [top, right = top, bottom = top, left = right] = sides;
    return [box.width - lengthOf(left, box.width) - lengthOf(right, box.width),
            box.height - lengthOf(top, box.height) -
                lengthOf(bottom, box.height)];
};

const polygonLeaves = (inside, box) => {
    const points = inside.split(',').map((pair) => pair.trim().split(/\s+/));
    return [0, 1].map((i) => {
        const all = points.map((point) => lengthOf(point.at(i - 2),
            i === 0 ? box.width : box.height));
        return Math.max(...all) - Math.min(...all);
    });
};

/* Whether a clip-path leaves nothing of the box that could be read. */
const SHAPE = /^(inset|circle|ellipse|polygon)\((.*)\)$/;
const isCutAway = (path, box) => {
    const match = SHAPE.exec(path);
    if (match === null)
        return false;
    const [, shape, inside] = match;
    if (shape === 'circle' || shape === 'ellipse')
        return inside.split(' at ')[0].split(/\s+/).some((radius) =>
            /^[\d.]/.test(radius) && parseFloat(radius) === 0);
    const left = shape === 'polygon' ? polygonLeaves(inside, box) :
        insetLeaves(inside.split(' round ')[0].split(/\s+/), box);
    return left.some((length) => length <= PIXELS_MIN);
};

/* clip: rect(top, right, bottom, left) */
const isClippedAway = (style, position) => {
    if (position !== 'absolute' && position !== 'fixed')
        return false;
    const { clip } = style;
    if (clip === 'auto')
        return false;
    const sides = clip.slice(5, -1).split(/[\s,]+/).map(parseFloat);
    return sides[1] - sides[3] <= PIXELS_MIN ||
        sides[2] - sides[0] <= PIXELS_MIN;
};

const CLIPS = new Set(['hidden', 'clip']);
const SCROLLS = new Set(['auto', 'scroll']);

/* What an overflow that is cut leaves of the content: '' for enough. */
const overflowLeaves = (el, style) => {
    const wide = CLIPS.has(style.overflowX);
    const high = CLIPS.has(style.overflowY);
    if (style.display === 'inline' || style.display === 'contents')
        return '';
    const box = boxOf(el);
    const narrow = wide && box.width <= PIXELS_MIN;
    const flat = high && box.height <= PIXELS_MIN;
    return narrow && flat ? 'tiny' : narrow || flat ? 'clipped' : '';
};

/* ---- what an element takes over from those around it --------------------- */

/* Of the page itself nothing is hidden. */
const SEEN = { reason: '', opacity: 1, scale: 1, cut: '', cutBy: false,
               scroller: null, fixed: false };

const isBoundary = (el, tag) => tag === 'html' || tag === 'body' ||
    el === documentElement(ownerDocument(el));

/* What is absolutely positioned leaves the boxes that do not hold it. */
const keptCut = (outer, position) =>
    position === 'fixed' || position === 'absolute' && !outer.cutBy ? '' :
        outer.cut;

const stateOf = (el, known) => {
    let state = known.get(el);
    if (state !== undefined)
        return state;
    const parent = drawnParent(el);
    state = makeState(el, parent ? stateOf(parent, known) : SEEN);
    known.set(el, state);
    return state;
};

const reasonOf = (el, style, position, opacity) => {
    if (opacity < OPACITY_MIN)
        return 'transparent';
    const path = style.clipPath;
    return isClippedAway(style, position) ||
        path !== 'none' && isCutAway(path, boxOf(el)) ? 'clipped' : '';
};

const makeState = (el, outer) => {
    const style = getComputedStyle(el);
    const { position, transform } = style;
    const opacity = outer.opacity * Number(style.opacity);
    const fixed = outer.fixed || position === 'fixed';
    const held = keptCut(outer, position);
    const state = {
        style, opacity, fixed, cut: held,
        reason: outer.reason || reasonOf(el, style, position, opacity),
        scale: transform === 'none' ? outer.scale :
            outer.scale * scaleOf(transform),
        cutBy: held === '' ? position !== 'static' || transform !== 'none' :
            outer.cutBy,
        scroller: position === 'fixed' ? null : outer.scroller
    };
    if (style.overflowX === 'visible' || isBoundary(el, localName(el)))
        return state;
    state.cut ||= overflowLeaves(el, style);
    if (SCROLLS.has(style.overflowX) || SCROLLS.has(style.overflowY)) {
        if (isOutside(el, boxOf(el), state))
            state.reason ||= 'offscreen';
        state.scroller = el;
    }
    return state;
};

/* ---- where text is ------------------------------------------------------- */

/* Right to left pages scroll to what lies left. */
const isReversed = (doc) =>
    getComputedStyle(documentElement(doc)).direction === 'rtl';

/* Beyond the edges from which scrolling leads away. */
const isOutside = (el, box, { scroller, fixed }) => {
    const doc = ownerDocument(el);
    const view = viewOf(doc);
    if (view === null)
        return false;
    if (scroller !== null) {
        const frame = boxOf(scroller);
        return box.right - frame.left + scroller.scrollLeft <= 0 &&
            getComputedStyle(scroller).direction !== 'rtl' ||
            box.bottom - frame.top + scroller.scrollTop <= 0;
    }
    if (fixed)
        return box.right <= 0 || box.bottom <= 0 ||
            box.left >= view.innerWidth || box.top >= view.innerHeight;
    return box.bottom + view.scrollY <= 0 ||
        box.right + view.scrollX <= 0 && !isReversed(doc);
};

/* "text-indent: -9999px" and its kin. */
const isIndentedAway = (style, box) => {
    const indent = style.textIndent;
    return indent.startsWith('-') && indent.endsWith('px') &&
        -parseFloat(indent) >= Math.max(box.width, 500);
};

/* Comes into view when the keyboard reaches it, as links to the content do. */
const FOCUSABLE = 'a[href],button,input,select,summary,textarea,[tabindex]';
const comesWithFocus = (el) => closest(el, FOCUSABLE) !== null;

/* ---- colours ------------------------------------------------------------- */

/* The colour behind an element and who gave it: { colour, owner }; null if
 * that cannot be told. */
const backOf = (el, sight) => {
    let back = sight.backs.get(el);
    if (back === undefined) {
        back = makeBack(el, sight);
        sight.backs.set(el, back);
    }
    return back;
};

const WHITE = [255, 255, 255, 1];
const canvasOf = (el, style) => {
    const view = viewOf(ownerDocument(el));
    const scheme = style.colorScheme;
    return view !== null && view === view.top &&
        (scheme === 'normal' || scheme === 'light') ?
        { colour: WHITE, owner: el } : null;
};

/* What is behind the element's own background. A positioned one may lie on
 * anything. */
const behind = (el, style, sight) => {
    const parent = parentNode(el);
    if (parent !== null && nodeType(parent) === DOCUMENT)
        return canvasOf(el, style);
    const around = drawnParent(el);
    return !around || style.position !== 'static' ||
        style.transform !== 'none' ? null : backOf(around, sight);
};

const makeBack = (el, sight) => {
    const { style } = stateOf(el, sight.states);
    if (style.backgroundImage !== 'none')
        return null;
    const own = colourOf(style.backgroundColor);
    if (own === null || own[3] === 1)
        return own && { colour: own, owner: el };
    const back = behind(el, style, sight);
    return back === null || own[3] === 0 ? back :
        { colour: over(own, back.colour), owner: el };
};

const boxesMeet = (a, b) => a.width > PIXELS_MIN && a.height > PIXELS_MIN &&
    a.left < b.right && b.left < a.right && a.top < b.bottom &&
    b.top < a.bottom;

/* Whether something that is not around the text may lie behind it. */
const PICTURES = 'img,video,canvas,svg,picture,object,embed,iframe';
const LOOKED_AT_MAX = 200;
const mayLieOn = (el, box, owner) => {
    for (let at = el; at && at !== owner; at = drawnParent(at)) {
        const parent = parentElement(at);
        let looked = 0;
        for (let other = parent && firstElement(parent); other;
             other = nextElement(other))
            if (++looked > LOOKED_AT_MAX ||
                other !== at && boxesMeet(boxOf(other), box))
                return true;
    }
    const pictures = queryAll(owner, PICTURES);
    return pictures.length > LOOKED_AT_MAX ||
        [...pictures].some((picture) => boxesMeet(boxOf(picture), box));
};

/* Effects that make text of another colour than the one it has. */
const isPainted = ({ style }) => style.textShadow !== 'none' ||
    style.webkitTextStrokeWidth !== '0px' || style.filter !== 'none' ||
    style.mixBlendMode !== 'normal' || style.backgroundClip.includes('text') ||
    style.backdropFilter !== 'none';
const mayBePainted = (el, sight) => {
    for (let at = el; at; at = drawnParent(at))
        if (isPainted(stateOf(at, sight.states)))
            return true;
    return false;
};

const isNear = (a, b) => Math.abs(a[0] - b[0]) <= CHANNEL_NEAR &&
    Math.abs(a[1] - b[1]) <= CHANNEL_NEAR &&
    Math.abs(a[2] - b[2]) <= CHANNEL_NEAR;

const colourReason = (el, style, box, sight) => {
    const front = colourOf(style.webkitTextFillColor);
    if (front === null)
        return '';
    if (front[3] < OPACITY_MIN)
        return mayBePainted(el, sight) ? '' : 'transparent';
    const back = backOf(el, sight);
    return back !== null && isNear(over(front, back.colour), back.colour) &&
        !mayBePainted(el, sight) && !mayLieOn(el, box, back.owner) ?
        'colour' : '';
};

/* ---- the question -------------------------------------------------------- */

const textBox = (el, style) => {
    if (style.display !== 'contents')
        return boxOf(el);
    const range = Document.prototype.createRange.call(ownerDocument(el));
    range.selectNodeContents(el);
    return range.getBoundingClientRect();
};

/* What was found out about elements, kept for as long as the page stands
 * still: one of these per walk. */
const makeSight = () => ({ states: new Map(), backs: new Map() });

/* Why nobody can see the text of the element: '' | 'transparent' | 'tiny' |
 * 'offscreen' | 'clipped' | 'colour'. It must have a box, or be in one. */
const unseenReason = (el, sight = makeSight()) => {
    const state = stateOf(el, sight.states);
    const { style } = state;
    if (state.reason === 'transparent')
        return state.reason;
    const box = textBox(el, style);
    const place = state.reason || state.cut ||
        (parseFloat(style.fontSize) * state.scale <= PIXELS_MIN ? 'tiny' :
            isOutside(el, box, state) || isIndentedAway(style, box) ?
                'offscreen' : '');
    if (place !== '' && comesWithFocus(el))
        return '';
    return place || colourReason(el, style, box, sight);
};
