/* SPDX-License-Identifier: Apache-2.0 */
/* Who serves the loop: threads that wait, or the I/O thread. Which of them does
 * in a given moment is left to the scheduler, so where it matters a test asks
 * until it was as wanted, and does what has to hold in any case many times. */
#include "cdp/cdp.h"
#include "fake_browser.h"
#include "leaks.h"
#include "listener.h"
#include "peer.h"
#include "suite.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 60000
#define ROUNDS 40

static fake_browser *fake;
static aper__cdp *cdp;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t told_on; /* thread of the last event */
static unsigned told;

static void on_event(void *userdata APER_UNUSED,
                     const char *session APER_UNUSED,
                     const char *method APER_UNUSED,
                     json_t *params APER_UNUSED)
{
    pthread_mutex_lock(&lock);
    told_on = pthread_self();
    told++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void on_closed(void *userdata APER_UNUSED, aper_status why APER_UNUSED,
                      const char *detail APER_UNUSED)
{
}

static atomic_uint held_id; /* of the last Test.held */

/* An event, then the answer. Test.never gets none, Test.held later. */
static void answer(fake_browser *f, json_t *command,
                   void *userdata APER_UNUSED)
{
    const char *method = aper__json_string(command, "method");
    unsigned id = (unsigned)aper__json_int(command, "id", 0);
    if (strcmp(method, "Test.held") == 0)
        atomic_store(&held_id, id);
    if (strcmp(method, "Test.ok") != 0)
        return;
    fake_browser_send(f, "{\"method\":\"Test.event\"}", 0);
    fake_browser_send(f, "{\"id\":%u,\"result\":{}}", id);
}

static void setup(void)
{
    static const aper__cdp_events events = {on_event, on_closed};
    aper__op op;
    fake = fake_browser_start(answer, NULL);
    aper__cdp_target target = {.pipe_fd = fake_browser_take_fd(fake)};
    aper__op_init(&op, PATIENCE_MS);
    ck_assert_int_eq(aper__cdp_open(&target, &events, NULL, &op, &cdp, NULL),
                     APER_OK);
}

static void teardown(void)
{
    aper__cdp_shutdown(cdp);
    aper__cdp_unref(cdp);
    fake_browser_stop(fake);
}

static aper_status call(const char *method, uint32_t timeout_ms)
{
    aper__op op;
    aper__op_init(&op, timeout_ms);
    aper_status status = aper__cdp_call(cdp, "", method, NULL, &op, NULL,
                                        NULL);
    return status;
}

static bool was_told_here(void)
{
    pthread_mutex_lock(&lock);
    bool here = pthread_equal(told_on, pthread_self()) && told > 0;
    pthread_mutex_unlock(&lock);
    return here;
}

/* Calls until this thread has served the loop itself, so that it most likely
 * will the next time as well. Check ends a test in which it never does. */
static void lead(void)
{
    do
        ck_assert_int_eq(call("Test.ok", PATIENCE_MS), APER_OK);
    while (!was_told_here());
}

START_TEST(a_thread_that_waits_serves_the_loop_itself)
{
    setup();
    ck_assert(!aper__io_is_current());
    lead();
    ck_assert(!aper__io_is_current());
    teardown();
}
END_TEST

START_TEST(the_io_thread_serves_while_nobody_waits)
{
    setup();
    for (unsigned i = 0; i < ROUNDS; i++) {
        lead();
        pthread_mutex_lock(&lock);
        unsigned before = told;
        pthread_mutex_unlock(&lock);
        fake_browser_send(fake, "{\"method\":\"Test.event\"}", 0);
        pthread_mutex_lock(&lock);
        while (told == before)
            pthread_cond_wait(&changed, &lock);
        ck_assert(!pthread_equal(told_on, pthread_self()));
        pthread_mutex_unlock(&lock);
    }
    teardown();
}
END_TEST

static void on_reply(void *userdata APER_UNUSED, aper_status status,
                     json_t *result APER_UNUSED,
                     const char *message APER_UNUSED)
{
    pthread_mutex_lock(&lock);
    told += status == APER_OK;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

START_TEST(what_nobody_waits_for_is_sent_and_told_as_well)
{
    setup();
    fake_browser_answer(fake, "Test.quiet", "{}");
    for (unsigned i = 0; i < ROUNDS; i++) {
        lead();
        pthread_mutex_lock(&lock);
        unsigned before = told;
        pthread_mutex_unlock(&lock);
        ck_assert_int_eq(aper__cdp_send(cdp, "", "Test.quiet", NULL, 0,
                                        on_reply, NULL), APER_OK);
        pthread_mutex_lock(&lock);
        while (told == before)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    teardown();
}
END_TEST

/* ---- how a leader's wait ends ---------------------------------------------- */

typedef struct canceller {
    aper__op *op;
    unsigned count; /* of Test.never, when it is under way */
} canceller;

static void *cancel(void *arg)
{
    const canceller *it = arg;
    fake_browser_wait(fake, "Test.never", it->count);
    aper__op_interrupt(it->op, APER_E_CANCELLED);
    return NULL;
}

START_TEST(another_thread_ends_the_wait_of_a_leader)
{
    setup();
    for (unsigned i = 0; i < ROUNDS; i++) {
        aper__op op;
        pthread_t thread;
        canceller it = {&op, i + 1};
        lead();
        aper__op_init(&op, PATIENCE_MS);
        pthread_create(&thread, NULL, cancel, &it);
        ck_assert_int_eq(aper__cdp_call(cdp, "", "Test.never", NULL, &op,
                                        NULL, NULL), APER_E_CANCELLED);
        pthread_join(thread, NULL);
    }
    teardown();
}
END_TEST

START_TEST(the_deadline_ends_the_wait_of_a_leader)
{
    setup();
    for (unsigned i = 0; i < ROUNDS; i++) {
        lead();
        ck_assert_int_eq(call("Test.never", 1 + i % 5), APER_E_TIMEOUT);
    }
    teardown();
}
END_TEST

static void *close_soon(void *arg APER_UNUSED)
{
    fake_browser_wait(fake, "Test.never", 1);
    aper__cdp_close(cdp);
    return NULL;
}

START_TEST(closing_ends_the_wait_of_a_leader)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        pthread_t thread;
        setup();
        lead();
        pthread_create(&thread, NULL, close_soon, NULL);
        ck_assert_int_eq(call("Test.never", PATIENCE_MS), APER_E_CLOSED);
        pthread_join(thread, NULL);
        teardown();
    }
}
END_TEST

static void *vanish_soon(void *arg APER_UNUSED)
{
    fake_browser_wait(fake, "Test.never", 1);
    fake_browser_vanish(fake);
    return NULL;
}

START_TEST(a_leader_hears_that_the_browser_has_gone)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        pthread_t thread;
        setup();
        lead();
        pthread_create(&thread, NULL, vanish_soon, NULL);
        ck_assert_int_eq(call("Test.never", PATIENCE_MS), APER_E_GONE);
        pthread_join(thread, NULL);
        teardown();
    }
}
END_TEST

/* ---- more than one ----------------------------------------------------------- */

static void *follow(void *arg APER_UNUSED)
{
    return call("Test.held", PATIENCE_MS) == APER_OK ? NULL : &fake;
}

START_TEST(who_waits_behind_a_leader_is_served_after_its_end)
{
    setup();
    for (unsigned i = 0; i < ROUNDS; i++) {
        aper__op op;
        aper__cdp_pending *pending = NULL;
        pthread_t thread;
        void *failed;
        unsigned before = atomic_load(&held_id);
        lead();
        aper__op_init(&op, 1 + i % 3);
        ck_assert_int_eq(aper__cdp_begin(cdp, "", "Test.never", NULL, &op,
                                         &pending, NULL), APER_OK);
        pthread_create(&thread, NULL, follow, NULL);
        ck_assert_int_eq(aper__cdp_finish(pending, NULL, NULL),
                         APER_E_TIMEOUT);
        while (atomic_load(&held_id) == before)
            usleep(100);
        fake_browser_send(fake, "{\"id\":%u,\"result\":{}}",
                          atomic_load(&held_id));
        pthread_join(thread, &failed);
        ck_assert_ptr_null(failed);
    }
    teardown();
}
END_TEST

static void *call_often(void *arg)
{
    uint32_t seed = (uint32_t)(uintptr_t)arg;
    for (unsigned i = 0; i < 300; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned kind = seed >> 24;
        if (kind < 16) {
            if (call("Test.never", 1) != APER_E_TIMEOUT)
                return &fake;
        } else if (kind < 32) {
            usleep(3000); /* so that the I/O thread comes back */
        } else if (call("Test.ok", PATIENCE_MS) != APER_OK) {
            return &fake;
        }
    }
    return NULL;
}

START_TEST(many_threads_lead_and_follow_in_turn)
{
    pthread_t threads[6];
    setup();
    for (uintptr_t i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, call_often, (void *)i);
    for (size_t i = 0; i < 6; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
    }
    teardown();
}
END_TEST

static void *wait_for_wake(void *arg)
{
    aper__op *op = arg;
    return aper__op_wait(op, 0) == APER_OK ? NULL : arg;
}

START_TEST(a_thread_that_waits_for_something_else_keeps_nobody_up)
{
    unsigned threads = leaks_threads();
    for (unsigned i = 0; i < ROUNDS; i++) {
        aper__op op;
        pthread_t thread;
        void *failed;
        aper__op_init(&op, PATIENCE_MS);
        setup();
        lead();
        pthread_create(&thread, NULL, wait_for_wake, &op);
        if (i % 2)
            ck_assert_int_eq(call("Test.ok", PATIENCE_MS), APER_OK);
        teardown();
        ck_assert(leaks_wait_threads(threads + 1));
        aper__op_wake(&op);
        pthread_join(thread, &failed);
        ck_assert_ptr_null(failed);
    }
}
END_TEST

/* ---- signals ------------------------------------------------------------------ */

static atomic_uint alarms, pipes;

static void on_alarm(int signal_number APER_UNUSED)
{
    atomic_fetch_add(&alarms, 1);
}

static void on_pipe(int signal_number APER_UNUSED)
{
    atomic_fetch_add(&pipes, 1);
}

START_TEST(signals_of_the_host_come_through_and_harm_no_call)
{
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    setup();
    lead();
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (unsigned i = 0; i < 200 || atomic_load(&alarms) < 20; i++)
        ck_assert_int_eq(call("Test.ok", PATIENCE_MS), APER_OK);
    ck_assert_int_eq(call("Test.never", 20), APER_E_TIMEOUT);
    setitimer(ITIMER_REAL, &never, NULL);
    teardown();
}
END_TEST

static atomic_bool raised;

/* As OpenSSL would bring it about by writing to a dead peer. */
static void raise_pipe(listener *ear)
{
    if (pthread_equal(*(pthread_t *)ear->context, pthread_self())) {
        raise(SIGPIPE);
        atomic_store(&raised, true);
    }
}

START_TEST(the_host_hears_nothing_of_a_leaders_sigpipe)
{
    struct sigaction action = {.sa_handler = on_pipe};
    sigset_t before, after, pending;
    pthread_t self = pthread_self();
    sigaction(SIGPIPE, &action, NULL);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO,
                                              .certificate = PEER_GOOD});
    char *url = peer_url(server, "wss", "localhost", "/");
    aper__wire_target target = {.url = url, .ca_file = peer_ca_file(server),
                                .connect_timeout_ms = PATIENCE_MS};
    listener ear;
    listener_init(&ear);
    ear.on_message = raise_pipe;
    ear.context = &self;
    aper__wire *wire = NULL;
    ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events,
                                               &ear, &wire, NULL), APER_OK);
    listener_await_opened(&ear);
    for (size_t i = 1; !atomic_load(&raised); i++) {
        ck_assert_int_eq(aper__wire_send(wire, "x", 1), APER_OK);
        listener_await_messages(&ear, i);
    }
    ck_assert_uint_eq(atomic_load(&pipes), 0);
    sigpending(&pending);
    ck_assert_int_eq(sigismember(&pending, SIGPIPE), 0);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < 32; i++)
        ck_assert_int_eq(sigismember(&before, i), sigismember(&after, i));
    raise(SIGPIPE);
    ck_assert_uint_eq(atomic_load(&pipes), 1);
    aper__wire_close(wire);
    listener_await_closed(&ear, APER_E_CLOSED);
    aper__wire_unref(wire);
    listener_free(&ear);
    peer_stop(server);
    free(url);
}
END_TEST

/* ---- exit --------------------------------------------------------------------- */

static void exit_now(int signal_number APER_UNUSED)
{
    exit(7);
}

static void *exit_soon(void *arg APER_UNUSED)
{
    fake_browser_wait(fake, "Test.never", 1);
    exit(7);
}

/* In a child, as exit() is what is tested. */
static void leave(bool by_signal)
{
    struct sigaction action = {.sa_handler = exit_now};
    struct itimerval soon = {{0, 0}, {0, 20000}};
    pthread_t thread;
    setup();
    lead();
    if (by_signal) {
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &soon, NULL);
    } else {
        pthread_create(&thread, NULL, exit_soon, NULL);
    }
    call("Test.never", PATIENCE_MS);
    _exit(2);
}

START_TEST(a_process_may_exit_while_a_caller_leads)
{
    for (unsigned i = 0; i < 10; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0)
            leave(i % 2);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7,
                      "wait status %x", (unsigned)status);
    }
}
END_TEST

SUITE("lead", 120, a_thread_that_waits_serves_the_loop_itself,
      the_io_thread_serves_while_nobody_waits,
      what_nobody_waits_for_is_sent_and_told_as_well,
      another_thread_ends_the_wait_of_a_leader,
      the_deadline_ends_the_wait_of_a_leader,
      closing_ends_the_wait_of_a_leader,
      a_leader_hears_that_the_browser_has_gone,
      who_waits_behind_a_leader_is_served_after_its_end,
      many_threads_lead_and_follow_in_turn,
      a_thread_that_waits_for_something_else_keeps_nobody_up,
      signals_of_the_host_come_through_and_harm_no_call,
      the_host_hears_nothing_of_a_leaders_sigpipe,
      a_process_may_exit_while_a_caller_leads)
