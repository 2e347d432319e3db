/* SPDX-License-Identifier: Apache-2.0 */
/* What a difference makes of each field of an entry and of an item. Lines are
 * compared as text, so a field is compared exactly if it shows in the line; the
 * tests change each field alone and hold the outcome against this table. */
#ifndef APER_RULINGS_H
#define APER_RULINGS_H

typedef enum aper__ruling_kind {
    APER__RULING_CONTENT, /* compared; may be left as told when volatile */
    APER__RULING_STRUCTURE, /* compared, and always told */
    APER__RULING_EXCLUDED /* changes of it alone are not told */
} aper__ruling_kind;

static const struct aper__ruling {
    const char *field;
    aper__ruling_kind kind;
    const char *why;
} aper__rulings[] = {
    {"refs", APER__RULING_EXCLUDED, "counts who holds the entry"},
    {"id", APER__RULING_EXCLUDED, "names the node between us and the page; a "
     "page that draws itself anew from the same data shows the same"},
    {"flow", APER__RULING_STRUCTURE, "lines and cells"},
    {"twin", APER__RULING_STRUCTURE, "says how long the ref will last"},
    {"role", APER__RULING_STRUCTURE, "what it is"},
    {"level", APER__RULING_STRUCTURE, "what lies under which heading"},
    {"ref", APER__RULING_STRUCTURE, "how to act on it"},
    {"name", APER__RULING_CONTENT, "of what has a ref always told: by it the "
     "element is known"},
    {"value", APER__RULING_CONTENT, "of what has a ref always told"},
    {"states", APER__RULING_STRUCTURE, "what can be done with it"},
    {"href", APER__RULING_STRUCTURE, "a link under the same name must not "
     "lead elsewhere unseen"},
    {"note", APER__RULING_STRUCTURE, "our own words about it"},
    {"line", APER__RULING_EXCLUDED, "made of the others"},
    {"name_at", APER__RULING_EXCLUDED, "a place in line"},
    {"text", APER__RULING_EXCLUDED, "the memory of the others"},
    {"noted", APER__RULING_EXCLUDED, "whether the ref was written down"},
    {"entry", APER__RULING_EXCLUDED, "points to the others"},
    {"depth", APER__RULING_STRUCTURE, "what it lies in"},
};

#endif
