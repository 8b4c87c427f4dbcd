/* show.h: prints what a daemon answered, as columns for people or as one JSON value whose keys warrenctl.8 lists.
 */
#ifndef WARREN_CTL_SHOW_H
#define WARREN_CTL_SHOW_H

#include <stdio.h>

#include "json.h"
#include "wire.h"

void wn_show_hosts(FILE *to, const Warren__ServerStatus *status);
/* As an array; `key`: of the object that it stands in, or NULL. */
void wn_show_hosts_json(wn_json *json, const char *key, const Warren__ServerStatus *status);
void wn_show_status(FILE *to, const Warren__ServerStatus *status, bool json);
/* `modes` tell which settings are the server's own: the title. JSON needs none. */
void wn_show_worlds(FILE *to, const Warren__WorldList *worlds, const Warren__ModeList *modes, bool json);
/* Sorts them: the best of the first table first. false, and nothing printed: they make no sense. */
bool wn_show_scores(FILE *to, Warren__ScoreList *scores, bool json);
void wn_show_players(FILE *to, const Warren__PlayerList *players, bool json);
/* `only`: the name of one mode, or NULL for all. false: there is no mode of that name; nothing was printed. */
bool wn_show_modes(FILE *to, const Warren__ModeList *modes, const char *only, bool json);
void wn_show_created(FILE *to, const Warren__WorldInfo *world, bool json);

#endif
