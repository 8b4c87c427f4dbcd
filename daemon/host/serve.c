/* serve.c: see serve.h. */
#include "serve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conversation.h"

enum {
    READ_BYTES = 65536,
    WRITE_BYTES = 1 << 20, /* answers are written when they are more than this, even within a batch */
    KEEP_BYTES = 4 << 20   /* a buffer that once had to be larger is given back when it is empty */
};

static bool flush(int socket, wn_buffer *out)
{
    size_t done = 0;
    while (done < out->size) {
        const ssize_t written = write(socket, out->data + done, out->size - done);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    out->size = 0;
    if (out->capacity > KEEP_BYTES) {
        wn_buffer_free(out);
    }
    return true;
}

/* Moves what is left of the batch to the front. */
static void keep_rest(wn_buffer *in, size_t done)
{
    if (done == in->size && in->capacity > KEEP_BYTES) {
        wn_buffer_free(in);
    } else if (done > 0) {
        memmove(in->data, in->data + done, in->size - done);
        in->size -= done;
    }
}

static bool handle_frame(wn_conversation *host, int socket, const uint8_t *bytes, size_t size)
{
    if (!wn_conversation_take(host, bytes, size)) {
        return false;
    }
    const bool now = host->at_once || host->out.size >= WRITE_BYTES;
    host->at_once = false;
    return !now || flush(socket, &host->out);
}

static bool handle_batch(wn_conversation *host, int socket, wn_buffer *in)
{
    size_t done = 0;
    const uint8_t *bytes;
    size_t size;
    int next = 0;
    while (!host->stopped && (next = wn_frame_next(in, &done, &bytes, &size)) > 0) {
        if (!handle_frame(host, socket, bytes, size)) {
            return false;
        }
    }
    if (next < 0) {
        fprintf(stderr, "warren-host: the daemon sent a frame of more than %d bytes\n", WN_FRAME_BYTES);
        return false;
    }
    keep_rest(in, done);
    return flush(socket, &host->out);
}

static int converse(wn_conversation *host, int socket, wn_buffer *in)
{
    while (!host->stopped) {
        const ssize_t got = read(socket, wn_buffer_reserve(in, READ_BYTES), READ_BYTES);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0 || errno == ECONNRESET ? 0 : WN_EXIT_SOFTWARE;
        }
        in->size += (size_t)got;
        if (!handle_batch(host, socket, in)) {
            return WN_EXIT_SOFTWARE;
        }
    }
    return 0;
}

int wn_serve(wn_plugin *plugin, int socket, wn_blame *page, size_t world_memory, size_t memory)
{
    wn_conversation host;
    wn_buffer in = {0};
    if (!wn_conversation_begin(&host, plugin, page)) {
        fprintf(stderr, "warren-host: out of memory\n");
        return WN_EXIT_SOFTWARE;
    }
    host.world_memory = world_memory;
    host.memory = memory;
    const int status = flush(socket, &host.out) ? converse(&host, socket, &in) : WN_EXIT_SOFTWARE;
    wn_conversation_end(&host);
    wn_buffer_free(&in);
    return status;
}

int wn_serve_refusal(int socket, const char *sentence)
{
    wn_buffer out = {0};
    wn_conversation_refuse(&out, sentence);
    flush(socket, &out);
    wn_buffer_free(&out);
    return WN_EXIT_CONFIG;
}
