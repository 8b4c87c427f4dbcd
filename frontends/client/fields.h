/* fields.h: a view's status fields as text. */
#ifndef WARREN_CLIENT_FIELDS_H
#define WARREN_CLIENT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "client.h"

enum { WN_FIELD_BYTES = WN_TEXT_BYTES + 1 };

/* "12", "3/10", a text; "" while it was not set. */
void wn_field_value(const wn_replica *replica, uint32_t field, char *text, size_t size);
const char *wn_field_title(const wn_replica *replica, uint32_t field);
/* Has it a place in the panel? It keeps it while its text is empty, so that the rows below do not jump. */
bool wn_field_is_shown(const wn_replica *replica, uint32_t field);
bool wn_field_is_gauge(const wn_replica *replica, uint32_t field);
/* A gauge that is nearly empty, a load that is nearly full. */
bool wn_field_is_low(const wn_replica *replica, uint32_t field);
/* A mode's title, or its name. */
const char *wn_mode_title(const Warren__Mode *mode);

#endif
