/* another.h: one more world like one that is over: of its mode, with its settings and another seed. It is created and
 * entered in the same way. It draws nothing. */
#ifndef WARREN_CLIENT_ANOTHER_H
#define WARREN_CLIENT_ANOTHER_H

#include <stdbool.h>
#include <stdint.h>

#include "client.h"

typedef struct wn_another {
    wn_client *client;
    char like[WN_NAME_BYTES + 1]; /* the world that is over */
    uint32_t way;
    uint32_t list_request, create_request, join_request; /* one after the other */
    char trouble[WN_TEXT_BYTES + 1];                     /* why there is none; "" */
} wn_another;

void wn_another_begin(wn_another *another, wn_client *client, const char *like, uint32_t way);
/* It is on its way. */
bool wn_another_busy(const wn_another *another);
/* It has something to say: it is on its way, or could not be made. */
bool wn_another_speaks(const wn_another *another);
/* false: the event was not for it. *world: it was made and entered, else 0. */
bool wn_another_take(wn_another *another, const wn_event *event, uint32_t *world);

#endif
