/* SPDX-License-Identifier: Apache-2.0 */
/* In a library that is built with -Daudit=true: each walk is compared with one
 * that knows nothing from before, and reading fails where they differ. */
'use strict';

const AUDITED = ['role', 'level', 'name', 'value', 'states', 'href', 'note',
    'act', 'brk'];

/* More twins take too long to be looked at one by one. */
const AUDITED_TWINS = 500;

const failAudit = (path, what, kept, fresh) => {
    throw new Error(`audit: ${path}: ${what}: kept ${JSON.stringify(kept)}, ` +
                    `afresh ${JSON.stringify(fresh)}`);
};

const sketch = (kids) => kids.map(({ role, name }) => `${role} ${name}`)
    .join(', ').slice(0, 300);

const auditCandidate = (kept, fresh, path) => {
    const candidate = kept.el[CANDIDATE];
    if (candidate === undefined || candidate.group === null)
        failAudit(path, 'candidate', undefined, fresh.base);
    if (candidate.base !== fresh.base)
        failAudit(path, 'identity', candidate.base, fresh.base);
    if (kept.ref === '' || kept.ref !== candidate.ref ||
        kept.twin !== candidate.family ||
        refs.get(kept.ref).candidate !== candidate)
        failAudit(path, 'ref', kept.ref, candidate.ref);
};

const auditNode = (kept, fresh, path) => {
    for (const field of AUDITED)
        if (kept[field] !== fresh[field])
            failAudit(path, field, kept[field], fresh[field]);
    if (kept.el !== fresh.el && fresh.role !== 'options')
        failAudit(path, 'element', kept.name, fresh.name);
    if (kept.kids.length !== fresh.kids.length)
        failAudit(path, 'kids', sketch(kept.kids), sketch(fresh.kids));
    if (nodeOf(kept.el) !== kept)
        failAudit(path, 'nodeOf', kept.id, nodeOf(kept.el)?.id);
    if (fresh.act)
        auditCandidate(kept, fresh, path);
    kept.kids.forEach((kid, i) => {
        if (parentOf(kid) !== kept)
            failAudit(path, 'parentOf', kept.id, parentOf(kid)?.id);
        auditNode(kid, fresh.kids[i], `${path}/${i} ${kid.role}`);
    });
};

/* Are those that share an identity told apart as a walk afresh would? */
const auditGroups = () => {
    for (const group of groups.values()) {
        if (group.touched || group.order.length === 0 ||
            group.order.some((candidate) => candidate.group !== group))
            failAudit(group.base, 'group', group.order.length, 'settled');
        const { order } = group;
        if (order.length < 2 || order.length > AUDITED_TWINS)
            continue;
        const rows = order.map(({ el }, i) => rowKey(rowOf(el,
            i > 0 ? order[i - 1].el : null,
            i + 1 < order.length ? order[i + 1].el : null)));
        order.forEach(({ tells, row }, i) => {
            if (row !== null && tells[2] !== rows[i] && order[i].told > 0)
                failAudit(group.base, 'row', tells[2], rows[i]);
        });
    }
};

audit = (page) => {
    if (walkCut !== '')
        return;
    auditNode(page, walkAfresh(), 'page');
    auditGroups();
};
