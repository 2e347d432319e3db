/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a recorded conversation; doc/testing.md has the format. */
#include "wire/core.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX 160 /* code points of a message in an error */

typedef enum step_kind { EXPECT, ANSWER, GONE } step_kind;

typedef struct step {
    step_kind kind;
    unsigned line;
    bool met; /* EXPECT only */
    char *text;
    json_t *json; /* NULL for an ANSWER that is no JSON */
} step;

typedef struct replay {
    aper__wire wire;
    step *steps;
    size_t count;
    size_t capacity;
    size_t at; /* all before have been played */
    json_t *ids; /* recorded id, as text, to the one in use */
} replay;

static json_t *parse_json(const char *text, size_t size)
{
    return json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
}

static aper_status add_step(replay *play, step_kind kind, unsigned line,
                            const char *text, size_t size)
{
    if (play->count == play->capacity) {
        size_t capacity = play->capacity ? play->capacity * 2 : 16;
        step *steps = aper__realloc(play->steps, capacity * sizeof *steps);
        if (!steps)
            return APER_E_NOMEM;
        play->steps = steps;
        play->capacity = capacity;
    }
    step *made = &play->steps[play->count];
    *made = (step){.kind = kind, .line = line};
    made->text = aper__strndup(text, size);
    if (!made->text)
        return APER_E_NOMEM;
    play->count++;
    if (kind != GONE)
        made->json = parse_json(text, size);
    return kind == EXPECT && !json_is_object(made->json) ? APER_E_INVAL
                                                         : APER_OK;
}

/* One line without its end; NUL bytes only make it malformed. */
static aper_status parse_line(replay *play, unsigned line, const char *text,
                              size_t size)
{
    while (size > 0 && (text[size - 1] == '\r' || text[size - 1] == ' '))
        size--;
    if (size == 0 || text[0] == '#')
        return APER_OK;
    if (memchr(text, '\0', size))
        return APER_E_INVAL;
    if (size > 2 && text[0] == '>' && text[1] == ' ')
        return add_step(play, EXPECT, line, text + 2, size - 2);
    if (size > 2 && text[0] == '<' && text[1] == ' ')
        return add_step(play, ANSWER, line, text + 2, size - 2);
    if (size == 6 && memcmp(text, "! gone", 6) == 0)
        return add_step(play, GONE, line, "", 0);
    return APER_E_INVAL;
}

static aper_status parse(replay *play, const char *data, size_t size,
                         unsigned *ret_line)
{
    aper_status status = APER_OK;
    const char *end = data + size;
    for (*ret_line = 1; data < end && status == APER_OK; ++*ret_line) {
        const char *stop = memchr(data, '\n', (size_t)(end - data));
        if (!stop)
            stop = end;
        status = parse_line(play, *ret_line, data, (size_t)(stop - data));
        data = stop + 1;
    }
    --*ret_line;
    return status;
}

static void clear(replay *play)
{
    for (size_t i = 0; i < play->count; i++) {
        aper__dealloc(play->steps[i].text);
        json_decref(play->steps[i].json);
    }
    aper__dealloc(play->steps);
    json_decref(play->ids);
    play->steps = NULL;
    play->count = 0;
    play->ids = NULL;
}

/* For the fuzzer: parses and forgets. */
aper_status aper__replay_check(const char *data, size_t size)
{
    replay play = {0};
    unsigned line;
    aper_status status = parse(&play, data, size, &line);
    clear(&play);
    return status;
}

static bool matches(json_t *want, json_t *got);

static bool object_matches(json_t *want, json_t *got)
{
    const char *key;
    json_t *value;
    if (!json_is_object(got) || json_object_size(want)
                                    != json_object_size(got))
        return false;
    json_object_foreach(want, key, value) {
        if (!matches(value, json_object_get(got, key)))
            return false;
    }
    return true;
}

static bool array_matches(json_t *want, json_t *got)
{
    if (!json_is_array(got) || json_array_size(want) != json_array_size(got))
        return false;
    for (size_t i = 0; i < json_array_size(want); i++) {
        if (!matches(json_array_get(want, i), json_array_get(got, i)))
            return false;
    }
    return true;
}

/* "*" stands for any value. */
static bool matches(json_t *want, json_t *got)
{
    if (!got)
        return false;
    if (json_is_string(want) && strcmp(json_string_value(want), "*") == 0)
        return true;
    if (json_is_object(want))
        return object_matches(want, got);
    if (json_is_array(want))
        return array_matches(want, got);
    return json_equal(want, got);
}

/* Ids are whatever the sender counts; all but them must match. */
static bool message_matches(json_t *want, json_t *got)
{
    json_t *id = json_object_get(want, "id");
    json_t *plain = json_copy(want);
    if (plain && id && json_object_get(got, "id"))
        json_object_set(plain, "id", json_object_get(got, "id"));
    bool same = plain && matches(plain, got);
    json_decref(plain);
    return same;
}

static void remember_id(replay *play, json_t *want, json_t *got)
{
    json_t *recorded = json_object_get(want, "id");
    json_t *used = json_object_get(got, "id");
    char key[32];
    if (!json_is_integer(recorded) || !used)
        return;
    snprintf(key, sizeof key, "%lld",
             (long long)json_integer_value(recorded));
    json_object_set(play->ids, key, used);
}

/* The text to deliver, with the id that is in use; the caller frees it. */
static char *answer_text(replay *play, const step *answer)
{
    json_t *recorded = json_object_get(answer->json, "id");
    char key[32];
    if (!json_is_integer(recorded))
        return aper__strdup(answer->text);
    snprintf(key, sizeof key, "%lld",
             (long long)json_integer_value(recorded));
    json_t *used = json_object_get(play->ids, key);
    if (!used || json_equal(used, recorded))
        return aper__strdup(answer->text);
    json_t *copy = json_copy(answer->json);
    char *dumped = NULL, *text = NULL;
    if (copy && json_object_set(copy, "id", used) == 0)
        dumped = json_dumps(copy, JSON_COMPACT);
    json_decref(copy);
    if (dumped)
        text = aper__strdup(dumped);
    free(dumped);
    return text;
}

/* Plays on up to the next message that has to be sent. */
static void advance(replay *play)
{
    while (play->at < play->count && play->wire.why == APER_OK) {
        step *now = &play->steps[play->at];
        if (now->kind == EXPECT && !now->met)
            return;
        play->at++;
        if (now->kind == GONE) {
            aper__wire_end(&play->wire, APER_E_GONE,
                           "the recording ends the connection here");
        } else if (now->kind == ANSWER) {
            char *text = answer_text(play, now);
            if (!text)
                aper__wire_end(&play->wire, APER_E_NOMEM, "out of memory");
            else if (!aper__wire_deliver(&play->wire, text, strlen(text)))
                play->at = play->count;
            aper__dealloc(text);
        }
    }
}

static void mismatch(replay *play, const aper__outgoing *message)
{
    aper__buf detail = {0};
    if (play->at < play->count) {
        const step *want = &play->steps[play->at];
        aper__buf_printf(&detail, "line %u expects ", want->line);
        aper__text_clean(&detail, want->text, strlen(want->text), TEXT_MAX);
    } else {
        aper__buf_puts(&detail, "the recording ends before this");
    }
    aper__buf_puts(&detail, " but got ");
    aper__text_clean(&detail, (const char *)message->bytes, message->size,
                     TEXT_MAX);
    aper__wire_end(&play->wire, APER_E_PROTOCOL,
                   detail.failed ? "the recording does not match"
                                 : detail.data);
    aper__buf_free(&detail);
}

/* Threads may send in another order than on the day of the recording, so any
 * message of a block of expected ones will do. */
static step *find_expected(replay *play, json_t *got)
{
    for (size_t i = play->at; i < play->count; i++) {
        step *want = &play->steps[i];
        if (want->kind != EXPECT)
            return NULL;
        if (!want->met && message_matches(want->json, got))
            return want;
    }
    return NULL;
}

static void flush_replay(aper__wire *wire)
{
    replay *play = (replay *)wire;
    aper__outgoing *message;
    while (wire->why == APER_OK && (message = aper__wire_take(wire)) != NULL) {
        json_t *got = parse_json((const char *)message->bytes,
                                 message->size);
        step *want = find_expected(play, got);
        aper__wire_sent(wire, message->size);
        if (want) {
            want->met = true;
            remember_id(play, want->json, got);
            advance(play);
        } else {
            mismatch(play, message);
        }
        json_decref(got);
        aper__dealloc(message);
    }
}

static void start_replay(aper__wire *wire)
{
    aper__wire_opened(wire);
    advance((replay *)wire);
}

static void stop_replay(aper__wire *wire)
{
    (void)wire;
}

static void free_replay(aper__wire *wire)
{
    replay *play = (replay *)wire;
    clear(play);
    aper__dealloc(play);
}

static const aper__wire_kind replay_kind = {start_replay, flush_replay,
                                            stop_replay, free_replay};

static aper_status load(replay *play, const char *path,
                        aper_error **ret_error)
{
    aper__buf data = {0};
    FILE *file = fopen(path, "rbe");
    if (!file)
        return aper__error_set(ret_error, APER_E_IO,
                               "the recording %s cannot be read: %s", path,
                               strerrordesc_np(errno));
    size_t got = 1;
    while (got > 0 && aper__buf_reserve(&data, 65536)) {
        got = fread(data.data + data.size, 1, 65536, file);
        data.size += got;
    }
    bool bad = ferror(file);
    fclose(file);
    unsigned line = 0;
    aper_status status = data.failed ? APER_E_NOMEM
                         : bad       ? APER_E_IO
                                     : parse(play, data.data, data.size,
                                             &line);
    aper__buf_free(&data);
    if (status != APER_OK)
        aper__error_set(ret_error, status,
                        "the recording %s cannot be played from line %u on",
                        path, line);
    return status;
}

aper_status aper__wire_open_replay(const char *path,
                                   const aper__wire_events *events,
                                   void *userdata, aper__wire **ret_wire,
                                   aper_error **ret_error)
{
    replay *play = aper__alloc(sizeof *play);
    if (!play)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    aper_status status = load(play, path, ret_error);
    if (status != APER_OK)
        goto failed;
    play->ids = json_object();
    if (!play->ids) {
        status = aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
        goto failed;
    }
    status = aper__io_acquire(ret_error);
    if (status != APER_OK)
        goto failed;
    *ret_wire = &play->wire;
    aper__wire_begin(&play->wire, &replay_kind, events, userdata);
    return APER_OK;
failed:
    clear(play);
    aper__dealloc(play);
    return status;
}
