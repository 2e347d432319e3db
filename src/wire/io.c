/* SPDX-License-Identifier: Apache-2.0 */
/* The life of the loop: it begins and ends on the I/O thread, and runs what is
 * handed in on whatever thread leads. */
#include "wire/loop.h"

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

typedef struct vhost {
    struct vhost *next;
    struct lws_vhost *lws;
    char *ca_file;
} vhost;

struct aper__loop aper__loop = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                .changed = PTHREAD_COND_INITIALIZER};

static struct {
    pthread_t thread;
    pid_t process; /* that the thread was started in */
    aper__io_task *first;
    aper__io_task **last;
    /* For whoever leads: */
    struct lws_vhost *plain;
    vhost *vhosts;
} io = {.last = &io.first};

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
 * that drops the lines of a thread that leads and passes on all others. */
#define LWS_DEFAULT_LEVEL (LLL_ERR | LLL_WARN | LLL_NOTICE)

static void emit_for_others(int level, const char *line)
{
    if (!aper__io_is_current())
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
 * once, unless the host has set something else in that moment. Whoever leads
 * has no use for it. */
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

static struct lws_vhost *create_vhost(struct lws_context *context,
                                      const char *name, bool tls,
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
    return lws_create_vhost(context, &info);
}

/* With the lock held. */
static void join(void)
{
    /* It does nothing any more that could wait for the lock. */
    pthread_join(io.thread, NULL);
    aper__loop.state = APER__LOOP_STOPPED;
    pthread_cond_broadcast(&aper__loop.changed);
}

/* At exit and at unloading. A thread that nobody holds, but nobody has joined
 * since it was itself the last holder, is waited for; of one that is still held
 * only that nobody leads, because what they use is about to be torn down. */
__attribute__((destructor)) static void rest(void)
{
    /* In a child of fork() there is no thread, whatever the state says. A
     * thread that leads is here from the handler of a signal, so nobody else
     * is in lws, and nobody will be. */
    if (io.process != getpid() || aper__io_is_current())
        return;
    pthread_mutex_lock(&aper__loop.lock);
    aper__loop.resting = true;
    aper__lead_alert(true);
    pthread_cond_broadcast(&aper__loop.changed);
    while (aper__lead_is_taken() || aper__loop.state == APER__LOOP_STARTING
           || (aper__loop.state == APER__LOOP_RUNNING
               && aper__loop.holders == 0))
        pthread_cond_wait(&aper__loop.changed, &aper__loop.lock);
    if (aper__loop.state == APER__LOOP_ENDED)
        join();
    pthread_mutex_unlock(&aper__loop.lock);
}

struct lws_context *aper__io_context(void)
{
    return aper__loop.context;
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
    made->lws = create_vhost(aper__loop.context,
                             ca_file ? made->ca_file : "system", true,
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
    aper__loop.tls = true;
    return made->lws;
failed:
    aper__dealloc(made->ca_file);
    aper__dealloc(made);
    return NULL;
}

static void submit(aper__io_task *task, bool urgent)
{
    pthread_mutex_lock(&aper__loop.lock);
    task->next = NULL;
    *io.last = task;
    io.last = &task->next;
    aper__lead_alert(urgent);
    pthread_mutex_unlock(&aper__loop.lock);
}

void aper__io_submit(aper__io_task *task)
{
    submit(task, true);
}

void aper__io_submit_soon(aper__io_task *task)
{
    submit(task, false);
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

bool aper__io_has_tasks(void)
{
    return io.first != NULL;
}

void aper__io_run_tasks(void)
{
    while (io.first) {
        aper__io_task *task = io.first;
        io.first = NULL;
        io.last = &io.first;
        pthread_mutex_unlock(&aper__loop.lock);
        while (task) {
            /* The function may free the task or hand it in again. */
            aper__io_task *next = task->next;
            task->fn(task->arg);
            task = next;
        }
        pthread_mutex_lock(&aper__loop.lock);
    }
}

static void destroy_context(struct lws_context *context)
{
    if (context)
        lws_context_destroy(context);
    for (vhost *next, *at = io.vhosts; at; at = next) {
        next = at->next;
        aper__dealloc(at->ca_file);
        aper__dealloc(at);
    }
    io.vhosts = NULL;
    io.plain = NULL;
    aper__loop.tls = false;
    aper__timer_free_all();
}

/* With the lock held. */
static void set_state(aper__loop_state now, struct lws_context *context)
{
    aper__loop.state = now;
    aper__loop.context = context;
    pthread_cond_broadcast(&aper__loop.changed);
}

static void *io_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&aper__loop.lock);
    aper__lead_begin();
    pthread_mutex_unlock(&aper__loop.lock);
    bool hushed = hush_lws();
    struct lws_context *context = create_context();
    if (context)
        io.plain = create_vhost(context, "plain", false, NULL);
    pthread_mutex_lock(&aper__loop.lock);
    if (io.plain) {
        set_state(APER__LOOP_RUNNING, context);
        aper__lead_run();
        set_state(APER__LOOP_ENDING, context);
    }
    pthread_mutex_unlock(&aper__loop.lock);
    destroy_context(context);
    if (hushed)
        lws_set_log_level(LWS_DEFAULT_LEVEL, lwsl_emit_stderr);
    pthread_mutex_lock(&aper__loop.lock);
    aper__lead_end();
    set_state(APER__LOOP_ENDED, NULL);
    pthread_mutex_unlock(&aper__loop.lock);
    return NULL;
}

/* With the lock held. The thread inherits a mask that blocks everything:
 * signals are for the host's threads. */
static bool start(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    aper__loop.state = APER__LOOP_STARTING;
    io.process = getpid();
    bool made = pthread_create(&io.thread, NULL, io_main, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!made) {
        aper__loop.state = APER__LOOP_STOPPED;
        pthread_cond_broadcast(&aper__loop.changed);
    }
    return made;
}

aper_status aper__io_acquire(aper_error **ret_error)
{
    aper_status status = aper__fork_claim();
    if (status)
        return aper__error_set(ret_error, status, "%s",
                               aper_status_get_text(status));
    pthread_mutex_lock(&aper__loop.lock);
    /* Counted first, or a thread that starts would find itself unneeded. */
    aper__loop.holders++;
    while (aper__loop.state != APER__LOOP_RUNNING && status == APER_OK) {
        if (aper__loop.state == APER__LOOP_ENDED)
            join();
        if (aper__loop.state == APER__LOOP_STOPPED) {
            if (!start())
                status = APER_E_NOMEM;
            while (aper__loop.state == APER__LOOP_STARTING)
                pthread_cond_wait(&aper__loop.changed, &aper__loop.lock);
            if (aper__loop.state != APER__LOOP_RUNNING)
                status = APER_E_NOMEM;
        } else if (aper__loop.state != APER__LOOP_RUNNING) {
            pthread_cond_wait(&aper__loop.changed, &aper__loop.lock);
        }
    }
    if (status != APER_OK)
        aper__loop.holders--;
    pthread_mutex_unlock(&aper__loop.lock);
    if (status != APER_OK)
        return aper__error_set(ret_error, status,
                               "the I/O thread could not be started");
    return APER_OK;
}

void aper__io_release(void)
{
    pthread_mutex_lock(&aper__loop.lock);
    if (--aper__loop.holders == 0) {
        aper__lead_alert(true);
        while (aper__loop.holders == 0 && !aper__loop.resting
               && (aper__loop.state == APER__LOOP_RUNNING || aper__loop.state == APER__LOOP_ENDING))
            pthread_cond_wait(&aper__loop.changed, &aper__loop.lock);
        if (aper__loop.state == APER__LOOP_ENDED)
            join();
    }
    pthread_mutex_unlock(&aper__loop.lock);
}

void aper__io_hold(void)
{
    pthread_mutex_lock(&aper__loop.lock);
    aper__loop.holders++;
    pthread_mutex_unlock(&aper__loop.lock);
}

void aper__io_drop(void)
{
    pthread_mutex_lock(&aper__loop.lock);
    if (--aper__loop.holders == 0)
        aper__lead_alert(true);
    pthread_cond_broadcast(&aper__loop.changed);
    pthread_mutex_unlock(&aper__loop.lock);
}
