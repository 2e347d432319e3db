/* SPDX-License-Identifier: Apache-2.0 */
/* _start calls: the blocking twin on a worker thread. */
#include "browser/internal.h"

struct aper__task {
    aper__task *next; /* in browser->tasks */
    aper__task *prev;
    aper_browser *browser;
    aper_tab *tab; /* may be NULL */
    aper__op op;
    aper__waiter waiter; /* for the tab, if the job holds it */
    aper__job job;
    aper_event *event; /* reserved at the start */
};

static aper__ops *ops_of(const aper__task *task)
{
    return task->tab != NULL ? &task->tab->ops[task->job.allow_dialog]
                             : &task->browser->ops;
}

static void link_task(aper__task *task)
{
    aper_browser *browser = task->browser;
    task->next = browser->tasks;
    if (task->next != NULL)
        task->next->prev = task;
    browser->tasks = task;
    browser->task_count++;
    browser->holds++;
    if (task->tab != NULL)
        aper__tab_keep(task->tab);
    aper__ops_add(ops_of(task), &task->op);
    task->waiter.op = &task->op;
    if (task->job.holds_tab)
        aper__tab_queue(task->tab, &task->waiter);
}

static void unlink_task(aper__task *task)
{
    aper_browser *browser = task->browser;
    aper__ops_remove(ops_of(task), &task->op);
    if (task->job.holds_tab)
        aper__tab_unqueue(task->tab, &task->waiter);
    if (task->prev != NULL)
        task->prev->next = task->next;
    else
        browser->tasks = task->next;
    if (task->next != NULL)
        task->next->prev = task->prev;
    browser->task_count--;
    pthread_cond_broadcast(&browser->changed);
    if (task->tab != NULL)
        aper__tab_drop(task->tab);
}

/* Posts the completion. The caller gives back the task's hold on the
 * browser, which the lock's owner may not do with the last one. */
static void complete(aper__task *task, aper_status status,
                     const aper__result *result, aper_error *error)
{
    aper_event *event = task->event;
    event->status = status;
    event->error = error;
    event->result = *result;
    if (error == NULL && status != APER_OK)
        aper__error_set(&event->error, status, "%s", aper__op_reason(status));
    unlink_task(task);
    aper__events_post(task->browser, event);
    aper__events_finish(task->browser);
    if (task->job.free_arg != NULL)
        task->job.free_arg(task->job.arg);
    aper__dealloc(task);
}

static void run_task(void *arg)
{
    aper__task *task = arg;
    aper_browser *browser = task->browser;
    aper__result result = { 0 };
    aper_error *error = NULL;
    aper_status status = aper__op_check(&task->op);
    if (status == APER_OK)
        status = task->job.run(task->job.arg, browser, task->tab, &task->op,
                               &result, &error);
    pthread_mutex_lock(&browser->lock);
    complete(task, status, &result, error);
    pthread_mutex_unlock(&browser->lock);
    aper__browser_drop(browser);
}

/* Ends a task that no thread has begun; false if one has. */
static bool end_queued(aper__task *task, aper_status status)
{
    static const aper__result nothing = { 0 };
    if (!aper__pool_take_back(task))
        return false;
    aper_browser *browser = task->browser;
    complete(task, status, &nothing, NULL);
    browser->holds--;
    return true;
}

void aper__jobs_end_queued(aper_browser *browser, aper_status status)
{
    aper__task *next;
    for (aper__task *task = browser->tasks; task != NULL; task = next) {
        next = task->next;
        end_queued(task, status);
    }
}

static aper_status check_start(aper_browser *browser, aper_tab *tab)
{
    if (browser->state != APER_OK)
        return browser->state;
    if (tab != NULL && tab->closed)
        return APER_E_CLOSED;
    if (browser->task_count >= APER__JOBS_MAX)
        return APER_E_BUSY;
    return APER_OK;
}

/* What a blocking call would refuse at once, the completion reports. */
static void refuse_early(aper__task *task)
{
    const aper_tab *tab = task->tab;
    if (tab == NULL)
        return;
    if (tab->crashed && !task->job.allow_crash)
        aper__op_interrupt(&task->op, APER_E_CRASHED);
    else if (tab->dialog != NULL && !task->job.allow_dialog)
        aper__op_interrupt(&task->op, APER_E_DIALOG);
}

static aper_status start(aper__task *task)
{
    aper_browser *browser = task->browser;
    pthread_mutex_lock(&browser->lock);
    aper_status status = check_start(browser, task->tab);
    if (status == APER_OK) {
        link_task(task);
        refuse_early(task);
        status = aper__pool_run(run_task, task);
        if (status != APER_OK) {
            unlink_task(task);
            browser->holds--;
        }
    }
    pthread_mutex_unlock(&browser->lock);
    return status;
}

static aper_status start_job(aper_browser *browser, aper_tab *tab,
                             uint64_t tag, const aper__job *job)
{
    if (browser == NULL)
        return APER_E_INVAL;
    aper_status status = aper__fork_check();
    if (status != APER_OK)
        return status;
    aper__task *task = aper__alloc(sizeof(*task));
    aper_event *event = aper__event_new(APER_EVENT_COMPLETION,
                                        tab != NULL ? tab->id : NULL, NULL);
    if (task == NULL || event == NULL) {
        aper__dealloc(task);
        aper_event_unref(event);
        return APER_E_NOMEM;
    }
    event->tag = tag;
    task->browser = browser;
    task->tab = tab;
    task->job = *job;
    task->event = event;
    aper__op_init(&task->op, job->timeout_ms);
    task->op.tag = tag;
    status = start(task);
    if (status == APER_OK)
        return status;
    aper_event_unref(event);
    aper__dealloc(task);
    return status;
}

aper_status aper__browser_start(aper_browser *browser, aper_tab *tab,
                                uint64_t tag, const aper__job *job,
                                aper_error **ret_error)
{
    aper_status status = start_job(browser, tab, tag, job);
    if (status == APER_OK)
        return status;
    if (job->free_arg != NULL)
        job->free_arg(job->arg);
    return aper__error_set(ret_error, status, "%s", aper__op_reason(status));
}

aper_status aper_browser_cancel(aper_browser *browser, uint64_t tag)
{
    if (browser == NULL)
        return APER_E_INVAL;
    aper_status status = aper__fork_check();
    if (status != APER_OK)
        return status;
    status = APER_E_NOT_FOUND;
    pthread_mutex_lock(&browser->lock);
    aper__task *next;
    for (aper__task *task = browser->tasks; task != NULL; task = next) {
        next = task->next;
        if (task->op.tag != tag)
            continue;
        status = APER_OK;
        if (!end_queued(task, APER_E_CANCELLED))
            aper__op_interrupt(&task->op, APER_E_CANCELLED);
    }
    pthread_mutex_unlock(&browser->lock);
    return status;
}
