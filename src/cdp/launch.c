/* SPDX-License-Identifier: Apache-2.0 */
/* Starting a browser and ending it. */
#include "cdp/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX 2048
#define PORT_FILE_MAX 512
/* The port file is looked for this often; the port itself never, as every
 * connection may ask the user for leave. */
#define LOOK_MS 10

struct aper__launch {
    pid_t owner; /* who started it */
    aper__profile profile;
    aper__process *process;
    char *endpoint;
    int pipe; /* our end, or -1 */
    bool stopped;
};

/* ---- why it did not start --------------------------------------------------- */

static void append_lines(aper__buf *out, const char *text)
{
    const char *separator = "";
    while (*text) {
        size_t size = strcspn(text, "\n");
        size_t before = out->size;
        aper__buf_puts(out, separator);
        size_t empty = out->size;
        aper__text_clean(out, text, size, 0);
        if (out->size > empty)
            separator = " | ";
        else if (!out->failed && out->data)
            out->data[out->size = before] = '\0';
        text += size + (text[size] == '\n');
    }
}

void aper__launch_append_output(aper__launch *launch, aper__buf *out)
{
    aper__buf raw = {0};
    aper__process_output(launch->process, &raw);
    if (raw.data) {
        const char *text = raw.data;
        if (raw.size > OUTPUT_MAX) {
            text += raw.size - OUTPUT_MAX;
            const char *line = strchr(text, '\n');
            text = line ? line + 1 : text;
        }
        append_lines(out, text);
    }
    aper__buf_free(&raw);
}

static bool has_any(const char *text, const char *const *phrases)
{
    for (; *phrases; phrases++)
        if (strstr(text, *phrases))
            return true;
    return false;
}

/* What Chromium says when it ends at once. */
static aper_status read_reason(aper__process *process)
{
    static const char *const sandbox[] = {
        "No usable sandbox", "without --no-sandbox", "setuid sandbox",
        "Failed to move to new namespace", NULL};
    static const char *const in_use[] = {
        "existing browser session", "profile appears to be in use", NULL};
    aper__buf raw = {0};
    aper_status status = APER_E_LAUNCH;
    aper__process_output(process, &raw);
    if (raw.data && has_any(raw.data, sandbox))
        status = APER_E_SANDBOX;
    else if (raw.data && has_any(raw.data, in_use))
        status = APER_E_IN_USE;
    aper__buf_free(&raw);
    return status;
}

static aper_status sandbox_error(aper_error **ret_error, const char *why)
{
    return aper__error_set(
        ret_error, APER_E_SANDBOX,
        "%s; set no_sandbox in aper_launch_options to do without the sandbox, "
        "or run as another user", why);
}

static void append_end(aper__buf *out, int status)
{
    if (WIFSIGNALED(status))
        aper__buf_printf(out, "was ended by signal %d", WTERMSIG(status));
    else
        aper__buf_printf(out, "ended with code %d", WEXITSTATUS(status));
}

static aper_status ended_error(aper__launch *launch, int wait_status,
                               aper_error **ret_error)
{
    aper_status status = read_reason(launch->process);
    aper__buf text = {0};
    aper__buf output = {0};
    append_end(&text, wait_status);
    aper__launch_append_output(launch, &output);
    aper__buf_puts(&text, " before it could be used: ");
    aper__buf_puts(&text, output.data ? output.data : "it said nothing");
    aper__buf_free(&output);
    const char *what = text.data ? text.data : "ended";
    if (status == APER_E_SANDBOX)
        aper__error_set(ret_error, status,
                        "Chromium's sandbox cannot work here; set no_sandbox "
                        "in aper_launch_options to do without; the browser %s",
                        what);
    else
        aper__error_set(ret_error, status, "%sthe browser %s",
                        status == APER_E_IN_USE
                            ? "another browser uses the profile; " : "", what);
    aper__buf_free(&text);
    return status;
}

static aper_status unusable_error(aper__launch *launch, aper_status status,
                                  aper_error **ret_error)
{
    aper__buf text = {0};
    aper__launch_append_output(launch, &text);
    aper__error_set(ret_error, status,
                    "the browser was started but cannot be used: %s; its last "
                    "output: %s", aper__op_reason(status),
                    text.data && text.size ? text.data : "none");
    aper__buf_free(&text);
    return status;
}

aper_status aper__launch_explain(aper__launch *launch, aper_status status,
                                 aper_error **ret_error)
{
    int wait_status;
    if (status == APER_E_GONE) {
        /* The connection may have noticed before our thread did. */
        aper__op op;
        aper__op_init(&op, 1000);
        aper__process_wait(launch->process, &op, INT64_MAX);
    }
    if (aper__process_ended(launch->process, &wait_status))
        return ended_error(launch, wait_status, ret_error);
    if (status == APER_E_TIMEOUT)
        return unusable_error(launch, status, ret_error);
    return status;
}

/* ---- waiting until it is there ---------------------------------------------- */

static ssize_t read_port_file(const char *directory, char *text, size_t size)
{
    aper__buf path = {0};
    aper__buf_printf(&path, "%s/" APER__PORT_FILE, directory);
    int fd = path.failed ? -1
                         : open(path.data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    aper__buf_free(&path);
    if (fd < 0)
        return -1;
    ssize_t got = read(fd, text, size);
    close(fd);
    return got;
}

aper_status aper__launch_read_port(const char *directory, char **ret_url)
{
    char text[PORT_FILE_MAX];
    char path[PORT_FILE_MAX];
    uint16_t port;
    aper__buf url = {0};
    ssize_t size = read_port_file(directory, text, sizeof text);
    if (size < 0)
        return APER_E_NOT_FOUND;
    if (!aper__discover_parse_port_file(text, (size_t)size, &port, path,
                                        sizeof path))
        return APER_E_PROTOCOL;
    aper__buf_printf(&url, "ws://127.0.0.1:%u%s", (unsigned)port, path);
    *ret_url = aper__buf_take(&url);
    return *ret_url ? APER_OK : APER_E_NOMEM;
}

static aper_status wait_for_port(aper__launch *launch, aper__op *op,
                                 aper_error **ret_error)
{
    int wait_status;
    for (;;) {
        aper_status status = aper__launch_read_port(launch->profile.dir,
                                                    &launch->endpoint);
        if (status == APER_OK)
            return APER_OK;
        if (status == APER_E_NOMEM)
            return aper__error_set(ret_error, status, "out of memory");
        if (aper__process_ended(launch->process, &wait_status))
            return ended_error(launch, wait_status, ret_error);
        status = aper__op_check(op);
        if (status != APER_OK)
            return unusable_error(launch, status, ret_error);
        aper__process_wait(launch->process, op, aper__now_ms() + LOOK_MS);
    }
}

/* ---- starting --------------------------------------------------------------- */

static aper_status check_sandbox(const aper_launch_options *options,
                                 aper_error **ret_error)
{
#ifdef __linux__
    if (geteuid() == 0 && !aper__launch_unsandboxed(options))
        return sandbox_error(ret_error,
                             "Chromium's sandbox does not work as root");
#endif
    return APER_OK;
}

static aper_status exec_error(const char *path, int error,
                              aper_error **ret_error)
{
    aper_status status = error == ENOENT   ? APER_E_NOT_FOUND
                         : error == ENOMEM ? APER_E_NOMEM
                                           : APER_E_LAUNCH;
    return aper__error_set(ret_error, status, "%s cannot be run: %s", path,
                           aper__errno_text(error));
}

static bool make_pair(int pair[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return false;
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static aper_status run(aper__launch *launch,
                       const aper_launch_options *options, const char *path,
                       char *const *args, aper_error **ret_error)
{
    int pair[2] = {-1, -1};
    int error = 0;
    if (options->use_pipe && !make_pair(pair))
        return aper__error_set(ret_error, APER_E_IO, "no socket pair: %s",
                               aper__errno_text(errno));
    aper__process_plan plan = {path, args, launch->profile.temp_dir, pair[1]};
    launch->pipe = pair[0];
    aper_status status = aper__process_start(&plan, &launch->process, &error);
    if (pair[1] >= 0)
        close(pair[1]);
    if (status != APER_OK)
        return exec_error(path, error, ret_error);
    aper__profile_note(&launch->profile, aper__process_pid(launch->process));
    return APER_OK;
}

static aper_status start(aper__launch *launch,
                         const aper_launch_options *options, aper__op *op,
                         aper_error **ret_error)
{
    char *path = NULL;
    char **args = NULL;
    aper_status status = aper__launch_find(options->executable, &path,
                                           ret_error);
    if (status == APER_OK)
        status = aper__profile_open(options->profile_dir, &launch->profile,
                                    ret_error);
    if (status == APER_OK)
        status = aper__launch_args(options, path, launch->profile.dir, &args,
                                   ret_error);
    if (status == APER_OK)
        status = run(launch, options, path, args, ret_error);
    if (status == APER_OK && !options->use_pipe)
        status = wait_for_port(launch, op, ret_error);
    aper__launch_args_free(args);
    aper__dealloc(path);
    return status;
}

aper_status aper__launch_start(const aper_launch_options *options,
                               aper__op *op, aper__launch **ret_launch,
                               aper_error **ret_error)
{
    aper_status status = aper__launch_check(options, ret_error);
    if (status == APER_OK)
        status = check_sandbox(options, ret_error);
    if (status != APER_OK)
        return status;
    aper__launch *launch = aper__alloc(sizeof *launch);
    if (!launch)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    launch->owner = getpid();
    launch->pipe = -1;
    launch->profile.lock = -1;
    aper__launch_reap_orphans();
    status = start(launch, options, op, ret_error);
    if (status != APER_OK) {
        aper__launch_free(launch);
        return status;
    }
    *ret_launch = launch;
    return APER_OK;
}

/* ---- a running one ---------------------------------------------------------- */

const char *aper__launch_endpoint(const aper__launch *launch)
{
    return launch->endpoint;
}

int aper__launch_take_pipe(aper__launch *launch)
{
    int fd = launch->pipe;
    launch->pipe = -1;
    return fd;
}

int64_t aper__launch_pid(const aper__launch *launch)
{
    return aper__process_pid(launch->process);
}

/* ---- ending ----------------------------------------------------------------- */

static bool wait_for_end(aper__process *process, uint32_t span_ms)
{
    aper__op op;
    bool ended;
    aper__op_init(&op, span_ms);
    do
        ended = aper__process_wait(process, &op, INT64_MAX);
    while (!ended && aper__op_check(&op) == APER_OK);
    return ended;
}

/* Told by command, a browser ends its session in order and unlocks its profile;
 * SIGTERM is second best, for one that could not be told. */
static void end_process(aper__process *process, uint32_t grace_ms)
{
    if (grace_ms && !wait_for_end(process, grace_ms / 2)) {
        aper__process_signal(process, SIGTERM);
        wait_for_end(process, grace_ms - grace_ms / 2);
    }
    aper__process_kill(process);
}

/* The child of a fork has neither the thread nor the right to end what is its
 * parent's. */
void aper__launch_stop(aper__launch *launch, uint32_t grace_ms)
{
    if (launch->stopped || launch->owner != getpid())
        return;
    launch->stopped = true;
    if (launch->process)
        end_process(launch->process, grace_ms);
    aper__profile_close(&launch->profile);
}

void aper__launch_free(aper__launch *launch)
{
    if (!launch || launch->owner != getpid())
        return;
    aper__launch_stop(launch, 0);
    aper__process_free(launch->process);
    if (launch->pipe >= 0)
        close(launch->pipe);
    aper__dealloc(launch->endpoint);
    aper__dealloc(launch);
}
