/* control.h: the control sockets: requests in, replies out. What a request does stands in requests.c.
 */
#ifndef WARREN_CONTROL_H
#define WARREN_CONTROL_H

#include "daemon.h"

bool wn_control_open(wn_daemon *daemon, wn_error *error);
/* Binds both kinds of sockets to the configured addresses; on failure nothing is served. */
bool wn_control_bind(wn_daemon *daemon, wn_error *error);
void wn_control_close(wn_daemon *daemon);

/* Sends a reply under the request's id (0: news). A peer that does not read loses it. */
void wn_control_reply(wn_daemon *daemon, const wn_peer *peer, uint32_t id, Warren__Reply *reply);
void wn_control_error(wn_daemon *daemon, const wn_peer *peer, uint32_t id, const wn_error *error);
/* Answers whoever waits, if they are still there, with the error or, if that is NULL, with the reply. Nobody waits any
 * more then. */
void wn_control_answer(wn_daemon *daemon, wn_asker *asker, const wn_error *error, Warren__Reply *reply);
/* To a request that asked for a reply; one with id 0 did not. */
void wn_control_joined(wn_daemon *daemon, const wn_peer *peer, uint32_t id, Warren__Joined *joined);
/* An Error about a command. Nothing if the peer is gone. */
void wn_control_refuse_command(wn_daemon *daemon, const wn_peer *peer, uint32_t world, uint32_t number,
                               const wn_error *error);

#endif
