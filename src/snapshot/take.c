/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <string.h>

#define TIMEOUT_MS 10000

/* Of the header and the fence. */
#define FRAME_TOKENS 50
/* Asking again and again costs time, so each time rather too little. */
#define SLACK_TOKENS 8
#define TRIES_MAX 6

/* The last state of a tab that a reader was told of; in APER__SLOT_SNAPSHOT,
 * used only while the tab is held. */
typedef struct history {
    aper_snapshot *last;
    uint32_t budget; /* of the last choice of what is shown */
} history;

static void free_history(void *memory)
{
    history *past = memory;
    aper_snapshot_unref(past->last);
    aper__dealloc(past);
}

static history *get_history(aper_tab *tab)
{
    history *past = aper__tab_get_slot(tab, APER__SLOT_SNAPSHOT);
    if (!past && (past = aper__alloc(sizeof *past)))
        aper__tab_set_slot(tab, APER__SLOT_SNAPSHOT, past, free_history);
    return past;
}

static bool is_same(const aper_snapshot *a, const aper_snapshot *b)
{
    if (a->line_count != b->line_count)
        return false;
    for (size_t i = 0; i < a->line_count; i++)
        if (a->lines[i].hash != b->lines[i].hash
            || strcmp(a->lines[i].text, b->lines[i].text) != 0)
            return false;
    return true;
}

/* Numbers the state: a new document starts anew, what shows no difference
 * keeps its number. */
static aper_status number(const history *past, aper_snapshot *now)
{
    const aper_snapshot *last = past->last;
    if (!last)
        return aper__snapshot_name(now, 1, 0);
    if (strcmp(last->document, now->document) != 0)
        return aper__snapshot_name(now, last->epoch + 1, 0);
    return aper__snapshot_name(now, last->epoch,
                               last->step + !is_same(last, now));
}

/* Those of entries that came since. */
static aper_status note_refs(aper_tab *tab, const aper_snapshot *snapshot)
{
    const char **refs = aper__alloc((snapshot->count + 1) * sizeof *refs);
    if (!refs)
        return APER_E_NOMEM;
    size_t count = 0;
    for (size_t i = 0; i < snapshot->count; i++) {
        aper__entry *entry = snapshot->items[i].entry;
        if (*entry->ref && !entry->noted)
            refs[count++] = entry->ref;
        entry->noted = true;
    }
    aper_status status = count ? aper__page_note_refs(tab, refs, count)
                               : APER_OK;
    aper__dealloc(refs);
    return status;
}

/* Reads once, with room for the lines. */
static aper_status read_once(aper_tab *tab, aper__op *op,
                             const aper__page_how *how, history *past,
                             aper_snapshot **ret_snapshot,
                             aper_error **ret_error)
{
    aper__page_reading reading = {0};
    aper_snapshot *now = NULL;
    aper_status status = aper__page_read(tab, op, how, &reading, ret_error);
    if (status)
        return status;
    status = aper__snapshot_new(&reading.view, aper_tab_get_id(tab),
                                reading.token, &now);
    if (!status) {
        now->chosen = reading.chosen;
        now->title = reading.title;
        now->url = reading.url;
        reading.title = reading.url = NULL;
        status = number(past, now);
    }
    aper__page_reading_clear(&reading);
    if (!status)
        status = note_refs(tab, now);
    if (status) {
        aper_snapshot_unref(now);
        return aper__error_set(ret_error, status, "%s",
                               aper_status_get_text(status));
    }
    *ret_snapshot = now;
    return APER_OK;
}

/* The page script counts tokens about, so what it chose may be too much; then
 * it is asked for less. */
static aper_status read_within(aper_tab *tab, aper__op *op,
                               const aper__page_how *how, history *past,
                               aper_snapshot **ret_snapshot,
                               aper_error **ret_error)
{
    aper__page_how less = *how;
    uint32_t budget = how->select ? how->budget : past->budget;
    /* The estimate of tokens itself may be a twentieth too low. */
    uint32_t most = budget - budget / 20;
    less.budget = most > FRAME_TOKENS + 1 ? most - FRAME_TOKENS : 1;
    if (!budget)
        less.budget = 0;
    for (int tries = 0;; tries++) {
        aper_snapshot *now = NULL;
        aper_status status = read_once(tab, op, &less, past, &now, ret_error);
        if (status)
            return status;
        if (!budget || !now->chosen || now->tokens <= most
            || tries == TRIES_MAX) {
            *ret_snapshot = now;
            return APER_OK;
        }
        uint32_t over = now->tokens - most + SLACK_TOKENS;
        less.budget = tries < TRIES_MAX - 1 && less.budget > over
                          ? less.budget - over : 1;
        less.select = true;
        less.again = true;
        aper_snapshot_unref(now);
    }
}

aper_status aper__snapshot_read(aper_tab *tab, aper__op *op,
                                const aper__page_how *how,
                                aper_snapshot **ret_snapshot,
                                aper_error **ret_error)
{
    history *past = get_history(tab);
    if (!past)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    if (how->select || !past->last)
        past->budget = how->budget;
    return read_within(tab, op, how, past, ret_snapshot, ret_error);
}

aper_snapshot *aper__snapshot_last(aper_tab *tab)
{
    const history *past = aper__tab_get_slot(tab, APER__SLOT_SNAPSHOT);
    return past ? past->last : NULL;
}

uint32_t aper__snapshot_budget(aper_tab *tab)
{
    const history *past = aper__tab_get_slot(tab, APER__SLOT_SNAPSHOT);
    return past && past->last ? past->budget : APER__BUDGET_DEFAULT;
}

void aper__snapshot_tell(aper_tab *tab, aper_snapshot *snapshot)
{
    history *past = get_history(tab);
    aper_snapshot_unref(past->last);
    past->last = aper_snapshot_ref(snapshot);
}

static bool is_given(const char *text)
{
    return text && *text;
}

static aper_status check_ref(const char *name, const char *ref,
                             aper_error **ret_error)
{
    char plain[APER__REF_SIZE];
    if (!is_given(ref) || aper__page_parse_ref(ref, plain))
        return APER_OK;
    aper__buf quoted = {0};
    aper__text_quote(&quoted, ref, strlen(ref), 40);
    aper__error_set(ret_error, APER_E_NO_REF, "%s is %s, which is no ref",
                    name, quoted.data ? quoted.data : "a text");
    aper__buf_free(&quoted);
    return APER_E_NO_REF;
}

static aper_status check_options(aper_snapshot_options *copy,
                                 const aper_snapshot_options *options,
                                 aper_error **ret_error)
{
    aper_status status = aper__options_copy(copy, sizeof *copy, sizeof *copy,
                                            options, ret_error);
    if (!status)
        status = check_ref("expand", copy->expand, ret_error);
    if (!status)
        status = check_ref("scope", copy->scope, ret_error);
    if (status)
        return status;
    if (is_given(copy->find)
        && !aper__utf8_is_valid(copy->find, strlen(copy->find)))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "find must be UTF-8");
    if (!copy->budget_tokens)
        copy->budget_tokens = APER__BUDGET_DEFAULT;
    if (!copy->timeout_ms)
        copy->timeout_ms = TIMEOUT_MS;
    if (copy->budget_tokens < APER__BUDGET_MIN)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "budget_tokens must be at least %d",
                               APER__BUDGET_MIN);
    return APER_OK;
}

static aper_status take(aper_tab *tab, aper__op *op,
                        const aper_snapshot_options *options,
                        aper_snapshot **ret_snapshot, aper_error **ret_error)
{
    char expand[APER__REF_SIZE], scope[APER__REF_SIZE];
    uint32_t budget = options->budget_tokens;
    aper__page_how how = {
        .select = true,
        .budget = budget == APER_BUDGET_UNLIMITED ? 0 : budget,
        .find = is_given(options->find) ? options->find : NULL};
    if (is_given(options->expand)) {
        aper__page_parse_ref(options->expand, expand);
        how.expand = expand;
    }
    if (is_given(options->scope)) {
        aper__page_parse_ref(options->scope, scope);
        how.scope = scope;
    }
    aper_status status = aper__tab_hold(tab, op, ret_error);
    if (status)
        return status;
    status = aper__snapshot_read(tab, op, &how, ret_snapshot, ret_error);
    if (!status)
        aper__snapshot_tell(tab, *ret_snapshot);
    aper__tab_release(tab);
    return status;
}

aper_status aper_snapshot_take(aper_tab *tab,
                               const aper_snapshot_options *options,
                               aper_snapshot **ret_snapshot,
                               aper_error **ret_error)
{
    aper_snapshot_options copy;
    aper__op op;
    if (!tab || !ret_snapshot)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "tab and ret_snapshot must be given");
    aper_status status = check_options(&copy, options, ret_error);
    if (!status)
        status = aper__tab_begin(tab, &op, copy.timeout_ms, false, ret_error);
    if (status)
        return status;
    status = take(tab, &op, &copy, ret_snapshot, ret_error);
    aper__tab_end(tab, &op);
    return status;
}

/* Options of a call that outlives its caller's. */
typedef struct started {
    aper_snapshot_options options;
    char *texts[3];
} started;

static void free_started(void *memory)
{
    started *start = memory;
    for (size_t i = 0; i < 3; i++)
        aper__dealloc(start->texts[i]);
    aper__dealloc(start);
}

static aper_status keep_texts(started *start, aper_error **ret_error)
{
    const char **given[] = {&start->options.expand, &start->options.find,
                            &start->options.scope};
    for (size_t i = 0; i < 3; i++) {
        if (!*given[i])
            continue;
        start->texts[i] = aper__strdup(*given[i]);
        if (!start->texts[i])
            return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
        *given[i] = start->texts[i];
    }
    return APER_OK;
}

static void unref_snapshot(void *object)
{
    aper_snapshot_unref(object);
}

static aper_status run(void *arg, aper_browser *browser, aper_tab *tab,
                       aper__op *op, aper__result *ret_result,
                       aper_error **ret_error)
{
    const started *start = arg;
    aper_snapshot *snapshot = NULL;
    (void)browser;
    aper_status status = take(tab, op, &start->options, &snapshot, ret_error);
    if (!status)
        *ret_result = (aper__result){APER__RESULT_SNAPSHOT, snapshot,
                                     unref_snapshot};
    return status;
}

aper_status aper_snapshot_take_start(aper_tab *tab,
                                     const aper_snapshot_options *options,
                                     uint64_t tag, aper_error **ret_error)
{
    if (!tab)
        return aper__error_set(ret_error, APER_E_INVAL, "the tab is NULL");
    started *start = aper__alloc(sizeof *start);
    if (!start)
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    aper_status status = check_options(&start->options, options, ret_error);
    if (!status)
        status = keep_texts(start, ret_error);
    if (status) {
        free_started(start);
        return status;
    }
    const aper__job job = {.run = run, .free_arg = free_started, .arg = start,
                           .timeout_ms = start->options.timeout_ms,
                           .holds_tab = true};
    return aper__browser_start(aper_tab_get_browser(tab), tab, tag, &job,
                               ret_error);
}
