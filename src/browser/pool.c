/* SPDX-License-Identifier: Apache-2.0 */
/* Worker threads of the process, made on demand and gone when idle. */
#include "browser/internal.h"

#include <errno.h>
#include <limits.h>
#include <time.h>

#define WORKERS_MAX 64
#define IDLE_SECONDS 10
/* Blocking calls keep what is big on the heap; the deepest recursion is that of
 * jansson over JSON of at most 512 levels. */
#define STACK_SIZE ((size_t)256 * 1024)

typedef struct item {
    struct item *next;
    void (*fn)(void *arg);
    void *arg;
} item;

typedef struct worker {
    struct worker *next;
    pthread_t thread;
    bool finished; /* to be joined */
} worker;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work;
    item *first;
    item **end;
    worker *workers;
    size_t worker_count; /* not finished */
    size_t idle;
    size_t queued;
    bool stopping;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER,
           .work = PTHREAD_COND_INITIALIZER,
           .end = &pool.first };

/* Guards users, and is held while the pool is torn down. */
static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;

static item *pop(void)
{
    item *next = pool.first;
    if (next == NULL)
        return NULL;
    pool.first = next->next;
    if (pool.first == NULL)
        pool.end = &pool.first;
    pool.queued--;
    return next;
}

/* false: nothing to do for long enough. */
static bool wait_for_work(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += IDLE_SECONDS;
    int error = 0;
    pool.idle++;
    while (pool.first == NULL && !pool.stopping && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&pool.work, &pool.lock, &until);
    pool.idle--;
    return pool.first != NULL;
}

static void *work(void *arg)
{
    worker *self = arg;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        item *next = pop();
        if (next == NULL) {
            if (pool.stopping || !wait_for_work())
                break;
            continue;
        }
        pthread_mutex_unlock(&pool.lock);
        next->fn(next->arg);
        aper__dealloc(next);
        pthread_mutex_lock(&pool.lock);
    }
    self->finished = true;
    pool.worker_count--;
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

static void join_finished(void)
{
    worker **link = &pool.workers;
    while (*link != NULL) {
        worker *each = *link;
        if (!each->finished) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        /* It has left the lock for the last time, or is about to. */
        pthread_mutex_unlock(&pool.lock);
        pthread_join(each->thread, NULL);
        aper__dealloc(each);
        pthread_mutex_lock(&pool.lock);
        link = &pool.workers;
    }
}

static bool add_worker(void)
{
    worker *added = aper__alloc(sizeof(*added));
    if (added == NULL)
        return false;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    int error = pthread_create(&added->thread, &attributes, work, added);
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        aper__dealloc(added);
        return false;
    }
    added->next = pool.workers;
    pool.workers = added;
    pool.worker_count++;
    return true;
}

static void push(item *added)
{
    *pool.end = added;
    pool.end = &added->next;
    pool.queued++;
    pthread_cond_signal(&pool.work);
}

aper_status aper__pool_run(void (*fn)(void *arg), void *arg)
{
    item *added = aper__alloc(sizeof(*added));
    if (added == NULL)
        return APER_E_NOMEM;
    added->fn = fn;
    added->arg = arg;
    pthread_mutex_lock(&pool.lock);
    join_finished();
    bool enough = pool.idle > pool.queued || pool.worker_count >= WORKERS_MAX;
    bool ok = enough || add_worker() || pool.worker_count > 0;
    if (ok)
        push(added);
    pthread_mutex_unlock(&pool.lock);
    if (ok)
        return APER_OK;
    aper__dealloc(added);
    return APER_E_NOMEM;
}

bool aper__pool_take_back(void *arg)
{
    pthread_mutex_lock(&pool.lock);
    item **link = &pool.first;
    while (*link != NULL && (*link)->arg != arg)
        link = &(*link)->next;
    item *found = *link;
    if (found != NULL) {
        *link = found->next;
        if (pool.end == &found->next)
            pool.end = link;
        pool.queued--;
    }
    pthread_mutex_unlock(&pool.lock);
    aper__dealloc(found);
    return found != NULL;
}

void aper__pool_acquire(void)
{
    pthread_mutex_lock(&users_lock);
    users++;
    pthread_mutex_unlock(&users_lock);
}

void aper__pool_release(void)
{
    pthread_mutex_lock(&users_lock);
    if (--users == 0) {
        pthread_mutex_lock(&pool.lock);
        pool.stopping = true;
        pthread_cond_broadcast(&pool.work);
        while (pool.workers != NULL) {
            worker *each = pool.workers;
            pool.workers = each->next;
            pthread_mutex_unlock(&pool.lock);
            pthread_join(each->thread, NULL);
            aper__dealloc(each);
            pthread_mutex_lock(&pool.lock);
        }
        pool.stopping = false;
        pthread_mutex_unlock(&pool.lock);
    }
    pthread_mutex_unlock(&users_lock);
}
