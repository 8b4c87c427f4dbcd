/* jobs.c: see jobs.h. */
#include "jobs.h"

#include <stdlib.h>
#include <string.h>

#include <warren/mode.h>

#include "pb.h"
#include "text.h"

bool wn_jobs_remove(wn_jobs *jobs, uint32_t number)
{
    for (uint32_t i = 0; i < jobs->count; i++) {
        if (jobs->list[i].number == number) {
            free(jobs->list[i].question);
            jobs->count--;
            memmove(&jobs->list[i], &jobs->list[i + 1], (jobs->count - i) * sizeof *jobs->list);
            return true;
        }
    }
    return false;
}

const wn_job *wn_jobs_add(wn_jobs *jobs, uint32_t number, const void *question, size_t size, uint32_t milliseconds)
{
    wn_jobs_remove(jobs, number);
    if (jobs->count == WN_MAX_JOBS) {
        return NULL;
    }
    if (!jobs->list) {
        jobs->list = wn_must_allocate(WN_MAX_JOBS * sizeof *jobs->list);
    }
    wn_job *job = &jobs->list[jobs->count++];
    *job = (wn_job){.number = number, .milliseconds = milliseconds, .size = size};
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

/* Asked { job = 1, question = 2, milliseconds = 3 } */
void wn_job_write(const wn_job *job, wn_buffer *buffer, uint32_t field)
{
    const size_t mark = wn_pb_begin(buffer, field);
    wn_pb_varint(buffer, 1, job->number);
    wn_pb_bytes(buffer, 2, job->question, job->size);
    wn_pb_varint(buffer, 3, job->milliseconds);
    wn_pb_end(buffer, mark);
}
