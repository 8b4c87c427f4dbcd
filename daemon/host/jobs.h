/* jobs.h: a world's questions to work() that wait for an answer. Not who answers them: the daemon sends each to a
 * worker and brings the answer back as an input.
 */
#ifndef WARREN_HOST_JOBS_H
#define WARREN_HOST_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

typedef struct wn_job {
    uint32_t number; /* the mode's */
    uint32_t serial; /* the daemon's: so an answer to a question that was replaced is none to its successor */
    uint32_t milliseconds;
    size_t size;
    uint8_t *question;
} wn_job;

/* In the order in which they were asked. All zero is a valid empty one. */
typedef struct wn_jobs {
    wn_job *list;
    uint32_t count;
    uint32_t last; /* serial */
} wn_jobs;

/* Adds a copy with the next serial; one that waits under the number is replaced. NULL: WN_MAX_JOBS wait. */
const wn_job *wn_jobs_add(wn_jobs *jobs, uint32_t number, const void *question, size_t size, uint32_t milliseconds);
/* The one with that serial is answered: gives its number. false: there is none. */
bool wn_jobs_answer(wn_jobs *jobs, uint32_t serial, uint32_t *number);
void wn_jobs_free(wn_jobs *jobs);

/* Appends field `field`, an Asked. */
void wn_job_write(const wn_job *job, wn_buffer *buffer, uint32_t field);

#endif
