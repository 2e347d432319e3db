/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/volatile.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Bare numbers are no times: they are carts, votes, unread messages. Neither
 * are percentages, which are discounts and charges as often as progress. */
#define UNIT "(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)"
#define LONG_UNIT                                                            \
    "(?:secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?)"
static const char pattern[] =
    /* 12:30, 12:30:05.250 pm */
    "(?<clock>(?<![\\d:])(?<a>\\d{1,3}):(?<b>[0-5]\\d)(?::(?<c>[0-5]\\d)"
    "(?:[.,]\\d{1,3})?)?(?![\\d:])(?:\\s?(?:[ap]\\.?m\\b\\.?))?)"
    /* 2d 3h 4m, 1 hour 5 minutes */
    "|(?<sum>\\b\\d+\\s?" UNIT "(?:,?\\s(?:and\\s)?\\d+\\s?" UNIT "\\b)+)"
    /* 5 minutes left */
    "|(?<left>\\b\\d+\\s" LONG_UNIT "\\s(?:left|remaining|to\\sgo)\\b)"
    /* 5 minutes ago, in an hour, just now */
    "|(?<ago>\\b(?:\\d+|an?|a\\sfew)\\s?" UNIT "\\sago\\b"
    "|\\b(?:\\d+|an?|a\\sfew)\\s" LONG_UNIT "\\sago\\b"
    "|\\bin\\s(?:\\d+|an?|a\\sfew)\\s" LONG_UNIT "\\b"
    "|\\b(?:just|moments?\\sago|right)\\snow\\b|\\b(?:a\\s)?moments?\\sago\\b)";

/* What a page shows may lag behind by as much. */
#define SLACK_S 5.0
#define DAY_S 86400.0

struct aper__shapes {
    pcre2_general_context *memory;
    pcre2_code *code;
};

static void *give_memory(size_t size, void *data APER_UNUSED)
{
    return aper__alloc(size);
}

static void take_memory(void *memory, void *data APER_UNUSED)
{
    aper__dealloc(memory);
}

aper__shapes *aper__shapes_new(void)
{
    aper__shapes *shapes = aper__alloc(sizeof *shapes);
    int code;
    size_t at;
    if (!shapes)
        return NULL;
    shapes->memory = pcre2_general_context_create(give_memory, take_memory,
                                                  NULL);
    pcre2_compile_context *how =
        shapes->memory ? pcre2_compile_context_create(shapes->memory) : NULL;
    if (how)
        shapes->code = pcre2_compile((PCRE2_SPTR)pattern,
                                     PCRE2_ZERO_TERMINATED,
                                     PCRE2_CASELESS | PCRE2_UTF, &code, &at,
                                     how);
    pcre2_compile_context_free(how);
    if (!shapes->code) {
        aper__shapes_free(shapes);
        return NULL;
    }
    /* Where code must not be made at run time it is interpreted. */
    pcre2_jit_compile(shapes->code, PCRE2_JIT_COMPLETE);
    return shapes;
}

void aper__shapes_free(aper__shapes *shapes)
{
    if (!shapes)
        return;
    pcre2_code_free(shapes->code);
    pcre2_general_context_free(shapes->memory);
    aper__dealloc(shapes);
}

/* One time in a text. */
typedef struct moment {
    size_t start;
    size_t end;
    bool relative; /* "5 minutes ago": as coarse as it likes */
    bool hours; /* may be hours and minutes */
    double around; /* after as many seconds it begins anew; 0: never */
    double seconds;
    double grain; /* of what is shown */
} moment;

typedef struct scan {
    const aper__shapes *shapes;
    pcre2_match_data *found;
    const char *text;
    size_t size;
    size_t at; /* behind the moment before */
} scan;

static bool has(const scan *s, const char *group)
{
    PCRE2_SIZE size;
    return pcre2_substring_length_byname(s->found, (PCRE2_SPTR)group, &size)
               == 0 && size > 0;
}

static double number(const scan *s, const char *group)
{
    char digits[8];
    PCRE2_SIZE size = sizeof digits;
    if (pcre2_substring_copy_byname(s->found, (PCRE2_SPTR)group,
                                    (PCRE2_UCHAR *)digits, &size))
        return 0;
    return atoi(digits);
}

static void read_clock(const scan *s, moment *m)
{
    double a = number(s, "a"), b = number(s, "b");
    m->hours = !has(s, "c");
    m->seconds = m->hours ? a * 60 + b : (a * 60 + b) * 60 + number(s, "c");
    m->grain = 1;
    m->around = DAY_S / 2;
}

static double unit_seconds(char unit, char next)
{
    switch (unit | 0x20) {
    case 's':
        return 1;
    case 'm':
        return (next | 0x20) == 'o' ? 30 * DAY_S : 60;
    case 'h':
        return 3600;
    case 'w':
        return 7 * DAY_S;
    case 'y':
        return 365 * DAY_S;
    default:
        return DAY_S;
    }
}

/* "2 h 13 min": numbers with units. */
static void read_sum(const scan *s, moment *m)
{
    size_t i = m->start;
    m->grain = DAY_S * 365;
    while (i < m->end) {
        double value = 0;
        while (i < m->end && s->text[i] >= '0' && s->text[i] <= '9')
            value = value * 10 + (s->text[i++] - '0');
        while (i < m->end && s->text[i] == ' ')
            i++;
        if (i == m->end)
            break;
        double unit = unit_seconds(s->text[i],
                                   i + 1 < m->end ? s->text[i + 1] : 0);
        m->seconds += value * unit;
        if (unit < m->grain)
            m->grain = unit;
        while (i < m->end && (s->text[i] < '0' || s->text[i] > '9'))
            i++;
    }
}

/* 1, 0 if there is none, or -1: no memory, or a text beyond all bounds. */
static int next_moment(const scan *s, moment *m)
{
    int count = pcre2_match(s->shapes->code, (PCRE2_SPTR)s->text, s->size,
                            s->at, PCRE2_NO_UTF_CHECK, s->found, NULL);
    if (count <= 0)
        return count == PCRE2_ERROR_NOMATCH ? 0 : -1;
    PCRE2_SIZE *ends = pcre2_get_ovector_pointer(s->found);
    *m = (moment){.start = ends[0], .end = ends[1],
                  .relative = has(s, "ago")};
    if (has(s, "clock"))
        read_clock(s, m);
    else
        read_sum(s, m);
    return 1;
}

static double distance(double a, double b, double around)
{
    double d = a > b ? a - b : b - a;
    while (around > 0 && d > around)
        d -= around;
    return around > 0 && around - d < d ? around - d : d;
}

static bool is_within(const moment *a, const moment *b, double elapsed)
{
    double most = elapsed * 1.2 + SLACK_S;
    if (a->relative || b->relative)
        return a->relative && b->relative;
    if (a->hours != b->hours || a->around != b->around)
        return false;
    if (!a->hours) {
        double grain = a->grain > b->grain ? a->grain : b->grain;
        return distance(a->seconds, b->seconds, a->around) <= most + grain;
    }
    /* Minutes and seconds, or hours and minutes. */
    return distance(a->seconds, b->seconds, 3600) <= most + 1
           || distance(a->seconds * 60, b->seconds * 60, DAY_S / 2)
                  <= most + 60;
}

static bool same_until(const scan *a, size_t a_end, const scan *b,
                       size_t b_end)
{
    return a_end - a->at == b_end - b->at
           && memcmp(a->text + a->at, b->text + b->at, a_end - a->at) == 0;
}

static bool compare(scan *a, scan *b, int64_t elapsed_ms)
{
    for (;;) {
        moment x, y;
        int one = next_moment(a, &x), other = next_moment(b, &y);
        if (one < 0 || other < 0 || one != other)
            return false;
        if (!one)
            return same_until(a, a->size, b, b->size);
        if (!same_until(a, x.start, b, y.start))
            return false;
        if (elapsed_ms >= 0
            && !is_within(&x, &y, (double)elapsed_ms / 1000))
            return false;
        a->at = x.end;
        b->at = y.end;
    }
}

aper_status aper__shapes_ticked(const aper__shapes *shapes, const char *old,
                                size_t old_size, const char *now,
                                size_t now_size, int64_t elapsed_ms,
                                bool *ret_ticked)
{
    scan a = {.shapes = shapes, .text = old, .size = old_size};
    scan b = {.shapes = shapes, .text = now, .size = now_size};
    a.found = pcre2_match_data_create_from_pattern(shapes->code,
                                                   shapes->memory);
    b.found = pcre2_match_data_create_from_pattern(shapes->code,
                                                   shapes->memory);
    bool ok = a.found && b.found;
    *ret_ticked = ok && compare(&a, &b, elapsed_ms);
    pcre2_match_data_free(a.found);
    pcre2_match_data_free(b.found);
    return ok ? APER_OK : APER_E_NOMEM;
}
