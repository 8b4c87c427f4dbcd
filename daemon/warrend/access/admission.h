/* admission.h: every connection is let in or turned away here, and gets its name: libzmq asks about each before its
 * first message (ZAP, https://rfc.zeromq.org/spec/27/). The answer becomes the User-Id of all its messages, which no
 * peer can write itself: "key:" and 64 hexadecimal digits with CURVE; "uid:" and a number on ipc, from the kernel; ""
 * on tcp without keys, where nobody says who it is.
 */
#ifndef WARREN_ADMISSION_H
#define WARREN_ADMISSION_H

#include "daemon.h"

/* Reads the server's key, or makes it. */
bool wn_admission_key(wn_daemon *daemon, wn_error *error);
/* Could it be read? One that is not there would be made. */
bool wn_admission_check_key(const wn_config *config, wn_error *error);
/* Before the first bind. */
bool wn_admission_open(wn_daemon *daemon, wn_error *error);
void wn_admission_close(wn_daemon *daemon);

/* Sets what the next bind of `socket` needs for that endpoint: keys or none, and that we are asked. */
bool wn_admission_prepare(const wn_daemon *daemon, void *socket, const char *endpoint, bool keys, wn_error *error);

/* The daemon's own user and root may do everything: they could edit its files anyway. */
bool wn_is_local_admin(const char *identity);

/* The identity that stands in the store for whoever came without one. */
#define WN_NOBODY "nobody"

/* Who sent it. `identity` has WN_IDENTITY_BYTES, `address` WN_ADDRESS_BYTES: "" on ipc. */
void wn_admission_sender(zmq_msg_t *message, char *identity, char *address);
/* The process that sent it, as the kernel names it; 0: by a network. */
pid_t wn_admission_process(zmq_msg_t *message);

#endif
