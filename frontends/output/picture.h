/* picture.h: a view as plain text, for people and for programs: its map, status, banner and messages. Frontends that
 * draw have their own ways.
 */
#ifndef WARREN_PICTURE_H
#define WARREN_PICTURE_H

#include <stdio.h>

#include "client.h"
#include "json.h"

void wn_picture_print(FILE *to, const wn_replica *replica);
/* The same as members of the open object: map (an array of rows), status (an object), banner, messages. */
void wn_picture_json(wn_json *json, const wn_replica *replica);

#endif
