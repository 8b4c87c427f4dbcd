/* conversation.h: what a host answers to the daemon, message by message, and the worlds that come of it. Not the socket
 * between them (serve.h), nor what a world does (world.h).
 */
#ifndef WARREN_HOST_CONVERSATION_H
#define WARREN_HOST_CONVERSATION_H

#include "blame.h"
#include "registry.h"

typedef struct wn_conversation {
    wn_plugin *plugin;
    size_t world_memory; /* bytes for each world's mode; 0: the usual limit. May be set after the beginning */
    size_t memory;       /* bytes for all of them; 0: no limit. The same */
    wn_buffer out;       /* frames for the daemon: whoever sends them empties it */
    bool at_once;        /* somebody waits for what is in `out`: whoever sends it sets this back */
    bool stopped;        /* the daemon wants no more of it */
    wn_registry worlds;
    wn_arena *arena;
    wn_buffer logs; /* lines written while something else is being written to `out` */
    wn_blame *blame;
} wn_conversation;

/* Puts Ready into `out`. `page` may be NULL. false: there is no memory. */
bool wn_conversation_begin(wn_conversation *host, wn_plugin *plugin, wn_blame *page);
/* Does what an encoded ToHost says. false: it is none, or says what no daemon would; that is told on stderr, and there
 * is no going on. */
bool wn_conversation_take(wn_conversation *host, const uint8_t *bytes, size_t size);
void wn_conversation_end(wn_conversation *host);

/* Appends Refused with the sentence, instead of all of that. */
void wn_conversation_refuse(wn_buffer *out, const char *sentence);

#endif
