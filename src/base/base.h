/* SPDX-License-Identifier: Apache-2.0 */
/* What every other part stands on: memory, errors, text, time, waiting. */
#ifndef APER_BASE_H
#define APER_BASE_H

#include <aperture/aperture.h>

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define APER_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define APER_UNUSED __attribute__((unused))
#else
#define APER_PRINTF(f, a)
#define APER_UNUSED
#endif

/* Memory. All of the library's own allocations pass here, so that a test can
 * make the n-th one fail. Sizes over PTRDIFF_MAX fail. */
void *aper__alloc(size_t size); /* zeroed */
void *aper__realloc(void *memory, size_t size);
char *aper__strdup(const char *text); /* NULL stays NULL */
char *aper__strndup(const char *text, size_t size); /* up to a NUL */
void aper__dealloc(void *memory);
/* Test hook: the n-th allocation from now fails, and all after it when sticky;
 * 0 turns it off. */
void aper__alloc_fail_at(uint64_t n, bool sticky);

/* A growing byte buffer. After a failed append `failed` is set, the content
 * stays as it was and later appends do nothing, so one check at the end is
 * enough. `data` is NUL-terminated whenever it is not NULL. */
typedef struct aper__buf {
    char *data;
    size_t size;
    size_t capacity;
    bool failed;
} aper__buf;

void aper__buf_append(aper__buf *buf, const void *data, size_t size);
void aper__buf_puts(aper__buf *buf, const char *text);
void aper__buf_putc(aper__buf *buf, char c);
void aper__buf_printf(aper__buf *buf, const char *format, ...)
    APER_PRINTF(2, 3);
void aper__buf_vprintf(aper__buf *buf, const char *format, va_list args)
    APER_PRINTF(2, 0);
/* Makes room for size more bytes; false sets failed. */
bool aper__buf_reserve(aper__buf *buf, size_t size);
void aper__buf_clear(aper__buf *buf); /* keeps the memory */
void aper__buf_free(aper__buf *buf);
/* Hands over the text ("" if empty), NULL if an append failed; resets buf. */
char *aper__buf_take(aper__buf *buf);

/* A hash map from text to pointers; keys are copied. */
typedef struct aper__map aper__map;
aper__map *aper__map_new(void);
void aper__map_free(aper__map *map, void (*free_value)(void *));
void *aper__map_get(const aper__map *map, const char *key);
/* Replaces and returns through old (may be NULL) what was there. */
aper_status aper__map_set(aper__map *map, const char *key, void *value,
                          void **old);
void *aper__map_remove(aper__map *map, const char *key);
size_t aper__map_count(const aper__map *map);
/* Next entry; start with *cursor = 0; false at the end. The map must not be
 * changed meanwhile. */
bool aper__map_next(const aper__map *map, size_t *cursor, const char **key,
                    void **value);

/* Errors. Both return status, so that `return aper__error_set(...)` reads
 * well, and do nothing but that when ret_error is NULL. An error that is
 * already there is replaced. Retryable and fatal follow from the status. The
 * message becomes one clean line. Without memory for it *ret_error is NULL. */
aper_status aper__error_set(aper_error **ret_error, aper_status status,
                            const char *format, ...) APER_PRINTF(3, 4);
aper_status aper__error_set_cdp(aper_error **ret_error, aper_status status,
                                const char *method, int32_t cdp_code,
                                const char *message);

/* Hands error (NULL: none) to whoever wants it, in place of one that is
 * there. Takes it. */
void aper__error_give(aper_error **ret_error, aper_error *error);

/* What errno says, in English, whatever the locale. */
const char *aper__errno_text(int error);

/* Options. Copies what the caller gave into a full-size struct of this
 * release, so that code reads every field without looking at size. first is
 * the size of the struct in its first release. options == NULL gives zeros
 * with size set. */
aper_status aper__options_copy(void *ret_copy, size_t copy_size, size_t first,
                               const void *options, aper_error **ret_error);

/* Time: monotonic milliseconds; wall-clock milliseconds since 1970. */
int64_t aper__now_ms(void);
int64_t aper__wall_ms(void);

/* Sleeps while *word is value, at most until a moment (INT64_MAX: no limit), and
 * may wake early; rouses all who sleep on the word. Of that rouse uses no more
 * than the address, so it may be gone by then. */
void aper__sleep(atomic_uint *word, uint32_t value, int64_t until_ms);
void aper__rouse(const atomic_uint *word);

/* One operation under way: a deadline, and one place where its thread waits
 * and others wake it. Whoever makes an op owns it, often on the stack. Every
 * other function here may be called by any thread while the op lives; a wake
 * may be what ends its life. */
typedef struct aper__op {
    atomic_uint wakes; /* interrupts included */
    _Atomic aper_status interrupt; /* why to give up; APER_OK to go on */
    int64_t deadline_ms; /* monotonic */
    bool late; /* a wake was reported after the deadline */
    uint64_t tag;
    struct aper__op *next; /* for the list of whoever tracks the op */
    struct aper__op *prev;
} aper__op;

/* timeout_ms has no default here: 0 is due at once. */
void aper__op_init(aper__op *op, uint32_t timeout_ms);
/* Number of wakes so far. Read it, look at the state that matters, then wait:
 * a wake in between is not lost. */
uint32_t aper__op_seen(aper__op *op);
/* Waits until there were more wakes than seen (APER_OK), the deadline
 * (APER_E_TIMEOUT) or an interrupt (its status). A wake that is found after the
 * deadline is reported once, so that what just came is not lost. */
aper_status aper__op_wait(aper__op *op, uint32_t seen);
/* The same with an earlier limit; passing that one also gives APER_OK. */
aper_status aper__op_wait_until(aper__op *op, uint32_t seen, int64_t until_ms);
void aper__op_wake(aper__op *op);
/* A wake in two halves, for wakers with a lock that the woken thread wants:
 * note with the lock held, rouse without it. Of the op, which may be gone by
 * then, rouse uses no more than the address. */
void aper__op_note(aper__op *op);
void aper__op_rouse(const aper__op *op);
/* Who has a use for threads that wait. wait takes the place of aper__sleep(),
 * rouse is asked before aper__rouse(): true when nobody has to be roused. The
 * set one stays; threads that sleep already are not told. */
typedef struct aper__op_server {
    void (*wait)(atomic_uint *word, uint32_t value, int64_t until_ms);
    bool (*rouse)(const atomic_uint *word);
} aper__op_server;
void aper__op_set_server(const aper__op_server *set);
/* Makes waits end with status. The first interrupt stays, but a stronger one
 * replaces APER_E_DIALOG. */
void aper__op_interrupt(aper__op *op, aper_status status);
/* Takes back an interrupt of just that status. */
void aper__op_clear(aper__op *op, aper_status status);
/* APER_OK, the interrupt, or APER_E_TIMEOUT. */
aper_status aper__op_check(aper__op *op);
/* Milliseconds left, at least 0. */
uint32_t aper__op_left_ms(aper__op *op);
/* Moves the deadline, so that a part of the operation gets less time than the
 * whole; gives the one before. Only for the thread that waits. */
int64_t aper__op_set_deadline(aper__op *op, int64_t deadline_ms);
/* Fixed text for a status an op ended with ("the tab's renderer crashed"). */
const char *aper__op_reason(aper_status status);

/* Text. */
bool aper__utf8_is_valid(const char *text, size_t size);
/* Copies page text for one line: invisible, control and bidi characters are
 * deleted, white space collapses into single spaces, at most max code points
 * (0: no limit) with "…" at a cut. Its result is its own fixed point. */
void aper__text_clean(aper__buf *out, const char *text, size_t size,
                      size_t max);
/* The same in double quotes, backslash and quote escaped. */
void aper__text_quote(aper__buf *out, const char *text, size_t size,
                      size_t max);
bool aper__ascii_caseless_equal(const char *a, const char *b);
bool aper__ascii_caseless_contains(const char *text, const char *part);
/* Writes 2 * size hex digits and a NUL. */
void aper__hex(char *out, const unsigned char *data, size_t size);

/* Makes this process the one that uses the library, if none is yet; to be
 * called before anything is started. */
aper_status aper__fork_claim(void);
/* APER_E_FORKED in a child of the process that uses the library. */
aper_status aper__fork_check(void);

/* An atomic reference count; starts at 1. */
typedef atomic_uint aper__refs;
void aper__ref(aper__refs *refs);
/* true when the last reference is gone; that thread sees all writes. */
bool aper__unref(aper__refs *refs);

#endif
