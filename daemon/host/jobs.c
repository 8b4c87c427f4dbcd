/* jobs.c: see jobs.h. */
#include "jobs.h"

#include <stdlib.h>
#include <string.h>

#include <warren/mode.h>

#include "pb.h"
#include "text.h"

static void remove_at(wn_jobs *jobs, uint32_t at)
{
    free(jobs->list[at].question);
    jobs->count--;
    memmove(&jobs->list[at], &jobs->list[at + 1], (jobs->count - at) * sizeof *jobs->list);
}

bool wn_jobs_answer(wn_jobs *jobs, uint32_t serial, uint32_t *number)
{
    for (uint32_t i = 0; i < jobs->count; i++) {
        if (jobs->list[i].serial == serial) {
            *number = jobs->list[i].number;
            remove_at(jobs, i);
            return true;
        }
    }
    return false;
}

const wn_job *wn_jobs_add(wn_jobs *jobs, uint32_t number, const void *question, size_t size, uint32_t milliseconds)
{
    for (uint32_t i = 0; i < jobs->count; i++) {
        if (jobs->list[i].number == number) {
            remove_at(jobs, i);
        }
    }
    if (jobs->count == WN_MAX_JOBS) {
        return NULL;
    }
    if (!jobs->list) {
        jobs->list = wn_must_allocate(WN_MAX_JOBS * sizeof *jobs->list);
    }
    wn_job *job = &jobs->list[jobs->count++];
    *job = (wn_job){.number = number, .serial = ++jobs->last, .milliseconds = milliseconds, .size = size};
    job->question = wn_must_allocate(size + 1);
    if (size > 0) {
        memcpy(job->question, question, size);
    }
    return job;
}

void wn_jobs_free(wn_jobs *jobs)
{
    for (uint32_t i = 0; i < jobs->count; i++) {
        free(jobs->list[i].question);
    }
    free(jobs->list);
    *jobs = (wn_jobs){0};
}

/* Asked { serial = 1, question = 2, milliseconds = 3, job = 4 } */
void wn_job_write(const wn_job *job, wn_buffer *buffer, uint32_t field)
{
    const size_t mark = wn_pb_begin(buffer, field);
    wn_pb_varint(buffer, 1, job->serial);
    wn_pb_bytes(buffer, 2, job->question, job->size);
    wn_pb_varint(buffer, 3, job->milliseconds);
    wn_pb_varint(buffer, 4, job->number);
    wn_pb_end(buffer, mark);
}
