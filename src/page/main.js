/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the library calls. */
'use strict';

/* Names this document: every document gets a world, and a token, of its
 * own. */
const token = [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, '0')).join('');

/* The element of a frame that this world could not read. */
const frameElement = ({ key }) => frameElements.get(key)?.deref() ?? null;

/* The window with its scrollbars, and how fine its pixels are. */
const measure = () => ({ width: innerWidth, height: innerHeight,
                         density: devicePixelRatio });

/* What an element is, for bench/names and the tests. The name as accname has
 * it, and as a line shows it. */
const describe = (el) => {
    forgetLabels();
    const role = roleOf(el);
    return { role, name: fullName(el, role), shown: nameOf(el, role),
             value: valueOf(el, role), unseen: unseenReason(el) };
};

/* The same of all that a selector finds, in order. */
const describeAll = ({ selector }) =>
    [...queryDocument(document, selector)].map(describe);

const FUNCTIONS = { read, throughFrame, prepare, aim, locate, focusOn,
                    readBack, setReadyMade, choose, chosen, scroll, rest,
                    waitFor, measure, describe,
                    describeAll };

const call = async (name, argument) => ({
    token, result: await FUNCTIONS[name](argument ?? {})
});

/* For the script of the frame around this one, if that may read it. */
call.secrets = secrets;

Object.defineProperty(globalThis, '__aperture', { value: call });
Object.defineProperty(globalThis, '__apertureFrame', { value: frameElement });
