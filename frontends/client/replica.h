/* replica.h: what becomes of a replica beside its updates, for those who keep one: the client and the player of
 * recordings. What frontends may do with it is in client.h.
 */
#ifndef WARREN_CLIENT_REPLICA_H
#define WARREN_CLIENT_REPLICA_H

#include "client.h"

/* `name` must outlive it. */
void wn_replica_name(wn_replica *replica, uint32_t world, const char *name, int32_t seat);
void wn_replica_watchers(wn_replica *replica, char *const *names, size_t count);
/* Only messages stay. `mode` must outlive it. false: no memory, nothing changed. */
bool wn_replica_restart(wn_replica *replica, const Warren__Mode *mode);

#endif
