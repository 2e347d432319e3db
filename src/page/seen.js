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
const colourOf = (text) => {
    if (!text.startsWith('rgb'))
        return null;
    const [red, green, blue, alpha = 1] = numbersOf(text);
    return [red, green, blue, alpha];
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
const isClippedAway = ({ clip, position }) => {
    if (clip === 'auto' || position !== 'absolute' && position !== 'fixed')
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
    if (!wide && !high || style.display === 'inline' ||
        style.display === 'contents')
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

const makeState = (el, outer) => {
    const style = getComputedStyle(el);
    const { position } = style;
    const page = isBoundary(el, localName(el));
    const opacity = outer.opacity * Number(style.opacity);
    let { reason } = outer;
    if (opacity < OPACITY_MIN)
        reason ||= 'transparent';
    if (isClippedAway(style) || style.clipPath !== 'none' &&
        isCutAway(style.clipPath, boxOf(el)))
        reason ||= 'clipped';
    const cut = page ? '' : overflowLeaves(el, style);
    const held = keptCut(outer, position);
    const scrolls = !page && (SCROLLS.has(style.overflowX) ||
                              SCROLLS.has(style.overflowY));
    const fixed = outer.fixed || position === 'fixed';
    const inner = position === 'fixed' ? null : outer.scroller;
    if (scrolls && isOutside(el, boxOf(el), { scroller: inner, fixed }))
        reason ||= 'offscreen';
    return {
        reason, opacity, fixed, cut: held || cut,
        scale: outer.scale * scaleOf(style.transform),
        cutBy: held === '' ? position !== 'static' ||
            style.transform !== 'none' : outer.cutBy,
        scroller: scrolls ? el : inner
    };
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
    const indent = parseFloat(style.textIndent);
    return style.textIndent.endsWith('px') && indent < 0 &&
        -indent >= Math.max(box.width, 500);
};

/* Comes into view when the keyboard reaches it, as links to the content do. */
const FOCUSABLE = 'a[href],button,input,select,summary,textarea,[tabindex]';
const comesWithFocus = (el) => closest(el, FOCUSABLE) !== null;

/* ---- colours ------------------------------------------------------------- */

/* The colour behind an element and who gave it: { colour, owner }; null if
 * that cannot be told. */
const backOf = (el, backs) => {
    let back = backs.get(el);
    if (back === undefined) {
        back = makeBack(el, backs);
        backs.set(el, back);
    }
    return back;
};

const WHITE = [255, 255, 255, 1];
const canvasOf = (el) => {
    const view = viewOf(ownerDocument(el));
    const scheme = getComputedStyle(el).colorScheme;
    return view !== null && view === view.top &&
        (scheme === 'normal' || scheme === 'light') ?
        { colour: WHITE, owner: el } : null;
};

const makeBack = (el, backs) => {
    const style = getComputedStyle(el);
    const own = colourOf(style.backgroundColor);
    if (style.backgroundImage !== 'none' || own === null ||
        style.backdropFilter && style.backdropFilter !== 'none' ||
        style.mixBlendMode !== 'normal' || style.filter !== 'none')
        return null;
    if (own[3] === 1)
        return { colour: own, owner: el };
    const parent = parentNode(el);
    const moved = style.position !== 'static' || style.transform !== 'none';
    const behind = parent !== null && nodeType(parent) === DOCUMENT ?
        canvasOf(el) : moved || drawnParent(el) === null ? null :
            backOf(drawnParent(el), backs);
    return behind === null || own[3] === 0 ? behind :
        { colour: over(own, behind.colour), owner: el };
};

const boxesMeet = (a, b) => a.width > PIXELS_MIN && a.height > PIXELS_MIN &&
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

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

const colourReason = (el, style, box, backs) => {
    if (style.textShadow !== 'none' || style.webkitTextStrokeWidth !== '0px')
        return '';
    const front = colourOf(style.webkitTextFillColor || style.color);
    if (front === null)
        return '';
    for (let at = el; at; at = drawnParent(at)) {
        const { backgroundClip, display } = getComputedStyle(at);
        if (backgroundClip.includes('text'))
            return '';
        if (display !== 'inline')
            break;
    }
    if (front[3] < OPACITY_MIN)
        return 'transparent';
    const back = backOf(el, backs);
    if (back === null)
        return '';
    const drawn = over(front, back.colour);
    const near = [0, 1, 2].every((i) =>
        Math.abs(drawn[i] - back.colour[i]) <= CHANNEL_NEAR);
    return near && !mayLieOn(el, box, back.owner) ? 'colour' : '';
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
    const style = getComputedStyle(el);
    if (state.reason === 'transparent')
        return state.reason;
    const box = textBox(el, style);
    const place = state.reason || state.cut ||
        (parseFloat(style.fontSize) * state.scale <= PIXELS_MIN ? 'tiny' :
            isOutside(el, box, state) || isIndentedAway(style, box) ?
                'offscreen' : '');
    if (place !== '' && comesWithFocus(el))
        return '';
    return place || colourReason(el, style, box, sight.backs);
};
