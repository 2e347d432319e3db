/* SPDX-License-Identifier: Apache-2.0 */
/* What the Web Platform Tests ask an implementer for: role and name of an
 * element. Questions wait here until bench/ask_names.c has fetched them and
 * answers. */
'use strict';

(() => {
    const waiting = [];
    let wake = null;
    let current = null;
    const put = (item) => {
        waiting.push(item);
        if (wake !== null)
            wake();
    };
    const ask = (what, element) => new Promise((answer) => {
        put({ what, element, answer });
    });
    test_driver_internal.in_automation = true;
    test_driver_internal.get_computed_role = (el) => ask('role', el);
    test_driver_internal.get_computed_label = (el) => ask('name', el);
    add_completion_callback((tests, harness) => {
        const results = tests.map(({ name, status, message }) =>
            ({ name, passed: status === 0, message: message || '' }));
        put({ what: JSON.stringify({ harness: harness.status,
                                     message: harness.message || '',
                                     results }) });
    });
    window.bench = {
        /* 'role', 'name', or the results at the end */
        next: async (answer) => {
            if (current !== null)
                current.answer(answer);
            while (waiting.length === 0)
                await new Promise((resolve) => { wake = resolve; });
            current = waiting.shift();
            return current.what;
        },
        get element() {
            return current.element;
        }
    };
})();
