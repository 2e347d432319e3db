/* SPDX-License-Identifier: Apache-2.0 */
/* One thread per browser forks it, reads what it writes, and collects it. The
 * parent-death signal comes when the thread that forked ends, so the thread
 * must not end before the browser has. */
#include "cdp/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

extern char **environ;

#define STACK_SIZE ((size_t)256 * 1024)
#define RING_SIZE 8192
/* Where the kernel cannot tell of the end of a process. */
#define LOOK_MS 50
/* Above all descriptors that the child gives a meaning to. */
#define FIRST_FD 10

enum { STARTING, RUNNING, FAILED, ENDED };

struct aper__process {
    const aper__process_plan *plan; /* while STARTING */
    char *const *env; /* while STARTING */
    pthread_t thread;
    bool joined;
    pthread_mutex_t lock;
    pthread_cond_t started; /* no longer STARTING */
    aper__op *waiter; /* woken when ENDED */
    int state;
    int error; /* when FAILED */
    int status; /* when ENDED */
    pid_t pid;
    int output; /* what the child writes */
    int watch; /* readable once the child has ended, or -1 */
    size_t written; /* into the ring, ever */
    char ring[RING_SIZE];
};

/* ---- in the child: only what is safe after fork --------------------------- */

typedef struct child {
    const char *path;
    char *const *args;
    char *const *env;
    pid_t parent;
    int null;
    int output;
    int error;
    int pipe;
    int fd_limit;
} child;

static void reset_signals(void)
{
    struct sigaction action;
    sigset_t none;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    for (int i = 1; i < NSIG; i++)
        sigaction(i, &action, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Descriptors of the host that are not marked are nothing for a browser. */
static void mark_others(int first, int limit)
{
#if defined(__linux__) && defined(SYS_close_range)
    const unsigned cloexec = 4;
    if (syscall(SYS_close_range, first, ~0U, cloexec) == 0)
        return;
#endif
    for (int fd = first; fd < limit; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static _Noreturn void run_child(const child *c)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != c->parent)
        _exit(127);
#endif
    reset_signals();
    dup2(c->null, 0);
    dup2(c->output, 1);
    dup2(c->output, 2);
    if (c->pipe >= 0) {
        dup2(c->pipe, 3);
        dup2(c->pipe, 4);
    }
    mark_others(c->pipe >= 0 ? 5 : 3, c->fd_limit);
    execve(c->path, c->args, c->env);
    int error = errno;
    ssize_t written APER_UNUSED = write(c->error, &error, sizeof error);
    _exit(127);
}

/* ---- forking --------------------------------------------------------------- */

static void close_fd(int fd)
{
    if (fd >= 0)
        close(fd);
}

static int high_fd(int fd)
{
    int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD) : -1;
    close_fd(fd);
    return high;
}

static bool high_pipe(int fds[2])
{
    int raw[2];
    if (pipe(raw) != 0)
        return false;
    fds[0] = high_fd(raw[0]);
    fds[1] = high_fd(raw[1]);
    return fds[0] >= 0 && fds[1] >= 0;
}

static int fd_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 65536)
        return 65536;
    return (int)limit.rlim_cur;
}

/* Waits until the child runs the program; 0, or why it does not. */
static int read_error(int fd)
{
    int error = 0;
    ssize_t size;
    do
        size = read(fd, &error, sizeof error);
    while (size < 0 && errno == EINTR);
    return size == (ssize_t)sizeof error ? error : 0;
}

static int fork_child(aper__process *process, const child *c, int error_fd)
{
    pid_t pid = fork();
    if (pid == 0)
        run_child(c);
    int error = pid < 0 ? errno : 0;
    close(c->error);
    if (pid > 0) {
        setpgid(pid, pid); /* whichever of both comes first */
        process->pid = pid;
        error = read_error(error_fd);
        if (error)
            waitpid(pid, NULL, 0);
    }
    return error;
}

/* 0, or an errno. */
static int spawn(aper__process *process)
{
    int output[2] = {-1, -1};
    int failure[2] = {-1, -1};
    int error = EMFILE;
    const aper__process_plan *plan = process->plan;
    child c = {.path = plan->path,
               .args = plan->args,
               .env = process->env,
               .parent = getpid(),
               .pipe = -1,
               .fd_limit = fd_limit()};
    c.null = high_fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (plan->pipe >= 0)
        c.pipe = fcntl(plan->pipe, F_DUPFD_CLOEXEC, FIRST_FD);
    if (high_pipe(output) && high_pipe(failure) && c.null >= 0
        && (plan->pipe < 0 || c.pipe >= 0)) {
        c.output = output[1];
        c.error = failure[1];
        error = fork_child(process, &c, failure[0]);
        failure[1] = -1;
    }
    close_fd(c.null);
    close_fd(c.pipe);
    close_fd(output[1]);
    close_fd(failure[0]);
    close_fd(failure[1]);
    process->output = output[0];
    return error;
}

/* ---- the thread ------------------------------------------------------------ */

static void set_state(aper__process *process, int state)
{
    pthread_mutex_lock(&process->lock);
    process->state = state;
    pthread_cond_broadcast(&process->started);
    pthread_mutex_unlock(&process->lock);
}

static void keep(aper__process *process, const char *data, size_t size)
{
    pthread_mutex_lock(&process->lock);
    for (size_t i = 0; i < size; i++)
        process->ring[process->written++ % RING_SIZE] = data[i];
    pthread_mutex_unlock(&process->lock);
}

/* Reads all there is; at the end, closes. */
static void drain(aper__process *process)
{
    char data[2048];
    for (;;) {
        ssize_t size = read(process->output, data, sizeof data);
        if (size > 0) {
            keep(process, data, (size_t)size);
        } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(process->output);
            process->output = -1;
            return;
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

static bool has_exited(const aper__process *process)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)process->pid, &info,
                  WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

static void watch(aper__process *process)
{
    while (!has_exited(process)) {
        struct pollfd fds[2] = {{.fd = process->output, .events = POLLIN},
                                {.fd = process->watch, .events = POLLIN}};
        poll(fds, 2, process->watch >= 0 ? -1 : LOOK_MS);
        if (process->output >= 0 && fds[0].revents)
            drain(process);
    }
    if (process->output >= 0)
        drain(process);
}

/* Until the leader is collected its id, and so that of the group, is not
 * reused. What is left of the group goes with it. */
static void collect(aper__process *process)
{
    int status = 0;
    kill(-process->pid, SIGKILL);
    pthread_mutex_lock(&process->lock);
    waitpid(process->pid, &status, 0);
    process->status = status;
    process->state = ENDED;
    if (process->waiter)
        aper__op_wake(process->waiter);
    pthread_mutex_unlock(&process->lock);
}

static int open_watch(pid_t pid APER_UNUSED)
{
#if defined(__linux__) && defined(SYS_pidfd_open)
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    return -1;
#endif
}

static void *thread_main(void *arg)
{
    aper__process *process = arg;
    process->error = spawn(process);
    if (process->error) {
        set_state(process, FAILED);
        return NULL;
    }
    fcntl(process->output, F_SETFL, O_NONBLOCK);
    process->watch = open_watch(process->pid);
    set_state(process, RUNNING);
    watch(process);
    collect(process);
    return NULL;
}

/* The host's signal handlers are not to run on a thread of ours. */
static int start_thread(aper__process *process)
{
    pthread_attr_t attr;
    sigset_t all;
    sigset_t before;
    int error = pthread_attr_init(&attr);
    if (error)
        return error;
    pthread_attr_setstacksize(&attr, STACK_SIZE);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&process->thread, &attr, thread_main, process);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return error;
}

/* ---- outside --------------------------------------------------------------- */

/* The host's environment but for TMPDIR, which first replaces unless it is
 * NULL. The strings are borrowed. */
static const char **make_env(const char *first)
{
    size_t count = 0;
    size_t used = 0;
    while (environ && environ[count])
        count++;
    const char **env = aper__alloc((count + 2) * sizeof *env);
    if (!env)
        return NULL;
    if (first)
        env[used++] = first;
    for (size_t i = 0; i < count; i++)
        if (!first || strncmp(environ[i], "TMPDIR=", 7) != 0)
            env[used++] = environ[i];
    return env;
}

static void process_dispose(aper__process *process)
{
    close_fd(process->output);
    close_fd(process->watch);
    pthread_cond_destroy(&process->started);
    pthread_mutex_destroy(&process->lock);
    aper__dealloc(process);
}

/* Gives 0, or an errno after which no thread is left. */
static int run(aper__process *process)
{
    int error = start_thread(process);
    if (error)
        return error;
    pthread_mutex_lock(&process->lock);
    while (process->state == STARTING)
        pthread_cond_wait(&process->started, &process->lock);
    bool failed = process->state == FAILED;
    pthread_mutex_unlock(&process->lock);
    if (!failed)
        return 0;
    pthread_join(process->thread, NULL);
    return process->error;
}

aper_status aper__process_start(const aper__process_plan *plan,
                                aper__process **ret_process, int *ret_errno)
{
    aper__buf temp = {0};
    if (plan->temp_dir)
        aper__buf_printf(&temp, "TMPDIR=%s", plan->temp_dir);
    const char **env = make_env(temp.data);
    aper__process *process = aper__alloc(sizeof *process);
    int error = ENOMEM;
    if (env && process && !temp.failed) {
        pthread_mutex_init(&process->lock, NULL);
        pthread_cond_init(&process->started, NULL);
        process->plan = plan;
        process->env = (char *const *)env;
        process->output = process->watch = -1;
        error = run(process);
        if (error) {
            process_dispose(process);
            process = NULL;
        }
    }
    aper__buf_free(&temp);
    aper__dealloc(env);
    *ret_errno = error;
    if (error) {
        aper__dealloc(process);
        return error == ENOMEM ? APER_E_NOMEM : APER_E_LAUNCH;
    }
    *ret_process = process;
    return APER_OK;
}

pid_t aper__process_pid(const aper__process *process)
{
    return process->pid;
}

bool aper__process_ended(aper__process *process, int *ret_status)
{
    pthread_mutex_lock(&process->lock);
    bool ended = process->state == ENDED;
    if (ended)
        *ret_status = process->status;
    pthread_mutex_unlock(&process->lock);
    return ended;
}

static bool set_waiter(aper__process *process, aper__op *op)
{
    pthread_mutex_lock(&process->lock);
    process->waiter = op;
    bool ended = process->state == ENDED;
    pthread_mutex_unlock(&process->lock);
    return ended;
}

bool aper__process_wait(aper__process *process, aper__op *op, int64_t until_ms)
{
    uint32_t seen = aper__op_seen(op);
    if (!set_waiter(process, op))
        aper__op_wait_until(op, seen, until_ms);
    return set_waiter(process, NULL);
}

void aper__process_signal(aper__process *process, int signal_number)
{
    pthread_mutex_lock(&process->lock);
    if (process->state == RUNNING)
        kill(process->pid, signal_number);
    pthread_mutex_unlock(&process->lock);
}

void aper__process_kill(aper__process *process)
{
    if (process->joined)
        return;
    pthread_mutex_lock(&process->lock);
    if (process->state == RUNNING)
        kill(-process->pid, SIGKILL);
    pthread_mutex_unlock(&process->lock);
    pthread_join(process->thread, NULL);
    process->joined = true;
}

void aper__process_output(aper__process *process, aper__buf *out)
{
    pthread_mutex_lock(&process->lock);
    size_t from = process->written > RING_SIZE ? process->written - RING_SIZE
                                               : 0;
    size_t start = from % RING_SIZE;
    size_t size = process->written - from;
    size_t first = size < RING_SIZE - start ? size : RING_SIZE - start;
    aper__buf_append(out, process->ring + start, first);
    aper__buf_append(out, process->ring, size - first);
    pthread_mutex_unlock(&process->lock);
}

void aper__process_free(aper__process *process)
{
    if (!process)
        return;
    aper__process_kill(process);
    process_dispose(process);
}
