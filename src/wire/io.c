/* SPDX-License-Identifier: Apache-2.0 */
/* The I/O thread: it owns the lws context, runs what other threads hand in, and
 * keeps the timers. Of lws only lws_cancel_service() is called elsewhere. */
#include "wire/core.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (64 * 1024)
/* One allocation of 16 bytes each; every lookup of lws searches them. */
#define CONNECTIONS_MAX 1024
#define HEADERS_MAX 16384 /* of one request or answer */
#define LONG_SECONDS (24 * 3600) /* our own timers end attempts */

typedef struct timer {
    struct timer *next;
    struct timer *prev;
    int64_t due_ms;
    uint64_t id;
    void (*fn)(void *arg);
    void *arg;
} timer;

typedef struct vhost {
    struct vhost *next;
    struct lws_vhost *lws;
    char *ca_file;
} vhost;

typedef enum state {
    STOPPED,
    STARTING,
    RUNNING,
    ENDING, /* the context is being destroyed */
    ENDED /* to be joined */
} state;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* state, holders, running_timer */
    state state;
    unsigned holders;
    pthread_t thread;
    pid_t process; /* that the thread was started in */
    bool resting; /* the process exits */
    bool rests; /* the thread has noticed */
    aper__io_task *first;
    aper__io_task **last;
    bool woken;
    timer *soonest;
    timer *latest;
    uint64_t last_id;
    uint64_t running_timer;
    /* The thread's own: */
    struct lws_context *context;
    struct lws_vhost *plain;
    vhost *vhosts;
    lws_sorted_usec_list_t alarm;
    int64_t alarm_ms; /* 0: not set */
} io = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER,
        .last = &io.first};

static _Thread_local bool on_io_thread;

bool aper__io_is_current(void)
{
    return on_io_thread;
}

/* The first protocol also hears of certificates. */
static const struct lws_protocols protocols[] = {
    {.name = APER__PROTOCOL_WEBSOCKET, .callback = aper__websocket_callback,
     .rx_buffer_size = BUFFER_SIZE, .tx_packet_size = 16 * BUFFER_SIZE},
    {.name = APER__PROTOCOL_HTTP, .callback = aper__http_callback,
     .rx_buffer_size = BUFFER_SIZE},
    {.name = APER__PROTOCOL_PIPE, .callback = aper__pipe_callback},
    {.name = NULL},
};

/* lws reports to stderr unless the host has told it otherwise, and its log
 * level is one for the process. A host that uses lws itself may want those
 * lines, so the level stays; while it is lws's default, an emitter is put in
 * that drops the lines of this thread and passes on those of others. */
#define LWS_DEFAULT_LEVEL (LLL_ERR | LLL_WARN | LLL_NOTICE)

static void emit_for_others(int level, const char *line)
{
    if (!on_io_thread)
        lwsl_emit_stderr(level, line);
}

static bool hush_lws(void)
{
    for (int bit = 1; bit < 1 << LLL_COUNT; bit <<= 1) {
        if (!lwsl_visible(bit) != !(LWS_DEFAULT_LEVEL & bit))
            return false;
    }
    lws_set_log_level(LWS_DEFAULT_LEVEL, emit_for_others);
    return true;
}

/* lws_create_context() has SIGPIPE ignored, process-wide. That is undone at
 * once, unless the host has set something else in that moment. This thread
 * blocks SIGPIPE, so lws does not need it. */
static struct lws_context *create_context(void)
{
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
        .fd_limit_per_thread = CONNECTIONS_MAX,
        .pt_serv_buf_size = BUFFER_SIZE,
        .max_http_header_data = HEADERS_MAX,
        .timeout_secs = LONG_SECONDS,
    };
    struct sigaction before, after;
    sigaction(SIGPIPE, NULL, &before);
    struct lws_context *context = lws_create_context(&info);
    sigaction(SIGPIPE, NULL, &after);
    if (after.sa_handler == SIG_IGN && before.sa_handler != SIG_IGN)
        sigaction(SIGPIPE, &before, NULL);
    return context;
}

static struct lws_vhost *create_vhost(const char *name, bool tls,
                                      const char *ca_file)
{
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .vhost_name = name,
        .protocols = protocols,
        .http_proxy_address = "", /* else from the environment */
        .connect_timeout_secs = LONG_SECONDS,
        .options = LWS_SERVER_OPTION_VHOST_UPG_STRICT_HOST_CHECK,
    };
    if (tls) {
        /* OpenSSL costs memory, so it begins with the first use. */
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        if (ca_file)
            info.options |= LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
        info.client_ssl_ca_filepath = ca_file;
    }
    return lws_create_vhost(io.context, &info);
}

/* With the lock held. */
static void wake(void)
{
    if (io.woken || io.state != RUNNING)
        return;
    io.woken = true;
    lws_cancel_service(io.context);
}

/* With the lock held. */
static void join(void)
{
    /* It does nothing any more that could wait for the lock. */
    pthread_join(io.thread, NULL);
    io.state = STOPPED;
    pthread_cond_broadcast(&io.changed);
}

/* At exit and at unloading. A thread that nobody holds, but nobody has joined
 * since it was itself the last holder, is waited for; one that is still held is
 * put to rest, because what it uses is about to be torn down. */
__attribute__((destructor)) static void rest(void)
{
    /* In a child of fork() there is no thread, whatever the state says. */
    if (io.process != getpid())
        return;
    pthread_mutex_lock(&io.lock);
    io.resting = true;
    wake();
    while (io.state != STOPPED && io.state != ENDED && !io.rests)
        pthread_cond_wait(&io.changed, &io.lock);
    if (io.state == ENDED)
        join();
    pthread_mutex_unlock(&io.lock);
}

struct lws_context *aper__io_context(void)
{
    return io.context;
}

struct lws_vhost *aper__io_vhost(bool tls, const char *ca_file)
{
    if (!tls)
        return io.plain;
    for (vhost *at = io.vhosts; at; at = at->next) {
        if (ca_file ? at->ca_file && strcmp(at->ca_file, ca_file) == 0
                    : !at->ca_file)
            return at->lws;
    }
    vhost *made = aper__alloc(sizeof *made);
    if (!made)
        return NULL;
    made->ca_file = aper__strdup(ca_file);
    if (ca_file && !made->ca_file)
        goto failed;
    made->lws = create_vhost(ca_file ? made->ca_file : "system", true,
                             ca_file);
    if (!made->lws)
        goto failed;
    /* OpenSSL has now said that it wants to clean up at exit; what is said
     * later runs earlier. */
    static bool said;
    if (!said)
        said = atexit(rest) == 0;
    made->next = io.vhosts;
    io.vhosts = made;
    return made->lws;
failed:
    aper__dealloc(made->ca_file);
    aper__dealloc(made);
    return NULL;
}

void aper__io_submit(aper__io_task *task)
{
    pthread_mutex_lock(&io.lock);
    task->next = NULL;
    *io.last = task;
    io.last = &task->next;
    wake();
    pthread_mutex_unlock(&io.lock);
}

static void run_posted(void *arg)
{
    aper__io_task *task = arg;
    aper__io_task posted = *(aper__io_task *)(task + 1);
    aper__dealloc(task);
    posted.fn(posted.arg);
}

aper_status aper__io_post(void (*fn)(void *arg), void *arg)
{
    aper__io_task *task = aper__alloc(2 * sizeof *task);
    if (!task)
        return APER_E_NOMEM;
    task[0] = (aper__io_task){run_posted, task, NULL};
    task[1] = (aper__io_task){fn, arg, NULL};
    aper__io_submit(task);
    return APER_OK;
}

static void run_tasks(void)
{
    pthread_mutex_lock(&io.lock);
    io.woken = false;
    aper__io_task *task = io.first;
    io.first = NULL;
    io.last = &io.first;
    pthread_mutex_unlock(&io.lock);
    while (task) {
        /* The function may free the task or hand it in again. */
        aper__io_task *next = task->next;
        task->fn(task->arg);
        task = next;
    }
}

/* With the lock held. */
static void unlink_timer(timer *at)
{
    *(at->prev ? &at->prev->next : &io.soonest) = at->next;
    *(at->next ? &at->next->prev : &io.latest) = at->prev;
}

aper_status aper__io_timer(uint32_t delay_ms, void (*fn)(void *arg), void *arg,
                           uint64_t *ret_id)
{
    timer *made = aper__alloc(sizeof *made);
    if (!made)
        return APER_E_NOMEM;
    *made = (timer){.due_ms = aper__now_ms() + delay_ms, .fn = fn,
                    .arg = arg};
    pthread_mutex_lock(&io.lock);
    made->id = ++io.last_id;
    if (ret_id)
        *ret_id = made->id;
    /* Most timers of a program are equally long, so the end is near. */
    timer *before = io.latest;
    while (before && before->due_ms > made->due_ms)
        before = before->prev;
    made->prev = before;
    made->next = before ? before->next : io.soonest;
    *(made->prev ? &made->prev->next : &io.soonest) = made;
    *(made->next ? &made->next->prev : &io.latest) = made;
    if (!before)
        wake();
    pthread_mutex_unlock(&io.lock);
    return APER_OK;
}

void aper__io_timer_cancel(uint64_t id)
{
    pthread_mutex_lock(&io.lock);
    timer *at = io.latest;
    while (at && at->id != id)
        at = at->prev;
    if (at)
        unlink_timer(at);
    while (!at && io.running_timer == id && id != 0 && !on_io_thread)
        pthread_cond_wait(&io.changed, &io.lock);
    pthread_mutex_unlock(&io.lock);
    aper__dealloc(at);
}

static void run_timers(lws_sorted_usec_list_t *unused)
{
    (void)unused;
    io.alarm_ms = 0;
    int64_t now = aper__now_ms();
    pthread_mutex_lock(&io.lock);
    while (io.soonest && io.soonest->due_ms <= now) {
        timer due = *io.soonest;
        timer *memory = io.soonest;
        unlink_timer(memory);
        io.running_timer = due.id;
        pthread_mutex_unlock(&io.lock);
        aper__dealloc(memory);
        due.fn(due.arg);
        pthread_mutex_lock(&io.lock);
        io.running_timer = 0;
        pthread_cond_broadcast(&io.changed);
    }
    /* What they changed is seen by the loop before it sleeps. */
    wake();
    pthread_mutex_unlock(&io.lock);
}

static void set_alarm(void)
{
    pthread_mutex_lock(&io.lock);
    int64_t due = io.soonest ? io.soonest->due_ms : 0;
    pthread_mutex_unlock(&io.lock);
    if (due == io.alarm_ms)
        return;
    io.alarm_ms = due;
    if (due == 0) {
        lws_sul_cancel(&io.alarm);
        return;
    }
    int64_t left = due - aper__now_ms();
    lws_sul_schedule(io.context, 0, &io.alarm, run_timers,
                     left > 0 ? left * LWS_US_PER_MS : 1);
}

/* True when nobody needs the thread any more. */
static bool is_over(void)
{
    pthread_mutex_lock(&io.lock);
    bool over = io.holders == 0 && !io.first;
    if (over) {
        io.state = ENDING;
        pthread_cond_broadcast(&io.changed);
    }
    while (io.resting && !over) {
        io.rests = true;
        pthread_cond_broadcast(&io.changed);
        pthread_cond_wait(&io.changed, &io.lock);
    }
    pthread_mutex_unlock(&io.lock);
    return over;
}

static void destroy_context(void)
{
    if (io.context)
        lws_context_destroy(io.context);
    for (vhost *next, *at = io.vhosts; at; at = next) {
        next = at->next;
        aper__dealloc(at->ca_file);
        aper__dealloc(at);
    }
    for (timer *next, *at = io.soonest; at; at = next) {
        next = at->next;
        aper__dealloc(at);
    }
    io.soonest = io.latest = NULL;
    io.vhosts = NULL;
    io.plain = NULL;
    io.alarm_ms = 0;
    memset(&io.alarm, 0, sizeof io.alarm);
}

static void set_state(state now, struct lws_context *context)
{
    pthread_mutex_lock(&io.lock);
    io.state = now;
    io.context = context;
    io.woken = false;
    pthread_cond_broadcast(&io.changed);
    pthread_mutex_unlock(&io.lock);
}

static void *io_main(void *unused)
{
    (void)unused;
    on_io_thread = true;
    bool hushed = hush_lws();
    io.context = create_context();
    if (io.context)
        io.plain = create_vhost("plain", false, NULL);
    if (io.plain) {
        set_state(RUNNING, io.context);
        /* Looked at only after run_tasks() has taken note of all wakes, or a
         * release in between would wake nobody. */
        for (run_tasks(); !is_over(); run_tasks()) {
            set_alarm();
            lws_service(io.context, 0);
        }
    }
    destroy_context();
    if (hushed)
        lws_set_log_level(LWS_DEFAULT_LEVEL, lwsl_emit_stderr);
    set_state(ENDED, NULL);
    return NULL;
}

/* With the lock held. The thread inherits a mask that blocks everything:
 * signals are for the host's threads. */
static bool start(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    io.state = STARTING;
    io.process = getpid();
    bool made = pthread_create(&io.thread, NULL, io_main, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!made) {
        io.state = STOPPED;
        pthread_cond_broadcast(&io.changed);
    }
    return made;
}

aper_status aper__io_acquire(aper_error **ret_error)
{
    aper_status status = aper__fork_claim();
    if (status)
        return aper__error_set(ret_error, status, "%s",
                               aper_status_get_text(status));
    pthread_mutex_lock(&io.lock);
    /* Counted first, or a thread that starts would find itself unneeded. */
    io.holders++;
    while (io.state != RUNNING && status == APER_OK) {
        if (io.state == ENDED)
            join();
        if (io.state == STOPPED) {
            if (!start())
                status = APER_E_NOMEM;
            while (io.state == STARTING)
                pthread_cond_wait(&io.changed, &io.lock);
            if (io.state != RUNNING)
                status = APER_E_NOMEM;
        } else if (io.state != RUNNING) {
            pthread_cond_wait(&io.changed, &io.lock);
        }
    }
    if (status != APER_OK)
        io.holders--;
    pthread_mutex_unlock(&io.lock);
    if (status != APER_OK)
        return aper__error_set(ret_error, status,
                               "the I/O thread could not be started");
    return APER_OK;
}

void aper__io_release(void)
{
    pthread_mutex_lock(&io.lock);
    if (--io.holders == 0) {
        wake();
        while (io.holders == 0 && !io.rests
               && (io.state == RUNNING || io.state == ENDING))
            pthread_cond_wait(&io.changed, &io.lock);
        if (io.state == ENDED)
            join();
    }
    pthread_mutex_unlock(&io.lock);
}

void aper__io_hold(void)
{
    pthread_mutex_lock(&io.lock);
    io.holders++;
    pthread_mutex_unlock(&io.lock);
}

void aper__io_drop(void)
{
    pthread_mutex_lock(&io.lock);
    if (--io.holders == 0)
        wake();
    pthread_cond_broadcast(&io.changed);
    pthread_mutex_unlock(&io.lock);
}
